"""Reverting differences one by one, by commands, so that undo includes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import ClassVar, TypeVar

from annotator.domain.annotation.changes import Change, KeyframeKey, merge
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import (
    creation,
    effective,
    keyframe_change,
    keyframe_removal,
    unlocked,
)
from annotator.domain.annotation.point_track import PointInfo, PointRun, PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track, TrackInfo
from annotator.domain.commands.points import (
    point_creation,
    point_deletion,
    points_change,
    unlocked_point,
)
from annotator.domain.commands.tracks import DeleteTracks
from annotator.domain.errors import EditError
from annotator.domain.ids import PointId, SegmentId, TrackId
from annotator.domain.review.difference import Difference, DifferenceKind, Subject
from annotator.domain.review.document_diff import SLOTS

T = TypeVar("T", TrackInfo, PointInfo, Segment)

_RANKS = {
    (Subject.TRACK, DifferenceKind.REMOVED): 0,  # others may belong to it
    (Subject.LINK, DifferenceKind.CHANGED): 2,  # to what is there again by then
    (Subject.TRACK, DifferenceKind.ADDED): 3,  # takes along what hangs on it
}


@dataclass(frozen=True, slots=True)
class RevertDifferences:
    """Restore the earlier state of these differences; everything else stays.

    Restored segments and points are linked to their objects again; if an object was deleted, the
    role is open, which remains as a difference of its own.
    """

    op: ClassVar[str] = "revert-difference"
    items: tuple[Difference, ...]
    merge_key: ClassVar[str | None] = None

    @property
    def frame(self) -> int | None:
        return self.items[0].frame if self.items else None

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        state = document
        for item in sorted(self.items, key=_rank):
            if changes:
                state = _copy(document)
                state.apply(changes)
            changes = [*changes, *_planned(state, item)]
        return effective(list(merge((), changes)))


def _rank(item: Difference) -> int:
    return _RANKS.get((item.subject, item.kind), 1)


def _copy(document: Document) -> Document:
    return Document(
        document.draft_id, document.video, document.tracks, document.segments, document.points
    )


def _planned(document: Document, item: Difference) -> list[Change]:
    match item.subject:
        case Subject.TRACK:
            return _track(document, item)
        case Subject.KEYFRAMES:
            return _keyframes(document, item)
        case Subject.POINT:
            return _point(document, item)
        case Subject.MARKS:
            return _marks(document, item)
        case Subject.SEGMENT:
            return _segment(document, item)
        case Subject.LINK:
            return _link(document, item)


def _track(document: Document, item: Difference) -> list[Change]:
    track_id = TrackId(item.id)
    now = document.find_track(track_id)
    if item.before is None:
        return [] if now is None else DeleteTracks((track_id,)).plan(document)
    assert isinstance(item.before, Track)
    if item.after is None:
        if now is not None:
            return []
        info = item.before.info
        info = replace(info, parent_id=_present(document, info.parent_id), is_locked=False)
        return creation(replace(item.before, info=info))
    info = unlocked(document.track(track_id)).info
    back = _with(info, item.before.info, item.fields)
    return [Change("track", track_id, info, back)]


def _keyframes(document: Document, item: Difference) -> list[Change]:
    assert isinstance(item.before, tuple)
    track = unlocked(document.track(TrackId(item.id)))
    previous_keys = {key.frame: key for key in item.before}
    changes = []
    for frame in item.frames:
        now = track.keyframe_at(frame)
        if key := previous_keys.get(frame):
            changes.append(keyframe_change(track, key))
        elif now is not None:
            changes.append(keyframe_removal(track, now))
    new_keys = {key.frame: key for key in track.keyframes}
    for frame in item.frames:
        new_keys.pop(frame, None)
    new_keys |= {frame: previous_keys[frame] for frame in item.frames if frame in previous_keys}
    ordered = [new_keys[frame] for frame in sorted(new_keys)]
    leading = list(takewhile(lambda key: key.box is None, ordered))
    if len(leading) == len(ordered):
        raise EditError("Cannot delete the last keyframe. Delete the object instead.")
    # A track begins in view: what only said that it is not there yet goes along.
    dropped = {key.frame for key in leading}
    kept_changes = [
        c for c in changes if not (isinstance(c.id, KeyframeKey) and c.id.frame in dropped)
    ]
    removed = (track.keyframe_at(frame) for frame in sorted(dropped))
    return kept_changes + [keyframe_removal(track, key) for key in removed if key is not None]


def _point(document: Document, item: Difference) -> list[Change]:
    point_id = PointId(item.id)
    now = document.find_point(point_id)
    if item.before is None:
        return [] if now is None else point_deletion(unlocked_point(document, point_id))
    assert isinstance(item.before, PointTrack)
    if item.after is None:
        if now is not None:
            return []
        info = item.before.info
        info = replace(info, track_id=_present(document, info.track_id), is_locked=False)
        return point_creation(replace(item.before, info=info))
    info = unlocked_point(document, point_id).info
    back = _with(info, item.before.info, item.fields)
    return [Change("point", point_id, info, back)]


def _marks(document: Document, item: Difference) -> list[Change]:
    assert isinstance(item.before, PointRun)
    point = unlocked_point(document, PointId(item.id))
    run = point.path.run(item.before.start, item.before.end)
    rows = [frame - run.start for frame in item.frames]
    run.xy[rows], run.flags[rows] = item.before.xy[rows], item.before.flags[rows]
    return [points_change(point, run)]


def _segment(document: Document, item: Difference) -> list[Change]:
    segment_id = SegmentId(item.id)
    now = document.find_segment(segment_id)
    if item.before is None:
        return [] if now is None else [Change("segment", segment_id, now, None)]
    assert isinstance(item.before, Segment)
    if item.after is None:
        if now is not None:
            return []
        slots = tuple(_present(document, slot) for slot in item.before.slots)
        return [Change("segment", segment_id, None, replace(item.before, slots=slots))]
    now = document.segment(segment_id)
    if SLOTS in item.fields:
        _check_present(document, item.before.slots)
    return [Change("segment", segment_id, now, _with(now, item.before, item.fields))]


def _link(document: Document, item: Difference) -> list[Change]:
    old = item.before
    if isinstance(old, Track):
        info = document.track(old.id).info
        _check_present(document, (old.info.parent_id,))
        return [Change("track", old.id, info, replace(info, parent_id=old.info.parent_id))]
    if isinstance(old, PointTrack):
        point = unlocked_point(document, old.id).info
        _check_present(document, (old.info.track_id,))
        return [Change("point", old.id, point, replace(point, track_id=old.info.track_id))]
    assert isinstance(old, Segment)
    now = document.segment(old.id)
    _check_present(document, old.slots)
    return [Change("segment", old.id, now, replace(now, slots=old.slots))]


def _with(now: T, old: T, fields: Iterable[str]) -> T:
    """Return the present value with some earlier fields."""
    return replace(now, **{name: getattr(old, name) for name in fields})


def _present(document: Document, track_id: TrackId | None) -> TrackId | None:
    """Return the reference to a track; None if it no longer exists."""
    return None if track_id and document.find_track(track_id) is None else track_id


def _check_present(document: Document, track_ids: Iterable[TrackId | None]) -> None:
    """Refuse a reference to an object that does not exist any more."""
    if any(_present(document, track_id) != track_id for track_id in track_ids):
        raise EditError(
            "Cannot revert the change: its object was deleted. Restore the object first."
        )
