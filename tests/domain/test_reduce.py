from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.keyframe_reduction import (
    largest_deviation,
    reduce_path,
    smooth_path,
)


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


def test_a_path_that_trembles_all_along_takes_ten_times_as_long_for_ten_times_the_frames():
    def took_s(n):
        x = np.arange(n) % 2 * 4.0
        boxes = np.stack([x, x * 0, x + 50, x * 0 + 50], axis=1)
        began = time.process_time()
        assert reduce_path(np.arange(n), boxes) == list(range(n))
        return time.process_time() - began

    # Each frame compared with all others would take a hundred times as long.
    assert took_s(100_000) < 40 * max(took_s(10_000) for _ in range(3))


def overlaps(a, b):
    size = np.minimum(a[:, 2:], b[:, 2:]) - np.maximum(a[:, :2], b[:, :2])
    common = np.clip(size, 0, None).prod(axis=1)
    areas = (a[:, 2:] - a[:, :2]).prod(axis=1) + (b[:, 2:] - b[:, :2]).prod(axis=1)
    return common / (areas - common)


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 200), st.floats(0, 3), st.sampled_from([20, 40, 400])
)
def test_every_frame_stays_within_the_looser_tolerance(seed, n, noise, side):
    rng = np.random.default_rng(seed)
    frames = np.cumsum(rng.integers(1, 4, n))
    x, y = np.cumsum(rng.normal(0, noise, (2, n)), axis=1)
    boxes = np.stack([x, y, x + side, y + side], axis=1)
    for smooth in (None, smooth_path(boxes, np.zeros(n, bool))):
        kept = reduce_path(frames, boxes, smooth=smooth)
        assert kept[0] == 0
        assert kept[-1] == n - 1
        path = interpolated(frames, boxes if smooth is None else smooth, kept)
        is_near = np.abs(path - boxes).max(axis=1) <= 2.0 + 1e-9
        assert (is_near | (overlaps(path, boxes) >= 0.95 - 1e-9)).all()


def test_a_still_object_ends_with_a_handful_of_keyframes():
    """Jitter of a tracker, 1 px at 34 px size and 2 px at 200 px size, over 292 frames."""
    rng = np.random.default_rng(3)
    for side, jitter in ((34, 0.5), (200, 1.2)):
        boxes = np.array([100, 100, 100 + side, 100 + side]) + rng.normal(0, jitter, (292, 4))
        smooth = smooth_path(boxes, np.zeros(292, bool))
        kept = reduce_path(np.arange(292), boxes, smooth=smooth)
        assert len(kept) <= 6


def test_fixed_boxes_and_straight_motion_are_not_smoothed():
    frames = np.arange(50)
    boxes = np.stack([frames, frames, frames + 20, frames + 20], axis=1).astype(float)
    assert np.array_equal(smooth_path(boxes, np.zeros(50, bool)), boxes)
    boxes[25] += 0.8
    is_fixed = np.zeros(50, bool)
    is_fixed[25] = True
    assert np.array_equal(smooth_path(boxes, is_fixed)[25], boxes[25])
    assert not np.array_equal(smooth_path(boxes, ~is_fixed)[25], boxes[25])
    assert len(smooth_path(boxes[:1], is_fixed[:1])) == 1


def test_the_largest_deviation_is_told_in_pixels():
    frames = np.arange(5)
    boxes = np.zeros((5, 4))
    boxes[2, 2] = 3.0
    assert largest_deviation(frames, boxes, np.array([0, 4])) == 3.0
    assert largest_deviation(frames, boxes, np.array([0, 2, 4])) == 1.5
    assert largest_deviation(frames, boxes, np.arange(5)) == 0.0
