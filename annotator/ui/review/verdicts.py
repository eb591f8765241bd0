"""The verdict on a task: what is looked at before it is approved, and why it is sent back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from annotator.domain.work.records import Verdict, VerdictKind
from annotator.ui.actions.table import ActionTable
from annotator.ui.review.reviewing import Reviewing
from annotator.ui.review.send_back_dialog import SendBackDialog
from annotator.ui.state.desk import Desk

if TYPE_CHECKING:
    from annotator.ui.commands.playback import Playback


class Verdicts(QObject):
    """Sends tasks back, and knows what a reviewer has noted against a task."""

    def __init__(
        self,
        desk: Desk,
        table: ActionTable,
        reviewing: Reviewing,
        playback: Playback,
        handed_in: Callable[[str], object],
        window: QWidget,
    ) -> None:
        """``handed_in`` goes on after a task has left one's hands, with a word about it."""
        super().__init__(desk)
        self._desk = desk
        self._table = table
        self._reviewing = reviewing
        self._playback = playback
        self._handed_in = handed_in
        self._window = window
        table.on("task.send-back", self.send_back)

    def send_back(self) -> None:
        """Ask why, and hand the open task back."""
        project, session = self._desk.project, self._desk.session
        if project is None or session is None:
            return
        self._playback.pause()
        dialog = SendBackDialog(self._desk, self._playback, self._reviewing.review, self._window)
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        reasons = dialog.reasons()
        dialog.deleteLater()
        if is_accepted:
            task_id = session.task_id
            project.work.submit(session, Verdict(VerdictKind.SEND_BACK, reasons))
            if project.work.record(task_id).needs_lead is None:
                text = self.tr("Sent back. Another person will correct the task.")
            else:
                text = self.tr(
                    "Sent back. No eligible person is left to correct the task; a lead decides."
                )
            self._handed_in(text)

    @property
    def may_send_back(self) -> bool:
        """Whether the open task can be sent back."""
        return self._desk.standing is not None and self._desk.standing.may_send_back

    def open_points(self) -> list[str]:
        """Return in words what was noted and would be passed over by approving."""
        review, session = self._reviewing.review, self._desk.session
        points = []
        if review is not None and review.reasons:
            n = len(review.reasons)
            many = self.tr("{n} changes are rejected.").format(n=n)
            points.append(self.tr("1 change is rejected.") if n == 1 else many)
        if review is not None and 0 < len(review.open_items) < len(review.differences):
            text = self.tr("{n} of {m} changes are not reviewed.")
            points.append(text.format(n=len(review.open_items), m=len(review.differences)))
        comments = session.document.comments if session is not None else ()
        n_open = sum(c.parent_id is None and not c.is_resolved for c in comments)
        if n_open:
            many = self.tr("{n} comments are not resolved.").format(n=n_open)
            points.append(self.tr("1 comment is not resolved.") if n_open == 1 else many)
        return points
