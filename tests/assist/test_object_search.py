"""Search for an object in the whole picture, and tracking of one that comes back elsewhere."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from annotator.assist import propose
from annotator.assist.boxes.arrays import Box4, iou
from annotator.assist.boxes.object_search import ObjectSearch
from annotator.assist.pictures import Pictures
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor
from tests.benchmarks.scenes import Image

SIZE = (320, 200)
HIDDEN = range(14, 40)  # frames on which the ball is covered, or out of the picture


class MovedWhileHidden:
    """A ball on a textured table goes behind a cloth, and comes out of it on the other side."""

    def __init__(self, n: int = 70, returns: bool = True) -> None:
        rng = np.random.default_rng(5)
        noise = rng.normal(120, 25, (25, 40, 3)).clip(0, 255).astype(np.uint8)
        self.table = cv2.resize(noise, SIZE, interpolation=cv2.INTER_CUBIC)
        self.face = cv2.blur(rng.integers(0, 80, (30, 30, 3)).astype(np.uint8), (3, 3))
        self.face[..., 2] += 150
        self.n, self.returns = n, returns

    def __len__(self) -> int:
        return self.n

    def left(self, frame: int) -> int:
        """Return the left edge of the ball, which stands before and moves on afterwards."""
        return 40 + 2 * min(frame, HIDDEN.start) if frame < HIDDEN.stop else 150 + 2 * frame // 3

    def top(self, frame: int) -> int:
        return 60 if frame < HIDDEN.stop else 130

    def box(self, frame: int) -> Box4:
        left, top = self.left(frame), self.top(frame)
        return np.array([left, top, left + 30, top + 30], np.float64)

    def image(self, frame: int, /) -> Image:
        image = self.table.copy()
        if frame not in HIDDEN and (self.returns or frame < HIDDEN.start):
            left, top = self.left(frame), self.top(frame)
            image[top : top + 30, left : left + 30] = self.face
        if frame >= HIDDEN.start - 4:
            image[45:105, 60 + max(0, HIDDEN.start - frame) * 12 : 110] = (90, 140, 90)
        return image


def search_in(video: MovedWhileHidden) -> ObjectSearch:
    pictures = Pictures(video)
    return ObjectSearch(pictures.view(30), pictures.size, 0, video.box(0))


def test_an_object_that_comes_back_elsewhere_is_found() -> None:
    video = MovedWhileHidden()
    found = {p.frame: p for p in propose(video, [Anchor(0, Box(*video.box(0)))], (1, 70))}
    late = [found[frame] for frame in range(HIDDEN.stop + 12, 70)]
    assert all(p.box is not None and p.box.iou(Box(*video.box(p.frame))) > 0.7 for p in late)


@pytest.mark.parametrize("ends", [(0,), (0, 69)])
def test_a_hidden_object_is_occluded_or_out_of_view_as_the_guidelines_say(
    ends: tuple[int, ...],
) -> None:
    video = MovedWhileHidden()
    anchors = [Anchor(frame, Box(*video.box(frame))) for frame in ends]
    with_boxes, without = (
        {p.frame: p for p in propose(video, anchors, (1, 69), hidden_is_absent=is_absent)}
        for is_absent in (False, True)
    )
    late = [frame for frame in HIDDEN if frame >= HIDDEN.start + 3]
    hidden = [frame for frame in late if with_boxes[frame].occluded]
    assert len(hidden) > 0.5 * len(late)
    assert all(with_boxes[frame].box is not None for frame in hidden)
    assert all(without[frame].box is None for frame in hidden)
    others = [frame for frame in range(1, 69) if not with_boxes[frame].occluded]
    assert all(without[frame] == with_boxes[frame] for frame in others)
    assert all(with_boxes[frame].box is not None for frame in range(1, HIDDEN.start - 4))


def test_an_object_that_does_not_come_back_is_not_found() -> None:
    video = MovedWhileHidden(returns=False)
    search = search_in(video)
    at = video.box(HIDDEN.start)
    assert all(search.find(frame, at) is None for frame in range(HIDDEN.start, 70, 3))


def test_an_object_is_followed_from_where_it_returns_after_it_left() -> None:
    video = MovedWhileHidden()
    anchors = [Anchor(10, Box(*video.box(10))), Anchor(HIDDEN.start, None)]
    found = {p.frame: p for p in propose(video, anchors, (HIDDEN.start + 1, 70))}
    assert [f for f, p in found.items() if p.box is None] == list(
        range(HIDDEN.start + 1, min(f for f, p in found.items() if p.box is not None))
    )
    late = [found[frame] for frame in range(HIDDEN.stop + 6, 70)]
    assert all(p.box is not None and p.box.iou(Box(*video.box(p.frame))) > 0.7 for p in late)
    assert all(p.confidence <= 0.8 for p in late), "a person did not see it so far"
    assert set(found) == set(range(HIDDEN.start + 1, 70))


def test_an_object_that_left_for_good_stays_out_of_view() -> None:
    video = MovedWhileHidden(returns=False)
    anchors = [Anchor(10, Box(*video.box(10))), Anchor(HIDDEN.start, None)]
    found = list(propose(video, anchors, (HIDDEN.start + 1, 70)))
    assert [p.frame for p in found] == list(range(HIDDEN.start + 1, 70))
    assert all(p.box is None for p in found)


def test_what_stands_out_after_an_object_left_is_not_it() -> None:
    video = MovedWhileHidden()
    search = search_in(video)
    before = search.values(60, video.box(60))
    search.leave(50)  # the same ball stands out there, but a person says that it is another one
    assert search.values(60, video.box(60))[3] < before[3] - 0.2


def test_a_place_must_be_found_twice_and_apart_from_the_present_one() -> None:
    video = MovedWhileHidden()
    search, at = search_in(video), video.box(HIDDEN.start)
    assert search.find(50, at) is None
    found = search.find(51, at)
    assert found is not None
    assert iou(found.box, video.box(51)) > 0.7
    assert found.chance >= 0.8
    assert search.find(52, video.box(52)) is None


def test_a_box_counts_as_seen_well_after_five_more() -> None:
    video = MovedWhileHidden()
    search = search_in(video)
    before = search.values(50, video.box(50))
    for frame in range(1, 6):
        search.learn(frame, video.box(frame))
        assert (search.values(50, video.box(50)) == before).all()
    search.learn(6, video.box(6))
    assert search.values(50, video.box(50))[6] < before[6], "fewer frames since then"


@pytest.mark.parametrize(
    "box", [(3, 3, 5, 5), (0, 0, 320, 200), (0, 20, 320, 24), (10, 0, 12, 200), (-20, 50, 20, 90)]
)
def test_boxes_of_any_size_are_searched_for(box: tuple[int, ...]) -> None:
    video = MovedWhileHidden()
    pictures = Pictures(video)
    start = np.array(box, np.float64)
    search = ObjectSearch(pictures.view(30), pictures.size, 0, start)
    for frame in (3, 6):
        search.find(frame, start)
        place = search.likeliest(frame)
        assert place is None or np.isfinite(place.box).all()
