"""Fits the weights by which point paths are chosen, and reports them on scenes held out.

Run as ``python -m tests.benchmarks.train_point_paths TRAIN... HELD_OUT [--write]``, each a folder
of scenes (see `truth_scenes`). Of every point the first and the last visible frame are given; the
frames between are scored as in `bench_points`. Trained are also points that stand alone, and points
whose first place alone is known. ``--write`` replaces resources/models/point-paths.json.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator import paths
from annotator.assist import Pictures, use_threads
from annotator.assist.points.evidence import (
    UNITS,
    Evidence,
    features,
    features_with_mates,
    mates_of,
    seen_features,
)
from annotator.assist.points.follower import groups_of
from annotator.assist.points.joining import (
    First,
    Joined,
    PointWeights,
    Second,
    choose_first,
    first_look,
    hidden_frames,
    join_with,
    log_odds,
    second_look,
    sure_features,
)
from annotator.assist.points.sweep import CANDIDATES
from annotator.assist.scoring import expanded
from annotator.media import Video
from tests.benchmarks.train_box_paths import fit_chance, short
from tests.benchmarks.truth_scenes import TruthPoint, TruthScene, read_scenes

PIXELS = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
_CORRECT_PX = 4.0
_SHORTEST = 5
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Sample(NamedTuple):
    """A gap of a point with its truth: ``xy`` [t, 2] in units of evidence, ``hidden`` [t]."""

    scene: str
    profile: str
    evidence: Evidence
    xy: Floats
    hidden: Bools

    @property
    def judged(self) -> Bools:
        """The frames between the places given on which the truth is known."""
        inner = np.ones(len(self.xy), np.bool_)
        inner[[0, -1]] = False
        return inner & ~np.isnan(self.xy[:, 0])

    def wrong(self, path: Floats, hidden: Bools) -> Bools:
        """Return the frames that a rater must correct, [t]."""
        return np.where(self.hidden, ~hidden, hidden | (self.off(path) > _CORRECT_PX))

    def off(self, path: Floats) -> Floats:
        """Return how far places [..., t, 2] are from the truth at 256 x 256, 1e6 where unknown."""
        scale = UNITS / np.array(self.evidence.size)
        return np.nan_to_num(np.linalg.norm((path - self.xy) * scale, axis=-1), nan=1e6)


Group = list[Sample]


def groups_of_scene(scene: TruthScene) -> list[Group]:
    """Return the points of a scene with their candidates, those of one object together."""
    use_threads(1)
    found = []
    with Video(scene.video) as video:
        pictures = Pictures(video)
        for name in dict.fromkeys(p.object_id for p in scene.points):
            points = {p.id: p for p in scene.points if p.object_id == name and _is_long(p)}
            anchors = {
                key: [(f, point.place(f)) for f in (point.first_seen, point.last_seen)]
                for key, point in points.items()
            }
            for group in groups_of(pictures, anchors, lambda: False):
                for _ in group.follow():
                    pass
                factor = UNITS / pictures.size[0]
                samples = []
                spans = zip(group.spans, group.evidences(), strict=True)
                for (key, start, stop), evidence in spans:
                    xy, hidden = points[key].between(start, stop)
                    # Evidence counts from the middle of the first working pixel.
                    half = 0.5 * group.unit
                    samples.append(
                        Sample(scene.name, scene.profile, evidence, xy * factor - half, hidden)
                    )
                found.append(samples)
    return found


def _is_long(point: TruthPoint) -> bool:
    return point.last_seen - point.first_seen >= _SHORTEST


def collect(folders: Sequence[Path]) -> list[Group]:
    """Return the groups of all scenes, computed by two processes."""
    scenes = [scene for folder in folders for scene in read_scenes(folder)]
    with ProcessPoolExecutor(2) as pool:
        return [group for part in pool.map(groups_of_scene, scenes) for group in part]


def from_start_only(sample: Sample) -> Sample:
    """Return a sample as if nobody had set the upper end."""
    e = sample.evidence
    xy, alike, wide, tint = e.xy.copy(), e.alike.copy(), e.wide.copy(), e.tint.copy()
    xy[CANDIDATES:] = np.nan
    for values in (alike, wide, tint):
        values[:, CANDIDATES:] = np.nan
        values[1] = np.nan
    return sample._replace(evidence=Evidence(e.start, xy, alike, wide, tint, e.size))


def fit(groups: list[Group]) -> PointWeights:
    """Fit everything; what later steps build on is predicted by the other half of the scenes."""
    starts = [[from_start_only(sample) for sample in group] for group in groups]
    both = [*groups, *starts]
    every = [*both, *([sample] for group in groups for sample in group[::2])]
    names = sorted({sample.scene for group in groups for sample in group})

    def half(those: list[Group], is_even: bool) -> list[Group]:
        return [g for g in those if (names.index(g[0].scene) % 2 == 0) == is_even]

    alone, together = _Rows(), _Rows()
    for is_even in (True, False):
        others = half(every, not is_even)
        place = _fit_place(others)
        partial = PointWeights(place, _fit_seen_first(others, place))
        second = _fit_second(half(both, not is_even), partial)
        partial = msgspec.structs.replace(partial, place_with_mates=second)
        for group in half(every, is_even):
            for sample, first in zip(group, _first_looks(group, partial), strict=True):
                alone.add(sample, first.look.path, first.seen_values)
        for group in half(both, is_even):
            for sample, second_one in _second_looks(group, partial):
                together.add(sample, second_one.path, second_one.seen_values)
    place = _fit_place(every)
    seen = _fit_seen_first(every, place)
    partial = PointWeights(place, seen)
    seen_with_mates = together.fit_seen()
    return PointWeights(
        place,
        seen,
        alone.fit_confidence(seen),
        _fit_second(both, partial),
        seen_with_mates,
        together.fit_confidence(seen_with_mates),
    )


class _Rows:
    """What visibility and confidence are fitted on: predictions for scenes not trained on."""

    def __init__(self) -> None:
        self._rows: list[tuple[Sample, Floats, Floats]] = []

    def add(self, sample: Sample, path: Floats, values: Floats) -> None:
        self._rows.append((sample, path, values))

    def fit_seen(self) -> list[float]:
        """Fit the log odds that a point is visible."""
        return _fit_rows(
            [values[sample.judged] for sample, _, values in self._rows],
            [~sample.hidden[sample.judged] for sample, _, _ in self._rows],
        )

    def fit_confidence(self, seen: list[float]) -> list[float]:
        """Fit the chance that a frame needs no correction."""
        rows, is_right = [], []
        for sample, path, values in self._rows:
            odds = log_odds(values, seen)
            hidden = hidden_frames(odds, sample.evidence.is_known)
            rows.append(sure_features(values, odds, hidden)[sample.judged])
            is_right.append(~sample.wrong(path, hidden)[sample.judged])
        return short(fit_chance(np.concatenate(rows), np.concatenate(is_right)))


def _first_looks(group: Group, fitted: PointWeights) -> list[First]:
    return [first_look(sample.evidence, fitted) for sample in group]


def _second_looks(group: Group, fitted: PointWeights) -> list[tuple[Sample, Second]]:
    firsts = _first_looks(group, fitted)
    mates = mates_of([s.evidence for s in group], [f.look for f in firsts])
    return [
        (sample, second_look(sample.evidence, first, mate, fitted.place_with_mates))
        for sample, first, mate in zip(group, firsts, mates, strict=True)
    ]


class _Ridge:
    """Ridge regression of accuracy on expanded features, added up sample by sample."""

    def __init__(self) -> None:
        self._left: Floats | float = 0.0
        self._right: Floats | float = 0.0
        self._n = 0

    def add(self, sample: Sample, xy: Floats, values: Floats) -> None:
        there = ~np.isnan(xy[..., 0]) & (sample.judged & ~sample.hidden)[None]
        x = expanded(values[there])
        y = (sample.off(xy)[there][:, None] < PIXELS).mean(axis=1)
        self._left = self._left + x.T @ x
        self._right = self._right + x.T @ y
        self._n += len(x)

    def solved(self) -> list[float]:
        left = np.asarray(self._left)
        ridge = np.eye(len(left)) * self._n * 1e-4
        return short(np.linalg.solve(left + ridge, np.asarray(self._right)))


def _fit_place(groups: list[Group]) -> list[float]:
    ridge = _Ridge()
    for group in groups:
        for sample in group:
            ridge.add(sample, sample.evidence.xy, features(sample.evidence))
    return ridge.solved()


def _fit_seen_first(groups: list[Group], place: list[float]) -> list[float]:
    rows, is_visible = [], []
    for group in groups:
        for sample in group:
            values = features(sample.evidence)
            path, score, chosen = choose_first(sample.evidence, values, place)
            found = seen_features(sample.evidence, values, path, score, chosen)
            rows.append(found[sample.judged])
            is_visible.append(~sample.hidden[sample.judged])
    return _fit_rows(rows, is_visible)


def _fit_second(groups: list[Group], fitted: PointWeights) -> list[float]:
    ridge = _Ridge()
    for group in groups:
        firsts = _first_looks(group, fitted)
        mates = mates_of([s.evidence for s in group], [f.look for f in firsts])
        for sample, first, mate in zip(group, firsts, mates, strict=True):
            ridge.add(
                sample,
                *features_with_mates(sample.evidence, first.values, first.score, first.look, mate),
            )
    return ridge.solved()


def _fit_rows(rows: list[Floats], is_so: list[Bools]) -> list[float]:
    x, y = np.concatenate(rows)[::2], np.concatenate(is_so)[::2]
    return short(fit_chance(expanded(x), y, ridge=3e-3 * len(x), steps=25))


def report(groups: list[Group], fitted: PointWeights, title: str) -> None:
    """Print the measures of TAP-Vid by class, and whether confidence means something."""
    _say(f"\n{title}: {sum(map(len, groups))} points")
    ways: dict[str, list[Group]] = {
        "together": groups,
        "alone": [[sample] for group in groups for sample in group],
        "first place only": [[from_start_only(s) for s in group] for group in groups],
    }
    for name, those in ways.items():
        scored = []
        for group in those:
            joined = join_with([s.evidence for s in group], fitted)
            scored += list(zip(group, joined, strict=True))
        for profile in ["all", *sorted({s.profile for s, _ in scored})]:
            part = [(s, j) for s, j in scored if profile in ("all", s.profile)]
            off = np.concatenate([s.off(j.xy)[s.judged] for s, j in part])
            seen = np.concatenate([~s.hidden[s.judged] for s, _ in part])
            shown = np.concatenate([~j.is_hidden[s.judged] for s, j in part])
            within = off[:, None] < PIXELS
            right = (within & (seen & shown)[:, None]).sum(axis=0)
            false = (shown[:, None] & ~(within & seen[:, None])).sum(axis=0)
            _say(
                f"{name:17} {profile:9} position {within[seen].mean():.3f}"
                f"  Jaccard {(right / (seen.sum() + false)).mean():.3f}"
                f"  occlusion {(seen == shown).mean():.3f}"
            )
        if name == "together":
            _reliability(scored)


def _reliability(scored: list[tuple[Sample, Joined]]) -> None:
    sure = np.concatenate([j.confidence[s.judged] for s, j in scored])
    wrong = np.concatenate([s.wrong(j.xy, j.is_hidden)[s.judged] for s, j in scored])
    _say("shown confidence   share of frames   share that needs no correction")
    for low, high in ((0, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        inside = (sure >= low) & (sure < high)
        right = f"{1 - wrong[inside].mean():.3f}" if inside.any() else "-"
        _say(f"{low:.2f} to {min(high, 1):.2f}       {inside.mean():.3f}             {right}")
    least = np.argsort(sure, kind="stable")[: len(sure) // 5]
    _say(f"errors in the 20 % least confident frames: {wrong[least].sum() / wrong.sum():.2f}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> None:
    folders = [Path(a) for a in arguments if not a.startswith("--")]
    training = collect(folders[:-1])
    fitted = fit(training)
    report(training, fitted, "Training scenes")
    report(collect(folders[-1:]), fitted, "Held-out scenes")
    if "--write" in arguments:
        path = paths.resource("models", "point-paths.json")
        path.write_bytes(msgspec.json.encode(fitted) + b"\n")
        _say(f"written: {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
