"""Following from a single box: colors, objects that are covered, and canceling between frames."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from annotator.assist import propose
from annotator.assist.boxes.colors import Palette, contrasts
from annotator.assist.boxes.one_way import Points
from annotator.assist.boxes.onward import Onward, Sight, choose_onward
from annotator.assist.pictures import Pictures
from annotator.assist.score_fitting import box_weights
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor
from tests.benchmarks.scenes import Image

SIZE = (240, 160)
BLOCK = Box(100, 70, 140, 104)


class Covered:
    """A block that stands still on a textured table; a hand passes before it and stays a while."""

    def __init__(self, n: int = 60) -> None:
        rng = np.random.default_rng(11)
        noise = rng.normal(120, 30, (20, 30, 3)).clip(0, 255).astype(np.uint8)
        self.table = cv2.resize(noise, SIZE, interpolation=cv2.INTER_CUBIC)
        face = rng.integers(0, 60, (34, 40, 3)).astype(np.uint8)
        face[..., 0] += 180
        self.table[70:104, 100:140] = cv2.blur(face, (3, 3))
        hand = rng.normal((200, 160, 130), 12, (70, 70, 3))
        self.hand = cv2.GaussianBlur(hand, (0, 0), 2).clip(0, 255).astype(np.uint8)
        self.n = n

    def __len__(self) -> int:
        return self.n

    def left(self, frame: int) -> int:
        """Return the left edge of the hand: it comes, covers the block, and goes back."""
        return int(240 - 155 * np.clip(min(frame - 8, 52 - frame) / 14, 0, 1))

    def image(self, frame: int, /) -> Image:
        image = self.table.copy()
        left = self.left(frame)
        part = self.hand[:, : max(0, 240 - left)]
        image[50:120, left : left + part.shape[1]] = part
        return image

    def is_hidden(self, frame: int) -> bool:
        return self.left(frame) <= 100


def test_an_object_that_is_covered_is_expected_where_it_was() -> None:
    video = Covered()
    assert sum(video.is_hidden(frame) for frame in range(60)) > 15
    found = {p.frame: p for p in propose(video, [Anchor(0, BLOCK)], (1, 60))}
    for frame, proposed in found.items():
        assert proposed.box is not None, f"frame {frame} is said to be out of view"
        assert proposed.box.iou(BLOCK) > 0.7, f"frame {frame}"


def test_other_boxes_of_the_object_tell_how_it_looks() -> None:
    video = Covered()
    frame = next(f for f in range(60) if video.left(f) < 125)  # half of the block is covered
    start = np.array(BLOCK.as_tuple())
    alone, known = (
        Onward(Pictures(video), [Points()], frame, start, others) for others in ([], [(0, start)])
    )
    there = 59  # the hand is gone
    assert alone.look(there).alike.max() < 0.9 < known.look(there).alike.max()


def test_colors_stand_out_where_the_object_is() -> None:
    image = Covered().image(0)
    box = np.array(BLOCK.as_tuple())
    palette = Palette(image, box)
    places = np.array([box, box + 20, box + 60, np.full(4, np.nan), box + 1000])
    here, beside, away, nowhere, outside = contrasts([palette], image, places)
    assert here > 0.8
    assert here > beside + 0.3
    assert away == pytest.approx(0, abs=0.1)
    assert nowhere == 0
    assert outside == 0


def _sight(alike: list[float], contrast: float) -> Sight:
    """Suggestions that lie together, 100 frames after the box that was given."""
    count = len(alike)
    values = np.zeros((count, 13))
    values[:, 0], values[:, 1] = alike, contrast
    values[:, 2] = values[:, 0] - max(alike)
    values[:, 4:8] = 0.6
    values[:, 9], values[:, 11], values[:, 12] = 2.0, max(alike), contrast
    kinds = np.eye(count, count - 1)
    boxes = np.tile(np.array(BLOCK.as_tuple(), np.float64), (count, 1))
    return Sight(boxes, np.column_stack([values, kinds]))


@pytest.mark.parametrize(
    ("alike", "contrast", "is_hidden"),
    [
        ([0.22, -0.1, 0.05, 0.1, -0.2, -0.2, -0.2], 0.0, True),
        ([0.22, -0.1, 0.05, 0.1, -0.2, -0.2, -0.2], 0.4, False),
        ([0.85, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8], 0.0, False),
    ],
)
def test_what_nothing_looks_like_is_occluded(
    alike: list[float], contrast: float, is_hidden: bool
) -> None:
    last = np.array(BLOCK.as_tuple(), np.float64)
    chosen = choose_onward(_sight(alike, contrast), box_weights().onward, last)
    assert chosen.is_hidden == is_hidden
