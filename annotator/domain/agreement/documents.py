"""All figures of agreement between two documents, each under the name of its method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from annotator.domain.agreement.attributes import attribute_agreement
from annotator.domain.agreement.boxes import box_iou, object_f1
from annotator.domain.agreement.matching import Assign
from annotator.domain.agreement.points import average_jaccard
from annotator.domain.agreement.segments import TIOU, segment_f1
from annotator.domain.annotation.document import Document

ATTRIBUTE: Final = "attribute "
"""Begins the name of a method: agreement on the attribute of the key that follows."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A figure, 0..1; ``params`` are what its method was told."""

    method: str
    value: float
    params: dict[str, float] = field(default_factory=dict)


def agreements(first: Document, second: Document, assign: Assign) -> tuple[Agreement, ...]:
    """Return how far two documents of one video agree; nothing for what neither has."""
    found = []
    for name, (method, params) in _METHODS.items():
        value = method(first, second, assign)
        if value is not None:
            found.append(Agreement(name, min(max(value, 0.0), 1.0), dict(params)))
    for key, value in attribute_agreement(first, second, assign).items():
        found.append(Agreement(f"{ATTRIBUTE}{key}", value))
    return tuple(found)


_Method = Callable[[Document, Document, Assign], float | None]
_METHODS: Final[dict[str, tuple[_Method, dict[str, float]]]] = {
    "box-iou": (box_iou, {}),
    "object-f1": (object_f1, {}),
    "average-jaccard": (average_jaccard, {}),
    "segment-f1": (segment_f1, {"tiou": TIOU}),
}
