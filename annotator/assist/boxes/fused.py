"""The tracker that runs unless another is chosen: several trackers, both ways, fused per gap.

Cheap trackers (points, dense flow, colors) run forward and backward between two human boxes; where
no path is sure CSRT runs both ways, too, on every second frame. After the last box (and before the
first) all run in step, and the likeliest box of each frame counts. Its sides are moved to the edges
of the object.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.appearance import has_lookalike, likeness, patch
from annotator.assist.boxes.arrays import (
    Box4,
    Floats,
    between,
    clip,
    from_box,
    inside_share,
    iou,
    side,
    to_box,
)
from annotator.assist.boxes.colors import Colors
from annotator.assist.boxes.object_search import FOUND, SEARCH_STEP, Match, ObjectSearch
from annotator.assist.boxes.one_way import Csrt, Flow, Points
from annotator.assist.boxes.onward import (
    Onward,
    Pair,
    both_ways,
    follow,
    following,
    paths_of,
)
from annotator.assist.boxes.other_objects import NO_OTHERS, OtherObjects
from annotator.assist.boxes.path import (
    AppearanceMatcher,
    Candidates,
    Chosen,
    choose,
    doubted,
)
from annotator.assist.boxes.refinement import refine_path
from annotator.assist.camera import camera_of, carried_paths
from annotator.assist.pictures import FrameSource, Pictures, View
from annotator.assist.protocol import Cancel, Stepper
from annotator.domain.proposals.box_proposals import Anchor, Proposed, nearest_boxes
from annotator.domain.proposals.runs import Origin


class BoxGap(NamedTuple):
    """Frames ``start <= f < end`` without anchor, with the anchors that bound them, if any."""

    start: int
    end: int
    lower: Anchor | None
    upper: Anchor | None


def stretches(anchors: Sequence[Anchor], span: tuple[int, int]) -> list[BoxGap]:
    """Return the stretches that overlap a half-open span, ascending.

    A stretch between two anchors is returned whole even where the span covers a part of it, since
    both passes need all of it; before the first and after the last anchor it is cut to the span.
    """
    start, end = span
    unique_anchors = sorted({a.frame: a for a in anchors}.values(), key=lambda a: a.frame)
    if not unique_anchors or start >= end:
        return []
    gaps = []
    first, last = unique_anchors[0], unique_anchors[-1]
    if start < first.frame:
        gaps.append(BoxGap(start, first.frame, None, first))
    for lower, upper in pairwise(unique_anchors):
        inside = lower.frame + 1 < upper.frame
        if inside and lower.frame + 1 < end and start < upper.frame:
            gaps.append(BoxGap(lower.frame + 1, upper.frame, lower, upper))
    if last.frame + 1 < end:
        gaps.append(BoxGap(last.frame + 1, end, last, None))
    return gaps


GONE_CONFIDENCE: Final = 0.4
# It leaves when its box is cut by the picture's edge and no longer looks like it.
_GONE_LIKENESS: Final = 0.36
_GONE_SHARE: Final = 0.65
_GONE_SHARE_BOTH: Final = 0.92  # where both passes must say so, any cut will do
# Trackers wander when their object has left: it is back when it looks like itself again.
_BACK_LIKENESS: Final = 0.5
# The object leaves later without being cut by the edge: below this value it is absent.
_LOST_LIKENESS: Final = 0.1
_WHOLE_SHARE: Final = 0.8


class Leaving:
    """Follows whether one tracked object is in the picture, frame by frame."""

    def __init__(self, *, gone_share: float = _GONE_SHARE) -> None:
        """Below `gone_share` of its area inside, a box counts as cut enough to have left."""
        self._gone_share = gone_share
        self.is_away = False
        self._was_cut = False

    def see(self, inside: float, alike: float) -> bool:
        """Take in how much of the box is inside and how it looks; return whether it is away."""
        self._was_cut = self._was_cut or inside < _WHOLE_SHARE
        if self.is_away:
            self.is_away = alike < _BACK_LIKENESS
        else:
            self.is_away = alike < _GONE_LIKENESS and inside < self._gone_share
        return self.is_away

    def is_surely_here(self, alike: float) -> bool:
        """Whether it is there even though it is known to leave later on."""
        return alike > (_BACK_LIKENESS if self._was_cut else _LOST_LIKENESS)


def away(
    view: View,
    frames: Sequence[int],
    size: tuple[int, int],
    forward: Box4,
    backward: Box4,
    *,
    cancel: Cancel,
) -> NDArray[np.bool_]:
    """Return on which frames neither pass [n, 4] of a tracker sees the object in the picture.

    Once canceled it counts as seen.
    """
    if min(inside_share(box, size) for box in (*forward, *backward)) >= _GONE_SHARE_BOTH:
        return np.zeros(len(frames), bool)
    later = _away_one_way(view, frames, size, forward, cancel)
    earlier = _away_one_way(view, frames[::-1], size, backward[::-1], cancel)[::-1]
    return later & earlier


def _away_one_way(
    view: View, frames: Sequence[int], size: tuple[int, int], path: Box4, cancel: Cancel
) -> NDArray[np.bool_]:
    leaving = Leaving(gone_share=_GONE_SHARE_BOTH)
    first = patch(view.color(frames[0]), view.inward(path[0]))
    found = []
    for frame, box in zip(frames, path, strict=True):
        if cancel():
            return np.zeros(len(frames), bool)
        inside = inside_share(box, size)
        if leaving.is_away or inside < _GONE_SHARE_BOTH:
            alike = likeness(first, patch(view.color(frame), view.inward(box)))
            leaving.see(inside, alike)
        found.append(leaving.is_away)
    return np.array(found)


_LINEAR_AGREEMENT: Final = 0.1


def fuse_pair(forward: Box4, backward: Box4) -> tuple[Box4, Floats]:
    """Fuse two passes over frames a..b, both [n + 1, 4].

    `forward[0]` and `backward[-1]` are the human boxes. Returns the path and the agreement of the
    passes at each frame, 0..1.
    """
    agreement = iou(forward, backward)
    n = len(forward) - 1
    share = np.linspace(0.0, 1.0, n + 1)[:, None]
    straight_forward = forward + (backward[-1] - forward[-1]) * share
    straight_backward = backward + (forward[0] - backward[0]) * (1 - share)
    missed = min(agreement[0], agreement[-1])
    residual = (1 - share) * straight_forward + share * straight_backward
    if missed > 0.5:
        return residual, agreement
    at = int(np.argmax(agreement[1:-1])) + 1 if n > 1 else 1
    switched = np.concatenate([forward[: at + 1], backward[at + 1 :]])
    return switched, agreement


def fuse_all(pairs: list[tuple[Box4, Box4]]) -> tuple[Box4, Floats]:
    """Average the fused paths of several trackers, weighted by how well each agrees with itself."""
    first, last = pairs[0][0][0], pairs[0][1][-1]
    n = len(pairs[0][0]) - 1
    paths = [between(first, last, n)]
    weights = [np.full(n + 1, _LINEAR_AGREEMENT**4)]
    agreements = []
    for forward, backward in pairs:
        path, agreement = fuse_pair(forward, backward)
        paths.append(path)
        weights.append(np.full(n + 1, agreement.mean() ** 4))
        agreements.append(agreement)
    stack, weight = np.stack(paths), np.stack(weights)
    fused = (stack * weight[..., None]).sum(axis=0) / weight.sum(axis=0)[:, None]
    return fused, np.max(agreements, axis=0)


Make = Callable[[], Stepper]

VERSION: Final = "11"
SLOW_STEP: Final = 2
"""Frames by which the trackers that join where others disagree go on between two boxes."""
# Dense flow follows the background when its object has left.
_SEE_LEAVING: Final = (Points, Csrt)
_SURE: Final = 0.93
_VISIBLE_SHARE: Final = 0.2
_HEAD_START: Final = 5  # frames
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
        """Yield proposals: first those of the forward pass, then the fused ones per gap."""
        return self.propose_avoiding(video, anchors, span, NO_OTHERS, cancel=cancel)

    def propose_avoiding(
        self,
        video: FrameSource,
        anchors: Sequence[Anchor],
        span: tuple[int, int],
        others: OtherObjects,
        *,
        cancel: Cancel,
    ) -> Iterator[Proposed]:
        """Yield proposals as `propose` does, but avoid other objects that look alike."""
        cheap: list[Make] = [Colors, Points, Flow]
        return propose_with(cheap, [Csrt], video, anchors, span, others, cancel=cancel)


def propose_with(
    always: Sequence[Make],
    doubtful: Sequence[Make],
    video: FrameSource,
    anchors: Sequence[Anchor],
    span: tuple[int, int],
    others: OtherObjects = NO_OTHERS,
    *,
    cancel: Cancel,
) -> Iterator[Proposed]:
    """Propose with trackers that always run and trackers that join where those disagree."""
    pictures = Pictures.of(video)
    clear_objects = others.not_overlapping((a.frame, from_box(a.box)) for a in anchors)
    for stretch in stretches(anchors, span):
        yield from _Solver(pictures, always, doubtful, cancel, anchors, clear_objects).solve(
            stretch
        )
        if cancel():
            return


class _Solver:
    def __init__(
        self,
        pictures: Pictures,
        always: Sequence[Make],
        doubtful: Sequence[Make],
        cancel: Cancel,
        anchors: Sequence[Anchor],
        others: OtherObjects,
    ) -> None:
        self._pictures = pictures
        self._always = always
        self._doubtful = doubtful
        self._cancel = cancel
        self._anchors = anchors
        self._others = others

    def solve(self, stretch: BoxGap) -> Iterator[Proposed]:
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
        elif lower and not upper:
            yield from self._until_return(range(lower.frame, stretch.end))
        else:
            for frame in range(stretch.start, stretch.end):
                yield Proposed(frame, None, 1.0)

    def _until_return(self, frames: range) -> Iterator[Proposed]:
        """Search for an object that is out of view on the first frame, and follow it from there."""
        search = self._search(frames[0])
        for frame in frames[1:]:
            if self._cancel():
                return
            match = None
            if search is not None and (frame - frames[0]) % SEARCH_STEP == 0:
                match = search.find(frame)
            if match is not None:
                yield from self._from_match(range(frame, frames.stop), match)
                return
            yield Proposed(frame, None, 1.0)

    def _from_match(self, frames: range, match: Match) -> Iterator[Proposed]:
        """Follow an object from where it was found; the confidence is at most that of the place."""
        most = match.chance * FOUND
        yield self._proposed(frames[0], match.box, most)
        for later in self._onward(frames, match.box, is_gone=False):
            yield later._replace(confidence=min(later.confidence, most))

    def _search(self, left: int) -> ObjectSearch | None:
        """Return the search for an object that has left on a frame; None if it is not unique."""
        looks = [(a.frame, from_box(a.box)) for a in nearest_boxes(self._anchors, left)]
        if not looks:
            return None
        (frame, box), size = looks[0], self._pictures.size
        view = self._pictures.view(side(box))
        if has_lookalike(view, frame, box, size):
            return None
        search = ObjectSearch(view, size, frame, box, looks[1:])
        search.leave(left)
        return search

    def _onward(self, frames: Sequence[int], start: Box4, *, is_gone: bool) -> Iterator[Proposed]:
        """Follow an object one way from one anchor; `is_gone`: it is out of view at the far end.

        It is then taken as gone after the last frame on which it was fully visible or looked like
        itself.
        """
        team = [make() for make in (*self._always, *self._doubtful)]
        near_anchors = nearest_boxes(self._anchors, frames[0])
        looks = [(other.frame, from_box(other.box)) for other in near_anchors]
        view = self._pictures.view(side(start))
        lookalikes = self._others.lookalikes(view, frames[0], start)
        onward = Onward(self._pictures, team, frames[0], start, looks, lookalikes)
        since: list[Proposed] = []
        leaving = Leaving()
        left_at = start
        for frame in frames[1:]:
            if self._cancel():
                return
            step_result = onward.step(frame)
            if leaving.is_away and (found_again := onward.find_again(frame, left_at)) is not None:
                step_result = found_again
            proposed = self._proposed(frame, step_result.box, step_result.confidence)
            if step_result.is_hidden and proposed.box is not None:
                proposed = proposed._replace(occluded=True)
            if leaving.see(inside_share(step_result.box, self._pictures.size), step_result.alike):
                proposed = Proposed(frame, None, GONE_CONFIDENCE)
            else:
                left_at = step_result.box
            since = [] if leaving.is_surely_here(step_result.alike) else [*since, proposed]
            yield proposed
        if is_gone:
            for proposed in since:
                yield Proposed(proposed.frame, None, max(GONE_CONFIDENCE, 1 - proposed.confidence))

    def _between(self, frames: range, first: Box4, last: Box4) -> Iterator[Proposed]:
        """Both ways between two boxes; at once what the first tracker sees, later what all do."""
        view = self._pictures.view((side(first) + side(last)) / 2)
        lead = yield from self._first_look(self._always[0], view, frames, first, last)
        supporting = both_ways(self._always[1:], view, frames, first, last, cancel=self._cancel)
        if lead is None or supporting is None:
            return
        pairs = [lead, *supporting]
        camera = camera_of(self._pictures)
        camera.prepare(frames, self._cancel)
        if self._cancel():
            return
        carried = carried_paths(camera, frames, first, last)
        matcher = AppearanceMatcher(view, frames, first, last, self._cancel)
        lookalikes = self._others.lookalikes(view, frames[0], first)

        def choice() -> Chosen:
            return choose(Candidates(*fuse_all(pairs), pairs, carried), matcher, lookalikes)

        def fitted(chosen: Chosen) -> Chosen:
            return doubted(refine_path(view, frames, chosen, self._cancel), frames, lookalikes)

        chosen = choice()
        if self._cancel():
            return
        if self._doubtful:
            path, sure, _ = doubted(chosen, frames, lookalikes)
            if sure[1:-1].min() >= _SURE:
                yield from self._inner(frames, *fitted(chosen))
                return
            yield from self._inner(frames, path, sure)
            doubtful = both_ways(
                self._doubtful, view, frames, first, last, cancel=self._cancel, step=SLOW_STEP
            )
            if doubtful is None:
                return
            pairs += doubtful
            chosen = fitted(choice())
        path, sure = chosen.path, chosen.confidence
        makes = [*self._always, *self._doubtful]
        for i in [i for i, make in enumerate(makes) if make in _SEE_LEAVING] or [-1]:
            places_gone = away(view, frames, self._pictures.size, *pairs[i], cancel=self._cancel)
            path[places_gone], sure[places_gone] = np.nan, GONE_CONFIDENCE
        if self._cancel():
            return
        yield from self._inner(frames, path, sure, chosen.is_hidden)

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

    def _first_look(
        self, make: Make, view: View, frames: range, first: Box4, last: Box4
    ) -> Generator[Proposed, None, Pair | None]:
        """Run the first tracker both ways; yield what the forward pass sees, then both joined.

        The backward pass starts a moment later, since it keeps the decoder busy up to its first
        frame. Where all pictures fit into memory it reads along first: each is decoded once.
        """
        is_held = self._pictures.can_hold(len(frames), view.level)

        def back() -> list[Box4] | None:
            for frame in frames if is_held else ():
                if self._cancel():
                    return None
                view.hold(frame)
            return follow([make()], view, frames[::-1], last, cancel=self._cancel)

        head_start = min(_HEAD_START, len(frames) - 1)
        with ThreadPoolExecutor(1) as thread:
            steps: list[list[tuple[Box4, float]]] = []
            for step in following([make()], view, frames, first, cancel=self._cancel):
                frame, (box, trust) = frames[len(steps)], step[0]
                if len(steps) == head_start:
                    later = thread.submit(back)
                steps.append(step)
                if frames[0] < frame < frames[-1]:
                    yield self._proposed(frame, view.outward(box), trust * _FIRST_TRUST)
            forward = paths_of(view, steps, len(frames))
            backward = later.result() if forward is not None else None
        if forward is None or backward is None:
            return None
        pair = forward[0], backward[0][::-1]
        if len(self._always) > 1:
            path, agreement = fuse_all([pair])
            yield from self._inner(frames, path, agreement * _FIRST_TRUST)
        return pair

    def _proposed(self, frame: int, box: Box4, sure: float) -> Proposed:
        size = self._pictures.size
        if not np.isfinite(box).all() or inside_share(box, size) < _VISIBLE_SHARE:
            return Proposed(frame, None, min(sure, 0.5))
        return Proposed(frame, to_box(clip(box, size)), float(np.clip(sure, 0.0, 1.0)))
