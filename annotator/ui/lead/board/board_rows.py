"""The rows of the board: ready lines of the tasks, sorted and shown as they are scrolled by."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)

from annotator.domain.ids import PersonId, TaskId
from annotator.domain.recipes.recipe import Recipe
from annotator.services.workflow.work import BoardRow, BoardRows
from annotator.ui.lead import lead_texts
from annotator.ui.look.texts import moment_text
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import tip as plain_tip

Index = QModelIndex | QPersistentModelIndex


class BoardColumn(IntEnum):
    """The columns of the board."""

    VIDEO = 0
    TASK = 1
    STAGE = 2
    STATE = 3
    HOLDER = 4
    PRIORITY = 5
    ROUND = 6
    SCRIPT = 7
    NOTES = 8
    CHANGED = 9


_TITLES: Final = {
    BoardColumn.VIDEO: "Video",
    BoardColumn.TASK: "Task type",
    BoardColumn.STAGE: "Stage",
    BoardColumn.STATE: "State",
    BoardColumn.HOLDER: "Assignee",
    BoardColumn.PRIORITY: "Priority",
    BoardColumn.ROUND: "Round",
    BoardColumn.SCRIPT: "Script",
    BoardColumn.NOTES: "Notes",
    BoardColumn.CHANGED: "Last change",
}


class BoardText:
    """Texts of board cells, computed for visible rows only.

    ``facts`` are columns of the videos' metadata, which follow the columns that all boards have.
    ``gold`` are gold tasks, ``known`` those whose results gold tasks are made from.
    """

    def __init__(
        self,
        recipe: Recipe,
        names: Mapping[PersonId, str],
        facts: Iterable[str] = (),
        *,
        gold: Collection[TaskId] = (),
        known: Collection[TaskId] = (),
    ) -> None:
        self._gold, self._known = gold, known
        self.facts = tuple(name for name in facts if name != SCRIPT)
        self._recipe = recipe
        self._names = names
        self._stages = {
            (t.kind, s.key): (i, s.title) for t in recipe.task_types for i, s in enumerate(t.stages)
        }

    @property
    def n_columns(self) -> int:
        return len(BoardColumn) + len(self.facts)

    def title(self, column: int) -> str:
        """Return the head of a column."""
        if column < len(BoardColumn):
            return _tr(_TITLES[BoardColumn(column)])
        return self.facts[column - len(BoardColumn)]

    def of(self, row: BoardRow, column: int) -> str:
        """Return the text of a cell."""
        if column >= len(BoardColumn):
            return row.fact(self.facts[column - len(BoardColumn)])
        match column:
            case BoardColumn.VIDEO:
                return row.video
            case BoardColumn.TASK:
                return lead_texts.kind_title(self._recipe, row.kind)
            case BoardColumn.STAGE:
                return self._stages.get((row.kind, row.stage), (0, row.stage))[1]
            case BoardColumn.STATE:
                return lead_texts.status_text(row.status)
            case BoardColumn.HOLDER:
                return ", ".join(map(self.name_of, row.holders))
            case BoardColumn.PRIORITY:
                return str(row.priority) if row.priority else ""
            case BoardColumn.ROUND:
                return str(row.round)
            case BoardColumn.SCRIPT:
                return row.fact(SCRIPT)
            case BoardColumn.NOTES:
                return self.notes(row)
            case _:
                return moment_text(row.changed_at)

    def name_of(self, person_id: PersonId) -> str:
        """Return the name of a person, "?" for somebody who is not in the project."""
        return self._names.get(person_id, "?")

    def notes(self, row: BoardRow) -> str:
        """Return the unusual facts about a task."""
        parts = [_tr("sent back")] if row.is_returned else []
        if row.task_id in self._gold:
            parts.insert(0, _tr("gold task"))
        elif row.task_id in self._known:
            parts.insert(0, _tr("reference"))
        if row.needs_lead is not None:
            parts.insert(0, lead_texts.need_text(row.needs_lead))
        return ", ".join([*parts, *map(lead_texts.flag_text, row.flags)])

    def line(self, row: BoardRow) -> list[str]:
        """Return a row for a file, its instant in UTC."""
        texts = [self.of(row, column) for column in range(self.n_columns)]
        texts[BoardColumn.CHANGED] = lead_texts.utc_text(row.changed_at)
        return texts

    def ordered(self, rows: BoardRows, column: int, *, is_down: bool) -> BoardRows:
        """Return rows sorted by a column, by the name of the video when there is no such column."""
        if len(BoardColumn) <= column < self.n_columns:
            name = self.facts[column - len(BoardColumn)]
            return rows.ordered(("metadata",), lambda row: natural(row.fact(name)), is_down=is_down)
        column = column if column < len(BoardColumn) else BoardColumn.VIDEO
        stages, names = self._stages, self._names
        keys: dict[int, Callable[[BoardRow], Any]] = {
            BoardColumn.VIDEO: lambda row: natural(row.video),
            BoardColumn.TASK: lambda row: row.kind,
            BoardColumn.STAGE: lambda row: stages.get((row.kind, row.stage), (99, row.stage)),
            BoardColumn.STATE: lambda row: _ORDER[row.status],
            BoardColumn.HOLDER: lambda row: (
                names.get(row.holders[0], "").casefold() if row.holders else "\U0010ffff"
            ),
            BoardColumn.PRIORITY: lambda row: -row.priority,
            BoardColumn.ROUND: lambda row: row.round,
            BoardColumn.SCRIPT: lambda row: row.fact(SCRIPT),
            BoardColumn.NOTES: lambda row: (
                row.needs_lead is None,
                not row.is_returned,
                row.flags == (),
            ),
            BoardColumn.CHANGED: lambda row: -row.changed_at,
        }
        return rows.ordered(_FIELDS[BoardColumn(column)], keys[column], is_down=is_down)


class BoardModel(QAbstractTableModel):
    """Tasks as table rows; texts are made for visible cells only.

    With ``hub``, assignees have their initials beside their name.
    """

    def __init__(self, text: BoardText, hub: ThemeHub | None = None) -> None:
        super().__init__()
        self._hub = hub
        self.text = text
        self.rows = BoardRows()

    def set_rows(self, rows: BoardRows, text: BoardText) -> None:
        """Show other rows, in this order."""
        self.beginResetModel()
        self.rows, self.text = rows, text
        self.endResetModel()

    def task_id(self, row: int) -> TaskId:
        return self.rows[row].task_id

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self.text.n_columns

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            row, column = self.rows[index.row()], index.column()
            if role == Qt.ItemDataRole.ToolTipRole and column == BoardColumn.CHANGED:
                return lead_texts.utc_text(row.changed_at)
            text = self.text.of(row, column)
            return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        if role == Qt.ItemDataRole.DecorationRole and index.column() == BoardColumn.HOLDER:
            holders = self.rows[index.row()].holders
            if self._hub is not None and holders:
                return self._hub.theme.avatar(holders[0], self.text.name_of(holders[0]))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in _NUMBERS:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.text.title(section)
        return None


def natural(name: str) -> str:
    """Return the natural sort key of a name: video 2 before video 10.

    A text, since many of those are compared in a tenth of the time that lists take: numbers say
    first how long they are, after a character that comes before all others.
    """
    return _DIGITS.sub(_counted, name.casefold())


def _counted(digits: re.Match[str]) -> str:
    number = digits.group().lstrip("0")
    return f"\0{len(number):04}{number}"


SCRIPT: Final = "script"
"""The metadata column that all boards have."""
_DIGITS: Final = re.compile(r"\d+", re.ASCII)
_FIELDS: Final = {
    BoardColumn.VIDEO: ("video",),
    BoardColumn.TASK: ("kind",),
    BoardColumn.STAGE: ("kind", "stage"),
    BoardColumn.STATE: ("status",),
    BoardColumn.HOLDER: ("holders",),
    BoardColumn.PRIORITY: ("priority",),
    BoardColumn.ROUND: ("round",),
    BoardColumn.SCRIPT: ("metadata",),
    BoardColumn.NOTES: ("needs_lead", "is_returned", "flags"),
    BoardColumn.CHANGED: ("changed_at",),
}
"""What the order by a column depends on."""
_NUMBERS: Final = (BoardColumn.PRIORITY, BoardColumn.ROUND)
_ORDER: Final = {status: i for i, status in enumerate(lead_texts.STATUSES)}


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
