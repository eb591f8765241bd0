"""Edits definitions of attributes: those of a label set, or those of objects and points."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.attributes import (
    MAX_ATTRIBUTES,
    AppliesTo,
    Attribute,
    AttributeKind,
    attribute_from,
    attribute_lines,
)
from annotator.domain.errors import RecipeError
from annotator.domain.toml import TomlTable
from annotator.ui.look.widgets import plain


class AttributesDialog(QDialog):
    """A list of attributes with a form for the selected one; errors appear while typing.

    ``kinds`` are the types of annotations that the attributes can apply to.
    """

    def __init__(
        self,
        title: str,
        attributes: Sequence[Attribute],
        kinds: tuple[AppliesTo, ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._kinds = kinds
        self._attributes = list(attributes)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Attributes"))
        self.add = QPushButton(self.tr("Add"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._add)
        self.remove = QPushButton(self.tr("Remove"))
        self.remove.setAutoDefault(False)
        self.remove.clicked.connect(self._remove)
        self.form = QWidget()
        self._make_form()
        self.problem = plain(QLabel())
        self.problem.setWordWrap(True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        tools = QHBoxLayout()
        tools.addWidget(self.add)
        tools.addWidget(self.remove)
        left_side = QVBoxLayout()
        left_side.addWidget(self.list, 1)
        left_side.addLayout(tools)
        both = QHBoxLayout()
        both.addLayout(left_side, 2)
        both.addWidget(self.form, 3)
        layout = QVBoxLayout(self)
        layout.addLayout(both, 1)
        layout.addWidget(self.problem)
        layout.addWidget(self.buttons)
        self.resize(680, 440)
        self.list.currentRowChanged.connect(self._show)
        for attribute in self._attributes:
            self.list.addItem(attribute.title)
        self.list.setCurrentRow(0 if self._attributes else -1)
        self._show()

    def result_value(self) -> tuple[Attribute, ...]:
        """Return the attributes as they were entered."""
        return tuple(self._attributes)

    def _make_form(self) -> None:
        self.key = QLineEdit()
        self.key.setPlaceholderText(self.tr("Name in files, for example material"))
        self.title = QLineEdit()
        self.title.setPlaceholderText(self.tr("Name in the window"))
        self.kind = QComboBox()
        for kind, text in (
            (AttributeKind.CHECKBOX, self.tr("Checkbox")),
            (AttributeKind.CHOICE, self.tr("Choice")),
            (AttributeKind.NUMBER, self.tr("Number")),
            (AttributeKind.TEXT, self.tr("Text")),
        ):
            self.kind.addItem(text, kind.value)
        self.applies = QComboBox()
        names = {
            AppliesTo.OBJECT: self.tr("objects"),
            AppliesTo.POINT: self.tr("points"),
            AppliesTo.ACTION: self.tr("actions"),
            AppliesTo.SOUND: self.tr("sounds"),
        }
        for some in [(kind,) for kind in self._kinds] + [self._kinds] * (len(self._kinds) > 1):
            self.applies.addItem(", ".join(names[kind] for kind in some), [k.value for k in some])
        self.options = QLineEdit()
        self.options.setPlaceholderText(self.tr("Values, separated by commas"))
        self.low, self.high = QLineEdit(), QLineEdit()
        self.default = QLineEdit()
        self.default.setPlaceholderText(self.tr("Value where none was set"))
        self.required = QCheckBox(self.tr("Required"))
        self.mutable = QCheckBox(self.tr("Can change within a track"))
        self.labels = QLineEdit()
        self.labels.setPlaceholderText(self.tr("All, or labels separated by commas"))
        self.help = QLineEdit()
        self.shortcut = QKeySequenceEdit()
        self.shortcut.setMaximumSequenceLength(1)
        self.shortcut.setClearButtonEnabled(True)
        form = QFormLayout(self.form)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("&Key"), self.key)
        form.addRow(self.tr("&Title"), self.title)
        form.addRow(self.tr("T&ype"), self.kind)
        form.addRow(self.tr("&Applies to"), self.applies)
        form.addRow(self.tr("&Options"), self.options)
        form.addRow(self.tr("&Lowest"), self.low)
        form.addRow(self.tr("&Highest"), self.high)
        form.addRow(self.tr("&Default"), self.default)
        form.addRow("", self.required)
        form.addRow("", self.mutable)
        form.addRow(self.tr("La&bels"), self.labels)
        form.addRow(self.tr("Hel&p"), self.help)
        form.addRow(self.tr("&Shortcut"), self.shortcut)
        self.shortcut.editingFinished.connect(self._check)
        form.setRowVisible(self.applies, len(self._kinds) > 1)
        may_change = bool({AppliesTo.OBJECT, AppliesTo.POINT} & set(self._kinds))
        form.setRowVisible(self.mutable, may_change)
        for line in (self.key, self.title, self.options, self.low, self.high, self.default):
            line.textEdited.connect(self._check)
        for line in (self.labels, self.help):
            line.textEdited.connect(self._check)
        for box in (self.kind, self.applies):
            box.activated.connect(self._check)
        for check in (self.required, self.mutable):
            check.clicked.connect(self._check)

    @Slot()
    def _add(self) -> None:
        known = {attribute.key for attribute in self._attributes}
        key = next(k for i in range(1, MAX_ATTRIBUTES + 2) if (k := f"attribute_{i}") not in known)
        self._attributes.append(
            Attribute(key, key, AttributeKind.CHECKBOX, applies_to=self._kinds[:1])
        )
        self.list.addItem(key)
        self.list.setCurrentRow(len(self._attributes) - 1)
        self.key.setFocus()
        self.key.selectAll()

    @Slot()
    def _remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            del self._attributes[row]
            self.list.takeItem(row)
            self._show()
            self._tell("")

    @Slot()
    def _show(self) -> None:
        """Show the selected attribute."""
        row = self.list.currentRow()
        is_one = 0 <= row < len(self._attributes)
        self.form.setEnabled(is_one)
        self.remove.setEnabled(is_one)
        self.add.setEnabled(len(self._attributes) < MAX_ATTRIBUTES)
        if not is_one:
            return
        attribute = self._attributes[row]
        self.key.setText(attribute.key)
        self.title.setText(attribute.title)
        self.kind.setCurrentIndex(self.kind.findData(attribute.kind.value))
        listed = [kind.value for kind in attribute.applies_to]
        self.applies.setCurrentIndex(max(0, self.applies.findData(listed)))
        self.options.setText(", ".join(attribute.options))
        for line, number in ((self.low, attribute.low), (self.high, attribute.high)):
            line.setText("" if number is None else f"{number:g}")
        default = attribute.default
        text = str(default).lower() if isinstance(default, bool) else str(default)
        self.default.setText("" if default is None else text)
        self.required.setChecked(attribute.is_required)
        self.mutable.setChecked(attribute.is_mutable)
        self.labels.setText(", ".join(attribute.labels))
        self.help.setText(attribute.help)
        self.shortcut.setKeySequence(QKeySequence(attribute.shortcut))
        self._enable(attribute.kind)

    def _enable(self, kind: AttributeKind) -> None:
        self.options.setEnabled(kind is AttributeKind.CHOICE)
        for line in (self.low, self.high):
            line.setEnabled(kind is AttributeKind.NUMBER)

    @Slot()
    def _check(self) -> None:
        """Apply the entries, or show why they are invalid."""
        row = self.list.currentRow()
        try:
            made = self._entered()
            if any(a.key == made.key for i, a in enumerate(self._attributes) if i != row):
                raise RecipeError(self.tr("The key “{key}” is used twice.").format(key=made.key))
        except RecipeError as error:
            self._tell(error.text)
            return
        self._attributes[row] = made
        self.list.item(row).setText(made.title)
        self._enable(made.kind)
        self._tell("")

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)
        self.list.setEnabled(not problem)
        self.add.setEnabled(not problem)

    def _entered(self) -> Attribute:
        """Return the attribute of the form; RecipeError when it is not possible."""
        kind = AttributeKind(self.kind.currentData())
        self._enable(kind)
        applies = tuple(AppliesTo(value) for value in self.applies.currentData())
        key = self.key.text().strip()
        is_choice, is_number = kind is AttributeKind.CHOICE, kind is AttributeKind.NUMBER
        draft = Attribute(
            key,
            self.title.text().strip() or key,
            kind,
            _listed(self.options.text()) if is_choice else (),
            self._number(self.low) if is_number else None,
            self._number(self.high) if is_number else None,
            None,
            self.mutable.isChecked() and not self.mutable.isHidden(),
            self.required.isChecked(),
            _listed(self.labels.text()),
            self.help.text().strip(),
            applies,
            self.shortcut.keySequence().toString(QKeySequence.SequenceFormat.PortableText),
        )
        default = self.default.text().strip()
        if default:
            value = draft.read(default)
            if value is None:
                text = self.tr("“{value}” is not a value of this attribute.")
                raise RecipeError(text.format(value=default))
            draft = replace(draft, default=value)
        # What a file would refuse is refused here, with the same sentence.
        text = "\n".join(attribute_lines(draft, self._kinds[:1]))
        return attribute_from(TomlTable(tomllib.loads(text), "attribute"), self._kinds[:1])

    def _number(self, line: QLineEdit) -> float | None:
        text = line.text().strip()
        try:
            return float(text) if text else None
        except ValueError:
            said = self.tr("“{value}” is not a number.").format(value=text)
            raise RecipeError(said) from None


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
