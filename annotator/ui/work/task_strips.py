"""Strips above a task: why it is locked or was sent back, training, and messages from leads."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from annotator.domain.agreement.position_errors import Errors
from annotator.domain.annotation.document import Document
from annotator.domain.ids import TaskId
from annotator.domain.people import Person, Role
from annotator.domain.work.records import Assignment, AssignmentState, Reason, TaskStatus
from annotator.services.background.jobs import JobToken
from annotator.services.workflow.work import Feedback, Work
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.texts import moment_text
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain
from annotator.ui.state.stage import TaskRole
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.work_texts import names_text, stage_title


class Strip(QFrame):
    """Hidden until there is something to say; ``refresh`` is called when that may be another."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._sign = plain(QLabel())
        self.label = plain(QLabel())
        self.label.setWordWrap(True)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(10, 4, 6, 4)
        self._layout.addWidget(self._sign)
        self._layout.addWidget(self.label, 1)
        self.setAutoFillBackground(True)
        self.hide()
        for signal in (
            workspace.stageChanged,
            workspace.personChanged,
            workspace.bridge.workChanged,
            workspace.hub.changed,
        ):
            signal.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Say how things stand, or hide: for each kind of strip to do."""

    def _add(self, button: QToolButton) -> None:
        self._layout.addWidget(button)

    def _look(self, surface: str, icon: str, token: str) -> None:
        """Take colors and sign from the theme."""
        theme = self._workspace.hub.theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.color(surface))
        self.setPalette(palette)
        self._sign.setPixmap(theme.icon(icon, token=token).pixmap(20, 20))


class LockStrip(Strip):
    """Shown in a project with people, while the open draft is there to be looked at only."""

    def __init__(
        self, workspace: Workspace, table: ActionTable, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self.claim = _button(table, "task.claim")
        self.reopen = _button(table, "task.reopen")
        self.mine = _button(table, "work.mine")
        for button in (self.claim, self.reopen, self.mine):
            self._add(button)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say how the open draft stands, if it is locked."""
        project, session, task_role = (
            self._workspace.project,
            self._workspace.session,
            self._workspace.task_role,
        )
        is_locked = session is not None and session.is_submitted
        if project is None or task_role is None or not is_locked:
            self.hide()
            return
        self.label.setText(lock_text(project.work, task_role))
        self.claim.setVisible(task_role.may_claim)
        self.reopen.setVisible(task_role.may_reopen)
        self._look("raised", "lock", "text_dim")
        self.show()


def lock_text(work: Work, task_role: TaskRole) -> str:
    """Say why a draft cannot be changed by the signed-in person, and who could help."""
    record, last = task_role.record, task_role.last
    if last is not None and last.state in _LOST:
        return f"{_tr(_LOST[last.state])} {_tr('Your draft is kept.')}"
    parts = []
    if last is not None and last.counted is not None:
        text = _tr("You submitted this task ({when}).")
        parts.append(text.format(when=moment_text(last.counted.at)))
    parts.append(_where(work, task_role))
    leads = [p for p in work.people.all() if p.has(Role.LEAD)]
    is_mine = last is not None and last.state is AssignmentState.SUBMITTED
    if is_mine and leads and not task_role.may_reopen and not record.holders:
        parts.append(_tr("A lead can reopen it: {names}.").format(names=names_text(leads)))
    return " ".join(parts)


def _where(work: Work, task_role: TaskRole) -> str:
    record = task_role.record
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


class ReturnStrip(Strip):
    """Shown while a task is open that came back to the person; reasons with a place are links."""

    pinWanted = Signal(object)  # Pin

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self._reasons: tuple[Reason, ...] = ()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.label.linkActivated.connect(self._on_link_activated)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say why the open task came back, if it is the person's and did."""
        task_role = self._workspace.task_role
        is_mine = task_role is not None and task_role.held is not None
        self._reasons = ()
        if task_role is not None and is_mine and task_role.record.is_returned:
            self._reasons = task_role.record.reasons
        lines = [self._line(at, reason) for at, reason in enumerate(self._reasons)]
        self.label.setText("<br>".join([self.tr("This task was sent back:"), *lines]))
        self._look("warning_surface", "undo", "warning")
        self.setVisible(bool(self._reasons))

    def _line(self, at: int, reason: Reason) -> str:
        """Write a reason; what a person wrote is shown as it is, never as markup."""
        project = self._workspace.project
        words = reason.text
        if project is not None:
            words = project.work.recipe.reason_text(reason.code, reason.text)
        text = f"“{escape(words)}”"
        pin = reason.pin
        if pin.is_whole_task:
            return text
        frame = pin.first_frame
        place = self.tr("show")
        if frame is not None:
            place = self.tr("frame {n}").format(n=frame)
        return f'{text} <a href="{at}">{place}</a>'

    @Slot(str)
    def _on_link_activated(self, at: str) -> None:
        self.pinWanted.emit(self._reasons[int(at)].pin)


