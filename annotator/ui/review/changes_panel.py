"""The panel Changes: differences to an earlier submission, grouped by object."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QCoreApplication, QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.review import Difference, DifferenceKind
from annotator.services.workflow.review import EarlierState
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.widgets import plain
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.panels.list_panel import ListPanel, ListView
from annotator.ui.panels.two_levels import NOWHERE, AnyIndex, TwoLevels
from annotator.ui.review.change_texts import difference_text, earlier_text, group_text
from annotator.ui.review.open_review import MANY, Reviewing, owner_of
from annotator.ui.state.workspace import Workspace

_SIGNS: Final = {
    DifferenceKind.ADDED: ("plus", "success"),
    DifferenceKind.REMOVED: ("delete", "error"),
    DifferenceKind.CHANGED: ("rename", "accent"),
}


class ChangeColumn(IntEnum):
    """Columns of the panel."""

    WHAT = 0
    FRAME = 1
    JUDGED = 2


_HEADS: Final = {ChangeColumn.WHAT: "Change", ChangeColumn.FRAME: "Frame", ChangeColumn.JUDGED: ""}


@dataclass(slots=True)
class _Group:
    """An object or a lane, with what differs of it."""

    title: str
    color: int | None
    items: list[Difference] = field(default_factory=list)


class ChangeRows(TwoLevels):
    """Groups at the top level, differences below them."""

    def __init__(self, workspace: Workspace, reviewing: Reviewing) -> None:
        super().__init__(reviewing)
        self._workspace = workspace
        self._reviewing = reviewing
        self._groups: list[_Group] = []
        self._shown: tuple[Difference, ...] | None = None
        reviewing.changed.connect(self.reload)
        workspace.hub.changed.connect(self._on_looks_changed)
        workspace.labels.setChanged.connect(self._on_looks_changed)
        self.reload()

    def item(self, index: AnyIndex) -> Difference | None:
        """Return the difference of a row; None for a group."""
        if not index.isValid() or index.internalId() == 0:
            return None
        return self._groups[index.internalId() - 1].items[index.row()]

    def items_below(self, index: AnyIndex) -> tuple[Difference, ...]:
        """Return the differences of a row: one, or all of a group."""
        item = self.item(index)
        if item is not None:
            return (item,)
        return tuple(self._groups[index.row()].items) if index.isValid() else ()

    def index_of(self, item: Difference | None) -> QModelIndex:
        """Return the row of a difference; nowhere where it is not listed."""
        for row, group in enumerate(self._groups if item is not None else ()):
            for place, each in enumerate(group.items):
                if each is item or (item is not None and each.key == item.key):
                    return self.index(place, 0, self.index(row, 0))
        return QModelIndex()

    @Slot()
    def reload(self) -> None:
        """Show the differences there are now; rows stay where only judgements are others."""
        items = self._reviewing.items
        if items is self._shown:
            self._on_looks_changed()
            return
        self.beginResetModel()
        self._shown = items
        self._groups = self._grouped(items)
        self.set_sizes(len(group.items) for group in self._groups)
        self.endResetModel()

    def columnCount(self, _parent: AnyIndex = NOWHERE) -> int:
        return len(ChangeColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        is_shown = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.DisplayRole and is_shown and _HEADS[ChangeColumn(section)]:
            return self.tr(_HEADS[ChangeColumn(section)])
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item, column = self.item(index), ChangeColumn(index.column())
        if item is None:
            return self._group_data(self._groups[index.row()], column, role)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            is_tip = role == Qt.ItemDataRole.ToolTipRole
            text = self._text(item, column, is_tip=is_tip)
            return plain_tip(text) if is_tip else text
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon(item, column)
        if role == Qt.ItemDataRole.ForegroundRole and self._is_accepted(item):
            return self._workspace.hub.theme.color("text_dim")
        return None

    def _text(self, item: Difference, column: ChangeColumn, *, is_tip: bool) -> str:
        review, session = self._reviewing.review, self._workspace.session
        project = self._workspace.project
        if review is None or session is None:
            return ""
        reason = review.reason_for(item)
        if column is ChangeColumn.JUDGED:
            if not is_tip:
                return ""
            accepted = self.tr("Accepted") if review.is_accepted(item) else self.tr("Not reviewed")
            if reason is None or project is None:
                return accepted
            why = project.work.recipe.reason_text(reason.code, reason.text)
            return self.tr("Rejected: {why}").format(why=why)
        if column is ChangeColumn.FRAME:
            last = item.frames[-1] if item.frames else item.frame
            return str(item.frame) if last == item.frame else f"{item.frame}–{last}"
        return difference_text(item, review.before, session.document, self._workspace.labels)

    def _icon(self, item: Difference, column: ChangeColumn) -> QIcon | None:
        theme, review = self._workspace.hub.theme, self._reviewing.review
        if column is ChangeColumn.WHAT:
            name, token = _SIGNS[item.kind]
            return theme.icon(name, token=token)
        if column is ChangeColumn.FRAME or review is None or review.is_open(item):
            return None
        if review.is_accepted(item):
            return theme.icon("accept", token="success")
        return theme.icon("undo", token="warning")

    def _group_data(self, group: _Group, column: ChangeColumn, role: int) -> object:
        if column is ChangeColumn.WHAT and role == Qt.ItemDataRole.DisplayRole:
            return group.title
        if column is ChangeColumn.FRAME and role == Qt.ItemDataRole.DisplayRole:
            return str(len(group.items))
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(True)
            return font
        if column is ChangeColumn.WHAT and role == Qt.ItemDataRole.DecorationRole:
            color = group.color
            return (
                QColor(self._workspace.hub.theme.object_color(color)) if color is not None else None
            )
        return None

    def _is_accepted(self, item: Difference) -> bool:
        review = self._reviewing.review
        return review is not None and review.is_accepted(item)

    def _grouped(self, items: tuple[Difference, ...]) -> list[_Group]:
        review, session = self._reviewing.review, self._workspace.session
        if review is None or session is None:
            return []
        groups: dict[str, _Group] = {}
        for item in items:
            owner = owner_of(item, review.before, session.document)
            key = owner.id if owner is not None else group_text(item, None)
            if key not in groups:
                color = owner.info.color if owner is not None else None
                groups[key] = _Group(group_text(item, owner), color)
            groups[key].items.append(item)
        return list(groups.values())

    @Slot()
    def _on_looks_changed(self) -> None:
        self.layoutAboutToBeChanged.emit()
        self.layoutChanged.emit()


_WIDTHS: Final = {ChangeColumn.FRAME: 9, ChangeColumn.JUDGED: 2}
_JUDGING: Final = ("change.accept", "change.return", "change.undo")
_SHOWING: Final = ("review.before", "review.swipe", "review.side")
_STEPS: Final = ("change.previous", "change.next")


class ChangesPanel(ListPanel):
    """The list of differences; selecting a row shows it."""

    wanted = Signal(object)  # Differences: go to the first, all are in hand

    def __init__(self, workspace: Workspace, reviewing: Reviewing, table: ActionTable) -> None:
        self._workspace = workspace
        self._reviewing = reviewing
        self._choices: tuple[EarlierState, ...] = ()
        self.rows = ChangeRows(workspace, reviewing)
        super().__init__(ListView(self.rows, QCoreApplication.translate("ChangesPanel", "Changes")))
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Compare with"))
        self.choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.activated.connect(self._on_choice_activated)
        self.counts = plain(QLabel())
        self.counts.setWordWrap(True)
        self.view.setRootIsDecorated(True)
        self.view.setIndentation(14)
        self.view.set_widths(_WIDTHS, stretched=ChangeColumn.WHAT)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.clicked.connect(self._on_row_chosen)
        self.view.activated.connect(self._on_row_chosen)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(0, self.choice)
        layout.insertLayout(1, self._head(table))
        layout.insertWidget(2, self.counts)
        self.judging = QWidget()
        buttons = _buttons(table, _JUDGING, Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.addStretch(1)
        self.judging.setLayout(buttons)
        layout.addWidget(self.judging)
        self.rows.modelReset.connect(self._on_rows_changed)
        reviewing.changed.connect(self._show_counts)
        reviewing.currentChanged.connect(self._on_selection_changed)
        self._on_rows_changed()
        self._show_counts()

    def _head(self, table: ActionTable) -> QHBoxLayout:
        names = (self.tr("Overlay"), self.tr("Divider"), self.tr("Side by side"))
        for action_id, name in zip(_SHOWING, names, strict=True):
            table.action(action_id).setIconText(name)
        row = _buttons(table, _SHOWING, Qt.ToolButtonStyle.ToolButtonTextOnly)
        row.addStretch(1)
        row.addLayout(_buttons(table, _STEPS, Qt.ToolButtonStyle.ToolButtonIconOnly))
        return row

    @Slot(int)
    def _on_choice_activated(self, choice: int) -> None:
        self._reviewing.choose(choice)

    @Slot(QModelIndex)
    def _on_row_chosen(self, index: QModelIndex) -> None:
        items = self.rows.items_below(index.siblingAtColumn(0))
        if items:
            self.wanted.emit(items)

    @Slot()
    def _on_rows_changed(self) -> None:
        if len(self._reviewing.items) <= MANY:
            self.view.expandAll()
        super()._on_rows_changed()

    @Slot()
    def _on_selection_changed(self) -> None:
        index = self.rows.index_of(self._reviewing.current)
        if len(self._reviewing.in_hand) > 1:
            index = index.parent()
        self.view.show_selected([index] if index.isValid() else [])

    @Slot()
    def _show_counts(self) -> None:
        reviewing = self._reviewing
        with QSignalBlocker(self.choice):
            if reviewing.choices != self._choices:
                self._choices = reviewing.choices
                self.choice.clear()
                self.choice.addItems([earlier_text(state) for state in reviewing.choices])
            self.choice.setCurrentIndex(reviewing.choice)
        self.choice.setEnabled(len(reviewing.choices) > 1)
        review, items = reviewing.review, reviewing.items
        can_judge = self._workspace.can_edit
        n_open = len(review.open_items) if review is not None else 0
        self.judging.setVisible(can_judge)
        self.counts.setVisible(bool(items))
        kinds = Counter(item.kind for item in items)
        counted_kinds = [
            text.format(n=kinds[kind])
            for kind, text in (
                (DifferenceKind.ADDED, self.tr("{n} added")),
                (DifferenceKind.REMOVED, self.tr("{n} removed")),
                (DifferenceKind.CHANGED, self.tr("{n} changed")),
            )
            if kinds[kind]
        ]
        if can_judge:
            open_text = self.tr("{n} of {m} not reviewed").format(n=n_open, m=len(items))
            counted_kinds.append(open_text)
        self.counts.setText(" · ".join(counted_kinds))
        if not items:
            # Why there is nothing may be another reason than before.
            super()._on_rows_changed()
        set_dock_count(self, self.tr("Changes"), n_open if can_judge else len(items))

    def _empty_text(self) -> str:
        if self._workspace.session is None:
            return self.tr("Open a task to see its changes.")
        if self._reviewing.review is None:
            return self.tr(
                "This task has no submissions yet. Changes appear here after the first submission."
            )
        return self.tr("No changes found.")


def set_dock_count(panel: QWidget, name: str, count: int) -> None:
    """Show a number in the title of a panel's dock."""
    dock = panel.parentWidget()
    if isinstance(dock, QDockWidget):
        dock.setWindowTitle(f"{name} ({count})" if count else name)


def _buttons(table: ActionTable, ids: tuple[str, ...], style: Qt.ToolButtonStyle) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(4)
    for action_id in ids:
        button = QToolButton()
        button.setDefaultAction(table.action(action_id))
        button.setAutoRaise(style == Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setToolButtonStyle(style)
        if action_id == "change.accept":
            button.setProperty("kind", "primary")
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        row.addWidget(button)
    return row
