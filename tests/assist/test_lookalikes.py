"""Objects that look alike are followed together: each stays itself."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.assist import Pictures
from annotator.assist.boxes.arrays import Box4, from_box, iou, side
from annotator.assist.boxes.colors import Colors
from annotator.assist.boxes.one_way import Csrt, Flow, Points
from annotator.assist.boxes.onward import Choice, Onward
from annotator.assist.boxes.other_objects import Lookalikes, OtherObjects, _without_echoes
from tests.assist.tanks import Walker
from tests.assist.test_appearance import SIZE, Still, striped_scene
from tests.benchmarks.bench_lookalikes import ShellGame


def _lookalikes(pictures: Pictures, box: Box4, frame: int = 0) -> Lookalikes:
    return Lookalikes(pictures.view(side(box)), frame, box)


def _has_lookalike(pictures: Pictures, box: tuple[float, ...]) -> bool:
    return len(_lookalikes(pictures, np.array(box, np.float64))) > 0


def test_every_one_of_equal_objects_has_a_lookalike() -> None:
    game = ShellGame(20, 1)
    pictures = Pictures(game)
    assert [len(_lookalikes(pictures, box)) for box in game.boxes[:, 0]] == [2, 2, 2]


def test_an_object_alone_has_none() -> None:
    pictures = striped_scene((300, 150))
    assert not _has_lookalike(pictures, (300, 150, 348, 214))
    assert not _has_lookalike(pictures, (290, 140, 360, 224)), "a loose box"
    assert _has_lookalike(striped_scene((300, 150), (420, 160)), (300, 150, 348, 214))


def test_an_object_of_the_same_colors_and_another_pattern_is_no_lookalike() -> None:
    image = striped_scene((300, 150), (420, 160)).image(0).copy()
    image[160:224, 420:468] = np.repeat(image[176:177, 420:468], 64, axis=0)
    assert not _has_lookalike(Pictures(Still(image)), (300, 150, 348, 214))


def test_plain_objects_are_told_by_their_color() -> None:
    image = striped_scene().image(0).copy()
    image[150:214, 300:348] = (20, 20, 220)
    box = (300.0, 150.0, 348.0, 214.0)
    assert not _has_lookalike(Pictures(Still(image)), box)
    image[170:234, 420:468] = (20, 20, 220)
    assert _has_lookalike(Pictures(Still(image)), box)


@pytest.mark.parametrize(
    "box", [(0, 0, 640, 360), (-40, -30, 20, 25), (600, 330, 700, 420), (100, 100, 101.5, 101.5)]
)
def test_boxes_that_fill_or_leave_the_picture_have_none(box: tuple[float, ...]) -> None:
    assert not _has_lookalike(striped_scene((300, 150)), box)


class Exchange:
    """Two equal striped things change places, one in front of the other, or both stay."""

    N_FRAMES = 60
    WIDTH, HEIGHT = 48, 64

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        noise = rng.normal(110, 30, (SIZE[1], SIZE[0], 3)).astype(np.float32)
        self._back = np.clip(cv2.GaussianBlur(noise, (0, 0), 2), 0, 255).astype(np.uint8)

    def __len__(self) -> int:
        return self.N_FRAMES

    def box(self, thing: int, frame: int) -> Box4:
        left = 150 + 5 * frame if thing == 0 else 445 - 5 * frame
        top = 150.0 + 4 * thing
        return np.array([left, top, left + self.WIDTH, top + self.HEIGHT])

    def image(self, frame: int, /) -> NDArray[np.uint8]:
        image = self._back.copy()
        stripes = np.where(np.arange(self.HEIGHT)[:, None] // 8 % 2, 230, 60)
        for thing in (0, 1):
            x1, y1, x2, y2 = self.box(thing, frame).astype(int)
            image[y1:y2, x1:x2] = stripes[..., None] * (1, 0.3, 0.2)
        return image


def test_of_two_equal_things_that_cross_each_stays_itself() -> None:
    exchange = Exchange()
    for thing in (0, 1):
        both = _lookalikes(Pictures(exchange), exchange.box(thing, 0))
        assert len(both) == 1
        n_covered = 0
        for frame in range(1, len(exchange)):
            both.step(frame)
            own, (other,) = both.own, both.other_boxes
            assert iou(own.box, exchange.box(thing, frame)) >= 0.3
            is_apart = iou(exchange.box(0, frame), exchange.box(1, frame)) == 0
            if is_apart:
                assert own.fit > 1.8
                assert iou(own.box, exchange.box(thing, frame)) >= 0.9
                assert iou(other, exchange.box(1 - thing, frame)) >= 0.7
            n_covered += own.fit == 0
        # The second one is in front.
        assert (n_covered > 0) == (thing == 0)


def test_one_that_is_covered_has_no_box_for_others() -> None:
    exchange = Exchange()
    both = _lookalikes(Pictures(exchange), exchange.box(1, 0))
    is_known = []
    for frame in range(1, len(exchange)):
        both.step(frame)
        is_known.append(bool(np.isfinite(both.other_boxes).all()))
    assert is_known[0]
    assert is_known[-1]
    assert not all(is_known)


def test_it_goes_on_from_where_trackers_are_sure() -> None:
    exchange = Exchange()
    both = _lookalikes(Pictures(exchange), exchange.box(0, 0))
    both.correct(exchange.box(0, 20))
    both.step(21)
    assert iou(both.own.box, exchange.box(0, 21)) >= 0.7
    assert both.own.fit > 1.8


class Vanishing(Exchange):
    """The same two things on the first frame; later ``left`` of them are to be seen, at rest."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self._left = left

    def box(self, thing: int, frame: int) -> Box4:
        is_gone = frame > 0 and thing >= self._left
        return super().box(thing, 0) + np.tile([5000.0 * is_gone, 0.0], 2)

    def image(self, frame: int, /) -> NDArray[np.uint8]:
        image = super().image(0)
        if frame:
            for thing in range(self._left, 2):
                x1, y1, x2, y2 = super().box(thing, 0).astype(int)
                image[y1:y2, x1:x2] = self._back[y1:y2, x1:x2]
        return image


