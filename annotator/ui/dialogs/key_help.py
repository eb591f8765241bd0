"""The key help: every action with its keys, searchable."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.actions.keymap import shown
from annotator.ui.actions.specs import menu_title, shown_specs
from annotator.ui.actions.table import ActionTable

MOUSE: Final = (
    ("Click", "Select the object; the smallest one under the cursor goes first"),
    ("Ctrl+Click", "Add to the selection, or take away"),
    ("Drag inside a box", "Move it"),
    ("Drag a handle", "Resize"),
    ("Click on a proposal", "Accept it on this frame"),
    ("Drag on a proposal", "Correct it: it becomes a keyframe"),
    ("Drag a point", "Move it; with Shift eight times finer"),
    ("Right click on a point", "Occluded on this frame, or not"),
    ("Wheel", "Zoom at the cursor; scroll lanes that do not fit"),
    ("Middle drag, or drag on nothing", "Move the picture about"),
    ("Ctrl+Wheel", "Zoom the timeline, over its lanes too"),
    ("Shift+Wheel", "Scroll the timeline"),
    ("Right click", "Menu of the object"),
)


class KeyHelp(QDialog):
    """All keys by menu, and what the mouse does."""

    def __init__(self, table: ActionTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search by action or shortcut"))
        self.search.setAccessibleName(self.tr("Search shortcuts"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_search_changed)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(self.tr("Keyboard shortcuts"))
        self.tree.setHeaderLabels([self.tr("Action"), self.tr("Shortcut"), self.tr("Same as in")])
        self.tree.setAlternatingRowColors(True)
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        self._fill(table)
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(False)
        layout = QVBoxLayout(self)
        layout.addWidget(self.search)
        layout.addWidget(self.tree, 1)
        self.resize(760, 640)

    def visible_texts(self) -> list[str]:
        """Return the actions that the search leaves."""
        return [
            row.text(0)
            for group in self._groups()
            for row in _children(group)
            if not row.isHidden()
        ]

    def _fill(self, table: ActionTable) -> None:
        groups: dict[str, QTreeWidgetItem] = {}
        for spec in shown_specs():
            group = groups.get(spec.menu)
            if group is None:
                group = groups[spec.menu] = self._group(menu_title(spec.menu))
            keys = "   ".join(shown(key) for key in table.keymap.keys(spec.id))
            row = QTreeWidgetItem(group, [spec.text.rstrip("…"), keys, spec.peers])
            row.setToolTip(0, spec.tip)
        mouse = self._group(self.tr("Mouse"))
        for what, does in MOUSE:
            QTreeWidgetItem(mouse, [does, what, ""])

    def _group(self, title: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self.tree, [title])
        font = group.font(0)
        font.setBold(True)
        group.setFont(0, font)
        group.setExpanded(True)
        return group

    def _groups(self) -> list[QTreeWidgetItem]:
        items = (self.tree.topLevelItem(i) for i in range(self.tree.topLevelItemCount()))
        return [item for item in items if item is not None]

    @Slot(str)
    def _on_search_changed(self, text: str) -> None:
        wanted = text.casefold()
        for group in self._groups():
            is_empty = True
            for row in _children(group):
                words = f"{row.text(0)} {row.text(1)} {row.text(2)} {row.toolTip(0)}".casefold()
                row.setHidden(wanted not in words)
                is_empty = is_empty and row.isHidden()
            group.setHidden(is_empty)


def _children(group: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    rows = (group.child(i) for i in range(group.childCount()))
    return [row for row in rows if row is not None]
