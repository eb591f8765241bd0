"""Identifiers made by the client: time-ordered UUIDs, so that two raters can never collide."""

from __future__ import annotations

import os
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

_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """Return a new UUID version 7 as 36 characters (RFC 9562).

    Within one process the values increase strictly, also when the clock stands still or goes back:
    the 12 bits after the milliseconds count on.
    """
    global _last
    with _lock:
        tick = max((time.time_ns() // 1_000_000) << 12, _last + 1)
        _last = tick
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
    """Return a new identifier for an item."""
    return ItemId(new_id())
