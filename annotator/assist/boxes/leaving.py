"""Objects that leave and come back, followed one way: at the picture's edge, and in other shots.

An object is gone when its box is cut by the edge and no longer looks like it. It is looked for
along the edge where it left, and where a person has marked it as out of view, in the whole picture.
In another shot it is out of view until its own shot goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.appearance import likeness, patch
from annotator.assist.boxes.arrays import Box4, clip, from_box, inside_share, side, to_box
from annotator.assist.boxes.object_search import FOUND, SEARCH_STEP, ObjectSearch
from annotator.assist.boxes.onward import Onward
from annotator.assist.boxes.other_objects import Lookalikes, OtherObjects
from annotator.assist.boxes.smoothing import smoothed
from annotator.assist.pictures import Pictures, View
from annotator.assist.protocol import Cancel, Stepper
from annotator.assist.shots import OTHER_SHOT_CONFIDENCE, shots_of
from annotator.domain.proposals.box_proposals import Anchor, Proposed, nearest_boxes

GONE_CONFIDENCE: Final = 0.4
# It leaves when its box is cut by the picture's edge and no longer looks like it.
_GONE_LIKENESS: Final = 0.36
_GONE_SHARE: Final = 0.65
_GONE_SHARE_BOTH: Final = 0.92  # where both passes must say so, any cut will do
# Trackers wander when their object has left: it is back when it looks like itself again, or, since
# it may have turned, when they are sure of it. Then it stays while they are.
_BACK_LIKENESS: Final = 0.5
_BACK_CONFIDENCE: Final = 0.6
# The object leaves later without being cut by the edge: below this value it is absent.
_LOST_LIKENESS: Final = 0.1
_WHOLE_SHARE: Final = 0.8
_VISIBLE_SHARE: Final = 0.2


class Leaving:
    """Follows whether one tracked object is in the picture, frame by frame."""

    def __init__(self, *, gone_share: float = _GONE_SHARE) -> None:
        """Below `gone_share` of its area inside, a box counts as cut enough to have left."""
        self._gone_share = gone_share
        self.is_away = False
        self._was_cut = False
        self._is_sure = False

    def see(self, inside: float, alike: float, confidence: float = 0.0) -> bool:
        """Take in how much of the box is inside, how it looks, and how sure trackers are of it.

        ``confidence`` is 0..1. Return whether the object is away.
        """
        self._was_cut = self._was_cut or inside < _WHOLE_SHARE
        if self.is_away:
            self._is_sure = confidence >= _BACK_CONFIDENCE
            self.is_away = alike < _BACK_LIKENESS and not self._is_sure
        else:
            self._is_sure = self._is_sure and confidence >= _BACK_CONFIDENCE
            is_cut = inside < self._gone_share
            self.is_away = alike < _GONE_LIKENESS and is_cut and not self._is_sure
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
    first = patch(view.picture(frames[0]), view.inward(path[0]))
    found = []
    for frame, box in zip(frames, path, strict=True):
        if cancel():
            return np.zeros(len(frames), bool)
        inside = inside_share(box, size)
        if leaving.is_away or inside < _GONE_SHARE_BOTH:
            alike = likeness(first, patch(view.picture(frame), view.inward(box)))
            leaving.see(inside, alike)
        found.append(leaving.is_away)
    return np.array(found)


class _Run:
    """Follows an object from one box within a shot."""

    def __init__(
        self, onward: Onward, view: View, size: tuple[int, int], start: Box4, most: float
    ) -> None:
        """``start`` [4] in image pixels; no confidence is above ``most``."""
        self.hold = view.hold
        self._onward = onward
        self._size = size
        self._most = most
        self._leaving = Leaving()
        self._left_at = start
        self._since: list[Proposed] = []

    def step(self, frame: int) -> Proposed:
        """Return the proposal for the next frame, or for the one on which the shot goes on."""
        result = self._onward.step(frame)
        if self._leaving.is_away:
            result = self._onward.find_again(frame, self._left_at) or result
        sure = min(result.confidence, self._most)
        proposal = proposed(frame, result.box, sure, self._size, is_hidden=result.is_hidden)
        inside = inside_share(result.box, self._size)
        if self._leaving.see(inside, result.alike, result.confidence):
            proposal = Proposed(frame, None, min(GONE_CONFIDENCE, self._most))
        else:
            self._left_at = result.box
        if self._leaving.is_surely_here(result.alike):
            self._since.clear()
        else:
            self._since.append(proposal)
        return proposal

    def gone(self) -> Iterator[Proposed]:
        """Yield the frames since it was fully visible or looked like itself: it has left there."""
        for each in self._since:
            yield Proposed(each.frame, None, max(GONE_CONFIDENCE, 1 - each.confidence))


class OneWay:
    """Follows an object from one box through what comes before or after it."""

    def __init__(
        self,
        pictures: Pictures,
        makes: Sequence[Callable[[], Stepper]],
        anchors: Sequence[Anchor],
        others: OtherObjects,
        cancel: Cancel,
    ) -> None:
        self._pictures = pictures
        self._makes = makes
        self._anchors = anchors
        self._others = others
        self._cancel = cancel

    def follow(self, frames: range, start: Box4, *, is_gone: bool = False) -> Iterator[Proposed]:
        """Yield proposals after the first frame, which has the box ``start`` [4], image pixels.

        ``is_gone``: it is out of view at the far end.
        """
        found = self._through_shots(frames, self._run(frames[0], start), is_gone=is_gone)
        yield from smoothed(found, {frames[0]: start})

    def join(self, frames: range, first: Box4, last: Box4) -> list[Proposed]:
        """Return proposals between two boxes [4], image pixels; none if canceled.

        The object is followed both ways; on each frame the surer proposal counts.
        """
        with ThreadPoolExecutor(1) as thread:  # OpenCV releases the interpreter's lock
            later = thread.submit(self._run_through, frames[:0:-1], last)
            ahead, back = self._run_through(frames[:-1], first), later.result()[::-1]
        return [] if self._cancel() else list(map(_surer, ahead, back))

    def find(self, frames: range) -> Iterator[Proposed]:
        """Search for an object that is out of view on the first frame, and follow it from there.

        If it is out of view because another shot is shown, it is followed where its own shot
        goes on, too.
        """
        nearest = nearest_boxes(self._anchors, frames[0])[:1]
        shots = shots_of(self._pictures)
        runs = {
            anchor.frame: self._run(anchor.frame, from_box(anchor.box))
            for anchor in nearest
            if not shots.is_same_shot(anchor.frame, frames[0])
        }
        found = self._through_shots(frames, None, runs, self._search(frames[0]))
        yield from smoothed(found, {})

    def _run_through(self, frames: range, start: Box4) -> list[Proposed]:
        return list(self._through_shots(frames, self._run(frames[0], start)))

    def _through_shots(
        self,
        frames: range,
        run: _Run | None,
        earlier_runs: Mapping[int, _Run] | None = None,
        search: ObjectSearch | None = None,
        *,
        is_gone: bool = False,
    ) -> Iterator[Proposed]:
        """Yield proposals after the first frame; without a run the object is searched for.

        In another shot it is out of view until an earlier shot goes on. ``earlier_runs`` are those
        in such shots, by the last frame on which the object was followed.
        """
        shots, runs, sure = shots_of(self._pictures), dict(earlier_runs or {}), 1.0
        has_changed = False
        for before, frame in pairwise(frames):
            if self._cancel():
                return
            follower = run or search
            if follower is not None:
                shots.read_ahead(before, frame, follower.hold)
            is_new = shots.changes_shot(before, frame)
            if is_new and run is not None:
                runs[before] = run
                search, sure = None, OTHER_SHOT_CONFIDENCE
            has_changed = has_changed or is_new
            if is_new or (has_changed and run is None):
                resumed = shots.resumed if is_new else shots.resumed_unnoticed
                end = resumed(runs, frame)
                run = None if end is None else runs[end]
            if run is not None:
                yield run.step(frame)
                continue
            match = None
            if search is not None and (frame - frames[0]) % SEARCH_STEP == 0:
                match = search.find(frame)
            if match is None:
                yield Proposed(frame, None, sure)
                continue
            most = match.chance * FOUND
            run = self._run(frame, match.box, most)
            yield proposed(frame, match.box, most, self._pictures.size)
        if is_gone and run is not None:
            yield from run.gone()

    def _run(self, frame: int, start: Box4, most: float = 1.0) -> _Run:
        near_anchors = nearest_boxes(self._anchors, frame)
        looks = [(other.frame, from_box(other.box)) for other in near_anchors]
        view = self._pictures.view(side(start))
        lookalikes = self._others.lookalikes(view, frame, start)
        team = [make() for make in self._makes]
        onward = Onward(self._pictures, team, frame, start, looks, lookalikes, self._cancel)
        return _Run(onward, view, self._pictures.size, start, most)

    def _search(self, left: int) -> ObjectSearch | None:
        """Return the search for an object that has left on a frame; None if it is not unique."""
        looks = [(a.frame, from_box(a.box)) for a in nearest_boxes(self._anchors, left)]
        if not looks:
            return None
        (frame, box), size = looks[0], self._pictures.size
        view = self._pictures.view(side(box))
        if len(Lookalikes(view, frame, box)):
            return None
        search = ObjectSearch(view, size, frame, box, looks[1:])
        search.leave(left)
        return search


def _surer(one: Proposed, other: Proposed) -> Proposed:
    """Return the surer proposal; out of view only because of another shot does not count."""
    followed = [p for p in (one, other) if (p.box, p.confidence) != (None, OTHER_SHOT_CONFIDENCE)]
    return max(followed, key=lambda p: p.confidence, default=one)


def proposed(
    frame: int, box: Box4, sure: float, size: tuple[int, int], *, is_hidden: bool = False
) -> Proposed:
    """Return the proposal for a box [4], image pixels: none where too little is in the picture."""
    if not np.isfinite(box).all() or inside_share(box, size) < _VISIBLE_SHARE:
        return Proposed(frame, None, min(sure, 0.5))
    return Proposed(frame, to_box(clip(box, size)), float(np.clip(sure, 0.0, 1.0)), is_hidden)
