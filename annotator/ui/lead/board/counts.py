"""Task counts by stage and state; a click filters by both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from annotator.domain.recipes.recipe import Recipe
from annotator.domain.work.records import TaskStatus
from annotator.ui.lead import words
from annotator.ui.look.theme import ThemeHub

Key = tuple[str, str, TaskStatus]

_STATUSES: Final = (
    TaskStatus.WAITING,
    TaskStatus.IN_PROGRESS,
    TaskStatus.COMPLETE,
    TaskStatus.WITHDRAWN,
)
_KEY: Final = Qt.ItemDataRole.UserRole

_SCROLL_BAR_PX: Final = 14
_WIDEST_PX: Final = 624


class StageCounts(QTableWidget):
    """A row for each stage of each kind of task, and one for all; a cell is chosen or none.

    ``chosen`` tells which: (kind, stage, status), each None where all are meant.
    """

    chosen = Signal(object)

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self._choice: tuple[str | None, str | None, TaskStatus | None] = (None, None, None)
        self.setAccessibleName(self.tr("Tasks by stage and state"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setColumnCount(len(_STATUSES) + 1)
        self.setHorizontalHeaderLabels(
            [*map(words.status_text, _STATUSES), self.tr("all")],
        )
        self.setShowGrid(False)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setHighlightSections(False)
        lines = self.verticalHeader()
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        lines.setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.cellClicked.connect(self._on_cell_chosen)
        self.cellActivated.connect(self._on_cell_chosen)

    def set_counts(self, recipe: Recipe, counts: Mapping[Key, int]) -> None:
        """Show how many there are."""
        places = {(kind, stage): None for kind, stage, _ in counts}
        rows: list[tuple[str | None, str | None]] = [
            (t.kind, s.key)
            for t in recipe.task_types
            if any(kind == t.kind for kind, _ in places)
            for s in t.stages
        ]
        rows += [p for p in places if p not in rows]
        rows.append((None, None))
        is_one_kind = len({kind for kind, _ in places}) < 2
        with QSignalBlocker(self):
            self.setRowCount(len(rows))
            for y, (kind, stage) in enumerate(rows):
                title = self._title(recipe, kind, stage, is_one_kind=is_one_kind)
                self.setVerticalHeaderItem(y, QTableWidgetItem(title))
                for x, status in enumerate([*_STATUSES, None]):
                    n = sum(
                        count
                        for (k, s, st), count in counts.items()
                        if kind in (None, k)
                        and stage in (None, s)
                        and (status is None or _shown_as(st) is status)
                    )
                    self._set(y, x, n, (kind, stage, status))
        self._mark()
        self.horizontalHeader().resizeSections()
        head = self.verticalHeader().sizeHint().width()
        whole = head + self.horizontalHeader().length() + 2 * self.frameWidth()
        self.setMinimumWidth(min(whole + _SCROLL_BAR_PX, _WIDEST_PX))

    def clear_choice(self) -> None:
        """Choose nothing, without telling anybody."""
        self._choice = (None, None, None)
        self._mark()

    def _title(
        self, recipe: Recipe, kind: str | None, stage: str | None, *, is_one_kind: bool
    ) -> str:
        if kind is None or stage is None:
            return self.tr("All")
        title = words.stage_title(recipe, kind, stage)
        return title if is_one_kind else f"{words.kind_title(recipe, kind)} · {title}"

    def _set(self, y: int, x: int, n: int, key: object) -> None:
        item = self.item(y, x)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(y, x, item)
        item.setText(f"{n:,}" if n else "–")
        item.setData(_KEY, key)
        item.setForeground(self._hub.theme.color("text" if n else "text_dim"))

    def _mark(self) -> None:
        """Show the chosen cell as the selected one."""
        with QSignalBlocker(self):
            self.clearSelection()
            if self._choice == (None, None, None):
                self.setCurrentIndex(QModelIndex())
                return
            for y in range(self.rowCount()):
                for x in range(self.columnCount()):
                    item = self.item(y, x)
                    if item is not None and tuple(item.data(_KEY)) == self._choice:
                        self.setCurrentCell(y, x)
                        return

    @Slot(int, int)
    def _on_cell_chosen(self, y: int, x: int) -> None:
        item = self.item(y, x)
        wanted = item.data(_KEY) if item is not None else (None, None, None)
        # Chosen once more: let go.
        self._choice = (None, None, None) if tuple(wanted) == self._choice else tuple(wanted)
        self._mark()
        self.chosen.emit(self._choice)


def _shown_as(status: TaskStatus) -> TaskStatus:
    """Return the state under which another is counted: what is put together is in progress."""
    return TaskStatus.IN_PROGRESS if status is TaskStatus.RESOLVING else status
