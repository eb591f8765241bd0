"""Text from files, shown as it stands: Qt takes what looks like markup for markup."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget


def tip(text: str) -> str:
    """Return a text for a tooltip, with nothing in it read as markup."""
    return f"<span>{escape(text)}</span>".replace("\n", "<br>") if "<" in text else text


def warn(parent: QWidget | None, title: str, text: str) -> None:
    """Show a warning and wait until it is closed."""
    box = QMessageBox(QMessageBox.Icon.Warning, title, text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.exec()


def plain(label: QLabel) -> QLabel:
    """Let a label show every text as it stands, and return it."""
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
