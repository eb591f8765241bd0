"""The timeline as one picture, playhead apart: painted once per change, not once per frame."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPixmap

from annotator.domain.track import Track
from annotator.ui.timeline import words
from annotator.ui.timeline.header_painter import HeaderPainter
from annotator.ui.timeline.lane_painter import LanePainter
from annotator.ui.timeline.lanes import SegmentLane
from annotator.ui.timeline.point_painter import PointPainter
from annotator.ui.timeline.scene import Scene
from annotator.ui.timeline.segment_painter import SegmentPainter
from annotator.ui.timeline.strip_painter import KeptPicture, StripPainter


def painted(scene: Scene, font: QFont, kept: KeptPicture) -> QPixmap:
    """Return the picture of a timeline, in the device pixels of its screen."""
    layout, ratio = scene.layout, scene.ratio
    pixmap = QPixmap(round(layout.width * ratio), round(layout.height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    # The strips end where the lanes do, left of a scroll bar: what lies beyond is plane, too.
    pixmap.fill(scene.theme.color("timeline"))
    painter = QPainter(pixmap)
    painter.setFont(font)
    _draw_lanes(painter, scene)
    header = HeaderPainter(painter, scene)
    header.draw()
    StripPainter(painter, scene, kept).draw()
    header.draw_ranges()
    painter.end()
    return pixmap


def _draw_lanes(painter: QPainter, scene: Scene) -> None:
    layout = scene.layout
    lanes, segments = LanePainter(painter, scene), SegmentPainter(painter, scene)
    points = PointPainter(painter, scene)
    lanes.draw_plane()
    for row in layout.visible_rows():
        item, top = layout.rows[row], layout.top_of(row)
        if isinstance(item, SegmentLane):
            segments.draw_name(item, top)
            segments.draw_row(item, top)
        elif scene.session is None:
            continue
        elif isinstance(item, Track):
            lanes.draw_name(item, top)
            lanes.draw_track(scene.lanes.track_lane(scene.session, item), top)
        else:
            points.draw_name(item, top)
            points.draw(scene.lanes.point_lane(scene.session, item), top)
    if scene.session is not None and not scene.session.document.tracks:
        painter.setPen(scene.theme.color("text_dim"))
        top = layout.top_of(len(layout.rows))
        room = QRect(0, top, layout.width, layout.height - top)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words.empty_text(scene.axis))
