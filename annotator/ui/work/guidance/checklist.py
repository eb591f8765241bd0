"""The panel Checklist: the points to look at before handing in, ticked by hand or by the checks."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from annotator.ui.look.plain import plain
from annotator.ui.state.desk import Desk
from annotator.ui.work.guidance.checklist_state import PENDING, Checklist

_AT: Final = Qt.ItemDataRole.UserRole


class ChecklistPanel(QWidget):
    """One row for each point. A click on one that has findings goes to the next of them."""

    findingWanted = Signal(object)  # Finding
    doubtWanted = Signal()  # to the proposals that nobody has judged

    def __init__(self, desk: Desk, checklist: Checklist) -> None:
        super().__init__()
        self._desk = desk
        self._checklist = checklist
        self._visited: dict[str, int] = {}
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Checklist"))
        # No spacing: Qt would not count it when it wraps, and cut the last words.
        self.list.setWordWrap(True)
        self.list.itemChanged.connect(self._on_item_changed)
        self.list.itemClicked.connect(self._on_item_chosen)
        self.list.itemActivated.connect(self._on_item_chosen)
        self._count = plain(QLabel())
        self._count.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._count)
        # Later: the list is in the midst of telling of a tick.
        self.setFocusProxy(self.list)
        checklist.changed.connect(self.refresh, Qt.ConnectionType.QueuedConnection)
        desk.hub.changed.connect(self.refresh)
        desk.stageChanged.connect(self._on_stage_changed)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the points as they stand."""
        theme, items = self._desk.hub.theme, self._checklist.items
        place = self.list.currentRow()
        with QSignalBlocker(self.list):
            self.list.clear()
            for at, item in enumerate(items):
                row = QListWidgetItem(item.words)
                row.setData(_AT, at)
                if item.count is None:
                    row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                    state = Qt.CheckState
                    row.setCheckState(state.Checked if item.is_ticked else state.Unchecked)
                    row.setToolTip(self.tr("Select this item after you have checked it."))
                elif item.is_done:
                    row.setIcon(theme.icon("accept", token="success"))
                    row.setToolTip(self.tr("The automatic checks found no issues."))
                else:
                    row.setIcon(theme.icon("warning", token="warning"))
                    row.setToolTip(self.tr("Click to go to the next issue."))
                self.list.addItem(row)
            self.list.setCurrentRow(min(place, self.list.count() - 1))
        done = sum(1 for item in items if item.is_done)
        text = self.tr("{done} of {n} done")
        if self._desk.stage is None:
            text = self.tr("No task is open.")
        elif not items:
            text = self.tr("This task has no checklist.")
        self._count.setText(text.format(done=done, n=len(items)))

    @Slot(QListWidgetItem)
    def _on_item_changed(self, row: QListWidgetItem) -> None:
        item = self._checklist.items[row.data(_AT)]
        self._checklist.tick(item.text, is_ticked=row.checkState() == Qt.CheckState.Checked)

    @Slot(QListWidgetItem)
    def _on_item_chosen(self, row: QListWidgetItem) -> None:
        item = self._checklist.items[row.data(_AT)]
        if item.finding == PENDING and item.count:
            self.doubtWanted.emit()
            return
        found = self._checklist.findings_of(item)
        if found:
            at = self._visited.get(item.text, -1) + 1
            self._visited[item.text] = at
            self.findingWanted.emit(found[at % len(found)])

    @Slot()
    def _on_stage_changed(self) -> None:
        self._visited.clear()
        # A task without a checklist after none at all is no change of the points.
        self.refresh()
