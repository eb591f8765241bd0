"""Difference of two documents of one video; equal content by other authors is no difference.

What belongs to the view alone (locked, hidden) is not compared, nor which gaps are settled: that
records a review, not a change of content.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import eq
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import SOURCE_BITS, PointPath, PointTrack
from annotator.domain.annotation.segment import DISMISSED, UNSEEN, Segment
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.ids import PointId, SegmentId, TrackId
from annotator.domain.review.difference import (
    Difference,
    DifferenceKind,
    Differences,
    EntityId,
    Subject,
    collected,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

TRACK_FIELDS: Final = ("label", "number", "color", "attributes", "extra")
POINT_FIELDS: Final = ("label", "number", "color", "extra")
SEGMENT_FIELDS: Final = (
    "lane",
    "label",
    "label_id",
    "start",
    "end",
    "is_visible",
    "extra",
    "start_us",
    "end_us",
)
PARENT: Final = "parent_id"
OWNER: Final = "track_id"
SLOTS: Final = "slots"

_OF_LOOKING: Final = frozenset({DISMISSED, UNSEEN})
"""Keys of `extra` about the annotation process, not about the object."""


def diff(before: Document, after: Document) -> Differences:
    """Return the differences of two documents of one video."""
    found: dict[EntityId, Iterable[Difference]] = {}
    tracks = {t.id: t for t in before.tracks}, {t.id: t for t in after.tracks}
    for track_id in tracks[0].keys() | tracks[1].keys():
        old, new = tracks[0].get(track_id), tracks[1].get(track_id)
        found[track_id] = _track_items(old, new, after)
    points = {p.id: p for p in before.points}, {p.id: p for p in after.points}
    for point_id in points[0].keys() | points[1].keys():
        found[point_id] = _point_items(points[0].get(point_id), points[1].get(point_id), after)
    segments = {s.id: s for s in before.segments}, {s.id: s for s in after.segments}
    for segment_id in segments[0].keys() | segments[1].keys():
        found[segment_id] = _segment_items(segments[0].get(segment_id), segments[1].get(segment_id))
    return collected(found)


def updated(
    found: Differences, before: Document, after: Document, changes: Iterable[Change]
) -> Differences:
    """Return the differences after ``after`` has changed; checks only changed parts."""
    of_entity: dict[EntityId, Iterable[Difference]] = dict(found.of_entity)
    for key in {_entity(change) for change in changes}:
        if isinstance(key, tuple):
            kind, name = key
            of_entity[name] = _entity_items(kind, name, before, after)
    return collected(of_entity)


def _entity(change: Change) -> tuple[str, EntityId] | None:
    if change.track_id is not None:
        return "track", change.track_id
    if change.point_id is not None:
        return "point", change.point_id
    return ("segment", SegmentId(str(change.id))) if change.kind == "segment" else None


def _entity_items(
    kind: str, name: EntityId, before: Document, after: Document
) -> Iterator[Difference]:
    if kind == "track":
        key = TrackId(name)
        return _track_items(before.find_track(key), after.find_track(key), after)
    if kind == "point":
        point = PointId(name)
        return _point_items(before.find_point(point), after.find_point(point), after)
    segment = SegmentId(name)
    return _segment_items(before.find_segment(segment), after.find_segment(segment))


def _track_items(old: Track | None, new: Track | None, document: Document) -> Iterator[Difference]:
    track = new or old
    if track is None:
        return  # it came and went
    start = track.first_frame or 0
    span = (start, max(start + 1, document.video.n_frames))
    if old is None or new is None:
        kind = DifferenceKind.ADDED if old is None else DifferenceKind.REMOVED
        yield Difference(Subject.TRACK, kind, track.id, *span, old, new)
        return
    if fields := _differing(old.info, new.info, TRACK_FIELDS):
        yield _changed(Subject.TRACK, track.id, span, old, new, fields)
    if old.info.parent_id != new.info.parent_id:
        yield _changed(Subject.LINK, track.id, (start, start + 1), old, new, (PARENT,))
    yield from _keyframe_items(old, new, document)


def _point_items(
    old: PointTrack | None, new: PointTrack | None, document: Document
) -> Iterator[Difference]:
    point = new or old
    if point is None:
        return  # it came and went
    frames = point.path.frames()
    span = (int(frames[0]), int(frames[-1]) + 1) if len(frames) else (0, 1)
    if old is None or new is None:
        kind = DifferenceKind.ADDED if old is None else DifferenceKind.REMOVED
        yield Difference(Subject.POINT, kind, point.id, *span, old, new)
        return
    if fields := _differing(old.info, new.info, POINT_FIELDS):
        yield _changed(Subject.POINT, point.id, span, old, new, fields)
    if old.info.track_id != new.info.track_id:
        yield _changed(Subject.LINK, point.id, span, old, new, (OWNER,))
    yield from _mark_items(old, new, document.video.grid_step)


def _segment_items(old: Segment | None, new: Segment | None) -> Iterator[Difference]:
    segment = new or old
    if segment is None:
        return  # it came and went
    if old is None or new is None:
        kind = DifferenceKind.ADDED if old is None else DifferenceKind.REMOVED
        span = (segment.start, segment.end)
        yield Difference(Subject.SEGMENT, kind, segment.id, *span, old, new)
        return
    span = (min(old.start, new.start), max(old.end, new.end))
    fields = _differing(old, new, SEGMENT_FIELDS)
    if "label" in fields and len(old.slots) != len(new.slots):
        # The label says how many roles there are: one cannot be judged without the other.
        fields = (*fields, SLOTS)
    elif old.slots != new.slots:
        yield _changed(Subject.LINK, segment.id, span, old, new, (SLOTS,))
    if fields:
        yield _changed(Subject.SEGMENT, segment.id, span, old, new, fields)


def _changed(
    subject: Subject,
    entity: EntityId,
    span: tuple[int, int],
    old: Track | PointTrack | Segment,
    new: Track | PointTrack | Segment,
    fields: tuple[str, ...],
) -> Difference:
    kind = DifferenceKind.CHANGED
    return Difference(subject, kind, entity, *span, old, new, fields=fields)


def _differing(old: object, new: object, fields: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        name for name in fields if _compared_value(old, name) != _compared_value(new, name)
    )


def _compared_value(of: object, name: str) -> object:
    """Return a field as it is compared: how it was looked at says nothing of an object."""
    value = getattr(of, name)
    if name == "extra" and not value.keys().isdisjoint(_OF_LOOKING):
        return {key: each for key, each in value.items() if key not in _OF_LOOKING}
    return value


def _keyframe_items(old: Track, new: Track, document: Document) -> Iterator[Difference]:
    """Yield an item for each stretch of keyframes that differ."""
    if old.keyframes is new.keyframes:
        return
    frames, same = _compared(old, new)
    for part in _stretches(frames, same, document.video.grid_step):
        first, last = int(part[0]), int(part[-1])
        low, high = np.searchsorted(same, (first, last))
        start = int(same[low - 1]) + 1 if low else first
        end = int(same[high]) if high < len(same) else max(document.video.n_frames, last + 1)
        listed = tuple(part.tolist())
        before, after = _at(old, listed), _at(new, listed)
        kind = _kind(is_new=not before, is_gone=not after)
        yield Difference(Subject.KEYFRAMES, kind, old.id, start, end, before, after, listed)


def _at(track: Track, frames: tuple[int, ...]) -> tuple[Keyframe, ...]:
    """Return the keyframes on these frames (ascending)."""
    low, high = bisect_left(track.frames, frames[0]), bisect_right(track.frames, frames[-1])
    keys = track.keyframes[low:high]
    if track.frames[low:high] == frames:
        return keys
    wanted = set(frames)
    return tuple([key for key in keys if key.frame in wanted])


def _compared(old: Track, new: Track) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the frames whose keyframes differ, and those whose keyframes are the same."""
    mine, theirs = old.keyframes, new.keyframes
    if old.frames == new.frames:
        common = frames = np.array(old.frames, dtype=np.int64)
    else:
        first, second = (np.array(t.frames, dtype=np.int64) for t in (old, new))
        common, i, j = np.intersect1d(first, second, assume_unique=True, return_indices=True)
        frames = np.union1d(first, second)
        mine = tuple([mine[n] for n in i.tolist()])
        theirs = tuple([theirs[n] for n in j.tolist()])
    is_same = np.fromiter(map(eq, mine, theirs), dtype=bool, count=len(common))
    # Keyframes that differ only in the checked mark of their gap are equal.
    unequal = np.flatnonzero(~is_same).tolist()
    for n in [n for n in unequal if mine[n].settled is not theirs[n].settled]:
        is_same[n] = mine[n] == replace(theirs[n], settled=mine[n].settled)
    same = common[is_same]
    return np.setdiff1d(frames, same, assume_unique=True), same


