"""The preferences: a form made from the table of settings, and the page of keys."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.services.settings import SETTINGS, Setting, Settings, Value
from annotator.ui.actions.keymap import Keymap, normal, preset, preset_names, shown
from annotator.ui.actions.specs import menu_title, shown_specs
from annotator.ui.dialogs.file_dialogs import ask_folder, ask_model
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

_ID: Final = Qt.ItemDataRole.UserRole


class KeysPage(QWidget):
    """Shows and changes a keymap; ``changed`` carries the new one."""

    changed = Signal(object)  # Keymap
    placeWanted = Signal(bool)

    def __init__(
        self,
        hub: ThemeHub,
        keymap: Keymap,
        *,
        is_by_place: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._hub = hub
        self._keymap = keymap
        self.preset = QComboBox()
        for name in preset_names():
            self.preset.addItem(preset(name).title, name)
        self.preset.setCurrentIndex(self.preset.findData(keymap.preset))
        self.preset.activated.connect(self._on_preset_activated)
        self.by_place = QCheckBox(self.tr("Match letters by key &position (US keyboard)"))
        self.by_place.setChecked(is_by_place)
        self.by_place.toggled.connect(self.placeWanted)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search actions"))
        self.search.setAccessibleName(self.tr("Search actions"))
        self.search.textChanged.connect(self._on_search_changed)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(self.tr("Shortcuts of all actions"))
        self.tree.setHeaderLabels([self.tr("Action"), self.tr("Shortcut"), ""])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.currentItemChanged.connect(self._on_current_changed)
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(False)
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setClearButtonEnabled(True)
        self.edit.setAccessibleName(self.tr("New shortcut"))
        self.edit.keySequenceChanged.connect(self._show_word)
        self._set = QPushButton(self.tr("Set shortcut"))
        self._set.setAutoDefault(False)
        self._set.clicked.connect(self.use_key)
        self._reset = QPushButton(self.tr("Reset to preset"))
        self._reset.setAutoDefault(False)
        self._reset.clicked.connect(self._on_reset_clicked)
        self._word = plain(QLabel())
        self._word.setWordWrap(True)
        form = QFormLayout()
        form.addRow(self.tr("P&reset"), self.preset)
        form.addRow("", self.by_place)
        row = QHBoxLayout()
        row.addWidget(self.edit, 1)
        row.addWidget(self._set)
        row.addWidget(self._reset)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self.search)
        layout.addWidget(self.tree, 1)
        layout.addLayout(row)
        layout.addWidget(self._word)
        self._fill()
        self.choose(shown_specs()[0].id)

    @property
    def keymap(self) -> Keymap:
        return self._keymap

    def choose(self, action_id: str) -> None:
        """Make an action the current one."""
        for i in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(i)
            if item is not None and item.data(0, _ID) == action_id:
                self.tree.setCurrentItem(item)

    @Slot()
    def use_key(self) -> None:
        """Give the current action the key typed, and no other; an empty one takes its keys."""
        action_id = self._current()
        if action_id is None:
            return
        key = self._typed()
        keymap = self._keymap
        for other in keymap.rivals(action_id, key) if key else []:
            rest = tuple(k for k in keymap.keys(other) if normal(k) != key)
            keymap = keymap.with_keys(other, rest)
        self._take(keymap.with_keys(action_id, (key,) if key else ()))

    def word(self) -> str:
        """Return the message about the typed key."""
        return self._word.text()

    def _fill(self) -> None:
        current = self._current()
        self.tree.clear()
        conflicts = self._keymap.conflicts()
        clashing = {action_id for ids in conflicts.values() for action_id in ids}
        theme = self._hub.theme
        for spec in shown_specs():
            keys = "   ".join(shown(k) for k in self._keymap.keys(spec.id))
            mark = self.tr("changed") if self._keymap.is_changed(spec.id) else ""
            name = f"{menu_title(spec.menu)}: {spec.text.rstrip('…')}"
            item = QTreeWidgetItem([name, keys, mark])
            item.setData(0, _ID, spec.id)
            item.setToolTip(0, spec.tip)
            if spec.id in clashing:
                item.setIcon(1, theme.icon("warning", token="warning"))
                item.setToolTip(1, self.tr("Another action has the same shortcut."))
            self.tree.addTopLevelItem(item)
        self._on_search_changed(self.search.text())
        if current is not None:
            self.choose(current)

    def _current(self) -> str | None:
        item = self.tree.currentItem()
        return None if item is None else str(item.data(0, _ID))

    def _typed(self) -> str:
        return self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _take(self, keymap: Keymap) -> None:
        self._keymap = keymap
        self._fill()
        self._show_word()
        self.changed.emit(keymap)

    @Slot()
    def _show_word(self) -> None:
        action_id, key = self._current(), self._typed()
        others = self._keymap.rivals(action_id, key) if action_id and key else []
        if not others:
            self._word.setText("")
            return
        texts = {spec.id: spec.text for spec in shown_specs()}
        names = ", ".join(texts[i] for i in others)
        text = self.tr("{key} is assigned to “{names}”. Setting it here removes it there.")
        self._word.setText(text.format(key=shown(key), names=names))

    @Slot(int)
    def _on_preset_activated(self, index: int) -> None:
        self._take(Keymap(str(self.preset.itemData(index)), self._keymap.overrides))

    @Slot()
    def _on_reset_clicked(self) -> None:
        action_id = self._current()
        if action_id is not None:
            self._take(self._keymap.without(action_id))

    @Slot()
    def _on_current_changed(self) -> None:
        action_id = self._current()
        keys = self._keymap.keys(action_id) if action_id else ()
        self.edit.setKeySequence(QKeySequence(keys[0]) if keys else QKeySequence())
        self._reset.setEnabled(action_id is not None and self._keymap.is_changed(action_id))
        self._show_word()

    @Slot(str)
    def _on_search_changed(self, text: str) -> None:
        wanted = text.casefold()
        for i in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(i)
            if item is not None:
                words = f"{item.text(0)} {item.text(1)}".casefold()
                item.setHidden(wanted not in words)


_KEYS_GROUP: Final = "Shortcuts"
_HUB_GROUP: Final = "Shared work"
_AFTER_RESTART: Final = ("appearance.scale", "playback.cache_mb", "proposals.model")
# By the end of a setting's key.
_UNITS: Final = {
    ".scale": " %",
    "_ms": " ms",
    "_mb": " MB",
    "_gb": " GB",
    "_px": " px",
    "_db": " dB",
}
_NUMBER_PX: Final = 150


class PreferencesDialog(QDialog):
    """Every change holds at once; there is nothing to apply."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings: Settings = workspace.settings
        self.fields: dict[str, QWidget] = {}
        self._word = plain(QLabel())
        self._word.setWordWrap(True)
        tabs = QTabWidget()
        tabs.addTab(self._general_page(is_shared=_is_shared(workspace)), self.tr("General"))
        keymap = Keymap(self._settings.text("keys.preset"), self._settings.bindings)
        is_by_place = self._settings.flag("keys.by_place")
        self.keys = KeysPage(workspace.hub, keymap, is_by_place=is_by_place)
        self.keys.changed.connect(self._on_keys_changed)
        self.keys.placeWanted.connect(lambda is_on: self._set("keys.by_place", is_on))
        tabs.addTab(self.keys, self.tr("Shortcuts"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(tabs, 1)
        layout.addWidget(self._word)
        layout.addWidget(buttons)
        self.resize(660, 600)

    def word(self) -> str:
        """Return the text below the pages."""
        return self._word.text()

    def _general_page(self, *, is_shared: bool) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(8)
        group = ""
        for setting in SETTINGS:
            if setting.group == _KEYS_GROUP or (setting.group == _HUB_GROUP and not is_shared):
                continue
            if setting.group != group:
                group = setting.group
                form.addRow(_heading(group))
            field = self._field(setting)
            field.setToolTip(setting.help)
            field.setAccessibleDescription(setting.help)
            self.fields[setting.key] = field
            label = "" if isinstance(field, QCheckBox) else setting.label
            form.addRow(label, self._with_browse(setting, field))
        layout.addLayout(form)
        layout.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return scroll

    def _field(self, setting: Setting) -> QWidget:
        value = self._settings.get(setting.key)
        take: Callable[[Value], None] = lambda new: self._set(setting.key, new)  # noqa: E731
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
            path = ask_folder(self, known or Path.home())
        else:
            path = ask_model(self, known.parent if known is not None else None)
        if path is not None:
            field.setText(str(path))
            self._set(setting.key, str(path))

    def _set(self, key: str, value: Value) -> None:
        try:
            self._settings.set(key, value)
        except UserError as error:
            self._word.setText(str(error))
            return
        is_later = key in _AFTER_RESTART
        self._word.setText(self.tr("Restart the program to apply this change.") if is_later else "")

    def _on_keys_changed(self, keymap: Keymap) -> None:
        try:
            self._settings.set("keys.preset", keymap.preset)
            self._settings.set_bindings(keymap.overrides)
        except UserError as error:
            self._word.setText(str(error))


def _is_shared(workspace: Workspace) -> bool:
    """Return whether the open project belongs to one person of a shared project."""
    from annotator.services.hub.hub_status import is_shared

    return workspace.project is not None and is_shared(workspace.project)


def _heading(text: str) -> QLabel:
    label = plain(QLabel(text))
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    label.setContentsMargins(0, 6, 0, 0)
    return label


def _unit(setting: Setting) -> str:
    return next((unit for end, unit in _UNITS.items() if setting.key.endswith(end)), "")
