"""Fits the weights by which boxes are chosen, and reports them on scenes that were held out.

Run as ``python -m tests.benchmarks.train_box_paths TRAIN HELD_OUT [--write]``, each a folder of
scenes (see `truth_scenes`). A box is given on every 30th frame. Candidates of the frames between
two of them, and of 60 frames after one, are scored against the true boxes; so is where hidden
objects are found. ``--write`` replaces resources/models/box-paths.json, with ``--search`` only the
weights of that search. ``--refined`` replaces those of the confidence of boxes that are fitted to
objects; it takes scenes on which the network of `train_box_refinement` was not trained.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator import paths
from annotator.assist import Pictures, use_threads
from annotator.assist.boxes.arrays import from_box, inside_share, iou, side
from annotator.assist.boxes.colors import Colors
from annotator.assist.boxes.fused import SLOW_STEP, Make, fuse_all
from annotator.assist.boxes.object_search import ObjectSearch
from annotator.assist.boxes.one_way import Csrt, Flow, Pair, Points, both_ways
from annotator.assist.boxes.onward import (
    Choice,
    Onward,
    Sight,
    choose_onward,
    consensus,
    summarized_onward,
)
from annotator.assist.boxes.path import (
    AppearanceMatcher,
    BoxEvidence,
    Candidates,
    choose_scored,
    features,
    predicted_overlap,
    shortest,
    summarized,
)
from annotator.assist.boxes.refinement import BoxRefiner, refined_rows
from annotator.assist.camera import camera_of, carried_paths
from annotator.assist.pictures import View
from annotator.assist.score_fitting import (
    BoxWeights,
    RefinedWeights,
    Weights,
    box_weights,
    chance,
    expanded,
)
from annotator.media import Video
from tests.benchmarks.truth_scenes import TruthScene, read_scenes

STEP = 30
ONWARD = 60
REFINED_FRAMES = 151
TEAM = (Colors, Points, Flow, Csrt)
GOOD_IOU = 0.7
HIDDEN_SHARE = 0.5
SEEN_SHARE, WHOLE_SHARE = 0.9, 0.98
SEARCHED_FRAMES = 5  # on which an object is still searched for after it is seen again
FOUND_IOU = 0.5
Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """A gap between two given boxes: candidates with their evidence, truth and visibility."""

    profile: str
    candidates: Candidates
    seen: BoxEvidence
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
        rows = [*range(whole.n_seen - 2), *range(whole.n_seen, len(self.seen.alike))]
        lighter = Candidates(fused, agreement, pairs, whole.carried)
        seen = BoxEvidence(*(each[rows] for each in self.seen))
        return self._replace(candidates=lighter, seen=seen)


def samples_of(scene: TruthScene) -> list[Sample]:
    """Return all gaps of a scene's objects that have a box at both ends."""
    use_threads(1)
    with Video(scene.video) as video:
        return [sample for sample, _, _ in gaps_of(scene, Pictures(video), STEP)]


def gaps_of(
    scene: TruthScene, pictures: Pictures, step: int
) -> Iterator[tuple[Sample, View, range]]:
    """Yield the gaps of a length with the view in which they are tracked, and their frames."""
    for each in scene.objects:
        for start in range(each.first_frame, len(each.boxes) - step, step):
            first, last = from_box(each.boxes[start]), from_box(each.boxes[start + step])
            if np.isnan(first[0]) or np.isnan(last[0]):
                continue
            frames = range(start, start + step + 1)
            view = pictures.view((side(first) + side(last)) / 2)
            pairs = _passes(view, frames, first, last)
            carried = carried_paths(camera_of(pictures), frames, first, last)
            candidates = Candidates(*fuse_all(pairs), pairs, carried)
            matcher = AppearanceMatcher(view, frames, first, last, lambda: False)
            seen = matcher.evidence(candidates.boxes)
            truth = np.array([from_box(each.boxes[f]) for f in frames])
            visible = np.array([each.visible[f] for f in frames])
            yield Sample(scene.profile, candidates, seen, truth, visible), view, frames


