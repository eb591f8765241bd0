"""Asks what trackers shall propose in advance, and has it done in the background."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from annotator.services.assist.preparing import (
    Prepared,
    models_in,
    prepare_detections,
    prepare_drafts,
)
from annotator.services.background.jobs import JobToken
from annotator.ui.dialogs.project.report import ReportDialog
from annotator.ui.look.words import counted
from annotator.ui.state.desk import Desk

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject


class PrepareDialog(QDialog):
    """Asks what to track from."""

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Prepare proposals"))
        self.drafts = QRadioButton(self.tr("From the keyframes of tasks in progress"))
        self.detections = QRadioButton(self.tr("From the detections of a model, in all videos"))
        self.model = QComboBox()
        self.model.setAccessibleName(self.tr("Model"))
        for each in models_in(project):
            self.model.addItem(" ".join(each).strip(), each)
        note = QLabel(
            self.tr(
                "Proposals wait in the tasks until a rater accepts or dismisses them. You can stop "
                "at any time and continue later; videos that are done are not tracked again."
            )
        )
        note.setWordWrap(True)
        if not self.model.count():
            self.detections.setEnabled(False)
            self.detections.setToolTip(
                self.tr("Import detections with File > Import predictions first.")
            )
        form = QFormLayout()
        form.setContentsMargins(24, 0, 0, 8)
        form.addRow(self.tr("Model:"), self.model)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.tr("Track"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.detections)
        layout.addLayout(form)
        layout.addWidget(self.drafts)
        layout.addWidget(note)
        layout.addWidget(buttons)
        self.detections.toggled.connect(self._on_toggled)
        (self.detections if self.model.count() else self.drafts).setChecked(True)
        self._on_toggled()

    @Slot()
    def _on_toggled(self) -> None:
        self.model.setEnabled(self.detections.isChecked())


def start_preparing(desk: Desk, window: QWidget) -> None:
    """Ask, track in the background, and report."""
    project = desk.project
    if project is None:
        return
    dialog = PrepareDialog(project, window)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    is_drafts = dialog.drafts.isChecked()
    tracker, model = desk.settings.text("proposals.tracker"), dialog.model.currentData()
    dialog.deleteLater()
    if not is_accepted:
        return

    def work(token: JobToken) -> Prepared:
        if is_drafts:
            return prepare_drafts(project, tracker, token)
        return prepare_detections(project, tuple(model), tracker, token)

    desk.start_job(_tr("Prepare proposals"), work, partial(_show, desk, window, project))


def _show(desk: Desk, window: QWidget, project: OpenProject, done: Prepared) -> None:
    session = desk.session
    if desk.project is project and session is not None:
        project.offer_predictions(session)
    n = sum(count for _, count in done.videos)
    text = _tr("Nothing to track: all proposals are up to date.")
    if done.videos:
        text = _tr("Tracked {objects} in {videos}.").format(
            objects=counted(n, _tr("1 object"), _tr("{n} objects")),
            videos=counted(len(done.videos), _tr("1 video"), _tr("{n} videos")),
        )
    if not done.findings:
        desk.said.emit(text)
        return
    ReportDialog(desk.hub, _tr("Prepare proposals"), text, done.findings, parent=window).open()


def _tr(text: str) -> str:
    return QCoreApplication.translate("preparing", text)
