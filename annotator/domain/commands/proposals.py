"""Commands that accept or dismiss proposals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile
from typing import ClassVar

import numpy as np

from annotator.domain.annotation.changes import Change, merge
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import (
    MIN_SIDE_PX,
    NothingToDoError,
    checked_frame,
    effective,
    keyframe_change,
    keyframe_removal,
    unlocked,
    unseen_change,
    with_unseen,
)
from annotator.domain.annotation.keyframe_reduction import (
    TOLERANCE,
    Tolerance,
    reduce_path,
    smooth_path,
)
from annotator.domain.annotation.segment import ACCEPTED_FROM, DISMISSED, PROPOSED_BY
from annotator.domain.annotation.track import Keyframe, Source, Track, ranges_in
from annotator.domain.commands.keyframes import SetOccluded
from annotator.domain.commands.points import unlocked_point
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import PointId, SegmentId, TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.box_proposals import AHEAD_FRAMES, Gap, Proposed, open_gaps


@dataclass(frozen=True, slots=True)
class AcceptProposals:
    """Accept proposals as few keyframes (see ``keyframe_reduction``).

    ``proposed`` are the proposals to accept, ascending by frame, all inside open gaps. A stretch
    without holes is marked as checked up to its last frame, or up to the next keyframe. ``unseen``
    are its grid frames that were never shown: they stay unchecked. A proposal that was accepted
    alone, between two that are accepted now, keeps its keyframe only if it is needed. An object
    that is out of view on all frames tracked before its first box begins there.
    """

    op: ClassVar[str] = "accept-proposals"
    track_id: TrackId
    proposed: tuple[Proposed, ...]
    frame: int | None = None
    tolerance: Tolerance = TOLERANCE
    unseen: tuple[int, ...] = ()
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        if not self.proposed:
            raise EditError("There are no proposals on this frame.")
        for proposal in (self.proposed[0], self.proposed[-1]):
            checked_frame(document.video, proposal.frame)
        changes: list[Change] = []
        gaps = open_gaps(track, document.video.n_frames)
        for gap, inside in _gaps_with_proposals(track, gaps, self.proposed):
            changes += _accepted(document, track, gap, inside, self.tolerance)
        begins = _is_absent_before(track, self.proposed)
        if not changes and not begins:
            raise EditError(
                "Cannot accept the proposals: the track has changed. Wait for new proposals."
            )
        accepted = {p.frame for p in self.proposed}
        info = with_unseen(track.info, {*track.unseen} - accepted | {*self.unseen} & accepted)
        info = replace(info, is_begin_settled=info.is_begin_settled or begins)
        changes.append(Change("track", info.id, track.info, info))
        return effective(_last_wins(changes))


@dataclass(frozen=True, slots=True)
class AcceptMarked:
    """Mark an object occluded on a range, or not, and accept its proposals there with that mark.

    ``marking`` has the range; of ``accepting`` only the boxes inside it are taken.
    """

    marking: SetOccluded
    accepting: AcceptProposals
    merge_key: ClassVar[str | None] = None

    @property
    def op(self) -> str:
        return self.marking.op

    @property
    def frame(self) -> int:
        return self.marking.frame

    def plan(self, document: Document) -> list[Change]:
        start, end, value = self.marking.frame, self.marking.end, self.marking.value
        try:
            changes = self.marking.plan(document)
        except NothingToDoError:  # proposals may differ all the same
            changes = []
        marked = document.copy()
        marked.apply(changes)
        proposed = tuple(
            p._replace(occluded=value)
            for p in self.accepting.proposed
            if p.box is not None and start < p.frame and (end is None or p.frame < end)
        )
        if not proposed:
            return effective(changes)
        accepting = replace(self.accepting, proposed=proposed)
        return effective(list(merge(changes, accepting.plan(marked))))


@dataclass(frozen=True, slots=True)
class CheckFrames:
    """Confirm an object on frames that were accepted without being shown."""

    op: ClassVar[str] = "check-frame"
    track_id: TrackId
    frames: tuple[int, ...]
    merge_key: ClassVar[str | None] = None

    @property
    def frame(self) -> int:
        return self.frames[0]

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        return effective(unseen_change(track, {*track.unseen} - {*self.frames}))


@dataclass(frozen=True, slots=True)
class AcceptSegments:
    """Take segments that a model proposed over into annotation, as they are now."""

    op: ClassVar[str] = "accept-segments"
    segment_ids: tuple[SegmentId, ...]
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        for segment_id in self.segment_ids:
            old = document.segment(segment_id)
            if not old.is_proposed:
                continue
            rest = {key: value for key, value in old.extra.items() if key != PROPOSED_BY}
            new = replace(old, extra={**rest, ACCEPTED_FROM: old.extra[PROPOSED_BY]})
            changes.append(Change("segment", old.id, old, new))
        return effective(changes)


@dataclass(frozen=True, slots=True)
class KeepInterpolation:
    """Dismiss the proposals of the gap at a frame and keep its interpolation.

    ``value=False`` opens a checked gap again. ``unseen`` as in AcceptProposals.
    """

    op: ClassVar[str] = "settle-gap"
    track_id: TrackId
    frame: int
    value: bool = True
    unseen: tuple[int, ...] = ()
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        lower = track.keyframe_at(self.frame) or track.keyframe_before(self.frame)
        if lower is None:
            return SetAbsentBefore(self.track_id, self.value, self.frame).plan(document)
        changes = [keyframe_change(track, replace(lower, settled=self.value))]
        if not lower.settled and self.value:
            after = track.keyframe_after(lower.frame)
            end = after.frame if after else document.video.n_frames
            inside = {f for f in self.unseen if lower.frame < f < end}
            changes += unseen_change(track, {*track.unseen} | inside)
        return effective(changes)


@dataclass(frozen=True, slots=True)
class OpenGaps:
    """Open checked gaps of a track for proposals: all that follow imported keyframes, else the one
    at the frame. EditError where no frame lies between keyframes.
    """

    op: ClassVar[str] = "open-gap"
    track_id: TrackId
    frame: int
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        track = unlocked(document.track(self.track_id))
        keys = [key for key in track.keyframes if key.settled and key.source is Source.IMPORTED]
        if not keys:
            lower = track.keyframe_at(self.frame) or track.keyframe_before(self.frame)
            if lower is None:
                return SetAbsentBefore(self.track_id, False, self.frame).plan(document)
            keys = [lower]
        n_frames = document.video.n_frames
        ends = ((key, track.keyframe_after(key.frame)) for key in keys)
        opened = [k for k, end in ends if (end.frame if end else n_frames) > k.frame + 1]
        if not opened:
            raise EditError("There is nothing to track: every frame here has a keyframe.")
        return effective([keyframe_change(track, replace(key, settled=False)) for key in opened])


@dataclass(frozen=True, slots=True)
class SetAbsentBefore:
    """Mark an object as absent before its first keyframe, or revert that."""

    op: ClassVar[str] = "settle-begin"
    track_id: TrackId
    value: bool = True
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        info = unlocked(document.track(self.track_id)).info
        return effective(
            [Change("track", info.id, info, replace(info, is_begin_settled=self.value))]
        )


@dataclass(frozen=True, slots=True)
class DismissRange:
    """Dismiss the proposals of objects and points on ``span[0] <= frame < span[1]``.

    ``span`` None offers the dismissed proposals again.
    """

    op: ClassVar[str] = "dismiss-range"
    track_ids: tuple[TrackId, ...]
    span: tuple[int, int] | None
    point_ids: tuple[PointId, ...] = ()
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        if self.span is not None and not 0 <= self.span[0] < self.span[1]:
            raise EditError("The range has no frames.")
        tracks = [unlocked(document.track(each)).info for each in self.track_ids]
        points = [unlocked_point(document, each).info for each in self.point_ids]
        return effective(
            [
                *(Change("track", i.id, i, replace(i, extra=self._extra(i.extra))) for i in tracks),
                *(Change("point", i.id, i, replace(i, extra=self._extra(i.extra))) for i in points),
            ]
        )

    def _extra(self, extra: dict[str, Json]) -> dict[str, Json]:
        """Return the stored ranges of an object, merged with a new range."""
        rest = {key: value for key, value in extra.items() if key != DISMISSED}
        if self.span is None:
            return rest
        start, end = self.span
        ranges = ranges_in(extra.get(DISMISSED))
        apart = [(a, b) for a, b in ranges if b < start or end < a]
        joined = [(a, b) for a, b in ranges if (a, b) not in apart]
        start = min([start, *(a for a, _ in joined)])
        end = max([end, *(b for _, b in joined)])
        return {**rest, DISMISSED: [[a, b] for a, b in sorted([*apart, (start, end)])]}


def _is_absent_before(track: Track, proposed: Sequence[Proposed]) -> bool:
    """Return whether proposals have an object out of view on all frames before its first box.

    These are as many frames as are tracked before the first keyframe; so are those on which
    proposals were dismissed.
    """
    first = track.first_frame
    if first is None:
        return False
    early = {p.frame: p.box for p in proposed if p.frame < first}
    begin = min((frame for frame, box in early.items() if box is not None), default=first)
    absent = range(max(0, first - AHEAD_FRAMES), begin)
    return len(absent) > 0 and all(frame in early or track.is_dismissed(frame) for frame in absent)


def _gaps_with_proposals(
    track: Track, gaps: Sequence[Gap], proposed: Sequence[Proposed]
) -> list[tuple[Gap, list[Proposed]]]:
    """Return the gaps with their proposals; those beside an accepted keyframe as one.

    That keyframe is then one more proposal of the gap.
    """
    accepted_gaps: list[tuple[Gap, list[Proposed]]] = []
    for gap in gaps:
        inside = [p for p in proposed if gap.start <= p.frame < gap.end]
        if not inside:
            continue
        key = track.keyframe_at(gap.start - 1)
        is_next = (
            bool(accepted_gaps)
            and key is not None
            and accepted_gaps[-1][1][-1].frame == key.frame - 1
            and inside[0].frame == gap.start
        )
        if is_next and key is not None and key.source is Source.ACCEPTED:
            earlier, before = accepted_gaps[-1]
            before += [Proposed(key.frame, key.box, 1.0, key.occluded), *inside]
            accepted_gaps[-1] = earlier._replace(end=gap.end, upper=gap.upper), before
        else:
            accepted_gaps.append((gap, inside))
    return accepted_gaps


def _accepted(
    document: Document,
    track: Track,
    gap: Gap,
    proposed: Sequence[Proposed],
    tolerance: Tolerance,
) -> list[Change]:
    """Return the changes that fix a gap's accepted stretches, one stretch after the other."""
    changes: list[Change] = []
    has_begun = gap.lower is not None
    for stretch in _stretches(proposed):
        keys = _keyframes(document, stretch)
        if not has_begun:
            # A track begins with a box: out of view before that is how it is anyway.
            keys = list(dropwhile(lambda key: key.box is None, keys))
        if not keys:
            continue
        has_begun = True
        begin, end = stretch[0].frame, stretch[-1].frame
        lower = track.keyframe_at(begin - 1) if gap.lower else None
        path = [lower, *keys] if lower else keys
        upper = track.keyframe_at(end + 1) if gap.upper else None
        keyframes = _reduced(path + ([upper] if upper else []), tolerance)
        if keyframes[-1].box is None and end + 1 < gap.end and keyframes[-1].frame < end:
            # The rest of the gap stays open from here on.
            keyframes.append(Keyframe(end, None, source=Source.ACCEPTED))
        for i, key in enumerate(keyframes):
            if upper is not None and key.frame == upper.frame:
                continue
            is_last = i == len(keyframes) - 1
            settled = not is_last or (key.box is None and end + 1 == gap.end)
            # Built anew rather than by `replace`, which is slow for a thousand of them.
            fixed = Keyframe(key.frame, key.box, key.occluded, key.source, settled)
            changes.append(keyframe_change(track, fixed))
        needed = {key.frame for key in keyframes}
        inner_keys = track.keyframes_in(begin, end)
        changes += [keyframe_removal(track, key) for key in inner_keys if key.frame not in needed]
    return changes


