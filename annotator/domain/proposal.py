"""Proposals: what a tracker suggests for the gaps between the frames a person has fixed.

Proposals are not annotation. They live beside the track until somebody accepts them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import numpy as np

from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.track import Json, Keyframe, Track

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Origin:
    """Which tool made a proposal, in which version and with which settings."""

    name: str
    version: str
    parameters: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A frame a person has fixed, for a tracker to hold on to; no box where out of view."""

    frame: int
    box: Box | None


class Proposed(NamedTuple):
    """A suggestion for one frame: a box, or None for "out of view", with confidence 0..1."""

    frame: int
    box: Box | None
    confidence: float


class Suggestion(Protocol):
    """What a box or a point suggested for a frame has in common; ``confidence`` is 0..1."""

    @property
    def frame(self) -> int: ...
    @property
    def confidence(self) -> float: ...


T = TypeVar("T", bound=Suggestion)


class Gap(NamedTuple):
    """Frames ``start <= f < end`` without keyframe, with an anchor on one side or on both."""

    track_id: TrackId
    start: int
    end: int
    lower: Anchor | None
    upper: Anchor | None


@dataclass(frozen=True, slots=True, eq=False)
class ProposalRun:
    """Suggestions for consecutive frames from ``start`` on, in one gap of one track.

    ``boxes`` is float32 [n, 4] in pixels (x1, y1, x2, y2), a row of NaN where the object is thought
    out of view; ``confidence`` is float32 [n], 0..1, NaN where nothing has been computed yet.
    """

    track_id: TrackId
    start: int
    boxes: NDArray[np.float32]
    confidence: NDArray[np.float32]
    origin: Origin

    def __post_init__(self) -> None:
        if self.boxes.shape != (len(self.confidence), 4):
            raise ValueError("a run has one box and one confidence for each frame")

    @property
    def end(self) -> int:
        """The frame after the last."""
        return self.start + len(self.confidence)

    def at(self, frame: int) -> Proposed | None:
        """Return the suggestion for a frame, None where there is none (yet)."""
        i = frame - self.start
        if not 0 <= i < len(self.confidence) or np.isnan(self.confidence[i]):
            return None
        row = self.boxes[i]
        box = None if np.isnan(row[0]) else Box(*(float(v) for v in row))
        return Proposed(frame, box, float(self.confidence[i]))

    def items(self) -> Iterator[Proposed]:
        """Yield every suggestion, ascending by frame."""
        return self.between(self.start, self.end)

    def between(self, start: int, end: int) -> Iterator[Proposed]:
        """Yield the suggestions of ``start <= frame < end``, all numbers converted in one go."""
        first, last = max(start, self.start), min(end, self.end)
        if first >= last:
            return
        rows = slice(first - self.start, last - self.start)
        numbers = zip(self.boxes[rows].tolist(), self.confidence[rows].tolist(), strict=True)
        for frame, (box, confidence) in enumerate(numbers, first):
            if not math.isnan(confidence):
                yield Proposed(frame, None if math.isnan(box[0]) else Box(*box), confidence)


def anchors(track: Track) -> list[Anchor]:
    """Return every fixed frame of a track as an anchor."""
    return [Anchor(k.frame, k.box) for k in track.keyframes]


def open_gaps(track: Track, n_frames: int) -> list[Gap]:
    """Return the gaps of a track for which proposals are wanted, ascending.

    Settled gaps want none, nor do frames after an out-of-view keyframe: the person has said what is
    there. The frames before the first and after the last keyframe are gaps with one anchor.
    """
    keys = track.keyframes
    if not keys:
        return []
    gaps = []
    if keys[0].frame > 0 and keys[0].box is not None and not track.info.is_begin_settled:
        gaps.append(Gap(track.id, 0, keys[0].frame, None, _anchor(keys[0])))
    for i, key in enumerate(keys):
        upper = keys[i + 1] if i + 1 < len(keys) else None
        end = upper.frame if upper else n_frames
        if key.box is None or key.settled or end <= key.frame + 1:
            continue
        gaps.append(
            Gap(track.id, key.frame + 1, end, _anchor(key), _anchor(upper) if upper else None)
        )
    return gaps


def gap_at(track: Track, frame: int, n_frames: int) -> Gap | None:
    """Return the open gap that holds a frame."""
    # Looked up, not searched for: the canvas asks for every track on every frame.
    lower, upper = track.keyframe_before(frame), track.keyframe_after(frame)
    if track.keyframe_at(frame) or not 0 <= frame < n_frames or not (lower or upper):
        return None
    if lower is None:
        is_open = upper is not None and upper.box is not None and not track.info.is_begin_settled
    else:
        is_open = lower.box is not None and not lower.settled
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


def is_current(run: ProposalRun, gap: Gap) -> bool:
    """Tell whether a run was made from the very anchors that its gap has now.

    A run whose origin tells no anchors is taken as it is. Beside one anchor, a later piece of a
    gap was also made from a suggestion of the piece before.
    """
    held = run.origin.parameters.get("anchors")
    if not isinstance(held, list):
        return True
    ours = signature(a for a in (gap.lower, gap.upper) if a is not None)
    if gap.upper is None and len(held) > 1:
        # Held on to a keyframe on the far side, which is there no more?
        last = held[-1]
        if not isinstance(last, list) or not isinstance(last[0], int) or last[0] >= run.start:
            return False
    is_same_length = len(held) == len(ours) or len(ours) == 1
    return is_same_length and held[: len(ours)] == ours


def pending(track: Track, runs: Iterable[ProposalRun], n_frames: int) -> list[Proposed]:
    """Return the suggestions that wait for a judgement, by frame.

    Those are inside open gaps, and made from the anchors that the gap has now.
    """
    runs = list(runs)
    found = {
        p.frame: p
        for gap in open_gaps(track, n_frames)
        for run in runs
        if run.start < gap.end and gap.start < run.end and is_current(run, gap)
        for p in run.between(gap.start, gap.end)
    }
    return [found[frame] for frame in sorted(found)]


def pending_at(
    track: Track, runs: Iterable[ProposalRun], frame: int, n_frames: int
) -> Proposed | None:
    """Return the suggestion that waits for a judgement on one frame."""
    for run in runs:
        if run.start <= frame < run.end:
            gap = gap_at(track, frame, n_frames)
            return run.at(frame) if gap is not None and is_current(run, gap) else None
    return None


def most_doubtful(proposals: Sequence[T], *, skip: Iterable[int] = ()) -> T | None:
    """Return the least certain suggestion whose frame is not in ``skip``."""
    seen = set(skip)
    rest = [p for p in proposals if p.frame not in seen]
    return min(rest, key=lambda p: (p.confidence, p.frame), default=None)


def _anchor(key: Keyframe) -> Anchor:
    return Anchor(key.frame, key.box)
