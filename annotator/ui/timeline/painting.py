"""The timeline as one picture, playhead apart: painted once per change, not once per frame."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPixmap

from annotator.ui.timeline import words
from annotator.ui.timeline.header_painter import HeaderPainter
from annotator.ui.timeline.lane_painter import LanePainter
from annotator.ui.timeline.lanes import SegmentLane
from annotator.ui.timeline.layout import HEADER_PX
from annotator.ui.timeline.scene import Scene


def painted(scene: Scene, font: QFont) -> QPixmap:
    """Return the picture of a timeline, in the device pixels of its screen."""
    layout, ratio = scene.layout, scene.ratio
    pixmap = QPixmap(round(layout.width * ratio), round(layout.height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    painter = QPainter(pixmap)
    painter.setFont(font)
    _draw_lanes(painter, scene)
    header = HeaderPainter(painter, scene)
    header.draw()
    header.draw_ranges()
    painter.end()
    return pixmap


def _draw_lanes(painter: QPainter, scene: Scene) -> None:
    layout = scene.layout
    lanes = LanePainter(painter, scene)
    lanes.draw_plane()
    for row in layout.visible_rows():
        item, top = layout.rows[row], layout.top_of(row)
        lanes.draw_name(item, top)
        if isinstance(item, SegmentLane):
            lanes.draw_segments(item, top)
        elif scene.session is not None:
            lanes.draw_track(scene.lanes.track_lane(scene.session, item), top)
    if scene.session is not None and not layout.rows:
        painter.setPen(scene.theme.color("text_dim"))
        room = QRect(0, HEADER_PX, layout.width, layout.lanes_height)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words.empty_text())
