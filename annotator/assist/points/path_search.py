"""The most likely path of a point between two places: a shortest path through its candidates.

Every candidate has a predicted accuracy, fitted to scenes with known points. The first paths
predict the places of all points of a group together; with them the paths are chosen again. The
pictures along the final path decide whether a point is visible. The fit is in
``tests/benchmarks/train_point_paths.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator import paths
from annotator.assist.points.along import Along, features_along
from annotator.assist.points.evidence import (
    Mates,
    PartialPath,
    PointEvidence,
    apart,
    features,
    features_with_mates,
    mates_of,
    seen_features,
)
from annotator.assist.points.patches import Floats
from annotator.assist.points.sweep import CANDIDATES
from annotator.assist.protocol import Cancel
from annotator.assist.score_fitting import chance, expanded, shortest_path

_SWITCH: Final = 0.15
_PER_UNIT: Final = 0.03
_FARTHEST: Final = 1.5
_ABSENT: Final = 1e3
_GROUP: Final = 3.0
_SHARPNESS: Final = 6
_MOST_ODDS: Final = 8.0
_FLICKER: Final = 1.0  # what a change between visible and hidden costs, in log odds


class PointWeights(msgspec.Struct, frozen=True):
    """Fitted numbers: accuracy and visibility of points alone, accuracy with mates, and the last.

    ``seen_along`` and ``confidence`` are for the path that was chosen last.
    """

    place: list[float]
    seen: list[float]
    place_with_mates: list[float] = []
    seen_along: list[float] = []
    confidence: list[float] = []


# What the pictures show along the chosen paths [t, 2] of a group.
LookAlong: TypeAlias = Callable[[Sequence[Floats]], Sequence[Along]]


class ChosenPointPath(NamedTuple):
    """A gap's path: ``xy`` [t, 2] in units, ``is_hidden`` [t], ``confidence`` [t] 0..1."""

    xy: Floats
    is_hidden: NDArray[np.bool_]
    confidence: Floats


class First(NamedTuple):
    """Result for a gap without the other points.

    ``values`` [c, t, m], ``score`` [c, t], ``look``.
    """

    values: Floats
    score: Floats
    look: PartialPath


class Path(NamedTuple):
    """The path chosen last, ``xy`` [t, 2]; ``score`` [t]; ``around`` [2, t] see `Mates`."""

    xy: Floats
    look: PartialPath
    around: Floats


@lru_cache
def weights() -> PointWeights:
    """Return the fitted weights that come with the program."""
    body = paths.resource("models", "point-paths.json").read_bytes()
    return msgspec.json.decode(body, type=PointWeights)


def join(
    evidences: Sequence[PointEvidence], look_along: LookAlong, cancel: Cancel
) -> list[ChosenPointPath]:
    """Return the path of each gap of a group: points of one object, followed together.

    Empty if canceled.
    """
    chosen = paths_of(evidences, weights(), cancel)
    return judged_all(evidences, chosen, look_along, weights()) if chosen else []


def judged_all(
    evidences: Sequence[PointEvidence],
    chosen: Sequence[Path],
    look_along: LookAlong,
    fitted: PointWeights,
) -> list[ChosenPointPath]:
    """Return where the points of a group are hidden along their paths, with confidence."""
    alongs = look_along([path.xy for path in chosen])
    return [
        judged(evidence, path, along, fitted)
        for evidence, path, along in zip(evidences, chosen, alongs, strict=True)
    ]


def paths_of(
    evidences: Sequence[PointEvidence], fitted: PointWeights, cancel: Cancel = lambda: False
) -> list[Path]:
    """Choose the path of each gap of a group; empty if canceled."""
    firsts = []
    for evidence in evidences:
        if cancel():
            return []
        firsts.append(first_look(evidence, fitted))
    if len(evidences) == 1:
        look = firsts[0].look
        return [Path(look.path, look, np.zeros((2, len(look.path))))]
    chosen = []
    mates = mates_of(evidences, [f.look for f in firsts])
    for evidence, first, mate in zip(evidences, firsts, mates, strict=True):
        if cancel():
            return []
        xy = second_look(evidence, first, mate, fitted.place_with_mates)
        chosen.append(Path(xy, first.look, mate.seen))
    return chosen


