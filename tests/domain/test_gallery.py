"""Which frames a gallery shows next, and which part of them."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.track import Keyframe
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId
from annotator.domain.proposals.box_proposals import AHEAD_FRAMES, Proposed
from annotator.domain.proposals.gallery import (
    area_around,
    around_point,
    grid_frames,
    next_frames,
    next_point_frames,
)
from annotator.domain.proposals.point_proposals import ProposedPoint
from tests.domain.edits import make_track

A = Box(0, 0, 10, 10)


def _next(pending: list[Proposed], seen: set[int], *, limit: int = 3, step: int = 20) -> list[int]:
    track = make_track(Keyframe(0, A), Keyframe(40, A))
    grid = grid_frames(track, lambda _: None, grid_step=step, n_frames=120)
    return next_frames(track, pending, grid, grid_step=step, seen=seen, limit=limit)


def test_unchecked_grid_frames_come_first_and_in_order() -> None:
    pending = [Proposed(8, A, 0.01), Proposed(90, A, 0.2), Proposed(98, A, 0.1)]
    assert _next(pending, set()) == [20, 60, 80]
    # The rest of the last page is for frames of low confidence; 98 is close to 100.
    assert _next(pending, {20, 60, 80}) == [8, 90, 100]
    assert _next(pending, {20, 60, 80}, limit=2) == [8, 100]
    assert _next([], {20, 60, 80}) == [100]


def test_grid_frames_without_proposals_wait_until_those_before_are_accepted() -> None:
    def found(*keys: int, seen: tuple[int, ...] = (), limit: int = 12) -> list[int]:
        track = make_track(*(Keyframe(frame, A) for frame in keys))
        pending = [Proposed(410, A, 0.1)]
        grid = grid_frames(track, lambda _: None, grid_step=100, n_frames=900)
        return next_frames(track, pending, grid, grid_step=100, seen=seen, limit=limit)

    first = [frame for frame in range(100, 900, 100) if frame <= AHEAD_FRAMES]
    assert found(0) == [*first, 410]
    assert found(0, limit=2) == first[:2]
    assert found(0, *first) == [400, 500, 600]
    # Skipped ones are not shown again: only those that are left.
    assert found(0, seen=(100, 200, 300)) == [400, 500, 600, 700, 800]


def test_after_the_grid_come_frames_of_low_confidence_away_from_those_seen() -> None:
    sure = {3: 0.3, 4: 0.2, 8: 0.1, 30: 0.5, 50: 0.95, 62: 0.05, 70: 0.6}
    pending = [Proposed(frame, A, confidence) for frame, confidence in sure.items()]
    grid = {20, 60, 80, 100}
    # 4 and 3 are near each other, 62 is near 60, and 50 is sure enough.
    assert _next(pending, grid) == [8, 30, 70]
    assert _next(pending, grid, limit=9) == [8, 30, 70]
    assert _next(pending, {*grid, 8}, limit=1) == [30]
    assert _next([], grid) == []


def test_that_an_object_is_away_before_it_begins_needs_no_look() -> None:
    track = make_track(Keyframe(50, A))
    pending = [Proposed(10, None, 0.1), Proposed(30, A, 0.2), Proposed(70, None, 0.3)]
    found = next_frames(track, pending, [], grid_step=0, seen=(), limit=9)
    assert found == [30, 70]


def test_grid_frames_on_which_an_object_would_begin_are_looked_at_first() -> None:
    track = make_track(Keyframe(50, A), Keyframe(60, A))
    pending = {f: Proposed(f, None if f < 15 else A, 0.95) for f in range(50)}
    grid = grid_frames(track, pending.get, grid_step=10, n_frames=90)
    assert grid == [20, 30, 40, 70, 80]
    assert next_frames(track, [], grid, grid_step=10, seen={30}, limit=3) == [20, 40, 70]
    assert grid_frames(track, lambda _: None, grid_step=10, n_frames=90) == [70, 80]
    late = make_track(Keyframe(AHEAD_FRAMES + 100, A))
    far = grid_frames(late, lambda f: Proposed(f, A, 0.95), grid_step=30, n_frames=10)
    assert far == list(range(120, AHEAD_FRAMES + 100, 30)), "as far as proposals reach"
    assert grid_frames(track, pending.get, grid_step=0, n_frames=90) == []
    assert grid_frames(make_track(), pending.get, grid_step=10, n_frames=90) == []


def test_without_a_grid_doubt_alone_decides() -> None:
    pending = [Proposed(7, A, 0.2), Proposed(60, A, 0.1), Proposed(61, A, 0.3)]
    assert _next(pending, set(), step=0) == [7, 60]


def _next_of_point(sure: dict[int, float], seen: set[int], *, limit: int = 4) -> list[int]:
    path = PointPath()
    for frame in (0, 60):
        path = path.with_run(run_of(frame, [PointMark(Point(frame, frame))]))
    point = PointTrack(PointInfo(PointId("p"), None, "tip", 1, 1), path)
    pending = [ProposedPoint(f, Point(f, f), False, value) for f, value in sure.items()]
    return next_point_frames(point, pending, seen=seen, limit=limit)


def test_frames_of_a_point_are_those_of_low_confidence_and_one_placed_by_hand() -> None:
    sure = {3: 0.5, 9: 0.4, 11: 0.3, 20: 0.95, 30: 0.2, 40: 0.1, 55: 0.6}
    assert _next_of_point(sure, set()) == [0, 11, 30, 40]
    assert _next_of_point(sure, {11, 30, 40, 0}) == [55, 60], "3 is near 0, which was seen"
    assert _next_of_point(sure, {11, 30, 40}) == [0, 3, 55]
    assert _next_of_point({50: 0.1}, set()) == [50, 60]
    assert _next_of_point({20: 0.95}, set()) == []


def test_the_part_around_a_point_grows_with_the_picture() -> None:
    small, large = (around_point(Point(100, 50), size) for size in ((640, 360), (1920, 1080)))
    assert small.center == large.center == Point(100, 50)
    assert large.width == pytest.approx(3 * small.width)


@pytest.mark.parametrize("shape", [0.5, 1.6, 4.0])
@pytest.mark.parametrize(
    "box",
    [Box(0, 0, 5, 5), Box(600, 300, 640, 360), Box(100, 100, 300, 120), Box(0, 0, 640, 360)],
)
def test_the_area_holds_the_box_and_lies_in_the_picture_where_it_fits(
    box: Box, shape: float
) -> None:
    area = area_around(box, (640, 360), shape)
    assert area.width / area.height == pytest.approx(shape)
    assert area.intersection(box) == pytest.approx(box.area)
    for low, high, room in ((area.x1, area.x2, 640), (area.y1, area.y2, 360)):
        if high - low <= room:
            assert low >= -1e-9
            assert high <= room + 1e-9
        else:
            assert low + high == pytest.approx(room)


def test_without_a_box_the_whole_picture_is_shown() -> None:
    area = area_around(None, (640, 360), 1.0)
    assert (area.x1, area.x2) == (0, 640)
    assert area.y1 == pytest.approx(-140)
