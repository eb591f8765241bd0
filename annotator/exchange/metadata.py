"""Metadata of videos from a table (CSV or JSON): script, participant, split and others.

One row for each video, found by its name, path or id. Known columns are checked, others are kept
as they stand. A file with a single bad row is refused as a whole, with all bad rows named.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json

VIDEO_COLUMNS: Final = ("video", "name", "path", "id", "video_id", "file", "filename")
"""How the column that says which video is meant may be called; the first one found counts."""

MAX_BYTES: Final = 64 << 20
MAX_ROWS: Final = 1_000_000

_DELIMITERS: Final = ",;\t|"
_LISTED: Final = 20
_TRUE = {"1", "true", "yes", "y", "indoor", "indoors"}
_FALSE = {"0", "false", "no", "n", "outdoor", "outdoors"}
_CAMERAS = {"static": "static", "fixed": "static", "moving": "moving", "handheld": "moving"}
_SPLITS = {"train": "train", "training": "train", "valid": "valid", "validation": "valid"} | {
    "val": "valid",
    "test": "test",
}


@dataclass(frozen=True, slots=True)
class MetadataRow:
    """Metadata of one video; ``line`` counts from 1 (CSV), or entries (JSON)."""

    line: int
    video: str
    values: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class MetadataFile:
    """A valid file: its rows, and notes from reading (the encoding, other columns)."""

    rows: tuple[MetadataRow, ...]
    columns: tuple[str, ...]
    notes: tuple[str, ...]


class MetadataRefusedError(ExchangeError):
    """The file has bad rows; ``problems`` are (line, text) of each."""

    def __init__(self, path: Path, problems: Sequence[tuple[int, str]]) -> None:
        listed = "; ".join(f"line {line}: {text}" for line, text in problems[:_LISTED])
        more = f"; and {len(problems) - _LISTED} more" if len(problems) > _LISTED else ""
        super().__init__(
            f"{listed}{more}.",
            hint="No data was imported. Correct these rows and try again.",
            where=str(path),
        )
        self.problems = tuple(problems)


def read_metadata(path: Path) -> MetadataFile:
    """Read a table of metadata; JSON if the name ends so, else CSV with any usual delimiter.

    ExchangeError when it cannot be read at all, MetadataRefusedError when rows are bad.
    """
    text, notes = _text(path)
    raw = _json_rows(path, text) if path.suffix.lower() == ".json" else _csv_rows(path, text)
    rows: list[MetadataRow] = []
    problems: list[tuple[int, str]] = []
    columns: dict[str, None] = {}
    first: dict[str, int] = {}
    for line, cells in raw:
        if isinstance(cells, str):
            problems.append((line, cells))
            continue
        columns |= dict.fromkeys(cells)
        row = _row(line, cells, problems)
        if row is None:
            continue
        if row.video in first:
            problems.append((line, f"line {first[row.video]} already has a row for “{row.video}”"))
        first.setdefault(row.video, line)
        rows.append(row)
    if problems:
        raise MetadataRefusedError(path, problems)
    if not rows:
        raise _refused(path, "The table has no rows.", "Write one row per video.")
    fact_columns = tuple(name for name in columns if name not in VIDEO_COLUMNS)
    other = [name for name in fact_columns if name not in _PARSERS]
    if other:
        notes.append(f"Columns stored without interpretation: {', '.join(other)}.")
    return MetadataFile(tuple(rows), fact_columns, tuple(notes))


def _text(path: Path) -> tuple[str, list[str]]:
    """Return the text of a file and a note on its encoding."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise _refused(path, f"Cannot read the table: {error.strerror}.") from error
    if size > MAX_BYTES:
        raise _refused(path, f"Cannot read the table: it is larger than {MAX_BYTES >> 20} MB.")
    is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = data.decode("utf-16" if is_wide else "utf-8-sig")
        notes: list[str] = []
    except UnicodeDecodeError:
        text = data.decode("latin-1")
        notes = ["The file is not UTF-8 and was read as Latin-1. Check the names."]
    if "\x00" in text:
        raise _refused(path, "Cannot read the table: it is a binary file.")
    return text, notes


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Json] | str]]:
    """Yield each row as its cells by column, or its fault."""
    delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            yield line, f"invalid CSV: {error}"
            break
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = _header(path, cells)
        elif len(cells) != len(header):
            yield line, f"expected {len(header)} cells, found {len(cells)}"
        else:
            yield line, {k: v.strip() for k, v in zip(header, cells, strict=True) if v.strip()}
        if line > MAX_ROWS:
            raise _refused(path, f"Too many rows. The limit is {MAX_ROWS}.")


