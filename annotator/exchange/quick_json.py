"""A short way through JSON files that are as they usually are; all others go the long way.

What is found here is what `strict_json` would find. Where anything is unusual, and wherever
something might be wrong, there is no answer: the long way then finds out, and says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, cast

import msgspec
import numpy as np

from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHUNK_BYTES: Final = 4 << 20
_MANY_BYTES: Final = 1 << 20
"""The long way is as good for files up to this size."""

_MAX_OBJECT_BYTES: Final = 64 << 20
_MAX_DEPTH: Final = 32

_BEFORE_MEMBER: Final = re.compile(rb'\s*(,?)\s*("[^"\\]*")\s*:\s*')
_KEY: Final = re.compile(rb'"[ \t\r\n]*:')
_LARGE: Final = 10**17
"""Whole numbers beyond may not be what they were; fractions that are too large do not parse."""

_Whole = Annotated[int, msgspec.Meta(gt=-_LARGE, lt=_LARGE)]
_Number = _Whole | float
_Usual = str | _Number | bool | None
_Record = dict[str, _Usual | list[_Usual | list[_Number]]]

_decoder: Final = msgspec.json.Decoder(dict[str, _Record | list[_Record]])


def quick_spans(path: Path) -> dict[str, tuple[int, int]] | None:
    """Return the bytes of the members of a large file that is an object of objects, else None."""
    size = path.stat().st_size
    if size < _MANY_BYTES:
        return None
    found: dict[str, tuple[int, int]] = {}
    with path.open("rb") as file:
        at = 0
        for start, end in _objects(path):
            file.seek(at)
            before = file.read(start - at)
            if at == 0:
                before = before.strip()
                if not before.startswith(b"{"):
                    return None
                before = before[1:]
            match = _BEFORE_MEMBER.fullmatch(before)
            if match is None or (match.group(1) == b"") != (at == 0):
                return None
            name = _text(match.group(2))
            if name is None or name in found:
                return None
            found[name] = (start, end)
            at = end
        file.seek(at)
        is_whole = at > 0 and file.read(_CHUNK_BYTES).strip() == b"}"
    return found if is_whole else None


def quick_entry(text: bytes) -> Json | None:
    """Return the value of an entry whose records are flat and whose numbers are of usual size."""
    try:
        value = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    records = chain.from_iterable(
        member if isinstance(member, list) else (member,) for member in value.values()
    )
    counts = list(map(len, records))
    # Equal keys would be one in the value and two in the text.
    is_whole = text.count(b"{") == 1 + len(counts)
    is_whole = is_whole and len(_KEY.findall(text)) == len(value) + sum(counts)
    return cast("Json", value) if is_whole else None


def _objects(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the bytes of each object right within the outermost one; what is odd ends it early."""
    depth, is_inside, start, at, last, done = 0, False, -1, 0, 0, 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            # To look for one is ten times as quick as for two.
            if b"\\" in chunk and (b"\\\\" in chunk or (last == 0x5C and chunk[:1] == b"\\")):
                return
            places, steps, is_inside = _braces(chunk, last, is_inside)
            depths = depth + np.cumsum(steps)
            begins = places[(depths == 2) & (steps > 0)] + at
            ends = places[(depths == 1) & (steps < 0)] + at + 1
            found = [int(b) for b in begins]
            firsts = [start, *found] if start >= 0 else found
            for first, end in zip(firsts, ends.tolist(), strict=False):
                yield first, int(end)
            start = firsts[len(ends)] if len(firsts) > len(ends) else -1
            depth = int(depths[-1]) if len(depths) else depth
            at, last = at + len(chunk), chunk[-1]
            done = int(ends[-1]) if len(ends) else done
            if depth > _MAX_DEPTH or at - done > _MAX_OBJECT_BYTES:
                return


def _braces(
    chunk: bytes, last: int, is_inside: bool
) -> tuple[NDArray[np.int64], NDArray[np.int8], bool]:
    """Return where braces outside of texts stand and +1 or -1 for each; and whether a text goes on.

    ``last`` is the byte before the chunk, ``is_inside`` whether a text went on there.
    """
    data = np.frombuffer(chunk, np.uint8)
    # A table would take four times as long.
    is_mark = (data == 0x22) | (data == 0x5C) | (data == 0x7B) | (data == 0x7D)
    places = np.flatnonzero(is_mark)
    kinds = data[places]
    before = np.where(places > 0, data[places - 1], last)
    is_quote = (kinds == 0x22) & (before != 0x5C)
    n_quotes = np.cumsum(is_quote) + is_inside
    is_brace = ((kinds == 0x7B) | (kinds == 0x7D)) & (n_quotes % 2 == 0)
    steps = np.where(kinds[is_brace] == 0x7B, 1, -1).astype(np.int8)
    goes_on = bool(n_quotes[-1] % 2) if len(n_quotes) else is_inside
    return places[is_brace], steps, goes_on


def _text(quoted: bytes) -> str | None:
    try:
        return msgspec.json.decode(quoted, type=str)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
