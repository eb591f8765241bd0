"""Reads the plainest of Parquet files, by its specification: texts, uncompressed, nothing null.

There to judge what is exported; what the program itself reads and writes with is not used.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

_BYTE_ARRAY: Final = 6
_PLAIN: Final = 0


def read_texts(path: Path) -> list[dict[str, str]]:
    """Return the rows of a file as texts by column, in the order of its columns."""
    data = path.read_bytes()
    assert data[:4] == data[-4:] == b"PAR1"
    size = int.from_bytes(data[-8:-4], "little")
    footer = _Compact(data, len(data) - 8 - size).struct()
    names = [element[4].decode() for element in footer[2][1:]]
    assert all(element[1] == _BYTE_ARRAY for element in footer[2][1:])
    rows: list[dict[str, str]] = []
    for group in footer[4]:
        columns = [_column(data, chunk[3]) for chunk in group[1]]
        assert [chunk[3][3][0].decode() for chunk in group[1]] == names
        rows += (dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True))
    assert len(rows) == footer[3]
    return rows


def _column(data: bytes, about: dict[int, Any]) -> list[str]:
    assert (about[1], about[4]) == (_BYTE_ARRAY, 0), "texts, uncompressed"
    reader = _Compact(data, about[9])
    head = reader.struct()
    assert (head[1], head[5][2], head[5][1]) == (0, _PLAIN, about[5]), "one plain page"
    at, cells = reader.at, list[str]()
    for _ in range(about[5]):
        length = int.from_bytes(data[at : at + 4], "little")
        cells.append(data[at + 4 : at + 4 + length].decode())
        at += 4 + length
    assert at == reader.at + head[3]
    return cells


class _Compact:
    """Thrift's compact protocol: structs become dictionaries by the number of the field."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def struct(self) -> dict[int, Any]:
        found: dict[int, Any] = {}
        field = 0
        while (head := self._byte()) != 0:
            field = field + (head >> 4) if head >> 4 else self._number()
            found[field] = self._value(head & 15)
        return found

    def _value(self, kind: int) -> Any:
        match kind:
            case 1 | 2:
                return kind == 1
            case 4 | 5 | 6:
                return self._number()
            case 8:
                size = self._varint()
                self.at += size
                return self.data[self.at - size : self.at]
            case 9:
                head = self._byte()
                size = self._varint() if head >> 4 == 15 else head >> 4
                return [self._value(head & 15) for _ in range(size)]
            case 12:
                return self.struct()
        raise AssertionError(f"type {kind}")

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            if byte < 128:
                return found
            shift += 7

    def _number(self) -> int:
        found = self._varint()
        return (found >> 1) ^ -(found & 1)
