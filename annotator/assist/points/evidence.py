"""Features of the candidates of a point's path, as the fitted scores read them.

Places are in units of 1/256 of the picture's width, so that weights fit every size of video. The
first half of the candidates goes forward from the lower end of the gap, the second half backward
from the upper end; one that is not there is NaN. The features are scored with weights that
``tests/benchmarks/train_point_paths.py`` fits to synthetic scenes with known points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.assist.points.patches import Floats
from annotator.assist.points.sweep import CANDIDATES, DENSE, PATCH, WHOLE

UNITS: Final = 256.0
_NEAR: Final = 3.0
_FAR_FRAMES: Final = 60.0
_END_FRAMES: Final = 30.0
_FAST: Final = 8.0
_NOWHERE: Final = -1e4
_MATES_AROUND: Final = 18.0
_MATES_AROUND_SEEN: Final = (40.0, 10.0)
_MATES_MISS: Final = 1.5
_HELD: Final = 4.0  # how firmly the mates' motion is held towards a plain shift


class PointEvidence(NamedTuple):
    """Candidates of one gap, its ends included.

    ``xy`` [c, t, 2]; ``alike`` and ``wide`` [2, c, t], correlations of the patch and of its
    surroundings with those at the lower and the upper end, NaN where that end is not known;
    ``tint`` [2, c, t], differences of color from either end; ``size`` of the picture.
    """

    start: int
    xy: Floats
    alike: Floats
    wide: Floats
    tint: Floats
    size: tuple[float, float]

    @property
    def is_there(self) -> NDArray[np.bool_]:
        """Whether each candidate is followed, [c, t]."""
        return ~np.isnan(self.xy[..., 0])

    @property
    def n_frames(self) -> int:
        return int(self.xy.shape[1])

    @property
    def is_known(self) -> tuple[bool, bool]:
        """Whether the lower and the upper end are places that a person has set."""
        there = self.is_there
        return bool(there[:CANDIDATES].any()), bool(there[CANDIDATES:].any())


class Mates(NamedTuple):
    """Place of a point as predicted by the other points of its group, from both ends.

    ``xy`` [2, t, 2], NaN without a result, ``trust`` [2, t] 0..1; ``seen`` [2, t], log odds
    that those around it are visible, far and near.
    """

    xy: Floats
    trust: Floats
    seen: Floats


class PartialPath(NamedTuple):
    """A path through the candidates, as chosen so far.

    ``path`` [t, 2], ``score`` [t] predicted 0..1, ``seen`` [t] log odds that it is visible.
    """

    path: Floats
    score: Floats
    seen: Floats


def features(evidence: PointEvidence) -> Floats:
    """Return the features of every candidate on every frame, [c, t, 15]."""
    has_place, xy = evidence.is_there, np.nan_to_num(evidence.xy, nan=_NOWHERE)
    count, n = has_place.shape
    alike = smoothed(_either(evidence.alike))
    own = smoothed(_own(evidence.alike))
    wide = smoothed(_either(evidence.wide))
    tint = smoothed(np.minimum(np.nan_to_num(np.fmin(*evidence.tint), nan=2.0), 2.0))
    near = _nearness(xy, has_place)
    forward = np.arange(count) < CANDIDATES
    is_other = forward[:, None] != forward[None, :]
    is_same = ~is_other & ~np.eye(count, dtype=bool)
    weighted = near * np.clip(alike, 0.0, 1.0)[None]
    likeness = (alike * has_place)[None].repeat(count, axis=0)
    frames = np.arange(n)
    age = np.where(forward[:, None], frames, n - 1 - frames)
    kind = (np.arange(count) % CANDIDATES)[:, None].repeat(n, axis=1)
    speed = np.zeros((count, n))
    speed[:, 1:] = np.linalg.norm(np.diff(xy, axis=1), axis=2)
    columns = [
        alike,
        own,
        wide,
        tint,
        np.where(is_other[..., None], weighted, 0.0).max(axis=1),
        np.where(is_same[..., None], weighted, 0.0).max(axis=1),
        np.where(is_other[..., None], near, 0.0).sum(axis=1) / CANDIDATES,
        alike - alike.max(axis=0),
        np.where(is_other[..., None], likeness, -1.0).max(axis=1),
        kind == PATCH,
        kind == DENSE,
        kind == WHOLE,
        np.minimum(age / _FAR_FRAMES, 2.0),
        np.broadcast_to(_to_end(evidence), (count, n)),
        np.minimum(speed / _FAST, 2.0),
    ]
    return np.stack([np.asarray(c, np.float64) for c in columns], axis=-1)


def seen_features(
    evidence: PointEvidence,
    values: Floats,
    path: Floats,
    score: Floats,
    chosen: NDArray[np.int64],
) -> Floats:
    """Return visibility features of a path, [t, 18]; ``score`` [c, t], ``chosen`` [t]."""
    at = np.arange(len(chosen))
    chosen_values, best = values[chosen, at], score[chosen, at]
    alike, wide, tint, support = (chosen_values[:, i] for i in (0, 2, 3, 4))
    alike, wide = np.clip(alike, -0.2, 1.0), np.clip(wide, -0.2, 1.0)
    width, height = evidence.size
    x, y = path.T
    margin = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
    columns = [
        best,
        alike,
        wide,
        tint,
        support,
        np.clip(values[..., 0].max(axis=0), -0.2, 1.0),
        mean_around(alike, 3),
        mean_around(best, 3),
        least_around(alike, 2),
        mean_around(tint, 3),
        chosen_values[:, 13],
        chosen_values[:, 14],
        chosen_values[:, 9] + chosen_values[:, 10],
        mean_around(wide, 5),
        mean_around(support, 3),
        mean_around(alike, 8),
        np.clip(margin / 8.0, -1.0, 1.0),
        np.full(len(at), float(all(evidence.is_known))),
    ]
    return np.stack(columns, axis=1)


def mates_of(evidences: Sequence[PointEvidence], looks: Sequence[PartialPath]) -> Iterator[Mates]:
    """Yield the place of each point as predicted by its group, and the evidence there."""
    first = min(e.start for e in evidences)
    last = max(e.start + e.n_frames for e in evidences)
    k = len(evidences)
    places = np.full((k, last - first, 2), np.nan)
    trust = np.zeros((k, last - first))
    seen_odds = np.full((k, last - first), np.nan)
    spans = [slice(e.start - first, e.start - first + e.n_frames) for e in evidences]
    for i, (evidence, look, span) in enumerate(zip(evidences, looks, spans, strict=True)):
        places[i, span], seen_odds[i, span] = look.path, look.seen
        trust[i, span] = np.clip(look.score, 0.0, 1.0) / (1.0 + np.exp(-look.seen))
        for end, is_known in zip((0, -1), evidence.is_known, strict=True):
            trust[i, span.start + end % evidence.n_frames] = 1.0 if is_known else 0.0
    for i, (evidence, span) in enumerate(zip(evidences, spans, strict=True)):
        other_rows = np.arange(k) != i
        n = evidence.n_frames
        xy, sure = np.full((2, n, 2), np.nan), np.zeros((2, n))
        for side, (end, is_known) in enumerate(zip((0, n - 1), evidence.is_known, strict=True)):
            if is_known:
                at = span.start + end
                home = places[i, at]
                xy[side], sure[side] = _predicted_by_others(
                    places[other_rows], trust[other_rows], home, at, span
                )
        odds = _odds_around(
            places[other_rows][:, span], seen_odds[other_rows][:, span], places[i, span]
        )
        yield Mates(xy, sure, odds)


def features_with_mates(
    evidence: PointEvidence, values: Floats, score: Floats, look: PartialPath, mates: Mates
) -> tuple[Floats, Floats]:
    """Return the candidates with those of the mates, [c + 2, t, 2], and features [c + 2, t, 16]."""
    count, n = score.shape
    xy = np.concatenate([evidence.xy, mates.xy])
    has_place = ~np.isnan(xy[..., 0])
    near = _nearness(np.nan_to_num(xy, nan=_NOWHERE), has_place)
    for mate in (count, count + 1):
        near[mate, mate] = has_place[mate]
    none, both = np.zeros((2, n)), np.ones((count + 2, n))
    own = np.concatenate([score, none])
    is_mate = np.concatenate([np.zeros((count, n)), np.ones((2, n))])
    best = score.max(axis=0) * both
    by_lower, by_upper = near[:, count], near[:, count + 1]
    columns = [
        own,
        np.concatenate([values[..., 0], none]),
        np.concatenate([values[..., 4], none]),
        is_mate,
        np.concatenate([np.zeros((count, n)), mates.trust]),
        by_lower * mates.trust[0],
        by_upper * mates.trust[1],
        by_lower,
        by_upper,
        (near[:, :count] * np.clip(score, 0.0, 1.0)[None]).max(axis=1),
        best,
        _to_end(evidence) * both,
        both / (1.0 + np.exp(-look.seen)),
        mates.trust[0] * both,
        mates.trust[1] * both,
        own - best * (1.0 - is_mate),
    ]
    return xy, np.stack(columns, axis=-1)


def smoothed(values: Floats) -> Floats:
    """Return rows [c, t] averaged with their neighbors in time; NaN counts as -1."""
    padded = np.pad(np.nan_to_num(values, nan=-1.0), ((0, 0), (1, 1)), mode="edge")
    return np.asarray(0.25 * padded[:, :-2] + 0.5 * padded[:, 1:-1] + 0.25 * padded[:, 2:])


def apart(xy: Floats) -> Floats:
    """Return the distances between all candidates [c, t, 2] on each frame, [t, c, c]."""
    by_frame = np.nan_to_num(xy, nan=_NOWHERE).swapaxes(0, 1)
    return np.asarray(np.linalg.norm(by_frame[:, :, None] - by_frame[:, None], axis=3))


def mean_around(values: Floats, reach: int) -> Floats:
    """Return the moving average of values [t]."""
    size = 2 * reach + 1
    padded = np.pad(values, reach, mode="edge")
    return np.asarray(np.convolve(padded, np.ones(size) / size, "valid"))


def least_around(values: Floats, reach: int) -> Floats:
    """Return the moving minimum of values [t]."""
    padded = np.pad(values, reach, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)
    return np.asarray(windows.min(axis=1))


def _either(pair: Floats) -> Floats:
    return np.asarray(np.fmax(pair[0], pair[1]))


def _own(pair: Floats) -> Floats:
    """The values of the end from which each candidate comes."""
    return np.concatenate([pair[0, :CANDIDATES], pair[1, CANDIDATES:]])


def _to_end(evidence: PointEvidence) -> Floats:
    """How far each frame is from the nearer end of the gap, [t]."""
    frames = np.arange(evidence.n_frames)
    return np.minimum(np.minimum(frames, frames[::-1]) / _END_FRAMES, 2.0)


def _nearness(xy: Floats, there: NDArray[np.bool_]) -> Floats:
    """How close candidates are to each other, 0..1, [c, c, t]."""
    distance = np.linalg.norm(xy[:, None] - xy[None], axis=3)
    near = np.exp(-distance / _NEAR) * there[None] * there[:, None]
    np.einsum("iit->it", near)[:] = 0.0
    return np.asarray(near)


def _predicted_by_others(
    places: Floats, trust: Floats, home: Floats, at: int, span: slice
) -> tuple[Floats, Floats]:
    """Return where others [k, t, 2] carry a place of frame ``at``, [n, 2], and how sure, [n]."""
    source = places[:, at]
    has_source = ~np.isnan(source[:, 0])
    n = span.stop - span.start
    if has_source.sum() < 2:
        return np.full((n, 2), np.nan), np.zeros(n)
    source, target = source[has_source], places[has_source][:, span]
    closeness = np.exp(-((np.linalg.norm(source - home, axis=1) / _MATES_AROUND) ** 2))
    base = (trust[has_source][:, span] * trust[has_source][:, at : at + 1]) ** 2 * closeness[
        :, None
    ]
    base = np.where(np.isnan(target[..., 0]), 0.0, base)
    target = np.nan_to_num(target)
    weight = base
    for _ in range(4):
        total = weight.sum(axis=0) + 1e-9
        middle = (weight[..., None] * source[:, None]).sum(axis=0) / total[:, None]
        moved = (weight[..., None] * target).sum(axis=0) / total[:, None]
        a, b = source[:, None] - middle, target - moved
        spread = (weight * (a**2).sum(axis=-1)).sum(axis=0) + _HELD * total
        cos = ((weight * (a * b).sum(axis=-1)).sum(axis=0) + _HELD * total) / spread
        cross = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
        sin = (weight * cross).sum(axis=0) / spread
        predicted = _turned(a, cos, sin) + moved
        miss = np.linalg.norm(predicted - target, axis=-1)
        weight = base / (1.0 + (miss / _MATES_MISS) ** 2)
    carried = _turned(home - middle, cos, sin) + moved
    total = weight.sum(axis=0)
    error = (weight * miss).sum(axis=0) / (total + 1e-9)
    return carried, np.minimum(total, 3.0) / 3.0 * np.exp(-error / 2.0)


def _turned(xy: Floats, cos: Floats, sin: Floats) -> Floats:
    return np.stack(
        [cos * xy[..., 0] - sin * xy[..., 1], sin * xy[..., 0] + cos * xy[..., 1]], axis=-1
    )


def _odds_around(places: Floats, seen: Floats, path: Floats) -> Floats:
    """Return the mean log odds of the others around a path, far and near, [2, t]."""
    known = ~np.isnan(seen)
    distance = np.nan_to_num(np.linalg.norm(places - path, axis=2), nan=1e3)
    odds = []
    for around in _MATES_AROUND_SEEN:
        weight = (np.exp(-((distance / around) ** 2)) + 1e-6) * known
        odds.append((weight * np.nan_to_num(seen)).sum(axis=0) / (weight.sum(axis=0) + 1e-9))
    return np.array(odds)
