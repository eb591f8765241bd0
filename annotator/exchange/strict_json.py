"""JSON from strangers: opened without trust, read member by member, refused with the place named.

Python's own reader takes NaN, keeps the last of two equal keys, and needs the whole file as
objects in memory. Here the file is mapped, its nesting is measured and its top-level members are
found in one pass that keeps nothing but their positions; each member is then parsed when asked for.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json
from annotator.exchange.mapped_file import MappedFile
from annotator.exchange.node import member_path
from annotator.exchange.quick_json import quick_entry, quick_spans

MAX_DEPTH: Final = 32
MAX_BYTES: Final = 4 << 30
MAX_MEMBERS: Final = 1_000_000
MAX_MEMBER_BYTES: Final = 64 << 20
"""Of one entry: parsed, it may need some twenty times as much memory."""

_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+("?)|[\[\]{}:,]', re.DOTALL)
_BRACKET: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+("?)|[\[\]{}]', re.DOTALL)
_CLOSING: Final = {b"[": b"]", b"{": b"}"}
_BLANK: Final = re.compile(rb"[ \t\r\n]*")
_MAX_DIGITS: Final = 18
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


Span = tuple[int, int]
"""The first byte of a value, and the one after its last."""


class JsonObjectFile(MappedFile):
    """A file whose top level is one JSON object; its members are parsed one at a time.

    ExchangeError with the file's name, the place and the next step where it is anything else.
    """

    def __init__(self, path: Path, spans: dict[str, Span] | None = None) -> None:
        """``spans`` are the bytes of the members, where somebody has found them already."""
        self._spans = spans
        self._is_measured = False
        super().__init__(path, MAX_BYTES)

    def keys(self) -> list[str]:
        """Return the top-level keys in file order."""
        return list(self._spans or ())

    def span(self, key: str) -> Span:
        """Return the bytes in which the value of a top-level key stands."""
        return (self._spans or {})[key]

    def member(self, key: str, span: Span | None = None) -> Json:
        """Return the value of a top-level key; ``span`` is where it stands, if that is known."""
        start, end = span or self.span(key)
        if end - start > MAX_MEMBER_BYTES:
            raise self._refused(
                f"the entry is larger than {MAX_MEMBER_BYTES >> 20} MB", member_path("$", key)
            )
        value = quick_entry(self._map[start:end])
        if value is not None:
            return value
        if not self._is_measured:
            self._member_end(start, key)
        return self._parse(start, end, member_path("$", key))

    def _read(self) -> None:
        if self._spans is None:
            self._spans = quick_spans(self.path)
        if self._spans is None:
            self._spans, self._is_measured = dict(self._scan()), True

    def _scan(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield key and byte span of each top-level member; refuse what is nested too deeply."""
        data = self._map
        start = 3 if data[:3] == b"\xef\xbb\xbf" else 0
        begin = self._after_blank(start)
        if data[begin : begin + 1] != b"{":
            hint = "A Perception Test file must be one object with one key per video."
            raise self._refused("the top level is not an object", "$", hint)
        seen: set[str] = set()
        place = self._after_blank(begin + 1)
        if data[place : place + 1] == b"}":
            self._check_end(place + 1)
            return
        while True:
            key, place = self._key(place)
            if key in seen:
                raise self._refused(f"duplicate key {json.dumps(key)}", "$")
            seen.add(key)
            if len(seen) > MAX_MEMBERS:
                raise self._refused(f"there are more than {MAX_MEMBERS} entries", "$")
            end = self._member_end(place, key)
            yield key, (place, end)
            if data[end : end + 1] == b"}":
                self._check_end(end + 1)
                return
            place = self._after_blank(end + 1)

    def _key(self, place: int) -> tuple[str, int]:
        """Return the key that starts at a place, and the place of its value."""
        match = _TOKEN.match(self._map, place)
        if match is None or match.group(1) != b'"':
            raise self._refused(f"expected a quoted key at byte {place}", "$")
        key = self._parse(match.start(), match.end(), "$")
        colon = self._after_blank(match.end())
        if self._map[colon : colon + 1] != b":" or not isinstance(key, str):
            raise self._refused(f"expected a colon at byte {colon}", "$")
        return key, self._after_blank(colon + 1)

    def _member_end(self, place: int, key: str) -> int:
        """Return the position of the comma or brace that ends a top-level member."""
        open_brackets = [b"}"]
        position = place
        while True:
            pattern = _TOKEN if len(open_brackets) == 1 else _BRACKET
            match = pattern.search(self._map, position)
            if match is None:
                hint = "The file is probably incomplete. Copy it again from its source."
                path = member_path("$", key)
                raise self._refused("the file is truncated", path, hint)
            token = self._map[match.start() : match.start() + 1]
            if closing := _CLOSING.get(token):
                open_brackets.append(closing)
                if len(open_brackets) > MAX_DEPTH:
                    text = f"more than {MAX_DEPTH} nested brackets"
                    path = member_path("$", key)
                    raise self._refused(f"{text} at byte {match.start()}", path)
            elif token in (b"]", b"}"):
                if open_brackets.pop() != token:
                    text = f"invalid JSON at byte {match.start()}: mismatched closing bracket"
                    raise self._refused(text, member_path("$", key))
                if not open_brackets:
                    return match.start()
            elif token == b"," and len(open_brackets) == 1:
                return match.start()
            position = match.end()

    def _check_end(self, place: int) -> None:
        if self._after_blank(place) != len(self._map):
            raise self._refused(f"unexpected data after the end of the JSON at byte {place}", "$")

    def _after_blank(self, place: int) -> int:
        match = _BLANK.match(self._map, place)
        return match.end() if match else place

    def _parse(self, start: int, end: int, path: str) -> Json:
        """Return the value in a span of bytes, all of it sound."""
        try:
            text = self._map[start:end].decode("utf-8")
            value = _STRICT.decode(text)
        except UnicodeDecodeError as error:
            place = start + error.start
            hint = "Save it as UTF-8."
            raise self._refused(f"invalid UTF-8 at byte {place}", path, hint) from error
        except json.JSONDecodeError as error:
            raise self._malformed(error, start, path) from error
        except ValueError as error:
            raise self._unsound(text, start, path) from error
        found = half_pair_path(value, path) if "\\u" in text else None
        if found is not None:
            raise self._refused("the text contains an unpaired surrogate", found)
        result: Json = value
        return result

    def _malformed(self, error: json.JSONDecodeError, start: int, path: str) -> ExchangeError:
        byte = start + len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))
        line = 1 + self._count_lines(byte)
        return self._refused(f"invalid JSON at line {line}, byte {byte} ({error.msg})", path)

    def _unsound(self, text: str, start: int, path: str) -> ExchangeError:
        """Return the error for JSON that says what must not be said; it may be malformed after."""
        try:
            problem, place = find_unsound(text, path)
        except json.JSONDecodeError as error:
            return self._malformed(error, start, path)
        return self._refused(problem, place)

    def _count_lines(self, end: int) -> int:
        count, place = 0, self._map.find(b"\n", 0, end)
        while place >= 0:
            count, place = count + 1, self._map.find(b"\n", place + 1, end)
        return count


