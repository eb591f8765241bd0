"""Proposed boxes: the gaps of a track that need proposals, and the valid runs."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from annotator.domain.annotation.segment import DISMISSED
from annotator.domain.annotation.track import Keyframe, Source, Track
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.runs import Run

if TYPE_CHECKING:
    from numpy.typing import NDArray


AHEAD_FRAMES: Final = 300
"""So many frames before the first and after the last keyframe are tracked at once."""
_SAME_PX: Final = 0.05
_ACCEPTED_PX: Final = 2.0
_ACCEPTED_IOU: Final = 0.95
_MOST_LOOKS: Final = 3
_CONTRADICTED: Final = 0.8  # confidence
_ELSEWHERE_IOU: Final = 0.4
_RETURNED: Final = 0.2  # confidence below which an object has not returned into view


@dataclass(frozen=True, slots=True)
class Anchor:
    """A fixed frame for a tracker to start from; no box where the object is out of view.

    ``is_accepted``: a proposal was accepted there. Such an anchor equals another one with the same
    frame and box that a person drew.
    """

    frame: int
    box: Box | None
    is_accepted: bool = field(default=False, compare=False)


class Proposed(NamedTuple):
    """A suggestion for one frame: a box, or None for "out of view", with confidence 0..1.

    ``occluded``: the object is expected there although something covers it.
    """

    frame: int
    box: Box | None
    confidence: float
    occluded: bool = False

    @property
    def place(self) -> tuple[float, ...] | None:
        return self.box.as_tuple() if self.box is not None else None


def out_of_view_if_hidden(proposed: Proposed) -> Proposed:
    """Return a suggestion without the box of a hidden object; its confidence stays."""
    if not proposed.occluded:
        return proposed
    return Proposed(proposed.frame, None, proposed.confidence)


class Gap(NamedTuple):
    """Frames ``start <= f < end`` without keyframe, with an anchor on one side or on both.

    An object of a model that is not accepted has no anchor at all, and one gap.
    """

    track_id: TrackId
    start: int
    end: int
    lower: Anchor | None
    upper: Anchor | None

    @property
    def is_after_leaving(self) -> bool:
        """Whether a person marked the object as out of view, and it has not returned so far."""
        return self.upper is None and _is_marked_absent(self)


@dataclass(frozen=True, slots=True, eq=False)
class ProposalRun(Run[TrackId, Proposed]):
    """Proposed boxes in one gap of a track.

    ``values`` is float32 [n, 4] in pixels (x1, y1, x2, y2), a row of NaN where the object is
    thought out of view; ``occluded`` is 1 where it is expected behind something.
    """

    WIDTH = 4

    @property
    def track_id(self) -> TrackId:
        return self.owner_id

    @property
    def boxes(self) -> NDArray[np.float32]:
        return self.values

    def suggestion(
        self, frame: int, place: Sequence[float] | None, confidence: float, occluded: bool
    ) -> Proposed:
        """Return the proposed box of one frame; an object out of view is never occluded."""
        box = None if place is None else Box(*place)
        return Proposed(frame, box, confidence, occluded and box is not None)


def anchors(track: Track) -> list[Anchor]:
    """Return every fixed frame of a track as an anchor."""
    return [Anchor(k.frame, k.box) for k in track.keyframes]


def nearest_boxes(anchors: Iterable[Anchor], frame: int) -> list[Anchor]:
    """Return at most 3 anchors with a box nearest a frame, apart from its own, the nearest first.

    They show how the object looks to a tracker that starts on that frame.
    """
    known = (a for a in anchors if a.box is not None and a.frame != frame)
    return heapq.nsmallest(_MOST_LOOKS, known, key=lambda a: abs(a.frame - frame))


def open_gaps(track: Track, n_frames: int) -> list[Gap]:
    """Return the gaps of a track that need proposals, ascending.

    Settled gaps need none, nor do frames between two out-of-view keyframes, the first of which a
    person set. The frames before the first and after the last keyframe are gaps with one anchor;
    after one that is out of view an object may return.
    """
    keys = track.keyframes
    if not keys:
        is_open = track.is_proposed and not track.info.is_begin_settled
        return [Gap(track.id, 0, n_frames, None, None)] if is_open else []
    gaps = []
    if keys[0].frame > 0 and keys[0].box is not None and not track.info.is_begin_settled:
        gaps.append(Gap(track.id, 0, keys[0].frame, None, _anchor(keys[0])))
    for i, key in enumerate(keys):
        upper = keys[i + 1] if i + 1 < len(keys) else None
        end = upper.frame if upper else n_frames
        if not _leaves_open(key, upper) or end <= key.frame + 1:
            continue
        gaps.append(
            Gap(track.id, key.frame + 1, end, _anchor(key), _anchor(upper) if upper else None)
        )
    return gaps


def gap_at(track: Track, frame: int, n_frames: int) -> Gap | None:
    """Return the open gap that holds a frame."""
    # Looked up, not searched for: the canvas asks for every track on every frame.
    lower, upper = track.keyframe_before(frame), track.keyframe_after(frame)
    if track.keyframe_at(frame) or not 0 <= frame < n_frames:
        return None
    if lower is None and upper is None:
        is_open = track.is_proposed and not track.info.is_begin_settled
    elif lower is None:
        is_open = upper is not None and upper.box is not None and not track.info.is_begin_settled
    else:
        is_open = _leaves_open(lower, upper)
    if not is_open:
        return None
    return Gap(
        track.id,
        lower.frame + 1 if lower else 0,
        upper.frame if upper else n_frames,
        _anchor(lower) if lower else None,
        _anchor(upper) if upper else None,
    )


def signature(anchors: Iterable[Anchor]) -> list[Json]:
    """Return anchors as JSON, for the origin of a run: `is_current` reads them there."""
    return [[a.frame, *(a.box.as_tuple() if a.box else ())] for a in anchors]


def is_current(run: ProposalRun, gap: Gap, runs: Iterable[ProposalRun] = ()) -> bool:
    """Return whether a run is still valid in a gap.

    It does if each end of the gap is an anchor that the run was made from, or a proposal of the run
    (or of ``runs`` made from the same first anchor) that was accepted there as it stood. An anchor
    of the run inside the gap must be such a proposal, too; otherwise its keyframe is gone. A run
    whose origin has no anchors always holds.
    """
    anchor_frames = run.origin.parameters.get("anchors")
    if not isinstance(anchor_frames, list):
        return True
    family: list[ProposalRun] | None = None
    for end in (gap.lower, gap.upper):
        if end is None or [end.frame, *(end.box.as_tuple() if end.box else ())] in anchor_frames:
            continue
        family = _family(run, runs) if family is None else family
        if not any(_suggests(pending_run, end) for pending_run in family):
            return False
    for record in anchor_frames:
        anchor = _anchor_of(record)
        if anchor is None:
            return False
        # A later piece of an open gap also starts from the last proposal of the piece before.
        joint = run.start - 1 if gap.upper is None else run.end if gap.lower is None else None
        if anchor.frame == joint and record is not anchor_frames[0]:
            continue
        if gap.start <= anchor.frame < gap.end:
            family = _family(run, runs) if family is None else family
            if not any(_suggests(pending_run, anchor) for pending_run in family):
                return False
    return True


def covers(runs: Iterable[ProposalRun], gap: Gap) -> bool:
    """Return whether finished runs that hold have a proposal for every frame of a closed gap."""
    runs = list(runs)
    if not runs:
        return False
    missing = np.ones(gap.end - gap.start, np.bool_)
    for run in runs:
        first, last = max(gap.start, run.start), min(gap.end, run.end)
        if first < last and run.origin.is_complete and is_current(run, gap, runs):
            known = np.isfinite(run.confidence[first - run.start : last - run.start])
            missing[first - gap.start : last - gap.start] &= ~known
    return not missing.any()


def is_superseded(track: Track, runs: Iterable[ProposalRun], frame: int) -> bool:
    """Return whether a keyframe on a frame differs from the proposal of a run."""
    key = track.keyframe_at(frame)
    return key is not None and not any(_suggests(run, _anchor(key)) for run in runs)


def has_keyframe_in(run: ProposalRun, start: int, end: int) -> bool:
    """Return whether a run was made from a keyframe on ``start <= frame < end``."""
    records = run.origin.parameters.get("anchors")
    known = [_anchor_of(record) for record in records] if isinstance(records, list) else []
    frames = [anchor.frame for anchor in known if anchor is not None]
    if len(frames) == 2 and frames[1] == (run.start - 1 if frames[0] < run.start else run.end):
        # A later piece of an open gap also starts from the last proposal of the piece before.
        del frames[1]
    return any(start <= frame < end for frame in frames)


def contradicts(anchors: Iterable[Anchor], run: ProposalRun) -> bool:
    """Return whether a run is sure of another place on the frame beside an anchor."""
    for anchor in anchors:
        beside = run.at(anchor.frame + 1) or run.at(anchor.frame - 1)
        if beside is None or beside.confidence < _CONTRADICTED:
            continue
        if anchor.box is None or beside.box is None or anchor.box.iou(beside.box) < _ELSEWHERE_IOU:
            return True
    return False


def pending(
    track: Track, runs: Iterable[ProposalRun], n_frames: int, *, below: float | None = None
) -> list[Proposed]:
    """Return the proposals to review, by frame; with ``below`` those of a lower confidence.

    Those are inside open gaps, and hold for the anchors that the gap has now. After a keyframe that
    a person marked occluded they are occluded, too.
    """
    runs = list(runs)
    pending_frames: dict[int, Proposed] = {}
    for gap in open_gaps(track, n_frames):
        for run in runs:
            if not run.overlaps(gap.start, gap.end) or not is_current(run, gap, runs):
                continue
            inside = run.between(return_frame(gap, run, runs), gap.end, below=below)
            if (marked_until := _marked_until(track, gap, run)) > gap.start:
                inside = (_as_marked(proposed, marked_until) for proposed in inside)
            pending_frames.update((p.frame, p) for p in inside if _says_something(gap, p))
    if DISMISSED in track.info.extra:
        pending_frames = {
            frame: p for frame, p in pending_frames.items() if not track.is_dismissed(frame)
        }
    return [pending_frames[frame] for frame in sorted(pending_frames)]


def pending_at(
    track: Track, runs: Sequence[ProposalRun], frame: int, n_frames: int
) -> Proposed | None:
    """Return the proposal to review on one frame."""
    found = suggestion_at(track, runs, frame, n_frames)
    return found[0] if found is not None and not found[1] else None


def suggestion_at(
    track: Track, runs: Sequence[ProposalRun], frame: int, n_frames: int
) -> tuple[Proposed, bool] | None:
    """Return the suggestion of an open gap on one frame, and whether it is outdated."""
    for run in runs:
        if run.start <= frame < run.end:
            gap = gap_at(track, frame, n_frames)
            proposed = run.at(frame) if gap is not None else None
            if gap is None or proposed is None or track.is_dismissed(frame):
                return None
            if frame < return_frame(gap, run, runs) or not _says_something(gap, proposed):
                return None
            marked = _as_marked(proposed, _marked_until(track, gap, run))
            return marked, not is_current(run, gap, runs)
    return None


def _marked_until(track: Track, gap: Gap, run: ProposalRun) -> int:
    """Return the frame before which the proposals of a gap are occluded since a person said so.

    The mark on a keyframe before the gap holds until the next keyframe. Accepted ones that are
    occluded pass it on; it ends where the run has the object out of view. The start of the gap
    where there is no mark.
    """
    i = bisect_left(track.frames, gap.start) - 1
    while i >= 0 and track.keyframes[i].occluded and track.keyframes[i].source is Source.ACCEPTED:
        i -= 1
    if i < 0 or not track.keyframes[i].occluded:
        return gap.start
    first, end = max(gap.start, run.start) - run.start, gap.end - run.start
    is_away = np.isnan(run.boxes[first:end, 0]) & np.isfinite(run.confidence[first:end])
    return run.start + first + int(is_away.argmax()) if is_away.any() else gap.end


def _as_marked(proposed: Proposed, marked_until: int) -> Proposed:
    return proposed._replace(occluded=True) if proposed.frame < marked_until else proposed


def return_frame(gap: Gap, run: ProposalRun, runs: Iterable[ProposalRun] = ()) -> int:
    """Return the first frame of a gap on which proposals of a run are shown.

    Between an out-of-view keyframe that a person set and the next box, an object is back only on
    the last frames on which every confidence is 0.2 or more; the end of the gap if there are none.
    Where no box follows it is back on the first frame on which it was found by a run that agrees
    with the keyframe.
    """
    if gap.is_after_leaving:
        return _found_frame(gap, run, runs)
    if not _is_marked_absent(gap) or run.end < gap.end or run.origin.is_file:
        return gap.start
    first = max(gap.start, run.start)
    sure = run.confidence[first - run.start : gap.end - run.start] >= _RETURNED
    return first + int(np.flatnonzero(~sure)[-1]) + 1 if not sure.all() else first


def _found_frame(gap: Gap, run: ProposalRun, runs: Iterable[ProposalRun]) -> int:
    """Return the first frame on which an object was found after it left; else the gap's end."""
    has_anchors = isinstance(run.origin.parameters.get("anchors"), list)
    if not has_anchors or not is_current(run, gap, runs):
        return gap.end
    first = max(gap.start, run.start)
    has_box = np.isfinite(run.boxes[first - run.start : gap.end - run.start, 0])
    return first + int(has_box.argmax()) if has_box.any() else gap.end


