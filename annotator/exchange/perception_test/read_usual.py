"""A short way through records in which nothing is odd; all others are read value by value.

What is found here is what `read` would find. Where there is anything to say of a record, there is
no answer: `read` then says it, with the place.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, Final

import numpy as np

from annotator.domain.segment import Lane
from annotator.exchange.node import Node
from annotator.exchange.perception_test.records import (
    OBJECT_KEYS,
    ObjectRecord,
    SegmentRecord,
)

MAX_TIME_US: Final = 10**14
MAX_LABEL_ID: Final = 2**31 - 1

_NUMBERS: Final = frozenset((int, float))
_FLAGS: Final = frozenset((0, 1))
_AMBIGUOUS: Final = 4
"""So many boxes can be read in two layouts."""


def usual_objects(node: Node, n_frames: int | None, *, is_test: bool) -> list[ObjectRecord] | None:
    """Return the object tracks of an entry; None where there is anything to say of any of them."""
    records: Any = node.value
    if n_frames is None or not isinstance(records, list) or set(map(type, records)) != {dict}:
        return None
    columns = [[record.get(key) for record in records] for key in OBJECT_KEYS]
    ids, labels, occluders, *lists = columns
    if not (
        _are_whole(ids)
        and ids == list(range(len(ids)))
        and set(map(type, labels)) == {str}
        and _are_flags(occluders)
        and set(map(type, chain(*lists))) == {list}
    ):
        return None
    boxes, starts, frames, times, masks = lists
    if not (
        _are_long(lists)
        and _are_boxes(boxes)
        and all(start.count(1) == 1 for start in starts)
        and _are_flags(list(chain(*starts)))
        and _are_flags(list(chain(*masks)))
        and _are_frames(frames, n_frames)
        and _ascend(times)
    ):
        return None
    path = node.path
    return [
        ObjectRecord(
            i,
            f"{path}[{i}]",
            labels[i],
            occluders[i] == 1,
            tuple(frames[i]),
            tuple(map(tuple, boxes[i])),
            tuple(map(bool, masks[i])),
            len(frames[i]) == 1 and is_test,
            record,
        )
        for i, record in enumerate(records)
    ]


def usual_segment(
    lane: Lane, node: Node, objects: AbstractSet[int], n_frames: int | None
) -> SegmentRecord | None:
    """Return an action or sound; None where there is anything to say of it.

    ``objects`` are all that it may name.
    """
    raw: Any = node.value
    if not isinstance(raw, dict) or n_frames is None:
        return None
    times, frames = raw.get("timestamps"), raw.get("frame_ids")
    label, number = raw.get("label"), raw.get("label_id")
    parents, flag = raw.get("parent_objects", []), raw.get("is_visible", 1)
    if not (
        type(times) is type(frames) is type(parents) is list
        and len(times) == len(frames) == 2
        and type(label) is str
        and type(raw.get("id")) is type(number) is type(flag) is int
        and set(map(type, frames)) == {int}
        and set(map(type, times)) <= _NUMBERS
        and set(map(type, parents)) <= {int}
    ):
        return None
    is_usual = (
        label
        and flag in _FLAGS
        and 0 <= number <= MAX_LABEL_ID
        and 0 <= frames[0] <= frames[1] <= n_frames > frames[0]
        and 0 <= times[0] <= times[1] <= MAX_TIME_US
        and objects.issuperset(parents)  # type: ignore[attr-defined]
    )
    if not is_usual:
        return None
    ends, ends_us = (frames[0], frames[1]), (times[0], times[1])
    return SegmentRecord(
        node.path, lane, label, number, tuple(parents), ends, ends_us, flag == 1, raw
    )


def _are_long(lists: list[list[Any]]) -> bool:
    """Tell whether all lists of a record are of the same length, which leaves no doubt."""
    lengths = list(map(len, lists[0]))
    has_doubt = 0 in lengths or _AMBIGUOUS in lengths
    return not has_doubt and all(list(map(len, column)) == lengths for column in lists)


def _are_whole(values: list[Any]) -> bool:
    return set(map(type, values)) == {int}


def _are_flags(values: list[Any]) -> bool:
    return _are_whole(values) and _FLAGS.issuperset(values)


def _are_frames(frames: list[list[int]], n_frames: int) -> bool:
    values = list(chain(*frames))
    return _are_whole(values) and min(values) >= 0 and max(values) < n_frames and _ascend(frames)


def _ascend(lists: list[list[Any]]) -> bool:
    """Tell whether the numbers of each list ascend."""
    values = list(chain(*lists))
    if not set(map(type, values)) <= _NUMBERS:
        return False
    is_after = np.diff(np.array(values, np.float64)) > 0
    is_after[np.cumsum(list(map(len, lists)))[:-1] - 1] = True
    return bool(is_after.all())


def _are_boxes(boxes: list[list[Any]]) -> bool:
    """Tell whether all are four numbers that make a box with area inside the picture."""
    rows = list(chain(*boxes))
    if set(map(type, rows)) != {list} or set(map(len, rows)) != {4}:
        return False
    numbers = list(chain(*rows))
    if not set(map(type, numbers)) <= _NUMBERS:
        return False
    corners = np.array(numbers, np.float64).reshape(-1, 4)
    sides = corners[:, 2:] - corners[:, :2]
    is_inside = (corners[:, :2] >= 0).all() and (corners[:, 2:] <= 1).all()
    return bool(is_inside and (sides >= 0).all() and (sides.prod(axis=1) > 0).all())
