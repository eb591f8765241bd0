"""Pickled numpy arrays: the few names a file may use become descriptions of arrays."""

from __future__ import annotations

import re
from typing import Final

from annotator.exchange.pickles.stack import StackMachine
from annotator.exchange.pickles.values import MAX_TEXT_BYTES, Array, DType, Name, Span, Value

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
