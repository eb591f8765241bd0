"""The strip above a draft that cannot be changed: why, who may open it again, what to do."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from annotator.domain.people import Person, Role
from annotator.domain.work.records import Assignment, AssignmentState, TaskStatus
from annotator.services.workflow.work import Work
from annotator.ui.actions.table import ActionTable
from annotator.ui.state.desk import Desk
from annotator.ui.state.standing import TaskRole
from annotator.ui.work.strips.strip import Strip
from annotator.ui.work.words import moment_text, names_text, stage_title


class LockStrip(Strip):
    """Shown in a project with people, while the open draft is there to be looked at only."""

    def __init__(self, desk: Desk, table: ActionTable, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self.claim = _button(table, "task.claim")
        self.reopen = _button(table, "task.reopen")
        self.mine = _button(table, "work.mine")
        for button in (self.claim, self.reopen, self.mine):
            self._add(button)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say how the open draft stands, if it is locked."""
        project, session, standing = self._desk.project, self._desk.session, self._desk.standing
        is_locked = session is not None and session.is_submitted
        if project is None or standing is None or not is_locked:
            self.hide()
            return
        self.label.setText(lock_text(project.work, standing))
        self.claim.setVisible(standing.may_claim)
        self.reopen.setVisible(standing.may_reopen)
        self._look("raised", "lock", "text_dim")
        self.show()


def lock_text(work: Work, standing: TaskRole) -> str:
    """Say why a draft cannot be changed by whoever is at the keyboard, and who could help."""
    record, last = standing.record, standing.last
    if last is not None and last.state in _LOST:
        return f"{_tr(_LOST[last.state])} {_tr('Your draft is kept.')}"
    parts = []
    if last is not None and last.counted is not None:
        text = _tr("You submitted this task ({when}).")
        parts.append(text.format(when=moment_text(last.counted.at)))
    parts.append(_where(work, standing))
    leads = [p for p in work.people.all() if p.has(Role.LEAD)]
    is_mine = last is not None and last.state is AssignmentState.SUBMITTED
    if is_mine and leads and not standing.may_reopen and not record.holders:
        parts.append(_tr("A lead can reopen it: {names}.").format(names=names_text(leads)))
    return " ".join(parts)


def _where(work: Work, standing: TaskRole) -> str:
    record = standing.record
    status = work.gold.shown_status(record)
    if status is TaskStatus.COMPLETE:
        return _tr("The task is complete.")
    if work.gold.is_training(record.id):
        return _tr("The training task is complete.")
    if status is TaskStatus.WITHDRAWN:
        return _tr("The task was withdrawn.")
    title = stage_title(work.recipe, record.kind, record.stage)
    if record.holders:
        names = names_text(_people(work, record.holders))
        return _tr("The task is assigned to {names} ({stage}).").format(names=names, stage=title)
    return _tr("It is waiting for the next stage: {stage}.").format(stage=title)


def _people(work: Work, assignments: tuple[Assignment, ...]) -> list[Person]:
    found = (work.people.find(a.person_id) for a in assignments)
    return [person for person in found if person is not None]


def _button(table: ActionTable, action_id: str) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(table.action(action_id))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button


def _tr(text: str) -> str:
    return QCoreApplication.translate("LockStrip", text)


_LOST = {
    AssignmentState.EXPIRED: "Your claim on this task has expired because of inactivity.",
    AssignmentState.REVOKED: "A lead has unassigned this task from you.",
    AssignmentState.VOIDED: "A lead has voided your answers to this task.",
    AssignmentState.RELEASED: "You have released this task.",
    AssignmentState.SKIPPED: "You have skipped this task.",
    AssignmentState.LEFT: (
        "You were deactivated in this project, and the task returned to the queue."
    ),
}
