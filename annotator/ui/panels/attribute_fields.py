"""Fields for the attributes of the selected objects, as the recipe defines them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QWidget

from annotator.domain.annotation.attributes import Attribute, AttributeKind, value_at
from annotator.domain.annotation.track import Track

_Field = QCheckBox | QComboBox | QLineEdit


class AttributeFields(QWidget):
    """One field for each attribute that fits the object; ``changed`` tells attribute and value."""

    changed = Signal(object, object)  # Attribute, value

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, _Field] = {}
        self._attributes: tuple[Attribute, ...] = ()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(7)

    def show_values(
        self, attributes: Sequence[Attribute], track: Track, frame: int, *, may_edit: bool
    ) -> None:
        """Show the values of a track on a frame."""
        fitting = tuple(a for a in attributes if a.fits(track.label))
        if fitting != self._attributes:
            self._build(fitting)
        for attribute in fitting:
            field = self.fields[attribute.key]
            field.setEnabled(may_edit)
            with QSignalBlocker(field):
                _put(field, value_at(track.info.attributes, attribute, frame))
        self.setVisible(bool(fitting))

    def _build(self, attributes: tuple[Attribute, ...]) -> None:
        while self._form.rowCount():
            self._form.removeRow(0)
        self.fields = {}
        self._attributes = attributes
        for attribute in attributes:
            field = self._field(attribute)
            field.setAccessibleName(attribute.title)
            tip = attribute.help
            if attribute.is_mutable:
                tip = f"{tip} {self.tr('Holds from this frame on.')}".strip()
            field.setToolTip(f"<span>{tip.replace('<', '&lt;')}</span>" if tip else "")
            self.fields[attribute.key] = field
            if isinstance(field, QCheckBox):
                self._form.addRow("", field)
            else:
                mark = " *" if attribute.is_required else ""
                self._form.addRow(f"{attribute.title.replace('&', '&&')}{mark}", field)

    def _field(self, attribute: Attribute) -> _Field:
        if attribute.kind is AttributeKind.CHECKBOX:
            check = QCheckBox(attribute.title.replace("&", "&&"))
            check.clicked.connect(lambda is_on: self.changed.emit(attribute, is_on))
            return check
        if attribute.kind is AttributeKind.CHOICE:
            choice = QComboBox()
            choice.addItem("–", None)
            for option in attribute.options:
                choice.addItem(option, option)
            choice.activated.connect(lambda _: self._tell_choice(attribute, choice))
            return choice
        line = QLineEdit()
        line.editingFinished.connect(lambda: self._tell_text(attribute, line))
        return line

    def _tell_choice(self, attribute: Attribute, choice: QComboBox) -> None:
        if choice.currentData() is not None:
            self.changed.emit(attribute, choice.currentData())

    def _tell_text(self, attribute: Attribute, line: QLineEdit) -> None:
        if line.isModified() and line.text():
            line.setModified(False)
            self.changed.emit(attribute, line.text())


def _put(field: _Field, value: bool | float | str | None) -> None:
    if isinstance(field, QCheckBox):
        field.setChecked(bool(value))
    elif isinstance(field, QComboBox):
        field.setCurrentIndex(max(0, field.findData(value)))
    elif not field.hasFocus() or not field.isModified():
        field.setText(
            "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        )
