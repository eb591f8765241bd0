"""HOTA, MOTA and IDF1 against TrackEval, the code of the challenges.

`trackeval_values.json` has what TrackEval 1.3.0 computes of the sequences here. It is not installed
with the program: it wants another build of OpenCV. Where it is there, it is asked again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.metrics.multi_object_tracking import Frame, TrackingSums, clear, hota
from annotator.domain.metrics.overlap import iou_matrix
from annotator.services.matching import assigned

TOLERANCE = 1e-9
REFERENCE = json.loads(Path(__file__).with_name("trackeval_values.json").read_text())


def _sequence(
    seed: int, *, n_true: int = 5, n_predicted: int = 6, n_frames: int = 30
) -> list[Frame]:
    """Objects that wander, appear and vanish, and predictions that follow them, swap and err."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 80, (n_true, 2))
    frames = []
    follows = rng.permutation(max(n_true, n_predicted))[:n_predicted]
    for _ in range(n_frames):
        places += rng.normal(0, 2, places.shape)
        if rng.random() < 0.1:
            rng.shuffle(follows)
        true = np.flatnonzero(rng.random(n_true) < 0.85)
        predicted = np.flatnonzero(rng.random(n_predicted) < 0.8)
        boxes = np.hstack([places, places + 20])
        guesses = np.array(
            [
                boxes[f] + rng.normal(0, 3, 4)
                if f < n_true
                else rng.uniform(0, 50, 4) + np.array([0, 0, 30, 30])
                for f in follows
            ]
        ).reshape(-1, 4)
        overlap = iou_matrix(boxes[true], guesses[predicted])
        frames.append(Frame(true, predicted, overlap))
    return frames


def _for_trackeval(frames: list[Frame]) -> dict[str, object]:
    """TrackEval wants identities counted from 0 without gaps."""
    true = {v: i for i, v in enumerate(sorted({int(x) for f in frames for x in f.true}))}
    predicted = {v: i for i, v in enumerate(sorted({int(x) for f in frames for x in f.predicted}))}
    return {
        "gt_ids": [np.array([true[int(x)] for x in f.true], int) for f in frames],
        "tracker_ids": [np.array([predicted[int(x)] for x in f.predicted], int) for f in frames],
        "similarity_scores": [f.overlap for f in frames],
        "num_gt_ids": len(true),
        "num_tracker_ids": len(predicted),
        "num_gt_dets": sum(len(f.true) for f in frames),
        "num_tracker_dets": sum(len(f.predicted) for f in frames),
        "num_timesteps": len(frames),
    }


def _values(frames: Sequence[Sequence[Frame]]) -> dict[str, float]:
    parts = [(hota(each, assigned), clear(each, assigned)) for each in frames]
    found, counted = TrackingSums(parts).weighted(np.ones(len(parts)))
    return {
        "hota": found.hota,
        "det_a": found.det_a,
        "ass_a": found.ass_a,
        "loc_a": found.loc_a,
        "mota": counted.mota,
        "motp": counted.motp,
        "switches": counted.switches,
        "idf1": counted.idf1,
    }


@pytest.mark.parametrize("seed", range(12))
def test_values_are_those_of_the_reference(seed: int) -> None:
    found = _values([_sequence(seed)])
    assert found == pytest.approx(REFERENCE[str(seed)], abs=TOLERANCE)
    assert 0.05 < found["hota"] < 0.95


def test_sequences_add_up_as_in_the_reference() -> None:
    found = _values([_sequence(seed) for seed in range(3)])
    assert found == pytest.approx(REFERENCE["0-2"], abs=TOLERANCE)


def test_stored_values_are_those_of_trackeval() -> None:
    metrics = pytest.importorskip("trackeval.metrics")
    data = _for_trackeval(_sequence(0))
    theirs = metrics.HOTA().eval_sequence(data)
    assert theirs["HOTA"].mean() == pytest.approx(REFERENCE["0"]["hota"], abs=TOLERANCE)
    assert metrics.Identity({"PRINT_CONFIG": False}).eval_sequence(data)["IDF1"] == pytest.approx(
        REFERENCE["0"]["idf1"], abs=TOLERANCE
    )


@pytest.mark.parametrize(("n_true", "n_predicted"), [(0, 3), (3, 0)])
def test_nothing_to_find_and_nothing_found(n_true: int, n_predicted: int) -> None:
    frames = [
        Frame(np.arange(n_true), np.arange(n_predicted), np.zeros((n_true, n_predicted)))
        for _ in range(4)
    ]
    found = hota(frames, assigned)
    assert (found.hota, found.det_a, found.ass_a, found.loc_a) == (0, 0, 0, 1)
    assert clear(frames, assigned).idf1 == 0
