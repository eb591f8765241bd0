"""Asks for another question or other options of an item, and why."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Slot
from PySide6.QtWidgets import QComboBox, QLineEdit, QSizePolicy, QWidget

from annotator.domain.questions.items.item import Item
from annotator.ui.lead.board.dialogs import AskDialog


class EditItemDialog(AskDialog):
    """Fields for the question and each option; ``spare`` are options that could stand there."""

    def __init__(self, item: Item, spare: Sequence[str], parent: QWidget | None) -> None:
        super().__init__(
            QCoreApplication.translate("EditItemDialog", "Edit item"),
            QCoreApplication.translate(
                "EditItemDialog",
                "The earlier text, your name and the reason are kept with the item.",
            ),
            parent,
        )
        self._item = item
        self._question = QLineEdit(item.text)
        self._question.textChanged.connect(self._check)
        self.form.addRow(self.tr("&Question"), self._question)
        right = {key for keys in item.right.values() for key in keys}
        self.fields: dict[str, QComboBox] = {}
        for number, option in enumerate(item.options, 1):
            field = QComboBox()
            field.setEditable(True)
            field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            is_right = option.key in right
            field.addItems([option.text, *(() if is_right else spare)])
            field.editTextChanged.connect(self._check)
            name = self.tr("Correct answer") if is_right else self.tr("Option {n}").format(n=number)
            self.form.addRow(name, field)
            self.fields[option.key] = field
        self.reason = QLineEdit()
        self.reason.setPlaceholderText(self.tr("The reason is recorded."))
        self.reason.textChanged.connect(self._check)
        self.form.addRow(self.tr("&Reason"), self.reason)
        self.resize(620, self.height())
        self._check()

    @property
    def text(self) -> str:
        """The question as it is to be."""
        return self._question.text().strip()

    @property
    def options(self) -> dict[str, str]:
        """The texts of the options as they are to be, by key."""
        return {key: field.currentText().strip() for key, field in self.fields.items()}

    @Slot()
    def _check(self) -> None:
        before = {option.key: option.text for option in self._item.options}
        is_changed = self.text != self._item.text or self.options != before
        is_full = all(self.options.values()) and bool(self.text or not self._item.text)
        self.allow(is_changed and is_full and bool(self.reason.text().strip()))
