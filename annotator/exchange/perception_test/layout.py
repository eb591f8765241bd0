"""Boxes in the two layouts that Perception Test files have had.

Current: n entries of (x1, y1, x2, y2). Legacy, before August 2023: four rows (y2, x2, y1, x1) of n
numbers. Only with n == 4 can a list be read both ways.
"""

from __future__ import annotations

from itertools import chain, pairwise

from annotator.domain.json_type import Json
from annotator.exchange.node import Node
from annotator.exchange.perception_test.records import FourNumbers

_LEGACY_ORDER = (3, 2, 1, 0)
"""The legacy row in which x1, y1, x2 and y2 stand."""


def read_boxes(node: Node, count: int) -> tuple[tuple[FourNumbers, ...], bool, str | None]:
    """Return ``count`` boxes as (x1, y1, x2, y2), whether the layout was legacy, and a doubt.

    ExchangeError where neither layout gives boxes with x1 <= x2 and y1 <= y2.
    """
    usual = _usual(node.value, count)
    if usual is not None:
        return _checked(node, usual), False, None
    rows = node.items()
    is_legacy_shape = len(rows) == 4 and all(row.count() == count for row in rows)
    if not is_legacy_shape:
        return _checked(node, _current(node, count)), False, None
    legacy = _legacy(rows)
    if count != 4:
        return _checked(node, legacy), True, None
    current = _current(node, count)
    fit_current, fit_legacy = _is_sound(current), _is_sound(legacy)
    if not fit_legacy:
        return _checked(node, current), False, None
    if not fit_current:
        return legacy, True, None
    is_legacy = _restlessness(legacy) < _restlessness(current)
    name = "old, transposed" if is_legacy else "current"
    doubt = f"Ambiguous layout of four boxes: the {name} layout was used because it gives"
    return (
        (legacy if is_legacy else current),
        is_legacy,
        f"{doubt} smoother motion. Check this track.",
    )


def _usual(value: Json, count: int) -> tuple[FourNumbers, ...] | None:
    """Return boxes that can be read in one way only: without a path for each of millions."""
    if not isinstance(value, list) or count in (0, 4) or len(value) != count:
        return None
    if set(map(type, value)) != {list} or set(map(len, value)) != {4}:  # type: ignore[arg-type]
        return None
    if not set(map(type, chain.from_iterable(value))) <= {int, float}:  # type: ignore[arg-type]
        return None
    return tuple(map(tuple, value))  # type: ignore[arg-type]


def _current(node: Node, count: int) -> tuple[FourNumbers, ...]:
    rows = [row.counted(4).numbers() for row in node.counted(count).items()]
    return tuple((a, b, c, d) for a, b, c, d in rows)


def _legacy(rows: list[Node]) -> tuple[FourNumbers, ...]:
    x1, y1, x2, y2 = (rows[i].numbers() for i in _LEGACY_ORDER)
    return tuple(zip(x1, y1, x2, y2, strict=True))


def _checked(node: Node, boxes: tuple[FourNumbers, ...]) -> tuple[FourNumbers, ...]:
    for i, (x1, y1, x2, y2) in enumerate(boxes):
        if x1 > x2 or y1 > y2:
            bad = Node(None, f"{node.path}[{i}]")
            raise bad.fail("Invalid box: expected [x1, y1, x2, y2] with x1 <= x2 and y1 <= y2.")
    return boxes


def _is_sound(boxes: tuple[FourNumbers, ...]) -> bool:
    return all(x1 <= x2 and y1 <= y2 for x1, y1, x2, y2 in boxes)


def _restlessness(boxes: tuple[FourNumbers, ...]) -> float:
    """Return how far the edges move in all; a reading without area moves infinitely far."""
    if any(x1 == x2 or y1 == y2 for x1, y1, x2, y2 in boxes):
        return float("inf")
    steps = (
        abs(b - a) for first, then in pairwise(boxes) for a, b in zip(first, then, strict=True)
    )
    return sum(steps)
