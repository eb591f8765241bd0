"""Reads Parquet files whose columns are texts: plain or by dictionary, uncompressed or in Snappy.

That is what the usual writers make of a table of texts; anything else is refused with its name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from annotator.domain.errors import ExchangeError
from annotator.exchange.mapped_file import MappedFile
from annotator.exchange.parquet.thrift import ThriftReader, Value
from annotator.exchange.parquet.write import MAGIC

MAX_UNPACKED: Final = 256 << 20


def unpacked(data: bytes, where: str) -> bytes:
    """Return what was packed; ExchangeError where the data are damaged or unpack to too much."""
    length, at = _length(data)
    if at == 0 or length > MAX_UNPACKED:
        raise _damaged(where)
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3 == 0:
            count = tag >> 2
            if count >= 60:
                extra = count - 59
                count = int.from_bytes(data[at : at + extra], "little")
                at += extra
            out += data[at : at + count + 1]
            at += count + 1
        else:
            at = _copy(out, data, tag, at, where)
        if len(out) > length or at > len(data):
            raise _damaged(where)
    if len(out) != length:
        raise _damaged(where)
    return bytes(out)


def _copy(out: bytearray, data: bytes, tag: int, at: int, where: str) -> int:
    """Append bytes that are in the output already; returns where the next tag is."""
    if tag & 3 == 1:
        count, offset, step = (
            (tag >> 2 & 7) + 4,
            tag >> 5 << 8 | int.from_bytes(data[at : at + 1], "little"),
            1,
        )
    else:
        step = 2 if tag & 3 == 2 else 4
        count, offset = (tag >> 2) + 1, int.from_bytes(data[at : at + step], "little")
    if not 0 < offset <= len(out):
        raise _damaged(where)
    begin = len(out) - offset
    piece = bytes(out[begin : begin + count])
    while len(piece) < count:  # it may reach into what it makes
        piece += piece[: count - len(piece)]
    out += piece
    return at + step


def _length(data: bytes) -> tuple[int, int]:
    """Return the length given at the start of the data, and the offset behind it; 0 for none."""
    value = 0
    for i, byte in enumerate(data[:5]):
        value |= (byte & 0x7F) << 7 * i
        if not byte & 0x80:
            return value, i + 1
    return 0, 0


def _damaged(where: str) -> ExchangeError:
    return ExchangeError("Cannot decompress the file: it is damaged.", where=where)


MAX_BYTES: Final = 512 << 20
MAX_ROWS: Final = 1_000_000
_BYTE_ARRAY: Final = 6
_OPTIONAL: Final = 1
_REPEATED: Final = 2
_DATA_PAGE: Final = 0
_DICTIONARY_PAGE: Final = 2
_PLAIN: Final = 0
_BY_DICTIONARY: Final = (2, 8)
_CODECS: Final = {0: "uncompressed", 1: "Snappy"}

Row = dict[str, str]


class ParquetTexts(MappedFile):
    """A file of texts; a value that is null reads as ""."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, MAX_BYTES)

    def rows(self) -> list[Row]:
        """Return all rows; ExchangeError where the file is not sound."""
        footer = self._footer()
        try:
            return self._rows(footer)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            hint = "Copy the file again from its source."
            raise ExchangeError(
                "Cannot read the file: it is damaged.", hint=hint, where=str(self.path)
            ) from error

    def _footer(self) -> dict[int, Value]:
        data, n = self._map, len(self._map)
        if n < 12 or data[:4] != MAGIC or data[n - 4 :] != MAGIC:
            raise self._refused("not a Parquet file")
        length = int.from_bytes(data[n - 8 : n - 4], "little")
        if length > n - 12:
            raise self._refused("the file is truncated")
        return ThriftReader(data[n - 8 - length : n - 8], str(self.path)).struct()

    def _rows(self, footer: dict[int, Value]) -> list[Row]:
        optional: dict[str, bool] = {}
        for element in _structs(_list(footer[2])[1:]):
            name = _text(element[4])
            if element.get(5) or element.get(1) != _BYTE_ARRAY or element.get(3) == _REPEATED:
                raise self._refused(f"the column “{name}” does not contain text")
            optional[name] = element.get(3) == _OPTIONAL
        columns: dict[str, list[str]] = {name: [] for name in optional}
        for group in _structs(_list(footer[4])):
            for chunk in _structs(_list(group[1])):
                about = _struct(chunk[3])
                name = _text(_list(about[3])[-1])
                columns[name] += self._column(about, name, is_optional=optional[name])
        counts = {len(found) for found in columns.values()}
        if len(counts) > 1:
            raise self._refused("the columns have different lengths")
        return [
            dict(zip(columns, values, strict=True))
            for values in zip(*columns.values(), strict=True)
        ]

    def _column(self, about: dict[int, Value], name: str, *, is_optional: bool) -> list[str]:
        codec = _whole(about[4])
        if codec not in _CODECS:
            raise self._refused(f"unsupported compression of the column “{name}”")
        count = _whole(about[5])
        at = _whole(about.get(11, about[9]))
        if not 0 <= count <= MAX_ROWS:
            raise self._refused("too many rows")
        texts: list[str] = []
        dictionary: list[str] = []
        while len(texts) < count:
            reader = ThriftReader(self._map[at : at + (1 << 16)], str(self.path))
            head = reader.struct()
            start = at + reader.at
            at = start + _whole(head[3])
            page = self._map[start:at]
            page = unpacked(page, str(self.path)) if codec else page
            if len(page) != _whole(head[2]) or len(page) > MAX_UNPACKED or at > len(self._map):
                raise self._refused(f"the length of a page of “{name}” does not match its header")
            if head[1] == _DICTIONARY_PAGE:
                dictionary = _plain(page, 0, _whole(_struct(head[7])[1]))
            elif head[1] == _DATA_PAGE:
                texts += self._page(page, _struct(head[5]), dictionary, name, is_optional)
            else:
                raise self._refused(f"unsupported page type in the column “{name}”")
        return texts

    def _page(
        self,
        page: bytes,
        head: dict[int, Value],
        dictionary: list[str],
        name: str,
        is_optional: bool,
    ) -> list[str]:
        count, encoding, at = _whole(head[1]), _whole(head[2]), 0
        if not 0 <= count <= MAX_ROWS:
            raise self._refused("too many rows")
        present = [1] * count
        if is_optional:
            length = int.from_bytes(page[:4], "little")
            present = _runs(page[4 : 4 + length], 1, count)
            at = 4 + length
        wanted = sum(present)
        if encoding == _PLAIN:
            values = _plain(page, at, wanted)
        elif encoding in _BY_DICTIONARY:
            places = _runs(page[at + 1 :], page[at], wanted) if wanted else []
            values = [dictionary[place] for place in places]
        else:
            raise self._refused(f"unsupported encoding of the column “{name}”")
        found = iter(values)
        return [next(found) if each else "" for each in present]


