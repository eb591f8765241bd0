"""The tracker that runs unless another is chosen: several trackers, both ways, fused per gap.

Cheap trackers (points, dense flow) run forward and backward between two human boxes; where they
do not agree CSRT runs both ways, too. After the last box (and before the first) all run in step
and the consensus counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from annotator.assist.boxes.corners import Points
from annotator.assist.boxes.csrt import Csrt
from annotator.assist.boxes.fuse import fuse_all
from annotator.assist.boxes.leaving import GONE_CONFIDENCE, Leaving, away
from annotator.assist.boxes.path import Candidates, Chosen, choose
from annotator.assist.boxes.stretches import Stretch, stretches
from annotator.assist.boxes.team import follow, stream
from annotator.assist.camera import camera_of, carried_paths
from annotator.assist.flow import Flow
from annotator.assist.pictures import FrameSource, Pictures, View
from annotator.assist.protocol import Cancel, Stepper
from annotator.domain.proposals.boxes import Anchor, Origin, Proposed

Make = Callable[[], Stepper]

VERSION: Final = "2"
_SURE: Final = 0.93
_VISIBLE_SHARE: Final = 0.2


class FusedTracker:
    """Points, dense flow and CSRT, both ways, fused where they agree."""

    name = "fused"
    title = "Fused trackers (forward and backward)"

    def needs(self) -> list[str]:
        return []

    def origin(self) -> Origin:
        return Origin(self.name, VERSION, {"members": ["points", "flow", "csrt"]})

    def propose(
        self,
        video: FrameSource,
        anchors: Sequence[Anchor],
        span: tuple[int, int],
        *,
        cancel: Cancel,
    ) -> Iterator[Proposed]:
        """Yield proposals: first what the forward pass sees, then, per gap, what both agree on."""
        return propose_with([Points, Flow], [Csrt], video, anchors, span, cancel=cancel)


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
        view = self._pictures.view(side(start))
        team = [make() for make in (*self._always, *self._doubtful)]
        since: list[Proposed] = []
        leaving = Leaving()
        for frame, found, sure, alike in stream(team, view, frames, start, cancel=self._cancel):
            proposed = self._proposed(frame, found, sure)
            if leaving.see(inside_share(found, self._pictures.size), alike):
                proposed = Proposed(frame, None, GONE_CONFIDENCE)
            since = [] if leaving.is_surely_here(alike) else [*since, proposed]
            yield proposed
        if is_gone and not self._cancel():
            for proposed in since:
                yield Proposed(proposed.frame, None, max(GONE_CONFIDENCE, 1 - proposed.confidence))

    def _between(self, frames: range, first: Box4, last: Box4) -> Iterator[Proposed]:
        """Both ways between two boxes."""
        view = self._pictures.view((side(first) + side(last)) / 2)
        pairs = []
        for make in self._always:
            pair = self._both_ways(make, view, frames, first, last)
            if pair is None:
                return
            pairs.append(pair)
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
        forward = follow(make(), view, frames, first, cancel=self._cancel)
        if forward is None:
            return None
        backward = follow(make(), view, frames[::-1], last, cancel=self._cancel)
        return None if backward is None else (forward[0], backward[0][::-1])

    def _proposed(self, frame: int, box: Box4, sure: float) -> Proposed:
        size = self._pictures.size
        if not np.isfinite(box).all() or inside_share(box, size) < _VISIBLE_SHARE:
            return Proposed(frame, None, min(sure, 0.5))
        return Proposed(frame, to_box(clip(box, size)), float(np.clip(sure, 0.0, 1.0)))
