"""Writes a table of texts as Parquet: one row group, plain and uncompressed, nothing null."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from annotator.exchange.parquet.thrift import Wide, Written, encode_struct

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
        body = b"".join(_plain(row[i]) for row in rows)
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


def _plain(text: str) -> bytes:
    found = text.encode()
    return len(found).to_bytes(4, "little") + found
