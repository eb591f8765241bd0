"""Asks why something goes back: one of the recipe's reasons, or one's own words."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from annotator.domain.annotation.comment import WHOLE_TASK, Pin
from annotator.ui.review.comment_dialog import pin_box
from annotator.ui.state.desk import Desk


class PinnedReasonDialog(QDialog):
    """One reason. Where ``pins`` are given, what it is about is asked too."""

    def __init__(self, desk: Desk, parent: QWidget, pins: list[Pin] | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Reason for sending back"))
        self.kind = QComboBox()
        project = desk.project
        for reason in project.work.recipe.return_reasons if project is not None else ():
            self.kind.addItem(reason.text, reason.code)
        self.kind.addItem(self.tr("Other reason"), "")
        self.text = QLineEdit()
        self.text.setMinimumWidth(40 * self.fontMetrics().averageCharWidth())
        self.place = pin_box(desk, pins or [])
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.addRow(self.tr("Reason"), self.kind)
        form.addRow(self.tr("Details"), self.text)
        if pins:
            form.addRow(self.tr("Refers to"), self.place)
        form.addRow(self._buttons)
        self.kind.currentIndexChanged.connect(self._check)
        self.text.textChanged.connect(self._check)
        self.text.setFocus()
        self._check()

    def result_value(self) -> tuple[str, str, Pin]:
        """Return the words, the code of the recipe ("" for none), and the place."""
        text = self.text.text().strip() or self.kind.currentText()
        pin = self.place.currentData()
        return text, str(self.kind.currentData()), pin if isinstance(pin, Pin) else WHOLE_TASK

    @Slot()
    def _check(self) -> None:
        """Words may be left out where the recipe has some."""
        has_code = bool(self.kind.currentData())
        self.text.setPlaceholderText(
            self.tr("Additional details (optional)")
            if has_code
            else self.tr("Describe the problem")
        )
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(has_code or bool(self.text.text().strip()))
