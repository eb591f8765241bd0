"""Box tracks: keyframes fixed by a person, everything between them computed.

A keyframe's ``occluded`` holds until the next keyframe. A keyframe without a box means "out of
view": from there on the object is not in the picture, until a later keyframe that has a box.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from operator import lt

import numpy as np

from annotator.domain.annotation.segment import DISMISSED, PROPOSED_BY, UNSEEN
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json


class Source(StrEnum):
    """Origin of a keyframe."""

    HUMAN = "human"
    ACCEPTED = "accepted"
    IMPORTED = "imported"


class Phase(StrEnum):
    """Why a track looks as it does on a frame."""

    BEFORE = "before"  # the track has not begun
    KEYFRAME = "keyframe"
    INTERPOLATED = "interpolated"  # between two keyframes with boxes
    HELD = "held"  # after the last keyframe, or before an out-of-view keyframe
    OUTSIDE = "outside"  # out of view


@dataclass(frozen=True, slots=True)
class Keyframe:
    """A frame whose state a person or an import has set.

    ``box`` is None where the object is out of view. ``settled``: the gap up to the next keyframe is
    checked; it gets no proposals, and interpolation is valid.
    """

    frame: int
    box: Box | None
    occluded: bool = False
    source: Source = Source.HUMAN
    settled: bool = False

    @property
    def outside(self) -> bool:
        return self.box is None


@dataclass(frozen=True, slots=True)
class TrackState:
    """A track on one frame.

    ``box`` is None before the track begins and while it is out of view; ``ghost`` is then the
    last box it had, if any. ``lower`` and ``upper`` are the frames of the keyframes at or before
    this frame and after it.
    """

    frame: int
    phase: Phase
    box: Box | None
    ghost: Box | None
    occluded: bool
    lower: int | None
    upper: int | None

    @property
    def is_present(self) -> bool:
        return self.box is not None


def ranges_in(value: Json) -> list[tuple[int, int]]:
    """Return the valid half-open ranges of frames in ``[[start, end], …]``."""
    found = []
    for each in value if isinstance(value, list) else ():
        match each:
            case [int(start), int(end)]:
                found.append((start, end))
    return found


def frames_in(value: Json) -> list[int]:
    """Return the valid frames in ``[frame, …]``, ascending."""
    listed = value if isinstance(value, list) else []
    return sorted({each for each in listed if isinstance(each, int) and each >= 0})


@dataclass(frozen=True, slots=True)
class TrackInfo:
    """Description of a track, without its keyframes.

    ``number`` is for people ("Track 12"); ``color`` counts into the object palette.
    ``is_begin_settled`` says that the object does not exist before the first keyframe, so nothing
    is proposed there. ``attributes`` are exported with the track (``is_occluder``); ``extra``
    keeps what an import knew and this program does not.
    """

    id: TrackId
    label: str
    number: int
    color: int
    parent_id: TrackId | None = None
    is_locked: bool = False
    is_hidden: bool = False
    is_begin_settled: bool = False
    attributes: dict[str, Json] = field(default_factory=dict)
    extra: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Track:
    """One object's life in one video: its description and its keyframes, ascending by frame."""

    info: TrackInfo
    keyframes: tuple[Keyframe, ...] = ()
    frames: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        frames = tuple(k.frame for k in self.keyframes)
        if not all(map(lt, frames, frames[1:])):
            raise ValueError("keyframes must ascend by frame, one per frame")
        object.__setattr__(self, "frames", frames)

    @property
    def id(self) -> TrackId:
        return self.info.id

    @property
    def label(self) -> str:
        return self.info.label

    @property
    def is_proposed(self) -> bool:
        """True for an object of a model without any accepted frame."""
        return not self.keyframes and PROPOSED_BY in self.info.extra

    def is_dismissed(self, frame: int) -> bool:
        """Return whether the proposals of a range with this frame were dismissed."""
        ranges = ranges_in(self.info.extra.get(DISMISSED))
        return any(start <= frame < end for start, end in ranges)

    @property
    def unseen(self) -> list[int]:
        """Grid frames that were accepted in a range without being shown, ascending."""
        return frames_in(self.info.extra.get(UNSEEN))

    @property
    def first_frame(self) -> int | None:
        """The frame of the first keyframe; None for a track without any."""
        return self.frames[0] if self.frames else None

    @property
    def last_frame(self) -> int | None:
        """The frame of the last keyframe; the state there holds on to the end of the video."""
        return self.frames[-1] if self.frames else None

    def keyframe_at(self, frame: int) -> Keyframe | None:
        """Return the keyframe on exactly this frame, if there is one."""
        i = bisect_left(self.frames, frame)
        return self.keyframes[i] if i < len(self.frames) and self.frames[i] == frame else None

    def keyframe_before(self, frame: int) -> Keyframe | None:
        """Return the last keyframe on a frame < ``frame``."""
        i = bisect_left(self.frames, frame)
        return self.keyframes[i - 1] if i else None

    def keyframe_after(self, frame: int) -> Keyframe | None:
        """Return the first keyframe on a frame > ``frame``."""
        i = bisect_right(self.frames, frame)
        return self.keyframes[i] if i < len(self.keyframes) else None

    def keyframes_in(self, start: int, end: int) -> tuple[Keyframe, ...]:
        """Return the keyframes with ``start <= frame < end``."""
        return self.keyframes[bisect_left(self.frames, start) : bisect_left(self.frames, end)]

    def with_keyframes(self, keyframes: Iterable[Keyframe]) -> Track:
        """Return this track with other keyframes (any order, one per frame)."""
        return Track(self.info, tuple(sorted(keyframes, key=lambda k: k.frame)))

    def state_at(self, frame: int) -> TrackState:
        """Return the state on a frame: fixed, interpolated linearly, held, or out of view."""
        i = bisect_right(self.frames, frame)
        lower = self.keyframes[i - 1] if i else None
        upper = self.keyframes[i] if i < len(self.keyframes) else None
        above = upper.frame if upper else None
        if lower is None:
            return TrackState(frame, Phase.BEFORE, None, None, False, None, above)
        if lower.box is None:
            phase = Phase.KEYFRAME if lower.frame == frame else Phase.OUTSIDE
            return TrackState(frame, phase, None, self._last_box(i), False, lower.frame, above)
        if lower.frame == frame:
            phase, box = Phase.KEYFRAME, lower.box
        elif upper is None or upper.box is None:
            phase, box = Phase.HELD, lower.box
        else:
            t = (frame - lower.frame) / (upper.frame - lower.frame)
            phase, box = Phase.INTERPOLATED, lower.box.lerp(upper.box, t)
        return TrackState(frame, phase, box, None, lower.occluded, lower.frame, above)

    def present_spans(self, n_frames: int) -> list[tuple[int, int]]:
        """Return the half-open spans of frames on which the object is in the picture."""
        spans: list[tuple[int, int]] = []
        for i, key in enumerate(self.keyframes):
            end = self.frames[i + 1] if i + 1 < len(self.frames) else max(n_frames, key.frame + 1)
            if key.box is None:
                continue
            if spans and spans[-1][1] == key.frame:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((key.frame, end))
        return spans

    def is_present_in(self, start: int, end: int) -> bool:
        """Return whether the object is in the picture on any frame of ``start <= frame < end``."""
        lower = self.state_at(start)
        return lower.is_present or any(k.box is not None for k in self.keyframes_in(start, end))

    def _last_box(self, end: int) -> Box | None:
        for key in reversed(self.keyframes[:end]):
            if key.box is not None:
                return key.box
        return None


