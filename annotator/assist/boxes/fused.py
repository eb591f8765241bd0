"""The tracker that runs unless another is chosen: several trackers, both ways, fused per gap.

Cheap trackers (points, dense flow, colors) run forward and backward between two human boxes; where
no path is sure CSRT runs both ways, too. After the last box (and before the first) all run in step,
and the likeliest box of each frame counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import (
    Box4,
    Floats,
    clip,
    from_box,
    inside_share,
    side,
    to_box,
)
from annotator.assist.boxes.colors import Colors
from annotator.assist.boxes.corners import Points
from annotator.assist.boxes.csrt import Csrt
from annotator.assist.boxes.fuse import fuse_all
from annotator.assist.boxes.leaving import GONE_CONFIDENCE, Leaving, away
from annotator.assist.boxes.onward import Onward, follow
from annotator.assist.boxes.path import Candidates, Chosen, choose
from annotator.assist.boxes.stretches import Stretch, stretches
from annotator.assist.camera import camera_of, carried_paths
from annotator.assist.flow import Flow
from annotator.assist.pictures import FrameSource, Pictures, View
from annotator.assist.protocol import Cancel, Stepper
from annotator.domain.proposals.boxes import Anchor, Proposed
from annotator.domain.proposals.runs import Origin

Make = Callable[[], Stepper]

VERSION: Final = "3"
_SURE: Final = 0.93
_VISIBLE_SHARE: Final = 0.2
_FIRST_TRUST: Final = 0.5  # in the agreement of a single tracker


class FusedTracker:
    """Points, dense flow and CSRT, both ways, fused where they agree."""

    name = "fused"
    title = "Fused trackers (forward and backward)"

    def needs(self) -> list[str]:
        return []

    def origin(self) -> Origin:
        return Origin(self.name, VERSION, {"members": ["colors", "points", "flow", "csrt"]})

    def propose(
        self,
        video: FrameSource,
        anchors: Sequence[Anchor],
        span: tuple[int, int],
        *,
        cancel: Cancel,
    ) -> Iterator[Proposed]:
        """Yield proposals: first what the forward pass sees, then, per gap, what both agree on."""
        return propose_with([Colors, Points, Flow], [Csrt], video, anchors, span, cancel=cancel)


def propose_with(
    always: Sequence[Make],
    doubtful: Sequence[Make],
    video: FrameSource,
    anchors: Sequence[Anchor],
    span: tuple[int, int],
    *,
    cancel: Cancel,
) -> Iterator[Proposed]:
    """Propose with trackers that always run and trackers that join where those disagree."""
    pictures = Pictures.of(video)
    for stretch in stretches(anchors, span):
        yield from _Solver(pictures, always, doubtful, cancel).solve(stretch)
        if cancel():
            return


class _Solver:
    def __init__(
        self,
        pictures: Pictures,
        always: Sequence[Make],
        doubtful: Sequence[Make],
        cancel: Cancel,
    ) -> None:
        self._pictures = pictures
        self._always = always
        self._doubtful = doubtful
        self._cancel = cancel

    def solve(self, stretch: Stretch) -> Iterator[Proposed]:
        """Yield proposals for one stretch."""
        lower, upper = stretch.lower, stretch.upper
        first = from_box(lower.box if lower else None)
        last = from_box(upper.box if upper else None)
        ahead, back = not np.isnan(first[0]), not np.isnan(last[0])
        if lower and upper and ahead and back:
            yield from self._between(range(lower.frame, upper.frame + 1), first, last)
        elif lower and ahead:
            yield from self._onward(
                range(lower.frame, stretch.end), first, is_gone=upper is not None
            )
        elif upper and back:
            frames = range(upper.frame, stretch.start - 1, -1)
            yield from self._onward(frames, last, is_gone=lower is not None)
        else:
            for frame in range(stretch.start, stretch.end):
                yield Proposed(frame, None, 1.0)

    def _onward(self, frames: Sequence[int], start: Box4, *, is_gone: bool) -> Iterator[Proposed]:
        """One way from one anchor; `is_gone`: at the far end the object is known to be out of view.

        Then it has gone after the last frame on which it was whole or looked like itself.
        """
        team = [make() for make in (*self._always, *self._doubtful)]
        following = Onward(self._pictures, team, frames[0], start)
        since: list[Proposed] = []
        leaving = Leaving()
        left_at = start
        for frame in frames[1:]:
            if self._cancel():
                return
            found = following.step(frame)
            if leaving.is_away and (again := following.find_again(frame, left_at)) is not None:
                found = again
            proposed = self._proposed(frame, found.box, found.confidence)
            if found.is_hidden and proposed.box is not None:
                proposed = proposed._replace(occluded=True)
            if leaving.see(inside_share(found.box, self._pictures.size), found.alike):
                proposed = Proposed(frame, None, GONE_CONFIDENCE)
            else:
                left_at = found.box
            since = [] if leaving.is_surely_here(found.alike) else [*since, proposed]
            yield proposed
        if is_gone:
            for proposed in since:
                yield Proposed(proposed.frame, None, max(GONE_CONFIDENCE, 1 - proposed.confidence))

    def _between(self, frames: range, first: Box4, last: Box4) -> Iterator[Proposed]:
        """Both ways between two boxes; at once what the first tracker sees, later what all do."""
        view = self._pictures.view((side(first) + side(last)) / 2)
        for frame in frames:  # both passes at once would decode back and forth
            if self._cancel():
                return
            view.colour(frame)
        pairs: list[tuple[Box4, Box4]] = []
        for make in self._always:
            pair = self._both_ways(make, view, frames, first, last)
            if pair is None:
                return
            pairs.append(pair)
            if len(pairs) == 1 < len(self._always):
                path, agreement = fuse_all(pairs)
                yield from self._inner(frames, path, agreement * _FIRST_TRUST)
        chosen = self._chosen(view, frames, pairs, first, last)
        if self._doubtful and chosen.confidence[1:-1].min() < _SURE:
            yield from self._inner(frames, chosen.path, chosen.confidence)
            for make in self._doubtful:
                pair = self._both_ways(make, view, frames, first, last)
                if pair is None:
                    return
                pairs.append(pair)
            chosen = self._chosen(view, frames, pairs, first, last)
        path, sure = chosen.path, chosen.confidence
        gone = away(view, frames, self._pictures.size, *pairs[-1])
        path[gone], sure[gone] = np.nan, GONE_CONFIDENCE
        yield from self._inner(frames, path, sure, chosen.is_hidden)

    def _chosen(
        self,
        view: View,
        frames: range,
        pairs: Sequence[tuple[Box4, Box4]],
        first: Box4,
        last: Box4,
    ) -> Chosen:
        fused, agreement = fuse_all(list(pairs))
        carried = carried_paths(camera_of(self._pictures), frames, first, last)
        return choose(view, frames, Candidates(fused, agreement, pairs, carried))

    def _inner(
        self,
        frames: range,
        path: Box4,
        agreement: Floats,
        is_hidden: NDArray[np.bool_] | None = None,
    ) -> Iterator[Proposed]:
        """The frames between the two human boxes."""
        for i, frame in enumerate(frames[1:-1], start=1):
            proposed = self._proposed(frame, path[i], float(agreement[i]))
            if is_hidden is not None and is_hidden[i] and proposed.box is not None:
                proposed = proposed._replace(occluded=True)
            yield proposed

    def _both_ways(
        self, make: Make, view: View, frames: range, first: Box4, last: Box4
    ) -> tuple[Box4, Box4] | None:
        """Run both passes at the same time: OpenCV lets go of the interpreter while it works."""
        with ThreadPoolExecutor(1) as thread:
            later = thread.submit(follow, make(), view, frames[::-1], last, cancel=self._cancel)
            forward = follow(make(), view, frames, first, cancel=self._cancel)
            backward = later.result()
        if forward is None or backward is None:
            return None
        return forward[0], backward[0][::-1]

    def _proposed(self, frame: int, box: Box4, sure: float) -> Proposed:
        size = self._pictures.size
        if not np.isfinite(box).all() or inside_share(box, size) < _VISIBLE_SHARE:
            return Proposed(frame, None, min(sure, 0.5))
        return Proposed(frame, to_box(clip(box, size)), float(np.clip(sure, 0.0, 1.0)))
