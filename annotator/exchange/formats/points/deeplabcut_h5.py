"""DeepLabCut HDF5: the tables of the CSV files as pandas stores them (extra ``sleap``).

Analyzed videos are stored in the "table" layout, whose column names are a pickled list: of pickles
only lists, tuples and texts are read, and nothing is ever called. Labeled frames are stored in the
"fixed" layout: levels of names, and for each column the number of its name.
"""

from __future__ import annotations

import math
import pickletools
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from annotator.domain.errors import ExchangeError
from annotator.exchange.formats.base.file_content import VideoContent
from annotator.exchange.formats.base.format import Format
from annotator.exchange.formats.base.plain_files import MAX_BYTES, fail
from annotator.exchange.formats.points import deeplabcut

_HEADS: Final = {
    3: ("scorer", "bodyparts", "coords"),
    4: ("scorer", "individuals", "bodyparts", "coords"),
}
_MAX_COLUMNS: Final = 100_000
_MAX_ROWS: Final = 10_000_000
_MAX_PICKLE: Final = 16 << 20
_CHUNK: Final = 1024
# What h5py gives has no types.
_Group = Any
_Array = Any
_Plain = Any
_HINT: Final = "Install the extra “sleap”: pip install annotator[sleap]. Or use the CSV file."


def _library() -> ModuleType:
    try:
        import h5py
    except ImportError as error:
        text = "DeepLabCut HDF5 files need the package h5py, which is not installed."
        raise ExchangeError(text, hint=_HINT) from error
    return h5py  # type: ignore[no-any-return]


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError where it cannot be read, or h5py is missing."""
    library = _library()
    try:
        if path.stat().st_size > MAX_BYTES:
            raise fail(path, f"The file is larger than {MAX_BYTES >> 30} GB.")
        with library.File(path, "r") as file:
            groups = [group for group in file.values() if isinstance(group, library.Group)]
            if len(groups) != 1:
                raise fail(path, "The file is not a table of DeepLabCut.")
            rows = _table(path, groups[0]) if "table" in groups[0] else _fixed(path, groups[0])
            return deeplabcut.read_rows(path, enumerate(rows, 1))
    except ExchangeError:
        raise
    except OSError as error:
        raise fail(path, "Cannot read the file: it is damaged, or not HDF5.") from error
    except Exception as error:  # a library of others: any fault of a file may end in any error
        raise fail(path, f"Cannot read the file: {type(error).__name__}.") from error


def _table(path: Path, group: _Group) -> Iterator[list[str]]:
    """Yield the rows of the layout "table": names of columns first."""
    axes = _plain(path, bytes(group.attrs["non_index_axes"]))
    match axes:
        case [[_, list(columns)]]:
            pass
        case _:
            raise fail(path, "The names of the columns cannot be read.")
    yield from _named_columns(path, columns, 1)
    table = group["table"]
    block = [name for name in table.dtype.names if name.startswith("values_block_")]
    if len(block) != 1 or len(table) > _MAX_ROWS:
        raise fail(path, "The file is not a table of DeepLabCut.")
    for start in range(0, len(table), _CHUNK):
        part = table[start : start + _CHUNK]
        for index, values in zip(part["index"], part[block[0]], strict=True):
            named = index.decode() if isinstance(index, bytes) else str(int(index))
            yield [named, *map(_text, values)]


def _fixed(path: Path, group: _Group) -> Iterator[list[str]]:
    """Yield the rows of the layout "fixed": names of columns first."""
    columns = _names(path, group, "block0_items")
    index = _names(path, group, "axis1")
    values = group["block0_values"]
    if "block1_values" in group or values.shape != (len(index), len(columns)):
        raise fail(path, "The file is not a table of DeepLabCut.")
    yield from _named_columns(path, columns, len(index[0]) if index else 1)
    for start in range(0, len(index), _CHUNK):
        part = values[start : start + _CHUNK]
        for place, row in zip(index[start : start + _CHUNK], part, strict=True):
            yield [*place, *map(_text, row)]


def _named_columns(path: Path, columns: Sequence[Any], width: int) -> Iterator[list[str]]:
    """Yield the rows of names that a CSV file begins with; ``width`` columns name the picture."""
    depths = {len(column) if isinstance(column, (list, tuple)) else 0 for column in columns}
    heads = _HEADS.get(max(depths, default=0))
    is_text = all(isinstance(name, str) for column in columns for name in column)
    if len(depths) != 1 or heads is None or len(columns) > _MAX_COLUMNS or not is_text:
        raise fail(path, "The columns are not those of DeepLabCut.")
    for level, head in enumerate(heads):
        yield [head, *[""] * (width - 1), *(column[level] for column in columns)]


def _names(path: Path, group: _Group, axis: str) -> list[tuple[str, ...]]:
    """Return the names along an axis, each with one text for every level."""
    if axis in group:
        dataset = group[axis]
        return [(_text_at(path, value),) for value in _bounded(path, dataset)]
    levels: list[list[str]] = []
    while f"{axis}_level{len(levels)}" in group:
        number = len(levels)
        known = [_text_at(path, v) for v in _bounded(path, group[f"{axis}_level{number}"])]
        labels = _bounded(path, group[f"{axis}_label{number}"])
        levels.append([known[int(i)] if 0 <= int(i) < len(known) else "" for i in labels])
    if not levels:
        raise fail(path, "The file is not a table of DeepLabCut.")
    return list(zip(*levels, strict=True))


def _bounded(path: Path, dataset: _Array) -> _Array:
    if dataset.ndim != 1 or len(dataset) > _MAX_ROWS:
        raise fail(path, "The file is not a table of DeepLabCut.")
    return dataset[:]


def _text_at(path: Path, value: _Array) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if value.dtype.kind not in "iu":
        raise fail(path, "The names in the file are pickled. Use the CSV file instead.")
    return str(int(value))


def _text(value: _Array) -> str:
    number = float(value)
    return "" if math.isnan(number) else repr(number)


def _plain(path: Path, data: bytes) -> _Plain:
    """Return the value of a pickle of lists, tuples, integers and texts; tuples become lists.

    ExchangeError for every other instruction, of which nothing is carried out.
    """
    if len(data) > _MAX_PICKLE:
        raise fail(path, "The names of the columns cannot be read.")
    mark = object()
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    for opcode, argument, _ in pickletools.genops(data):
        match opcode.name:
            case "PROTO" | "FRAME" | "STOP":
                pass
            case "MARK":
                stack.append(mark)
            case "UNICODE" | "BINUNICODE" | "SHORT_BINUNICODE" | "INT" | "BININT" | "BININT1":
                stack.append(argument)
            case "EMPTY_LIST" | "EMPTY_TUPLE":
                stack.append([])
            case "LIST" | "TUPLE" | "APPENDS":
                at = len(stack) - 1 - stack[::-1].index(mark)
                values, stack[at:] = stack[at + 1 :], []
                if opcode.name == "APPENDS":
                    stack[-1].extend(values)
                else:
                    stack.append(values)
            case "TUPLE1" | "TUPLE2" | "TUPLE3":
                n = int(opcode.name[-1])
                stack[-n:] = [stack[-n:]]
            case "APPEND":
                value = stack.pop()
                stack[-1].append(value)
            case "PUT" | "BINPUT" | "LONG_BINPUT" | "MEMOIZE":
                memo[len(memo) if argument is None else int(argument)] = stack[-1]
            case "GET" | "BINGET" | "LONG_BINGET":
                stack.append(memo[int(argument or 0)])
            case _:
                raise fail(path, "The names of the columns cannot be read.")
    return stack[-1]


FORMAT: Final = Format(
    "deeplabcut-h5",
    "DeepLabCut points (HDF5)",
    (".h5", ".hdf5"),
    "hdf5",
    needs_videos=True,
    holds=("points",),
    losses=deeplabcut.FORMAT.losses,
    source=deeplabcut.FORMAT.source,
    is_per_video=True,
    read=read,
    writes=False,
)
