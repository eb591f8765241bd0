"""Objects that are alike and turn all the time, in front of a background that stands still."""

from __future__ import annotations

from itertools import takewhile

import numpy as np
import pytest

from annotator.assist import Pictures, propose
from annotator.assist.boxes.arrays import Box4, from_box, iou, side
from annotator.assist.boxes.background import Background
from annotator.assist.boxes.colors import Colors
from annotator.assist.boxes.one_way import Csrt, Flow, Points
from annotator.assist.boxes.onward import Choice, Onward
from annotator.assist.boxes.path import Chosen
from annotator.assist.boxes.silhouettes import (
    ONE_WAY_CONFIDENCE,
    Outline,
    Sighting,
    Silhouette,
    _Patch,
    _turned,
    outline_between,
)
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from tests.assist.tanks import Meeting, Passerby, Tank, Walker


def _right_share(tank: Tank, fish: int, proposals: list[Proposed]) -> float:
    overlaps = [iou(from_box(p.box), from_box(tank.box(fish, p.frame))) for p in proposals]
    return float((np.array(overlaps) >= 0.7).mean())


def _shifted(box: Box, by: list[int]) -> Box4:
    return from_box(box) + np.array(by)


def _box(sighting: Sighting | None) -> Box4:
    assert sighting is not None
    return np.asarray(sighting.box)


def _silhouette(tank: Tank, box: Box4, frame: int = 0) -> Silhouette:
    pictures = Pictures(tank)
    view = pictures.view(side(box))
    silhouette = Silhouette(Background(pictures, view, lambda: False), view)
    silhouette.start(frame, box)
    return silhouette


@pytest.mark.parametrize("fish", [0, 1, 2])
def test_a_turning_object_is_followed_from_one_box(fish: int) -> None:
    tank = Tank()
    proposals = list(propose(tank, [Anchor(10, tank.box(fish, 10))], (11, 100)))
    assert [p.frame for p in proposals] == list(range(11, 100))
    assert _right_share(tank, fish, proposals) >= 0.9


def test_a_turning_object_is_followed_backward() -> None:
    tank = Tank()
    proposals = list(propose(tank, [Anchor(110, tank.box(1, 110))], (30, 110)))
    assert _right_share(tank, 1, proposals) >= 0.9


def test_between_two_boxes_it_is_where_the_passes_agree() -> None:
    tank = Tank()
    anchors = [Anchor(frame, tank.box(0, frame)) for frame in (20, 60)]
    latest = {p.frame: p for p in propose(tank, anchors, (21, 60))}
    assert _right_share(tank, 0, list(latest.values())) >= 0.95
    assert np.mean([p.confidence for p in latest.values()]) >= 0.9


@pytest.mark.parametrize("fish", [0, 1])
@pytest.mark.parametrize("frames", [range(120), range(119, -1, -1)], ids=["onward", "backward"])
def test_a_silhouette_is_followed_through_a_meeting(fish: int, frames: range) -> None:
    tank = Meeting()
    silhouette = _silhouette(tank, from_box(tank.box(fish, frames[0])), frames[0])
    confidences = []
    for frame in frames[1:]:
        sighting = silhouette.step(frame)
        assert sighting is not None
        is_right = iou(sighting.box, from_box(tank.box(fish, frame))) >= 0.7
        assert is_right or tank.is_joined(frame)
        confidences.append(sighting.confidence)
    assert min(confidences) <= 0.5
    assert 0.5 < confidences[-1] < confidences[0]


@pytest.mark.parametrize("fish", [0, 1])
@pytest.mark.parametrize("frames", [range(6, 40), range(6, -1, -1)], ids=["onward", "backward"])
def test_a_silhouette_starts_within_a_meeting(fish: int, frames: range) -> None:
    tank = Meeting()
    assert tank.is_joined(frames[0])
    silhouette = _silhouette(tank, from_box(tank.box(fish, frames[0])), frames[0])
    confidences = []
    for frame in frames[1:]:
        sighting = silhouette.step(frame)
        assert sighting is not None
        is_right = iou(sighting.box, from_box(tank.box(fish, frame))) >= 0.7
        assert is_right or tank.is_joined(frame)
        confidences.append(sighting.confidence)
    assert min(confidences) <= 0.3
    assert 0.8 < confidences[-1] < ONE_WAY_CONFIDENCE


