"""The hub of a rater's project: joining, signs of life, sending and claiming in the background."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.services.hub.hub_status import join_now, needs_password
from annotator.ui.dialogs.file_dialogs import ask_new_project
from annotator.ui.look.texts import counted, moment_text
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.errors import UserError
    from annotator.domain.ids import TaskId
    from annotator.services.hub.claims import Message
    from annotator.services.hub.hub_status import ProjectHubStatus
    from annotator.services.project.projects import OpenProject


def start_joining(
    workspace: Workspace, window: QWidget, invitation: Path, opened: Callable[[Path], object]
) -> None:
    """Ask where the project goes and for the password, join in the background and open it."""
    title = _tr("Join shared project")
    proposal = invitation.with_suffix(".annot")
    target = ask_new_project(window, _tr("Save your copy of the shared project"), proposal)
    if target is None:
        return
    password = ""
    if person := needs_password(invitation):
        words = _tr("Password of {person}. It is kept in the keyring of this computer.")
        password, is_given = QInputDialog.getText(
            window, title, words.format(person=person), QLineEdit.EchoMode.Password
        )
        if not is_given:
            return
    workspace.start_job(title, lambda _: join_now(invitation, target, password), opened)


def _tr(text: str) -> str:
    return QCoreApplication.translate("shared", text)


_EVERY_MS: Final = 60_000
_SOON_MS: Final = 1500


class SharedWork(QObject):
    """Exchanges with the hub each minute and after each submission; ``changed`` is sent with news.

    ``status`` is None in a project that is not shared. ``problem`` says why the last exchange
    failed, "" if it did not.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.status: ProjectHubStatus | None = None
        self.problem = ""
        self.reached_at = 0
        self._workspace = workspace
        self._is_busy = False
        self._project: OpenProject | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.exchange)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.exchange)
        workspace.projectChanged.connect(self._begin)
        workspace.personChanged.connect(self._begin)
        workspace.bridge.workChanged.connect(self._on_work_changed)
        self._begin()

    @Slot()
    def exchange(self) -> None:
        """Send, renew and receive in the background, unless that is going on."""
        project = self._project
        if project is None or self._is_busy or self._workspace.jobs.is_closed:
            return
        from annotator.services.hub.hub_status import exchange

        self._is_busy = True
        stock = self._workspace.settings.whole("work.stock")
        self._workspace.jobs.submit(
            self.tr("Exchange with the hub"),
            lambda _: exchange(project, stock=stock),
            partial(self._on_exchanged, project),
            failed=partial(self._on_failed, project),
            is_quiet=True,
        )

    def next_task(self, on_done: Callable[[TaskId], object]) -> None:
        """Find the next task in the background, and pass it on."""
        project = self._project
        if project is None:
            return
        from annotator.services.hub.hub_status import next_task

        def open_task(task_id: TaskId | None) -> None:
            if project is not self._project:
                return
            if task_id is None:
                self._workspace.message.emit(self.tr("No tasks are waiting for you."))
            else:
                on_done(task_id)
            self._soon.start()

        self._workspace.start_job(self.tr("Claim task"), lambda _: next_task(project), open_task)

    def mark_read(self, message: Message) -> None:
        """Mark a message of a lead as read."""
        from annotator.services.hub.claims import Claims

        if self._project is not None:
            Claims(self._project).mark_read(message)
            self._look()

    @Slot()
    def _begin(self) -> None:
        """Follow the project that is open now, if it is a shared one."""
        project = self._workspace.project
        if project is not None and (project.is_read_only or self._workspace.person is None):
            project = None
        if project is not None:
            from annotator.services.hub.hub_status import is_shared

            project = project if is_shared(project) else None
        if project is self._project:
            return
        self._project, self.status, self.problem = project, None, ""
        self._is_busy = False
        if project is None:
            self._timer.stop()
        else:
            self._look()
            self._timer.start()
            self.exchange()
        self.changed.emit()

    @Slot(object)
    def _on_work_changed(self, _news: object) -> None:
        if self._project is not None and not self._is_busy:
            self._look()
            if self.status is not None and self.status.n_waiting:
                self._soon.start()

    def _look(self) -> None:
        """Read how the project stands; a few facts of the file."""
        from annotator.services.hub.hub_status import hub_status_of

        if self._project is not None:
            self.status = hub_status_of(self._project)
            self.changed.emit()

    def _on_exchanged(self, project: OpenProject, status: ProjectHubStatus) -> None:
        if project is not self._project:
            return
        self._is_busy = False
        self.status, self.problem = status, ""
        self.reached_at = round(time.time() * 1000)
        for name in status.lost:
            text = self.tr("“{name}”: your claim ended. Your draft is kept.")
            self._workspace.message.emit(text.format(name=name))
        if status.missing and not status.is_fetchable:
            text = self.tr("Video not found: {names}. Locate the file in the task.")
            self._workspace.message.emit(text.format(names=", ".join(status.missing)))
        self.changed.emit()

    def _on_failed(self, project: OpenProject, error: UserError) -> None:
        if project is self._project:
            self._is_busy = False
            self.problem = f"{error.text} {error.hint or ''}".strip()
            self._look()


