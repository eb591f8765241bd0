"""Videos with cuts: new shots are noticed, and objects are not followed into them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from annotator.assist import Pictures, propose, propose_points
from annotator.assist.boxes import arrays as bx
from annotator.assist.boxes.leaving import OneWay
from annotator.assist.boxes.one_way import Flow
from annotator.assist.boxes.other_objects import NO_OTHERS
from annotator.assist.camera import camera_of
from annotator.assist.shots import OTHER_SHOT_CONFIDENCE, Shots, shots_of
from annotator.domain.geometry import Box, Point
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from annotator.domain.proposals.point_proposals import ProposedPoint
from tests.benchmarks.scenes import Floats, Image, SceneSpec, make_scene

_SPEC = SceneSpec("shot", 21, size=(320, 180), n_frames=60, object_px=44.0, travel=0.8)
_FIRST_CUT, _SECOND_CUT = 30, 50
_SOMEWHERE = np.array([100.0, 60.0, 150.0, 110.0])


class _Images:
    """Pictures as they are."""

    def __init__(self, images: Sequence[Image]) -> None:
        self.images = images

    def __len__(self) -> int:
        return len(self.images)

    def image(self, index: int) -> Image:
        return self.images[index]


class _Edited(_Images):
    """A shot that is interrupted by another one, with the boxes of its object."""

    def __init__(self) -> None:
        scene = make_scene(_SPEC)
        other = make_scene(SceneSpec("other", 22, size=(320, 180), n_frames=20))
        shot, between = ([s.image(f) for f in range(len(s))] for s in (scene, other))
        super().__init__([*shot[:_FIRST_CUT], *between, *shot[_FIRST_CUT:]])
        nowhere = np.full((len(between), 4), np.nan)
        boxes = scene.boxes
        self.boxes = np.concatenate([boxes[:_FIRST_CUT], nowhere, boxes[_FIRST_CUT:]])
        self.middles = (self.boxes[:, :2] + self.boxes[:, 2:]) / 2

    def anchor(self, frame: int) -> Anchor:
        return Anchor(frame, Box(*self.boxes[frame].tolist()))


@pytest.fixture(scope="module")
def edited() -> _Edited:
    return _Edited()


def _cuts(images: Sequence[Image]) -> list[int]:
    pictures = Pictures(_Images(images))
    shots = shots_of(pictures)
    return [frame for frame in range(1, len(images)) if shots.changes_shot(frame - 1, frame)]


def _last_ones(edited: _Edited, anchors: list[Anchor]) -> dict[int, Proposed]:
    found = propose(edited, anchors, (0, len(edited)), cancel=lambda: False)
    return {proposal.frame: proposal for proposal in found}


def _overlap(edited: _Edited, found: dict[int, Proposed], frames: range) -> Floats:
    boxes = np.array([bx.from_box(found[frame].box) for frame in frames])
    return np.asarray(bx.iou(boxes, edited.boxes[frames.start : frames.stop]))


def test_cuts_are_found_where_they_are(edited: _Edited) -> None:
    assert _cuts(edited.images) == [_FIRST_CUT, _SECOND_CUT]


def test_cuts_are_the_same_in_either_direction(edited: _Edited) -> None:
    pictures = Pictures(edited)
    shots = shots_of(pictures)
    back = range(len(edited) - 1, 0, -1)
    found = [frame for frame in back if shots.changes_shot(frame, frame - 1)]
    assert found == [_SECOND_CUT, _FIRST_CUT]


def test_a_shot_that_goes_on_is_known(edited: _Edited) -> None:
    pictures = Pictures(edited)
    shots = shots_of(pictures)
    assert shots.is_same_shot(_FIRST_CUT - 1, _SECOND_CUT)
    assert not shots.is_same_shot(_FIRST_CUT - 1, _FIRST_CUT)


def test_a_flash_is_no_cut(edited: _Edited) -> None:
    images = edited.images[:20]
    flash = np.full_like(images[10], 255)
    assert _cuts([*images[:10], flash, *images[10:]]) == []


def _darker(images: Sequence[Image], share: float) -> list[Image]:
    return [np.asarray(image * share, np.uint8) for image in images]


def _faded(images: Sequence[Image], n_out: int, n_in: int, color: int = 0) -> list[Image]:
    """Let pictures come from one color within frames, and end in it."""
    shares = np.ones(len(images))
    shares[:n_in] = np.arange(n_in) / max(1, n_in)
    shares[len(images) - n_out :] = 1 - np.arange(1, n_out + 1) / max(1, n_out)
    return [
        np.asarray(image * share + color * (1 - share), np.uint8)
        for image, share in zip(images, shares, strict=True)
    ]


@pytest.mark.parametrize("color", [0, 255])
def test_a_fade_to_another_shot_is_a_cut_before_and_after_what_is_blank(
    edited: _Edited, color: int
) -> None:
    fading = _faded(edited.images[:_FIRST_CUT], 12, 0, color)
    coming = _faded(edited.images[_FIRST_CUT:_SECOND_CUT], 0, 12, color)
    cuts = _cuts([*fading, *coming])
    assert len(cuts) == 2
    assert cuts[0] in (_FIRST_CUT - 2, _FIRST_CUT - 1)
    assert cuts[1] in (_FIRST_CUT + 1, _FIRST_CUT + 2)


def _dissolved(one: Sequence[Image], other: Sequence[Image], n_frames: int) -> list[Image]:
    """Let the last frames of a shot dissolve into the first ones of another."""
    mixed = [
        cv2.addWeighted(a, 1 - (i + 1) / (n_frames + 1), b, (i + 1) / (n_frames + 1), 0.0)
        for i, (a, b) in enumerate(zip(one[-n_frames:], other, strict=False))
    ]
    return [*one[:-n_frames], *map(np.asarray, mixed[:n_frames]), *other[n_frames:]]


@pytest.mark.parametrize("n_frames", [1, 6, 14])
def test_a_dissolve_is_a_cut_in_its_middle(edited: _Edited, n_frames: int) -> None:
    shot, other = edited.images[:_FIRST_CUT], edited.images[_FIRST_CUT:_SECOND_CUT]
    (cut,) = _cuts(_dissolved(shot, other, n_frames))
    assert cut == pytest.approx(_FIRST_CUT - n_frames / 2, abs=1.5)


def test_a_shot_that_goes_on_after_a_dissolve_is_known(edited: _Edited) -> None:
    shot, other = edited.images[:_FIRST_CUT], edited.images[_FIRST_CUT:_SECOND_CUT]
    rest = edited.images[_SECOND_CUT:]
    images = _dissolved(_dissolved(shot, other, 8), [*other[-8:], *rest][8:], 8)
    assert len(images) == _FIRST_CUT + len(other) + len(rest) - 16
    first, second = _cuts(images)
    shots = shots_of(pictures := Pictures(_Images(images)))
    assert shots.resumed([first - 1], second) == first - 1
    assert shots.resumed([first - 1], first) is None
    assert shots.resumed([second], first - 1) == second
    assert len(pictures) == len(images)


def test_a_shot_goes_on_although_the_change_back_to_it_was_not_noticed(
    edited: _Edited, monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed = Shots.changes_shot

    def once(shots: Shots, before: int, after: int) -> bool:
        return noticed(shots, before, after) and min(before, after) < _SECOND_CUT - 1

    monkeypatch.setattr(Shots, "changes_shot", once)
    again = range(_SECOND_CUT + 4, len(edited))
    boxes = _last_ones(edited, [edited.anchor(5)])
    assert all(boxes[frame].box is None for frame in range(_FIRST_CUT, _SECOND_CUT))
    assert _overlap(edited, boxes, again).min() > 0.6
    points = _last_points(edited, _point(edited, 20))
    assert all(points[frame].xy is None for frame in range(_FIRST_CUT, _SECOND_CUT))
    assert all(points[frame].xy is not None for frame in again)


def test_a_view_that_comes_back_without_a_new_shot_brings_no_object_back(
    edited: _Edited, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_for: list[int] = []
    monkeypatch.setattr(Shots, "changes_shot", lambda *_: False)
    monkeypatch.setattr(Shots, "resumed_unnoticed", lambda *args: looked_for.append(args[-1]))
    anchors = [edited.anchor(_FIRST_CUT - 1), Anchor(_FIRST_CUT, None)]
    assert list(propose(edited, anchors, (_FIRST_CUT + 1, len(edited))))
    assert looked_for == []


def test_an_object_is_not_followed_into_what_its_shot_dissolves_into(edited: _Edited) -> None:
    shot, other = edited.images[:_FIRST_CUT], edited.images[_FIRST_CUT:_SECOND_CUT]
    images = _Images(_dissolved(shot, other, 12))
    found = {p.frame: p for p in propose(images, [edited.anchor(5)], (0, len(images)))}
    assert all(found[f].box is None for f in range(_FIRST_CUT - 4, len(images)))
    assert _overlap(edited, found, range(6, _FIRST_CUT - 12)).min() > 0.6


@pytest.mark.parametrize("grain", [(12, 4), (60, 30)])
def test_what_lights_up_is_no_cut(edited: _Edited, grain: tuple[int, int]) -> None:
    noise = np.random.default_rng(3)
    lit, dark = edited.images[0], []
    for share in [*np.zeros(12), *np.linspace(0, 1, 9), *np.ones(12)]:
        before = noise.normal(*grain, lit.shape) * (1 - share)
        dark.append(np.asarray(np.clip(before + lit * share, 0, 255), np.uint8))
    assert _cuts(dark) == []


def test_a_video_that_ends_in_black_ends_with_a_shot_of_its_own(edited: _Edited) -> None:
    black = [np.zeros_like(edited.images[0])] * 10
    cuts = _cuts([*_faded(edited.images[:_FIRST_CUT], 12, 0), *black])
    assert len(cuts) == 1
    assert cuts[0] in (_FIRST_CUT - 2, _FIRST_CUT - 1)


def test_black_within_a_shot_is_no_cut(edited: _Edited) -> None:
    assert _cuts([*_faded(edited.images[:20], 6, 0), *_faded(edited.images[20:30], 0, 6)]) == []


def test_an_object_that_comes_before_a_plain_background_is_no_fade() -> None:
    plain = np.full((180, 320, 3), 90, np.uint8)
    large = plain.copy()
    large[20:120, 60:200] = make_scene(_SPEC).image(0)[20:120, 60:200]
    assert _cuts([plain] * 10 + [large] * 10) == []


def test_a_shot_that_goes_on_after_a_fade_is_known(edited: _Edited) -> None:
    shot, other = edited.images[:_FIRST_CUT], edited.images[_FIRST_CUT:_SECOND_CUT]
    images = [*_faded(shot, 12, 0), *_faded(other, 12, 12), *_faded(shot[::-1], 0, 20)]
    shots = shots_of(pictures := Pictures(_Images(images)))
    assert shots.resumed([_FIRST_CUT - 4], _SECOND_CUT + 3) == _FIRST_CUT - 4
    assert shots.resumed([_SECOND_CUT + 3], _FIRST_CUT - 8) == _SECOND_CUT + 3
    assert shots.resumed([_SECOND_CUT + 3], _FIRST_CUT - 1) is None  # nothing is shown there
    assert shots.resumed([_FIRST_CUT - 4], _FIRST_CUT + 2) is None
    assert len(pictures) == _SECOND_CUT + len(shot)


def test_shots_of_little_contrast_are_known_again(edited: _Edited) -> None:
    mean = float(np.mean(edited.images[0]))
    pale = [np.asarray(mean + (image - mean) * 0.15, np.uint8) for image in edited.images]
    assert max(float(image.std()) for image in pale) < 10
    shots = shots_of(pictures := Pictures(_Images(pale)))
    assert shots.resumed([_FIRST_CUT - 1], _SECOND_CUT) == _FIRST_CUT - 1
    assert shots.resumed([_FIRST_CUT - 1], _FIRST_CUT) is None
    assert len(pictures) == len(pale)


def _interrupted_by_fades(edited: _Edited) -> _Images:
    first, other = edited.images[:_FIRST_CUT], edited.images[_FIRST_CUT:_SECOND_CUT]
    rest = edited.images[_SECOND_CUT:]
    return _Images([*_faded(first, 8, 0), *_faded(other, 8, 8), *_faded(rest, 0, 8)])


def test_an_object_that_fades_out_is_out_of_view_until_its_shot_goes_on(edited: _Edited) -> None:
    images = _interrupted_by_fades(edited)
    found = {p.frame: p for p in propose(images, [edited.anchor(5)], (0, len(edited)))}
    other_shot = [found[frame] for frame in range(_FIRST_CUT - 1, _SECOND_CUT + 1)]
    assert all(p.box is None and p.confidence == OTHER_SHOT_CONFIDENCE for p in other_shot)
    assert _overlap(edited, found, range(6, _FIRST_CUT - 3)).min() > 0.6
    assert _overlap(edited, found, range(_SECOND_CUT + 5, len(edited))).min() > 0.6


@pytest.mark.parametrize("share", [0.8, 0.4])
def test_a_change_of_exposure_is_no_cut(edited: _Edited, share: float) -> None:
    images = [*edited.images[:10], *_darker(edited.images[10:20], share)]
    shots = shots_of(pictures := Pictures(_Images(images)))
    assert not any(shots.changes_shot(f, f + 1) for f in range(len(pictures) - 1))
    assert shots.is_same_shot(9, 10)


def test_a_slow_change_of_exposure_is_no_cut(edited: _Edited) -> None:
    shares = [*np.ones(8), *np.linspace(1, 0.6, 6), *np.full(8, 0.6)]
    images = [_darker([image], x)[0] for image, x in zip(edited.images, shares, strict=False)]
    assert _cuts(images) == []


def test_a_cut_is_found_where_the_exposure_changes(edited: _Edited) -> None:
    assert _cuts([*edited.images[20:30], *_darker(edited.images[30:40], 0.6)]) == [10]


def test_the_motion_of_the_camera_is_found_where_the_exposure_changes(edited: _Edited) -> None:
    image = edited.images[0]
    images = [image, *_darker([np.roll(image, (3, 6), axis=(0, 1))], 0.5)]
    camera = camera_of(pictures := Pictures(_Images(images)))
    moved = camera.carry(range(len(pictures)), _SOMEWHERE)[1]
    assert moved == pytest.approx(_SOMEWHERE + np.array([6, 3, 6, 3]), abs=0.5)


def test_a_whip_of_the_camera_is_no_cut(edited: _Edited) -> None:
    before, after = edited.images[:10], edited.images[10:20]
    whip = [np.roll(before[-1], 75 * i, axis=1) for i in range(1, 6)]
    assert _cuts([*before, *whip, *after]) == []


def test_an_object_is_out_of_view_in_another_shot_and_followed_where_its_own_goes_on(
    edited: _Edited,
) -> None:
    found = _last_ones(edited, [edited.anchor(5)])
    assert _overlap(edited, found, range(6, _FIRST_CUT)).min() > 0.6
    other_shot = [found[frame] for frame in range(_FIRST_CUT, _SECOND_CUT)]
    assert all(p.box is None and p.confidence == OTHER_SHOT_CONFIDENCE for p in other_shot)
    assert _overlap(edited, found, range(_SECOND_CUT, len(edited))).min() > 0.6


def test_the_same_backward(edited: _Edited) -> None:
    found = _last_ones(edited, [edited.anchor(len(edited) - 1)])
    assert all(found[frame].box is None for frame in range(_FIRST_CUT, _SECOND_CUT))
    assert _overlap(edited, found, range(_SECOND_CUT, len(edited) - 1)).min() > 0.6
    assert _overlap(edited, found, range(_FIRST_CUT)).min() > 0.6


def test_between_two_boxes_each_shot_is_followed_from_its_own_box(edited: _Edited) -> None:
    found = _last_ones(edited, [edited.anchor(5), edited.anchor(len(edited) - 5)])
    assert all(found[frame].box is None for frame in range(_FIRST_CUT, _SECOND_CUT))
    assert _overlap(edited, found, range(6, _FIRST_CUT)).min() > 0.6
    assert _overlap(edited, found, range(_SECOND_CUT, len(edited) - 5)).min() > 0.6


def test_between_two_boxes_the_surer_of_both_ways_counts_in_each_shot(edited: _Edited) -> None:
    one_way = OneWay(Pictures(edited), [Flow], (), NO_OTHERS, lambda: False)
    first, last = edited.boxes[5], edited.boxes[-6]
    frames = range(5, len(edited) - 5)
    ahead = {p.frame: p for p in one_way.follow(frames, first)}
    back = {p.frame: p for p in one_way.follow(frames[::-1], last)}
    both = {p.frame: p for p in one_way.join(frames, first, last)}
    assert list(both) == list(frames[1:-1])
    for frame, proposal in both.items():
        assert proposal.confidence == max(ahead[frame].confidence, back[frame].confidence)
    after = range(_SECOND_CUT, len(edited) - 6)
    assert {both[f].confidence == ahead[f].confidence for f in after} == {True, False}


def test_a_shot_that_only_one_of_two_boxes_has_is_followed_from_there(edited: _Edited) -> None:
    one_way = OneWay(Pictures(edited), [Flow], (), NO_OTHERS, lambda: False)
    end = _SECOND_CUT - 5
    both = {p.frame: p for p in one_way.join(range(5, end + 1), edited.boxes[5], _SOMEWHERE)}
    assert all(both[frame].box is not None for frame in [*range(6, _FIRST_CUT), _FIRST_CUT + 1])


def test_an_object_that_is_marked_as_out_of_view_in_another_shot_stays_so(edited: _Edited) -> None:
    found = _last_ones(edited, [edited.anchor(5), Anchor(_SECOND_CUT - 2, None)])
    assert _overlap(edited, found, range(6, _FIRST_CUT)).min() > 0.6
    assert all(found[frame].box is None for frame in range(_FIRST_CUT, _SECOND_CUT - 2))


def test_an_object_that_is_marked_as_out_of_view_in_another_shot_returns_with_its_own(
    edited: _Edited,
) -> None:
    found = _last_ones(edited, [edited.anchor(_FIRST_CUT - 1), Anchor(_FIRST_CUT, None)])
    other_shot = [found[frame] for frame in range(_FIRST_CUT + 1, _SECOND_CUT)]
    assert all(p.box is None and p.confidence == 1.0 for p in other_shot)
    assert _overlap(edited, found, range(_SECOND_CUT, len(edited))).min() > 0.6


def test_an_object_that_was_marked_before_the_shot_changed_is_not_expected_there_again(
    edited: _Edited,
) -> None:
    found = _last_ones(edited, [edited.anchor(5), Anchor(_FIRST_CUT - 3, None)])
    assert all(found[frame].box is None for frame in range(_FIRST_CUT - 2, _SECOND_CUT + 3))


def _point(edited: _Edited, frame: int) -> tuple[int, Point]:
    return frame, Point(*edited.middles[frame].tolist())


def _last_points(edited: _Edited, *places: tuple[int, Point]) -> dict[int, ProposedPoint]:
    found = propose_points(edited, {"point": places}, (0, len(edited)), cancel=lambda: False)
    return {proposal.frame: proposal for _, proposal in found}


def _farthest(edited: _Edited, found: dict[int, ProposedPoint], frames: range) -> float:
    """Return how far from the middle of the object, in pixels; points must have a place."""
    places = [found[frame].xy for frame in frames]
    xy = np.array([(place.x, place.y) for place in places if place is not None])
    assert len(xy) == len(frames)
    return float(np.linalg.norm(xy - edited.middles[frames], axis=1).max())


def test_a_point_is_out_of_view_in_another_shot_and_followed_where_its_own_goes_on(
    edited: _Edited,
) -> None:
    found = _last_points(edited, _point(edited, 20))
    other_shot = [found[frame] for frame in range(_FIRST_CUT, _SECOND_CUT)]
    assert all(p.xy is None and not p.occluded for p in other_shot)
    assert {p.confidence for p in other_shot} == {OTHER_SHOT_CONFIDENCE}
    assert _farthest(edited, found, range(21, _FIRST_CUT)) < 5.0
    assert _farthest(edited, found, range(_SECOND_CUT, len(edited) - 10)) < 5.0


def test_a_point_that_fades_out_is_out_of_view_until_its_shot_goes_on(edited: _Edited) -> None:
    images = _interrupted_by_fades(edited)
    found = {
        p.frame: p
        for _, p in propose_points(images, {"point": [_point(edited, 20)]}, (0, len(edited)))
    }
    assert all(found[f].xy is None for f in range(_FIRST_CUT - 1, _SECOND_CUT + 1))
    assert all(found[f].xy is not None for f in range(21, _FIRST_CUT - 1))
    assert all(found[f].xy is not None for f in range(_SECOND_CUT + 1, len(edited)))


def test_a_point_is_followed_through_another_shot_backward(edited: _Edited) -> None:
    found = _last_points(edited, _point(edited, _SECOND_CUT + 5))
    assert all(found[frame].xy is None for frame in range(_FIRST_CUT, _SECOND_CUT))
    assert _farthest(edited, found, range(20, _FIRST_CUT)) < 5.0


def test_a_point_between_two_places_is_out_of_view_in_the_other_shot_only(edited: _Edited) -> None:
    found = _last_points(edited, _point(edited, 20), _point(edited, _SECOND_CUT + 10))
    absent = [frame for frame, proposal in found.items() if proposal.xy is None]
    assert absent == list(range(_FIRST_CUT, _SECOND_CUT))
    assert _farthest(edited, found, range(_SECOND_CUT, _SECOND_CUT + 10)) < 5.0


def test_a_point_with_a_place_in_either_shot_has_one_on_each_frame(edited: _Edited) -> None:
    elsewhere = (_FIRST_CUT + 5, Point(100.0, 60.0))
    found = _last_points(edited, _point(edited, 20), elsewhere)
    assert list(found) == list(range(21, _FIRST_CUT + 5))
    assert all(proposal.xy is not None for proposal in found.values())


def test_a_point_is_out_of_view_in_every_shot_but_its_own(edited: _Edited) -> None:
    shot, other = edited.images[20:_FIRST_CUT], edited.images[_FIRST_CUT:_SECOND_CUT]
    third = [np.ascontiguousarray(image[::-1]) for image in other[:8]]
    # The shot of the point goes on after two others, and after a third one that goes on, too.
    parts = [other[:8], shot[:4], third, other[8:12], shot[4:8], other[12:16]]
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    anchors = {"point": [(starts[1], Point(100.0, 60.0))]}
    images = [image for part in parts for image in part]
    found = {p.frame: p for _, p in propose_points(_Images(images), anchors, (0, len(images)))}
    seen = {starts[1], *(frame for frame, proposal in found.items() if proposal.xy is not None)}
    assert seen == {*range(starts[1], starts[2]), *range(starts[4], starts[5])}


def test_looking_for_shots_reads_no_frame_again(edited: _Edited) -> None:
    video = _Counted([cv2.resize(image, (640, 360)) for image in edited.images[:20]])
    pictures = Pictures(video, budget_bytes=12 * video.image(0).nbytes)
    _, place = _point(edited, 0)
    anchors = {"point": [(0, Point(place.x * 2, place.y * 2))]}
    assert list(propose_points(pictures, anchors, (0, 20), cancel=lambda: False))
    # Along the way, for the candidates, and along the path that was chosen.
    assert max(video.n_read.values()) == 3


@pytest.mark.parametrize("how", ["forward", "backward", "searched for"])
def test_a_box_tracker_reads_each_frame_once(edited: _Edited, how: str) -> None:
    """Looking for shots needs a small picture of frames that the tracker sees a little later."""
    video = _Counted([cv2.resize(image, (640, 360)) for image in edited.images[:20]])
    start = 19 if how == "backward" else 0
    anchors = [Anchor(start, Box(*(edited.boxes[start] * 2).tolist()))]
    if how == "searched for":
        anchors.append(Anchor(1, None))
    pictures = Pictures(video)
    video.n_read.clear()
    assert list(propose(pictures, anchors, (0, 20), cancel=lambda: False))
    assert max(video.n_read.values()) == 1


def test_two_threads_may_look_at_the_same_frame(
    edited: _Edited, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one asks while the first one is about to find out what a frame shows."""
    shots = shots_of(pictures := Pictures(edited))
    measure, found = cv2.meanStdDev, []

    def interrupted(gray: Image) -> object:
        monkeypatch.setattr(cv2, "meanStdDev", measure)
        with ThreadPoolExecutor(1) as thread:
            found.append(thread.submit(shots.changes_shot, 4, 5).result(20))
        return measure(gray)

    monkeypatch.setattr(cv2, "meanStdDev", interrupted)
    assert not shots.changes_shot(4, 5)
    assert found == [False]
    assert len(pictures) == len(edited)


class _Counted(_Images):
    """Pictures that count how often each was read."""

    def __init__(self, images: Sequence[Image]) -> None:
        super().__init__(images)
        self.n_read: Counter[int] = Counter()

    def image(self, index: int) -> Image:
        self.n_read[index] += 1
        return super().image(index)


class _Watched(Pictures):
    """Pictures that count how often a gray one was asked for."""

    n_asked = 0

    def gray(self, frame: int, level: int) -> Image:
        self.n_asked += 1
        return super().gray(frame, level)


def test_motion_that_was_found_ahead_is_not_found_again(edited: _Edited) -> None:
    pictures = _Watched(edited)
    camera, shots = camera_of(pictures), shots_of(pictures)
    camera.look_ahead(_FIRST_CUT - 2, _FIRST_CUT - 1)
    assert pictures.n_asked == 2
    assert shots.is_same_shot(_FIRST_CUT, _FIRST_CUT - 1) is False
    camera.look_ahead(_FIRST_CUT + 1, _FIRST_CUT)
    camera.look_ahead(1, 0)
    camera.look_ahead(len(edited) - 2, len(edited) - 1)
    assert pictures.n_asked == 2