@pytest.mark.parametrize("fish", [0, 1])
def test_a_box_drawn_in_a_meeting_is_followed_after_it(fish: int) -> None:
    tank = Meeting()
    latest = {p.frame: p for p in propose(tank, [Anchor(7, tank.box(fish, 7))], (8, 60))}
    alone = [p for p in latest.values() if not tank.is_joined(p.frame)]
    assert _right_share(tank, fish, alone) == 1.0


def test_what_was_never_alone_learns_its_speed_in_the_meeting() -> None:
    tank = Meeting()
    tank.REST = 12
    first = 7 + tank.REST
    silhouette = _silhouette(tank, from_box(tank.box(0, first)), first)
    before = silhouette._last
    assert silhouette._velocity.tolist() == [0, 0]
    assert silhouette.step(first + 1) is not None
    now = silhouette._last
    assert before is not None
    assert now is not None
    moved = now.middle - before.middle
    assert np.abs(moved).max() > 0
    assert np.allclose(silhouette._velocity, 0.3 * moved)


def test_what_was_alone_keeps_its_speed_in_a_meeting() -> None:
    tank = Meeting()
    silhouette = _silhouette(tank, from_box(tank.box(0, 0)))
    velocities = []
    for frame in range(1, 9):
        silhouette.step(frame)
        if silhouette._n_joined:
            velocities.append(silhouette._velocity.tolist())
    assert len(velocities) >= 3
    assert velocities == velocities[:1] * len(velocities)


def test_once_parted_it_is_as_sure_in_a_meeting_as_any_other() -> None:
    tank = Meeting()
    silhouette = _silhouette(tank, from_box(tank.box(0, 6)), 6)
    there_and_back = [silhouette.step(frame) for frame in (*range(7, 15), *range(13, 4, -1))]
    confidences = [sighting.confidence for sighting in there_and_back if sighting]
    assert confidences[0] == 0.3
    assert confidences[-1] == 0.5


def test_what_parts_from_others_is_hardly_larger() -> None:
    tank = Meeting()
    for first, is_alone in ((0, True), (6, False)):
        silhouette = _silhouette(tank, from_box(tank.box(0, first)), first)
        own = silhouette._last
        assert own is not None
        larger = own._replace(area=1.3 * own.area)
        silhouette._others = []
        assert (silhouette._alone([larger], own) is not None) == is_alone
        assert (silhouette._inside([larger], own) is None) == is_alone


def test_a_part_of_a_body_is_followed_by_trackers() -> None:
    walker = Walker()
    assert _silhouette(walker, from_box(walker.box(0, 0))).is_part
    proposals = list(propose(walker, [Anchor(0, walker.box(0, 0))], (1, 100)))
    assert _right_share(walker, 0, proposals) >= 0.95


def test_a_silhouette_outdoes_only_what_is_less_sure() -> None:
    path = np.tile([10.0, 10.0, 20.0, 20.0], (3, 1))
    outline = Outline(path, np.array([0.3, 0.3, np.nan]))
    chosen = Chosen(path + 50, np.array([0.2, 0.4, 0.0]), np.array([True, True, True]))
    result = outline.over(chosen)
    assert result.path[:, 0].tolist() == [10, 60, 60]
    assert result.confidence.tolist() == [0.3, 0.4, 0.0]
    assert result.is_hidden.tolist() == [False, True, True]


def test_a_meeting_of_more_than_a_second_is_given_up() -> None:
    tank = Meeting()
    tank.REST = 40
    silhouette = _silhouette(tank, from_box(tank.box(0, 0)))
    steps = map(silhouette.step, range(1, 120))
    followed = list(takewhile(lambda sighting: sighting is not None, steps))
    assert 7 + 15 < len(followed) < 7 + 30


@pytest.mark.parametrize("fish", [0, 1])
def test_a_gap_with_a_meeting_is_filled(fish: int) -> None:
    tank = Meeting()
    anchors = [Anchor(frame, tank.box(fish, frame)) for frame in (0, 40)]
    latest = {p.frame: p for p in propose(tank, anchors, (1, 40))}
    alone = [p for p in latest.values() if not tank.is_joined(p.frame)]
    assert _right_share(tank, fish, alone) == 1.0
    assert np.mean([p.confidence for p in alone]) >= 0.9