def _plain(page: bytes, at: int, count: int) -> list[str]:
    values: list[str] = []
    for _ in range(count):
        length = int.from_bytes(page[at : at + 4], "little")
        if at + 4 + length > len(page):
            raise ValueError("a text ends beyond its page")
        values.append(page[at + 4 : at + 4 + length].decode())
        at += 4 + length
    return values


def _runs(data: bytes, bits: int, count: int) -> list[int]:
    """Return numbers of so many bits each, in runs of equal ones or packed by eight."""
    values: list[int] = []
    reader = ThriftReader(data, "")
    width = (bits + 7) // 8
    while len(values) < count:
        head = reader.number()
        if head & 1:
            n_bytes = (head >> 1) * bits
            packed = int.from_bytes(data[reader.at : reader.at + n_bytes], "little")
            reader.at += n_bytes
            room = min((head >> 1) * 8, count - len(values))
            values += ((packed >> i * bits) & ((1 << bits) - 1) for i in range(room))
        else:
            value = int.from_bytes(data[reader.at : reader.at + width], "little")
            reader.at += width
            values += [value] * min(head >> 1, count - len(values))
        if reader.at > len(data) or (not head >> 1):
            raise ValueError("a run ends beyond its page")
    return values


def _whole(value: Value) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("no whole number")
    return value


def _text(value: Value) -> str:
    if not isinstance(value, bytes):
        raise TypeError("no text")
    return value.decode()


def _list(value: Value) -> list[Value]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _struct(value: Value) -> dict[int, Value]:
    if not isinstance(value, dict):
        raise TypeError("no struct")
    return value


def _structs(values: list[Value]) -> list[dict[int, Value]]:
    return [_struct(value) for value in values]
