"""Pickles from strangers: read by a machine of our own that can hold data and can do nothing.

Python's unpickler calls whatever a file names. Here a file is mapped, its operations are carried
out on plain values, and the few names that stand for numpy arrays become descriptions of arrays;
every other name, and every operation that would call something, is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.exchange.mapped_file import MappedFile
from annotator.exchange.pickles.machine import PickleMachine
from annotator.exchange.pickles.values import Array, Span, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BYTES: Final = 64 << 30


class PickleFile(MappedFile):
    """A pickle opened without trust. ``value`` holds plain values, spans and arrays.

    ExchangeError, with the file and the byte, when it is no pickle, is damaged, or names anything
    but numpy arrays.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, MAX_BYTES)

    def array(self, found: Array) -> NDArray[np.generic]:
        """Return an array of numbers, copied out of the file; ValueError for other kinds."""
        import numpy as np

        data, dtype = found.data, found.dtype
        if dtype is None or dtype.code[0] == "O" or not isinstance(data, Span | bytes):
            raise ValueError("not an array of numbers")
        body = self._map[data.start : data.start + data.length] if isinstance(data, Span) else data
        order = "" if dtype.order == "|" else dtype.order
        flat: NDArray[np.generic] = np.frombuffer(body, dtype=np.dtype(order + dtype.code))
        return flat.reshape(found.shape, order="F" if found.is_fortran else "C")

    def head(self, value: Value, length: int) -> bytes | None:
        """Return the first bytes of a byte string; None for anything else."""
        if isinstance(value, Span):
            return self._map[value.start : value.start + min(length, value.length)]
        return value[:length] if isinstance(value, bytes) else None

    def _read(self) -> None:
        self.value = PickleMachine(self._map, self.path).run()
