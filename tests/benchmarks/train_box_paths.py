"""Fits the weights by which box paths are chosen, and reports them on scenes that were held out.

Run as ``python -m tests.benchmarks.train_box_paths TRAIN HELD_OUT [--write]``, each a folder of
scenes (see `truth_scenes`). A box is given on every 30th frame; candidates of the frames between
are scored against the true boxes. ``--write`` replaces resources/models/box-paths.json.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator import paths
from annotator.assist import Pictures, use_threads
from annotator.assist.boxes.arrays import from_box, iou, side
from annotator.assist.boxes.corners import Points
from annotator.assist.boxes.csrt import Csrt
from annotator.assist.boxes.fuse import fuse_all
from annotator.assist.boxes.path import (
    Candidates,
    Weights,
    choose_scored,
    features,
    likenesses,
    predicted_overlap,
    shortest,
    summarized,
)
from annotator.assist.boxes.team import follow
from annotator.assist.camera import camera_of, carried_paths
from annotator.assist.flow import Flow
from annotator.assist.scoring import expanded
from annotator.media import Video
from tests.benchmarks.truth_scenes import TruthScene, read_scenes

STEP = 30
GOOD_IOU = 0.7
HIDDEN_SHARE = 0.5
Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """A gap between two given boxes: candidates, their likenesses [k, n], truth and visibility."""

    profile: str
    candidates: Candidates
    alike: Floats
    truth: Floats
    visible: Floats

    @property
    def scored(self) -> NDArray[np.bool_]:
        """The frames between the anchors on which the object is in view."""
        is_inner = np.arange(len(self.truth)) % (len(self.truth) - 1) != 0
        return np.asarray(is_inner & ~np.isnan(self.truth[:, 0]))

    def without_last_pair(self) -> Sample:
        """The same before the slow tracker has joined."""
        whole = self.candidates
        pairs = whole.pairs[:-1]
        fused, agreement = fuse_all(list(pairs))
        rows = [*range(whole.n_seen - 2), *range(whole.n_seen, len(self.alike))]
        lighter = Candidates(fused, agreement, pairs, whole.carried)
        return self._replace(candidates=lighter, alike=self.alike[rows])


def samples_of(scene: TruthScene) -> list[Sample]:
    """Return all gaps of a scene's objects that have a box at both ends."""
    use_threads(1)
    found = []
    with Video(scene.video) as video:
        pictures = Pictures(video)
        for each in scene.objects:
            for start in range(each.first_frame, len(each.boxes) - STEP, STEP):
                first, last = from_box(each.boxes[start]), from_box(each.boxes[start + STEP])
                if np.isnan(first[0]) or np.isnan(last[0]):
                    continue
                frames = range(start, start + STEP + 1)
                view = pictures.view((side(first) + side(last)) / 2)
                pairs = []
                for make in (Points, Flow, Csrt):
                    ahead = follow(make(), view, frames, first, cancel=lambda: False)
                    back = follow(make(), view, frames[::-1], last, cancel=lambda: False)
                    assert ahead is not None
                    assert back is not None
                    pairs.append((ahead[0], back[0][::-1]))
                carried = carried_paths(camera_of(pictures), frames, first, last)
                candidates = Candidates(*fuse_all(pairs), pairs, carried)
                alike = likenesses(view, frames, candidates.boxes)
                truth = np.array([from_box(each.boxes[f]) for f in frames])
                visible = np.array([each.visible[f] for f in frames])
                found.append(Sample(scene.profile, candidates, alike, truth, visible))
    return found


def collect(folder: Path) -> list[Sample]:
    """Return the gaps of all scenes of a folder, computed by two processes."""
    with ProcessPoolExecutor(2) as pool:
        return [s for part in pool.map(samples_of, read_scenes(folder)) for s in part]


def fit(samples: list[Sample]) -> Weights:
    """Fit the overlap by ridge regression; confidence and occlusion on halves left out of it."""
    halves = samples[::2], samples[1::2]
    rows, is_good, is_hidden = [], [], []
    for mine, others in (halves, halves[::-1]):
        overlap = _fit_overlap([*others, *(s.without_last_pair() for s in others)])
        for sample in mine:
            values = features(sample.candidates, sample.alike)
            predicted = predicted_overlap(values, overlap)
            chosen = shortest(sample.candidates, predicted)
            path = sample.candidates.boxes[chosen, np.arange(len(chosen))]
            rows.append(summarized(values, predicted, chosen)[sample.scored])
            is_good.append((iou(path, sample.truth) >= GOOD_IOU)[sample.scored])
            is_hidden.append((sample.visible < HIDDEN_SHARE)[sample.scored])
    x = np.concatenate(rows)
    overlap = _fit_overlap([*samples, *(s.without_last_pair() for s in samples)])
    return Weights(
        short(overlap),
        short(fit_chance(x, np.concatenate(is_good))),
        short(fit_chance(x, np.concatenate(is_hidden))),
    )