def agrees(anchor: Anchor, proposed: Proposed) -> bool:
    """Return whether an anchor is a proposal as it stood.

    A keyframe that a person drew must match to the precision of storage, an accepted one within the
    tolerance to which keyframes are fitted.
    """
    if anchor.box is None or proposed.box is None:
        return anchor.box is proposed.box
    offset = anchor.box.largest_offset(proposed.box)
    if offset <= _SAME_PX:
        return True
    is_near = offset <= _ACCEPTED_PX or anchor.box.iou(proposed.box) >= _ACCEPTED_IOU
    return anchor.is_accepted and is_near


class Overlap(NamedTuple):
    """How far two runs agree: the mean IoU over ``n_frames`` that both have a box on, and the
    frame on which it is lowest.
    """

    iou: float
    n_frames: int
    worst_frame: int
    worst_iou: float


def overlap(first: ProposalRun, second: ProposalRun) -> Overlap | None:
    """Return how far two runs agree, None where they have no box on a common frame."""
    start, end = max(first.start, second.start), min(first.end, second.end)
    if start >= end:
        return None
    a = first.boxes[start - first.start : end - first.start].astype(np.float64)
    b = second.boxes[start - second.start : end - second.start].astype(np.float64)
    frames = np.flatnonzero(~(np.isnan(a[:, 0]) | np.isnan(b[:, 0])))
    if not len(frames):
        return None
    a, b = a[frames], b[frames]
    sides = np.minimum(a[:, 2:], b[:, 2:]) - np.maximum(a[:, :2], b[:, :2])
    common = np.clip(sides, 0, None).prod(axis=1)
    areas = (a[:, 2:] - a[:, :2]).prod(axis=1) + (b[:, 2:] - b[:, :2]).prod(axis=1)
    iou = common / np.maximum(areas - common, 1e-9)
    worst = int(iou.argmin())
    return Overlap(float(iou.mean()), len(iou), start + int(frames[worst]), float(iou[worst]))


