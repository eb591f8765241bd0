"""Editing segments on their lanes: drag edges and bodies, choose one or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands.segments import SetSegments
from annotator.domain.errors import EditError, UserError
from annotator.domain.recipes.tools import TOOL_OF
from annotator.ui.state.selection import Edge
from annotator.ui.timeline.model.lane_contents import SegmentLane
from annotator.ui.timeline.model.segment_times import (
    SegmentPart,
    Snap,
    magnets_of,
    moved,
    snapped,
    span_s,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.ui.timeline.timeline_view import TimelineView

_EDGE_REACH_PX: Final = 5.0
_BEGIN_PX: Final = 4.0
# Some window managers keep Alt with the mouse to themselves; Shift does the same.
_FREE: Final = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
_EDGES: Final[dict[SegmentPart, Edge]] = {SegmentPart.START: "start", SegmentPart.END: "end"}
# Beginnings of sounds are looked up this far round the mouse, and only where that is not long.
_TRANSIENT_REACH_PX: Final = 12.0
_TRANSIENT_REACH_S: Final = 2.0


class SegmentEditing:
    """The drag of segments in progress, if there is one.

    While dragging, ``drafts`` are the segments as they would become; the document changes once, on
    release.
    """

    def __init__(self, view: TimelineView) -> None:
        self._view = view
        self.drafts: tuple[Segment, ...] = ()
        self.magnet_s: float | None = None
        self._part: SegmentPart | None = None
        self._grabbed: Segment | None = None
        self._others: tuple[Segment, ...] = ()
        self._magnets: NDArray[np.float64] = np.empty(0)
        self._press_x = 0.0
        self._offset_s = 0.0
        self._frame_before = 0
        self._is_moving = False

    @property
    def is_active(self) -> bool:
        return self._part is not None

    # Mouse

    def press(self, event: QMouseEvent) -> bool:
        """Take hold of the segment at a point; False when there is none."""
        view, at = self._view, event.position()
        pressed_part = self.part_at(at)
        if pressed_part is None:
            return False
        segment, part = pressed_part
        chosen = view.lanes.selection.segments
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            view.lanes.selection.toggle_segment(segment.id)
            return True
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._extend_to(segment)
            return True
        if segment.id not in chosen or part is not SegmentPart.BODY:
            view.lanes.selection.set_segment(segment.id, _EDGES.get(part))
            chosen = (segment.id,)
        elif chosen[-1] != segment.id:
            view.lanes.selection.set_segments((*(s for s in chosen if s != segment.id), segment.id))
        view.segmentSelected.emit(segment.id)
        session = view.lanes.session
        if session is None or session.is_read_only or not session.has_tool(TOOL_OF[segment.lane]):
            return True
        found_others = (session.document.segment(s) for s in chosen if s != segment.id)
        self._others = tuple(found_others) if part is SegmentPart.BODY else ()
        self._part, self._grabbed, self._is_moving = part, segment, False
        self._press_x = at.x()
        start, end = span_s(segment, view.viewport.axis)
        self._offset_s = self._time_at(at.x()) - (end if part is SegmentPart.END else start)
        self._frame_before = view.viewport.frame
        self._magnets = self._collected(segment, set(chosen))
        return True

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Continue the drag."""
        segment, part = self._grabbed, self._part
        if segment is None or part is None:
            return
        if not self._is_moving:
            if abs(at.x() - self._press_x) < _BEGIN_PX:
                return
            self._is_moving = True
        is_free = bool(modifiers & _FREE)
        draft = self._moved_to(segment, part, self._time_at(at.x()) - self._offset_s, is_free)
        start, end = span_s(draft, self._view.viewport.axis)
        shift = start - span_s(segment, self._view.viewport.axis)[0]
        other_segments = tuple(
            moved(
                s,
                SegmentPart.BODY,
                span_s(s, self._view.viewport.axis)[0] + shift,
                self._view.viewport.axis,
            )
            for s in self._others
        )
        self.drafts = (*other_segments, draft)
        self._view.show_drafts()
        if part is not SegmentPart.BODY:
            frame = self._view.viewport.axis.frame_at_time(
                start if part is SegmentPart.START else end - 1e-6
            )
            self._view.seekRequested.emit(frame, False)

    def release(self) -> None:
        """Execute the edit; a refused edit shows a message and changes nothing."""
        drafts, part, was_moving = self.drafts, self._part, self._is_moving
        self._forget()
        if was_moving and part is not SegmentPart.BODY:
            self._view.seekRequested.emit(self._frame_before, True)
        if was_moving and drafts:
            self._commit(drafts)

    def cancel(self) -> bool:
        """Put everything back; False when nothing was going on."""
        was_active, was_moving, part = self.is_active, self._is_moving, self._part
        self._forget()
        if was_moving and part is not SegmentPart.BODY:
            self._view.seekRequested.emit(self._frame_before, True)
        return was_active

    def play_at(self, at: QPointF) -> bool:
        """Ask to have the segment at a point played; False when there is none."""
        segment = self._view.segment_at(at)
        if segment is None:
            return False
        self._forget()
        self._view.playRequested.emit(*span_s(segment, self._view.viewport.axis))
        return True

    def part_at(self, at: QPointF) -> tuple[Segment, SegmentPart] | None:
        """Return the segment at a point, and whether an edge of it or its body is there.

        The edges of the selected segment come first: beside it lies often another one.
        """
        view = self._view
        row = view.viewport.row_at(at)
        if not isinstance(row, SegmentLane) or at.x() < view.viewport.layout.gutter:
            return None
        x = at.x() - view.viewport.layout.axis_left
        axis = view.viewport.axis
        starts, ends = view.lanes.store.segment_times(row, view.viewport.axis)
        lefts, rights = (starts - axis.start_s) * axis.scale, (ends - axis.start_s) * axis.scale
        reach = np.minimum(_EDGE_REACH_PX, np.maximum(1.5, (rights - lefts) / 4))
        near_left, near_right = np.abs(lefts - x) <= reach, np.abs(rights - x) <= reach
        inside = (lefts <= x) & (x <= np.maximum(rights, lefts + 3))
        chosen = view.lanes.selection.segment
        hits = np.flatnonzero(near_left | near_right | inside).tolist()
        hits.sort(key=lambda i: (row.segments[i].id != chosen, not inside[i]))
        if not hits:
            return None
        i = hits[0]
        part = (
            SegmentPart.START
            if near_left[i]
            else SegmentPart.END
            if near_right[i]
            else SegmentPart.BODY
        )
        return row.segments[i], part

    def next_edge(self) -> bool:
        """Choose the other edge of the selected segment for the keys; False without a segment."""
        segment, selection = self.selected(), self._view.lanes.selection
        if segment is None:
            return False
        selection.set_segment(segment.id, "end" if selection.edge == "start" else "start")
        return True

    def selected(self) -> Segment | None:
        """Return the segment that keys act on."""
        session = self._view.lanes.session
        chosen = self._view.lanes.selection.segment
        return session.document.find_segment(chosen) if session is not None else None

    # Within

    def _extend_to(self, segment: Segment) -> None:
        """Select all of its lane from the segment chosen last up to this one."""
        view = self._view
        primary = self.selected() or segment
        first, last = sorted((primary, segment), key=lambda s: (s.start, s.end))
        lanes = (r for r in view.viewport.layout.rows if isinstance(r, SegmentLane))
        found = [s for row in lanes if row.lane is segment.lane for s in row.segments]
        between = (s for s in found if first.start <= s.start and s.end <= last.end)
        others = (s.id for s in sorted(between, key=lambda s: s.start) if s.id != segment.id)
        view.lanes.selection.set_segments((*others, primary.id, segment.id))

    def _moved_to(self, segment: Segment, part: SegmentPart, to_s: float, is_free: bool) -> Segment:
        """Return the draft with its edge at a moment or at what that snaps to."""
        axis = self._view.viewport.axis
        snap = self._snap(to_s, segment.lane, is_free)
        if part is SegmentPart.BODY:
            start, end = span_s(segment, axis)
            other = self._snap(to_s + end - start, segment.lane, is_free)
            if other.is_magnet and not snap.is_magnet:
                self.magnet_s = other.seconds
                return moved(segment, part, other.seconds - (end - start), axis)
        self.magnet_s = snap.seconds if snap.is_magnet else None
        return moved(segment, part, snap.seconds, axis)

    def _snap(self, seconds: float, lane: Lane, is_free: bool) -> Snap:
        axis, sound = self._view.viewport.axis, self._view.strips.sound
        reach = _TRANSIENT_REACH_PX / axis.scale
        magnets = self._magnets
        if sound is not None and not is_free and reach <= _TRANSIENT_REACH_S:
            begun = sound.transients(seconds - reach, seconds + reach)
            if len(begun):
                magnets = np.union1d(magnets, begun)
        return snapped(seconds, magnets, axis, lane=lane, is_free=is_free)

    def _collected(self, segment: Segment, chosen: set[str]) -> NDArray[np.float64]:
        """Return edges of other segments, keyframes of selected objects, playhead and range."""
        view = self._view
        axis, session = view.viewport.axis, view.lanes.session
        assert session is not None
        lanes = [r for r in view.viewport.layout.rows if isinstance(r, SegmentLane)]
        edges: list[float] = []
        for lane in lanes:
            starts, ends = view.lanes.store.segment_times(lane, axis)
            for i, other in enumerate(lane.segments):
                if other.id != segment.id and other.id not in chosen:
                    edges += (float(starts[i]), float(ends[i]))
        frames = [view.viewport.frame, *(view.range or ())]
        for track_id in (*view.lanes.selection.tracks, *segment.objects):
            track = session.document.find_track(track_id)
            frames += track.frames if track is not None else ()
        at = axis.edges[np.clip(np.array(frames, dtype=np.int64), 0, axis.n_frames)]
        return magnets_of(edges, at.tolist())

    def _commit(self, drafts: Sequence[Segment]) -> None:
        view, session = self._view, self._view.lanes.session
        if session is None:
            return
        try:
            session.run(SetSegments(tuple(drafts)), initiator=view)
        except NothingToDoError:
            return
        except EditError as error:
            view.message.emit(str(error))
        except UserError as error:
            view.failed.emit(error)

    def _time_at(self, x: float) -> float:
        return self._view.viewport.axis.time_at(x - self._view.viewport.layout.axis_left)

    def _forget(self) -> None:
        had_drafts = bool(self.drafts)
        self.drafts, self._part, self._grabbed, self._others = (), None, None, ()
        self.magnet_s, self._is_moving = None, False
        if had_drafts:
            self._view.show_drafts()
