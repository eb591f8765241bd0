"""Asks why: for acts on a task that are kept with their reason."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.look.widgets import plain


class ReasonDialog(QDialog):
    """A question and room for an answer; an empty one is none."""

    def __init__(self, title: str, question: str, yes: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        question_label = plain(QLabel(question))
        question_label.setWordWrap(True)
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(question)
        self.field.setTabChangesFocus(True)
        self.field.textChanged.connect(self._check)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.button(standard.Ok).setText(yes)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(question_label)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.buttons)
        self.resize(440, 220)
        self._check()

    def text(self) -> str:
        return self.field.toPlainText().strip()

    @Slot()
    def _check(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(self.text()))


def ask_reason(title: str, question: str, yes: str, parent: QWidget) -> str:
    """Ask for a reason; empty when the person thought better of it."""
    dialog = ReasonDialog(title, question, yes, parent)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    text = dialog.text() if is_accepted else ""
    dialog.deleteLater()
    return text