def judged(
    evidence: PointEvidence, path: Path, along: Along, fitted: PointWeights
) -> ChosenPointPath:
    """Return where a point is hidden along its path, with confidence."""
    values = features_along(along, path.look, path.around)
    odds = log_odds(values, fitted.seen_along)
    is_hidden = hidden_frames(odds, evidence.is_known)
    sure = chance(sure_features(values, odds, is_hidden), fitted.confidence)
    return ChosenPointPath(path.xy, is_hidden, sure)


def first_look(evidence: PointEvidence, fitted: PointWeights) -> First:
    """Choose a path from its own candidates alone."""
    values = features(evidence)
    path, score, chosen = choose_first(evidence, values, fitted.place)
    seen_values = seen_features(evidence, values, path, score, chosen)
    odds = log_odds(seen_values, fitted.seen)
    return First(values, score, PartialPath(path, score[chosen, _at(chosen)], odds))


def choose_first(
    evidence: PointEvidence, values: Floats, place: Sequence[float]
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return the path [t, 2], the score of every candidate [c, t], and the ones chosen [t]."""
    score = _scored(values, place)
    chosen = _shortest(evidence, evidence.xy, score)
    return _grouped(evidence.xy, score, chosen), score, chosen


def second_look(
    evidence: PointEvidence, first: First, mates: Mates, place_with_mates: Sequence[float]
) -> Floats:
    """Choose a path [t, 2] again, with the places predicted by the other points of the group."""
    xy, values = features_with_mates(evidence, first.values, first.score, first.look, mates)
    score = _scored(values, place_with_mates)
    return _grouped(xy, score, _shortest(evidence, xy, score))


def log_odds(values: Floats, fitted: Sequence[float]) -> Floats:
    """Return the log odds [t] that a point is visible, of features [t, m]."""
    return np.asarray(np.clip(expanded(values) @ np.array(fitted), -_MOST_ODDS, _MOST_ODDS))


def hidden_frames(odds: Floats, is_known: tuple[bool, bool]) -> NDArray[np.bool_]:
    """Return where a point is hidden, [t]; at its known ends it is visible."""
    cost = np.stack([np.log1p(np.exp(-odds)), np.log1p(np.exp(odds))])
    for end, known in zip((0, -1), is_known, strict=True):
        if known:
            cost[1, end] = _ABSENT
    flicker = np.full((len(odds) - 1, 2, 2), _FLICKER)
    return np.asarray(shortest_path(cost, flicker) == 1)


def sure_features(values: Floats, odds: Floats, is_hidden: NDArray[np.bool_]) -> Floats:
    """Return the features of confidence, [t, m + 4]; ``values`` [t, m] are those of visibility."""
    hidden = is_hidden.astype(np.float64)
    more = [np.ones(len(odds)), np.abs(odds) / 4.0, hidden, hidden * np.abs(odds) / 4.0]
    return np.column_stack([values, *more])


def _scored(values: Floats, fitted: Sequence[float]) -> Floats:
    return np.asarray((expanded(values) @ np.array(fitted)).reshape(values.shape[:2]))


def _shortest(evidence: PointEvidence, xy: Floats, score: Floats) -> NDArray[np.int64]:
    cost = np.where(np.isnan(xy[..., 0]), _ABSENT, 1.0 - np.clip(score, 0.0, 1.0))
    mates = np.arange(len(xy)) >= len(evidence.xy)
    from_lower = ~mates & (np.arange(len(xy)) < CANDIDATES)
    lower, upper = evidence.is_known
    if lower:
        cost[~from_lower, 0] = _ABSENT
    if upper:
        cost[mates | from_lower, -1] = _ABSENT

    return shortest_path(cost, _SWITCH + np.minimum(_PER_UNIT * apart(xy[:, 1:]), _FARTHEST))


def _grouped(xy: Floats, score: Floats, chosen: NDArray[np.int64]) -> Floats:
    """Return the mean of the candidates near the chosen one, by their scores."""
    at = _at(chosen)
    path = xy[chosen, at]
    distance = np.nan_to_num(np.linalg.norm(xy - path, axis=2), nan=np.inf)
    weight = (distance < _GROUP) * np.clip(score, 0.02, 1.0) ** _SHARPNESS
    weight[chosen, at] += 1e-6
    total = (np.nan_to_num(xy) * weight[..., None]).sum(axis=0)
    return np.asarray(total / weight.sum(axis=0)[:, None])


def _at(chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.arange(len(chosen))
