"""A network in ONNX form that is sound and does nothing: it hands its input on."""

from __future__ import annotations


def tiny_network() -> bytes:
    """Return the file: one input x and one output y, float [1, 3, 4, 4], and an identity."""
    node = _field(1, b"x") + _field(2, b"y") + _field(4, b"Identity")
    graph = _field(1, node) + _field(2, b"g") + _field(11, _value(b"x")) + _field(12, _value(b"y"))
    return _field(1, 7) + _field(7, graph) + _field(8, _field(2, 11))


def _value(name: bytes) -> bytes:
    sides = b"".join(_field(1, _field(1, side)) for side in (1, 3, 4, 4))
    return _field(1, name) + _field(2, _field(1, _field(1, 1) + _field(2, sides)))


def _field(number: int, value: int | bytes) -> bytes:
    """Return a field of a protocol buffer: a number, or bytes with their length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])
