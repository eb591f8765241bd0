"""Commands on whole tracks and on everything that refers to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from annotator.domain.annotation.changes import Change, VideoExtra
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import (
    NothingToDoError,
    checked_box,
    checked_frame,
    checked_label,
    creation,
    deletion,
    effective,
    keyframe_change,
    keyframe_removal,
    pinned_before,
    unlocked,
    unseen_change,
    with_unseen,
)
from annotator.domain.annotation.point_track import PointTrack, run_of
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.commands.points import point_creation, point_deletion, points_change
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, point_id
from annotator.domain.json_type import Json

TRACK_LINKS: Final = "track_links"
"""Key in ``VideoInfo.extra`` that maps names in imported records to tracks."""


def relinked(
    document: Document, links: Mapping[TrackId, TrackId | None], *, start: int = 0
) -> list[Change]:
    """Return the changes that point segments' slots from old tracks to new ones (or to none).

    Only segments that begin at frame ``start`` or later are changed.
    """
    changes = []
    for segment in document.segments:
        if segment.start < start or not any(track in links for track in segment.objects):
            continue
        slots = tuple(links.get(s, s) if s else s for s in segment.slots)
        changes.append(Change("segment", segment.id, segment, replace(segment, slots=slots)))
    return changes


def names_moved(document: Document, old: TrackId, new: TrackId) -> list[Change]:
    """Return the change that redirects references in imported records to another track."""
    video = document.video
    links = video.extra.get(TRACK_LINKS)
    if not isinstance(links, dict) or old not in links.values():
        return []
    moved: dict[str, Json] = {name: new if t == old else t for name, t in links.items()}
    extra = VideoExtra({**video.extra, TRACK_LINKS: moved})
    return [Change("video", video.id, VideoExtra(video.extra), extra)]


def points_deleted(document: Document, track_ids: Iterable[TrackId]) -> list[Change]:
    """Return the changes that delete the points of tracks."""
    ids = set(track_ids)
    return [c for p in document.points if p.info.track_id in ids for c in point_deletion(p)]


def points_moved(document: Document, old: TrackId, new: TrackId) -> list[Change]:
    """Return the changes that give all points of one track to another."""
    return [
        Change("point", p.id, p.info, replace(p.info, track_id=new))
        for p in document.points_of(old)
    ]


def points_split(document: Document, old: TrackId, new: TrackId, frame: int) -> list[Change]:
    """Return the changes that give the points' marks from ``frame`` on to another track.

    A point with marks on both sides becomes two.
    """
    changes: list[Change] = []
    number = document.next_point_number()
    for point in document.points_of(old):
        frames = point.path.frames()
        if not len(frames) or frames[-1] < frame:
            continue
        if frames[0] >= frame:
            info = replace(point.info, track_id=new)
            changes.append(Change("point", point.id, point.info, info))
            continue
        tail = point.path.run(frame, int(frames[-1]) + 1)
        info = replace(point.info, id=point_id(), track_id=new, number=number, extra={})
        number += 1
        changes.append(points_change(point, run_of(frame, [None] * len(tail.flags))))
        changes += point_creation(PointTrack(info).with_run(tail))
    return changes


@dataclass(frozen=True, slots=True)
class CreateTrack:
    """Start a track with its first box."""

    op: ClassVar[str] = "create-track"
    track_id: TrackId
    label: str
    frame: int
    box: Box
    color: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        number = document.next_number()
        info = TrackInfo(
            self.track_id,
            checked_label(self.label),
            number,
            number - 1 if self.color is None else self.color,
        )
        frame = checked_frame(document.video, self.frame)
        key = Keyframe(frame, checked_box(document.video, self.box))
        return creation(Track(info, (key,)))


@dataclass(frozen=True, slots=True)
class DeleteTracks:
    """Delete tracks with their keyframes and points.

    Children lose their parent, segments their object.
    """

    op: ClassVar[str] = "delete-track"
    track_ids: tuple[TrackId, ...]
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        gone = [unlocked(document.track(t)) for t in dict.fromkeys(self.track_ids)]
        ids = {t.id for t in gone}
        changes = relinked(document, dict.fromkeys(ids)) + points_deleted(document, ids)
        for track in document.tracks:
            if track.info.parent_id in ids and track.id not in ids:
                orphan = replace(track.info, parent_id=None)
                changes.append(Change("track", track.id, track.info, orphan))
        for track in gone:
            changes += deletion(track)
        return effective(changes)


@dataclass(frozen=True, slots=True)
class SetTrack:
    """Rename, recolor, lock or hide a track, or set its attributes. None leaves as it is."""

    op: ClassVar[str] = "set-track"
    track_id: TrackId
    label: str | None = None
    color: int | None = None
    is_locked: bool | None = None
    is_hidden: bool | None = None
    attributes: dict[str, Json] | None = field(default=None)
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        old = document.track(self.track_id).info
        if self.label is not None or self.attributes is not None:
            unlocked(document.track(self.track_id))
        attributes = old.attributes if self.attributes is None else self.attributes
        new = replace(
            old,
            label=old.label if self.label is None else checked_label(self.label),
            color=old.color if self.color is None else self.color,
            is_locked=old.is_locked if self.is_locked is None else self.is_locked,
            is_hidden=old.is_hidden if self.is_hidden is None else self.is_hidden,
            attributes=attributes,
        )
        return effective([Change("track", old.id, old, new)])


@dataclass(frozen=True, slots=True)
class SetTracks:
    """Lock or hide several tracks in one go. None leaves as it is."""

    op: ClassVar[str] = "set-track"
    track_ids: tuple[TrackId, ...]
    is_locked: bool | None = None
    is_hidden: bool | None = None
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        for track_id in dict.fromkeys(self.track_ids):
            one = SetTrack(track_id, is_locked=self.is_locked, is_hidden=self.is_hidden)
            with suppress(NothingToDoError):
                changes += one.plan(document)
        return effective(changes)


@dataclass(frozen=True, slots=True)
class SplitTrack:
    """Cut a track at a frame: the first part keeps its identity, the rest becomes ``new_id``.

    The first part is out of view from ``frame`` on; segments and points' marks from there on go
    with the rest. ``box`` and ``box_before`` are the boxes shown on ``frame`` and on the frame
    before where those are not the interpolated ones (proposals).
    """

    op: ClassVar[str] = "split-track"
    track_id: TrackId
    frame: int
    new_id: TrackId
    box: Box | None = None
    box_before: Box | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        head, rest = _cut(document, track, self.frame, self.box, self.box_before)
        number = document.next_number()
        info = replace(track.info, id=self.new_id, number=number, color=number - 1, extra={})
        info = with_unseen(info, (f for f in track.unseen if f >= self.frame))
        return [
            *head,
            *creation(Track(replace(info, is_begin_settled=True), rest)),
            *relinked(document, {track.id: self.new_id}, start=self.frame),
            *points_split(document, track.id, self.new_id, self.frame),
        ]


@dataclass(frozen=True, slots=True)
class SplitIntoChildren:
    """End a track where the object changes state; new tracks continue as its children.

    ``children`` are (identity, name) pairs ("egg-shells", "egg-content"). Each begins at ``frame``
    with the box the parent has there, and the parent is out of view from then on. ``box`` and
    ``box_before`` as in SplitTrack.
    """

    op: ClassVar[str] = "split-into-children"
    track_id: TrackId
    frame: int
    children: tuple[tuple[TrackId, str], ...]
    box: Box | None = None
    box_before: Box | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        if not self.children:
            raise EditError("Enter the name of at least one child object.")
        track = unlocked(document.track(self.track_id))
        changes, tail = _cut(document, track, self.frame, self.box, self.box_before)
        number = document.next_number()
        for offset, (child_id, label) in enumerate(self.children):
            info = TrackInfo(
                child_id,
                checked_label(label),
                number + offset,
                number + offset - 1,
                parent_id=track.id,
                is_begin_settled=True,
            )
            first = replace(tail[0], settled=False)
            changes += creation(Track(info, (first,)))
        return changes


@dataclass(frozen=True, slots=True)
class JoinTracks:
    """Make two tracks one: the keyframes of ``other_id`` move to ``track_id``.

    The tracks must not both have keyframes with a box on the same frame; where the first is out of
    view or has ended, the other continues. Segments and points follow.
    """

    op: ClassVar[str] = "join-tracks"
    track_id: TrackId
    other_id: TrackId
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        if self.track_id == self.other_id:
            raise EditError("Cannot merge a track with itself. Select two tracks.")
        track = unlocked(document.track(self.track_id))
        other = unlocked(document.track(self.other_id))
        moved = _merged_keyframes(track, other)
        changes = relinked(document, {other.id: track.id})
        changes += names_moved(document, other.id, track.id)
        changes += points_moved(document, other.id, track.id)
        for child in document.children_of(other.id):
            if child.id != track.id:
                info = replace(child.info, parent_id=track.id)
                changes.append(Change("track", child.id, child.info, info))
        info = track.info
        if info.parent_id == other.id:
            info = replace(info, parent_id=None)
        if track.frames and other.frames and other.frames[0] < track.frames[0]:
            info = replace(info, is_begin_settled=other.info.is_begin_settled)
        info = with_unseen(info, {*track.unseen, *other.unseen})
        changes.append(Change("track", track.id, track.info, info))
        changes += [keyframe_change(track, k) for k in moved]
        return effective([*changes, *deletion(other)])


@dataclass(frozen=True, slots=True)
class SwapTracks:
    """Exchange two tracks from a frame on, to repair a swap by a tracker."""

    op: ClassVar[str] = "swap-tracks"
    track_id: TrackId
    other_id: TrackId
    frame: int
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        if self.track_id == self.other_id:
            raise EditError("Select two different tracks to swap.")
        first = unlocked(document.track(self.track_id))
        second = unlocked(document.track(self.other_id))
        checked_frame(document.video, self.frame)
        changes = pinned_before(document.video, first, self.frame)
        changes += pinned_before(document.video, second, self.frame)
        changes += _with_tail(first, _tail(second, self.frame), self.frame)
        changes += _with_tail(second, _tail(first, self.frame), self.frame)
        for one, another in ((first, second), (second, first)):
            unseen = [f for f in one.unseen if f < self.frame]
            changes += unseen_change(
                one, [*unseen, *(f for f in another.unseen if f >= self.frame)]
            )
        return effective(changes)


def _cut(
    document: Document, track: Track, frame: int, box: Box | None, box_before: Box | None
) -> tuple[list[Change], tuple[Keyframe, ...]]:
    """Return the changes that end a track at a frame, and the keyframes from there on."""
    video = document.video
    checked_frame(video, frame)
    if not track.frames or frame <= track.frames[0]:
        raise EditError("Cannot split the track on its first keyframe. Go to a later frame.")
    tail = _tail(track, frame)
    if box is not None and not track.keyframe_at(frame):
        tail = (replace(tail[0], box=checked_box(video, box)), *tail[1:])
    while tail and tail[0].box is None:
        tail = tail[1:]
    if not tail:
        raise EditError("Cannot split the track: the object is out of view from this frame on.")
    changes = pinned_before(video, track, frame, box_before)
    changes += [keyframe_removal(track, k) for k in track.keyframes_in(frame, video.n_frames)]
    before = track.keyframe_before(frame)
    if before is None or before.box is not None:
        changes = [c for c in changes if c.id != (track.id, frame)]
        changes.append(keyframe_change(track, Keyframe(frame, None)))
    return changes, tail


def _tail(track: Track, frame: int) -> tuple[Keyframe, ...]:
    """Return the keyframes from a frame on, with one on the frame itself if the track exists."""
    later = tuple(k for k in track.keyframes if k.frame > frame)
    key = track.keyframe_at(frame)
    if key is None:
        state = track.state_at(frame)
        lower = track.keyframe_before(frame)
        if lower is None:
            return later
        settled = lower.settled and state.box is not None
        key = Keyframe(frame, state.box, state.occluded, lower.source, settled=settled)
    return (key, *later)


def _with_tail(track: Track, tail: tuple[Keyframe, ...], frame: int) -> list[Change]:
    keep = tail if tail and tail[0].frame == frame else (Keyframe(frame, None), *tail)
    if not track.keyframe_before(frame):
        while keep and keep[0].box is None:
            keep = keep[1:]
    if not keep and not track.keyframe_before(frame):
        raise EditError("Cannot swap the tracks: one of them would be empty.")
    frames = {k.frame for k in keep}
    gone = [k for k in track.keyframes if k.frame >= frame and k.frame not in frames]
    return [keyframe_removal(track, k) for k in gone] + [keyframe_change(track, k) for k in keep]


def _merged_keyframes(track: Track, other: Track) -> list[Keyframe]:
    """Return the keyframes to set on ``track``; EditError when both claim one frame."""
    moved = []
    for key in other.keyframes:
        mine = track.keyframe_at(key.frame)
        if mine is not None and mine.box is not None and key.box is not None:
            raise EditError(f"Cannot merge the tracks: both have a box on frame {key.frame}.")
        if mine is None or mine.box is None:
            moved.append(key)
    return moved
