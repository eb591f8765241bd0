"""Handlers of actions on tasks: open, next, submit, reopen, release, skip, switch person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.domain.ids import TaskId
from annotator.services.workflow.work import Free
from annotator.ui.actions.table import ActionTable
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.shared.hub_exchange import SharedWork
from annotator.ui.work.shared.video_fetching import VideoFetching
from annotator.ui.work.work_texts import stage_title

if TYPE_CHECKING:
    from annotator.domain.ids import TaskId
    from annotator.services.workflow.work import Work
    from annotator.ui.forms.question_session import QuestionSession
    from annotator.ui.panels.live_findings import LiveFindings
    from annotator.ui.work.guideline_panels import Checklist
    from annotator.ui.work.tasks_panel import TasksPanel


class ChooseDialog(QDialog):
    """The tasks of a queue in its order, with a field to search by name."""

    def __init__(self, tasks: Sequence[Free], title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tasks = list(tasks)
        self.setWindowTitle(self.tr("Select task: {stage}").format(stage=title))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Search"))
        self.filter.setAccessibleName(self.tr("Search tasks by video name"))
        self.filter.textChanged.connect(self._on_filter_changed)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Waiting tasks"))
        self.list.setUniformItemSizes(True)
        for task in self._tasks:
            back = f" · {self.tr('sent back')}" if task.is_returned else ""
            self.list.addItem(f"{task.video}{back}")
        self.list.itemActivated.connect(self.accept)
        self.list.currentRowChanged.connect(self._check)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.button(standard.Ok).setText(self.tr("Claim task"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.filter)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.buttons)
        self.resize(460, 420)
        self.list.setCurrentRow(0)
        self._check()

    def chosen(self) -> TaskId | None:
        row = self.list.currentRow()
        is_seen = row >= 0 and not self.list.item(row).isHidden()
        return self._tasks[row].task_id if is_seen else None

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        wanted = text.casefold()
        seen = []
        for row in range(self.list.count()):
            is_hidden = wanted not in self.list.item(row).text().casefold()
            self.list.item(row).setHidden(is_hidden)
            seen += [] if is_hidden else [row]
        if self.list.currentRow() not in seen:
            self.list.setCurrentRow(seen[0] if seen else -1)

    @Slot()
    def _check(self) -> None:
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(self.chosen() is not None)


def ask_task(tasks: Sequence[Free], title: str, parent: QWidget) -> TaskId | None:
    """Ask which task to take; None when the person thought better of it."""
    dialog = ChooseDialog(tasks, title, parent)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    chosen = dialog.chosen() if is_accepted else None
    dialog.deleteLater()
    return chosen


class TaskView(Protocol):
    """The person's place in a task: saved when they leave it, restored when they return."""

    def save(self) -> None: ...

    def look_again(self) -> None: ...


class ReviewNotes(Protocol):
    """Notes of a reviewer on the open task."""

    @property
    def may_send_back(self) -> bool: ...

    def open_points(self) -> list[str]: ...

    def send_back(self) -> None: ...


