"""Fast reader for regular records; all others are read value by value.

The result is that of `read`. For a record with any finding it returns None, and `read` then
reports the finding with its place.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from annotator.domain.annotation.segment import Lane
from annotator.exchange.node import Node
from annotator.exchange.perception_test.records import (
    OBJECT_KEYS,
    ObjectColumns,
    ObjectRecord,
    SegmentRecord,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_TIME_US: Final = 10**14
MAX_LABEL_ID: Final = 2**31 - 1

_NUMBERS: Final = frozenset((int, float))
_FLAGS: Final = frozenset((0, 1))
_AMBIGUOUS: Final = 4
"""Number of boxes that two layouts allow."""


def usual_objects(
    node: Node, n_frames: int | None, *, is_test: bool
) -> tuple[list[ObjectRecord], ObjectColumns] | None:
    """Return the object tracks of an entry; None unless all are regular."""
    records: Any = node.value
    if n_frames is None or not isinstance(records, list) or set(map(type, records)) != {dict}:
        return None
    ids, labels, occluders, *lists = [[r.get(key) for r in records] for key in OBJECT_KEYS]
    if not (
        _are_whole(ids)
        and ids == list(range(len(ids)))
        and set(map(type, labels)) == {str}
        and _are_flags(occluders)
        and set(map(type, chain(*lists))) == {list}
    ):
        return None
    boxes, starts, frames, _, masks = lists
    columns = _columns(lists, n_frames)
    if columns is None or not all(start.count(1) == 1 for start in starts):
        return None
    path = node.path
    return [
        ObjectRecord(
            i,
            f"{path}[{i}]",
            labels[i],
            occluders[i] == 1,
            tuple(frames[i]),
            boxes[i],
            tuple(map(bool, masks[i])),
            len(frames[i]) == 1 and is_test,
            record,
        )
        for i, record in enumerate(records)
    ], columns


def usual_segment(
    lane: Lane, node: Node, objects: AbstractSet[int], n_frames: int | None
) -> SegmentRecord | None:
    """Return an action or sound; None unless it is regular.

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
    """Return whether all lists of a record are of the same length, which leaves no doubt."""
    lengths = list(map(len, lists[0]))
    has_doubt = 0 in lengths or _AMBIGUOUS in lengths
    return not has_doubt and all(list(map(len, column)) == lengths for column in lists)


def _are_whole(values: list[Any]) -> bool:
    return set(map(type, values)) == {int}


def _are_flags(values: list[Any]) -> bool:
    return _are_whole(values) and _FLAGS.issuperset(values)


def _columns(lists: list[list[Any]], n_frames: int) -> ObjectColumns | None:
    """Return the entries of records, from what these have under their keys that hold lists."""
    boxes, starts, frames, times, masks = (list(chain(*column)) for column in lists)
    if not (
        _are_long(lists)
        and _are_flags(starts)
        and _are_flags(masks)
        and _are_whole(frames)
        and set(map(type, times)) <= _NUMBERS
    ):
        return None
    bounds = np.cumsum([0, *map(len, lists[2])])
    when = np.array(frames, np.int64)
    is_in_video = when.min() >= 0 and when.max() < n_frames
    if not (is_in_video and _ascend(when, bounds) and _ascend(np.array(times, float), bounds)):
        return None
    if set(map(type, boxes)) != {list} or set(map(len, boxes)) != {4}:
        return None
    numbers = list(chain(*boxes))
    kinds = set(map(type, numbers))
    corners = np.array(numbers, np.float64).reshape(-1, 4) if kinds <= _NUMBERS else None
    if corners is None or not _are_boxes(corners):
        return None
    return ObjectColumns(bounds, when, corners, np.array(masks, np.bool_), kinds == {float})


def _ascend(values: NDArray[Any], bounds: NDArray[np.int64]) -> bool:
    """Return whether the numbers of each record ascend."""
    is_after = values[1:] > values[:-1]
    is_after[bounds[1:-1] - 1] = True
    return bool(is_after.all())


def _are_boxes(corners: NDArray[np.float64]) -> bool:
    """Return whether all are boxes with area inside the picture."""
    sides = corners[:, 2:] - corners[:, :2]
    is_inside = (corners[:, :2] >= 0).all() and (corners[:, 2:] <= 1).all()
    return bool(is_inside and (sides >= 0).all() and (sides[:, 0] * sides[:, 1] > 0).all())