def _suggests(run: ProposalRun, anchor: Anchor) -> bool:
    proposed = run.at(anchor.frame)
    return proposed is not None and agrees(anchor, proposed)


def _family(run: ProposalRun, runs: Iterable[ProposalRun]) -> list[ProposalRun]:
    """Return a run and those of ``runs`` that were made from the same first anchor."""
    first = _first_held(run)
    return [run, *(each for each in runs if each is not run and _first_held(each) == first)]


def _first_held(run: ProposalRun) -> Json:
    held = run.origin.parameters.get("anchors")
    return held[0] if isinstance(held, list) and held else None


def _anchor_of(record: Json) -> Anchor | None:
    """Return an anchor from its JSON in the origin of a run; None where it is not one."""
    if not isinstance(record, list) or len(record) not in (1, 5):
        return None
    if not all(isinstance(value, int | float) for value in record):
        return None
    frame, *box = record
    return Anchor(int(frame), Box(*box) if box else None)  # type: ignore[arg-type]


def _leaves_open(key: Keyframe, upper: Keyframe | None) -> bool:
    if key.settled:
        return False
    is_absent = upper is not None and upper.box is None
    return key.box is not None or key.source is Source.ACCEPTED or not is_absent


def _says_something(gap: Gap, proposed: Proposed) -> bool:
    """Return whether a suggestion is more than what a person said: out of view from here on."""
    return proposed.box is not None or not _is_marked_absent(gap)


def _is_marked_absent(gap: Gap) -> bool:
    lower = gap.lower
    return lower is not None and lower.box is None and not lower.is_accepted


def _anchor(key: Keyframe) -> Anchor:
    return Anchor(key.frame, key.box, key.source is Source.ACCEPTED)