class TaskActions(QObject):
    """Handlers of the actions on tasks, in a plain project and in one with people.

    ``findingWanted`` asks to show a finding: the open task was checked before submitting.
    """

    findingWanted = Signal(object)  # Finding
    questionWanted = Signal(object)  # Problem
    checklistWanted = Signal()
    leaving = Signal()  # unfinished typing belongs to the submission
    opened = Signal()  # a task the person asked for is on the screen: the keys are for it

    def __init__(
        self, workspace: Workspace, table: ActionTable, keeper: TaskView, window: QWidget
    ) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._keeper = keeper
        self._window = window
        self._tasks: TasksPanel | None = None
        self._open_points: tuple[LiveFindings, Checklist] | None = None
        self._questions: QuestionSession | None = None
        self._verdicts: ReviewNotes | None = None
        self.shared = SharedWork(workspace)
        self.fetching = VideoFetching(workspace, self.shared)
        for action_id, handler in (
            ("task.submit", self._submit),
            ("task.reopen", self._reopen),
            ("task.next", self._next),
            ("task.previous", self._previous),
            ("task.claim", self._claim),
            ("task.release", self._release),
            ("task.skip", self._skip),
            ("work.mine", self.show_mine),
            ("person.change", self._change_person),
            ("video.fetch", self.fetching.start),
        ):
            table.on(action_id, handler)

    def take_tasks(self, tasks: TasksPanel) -> None:
        """Go through the tasks as this list, which is built late, shows them."""
        self._tasks = tasks
        tasks.taskChosen.connect(self.open_task_or_explain)

    def take_findings(self, findings: LiveFindings, checklist: Checklist) -> None:
        """Set the source of open issues for submissions."""
        self._open_points = (findings, checklist)

    def take_verdicts(self, verdicts: ReviewNotes) -> None:
        """Ask this before a task is approved."""
        self._verdicts = verdicts

    def take_questions(self, questions: QuestionSession) -> None:
        """Hand nothing in while questions are open here."""
        self._questions = questions

    def open(self, task_id: TaskId) -> None:
        """Open a task, where it was left if it is the one that was open last.

        In a project with people nothing is taken by looking at it.
        """
        self._keeper.save()
        self._workspace.open_task(task_id, self._show, takes=not self._workspace.has_people)

    def _show(self) -> None:
        self._keeper.look_again()
        self.opened.emit()

    @Slot(object)
    def open_task_or_explain(self, task_id: TaskId) -> None:
        """Open a task, or say why that cannot be."""
        self._try(partial(self.open, task_id))

    @Slot(object)
    def open_submission_read_only(self, task_id: TaskId) -> None:
        """Open a person's submission read-only, or explain the refusal."""
        self._keeper.save()
        me = self._workspace.person
        if me is not None:
            self._workspace.open_task(task_id, self._show, takes=False, whose=me.id)

    @Slot(str, str)
    def claim_next_task(self, kind: str, stage: str) -> None:
        """Take the next task of a stage, or say why that cannot be."""
        self._try(partial(self.claim_next, kind, stage))

    def claim_next(self, kind: str | None = None, stage: str | None = None) -> None:
        """Take the next task that waits for the person, and open it."""
        work = self._work
        if work is None or self._workspace.person is None:
            return
        if self.shared.status is not None and kind is None:
            self.shared.next_task(self.open_task_or_explain)
            return
        record = work.claim_next(kind, stage)
        if record is None:
            self._workspace.message.emit(self.tr("No tasks are waiting for you."))
            return
        self.open(record.id)

    @Slot(str, str)
    def choose(self, kind: str, stage: str) -> None:
        """Let the person choose from what waits at a stage."""
        work = self._work
        if work is None or self._workspace.person is None:
            return
        title = stage_title(work.recipe, kind, stage)
        chosen = ask_task(work.free_tasks(kind, stage), title, self._window)
        if chosen is not None:
            self._try(partial(self.claim, chosen))

    def claim(self, task_id: TaskId) -> None:
        """Take this very task, and open it."""
        work = self._work
        if work is not None and self._workspace.person is not None:
            work.claim(task_id)
            self.open(task_id)

    def show_mine(self) -> None:
        """Leave the task for the page that says what there is to do."""
        self._keeper.save()
        self._workspace.close_task()

    def show_next(self, text: str) -> None:
        """Open the next task after a submission, in a project with people."""
        if self._workspace.has_people:
            self.show_mine()
        else:
            self._open_again()
        self._workspace.message.emit(text)

    @property
    def _work(self) -> Work | None:
        project = self._workspace.project
        return project.work if project is not None else None

    def _try(self, act: Callable[[], object]) -> None:
        """Run the action of a click; a refused action shows a message."""
        try:
            act()
        except UserError as error:
            self._workspace.failed.emit(error)

    def _submit(self) -> None:
        work, session = self._work, self._workspace.session
        if work is None or session is None or self._is_unanswered():
            return
        if not self._workspace.has_people:
            from annotator.ui.work.submit import ask_submit

            if ask_submit(session, self._window):
                work.submit(session)
                self.show_next(self.tr("Submitted. The next task is in the list."))
        elif self.may_leave():
            role = self._workspace.task_role
            is_judging = role is not None and role.is_judging
            work.submit(session)
            if work.gold.is_training(session.task_id):
                self._open_again()
                self._workspace.message.emit(
                    self.tr("Submitted. The reference is shown with your work.")
                )
                return
            self.show_next(self.tr("Approved.") if is_judging else self.tr("Submitted."))

    def may_leave(self) -> bool:
        """Show open issues before a submission; True if confirmed.

        Answers without open issues are submitted without a dialog: required questions have been
        checked by then, and raters submit hundreds of such tasks a day.
        """
        from annotator.ui.work.submit import SubmitDialog

        if self._open_points is None:
            return True
        findings, checklist = self._open_points
        role, verdicts = self._workspace.task_role, self._verdicts
        is_judging = role is not None and role.is_judging
        noted = verdicts.open_points() if is_judging and verdicts is not None else []
        is_done = not noted and not findings.findings and all(i.is_done for i in checklist.items)
        if self._workspace.asks and is_done:
            return True
        dialog = SubmitDialog(
            self._workspace,
            checklist,
            findings,
            is_judging=is_judging,
            noted=noted,
            may_send_back=verdicts is not None and verdicts.may_send_back,
            parent=self._window,
        )
        is_accepted = dialog.exec() == SubmitDialog.DialogCode.Accepted
        dialog_choice = dialog.wanted
        dialog.deleteLater()
        if is_accepted:
            return True
        if dialog.wants_to_send_back and verdicts is not None:
            verdicts.send_back()
        elif dialog_choice is not None:
            self.findingWanted.emit(dialog_choice)
        elif dialog.wants_checklist:
            self.checklistWanted.emit()
        return False

    def _is_unanswered(self) -> bool:
        """Go to the first required question without an answer and report it; False if there is
        none.

        Text that is still being typed counts.
        """
        self.leaving.emit()
        problems = self._questions.problems() if self._questions is not None else []
        if not problems:
            return self._is_untold()
        _, first = problems[0]
        self.questionWanted.emit(first)
        unanswered_text = (
            self.tr("{n} more answers are missing.").format(n=len(problems) - 1)
            if len(problems) > 1
            else ""
        )
        self._workspace.message.emit(f"{first.text} {unanswered_text}".strip())
        return True

    def _is_untold(self) -> bool:
        """Show the right answers that have not been seen yet; False if there are none."""
        asking = self._questions
        at = asking.untold if asking is not None else None
        if asking is None or at is None:
            return False
        asking.go_to(at)
        asking.tell()
        self._workspace.message.emit(
            self.tr("Compare your answer with the correct answer, then submit.")
        )
        return True

    def _reopen(self) -> None:
        work, task_id, text = self._work, self._workspace.task_id, ""
        if work is None or task_id is None:
            return
        if self._workspace.has_people:
            text = self._ask_reason(
                self.tr("Reopen task"),
                self.tr("Enter a reason for reopening. The reason is recorded with the task."),
                self.tr("Reopen"),
            )
            if not text:
                return
        work.reopen(task_id, text)
        self._open_again()
        self._workspace.message.emit(self.tr("The task is reopened."))

    def _claim(self) -> None:
        if self._workspace.task_id is not None:
            self.claim(self._workspace.task_id)

    def _release(self) -> None:
        work, task_id = self._work, self._workspace.task_id
        if work is not None and task_id is not None:
            work.release(task_id)
            self.show_next(self.tr("Task released. Your draft is kept."))

    def _skip(self) -> None:
        work, task_id = self._work, self._workspace.task_id
        if work is None or task_id is None:
            return
        text = self._ask_reason(
            self.tr("Skip task"),
            self.tr("Enter a reason. The task will not be offered to you again."),
            self.tr("Skip"),
        )
        if text:
            work.skip(task_id, text)
            self.show_next(self.tr("Skipped."))

    def _ask_reason(self, title: str, question: str, yes: str) -> str:
        from annotator.ui.dialogs.reason_dialog import ask_reason

        return ask_reason(title, question, yes, self._window)

    def _change_person(self) -> None:
        self._keeper.save()
        self._workspace.sign_out()

    def _next(self) -> None:
        if self._workspace.has_people:
            self.claim_next()
        else:
            self._step(lambda at: at + 1)

    def _previous(self) -> None:
        self._step(lambda at: at - 1)

    def _step(self, move: Callable[[int], int]) -> None:
        ids = self._tasks.ids() if self._tasks else []
        if not ids:
            return
        now = self._workspace.task_id
        at = move(ids.index(now)) if now in ids else 0
        if 0 <= at < len(ids):
            self._workspace.open_task(ids[at])
        else:
            self._workspace.message.emit(self.tr("There are no more tasks in the list."))

    def _open_again(self) -> None:
        """Open the task again in its new state, so that everything that asks finds it."""
        task_id = self._workspace.task_id
        frame, selected = self._workspace.frame, self._workspace.selection.tracks
        if self._tasks is not None:
            self._tasks.reload()
        if task_id is None:
            return
        is_open = self._workspace.open_task(task_id, takes=not self._workspace.has_people)
        if is_open and self._workspace.stage:
            self._workspace.stage.player.seek(frame)
            self._workspace.selection.set_tracks(selected)
