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
from annotator.assist.points.along import Along, Side, features_along, look_along
from annotator.assist.points.evidence import (
    UNITS,
    PointEvidence,
    features,
    features_with_mates,
    mates_of,
    seen_features,
)
from annotator.assist.points.follower import GapGroup, GrayPictures, groups_of
from annotator.assist.points.patches import Templates
from annotator.assist.points.path_search import (
    ChosenPointPath,
    PointWeights,
    choose_first,
    first_look,
    hidden_frames,
    judged,
    log_odds,
    paths_of,
    sure_features,
)
from annotator.assist.points.path_search import (
    Path as ChosenPath,
)
from annotator.assist.points.sweep import CANDIDATES, Pass
from annotator.assist.score_fitting import expanded
from annotator.media import Video
from tests.benchmarks.train_box_paths import fit_chance, short
from tests.benchmarks.truth_scenes import TruthPoint, TruthScene, read_scenes

PIXELS = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
_CORRECT_PX = 4.0
_LOST_PX = 8.0
_SHORTEST = 5
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Sample(NamedTuple):
    """A gap of a point with its truth: ``xy`` [t, 2] in units of evidence, ``hidden`` [t].

    ``sides`` are the passes of this gap alone, in a video whose working pixels have ``unit`` units.
    """

    video: Path
    scene: str
    profile: str
    evidence: PointEvidence
    xy: Floats
    hidden: Bools
    unit: float
    sides: tuple[Side, Side]

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


Samples = list[Sample]


def groups_of_scene(scene: TruthScene) -> list[Samples]:
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
                for row, ((key, start, stop), evidence) in enumerate(spans):
                    xy, hidden = points[key].between(start, stop)
                    # Evidence counts from the middle of the first working pixel.
                    xy = xy * factor - 0.5 * group.unit
                    samples.append(
                        Sample(
                            scene.video,
                            scene.name,
                            scene.profile,
                            evidence,
                            xy,
                            hidden,
                            group.unit,
                            _sides_of(group, row, start, stop),
                        )
                    )
                found.append(samples)
    return found


def _sides_of(group: GapGroup, row: int, start: int, stop: int) -> tuple[Side, Side]:
    """Return the passes of one gap of a group."""
    columns = slice(start - group.frames.start, stop + 1 - group.frames.start)
    ahead, back = (
        (
            Pass(
                start,
                Templates(one.templates.patches[row : row + 1].astype(np.float64)),
                one.xy[:, row : row + 1, columns].copy(),
                one.maps[:, row : row + 1, columns].copy(),
                one.home[row : row + 1],
                one.starts[row : row + 1],
                one.wide[row : row + 1],
                one.tint[row : row + 1],
                one.is_other_shot[row : row + 1, columns],
            ),
            [ends[row]],
        )
        for one, ends in group.sides
    )
    return ahead, back


def _is_long(point: TruthPoint) -> bool:
    return point.last_seen - point.first_seen >= _SHORTEST


def collect(folders: Sequence[Path]) -> list[Samples]:
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
    ahead, (back, _) = sample.sides
    evidence = PointEvidence(e.start, xy, alike, wide, tint, e.size)
    return sample._replace(evidence=evidence, sides=(ahead, (back, [None])))


Chosen = tuple[Sample, ChosenPath]


def choose(groups: list[Samples], fitted: PointWeights) -> list[Chosen]:
    """Return the samples with the paths that certain weights choose."""
    return [
        pair
        for group in groups
        for pair in zip(group, paths_of([s.evidence for s in group], fitted), strict=True)
    ]


def alongs_of(chosen: list[Chosen]) -> list[Along]:
    """Look along the paths in the pictures again, by two processes."""
    videos = sorted({sample.video for sample, _ in chosen})
    jobs = [(video, [(s, path.xy) for s, path in chosen if s.video == video]) for video in videos]
    with ProcessPoolExecutor(2) as pool:
        found = dict(zip(videos, map(iter, pool.map(_alongs_in, jobs)), strict=True))
    return [next(found[sample.video]) for sample, _ in chosen]


def _alongs_in(job: tuple[Path, list[tuple[Sample, Floats]]]) -> list[Along]:
    use_threads(1)
    video_path, chosen = job
    first = min(sample.evidence.start for sample, _ in chosen)
    stop = max(sample.evidence.start + len(path) for sample, path in chosen)
    xy = np.full((len(chosen), stop - first, 2), np.nan)
    spans = []
    for row, (sample, path) in enumerate(chosen):
        start = sample.evidence.start - first
        spans.append(slice(start, start + len(path)))
        xy[row, spans[row]] = path / sample.unit
    sides = [_together([s.sides[i] for s, _ in chosen], spans, first) for i in range(2)]
    with Video(video_path) as video:
        grays = GrayPictures(Pictures(video))
        whole = look_along(grays, range(first, stop), xy, sides, lambda: False)
    return [Along(*(each[:, row, span] for each in whole)) for row, span in enumerate(spans)]


