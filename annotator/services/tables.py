"""Tables as CSV files: for a spreadsheet, and safe in one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from annotator.services.files import write_atomically

Cell = str | int | float

_BEGINS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_ROWS_PER_PART: Final = 1000


def write_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a table as CSV in UTF-8 with the byte order mark that spreadsheets need.

    Texts that a spreadsheet would take for a formula get an apostrophe before them; numbers stay
    as they are. UserError when the file cannot be written; an old one is then as it was.
    """
    write_atomically(path, _parts(header, rows))


def _parts(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    yield b"\xef\xbb\xbf"
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow([_harmless(cell) for cell in header])
    for number, row in enumerate(rows):
        writer.writerow([_harmless(cell) for cell in row])
        if number % _ROWS_PER_PART == 0:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def _harmless(cell: Cell) -> Cell:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_BEGINS_FORMULA):
        return f"'{cell}"
    return cell
