"""Fusing paths: a forward and a backward pass of one tracker, and the pairs of several trackers."""

from __future__ import annotations

from typing import Final

import numpy as np

from annotator.assist.boxes.arrays import Box4, Floats, between, iou

_LINEAR_AGREEMENT: Final = 0.1


def fuse_pair(forward: Box4, backward: Box4) -> tuple[Box4, Floats]:
    """Fuse two passes over frames a..b, both [n + 1, 4].

    `forward[0]` and `backward[-1]` are the human boxes. Returns the path and the agreement of the
    passes at each frame, 0..1.
    """
    agreement = iou(forward, backward)
    n = len(forward) - 1
    share = np.linspace(0.0, 1.0, n + 1)[:, None]
    straight_forward = forward + (backward[-1] - forward[-1]) * share
    straight_backward = backward + (forward[0] - backward[0]) * (1 - share)
    missed = min(agreement[0], agreement[-1])
    residual = (1 - share) * straight_forward + share * straight_backward
    if missed > 0.5:
        return residual, agreement
    at = int(np.argmax(agreement[1:-1])) + 1 if n > 1 else 1
    switched = np.concatenate([forward[: at + 1], backward[at + 1 :]])
    return switched, agreement


def fuse_all(pairs: list[tuple[Box4, Box4]]) -> tuple[Box4, Floats]:
    """Average the fused paths of several trackers, weighted by how well each agrees with itself."""
    first, last = pairs[0][0][0], pairs[0][1][-1]
    n = len(pairs[0][0]) - 1
    paths = [between(first, last, n)]
    weights = [np.full(n + 1, _LINEAR_AGREEMENT**4)]
    agreements = []
    for forward, backward in pairs:
        path, agreement = fuse_pair(forward, backward)
        paths.append(path)
        weights.append(np.full(n + 1, agreement.mean() ** 4))
        agreements.append(agreement)
    stack, weight = np.stack(paths), np.stack(weights)
    fused = (stack * weight[..., None]).sum(axis=0) / weight.sum(axis=0)[:, None]
    return fused, np.max(agreements, axis=0)
