"""Shared base of the lists of objects, points and segments: view, filter, empty text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Final, TypeVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QSignalBlocker,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStackedLayout,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.look.widgets import plain

Column = TypeVar("Column", bound=IntEnum)


_PADDING_PX: Final = 20
_LEAST_COLUMN_PX: Final = 24


class ListView(QTreeView):
    """A list that leaves letters and digits to the actions instead of searching by them."""

    def __init__(self, model: QAbstractItemModel, name: str) -> None:
        """``name`` is what assistive technology calls the list."""
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def set_widths(self, letters: Mapping[Column, int], *, stretched: Column) -> None:
        """Set column widths in letters; the ``stretched`` one gets the rest."""
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(_LEAST_COLUMN_PX)
        letter = self.fontMetrics().averageCharWidth()
        for column, count in letters.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, _PADDING_PX + count * letter)
        header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)

    def keyboardSearch(self, _text: str) -> None:
        return

    def show_selected(self, rows: Iterable[QModelIndex]) -> None:
        """Show an external selection, the last one as current; sends no signal."""
        selection, last = QItemSelection(), QModelIndex()
        for index in rows:
            if index.isValid():
                last = index
                selection.select(index, index)
        model, flags = self.selectionModel(), QItemSelectionModel.SelectionFlag
        before, current = model.selectedRows(), model.currentIndex()
        if _places([*selection.indexes(), last]) == _places([*before, current]):
            return
        with QSignalBlocker(model):
            model.select(selection, flags.ClearAndSelect | flags.Rows)
            if last.isValid():
                model.setCurrentIndex(last, flags.NoUpdate)
        if last.isValid():
            self.scrollTo(last)
        # The view did not hear of it: its model was silent.
        self._update_rows([*before, current, *selection.indexes()])

    def _update_rows(self, rows: Iterable[QModelIndex]) -> None:
        """Paint rows again, all of their columns."""
        view = self.viewport()
        for index in rows:
            rect = self.visualRect(index)
            if rect.isValid() and rect.intersects(view.rect()):
                view.update(0, rect.top(), view.width(), rect.height())


class ListPanel(QWidget):
    """A list with a hint while it is empty, and an optional filter field."""

    def __init__(
        self,
        view: ListView,
        proxy: QSortFilterProxyModel | None = None,
        *,
        filter_hint: str = "",
        filter_name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """``proxy`` is what the field filters; the texts say what by, to the eye and the ear."""
        super().__init__(parent)
        self.view = view
        self.filter = QLineEdit()
        self._proxy = proxy
        self._empty = plain(QLabel())
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setMargin(16)
        self._pages = QStackedLayout()
        self._pages.addWidget(view)
        self._pages.addWidget(self._empty)
        # After the picture and the lanes: Qt paints before it looks at timers, and a list that
        # scrolls is painted whole.
        self._shower = QTimer(self)
        self._shower.setSingleShot(True)
        self._shower.setInterval(0)
        self._shower.timeout.connect(self._on_selection_changed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        if proxy is not None:
            proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            self.filter.setPlaceholderText(filter_hint)
            self.filter.setAccessibleName(filter_name)
            self.filter.setClearButtonEnabled(True)
            self.filter.textChanged.connect(self._on_filter_changed)
            layout.addWidget(self.filter)
        layout.addLayout(self._pages, 1)

    # For those who add to this

    def _empty_text(self) -> str:
        """Return what stands in the place of an empty list."""
        return ""

    @Slot()
    def _on_selection_changed(self) -> None:
        """Show the selection of the window."""

    @Slot()
    def _show_selected_soon(self) -> None:
        """Show the selection of the window once the rest of it is painted."""
        self._shower.start()

    @Slot()
    def _on_rows_changed(self) -> None:
        """Show the rows there are now, or the words for none."""
        self._on_selection_changed()
        model = self.view.model()
        is_empty = model is None or not model.rowCount()
        if is_empty:
            self._empty.setText(self._empty_text())
        self._pages.setCurrentIndex(1 if is_empty else 0)

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        if self._proxy is not None:
            self._proxy.setFilterFixedString(text)
        self._on_rows_changed()


def _places(rows: Iterable[QModelIndex]) -> tuple[frozenset[tuple[int, int]], tuple[int, int]]:
    """Return the rows, each with the row above it, as a set, and the last of them."""
    places = [(index.parent().row(), index.row()) for index in rows]
    return frozenset(places[:-1]), places[-1]


def filtered(rows: QAbstractItemModel, column: int) -> QSortFilterProxyModel:
    """Return rows that a field of a `ListPanel` filters by the texts of a column."""
    proxy = QSortFilterProxyModel(rows)
    proxy.setSourceModel(rows)
    proxy.setFilterKeyColumn(column)
    return proxy