def test_a_pass_that_arrives_elsewhere_counts_until_its_meeting() -> None:
    tank = Meeting()
    pictures = Pictures(tank)
    first, last = from_box(tank.box(0, 0)), from_box(tank.box(1, 40))
    view = pictures.view(side(first))
    path, confidence = outline_between(pictures, view, range(41), first, last, cancel=lambda: False)
    joined = [frame for frame in range(40) if tank.is_joined(frame)]
    for fish, frames in ((0, range(1, joined[0])), (1, range(joined[-1] + 1, 40))):
        for frame in frames:
            assert iou(path[frame], from_box(tank.box(fish, frame))) >= 0.7
            assert confidence[frame] == ONE_WAY_CONFIDENCE
    assert np.isnan(confidence[joined[1:-1]]).all()


def test_what_is_nearer_to_where_another_was_is_that_one() -> None:
    tank = Tank()
    silhouette = _silhouette(tank, from_box(tank.box(0, 0)))
    own = silhouette._last
    assert own is not None
    beside = own._replace(box=own.box + 12, middle=own.middle + 12)
    assert silhouette._alone([beside], own) is beside
    silhouette._note_others([own, beside], own._replace(box=own.box - 40))
    assert silhouette._alone([beside], own) is None
    assert silhouette._alone([beside, own], own) is own


def test_a_pass_that_does_not_arrive_counts_until_its_meeting() -> None:
    tank = Meeting()
    pictures = Pictures(tank)
    first, nothing = from_box(tank.box(0, 0)), np.array([400.0, 250.0, 430.0, 280.0])
    view = pictures.view(side(first))
    outline = outline_between(pictures, view, range(41), first, nothing, cancel=lambda: False)
    joined = [frame for frame in range(40) if tank.is_joined(frame)]
    assert (outline.confidence[1 : joined[0]] == ONE_WAY_CONFIDENCE).all()
    assert np.isnan(outline.confidence[joined[-1] :]).all()


def test_a_silhouette_turns_with_the_patch_of_a_meeting() -> None:
    tank = Tank()
    silhouette = _silhouette(tank, from_box(tank.box(0, 0)))
    bar = np.ones((5, 31), np.uint8)
    silhouette._area, middle = float(bar.sum()), np.array([115.5, 102.5])
    last = _Patch(np.array([100.0, 100.0, 131.0, 105.0]), silhouette._area, middle, bar)
    tilted = _turned(bar, 10.0)
    height, width = tilted.shape
    low = np.round(middle - np.array([width, height]) / 2)
    joint = _Patch(np.array([*low, *(low + np.array([width, height]))]), 999.0, middle, tilted)
    inside = silhouette._inside([joint], last)
    assert inside is not None
    assert inside.shape.tolist() == tilted.tolist()
    assert np.abs(inside.middle - middle).max() <= 1


@pytest.mark.parametrize("degrees", [-10.0, 10.0])
def test_a_turned_silhouette_keeps_its_pixels(degrees: float) -> None:
    for shape in (np.eye(20, dtype=np.uint8), np.ones((3, 30), np.uint8)):
        turned = shape
        for _ in range(25):
            turned = _turned(turned, degrees)
        assert turned.sum() >= 0.8 * shape.sum()
    apart = np.array([[1, 0, 0, 0, 0, 1]], np.uint8).T
    assert _turned(apart, degrees).sum() == 2


def test_a_box_of_something_else_has_no_silhouette() -> None:
    tank = Tank()
    box = from_box(tank.box(0, 0))
    for wrong in (box + np.array([0, 0, 60, 60]), box + 200, np.array([0.0, 0.0, 480.0, 320.0])):
        assert _silhouette(tank, wrong).step(1) is None


def test_the_box_stays_as_wide_around_as_it_was_drawn() -> None:
    tank = Tank()
    silhouette = _silhouette(tank, _shifted(tank.box(0, 0), [-4, -4, 4, 4]))
    for frame in range(1, 20):
        box = _box(silhouette.step(frame))
        assert np.abs(box - _shifted(tank.box(0, frame), [-4, -4, 4, 4])).max() <= 2.5


def test_a_box_drawn_in_haste_is_no_worse_later() -> None:
    tank = Tank()
    drawn = _shifted(tank.box(0, 0), [-7, 1, -1, 6])
    silhouette = _silhouette(tank, drawn)
    assert iou(drawn, from_box(tank.box(0, 0))) < 0.5
    for frame in range(1, 60):
        box = _box(silhouette.step(frame))
        middle = (box[:2] + box[2:]) / 2
        expected = from_box(tank.box(0, frame))
        assert np.abs(middle - (expected[:2] + expected[2:]) / 2).max() <= 1.5


