"""Format rules of object tracks, checked for all tracks of an entry at once.

For the judge, which names what is wrong track by track where the answer is no.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

SLACK_FRAMES: Final = 1.5
"""How far a time may lie from frame / rate in a video of constant rate."""

_NUMBERS: Final = frozenset((int, float))


def are_sound(records: Sequence[object], facts: Mapping[str, object]) -> bool:
    """Tell whether frames, times, boxes and flags of all tracks are beyond doubt."""
    count, rate = facts.get("num_frames"), facts.get("frame_rate")
    if type(count) is not int or type(rate) not in _NUMBERS or not rate > 0:  # type: ignore[operator]
        return False
    columns: list[list[Any]] = []
    for key in ("frame_ids", "timestamps", "bounding_boxes", "initial_tracking_box", "is_masked"):
        found = [r.get(key) for r in records if isinstance(r, dict)]
        if len(found) != len(records) or set(map(type, found)) != {list}:
            return False
        columns.append(found)
    frames, times, boxes, starts, masks = columns
    lengths = list(map(len, frames))
    if not all(lengths) or any(list(map(len, column)) != lengths for column in columns):
        return False
    flags = list(chain.from_iterable(chain(starts, masks)))
    if set(map(type, flags)) != {int} or min(flags) < 0 or max(flags) > 1:
        return False
    if any(start.count(1) != 1 for start in starts):
        return False
    return _are_in_order(frames, times, lengths, count, rate) and _are_boxes(boxes)  # type: ignore[arg-type]


def _are_in_order(
    frames: list[list[Any]],
    times: list[list[Any]],
    lengths: list[int],
    count: int,
    rate: float,
) -> bool:
    """Tell whether frames and times ascend within each track, and belong together."""
    all_frames, all_times = list(chain(*frames)), list(chain(*times))
    if set(map(type, all_frames)) != {int} or not set(map(type, all_times)) <= _NUMBERS:
        return False
    if min(all_frames) < 0 or max(all_frames) >= count or min(all_times) < 0:
        return False
    frame, time = np.array(all_frames, np.float64), np.array(all_times, np.float64)
    is_first = np.zeros(len(frame), np.bool_)
    is_first[np.cumsum([0, *lengths[:-1]])] = True
    is_after = (frame[1:] > frame[:-1]) & (time[1:] > time[:-1])
    is_near = np.abs(time - frame / rate * 1e6) <= SLACK_FRAMES / rate * 1e6
    return bool((is_after | is_first[1:]).all() and is_near.all())


def _are_boxes(boxes: list[list[Any]]) -> bool:
    """Tell whether all are four numbers that make a box with area inside the picture."""
    rows = list(chain(*boxes))
    if set(map(type, rows)) != {list} or set(map(len, rows)) != {4}:
        return False
    numbers = list(chain(*rows))
    if set(map(type, numbers)) != {float}:
        return False
    corners = np.array(numbers, np.float64).reshape(-1, 4)
    is_inside = (corners >= 0).all() and (corners <= 1).all()
    return bool(is_inside and (corners[:, :2] < corners[:, 2:]).all())