class TrainingStrip(Strip):
    """Shown while a training task is open; ``referenceWanted`` asks to compare with the known
    result once the task is submitted.
    """

    referenceWanted = Signal(str, object)  # "", Document

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self._asked: TaskId | None = None
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show that the open task is training, or its result."""
        project, session, task_id = (
            self._workspace.project,
            self._workspace.session,
            self._workspace.task_id,
        )
        if project is None or session is None or task_id is None:
            self._asked = None
            self.hide()
            return
        if self._asked not in (None, task_id):
            self._asked = None
        gold = project.work.gold
        if not gold.is_training(task_id):
            self.hide()
            return
        score = gold.training_score(task_id)
        if score is None:
            self.label.setText(
                self.tr(
                    "Training task. After you submit it, the reference is shown with your work."
                )
            )
            self._look("raised", "info", "accent")
        else:
            text = self.tr("Training result: {errors}. “Changes” lists each difference.")
            self.label.setText(text.format(errors=errors_text(score.errors)))
            self._look("raised", "accept", "accent")
            self._show_reference(task_id)
        self.show()

    def _show_reference(self, task_id: TaskId) -> None:
        """Read the known result in the background and have it shown, once for an open task."""
        project, session = self._workspace.project, self._workspace.session
        if self._asked == task_id or project is None or session is None:
            return
        self._asked = task_id
        answer = session.document.copy()
        work = project.work

        def read(_: JobToken) -> Document | None:
            return work.gold.reference_for(task_id, answer)

        def done(reference: Document | None) -> None:
            if reference is not None and self._workspace.task_id == task_id:
                self.referenceWanted.emit("", reference)

        title, failed = self.tr("Compare with reference"), self._workspace.failed.emit
        self._workspace.jobs.submit(title, read, done, failed=failed, is_quiet=True)


def errors_text(errors: Errors) -> str:
    """Say how far work is from the reference."""
    parts: list[str] = []
    if errors.iou is not None:
        parts.append(_tr_training("boxes overlap {n:.0%}").format(n=errors.iou))
    if errors.px is not None:
        parts.append(_tr_training("points {n:.1f} px off").format(n=errors.px))
    if errors.visible is not None:
        parts.append(_tr_training("visibility {n:.0%} correct").format(n=errors.visible))
    if errors.ms is not None:
        parts.append(_tr_training("edges {n:.0f} ms off").format(n=errors.ms))
    parts.append(_tr_training("{n} of {m} found").format(n=errors.n_found, m=errors.n_known))
    if errors.n_extra:
        parts.append(_tr_training("{n} additional").format(n=errors.n_extra))
    return " · ".join(parts)


def _tr_training(text: str) -> str:
    return QCoreApplication.translate("TrainingStrip", text)


class FeedbackCard(QFrame):
    """A message with who sent it and when, and a button that puts it away."""

    putAway = Signal(object)  # Feedback
    taskWanted = Signal(object)  # TaskId

    def __init__(
        self, hub: ThemeHub, message: Feedback, sender: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._hub = hub
        self._message = message
        self._sign = plain(QLabel())
        self._sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        message_label = plain(QLabel(message.text))
        message_label.setWordWrap(True)
        message_label.setTextFormat(Qt.TextFormat.PlainText)
        message_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words = [sender, moment_text(message.at)]
        self._from = plain(QLabel(" · ".join(words)))
        texts = QVBoxLayout()
        texts.addWidget(message_label)
        texts.addWidget(self._from)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 8, 8, 8)
        layout.addWidget(self._sign)
        layout.addLayout(texts, 1)
        if message.task_id is not None:
            show = QToolButton()
            show.setText(self.tr("Open task"))
            show.setToolTip(self.tr("Open the task that this message refers to."))
            show.clicked.connect(self._on_show_clicked)
            layout.addWidget(show)
        self.button = QToolButton()
        self.button.setText(self.tr("Mark as read"))
        self.button.setToolTip(self.tr("Mark this message as read and hide it."))
        self.button.clicked.connect(self._on_clicked)
        layout.addWidget(self.button)
        self.setAutoFillBackground(True)
        hub.changed.connect(self._dress)
        self._dress()

    @Slot()
    def _on_clicked(self) -> None:
        self.putAway.emit(self._message)

    @Slot()
    def _on_show_clicked(self) -> None:
        self.taskWanted.emit(self._message.task_id)

    @Slot()
    def _dress(self) -> None:
        theme = self._hub.theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.color("raised"))
        self.setPalette(palette)
        dim = self._from.palette()
        dim.setColor(QPalette.ColorRole.WindowText, theme.color("text_dim"))
        self._from.setPalette(dim)
        self._sign.setPixmap(theme.icon("info", token="accent").pixmap(20, 20))
