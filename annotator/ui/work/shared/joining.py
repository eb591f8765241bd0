"""Joining a shared project with an invitation file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QInputDialog, QLineEdit, QWidget

from annotator.services.hub.standing import join_now, needs_password
from annotator.ui.dialogs.files import ask_new_project
from annotator.ui.state.desk import Desk


def start_joining(
    desk: Desk, window: QWidget, invitation: Path, opened: Callable[[Path], object]
) -> None:
    """Ask where the project goes and for the password, join in the background and open it."""
    title = _tr("Join shared project")
    target = ask_new_project(window, title, invitation.with_suffix(".annot"))
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
    desk.start_job(title, lambda _: join_now(invitation, target, password), opened)


def _tr(text: str) -> str:
    return QCoreApplication.translate("shared", text)
