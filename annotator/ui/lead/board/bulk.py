"""Acts on many tasks: a dialog tells what they will change; done in the background in portions.

Each portion is a transaction of its own, so that nobody who edits meanwhile has to wait; what is
done when the lead stops it stays done, and is told.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Slot
from PySide6.QtWidgets import QWidget

from annotator.domain.ids import TaskId
from annotator.services.background.jobs import JobToken
from annotator.ui.lead.board.dialogs import AskDialog
from annotator.ui.look.words import counted
from annotator.ui.state.desk import Desk
from annotator.ui.state.reading import Latest

Act = Callable[[Sequence[TaskId]], list[tuple[TaskId, str]]]

PORTION: Final = 10
_PAUSE_S: Final = 0.001
_NAMED: Final = 8


@dataclass(frozen=True, slots=True)
class BulkReport:
    """Result of an action on many tasks; ``refused`` are those that a rule excludes."""

    n_done: int
    n_left: int
    refused: tuple[tuple[TaskId, str], ...]


def start_act(
    desk: Desk,
    parent: QWidget,
    title: str,
    task_ids: Callable[[], Sequence[TaskId]],
    act: Act,
    *,
    before: Callable[[], object] | None = None,
) -> None:
    """Do ``act`` on tasks in the background and tell what became of it.

    ``before`` is done first, in the background too, and so is asking for the tasks: of tens of
    thousands that takes longer than a frame.
    """

    def work(token: JobToken) -> BulkReport:
        if before is not None:
            before()
        return act_in_portions(task_ids(), act, token)

    def tell(report: BulkReport) -> None:
        _tell(desk, parent, title, report)

    # Stopped half-way it is told as well: what is done stays done.
    desk.start_job(title, work, tell, unwanted=tell)


def act_in_portions(task_ids: Sequence[TaskId], act: Act, token: JobToken) -> BulkReport:
    """Do ``act`` on tasks, few at a time, until all are done or it is stopped."""
    refused: list[tuple[TaskId, str]] = []
    done = 0
    # Lets those have the file who wait for it: a lock is not given in turns.
    breath = threading.Event()
    while done < len(task_ids) and not token.is_cancelled:
        portion = task_ids[done : done + PORTION]
        refused += act(portion)
        done += len(portion)
        breath.wait(_PAUSE_S)
        token.report(done / len(task_ids), f"{done} / {len(task_ids)}")
    return BulkReport(done - len(refused), len(task_ids) - done, tuple(refused))


class ChangePreview(QObject):
    """Tells in a dialog how many tasks an act will change and how many it will leave.

    ``new_trial`` returns the act to be tried, as the fields of the dialog say; it is asked again
    after each ``dialog.edited``.
    """

    def __init__(
        self,
        desk: Desk,
        dialog: AskDialog,
        task_ids: Callable[[], Sequence[TaskId]],
        new_trial: Callable[[], Act],
    ) -> None:
        super().__init__(dialog)
        self._dialog, self._task_ids, self._new_trial = dialog, task_ids, new_trial
        self._latest = Latest(desk, dialog.windowTitle(), self)
        dialog.edited.connect(self.ask)
        self.ask()

    def forget(self) -> None:
        """Do not wait for an answer any more; called when the dialog is over."""
        self._latest.forget()

    @Slot()
    def ask(self) -> None:
        """Find out anew, in the background."""
        act = self._new_trial()

        def work(token: JobToken) -> BulkReport:
            return act_in_portions(self._task_ids(), act, token)

        self._dialog.show_outlook(_tr("Checking the selected tasks…"))
        self._latest.ask(work, lambda report: self._dialog.show_outlook(outlook_text(report)))


def outlook_text(report: BulkReport) -> str:
    """Say how many tasks will change, and each reason why some will not."""
    lines = [counted(report.n_done, _tr("1 task will change."), _tr("{n} tasks will change."))]
    return "\n".join([*lines, *_reasons(report, _tr("{n} will not: {reason}"))])


def report_text(report: BulkReport) -> str:
    """Say what became of it: how many, and each reason why some were not."""
    lines = [counted(report.n_done, _tr("1 task updated."), _tr("{n} tasks updated."))]
    if report.n_left:
        many = _tr("Canceled: {n} were not processed.")
        lines.append(counted(report.n_left, _tr("Canceled: 1 was not processed."), many))
    return "\n".join([*lines, *_reasons(report, _tr("{n} not updated: {reason}"))])


def _reasons(report: BulkReport, line: str) -> list[str]:
    found = Counter(reason for _, reason in report.refused)
    return [line.format(n=n, reason=reason) for reason, n in found.most_common(_NAMED)]


def _tell(desk: Desk, parent: QWidget, title: str, report: BulkReport) -> None:
    if not report.refused and not report.n_left:
        desk.said.emit(f"{title}: {counted(report.n_done, _tr('1 task.'), _tr('{n} tasks.'))}")
        return
    from annotator.ui.dialogs.project.report import ReportDialog

    ReportDialog(desk.hub, title, report_text(report), (), parent=parent).open()


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
