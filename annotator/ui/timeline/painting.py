"""The timeline as one picture, playhead apart: painted once per change, not once per frame."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPixmap

from annotator.domain.track import Track
from annotator.ui.timeline import words
from annotator.ui.timeline.comment_painter import CommentPainter
from annotator.ui.timeline.header_painter import HeaderPainter
from annotator.ui.timeline.lane_painter import LanePainter
from annotator.ui.timeline.lanes import SegmentLane
from annotator.ui.timeline.point_painter import PointPainter
from annotator.ui.timeline.rows import CommentLane, Row
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


def paint_segments(pixmap: QPixmap, scene: Scene, font: QFont) -> None:
    """Paint the lanes of segments into a picture of the same timeline in which they changed."""
    layout = scene.layout
    rows = [r for r in layout.visible_rows() if isinstance(layout.rows[r], SegmentLane)]
    if not rows:
        return
    top, end = max(layout.header, layout.top_of(rows[0])), layout.top_of(rows[-1] + 1)
    painter = QPainter(pixmap)
    painter.setFont(font)
    # Painters of rows clip to theirs, so that nothing but these is touched.
    painter.setClipRect(QRect(0, top, layout.width, end - top))
    LanePainter(painter, scene).draw_plane(rows)
    segments = SegmentPainter(painter, scene)
    for row in rows:
        _draw_segments(segments, layout.rows[row], layout.top_of(row))
    header = HeaderPainter(painter, scene)
    header.draw_edge()
    header.draw_ranges(top, end)
    painter.end()


def _draw_segments(segments: SegmentPainter, row: Row, top: int) -> None:
    assert isinstance(row, SegmentLane)
    segments.draw_name(row, top)
    segments.draw_row(row, top)


def _draw_lanes(painter: QPainter, scene: Scene) -> None:
    layout = scene.layout
    lanes, segments = LanePainter(painter, scene), SegmentPainter(painter, scene)
    points = PointPainter(painter, scene)
    lanes.draw_plane(layout.visible_rows())
    for row in layout.visible_rows():
        item, top = layout.rows[row], layout.top_of(row)
        if isinstance(item, SegmentLane):
            _draw_segments(segments, item, top)
        elif isinstance(item, CommentLane):
            CommentPainter(painter, scene).draw(item, top)
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
