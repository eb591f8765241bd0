"""Box proposals without the jitter of trackers: a parabola through the frames around each one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from annotator.assist.boxes.arrays import Box4, from_box, iou, to_box
from annotator.domain.proposals.box_proposals import Proposed

_REACH: Final = 4  # frames to each side
_SPREAD: Final = 2.0  # frames, of the weights
_KNOWN_WEIGHT: Final = 3.0  # of a box that a person set
_LEAST_IOU: Final = 0.85  # where the motion is so fast that a parabola cannot follow it
_RIDGE: Final = 1e-6


def smoothed(proposals: Iterable[Proposed], known: Mapping[int, Box4]) -> Iterator[Proposed]:
    """Yield proposals of neighboring frames, each when those of the next four frames are there.

    Their state and confidence stay. ``known`` are boxes [4] in image pixels that a person set, by
    frame; they count as beside the first or the last of the frames.
    """
    part: list[Proposed] = []
    n_ready = 0
    for proposal in proposals:
        if part and not _goes_on(part[-1], proposal):
            yield from (_fitted(part, i, known) for i in range(n_ready, len(part)))
            part, n_ready = [], 0
        if proposal.box is None:
            yield proposal
            continue
        part.append(proposal)
        if len(part) > n_ready + _REACH:
            yield _fitted(part, n_ready, known)
            n_ready += 1
    yield from (_fitted(part, i, known) for i in range(n_ready, len(part)))


def _goes_on(before: Proposed, after: Proposed) -> bool:
    """Whether a proposal has the next frame and the same state."""
    is_next = abs(after.frame - before.frame) == 1
    return is_next and after.box is not None and after.occluded == before.occluded


def _fitted(part: Sequence[Proposed], at: int, known: Mapping[int, Box4]) -> Proposed:
    """Return a proposal whose box fits those of the frames around, where it can."""
    proposal = part[at]
    around = part[max(at - _REACH, 0) : at + _REACH + 1]
    ends = {f for end in (part[0], part[-1]) for f in (end.frame - 1, end.frame + 1)}
    near = [f for f in known if f in ends and abs(f - proposal.frame) <= _REACH]
    boxes = np.array([*(from_box(p.box) for p in around), *(known[f] for f in near)])
    t = np.array([*(p.frame for p in around), *near], np.float64) - proposal.frame
    weights = np.exp(-0.5 * (t / _SPREAD) ** 2)
    weights[len(around) :] *= _KNOWN_WEIGHT
    powers = np.stack([np.ones(len(t)), t, t**2], axis=1)
    weighted = powers * weights[:, None]
    solved = np.linalg.solve(powers.T @ weighted + _RIDGE * np.eye(3), weighted.T @ boxes)
    box = np.clip(solved[0], boxes.min(axis=0), boxes.max(axis=0))
    if iou(box, from_box(proposal.box)) < _LEAST_IOU:
        return proposal
    return proposal._replace(box=to_box(box))