def unchecked_grid_frames(track: Track, *, step: int, n_frames: int) -> list[int]:
    """Return the unchecked grid frames (0, step, 2·step …) of the track's life.

    A frame counts as checked if it has a keyframe, lies in a checked gap, or the object is out of
    view. A frame that was accepted in a range without being shown needs to be accepted or set once.
    """
    if not track.keyframes or step < 1:
        return []
    n = len(track.keyframes)
    frames = np.fromiter(track.frames, np.int64, n)
    is_judged = np.array([k.settled or k.box is None for k in track.keyframes], np.bool_)
    grid = np.arange(-(-track.frames[0] // step) * step, n_frames, step)
    lower = np.searchsorted(frames, grid, side="right") - 1
    unchecked: list[int] = grid[~is_judged[lower] & (frames[lower] != grid)].tolist()
    unseen = [f for f in track.unseen if f % step == 0 and f < n_frames and _is_blind(track, f)]
    return sorted({*unchecked, *unseen}) if unseen else unchecked


def _is_blind(track: Track, frame: int) -> bool:
    """Return whether an unseen frame still has its accepted state."""
    i = bisect_right(track.frames, frame)
    lower = track.keyframes[i - 1] if i else None
    if lower is None:
        return False
    is_set = lower.frame == frame or lower.box is None
    return not is_set or lower.source is Source.ACCEPTED
