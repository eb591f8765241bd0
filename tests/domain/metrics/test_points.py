"""Point metrics against a plain reading of their definition, one frame at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from annotator.domain.metrics.point_accuracy import THRESHOLDS, Queries, score_points


def _judged_frames(hidden: np.ndarray, mode: Queries) -> list[tuple[int, int]]:
    """Return (track, frame) for each judgement."""
    found = []
    for track, flags in enumerate(hidden):
        seen = [f for f, flag in enumerate(flags) if not flag]
        if not seen:
            continue
        if mode is Queries.STRIDED:
            for query in range(0, len(flags), 5):
                if query in seen:
                    found += [(track, f) for f in range(len(flags)) if f != query]
        elif mode is Queries.FIRST:
            found += [(track, f) for f in range(seen[0] + 1, len(flags))]
        else:
            found += [(track, f) for f in range(len(flags)) if f != seen[0]]
    return found


@pytest.mark.parametrize("mode", list(Queries))
@pytest.mark.parametrize("seed", range(5))
def test_scores_follow_the_definition(mode: Queries, seed: int) -> None:
    rng = np.random.default_rng(seed)
    true = rng.uniform(0, 256, (4, 23, 2))
    hidden = rng.random((4, 23)) < 0.3
    hidden[3] = seed == 0  # a point that is never seen
    guess = true + rng.normal(0, 5, true.shape)
    hidden_guess = rng.random((4, 23)) < 0.3
    found = score_points(true, hidden, guess, hidden_guess, mode)

    places = _judged_frames(hidden, mode)
    same = sum(hidden[p] == hidden_guess[p] for p in places)
    assert found.occlusion_accuracy == pytest.approx(same / len(places), abs=1e-12)
    for i, threshold in enumerate(THRESHOLDS):
        near = {p for p in places if math.dist(true[p], guess[p]) < threshold}
        visible = [p for p in places if not hidden[p]]
        hits = sum(p in near and not hidden_guess[p] for p in visible)
        false = sum(not hidden_guess[p] and (hidden[p] or p not in near) for p in places)
        right = sum(p in near for p in visible)
        assert found.within[i] == pytest.approx(right / len(visible), abs=1e-12)
        assert found.jaccard[i] == pytest.approx(hits / (len(visible) + false), abs=1e-12)


def test_a_distance_equal_to_the_threshold_is_too_far() -> None:
    true = np.zeros((1, 3, 2))
    guess = true.copy()
    guess[0, 1:, 0] = 4.0
    shown = np.zeros((1, 3), bool)
    assert score_points(true, shown, guess, shown).within == (0, 0, 0, 1, 1)