def _together(sides: list[Side], spans: list[slice], first: int) -> Side:
    """Return passes of single gaps as one."""
    passes = [one for one, _ in sides]
    n = max(span.stop for span in spans)
    xy = np.full((CANDIDATES, len(sides), n, 2), np.nan, np.float32)
    maps = np.tile(np.eye(2, dtype=np.float32), (CANDIDATES, len(sides), n, 1, 1))
    for row, (one, span) in enumerate(zip(passes, spans, strict=True)):
        xy[:, row, span], maps[:, row, span] = one.xy[:, 0], one.maps[:, 0]
    home, starts, wide, tint = (
        np.concatenate([getattr(one, name) for one in passes])
        for name in ("home", "starts", "wide", "tint")
    )
    patches = np.concatenate([one.templates.patches for one in passes]).astype(np.float64)
    other = np.zeros((len(sides), n), bool)
    joined = Pass(first, Templates(patches), xy, maps, home, starts, wide, tint, other)
    return joined, [ends[0] for _, ends in sides]


def fit(groups: list[Samples]) -> PointWeights:
    """Fit everything; what later steps build on is predicted by the other half of the scenes."""
    starts = [[from_start_only(sample) for sample in group] for group in groups]
    both = [*groups, *starts]
    every = [*both, *([sample] for group in groups for sample in group[::2])]
    names = sorted({sample.scene for group in groups for sample in group})

    def half(those: list[Samples], is_even: bool) -> list[Samples]:
        return [g for g in those if (names.index(g[0].scene) % 2 == 0) == is_even]

    chosen: list[Chosen] = []
    for is_even in (True, False):
        chosen += choose(half(every, is_even), _fit_paths(half(every, not is_even)))
    rows = _rows_along(chosen)
    kept = [sample.judged & ~_spared(sample, path.xy) for sample, path, _ in rows]
    seen_along = _fit_rows(
        [values[k] for (_, _, values), k in zip(rows, kept, strict=True)],
        [~sample.hidden[k] for (sample, _, _), k in zip(rows, kept, strict=True)],
    )
    paths_fitted = _fit_paths(every)
    confidence = _fit_confidence(rows, seen_along)
    return msgspec.structs.replace(paths_fitted, seen_along=seen_along, confidence=confidence)


def _spared(sample: Sample, path: Floats) -> Bools:
    """Return three of four frames, [t], on which the point is visible and the path is elsewhere.

    Such a frame must be corrected whatever is said of visibility, and its appearance is not that of
    the point: with all of these frames, the fit learns less from appearance.
    """
    lost = ~sample.hidden & (sample.off(path) > _LOST_PX)
    return lost & (np.arange(len(lost)) % 4 > 0)


def _fit_paths(every: list[Samples]) -> PointWeights:
    place = _fit_place(every)
    partial = PointWeights(place, _fit_seen_first(every, place))
    together = [group for group in every if len(group) > 1]
    return msgspec.structs.replace(partial, place_with_mates=_fit_second(together, partial))


Row = tuple[Sample, ChosenPath, Floats]


def _rows_along(chosen: list[Chosen]) -> list[Row]:
    return [
        (sample, path, features_along(along, path.look, path.around))
        for (sample, path), along in zip(chosen, alongs_of(chosen), strict=True)
    ]


def _fit_confidence(rows: list[Row], seen: list[float]) -> list[float]:
    """Fit the chance that a frame needs no correction."""
    features_of, is_right = [], []
    for sample, path, values in rows:
        odds = log_odds(values, seen)
        hidden = hidden_frames(odds, sample.evidence.is_known)
        features_of.append(sure_features(values, odds, hidden)[sample.judged])
        is_right.append(~sample.wrong(path.xy, hidden)[sample.judged])
    return short(fit_chance(np.concatenate(features_of), np.concatenate(is_right)))


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


def _fit_place(groups: list[Samples]) -> list[float]:
    ridge = _Ridge()
    for group in groups:
        for sample in group:
            ridge.add(sample, sample.evidence.xy, features(sample.evidence))
    return ridge.solved()


def _fit_seen_first(groups: list[Samples], place: list[float]) -> list[float]:
    rows, is_visible = [], []
    for group in groups:
        for sample in group:
            values = features(sample.evidence)
            path, score, chosen = choose_first(sample.evidence, values, place)
            found = seen_features(sample.evidence, values, path, score, chosen)
            rows.append(found[sample.judged])
            is_visible.append(~sample.hidden[sample.judged])
    return _fit_rows(rows, is_visible)


def _fit_second(groups: list[Samples], fitted: PointWeights) -> list[float]:
    ridge = _Ridge()
    for group in groups:
        firsts = [first_look(sample.evidence, fitted) for sample in group]
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


def report(groups: list[Samples], fitted: PointWeights, title: str) -> None:
    """Print the measures of TAP-Vid by class, and whether confidence means something."""
    _say(f"\n{title}: {sum(map(len, groups))} points")
    ways: dict[str, list[Samples]] = {
        "together": groups,
        "alone": [[sample] for group in groups for sample in group],
        "first place only": [[from_start_only(s) for s in group] for group in groups],
    }
    for name, those in ways.items():
        chosen = choose(those, fitted)
        scored = [
            (sample, judged(sample.evidence, path, along, fitted))
            for (sample, path), along in zip(chosen, alongs_of(chosen), strict=True)
        ]
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
                f"  no correction {np.where(seen, shown & within[:, 2], ~shown).mean():.3f}"
            )
        if name == "together":
            _reliability(scored)


def _reliability(scored: list[tuple[Sample, ChosenPointPath]]) -> None:
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
