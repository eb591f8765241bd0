"""The right end of the tool bar: which task, how it stands, when it was saved, and Submit.

In a project with people also the stage, the time of work, and the verdicts of the stage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from annotator.domain.workflow import Task, TaskState
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.texts import ago_text, task_state_text
from annotator.ui.look.widgets import Badge, plain
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.work_texts import timer_text

if TYPE_CHECKING:
    from annotator.ui.state.stage import TaskRole

_TITLE_PX: Final = 110
_ROOMY_PX: Final = 330


class TaskHeader(QWidget):
    """Shows the open task and that it is saved.

    Where there is little room the name is shortened and the word "saved" left out.
    """

    def __init__(self, workspace: Workspace, table: ActionTable) -> None:
        super().__init__()
        self._workspace = workspace
        self._table = table
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._name = ""
        self._title = plain(QLabel())
        self._title.setMinimumWidth(_TITLE_PX)
        self._title.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._title.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._badge = Badge()
        self.saved = plain(QLabel())
        self.saved.setToolTip(self.tr("Every edit is saved immediately."))
        self.timer = plain(QLabel())
        self.timer.setToolTip(self.tr("Your active time on this task in this stage"))
        self.timer.hide()
        self._send_back = QToolButton()
        self._send_back.setDefaultAction(table.action("task.send-back"))
        self._send_back.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._submit = QToolButton()
        self._submit.setDefaultAction(table.action("task.submit"))
        self._submit.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._submit.setProperty("kind", "primary")
        self._reopen = QToolButton()
        self._reopen.setDefaultAction(table.action("task.reopen"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 0, 6, 0)
        layout.setSpacing(10)
        layout.addWidget(self._title, 1)
        self._others = (
            self._badge,
            self.timer,
            self.saved,
            self._send_back,
            self._submit,
            self._reopen,
        )
        for widget in self._others:
            layout.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setInterval(1000)
        self._timer.timeout.connect(self._show_saved)
        self._timer.start()
        workspace.stageChanged.connect(self.refresh)
        workspace.pairChanged.connect(self.refresh)
        workspace.projectChanged.connect(self.refresh)
        workspace.personChanged.connect(self.refresh)
        workspace.bridge.workChanged.connect(self.refresh)
        workspace.edited.connect(self._show_saved)
        workspace.hub.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the task again."""
        project, session = self._workspace.project, self._workspace.session
        task = None
        if project is not None and self._workspace.task_id is not None:
            task = project.task(self._workspace.task_id)
        self._name = " · ".join(self._workspace.pair)
        if session is not None and not self._name:
            self._name = session.document.video.name
        self._badge.setVisible(task is not None)
        role = self._workspace.task_role
        if role is not None:
            self._show_role(role, is_locked=session is None or session.is_submitted)
        else:
            self._show_state(task)
        self._shorten()
        self._show_saved()

    @Slot(float)
    def set_seconds(self, seconds: float) -> None:
        """Show how long the person has worked on the task."""
        self.timer.setText(timer_text(seconds))
        if self.timer.isHidden():
            self.timer.show()
            self._shorten()

    def _show_state(self, task: Task | None) -> None:
        """Show a task of a plain project."""
        project = self._workspace.project
        is_submitted = task is not None and task.state is TaskState.SUBMITTED
        if task is not None:
            is_locked = project is not None and project.is_read_only
            text = self.tr("read-only") if is_locked else task_state_text(task.state)
            tokens = ("success_surface", "success") if is_submitted else ("raised", "text")
            self._show_badge(text, *tokens)
        self._table.set_text("task.submit", self._table.spec("task.submit").text)
        self._submit.setVisible(task is not None and not is_submitted)
        self._reopen.setVisible(is_submitted)
        self._send_back.hide()
        self.timer.hide()

    def _show_role(self, role: TaskRole, *, is_locked: bool) -> None:
        """Show the stage of a task in a project with people, and what can be said of it."""
        stage = role.stage
        words, tokens = [stage.title if stage is not None else role.record.stage], "raised"
        ink = "text"
        if role.record.round > 1:
            words.append(self.tr("round {n}").format(n=role.record.round))
        if is_locked:
            words, ink = [self.tr("locked")], "text_dim"
        elif role.record.is_returned:
            words.append(self.tr("sent back"))
            tokens, ink = "warning_surface", "warning"
        self._show_badge(" · ".join(words), tokens, ink)
        project = self._workspace.project
        if project is not None:
            recipe = project.work.recipe
            reasons = (recipe.reason_text(why.code, why.text) for why in role.record.reasons)
            self._badge.setToolTip(plain_tip("\n".join(f"“{text}”" for text in reasons)))
        is_judging = role.is_judging
        verb = self.tr("Approve") if is_judging else self._table.spec("task.submit").text
        self._table.set_text("task.submit", verb)
        self._submit.setVisible(not is_locked)
        self._send_back.setVisible(role.may_send_back and not is_locked)
        self._reopen.hide()
        self.timer.setVisible(not is_locked and bool(self.timer.text()))

    def _show_badge(self, text: str, plane: str, ink: str) -> None:
        theme = self._workspace.hub.theme
        self._badge.setText(text)
        self._badge.setToolTip("")
        self._badge.set_colors(theme.color(plane), theme.color(ink))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        """Fit name and words to the room there is."""
        self.saved.setVisible(self.width() >= _ROOMY_PX)
        taken = sum(w.sizeHint().width() + 10 for w in self._others if not w.isHidden())
        room = max(_TITLE_PX, self.width() - taken - 12)
        metrics = self._title.fontMetrics()
        self._title.setText(metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room))
        self._title.setToolTip(plain_tip(self._name))

    @Slot()
    def _show_saved(self) -> None:
        session = self._workspace.session
        text = ""
        if session is not None and not session.is_read_only:
            at = session.last_saved_at
            text = self.tr("saved {ago}").format(ago=ago_text(at)) if at else self.tr("saved")
        if text != self.saved.text():
            self.saved.setText(text)
