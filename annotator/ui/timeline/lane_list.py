"""Lanes of the timeline: of which draft, in which order, which are folded, what lies where."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtWidgets import QWidget

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Track
from annotator.domain.ids import PersonId, TrackId
from annotator.domain.recipes.tools import TOOL_OF
from annotator.ui.state.selection import Selection
from annotator.ui.timeline.model.lane_contents import LaneStore, SegmentLane
from annotator.ui.timeline.model.rows import CommentLane, Row, rows_of, segment_rows_after
from annotator.ui.timeline.sound_strips import SoundStrips
from annotator.ui.timeline.timeline_viewport import TimelineViewport

if TYPE_CHECKING:
    from annotator.services.session import RunsChanged, Session
    from annotator.ui.state.selection import LabelChoice

_KEY_REACH_PX: Final = 7.0
_COMMENT_REACH_PX: Final = 8.0


class Lanes(QObject):
    """Holds the rows of a draft, and says what lies where on them."""

    changed = Signal()  # other rows, or another selection
    foldedChanged = Signal()  # lanes of points were folded away or shown
    commentChosen = Signal(object)  # CommentId, by a click

    def __init__(
        self,
        viewport: TimelineViewport,
        strips: SoundStrips,
        selection: Selection,
        widget: QWidget,
    ) -> None:
        super().__init__(widget)
        self._viewport = viewport
        self._strips = strips
        self._selection = selection
        self._widget = widget
        self._session: Session | None = None
        self._lanes = LaneStore()
        self._folded: frozenset[TrackId] = frozenset()
        self._labels: LabelChoice | None = None
        self._name_of: Callable[[PersonId], str] = str
        selection.changed.connect(self._on_selection_changed)

    def set_session(self, session: Session | None) -> None:
        """Show another draft, or none."""
        if self._session is not None:
            self._session.changed.remove(self._on_session_changed)
            self._session.box_runs.changed.remove(self._on_runs_changed)
            self._session.point_runs.changed.remove(self._on_runs_changed)
        self._session = session
        if session is not None:
            session.changed.add(self._on_session_changed)
            session.box_runs.changed.add(self._on_runs_changed)
            session.point_runs.changed.add(self._on_runs_changed)
        self._lanes.forget()
        self._folded = frozenset()
        self._rebuild_rows()

    def step_lane(self, step: int) -> None:
        """Select the track of the lane below (+1) or above (-1)."""
        tracks = [r for r in self._viewport.layout.rows if isinstance(r, Track)]
        if not tracks:
            return
        ids = [t.id for t in tracks]
        primary = self._selection.primary
        at = ids.index(primary) + step if primary in ids else (0 if step > 0 else len(ids) - 1)
        self._selection.set_tracks([ids[min(max(at, 0), len(ids) - 1)]])

    @property
    def labels(self) -> LabelChoice | None:
        """The labels that give segments their colors and sentences."""
        return self._labels

    def set_words(self, labels: LabelChoice, name_of: Callable[[PersonId], str]) -> None:
        """Color segments by their labels, as these are from now on, and name who comments."""
        self._labels, self._name_of = labels, name_of
        labels.setChanged.connect(self._viewport.repaint_all)

    @property
    def name_of(self) -> Callable[[PersonId], str]:
        """Gives the name of who wrote a comment."""
        return self._name_of

    @property
    def folded(self) -> frozenset[TrackId]:
        """The objects whose points have no lanes."""
        return self._folded

    def set_folded(self, folded: Iterable[TrackId]) -> None:
        """Take away the lanes of the points of these objects, and show all others."""
        wanted = frozenset(folded)
        if wanted != self._folded:
            self._folded = wanted
            self._rebuild_rows()
            self.foldedChanged.emit()

    def toggle_folded(self, track_id: TrackId) -> None:
        """Fold the lanes of an object's points away, or show them again."""
        self.set_folded(self._folded ^ {track_id})

    def fold_selected(self) -> None:
        """Fold away the lanes of the points of all selected objects, or show all of them again."""
        chosen = {t for t in self._selection.tracks if self.has_points(t)}
        self.set_folded(self._folded ^ chosen if chosen <= self._folded else self._folded | chosen)

    def has_points(self, track_id: TrackId) -> bool:
        """Return whether an object has points."""
        return self._session is not None and bool(self._session.document.points_of(track_id))

    def key_at(self, at: QPointF) -> tuple[Track, int] | None:
        """Return the track and the frame of the keyframe sign at a point."""
        row = self._viewport.row_at(at)
        if (
            not isinstance(row, Track)
            or self._session is None
            or at.x() < self._viewport.layout.gutter
        ):
            return None
        frame = self._lanes.track_lane(self._session, row).nearest_key(self._viewport.frame_at(at))
        if frame is None:
            return None
        distance = abs(
            self._viewport.layout.axis_left + self._viewport.axis.middle_of(frame) - at.x()
        )
        return (row, frame) if distance <= _KEY_REACH_PX else None

    @property
    def store(self) -> LaneStore:
        """Contents of the lanes, for painting."""
        return self._lanes

    @property
    def session(self) -> Session | None:
        return self._session

    @property
    def selection(self) -> Selection:
        return self._selection

    def select_row(self, row: Row | None, *, adds: bool) -> None:
        """Select a lane's track or point, or add it to the selection."""
        if isinstance(row, PointTrack):
            self._selection.set_points(row.info.track_id, [row.id])
        if not isinstance(row, Track):
            return
        if adds:
            self._selection.toggle(row.id)
        else:
            self._selection.set_tracks([row.id])

    def comment_at(self, at: QPointF) -> tuple[Comment, ...] | None:
        """Return the comment at a point, with its replies: the nearest sign, or a span."""
        row = self._viewport.row_at(at)
        if not isinstance(row, CommentLane) or at.x() < self._viewport.layout.gutter:
            return None
        x, reach, found = at.x() - self._viewport.layout.axis_left, _COMMENT_REACH_PX, None
        for thread in row.threads:
            pin = thread[0].pin
            distance = abs(self._viewport.axis.middle_of(min(pin.first_frame or 0, self._last)) - x)
            if pin.span is not None:
                start, end = (self._viewport.axis.left_of(min(f, self._last + 1)) for f in pin.span)
                distance = min(distance, _COMMENT_REACH_PX - 1 if start <= x <= end else distance)
            if distance < reach:
                reach, found = distance, thread
        return found

    def select_comment(self, comment: Comment) -> None:
        """Select the subject of a comment, and emit that the comment was chosen."""
        pin = comment.pin
        if pin.segment_id is not None:
            self._selection.set_segment(pin.segment_id)
        elif pin.point_id is not None:
            self._selection.set_points(pin.track_id, [pin.point_id])
        elif pin.track_id is not None:
            self._selection.set_tracks([pin.track_id])
        if self._session is not None:
            self._selection.prune(self._session.document)
        self.commentChosen.emit(comment.id)

    @property
    def _last(self) -> int:
        return max(0, self._viewport.axis.n_frames - 1)

    # What happens

    def _rebuild_rows(self) -> None:
        session = self._session
        self._viewport.arrange(
            rows_of(session.document, self._drawable(session), self._folded) if session else []
        )
        self.changed.emit()

    def _drawable(self, session: Session) -> list[Lane]:
        """Return the lanes on which the task lets one draw: sounds only where there is sound."""
        lanes = [lane for lane in Lane if session.has_tool(TOOL_OF[lane])]
        return [lane for lane in lanes if lane is not Lane.SOUND or self._strips.sound is not None]

    def _on_session_changed(self, changes: ChangeSet) -> None:
        session = self._session
        if session is None:
            return
        before = [r for r in self._viewport.layout.rows if isinstance(r, SegmentLane)]
        drawable = self._drawable(session)
        segments = segment_rows_after(before, session.document, drawable, changes)
        if changes.topics <= {"segment"}:
            rows: list[Row] = [*segments, *self._viewport.layout.rows[len(before) :]]
        else:
            rows = rows_of(session.document, drawable, self._folded, segments)
        if self._viewport.take_rows(rows) and "track" in changes.topics:
            # Segments wear the colors of their objects.
            self._viewport.repaint_all()
        self.changed.emit()

    def _on_runs_changed(self, _news: RunsChanged) -> None:
        self._widget.update()

    def _on_selection_changed(self) -> None:
        row = self._row_of_selected()
        if row is not None:
            self._viewport.show_row(row)
        self._widget.update()
        self.changed.emit()

    def _row_of_selected(self) -> int | None:
        """Return the lane of the segment that keys act on, else that of the track chosen last."""
        primary, selection = self._selection.primary, self._selection
        segment = selection.segment if selection.is_on_segment else None
        for i, row in enumerate(self._viewport.layout.rows):
            if isinstance(row, SegmentLane):
                if segment is not None and any(s.id == segment for s in row.segments):
                    return i
            elif segment is None and isinstance(row, Track) and row.id == primary:
                return i
        return None
