"""Messages from leads, shown until they are marked as read."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from annotator.services.workflow.work import Feedback
from annotator.ui.look.plain import plain
from annotator.ui.look.theme import ThemeHub
from annotator.ui.work.words import moment_text


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
        said = plain(QLabel(message.text))
        said.setWordWrap(True)
        said.setTextFormat(Qt.TextFormat.PlainText)
        said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words = [sender, moment_text(message.at)]
        self._from = plain(QLabel(" · ".join(words)))
        texts = QVBoxLayout()
        texts.addWidget(said)
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
