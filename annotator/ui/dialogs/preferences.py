"""The preferences: groups at the left, a form made from the table of settings, and shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.services.settings import SETTINGS, Setting, Settings, Value
from annotator.ui.actions.keymap import Keymap
from annotator.ui.dialogs.file_dialogs import ask_folder, ask_model
from annotator.ui.dialogs.keys_page import KeysPage
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

_KEYS_GROUP: Final = "Shortcuts"
_HUB_GROUP: Final = "Shared work"
_AFTER_RESTART: Final = ("appearance.scale", "playback.cache_mb", "proposals.model")
# By the end of a setting's key.
_UNITS: Final = {
    ".scale": "%",
    "_ms": " ms",
    "_mb": " MB",
    "_gb": " GB",
    "_px": " px",
    "_db": " dB",
}
_NUMBER_PX: Final = 150
_GROUPS_PX: Final = 176
_SIZE: Final = (760, 580)


class PreferencesDialog(QDialog):
    """Every change holds at once; there is nothing to apply."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings: Settings = workspace.settings
        is_shared = _is_shared(workspace)
        hidden = {_KEYS_GROUP} if is_shared else {_KEYS_GROUP, _HUB_GROUP}
        self.form = SettingsForm(self._settings, [s for s in SETTINGS if s.group not in hidden])
        self.fields = self.form.fields
        keymap = Keymap(self._settings.text("keys.preset"), self._settings.bindings)
        is_by_place = self._settings.flag("keys.by_place")
        self.keys = KeysPage(workspace.hub, keymap, is_by_place=is_by_place)
        self.keys.changed.connect(self._on_keys_changed)
        self.keys.placeWanted.connect(self._on_place_wanted)
        self._word = plain(QLabel())
        self._word.setWordWrap(True)
        self.form.said.connect(self._word.setText)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search settings"))
        self.search.setAccessibleName(self.tr("Search settings"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_search_changed)
        self.groups = QListWidget()
        self.groups.setAccessibleName(self.tr("Groups of settings"))
        self.groups.addItems([*self.form.groups, _KEYS_GROUP])
        self.groups.currentTextChanged.connect(self._on_group_chosen)
        self.form.groupShown.connect(self._on_group_shown)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.form)
        self._pages.addWidget(self.keys)
        self._lay_out()
        self.groups.setCurrentRow(0)

    def word(self) -> str:
        """Return the text below the pages."""
        return self._word.text()

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        left = QVBoxLayout()
        left.setSpacing(8)
        for widget in (self.search, self.groups):
            widget.setFixedWidth(_GROUPS_PX)
            left.addWidget(widget)
        both = QHBoxLayout()
        both.setSpacing(16)
        both.addLayout(left)
        both.addWidget(self._pages, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(both, 1)
        layout.addWidget(self._word)
        layout.addWidget(buttons)
        self.resize(*_SIZE)

    @Slot(str)
    def _on_group_chosen(self, group: str) -> None:
        self._pages.setCurrentWidget(self.keys if group == _KEYS_GROUP else self.form)
        if group and group != _KEYS_GROUP:
            self.form.show_group(group)

    @Slot(str)
    def _on_group_shown(self, group: str) -> None:
        """Follow the scrolling of the form."""
        found = self.groups.findItems(group, Qt.MatchFlag.MatchExactly)
        if found and self._pages.currentWidget() is self.form:
            with QSignalBlocker(self.groups):
                self.groups.setCurrentItem(found[0])

    @Slot(str)
    def _on_search_changed(self, text: str) -> None:
        found = self.form.show_only(text)
        for row in range(self.groups.count()):
            item = self.groups.item(row)
            is_keys = item.text() == _KEYS_GROUP and text.casefold() in _KEYS_GROUP.casefold()
            item.setHidden(not (is_keys or item.text() in found))
        if found:
            self._pages.setCurrentWidget(self.form)
            self._on_group_shown(found[0])
        elif text.casefold() in _KEYS_GROUP.casefold():
            self._pages.setCurrentWidget(self.keys)

    def _on_place_wanted(self, is_on: bool) -> None:
        self.form.set_value("keys.by_place", is_on)

    def _on_keys_changed(self, keymap: Keymap) -> None:
        try:
            self._settings.set("keys.preset", keymap.preset)
            self._settings.set_bindings(keymap.overrides)
        except UserError as error:
            self._word.setText(str(error))


class SettingsForm(QScrollArea):
    """A field for each setting under the headings of their groups.

    ``said`` carries a message about the last change, ``groupShown`` the group at the top.
    """

    said = Signal(str)
    groupShown = Signal(str)

    def __init__(self, settings: Settings, listed: Iterable[Setting]) -> None:
        super().__init__()
        self._settings = settings
        self._listed = list(listed)
        self.groups = list(dict.fromkeys(setting.group for setting in self._listed))
        self.fields: dict[str, QWidget] = {}
        self.restore: dict[str, QToolButton] = {}
        """The buttons that restore the defaults of a group."""
        self._is_led = False  # to a group: it stays the chosen one, however low it is
        self._heads: dict[str, QWidget] = {}
        self._rows: dict[str, QWidget] = {}
        page = QWidget()
        self._form = QFormLayout()
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setVerticalSpacing(8)
        for setting in self._listed:
            self._add(setting)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.addLayout(self._form)
        layout.addStretch(1)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._show_restore()

    def set_value(self, key: str, value: Value) -> None:
        """Change a setting, which may not have a field here."""
        try:
            self._settings.set(key, value)
        except UserError as error:
            self.said.emit(str(error))
            return
        later = self.tr("Restart the program to apply this change.")
        self.said.emit(later if key in _AFTER_RESTART else "")
        self._show_restore()

    def show_group(self, group: str) -> None:
        """Scroll to a group."""
        self._is_led = True
        self.verticalScrollBar().setValue(self._heads[group].y())
        self._is_led = False

    def show_only(self, text: str) -> list[str]:
        """Show the settings with a text in their words; return the groups that are left."""
        wanted, found = text.casefold(), list[str]()
        for setting in self._listed:
            words = f"{setting.group} {setting.label} {setting.help}".casefold()
            is_shown = wanted in words
            self._form.setRowVisible(self._rows[setting.key], is_shown)
            if is_shown and setting.group not in found:
                found.append(setting.group)
        for group, head in self._heads.items():
            self._form.setRowVisible(head, group in found)
        return found

    def _add(self, setting: Setting) -> None:
        if setting.group not in self._heads:
            self._heads[setting.group] = head = self._heading(setting.group)
            self._form.addRow(head)
        field = self._field(setting)
        field.setToolTip(setting.help)
        field.setAccessibleDescription(setting.help)
        self.fields[setting.key] = field
        self._rows[setting.key] = row = self._with_browse(setting, field)
        self._form.addRow("" if isinstance(field, QCheckBox) else setting.label, row)

    def _heading(self, group: str) -> QWidget:
        label = plain(QLabel(group))
        font = label.font()
        font.setBold(True)
        label.setFont(font)
        restore = QToolButton()
        restore.setText(self.tr("Restore defaults"))
        restore.setAccessibleName(self.tr("Restore defaults of “{group}”").format(group=group))
        restore.clicked.connect(lambda: self._restore(group))
        self.restore[group] = restore
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.addWidget(label, 1)
        layout.addWidget(restore)
        row.setMinimumHeight(restore.sizeHint().height() + 8)
        return row

    def _restore(self, group: str) -> None:
        for setting in self._listed:
            if setting.group == group and self._settings.get(setting.key) != setting.default:
                self.set_value(setting.key, setting.default)
                _show_value(self.fields[setting.key], self._settings.get(setting.key))

    def _show_restore(self) -> None:
        """Offer the defaults of groups in which something was changed."""
        changed = {s.group for s in self._listed if self._settings.get(s.key) != s.default}
        for group, button in self.restore.items():
            button.setVisible(group in changed)

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        if self._is_led:
            return
        passed = [group for group, head in self._heads.items() if head.y() <= value]
        self.groupShown.emit(passed[-1] if passed else self.groups[0])

    def _field(self, setting: Setting) -> QWidget:
        value = self._settings.get(setting.key)
        take: Callable[[Value], None] = lambda new: self.set_value(setting.key, new)  # noqa: E731
        if setting.kind == "flag":
            check = QCheckBox(setting.label)
            check.setChecked(bool(value))
            check.toggled.connect(take)
            return check
        if setting.kind == "choice":
            box = QComboBox()
            for choice in setting.choices:
                box.addItem(choice.replace("-", " ").capitalize(), choice)
            box.setCurrentIndex(box.findData(value))
            box.activated.connect(lambda index: take(str(box.itemData(index))))
            return box
        if setting.kind in ("whole", "number"):
            return self._number_field(setting, value, take)
        if setting.key == "proposals.tracker":
            return self._tracker_field(str(value), take)
        line = QLineEdit(str(value))
        line.editingFinished.connect(lambda: take(line.text().strip()))
        return line

    def _tracker_field(self, value: str, take: Callable[[Value], None]) -> QWidget:
        box = QComboBox()
        names = {point.name for point in entry_points(group="annotator.assist")}
        box.addItems(sorted(names | {value}))
        box.setCurrentText(value)
        box.textActivated.connect(take)
        return box

    def _number_field(
        self, setting: Setting, value: Value, take: Callable[[Value], None]
    ) -> QWidget:
        low, high = setting.low or 0, setting.high or 0
        if setting.kind == "whole":
            spin_box = QSpinBox()
            spin_box.setRange(int(low), int(high))
            spin_box.setSingleStep(10 if high <= 1000 else 64)
            spin_box.setSuffix(_unit(setting))
            spin_box.setMaximumWidth(_NUMBER_PX)
            spin_box.setKeyboardTracking(False)
            spin_box.setValue(int(value))
            spin_box.valueChanged.connect(take)
            return spin_box
        number = QDoubleSpinBox()
        number.setRange(low, high)
        number.setSingleStep((high - low) / 20)
        number.setSuffix(_unit(setting))
        number.setMaximumWidth(_NUMBER_PX)
        number.setKeyboardTracking(False)
        number.setValue(float(value))
        number.valueChanged.connect(take)
        return number

    def _with_browse(self, setting: Setting, field: QWidget) -> QWidget:
        if setting.kind not in ("path", "folder") or not isinstance(field, QLineEdit):
            return field
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        browse = QPushButton(self.tr("Browse…"))
        browse.setAutoDefault(False)
        browse.clicked.connect(lambda: self._browse(setting, field))
        layout.addWidget(field, 1)
        layout.addWidget(browse)
        return row

    def _browse(self, setting: Setting, field: QLineEdit) -> None:
        known = Path(field.text()) if field.text() else None
        if setting.kind == "folder":
            path = ask_folder(self, self.tr("Select folder"), instead_of=known or Path.home())
        else:
            path = ask_model(self, known.parent if known is not None else None)
        if path is not None:
            field.setText(str(path))
            self.set_value(setting.key, str(path))


def _show_value(field: QWidget, value: Value) -> None:
    """Show a value in its field, without taking it from there."""
    with QSignalBlocker(field):
        match field:
            case QCheckBox():
                field.setChecked(bool(value))
            case QComboBox():
                index = field.findData(value)
                field.setCurrentIndex(index if index >= 0 else field.findText(str(value)))
            case QSpinBox():
                field.setValue(int(value))
            case QDoubleSpinBox():
                field.setValue(float(value))
            case QLineEdit():
                field.setText(str(value))


def _is_shared(workspace: Workspace) -> bool:
    """Return whether the open project belongs to one person of a shared project."""
    from annotator.services.hub.hub_status import is_shared

    return workspace.project is not None and is_shared(workspace.project)


def _unit(setting: Setting) -> str:
    return next((unit for end, unit in _UNITS.items() if setting.key.endswith(end)), "")