def _stretches(proposed: Sequence[Proposed]) -> list[list[Proposed]]:
    """Return the runs of consecutive frames."""
    runs: list[list[Proposed]] = []
    for p in proposed:
        if runs and runs[-1][-1].frame == p.frame - 1:
            runs[-1].append(p)
        else:
            runs.append([p])
    return runs


def _keyframes(document: Document, stretch: Sequence[Proposed]) -> list[Keyframe]:
    """Return one keyframe for each proposal, clipped; too small a rest means out of view."""
    width, height = document.video.width, document.video.height
    keys = []
    for p in stretch:
        box = p.box.clipped(width, height) if p.box is not None else None
        if box is not None and min(box.width, box.height) < MIN_SIDE_PX:
            box = None
        keys.append(Keyframe(p.frame, box, box is not None and p.occluded, Source.ACCEPTED))
    return keys


def _reduced(path: Sequence[Keyframe], tolerance: Tolerance) -> list[Keyframe]:
    """Return the keyframes that keep to a dense path; accepted ones without tracker jitter."""
    kept: list[Keyframe] = []
    start = 0
    for i in range(1, len(path) + 1):
        if i < len(path) and _state(path[i]) == _state(path[start]):
            continue
        kept += _reduced_part(path[start:i], tolerance)
        start = i
    return kept


def _state(key: Keyframe) -> tuple[bool, bool]:
    return key.box is None, key.occluded


def _reduced_part(part: Sequence[Keyframe], tolerance: Tolerance) -> list[Keyframe]:
    if part[0].box is None:
        return [part[0]]
    frames = np.array([k.frame for k in part], dtype=np.int64)
    boxes = np.array([k.box.as_tuple() for k in part if k.box is not None], dtype=np.float64)
    is_fixed = np.array([k.source is not Source.ACCEPTED for k in part], dtype=np.bool_)
    smooth = smooth_path(boxes, is_fixed, tolerance)
    kept = []
    for i in reduce_path(frames, boxes, tolerance, smooth=smooth):
        box = part[i].box if is_fixed[i] else Box(*smooth[i].tolist())
        kept.append(Keyframe(part[i].frame, box, part[i].occluded, part[i].source))
    return kept


def _last_wins(changes: list[Change]) -> list[Change]:
    """Return one change for each keyframe: a stretch may settle the end of the one before."""
    return list({c.id: c for c in changes}.values())