def test_what_is_covered_for_long_may_be_farther_off() -> None:
    still = Vanishing(2)
    for n_covered, sizes, is_found in (
        (0, 1.3, False),
        (5, 1.3, True),
        (1, 2, False),
        (20, 2, True),
    ):
        both = _lookalikes(Pictures(still), still.box(0, 0))
        both._middles[0] -= sizes * Exchange.WIDTH, 0
        both._n_unseen[0] = n_covered
        both.step(1)
        assert (iou(both.own.box, still.box(0, 0)) > 0.9) == is_found
        assert np.abs(both._speeds[0]).max() < 1, "its way says nothing of its speed"


def test_what_is_covered_slows_down() -> None:
    empty = Vanishing(0)
    both = _lookalikes(Pictures(empty), empty.box(0, 0))
    both._speeds[0] = 5, 0
    for frame in range(1, 50):
        both.step(frame)
    assert both.own.fit == 0
    assert 40 < both.own.box[0] - empty.box(0, 0)[0] < 70


def test_the_one_that_is_seen_keeps_its_place() -> None:
    alone = Vanishing(1)
    both = _lookalikes(Pictures(alone), alone.box(1, 0))
    # The object was covered and is expected a little nearer the only place than the other one.
    both._middles[0] = (alone.box(0, 0)[:2] + alone.box(0, 0)[2:]) / 2 + (3, 0)
    both._middles[1] += 12, 0
    both._n_unseen[0] = 2
    both.step(1)
    assert both.own.fit == 0
    assert np.isfinite(both.other_boxes).all()


class Damaged(Exchange):
    """On the second frame only the first thing is left, beside one without its upper part."""

    def image(self, frame: int, /) -> NDArray[np.uint8]:
        image = super().image(0)
        if frame:
            image[:, 300:] = self._back[:, 300:]
            image[174:214, 210:258] = image[174:214, 150:198]
        return image


def test_a_place_that_fits_well_counts_more_than_one_a_little_nearer() -> None:
    damaged = Damaged()
    both = _lookalikes(Pictures(damaged), damaged.box(0, 0))
    both._middles[0] = 205, 182
    both.step(1)
    assert iou(both.own.box, damaged.box(0, 0)) > 0.9


def test_it_is_not_where_another_object_is_known_to_be() -> None:
    alone = Vanishing(1)
    for taken, is_found in ((alone.box(0, 0), False), (alone.box(0, 0) + 100, True)):
        both = _lookalikes(Pictures(alone), alone.box(0, 0))
        both.step(1, taken[None])
        assert (both.own.fit > 0) == is_found


def test_trackers_know_where_other_objects_are() -> None:
    still = Vanishing(2)
    onward = _onward(Pictures(still), still.box(0, 0))
    peers = onward._peers
    assert peers is not None
    onward._lookalikes = OtherObjects(0, np.tile(still.box(0, 0), (1, 3, 1)))
    onward.step(1)
    assert peers.own.fit == 0


def test_a_weaker_place_that_overlaps_another_one_is_its_echo() -> None:
    boxes = np.array([[0.0, top, 50, top + 80] for top in (0, 32, 64)])
    weak, strong = (_without_echoes(boxes, np.array([1.4, fit, fit])) for fit in (0.9, 1.3))
    assert weak[1] < 0.8 < weak[2], "what overlaps nothing but an echo stays"
    assert strong[1] > 0.8
    assert strong[0] == 1.4


