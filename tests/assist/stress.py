"""Starts, cancels and restarts trackers at random moments; run as a program, with faulthandler.

``python -X faulthandler -m tests.assist.stress COUNT [SEED]``. Objects are small, large, at the
edge and partly outside of frames of odd sizes; a crash of a library ends the process.
"""

from __future__ import annotations

import sys

import cv2
import numpy as np

from annotator.assist import Pictures, propose, propose_points, use_threads
from annotator.domain.geometry import Box, Point
from annotator.domain.proposals.box_proposals import Anchor


class Moving:
    """Frames, RGB uint8, in which a textured patch moves over a textured background."""

    def __init__(self, chance: np.random.Generator) -> None:
        self.width, self.height = (int(v) for v in chance.integers(40, 260, 2))
        self._back = cv2.resize(
            chance.integers(0, 255, (12, 16, 3), np.uint8), (self.width * 2, self.height * 2)
        )
        self._patch = cv2.resize(chance.integers(0, 255, (6, 6, 3), np.uint8), (24, 20))
        self._speed = chance.normal(0, 4, 2)
        self._count = int(chance.integers(4, 40))

    def __len__(self) -> int:
        return self._count

    def image(self, index: int, /) -> np.ndarray:
        image = self._back[: self.height, : self.width].copy()
        x, y = (int(v * index) for v in self._speed)
        x, y = x % max(1, self.width - 24), y % max(1, self.height - 20)
        part = image[y : y + 20, x : x + 24]
        part[...] = self._patch[: part.shape[0], : part.shape[1]]
        return image


def random_box(chance: np.random.Generator, video: Moving) -> Box:
    """Return a box that may touch or cross an edge of the frame."""
    width, height = chance.uniform(2, video.width), chance.uniform(2, video.height)
    x = chance.uniform(-width / 2, video.width - width / 2)
    y = chance.uniform(-height / 2, video.height - height / 2)
    box = Box(x, y, x + width, y + height).clipped(video.width, video.height)
    return box if min(box.width, box.height) >= 2 else Box(0, 0, 2, 2)


def run_once(chance: np.random.Generator) -> None:
    """Track one random object or point, and stop at a random moment."""
    video = Moving(chance)
    pictures, left = Pictures(video), int(chance.integers(0, 60))

    def is_canceled() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    first, last = sorted(int(v) for v in chance.integers(0, len(video), 2))
    if chance.random() < 0.3:
        places = [
            (f, Point(*chance.uniform(0, [video.width, video.height]))) for f in {first, last}
        ]
        found = propose_points(pictures, {"a": sorted(places)}, cancel=is_canceled)
    else:
        boxes = {
            f: random_box(chance, video) if chance.random() < 0.9 else None for f in (first, last)
        }
        anchors = [Anchor(f, box) for f, box in sorted(boxes.items())]
        found = propose(pictures, anchors, (0, len(video)), cancel=is_canceled)
    for number, _ in enumerate(found):
        if number > 50 and chance.random() < 0.05:
            break


def main(count: int, seed: int) -> None:
    use_threads(1)
    for number in range(count):
        run_once(np.random.default_rng([seed, number]))
    sys.stdout.write(f"{count} runs without a crash\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
