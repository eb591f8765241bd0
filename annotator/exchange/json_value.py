"""A whole JSON file as one value, read safely: for formats with small files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from annotator.domain.json_type import Json
from annotator.exchange.node import Node
from annotator.exchange.strict_json import MAX_DEPTH, JsonObjectFile

MAX_VALUE_BYTES: Final = 256 << 20
_BRACKET: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)


def read_value(path: Path) -> Node:
    """Return the value of a JSON file; ExchangeError names the place of a fault."""
    with _ValueFile(path) as file:
        return Node(file.value(), path.name)


def encode_value(value: Json) -> Iterable[bytes]:
    """Return a file: one line for each member of the top level, keys in the order given."""
    if isinstance(value, dict) and value:
        lines = [f"{_text(key)}: {_text(item)}" for key, item in value.items()]
        return [("{\n" + ",\n".join(lines) + "\n}\n").encode()]
    if isinstance(value, list) and value:
        return [("[\n" + ",\n".join(map(_text, value)) + "\n]\n").encode()]
    return [_text(value).encode() + b"\n"]


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class _ValueFile(JsonObjectFile):
    """Parsed as one, so that the top level may be a list."""

    def value(self) -> Json:
        return self._parse(self._start, len(self._map), "$")

    def _read(self) -> None:
        data = self._map
        if len(data) > MAX_VALUE_BYTES:
            raise self._refused(f"the file is larger than {MAX_VALUE_BYTES >> 20} MB")
        self._start = 3 if data[:3] == b"\xef\xbb\xbf" else 0
        depth = 0
        for token in _BRACKET.finditer(data, self._start):
            depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(token.group()[:1], 0)
            if depth > MAX_DEPTH:
                text = f"more than {MAX_DEPTH} nested brackets at byte {token.start()}"
                raise self._refused(text, "$")
