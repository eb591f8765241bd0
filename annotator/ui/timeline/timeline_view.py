"""The timeline widget: the whole video, the ruler and the lanes on one axis of real time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import Selection
from annotator.ui.timeline.input.mouse_input import Pointing, tip_at
from annotator.ui.timeline.lane_list import Lanes
from annotator.ui.timeline.model import timeline_texts
from annotator.ui.timeline.model.layout import OVERVIEW_PX, RULER_END_PX, Zone
from annotator.ui.timeline.model.rows import LANE_PX, span_of
from annotator.ui.timeline.painting.film_painter import FilmPreview
from annotator.ui.timeline.painting.header_painter import HeaderPainter
from annotator.ui.timeline.painting.mark_painter import MarkPictures
from annotator.ui.timeline.painting.segment_painter import SegmentPainter
from annotator.ui.timeline.painting.timeline_picture import TimelinePicture
from annotator.ui.timeline.painting.timeline_scene import TimelineScene
from annotator.ui.timeline.sound_strips import SoundStrips
from annotator.ui.timeline.timeline_viewport import TimelineViewport

if TYPE_CHECKING:
    from annotator.services.session import Session

_FLAG_PX: Final = 120  # from the playhead to the far end of a label that its flag covers


class TimelineView(QWidget):
    """Shows every track over time, and takes the person to the frame clicked.

    Only segments are edited here, by the mouse and by keys. What does not move in playing is
    painted once into a picture; the playhead is drawn over it.
    """

    seekRequested = Signal(int, bool)  # frame; False while dragging: a stand-in will do
    rangeSelected = Signal(object)  # half-open span of frames, or None
    rangeDrawn = Signal(object, float, float)  # Lane, seconds: a range drawn on a free place of it
    segmentSelected = Signal(object)  # SegmentId, by a click
    playRequested = Signal(float, float)  # seconds: a segment was double-clicked
    message = Signal(str)  # why an edit was not made
    failed = Signal(object)  # UserError
    contextMenuAt = Signal(QPoint, object)  # global position, TrackId or None
    stripsResized = Signal(int, int)  # heights of waveform and spectrogram, after the drag
    timeSeekRequested = Signal(float, bool)  # media time; False while dragging

    def __init__(
        self, theme: ThemeHub, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._hub = theme
        self._selection = selection
        self.viewport = TimelineViewport(self, lambda rows_px: self.strips.fitting(rows_px))
        self.strips = SoundStrips(self.viewport, self)
        self.lanes = Lanes(self.viewport, self.strips, selection, self)
        self.lanes.changed.connect(self._describe_soon)
        self._words_timer = QTimer(self)
        self._words_timer.setSingleShot(True)
        self._words_timer.setInterval(250)
        self._words_timer.timeout.connect(self._describe)
        self._loaded: Sequence[tuple[int, int]] = ()
        self._loop: tuple[int, int] | None = None
        self._range: tuple[int, int] | None = None
        self._answers: tuple[tuple[int, int], ...] = ()
        self._marks = MarkPictures(theme.theme, self.devicePixelRatioF())
        self._picture = TimelinePicture()
        self._pointing = Pointing(self)
        self.setMouseTracking(True)
        self.preview = FilmPreview(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Timeline"))
        theme.changed.connect(self._on_theme_changed)

    # What is shown

    def set_session(self, session: Session | None) -> None:
        """Show another draft, or none."""
        self._loaded, self._loop, self._range, self._answers = (), None, None, ()
        self.viewport.rewind()
        self.lanes.set_session(session)

    def set_playhead(self, frame: int) -> None:
        """Move the playhead; the axis follows it out of sight as pages are turned."""
        if frame == self.viewport.frame:
            return
        before, self.viewport.frame = self.viewport.frame, frame
        is_step = 0 < abs(frame - before) <= 60
        if not self._pointing.is_active:
            self.viewport.look(self.viewport.axis.following(frame, pages=is_step))
        self._update_playhead(before)
        self._update_playhead(frame)
        self._words_timer.start()

    def set_moment(self, seconds: float) -> None:
        """Move the playhead of a sound without pictures; the axis follows it out of sight."""
        if seconds == self.viewport.moment_s or self.viewport.axis.n_frames:
            return
        self.viewport.moment_s = seconds
        if not self._pointing.is_active:
            self.viewport.look(self.viewport.axis.following_time(seconds))
        self.update()
        self._words_timer.start()

    def set_loaded_spans(self, spans: Sequence[tuple[int, int]]) -> None:
        """Tint the frames that are decoded already (half-open spans)."""
        if list(spans) != list(self._loaded):
            self._loaded = tuple(spans)
            self.update()

    def set_loop(self, span: tuple[int, int] | None) -> None:
        """Mark the range that playback repeats."""
        self._loop = span
        self.viewport.repaint_all()

    def set_range(self, span: tuple[int, int] | None) -> None:
        """Mark a range of frames; says nothing to anybody."""
        self._range = span
        self.viewport.repaint_all()

    def set_answers(self, spans: tuple[tuple[int, int], ...]) -> None:
        """Mark the stretches of time that were given as an answer (half-open spans)."""
        if spans != self._answers:
            self._answers = spans
            self.viewport.repaint_all()

    @property
    def answers(self) -> tuple[tuple[int, int], ...]:
        """The stretches of time that are marked as an answer."""
        return self._answers

    @property
    def range(self) -> tuple[int, int] | None:
        """The marked range, half-open in frames; in milliseconds of a sound without picture."""
        return self._range

    def summary(self) -> str:
        """Return what the timeline shows in words."""
        at = self.viewport.frame if self.viewport.axis.n_frames else self.viewport.moment_s
        return timeline_texts.summary(
            self.lanes.session, self._selection.primary, self.viewport.axis, at
        )

    def zoom_to_selection(self) -> None:
        """Show the marked range, else the selected segment, else the track's keyframes."""
        span = self._range or span_of(self.lanes.session, self._selection)
        if span is None:
            self.viewport.zoom_fit()
            return
        axis = self.viewport.axis
        start, end = (axis.time_at(axis.left_of(frame)) for frame in span)
        margin = (end - start) * 0.06
        self.viewport.look(self.viewport.axis.showing(start - margin, end + margin))

    # What lies where

    def segment_at(self, at: QPointF) -> Segment | None:
        """Return the segment at a point."""
        found = self._pointing.segments.part_at(at)
        return found[0] if found is not None else None

    @property
    def drafts(self) -> tuple[Segment, ...]:
        """The segments being dragged, as they would become."""
        return self._pointing.segments.drafts

    def ink(self, token: str) -> QColor:
        """Return a color of the theme."""
        return self._hub.theme.color(token)

    def show_drafts(self) -> None:
        """Show segments where they are dragged to."""
        self.update()

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(960, self.viewport.layout.header + 6 * LANE_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, RULER_END_PX + 4 * LANE_PX)

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self.viewport.arrange()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.viewport.wheel(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        scene = self._scene()
        if self.viewport.is_stale:
            self._picture.forget()
            self.viewport.is_stale = False
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture.painted(scene, self.font(), self.strips.kept))
        header = HeaderPainter(painter, scene)
        if self.lanes.session is not None and self.viewport.axis.n_frames:
            frame = min(self.viewport.frame, self.viewport.axis.n_frames - 1)
            header.draw_playhead(frame)
            header.draw_corner(float(self.viewport.axis.edges[frame]))
        elif self.lanes.session is not None:
            header.draw_moment(self.viewport.moment_s)
            header.draw_corner(self.viewport.moment_s)
        editing = self._pointing.segments
        if editing.drafts:
            SegmentPainter(painter, scene).draw_drafts(editing.drafts, editing.magnet_s)
        self._pointing.band.draw(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._hub.theme.color("focus"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == Qt.MouseButton.LeftButton and self.lanes.session is not None:
            self._pointing.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointing.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointing.release(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        track = self._selection.primary
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            row = self.viewport.row_at(QPointF(event.pos()))
            track = row.id if isinstance(row, Track) else None
            if track is not None and track not in self._selection.tracks:
                self._selection.set_tracks([track])
        self.contextMenuAt.emit(event.globalPos(), track)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and (self._pointing.cancel() or self._range is not None):
            self.select_range(None)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.lanes.step_lane(1 if key == Qt.Key.Key_Down else -1)
        elif key in _ZOOM_KEYS and self._is_own_key(event):
            _ZOOM_KEYS[key](self.viewport)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            # Names are shown as they are written, also when they look like markup.
            text = escape(tip_at(self, QPointF(event.pos()))).replace("\n", "<br>")
            QToolTip.showText(event.globalPos(), text, self)
            return True
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and self._is_own_key(event):
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            # Before Qt takes Tab for going to the next widget.
            is_tab = event.key() == Qt.Key.Key_Tab and not event.modifiers()
            if is_tab and self._pointing.segments.next_edge():
                return True
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        elif event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.FontChange):
            self._on_theme_changed()
        return super().event(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Play a segment; show the whole video by its overview, the range by the ruler."""
        zone = self.viewport.layout.zone_at(event.position().x(), event.position().y())
        if zone is Zone.OVERVIEW:
            self.viewport.zoom_fit()
        elif zone is Zone.RULER:
            self.zoom_to_selection()
        elif not self._pointing.segments.play_at(event.position()):
            self.mousePressEvent(event)

    def select_range(self, span: tuple[int, int] | None) -> None:
        """Mark a range of frames and emit `rangeSelected`."""
        if span != self._range:
            self.set_range(span)
            self.rangeSelected.emit(span)

    # What happens

    def _is_own_key(self, event: QKeyEvent) -> bool:
        """Return whether a key acts on the timeline while it has the focus, shortcut or not."""
        if event.key() == Qt.Key.Key_Escape:
            return self._pointing.is_active or self._range is not None
        held = event.modifiers()
        if event.key() == Qt.Key.Key_Tab:
            return not held and self._pointing.segments.selected() is not None
        if event.key() not in _ZOOM_KEYS or held & Qt.KeyboardModifier.AltModifier:
            return False
        # A plain digit is not about zoom.
        return event.key() != Qt.Key.Key_0 or bool(held & Qt.KeyboardModifier.ControlModifier)

    def _on_theme_changed(self) -> None:
        self._marks = MarkPictures(self._hub.theme, self.devicePixelRatioF())
        self.viewport.repaint_all()

    def _describe_soon(self) -> None:
        self._words_timer.start()

    def _describe(self) -> None:
        self.setAccessibleDescription(self.summary())

    def _update_playhead(self, frame: int) -> None:
        """Repaint only the strips on which the playhead stands, and the numbers."""
        left = self.viewport.layout.axis_left
        middle = round(left + self.viewport.axis.middle_of(frame))
        half = max(_FLAG_PX, round(self.viewport.axis.typical_cell_px) + 4)
        self.update(QRect(middle - half, OVERVIEW_PX, 2 * half, self.height()))
        self.update(
            QRect(round(left + self.viewport.whole.middle_of(frame)) - 3, 0, 6, OVERVIEW_PX)
        )
        self.update(QRect(0, 0, self.viewport.layout.gutter, RULER_END_PX))

    def _scene(self) -> TimelineScene:
        return TimelineScene(
            self._hub.theme,
            self.lanes.session,
            self.lanes.store,
            self._marks,
            self.viewport.axis,
            self.viewport.whole,
            self.viewport.layout,
            self._selection.tracks,
            self._selection.segments,
            self.devicePixelRatioF(),
            loaded=self._loaded,
            range=self._range,
            answers=self._answers,
            loop=self._loop,
            sound=self.strips.sound,
            look=self.strips.look,
            is_muted=self.strips.is_muted,
            small_pt=self.font().pointSizeF() * 0.88,
            film=self.strips.film,
            folded=self.lanes.folded,
            labels=self.lanes.labels,
            points=self._selection.points,
            edge=self._selection.edge,
            dragged=frozenset(s.id for s in self._pointing.segments.drafts),
        )


_ZOOM_KEYS: Final[dict[int, Callable[[TimelineViewport], None]]] = {
    Qt.Key.Key_Plus: TimelineViewport.zoom_in,
    Qt.Key.Key_Equal: TimelineViewport.zoom_in,
    Qt.Key.Key_Minus: TimelineViewport.zoom_out,
    Qt.Key.Key_0: TimelineViewport.zoom_fit,
}
