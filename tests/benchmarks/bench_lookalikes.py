"""Identity switches between objects that look alike.

Three cups of one pattern change places in pairs, one in front of the other, as in a shell game.
They are tracked one after the other, as in the program: from one box on the first frame, and
between boxes on every 60th. Of those before, nothing is known, or proposals that are sure, or all
boxes. Figures are of the second and the third cup: the first one has none before it.

``python -m tests.benchmarks.bench_lookalikes [SEED ...]``; seeds from 600000 on were used for no
choice.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist import Pictures, installed, use_threads
from annotator.assist.boxes.arrays import Box4, from_box, iou, to_box
from annotator.assist.boxes.fused import FusedTracker
from annotator.assist.boxes.other_objects import NO_OTHERS, OtherObjects
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from tests.media.encoding import write_video

SEEDS: Final = tuple(range(600000, 600012))
SIZE: Final = (640, 360)
N_FRAMES: Final = 240
GAP: Final = 60
GOOD: Final = 0.7
SURE: Final = 0.9
TAKEN_FROM: Final = 0.9  # confidence from which on a proposal tells where an object is
Image = NDArray[np.uint8]


class ShellGame:
    """A video of three equal cups: pictures by index, and ``boxes`` [3, n, 4] in pixels."""

    def __init__(self, seed: int, n_frames: int = N_FRAMES) -> None:
        self._n = n_frames
        self._rng = rng = np.random.default_rng(seed)
        width, height = SIZE
        self._back = _texture(rng, (height, width), rng.uniform(6, 20), rng.integers(40, 200, 3))
        self._side = np.array([rng.integers(46, 70), rng.integers(60, 90)])
        self._cup = _texture(rng, self._side[::-1], 5, rng.integers(30, 220, 3))
        stripes = np.sin(np.arange(self._side[1])[:, None, None] / rng.uniform(2, 6)) * 25
        self._cup = np.clip(self._cup + stripes, 0, 255).astype(np.uint8)
        self._skin = np.array([205, 160, 130]) + rng.integers(-20, 20)
        self._middles, self._moving = self._moves()
        half = self._side / 2
        self.boxes = np.concatenate([self._middles - half, self._middles + half], axis=-1)
        self._images = [self._paint(frame) for frame in range(n_frames)]

    def __len__(self) -> int:
        return self._n

    def image(self, index: int, /) -> Image:
        return self._images[index]

    def save(self, path: Path) -> None:
        """Write it as a video file."""
        write_video(path, self._images)

    def _moves(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return centers [3, n, 2] and who is moved [3, n]."""
        rng, middles = self._rng, np.zeros((3, self._n, 2))
        moving = np.zeros((3, self._n), np.bool_)
        places = np.array([[130.0, 190], [320, 190], [510, 190]]) + rng.uniform(-12, 12, (3, 2))
        frame = 0
        while frame < self._n:
            rest, length = int(rng.integers(6, 16)), int(rng.integers(14, 28))
            middles[:, frame : frame + rest] = places[:, None]
            front, back = rng.permutation(3)[:2]
            share = np.linspace(0, 1, length)
            share = share * share * (3 - 2 * share)
            arc = np.sin(np.pi * share) * rng.uniform(3, 16)
            start = frame + rest
            n = len(middles[0, start : start + length])
            middles[:, start : start + n] = places[:, None]
            for one, other, side in ((front, back, 1.0), (back, front, -1.0)):
                way = places[one] + share[:, None] * (places[other] - places[one])
                way[:, 1] += side * arc
                middles[one, start : start + n] = way[:n]
                moving[one, start : start + n] = True
            places[[front, back]] = places[[back, front]]
            frame = start + length
        return middles, moving

    def _paint(self, frame: int) -> Image:
        image = self._back.copy()
        for cup in np.argsort(self._middles[:, frame, 1]):  # those in front are lower
            x, y = self._middles[cup, frame] - self._side / 2
            width, height = (int(v) for v in self._side)
            shift = np.array([[1, 0, x - int(x)], [0, 1, y - int(y)]], np.float32)
            moved = cv2.warpAffine(
                self._cup, shift, (width, height), borderMode=cv2.BORDER_REPLICATE
            )
            image[int(y) : int(y) + height, int(x) : int(x) + width] = moved
            if self._moving[cup, frame]:
                hand = int(x + width / 2), int(y + 6)
                cv2.ellipse(image, hand, (width // 2 + 6, 14), 0, 0, 360, self._skin.tolist(), -1)
        noise = self._rng.normal(0, 3, image.shape)
        return np.clip(image + noise, 0, 255).astype(np.uint8)


def _texture(
    rng: np.random.Generator, size: Sequence[int], blur: float, color: NDArray[np.int64]
) -> Image:
    noise = rng.normal(0, 1, (*size, 3)).astype(np.float32)
    smooth = np.asarray(cv2.GaussianBlur(noise, (0, 0), blur))
    return np.clip(smooth / smooth.std() * 28 + color, 0, 255).astype(np.uint8)


def measure(seed: int) -> dict[str, NDArray[np.float64]]:
    """Return IoU and confidence of all frames of all cups, [2, m], by way of tracking."""
    use_threads(1)
    game = ShellGame(seed)
    pictures, tracker = Pictures(game), installed().get("fused")
    assert isinstance(tracker, FusedTracker)
    results = {}
    for way, starts in (("one box", [0]), ("every 60th", list(range(0, N_FRAMES, GAP)))):
        for others_are in ("not known", "tracked", "annotated"):
            known = np.full_like(game.boxes, np.nan)
            rows = []
            for cup, boxes in enumerate(game.boxes):
                others = OtherObjects(0, np.delete(known, cup, axis=0))
                anchors = [Anchor(frame, to_box(boxes[frame])) for frame in starts]
                found = tracker.propose_avoiding(
                    pictures,
                    anchors,
                    (1, anchors[-1].frame or N_FRAMES),
                    NO_OTHERS if others_are == "not known" else others,
                    cancel=lambda: False,
                )
                last: dict[int, Proposed] = {proposed.frame: proposed for proposed in found}
                frames = np.array(sorted(last))
                seen: Box4 = np.array([from_box(last[frame].box) for frame in frames.tolist()])
                sure = np.array([last[frame].confidence for frame in frames.tolist()])
                if cup:
                    rows.append(np.stack([iou(seen, boxes[frames]), sure]))
                if others_are == "annotated":
                    known[cup] = boxes
                known[cup, starts] = boxes[starts]
                if others_are == "tracked":
                    known[cup, frames[sure >= TAKEN_FROM]] = seen[sure >= TAKEN_FROM]
            name = f"{way}, others {others_are}"
            results[name] = np.concatenate(rows, axis=1)
    return results


def main(arguments: list[str]) -> None:
    seeds = [int(text) for text in arguments] or list(SEEDS)
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(measure, seeds))
    sys.stdout.write(f"{len(seeds)} shell games, three cups each\n")
    for name in results[0]:
        overlap, sure = np.concatenate([result[name] for result in results], axis=1)
        good = overlap >= GOOD
        sys.stdout.write(
            f"{name:28} IoU >= 0.7 on {good.mean():.3f} of the frames; confidence >= 0.9 on "
            f"{np.mean(sure >= SURE):.3f}, of which {good[sure >= SURE].mean():.3f} have it\n"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
