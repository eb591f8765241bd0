from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.reduce import reduce_path


def interpolated(frames, boxes, kept):
    return np.stack([np.interp(frames, frames[kept], boxes[kept, i]) for i in range(4)], axis=1)


def test_a_straight_path_keeps_its_two_ends():
    frames = np.arange(100)
    boxes = np.stack([frames, frames * 0.5, frames + 50, frames * 0.5 + 60], axis=1).astype(float)
    assert reduce_path(frames, boxes) == [0, 99]


def test_a_corner_is_kept():
    frames = np.arange(61)
    x = np.where(frames <= 30, frames * 4.0, 120 - (frames - 30) * 4.0)
    boxes = np.stack([x, x * 0, x + 50, x * 0 + 50], axis=1)
    assert reduce_path(frames, boxes) == [0, 30, 60]


def test_a_path_that_trembles_all_along_is_reduced_at_once():
    n = 100_000
    x = np.arange(n) % 2 * 4.0
    boxes = np.stack([x, x * 0, x + 50, x * 0 + 50], axis=1)
    began = time.process_time()
    kept = reduce_path(np.arange(n), boxes)
    assert time.process_time() - began < 0.35
    assert kept == list(range(n))


@given(st.integers(0, 2**32 - 1), st.integers(1, 200), st.floats(0, 3))
def test_every_frame_stays_within_one_pixel_and_an_overlap_of_98_percent(seed, n, noise):
    rng = np.random.default_rng(seed)
    frames = np.cumsum(rng.integers(1, 4, n))
    x, y = np.cumsum(rng.normal(0, noise, (2, n)), axis=1)
    boxes = np.stack([x, y, x + 40, y + 30], axis=1)
    kept = reduce_path(frames, boxes)
    assert kept[0] == 0
    assert kept[-1] == n - 1
    path = interpolated(frames, boxes, kept)
    assert np.abs(path - boxes).max() <= 1.0 + 1e-9
    size = np.minimum(path[:, 2:], boxes[:, 2:]) - np.maximum(path[:, :2], boxes[:, :2])
    common = size.prod(axis=1)
    union = (path[:, 2:] - path[:, :2]).prod(axis=1) + 1200 - common
    assert (common / union).min() >= 0.98 - 1e-9
