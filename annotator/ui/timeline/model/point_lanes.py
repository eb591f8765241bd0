"""Contents of the lane of a point: ranges by state, marks, proposals, without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from annotator.domain.annotation.point_track import (
    BLOCK_FRAMES,
    NO_MARK,
    OCCLUDED_BIT,
    OUTSIDE_BIT,
    PointTrack,
)
from annotator.domain.proposals.points import PointProposalRun, is_point_run_current

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.annotation.document import Document


class PointState(IntEnum):
    """State of a point over a range of frames."""

    NOTHING = 0
    VISIBLE = 1
    OCCLUDED = 2
    OUTSIDE = 3


@dataclass(frozen=True, slots=True, eq=False)
class PointLane:
    """One point as the timeline shows it.

    ``starts``, ``ends`` and ``states`` are half-open stretches of marked frames, ascending.
    ``human`` are the frames where a person has placed the point. ``doubt`` is float32 over frames
    from ``doubt_start`` on: 1 - confidence where a proposal waits, NaN elsewhere.
    """

    point: PointTrack
    runs: tuple[PointProposalRun, ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    states: NDArray[np.int8]
    human: NDArray[np.int64]
    doubt_start: int
    doubt: NDArray[np.float32]


def point_lane(point: PointTrack, runs: Sequence[PointProposalRun], n_frames: int) -> PointLane:
    """Gather everything that a point's lane shows."""
    blocks = point.path.blocks
    length = max(n_frames, (max(blocks, default=-1) + 1) * BLOCK_FRAMES)
    flags = np.zeros(length, dtype=np.uint8)
    for block in blocks.values():
        flags[block.start : block.end] = block.flags
    states = np.where(flags == NO_MARK, PointState.NOTHING, PointState.VISIBLE).astype(np.int8)
    states[(flags & OCCLUDED_BIT) != 0] = PointState.OCCLUDED
    states[(flags & OUTSIDE_BIT) != 0] = PointState.OUTSIDE
    begins = np.flatnonzero(np.diff(states, prepend=-1))
    ends = np.append(begins[1:], length)
    is_marked = states[begins] != PointState.NOTHING
    starts, ends = begins[is_marked], ends[is_marked]
    human = point.path.human_frames()
    current = [run for run in runs if is_point_run_current(point, run)]
    start, doubt = _doubt(flags, human, current)
    return PointLane(point, tuple(runs), starts, ends, states[starts], human, start, doubt)


def color_of(document: Document, point: PointTrack) -> int:
    """Return the colour of a point: its object's, as in the picture, else its own."""
    owner = document.find_track(point.info.track_id) if point.info.track_id is not None else None
    return owner.info.color if owner is not None else point.info.color


def _doubt(
    flags: NDArray[np.uint8], human: NDArray[np.int64], runs: Sequence[PointProposalRun]
) -> tuple[int, NDArray[np.float32]]:
    """Return the doubt of proposals on free frames between a person's marks."""
    if not runs or len(human) < 2:
        return 0, np.empty(0, dtype=np.float32)
    start, end = min(r.start for r in runs), max(r.end for r in runs)
    doubt = np.full(end - start, np.nan, dtype=np.float32)
    for run in runs:
        doubt[run.start - start : run.end - start] = 1.0 - run.confidence
    frames = np.arange(start, end)
    free = flags[start:end] == NO_MARK
    is_open = (frames > human[0]) & (frames < human[-1])
    doubt[: len(free)][~free] = np.nan
    doubt[~is_open] = np.nan
    return start, doubt
