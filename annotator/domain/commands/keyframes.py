"""Commands on the keyframes of one track, thinning included."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Final, NamedTuple

import numpy as np

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import (
    checked_box,
    checked_frame,
    effective,
    keyframe_change,
    keyframe_removal,
    pinned_before,
    unlocked,
)
from annotator.domain.annotation.keyframe_reduction import (
    TOLERANCE,
    Tolerance,
    largest_deviation,
    reduce_path,
)
from annotator.domain.annotation.track import Keyframe, Source, Track
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.proposals.box_proposals import Proposed

_RIGHT_IOU: Final = 0.7
"""Overlap with its correction below which an accepted box was wrong."""
_REACH_STEPS: Final = 3
_STEP: Final = 30  # frames, where there is no grid


@dataclass(frozen=True, slots=True)
class SetKeyframe:
    """Set the box of an object on a frame; flags keep their value unless given.

    ``box=None`` fixes the state that interpolation shows there. ``source`` is ACCEPTED when a
    single proposal is taken over. With ``reopens`` accepted frames around it are opened for new
    proposals if the box differs clearly from the one that was accepted here (see `reopened`).
    """

    track_id: TrackId
    frame: int
    box: Box | None = None
    occluded: bool | None = None
    source: Source = Source.HUMAN
    reopens: bool = False
    merge_key: str | None = None

    @property
    def op(self) -> str:
        """Accepting a proposal has the name of that edit in the history."""
        return "accept-proposals" if self.source is Source.ACCEPTED else "set-keyframe"

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        frame = checked_frame(document.video, self.frame)
        state = track.state_at(frame)
        box = self.box or state.box
        if box is None:
            raise EditError("Cannot set a keyframe: the object is out of view. Draw a box first.")
        lower = track.keyframe_at(frame) or track.keyframe_before(frame)
        key = Keyframe(
            frame,
            checked_box(document.video, box),
            occluded=state.occluded if self.occluded is None else self.occluded,
            source=self.source,
            settled=bool(lower and lower.box is not None and lower.settled),
        )
        around = reopened(document, track, key) if self.reopens else []
        if around:
            key = replace(key, settled=False)
        return effective([*around, keyframe_change(track, key)])


@dataclass(frozen=True, slots=True)
class DeleteKeyframe:
    """Delete the keyframe on a frame; the last one of a track cannot go."""

    op: ClassVar[str] = "delete-keyframe"
    track_id: TrackId
    frame: int
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        key = track.keyframe_at(self.frame)
        if key is None:
            raise EditError("This frame has no keyframe.")
        return _without(track, [key])


@dataclass(frozen=True, slots=True)
class DeleteKeyframes:
    """Delete all keyframes with ``start <= frame < end``."""

    op: ClassVar[str] = "delete-keyframes"
    track_id: TrackId
    start: int
    end: int
    merge_key: ClassVar[str | None] = None

    @property
    def frame(self) -> int:
        return self.start

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        keys = track.keyframes_in(self.start, self.end)
        if not keys:
            raise EditError("The range has no keyframes.")
        return _without(track, list(keys))


@dataclass(frozen=True, slots=True)
class SetOccluded:
    """Mark the object occluded (or not) from ``frame`` on.

    Without ``end`` the flag holds until the next keyframe; with it, on ``frame <= f < end`` in one
    go. ``shown`` are the proposals on ``frame`` and ``end``, where there are any: they are fixed
    there instead of interpolation.
    """

    track_id: TrackId
    frame: int
    value: bool
    end: int | None = None
    shown: tuple[Proposed, ...] = ()
    merge_key: ClassVar[str | None] = None

    @property
    def op(self) -> str:
        """Taking the mark away has a name of its own in the history."""
        return "set-occluded" if self.value else "clear-occluded"

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        start = checked_frame(document.video, self.frame)
        first = _fixed(document, track, start, self.shown)
        if first.box is None:
            raise EditError("Cannot mark the object as occluded: it is out of view on this frame.")
        changes = [keyframe_change(track, replace(first, occluded=self.value))]
        if self.end is not None:
            end = _checked_end(document, start, self.end)
            changes += [
                keyframe_change(track, replace(k, occluded=self.value))
                for k in track.keyframes_in(start + 1, end)
                if k.box is not None
            ]
            changes += _border(document, track, end, self.shown)
        return effective(changes)


@dataclass(frozen=True, slots=True)
class SetOutside:
    """Mark the object out of view from ``frame`` on, or back in the picture.

    Without ``end`` it stays so until the next keyframe; with it, on ``frame <= f < end``: keyframes
    inside the range go, and the object is back at ``end`` where it was due. ``value=False`` brings
    it back at ``frame`` with ``box``, or with the last box it had. ``shown`` are the proposals on
    ``frame``, on the frame before and on ``end``, where there are any: they are fixed there
    instead of interpolation. ``source`` is ACCEPTED when a single proposal is accepted.
    ``reopens`` as in SetKeyframe, without ``end``.
    """

    track_id: TrackId
    frame: int
    value: bool
    end: int | None = None
    box: Box | None = None
    shown: tuple[Proposed, ...] = ()
    source: Source = Source.HUMAN
    reopens: bool = False
    merge_key: ClassVar[str | None] = None

    @property
    def op(self) -> str:
        """Accepting a proposal has the name of that edit in the history."""
        if self.source is Source.ACCEPTED:
            return "accept-proposals"
        return "set-outside" if self.value else "clear-outside"

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        start = checked_frame(document.video, self.frame)
        if not self.value:
            back = self._return(document, track, start)
            around = reopened(document, track, back) if self.reopens else []
            return effective([*around, keyframe_change(track, back)])
        if not track.frames or start < track.frames[0]:
            raise EditError("The track has not started on this frame.")
        if start == track.frames[0]:
            raise EditError(
                "The track starts on this frame. To start it later, delete this keyframe."
            )
        key = Keyframe(start, None, source=self.source)
        around = reopened(document, track, key) if self.reopens and self.end is None else []
        if around:
            return effective([*around, keyframe_change(track, key)])
        pin = self._pin(document, track, start)
        if self.end is None:
            return effective([*pin, keyframe_change(track, key)])
        end = _checked_end(document, start, self.end)
        changes = pin + [keyframe_removal(track, k) for k in track.keyframes_in(start + 1, end)]
        # A person said how long: nothing is proposed in between.
        changes.append(keyframe_change(track, replace(key, settled=True)))
        return effective(changes + _border(document, track, end, self.shown))

    def _pin(self, document: Document, track: Track, start: int) -> list[Change]:
        """Return the change that fixes the frame before, unless it is out of view there."""
        before = _shown_on(start - 1, self.shown)
        if before is None:
            return pinned_before(document.video, track, start)
        if before.box is None:
            return []
        return pinned_before(document.video, track, start, before.box, before.occluded)

    def _return(self, document: Document, track: Track, frame: int) -> Keyframe:
        state, here = track.state_at(frame), _shown_on(frame, self.shown)
        box = self.box or (here.box if here is not None else None) or state.box or state.ghost
        if box is None:
            raise EditError("The object has no box. Draw a box first.")
        return Keyframe(frame, checked_box(document.video, box), occluded=state.occluded)


def reopened(document: Document, track: Track, correction: Keyframe) -> list[Change]:
    """Return the changes that open the accepted frames around a correction for new proposals.

    On both sides they reach to the next frame that somebody saw (a keyframe that a person set or
    that was imported, or a checked grid frame), and at most over three grid steps; that frame is
    fixed as it is. There are none where the correction agrees with what was accepted on its frame,
    and none on a person's own keyframe.
    """
    frame, n_frames, step = correction.frame, document.video.n_frames, document.video.grid_step
    far = _REACH_STEPS * (step or _STEP)
    stretch = _accepted_around(track, frame, far)
    if not stretch or _agree(track.state_at(frame).box, correction.box):
        return []
    unseen, grid = {*track.unseen}, range(0, n_frames, step) if step else ()
    first, last = stretch[0], stretch[-1]
    stops = {first.frame, frame - far, frame + far, *(f for f in grid if f not in unseen)}
    if last.source is not Source.ACCEPTED:
        stops.add(last.frame)
    is_to_the_end = last.settled and last.frame == track.last_frame
    end = n_frames - 1 if is_to_the_end else last.frame
    lower = max((f for f in stops if first.frame <= f < frame), default=frame)
    upper = min((f for f in stops if frame < f <= end), default=None)
    changes = [
        keyframe_removal(track, key)
        for key in track.keyframes_in(lower + 1, end + 1 if upper is None else upper)
        if key.frame != frame
    ]
    if lower < frame:
        begin = replace(_accepted_keyframe(track, lower), settled=False)
        changes.append(keyframe_change(track, begin))
    if upper is not None:
        changes.append(keyframe_change(track, _accepted_keyframe(track, upper)))
    return changes


def _accepted_around(track: Track, frame: int, far: int) -> Sequence[Keyframe]:
    """Return the keyframes of the accepted frames around one, with the borders.

    They reach no further than the first one that is ``far`` frames away on each side. None where
    the frame is not accepted, or where a person or an import set it.
    """
    keys = track.keyframes
    first = last = bisect_right(track.frames, frame) - 1
    if first < 0 or (keys[first].frame < frame and not keys[first].settled):
        return ()
    if keys[first].frame < frame:
        last = min(first + 1, len(keys) - 1)
    while (
        first
        and keys[first].frame > frame - far
        and keys[first].source is Source.ACCEPTED
        and keys[first - 1].settled
    ):
        first -= 1
    while (
        last + 1 < len(keys)
        and keys[last].frame < frame + far
        and keys[last].source is Source.ACCEPTED
        and keys[last].settled
    ):
        last += 1
    around = keys[first : last + 1]
    return around if any(key.source is Source.ACCEPTED for key in around) else ()


def _accepted_keyframe(track: Track, frame: int) -> Keyframe:
    """Return the keyframe on an accepted frame, or one that fixes what was accepted there."""
    key = track.keyframe_at(frame)
    if key is not None:
        return key
    below, state = track.keyframe_before(frame), track.state_at(frame)
    is_checked = below is not None and below.settled
    return Keyframe(frame, state.box, state.occluded, Source.ACCEPTED, is_checked)


def _agree(accepted: Box | None, corrected: Box | None) -> bool:
    if accepted is None or corrected is None:
        return accepted is corrected
    return accepted.iou(corrected) >= _RIGHT_IOU


def _without(track: Track, keys: list[Keyframe]) -> list[Change]:
    """Return the removal of keyframes; "out of view" goes along where it would be the first."""
    gone = {key.frame for key in keys}
    rest = [key for key in track.keyframes if key.frame not in gone]
    begin = next((i for i, key in enumerate(rest) if key.box is not None), None)
    if begin is None:
        raise EditError("Cannot delete the last keyframe. Delete the track instead.")
    gone |= {key.frame for key in rest[:begin]}
    return [keyframe_removal(track, key) for key in track.keyframes if key.frame in gone]


def _fixed(
    document: Document, track: Track, frame: int, shown: Sequence[Proposed] = ()
) -> Keyframe:
    """Return the keyframe on a frame, or a new one with the visible state."""
    key = track.keyframe_at(frame)
    if key is not None:
        return key
    state, proposed = track.state_at(frame), _shown_on(frame, shown)
    box, occluded = state.box, state.occluded
    if proposed is not None and proposed.box is not None:
        box, occluded = proposed.box, proposed.occluded
    if box is None and state.lower is None:
        raise EditError("The track has not started on this frame.")
    lower = track.keyframe_before(frame)
    fixed_box = checked_box(document.video, box) if box is not None else None
    settled = bool(lower and lower.settled and fixed_box is not None)
    return Keyframe(frame, fixed_box, occluded, settled=settled)


def _border(document: Document, track: Track, end: int, shown: Sequence[Proposed]) -> list[Change]:
    """Return the change that fixes the old state where a range ends, if the range ends inside."""
    if end >= document.video.n_frames or track.keyframe_at(end):
        return []
    proposed = _shown_on(end, shown)
    if proposed is not None and proposed.box is None:
        return [keyframe_change(track, Keyframe(end, None, source=Source.ACCEPTED))]
    return [keyframe_change(track, _fixed(document, track, end, shown))]


def _shown_on(frame: int, shown: Iterable[Proposed]) -> Proposed | None:
    return next((proposed for proposed in shown if proposed.frame == frame), None)


def _checked_end(document: Document, start: int, end: int) -> int:
    if end <= start:
        raise EditError("The range is empty: the end must be after the start.")
    return min(end, document.video.n_frames)


class Thinned(NamedTuple):
    """The keyframes of a track that stay, and the largest deviation they cause, in pixels."""

    keyframes: tuple[Keyframe, ...]
    deviation_px: float


@dataclass(frozen=True, slots=True)
class ThinKeyframes:
    """Delete the keyframes of tracks that interpolation replaces within a tolerance.

    Keyframes on which an object appears, leaves or changes its occlusion stay.
    """

    op: ClassVar[str] = "thin-keyframes"
    track_ids: tuple[TrackId, ...]
    tolerance: Tolerance = TOLERANCE
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        for track_id in self.track_ids:
            track = document.track(track_id)
            if len(self.track_ids) == 1:
                unlocked(track)
            if track.info.is_locked:
                continue
            kept_frames = {key.frame: key for key in thinned(track, self.tolerance).keyframes}
            for key in track.keyframes:
                if key.frame not in kept_frames:
                    changes.append(keyframe_removal(track, key))
                elif kept_frames[key.frame] != key:
                    changes.append(keyframe_change(track, kept_frames[key.frame]))
        if not changes:
            raise EditError("No keyframe can be deleted within this tolerance.")
        return effective(changes)


def thinned(track: Track, tolerance: Tolerance) -> Thinned:
    """Return a track with reduced keyframes; its positions stay within the tolerance."""
    keyframes: list[Keyframe] = []
    deviation = 0.0
    for part in _parts(track.keyframes):
        if part[0].box is None:
            keyframes += _thinned_absence(part)
            continue
        if len(part) <= 2:
            keyframes += part
            continue
        frames = np.array([key.frame for key in part], np.int64)
        boxes = np.array([key.box.as_tuple() for key in part if key.box is not None], np.float64)
        places = reduce_path(frames, boxes, tolerance)
        deviation = max(deviation, largest_deviation(frames, boxes, np.array(places)))
        for first, last in pairwise(places):
            if last == first + 1:
                keyframes.append(part[first])
                continue
            is_settled = _needs_no_proposals(part[first : last + 1])
            keyframes.append(replace(part[first], settled=is_settled))
        keyframes.append(part[-1])
    return Thinned(tuple(keyframes), deviation)


def _needs_no_proposals(part: Sequence[Keyframe]) -> bool:
    """Whether every gap between keyframes is marked as checked; neighbors have none."""
    return all(key.settled or after.frame == key.frame + 1 for key, after in pairwise(part))


def _thinned_absence(part: Sequence[Keyframe]) -> list[Keyframe]:
    """Return the first of some out-of-view keyframes, and the last if proposals may follow it."""
    first, last = part[0], part[-1]
    if last is first:
        return [first]
    first = replace(first, settled=_needs_no_proposals(part))
    return [first] if first.settled and last.settled else [first, last]


def _parts(keyframes: Iterable[Keyframe]) -> list[Sequence[Keyframe]]:
    """Return runs of keyframes on which the object is equally present and occluded."""
    parts: list[list[Keyframe]] = []
    for key in keyframes:
        last = parts[-1][-1] if parts else None
        is_same = last is not None and (last.box is None, last.occluded) == (
            key.box is None,
            key.occluded,
        )
        if is_same:
            parts[-1].append(key)
        else:
            parts.append([key])
    return list(parts)
