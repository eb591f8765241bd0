"""A simulated rater annotates point tracks with the program's own commands; counts clicks.

Run as ``python -m tests.benchmarks.bench_point_rater FOLDER [SCENE ...]`` on scenes with known
points (see `truth_scenes`); without a folder nothing is measured. The rater works as the guide
teaches: all points of an object on their first visible frame, then on their last one; then each
point is looked at on every frame, and the middle of the longest wrong stretch is corrected. A frame
is wrong when the point is visible and shown more than 4 of 256 pixels off, or shown hidden although
it is visible, or the reverse. A visible point is corrected with one click, a hidden stretch with
two: its first and its last frame. The same rater without proposals has linear interpolation between
the places, as in CVAT: that is the reference of the ratio.

A second table counts all gestures of raters who look at frames of low confidence only, and accept
the rest: one frame after the other with `U`, or many in the gallery.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.assist import use_threads
from annotator.domain.commands import (
    AcceptPoints,
    CreatePoint,
    CreateTrack,
    KeepInterpolation,
    MarkPoints,
    SetPoint,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TrackId, point_id, track_id
from annotator.domain.proposals.gallery import POINT_REACH, next_point_frames
from annotator.domain.proposals.point_proposals import accepted_run
from annotator.domain.proposals.runs import most_doubtful
from annotator.services.assist.proposal_updates import Proposing
from annotator.services.project.projects import create_project
from annotator.services.session import Session
from tests.benchmarks.bench_rater import TrackerHere, middle_of_longest
from tests.benchmarks.truth_scenes import TruthPoint, TruthScene, read_scenes

GOALS = (0.95, 1.0)
MOST_POINTS = 4  # of one object: the others take time and tell little more
_WRONG_256 = 4.0
_SHORTEST = 12
_MOST_CLICKS = 200
_DOUBTFUL = 0.9  # confidence below which a rater looks at a frame
_GALLERY = 12

Bools = NDArray[np.bool_]


@dataclass
class Effort:
    """What one point took: frames between its ends, and the clicks until a share was right."""

    profile: str
    minutes: float
    clicks: dict[float, int] = field(default_factory=dict)
    right_at_first: float = 0.0
    gestures: int = 0
    right_at_end: float = 0.0


class PointRater:
    """Annotates the points of one object of a scene; ``tracker`` is None for interpolation."""

    def __init__(self, session: Session, scene: TruthScene, truths: list[TruthPoint]) -> None:
        video = session.document.video
        self.session = session
        self.scene = scene
        self.truths = truths
        self.tracker: TrackerHere | None = None
        self.wrong_px = _WRONG_256 * np.array([video.width, video.height]) / 256
        self.owner: TrackId = track_id()
        self.ids: list[PointId] = [point_id() for _ in truths]

    def annotate(self) -> list[Effort]:
        """Do all points, and return what each took."""
        self._run(CreateTrack(self.owner, "object", 0, Box(0, 0, 10, 10)))
        self._run(KeepInterpolation(self.owner, 1))
        for each, truth in zip(self.ids, self.truths, strict=True):
            first = truth.first_seen
            self._run(CreatePoint(each, self.owner, truth.id, first, truth.place(first)))
        for each, truth in zip(self.ids, self.truths, strict=True):
            self._run(SetPoint(each, truth.last_seen, truth.place(truth.last_seen)))
        if self.tracker is not None:
            self.tracker.drain()
        return [self._correct(*pair) for pair in zip(self.ids, self.truths, strict=True)]

    def _correct(self, each: PointId, truth: TruthPoint) -> Effort:
        n = truth.last_seen - truth.first_seen - 1
        effort = Effort(self.scene.profile, n / self.scene.rate / 60)
        clicks = 2
        effort.right_at_first = 1 - float(self._wrong(each, truth).mean())
        for goal in GOALS:
            while True:
                wrong = self._wrong(each, truth)
                if wrong.sum() <= (1 - goal) * n or clicks > _MOST_CLICKS:
                    break
                at = middle_of_longest(np.flatnonzero(wrong).tolist()) + truth.first_seen + 1
                clicks += self._fix(each, truth, at, wrong)
            effort.clicks[goal] = clicks
        return effort

    def _fix(self, each: PointId, truth: TruthPoint, at: int, wrong: Bools) -> int:
        """Correct a frame, and a hidden stretch as a whole; return the clicks."""
        xy = truth.xy[at]
        if xy is not None and not truth.occluded[at]:
            self._run(SetPoint(each, at, Point(xy.x, xy.y), reopens=True))
            cost = 1
        else:
            start, end = at, at + 1
            offset = truth.first_seen + 1
            while (
                start > offset and wrong[start - 1 - offset] and self._is_hidden(truth, start - 1)
            ):
                start -= 1
            while end - offset < len(wrong) and wrong[end - offset] and self._is_hidden(truth, end):
                end += 1
            self._run(MarkPoints(each, start, end, "occluded"))
            cost = 2 if end - start > 1 else 1
        if self.tracker is not None:
            self.tracker.drain()
        return cost

    def _wrong(self, each: PointId, truth: TruthPoint) -> Bools:
        """Return which frames between the first and the last visible one are shown wrongly."""
        point = self.session.document.point(each)
        proposed = {p.frame: p for p in self.session.pending_points(each)}
        human = point.path.human_frames()
        places = [xy for frame in human.tolist() if (xy := point.path.mark(frame).xy)]
        inner = range(truth.first_seen + 1, truth.last_seen)
        x = np.interp(inner, human, [p.x for p in places])
        y = np.interp(inner, human, [p.y for p in places])
        wrong = np.zeros(len(inner), np.bool_)
        for i, frame in enumerate(inner):
            mark = point.path.mark(frame)
            if mark is not None:
                xy, hidden = mark.xy, mark.occluded or mark.outside
            elif self.tracker is not None:
                found = proposed.get(frame)
                xy = found.xy if found is not None else None
                hidden = found is None or found.occluded or found.xy is None
            else:
                xy, hidden = Point(float(x[i]), float(y[i])), False
            if self._is_hidden(truth, frame):
                wrong[i] = not hidden
            else:
                true = truth.place(frame)
                off = (
                    np.array([xy.x - true.x, xy.y - true.y]) / self.wrong_px
                    if xy is not None
                    else np.inf
                )
                wrong[i] = hidden or bool(np.linalg.norm(off) > 1)
        return wrong

    @staticmethod
    def _is_hidden(truth: TruthPoint, frame: int) -> bool:
        return truth.occluded[frame] or truth.xy[frame] is None

    def _run(self, command: object) -> None:
        self.session.run(command)  # type: ignore[arg-type]


class CheckingRater(PointRater):
    """Looks at frames of low confidence, one after the other or in the gallery.

    A step to the next frame or gallery, a click, a key and *Accept all* are a gesture each.
    """

    has_gallery = False

    def _correct(self, each: PointId, truth: TruthPoint) -> Effort:
        n = truth.last_seen - truth.first_seen - 1
        effort = Effort(self.scene.profile, n / self.scene.rate / 60, gestures=2)
        effort.right_at_first = 1 - float(self._wrong(each, truth).mean())
        seen: set[int] = set()
        is_last = False  # with the last frames of the gallery all others are accepted
        while effort.gestures < _MOST_CLICKS and (frames := self._next(each, seen)):
            effort.gestures += 1
            is_last = self.has_gallery and len(frames) < _GALLERY
            for frame in frames:
                wrong, i = self._wrong(each, truth), frame - truth.first_seen - 1
                if not 0 <= i < n or not wrong[i]:
                    continue
                if self.has_gallery:
                    effort.gestures += self._fix_on_tile(each, truth, frame)
                else:
                    effort.gestures += self._fix(each, truth, frame, wrong)
            if self.has_gallery:
                self._accept(each, frames)
        effort.gestures += not is_last
        effort.right_at_end = 1 - float(self._wrong(each, truth).mean())
        return effort

    def _next(self, each: PointId, seen: set[int]) -> list[int]:
        """Return the frames to look at next, none of which is in ``seen``, and note them there."""
        pending = self.session.pending_points(each)
        if self.has_gallery:
            point = self.session.document.point(each)
            frames = next_point_frames(point, pending, seen=seen, limit=_GALLERY)
            seen.update(frames)
            return frames
        worst = most_doubtful([p for p in pending if p.confidence < _DOUBTFUL], skip=seen)
        if worst is None:
            return []
        seen.update(range(worst.frame - POINT_REACH, worst.frame + POINT_REACH + 1))
        return [worst.frame]

    def _fix_on_tile(self, each: PointId, truth: TruthPoint, frame: int) -> int:
        if self._is_hidden(truth, frame):
            self._run(MarkPoints(each, frame, frame + 1, "occluded"))
        else:
            self._run(SetPoint(each, frame, truth.place(frame)))
        if self.tracker is not None:
            self.tracker.drain()
        return 1

    def _accept(self, each: PointId, frames: list[int]) -> None:
        accepted = [p for p in self.session.pending_points(each) if p.frame in frames]
        if accepted:
            self._run(AcceptPoints(each, accepted_run(accepted)))


class GalleryRater(CheckingRater):
    has_gallery = True


METHODS: dict[str, type[PointRater]] = {
    "interpolation": PointRater,
    "proposals": PointRater,
    "frame by frame": CheckingRater,
    "gallery": GalleryRater,
}


def objects_of(scene: TruthScene) -> Iterator[list[TruthPoint]]:
    """Yield the points of each object that are visible long enough to be judged."""
    for object_id in dict.fromkeys(point.object_id for point in scene.points):
        points = [
            p
            for p in scene.points
            if p.object_id == object_id and p.last_seen - p.first_seen > _SHORTEST
        ]
        if points:
            yield points[:MOST_POINTS]


def measure(scene: TruthScene) -> dict[str, list[Effort]]:
    """Annotate all points of a scene by every method."""
    use_threads(1)
    found: dict[str, list[Effort]] = {name: [] for name in METHODS}
    with tempfile.TemporaryDirectory() as folder:
        for name, efforts in found.items():
            for number, truths in enumerate(objects_of(scene)):
                project = create_project(Path(folder) / f"{name}{number}", title=name)
                assert project.add_videos([scene.video]).failed == ()
                session = project.open_task(project.tasks()[0].id)
                rater = METHODS[name](session, scene, truths)
                proposing = None
                if name != "interpolation":
                    workers: list[TrackerHere] = []

                    def make(reply, workers=workers):
                        workers.append(TrackerHere(scene.video, reply))
                        return workers[-1]

                    proposing = Proposing(session, make, post=lambda act: act())
                    rater.tracker = workers[0]
                efforts += rater.annotate()
                if proposing is not None:
                    proposing.close()
                project.close()
    return found


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.stdout.write("Left out: name a folder of scenes with known points.\n")
        return
    folder, names = Path(arguments[0]), set(arguments[1:])
    scenes = [s for s in read_scenes(folder) if not names or s.name in names]
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(measure, scenes))
    say = sys.stdout.write
    say("class      points  method         right at first  clicks/min to 95 %  to all\n")
    for profile in ["all", *sorted({s.profile for s in scenes})]:
        clicks: dict[str, list[float]] = {}
        for method in ("interpolation", "proposals"):
            rows = [e for r in results for e in r[method] if profile in ("all", e.profile)]
            minutes = sum(e.minutes for e in rows)
            clicks[method] = [sum(e.clicks[goal] for e in rows) / minutes for goal in GOALS]
            right = np.average([e.right_at_first for e in rows], weights=[e.minutes for e in rows])
            part, every = clicks[method]
            say(f"{profile:9} {len(rows):7}  {method:13} {right:15.3f} {part:19.1f} {every:7.1f}\n")
        ratios = np.array(clicks["proposals"]) / np.array(clicks["interpolation"])
        say(f"{profile:9} proposals / interpolation: {ratios[0]:.2f} and {ratios[1]:.2f}\n")
    say("class      method          gestures/min  right at first  at the end\n")
    for profile in ["all", *sorted({s.profile for s in scenes})]:
        for method in ("frame by frame", "gallery"):
            rows = [e for r in results for e in r[method] if profile in ("all", e.profile)]
            minutes = [e.minutes for e in rows]
            gestures = sum(e.gestures for e in rows) / sum(minutes)
            first = np.average([e.right_at_first for e in rows], weights=minutes)
            end = np.average([e.right_at_end for e in rows], weights=minutes)
            say(f"{profile:9}  {method:15}{gestures:13.1f}{first:16.3f}{end:12.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
