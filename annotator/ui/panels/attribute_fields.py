"""Fields for the attributes of the selected object, point or segment, as they are defined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QWidget

from annotator.domain.annotation.attributes import (
    OCCLUDER,
    AppliesTo,
    Attribute,
    AttributeKind,
    changes_of,
    defined,
    value_at,
)
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Track
from annotator.domain.json_type import Json
from annotator.ui.actions.keymap import Keymap, normal, shown
from annotator.ui.look.widgets import ChoiceBox
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.workspace import Workspace

_Field = QCheckBox | QComboBox | QLineEdit


class AttributeFields(QWidget):
    """One field per applicable attribute; ``changed`` sends attribute and value."""

    changed = Signal(object, object)  # Attribute, value

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, _Field] = {}
        self._keymap: Keymap | None = None
        self._shortcuts: list[QShortcut] = []
        self._attributes: tuple[Attribute, ...] = ()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(7)

    def show_values(
        self,
        attributes: Sequence[Attribute],
        of: Track | PointTrack | Segment,
        frame: int,
        *,
        may_edit: bool,
    ) -> None:
        """Show the values of a track, point or segment on a frame."""
        kind, values = kind_and_values(of)
        fitting = tuple(a for a in attributes if a.fits(of.label, kind))
        if fitting != self._attributes:
            self._build(fitting)
        for attribute in fitting:
            field = self.fields[attribute.key]
            field.setEnabled(may_edit)
            with QSignalBlocker(field):
                _show_value(field, value_at(values, attribute, frame))
        for shortcut in self._shortcuts:
            shortcut.setEnabled(may_edit)
        self.setVisible(bool(fitting))

    def set_keymap(self, keymap: Keymap) -> None:
        """Let the keys of attributes work that no action has; others with Ctrl+Alt."""
        self._keymap = keymap
        self._build(self._attributes)

    def release_keys(self) -> None:
        """Disable keys whose target is no longer selected."""
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)

    def _key_of(self, attribute: Attribute) -> str:
        """Return the key of an attribute, "" where none is free."""
        if not attribute.shortcut or self._keymap is None:
            return ""
        keys = (normal(f"{held}{attribute.shortcut}") for held in ("", "Ctrl+Alt+"))
        return next((key for key in keys if key and not self._keymap.users(key)), "")

    def _press(self, attribute: Attribute) -> None:
        """Tick a checkbox, go to the next option, or lead to the field."""
        field = self.fields.get(attribute.key)
        if field is None or not field.isEnabled():
            return
        if isinstance(field, QCheckBox):
            field.click()
        elif isinstance(field, QComboBox):
            field.setCurrentIndex(field.currentIndex() % (field.count() - 1) + 1)
            self._tell_choice(attribute, field)
        else:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def _build(self, attributes: tuple[Attribute, ...]) -> None:
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)
            shortcut.deleteLater()
        self._shortcuts = []
        while self._form.rowCount():
            self._form.removeRow(0)
        self.fields = {}
        self._attributes = attributes
        for attribute in attributes:
            if attribute is OCCLUDER:
                # The only one that the program itself names.
                title = self.tr("Occluder (hides other objects)")
                attribute = replace(attribute, title=title)
            field = self._field(attribute)
            field.setAccessibleName(attribute.title)
            tip = attribute.help
            if attribute.is_mutable:
                tip = f"{tip} {self.tr('Holds from this frame on.')}".strip()
            if key := self._key_of(attribute):
                tip = f"{tip} ({shown(key)})".strip()
                shortcut = QShortcut(QKeySequence(key), self.window())
                shortcut.activated.connect(partial(self._press, attribute))
                self._shortcuts.append(shortcut)
            field.setToolTip(plain_tip(tip))
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
            choice = ChoiceBox()
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


def kind_and_values(of: Track | PointTrack | Segment) -> tuple[AppliesTo, dict[str, Json]]:
    """Return the type of an annotation, and the values of its attributes by key."""
    if isinstance(of, Segment):
        return AppliesTo(of.lane.value), of.attributes
    if isinstance(of, PointTrack):
        return AppliesTo.POINT, of.attributes
    return AppliesTo.OBJECT, of.info.attributes


def attribute_text(attribute: Attribute, label: str, values: Mapping[str, Json]) -> str:
    """Return the values of an attribute in words, those that change in the order of time."""
    if not attribute.fits(label):
        return ""
    kept = values.get(attribute.key)
    told = [value for _, value in changes_of(kept)] if isinstance(kept, dict) else [kept]
    read = [attribute.read(v) if v is not None else attribute.default for v in told]
    return " → ".join("–" if value is None else _in_words(value) for value in read)


def _in_words(value: bool | float | str) -> str:
    if isinstance(value, bool):
        return "✓" if value else "✗"
    return f"{value:g}" if isinstance(value, float) else str(value)


def defined_in(workspace: Workspace) -> tuple[Attribute, ...]:
    """Return the attributes that the recipe and the label sets of the project define."""
    project = workspace.project
    if project is None:
        return ()
    sets = (project.label_set(lane).attributes for lane in Lane)
    return defined(project.work.recipe.attributes, *sets)


def object_attributes(workspace: Workspace) -> tuple[Attribute, ...]:
    """Return the attributes of objects that the project defines, without the built-in one."""
    return tuple(
        each
        for each in defined_in(workspace)
        if AppliesTo.OBJECT in each.applies_to and each is not OCCLUDER
    )


def _show_value(field: _Field, value: bool | float | str | None) -> None:
    if isinstance(field, QCheckBox):
        field.setChecked(bool(value))
    elif isinstance(field, QComboBox):
        field.setCurrentIndex(max(0, field.findData(value)))
    elif not field.hasFocus() or not field.isModified():
        field.setText(
            "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        )
