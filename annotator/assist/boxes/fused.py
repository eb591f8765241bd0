"""The tracker that runs unless another is chosen: several trackers, both ways, fused per gap.

Cheap trackers (points, dense flow, colors) run forward and backward between two human boxes; where
no path is sure the object's silhouette is followed, and CSRT runs both ways, too, on every second
frame. After the last box (and before the first) all run in step, and the likeliest box of each
frame counts; so they do from sure frames into those between two boxes that are still not sure. The
sides of boxes are moved to the edges of the object.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import (
    Box4,
    Floats,
    between,
    from_box,
    iou,
    side,
)
from annotator.assist.boxes.colors import Colors
from annotator.assist.boxes.leaving import GONE_CONFIDENCE, OneWay, away, proposed
from annotator.assist.boxes.one_way import (
    Csrt,
    Flow,
    Pair,
    Points,
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
from annotator.assist.boxes.silhouettes import no_outline, outline_between
from annotator.assist.boxes.smoothing import smoothed
from annotator.assist.camera import camera_of, carried_paths
from annotator.assist.pictures import FrameSource, Pictures, View
from annotator.assist.protocol import Cancel, Stepper
from annotator.assist.shots import shots_of
from annotator.domain.proposals.box_proposals import Anchor, Proposed
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

VERSION: Final = "20"
SLOW_STEP: Final = 2
"""Frames by which the trackers that join where others disagree go on between two boxes."""
# Dense flow follows the background when its object has left.
_SEE_LEAVING: Final = (Points, Csrt)
_SURE: Final = 0.93
_FEW_UNSURE: Final = 30  # frames from one sure frame to the next, at most, that stay as they are
_FEW_SURE: Final = 8  # frames, at most, between unsure ones that are followed together
_FOLLOWED: Final = 0.8  # share of the confidence from one box, since sure frames may be wrong
_SURER: Final = 0.1  # by so much, at least, is what takes the place of a proposal
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
        self._others = others
        self._one_way = OneWay(pictures, [*always, *doubtful], anchors, others, cancel)

    def solve(self, stretch: BoxGap) -> Iterator[Proposed]:
        """Yield proposals for one stretch."""
        lower, upper = stretch.lower, stretch.upper
        first = from_box(lower.box if lower else None)
        last = from_box(upper.box if upper else None)
        ahead, back = not np.isnan(first[0]), not np.isnan(last[0])
        if lower and upper and ahead and back:
            yield from self._between(range(lower.frame, upper.frame + 1), first, last)
        elif lower and ahead:
            yield from self._one_way.follow(
                range(lower.frame, stretch.end), first, is_gone=upper is not None
            )
        elif upper and back:
            frames = range(upper.frame, stretch.start - 1, -1)
            yield from self._one_way.follow(frames, last, is_gone=lower is not None)
        elif lower and not upper:
            yield from self._one_way.find(range(lower.frame, stretch.end))
        else:
            for frame in range(stretch.start, stretch.end):
                yield Proposed(frame, None, 1.0)

    def _between(self, frames: range, first: Box4, last: Box4) -> Iterator[Proposed]:
        """Both ways between two boxes; at once what the first tracker sees, later what all do."""
        view = self._pictures.view((side(first) + side(last)) / 2)
        lead = yield from self._first_look(self._always[0], view, frames, first, last)
        supporting = both_ways(self._always[1:], view, frames, first, last, cancel=self._cancel)
        if lead is None or supporting is None:
            return
        pairs, ends = [lead, *supporting], {frames[0]: first, frames[-1]: last}
        shots = shots_of(self._pictures)
        shots.prepare(frames, self._cancel)
        if self._cancel():
            return
        if any(shots.changes_shot(*neighbors) for neighbors in pairwise(frames)):
            yield from smoothed(self._one_way.join(frames, first, last), ends)
            return
        carried = carried_paths(camera_of(self._pictures), frames, first, last)
        matcher = AppearanceMatcher(view, frames, first, last, self._cancel)
        lookalikes = self._others.lookalikes(view, frames[0], first)
        outline = no_outline(len(frames))

        def choice() -> Chosen:
            return choose(Candidates(*fuse_all(pairs), pairs, carried), matcher, lookalikes)

        def fitted(chosen: Chosen) -> Chosen:
            refined = refine_path(view, frames, chosen, self._cancel)
            return doubted(outline.over(refined), frames, lookalikes)

        chosen = choice()
        if self._cancel():
            return
        if self._doubtful:
            path, sure, _ = doubted(chosen, frames, lookalikes)
            if sure[1:-1].min() < _SURE:
                outline = outline_between(self._pictures, view, frames, first, last, self._cancel)
                path, sure, _ = doubted(outline.over(chosen), frames, lookalikes)
            if sure[1:-1].min() >= _SURE:
                yield from smoothed(self._inner(frames, *fitted(chosen)), ends)
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
            places_gone &= np.isnan(outline.confidence)
            path[places_gone], sure[places_gone] = np.nan, GONE_CONFIDENCE
        if self._cancel():
            return
        proposals = self._inner(frames, path, sure, chosen.is_hidden)
        yield from smoothed(proposals, ends)
        if self._doubtful:
            followed = self._followed(frames, proposals, first, last, lookalikes)
            if followed != proposals:
                yield from smoothed(followed, ends)

    def _followed(
        self,
        frames: range,
        proposals: list[Proposed],
        first: Box4,
        last: Box4,
        lookalikes: OtherObjects,
    ) -> list[Proposed]:
        """Return proposals, unsure ones replaced by surer ones; none if canceled.

        Between sure frames that are far apart, or the boxes [4] at the ends, the object is followed
        one way from either side.
        """
        boxes = [first, *(from_box(p.box) for p in proposals), last]
        is_sure = [p.confidence >= _SURE for p in proposals]
        followed = list(proposals)
        for start, end in unsure_stretches([True, *is_sure, True]):
            if end - start <= _FEW_UNSURE:
                continue
            one_way = self._one_way.join(frames[start : end + 1], boxes[start], boxes[end])
            if self._cancel():
                return []
            for i, proposal in enumerate(one_way, start):
                factor = lookalikes.doubt(proposal.frame, from_box(proposal.box))
                sure = _FOLLOWED * factor * proposal.confidence
                if sure > proposals[i].confidence + _SURER:
                    followed[i] = proposal._replace(confidence=sure)
        return followed

    def _inner(
        self, frames: range, path: Box4, sure: Floats, is_hidden: NDArray[np.bool_] | None = None
    ) -> list[Proposed]:
        """Return the proposals between the two human boxes."""
        hidden = np.zeros(len(frames), bool) if is_hidden is None else is_hidden
        inner = range(1, len(frames) - 1)
        return [self._proposed(frames[i], path[i], float(sure[i]), bool(hidden[i])) for i in inner]

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

    def _proposed(self, frame: int, box: Box4, sure: float, is_hidden: bool = False) -> Proposed:
        return proposed(frame, box, sure, self._pictures.size, is_hidden=is_hidden)


def unsure_stretches(is_sure: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the first and the last sure frame of stretches with unsure ones between, ascending.

    Stretches with few sure frames between them are one.
    """
    ends: list[tuple[int, int]] = []
    for start, end in pairwise(np.flatnonzero(is_sure).tolist()):
        if end == start + 1:
            continue
        is_near = ends and start - ends[-1][1] + 1 <= _FEW_SURE
        ends.append((ends.pop()[0] if is_near else start, end))
    return ends
