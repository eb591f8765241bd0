"""The panel Segments: the actions and sounds of the draft as sentences, to choose and go to."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QSignalBlocker,
    QSortFilterProxyModel,
    Qt,
    Signal,
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

from annotator.domain.ids import SegmentId
from annotator.ui.desk import Desk
from annotator.ui.live_findings import LiveFindings
from annotator.ui.panels.segment_rows import SEGMENT_ROLE, Column, SegmentRows

_WIDTHS: Final = {Column.START: 10, Column.LENGTH: 8, Column.FOUND: 2}


class SegmentsPanel(QWidget):
    """The list; the segment selected in it is the window's. A double click plays it."""

    seekWanted = Signal(int)
    playWanted = Signal()

    def __init__(self, desk: Desk, findings: LiveFindings) -> None:
        super().__init__()
        self._desk = desk
        self._rows = SegmentRows(desk, findings)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._rows)
        self._shown.setFilterKeyColumn(Column.SENTENCE)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Filter by words"))
        self.filter.setAccessibleName(self.tr("Filter segments by words"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter_changed)
        self.view = self._new_view()
        self._empty = QLabel()
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setMargin(16)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.view)
        self._pages.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.filter)
        layout.addLayout(self._pages, 1)
        desk.selection.changed.connect(self._on_selection_changed)
        self._rows.modelReset.connect(self._on_rows_changed)
        self._on_rows_changed()

    def _new_view(self) -> QTreeView:
        view = _SegmentsView()
        view.setModel(self._shown)
        view.setAccessibleName(self.tr("Segments"))
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setAllColumnsShowFocus(True)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = view.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(24)
        letter = view.fontMetrics().averageCharWidth()
        for column, letters in _WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, 14 + letters * letter)
        header.setSectionResizeMode(Column.SENTENCE, QHeaderView.ResizeMode.Stretch)
        view.selectionModel().currentRowChanged.connect(self._on_row_chosen)
        view.clicked.connect(self._on_row_clicked)
        view.doubleClicked.connect(self.playWanted)
        return view

    @Slot(QModelIndex, QModelIndex)
    def _on_row_chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self._choose(index)

    @Slot(QModelIndex)
    def _on_row_clicked(self, index: QModelIndex) -> None:
        # The row may be current already while keys act on something else.
        self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        chosen = SegmentId(index.siblingAtColumn(0).data(SEGMENT_ROLE))
        is_other = chosen != self._desk.selection.segment
        self._desk.selection.set_segment(chosen)
        segment = self._desk.segment
        if is_other and segment is not None:
            self.seekWanted.emit(segment.start)

    @Slot()
    def _on_selection_changed(self) -> None:
        row = self._rows.row_of(self._desk.selection.segment)
        model = self.view.selectionModel()
        flags = QItemSelectionModel.SelectionFlag
        with QSignalBlocker(model):
            if row is None:
                model.clear()
            else:
                index = self._shown.mapFromSource(self._rows.index(row, 0))
                model.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
                if index.isValid():
                    self.view.scrollTo(index)
        # The view did not hear of it: its model was silent.
        self.view.viewport().update()

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        self._shown.setFilterFixedString(text)
        self._on_rows_changed()

    @Slot()
    def _on_rows_changed(self) -> None:
        self._on_selection_changed()
        self._pages.setCurrentIndex(0 if self._shown.rowCount() else 1)
        if self._desk.session is None:
            text = self.tr("Open a task to see its segments.")
        elif self._rows.rowCount():
            text = self.tr("No segment has these words.")
        else:
            text = self.tr(
                "No actions or sounds yet.\nChoose a label, mark start and end with I and O, and"
                " press Enter; or hold the label's digit while the video plays."
            )
        self._empty.setText(text)


class _SegmentsView(QTreeView):
    """A list that leaves letters and digits to the actions instead of searching by them."""

    def keyboardSearch(self, _text: str) -> None:
        return
