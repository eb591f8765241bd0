"""Likeness of boxes, and look-alikes on the first frame of an object."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.assist import Pictures
from annotator.assist.boxes.appearance import has_lookalike, likeness, patch
from annotator.assist.boxes.arrays import side
from tests.benchmarks.bench_lookalikes import ShellGame

SIZE = (640, 360)


class Still:
    """A video of one picture."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self._image = image

    def __len__(self) -> int:
        return 1

    def image(self, _index: int, /) -> NDArray[np.uint8]:
        return self._image


def _has_lookalike(pictures: Pictures, box: tuple[float, ...]) -> bool:
    place = np.array(box, np.float64)
    return has_lookalike(pictures.view(side(place)), 0, place, pictures.size)


def _scene(*corners: tuple[int, int], width: int = 48, height: int = 64) -> Pictures:
    """Return a picture with the same striped object at some places (left, top)."""
    rng = np.random.default_rng(3)
    noise = rng.normal(110, 30, (SIZE[1], SIZE[0], 3)).astype(np.float32)
    image = np.clip(cv2.GaussianBlur(noise, (0, 0), 2), 0, 255).astype(np.uint8)
    stripes = np.where(np.arange(height)[:, None] // 8 % 2, 230, 60)
    for left, top in corners:
        image[top : top + height, left : left + width] = stripes[..., None] * (1, 0.3, 0.2)
    return Pictures(Still(image))


def test_every_one_of_equal_objects_has_a_lookalike() -> None:
    game = ShellGame(20, 1)
    pictures = Pictures(game)
    assert all(_has_lookalike(pictures, tuple(box)) for box in game.boxes[:, 0])


def test_an_object_alone_has_none() -> None:
    pictures = _scene((300, 150))
    assert not _has_lookalike(pictures, (300, 150, 348, 214))
    assert not _has_lookalike(pictures, (290, 140, 360, 224)), "a loose box"
    assert _has_lookalike(_scene((300, 150), (420, 160)), (300, 150, 348, 214))


def test_an_object_of_the_same_colors_and_another_pattern_is_no_lookalike() -> None:
    image = _scene((300, 150), (420, 160)).image(0).copy()
    image[160:224, 420:468] = np.repeat(image[176:177, 420:468], 64, axis=0)
    assert not _has_lookalike(Pictures(Still(image)), (300, 150, 348, 214))


@pytest.mark.parametrize(
    "box", [(0, 0, 640, 360), (-40, -30, 20, 25), (600, 330, 700, 420), (100, 100, 101.5, 101.5)]
)
def test_boxes_that_fill_or_leave_the_picture_have_none(box: tuple[float, ...]) -> None:
    assert not _has_lookalike(_scene((300, 150)), box)


def test_likeness_is_that_of_the_patterns() -> None:
    image = _scene((300, 150), (420, 160)).image(0)
    one, same, other = (
        patch(image, np.array(box, np.float64))
        for box in ((300, 150, 348, 214), (420, 160, 468, 224), (100, 100, 148, 164))
    )
    assert likeness(one, same) == pytest.approx(1.0, abs=0.01)
    assert likeness(one, other) < 0.3
    assert likeness(one, patch(image, np.array([700.0, 10, 740, 50]))) == 0.0