def test_a_box_drawn_too_small_never_turns_inside_out() -> None:
    tank = Tank()
    silhouette = _silhouette(tank, _shifted(tank.box(0, 0), [2, 2, -2, -2]))
    boxes = [_box(silhouette.step(frame)) for frame in range(1, 80)]
    assert all((box[2:] - box[:2] > 0).all() for box in boxes)


@pytest.mark.parametrize("n", [1, 2, 33, 60])
def test_short_videos_do_no_harm(n: int) -> None:
    tank = Tank(n=n)
    proposals = list(propose(tank, [Anchor(0, tank.box(0, 0))], (1, n)))
    assert [p.frame for p in proposals] == list(range(1, n))


def test_a_silhouette_ends_at_the_border_of_the_picture() -> None:
    tank = Tank()
    tank.CENTERS = ((120, 42), (240, 210), (370, 110))
    silhouette = _silhouette(tank, from_box(tank.box(0, 5)), 5)
    followed = list(takewhile(lambda box: box is not None, map(silhouette.step, range(6, 120))))
    frames = range(6, 120)
    first_cut = next(frame for frame in frames if tank.box(0, frame).y1 <= 0)
    assert first_cut - 8 <= frames[len(followed)] <= first_cut


def test_a_team_that_does_not_use_the_silhouette_reads_no_frames_for_it() -> None:
    tank = Tank()
    pictures = Pictures(tank)
    tank.n_reads.clear()
    Onward(pictures, [Points()], 10, from_box(tank.box(0, 10)))
    assert max(tank.n_reads) <= 10


def test_a_box_cuts_a_silhouette_off_its_shadow_at_the_border() -> None:
    person = Passerby()
    box = from_box(person.box(0, 5))
    silhouette = _silhouette(person, box, 5)
    assert silhouette._last is not None
    assert silhouette._last.box.tolist() == box.tolist()
    assert silhouette.is_part


def _lost(tank: Tank, frame: int) -> tuple[Silhouette, _Patch]:
    """Return the silhouette of fish 0 as it is lost, and what it was last."""
    silhouette = _silhouette(tank, from_box(tank.box(0, frame - 1)), frame - 1)
    silhouette.step(frame)
    patch, silhouette._lost, silhouette._last = silhouette._last, silhouette._last, None
    assert patch is not None
    return silhouette, patch


@pytest.mark.parametrize("how", ["near", "at"])
def test_a_lost_object_is_followed_again_where_it_is_alone(how: str) -> None:
    person = Passerby()
    silhouette, _ = _lost(person, 40)
    place = from_box(person.box(0, 47))
    if how == "near":
        sighting, confidence = silhouette.find_near(47), 0.4
    else:
        sighting, confidence = silhouette.find_at(47, place + np.array([12, 0, 12, 0]), 0.66), 0.66
    assert iou(_box(sighting), place) >= 0.85
    assert sighting is not None
    assert sighting.confidence == confidence
    for frame in range(48, 90):
        assert iou(_box(silhouette.step(frame)), from_box(person.box(0, frame))) >= 0.7


def test_trackers_elsewhere_do_not_tell_where_a_lost_object_is() -> None:
    person = Passerby()
    silhouette, _ = _lost(person, 40)
    beside = from_box(person.box(0, 47)) + np.array([40, 0, 40, 0])
    assert silhouette.find_at(47, beside, 0.66) is None
    never_taken = _silhouette(person, beside + 100, 40)
    assert never_taken.find_at(47, from_box(person.box(0, 47)), 0.66) is None
    assert never_taken.find_near(47) is None


_ALONE = np.array([5.0, 0.0])  # pixels from where it was lost


@pytest.mark.parametrize(
    ("places", "areas", "is_found"),
    [
        ([1.0], [1.0], True),
        ([1.0, -1.9], [1.0, 1.0], False),
        ([-2.1, 1.0], [1.0, 1.0], True),
        ([1.0, -1.9], [1.0, 0.5], True),
        ([1.0], [1.6], False),
        ([20.0], [1.0], False),
        ([], [], False),
    ],
)
def test_what_may_be_another_one_is_not_found(
    places: list[float], areas: list[float], is_found: bool
) -> None:
    silhouette, lost = _lost(Tank(), 20)
    patches = [
        lost._replace(middle=lost.middle + place * _ALONE, area=area * silhouette._area)
        for place, area in zip(places, areas, strict=True)
    ]
    silhouette._patches = lambda *_: patches  # type: ignore[method-assign]
    assert (silhouette.find_near(21) is not None) == is_found


