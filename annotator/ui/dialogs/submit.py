"""Asks before a task is handed in, and says what is still open in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from annotator.domain.track import unchecked_grid_frames

if TYPE_CHECKING:
    from annotator.services.session import Session


def ask_submit(session: Session, parent: QWidget) -> bool:
    """Ask whether to hand in; True when the person says so."""
    box = QMessageBox(parent)
    box.setWindowTitle(_tr("Submit"))
    box.setText(_tr("Hand in this task as it is now?"))
    box.setInformativeText("\n".join(open_points(session)) or _tr("Nothing is left open."))
    go = box.addButton(_tr("Submit"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    is_yes = box.clickedButton() is go
    box.deleteLater()
    return is_yes


def open_points(session: Session) -> list[str]:
    """Return in words what a person might still want to do."""
    document = session.document
    video = document.video
    points = []
    if not document.tracks:
        points.append(_tr("No object has been drawn."))
    unchecked = sum(
        len(unchecked_grid_frames(t, step=video.grid_step, n_frames=video.n_frames))
        for t in document.tracks
    )
    if unchecked:
        points.append(_tr("{n} grid frames have not been checked.").format(n=unchecked))
    waiting = sum(len(session.pending(t.id)) for t in document.tracks)
    if waiting:
        text = _tr("{n} proposals have not been accepted; they are not handed in.")
        points.append(text.format(n=waiting))
    return points


def _tr(text: str) -> str:
    return QCoreApplication.translate("submit", text)