def half_pair_path(value: Json, path: str) -> str | None:
    """Return the path of a text with half of a surrogate pair, which cannot be written as UTF-8."""
    if isinstance(value, str):
        return path if _SURROGATE.search(value) else None
    if isinstance(value, list):
        found = (half_pair_path(item, f"{path}[{i}]") for i, item in enumerate(value))
        return next(filter(None, found), None)
    if isinstance(value, dict):
        for key, item in value.items():
            if _SURROGATE.search(key):
                return path
            if place := half_pair_path(item, member_path(path, key)):
                return place
    return None


def find_unsound(text: str, path: str) -> tuple[str, str]:
    """Return what makes the value unsound that a text begins with, and its path.

    json.JSONDecodeError where the text is malformed, be it after that.
    """
    value, _ = _LENIENT.raw_decode(text.lstrip(" \t\r\n"))
    return _find_unsound(value, path) or ("the value is invalid", path)


class _Members(list[tuple[str, Json]]):
    """An object as the pairs that stand in the text, equal keys and all."""


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("equal keys")
    return found


def _no_constant(name: str) -> Json:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _bounded(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(text)
    return int(text)


def _bounded_or_infinite(text: str) -> Json:
    """Return a whole number; infinity, to be found, for one that does not fit 64 bits."""
    return int(text) if len(text) <= _MAX_DIGITS else math.inf


_STRICT: Final = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_constant=_no_constant,
    parse_float=_finite,
    parse_int=_bounded,
)
_LENIENT: Final = json.JSONDecoder(object_pairs_hook=_Members, parse_int=_bounded_or_infinite)


def raw_value(text: str, start: int) -> tuple[Json, int]:
    """Return the value that begins at a place, and where it ends; ValueError for what is unsound,
    json.JSONDecodeError for what is malformed.
    """
    return _STRICT.raw_decode(text, start)


def _find_unsound(value: object, path: str) -> tuple[str, str] | None:
    """Return what makes a parsed value unsound, and the path of it."""
    if isinstance(value, float) and not math.isfinite(value):
        return "the number is NaN, infinite or too large", path
    if isinstance(value, _Members):
        seen: set[str] = set()
        for key, item in value:
            if key in seen:
                return f"duplicate key {json.dumps(key)} in an object", path
            seen.add(key)
            if found := _find_unsound(item, member_path(path, key)):
                return found
    elif isinstance(value, list):
        for i, item in enumerate(value):
            if found := _find_unsound(item, f"{path}[{i}]"):
                return found
    return None