def test_what_is_cut_by_the_border_is_not_found() -> None:
    silhouette, lost = _lost(Tank(), 20)
    silhouette._patches = lambda *_: [lost._replace(is_at_border=True)]  # type: ignore[method-assign]
    assert silhouette.find_near(21) is None
    assert silhouette.find_at(21, silhouette._view.outward(lost.box), 0.6) is None


@pytest.mark.parametrize(("left", "is_found"), [(2.0, False), (6.0, True)])
def test_what_leaves_the_picture_is_not_looked_for(left: float, is_found: bool) -> None:
    silhouette, lost = _lost(Tank(), 20)
    silhouette._lost = lost._replace(box=np.array([left, 99, 30, 120]))
    silhouette._velocity = np.array([-3.0, 0.0])
    silhouette._patches = lambda *_: [lost]  # type: ignore[method-assign]
    assert (silhouette.find_near(21) is not None) == is_found


def test_a_person_who_walks_past_is_followed_after_the_shadow_left_the_border() -> None:
    """Trackers alone keep the width of the first box: a step is wider than the pause after it."""
    person = Passerby()
    proposals = list(propose(person, [Anchor(5, person.box(0, 5))], (6, 120)))
    assert _right_share(person, 0, proposals[25:]) >= 0.9


class Runaway(Passerby):
    """Gone from where trackers expect it on the next frame."""

    def _place(self, frame: int) -> tuple[int, int]:
        x, stride = super()._place(frame)
        return x - (frame >= 50) * 75, stride


def test_trackers_at_an_empty_place_are_not_trusted() -> None:
    person = Runaway()
    proposals = list(propose(person, [Anchor(30, person.box(0, 30))], (31, 70)))
    wrong = [p for p in proposals if iou(from_box(p.box), from_box(person.box(0, p.frame))) < 0.5]
    assert all(p.confidence <= 0.4 for p in wrong)
    assert len(wrong) < 10


def _lost_onward(person: Passerby, frame: int) -> Onward:
    """Return trackers of a box on a frame, of which the silhouette is lost there."""
    steppers = [Colors(), Points(), Flow(), Csrt()]
    onward = Onward(Pictures(person), steppers, frame, from_box(person.box(0, frame)))
    onward._silhouette._lost, onward._silhouette._last = onward._silhouette._last, None
    return onward


def test_sure_trackers_at_an_empty_place_have_lost_the_object() -> None:
    person = Passerby()
    left = Choice(from_box(person.box(0, 40)), 0.95, 0.5)
    onward = _lost_onward(person, 40)
    onward._silhouette._lost = None
    assert onward._outlined(60, left).confidence == 0.3
    assert onward._outlined(42, left) == left, "it is partly there"


@pytest.mark.parametrize("has_lookalikes", [False, True])
def test_what_is_found_near_an_empty_place_is_never_sure(has_lookalikes: bool) -> None:
    person = Passerby()
    onward = _lost_onward(person, 40)
    onward._has_lookalikes = has_lookalikes
    result = onward._outlined(60, Choice(from_box(person.box(0, 40)), 0.95, 0.5))
    assert iou(result.box, from_box(person.box(0, 60))) >= 0.7
    assert result.confidence == 0.4
    assert max(onward.step(frame).confidence for frame in range(61, 80)) == 0.4


def test_what_the_border_cuts_is_a_part_and_no_other_one() -> None:
    tank = Tank()
    tank.CENTERS = ((120, 42), (240, 210), (370, 110))
    frame = next(frame for frame in range(5, 120) if tank.box(0, frame).y1 <= -1)
    x1, _, x2, y2 = from_box(tank.box(0, frame))
    silhouette = _silhouette(tank, np.array([x1, 0.0, x2, y2]), frame)
    own = silhouette._last
    assert own is not None
    assert silhouette.is_part
    other = own._replace(middle=own.middle + 100)
    silhouette._note_others([other, other._replace(is_at_border=True)], own)
    assert len(silhouette._others) == 1
