"""The timeline as one picture, playhead apart: what shows something else is painted again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap, QPolygonF, QRegion

from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.track import Track
from annotator.domain.ids import TrackId
from annotator.ui.timeline.model import timeline_texts
from annotator.ui.timeline.model.lane_contents import SegmentLane, color_of
from annotator.ui.timeline.model.layout import RULER_END_PX
from annotator.ui.timeline.model.rows import COMMENT_LANE_PX, CommentLane
from annotator.ui.timeline.painting.header_painter import HeaderPainter
from annotator.ui.timeline.painting.lane_painter import LanePainter, PointPainter
from annotator.ui.timeline.painting.segment_painter import SegmentPainter, in_sight
from annotator.ui.timeline.painting.strip_painter import CachedPicture, StripPainter
from annotator.ui.timeline.painting.timeline_scene import TimelineScene

_REACH_PX: Final = 5.5


class CommentPainter:
    """Draws the comments in sight with a painter in logical pixels of the widget."""

    def __init__(self, painter: QPainter, scene: TimelineScene) -> None:
        self._painter = painter
        self._scene = scene
        self._theme = scene.theme

    def draw(self, lane: CommentLane, top: int) -> None:
        """Draw the lane with its name; open comments are drawn over resolved comments."""
        painter, layout = self._painter, self._scene.layout
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        visible = max(top, layout.border)
        room = QRect(0, visible, layout.width - layout.bar, top + COMMENT_LANE_PX - visible)
        painter.setClipRect(room)
        self._draw_name(top)
        painter.setClipRect(room.adjusted(layout.gutter, 0, 0, 0))
        for thread in sorted(lane.threads, key=lambda t: not t[0].is_resolved):
            self._draw_comment(thread[0], top)
        painter.restore()

    def _draw_name(self, top: int) -> None:
        painter, theme = self._painter, self._theme
        painter.setPen(theme.color("text_dim"))
        middle = top + (COMMENT_LANE_PX - 1) / 2
        self._draw_sign(15, middle, theme.color("text_dim"))
        room = QRectF(28, top, self._scene.layout.gutter - 36, COMMENT_LANE_PX - 1)
        text = QCoreApplication.translate("timeline", "Comments")
        painter.setPen(theme.color("text_dim"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _draw_comment(self, comment: Comment, top: int) -> None:
        scene, axis = self._scene, self._scene.axis
        color = QColor(self._theme.color("text_disabled" if comment.is_resolved else "warning"))
        left, middle = scene.layout.axis_left, top + (COMMENT_LANE_PX - 1) / 2
        if comment.pin.span is not None:
            start, end = comment.pin.span
            x1, x2 = left + axis.left_of(start), left + axis.left_of(min(end, axis.n_frames))
            bar = QColor(color)
            bar.setAlpha(90)
            self._painter.fillRect(QRectF(x1, middle + 3.5, max(2.0, x2 - x1), 3), bar)
        frame = comment.pin.first_frame
        if frame is not None:
            at = left + axis.middle_of(min(frame, axis.n_frames - 1))
            self._draw_sign(at, middle, color, is_hollow=comment.is_resolved)

    def _draw_sign(self, x: float, y: float, ink: QColor, *, is_hollow: bool = False) -> None:
        painter = self._painter
        painter.setPen(QPen(ink, 1.3))
        painter.setBrush(Qt.BrushStyle.NoBrush if is_hollow else ink)
        corners = [
            QPointF(x, y - _REACH_PX),
            QPointF(x + _REACH_PX, y + _REACH_PX - 1),
            QPointF(x - _REACH_PX, y + _REACH_PX - 1),
        ]
        painter.drawPolygon(QPolygonF(corners))


class _Painted(NamedTuple):
    """A painted row: its content, and the range of visible pixels."""

    look: object
    first: int
    last: int


class _Header(NamedTuple):
    """Contents of overview and ruler; the ruler shows the ranges only."""

    keys: object
    loaded: object
    loop: object
    range: object


class TimelinePicture:
    """Keeps the picture, and the painted state of each row.

    An edit or another selection changes few rows, and scrolling moves most of them: only rows with
    another state are painted. ``forget`` is for changes outside of rows: another time range, theme,
    size or sound.
    """

    def __init__(self) -> None:
        self._pixmap: QPixmap | None = None
        self._rows: dict[int, _Painted] = {}
        self._header: _Header | None = None
        self._scroll = 0

    def forget(self) -> None:
        """Paint everything the next time."""
        self._pixmap = None

    def painted(self, scene: TimelineScene, font: QFont, kept: CachedPicture) -> QPixmap:
        """Return the picture as it is now, in the device pixels of its screen."""
        header, rows = _header_look(scene), _rows_of(scene)
        if self._pixmap is None:
            self._pixmap = _painted(scene, font, kept)
        else:
            stale = self._stale_after_scrolling(self._pixmap, scene, rows)
            if stale:
                _paint_rows(self._pixmap, scene, font, stale)
            if header != self._header:
                _paint_header(self._pixmap, scene, font, self._header)
        self._header, self._rows, self._scroll = header, rows, scene.layout.scroll
        return self._pixmap

    def _stale_after_scrolling(
        self, pixmap: QPixmap, scene: TimelineScene, rows: dict[int, _Painted]
    ) -> list[int]:
        """Move the lanes to where they are now; return the rows that are not right by that."""
        layout, ratio = scene.layout, scene.ratio
        shift = (self._scroll - layout.scroll) * ratio
        if shift:
            top = layout.border * ratio
            if top % 1 or shift % 1:
                return list(rows)
            area = QRect(0, int(top), pixmap.width(), pixmap.height() - int(top))
            pixmap.scroll(0, int(shift), area)
        return [row for row, now in rows.items() if not self._is_there(row, now)]

    def _is_there(self, row: int, now: _Painted) -> bool:
        before = self._rows.get(row)
        if before is None or before.first > now.first or before.last < now.last:
            return False
        return before.look == now.look


def _rows_of(scene: TimelineScene) -> dict[int, _Painted]:
    """Return what each row in sight shows; the room below the last one counts as one more."""
    layout, glowing = scene.layout, scene.glowing
    found = {}
    end = len(layout.rows)
    for row in [*layout.visible_rows(), end]:
        top, bottom = _extent(scene, row)
        first, last = max(layout.border_of(row) - top, 0), min(bottom, layout.height) - top
        if first < last:
            look = _look(scene, row, glowing) if row < end else (top, _empty_words(scene))
            found[row] = _Painted(look, first, last)
    return found


def _extent(scene: TimelineScene, row: int) -> tuple[int, int]:
    layout, top = scene.layout, scene.layout.top_of(row)
    is_row = row < len(layout.rows)
    return top, top + layout.height_of(row) if is_row else layout.height


def _look(scene: TimelineScene, row: int, glowing: frozenset[TrackId]) -> object:
    """Return what the picture of a row depends on: equal ones look the same."""
    item, session = scene.layout.rows[row], scene.session
    if isinstance(item, SegmentLane):
        return _look_of_segments(scene, item)
    if isinstance(item, CommentLane) or session is None:
        return item
    if isinstance(item, Track):
        return (
            scene.lanes.track_lane(session, item),
            item.id in scene.selected,
            item.id in glowing,
            scene.has_points(item.id),
            item.id in scene.folded,
        )
    lane = scene.lanes.point_lane(session, item)
    return lane, item.id in scene.points, color_of(session.document, item)


def _look_of_segments(scene: TimelineScene, lane: SegmentLane) -> object:
    seen = [lane.segments[i] for i in in_sight(scene, lane).seen.nonzero()[0].tolist()]
    chosen = [s.id for s in seen if s.id in scene.segments]
    has_primary = bool(scene.segments) and scene.segments[-1] in chosen
    objects = set(scene.selected)
    return (
        lane.row,
        seen,
        chosen,
        (scene.segments[-1], scene.edge) if has_primary else None,
        [s.id for s in seen if s.id in scene.dragged],
        [(s.id, scene.selected) for s in seen if not objects.isdisjoint(s.slots)],
    )


def _header_look(scene: TimelineScene) -> _Header:
    return _Header(scene.primary_keys, scene.loaded, scene.loop, scene.range)


def _painted(scene: TimelineScene, font: QFont, kept: CachedPicture) -> QPixmap:
    layout, ratio = scene.layout, scene.ratio
    pixmap = QPixmap(round(layout.width * ratio), round(layout.height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    # The strips end where the lanes do, left of a scroll bar: what lies beyond is plane, too.
    pixmap.fill(scene.theme.color("timeline"))
    _paint_rows(pixmap, scene, font, [*layout.visible_rows(), len(layout.rows)])
    painter = QPainter(pixmap)
    painter.setFont(font)
    StripPainter(painter, scene, kept).draw()
    header = HeaderPainter(painter, scene)
    header.draw_edge(RULER_END_PX, layout.header)
    header.draw_ranges(RULER_END_PX, layout.header)
    painter.end()
    _paint_header(pixmap, scene, font)
    return pixmap


def _paint_header(
    pixmap: QPixmap, scene: TimelineScene, font: QFont, before: _Header | None = None
) -> None:
    """Paint the overview, and the ruler unless it is the same as ``before``."""
    painter = QPainter(pixmap)
    painter.setFont(font)
    header = HeaderPainter(painter, scene)
    header.draw_overview()
    if before is None or (before.loop, before.range) != (scene.loop, scene.range):
        header.draw_ruler()
    painter.end()


def _paint_rows(pixmap: QPixmap, scene: TimelineScene, font: QFont, rows: Iterable[int]) -> None:
    """Paint rows, and nothing else, into a picture of the same timeline."""
    layout = scene.layout
    rooms, region = {}, QRegion()
    for row in rows:
        top, bottom = _extent(scene, row)
        top, bottom = max(layout.border_of(row), top), min(bottom, layout.height)
        if top < bottom:
            rooms[row] = QRect(0, top, layout.width, bottom - top)
            region += rooms[row]
    painter = QPainter(pixmap)
    painter.setFont(font)
    painter.setClipRegion(region)
    real = [row for row in rooms if row < len(layout.rows)]
    LanePainter(painter, scene).draw_plane(real)
    for row, room in rooms.items():
        painter.setClipRect(room)
        if row in real:
            _draw_row(painter, scene, row)
        elif room.height() >= painter.fontMetrics().height() and (text := _empty_words(scene)):
            painter.setPen(scene.theme.color("text_dim"))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
    header = HeaderPainter(painter, scene)
    painter.setClipping(False)
    for room in rooms.values():
        header.draw_edge(room.top(), room.bottom() + 1)
        header.draw_ranges(room.top(), room.bottom() + 1)
    painter.end()


def _draw_row(painter: QPainter, scene: TimelineScene, row: int) -> None:
    item, top = scene.layout.rows[row], scene.layout.top_of(row)
    if isinstance(item, SegmentLane):
        segments = SegmentPainter(painter, scene)
        segments.draw_name(item, top)
        segments.draw_row(item, top)
    elif isinstance(item, CommentLane):
        CommentPainter(painter, scene).draw(item, top)
    elif scene.session is None:
        return
    elif isinstance(item, Track):
        lanes = LanePainter(painter, scene)
        lanes.draw_name(item, top)
        lanes.draw_track(scene.lanes.track_lane(scene.session, item), top)
    else:
        points = PointPainter(painter, scene)
        points.draw_name(item, color_of(scene.session.document, item), top)
        points.draw(scene.lanes.point_lane(scene.session, item), top)


def _empty_words(scene: TimelineScene) -> str:
    """Return what stands below the lanes while there is no object, or no sound in sound alone."""
    if scene.session is None or scene.session.document.tracks:
        return ""
    if scene.session.document.segments and not scene.axis.n_frames:
        return ""
    return timeline_texts.empty_text(scene.axis, scene.session.tools)
