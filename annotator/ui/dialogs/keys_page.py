"""The page of the preferences that shows and changes the shortcuts of all actions."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.actions.keymap import Keymap, normal, preset, preset_names, shown
from annotator.ui.actions.specs import menu_title, shown_specs
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain

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
