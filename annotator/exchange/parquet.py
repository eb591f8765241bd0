"""Parquet files with text columns: plain, dictionary and Snappy are read, plain is written.

That is what the usual writers make of a table of texts; anything else is refused with its name.

The heads of the files are structs of Thrift: each maps the numbers of its fields to values, which
are whole numbers, bytes, lists or structs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from annotator.domain.errors import ExchangeError
from annotator.exchange.mapped_file import MappedFile

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
    """Reads structs from untrusted bytes; ``at`` is the current position."""

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


MAGIC: Final = b"PAR1"
_BYTE_ARRAY: Final = 6
_REQUIRED: Final = 0
_UTF8: Final = 0
_PLAIN: Final = 0
_RLE: Final = 3
_UNCOMPRESSED: Final = 0
_DATA_PAGE: Final = 0
_CREATOR: Final = b"annotator"


def encode_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[bytes]:
    """Yield a file with the columns in their order; each row has a text for each column."""
    yield MAGIC
    at = len(MAGIC)
    chunks: list[dict[int, Written]] = []
    total = 0
    for i, name in enumerate(columns):
        body = b"".join(_plain_bytes(row[i]) for row in rows)
        head = encode_struct(
            {
                1: _DATA_PAGE,
                2: len(body),
                3: len(body),
                5: {1: len(rows), 2: _PLAIN, 3: _RLE, 4: _RLE},
            }
        )
        yield head
        yield body
        size = len(head) + len(body)
        about: dict[int, Written] = {
            1: _BYTE_ARRAY,
            2: [_PLAIN, _RLE],
            3: [name.encode()],
            4: _UNCOMPRESSED,
            5: Wide(len(rows)),
            6: Wide(size),
            7: Wide(size),
            9: Wide(at),
        }
        chunks.append({2: Wide(at), 3: about})
        at += size
        total += size
    footer = encode_struct(
        {
            1: 1,
            2: _schema(columns),
            3: Wide(len(rows)),
            4: [{1: chunks, 2: Wide(total), 3: Wide(len(rows))}],
            6: _CREATOR,
        }
    )
    yield footer
    yield len(footer).to_bytes(4, "little") + MAGIC


def _schema(columns: Sequence[str]) -> list[Written]:
    elements: list[Written] = [{4: b"schema", 5: len(columns)}]
    for name in columns:
        element: dict[int, Written] = {1: _BYTE_ARRAY, 3: _REQUIRED, 4: name.encode(), 6: _UTF8}
        elements.append(element)
    return elements


def _plain_bytes(text: str) -> bytes:
    found = text.encode()
    return len(found).to_bytes(4, "little") + found


MAX_UNPACKED: Final = 256 << 20


def unpacked(data: bytes, where: str) -> bytes:
    """Return the decompressed data; ExchangeError if they are damaged or too large."""
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
    while len(piece) < count:  # the copy can overlap its own output
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
_OPTIONAL: Final = 1
_REPEATED: Final = 2
_DICTIONARY_PAGE: Final = 2
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
        counts = {len(lengths_of) for lengths_of in columns.values()}
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
                dictionary = _read_plain(page, 0, _whole(_struct(head[7])[1]))
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
        n_present = sum(present)
        if encoding == _PLAIN:
            values = _read_plain(page, at, n_present)
        elif encoding in _BY_DICTIONARY:
            places = _runs(page[at + 1 :], page[at], n_present) if n_present else []
            values = [dictionary[place] for place in places]
        else:
            raise self._refused(f"unsupported encoding of the column “{name}”")
        value_iterator = iter(values)
        return [next(value_iterator) if is_present else "" for is_present in present]


def _read_plain(page: bytes, at: int, count: int) -> list[str]:
    values: list[str] = []
    for _ in range(count):
        length = int.from_bytes(page[at : at + 4], "little")
        if at + 4 + length > len(page):
            raise ValueError("a text ends beyond its page")
        values.append(page[at + 4 : at + 4 + length].decode())
        at += 4 + length
    return values


def _runs(data: bytes, bits: int, count: int) -> list[int]:
    """Return numbers of a given bit width, in runs of equal ones or packed by eight."""
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
