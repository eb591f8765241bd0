"""Tables with unknown column names: their columns and first rows, to be assigned by a person."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from annotator.domain.errors import ExchangeError
from annotator.exchange.formats import plain_table
from annotator.exchange.formats.base.plain_files import rows_of

_N_ROWS: Final = 3


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a table with its first rows; ``guessed`` are columns by field."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    guessed: dict[str, str]
    fields: tuple[str, ...] = plain_table.FIELDS


def table_columns(path: Path) -> TableColumns | None:
    """Return the columns of a CSV file; None where it is no table of at least two columns."""
    if path.suffix.lower() not in plain_table.FORMAT.suffixes:
        return None
    try:
        rows = [row for _, row in islice(rows_of(path), _N_ROWS + 1)]
    except ExchangeError:
        return None
    if not rows or len(rows[0]) < 2 or any(not cell.strip() for cell in rows[0]):
        return None
    names = tuple(cell.strip() for cell in rows[0])
    if len(set(names)) != len(names):
        return None
    guessed = plain_table.guessed_columns(names)
    return TableColumns(names, tuple(map(tuple, rows[1:])), guessed)
