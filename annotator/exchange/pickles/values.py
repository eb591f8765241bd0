"""Values that a pickle may contain: plain values, bytes, and descriptions of arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_TEXT_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes that lie in the file and have not been read."""

    start: int
    length: int


@dataclass(slots=True)
class DType:
    """The kind of an array's elements: ``code`` as in ``f4``, ``order`` of its bytes."""

    code: str
    order: str = "|"

    @property
    def itemsize(self) -> int:
        return int(self.code[1:] or 8)


@dataclass(slots=True)
class Array:
    """An array as the file describes it; `PickleFile.array` reads it."""

    dtype: DType | None = None
    shape: tuple[int, ...] = ()
    is_fortran: bool = False
    data: Span | bytes | list[Value] | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """One of the names a file may use, by what it asks for."""

    purpose: str


Value: TypeAlias = (
    "bool | int | float | str | bytes | Span | list[Value] | dict[str | int, Value]"
    " | tuple[Value, ...] | Array | DType | Name | None"
)
