"""Handlers of actions on proposals: accept, dismiss, lowest confidence, track again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from annotator.domain.annotation.segment import DISMISSED
from annotator.domain.annotation.track import Track
from annotator.domain.commands import (
    AcceptMarked,
    AcceptProposals,
    CheckFrames,
    Command,
    DeleteTracks,
    DismissRange,
    KeepInterpolation,
    OpenGaps,
)
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.proposals.box_proposals import Proposed, open_gaps
from annotator.domain.proposals.model_predictions import model_of
from annotator.services.assist.competing_objects import twins_of
from annotator.ui.actions.table import ActionTable
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.commands.edit_actions import WorkActions
from annotator.ui.commands.playback_actions import Playback
from annotator.ui.look.texts import counted
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.assist.proposal_updates import Proposing, ProposingStatus, Return
    from annotator.services.session import RunsChanged
    from annotator.ui.dialogs.proposal_gallery import ProposalGallery


class ProposalActions(WorkActions):
    """Handlers of the menu Proposals; they also pass the current view to the tracker."""

    def __init__(
        self, workspace: Workspace, table: ActionTable, canvas: CanvasView, playback: Playback
    ) -> None:
        super().__init__(workspace, table, canvas, playback)
        self._shown = ShownFrames(workspace)
        self._gallery: ProposalGallery | None = None
        on = table.on
        on("proposal.accept", self._accept_here)
        on("proposal.accept-to-here", self._accept_to_here)
        on("proposal.accept-to-key", self._accept_to_key)
        on("proposal.accept-all", self._accept_all)
        on("proposal.dismiss", self._dismiss)
        on("proposal.accept-range", self._accept_range)
        on("proposal.dismiss-range", self._dismiss_range)
        on("range.occluded", self._occlude_range)
        on("proposal.doubtful", self._go_doubtful)
        on("proposal.gallery", self._show_gallery)
        on("proposal.run", self._run)
        on("proposal.pause", self._pause)
        on("app.stop", self._stop)
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.selection.changed.connect(self._look)
        workspace.frameChanged.connect(self._look)
        self._on_stage_changed()

    # Accepting

    def _accept_here(self) -> None:
        session, frame = self._workspace.session, self._workspace.frame
        if session is None:
            return
        commands: list[Command] = []
        for track in self._workspace.tracks:
            accepting = session.accept_command(track.id, frame)
            if accepting is not None:
                commands.append(accepting)
            if frame in track.unseen:
                commands.append(CheckFrames(track.id, (frame,)))
        self._run_together(commands)

    def _accept_to_here(self) -> None:
        frame = self._workspace.frame

        def span(track: Track) -> tuple[int, int]:
            before = track.keyframe_before(frame)
            if before is not None:
                return before.frame + 1, frame + 1
            # Before the first keyframe the tracker runs backwards, from that key to here.
            first = track.first_frame
            return frame, self._workspace.n_frames if first is None else first

        self._accept(span)

    def _accept_to_key(self) -> None:
        frame = self._workspace.frame

        def span(track: Track) -> tuple[int, int]:
            after = track.keyframe_after(frame)
            return frame, after.frame if after else self._workspace.n_frames

        self._accept(span)

    def _accept_all(self) -> None:
        """Accept whole objects; what other models proposed for them is dismissed with that."""
        session = self._workspace.session
        chosen = [track for track in self._workspace.tracks if model_of(track.info.extra)]
        twins = twins_of(session, chosen) if session is not None else []
        self._accept(lambda _: (0, self._workspace.n_frames), dismissed=twins)

    def _accept(
        self,
        span: Callable[[Track], tuple[int, int]],
        dismissed: Sequence[TrackId] = (),
    ) -> None:
        """Accept the proposals of every selected object in a range of frames, in one step."""
        frame = self._workspace.frame
        commands: list[Command] = []
        for track in self._workspace.tracks:
            start, end = span(track)
            accepted = tuple(p for p in self._pending(track.id) if start <= p.frame < end)
            if accepted:
                unseen = self._shown.unseen(track.id, accepted)
                commands.append(
                    AcceptProposals(track.id, accepted, frame, self._workspace.tolerance, unseen)
                )
        if commands and dismissed:
            commands.append(DeleteTracks(tuple(dismissed)))
            dismissed_text = self.tr(
                "{n} proposals of other models for the same object were dismissed."
            )
            one = self.tr("1 proposal of another model for the same object was dismissed.")
            self._workspace.message.emit(counted(len(dismissed), one, dismissed_text))
        if self._workspace.tracks:
            self._accept_together(commands)

    def _pending(self, track_id: TrackId) -> list[Proposed]:
        session = self._workspace.session
        return session.pending(track_id) if session else []

    def _dismiss(self) -> None:
        frame, tracks = self._workspace.frame, self._workspace.tracks
        commands: list[Command] = [
            KeepInterpolation(track.id, frame, unseen=self._shown.never(track.id))
            for track in tracks
            if not track.is_proposed
        ]
        # Objects without annotation are deleted when they are dismissed.
        gone = tuple(track.id for track in tracks if track.is_proposed)
        self._run_together([*commands, DeleteTracks(gone)] if gone else commands)

    def _accept_range(self) -> None:
        span = self._workspace.range
        if span is not None:
            self._accept(lambda _: span)

    def _dismiss_range(self) -> None:
        span = self._workspace.range
        tracks = tuple(t.id for t in self._workspace.tracks)
        if span is not None and tracks:
            self._workspace.run(DismissRange(tracks, span, (), span[0]))

    def _occlude_range(self) -> None:
        """Mark the selected objects occluded in the range, or visible; the primary decides.

        After a keyframe marked occluded, proposals are occluded, too. Those that are to be visible
        are accepted as such.
        """
        session, track = self._workspace.session, self._workspace.track
        span = self._workspace.range
        if session is None or track is None or span is None:
            return
        start, end = span
        value = not session.is_occluded(track.id, start)
        commands: list[Command] = []
        for selected in self._workspace.tracks:
            marking = session.occluded_command(selected.id, start, value, end)
            proposed = tuple(p for p in self._pending(selected.id) if start <= p.frame < end)
            if value or not proposed:
                commands.append(marking)
                continue
            unseen = self._shown.unseen(selected.id, proposed)
            tolerance = self._workspace.tolerance
            accepting = AcceptProposals(selected.id, proposed, start, tolerance, unseen)
            commands.append(AcceptMarked(marking, accepting))
        self._run_together(commands, start)

    # Doubts

    def _go_doubtful(self) -> None:
        track, session = self._workspace.track, self._workspace.session
        if track is None or session is None:
            return
        # Neighbors look alike: one look answers for a quarter of a second.
        reach = max(1, session.document.video.grid_step // 4)
        nothing = self.tr("This object has no proposals.")
        self._go_to_doubt(track.id, session.pending, reach=reach, nothing=nothing)

    # Gallery

    def _show_gallery(self) -> None:
        from annotator.ui.dialogs.proposal_gallery import ProposalGallery

        if self._gallery is not None:
            self._gallery.raise_()
            self._gallery.activateWindow()
            return
        session = self._workspace.session
        if session is None or session.video_path is None:
            self._workspace.message.emit(self.tr("The video file is missing."))
            return
        self._playback.pause()
        self._gallery = ProposalGallery(self._workspace, self._table, self._canvas.window())
        self._gallery.opened.connect(self._playback.seek)
        self._gallery.seen.connect(self._shown.note)
        self._gallery.destroyed.connect(self._forget_gallery)
        self._gallery.show()

    @Slot()
    def _forget_gallery(self) -> None:
        self._gallery = None

    # Tracking

    def _run(self) -> None:
        if self._proposing is not None and any(
            track.is_proposed for track in self._workspace.tracks
        ):
            self._workspace.message.emit(
                self.tr("Accept a frame of the object first: tracking starts there.")
            )
        tracker, tracks = self._workspace.settings.text("proposals.tracker"), self._workspace.tracks
        dismissed = tuple(t.id for t in tracks if DISMISSED in t.info.extra)
        self._open_again(tracks)

        def rerun(proposing: Proposing) -> None:
            for track in tracks:
                if track.keyframes:  # else there is nothing to track from, and other work goes on
                    proposing.rerun(track.id, tracker=tracker)

        self._track_again(DismissRange(dismissed, None), rerun)

    def _open_again(self, tracks: Sequence[Track]) -> None:
        """Open the gaps of objects that are checked, or were imported, as a whole."""
        session, frame = self._workspace.session, self._workspace.frame
        if session is None or self._proposing is None:
            return
        n_frames = session.document.video.n_frames
        self._run_together(
            [
                OpenGaps(track.id, frame)
                for track in tracks
                if track.keyframes
                and all(gap.is_after_leaving for gap in open_gaps(track, n_frames))
            ]
        )

    def _pause(self) -> None:
        proposing = self._proposing
        if proposing is not None:
            is_paused = self._table.action("proposal.pause").isChecked()
            (proposing.pause if is_paused else proposing.resume)()

    def _stop(self) -> None:
        selection, proposing = self._workspace.selection, self._proposing
        if self._canvas.tools.cancel():
            return
        if selection.tracks or selection.points or selection.segments:
            selection.clear()
        elif proposing is not None:
            proposing.cancel()

    @Slot()
    def _on_stage_changed(self) -> None:
        proposing = self._proposing
        if proposing is None:
            self._table.set_checked("proposal.pause", False)
            return
        proposing.progressed.add(self._on_progressed)
        proposing.noticed.add(self._workspace.bridge.noticed.emit)
        proposing.returned.add(self._on_returned)
        if not self._workspace.settings.flag("proposals.automatic"):
            proposing.pause()
        self._table.set_checked("proposal.pause", proposing.status.is_paused)

    def _on_progressed(self, status: ProposingStatus) -> None:
        self._table.set_checked("proposal.pause", status.is_paused)
        if self._gallery is not None:
            self._gallery.follow_tracking()
        is_done = not status.is_paused and not status.is_busy and status.n_waiting == 0
        proposing = self._proposing
        if is_done and proposing and not self._workspace.settings.flag("proposals.automatic"):
            proposing.pause()

    def _on_returned(self, back: Return) -> None:
        session = self._workspace.session
        track = session.document.find_track(back.track_id) if session is not None else None
        if track is not None:
            text = self.tr("“{name}” is proposed again from frame {frame} on.")
            self._workspace.message.emit(text.format(name=track.label, frame=back.frame))

    @Slot()
    def _look(self) -> None:
        if self._proposing is not None:
            self._proposing.look(self._workspace.selection.primary, self._workspace.frame)


class ShownFrames(QObject):
    """Proposals that were on screen, by object, for grid frames.

    Proposals that were accepted in a range and never shown stay unchecked.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._shown: dict[TrackId, dict[int, tuple[Box | None, bool] | None]] = {}
        workspace.stageChanged.connect(self._forget)
        workspace.frameChanged.connect(self._note)
        workspace.bridge.runsChanged.connect(self._on_runs_changed)

    def unseen(self, track_id: TrackId, proposed: Iterable[Proposed]) -> tuple[int, ...]:
        """Return the grid frames of proposals that were not shown as they are now."""
        shown, step = self._shown.get(track_id, {}), self._step
        return tuple(
            p.frame
            for p in proposed
            if step and p.frame % step == 0 and shown.get(p.frame) != (p.box, p.occluded)
        )

    def never(self, track_id: TrackId) -> tuple[int, ...]:
        """Return the grid frames on which an object was never on the screen."""
        shown, step = self._shown.get(track_id, {}), self._step
        return tuple(
            f for f in range(0, self._workspace.n_frames, step or 1) if step and f not in shown
        )

    @property
    def _step(self) -> int:
        session = self._workspace.session
        return session.document.video.grid_step if session is not None else 0

    @Slot()
    def _forget(self) -> None:
        self._shown.clear()
        self._note()

    @Slot()
    def _note(self) -> None:
        session = self._workspace.session
        if session is not None and self._step and self._workspace.frame % self._step == 0:
            for track in session.document.tracks:
                self._note_track(track)

    @Slot(object)
    def _on_runs_changed(self, changed: RunsChanged) -> None:
        session, frame = self._workspace.session, self._workspace.frame
        if session is None or not self._step or frame % self._step:
            return
        track = session.document.find_track(TrackId(changed.owner_id))
        if track is not None and changed.start <= frame < changed.end:
            self._note_track(track)

    def _note_track(self, track: Track) -> None:
        if not track.info.is_hidden:
            self.note(track.id, self._workspace.frame)

    @Slot(object, int)
    def note(self, track_id: TrackId, frame: int) -> None:
        """Note that an object was shown on a frame as it is now."""
        session = self._workspace.session
        if session is None:
            return
        proposed = session.pending_at(track_id, frame)
        said = (proposed.box, proposed.occluded) if proposed is not None else None
        self._shown.setdefault(track_id, {})[frame] = said
