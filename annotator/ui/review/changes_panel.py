"""The panel Changes: what is different since an earlier submission, to judge item by item."""

from __future__ import annotations

from collections import Counter
from typing import Final

from PySide6.QtCore import QCoreApplication, QModelIndex, QSignalBlocker, Qt, Signal, Slot
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

from annotator.domain.review import DifferenceKind
from annotator.services.workflow.review import EarlierState
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.plain import plain
from annotator.ui.panels.list_panel import ListPanel, ListView
from annotator.ui.review.change_rows import ChangeColumn, ChangeRows
from annotator.ui.review.reviewing import MANY, Reviewing
from annotator.ui.review.words import earlier_text
from annotator.ui.state.desk import Desk

_WIDTHS: Final = {ChangeColumn.FRAME: 9, ChangeColumn.JUDGED: 2}
_JUDGING: Final = ("change.accept", "change.return", "change.undo")
_SHOWING: Final = ("review.before", "review.swipe", "review.side")
_STEPS: Final = ("change.previous", "change.next")


class ChangesPanel(ListPanel):
    """The list; the row chosen in it is the difference in hand, and is gone to."""

    wanted = Signal(object)  # Differences: go to the first, all are in hand

    def __init__(self, desk: Desk, reviewing: Reviewing, table: ActionTable) -> None:
        self._desk = desk
        self._reviewing = reviewing
        self._choices: tuple[EarlierState, ...] = ()
        self.rows = ChangeRows(desk, reviewing)
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
        layout.addLayout(_buttons(table, _JUDGING, with_text=True))
        self.rows.modelReset.connect(self._on_rows_changed)
        reviewing.changed.connect(self._show_counts)
        reviewing.currentChanged.connect(self._on_selection_changed)
        self._on_rows_changed()
        self._show_counts()

    def _head(self, table: ActionTable) -> QHBoxLayout:
        row = _buttons(table, _SHOWING, with_text=False)
        row.addStretch(1)
        row.addLayout(_buttons(table, _STEPS, with_text=False))
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
                self.choice.addItems([earlier_text(each) for each in reviewing.choices])
            self.choice.setCurrentIndex(reviewing.choice)
        self.choice.setEnabled(len(reviewing.choices) > 1)
        review, items = reviewing.review, reviewing.items
        n_open = len(review.open_items) if review is not None else 0
        self.counts.setVisible(bool(items))
        kinds = Counter(item.kind for item in items)
        text = self.tr("{a} added · {r} removed · {c} changed — {n} of {m} not reviewed").format(
            a=kinds[DifferenceKind.ADDED],
            r=kinds[DifferenceKind.REMOVED],
            c=kinds[DifferenceKind.CHANGED],
            n=n_open,
            m=len(items),
        )
        self.counts.setText(text)
        if not items:
            # Why there is nothing may be another reason than before.
            super()._on_rows_changed()
        say_count(self, self.tr("Changes"), n_open)

    def _empty_text(self) -> str:
        if self._desk.session is None:
            return self.tr("Open a task to see its changes.")
        if self._reviewing.review is None:
            return self.tr(
                "This task has no submissions yet. Changes appear here after the first submission."
            )
        return self.tr("No changes found.")


def say_count(panel: QWidget, name: str, count: int) -> None:
    """Write a number into the title of the dock a panel stands in."""
    dock = panel.parentWidget()
    if isinstance(dock, QDockWidget):
        dock.setWindowTitle(f"{name} ({count})" if count else name)


def _buttons(table: ActionTable, ids: tuple[str, ...], *, with_text: bool) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(4)
    for action_id in ids:
        button = QToolButton()
        button.setDefaultAction(table.action(action_id))
        button.setAutoRaise(not with_text)
        if with_text:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        row.addWidget(button)
    if with_text:
        row.addStretch(1)
    return row
