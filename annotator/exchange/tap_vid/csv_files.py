"""Reads and writes TAP-Vid CSV files, which have no header; a row is a point.

A row of TAP-Vid-Kinetics is a clip (name, first and last second) and 250 times x, y, occluded: 753
columns. Any other file has a video's name and x, y, occluded for each of its frames.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json
from annotator.exchange.fractions import MAX_MARKS
from annotator.exchange.tap_vid.marks import Example, checked_places

CLIP_COLUMNS: Final = 753
MAX_BYTES: Final = 4 << 30
MAX_ROW_BYTES: Final = 64 << 20
MAX_ROWS: Final = 1_000_000
_SECONDS: Final = re.compile(r"\d{1,6}(\.\d+)?\Z")
_FIXED: Final = re.compile(r"-?\d+\.(\d{1,15})\Z")
_NUMBER: Final = re.compile(r" *[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)? *\Z|nan\Z", re.IGNORECASE)


@dataclass(slots=True)
class _Video:
    """Where the rows of a video are: (number, position in the file), and how long they are."""

    n_columns: int
    facts: dict[str, Json]
    rows: list[tuple[int, int]] = field(default_factory=list)


class CsvExamples:
    """The videos of a CSV file, read one at a time.

    ExchangeError, with the row, where a row has not the columns it must have.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._videos: dict[str, _Video] = {}
        try:
            if path.stat().st_size > MAX_BYTES:
                raise ExchangeError("the file is too large.", where=str(path))
            self._file: BinaryIO = path.open("rb")
        except OSError as error:
            text = f"cannot be read: {error.strerror or error}."
            hint = "Check the path and the read permission."
            raise ExchangeError(text, hint=hint, where=str(path)) from error
        try:
            for number, position, cells in self._rows():
                self._note(number, position, cells)
        except BaseException:
            self._file.close()
            raise

    def names(self) -> list[str]:
        """Return the names of the videos in file order."""
        return list(self._videos)

    def read(self, name: str) -> Example:
        """Return one video; ExchangeError, with row and column, where a cell is not sound."""
        video = self._videos[name]
        skipped = 1 if video.n_columns != CLIP_COLUMNS else 3
        numbers: list[list[float]] = []
        decimals: list[int | None] = []
        if len(video.rows) * video.n_columns > 3 * MAX_MARKS:
            text = (
                f"has more than {MAX_MARKS} point marks together with other rows of the same video"
            )
            raise self._refused(video.rows[0][0], text)
        for number, position in video.rows:
            self._file.seek(position)
            cells = self._cells(number, self._file.readline())[skipped:]
            numbers.append(self._numbers(cells, number, skipped))
            decimals.append(_decimals(cells))
        table = np.asarray(numbers, dtype=np.float64).reshape(len(numbers), -1, 3)
        where = self._where(video.rows[0][0])
        hidden = table[:, :, 2] > 0
        places, styles, findings = checked_places(table[:, :, :2], hidden, where)
        for style, count in zip(styles, decimals, strict=True):
            if count is not None:
                style["decimals"] = count
        return Example(name, where, places, hidden, styles, video.facts, True, findings)

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def _rows(self) -> Iterator[tuple[int, int, list[str]]]:
        position = 0
        for number in range(1, MAX_ROWS + 2):
            line = self._file.readline(MAX_ROW_BYTES + 1)
            if not line:
                return
            if len(line) > MAX_ROW_BYTES or number > MAX_ROWS:
                raise self._refused(
                    number, "is too long" if number <= MAX_ROWS else "exceeds the size limit"
                )
            if line.strip():
                yield number, position, self._cells(number, line)
            position += len(line)

    def _cells(self, number: int, line: bytes) -> list[str]:
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            return next(csv.reader([text], strict=True))
        except UnicodeDecodeError as error:
            raise self._refused(number, "is not UTF-8 text") from error
        except csv.Error as error:
            raise self._refused(number, f"is not valid CSV ({error})") from error

    def _note(self, number: int, position: int, cells: list[str]) -> None:
        count = len(cells)
        if count != CLIP_COLUMNS and (count < 4 or count % 3 != 1):
            text = (
                f"has {count} columns; expected {CLIP_COLUMNS} for clips, or 1 plus 3 per "
                "frame for videos"
            )
            raise self._refused(number, text)
        name, facts = self._clip(number, cells) if count == CLIP_COLUMNS else _named(cells[0])
        if not name:
            raise self._refused(number, "has no video name")
        video = self._videos.setdefault(name, _Video(count, facts))
        if video.n_columns != count:
            text = f"has {count} columns; the first row of “{name[:80]}” has {video.n_columns}"
            raise self._refused(number, text)
        video.rows.append((number, position))

    def _clip(self, number: int, cells: Sequence[str]) -> tuple[str, dict[str, Json]]:
        """Return the name that the clip's file has, and the cells it was made from."""
        for column, cell in enumerate(cells[1:3], 2):
            if not _SECONDS.match(cell):
                text = f"has “{cell[:40]}” in column {column}; expected a number of seconds"
                raise self._refused(number, text)
        start, end = (f"{int(float(cell)):06}" for cell in cells[1:3])
        return f"{cells[0]}_{start}_{end}", {"clip": list[Json](cells[:3])}

    def _numbers(self, cells: Sequence[str], number: int, skipped: int) -> list[float]:
        for column, cell in enumerate(cells):
            is_flag = column % 3 == 2
            if not _NUMBER.match(cell) or (is_flag and cell.strip().lower() == "nan"):
                text = f"has “{cell[:40]}” in column {column + skipped + 1}; expected a number"
                raise self._refused(number, text)
        return [float(cell) for cell in cells]

    def _where(self, number: int) -> str:
        return f"row {number}"

    def _refused(self, number: int, text: str) -> ExchangeError:
        hint = "No data was imported. The file must have no header and one row per point."
        return ExchangeError(f"{text}.", hint=hint, where=f"{self.path}, row {number}")


