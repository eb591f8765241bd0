"""Pickles from strangers: read by a machine of our own that can hold data and can do nothing.

Python's unpickler calls whatever a file names. Here a file is mapped, its operations are carried
out on plain values, and the few names that stand for numpy arrays become descriptions of arrays;
every other name, and every operation that would call something, is refused.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import ExchangeError
from annotator.exchange.mapped_file import MappedFile
from annotator.exchange.pickles.arrays import ArrayMachine
from annotator.exchange.pickles.values import Array, Span, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MAX_STEPS: Final = 3_000_000
_STOP: Final = 0x2E


class PickleMachine(ArrayMachine):
    """Carries out the operations of one pickle."""

    def run(self) -> Value:
        """Return the value that the pickle stands for."""
        if self._data[:1] != b"\x80":
            hint = "Supported pickle protocols: 2 to 5."
            raise ExchangeError("the file is not a pickle.", hint=hint, where=str(self._path))
        for _ in range(MAX_STEPS):
            here = self._at
            code = self._take(1)[0]
            step = _STEPS.get(code)
            if step is None and code != _STOP:
                raise self._refused(f"it contains the unsupported operation {code:#04x}")
            try:
                if step is None:
                    return self._pop()
                step(self)
            except (IndexError, KeyError, ValueError, TypeError, struct.error) as error:
                self._at = here
                raise self._refused("the pickle is damaged") from error
        raise self._refused(f"it has more than {MAX_STEPS} operations")


_STEPS: Final[dict[int, Callable[[ArrayMachine], None]]] = {
    0x80: lambda m: m.skip(1),  # PROTO
    0x95: lambda m: m.skip(8),  # FRAME
    ord("("): ArrayMachine.mark,
    ord("0"): ArrayMachine.drop,
    ord("N"): lambda m: m.push(None),
    0x88: lambda m: m.push(True),
    0x89: lambda m: m.push(False),
    ord("J"): lambda m: m.push_number("<i"),
    ord("K"): lambda m: m.push_number("<B"),
    ord("M"): lambda m: m.push_number("<H"),
    0x8A: ArrayMachine.push_long,
    ord("G"): ArrayMachine.push_float,
    ord("X"): lambda m: m.push_text("<I"),
    0x8C: lambda m: m.push_text("<B"),
    0x8D: lambda m: m.push_text("<Q"),
    ord("C"): lambda m: m.push_bytes("<B"),
    ord("B"): lambda m: m.push_bytes("<I"),
    0x8E: lambda m: m.push_bytes("<Q"),
    0x96: lambda m: m.push_bytes("<Q"),
    ord("U"): lambda m: m.push_bytes("<B"),
    ord("T"): lambda m: m.push_bytes("<I"),
    ord("]"): lambda m: m.push([]),
    ord("a"): lambda m: m.append(is_many=False),
    ord("e"): lambda m: m.append(is_many=True),
    ord(")"): lambda m: m.push(()),
    ord("t"): ArrayMachine.make_marked_tuple,
    0x85: lambda m: m.make_tuple(1),
    0x86: lambda m: m.make_tuple(2),
    0x87: lambda m: m.make_tuple(3),
    ord("}"): lambda m: m.push({}),
    ord("s"): lambda m: m.put_items(is_many=False),
    ord("u"): lambda m: m.put_items(is_many=True),
    ord("c"): ArrayMachine.name_in_line,
    0x93: ArrayMachine.name_on_stack,
    ord("R"): ArrayMachine.call,
    ord("b"): ArrayMachine.build,
    ord("q"): lambda m: m.remember("<B"),
    ord("r"): lambda m: m.remember("<I"),
    0x94: lambda m: m.remember(""),
    ord("h"): lambda m: m.recall("<B"),
    ord("j"): lambda m: m.recall("<I"),
}
"""The operations that plain data and arrays are made of."""


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
