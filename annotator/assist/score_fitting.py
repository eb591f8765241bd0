"""Fitted scores and shortest paths, shared by boxes and points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator import paths

Floats = NDArray[np.float64]


class Weights(msgspec.Struct, frozen=True):
    """Fitted numbers: of the overlap (features and their products), confidence, occlusion."""

    overlap: list[float]
    confidence: list[float]
    hidden: list[float]


class RefinedWeights(msgspec.Struct, frozen=True):
    """Weights of `refinement.refined_confidence`."""

    between: list[float]
    onward: list[float]


class BoxWeights(msgspec.Struct, frozen=True):
    """Weights for the frames between two boxes of a person, and for those beyond a single one.

    ``search`` are those of the chance that an object is at a place where it was searched for;
    ``refined`` those of the confidence of boxes that were fitted to the object.
    """

    between: Weights
    onward: Weights
    search: list[float]
    refined: RefinedWeights


@lru_cache
def box_weights() -> BoxWeights:
    """Return the fitted weights that come with the program."""
    body = paths.resource("models", "box-paths.json").read_bytes()
    return msgspec.json.decode(body, type=BoxWeights)


def expanded(values: Floats) -> Floats:
    """Return features [..., m] as rows with a constant, themselves, and their products."""
    rows = values.reshape(-1, values.shape[-1])
    left, right = np.triu_indices(rows.shape[1])
    return np.column_stack([np.ones(len(rows)), rows, rows[:, left] * rows[:, right]])


def chance(rows: Floats, fitted: Sequence[float]) -> Floats:
    """Return the probability that a logistic regression gives rows [n, m]."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(rows @ np.array(fitted), -30.0, 30.0))))


def shortest_path(cost: Floats, jumps: Floats) -> NDArray[np.int64]:
    """Return the candidate of each frame on the cheapest path, given costs [k, n].

    ``jumps`` [n - 1, k, k] is the cost of going from each candidate to each other on the next
    frame; staying is free.
    """
    count, n = cost.shape
    jumps = jumps * (1.0 - np.eye(count))
    total = cost[:, 0]
    came = np.zeros((n, count), np.int64)
    for t in range(1, n):
        through = total[:, None] + jumps[t - 1]
        came[t] = through.argmin(axis=0)
        total = through.min(axis=0) + cost[:, t]
    chosen = np.zeros(n, np.int64)
    chosen[-1] = total.argmin()
    for t in range(n - 1, 0, -1):
        chosen[t - 1] = came[t, chosen[t]]
    return chosen
