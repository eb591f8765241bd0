"""Proposals on synthetic scenes with exact truth."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Event
from time import sleep

import cv2
import numpy as np
import pytest

from annotator.assist import FrameSource, Pictures, propose
from annotator.assist.boxes import arrays as bx
from annotator.assist.boxes.fused import unsure_stretches
from annotator.assist.boxes.leaving import Leaving, OneWay
from annotator.assist.boxes.one_way import Points, both_ways
from annotator.assist.boxes.other_objects import OtherObjects
from annotator.assist.boxes.path import AppearanceMatcher
from annotator.assist.pictures import LazyImage
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from annotator.media import Video
from tests.benchmarks.scenes import Scene, SceneSpec, make_scene
from tests.media.encoding import write_video

SMALL = SceneSpec(
    "small", 3, size=(240, 160), n_frames=31, object_px=42, travel=0.9, tempo=1.6, spin=0.2
)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene(SMALL)


@pytest.fixture(scope="module")
def leaving() -> Scene:
    return make_scene(replace(SMALL, name="leaving", n_frames=61, leaves=True, spin=0.0))


def _anchors(scene: Scene, *frames: int) -> list[Anchor]:
    return [Anchor(frame, bx.to_box(scene.boxes[frame])) for frame in frames]


def _final(proposals: list[Proposed]) -> dict[int, Proposed]:
    return {p.frame: p for p in proposals}


def _overlaps(scene: Scene, found: dict[int, Proposed]) -> np.ndarray:
    boxes = np.array([bx.from_box(p.box) for p in found.values()])
    return bx.iou(boxes, scene.boxes[list(found)])


@pytest.mark.parametrize("tracker", ["fused", "csrt", "points", "flow"])
def test_between_two_boxes_the_object_is_followed(scene: Scene, tracker: str) -> None:
    found = _final(list(propose(scene, _anchors(scene, 0, 30), (0, 31), tracker=tracker)))
    assert sorted(found) == list(range(1, 30))
    straight = bx.iou(bx.between(scene.boxes[0], scene.boxes[30], 30), scene.boxes)[1:30]
    overlaps = _overlaps(scene, found)
    assert overlaps.min() > 0.6
    assert overlaps.mean() > max(0.75, straight.mean() + 0.1)
    assert all(0.0 <= p.confidence <= 1.0 for p in found.values())


def test_boxes_are_finer_than_pixels_and_inside_the_picture(scene: Scene) -> None:
    found = _final(list(propose(scene, _anchors(scene, 0, 30), (0, 31))))
    rows = np.array([bx.from_box(p.box) for p in found.values()])
    assert np.abs(rows - np.round(rows)).max() > 0.1
    assert rows.min() >= 0
    assert (rows[:, 2] <= 240).all()
    assert (rows[:, 3] <= 160).all()


def test_one_box_is_followed_both_ways(scene: Scene) -> None:
    found = _final(list(propose(scene, _anchors(scene, 15), (5, 26))))
    assert sorted(found) == [*range(5, 15), *range(16, 26)]
    assert _overlaps(scene, found).mean() > 0.75


def test_each_gap_stands_alone(scene: Scene) -> None:
    gap = _final(list(propose(scene, _anchors(scene, 0, 10, 20), (11, 20))))
    every = _final(list(propose(scene, _anchors(scene, 0, 10, 20), (0, 31))))
    assert gap == {frame: every[frame] for frame in range(11, 20)}


def test_a_gap_of_one_frame_and_of_none(scene: Scene) -> None:
    found = list(propose(scene, _anchors(scene, 10, 12), (11, 12)))
    assert {p.frame for p in found} == {11}
    assert _overlaps(scene, _final(found))[0] > 0.8
    assert list(propose(scene, _anchors(scene, 10, 11), (10, 12))) == []


def test_the_first_suggestion_comes_before_all_trackers_are_done(scene: Scene) -> None:
    found = list(propose(scene, _anchors(scene, 0, 30), (1, 30)))
    assert [p.frame for p in found[:29]] == list(range(1, 30))
    assert {p.frame for p in found[29:]} == set(range(1, 30))
    assert all(p.confidence <= 0.5 for p in found[:29]), "nothing has confirmed them yet"
    assert _overlaps(scene, _final(found)).mean() > _overlaps(scene, _final(found[:29])).mean()


def test_out_of_view_at_both_ends_stays_out_of_view(scene: Scene) -> None:
    found = list(propose(scene, [Anchor(3, None), Anchor(6, None)], (0, 10)))
    assert {p.frame for p in found} == {0, 1, 2, 4, 5, 7, 8, 9}
    assert all(p.box is None for p in found)


def test_an_object_that_leaves_is_proposed_as_out_of_view(leaving: Scene) -> None:
    gone = np.flatnonzero(np.isnan(leaving.boxes[:, 0]))
    last = int(gone[len(gone) // 2])
    found = _final(list(propose(leaving, _anchors(leaving, 12, last), (13, last))))
    truth = np.isnan(leaving.boxes[13:last, 0])
    ours = np.array([found[frame].box is None for frame in range(13, last)])
    assert truth.any()
    assert ours.any()
    assert np.abs(ours.argmax() - truth.argmax()) <= 6
    assert (ours == truth).mean() > 0.8


def test_an_object_that_returns_is_followed_back_to_where_it_came_in(leaving: Scene) -> None:
    gone = np.flatnonzero(np.isnan(leaving.boxes[:, 0]))
    first, end = int(gone[0]), len(leaving) - 1
    found = _final(list(propose(leaving, _anchors(leaving, first, end), (first, end))))
    back = {frame: p for frame, p in found.items() if not np.isnan(leaving.boxes[frame, 0])}
    assert np.median(_overlaps(leaving, back)) > 0.6


@pytest.mark.parametrize(
    "box",
    [
        Box(0.0, 0.0, 3.0, 3.0),
        Box(236.5, 156.5, 240.0, 160.0),
        Box(100.0, 80.0, 101.0, 81.0),
        Box(0.0, 0.0, 240.0, 160.0),
        Box(0.0, 70.0, 240.0, 72.0),
    ],
)
def test_boxes_at_the_limits_are_followed_without_fault(scene: Scene, box: Box) -> None:
    for anchors in ([Anchor(0, box), Anchor(4, box)], [Anchor(0, box)]):
        found = _final(list(propose(scene, anchors, (1, 4))))
        assert sorted(found) == [1, 2, 3]
        inside = [p.box for p in found.values() if p.box is not None]
        assert all(b.is_valid and b == b.clipped(240, 160) for b in inside)


@pytest.mark.parametrize("tracker", ["fused", "csrt"])
def test_cancel_is_asked_before_every_frame(scene: Scene, tracker: str) -> None:
    asked = 0

    def cancel() -> bool:
        nonlocal asked
        asked += 1
        return asked > 8

    found = list(propose(scene, _anchors(scene, 0), (0, 31), cancel=cancel, tracker=tracker))
    assert 0 < len(found) <= 8
    assert asked < 12


class _Watched(Pictures):
    """Pictures of a scene; counts how often any was asked for since cancel was last looked at."""

    n_asked = 0
    largest = 0

    def picture(self, frame: int, level: int) -> LazyImage:
        self.n_asked += 1
        self.largest = max(self.largest, self.n_asked)
        return super().picture(frame, level)

    def cancel(self) -> bool:
        self.n_asked = 0
        return False


@pytest.mark.parametrize("is_leaving", [False, True])
def test_no_stage_between_two_boxes_runs_long_without_a_look_at_cancel(
    scene: Scene, leaving: Scene, is_leaving: bool
) -> None:
    video = leaving if is_leaving else scene
    pictures = _Watched(video)
    pictures.n_asked = pictures.largest = 0
    first, last = np.flatnonzero(~np.isnan(video.boxes[:, 0]))[[0, -1]]
    anchors = _anchors(video, int(first), int(last))
    found = list(propose(pictures, anchors, (0, len(video)), cancel=pictures.cancel))
    assert any(p.box is None for p in found) == is_leaving
    # Two threads work at a time. Each asks for a frame in up to three forms, or where an object
    # that has left is looked for, as when it is followed from one box, up to 18 times.
    assert pictures.largest < (40 if is_leaving else 16)


class _Counted:
    """Frames of a scene; remembers which were read."""

    def __init__(self, scene: FrameSource) -> None:
        self._scene = scene
        self.calls: list[int] = []

    def __len__(self) -> int:
        return len(self._scene)

    def image(self, index: int, /) -> np.ndarray:
        self.calls.append(index)
        return self._scene.image(index)


def test_pictures_are_decoded_once_for_all_objects(scene: Scene) -> None:
    source = _Counted(scene)
    pictures = Pictures(source)
    for _ in range(2):
        list(propose(pictures, _anchors(scene, 0, 10), (0, 11), tracker="points"))
    # To tell where shots change frames are looked at that follow soon.
    assert sorted(source.calls) == list(range(14))
    tight = _Counted(scene)
    anchors = _anchors(scene, 0, 30)
    list(propose(Pictures(tight, budget_bytes=1), anchors, (0, 31), tracker="points"))
    assert len(tight.calls) > 31


def test_a_gap_that_does_not_fit_into_memory_is_followed_alike(scene: Scene) -> None:
    anchors, span = _anchors(scene, 0, 30), (0, 31)
    expected = _final(list(propose(Pictures(scene), anchors, span)))
    source = _Counted(scene)
    small = Pictures(source, budget_bytes=8 * 4 * scene.image(0)[..., 0].size)
    assert not small.can_hold(31, 0)
    proposals = propose(small, anchors, span)
    first = next(proposals)
    assert _final([first, *proposals]) == expected
    # Three rounds of trackers both ways and two looks at the whole gap.
    assert len(source.calls) < 12 * 31


@pytest.mark.parametrize("n_held", [8, 31])
def test_the_first_proposal_does_not_wait_for_frames_that_it_does_not_need(
    scene: Scene, n_held: int
) -> None:
    source = _Counted(scene)
    pictures = Pictures(source, budget_bytes=n_held * 4 * scene.image(0)[..., 0].size)
    assert pictures.can_hold(31, 0) == (n_held == 31)
    first = next(iter(propose(pictures, _anchors(scene, 0, 30), (0, 31))))
    assert first.frame == 1
    assert set(source.calls) == {0, 1}


def test_coarser_pictures_do_not_fill_the_memory_with_full_ones(scene: Scene) -> None:
    source = _Counted(scene)
    coarse = 4 * scene.image(0)[..., 0].size // 4
    pictures = Pictures(source, budget_bytes=31 * coarse)
    assert pictures.can_hold(31, 1)
    for _ in range(2):
        for frame in range(31):
            pictures.gray(frame, 1)
    assert sorted(source.calls) == list(range(31))


def test_a_picture_is_read_again_only_for_a_larger_one(scene: Scene) -> None:
    source = _Counted(scene)
    pictures = Pictures(source)
    assert source.calls == [0]
    pictures.hold(3, 1)
    small = pictures.color(3, 1)
    assert np.array_equal(
        pictures.color(3, 2), cv2.resize(small, (60, 40), interpolation=cv2.INTER_AREA)
    )
    pictures.color(3, 0)
    assert np.array_equal(pictures.color(3, 1), small)
    pictures.gray(3, -1)
    assert source.calls == [0, 3, 3]


def test_asking_what_fits_into_memory_reads_nothing(scene: Scene) -> None:
    source = _Counted(scene)
    pictures = Pictures(source, budget_bytes=8 * scene.image(0).nbytes)
    for frame in range(12):
        pictures.hold(frame, 0)
    source.calls.clear()
    assert [pictures.can_hold(n, level) for n, level in ((8, 0), (9, 0), (32, 1), (33, 1))] == [
        True,
        False,
        True,
        False,
    ]
    assert pictures.view(200.0).size == (120, 80)
    assert source.calls == []


def test_a_video_is_followed_in_its_own_format_as_in_rgb(tmp_path: Path, scene: Scene) -> None:
    path = tmp_path / "scene.mp4"
    write_video(path, [scene.image(f) for f in range(len(scene))])
    with Video(path) as video:
        plain = _Counted(video)  # only offers RGB
        for level in (0, 1):
            ours, theirs = Pictures(video), Pictures(plain)
            for frame in (0, 7):
                one, other = ours.color(frame, level), theirs.color(frame, level)
                assert np.abs(one.astype(int) - other).mean() < 2
                one, other = ours.gray(frame, level), theirs.gray(frame, level)
                assert np.abs(one.astype(int) - other).mean() < 2
        anchors, span = _anchors(scene, 0, 30), (0, 31)
        found = _final(list(propose(Pictures(video), anchors, span)))
        expected = _final(list(propose(Pictures(plain), anchors, span)))
        boxes, others = (
            np.array([bx.from_box(p.box) for p in each.values()]) for each in (found, expected)
        )
        assert bx.iou(boxes, others).mean() > 0.95


@pytest.mark.parametrize("step", [1, 2, 4])
def test_trackers_may_skip_frames_between_two_boxes(scene: Scene, step: int) -> None:
    source = _Counted(scene)
    view = Pictures(source).view(40.0)
    frames, first, last = range(3, 21), scene.boxes[3], scene.boxes[20]
    found = both_ways([Points], view, frames, first, last, cancel=lambda: False, step=step)
    assert found is not None
    ahead, back = found[0]
    assert set(source.calls) == {0, *range(3, 20, step), 20}
    assert ahead[0] == pytest.approx(first)
    assert back[-1] == pytest.approx(last)
    if step == 2:
        assert ahead[3] == pytest.approx((ahead[2] + ahead[4]) / 2)
    for path in (ahead, back):
        assert bx.iou(path, scene.boxes[3:21]).min() > 0.4
    canceled = both_ways([Points], view, frames, first, last, cancel=lambda: True, step=step)
    assert canceled is None


def test_evidence_of_paths_does_not_depend_on_what_was_compared_before(scene: Scene) -> None:
    view = Pictures(scene).view(40.0)
    frames, first, last = range(13), scene.boxes[0], scene.boxes[12]
    paths = np.array([scene.boxes[:13], bx.between(first, last, 12), scene.boxes[:13] + 4.0])
    whole = AppearanceMatcher(view, frames, first, last, lambda: False).evidence(paths)
    matcher = AppearanceMatcher(view, frames, first, last, lambda: False)
    matcher.evidence(paths[:2])
    for ours, expected in zip(matcher.evidence(paths[[2, 0, 1]]), whole, strict=True):
        assert ours == pytest.approx(expected[[2, 0, 1]], abs=0.01)  # colors blur where cut out
    assert whole.alike[0, 3] > whole.alike[2, 3]


def test_large_objects_are_followed_in_smaller_pictures(scene: Scene) -> None:
    pictures = Pictures(scene)
    view = pictures.view(160.0)
    assert view.size == (120, 80)
    box = np.array([20.0, 40.0, 180.0, 120.0])
    assert view.inward(box) == pytest.approx(box / 2)
    assert view.outward(view.inward(box)) == pytest.approx(box)


def test_an_object_away_between_two_boxes_is_proposed_as_out_of_view(leaving: Scene) -> None:
    gone = np.isnan(leaving.boxes[:, 0])
    first, last = int(gone.argmax()) - 8, len(leaving) - int(gone[::-1].argmax()) + 7
    found = _final(list(propose(leaving, _anchors(leaving, first, last), (first, last))))
    ours = np.array([found[frame].box is None for frame in range(first + 1, last)])
    truth = gone[first + 1 : last]
    assert 5 < truth.sum() < len(truth) - 5
    assert (ours == truth).mean() > 0.75
    assert not ours[:3].any()
    assert not ours[-3:].any()


@pytest.mark.parametrize("seed", [5, 7])
def test_an_object_that_left_is_found_again_near_the_border(seed: int) -> None:
    scene = make_scene(replace(SMALL, seed=seed, n_frames=81, leaves=True, spin=0.0))
    gone = np.isnan(scene.boxes[:, 0])
    back = len(scene) - int(gone[::-1].argmax())
    found = _final(list(propose(scene, _anchors(scene, 0), (1, len(scene)))))
    away = [found[frame].box is None for frame in np.flatnonzero(gone)]
    assert len(away) > 10
    assert np.mean(away) > 0.8
    # Dense flow differs a little with how OpenCV shares the work between threads, and with it
    # whether the object is found at once or some frames later.
    returned = {frame: found[frame] for frame in range(back + 10, len(scene))}
    assert len(returned) > 10
    assert _overlaps(scene, returned).min() > 0.6


@pytest.mark.parametrize(("seed", "spin"), [(22, 1.4), (12, 0.9)])
def test_an_object_that_turned_while_it_was_away_is_back_when_trackers_are_sure(
    seed: int, spin: float
) -> None:
    turning = replace(SMALL, seed=seed, n_frames=81, leaves=True, spin=spin, aspect=1.6)
    scene = make_scene(turning)
    gone = np.isnan(scene.boxes[:, 0])
    back = len(scene) - int(gone[::-1].argmax())
    found = _final(list(propose(scene, _anchors(scene, 0), (1, len(scene)))))
    away = [found[frame].box is None for frame in np.flatnonzero(gone)]
    assert np.mean(away) > 0.8
    returned = {frame: found[frame] for frame in range(back + 10, len(scene))}
    assert len(returned) > 10
    assert _overlaps(scene, returned).min() > 0.6


def test_an_object_that_is_back_stays_while_trackers_are_sure() -> None:
    leaving = Leaving()
    at_the_border = {"inside": 0.5, "alike": 0.2}
    assert leaving.see(**at_the_border, confidence=0.9)
    assert not leaving.see(**at_the_border, confidence=0.9)
    assert not any(leaving.see(**at_the_border, confidence=0.6) for _ in range(10))
    assert leaving.see(**at_the_border, confidence=0.5)


def test_a_frame_that_was_read_meanwhile_does_not_wait_for_the_next_one(scene: Scene) -> None:
    """Two threads want frame 1; the one that reads it goes on to one that takes long."""
    both_want_it, may_end = Event(), Event()

    class _Slow(_Counted):
        def image(self, index: int) -> np.ndarray:
            if index == 1:
                both_want_it.wait(5)
                sleep(0.05)  # the other thread waits for the reader by now
            elif index == 2:
                may_end.wait(20)
            return super().image(index)

    pictures = Pictures(_Slow(scene))
    with ThreadPoolExecutor(2) as threads:
        reader = threads.submit(lambda: [pictures.hold(frame, 0) for frame in (1, 2)])
        sleep(0.05)
        other = threads.submit(pictures.hold, 1, 0)
        both_want_it.set()
        other.result(timeout=10)
        assert not reader.done()
        may_end.set()
        reader.result(timeout=10)


class _Jump:
    """An object that stands still, then moves fast and turns into what it looks like at the end."""

    _START, _TURN, _N = 100, 152, 170

    def __init__(self) -> None:
        noise = np.random.default_rng(2)

        def texture(width: int, height: int, low: int, high: int, cell: int = 8) -> np.ndarray:
            grain = noise.integers(low, high, (height // cell + 2, width // cell + 2, 3))
            size = (width, height)
            return cv2.resize(grain.astype(np.uint8), size, interpolation=cv2.INTER_CUBIC)

        background = texture(320, 180, 60, 180, 12)
        look, last_look = texture(40, 60, 0, 255), texture(64, 36, 0, 255)
        self.images, boxes = [], []
        for frame in range(self._N):
            share = max(0.0, (frame - self._START) / (self._N - self._START - 1))
            x, y = 60 + round(180 * share), 30 + round(100 * share)
            now = last_look if frame >= self._TURN else look
            height, width = now.shape[:2]
            image = background.copy()
            image[y : y + height, x : x + width] = now
            self.images.append(image)
            boxes.append([x, y, x + width, y + height])
        self.boxes = np.array(boxes, np.float64)

    def __len__(self) -> int:
        return self._N

    def image(self, index: int) -> np.ndarray:
        return self.images[index]


def test_an_object_that_stands_before_it_moves_is_found_where_it_stands() -> None:
    jump = _Jump()
    anchors = [Anchor(f, bx.to_box(jump.boxes[f])) for f in (0, len(jump) - 1)]
    found = _final(list(propose(jump, anchors, (0, len(jump)))))
    boxes = np.array([bx.from_box(found[f].box) for f in range(1, len(jump) - 1)])
    assert bx.iou(boxes, jump.boxes[1:-1]).min() > 0.7


@pytest.fixture(scope="module")
def long_away() -> Scene:
    return make_scene(replace(SMALL, name="long away", n_frames=121, leaves=True, spin=0.0))


def test_between_sure_frames_it_is_followed_one_way_and_what_is_surer_counts(
    long_away: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = np.flatnonzero(~np.isnan(long_away.boxes[:, 0]))[[0, -1]].tolist()
    anchors = _anchors(long_away, first, last)
    before: list[dict[int, Proposed]] = []
    joined: list[range] = []
    corner = Box(1.0, 2.0, 31.0, 42.0)

    def join(one_way: OneWay, frames: range, start: bx.Box4, end: bx.Box4) -> list[Proposed]:
        for frame, box in ((frames[0], start), (frames[-1], end)):
            if frame not in (first, last):
                assert before[-1][frame].confidence >= 0.93
                assert bx.iou(bx.from_box(before[-1][frame].box), box) > 0.8  # not smoothed yet
        joined.append(frames)
        sure = before[-1]
        return [
            Proposed(f, corner, (sure[f].confidence + (0.11 if f % 2 else 0.09)) / 0.8)
            for f in frames[1:-1]
        ]

    monkeypatch.setattr(OneWay, "join", join)
    found: dict[int, Proposed] = {}
    for proposal in propose(long_away, anchors, (first, last)):
        if proposal.frame == first + 1:
            before.append({})
        before[-1][proposal.frame] = proposal
        found[proposal.frame] = proposal
    assert joined
    assert all(len(frames) > 31 for frames in joined)
    assert all(b[0] - a[-1] >= 8 for a, b in pairwise(joined))
    inside = {f for frames in joined for f in frames[1:-1]}
    for frame, proposal in found.items():
        is_surer = frame in inside and frame % 2 == 1
        assert (proposal.box == corner) == is_surer, frame
        if is_surer:
            assert proposal.confidence == pytest.approx(before[-2][frame].confidence + 0.11)


def test_what_is_followed_onto_a_lookalike_is_doubted(
    long_away: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = np.flatnonzero(~np.isnan(long_away.boxes[:, 0]))[[0, -1]].tolist()
    corner, joined = Box(1.0, 2.0, 31.0, 42.0), []

    def join(_: OneWay, frames: range, *__: object) -> list[Proposed]:
        joined.append(frames)
        return [Proposed(frame, corner, 1.0) for frame in frames[1:-1]]

    monkeypatch.setattr(OneWay, "join", join)
    anchors = _anchors(long_away, first, last)
    for doubt, is_taken in ((1.0, True), (0.1, False)):
        monkeypatch.setattr(OtherObjects, "doubt", lambda *_, factor=doubt: factor)
        found = propose(long_away, anchors, (first, last))
        assert any(proposal.box == corner for proposal in found) == is_taken
    assert joined


def test_a_short_unsure_stretch_stays_as_it_is(
    leaving: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined: list[range] = []
    monkeypatch.setattr(OneWay, "join", lambda _, frames, *__: joined.append(frames) or [])
    first, last = np.flatnonzero(~np.isnan(leaving.boxes[:, 0]))[[0, -1]].tolist()
    found = _final(list(propose(leaving, _anchors(leaving, first, last), (first, last))))
    assert any(proposal.confidence < 0.93 for proposal in found.values())
    assert joined == []


@pytest.mark.parametrize(
    ("unsure", "expected"),
    [
        ([], []),
        ([4], [(3, 5)]),
        ([1, 2, 28], [(0, 3), (27, 29)]),
        ([4, 5, 14], [(3, 15)]),
        ([4, 5, 15], [(3, 6), (14, 16)]),
        ([4, 9, 14, 24], [(3, 15), (23, 25)]),
        (range(1, 29), [(0, 29)]),
    ],
)
def test_unsure_frames_with_few_sure_ones_between_are_one_stretch(
    unsure: Sequence[int], expected: list[tuple[int, int]]
) -> None:
    assert unsure_stretches([frame not in unsure for frame in range(30)]) == expected


def test_nothing_more_is_proposed_once_it_is_canceled_while_followed_one_way(
    long_away: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = np.flatnonzero(~np.isnan(long_away.boxes[:, 0]))[[0, -1]].tolist()
    is_canceled = Event()
    monkeypatch.setattr(OneWay, "join", lambda *_: is_canceled.set() or [])
    found = []
    for proposal in propose(
        long_away, _anchors(long_away, first, last), (first, last), cancel=is_canceled.is_set
    ):
        assert not is_canceled.is_set()
        found.append(proposal)
    assert is_canceled.is_set()
    assert {p.frame for p in found} == set(range(first + 1, last))
