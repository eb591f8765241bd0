"""Asks what an import becomes: drafts, submissions, or proposals of a model."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from annotator.services.transfer.submitting import COMPLETE

_MOST_LETTERS = 100


class ImportAsDialog(QDialog):
    """Asks whether the import is annotation or the proposals of a model.

    Annotation becomes drafts or, in a project with ``stages`` (key and title, `COMPLETE` last),
    submissions. ``model`` is the usual name; ``has_scores``: proposals are the usual choice.
    """

    def __init__(
        self,
        stages: Sequence[tuple[str, str]],
        model: str,
        *,
        has_scores: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import"))
        self.submission = QRadioButton(self.tr("As submissions: other people continue"))
        self.draft = QRadioButton(
            self.tr("As drafts: the tasks are assigned to you")
            if stages
            else self.tr("As annotations")
        )
        self.proposals = QRadioButton(
            self.tr("As proposals of a model: raters accept or dismiss them")
        )
        self.stages = QComboBox()
        self.stages.setAccessibleName(self.tr("Continue at"))
        for key, title in stages:
            self.stages.addItem(self.tr("Complete") if key == COMPLETE else title, key)
        self.model = QLineEdit(model)
        self.model.setMaxLength(_MOST_LETTERS)
        self.version = QLineEdit()
        self.version.setMaxLength(_MOST_LETTERS)
        self.version.setPlaceholderText(self.tr("Optional"))
        for button in (self.submission, self.draft, self.proposals):
            button.toggled.connect(self._on_toggled)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        if stages:
            layout.addWidget(self.submission)
            layout.addLayout(_indented((self.tr("Continue at:"), self.stages)))
        layout.addWidget(self.draft)
        layout.addWidget(self.proposals)
        layout.addLayout(
            _indented((self.tr("Model:"), self.model), (self.tr("Version:"), self.version))
        )
        layout.addWidget(_note(self._note_text(has_stages=bool(stages))))
        layout.addWidget(buttons)
        usual = self.proposals if has_scores else self.submission if stages else self.draft
        usual.setChecked(True)
        self._on_toggled()

    def stage(self) -> str:
        """Return the key of the stage at which tasks go on, "" for drafts and proposals."""
        return str(self.stages.currentData()) if self.submission.isChecked() else ""

    def _note_text(self, *, has_stages: bool) -> str:
        told = self.tr(
            "Proposals appear when a rater begins the task. They are not annotations, and are not "
            "exported, until they are accepted."
        )
        if not has_stages:
            return told
        return f"{told}\n\n" + self.tr(
            "A submission counts as the first stage of each task. Tasks that somebody has "
            "begun are not changed."
        )

    @Slot()
    def _on_toggled(self) -> None:
        self.stages.setEnabled(self.submission.isChecked())
        for field in (self.model, self.version):
            field.setEnabled(self.proposals.isChecked())


def _indented(*rows: tuple[str, QWidget]) -> QFormLayout:
    form = QFormLayout()
    for text, field in rows:
        form.addRow(text, field)
    form.setContentsMargins(24, 0, 0, 8)
    return form


def _note(text: str) -> QLabel:
    note = QLabel(text)
    note.setWordWrap(True)
    return note
