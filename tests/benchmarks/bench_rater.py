"""A simulated rater draws box tracks with the program's own commands; counts gestures.

Run as ``python -m tests.benchmarks.bench_rater FOLDER [SCENE ...]`` on scenes with known boxes (see
`truth_scenes`); without a folder nothing is measured. The rater works as the guide teaches: the
first box; every grid frame, accepting a proposal with IoU >= 0.7 and redrawing any other; then the
frames of least confidence, until 95 % of the frames have IoU >= 0.7; then accepting all. In the
gallery of proposals the rater sees twelve frames at a time, draws on those with IoU < 0.7, and
accepts the others with one key. Another rater accepts all proposals at once ("later"), plays the
video, and corrects each wrong stretch a third of a second after it begins. The same rater without
proposals uses interpolation as in CVAT, and redraws the middle of the longest bad stretch: that is
the reference of the ratio.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from annotator.assist import Pictures, propose, propose_points, use_threads
from annotator.domain.annotation.track import Source, Track
from annotator.domain.commands import (
    AcceptProposals,
    CreateTrack,
    SetAbsentBefore,
    SetKeyframe,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId, track_id
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from annotator.domain.proposals.gallery import grid_frames, next_frames
from annotator.domain.proposals.runs import Suggestion
from annotator.media import Video
from annotator.services.assist.messages import (
    AnyRequest,
    ProposalBatch,
    Reply,
    Request,
    RequestEnd,
    row_type,
)
from annotator.services.assist.proposal_updates import Proposing
from annotator.services.project.projects import create_project
from annotator.services.session import Session
from tests.benchmarks.truth_scenes import TruthObject, TruthScene, read_scenes

GRID_S = 1.0
PER_PAGE = 12
GOOD, TIGHT, GOAL = 0.7, 0.85, 0.95
NOTICED, TOGETHER = 10, 3  # frames until an error is noticed; corrections before all is accepted


@dataclass
class Effort:
    """What one object took: boxes drawn, all gestures, keyframes, and how good the track is.

    ``n_right`` proposals had IoU >= 0.7 before corrections, of which ``n_spoiled`` had less after.
    """

    profile: str
    minutes: float
    n_drawn: int = 0
    n_gestures: int = 0
    n_keyframes: int = 0
    good: float = 0.0
    tight: float = 0.0
    n_right: int = 0
    n_spoiled: int = 0


class TrackerHere:
    """Runs trackers in this process, when asked to: `drain` answers all requests there are."""

    def __init__(self, video: Path, on_reply: Callable[[Reply], None]) -> None:
        self._pictures = Pictures(Video(video))
        self._on_reply = on_reply
        self._requests: list[AnyRequest] = []
        self._canceled: set[int] = set()

    def run(self, request: AnyRequest) -> None:
        self._requests.append(request)

    def cancel(self, request_id: int) -> None:
        self._canceled.add(request_id)

    def close(self) -> None:
        self._requests.clear()

    def drain(self) -> None:
        while self._requests:
            request = self._requests.pop(0)
            is_canceled = request.id in self._canceled
            if not is_canceled:
                width = 4 if isinstance(request, Request) else 2
                rows = [
                    (gap, p.frame, p.place or (np.nan,) * width, p.confidence, p.occluded)
                    for gap, p in self._proposals(request)
                ]
                batch = np.array(rows, row_type(width)).tobytes()
                self._on_reply(ProposalBatch(request.id, width, batch))
            origin = (request.tracker, "", msgspec.json.encode({}))
            self._on_reply(RequestEnd(request.id, origin, is_canceled))

    def _proposals(self, request: AnyRequest) -> Iterator[tuple[int, Suggestion]]:
        span = request.start, request.end
        if isinstance(request, Request):
            anchors = [Anchor(f, Box(*b) if b else None) for f, b in request.anchors]
            for proposed in propose(self._pictures, anchors, span):
                yield 0, proposed
        else:
            paths = {
                str(i): [(frame, Point(x, y)) for frame, x, y in path]
                for i, path in enumerate(request.paths)
            }
            for name, point in propose_points(self._pictures, paths, span):
                yield int(name), point


class Rater:
    """Draws one object of a scene in a session; ``tracker`` is None for plain interpolation."""

    def __init__(self, session: Session, truth: TruthObject, effort: Effort) -> None:
        self.session = session
        self.truth = truth
        self.effort = effort
        self.track: TrackId = track_id()
        self.tracker: TrackerHere | None = None
        self.seen: set[int] = set()

    def draw_object(self) -> None:
        """Do the whole object, and note the effort."""
        first, n = self.truth.first_frame, len(self.truth.boxes)
        box = self.truth.boxes[first]
        assert box is not None
        self._do(CreateTrack(self.track, "object", first, box), is_drawn=True)
        if self.tracker is not None and first:
            self._do(SetAbsentBefore(self.track))  # the object appears on this frame
        self._look(first, n)
        self._correct_the_rest(first, n)
        if self.tracker is not None and (waiting := self.session.pending(self.track)):
            self._do(AcceptProposals(self.track, tuple(waiting)))
        overlaps = [self._overlap(frame) for frame in range(first, n)]
        self.effort.good = float(np.mean([v >= GOOD for v in overlaps]))
        self.effort.tight = float(np.mean([v >= TIGHT for v in overlaps]))
        self.effort.n_keyframes = len(self.session.document.track(self.track).keyframes)

    def _look(self, first: int, n: int) -> None:
        """Go through the grid frames."""
        step = round(GRID_S * self.session.document.video.n_frames / self._seconds())
        for frame in range(first + step, n, step):
            if self._is_bad(frame):
                self._correct(frame)
            elif self.tracker is not None and self._pending(frame) is not None:
                self._accept(frame)

    def _too_many_bad(self, first: int, n: int) -> list[int]:
        """Return the bad frames, none if there are few enough."""
        bad = [frame for frame in range(first, n) if self._is_bad(frame)]
        return bad if len(bad) > (1 - GOAL) * (n - first) else []

    def _correct_the_rest(self, first: int, n: int) -> None:
        seen = self.seen
        while bad := self._too_many_bad(first, n):
            frame = self._next_doubtful(seen) if self.tracker is not None else None
            if frame is None:
                frame = middle_of_longest(bad)
            seen.add(frame)
            if self._is_bad(frame):
                self._correct(frame)
            else:
                self.effort.n_gestures += 1  # a look at a frame that turns out to be good

    def _next_doubtful(self, seen: set[int]) -> int | None:
        """Return the least confident frame that is not beside one that was looked at."""
        waiting = [
            p
            for p in self.session.pending(self.track)
            if p.confidence < 0.9 and all(abs(p.frame - f) > 3 for f in seen)
        ]
        return min(waiting, key=lambda p: (p.confidence, p.frame)).frame if waiting else None

    def _correct(self, frame: int) -> None:
        right = {f for f in self._proposed_frames() if not self._is_bad(f)}
        self._set(frame)
        after = [self._is_bad(f) for f in self._proposed_frames() if f in right]
        self.effort.n_right += len(after)
        self.effort.n_spoiled += sum(after)

    def _proposed_frames(self) -> list[int]:
        """Return the frames with a proposal; none without a tracker."""
        waiting = self.session.pending(self.track) if self.tracker is not None else []
        return [p.frame for p in waiting]

    def _set(self, frame: int) -> None:
        box = self.truth.boxes[frame]
        if box is None:
            self._do(self.session.outside_command(self.track, frame, True), is_drawn=True)
        else:
            self._do(self.session.box_command(self.track, frame, box), is_drawn=True)

    def _accept(self, frame: int) -> None:
        proposed = self._pending(frame)
        assert proposed is not None
        if proposed.box is None:
            self._do(self.session.outside_command(self.track, frame, True, Source.ACCEPTED))
        else:
            self._do(SetKeyframe(self.track, frame, proposed.box, source=Source.ACCEPTED))

    def _do(self, command: object, *, is_drawn: bool = False) -> None:
        self.session.run(command)  # type: ignore[arg-type]
        self.effort.n_gestures += 1
        self.effort.n_drawn += is_drawn
        if self.tracker is not None:
            self.tracker.drain()

    def _pending(self, frame: int):
        return self.session.pending_at(self.track, frame)

    def _overlap(self, frame: int) -> float:
        proposed = self._pending(frame) if self.tracker is not None else None
        state = self.session.document.track(self.track).state_at(frame)
        shown, true = proposed.box if proposed is not None else state.box, self.truth.boxes[frame]
        if shown is None or true is None:
            return float(shown is None and true is None)
        return shown.iou(true)

    def _is_bad(self, frame: int) -> bool:
        return self._overlap(frame) < GOOD

    def _seconds(self) -> float:
        return self.session.document.video.duration_s


class GalleryRater(Rater):
    """Looks at many frames at once, as in the gallery of proposals."""

    def _look(self, first: int, n: int) -> None:
        step = self.session.document.video.grid_step
        while True:
            frames = self._next_frames()
            is_grid = any(frame % step == 0 for frame in frames)
            if not frames or (not is_grid and not self._too_many_bad(first, n)):
                return
            self.seen.update(frames)
            while bad := [frame for frame in frames if self._is_bad(frame)]:
                self._correct(bad[0])
            # With the last frames all others are accepted.
            is_last = len(frames) < PER_PAGE and not self._next_frames()
            accepted = tuple(p for p in self._state()[1] if is_last or p.frame in frames)
            if accepted:
                self._do(AcceptProposals(self.track, accepted))
            else:
                self.effort.n_gestures += 1

    def _next_frames(self) -> list[int]:
        track, pending = self._state()
        video = self.session.document.video
        grid = grid_frames(track, self._pending, grid_step=video.grid_step, n_frames=video.n_frames)
        return next_frames(
            track, pending, grid, grid_step=video.grid_step, seen=self.seen, limit=PER_PAGE
        )

    def _state(self) -> tuple[Track, list[Proposed]]:
        return self.session.document.track(self.track), self.session.pending(self.track)


class LaterRater(Rater):
    """Accepts everything unseen, and corrects it while the video is played."""

    def _look(self, first: int, n: int) -> None:
        self._accept_all()

    def _correct_the_rest(self, first: int, n: int) -> None:
        for number in itertools.count(1):
            bad = self._too_many_bad(first, n)
            if not bad:
                return
            self._correct(next(f for f in bad if f >= bad[0] + NOTICED or f + 1 not in bad))
            if number % TOGETHER == 0:
                self._accept_all()

    def _accept_all(self) -> None:
        step = self.session.document.video.grid_step
        if waiting := self.session.pending(self.track):
            unseen = tuple(p.frame for p in waiting if p.frame % step == 0)
            self._do(AcceptProposals(self.track, tuple(waiting), unseen=unseen))


def middle_of_longest(frames: list[int]) -> int:
    """Return the frame in the middle of the longest stretch of frames, which are ascending."""
    runs = np.split(np.array(frames), np.flatnonzero(np.diff(frames) > 1) + 1)
    longest = max(runs, key=len)
    return int(longest[len(longest) // 2])


METHODS = {"interpolation": Rater, "proposals": Rater, "gallery": GalleryRater, "later": LaterRater}


def measure(scene: TruthScene) -> dict[str, list[Effort]]:
    """Draw all objects of a scene, with and without proposals."""
    use_threads(1)
    found: dict[str, list[Effort]] = {name: [] for name in METHODS}
    with tempfile.TemporaryDirectory() as folder:
        for name, efforts in found.items():
            for number, truth in enumerate(scene.objects):
                project = create_project(Path(folder) / f"{name}{number}", title=name)
                assert project.add_videos([scene.video]).failed == ()
                session = project.open_task(project.tasks()[0].id)
                n = len(truth.boxes) - truth.first_frame
                effort = Effort(scene.profile, n / scene.rate / 60)
                rater = METHODS[name](session, truth, effort)
                proposing = None
                if name != "interpolation":
                    proposing = Proposing(
                        session,
                        lambda reply: _keep(rater, TrackerHere(scene.video, reply)),  # noqa: B023
                        post=lambda act: act(),
                    )
                    proposing.look(rater.track, 0)  # the object is selected
                rater.draw_object()
                efforts.append(effort)
                if proposing is not None:
                    proposing.close()
                project.close()
    return found


def _keep(rater: Rater, tracker: TrackerHere) -> TrackerHere:
    rater.tracker = tracker
    return tracker


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.stdout.write("Left out: name a folder of scenes with known boxes.\n")
        return
    folder, names = Path(arguments[0]), set(arguments[1:])
    scenes = [s for s in read_scenes(folder) if not names or s.name in names]
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(measure, scenes))
    say = sys.stdout.write
    say("class     objects  method         drawn/min  gestures/min  keyframes/min")
    say("  IoU>=0.7  IoU>=0.85\n")
    for profile in ["all", *sorted({s.profile for s in scenes})]:
        drawn = {}
        for method in METHODS:
            rows = [e for r in results for e in r[method] if profile in ("all", e.profile)]
            minutes = sum(e.minutes for e in rows)
            drawn[method] = sum(e.n_drawn for e in rows) / minutes
            gestures = sum(e.n_gestures for e in rows) / minutes
            keys = sum(e.n_keyframes for e in rows) / minutes
            good = np.average([e.good for e in rows], weights=[e.minutes for e in rows])
            tight = np.average([e.tight for e in rows], weights=[e.minutes for e in rows])
            say(
                f"{profile:9} {len(rows):7}  {method:13} {drawn[method]:10.1f} {gestures:13.1f}"
                f" {keys:14.1f} {good:9.3f} {tight:10.3f}\n"
            )
        for method in ("proposals", "gallery", "later"):
            say(f"{profile:9} drawn, {method} / interpolation: ")
            say(f"{drawn[method] / drawn['interpolation']:.2f}\n")
            rows = [e for r in results for e in r[method] if profile in ("all", e.profile)]
            share = sum(e.n_spoiled for e in rows) / max(1, sum(e.n_right for e in rows))
            say(f"{profile:9} right proposals that a correction spoiled, {method}: {share:.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