def _fit_overlap(samples: list[Sample]) -> Floats:
    rows, overlaps = [], []
    for sample in samples:
        values = features(sample.candidates, sample.alike)[:, sample.scored]
        rows.append(expanded(values))
        overlaps.append(iou(sample.candidates.boxes, sample.truth[None])[:, sample.scored].ravel())
    x, y = np.concatenate(rows), np.concatenate(overlaps)
    ridge = np.eye(x.shape[1]) * len(x) * 1e-4
    return np.linalg.solve(x.T @ x + ridge, x.T @ y)


def fit_chance(
    x: Floats, is_so: NDArray[np.bool_], *, steps: int = 60, ridge: float = 1e-2
) -> Floats:
    """Fit a logistic regression by Newton's method; ``ridge`` holds it towards 0."""
    found = np.zeros(x.shape[1])
    held = np.eye(x.shape[1]) * ridge
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        hessian = (x * (chance * (1 - chance))[:, None]).T @ x + held
        found = found + np.linalg.solve(hessian, x.T @ (is_so - chance) - held @ found)
    return found


def short(values: Floats) -> list[float]:
    """Return numbers with five digits."""
    return [float(f"{value:.5g}") for value in values]


def report(samples: list[Sample], fitted: Weights, title: str) -> None:
    """Print the share of good boxes by class, and whether confidence means something."""
    _say(f"\n{title}: {len(samples)} gaps of {STEP} frames")
    chosen = [choose_scored(s.candidates, s.alike, fitted) for s in samples]
    methods = {
        "chosen path": [c.path for c in chosen],
        "fused path": [s.candidates.fused for s in samples],
        "interpolation": [s.candidates.carried[0] for s in samples],
    }
    for name, found in methods.items():
        for profile in ["all", *sorted({s.profile for s in samples})]:
            overlaps = np.concatenate(
                [
                    iou(path, s.truth)[s.scored]
                    for path, s in zip(found, samples, strict=True)
                    if profile in ("all", s.profile)
                ]
            )
            good, tight = (overlaps >= GOOD_IOU).mean(), (overlaps >= 0.85).mean()
            _say(f"{name:14} {profile:9} IoU >= 0.7 {good:.3f}  IoU >= 0.85 {tight:.3f}")
    sure = np.concatenate([c.confidence[s.scored] for c, s in zip(chosen, samples, strict=True)])
    is_good = np.concatenate(
        [(iou(c.path, s.truth) >= GOOD_IOU)[s.scored] for c, s in zip(chosen, samples, strict=True)]
    )
    _say("shown confidence   share of frames   share with IoU >= 0.7")
    for low, high in ((0, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        inside = (sure >= low) & (sure < high)
        hits = f"{is_good[inside].mean():.3f}" if inside.any() else "-"
        _say(f"{low:.2f} to {min(high, 1):.2f}       {inside.mean():.3f}             {hits}")
    least = np.argsort(sure, kind="stable")[: len(sure) // 5]
    found = (~is_good[least]).sum() / max(1, (~is_good).sum())
    _say(f"errors in the 20 % least confident frames: {found:.2f}")
    hidden = np.concatenate([c.is_hidden[s.scored] for c, s in zip(chosen, samples, strict=True)])
    truly = np.concatenate([(s.visible < HIDDEN_SHARE)[s.scored] for s in samples])
    if hidden.any():
        _say(f"marked occluded: {hidden.mean():.3f} of frames, right in {truly[hidden].mean():.2f}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> None:
    folders = [Path(a) for a in arguments if not a.startswith("--")]
    training = [s for folder in folders[:-1] for s in collect(folder)]
    fitted = fit(training)
    report(training, fitted, "Training scenes")
    report(collect(folders[-1]), fitted, "Held-out scenes")
    if "--write" in arguments:
        path = paths.resource("models", "box-paths.json")
        path.write_bytes(msgspec.json.encode(fitted) + b"\n")
        _say(f"written: {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