class HubCard(QFrame):
    """Connection, outbox and stock in one line, and messages of leads below it."""

    def __init__(
        self, workspace: Workspace, shared: SharedWork, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._shared = shared
        self.sign = QLabel()
        self.line = plain(QLabel())
        self.line.setWordWrap(True)
        self.send = QToolButton()
        self.send.setText(self.tr("Exchange now"))
        self.send.setToolTip(self.tr("Send what waits and look for messages."))
        self.send.clicked.connect(shared.exchange)
        row = QHBoxLayout()
        row.addWidget(self.sign)
        row.addWidget(self.line, 1)
        row.addWidget(self.send)
        self.messages = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 8, 8)
        layout.addLayout(row)
        layout.addLayout(self.messages)
        self.setAutoFillBackground(True)
        self._shown: list[QWidget] = []
        shared.changed.connect(self.refresh)
        workspace.hub.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say how it stands now; nothing in a project that is not shared."""
        status = self._shared.status
        self.setVisible(status is not None)
        if status is None:
            return
        theme = self._workspace.hub.theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.color("raised"))
        self.setPalette(palette)
        is_well = not self._shared.problem
        icon, token = ("accept", "success") if is_well else ("warning", "warning")
        self.sign.setPixmap(theme.icon(icon, token=token).pixmap(20, 20))
        self.line.setText(self._text(status))
        self._show_messages(status.unread)

    def _text(self, status: ProjectHubStatus) -> str:
        shared = self._shared
        waiting = counted(
            status.n_waiting, self.tr("1 submission to send"), self.tr("{n} submissions to send")
        )
        stock = counted(len(status.ready), self.tr("1 task ready"), self.tr("{n} tasks ready"))
        if not shared.problem:
            where = self.tr("Connecting to {place}")
            if shared.reached_at:
                where = self.tr("Connected to {place}")
            return " · ".join((where.format(place=status.place), waiting, stock))
        since = ""
        if shared.reached_at:
            since = self.tr("Last contact {time}. ").format(time=moment_text(shared.reached_at))
        go_on = self.tr("You can continue to work: {stock}, {waiting}. Nothing is lost.")
        return f"{shared.problem} {since}{go_on.format(stock=stock, waiting=waiting)}"

    def _show_messages(self, unread: tuple[Message, ...]) -> None:
        for old in self._shown:
            self.messages.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._shown = []
        for message in unread:
            row = QWidget()
            layout = QHBoxLayout(row)
            layout.setContentsMargins(28, 4, 0, 0)
            words = self.tr("Message from a lead, {time}: {text}")
            label = plain(QLabel(words.format(time=moment_text(message.at), text=message.text)))
            label.setWordWrap(True)
            read = QToolButton()
            read.setText(self.tr("Mark as read"))
            read.clicked.connect(partial(self._shared.mark_read, message))
            layout.addWidget(label, 1)
            layout.addWidget(read)
            self.messages.addWidget(row)
            self._shown.append(row)
