"""Shared base of the handlers for objects, points and proposals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from annotator.domain.commands import DismissRange, Together
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.gallery import DOUBTFUL
from annotator.domain.proposals.runs import Suggestion, most_doubtful
from annotator.ui.actions.table import ActionTable
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.commands.playback_actions import Playback
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.commands import Command
    from annotator.services.assist.proposal_updates import Proposing


class WorkActions(QObject):
    """Targets of edits: the window state, the canvas, and the shown frame.

    Also finds doubtful proposals: the least confident unseen one first.
    """

    def __init__(
        self, workspace: Workspace, table: ActionTable, canvas: CanvasView, playback: Playback
    ) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._table = table
        self._canvas = canvas
        self._playback = playback
        self._looked_at: dict[TrackId | PointId, set[int]] = {}
        workspace.stageChanged.connect(self._forget_looks)

    @property
    def _here(self) -> int:
        """The frame on the screen: what an edit acts on."""
        return self._workspace.frame

    @property
    def _proposing(self) -> Proposing | None:
        return self._workspace.stage.proposing if self._workspace.stage else None

    def _run_together(self, commands: Sequence[Command], frame: int | None = None) -> None:
        """Carry commands out in one step; ``frame`` is where undo goes, else the one shown."""
        if len(commands) == 1:
            self._workspace.run(commands[0])
        elif commands:
            at = self._here if frame is None else frame
            self._workspace.run(Together(tuple(commands), at))

    def _accept_together(self, commands: Sequence[Command]) -> None:
        """Accept proposals in one step, or say that there are none."""
        if not commands:
            self._workspace.message.emit(self.tr("No proposals to accept in this range."))
        self._run_together(commands)

    def _track_again(self, dismissed: DismissRange, rerun: Callable[[Proposing], object]) -> None:
        """Make proposals again, also where they were dismissed."""
        proposing = self._proposing
        if proposing is None:
            self._workspace.message.emit(
                self.tr("Cannot track: the video file is missing. Locate the video first.")
            )
            return
        if dismissed.track_ids or dismissed.point_ids:
            self._workspace.run(dismissed)
        rerun(proposing)
        if proposing.status.is_paused:
            proposing.resume()

    def _go_to_doubt(
        self,
        object_id: TrackId | PointId,
        list_pending: Callable[..., Sequence[Suggestion]],
        *,
        reach: int,
        nothing: str,
    ) -> None:
        """Go to the least certain suggestion; one look answers for ``reach`` frames around it.

        ``list_pending`` returns the suggestions of an object or a point, also only those below a
        confidence. ``nothing`` is said where there is no suggestion at all.
        """
        visited = self._looked_at.setdefault(object_id, set())
        worst = most_doubtful(list_pending(object_id, below=DOUBTFUL), skip=visited)
        if worst is None:
            # Only now: listing all proposals of a long video takes some time.
            pending, text = list_pending(object_id), nothing
            worst = most_doubtful(pending, skip=visited)
            if worst is not None:
                text = self.tr("No more frames have a confidence below {percent}%.")
            elif pending:
                text = self.tr("You have seen all frames. Restarting at the lowest confidence.")
                visited.clear()
                worst = most_doubtful(pending)
            self._workspace.message.emit(text.format(percent=round(DOUBTFUL * 100)))
        if worst is None:
            return
        visited.update(range(worst.frame - reach, worst.frame + reach + 1))
        self._playback.pause()
        self._playback.seek(worst.frame)

    @Slot()
    def _forget_looks(self) -> None:
        self._looked_at.clear()
