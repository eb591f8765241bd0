"""Parquet files with text columns, read and written by pyarrow (extra ``parquet``)."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Final

from annotator.domain.errors import ExchangeError

MAX_ROWS: Final = 1_000_000
MAX_BYTES: Final = 1 << 30


def arrow() -> ModuleType:
    """Return pyarrow with the modules used here; ExchangeError when it is not installed."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError as error:
        text = "Parquet files need the package pyarrow, which is not installed."
        hint = "Install the extra “parquet”: pip install annotator[parquet]"
        raise ExchangeError(text, hint=hint) from error
    return pyarrow  # type: ignore[no-any-return]


def encode_texts(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """Return a file of text columns; each row has a text for each column."""
    pa = arrow()
    arrays = [pa.array([row[i] for row in rows], pa.string()) for i in range(len(columns))]
    out = BytesIO()
    pa.parquet.write_table(pa.table(arrays, names=list(columns)), out)
    return out.getvalue()


def read_texts(path: Path) -> list[dict[str, str]]:
    """Return the rows of a file of text columns; a null is read as "".

    ExchangeError for a damaged file, for columns that are not text, and for more than `MAX_ROWS`
    rows or `MAX_BYTES` bytes.
    """
    pa = arrow()
    try:
        with pa.parquet.ParquetFile(path) as file:
            about, schema = file.metadata, file.schema_arrow
        size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        if about.num_rows > MAX_ROWS or size > MAX_BYTES:
            raise _refused(path, "the table is too large")
        for field in schema:
            of = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            if not (pa.types.is_string(of) or pa.types.is_large_string(of)):
                raise _refused(path, f"the column “{field.name}” does not contain text")
        # A text that many rows repeat is in memory once, until it is known how long all are.
        table = pa.parquet.read_table(path, read_dictionary=schema.names)
        length = pa.compute.binary_length
        sums = (
            pa.compute.sum(length(chunk.dictionary).take(chunk.indices)).as_py() or 0
            for column in table.columns
            for chunk in column.chunks
        )
        if sum(sums) > MAX_BYTES:
            raise _refused(path, "the table is too large")
        rows: list[dict[str, str | None]] = table.to_pylist()
    except OSError as error:
        raise _refused(path, error.strerror or "the file is damaged") from error
    except (pa.ArrowException, ValueError, MemoryError) as error:
        raise _refused(path, "the file is damaged, or not a Parquet file") from error
    return [{name: value or "" for name, value in row.items()} for row in rows]


def _refused(path: Path, why: str) -> ExchangeError:
    return ExchangeError(f"{path.name} cannot be read: {why}.", where=str(path))