def _decimals(cells: Sequence[str]) -> int | None:
    """Return how many decimals the numbers of a row have, None where each has its own count."""
    found = [_FIXED.match(cell) for column, cell in enumerate(cells) if column % 3 != 2]
    counts = {len(match.group(1)) if match else None for match in found}
    return counts.pop() if len(counts) == 1 else None


def _named(cell: str) -> tuple[str, dict[str, Json]]:
    """Return the name of a video, which may be that of its file."""
    if cell.endswith(".mp4"):
        return cell.removesuffix(".mp4"), {"video_id": cell}
    return cell, {}


def encode(examples: Iterable[Example]) -> Iterator[bytes]:
    """Yield a file row by row. A float is the shortest text that reads back as the same double.

    Values imported with a fixed number of decimals are written so again.
    """
    for example in examples:
        first = first_cells(example)
        for places, flags, style in zip(
            example.points.tolist(), example.occluded.tolist(), example.styles, strict=True
        ):
            decimals = style.get("decimals")
            form = f".{decimals}f" if isinstance(decimals, int) else "r"
            cells = list(first)
            for (x, y), is_occluded in zip(places, flags, strict=True):
                cells += (_number(x, form), _number(y, form), "1" if is_occluded else "0")
            row = io.StringIO()
            csv.writer(row, lineterminator="\n").writerow(cells)
            yield row.getvalue().encode("utf-8")


def first_cells(example: Example) -> list[str]:
    """Return the cells before the numbers: the imported clip, else the name of the video."""
    clip = example.facts.get("clip")
    if isinstance(clip, list) and len(clip) == 3 and 3 * example.n_frames + 3 == CLIP_COLUMNS:
        return [str(cell) for cell in clip]
    return [str(example.facts.get("video_id") or example.name)]


def _number(value: float, form: str) -> str:
    return repr(value) if form == "r" else format(value, form)
