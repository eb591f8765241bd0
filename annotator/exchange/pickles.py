"""Safe pickle reader: a small machine that can build data only.

Python's unpickler calls whatever a file names. Here a file is mapped, its operations are carried
out on plain values, and the few names that stand for numpy arrays become descriptions of arrays;
every other name, and every operation that would call something, is refused.
"""

from __future__ import annotations

import mmap
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from annotator.domain.errors import ExchangeError
from annotator.exchange.mapped_file import MappedFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    """A global name that a file may use."""

    purpose: str


Value: TypeAlias = (
    "bool | int | float | str | bytes | Span | list[Value] | dict[str | int, Value]"
    " | tuple[Value, ...] | Array | DType | Name | None"
)


class StackMachine:
    """Reads numbers, texts and containers; subclasses resolve global names."""

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


_ARRAY_MODULES: Final = ("numpy.core.multiarray", "numpy._core.multiarray")
_NUMERIC_MODULES: Final = ("numpy.core.numeric", "numpy._core.numeric")
_KNOWN: Final = {
    **{f"{module}._reconstruct": "array" for module in _ARRAY_MODULES},
    **{f"{module}.scalar": "number" for module in _ARRAY_MODULES},
    **{f"{module}._frombuffer": "buffer" for module in _NUMERIC_MODULES},
    "numpy.ndarray": "kind",
    "numpy.dtype": "dtype",
    "_codecs.encode": "encode",
}
"""The names that a file may use, and what each asks for."""
_DTYPE: Final = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248]|S\d{1,9}|O8?)\Z")


class ArrayMachine(StackMachine):
    """Makes arrays of the calls that a pickle asks for, and refuses all others."""

    def name_in_line(self) -> None:
        module = self._line()
        self._name(module, self._line())

    def name_on_stack(self) -> None:
        name, module = self._pop(), self._pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise TypeError
        self._name(module, name)

    def _name(self, module: str, name: str) -> None:
        full = f"{module}.{name}"
        if full not in _KNOWN:
            shown = "".join(c if c.isprintable() else "?" for c in full[:120])
            raise self._refused(f"it refers to “{shown}”; only NumPy arrays are supported")
        self.push(Name(_KNOWN[full]))

    def call(self) -> None:
        arguments, target = self._pop(), self._pop()
        if not isinstance(target, Name) or not isinstance(arguments, tuple):
            raise self._refused("it contains a function call; only NumPy arrays are supported")
        self.push(getattr(self, f"_make_{target.purpose}")(*arguments))

    def _make_array(self, *_about: Value) -> Value:
        return Array()

    def _make_dtype(self, code: Value, *_about: Value) -> Value:
        text = self._bytes(code).decode("ascii") if isinstance(code, Span) else code
        if not isinstance(text, str) or not _DTYPE.match(text):
            raise self._refused(f"unsupported array type ({text!r:.40})")
        return DType(text.lstrip("<>|="), text[0] if text[0] in "<>" else "|")

    def _make_buffer(self, data: Value, dtype: Value, shape: Value, order: Value) -> Value:
        array = Array()
        self._fill(array, shape, dtype, order == "F", data)
        return array

    def _make_number(self, dtype: Value, data: Value) -> Value:
        import numpy as np

        if not isinstance(dtype, DType) or dtype.code[0] not in "biuf":
            raise TypeError
        order = "" if dtype.order == "|" else dtype.order
        found = np.frombuffer(self._bytes(data), dtype=np.dtype(order + dtype.code), count=1)
        number: int | float = found[0].item()
        return number

    def _make_encode(self, text: Value, coding: Value) -> Value:
        if not isinstance(text, str) or coding != "latin1":
            raise TypeError
        return text.encode("latin1")

    def _make_kind(self, *_about: Value) -> Value:
        raise self._refused("it contains a function call; only NumPy arrays are supported")

    def build(self) -> None:
        state, target = self._pop(), self._stack[-1]
        if not isinstance(state, tuple):
            raise TypeError
        if isinstance(target, DType):
            order = state[1]
            order = self._bytes(order).decode("ascii") if isinstance(order, Span) else order
            if order not in ("<", ">", "|", "=") or any(s is not None for s in state[2:5]):
                raise self._refused("unsupported array type")
            target.order = "|" if order in ("|", "=") else str(order)
        elif isinstance(target, Array):
            shape, dtype, is_fortran, data = state[-4:]
            self._fill(target, shape, dtype, is_fortran is True, data)
        else:
            raise self._refused("it modifies an object; only NumPy arrays are supported")

    def _fill(
        self, array: Array, shape: Value, dtype: Value, is_fortran: bool, data: Value
    ) -> None:
        if not isinstance(dtype, DType) or not isinstance(shape, tuple):
            raise TypeError
        count = 1
        sides: list[int] = []
        for side in shape:
            if type(side) is not int or side < 0:
                raise TypeError
            sides.append(side)
            count *= side
        if isinstance(data, list):
            is_whole = dtype.code[0] == "O" and len(data) == count
        elif isinstance(data, Span | bytes):
            length = data.length if isinstance(data, Span) else len(data)
            is_whole = dtype.code[0] != "O" and length == count * dtype.itemsize
        else:
            raise TypeError
        if not is_whole:
            raise self._refused("the number of array elements does not match the array shape")
        array.dtype, array.shape, array.is_fortran, array.data = (
            *(dtype, tuple(sides), is_fortran),
            data,
        )

    def _bytes(self, value: Value) -> bytes:
        if isinstance(value, Span):
            if value.length > MAX_TEXT_BYTES:
                raise TypeError
            return self._data[value.start : value.start + value.length]
        if isinstance(value, bytes):
            return value
        raise TypeError


MAX_STEPS: Final = 3_000_000
_STOP: Final = 0x2E


class PickleMachine(ArrayMachine):
    """Carries out the operations of one pickle."""

    def run(self) -> Value:
        """Return the value of the pickle."""
        if self._data[:1] != b"\x80":
            hint = "Supported pickle protocols: 2 to 5."
            raise ExchangeError("the file is not a pickle.", hint=hint, where=str(self._path))
        for _ in range(MAX_STEPS):
            start_offset = self._at
            code = self._take(1)[0]
            step = _STEPS.get(code)
            if step is None and code != _STOP:
                raise self._refused(f"it contains the unsupported operation {code:#04x}")
            try:
                if step is None:
                    return self._pop()
                step(self)
            except (IndexError, KeyError, ValueError, TypeError, struct.error) as error:
                self._at = start_offset
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
