from __future__ import annotations

import math

import pytest
from hypothesis import given

from annotator.domain.geometry import Box, Point
from tests.domain.edits import HEIGHT, WIDTH, boxes


def test_box_around_two_corners_or_four_extreme_points_is_the_same():
    corners = Box.around(Point(30, 5), Point(10, 25))
    extremes = Box.around(Point(10, 12), Point(20, 5), Point(30, 20), Point(22, 25))
    assert corners == extremes == Box(10, 5, 30, 25)


def test_iou_of_half_overlapping_boxes():
    assert Box(0, 0, 10, 10).iou(Box(5, 0, 15, 10)) == pytest.approx(50 / 150)
    assert Box(0, 0, 10, 10).iou(Box(10, 0, 20, 10)) == 0
    assert Box(1, 1, 1, 1).iou(Box(1, 1, 1, 1)) == 0


def test_invalid_boxes_are_known():
    assert not Box(0, 0, 0, 5).is_valid
    assert not Box(5, 0, 0, 5).is_valid
    assert not Box(0, 0, math.nan, 5).is_valid
    assert Box(0, 0, 1, 5).is_valid


@given(boxes(), boxes())
def test_interpolation_ends_exactly_on_both_boxes(a, b):
    assert a.lerp(b, 0) is a
    assert a.lerp(b, 1) is b
    middle = a.lerp(b, 0.5)
    assert middle.center.x == pytest.approx((a.center.x + b.center.x) / 2)


@given(boxes())
def test_pushing_inside_keeps_the_size_where_the_picture_is_large_enough(box):
    pushed = box.moved(500, -500).pushed_inside(WIDTH, HEIGHT)
    assert pushed.x2 == pytest.approx(WIDTH)
    assert pushed.y1 == pytest.approx(0)
    assert pushed.width == pytest.approx(box.width)
    assert pushed.height == pytest.approx(box.height)


def test_a_box_inside_the_picture_is_not_made_anew_by_clipping():
    box = Box(0, 0, WIDTH, HEIGHT)
    assert box.clipped(WIDTH, HEIGHT) is box
    assert Box(-1, 2, WIDTH + 1, 9).clipped(WIDTH, HEIGHT) == Box(0, 2, WIDTH, 9)
