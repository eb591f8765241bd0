"""Average precision against a plain reading of its definition, and weights against copies."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.domain.metrics.average_precision import (
    ACTIVITYNET_TIOUS,
    TIOUS,
    Detections,
    average_precision,
    match_detections,
    mean_average_precision,
)


def _random(seed: int, n: int, n_videos: int) -> Detections:
    rng = np.random.default_rng(seed)
    starts = rng.uniform(0, 10, n)
    spans = np.stack([starts, starts + rng.uniform(0.2, 4, n)], axis=1)
    return Detections(rng.integers(0, n_videos, n), spans, rng.random(n))


def _plain(truth: Detections, predicted: Detections, tiou: float) -> float:
    """The definition, prediction by prediction."""
    taken: set[int] = set()
    hits: list[bool] = []
    for i in sorted(range(len(predicted.scores)), key=lambda i: -predicted.scores[i]):
        best, at = -1.0, -1
        for j in range(len(truth.videos)):
            if truth.videos[j] != predicted.videos[i] or j in taken:
                continue
            (a, b), (c, d) = truth.spans[j], predicted.spans[i]
            both = max(0.0, min(b, d) - max(a, c))
            overlap = both / (b - a + d - c - both)
            if overlap > best:
                best, at = overlap, j
        hits.append(best >= tiou)
        if best >= tiou:
            taken.add(at)
    area = 0.0
    for k, hit in enumerate(hits):
        if hit:
            area += max(sum(hits[: m + 1]) / (m + 1) for m in range(k, len(hits)))
    return area / len(truth.videos)


@pytest.mark.parametrize("seed", range(8))
def test_average_precision_follows_the_definition(seed: int) -> None:
    truth, predicted = _random(seed, 30, 6), _random(seed + 100, 60, 6)
    found = average_precision(match_detections(truth, predicted, 6))
    wanted = [_plain(truth, predicted, tiou) for tiou in TIOUS]
    assert found == pytest.approx(wanted, abs=1e-12)
    assert 0 < found[0] < 1


def test_weights_count_as_copies_of_videos() -> None:
    truth, predicted = _random(3, 20, 3), _random(4, 40, 3)
    copies = [0, 0, 2]  # the video 0 twice, 1 not at all, 2 once

    def drawn(found: Detections) -> Detections:
        rows = [np.flatnonzero(found.videos == v) for v in copies]
        videos = np.concatenate([np.full(len(r), i) for i, r in enumerate(rows)])
        every = np.concatenate(rows)
        return Detections(videos, found.spans[every], found.scores[every])

    again = average_precision(match_detections(drawn(truth), drawn(predicted), 3))
    weighted = average_precision(match_detections(truth, predicted, 3), np.array([2.0, 0.0, 1.0]))
    assert weighted == pytest.approx(again, abs=1e-12)


def test_labels_that_nobody_annotated_do_not_count() -> None:
    truth, none = _random(1, 10, 2), _random(1, 0, 2)
    found = {
        "a": match_detections(truth, truth, 2),
        "b": match_detections(none, truth, 2),
    }
    assert mean_average_precision(found) == 1.0
    assert np.isnan(mean_average_precision({"b": found["b"]}))


REFERENCE = {
    0: (0.5506468486177191, 0.42011391139199816, 0.3347875904385801),
    1: (0.5769680821254402, 0.4109553269066875, 0.33777492733166226),
    2: (0.41545570654061215, 0.2450853251490056, 0.21176502860320584),
    3: (0.642198190647292, 0.5111627615931169, 0.36160575530154704),
    4: (0.5312470884123022, 0.30224278460408516, 0.2756429119325807),
    5: (0.5784713711269123, 0.362657944144517, 0.3198749476114087),
}
"""Average precision at 0.5 and 0.7 and the mean over the thresholds of ActivityNet, by seed: what
its evaluation gives (``average_precision_at_temporal_iou`` of MMAction2 1.2.0, with doubles)."""


@pytest.mark.parametrize("seed", REFERENCE)
def test_values_are_those_of_the_evaluation_of_activitynet(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start = rng.uniform(0, 50, 40)
    of_videos = rng.integers(0, 8, 40)
    spans = np.stack([start, start + rng.uniform(0.5, 10, 40)], 1)
    truth = Detections(of_videos, spans, np.ones(40))
    like = rng.integers(0, 40, 90)
    found = np.sort(spans[like] + rng.normal(0, 0.8, (90, 2)), 1)
    videos = np.where(rng.random(90) < 0.85, truth.videos[like], rng.integers(0, 10, 90))
    predicted = Detections(videos, found, rng.random(90))
    values = average_precision(match_detections(truth, predicted, 10, ACTIVITYNET_TIOUS))
    assert (values[0], values[4], values.mean()) == pytest.approx(REFERENCE[seed], abs=1e-12)
