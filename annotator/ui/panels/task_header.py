"""The right end of the tool bar: which task, how it stands, when it was saved, and Submit."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from annotator.domain.workflow import TaskState
from annotator.ui.action_table import ActionTable
from annotator.ui.desk import Desk
from annotator.ui.words import ago_text, task_state_text

_TITLE_PX: Final = 110
_ROOMY_PX: Final = 330


class TaskHeader(QWidget):
    """Says what is being worked on and that it is saved.

    Where there is little room the name is shortened and the word "saved" left out.
    """

    def __init__(self, desk: Desk, table: ActionTable) -> None:
        super().__init__()
        self._desk = desk
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._name = ""
        self._title = QLabel()
        self._title.setMinimumWidth(_TITLE_PX)
        self._title.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._title.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._badge = QLabel()
        self._badge.setMargin(3)
        self._badge.setAutoFillBackground(True)
        self.saved = QLabel()
        self.saved.setToolTip(self.tr("Every edit is saved at once. There is no need to save."))
        self._submit = QToolButton()
        self._submit.setDefaultAction(table.action("task.submit"))
        self._submit.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._reopen = QToolButton()
        self._reopen.setDefaultAction(table.action("task.reopen"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 0, 6, 0)
        layout.setSpacing(10)
        layout.addWidget(self._title, 1)
        for widget in (self._badge, self.saved, self._submit, self._reopen):
            layout.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setInterval(1000)
        self._timer.timeout.connect(self._show_saved)
        self._timer.start()
        desk.stageChanged.connect(self.refresh)
        desk.projectChanged.connect(self.refresh)
        desk.edited.connect(self._show_saved)
        desk.hub.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the task again."""
        project, session = self._desk.project, self._desk.session
        task = None
        if project is not None and self._desk.task_id is not None:
            task = project.task(self._desk.task_id)
        name = session.document.video.name if session else ""
        self._name = name
        self._shorten()
        self._badge.setVisible(task is not None)
        is_submitted = task is not None and task.state is TaskState.SUBMITTED
        if task is not None:
            is_locked = project is not None and project.is_read_only
            text = self.tr("read-only") if is_locked else task_state_text(task.state)
            self._badge.setText(text)
            theme = self._desk.hub.theme
            palette = self._badge.palette()
            plane = "success_surface" if is_submitted else "raised"
            ink = "success" if is_submitted else "text"
            palette.setColor(QPalette.ColorRole.Window, theme.color(plane))
            palette.setColor(QPalette.ColorRole.WindowText, theme.color(ink))
            self._badge.setPalette(palette)
        self._submit.setVisible(task is not None and not is_submitted)
        self._reopen.setVisible(is_submitted)
        self._show_saved()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        """Fit name and words to the room there is."""
        self.saved.setVisible(self.width() >= _ROOMY_PX)
        others = (self._badge, self.saved, self._submit, self._reopen)
        taken = sum(w.sizeHint().width() + 10 for w in others if not w.isHidden())
        room = max(_TITLE_PX, self.width() - taken - 12)
        metrics = self._title.fontMetrics()
        self._title.setText(metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room))
        self._title.setToolTip(self._name)

    @Slot()
    def _show_saved(self) -> None:
        session = self._desk.session
        text = ""
        if session is not None and not session.is_read_only:
            at = session.last_saved_at
            text = self.tr("saved {ago}").format(ago=ago_text(at)) if at else self.tr("saved")
        if text != self.saved.text():
            self.saved.setText(text)