def _mark_items(old: PointTrack, new: PointTrack, step: int) -> Iterator[Difference]:
    """Yield an item for each stretch of marks that differ."""
    frames = _differing_marks(old.path, new.path)
    for part in _stretches(frames, None, step):
        first, last = int(part[0]), int(part[-1]) + 1
        before, after = old.path.run(first, last), new.path.run(first, last)
        rows = part - first
        is_new = not (before.flags[rows] & SOURCE_BITS).any()
        kind = _kind(is_new=is_new, is_gone=not (after.flags[rows] & SOURCE_BITS).any())
        listed = tuple(part.tolist())
        yield Difference(Subject.MARKS, kind, old.id, first, last, before, after, listed)


def _differing_marks(old: PointPath, new: PointPath) -> NDArray[np.int64]:
    """Return the frames whose marks differ, ascending."""
    parts = []
    for number in sorted(old.blocks.keys() | new.blocks.keys()):
        mine, theirs = old.blocks.get(number), new.blocks.get(number)
        if mine is theirs:
            continue
        block = mine or theirs
        assert block is not None
        a, b = old.run(block.start, block.end), new.run(block.start, block.end)
        is_same = (a.xy == b.xy) | (np.isnan(a.xy) & np.isnan(b.xy))
        parts.append(np.flatnonzero((a.flags != b.flags) | ~is_same.all(axis=1)) + block.start)
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _stretches(
    frames: NDArray[np.int64], same: NDArray[np.int64] | None, step: int
) -> list[NDArray[np.int64]]:
    """Return differing frames in stretches that are one thing to look at.

    A new one begins more than a grid step on; with ``same``, frames on which all is as it was, only
    if one of these lies in between.
    """
    if not len(frames):
        return []
    is_far = np.diff(frames) > step
    if same is not None:
        is_far &= np.diff(np.searchsorted(same, frames)) > 0
    return np.split(frames, np.flatnonzero(is_far) + 1)


def _kind(*, is_new: bool, is_gone: bool) -> DifferenceKind:
    if is_new:
        return DifferenceKind.ADDED
    return DifferenceKind.REMOVED if is_gone else DifferenceKind.CHANGED
