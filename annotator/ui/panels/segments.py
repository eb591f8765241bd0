"""The panel Segments: the actions and sounds of the draft as sentences, to choose and go to."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QModelIndex, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView

from annotator.domain.ids import SegmentId
from annotator.domain.recipes.tools import TOOL_OF
from annotator.ui.actions.tool_rules import only_words
from annotator.ui.panels.list_panel import ListPanel, ListView, filtered
from annotator.ui.panels.live_findings import LiveFindings
from annotator.ui.panels.segment_rows import SEGMENT_ROLE, SegmentColumn, SegmentRows
from annotator.ui.state.desk import Desk

_WIDTHS: Final = {SegmentColumn.START: 10, SegmentColumn.LENGTH: 8, SegmentColumn.FOUND: 2}


class SegmentsPanel(ListPanel):
    """The list; the segment selected in it is the window's. A double click plays it."""

    seekWanted = Signal(int)
    playWanted = Signal()

    def __init__(self, desk: Desk, findings: LiveFindings) -> None:
        self._desk = desk
        self._rows = SegmentRows(desk, findings)
        self._shown = filtered(self._rows, SegmentColumn.SENTENCE)
        tr = QCoreApplication.translate
        super().__init__(
            ListView(self._shown, tr("SegmentsPanel", "Segments")),
            self._shown,
            filter_hint=tr("SegmentsPanel", "Filter by text"),
            filter_name=tr("SegmentsPanel", "Filter segments by text"),
        )
        self.view.set_widths(_WIDTHS, stretched=SegmentColumn.SENTENCE)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.selectionModel().currentRowChanged.connect(self._on_row_chosen)
        self.view.clicked.connect(self._on_row_clicked)
        self.view.doubleClicked.connect(self.playWanted)
        desk.selection.changed.connect(self._show_selected_soon)
        self._rows.modelReset.connect(self._on_rows_changed)
        self._on_rows_changed()

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
        places = [] if row is None else [self._shown.mapFromSource(self._rows.index(row, 0))]
        self.view.show_selected(places)
        if row is None:
            with QSignalBlocker(self.view.selectionModel()):
                self.view.selectionModel().clear()

    def _empty_text(self) -> str:
        if self._desk.session is None:
            return self.tr("Open a task to see its segments.")
        if self._rows.rowCount():
            return self.tr("No segments match the filter.")
        if (tools := self._desk.session.tools).isdisjoint(TOOL_OF.values()):
            return self.tr("This task provides no actions or sounds.\n") + only_words(tools)
        return self.tr(
            "No actions or sounds yet.\nSelect a label, mark start and end with I and O, and "
            "press Enter. Or hold the label's digit during playback."
        )
