"""Overlap in whole pixels against masks painted pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.domain.metrics.overlap import iou_matrix, pixel_iou

WIDTH, HEIGHT = 61, 47


def _painted(box: np.ndarray) -> np.ndarray:
    x1, y1, x2, y2 = box
    sides = np.array([x1 * WIDTH, y1 * HEIGHT, (x2 - x1) * WIDTH, (y2 - y1) * HEIGHT], np.float32)
    x, y, w, h = (round(float(side)) for side in sides)
    mask = np.zeros((HEIGHT + 5, WIDTH + 5), bool)
    mask[y : y + h, x : x + w] = True
    return mask


def test_overlap_is_that_of_painted_masks() -> None:
    rng = np.random.default_rng(5)
    corners = np.sort(rng.uniform(0, 1, (400, 2, 2)), axis=1).reshape(400, 4)
    first, second = corners[:200], corners[200:]
    second = np.where(rng.random((200, 1)) < 0.5, first + rng.normal(0, 0.02, (200, 4)), second)
    second = np.clip(second, 0, 1)
    found = pixel_iou(first, second, WIDTH, HEIGHT)
    compared = 0
    for one, other, value in zip(first, second, found, strict=True):
        a, b = _painted(one), _painted(other)
        rows, columns = np.nonzero(a | b)
        if len(rows) and np.ptp(rows) and np.ptp(columns):
            assert value == pytest.approx((a & b).sum() / (a | b).sum(), abs=1e-12)
            compared += 1
    assert compared > 150
    assert 0.2 < found.mean() < 0.9


def test_thin_and_empty_boxes() -> None:
    thin = np.array([[0.5, 0.5, 0.51, 0.9]])
    assert pixel_iou(thin, thin + np.array([0, 0, 0, 0.05]), WIDTH, HEIGHT) == 1.0
    empty = np.array([[0.2, 0.2, 0.2, 0.2]])
    assert pixel_iou(empty, np.array([[0.6, 0.6, 0.6, 0.6]]), WIDTH, HEIGHT) == 0.0


def test_exact_overlap() -> None:
    found = iou_matrix(np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 0, 3, 2], [5, 5, 6, 6]]))
    assert found.tolist() == [[1 / 3, 0.0]]


def test_overlap_is_that_of_the_vot_toolkit() -> None:
    rng = np.random.default_rng(13)
    low = rng.uniform(0, 0.6, (300, 2))
    first = np.concatenate([low, low + rng.uniform(0.05, 0.39, (300, 2))], 1)
    second = np.clip(first + rng.normal(0, 0.02, (300, 4)), 0, 1)
    found = pixel_iou(first, second, 64, 48)
    # Of version 0.9.0, for 300 pairs and for the first four.
    assert found.mean() == pytest.approx(0.6900118242749423, abs=1e-12)
    four = [0.6678571428571428, 0.65625, 0.48, 0.648854961832061]
    assert found[:4] == pytest.approx(four, abs=1e-12)
