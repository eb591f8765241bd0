"""Likeness of boxes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.assist import Pictures
from annotator.assist.boxes.appearance import Pattern, likeness, patch

SIZE = (640, 360)


class Still:
    """A video of one picture."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self._image = image

    def __len__(self) -> int:
        return 1

    def image(self, _index: int, /) -> NDArray[np.uint8]:
        return self._image


def striped_scene(*corners: tuple[int, int], width: int = 48, height: int = 64) -> Pictures:
    """Return a picture with the same striped object at some places (left, top)."""
    rng = np.random.default_rng(3)
    noise = rng.normal(110, 30, (SIZE[1], SIZE[0], 3)).astype(np.float32)
    image = np.clip(cv2.GaussianBlur(noise, (0, 0), 2), 0, 255).astype(np.uint8)
    stripes = np.where(np.arange(height)[:, None] // 8 % 2, 230, 60)
    for left, top in corners:
        image[top : top + height, left : left + width] = stripes[..., None] * (1, 0.3, 0.2)
    return Pictures(Still(image))


def test_likeness_is_that_of_the_patterns() -> None:
    image = striped_scene((300, 150), (420, 160)).image(0)
    one, same, other = (
        patch(image, np.array(box, np.float64))
        for box in ((300, 150, 348, 214), (420, 160, 468, 224), (100, 100, 148, 164))
    )
    assert likeness(one, same) == pytest.approx(1.0, abs=0.01)
    assert likeness(one, other) < 0.3
    assert likeness(one, patch(image, np.array([700.0, 10, 740, 50]))) == 0.0


def test_a_pattern_fits_where_a_reference_says_so() -> None:
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 256, (90, 130, 3), dtype=np.uint8)
    noise[:, 100:] = 40  # plain
    image = np.asarray(cv2.GaussianBlur(noise, (0, 0), 1.5), np.uint8)
    image[50:70, 60:90] = image[10:30, 20:50]
    pattern = image[10:30, 20:50]
    fit = Pattern(pattern).fit_map(image)
    reference = cv2.matchTemplate(image, pattern, cv2.TM_CCOEFF_NORMED)
    assert fit == pytest.approx(reference, abs=2e-3)
    best = np.argsort(fit, axis=None)[-2:]
    assert {tuple(np.unravel_index(place, fit.shape)) for place in best} == {(10, 20), (50, 60)}
    assert fit.max() == pytest.approx(1, abs=2e-3)


def test_what_is_plain_fits_everywhere_and_a_plain_place_fits_nothing() -> None:
    plain = np.full((40, 50, 3), (200, 90, 30), np.uint8)
    rng = np.random.default_rng(4)
    colorful = rng.integers(0, 256, (40, 50, 3), dtype=np.uint8)
    assert (Pattern(plain[:10, :8]).fit_map(colorful) == 1).all()
    assert np.abs(Pattern(colorful[:10, :8]).fit_map(plain)).max() < 0.01
