"""Cut-outs and outlines of an object of focus, pixel by pixel."""

from __future__ import annotations

import numpy as np

from annotator.domain.geometry import Box
from annotator.media.decode.convert import cut_out, outlined


def _picture() -> np.ndarray:
    """A picture whose every pixel says where it is."""
    rows, columns = np.mgrid[0:90, 0:160].astype(np.uint8)
    return np.stack([columns, rows, np.full_like(rows, 7)], axis=2)


def test_a_cut_out_is_square_and_round_the_center() -> None:
    made = cut_out(_picture(), Box(60, 30, 100, 50))
    assert made.shape == (50, 50, 3)
    # The center is at (80, 40), so the cut-out begins at (55, 15).
    assert made[0, 0].tolist() == [55, 15, 7]
    assert made[49, 49].tolist() == [104, 64, 7]


def test_what_lies_beyond_the_picture_is_black() -> None:
    made = cut_out(_picture(), Box(0, 0, 20, 40))
    assert made.shape == (50, 50, 3)
    # It begins at (-15, -5).
    assert not made[:5].any()
    assert not made[:, :15].any()
    assert made[5, 15].tolist() == [0, 0, 7]
    assert made[49, 49].tolist() == [34, 44, 7]
    assert not cut_out(_picture(), Box(500, 500, 520, 520)).any()


def test_a_box_is_drawn_red_and_two_pixels_wide() -> None:
    picture = _picture()
    made = outlined(picture, Box(10.2, 20.4, 30.1, 50))
    red = (made == (255, 0, 0)).all(axis=2)
    expected = np.zeros_like(red)
    expected[20:50, 10:30] = True
    expected[22:48, 12:28] = False
    assert (red == expected).all()
    assert (made[~red] == picture[~red]).all()
    assert not (picture == (255, 0, 0)).all(axis=2).any()


def test_a_tiny_box_or_one_at_the_rim_is_drawn_all_the_same() -> None:
    red = (outlined(_picture(), Box(50, 50, 53, 53)) == (255, 0, 0)).all(axis=2)
    assert red.sum() == 9
    rim = (outlined(_picture(), Box(-20, -20, 500, 500)) == (255, 0, 0)).all(axis=2)
    assert rim.sum() == 160 * 90 - 156 * 86
