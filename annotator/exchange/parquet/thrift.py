"""The compact protocol of Thrift, as far as the heads of Parquet files need it.

A struct maps the numbers of its fields to values: whole numbers, bytes, lists, structs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from annotator.domain.errors import ExchangeError

Value: TypeAlias = "bool | int | float | bytes | list[Value] | dict[int, Value]"

TRUE: Final = 1
FALSE: Final = 2
BYTE: Final = 3
I16: Final = 4
I32: Final = 5
I64: Final = 6
DOUBLE: Final = 7
BINARY: Final = 8
LIST: Final = 9
SET: Final = 10
STRUCT: Final = 12
MAX_DEPTH: Final = 16
MAX_LIST: Final = 1_000_000


class Wide(int):
    """A whole number that is written with 64 bits."""


Written: TypeAlias = "int | bytes | Sequence[Written] | Mapping[int, Written]"


def encode_struct(fields: Mapping[int, Written]) -> bytes:
    """Return a struct; fields ascend by number."""
    out = bytearray()
    last = 0
    for number, value in fields.items():
        kind = _kind(value)
        step = number - last
        out += bytes([step << 4 | kind]) if step < 16 else bytes([kind]) + _zigzag(number)
        out += _encoded(value)
        last = number
    return bytes(out) + b"\x00"


def _kind(value: Written) -> int:
    if isinstance(value, Wide):
        return I64
    if isinstance(value, int):
        return I32
    if isinstance(value, bytes):
        return BINARY
    return STRUCT if isinstance(value, Mapping) else LIST


def _encoded(value: Written) -> bytes:
    if isinstance(value, int):
        return _zigzag(value)
    if isinstance(value, bytes):
        return varint(len(value)) + value
    if isinstance(value, Mapping):
        return encode_struct(value)
    kind = _kind(value[0]) if value else STRUCT
    head = (
        bytes([len(value) << 4 | kind])
        if len(value) < 15
        else (bytes([0xF0 | kind]) + varint(len(value)))
    )
    return head + b"".join(_encoded(each) for each in value)


def varint(value: int) -> bytes:
    """Return a whole number >= 0, seven bits a byte, the low ones first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _zigzag(value: int) -> bytes:
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


class ThriftReader:
    """Reads structs from bytes that nobody vouches for; ``at`` is where it has come to."""

    def __init__(self, data: bytes, where: str, at: int = 0) -> None:
        self._data = data
        self._where = where
        self.at = at

    def struct(self, depth: int = 0) -> dict[int, Value]:
        """Return the struct that begins here; ExchangeError where it is none."""
        if depth > MAX_DEPTH:
            raise self._refused()
        fields: dict[int, Value] = {}
        last = 0
        while head := self._byte():
            step, kind = head >> 4, head & 0x0F
            last = last + step if step else self._signed()
            fields[last] = self._value(kind, depth + 1)
        return fields

    def number(self) -> int:
        """Return a whole number of seven bits a byte."""
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value
            if shift > 63:
                raise self._refused()

    def _value(self, kind: int, depth: int) -> Value:
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind == BYTE:
            return self._byte()
        if kind in (I16, I32, I64):
            return self._signed()
        if kind == DOUBLE:
            self._bytes(8)  # statistics; nothing here reads them
            return 0.0
        if kind == BINARY:
            return self._bytes(self.number())
        if kind in (LIST, SET):
            return self._list(depth)
        if kind == STRUCT:
            return self.struct(depth)
        raise self._refused()

    def _list(self, depth: int) -> list[Value]:
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self.number()
        kind = head & 0x0F
        if depth > MAX_DEPTH or count > min(MAX_LIST, len(self._data)):
            raise self._refused()
        if kind in (TRUE, FALSE):
            return [self._byte() == TRUE for _ in range(count)]
        return [self._value(kind, depth + 1) for _ in range(count)]

    def _signed(self) -> int:
        value = self.number()
        return value >> 1 ^ -(value & 1)

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, count: int) -> bytes:
        found = self._data[self.at : self.at + count]
        if len(found) != count:
            raise self._refused()
        self.at += count
        return found

    def _refused(self) -> ExchangeError:
        return ExchangeError(
            f"Invalid Parquet file: error at byte {self.at} of the metadata.",
            hint="Copy the file again from its source.",
            where=self._where,
        )
