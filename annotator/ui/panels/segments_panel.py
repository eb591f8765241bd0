"""The panel Segments: every action and sound of the draft as a sentence."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QAbstractItemView

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.ids import SegmentId
from annotator.domain.recipes.tools import TOOL_OF
from annotator.ui.actions.conditions import only_words
from annotator.ui.look.texts import sentence_text, time_text
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.panels.list_panel import ListPanel, ListView, filtered
from annotator.ui.panels.live_findings import LiveFindings
from annotator.ui.state.workspace import Workspace
from annotator.ui.timeline.model.segment_times import SegmentTimes

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
SEGMENT_ROLE: Final = Qt.ItemDataRole.UserRole


class SegmentColumn(IntEnum):
    """Columns of the panel."""

    SENTENCE = 0
    START = 1
    LENGTH = 2
    FOUND = 3


_HEADS: Final = {
    SegmentColumn.SENTENCE: "Label",
    SegmentColumn.START: "Start",
    SegmentColumn.LENGTH: "Duration",
    SegmentColumn.FOUND: "",
}


class SegmentRows(QAbstractTableModel):
    """One row per segment."""

    def __init__(self, workspace: Workspace, findings: LiveFindings) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._findings = findings
        self._segments: tuple[Segment, ...] = ()
        self._times: SegmentTimes | None = None
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.edited.connect(self._on_edited)
        workspace.labels.setChanged.connect(self.reload)
        findings.changed.connect(self._on_looks_changed)
        workspace.hub.changed.connect(self._on_looks_changed)
        self._on_stage_changed()

    def row_of(self, segment_id: SegmentId | None) -> int | None:
        """Return the row of a segment; None where it is not listed."""
        return next((i for i, s in enumerate(self._segments) if s.id == segment_id), None)

    def segment(self, row: int) -> Segment:
        return self._segments[row]

    @Slot()
    def reload(self) -> None:
        """Read all segments again."""
        self.beginResetModel()
        session = self._workspace.session
        self._segments = session.document.segments if session else ()
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._segments)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(SegmentColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.tr(_HEADS[SegmentColumn(section)])
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self._times is None:
            return None
        segment = self._segments[index.row()]
        column = SegmentColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(segment, column)
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon(segment, column)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            texts = [f.text for f in self._findings.of(segment.id)]
            text = "\n".join([self._text(segment, SegmentColumn.SENTENCE) or "", *texts])
            return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        if role == Qt.ItemDataRole.ForegroundRole and column is not SegmentColumn.SENTENCE:
            return self._workspace.hub.theme.color("text_dim")
        if role == Qt.ItemDataRole.TextAlignmentRole and column is SegmentColumn.LENGTH:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return segment.id if role == SEGMENT_ROLE else None

    def _text(self, segment: Segment, column: SegmentColumn) -> str | None:
        session, times = self._workspace.session, self._times
        if session is None or times is None:
            return None
        if column is SegmentColumn.SENTENCE:
            return sentence_text(segment, self._workspace.labels.of(segment), session.document)
        start_us = times.edge_us(segment, "start")
        if column is SegmentColumn.START:
            return time_text(start_us / 1e6)
        if column is SegmentColumn.LENGTH:
            return f"{(times.edge_us(segment, 'end') - start_us) / 1e6:.2f} s"
        return None

    def _icon(self, segment: Segment, column: SegmentColumn) -> QIcon | None:
        theme = self._workspace.hub.theme
        if column is SegmentColumn.SENTENCE:
            name = "sound" if segment.lane is Lane.SOUND else "segment"
            return theme.icon(name, token="text_dim")
        if column is SegmentColumn.FOUND and self._findings.of(segment.id):
            return theme.icon("warning", token="warning")
        return None

    @Slot()
    def _on_stage_changed(self) -> None:
        stage = self._workspace.stage
        self._times = SegmentTimes(stage) if stage is not None else None
        self.reload()

    @Slot(object)
    def _on_edited(self, changes: ChangeSet) -> None:
        session = self._workspace.session
        if session is None or not changes.topics & {"segment", "track"}:
            return
        before, segments = self._segments, session.document.segments
        if len(before) != len(segments):
            self.reload()
            return
        # Untouched segments are the same objects as before.
        pairs = zip(before, segments, strict=True)
        rows = [i for i, (old, new) in enumerate(pairs) if old is not new]
        if any(before[i].id != segments[i].id for i in rows):
            self.reload()
            return
        self._segments = segments
        if "track" in changes.topics:
            # A renamed object stands in the sentences of its actions.
            self._on_looks_changed()
            return
        for row in rows:
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(SegmentColumn) - 1))

    @Slot()
    def _on_looks_changed(self) -> None:
        if self._segments:
            last = self.index(len(self._segments) - 1, len(SegmentColumn) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


_WIDTHS: Final = {SegmentColumn.START: 10, SegmentColumn.LENGTH: 8, SegmentColumn.FOUND: 2}


class SegmentsPanel(ListPanel):
    """The list; the segment selected in it is the window's. A double click plays it."""

    seekWanted = Signal(int)
    playWanted = Signal()

    def __init__(self, workspace: Workspace, findings: LiveFindings) -> None:
        self._workspace = workspace
        self._rows = SegmentRows(workspace, findings)
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
        workspace.selection.changed.connect(self._show_selected_soon)
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
        is_other = chosen != self._workspace.selection.segment
        self._workspace.selection.set_segment(chosen)
        segment = self._workspace.segment
        if is_other and segment is not None:
            self.seekWanted.emit(segment.start)

    @Slot()
    def _on_selection_changed(self) -> None:
        row = self._rows.row_of(self._workspace.selection.segment)
        places = [] if row is None else [self._shown.mapFromSource(self._rows.index(row, 0))]
        self.view.show_selected(places)
        if row is None:
            with QSignalBlocker(self.view.selectionModel()):
                self.view.selectionModel().clear()

    def _empty_text(self) -> str:
        if self._workspace.session is None:
            return self.tr("Open a task to see its segments.")
        if self._rows.rowCount():
            return self.tr("No segments match the filter.")
        if (tools := self._workspace.session.tools).isdisjoint(TOOL_OF.values()):
            return self.tr("This task provides no actions or sounds.\n") + only_words(tools)
        return self.tr(
            "No actions or sounds yet.\nSelect a label, mark start and end with I and O, and "
            "press Enter. Or hold the label's digit during playback."
        )
