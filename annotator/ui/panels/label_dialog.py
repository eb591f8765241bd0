"""Asks what a label says, its roles, colour, key and help."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.labels import Label, LabelSet
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import EditError
from annotator.ui.look.marks import color_swatch
from annotator.ui.look.plain import plain
from annotator.ui.state.desk import Desk

_DIGITS = "1234567890"


class LabelDialog(QDialog):
    """One label; says at once why an entry is not possible. The number of a label stays."""

    def __init__(
        self, desk: Desk, labels: LabelSet, label: Label, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._labels = labels
        self._label = label
        is_new = labels.find(label.id) is None
        self.setWindowTitle(self.tr("New label") if is_new else self.tr("Edit label"))
        self.text = QLineEdit(label.text)
        self.text.setPlaceholderText(self.tr("Putting something into something"))
        self.template = QLineEdit(label.template)
        self.template.setPlaceholderText("Putting {1:something} into {2:something}")
        self.key = QComboBox()
        self.key.addItem(self.tr("none"), "")
        taken = {x.key: x.text.strip() for x in labels.labels if x.key and x.id != label.id}
        for digit in _DIGITS:
            note = f"  ({taken[digit]})" if digit in taken else ""
            self.key.addItem(digit + note, digit)
        self.key.setCurrentIndex(max(0, self.key.findData(label.key)))
        self.color = QComboBox()
        self.color.addItem(self.tr("automatic"), None)
        for i, color in enumerate(desk.hub.theme.object_colors):
            self.color.addItem(color_swatch(color), str(i + 1), i)
        self.color.setCurrentIndex(max(0, self.color.findData(label.color)))
        self.help = QLineEdit(label.help)
        self.help.setPlaceholderText(self.tr("Define when the segment starts and ends"))
        self._word = plain(QLabel())
        self._word.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self.tr("Number"), plain(QLabel(str(label.id))))
        form.addRow(self.tr("&Text"), self.text)
        if labels.lane is Lane.ACTION:
            form.addRow(self.tr("&Roles"), self.template)
        form.addRow(self.tr("Shortcut &key"), self.key)
        form.addRow(self.tr("&Color"), self.color)
        form.addRow(self.tr("&Help"), self.help)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self._word)
        layout.addWidget(self._buttons)
        for field in (self.text, self.template, self.help):
            field.textChanged.connect(self._check)
        self.key.currentIndexChanged.connect(self._check)
        self.resize(520, 260)
        self._check()

    def result_value(self) -> Label:
        """Return the label as it was entered."""
        return replace(
            self._label,
            text=self.text.text(),
            template=self.template.text(),
            key=self.key.currentData(),
            color=self.color.currentData(),
            help=self.help.text().strip(),
        )

    @Slot()
    def _check(self) -> None:
        problem = ""
        try:
            self._labels.with_label(self.result_value())
        except EditError as error:
            problem = error.text if self.text.text() else ""
        is_possible = not problem and bool(self.text.text().strip())
        self._word.setText(problem)
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_possible)


def ask_label(desk: Desk, labels: LabelSet, label: Label, parent: QWidget) -> Label | None:
    """Ask for a label; None when the person thought better of it."""
    dialog = LabelDialog(desk, labels, label, parent)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    value = dialog.result_value() if is_accepted else None
    dialog.deleteLater()
    return value
