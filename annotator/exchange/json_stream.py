"""A large JSON file from strangers, read list by list: one element at a time is in memory."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json
from annotator.exchange.node import Node, member_path
from annotator.exchange.strict_json import (
    MAX_BYTES,
    MAX_MEMBER_BYTES,
    find_unsound,
    half_pair_path,
    raw_value,
)

_CHUNK: Final = 1 << 20
_OF_NUMBERS: Final = "0123456789+-.eE"
_BLANK: Final = re.compile(r"[ \t\r\n]*")


def lists_of(path: Path) -> Iterator[tuple[str, Iterator[Node]]]:
    """Yield key and elements of each list at the top level of an object, in the order of the file.

    Elements that are not taken before the next list is asked for are left out. ExchangeError, with
    the place, for malformed JSON, and if the top level is no object.
    """
    with _open(path) as file:
        text = _Text(path, file)
        if text.next() != "{":
            raise text.refused("the top level is not an object", "$")
        root = Node(None, path.name)
        seen: set[str] = set()
        text.skip()
        while text.next() != "}":
            key = text.value("$")
            if not isinstance(key, str) or text.next() != ":":
                raise text.refused("expected a quoted key and a colon", "$")
            if key in seen:
                raise text.refused(f"duplicate key {json.dumps(key)}", "$")
            seen.add(key)
            text.skip()
            if text.next() == "[":
                elements = _elements(text, Node(None, key, root), member_path("$", key))
                yield key, elements
                for _ in elements:
                    pass
            else:
                text.value(member_path("$", key))
            text.separator("}", "$")
        text.skip()
        text.end()


def elements_of(path: Path) -> Iterator[Node]:
    """Yield the elements of a file that is a list; ExchangeError as in `lists_of`."""
    with _open(path) as file:
        text = _Text(path, file)
        if text.next() != "[":
            raise text.refused("the top level is not a list", "$")
        yield from _elements(text, Node(None, path.name), "$")
        text.end()


def _elements(text: _Text, parent: Node, place: str) -> Iterator[Node]:
    """Yield the elements of the list that begins here, and go to what follows it."""
    text.skip()
    number = 0
    while text.next() != "]":
        yield Node(text.value(f"{place}[{number}]"), number, parent)
        number += 1
        text.separator("]", place)
    text.skip()


def _open(path: Path) -> BinaryIO:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            text = f"The file is larger than {MAX_BYTES >> 30} GB."
            raise ExchangeError(text, hint="Split it.", where=str(path))
        return path.open("rb")
    except OSError as error:
        text = f"Cannot read the file: {error.strerror or error}."
        raise ExchangeError(text, where=str(path)) from error


class _Text:
    """The text of a file around the place that was reached."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text, self._at, self._line = "", 0, 1
        self._is_end = False

    def next(self) -> str:
        """Return the next character that is not blank, "" at the end; it is not passed."""
        while True:
            match = _BLANK.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text) or self._is_end:
                return self._text[self._at : self._at + 1]
            self._fill()

    def skip(self) -> None:
        """Pass the character that is next."""
        self._at += 1

    def separator(self, closing: str, place: str) -> None:
        """Pass a comma that another value follows; stay before the closing bracket."""
        following = self.next()
        if following == ",":
            self.skip()
            if self.next() == closing:
                raise self.refused("a value is missing after a comma", place)
        elif following != closing:
            what = "expected a comma" if following else "the file is truncated"
            raise self.refused(what, place)

    def value(self, place: str) -> Json:
        """Pass a value and return it; ``place`` is its path."""
        self.next()
        try:
            return self._value(place)
        except RecursionError:
            raise self.refused("the brackets are nested too deeply", place) from None

    def _value(self, place: str) -> Json:
        while True:
            try:
                value, end = raw_value(self._text, self._at)
                has_escape = self._text.find("\\u", self._at, end) >= 0
                if has_escape and (half_pair := half_pair_path(value, place)):
                    raise self.refused("the text contains an unpaired surrogate", half_pair)
            except json.JSONDecodeError as error:
                if self._fill():
                    continue
                at = self._line + self._text.count("\n", 0, error.pos)
                raise self._failed(f"invalid JSON at line {at} ({error.msg})", place) from error
            except ValueError as error:
                raise self._unsound(place) from error
            # A number can continue in the next chunk.
            if self._text[end : end + 3].strip(_OF_NUMBERS) or not self._fill():
                break
        self._at = end
        return value

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self.next():
            raise self.refused("unexpected data after the end of the JSON", "$")

    def refused(self, text: str, place: str) -> ExchangeError:
        """Return the error for the place that was reached."""
        line = self._line + self._text.count("\n", 0, self._at)
        return self._failed(f"{text}, line {line}", place)

    def _unsound(self, place: str) -> ExchangeError:
        while True:
            try:
                return self.refused(*find_unsound(self._text[self._at :], place))
            except json.JSONDecodeError as error:
                if not self._fill():
                    return self.refused(f"invalid JSON ({error.msg})", place)

    def _failed(self, text: str, place: str) -> ExchangeError:
        hint = "Correct the file, or write it again with the program that made it."
        return ExchangeError(f"cannot be read: {text}.", hint=hint, where=f"{self._path}, {place}")

    def _fill(self) -> bool:
        """Read more of the file; False at its end."""
        if self._is_end:
            return False
        if len(self._text) - self._at > MAX_MEMBER_BYTES:
            raise self.refused(f"a value is larger than {MAX_MEMBER_BYTES >> 20} MB", "$")
        # As much again as waits: a long value is tried anew a few times only.
        data = self._file.read(max(_CHUNK, len(self._text) - self._at))
        self._is_end = not data
        try:
            more = self._decoder.decode(data, final=self._is_end)
        except UnicodeDecodeError as error:
            raise self.refused("the file is not UTF-8 text", "$") from error
        self._line += self._text.count("\n", 0, self._at)
        self._text, self._at = self._text[self._at :] + more, 0
        return True
