"""Joining candidates: a shortest path through them from one end of a gap to the other."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.assist.point_patches import Floats
from annotator.assist.point_sweep import CANDIDATES, NEAR, WHOLE

_CARRIED: Final = 0.55  # cost of a frame on which a carried candidate does not see the point
_SWITCH: Final = 0.35
_PER_PX: Final = 0.1
_FARTHEST: Final = 6.0
_SPREAD: Final = 3
_UNSEEN: Final = 0.45  # correlation below which a carried point counts as hidden
_AGREE_PX: Final = 4.0
_ABSENT: Final = 1e6


class Joined(NamedTuple):
    """A gap's path: ``xy`` [t, 2], ``is_hidden`` [t], ``confidence`` [t] 0..1."""

    xy: Floats
    is_hidden: NDArray[np.bool_]
    confidence: Floats


def join(xy: Floats, alike: Floats, *, is_bound: bool) -> Joined:
    """Join candidates `xy` [c, t, 2], forward ones first, of correlation `alike` [c, t].

    A candidate that is not there is NaN. `is_bound`: both ends are known; else the first alone.
    """
    count, length = alike.shape
    is_carrier = np.isin(np.arange(count) % CANDIDATES, [WHOLE, NEAR])
    smooth = _smoothed(np.nan_to_num(alike, nan=-1.0))
    cost = 1.0 - smooth
    cost[is_carrier] = np.minimum(cost[is_carrier], _CARRIED)
    cost[np.isnan(xy[..., 0])] = _ABSENT
    if is_bound:
        cost[CANDIDATES:, 0] = _ABSENT
        cost[:CANDIDATES, -1] = _ABSENT
    chosen = _shortest(np.nan_to_num(xy), cost)
    at = np.arange(length)
    path = xy[chosen, at].copy()
    seen = smooth[chosen, at]
    is_hidden = is_carrier[chosen] & (seen < _UNSEEN)
    _spread_jumps(path, chosen)
    confidence = _confidence(xy, smooth, path, seen)
    return Joined(path, is_hidden, confidence)


def _shortest(xy: Floats, cost: Floats) -> NDArray[np.int64]:
    """The candidate to be on, per frame."""
    count, length = cost.shape
    total = cost[:, 0]
    came = np.zeros((length, count), np.int64)
    for t in range(1, length):
        apart = np.linalg.norm(xy[:, None, t] - xy[None, :, t], axis=2)
        jump = _SWITCH + np.minimum(_PER_PX * apart, _FARTHEST)
        np.fill_diagonal(jump, 0.0)
        through = total[None] + jump
        came[t] = through.argmin(axis=1)
        total = through.min(axis=1) + cost[:, t]
    chosen = np.zeros(length, np.int64)
    chosen[-1] = total.argmin()
    for t in range(length - 1, 0, -1):
        chosen[t - 1] = came[t, chosen[t]]
    return chosen


def _spread_jumps(path: Floats, chosen: NDArray[np.int64]) -> None:
    """Let a switch be a short glide instead of a jump."""
    original = path.copy()
    for t in (np.flatnonzero(np.diff(chosen)) + 1).tolist():
        low, high = max(t - _SPREAD, 1), min(t + _SPREAD, len(path) - 1)
        before = original[t - 1] - original[t - 2] if t > 1 else np.zeros(2)
        jump = original[t] - original[t - 1] - before
        if np.hypot(*jump) > 12:
            continue
        for frame in range(low, high):
            share = (frame - low + 1) / (high - low + 1)
            path[frame] += jump * (share if frame < t else share - 1)


def _smoothed(alike: Floats) -> Floats:
    padded = np.pad(alike, ((0, 0), (1, 1)), mode="edge")
    return np.asarray(0.25 * padded[:, :-2] + 0.5 * alike + 0.25 * padded[:, 2:])


def _confidence(xy: Floats, alike: Floats, path: Floats, seen: Floats) -> Floats:
    """How sure a path is: it looks right, and others, above all those from the far end, agree."""
    is_there = ~np.isnan(xy[..., 0])
    agree = np.exp(-np.linalg.norm(np.nan_to_num(xy) - path, axis=2) / _AGREE_PX)
    weight = np.clip(alike, 0.05, 1.0) * is_there
    ways = [w for w in (slice(0, CANDIDATES), slice(CANDIDATES, None)) if is_there[w].any()]
    support = np.mean(
        [
            (agree[w] * weight[w]).sum(axis=0) / np.maximum(weight[w].sum(axis=0), 1e-6)
            for w in ways
        ],
        axis=0,
    )
    return np.asarray(np.clip(0.5 * np.clip(seen, 0, 1) + 0.5 * support, 0.0, 1.0))
