"""Actions of a lead on the selected tasks, below the board.

Each portion is a transaction of its own, so that other editors need not wait; completed portions
remain when the lead cancels, and are reported.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QCoreApplication, QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId, TaskId
from annotator.domain.recipes.recipe import StageSpec
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.workflow.lead_actions import LeadTransactions
from annotator.services.workflow.work import BoardRows
from annotator.ui.lead.board.board_dialogs import (
    AskDialog,
    AssignDialog,
    PriorityDialog,
    RoundDialog,
    StageReasonDialog,
)
from annotator.ui.look.texts import counted, moment_text
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.lead.board.page import BoardPage

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
    workspace: Workspace,
    parent: QWidget,
    title: str,
    task_ids: Callable[[], Sequence[TaskId]],
    act: Act,
    *,
    before: Callable[[], object] | None = None,
) -> None:
    """Run ``act`` on tasks in the background and report the result.

    ``before`` is done first, in the background too, and so is asking for the tasks: of tens of
    thousands that takes longer than a frame.
    """

    def work(token: JobToken) -> BulkReport:
        if before is not None:
            before()
        return act_in_portions(task_ids(), act, token)

    def tell(report: BulkReport) -> None:
        _tell(workspace, parent, title, report)

    # Also reported after a stop: finished changes stay.
    workspace.start_job(title, work, tell, unwanted=tell)


def act_in_portions(task_ids: Sequence[TaskId], act: Act, token: JobToken) -> BulkReport:
    """Do ``act`` on tasks, few at a time, until all are done or it is stopped."""
    refused: list[tuple[TaskId, str]] = []
    done = 0
    # Lets those have the file who wait for it: a lock is not given in turns.
    breath = threading.Event()
    while done < len(task_ids) and not token.is_canceled:
        portion = task_ids[done : done + PORTION]
        refused += act(portion)
        done += len(portion)
        breath.wait(_PAUSE_S)
        token.report(done / len(task_ids), f"{done} / {len(task_ids)}")
    return BulkReport(done - len(refused), len(task_ids) - done, tuple(refused))


class ChangePreview(QObject):
    """Shows in a dialog how many tasks an action changes and how many it skips.

    ``new_trial`` returns the act to be tried, as the fields of the dialog say; it is asked again
    after each ``dialog.edited``.
    """

    def __init__(
        self,
        workspace: Workspace,
        dialog: AskDialog,
        task_ids: Callable[[], Sequence[TaskId]],
        new_trial: Callable[[], Act],
    ) -> None:
        super().__init__(dialog)
        self._dialog, self._task_ids, self._new_trial = dialog, task_ids, new_trial
        self._latest = Latest(workspace, dialog.windowTitle(), self)
        dialog.edited.connect(self.ask)
        self.ask()

    def forget(self) -> None:
        """Stop waiting for an answer; called when the dialog closes."""
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
    """Return the number of tasks that will change, and reasons for the others."""
    lines = [counted(report.n_done, _tr("1 task will change."), _tr("{n} tasks will change."))]
    return "\n".join([*lines, *_reasons(report, _tr("{n} will not: {reason}"))])


def report_text(report: BulkReport) -> str:
    """Return the number of changed tasks, and reasons for the others."""
    lines = [counted(report.n_done, _tr("1 task updated."), _tr("{n} tasks updated."))]
    if report.n_left:
        many = _tr("Canceled: {n} were not processed.")
        lines.append(counted(report.n_left, _tr("Canceled: 1 was not processed."), many))
    return "\n".join([*lines, *_reasons(report, _tr("{n} not updated: {reason}"))])


def _reasons(report: BulkReport, line: str) -> list[str]:
    found = Counter(reason for _, reason in report.refused)
    return [line.format(n=n, reason=reason) for reason, n in found.most_common(_NAMED)]


def _tell(workspace: Workspace, parent: QWidget, title: str, report: BulkReport) -> None:
    if not report.refused and not report.n_left:
        workspace.message.emit(
            f"{title}: {counted(report.n_done, _tr('1 task.'), _tr('{n} tasks.'))}"
        )
        return
    from annotator.ui.dialogs.project.report_dialog import ReportDialog

    ReportDialog(workspace.hub, title, report_text(report), (), parent=parent).open()


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)


Doing: TypeAlias = Callable[[LeadTransactions, Sequence[TaskId]], list[tuple[TaskId, str]]]
"""An act of a lead on some tasks; returns the refused ones with the reasons."""
_UNSAID: Final = "…"
"""Placeholder for a reason not yet typed, while an action's effect is previewed."""


