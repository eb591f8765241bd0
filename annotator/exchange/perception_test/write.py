"""The canonical form: one line for each record, keys in a fixed order, the same bytes each time.

Videos are sorted by name with numbers by value (``video_2`` before ``video_10``). There is no white
space inside a line. Text is UTF-8 as it is; a float is the shortest decimal that reads back as the
same double, and whole numbers stay whole. Importing a file in this form and exporting it again
gives the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final

import msgspec

from annotator.domain.json_type import Json
from annotator.exchange.order import natural_key

OPENING: Final = b"{\n"
BETWEEN: Final = b",\n"
CLOSING: Final = b"\n}\n"
"""What stands before, between and after the entries of a file."""

_fast: Final = msgspec.json.Encoder()
_slow: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

# Where these stand the fast encoder may have written a number in another way, or null for none.
_DOUBTFUL: Final = (b"0.0000", b"null")
_EXPONENT: Final = re.compile(rb"e(?<=\de)")


def encode(entries: Mapping[str, dict[str, Json]]) -> Iterator[bytes]:
    """Yield a file in parts; ``entries`` are the values by video name, in any order."""
    opening = OPENING
    for name in sorted(entries, key=natural_key):
        yield opening
        yield encode_entry(name, entries[name])
        opening = BETWEEN
    yield OPENING.strip() + CLOSING if not entries else CLOSING


def encode_entry(name: str, value: Mapping[str, Json]) -> bytes:
    """Return the part of a file that is about one video."""
    return b"".join((_text(name), b":{", *_members(value.items()), b"\n}"))


def encode_answers(name: str, value: Json) -> bytes:
    """Return the part of a result file that is about one video."""
    if isinstance(value, list):
        return b"%b:[\n%b\n]" % (_text(name), _lines(value)) if value else _text(name) + b":[]"
    return encode_entry(name, value if isinstance(value, dict) else {})


def _members(items: Iterable[tuple[str, Json]]) -> Iterator[bytes]:
    opening = b"\n"
    for key, value in items:
        if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            body = b"[\n%b\n]" % _lines(value)
        else:
            body = _text(value)
        yield b"".join((opening, _text(key), b":", body))
        opening = b",\n"


def _lines(records: list[Json]) -> bytes:
    """Return records, each in a line of its own."""
    with suppress(OverflowError):
        lines = _fast.encode_lines(records)
        if not _is_doubtful(lines):
            return lines[:-1].replace(b"\n", b",\n")
    return b",\n".join(map(_text, records))


def _text(value: Json) -> bytes:
    """Return a value in one line; ValueError for what JSON cannot say."""
    try:
        text = _fast.encode(value)
    except OverflowError:
        return _slow.encode(value).encode()
    return _slow.encode(value).encode() if _is_doubtful(text) else text


def _is_doubtful(text: bytes) -> bool:
    return any(part in text for part in _DOUBTFUL) or _EXPONENT.search(text) is not None
