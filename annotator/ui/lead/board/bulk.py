"""Acts on many tasks: asked for in a dialog, done in the background in small portions.

Each portion is a transaction of its own, so that nobody who edits meanwhile has to wait; what is
done when the lead stops it stays done, and is told.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from annotator.domain.ids import TaskId
from annotator.services.background.jobs import JobToken
from annotator.ui.look.words import counted
from annotator.ui.state.desk import Desk

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


def report_text(report: BulkReport) -> str:
    """Say what became of it: how many, and each reason why some were not."""
    lines = [counted(report.n_done, _tr("1 task updated."), _tr("{n} tasks updated."))]
    if report.n_left:
        many = _tr("Canceled: {n} were not processed.")
        lines.append(counted(report.n_left, _tr("Canceled: 1 was not processed."), many))
    reasons = Counter(reason for _, reason in report.refused)
    lines += [
        _tr("{n} not updated: {reason}").format(n=n, reason=reason)
        for reason, n in reasons.most_common(_NAMED)
    ]
    return "\n".join(lines)


def _tell(desk: Desk, parent: QWidget, title: str, report: BulkReport) -> None:
    if not report.refused and not report.n_left:
        desk.said.emit(f"{title}: {counted(report.n_done, _tr('1 task.'), _tr('{n} tasks.'))}")
        return
    from annotator.ui.dialogs.project.report import ReportDialog

    ReportDialog(desk.hub, title, report_text(report), (), parent=parent).open()


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