def test_of_a_box_that_the_border_cuts_all_stays_in_its_place() -> None:
    pictures = striped_scene((0, 150), (300, 150))
    box = np.array([-48.0, 150, 48, 214])  # half of it is beyond the border
    found = _lookalikes(pictures, box)
    found.step(0)
    assert found.own.fit > 1.5
    assert iou(found.own.box, box) > 0.95


def _onward(pictures: Pictures, box: Box4) -> Onward:
    return Onward(pictures, [Colors(), Points(), Flow(), Csrt()], 0, box)


@pytest.mark.parametrize("thing", [0, 1])
def test_trackers_follow_their_object_through_an_exchange(thing: int) -> None:
    exchange = Exchange()
    onward = _onward(Pictures(exchange), exchange.box(thing, 0))
    choices = [onward.step(frame) for frame in range(1, len(exchange))]
    overlaps = np.array([iou(c.box, exchange.box(thing, f)) for f, c in enumerate(choices, 1)])
    assert (overlaps >= 0.7).mean() > 0.95
    assert overlaps[-20:].min() >= 0.7
    assert min(choice.confidence for choice in choices[-20:]) >= 0.92


def test_objects_that_change_are_not_led_by_how_they_looked_first() -> None:
    exchange = Exchange()
    onward = _onward(Pictures(exchange), exchange.box(0, 0))
    onward.step(1)
    elsewhere = Choice(np.array([20.0, 20, 68, 84]), 0.95, 0.5)
    led = onward._among_lookalikes(1, elsewhere)
    assert iou(led.box, exchange.box(0, 1)) >= 0.9
    assert led.confidence == 0.92
    peers = onward._peers
    assert peers is not None
    for _ in range(3):
        onward._among_lookalikes(1, elsewhere)
        peers.step(1)
    before = onward._mean_fit
    assert onward._among_lookalikes(1, elsewhere) == elsewhere, "trackers are sure of it"
    assert onward._mean_fit < before, "nothing there looks like the first box"
    assert iou(peers.own.box, elsewhere.box) == 1.0
    on_other = Choice(exchange.box(1, 1), 0.5, 0.5)
    assert onward._among_lookalikes(1, on_other) == on_other


def test_they_are_led_again_while_what_looks_alike_goes_on_to_do_so() -> None:
    exchange = Exchange()
    onward = _onward(Pictures(exchange), exchange.box(0, 0))
    onward._mean_fit = 1.2  # trackers were sure of what did not look like the first box
    onward.step(1)
    assert onward._peers is not None
    onward._peers._fits[0] = 1.1  # a hand covers a part of it, but not of the other one
    on_other = Choice(exchange.box(1, 1), 0.5, 0.5)
    for _ in range(20):
        led = onward._among_lookalikes(1, on_other)
    assert iou(led.box, exchange.box(0, 1)) >= 0.9
    assert led.confidence == 0.92


def test_where_it_is_clearly_to_be_seen_trackers_need_not_be_sure() -> None:
    exchange = Exchange()
    onward = _onward(Pictures(exchange), exchange.box(0, 0))
    onward.step(1)
    unsure = Choice(exchange.box(0, 1), 0.3, 0.5)
    assert onward._among_lookalikes(1, unsure) == unsure._replace(confidence=0.92)


def test_trackers_on_a_known_object_have_lost_one_that_is_covered() -> None:
    empty = Vanishing(0)
    onward = _onward(Pictures(empty), empty.box(0, 0))
    elsewhere = Choice(np.array([20.0, 20, 68, 84]), 0.8, 0.5)
    peers = onward._peers
    assert peers is not None
    peers.step(1)
    assert onward._among_lookalikes(1, elsewhere) == elsewhere
    onward._lookalikes = OtherObjects(0, np.tile(elsewhere.box, (1, 3, 1)))
    assert onward._among_lookalikes(1, elsewhere).confidence == 0.3


def test_a_box_drawn_where_things_touch_is_led_only_once_it_proved_right() -> None:
    walker = Walker()  # the box is its head
    assert _onward(Pictures(walker), from_box(walker.box(0, 0)))._mean_fit < 1.6
    exchange = Exchange()
    assert _onward(Pictures(exchange), exchange.box(0, 0))._mean_fit == 2.0


def test_one_that_is_covered_is_expected_on_its_way_and_not_on_the_other_one() -> None:
    exchange = Exchange()
    onward = _onward(Pictures(exchange), exchange.box(0, 0))
    peers = onward._peers
    assert peers is not None
    frame = 1
    peers.step(frame)
    while peers.own.fit:
        frame += 1
        peers.step(frame)
    choice = onward._among_lookalikes(frame, Choice(exchange.box(1, frame), 0.8, 0.9))
    assert (choice.confidence, choice.is_hidden) == (0.3, True)
    assert iou(choice.box, exchange.box(0, frame)) > 0.8
    assert (choice.box == peers.own.box).all()