def _passes(view: View, frames: range, first: Floats, last: Floats) -> list[Pair]:
    """Return both passes of all trackers between two boxes."""

    def run(makes: Sequence[Make], step: int) -> list[Pair]:
        found = both_ways(makes, view, frames, first, last, cancel=lambda: False, step=step)
        assert found is not None
        return found

    return run(TEAM[:-1], 1) + run(TEAM[-1:], SLOW_STEP)


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
            values = features(sample.candidates, sample.seen)
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
        values = features(sample.candidates, sample.seen)[:, sample.scored]
        rows.append(expanded(values))
        overlaps.append(iou(sample.candidates.boxes, sample.truth[None])[:, sample.scored].ravel())
    x, y = np.concatenate(rows), np.concatenate(overlaps)
    ridge = np.eye(x.shape[1]) * len(x) * 1e-4
    return np.linalg.solve(x.T @ x + ridge, x.T @ y)


class Run(NamedTuple):
    """Frames after one given box: what was suggested, what was chosen, truth and visibility."""

    scene: str
    profile: str
    number: int
    sights: list[Sight]
    chosen: list[Choice]
    truth: Floats
    visible: Floats


def runs_of(scene: TruthScene, fitted: Weights | None) -> list[Run]:
    """Follow all objects of a scene from every 30th frame; without weights by consensus."""
    use_threads(1)
    found = []
    with Video(scene.video) as video:
        pictures = Pictures(video)
        for number, each in enumerate(scene.objects):
            for start in range(each.first_frame, len(each.boxes) - STEP // 2, STEP):
                first = from_box(each.boxes[start])
                end = min(start + ONWARD + 1, len(each.boxes))
                truth = np.array([from_box(b) for b in each.boxes[start + 1 : end]])
                n = int(np.argmax(np.isnan([*truth[:, 0], np.nan])))
                if np.isnan(first[0]) or not n:
                    continue
                onward = Onward(pictures, [make() for make in TEAM], start, first)
                sights, chosen = [], [Choice(first, 1.0, 1.0)]
                for frame in range(start + 1, start + n + 1):
                    sight = onward.look(frame)
                    chosen.append(_choice(sight, fitted, chosen[-1].box))
                    onward.settle(chosen[-1])
                    sights.append(sight)
                visible = np.array(each.visible[start + 1 : start + n + 1])
                run = Run(scene.name, scene.profile, number, sights, chosen[1:], truth[:n], visible)
                found.append(run)
    return found


def _choice(sight: Sight, fitted: Weights | None, last: Floats) -> Choice:
    if fitted is not None:
        return choose_onward(sight, fitted, last)
    count = len(TEAM)
    box, _ = consensus(sight.boxes[:count], sight.alike[:count])
    return Choice(box, 0.0, float(sight.alike[count]))


def collect_runs(folder: Path, fitted: Weights | None) -> list[Run]:
    """Return the runs of all scenes of a folder, computed by two processes."""
    scenes = list(read_scenes(folder))
    with ProcessPoolExecutor(2) as pool:
        return [r for part in pool.map(runs_of, scenes, [fitted] * len(scenes)) for r in part]


def fit_onward(runs: list[Run]) -> Weights:
    """Fit the overlap by ridge regression; confidence and occlusion on objects left out of it."""
    objects = sorted({(run.scene, run.number) for run in runs})
    halves = [
        [run for run in runs if objects.index((run.scene, run.number)) % 2 == half]
        for half in (0, 1)
    ]
    rows, is_good, is_hidden = [], [], []
    for mine, others in (halves, halves[::-1]):
        overlap = _fit_onward_overlap(others)
        for run in mine:
            for sight, true, visible in zip(run.sights, run.truth, run.visible, strict=True):
                predicted = expanded(sight.values) @ overlap
                at = int(predicted.argmax())
                rows.append(summarized_onward(sight, predicted, at))
                is_good.append(iou(sight.boxes[at], true) >= GOOD_IOU)
                is_hidden.append(visible < HIDDEN_SHARE)
    x = np.array(rows)
    return Weights(
        short(_fit_onward_overlap(runs)),
        short(fit_chance(x, np.array(is_good))),
        short(fit_chance(x, np.array(is_hidden))),
    )


def _fit_onward_overlap(runs: list[Run]) -> Floats:
    x = np.concatenate([expanded(s.values) for run in runs for s in run.sights])
    y = np.concatenate(
        [iou(s.boxes, t) for run in runs for s, t in zip(run.sights, run.truth, strict=True)]
    )
    return np.linalg.solve(x.T @ x + np.eye(x.shape[1]) * len(x) * 1e-4, x.T @ y)


def report_onward(runs: list[Run], title: str) -> None:
    """Print the share of good boxes 15, 30 and 59 frames after the one that was given."""
    _say(f"\n{title}: {len(runs)} runs of up to {ONWARD} frames")
    for profile in ["all", *sorted({run.profile for run in runs})]:
        told = []
        for after in (15, 30, 59):
            mine = [r for r in runs if profile in ("all", r.profile) and len(r.truth) >= after]
            good = [iou(r.chosen[after - 1].box, r.truth[after - 1]) >= GOOD_IOU for r in mine]
            told.append(f"{np.mean(good):.3f}")
        _say(f"{profile:9} IoU >= 0.7 after 15, 30, 59 frames: {' '.join(told)}")
    chosen = [choice for run in runs for choice in run.chosen]
    boxes, truth = np.array([c.box for c in chosen]), np.concatenate([r.truth for r in runs])
    _report_confidence(np.array([c.confidence for c in chosen]), iou(boxes, truth) >= GOOD_IOU)


def searches_of(scene: TruthScene) -> list[tuple[Floats, bool]]:
    """Search for each object while it is hidden and on the next frames.

    Returns the features [8] of what stands out most and whether it is the object.
    """
    use_threads(1)
    found = []
    with Video(scene.video) as video:
        pictures = Pictures(video)
        for each in scene.objects:
            first = from_box(each.boxes[each.first_frame])
            view = pictures.view(side(first))
            search = ObjectSearch(view, pictures.size, each.first_frame, first)
            n_seen = 0
            for frame in range(each.first_frame + 1, len(each.boxes)):
                true = from_box(each.boxes[frame])
                is_whole = inside_share(true, pictures.size) > WHOLE_SHARE
                n_seen = n_seen + 1 if is_whole and each.visible[frame] > SEEN_SHARE else 0
                if n_seen > SEARCHED_FRAMES:
                    search.learn(frame, true)
                elif frame % 3 == 0 and (place := search.likeliest(frame)) is not None:
                    is_right = bool(iou(place.box, true) > FOUND_IOU)
                    found.append((search.values(frame, place.box), is_right))
    return found


def fit_search(folders: Sequence[Path]) -> list[float]:
    """Fit the chance that a place where an object was searched for is right."""
    scenes = [scene for folder in folders for scene in read_scenes(folder)]
    with ProcessPoolExecutor(2) as pool:
        rows = [row for part in pool.map(searches_of, scenes) for row in part]
    values, is_right = zip(*rows, strict=True)
    fitted = fit_chance(np.array(values), np.array(is_right), ridge=1.0)
    _say(f"searches: {len(rows)}, right: {np.mean(is_right):.3f}")
    return short(fitted)


class Observed(Onward):
    """Notes confidence and expected error of each box that is fitted to the object."""

    rows: list[tuple[float, float, Floats]]

    def _refine(self, frame: int, choice: Choice) -> Choice:
        if not choice.is_hidden:
            box, error = self._refiner.refine(frame, choice.box)
            self.rows.append((choice.confidence, error, box))
        else:
            self.rows.append((np.nan, np.nan, choice.box))
        return super()._refine(frame, choice)


def refined_onward(scene: TruthScene) -> list[tuple[float, float, bool]]:
    """Return confidence, expected error, and whether IoU is good, after one given box."""
    use_threads(1)
    found: list[tuple[float, float, bool]] = []
    with Video(scene.video) as video:
        pictures = Pictures(video)
        for each in scene.objects:
            for start in range(each.first_frame, len(each.boxes) - STEP // 2, 2 * STEP):
                first = from_box(each.boxes[start])
                true = [from_box(b) for b in each.boxes[start + 1 : start + REFINED_FRAMES]]
                n = int(np.argmax(np.isnan([*(box[0] for box in true), np.nan])))
                if np.isnan(first[0]) or not n:
                    continue
                onward = Observed(pictures, [make() for make in TEAM], start, first)
                onward.rows = []
                for frame in range(start + 1, start + n + 1):
                    onward.step(frame)
                found += [
                    (before, error, bool(iou(box, t) >= GOOD_IOU))
                    for (before, error, box), t in zip(onward.rows, true[:n], strict=True)
                    if not np.isnan(before)
                ]
    return found


def refined_between(scene: TruthScene) -> list[tuple[float, float, bool]]:
    """Return the same between two given boxes, 30 and 90 frames apart."""
    use_threads(1)
    found: list[tuple[float, float, bool]] = []
    with Video(scene.video) as video:
        pictures = Pictures(video)
        for step in (STEP, 3 * STEP):
            for sample, view, frames in gaps_of(scene, pictures, step):
                chosen = choose_scored(sample.candidates, sample.seen, box_weights().between)
                ends = [(frames[i], chosen.path[i]) for i in (0, -1)]
                refiner = BoxRefiner(view, ends)
                for i in np.flatnonzero(sample.scored & ~chosen.is_hidden).tolist():
                    box, error = refiner.refine(frames[i], chosen.path[i])
                    is_good = bool(iou(box, sample.truth[i]) >= GOOD_IOU)
                    found.append((float(chosen.confidence[i]), error, is_good))
    return found


def fit_refined(folders: Sequence[Path]) -> RefinedWeights:
    """Fit the confidence of boxes that are fitted to objects."""
    scenes = [scene for folder in folders for scene in read_scenes(folder)]
    fitted = []
    for name, rows_of in (("between", refined_between), ("onward", refined_onward)):
        with ProcessPoolExecutor(2) as pool:
            rows = np.array([row for part in pool.map(rows_of, scenes) for row in part])
        before, errors, is_good = rows.T
        weights = fit_chance(refined_rows(before, errors), is_good > 0)
        _say(f"\n{name}: {len(rows)} boxes, weights {short(weights)}")
        _report_confidence(chance(refined_rows(before, errors), weights), is_good > 0)
        fitted.append(short(weights))
    return RefinedWeights(*fitted)


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
    chosen = [choose_scored(s.candidates, s.seen, fitted) for s in samples]
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
    _report_confidence(sure, is_good)
    hidden = np.concatenate([c.is_hidden[s.scored] for c, s in zip(chosen, samples, strict=True)])
    truly = np.concatenate([(s.visible < HIDDEN_SHARE)[s.scored] for s in samples])
    if hidden.any():
        _say(f"marked occluded: {hidden.mean():.3f} of frames, right in {truly[hidden].mean():.2f}")


def _report_confidence(sure: Floats, is_good: NDArray[np.bool_]) -> None:
    _say("shown confidence   share of frames   share with IoU >= 0.7")
    for low, high in ((0, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        inside = (sure >= low) & (sure < high)
        hits = f"{is_good[inside].mean():.3f}" if inside.any() else "-"
        _say(f"{low:.2f} to {min(high, 1):.2f}       {inside.mean():.3f}             {hits}")
    least = np.argsort(sure, kind="stable")[: len(sure) // 5]
    found = (~is_good[least]).sum() / max(1, (~is_good).sum())
    _say(f"errors in the 20 % least confident frames: {found:.2f}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> None:
    folders = [Path(a) for a in arguments if not a.startswith("--")]
    if "--search" in arguments:
        _write(msgspec.structs.replace(box_weights(), search=fit_search(folders)))
        return
    if "--refined" in arguments:
        _write(msgspec.structs.replace(box_weights(), refined=fit_refined(folders)))
        return
    training = [s for folder in folders[:-1] for s in collect(folder)]
    between = fit(training)
    report(training, between, "Training scenes")
    report(collect(folders[-1]), between, "Held-out scenes")
    onward = None
    for _ in range(2):  # what is chosen leads the trackers, so it is fitted once more
        runs = [r for folder in folders[:-1] for r in collect_runs(folder, onward)]
        onward = fit_onward(runs)
    report_onward(collect_runs(folders[-1], onward), "Held-out scenes")
    fitted = BoxWeights(between, onward, fit_search(folders[:-1]), box_weights().refined)
    if "--write" in arguments:
        _write(fitted)


def _write(fitted: BoxWeights) -> None:
    path = paths.resource("models", "box-paths.json")
    path.write_bytes(msgspec.json.encode(fitted) + b"\n")
    _say(f"written: {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
