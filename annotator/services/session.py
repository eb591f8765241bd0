"""One opened draft: the only way to change it, and the only way back.

A command plans changes, the project file takes them in one transaction, then the document, then
everybody who listens. When the file refuses, nothing has happened.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic

from annotator.domain.annotation.changes import Change, ChangeSet, merge
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.track import Source
from annotator.domain.commands.keyframes import SetKeyframe, SetOccluded, SetOutside
from annotator.domain.commands.points import SetPoint
from annotator.domain.commands.proposals import DismissRange
from annotator.domain.errors import ProjectError
from annotator.domain.forms.restricted_view import WHOLE_VIDEO, Viewing
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TaskId, TrackId
from annotator.domain.proposals import box_proposals as proposal
from annotator.domain.proposals import point_proposals as point_proposal
from annotator.domain.proposals.box_proposals import ProposalRun, Proposed
from annotator.domain.proposals.point_proposals import PointProposalRun, ProposedPoint
from annotator.domain.proposals.runs import RunT, by_owner, replaced
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS, check_tools
from annotator.domain.review.adjudication import Disputed
from annotator.services.background.jobs import BackgroundCall, Listeners, inline
from annotator.services.undo import UndoStack, UndoStep
from annotator.store.annotation.drafts import DraftStore
from annotator.store.annotation.drafts import HistoryEntry as HistoryEntry
from annotator.store.annotation.events import Event
from annotator.store.annotation.proposals import BOXES, POINTS, RunTable

if TYPE_CHECKING:
    from annotator.domain.commands import Command

# Up to here an edit, its undo and all that follows from them stay well below the 16 ms of a frame.
_LARGE_WEIGHT: Final = 200
_LARGE_BYTES: Final = 30_000
_WITHOUT_FRAMES: Final = frozenset((Tool.SOUNDS,))


_KINDS = {"import": "import", "accept-proposals": "accept", "accept-points": "accept"}


@dataclass(frozen=True, slots=True)
class RunsChanged:
    """Proposals of a track or a point were added or removed on ``start <= frame < end``."""

    owner_id: str
    start: int
    end: int


class RunsInDraft(Generic[RunT]):
    """The proposals of a draft for tracks, or those for points, in memory and in the file."""

    def __init__(
        self, store: DraftStore, table: RunTable[RunT], read: list[RunT], check: Callable[[], None]
    ) -> None:
        """``check`` raises ProjectError when nothing can be changed."""
        self.changed: Listeners[RunsChanged] = Listeners()
        self._store, self._table, self._check = store, table, check
        self._runs = by_owner(read)

    def of(self, owner_id: str) -> tuple[RunT, ...]:
        """Return the proposal runs of a track or a point, ascending and without overlap."""
        return self._runs.get(owner_id, ())

    def replace(self, owner_id: str, span: tuple[int, int], runs: Iterable[RunT]) -> None:
        """Put these proposals in the place of all on ``span[0] <= frame < span[1]``.

        Older runs that reach out of the span keep their parts outside. Saved, not undoable.
        """
        self._check()
        gone, come, after = replaced(self.of(owner_id), span, runs)
        if not gone and not come:
            return
        self._store.replace_runs(self._table, owner_id, gone, come)
        self._runs[owner_id] = after
        self.changed.notify(RunsChanged(owner_id, *span))


class Session:
    """A draft in memory, always equal to the project file.

    ``video_path`` is None if the file is missing, ``table_bytes`` if it was never read. Only the
    main thread may change a session. Large edits are read, planned and written in the background;
    the document changes when they are in the file, and not before.
    """

    def __init__(
        self,
        store: DraftStore,
        video: VideoInfo,
        *,
        task_id: TaskId,
        video_path: Path | None = None,
        table_bytes: bytes | None = None,
        is_submitted: bool = False,
        up_to_date: Callable[[Iterable[Change]], tuple[Change, ...]] = tuple,
        clock: Callable[[], float] = time.monotonic,
        background: BackgroundCall = inline,
        why_locked: Callable[[], ProjectError] | None = None,
        tools: Collection[Tool] = ALL_TOOLS,
        viewing: Viewing = WHOLE_VIDEO,
        disputed: Disputed | None = None,
    ) -> None:
        """``up_to_date`` brings changes from the log in line with what has happened since.

        ``why_locked`` says why nothing can be changed, once that is so. ``tools`` are those of the
        task: an edit that takes another one is refused; a sound without picture has sounds only.
        ``video`` and ``table_bytes`` are limited
        already where ``viewing`` limits them (see `services.viewing`). ``disputed`` are the only
        places that may be changed, None: all of them.
        """
        read = background(partial(_Read.of, store, video))
        self.document = read.document
        self.task_id = task_id
        self.video_path = video_path
        self.table_bytes = table_bytes
        self.changed: Listeners[ChangeSet] = Listeners()
        self.last_saved_at: datetime | None = None
        self.tools = frozenset(tools) if video.n_frames else frozenset(tools) & _WITHOUT_FRAMES
        self.viewing = viewing
        self.disputed = disputed
        self.is_tracked = False
        self._store = store
        self._clock = clock
        self._is_submitted = is_submitted
        self._up_to_date = up_to_date
        self._background = background
        self._why_locked = why_locked
        # Freeing it takes long as well: it is kept until a thread comes by.
        self._last_large: ChangeSet | None = None
        self._undo = read.undo
        check = self._check_writable
        self.box_runs = RunsInDraft(store, BOXES, read.box_runs, check)
        self.point_runs = RunsInDraft(store, POINTS, read.point_runs, check)

    @property
    def is_submitted(self) -> bool:
        """True while the draft is submitted: read-only, but it can be reopened."""
        return self._is_submitted

    @property
    def is_read_only(self) -> bool:
        return self._is_submitted or self._store.is_read_only

    @property
    def reopens(self) -> bool:
        """Whether corrections open accepted frames around them: new proposals come by themselves,
        and these frames may be changed.
        """
        return self.is_tracked and self.disputed is None

    def has_tool(self, tool: Tool) -> bool:
        """Return whether this task may edit the annotations of a tool."""
        return tool in self.tools

    @property
    def can_undo(self) -> bool:
        return self.undo_op is not None

    @property
    def can_redo(self) -> bool:
        return self.redo_op is not None

    @property
    def undo_op(self) -> str | None:
        """The name of the command that undo would take back."""
        step = self._undo.done
        return step.op if step and not self.is_read_only else None

    @property
    def redo_op(self) -> str | None:
        """The name of the command that redo would bring back."""
        step = self._undo.undone
        return step.op if step and not self.is_read_only else None

    def run(self, command: Command, *, initiator: object = None) -> ChangeSet:
        """Run a command; EditError or ProjectError on failure, with nothing changed.

        ``initiator`` is passed to the listeners, so that a view recognizes its own gestures.
        """
        self._check_writable()
        now_s = self._clock()
        earlier = self._undo.continued(command.merge_key, now_s)

        def planned() -> ChangeSet:
            changes = tuple(command.plan(self.document))
            return ChangeSet(command.op, changes, command.frame, command.merge_key, initiator)

        kind, ref_id = _KINDS.get(command.op, "do"), earlier.id if earlier else None
        from annotator.domain.commands.bulk import weight

        is_large = weight(command, self.document) > _LARGE_WEIGHT
        change_set = self._carry_out(planned, kind, ref_id, is_large=is_large)
        self._undo.allow_merge(command.merge_key, now_s)
        self.changed.notify(change_set)
        return change_set

    def undo(self, *, initiator: object = None) -> ChangeSet | None:
        """Take the last step back; None when there is none. ProjectError as in `run`."""
        step = self._undo.done
        if step is None:
            return None
        self._check_writable()

        def planned() -> ChangeSet:
            back = ChangeSet(step.op, self._changes_of(step), step.frame).inverse()
            return replace(back, changes=self._up_to_date(back.changes), initiator=initiator)

        back = self._carry_out(planned, "undo", step.id, is_large=self._is_large(step))
        self.changed.notify(back)
        return back

    def redo(self, *, initiator: object = None) -> ChangeSet | None:
        """Bring the last step undone back; None when there is none. ProjectError as in `run`."""
        step = self._undo.undone
        if step is None:
            return None
        self._check_writable()

        def planned() -> ChangeSet:
            changes = self._up_to_date(self._changes_of(step))
            return ChangeSet(step.op, changes, step.frame, initiator=initiator)

        again = self._carry_out(planned, "redo", step.id, is_large=self._is_large(step))
        self.changed.notify(again)
        return again

    def pending_at(self, track_id: TrackId, frame: int) -> Proposed | None:
        """Return the proposal to review on a frame."""
        track = self.document.find_track(track_id)
        if track is None:
            return None
        n_frames = self.document.video.n_frames
        return proposal.pending_at(track, self.box_runs.of(track_id), frame, n_frames)

    def suggestion_at(self, track_id: TrackId, frame: int) -> tuple[Proposed, bool] | None:
        """Return the proposal shown on a frame, and whether it is outdated."""
        track = self.document.find_track(track_id)
        if track is None:
            return None
        n_frames = self.document.video.n_frames
        return proposal.suggestion_at(track, self.box_runs.of(track_id), frame, n_frames)

    def shown_at(self, track_id: TrackId, frame: int) -> Proposed | None:
        """Return the proposal shown on a frame, an outdated one, too."""
        suggestion = self.suggestion_at(track_id, frame)
        return suggestion[0] if suggestion is not None else None

    def has_box(self, track_id: TrackId, frame: int) -> bool:
        """Return whether an object has a box on a frame: in the draft, or as a proposal."""
        proposed = self.shown_at(track_id, frame)
        is_present = self.document.track(track_id).state_at(frame).is_present
        return is_present or (proposed is not None and proposed.box is not None)

    def is_occluded(self, track_id: TrackId, frame: int) -> bool:
        """Return whether an object is occluded on a frame: as a proposal, else in the draft."""
        proposed = self.shown_at(track_id, frame)
        if proposed is not None:
            return proposed.occluded
        return self.document.track(track_id).state_at(frame).occluded

    def occluded_command(
        self, track_id: TrackId, frame: int, value: bool, end: int | None = None
    ) -> SetOccluded:
        """Return the command that marks an object occluded from a frame on, up to ``end``, or not.

        Where proposals are shown on these two frames, they are fixed.
        """
        return SetOccluded(track_id, frame, value, end, self._shown(track_id, frame, end))

    def outside_command(
        self,
        track_id: TrackId,
        frame: int,
        value: bool,
        source: Source = Source.HUMAN,
        *,
        end: int | None = None,
        box: Box | None = None,
    ) -> SetOutside | DismissRange:
        """Return the command that marks an object out of view from a frame on, up to ``end``, or
        back again, with ``box``.

        It fixes what is shown on this frame, on the one before and on ``end``: proposals, where
        there are any. Before its first box an object is out of view anyway: there proposals are
        dismissed up to this frame, or on this frame alone if it is accepted.
        """
        first = self.document.track(track_id).first_frame
        if value and first is not None and frame < first and self.shown_at(track_id, frame):
            is_alone = end is not None or source is Source.ACCEPTED
            span = (frame if is_alone else 0, min(end or frame + 1, first))
            return DismissRange((track_id,), span, frame=frame)
        return SetOutside(
            track_id,
            frame,
            value,
            end,
            box,
            shown=self._shown(track_id, frame - 1, frame, end),
            source=source,
            reopens=self.reopens,
        )

    def _shown(self, track_id: TrackId, *frames: int | None) -> tuple[Proposed, ...]:
        """Return the proposals shown on some frames."""
        wanted = (self.shown_at(track_id, frame) for frame in frames if frame is not None)
        return tuple(proposed for proposed in wanted if proposed is not None)

    def box_command(self, track_id: TrackId, frame: int, box: Box) -> SetKeyframe:
        """Return the command that sets the box a person drew or moved, in image pixels.

        The object stays occluded or visible, as it is shown on this frame.
        """
        here = self.shown_at(track_id, frame)
        occluded = here.occluded if here is not None and here.box is not None else None
        return SetKeyframe(track_id, frame, box, occluded, reopens=self.reopens)

    def point_command(
        self, point_id: PointId, frame: int, xy: Point, merge_key: str | None = None
    ) -> SetPoint:
        """Return the command that places a point, in image pixels.

        On an accepted frame it opens the accepted ones around it, as `reopens` allows.
        """
        mark = self.document.point(point_id).mark(frame)
        reopens = self.reopens and mark is not None and mark.source is Source.ACCEPTED
        return SetPoint(point_id, frame, xy, reopens=reopens, merge_key=merge_key)

    def accept_command(
        self, track_id: TrackId, frame: int
    ) -> SetKeyframe | SetOutside | DismissRange | None:
        """Return the command that accepts the proposal shown on a frame; None without one."""
        here = self.shown_at(track_id, frame)
        if here is None:
            return None
        if here.box is None:
            return self.outside_command(track_id, frame, True, Source.ACCEPTED)
        return SetKeyframe(track_id, frame, here.box, here.occluded, Source.ACCEPTED)

    def pending(self, track_id: TrackId, *, below: float | None = None) -> list[Proposed]:
        """Return the proposals of a track to review, by frame; or those of a lower confidence."""
        track, runs = self.document.find_track(track_id), self.box_runs.of(track_id)
        n_frames = self.document.video.n_frames
        return [] if track is None else proposal.pending(track, runs, n_frames, below=below)

    def pending_point_at(self, point_id: PointId, frame: int) -> ProposedPoint | None:
        """Return the point proposal to review on a frame."""
        point = self.document.find_point(point_id)
        if point is None:
            return None
        return point_proposal.pending_point_at(point, self.point_runs.of(point_id), frame)

    def suggested_point_at(
        self, point_id: PointId, frame: int
    ) -> tuple[ProposedPoint, bool] | None:
        """Return the suggestion for a point on a frame, and whether it is outdated."""
        point = self.document.find_point(point_id)
        if point is None:
            return None
        return point_proposal.suggested_point_at(point, self.point_runs.of(point_id), frame)

    def pending_points(
        self, point_id: PointId, *, below: float | None = None
    ) -> list[ProposedPoint]:
        """Return the proposals of a point to review, by frame; or those of a lower confidence."""
        point, runs = self.document.find_point(point_id), self.point_runs.of(point_id)
        n_frames = self.document.video.n_frames
        if point is None:
            return []
        return point_proposal.pending_points(point, runs, n_frames, below=below)

    def n_pending_points(self, point_id: PointId) -> int:
        """Return the number of proposals of a point to review."""
        point, runs = self.document.find_point(point_id), self.point_runs.of(point_id)
        n_frames = self.document.video.n_frames
        return 0 if point is None else point_proposal.n_pending_points(point, runs, n_frames)

    def history(self, entity_id: TrackId | PointId, limit: int = 20) -> list[HistoryEntry]:
        """Return the last edits of a track or a point, newest first; may run in any thread."""
        return self._store.history(entity_id, limit)

    def follow_workflow(self, *, is_submitted: bool) -> None:
        """Note a submission or reopening: undo ends here."""
        self._is_submitted = is_submitted
        self._undo = UndoStack()

    def take_in(self, done: ChangeSet) -> None:
        """Apply an edit that is already in the file because it concerns the whole project."""
        self.document.apply(done.changes)
        self.changed.notify(done)

    def _carry_out(
        self, planned: Callable[[], ChangeSet], kind: str, ref_id: str | None, *, is_large: bool
    ) -> ChangeSet:
        """Plan, write, and only then change the document; large edits in the background."""
        if is_large:
            done, event, after = self._background(partial(self._on_copy, planned, kind, ref_id))
            self.document.become(after)
            self._last_large = done
        else:
            done = self._permitted(planned())
            event = self._write(done, kind, ref_id)
            self.document.apply(done.changes)
        self._undo.add(event)
        self.last_saved_at = datetime.now(UTC)
        return done

    def _on_copy(
        self, planned: Callable[[], ChangeSet], kind: str, ref_id: str | None
    ) -> tuple[ChangeSet, Event, Document]:
        """Do the same in any thread: what the document will be is a copy that shares most of it."""
        self._last_large = None
        done = self._permitted(planned())
        after = self.document.copy()
        after.apply(done.changes)
        done.prepare()
        return done, self._write(done, kind, ref_id), after

    def _write(self, done: ChangeSet, kind: str, ref_id: str | None) -> Event:
        return self._store.commit(
            done.changes, op=done.op, kind=kind, ref_id=ref_id, frame=done.frame
        )

    def _permitted(self, planned: ChangeSet) -> ChangeSet:
        """Return the edit; EditError when the task lacks its tool, or given content would change.

        An import replaces the start content; the callers of imports check the rights.
        """
        if _KINDS.get(planned.op) != "import":
            check_tools(planned, self.tools)
        if self.disputed is not None:
            self.disputed.check(planned)
        return planned

    def _is_large(self, step: UndoStep) -> bool:
        return self._store.size_of(step.event_ids) > _LARGE_BYTES

    def _changes_of(self, step: UndoStep) -> tuple[Change, ...]:
        """Return what a step changed, its quick repetitions as one."""
        changes = tuple(self._store.changes_of(step.event_ids[0]))
        for event_id in step.event_ids[1:]:
            changes = merge(changes, self._store.changes_of(event_id))
        return changes

    def _check_writable(self) -> None:
        if not self._is_submitted:
            return
        if self._why_locked is not None:
            raise self._why_locked()
        raise ProjectError(
            "Cannot edit: the task is submitted.",
            hint="Reopen the task to continue.",
        )


@dataclass(frozen=True, slots=True)
class _Read:
    """Contents of a draft and its log."""

    document: Document
    undo: UndoStack
    box_runs: list[ProposalRun]
    point_runs: list[PointProposalRun]

    @classmethod
    def of(cls, store: DraftStore, video: VideoInfo) -> _Read:
        undo = UndoStack.rebuilt(store.events())
        return cls(store.load(video), undo, store.runs(BOXES), store.runs(POINTS))
