"""Untrusted JSON, read member by member and refused at any fault.

Python's own reader takes NaN, keeps the last of two equal keys, and needs the whole file as
objects in memory. Here the file is mapped, its nesting is measured and its top-level members are
found in one pass that keeps nothing but their positions; each member is then parsed when asked for.

Files that are as they usually are take a quicker way, which finds the same. Where anything is
unusual or might be wrong it gives no answer: the long way then finds out, and says it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, cast

import msgspec
import numpy as np

from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json
from annotator.exchange.mapped_file import MappedFile
from annotator.exchange.node import member_path

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
"""Larger integers can lose digits; fractions beyond it do not parse."""
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
    spans: dict[str, tuple[int, int]] = {}
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
            if name is None or name in spans:
                return None
            spans[name] = (start, end)
            at = end
        file.seek(at)
        is_whole = at > 0 and file.read(_CHUNK_BYTES).strip() == b"}"
    return spans if is_whole else None


def quick_entry(text: bytes) -> Json | None:
    """Return an entry with flat records and numbers of usual size."""
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
    """Yield the bytes of each object in the outermost one; irregular input ends it early."""
    depth, is_inside, start, at, last, n_read = 0, False, -1, 0, 0, 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            # To look for one is ten times as quick as for two.
            if b"\\" in chunk and (b"\\\\" in chunk or (last == 0x5C and chunk[:1] == b"\\")):
                return
            places, steps, is_inside = _braces(chunk, last, is_inside)
            depths = depth + np.cumsum(steps)
            begins = places[(depths == 2) & (steps > 0)] + at
            ends = places[(depths == 1) & (steps < 0)] + at + 1
            starts = [int(b) for b in begins]
            firsts = [start, *starts] if start >= 0 else starts
            for first, end in zip(firsts, ends.tolist(), strict=False):
                yield first, int(end)
            start = firsts[len(ends)] if len(firsts) > len(ends) else -1
            depth = int(depths[-1]) if len(depths) else depth
            at, last = at + len(chunk), chunk[-1]
            n_read = int(ends[-1]) if len(ends) else n_read
            if depth > _MAX_DEPTH or at - n_read > _MAX_OBJECT_BYTES:
                return


def _braces(
    chunk: bytes, last: int, is_inside: bool
) -> tuple[NDArray[np.int64], NDArray[np.int8], bool]:
    """Return the places of braces outside strings, +1 or -1 for each; and whether a string is open.

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
        """``spans`` are the bytes of the members, if already known."""
        self._spans = spans
        self._is_measured = False
        super().__init__(path, MAX_BYTES)

    def keys(self) -> list[str]:
        """Return the top-level keys in file order."""
        return list(self._spans or ())

    def span(self, key: str) -> Span:
        """Return the byte range of the value of a top-level key."""
        return (self._spans or {})[key]

    def member(self, key: str, span: Span | None = None) -> Json:
        """Return the value of a top-level key; ``span`` is its byte range, if known."""
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
        """Yield key and byte span of each top-level member; refuse deep nesting."""
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
        half_pair = half_pair_path(value, path) if "\\u" in text else None
        if half_pair is not None:
            raise self._refused("the text contains an unpaired surrogate", half_pair)
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
    """Return the first invalid part of a value in a text, and its path.

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
    json.JSONDecodeError for malformed content.
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
            if unsound := _find_unsound(item, member_path(path, key)):
                return unsound
    elif isinstance(value, list):
        for i, item in enumerate(value):
            if unsound := _find_unsound(item, f"{path}[{i}]"):
                return unsound
    return None
