"""Videos with a camera that stands still, and the true boxes of what moves in them."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np

from annotator.domain.geometry import Box
from tests.benchmarks.scenes import Image

Corners = np.ndarray[tuple[int, ...], np.dtype[np.int32]]

SIZE = (480, 320)
N_FRAMES = 130


class Tank:
    """Thin dark fish, all alike, that swim in circles over gravel. ``pan``: pixels per frame."""

    CENTERS: tuple[tuple[int, int], ...] = ((120, 100), (240, 210), (370, 110))

    def __init__(self, pan: float = 0.0, n: int = N_FRAMES) -> None:
        rng = np.random.default_rng(5)
        wide = rng.normal(150, 14, (SIZE[1] // 4, SIZE[0] // 2, 3)).clip(0, 255).astype(np.uint8)
        self._gravel = cv2.resize(wide, (SIZE[0] * 2, SIZE[1]), interpolation=cv2.INTER_CUBIC)
        self._noise = np.random.default_rng(6)
        self._pan, self._n = pan, n
        self.n_reads: Counter[int] = Counter()

    def __len__(self) -> int:
        return self._n

    def _outline(self, fish: int, frame: int) -> Corners:
        angle = 0.09 * frame + 2.1 * fish
        place = np.array(self.CENTERS[fish]) + 55 * np.array([np.cos(angle), np.sin(angle)])
        bend = 0.5 * np.sin(0.5 * frame + fish)
        along = np.linspace(-1, 1, 9)
        turn = angle + np.pi / 2 + bend * along
        spine = place + 20 * along[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        normal = np.stack([-np.sin(turn), np.cos(turn)], axis=1)
        thick = 4.0 * (1.1 - np.abs(along))[:, None]
        points = np.concatenate([spine + thick * normal, (spine - thick * normal)[::-1]])
        return np.asarray(np.round(points), np.int32)

    def box(self, fish: int, frame: int) -> Box:
        points = self._outline(fish, frame)
        (x1, y1), (x2, y2) = points.min(axis=0), points.max(axis=0) + 1
        return Box(float(x1), float(y1), float(x2), float(y2))

    def image(self, frame: int, /) -> Image:
        self.n_reads[frame] += 1
        left = int(self._pan * frame)
        image = self._gravel[:, left : left + SIZE[0]].copy()
        for fish in range(len(self.CENTERS)):
            cv2.fillPoly(image, [self._outline(fish, frame)], (70, 66, 60))
        return np.asarray(np.clip(image + self._noise.normal(0, 2, image.shape), 0, 255), np.uint8)


class Meeting(Tank):
    """Two fish that meet once in each round. At the first meeting they may rest."""

    CENTERS = ((170, 140), (286, 140))
    REST = 0  # frames

    def _outline(self, fish: int, frame: int) -> Corners:
        return super()._outline(fish, frame - min(max(frame - 7, 0), self.REST))

    def is_joined(self, frame: int) -> bool:
        """Return whether they touch each other, or nearly."""
        mask = np.zeros(SIZE[::-1], np.uint8)
        for fish in (0, 1):
            cv2.fillPoly(mask, [self._outline(fish, frame)], 1)
        n_parts, _ = cv2.connectedComponents(cv2.dilate(mask, np.ones((5, 5), np.uint8)))
        return n_parts == 2


class Walker(Tank):
    """A body with a pattern that walks past and glitters; ``box`` is its head."""

    def __init__(self) -> None:
        super().__init__()
        small = np.random.default_rng(8).integers(20, 90, (18, 6, 3), np.uint8)
        self._body = np.asarray(cv2.resize(small, (24, 72), interpolation=cv2.INTER_CUBIC), float)

    def box(self, fish: int, frame: int) -> Box:
        x, y = 60 + 2 * frame, 90 + round(6 * np.sin(frame / 5)) + 24 * fish
        return Box(x, y, x + 24, y + 24)

    def image(self, frame: int, /) -> Image:
        head = self.box(0, frame)
        x, y = int(head.x1), int(head.y1)
        image = self._gravel[:, : SIZE[0]].astype(float)
        glitter = 20 * np.sin(frame / 3 + np.arange(72) / 9)
        image[y : y + 72, x : x + 24] = self._body + glitter[:, None, None]
        return np.asarray(np.clip(image + self._noise.normal(0, 5, image.shape), 0, 255), np.uint8)


class Passerby(Tank):
    """A person in front of a hedge, whose shadow reaches the lower border on the first frames."""

    N_WITH_SHADOW = 20

    def __init__(self) -> None:
        super().__init__()
        small = np.random.default_rng(4).integers(
            40, 220, (SIZE[1] // 6, SIZE[0] // 6, 3), np.uint8
        )
        self._hedge = cv2.resize(small, SIZE, interpolation=cv2.INTER_CUBIC)

    def box(self, fish: int, frame: int) -> Box:
        x, stride = self._place(frame)
        return Box(x - stride, 150, x + stride, 270)

    def image(self, frame: int, /) -> Image:
        self.n_reads[frame] += 1
        x, stride = self._place(frame)
        image = self._hedge.astype(np.uint8).copy()
        if frame < self.N_WITH_SHADOW:
            cv2.line(image, (x + stride - 6, 266), (x + 60, SIZE[1]), (30, 40, 30), 8)
        for foot in (x - stride + 5, x + stride - 6):
            cv2.line(image, (x, 215), (foot, 264), (60, 60, 90), 10)
        cv2.rectangle(image, (x - 11, 165), (x + 10, 220), (90, 120, 100), -1)
        cv2.circle(image, (x, 160), 10, (150, 90, 70), -1)
        return np.asarray(np.clip(image + self._noise.normal(0, 2, image.shape), 0, 255), np.uint8)

    def _place(self, frame: int) -> tuple[int, int]:
        return round(380 - 2.5 * frame), round(26 + 14 * np.cos(frame / 5))