class Acts(QObject):
    """Asks for the parameters of an action and runs it on the selected tasks."""

    def __init__(self, workspace: Workspace, project: OpenProject, board: BoardPage) -> None:
        super().__init__(board)
        self._workspace = workspace
        self._project = project
        self._board = board
        self.actions: list[QAction] = []
        self._icons: dict[QAction, str] = {}
        for icon, title, tip, handler in (
            (
                "person",
                self.tr("Assign…"),
                self.tr("Assign the selected tasks to a person."),
                self.assign,
            ),
            (
                "flag",
                self.tr("Set priority…"),
                self.tr("Set the queue priority of the selected tasks."),
                self.prioritize,
            ),
            (
                "person-remove",
                self.tr("Unassign…"),
                self.tr("Unassign the selected tasks. Drafts are kept."),
                self.take_back,
            ),
            (
                "undo",
                self.tr("Reopen…"),
                self.tr("Reopen the selected tasks at a stage of your choice."),
                self.reopen,
            ),
            (
                "loop",
                self.tr("Start new round…"),
                self.tr("Send complete tasks through the later stages again."),
                self.open_round,
            ),
            (
                "accept",
                self.tr("Mark as complete…"),
                self.tr("Mark the selected tasks as complete with their last submission."),
                self.close,
            ),
            (
                "before",
                self.tr("Use as result…"),
                self.tr("Use a late or unassigned submission as the result of its stage."),
                self.use_as_result,
            ),
            (
                "delete",
                self.tr("Withdraw…"),
                self.tr("Withdraw the selected tasks from all queues."),
                self.withdraw,
            ),
        ):
            self._add(icon, title, tip, handler)
        self._adopt = self.actions[-2]
        if project.work.recipe.has_gold:
            tip = self.tr("Make gold tasks from the results of the selected complete tasks.")
            self._add("accept-all", self.tr("Use for gold tasks"), tip, self.use_as_gold)
        workspace.hub.changed.connect(self._dress)
        self._dress()

    def dress(self, action: QAction, icon: str) -> None:
        """Give one more action an icon that follows the theme."""
        self._icons[action] = icon
        self._dress()

    @Slot()
    def _dress(self) -> None:
        """Give the actions icons in the colors of the theme; what takes tasks away is red."""
        for action, icon in self._icons.items():
            token = "error" if icon == "delete" else "text"
            action.setIcon(self._workspace.hub.theme.icon(icon, token=token))

    def set_chosen(self, n_chosen: int) -> None:
        """Offer the acts while tasks are chosen."""
        for action in self.actions:
            action.setEnabled(n_chosen > 0)
        # One at a time: which of several submissions is meant has to be looked at.
        self._adopt.setEnabled(n_chosen == 1)

    def assign(self) -> None:
        chosen = self._board.chosen()
        dialog = AssignDialog(len(chosen), self._project.work.people.all(), self._board)

        def doing(unsaid: str = "") -> Doing:
            person = PersonId(dialog.person.currentData())
            reason, overrules = dialog.reason.text().strip(), dialog.overrules.isChecked()
            return lambda lead, ids: lead.assign(
                ids, person, overrules=overrules, reason=reason or unsaid
            )

        if dialog.person.count() and self._ask(dialog, chosen, doing):
            self._start(self.tr("Assign"), chosen, doing())

    def prioritize(self) -> None:
        chosen = self._board.chosen()
        dialog = PriorityDialog(len(chosen), chosen[0].priority, self._board)
        if dialog.ask():
            priority = dialog.priority.value()
            self._start(
                self.tr("Set priority"), chosen, lambda lead, ids: lead.prioritize(ids, priority)
            )

    def take_back(self) -> None:
        text = self.tr("The tasks return to their queue. Drafts are kept.")
        self._with_reason(self.tr("Unassign"), text, LeadTransactions.take_back)

    def withdraw(self) -> None:
        text = self.tr(
            "Withdrawn tasks leave all queues until they are reopened. No data is deleted."
        )
        self._with_reason(self.tr("Withdraw"), text, LeadTransactions.withdraw)

    def close(self) -> None:
        text = self.tr("The tasks are marked as complete. Their last submission is the result.")
        self._with_reason(self.tr("Mark as complete"), text, LeadTransactions.close)

    def reopen(self) -> None:
        chosen = self._board.chosen()
        text = self.tr(
            "The tasks return to the queue of a stage. Any eligible person can claim them."
        )
        dialog = StageReasonDialog(
            self.tr("Reopen"), text, self._board, stages=self._stages(chosen)
        )

        def doing(unsaid: str = "") -> Doing:
            reason, stage = dialog.reason.text().strip(), dialog.stage.currentData()
            return lambda lead, ids: lead.reopen(ids, reason or unsaid, stage=stage)

        if self._ask(dialog, chosen, doing):
            self._start(self.tr("Reopen"), chosen, doing())

    def use_as_result(self) -> None:
        """Take the newest submission of a task that was kept without counting for its result."""
        task_id = self._board.chosen()[0].task_id
        record = self._project.work.record(task_id)
        kept_assignments = [
            (submission.at, submission.submission_id, assignment.person_id)
            for assignment in record.assignments
            for submission in assignment.submissions
            if not submission.is_counted
        ]
        if not kept_assignments:
            self._workspace.message.emit(
                self.tr(
                    "Cannot use another submission as the result: all "
                    "submissions of this task already count."
                )
            )
            return
        at, submission_id, person_id = max(kept_assignments)
        text = self.tr(
            "The submission of {name} from {when} becomes the result. The later "
            "stages are repeated."
        )
        text = text.format(name=self._workspace.name_of(person_id), when=moment_text(at))
        dialog = StageReasonDialog(self.tr("Use as result"), text, self._board)
        if dialog.ask():
            try:
                self._lead.use_as_result(task_id, submission_id, dialog.reason.text().strip())
            except UserError as error:
                self._workspace.failed.emit(error)

    def use_as_gold(self) -> None:
        """Take the results of the chosen tasks for known, as far as they are complete."""
        chosen = self._board.chosen().task_ids()
        try:
            refused = self._project.work.gold.add(chosen)
        except UserError as error:
            self._workspace.failed.emit(error)
            return
        told = self.tr("{n} of {m} results are now used for gold tasks.").format(
            n=len(chosen) - len(refused), m=len(chosen)
        )
        reasons = sorted({why for _, why in refused})
        self._workspace.message.emit(" ".join([told, *reasons]))

    def open_round(self) -> None:
        chosen = self._board.chosen()
        stages = self._stages(chosen)[1:]
        folder = self._project.path.parent
        dialog = RoundDialog(len(chosen), folder, self._board, stages=stages)
        names: list[str] = []

        def doing(unsaid: str = "") -> Doing:
            reason, stage = dialog.reason.text().strip(), dialog.stage.currentData()
            return lambda lead, ids: lead.open_round(
                ids, kept_guidelines=names[0] if names else "", reason=reason or unsaid, stage=stage
            )

        if not self._ask(dialog, chosen, doing):
            return
        title, text = dialog.name.text().strip(), dialog.editor.toPlainText()

        def before() -> None:
            names.append(self._lead.keep_guidelines(title, text) if text.strip() else "")

        self._start(self.tr("Start new round"), chosen, doing(), before=before)

    @property
    def _lead(self) -> LeadTransactions:
        return self._project.work.lead

    def _with_reason(
        self,
        title: str,
        text: str,
        act: Callable[[LeadTransactions, Sequence[TaskId], str], list[tuple[TaskId, str]]],
    ) -> None:
        chosen = self._board.chosen()
        dialog = StageReasonDialog(title, text, self._board)

        def doing(unsaid: str = "") -> Doing:
            reason = dialog.reason.text().strip()
            return lambda lead, ids: act(lead, ids, reason or unsaid)

        if self._ask(dialog, chosen, doing):
            self._start(title, chosen, doing())

    def _ask(self, dialog: AskDialog, chosen: BoardRows, doing: Callable[[str], Doing]) -> bool:
        """Show a dialog with a preview of the action's changes; True when the person confirms."""

        def new_trial() -> Act:
            return partial(doing(_UNSAID), self._lead.trial())

        outlook = ChangePreview(self._workspace, dialog, chosen.task_ids, new_trial)
        is_accepted = dialog.ask()
        outlook.forget()
        return is_accepted

    def _start(
        self,
        title: str,
        chosen: BoardRows,
        doing: Doing,
        *,
        before: Callable[[], object] | None = None,
    ) -> None:
        act = partial(doing, self._lead)
        start_act(self._workspace, self._board, title, chosen.task_ids, act, before=before)

    def _stages(self, chosen: BoardRows) -> list[StageSpec]:
        """Return the stages that all chosen tasks have in common, in their order."""
        kinds = chosen.kinds()
        types = [t for t in self._project.work.recipe.task_types if t.kind in kinds]
        if not types:
            return []
        common = set.intersection(*({s.key for s in t.stages} for t in types))
        return [s for s in types[0].stages if s.key in common]

    def _add(self, icon: str, title: str, tip: str, handler: Callable[[], object]) -> None:
        action = QAction(title, self)
        self._icons[action] = icon
        action.setToolTip(tip)
        action.triggered.connect(lambda: handler())
        self.actions.append(action)
