"""The canonical form: one line for each record, keys in a fixed order, the same bytes each time.

Videos are sorted by name with numbers by value (``video_2`` before ``video_10``). There is no white
space inside a line. Text is UTF-8 as it is; a float is the shortest decimal that reads back as the
same double, and whole numbers stay whole. Importing a file in this form and exporting it again
gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from annotator.domain.track import Json
from annotator.exchange.order import natural_key


def encode(entries: Mapping[str, dict[str, Json]]) -> Iterator[bytes]:
    """Yield a file in parts; ``entries`` are the values by video name, in any order."""
    yield b"{"
    opening = "\n"
    for name in sorted(entries, key=natural_key):
        yield f"{opening}{_text(name)}:{{".encode()
        yield from _members(entries[name].items())
        yield b"\n}"
        opening = ",\n"
    yield b"\n}\n"


def _members(items: Iterable[tuple[str, Json]]) -> Iterator[bytes]:
    opening = "\n"
    for key, value in items:
        if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            body = "[\n" + ",\n".join(_text(v) for v in value) + "\n]"
        else:
            body = _text(value)
        yield f"{opening}{_text(key)}:{body}".encode()
        opening = ",\n"


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
