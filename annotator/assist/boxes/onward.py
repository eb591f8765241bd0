"""Following an object one way from a single box: trackers in step, the likeliest box per frame.

Each tracker suggests a box; so do all of them together, and the camera: the object stays where the
person saw it, or where it was last seen well, relative to the background. A score that is fitted
to synthetic scenes with known boxes by ``tests/benchmarks/train_box_paths.py`` predicts the
overlap of each with the true box. Where nothing looks like the object it is covered: it is
expected where it was. Boxes are fitted to the edges of the object, and trackers that drift start
again there. Where trackers switch to a look-alike, the object is searched for beside it; where all
of them have lost it, in the whole picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np

from annotator.assist.boxes.appearance import (
    likeness,
    patch,
    places_along_borders,
    places_around,
)
from annotator.assist.boxes.arrays import Box4, Floats, area, iou, side
from annotator.assist.boxes.background import Background, EmptyPlaces
from annotator.assist.boxes.colors import Palette, coarser, contrasts
from annotator.assist.boxes.object_search import FOUND, SEARCH_STEP, ObjectSearch
from annotator.assist.boxes.other_objects import (
    FREE_IOU,
    NO_OTHERS,
    SAME_IOU,
    SURE_CONFIDENCE,
    SWITCH_FACTOR,
    Lookalikes,
    OtherObjects,
    Place,
    penalty,
)
from annotator.assist.boxes.refinement import BoxRefiner, refined_confidence, steadied
from annotator.assist.boxes.silhouettes import SAME_PLACE_IOU, SURE_OTHERWISE, Silhouette
from annotator.assist.camera import camera_of
from annotator.assist.pictures import Pictures
from annotator.assist.protocol import Cancel, Stepper
from annotator.assist.score_fitting import Weights, box_weights, chance, expanded

_N_FITTED: Final = 4  # how many trackers ran when the score was fitted
_STAY: Final = 0.03
_GROUP_IOU: Final = 0.5
_SHARPNESS: Final = 10
_HIDDEN: Final = 0.6
_UNLIKE: Final = (0.15, 0.1)  # likeness and contrast of colors where the object is not to be seen
_NOTHING_LIKE_IT: Final = (0.3, 0.1)  # the same where a choice below `_UNSURE` is kept: occluded
_UNSURE: Final = 0.4  # confidence
_MAY_SWITCH: Final = 0.7  # confidence below which a tracker may switch to a look-alike
_EXPECTED: Final = 0.3  # confidence of a place that nothing confirms
_DOUBTFUL: Final = 0.4  # confidence
_DOUBTED: Final = 0.7  # confidence at most, until it is seen well
_SEEN_WELL: Final = 0.5  # likeness
_FAR_FRAMES: Final = 30.0
_FOUND_AGAIN: Final = 0.6  # likeness
_LEARNED: Final = 0.7  # confidence from which on a box shows how the object looks
_TOGETHER: Final = 0.92  # confidence of a place among those that look like the object
_CLEAR_FIT: Final = 1.0  # of 2, where it is clearly to be seen
_LEAST_MEAN_FIT: Final = 1.65  # of the best of all on each frame
_FIRST_PART_FIT: Final = 1.55  # to begin with, where the first box cuts a silhouette
_FIT_LEARNING: Final = 0.1  # share of the newest of these frames
_LOST: Final = 0.5  # confidence below which it is searched for
_N_TRIED: Final = 8
_NEAR_STEP: Final = 0.25  # object sizes between places where an object is searched for
_NEAR_SIZES: Final = 1.0
_FAR_SIZES: Final = 4.0
_SIZES_PER_FRAME: Final = 0.05
_DRIFTED_IOU: Final = 0.9  # of a box and the one that is fitted to the object
_DRIFT_ERROR: Final = 0.03
_LEAST_START_FRAMES: Final = 5  # between two starts of trackers that drift


class Sight(NamedTuple):
    """Suggestions for one frame: boxes [k, 4] in image pixels, their features [k, m]."""

    boxes: Box4
    values: Floats

    @property
    def alike(self) -> Floats:
        """Likeness of each to the nearest of the boxes that a person gave, -1..1."""
        return self.values[:, 0]


class Choice(NamedTuple):
    """The box [4] of a frame; the chance that its IoU is at least 0.7, 0..1; its likeness."""

    box: Box4
    confidence: float
    alike: float
    is_hidden: bool = False


class Onward:
    """Runs trackers in step from one box. `step` is `look`, a choice, and `settle`."""

    def __init__(
        self,
        pictures: Pictures,
        steppers: Sequence[Stepper],
        frame: int,
        box: Box4,
        looks: Sequence[tuple[int, Box4]] = (),
        lookalikes: OtherObjects = NO_OTHERS,
        cancel: Cancel = lambda: False,
    ) -> None:
        """Start at a box [4] of a frame, in image pixels.

        ``looks`` are more frames with the box of the object there, which show how it looks.
        ``lookalikes`` are other objects with the same colors, which trackers may switch to.
        Once canceled no background is read.
        """
        self._lookalikes = lookalikes
        self._n_switched, self._factor, self._is_avoiding = 0, 1.0, False
        self._confidence_limit = 1.0
        self._size = pictures.size
        self._view = view = pictures.view(side(box))
        self._camera = camera_of(pictures)
        self._steppers = steppers
        self._threads = ThreadPoolExecutor(2)
        self._first, self._frame, self._n = box, frame, 0
        self._still = self._rest = self._last = box
        self._was_hidden = self._was_doubtful = False
        start = view.inward(box)
        self._coarse = coarse = coarser(view, start)
        views = [(frame, box), *looks]
        self._patches = [patch(view.picture(f), view.inward(look_box)) for f, look_box in views]
        self._palettes = [
            Palette(coarse.picture(f), coarse.inward(look_box)) for f, look_box in views
        ]
        peers = Lookalikes(view, frame, box)
        self._has_lookalikes = bool(len(lookalikes.boxes)) or len(peers) > 0
        self._peers = peers if len(peers) and len(steppers) == _N_FITTED else None
        self._refiner, self._n_since_start = BoxRefiner(view, views), 0
        self._search = ObjectSearch(view, pictures.size, frame, box, looks)
        background = Background(pictures, view, cancel)
        self._silhouette = Silhouette(background, view)
        self._empty_places = EmptyPlaces(background, view)
        if len(steppers) == _N_FITTED:
            self._silhouette.start(frame, box)
            self._empty_places.start(frame, box)
        # Things that touch each other from the first box on are not told by how they look.
        self._mean_fit = _FIRST_PART_FIT if self._silhouette.is_part else 2.0
        self._n_lost = 0
        for stepper in steppers:
            stepper.start(view, frame, start)

    def step(self, frame: int) -> Choice:
        """Return where the object is on the next frame."""
        following = self._follow_peers(frame)
        sight = self.look(frame)
        if following is not None:
            following.result()
        if len(self._steppers) == _N_FITTED:
            choice = choose_onward(sight, box_weights().onward, self._last)
        else:
            choice = _agreed(sight, len(self._steppers))
        is_near = self._overlap(frame, choice.box) >= FREE_IOU
        # An object in front stays sure. Where a look-alike has the same box its path is wrong.
        is_unsure = choice.confidence < SURE_CONFIDENCE
        self._is_avoiding = is_near and (self._is_avoiding or is_unsure)
        if self._is_avoiding or self._n_switched:
            choice = self._avoid_lookalikes(frame, sight)
        elif len(self._steppers) == _N_FITTED and not is_near:
            choice = self._refine(frame, choice)
        self.settle(choice)
        factor = min(self._factor, self._lookalikes.doubt(frame, choice.box))
        confidence = choice.confidence * factor
        if self._has_lookalikes and confidence < _MAY_SWITCH:
            self._confidence_limit = min(self._confidence_limit, SWITCH_FACTOR)
        choice = choice._replace(confidence=min(confidence, self._confidence_limit))
        if len(self._steppers) < _N_FITTED:
            return choice
        choice = self._outlined(frame, self._doubted(choice))
        choice = self._among_lookalikes(frame, choice)
        return choice if self._has_lookalikes else self._search_if_lost(frame, choice)

    def _outlined(self, frame: int, choice: Choice) -> Choice:
        """Return a choice, or the box of the object's silhouette where it is surer.

        It replaces no choice that trackers are sure of; otherwise they start again there. Trackers
        at an empty place have lost it: nothing tells for sure that what is alone near it is it.
        """
        is_empty = self._empty_places.include(frame, choice.box)
        if is_empty:
            choice = choice._replace(confidence=min(choice.confidence, _EXPECTED))
        sighting = self._silhouette.step(frame)
        if sighting is None and is_empty:
            sighting = self._silhouette.find_near(frame)
            if sighting is not None:
                self._confidence_limit = sighting.confidence
        elif sighting is None and choice.confidence < SURE_OTHERWISE and not choice.is_hidden:
            sighting = self._silhouette.find_at(frame, choice.box, choice.confidence)
        is_same = sighting is not None and iou(sighting.box, choice.box) >= SAME_PLACE_IOU
        if choice.confidence >= SURE_OTHERWISE and not choice.is_hidden:
            if sighting is None or (not is_same and sighting.confidence < SURE_OTHERWISE):
                self._silhouette.start(frame, choice.box)
            return choice
        if sighting is None or sighting.confidence < choice.confidence:
            return choice
        box, confidence = sighting
        if not is_same:
            self._start_steppers(frame, box)
        self._last = self._rest = box
        self._was_hidden = False
        return Choice(box, confidence, choice.alike)

    def _doubted(self, choice: Choice) -> Choice:
        """Return a choice, less sure if it was doubtful and did not look like the object since.

        Trackers that went over to another object of the same colors are soon sure of it.
        """
        is_doubtful = choice.confidence < _DOUBTFUL
        self._was_doubtful = is_doubtful or (self._was_doubtful and choice.alike < _SEEN_WELL)
        limit = _DOUBTED if self._was_doubtful else 1.0
        return choice._replace(confidence=min(choice.confidence, limit))

    def _search_if_lost(self, frame: int, choice: Choice) -> Choice:
        """Return a choice, or where the object is found instead; trackers start again there."""
        if choice.confidence >= _LEARNED and not choice.is_hidden:
            self._n_lost = 0
            self._search.learn(frame, choice.box)
        if choice.confidence >= _LOST and not choice.is_hidden:
            return choice
        self._n_lost += 1
        match = None
        if self._n_lost % SEARCH_STEP == 0:
            match = self._search.find(frame, choice.box)
        if match is None or match.chance < choice.confidence:
            return choice
        self._start_again(frame, match.box)
        self._was_hidden = False
        return Choice(match.box, match.chance * FOUND, match.alike)

    def _refine(self, frame: int, choice: Choice) -> Choice:
        """Return a choice with the box fitted to the object; trackers that drift start again."""
        if choice.is_hidden:
            return choice
        refined, error = self._refiner.refine(frame, choice.box)
        box = steadied(refined, choice.box, self._last)
        before, errors = np.array([choice.confidence]), np.array([error])
        sure = refined_confidence(before, errors, box_weights().refined.onward)
        self._n_since_start += 1
        has_drifted = iou(box, choice.box) < _DRIFTED_IOU and error < _DRIFT_ERROR
        if has_drifted and not self._has_lookalikes and self._n_since_start >= _LEAST_START_FRAMES:
            self._start_steppers(frame, box)
        return choice._replace(box=box, confidence=float(sure[0]))

    def _overlap(self, frame: int, box: Box4) -> float:
        """Return the greatest IoU of a box [4] with a known look-alike on a frame."""
        return float(self._lookalikes.overlap(frame, box[None])[0])

    def _among_lookalikes(self, frame: int, choice: Choice) -> Choice:
        """Return a choice, or where the object is among all that look like it.

        That is where it is clearly to be seen; where it is covered while trackers are on another
        one it is expected on its way. Limits of what trackers know alone do not hold there. None of
        this counts while nothing looks like the first box or trackers are sure of something else:
        such objects turn or change.
        """
        peers = self._peers
        if peers is None:
            return choice
        own, own_iou = peers.own, float(iou(peers.own.box, choice.box))
        overlap = max(self._overlap(frame, choice.box), *iou(peers.other_boxes, choice.box))
        is_sure = choice.confidence >= SURE_CONFIDENCE
        is_unlike = is_sure and overlap < FREE_IOU and (own_iou < SAME_IOU or own.fit == 0)
        fit = 0.0 if is_unlike else peers.best_fit or self._mean_fit
        self._mean_fit += _FIT_LEARNING * (fit - self._mean_fit)
        is_usable = self._mean_fit >= _LEAST_MEAN_FIT
        if is_usable and own.fit >= _CLEAR_FIT:
            sure = _TOGETHER * self._lookalikes.doubt(frame, own.box)
            if own_iou < SAME_PLACE_IOU:
                return self._placed(frame, own, sure)
            return choice._replace(confidence=max(choice.confidence, sure))
        if is_usable and overlap >= max(FREE_IOU, own_iou):
            return self._placed(frame, own, _EXPECTED)
        if is_sure:
            peers.correct(choice.box)
        return choice

    def _placed(self, frame: int, own: Place, confidence: float) -> Choice:
        """Start all trackers at the place of the object among those that look like it."""
        self._start_again(frame, own.box)
        alike = float(self._likenesses(frame, own.box[None])[0])
        return Choice(own.box, confidence, alike, is_hidden=own.fit == 0)

    def _follow_peers(self, frame: int) -> Future[None] | None:
        """Follow all that look like the object to the next frame, beside the trackers."""
        if self._peers is None:
            return None
        return self._threads.submit(self._peers.step, frame, self._lookalikes.at(frame))

    def look(self, frame: int) -> Sight:
        """Return all suggestions for the next frame."""
        view, before = self._view, self._frame
        self._frame, self._n = frame, self._n + 1
        # The last tracker is the slowest; OpenCV releases the interpreter's lock while it works.
        later = self._threads.submit(self._steppers[-1].step, frame)
        steps = [stepper.step(frame) for stepper in self._steppers[:-1]]
        self._still = self._camera.carry((before, frame), self._still)[1]
        self._rest = self._camera.carry((before, frame), self._rest)[1]
        if abs(frame - before) == 1:
            self._camera.look_ahead(before, frame)  # whether the shot changes there is asked next
        steps.append(later.result())
        members = view.outward(np.array([box for box, _ in steps]))
        alike = self._likenesses(frame, members)
        together, _ = consensus(members, alike)
        more = np.array([together, self._still, self._rest])
        boxes = np.concatenate([members, more])
        alike = np.concatenate([alike, self._likenesses(frame, more)])
        trust = np.array([sure for _, sure in steps])
        return Sight(boxes, self._features(frame, boxes, alike, trust))

    def settle(self, choice: Choice) -> None:
        """Pass the chosen box of the current frame to all trackers.

        When it is seen again after it was covered, all trackers start again from there.
        """
        box, is_well = self._view.inward(choice.box), choice.alike >= _SEEN_WELL
        for stepper in self._steppers:
            if self._was_hidden and is_well:
                stepper.start(self._view, self._frame, box)
            else:
                stepper.adjust(box)
        self._was_hidden = choice.is_hidden or (self._was_hidden and not is_well)
        self._last = choice.box
        if is_well:
            self._rest = choice.box

    def find_again(self, frame: int, left_at: Box4) -> Choice | None:
        """Return the object if it reappears after leaving at a box, and continue from there.

        It is looked for along the borders of the image, near the place where it left; None while it
        is not to be seen.
        """
        return self._restart_at(frame, places_along_borders(left_at, self._size))

    def _avoid_lookalikes(self, frame: int, sight: Sight) -> Choice:
        """Return where the object is when a look-alike is near, which has a box of its own.

        When trackers have switched to the look-alike, the object is searched for around the place
        where it was last seen well, within a distance that grows with the frames. Until it is found
        it is expected at that place.
        """
        count, overlap = len(self._steppers), self._lookalikes.overlap(frame, sight.boxes)
        choice = choose_onward(sight, box_weights().onward, self._last, overlap)
        n_on_lookalike = np.count_nonzero(overlap[:count] >= SAME_IOU)
        is_lost = n_on_lookalike * 2 >= count or (n_on_lookalike and choice.confidence < _EXPECTED)
        if not is_lost and not self._n_switched:
            return choice
        is_free = self._overlap(frame, choice.box) < FREE_IOU
        if is_free and choice.alike >= _SEEN_WELL:
            self._n_switched, self._was_hidden = 0, True
            return choice
        self._n_switched += 1
        reach = min(_NEAR_SIZES + _SIZES_PER_FRAME * self._n_switched, _FAR_SIZES)
        places = places_around(self._rest, self._size, reach, _NEAR_STEP)
        near = np.concatenate([sight.boxes, places])
        restart = self._restart_at(frame, near[self._lookalikes.overlap(frame, near) < FREE_IOU])
        if restart is not None:
            self._factor = SWITCH_FACTOR
            return restart
        expected = min(choice.confidence, _EXPECTED)
        return Choice(self._rest, expected, float(sight.alike[-1]), is_hidden=True)

    def _restart_at(self, frame: int, boxes: Box4) -> Choice | None:
        """Return the box [k, 4] that looks most like the object, and start all trackers there."""
        if not len(boxes):
            return None
        coarse = self._coarse
        stands_out = contrasts(self._palettes, coarse.picture(frame), coarse.inward(boxes))
        best = boxes[np.argsort(-stands_out, kind="stable")[:_N_TRIED]]
        alike = self._likenesses(frame, best)
        at = int(alike.argmax())
        if alike[at] < _FOUND_AGAIN:
            return None
        self._start_again(frame, best[at])
        self._n_switched = 0
        return Choice(best[at], float(alike[at]) * _FOUND_AGAIN, float(alike[at]))

    def _start_again(self, frame: int, box: Box4) -> None:
        """Start all trackers at a box [4] of a frame, in image pixels."""
        self._start_steppers(frame, box)
        self._last = self._rest = box

    def _start_steppers(self, frame: int, box: Box4) -> None:
        start, self._n_since_start = self._view.inward(box), 0
        for stepper in self._steppers:
            stepper.start(self._view, frame, start)

    def _likenesses(self, frame: int, boxes: Box4) -> Floats:
        image = self._view.picture(frame)
        patches = [patch(image, self._view.inward(box)) for box in boxes]
        return np.array([max(likeness(p, each) for p in self._patches) for each in patches])

    def _features(self, frame: int, boxes: Box4, alike: Floats, trust: Floats) -> Floats:
        count, m = len(boxes), len(trust)
        coarse = self._coarse
        stands_out = contrasts(self._palettes, coarse.picture(frame), coarse.inward(boxes))
        overlaps = iou(boxes[:, None], boxes[None, :m]) * (1 - np.eye(count, m))
        n_others = m - (np.arange(count) < m)
        growth = np.log(np.maximum(area(boxes), 1.0) / max(float(area(self._first)), 1.0))
        values = [
            alike,
            stands_out,
            alike - alike.max(),
            stands_out - stands_out.max(),
            overlaps.sum(axis=1) / np.maximum(n_others, 1),
            overlaps.max(axis=1),
            iou(boxes, boxes[m]),
            iou(boxes, self._last),
            np.concatenate([trust, np.zeros(count - m)]),
            np.full(count, min(self._n / _FAR_FRAMES, 2.0)),
            np.minimum(np.abs(growth), 1.0),
            np.full(count, alike.max()),
            np.full(count, stands_out.max()),
        ]
        kinds = np.eye(count, count - 1)
        return np.column_stack([*values, kinds]).astype(np.float64)


def choose_onward(sight: Sight, fitted: Weights, last: Box4, taken: Floats | float = 0.0) -> Choice:
    """Return the likeliest box of a frame; ``last`` is that of the frame before, image pixels.

    ``taken`` [k] is the IoU of each suggestion with another object.
    """
    overlap = expanded(sight.values) @ np.array(fitted.overlap) - penalty(np.asarray(taken))
    if (sight.values[:, :2].max(axis=0) < _UNLIKE).all():
        return Choice(sight.boxes[-1], _EXPECTED, float(sight.alike[-1]), is_hidden=True)
    at = int((overlap + _STAY * iou(sight.boxes, last)).argmax())
    near = iou(sight.boxes, sight.boxes[at]) >= _GROUP_IOU
    weight = near * np.clip(overlap, 0.02, 1.0) ** _SHARPNESS
    weight[at] += 1e-6
    box = (sight.boxes * weight[:, None]).sum(axis=0) / weight.sum()
    row = summarized_onward(sight, overlap, at)[None]
    confidence = float(chance(row, fitted.confidence)[0])
    is_nowhere = (sight.values[:, :2].max(axis=0) < _NOTHING_LIKE_IT).all()
    is_hidden = chance(row, fitted.hidden)[0] > _HIDDEN or (is_nowhere and confidence < _UNSURE)
    return Choice(box, confidence, float(sight.alike[at]), bool(is_hidden))


def summarized_onward(sight: Sight, overlap: Floats, at: int) -> Floats:
    """Return the features of confidence and occlusion, [9], of the suggestion that was chosen."""
    best, here = overlap[at], sight.values[at]
    return np.array([1.0, best, best**2, *here[[0, 1, 4, 9, 11, 12]]])


def _agreed(sight: Sight, count: int) -> Choice:
    """Return the box that ``count`` trackers agree on."""
    box, sure = consensus(sight.boxes[:count], sight.alike[:count])
    return Choice(box, sure, float(sight.alike[count]))


def consensus(boxes: Box4, alike: Floats) -> tuple[Box4, float]:
    """Return the box with most support among trackers, and its support.

    `boxes` [m, 4], `alike` [m]: likeness to what is followed, -1..1.
    """
    alike = np.clip(alike, 0.05, 1.0)
    if len(boxes) == 1:
        return boxes[0], float(alike[0]) * 0.5
    mutual = iou(boxes[:, None], boxes[None]) - np.eye(len(boxes))
    support = mutual.sum(axis=1) / (len(boxes) - 1)
    weight = (0.05 + support) ** 2 * alike**3
    order = np.argsort(boxes, axis=0)
    passed = np.cumsum(weight[order], axis=0) / weight.sum()
    middle = np.argmax(passed >= 0.5, axis=0)
    median_boxes = np.take_along_axis(boxes, order, axis=0)[middle, np.arange(4)]
    sure = support * (0.3 + 0.7 * alike)
    return median_boxes, float((weight * sure).sum() / weight.sum())
