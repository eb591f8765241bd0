"""The stack that a pickle is read with: numbers, texts and containers, bounded and checked."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

from annotator.domain.errors import ExchangeError
from annotator.exchange.pickles.values import MAX_TEXT_BYTES, Span, Value


class StackMachine:
    """Reads numbers, texts and containers; what has a name is left to those who add to it."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self._data = data
        self._path = path
        self._at = 0
        self._stack: list[Value] = []
        self._marks: list[int] = []
        self._memo: dict[int, Value] = {}

    def _refused(self, text: str) -> ExchangeError:
        hint = "No data was imported. Import pickle files only from a trusted publisher."
        return ExchangeError(f"{text}.", hint=hint, where=f"{self._path}, byte {self._at}")

    def _take(self, count: int) -> bytes:
        end = self._at + count
        if end > len(self._data):
            raise self._refused("the file is truncated")
        found = self._data[self._at : end]
        self._at = end
        return found

    def _number(self, form: str) -> int:
        number: int = struct.unpack(form, self._take(struct.calcsize(form)))[0]
        if number < 0 and form != "<i":
            raise self._refused("the pickle is damaged")
        return number

    def _line(self) -> str:
        end = self._data.find(b"\n", self._at, self._at + 300)
        if end < 0:
            raise self._refused("the pickle is damaged")
        text = self._data[self._at : end].decode("ascii", "replace")
        self._at = end + 1
        return text

    def _pop(self) -> Value:
        if self._marks and len(self._stack) <= self._marks[-1]:
            raise IndexError
        return self._stack.pop()

    def _pop_mark(self) -> list[Value]:
        start = self._marks.pop()
        found = self._stack[start:]
        del self._stack[start:]
        return found

    def skip(self, count: int) -> None:
        self._take(count)

    def push(self, value: Value) -> None:
        self._stack.append(value)

    def push_number(self, form: str) -> None:
        self.push(self._number(form))

    def push_long(self) -> None:
        self.push(int.from_bytes(self._take(self._number("<B")), "little", signed=True))

    def push_float(self) -> None:
        number: float = struct.unpack(">d", self._take(8))[0]
        self.push(number)

    def push_text(self, form: str) -> None:
        length = self._number(form)
        if length > MAX_TEXT_BYTES:
            raise self._refused(f"a text is larger than {MAX_TEXT_BYTES >> 20} MB")
        self.push(self._take(length).decode("utf-8", "surrogatepass"))

    def push_bytes(self, form: str) -> None:
        length = self._number(form)
        if self._at + length > len(self._data):
            raise self._refused("the file is truncated")
        self.push(Span(self._at, length))
        self._at += length

    def mark(self) -> None:
        self._marks.append(len(self._stack))

    def drop(self) -> None:
        self._pop()

    def make_tuple(self, count: int) -> None:
        items = [self._pop() for _ in range(count)]
        self.push(tuple(reversed(items)))

    def make_marked_tuple(self) -> None:
        self.push(tuple(self._pop_mark()))

    def append(self, *, is_many: bool) -> None:
        items = self._pop_mark() if is_many else [self._pop()]
        target = self._stack[-1]
        if not isinstance(target, list):
            raise TypeError
        target.extend(items)

    def put_items(self, *, is_many: bool) -> None:
        items = self._pop_mark() if is_many else [self._pop(), self._pop()][::-1]
        target = self._stack[-1]
        if not isinstance(target, dict) or len(items) % 2:
            raise TypeError
        for key, value in zip(items[::2], items[1::2], strict=True):
            target[self._key(key)] = value

    def _key(self, value: Value) -> str | int:
        """Return a key of a dictionary; old pickles have texts as bytes."""
        if isinstance(value, Span):
            value = self._data[value.start : value.start + value.length].decode("utf-8")
        if isinstance(value, str | int):
            return value
        raise TypeError

    def remember(self, form: str) -> None:
        self._memo[self._number(form) if form else len(self._memo)] = self._stack[-1]

    def recall(self, form: str) -> None:
        self.push(self._memo[self._number(form)])
