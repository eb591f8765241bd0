"""Identifiers made by the client: time-ordered UUIDs, so that two raters can never collide."""

from __future__ import annotations

import os
import random
import threading
import time
from typing import NewType

ProjectId = NewType("ProjectId", str)
VideoId = NewType("VideoId", str)
TaskId = NewType("TaskId", str)
DraftId = NewType("DraftId", str)
TrackId = NewType("TrackId", str)
PointId = NewType("PointId", str)
SegmentId = NewType("SegmentId", str)
PersonId = NewType("PersonId", str)
SubmissionId = NewType("SubmissionId", str)
AssignmentId = NewType("AssignmentId", str)
CommentId = NewType("CommentId", str)
ItemId = NewType("ItemId", str)
MergeId = NewType("MergeId", str)
StudyId = NewType("StudyId", str)

_lock = threading.Lock()
_last = 0
_WIDEST_GAP = 8


def new_id(*, step: int = 1) -> str:
    """Return a new UUID version 7 as 36 characters (RFC 9562).

    Within one process the values increase strictly, also when the clock stands still or goes back:
    the 12 bits after the milliseconds count on, by ``step`` at least.
    """
    global _last
    with _lock:
        tick = max((time.time_ns() // 1_000_000) << 12, _last + step)
        _last = tick
    return _at_tick(tick)


def id_between(low: str, high: str) -> str:
    """Return a new identifier as if it had been made soon after ``low``, and before ``high``.

    With "" for ``low`` shortly before ``high``.
    """
    end = _tick_of(high)
    if not low:
        counter = end & 0xFFF
        return _at_tick(end - random.randint(1, counter) if counter else end - (1 << 12))
    start = _tick_of(low) + 1
    return _at_tick(random.randint(start, max(start, min(end - 1, start + _WIDEST_GAP))))


def _tick_of(identifier: str) -> int:
    value = int(identifier.replace("-", ""), 16)
    return (value >> 80) << 12 | (value >> 64) & 0xFFF


def _at_tick(tick: int) -> str:
    milliseconds, counter = tick >> 12, tick & 0xFFF
    random_bits = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1)
    value = milliseconds << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | random_bits
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def track_id() -> TrackId:
    """Return a new identifier for a track."""
    return TrackId(new_id())


def segment_id() -> SegmentId:
    """Return a new identifier for a segment."""
    return SegmentId(new_id())


def point_id() -> PointId:
    """Return a new identifier for a point track."""
    return PointId(new_id())


def item_id() -> ItemId:
    """Return a new identifier for an item.

    It leaves gaps, so that an item which is put in between later does not stand out.
    """
    return ItemId(new_id(step=random.randint(2, _WIDEST_GAP)))