def _header(path: Path, cells: Iterable[str]) -> list[str]:
    names = [_column(cell) for cell in cells]
    if "" in names or len(set(names)) != len(names):
        text = "A column name is empty or occurs twice."
        raise _refused(path, text, "The first row must contain the column names.")
    if not any(name in VIDEO_COLUMNS for name in names):
        text = "The column with the video names is missing."
        raise _refused(path, text, "Add a column “video” with the file names.")
    return names


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Json] | str]]:
    """Yield each entry of a list of objects, or of an object with one for each video."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _refused(path, f"Invalid JSON: {error}.") from error
    if isinstance(value, dict) and isinstance(value.get("videos"), list):
        value = value["videos"]
    if isinstance(value, dict):
        value = [_entry(name, raw_value) for name, raw_value in value.items()]
    if not isinstance(value, list) or len(value) > MAX_ROWS:
        raise _refused(path, "Expected a list of objects, one per video.")
    for number, entry in enumerate(value, 1):
        if isinstance(entry, dict):
            yield number, {_column(k): v for k, v in entry.items() if v is not None}
        else:
            yield number, "expected an object"


def _entry(name: str, told: Json) -> Json:
    """Return the metadata of a video: facts by name, or its cut frame alone."""
    if isinstance(told, int) and not isinstance(told, bool):
        return {"video": name, "cut_frame": told}
    return {"video": name, **told} if isinstance(told, dict) else None


def _row(
    line: int, cells: Mapping[str, Json], problems: list[tuple[int, str]]
) -> MetadataRow | None:
    column = next((name for name in VIDEO_COLUMNS if name in cells), None)
    video = cells[column] if column else None
    if not isinstance(video, str) or not video.strip():
        problems.append((line, "the video name is missing"))
        return None
    values: dict[str, Json] = {}
    for name, cell in cells.items():
        if name == column:
            continue
        try:
            values[name] = _PARSERS[name](cell) if name in _PARSERS else cell
        except ValueError as error:
            problems.append((line, f"{name}: {error}"))
    return MetadataRow(line, video.strip(), values)


def _label(cell: Json) -> Json:
    if isinstance(cell, str | int) and not isinstance(cell, bool):
        return str(cell)
    raise ValueError("a name or a number is expected")


def _indoor(cell: Json) -> Json:
    text = str(cell).lower()
    if text not in _TRUE | _FALSE:
        raise ValueError(f"“{cell}” is neither yes nor no")
    return text in _TRUE


def _one_of(words: Mapping[str, str]) -> Callable[[Json], Json]:
    def parse(cell: Json) -> Json:
        found = words.get(str(cell).lower())
        if found is None:
            allowed = ", ".join(dict.fromkeys(words.values()))
            raise ValueError(f"“{cell}” is none of {allowed}")
        return found

    return parse


def _frame(cell: Json) -> Json:
    """Return a cut frame; the benchmark writes -1 where a video has none."""
    if isinstance(cell, bool) or not re.fullmatch(r"-1|\d{1,9}", str(cell)):
        raise ValueError(f"“{cell}” is no frame number")
    if int(str(cell)) == 0:
        raise ValueError("a cut at frame 0 leaves nothing to be seen; -1 stands for no cut")
    return int(str(cell))


_PARSERS: Final[Mapping[str, Callable[[Json], Json]]] = {
    "script": _label,
    "variation": _label,
    "participant": _label,
    "camera": _one_of(_CAMERAS),
    "indoor": _indoor,
    "split": _one_of(_SPLITS),
    "cut_frame": _frame,
}


def _column(name: str) -> str:
    """Return a column's name in the one way to write it."""
    return re.sub(r"[\s-]+", "_", name.strip().lower())


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is no number")


def _refused(path: Path, text: str, hint: str = "") -> ExchangeError:
    return ExchangeError(text, hint=hint or "No data was imported.", where=str(path))
