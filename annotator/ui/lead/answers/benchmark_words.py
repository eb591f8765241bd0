"""Words of the tables of benchmarks: titles, heads, and cells as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from annotator.services.tables import Cell

if TYPE_CHECKING:
    from annotator.services.questions.benchmark import Column, TableKind

_NOTHING: Final = "–"


def title(kind: TableKind) -> str:
    """Return the title of a table."""
    return _tr(kind.title)


def about(kind: TableKind) -> str:
    """Return what is to be known of a table, "" for nothing."""
    return _tr(kind.about) if kind.about else ""


def heads(kind: TableKind) -> list[str]:
    """Return the heads of the columns that are shown of a table."""
    return [_tr(column.head) for column in kind.columns if column.head]


def further(kind: TableKind) -> list[str]:
    """Return the names of the columns that only its file has, after those that are shown."""
    return [column.name for column in kind.columns if not column.head]


def shown(kind: TableKind, row: Sequence[Cell]) -> tuple[str, ...]:
    """Return a row as it is shown."""
    return tuple(
        _cell(column, cell) for column, cell in zip(kind.columns, row, strict=True) if column.head
    )


def _cell(column: Column, cell: Cell) -> str:
    from annotator.services.questions.benchmark import Share

    if isinstance(cell, str):
        return _tr(column.words[cell]) if cell in column.words else cell or _NOTHING
    if isinstance(cell, Share):
        return f"{cell:.1%}"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.1f}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("benchmarks", text)
