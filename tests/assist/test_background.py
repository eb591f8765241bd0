"""The still picture behind all that moves, and places where it can be seen again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from annotator.assist import Pictures, propose
from annotator.assist.boxes.arrays import Box4, from_box, side
from annotator.assist.boxes.background import Background, EmptyPlaces
from annotator.domain.proposals.box_proposals import Anchor
from tests.assist.tanks import SIZE, Passerby, Tank
from tests.benchmarks.scenes import Image


def test_its_frames_are_read_once() -> None:
    tank = Tank()
    pictures = Pictures(tank)
    tank.n_reads.clear()
    assert list(propose(pictures, [Anchor(0, tank.box(0, 0))], (1, 130)))
    assert tank.n_reads.most_common(1)[0][1] == 1


@pytest.mark.parametrize("ends", [(0,), (50, 80)], ids=["onward", "between"])
def test_reading_a_background_can_be_canceled(ends: tuple[int, ...]) -> None:
    """Whenever it is canceled, hardly any further frame is read."""
    whole, span = Tank(), (ends[0] + 1, ends[0] + 31)
    anchors = [Anchor(frame, whole.box(0, frame)) for frame in ends]
    list(propose(Pictures(whole), anchors, span))
    assert whole.n_reads.total() >= 97
    for limit in range(5, whole.n_reads.total(), 25):
        tank = Tank()
        pictures = Pictures(tank)
        list(propose(pictures, anchors, span, cancel=lambda: tank.n_reads.total() >= limit))  # noqa: B023
        assert tank.n_reads.total() <= limit + 3


@pytest.mark.parametrize("pan", [0.5, 3.0])
def test_a_camera_that_moves_has_no_background(pan: float) -> None:
    pictures = Pictures(Tank(pan))
    view = pictures.view(40)
    low, high = np.zeros(2), np.array(SIZE)
    background = Background(pictures, view, lambda: False)
    assert all(background.differing(f, low, high) is None for f in range(0, 130, 20))


def test_the_background_holds_no_fish() -> None:
    tank = Tank()
    pictures = Pictures(tank)
    view = pictures.view(40)
    mask = Background(pictures, view, lambda: False).differing(
        50, np.zeros(2), np.array(SIZE, float)
    )
    assert mask is not None
    expected = np.zeros(SIZE[::-1], np.uint8)
    for fish in range(3):
        cv2.fillPoly(expected, [tank._outline(fish, 50)], 1)
    assert (mask & expected).sum() / (mask | expected).sum() >= 0.75


class Flash(Tank):
    """Light flashes on some frames; from a later one on the camera moves."""

    MOVES_FROM = 160

    def image(self, frame: int, /) -> Image:
        self._pan = 0.6 * max(0.0, 1 - self.MOVES_FROM / max(frame, 1))
        light = 60 if 108 <= frame <= 114 else 0
        return cv2.add(super().image(frame), np.full((*SIZE[::-1], 3), light, np.uint8))  # type: ignore[return-value]


def test_light_that_flashes_hides_no_background_that_was_there() -> None:
    pictures = Pictures(Flash(n=300))
    view = pictures.view(40)
    background = Background(pictures, view, lambda: False)
    assert [background.at(f) is not None for f in range(0, 257, 32)] == [True] * 5 + [False] * 4
    unknown = Background(pictures, view, lambda: False)
    assert unknown.at(100) is None, "the camera may as well move there"


def _empty_places(tank: Tank, frame: int, box: Box4) -> EmptyPlaces:
    pictures = Pictures(tank)
    view = pictures.view(side(box))
    empty = EmptyPlaces(Background(pictures, view, lambda: False), view)
    empty.start(frame, box)
    return empty


def test_a_place_is_empty_where_the_object_was() -> None:
    person = Passerby()
    first = from_box(person.box(0, 30))
    empty = _empty_places(person, 30, first)
    for frame in (30, 45, 60, 90):
        assert not empty.include(frame, from_box(person.box(0, frame)))
    assert empty.include(60, first)
    assert empty.include(60, first + 2 * np.array([100, 20, 100, 20]))  # partly out of the picture
    assert empty.include(60, first + 1000)


class Resting(Passerby):
    """Stands still from frame 40 on."""

    def image(self, frame: int, /) -> Image:
        return super().image(min(frame, 40))


def test_where_an_object_rests_is_not_empty() -> None:
    person = Resting()
    resting = from_box(person.box(0, 40))
    empty = _empty_places(person, 10, from_box(person.box(0, 10)))
    assert not any(empty.include(frame, resting) for frame in range(40, 130, 10))
    late = Background(Pictures(person), Pictures(person).view(side(resting)), lambda: False)
    assert late.at(128) is not None
    mask = late.differing(128, np.zeros(2), np.array(SIZE, float))
    assert mask is not None
    assert mask.mean() < 0.001  # by then it is part of the background


def test_a_covered_place_is_not_empty() -> None:
    class Covered(Passerby):
        def image(self, frame: int, /) -> Image:
            image = super().image(frame)
            if frame == 60:
                cv2.rectangle(image, (150, 140), (300, 280), (10, 10, 10), -1)
            return image

    person = Covered()
    empty = _empty_places(person, 30, from_box(person.box(0, 30)))
    assert not empty.include(60, np.array([170.0, 150.0, 230.0, 270.0]))


@pytest.mark.parametrize("frame", [0, 30])
def test_nothing_is_empty_where_an_object_is_not_told_from_the_background(frame: int) -> None:
    """A box beside the object, or a camera that moves."""
    person = Passerby()
    empty = _empty_places(person, frame, np.array([20.0, 20.0, 60.0, 120.0]))
    assert not empty.include(60, np.array([20.0, 20.0, 60.0, 120.0]))
    moving = Tank(pan=3.0)
    empty = _empty_places(moving, frame, from_box(moving.box(0, frame)))
    assert not empty.include(60, np.array([20.0, 20.0, 60.0, 60.0]))


def test_nothing_is_empty_for_an_object_that_fills_little_of_its_box() -> None:
    person = Passerby()
    wide = np.array([180.0, 20.0, 470.0, 310.0])
    empty = _empty_places(person, 30, wide)
    assert 0 < empty._filled < 0.1
    assert not empty.include(110, wide)
