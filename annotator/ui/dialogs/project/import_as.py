"""Asks whether an import becomes drafts or submissions, in a project with stages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
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

from annotator.services.transfer.submitting import COMPLETE


class ImportAsDialog(QDialog):
    """Asks whether the import is a draft or a submission, and where its tasks go on.

    ``stages`` are keys and titles of stages, `COMPLETE` last.
    """

    def __init__(self, stages: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import"))
        self.submission = QRadioButton(self.tr("As submissions: other people continue"))
        self.submission.setChecked(True)
        self.draft = QRadioButton(self.tr("As drafts: the tasks are assigned to you"))
        self.stages = QComboBox()
        self.stages.setAccessibleName(self.tr("Continue at"))
        for key, title in stages:
            self.stages.addItem(self.tr("Complete") if key == COMPLETE else title, key)
        self.submission.toggled.connect(self._on_toggled)
        note = QLabel(
            self.tr(
                "A submission counts as the first stage of each task. Tasks that somebody has "
                "begun are not changed."
            )
        )
        note.setWordWrap(True)
        form = QFormLayout()
        form.addRow(self.tr("Continue at:"), self.stages)
        form.setContentsMargins(24, 0, 0, 8)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.submission)
        layout.addLayout(form)
        layout.addWidget(self.draft)
        layout.addWidget(note)
        layout.addWidget(buttons)

    def stage(self) -> str:
        """Return the key of the stage at which tasks go on, "" for drafts."""
        return str(self.stages.currentData()) if self.submission.isChecked() else ""

    @Slot(bool)
    def _on_toggled(self, is_submission: bool) -> None:
        self.stages.setEnabled(is_submission)
