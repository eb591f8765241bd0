"""Camera motion: how the background moves from frame to frame, and boxes carried along by it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary, proxy

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, between
from annotator.assist.pictures import Image, Pictures

SHOT_SHARE: Final = 0.2  # of a frame's places, at least so many are seen again in the same shot

_WIDTH_PX: Final = 320
_STEP_PX: Final = 20
_WINDOW: Final = (13, 13)
_LEVELS: Final = 3
_STOP: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 10, 0.03)
_WORST_RETURN_PX: Final = 0.7
_LEAST_SEEDS: Final = 12
_NEAR: Final = (21, 21)  # pixels around a pixel whose brightness and contrast are made equal
_RECENT: Final = 32  # small gray pictures in memory

Floats32 = NDArray[np.float32]

_CAMERAS: WeakKeyDictionary[Pictures, Camera] = WeakKeyDictionary()


def camera_of(pictures: Pictures) -> Camera:
    """Return the camera motion of a video, computed once for all objects."""
    found = _CAMERAS.get(pictures)
    if found is None:
        found = _CAMERAS[pictures] = Camera(pictures)
    return found


class SmallPictures:
    """Gray pictures about 320 pixels wide, and how much contrast they have.

    The last ones are in memory. Several threads may read them.
    """

    def __init__(self, pictures: Pictures) -> None:
        # Weakly: the pictures are the key that a camera is found by.
        self._pictures = proxy(pictures)
        self._contrasts: dict[int, float] = {}
        self._recent: dict[int, tuple[int, Image]] = {}
        width = pictures.size[0]
        self._level = max(0, round(np.log2(max(1.0, width / _WIDTH_PX))))

    def __len__(self) -> int:
        return len(self._pictures)

    @property
    def full_width(self) -> int:
        """Width of the video's pictures."""
        return int(self._pictures.size[0])

    def gray(self, frame: int) -> Image:
        """Return a picture, uint8 [height, width]."""
        known = self._recent.get(frame % _RECENT)
        if known is not None and known[0] == frame:
            return known[1]
        gray: Image = self._pictures.gray(frame, self._level)
        if frame not in self._contrasts:
            _, deviation = cv2.meanStdDev(gray)
            self._contrasts[frame] = float(deviation[0, 0])
        # Last: another thread that finds the picture there expects its contrast, too.
        self._recent[frame % _RECENT] = frame, gray
        return gray

    def contrast(self, frame: int) -> float:
        """Return the standard deviation of a picture, in gray levels."""
        if frame not in self._contrasts:
            self.gray(frame)
        return self._contrasts[frame]

    def was_read(self, frame: int) -> bool:
        """Whether a picture was read before, in memory or not."""
        return frame in self._contrasts


class Step(NamedTuple):
    """From a frame to a later one: the map [3, 3] of image pixels, and the share of places that
    are seen again, 0..1: as bright as before, and whatever the light is.
    """

    matrix: Floats
    share: float
    share_in_any_light: float


class Camera:
    """Motion of the background between neighboring frames of one video, each found once."""

    def __init__(self, pictures: Pictures) -> None:
        self.small = SmallPictures(pictures)
        self._steps: dict[tuple[int, int], Step] = {}

    def carry(self, frames: Sequence[int], box: Box4) -> Box4:
        """Return boxes [n, 4] (image pixels): ``box`` of the first frame moved with the camera.

        ``frames`` are neighbors, ascending or descending, or the same shot goes on between them.
        """
        matrix = np.eye(3)
        boxes = [box]
        for before, after in pairwise(frames):
            step = self.step(before, after).matrix
            matrix = (step if after > before else np.linalg.inv(step)) @ matrix
            boxes.append(_moved(matrix, box))
        return np.array(boxes)

    def look_ahead(self, before: int, frame: int) -> None:
        """Find the motion from a frame to the one after it, in the direction from ``before``."""
        after = 2 * frame - before
        if 0 <= after < len(self.small):
            self.step(frame, after)

    def step(self, before: int, after: int) -> Step:
        """Return the step from the earlier to the later one of two frames."""
        pair = min(before, after), max(before, after)
        found = self._steps.get(pair)
        if found is None:
            found = self._steps[pair] = self._estimate(*pair)
        return found

    def _estimate(self, first: int, second: int) -> Step:
        before, after = self.small.gray(first), self.small.gray(second)
        matrix, share = self._motion(before, after)
        if share < SHOT_SHARE:  # when the exposure changes, hardly anything looks as before
            likely, share_in_any_light = self._motion(_evenly_lit(before), _evenly_lit(after))
            if share_in_any_light >= SHOT_SHARE:
                return Step(likely, share, share_in_any_light)
        return Step(matrix, share, share)

    def _motion(self, before: Image, after: Image) -> tuple[Floats, float]:
        """Return the map [3, 3] of image pixels between gray pictures, and the share, 0..1."""
        height, width = before.shape
        xs, ys = np.meshgrid(np.arange(7, width - 6, _STEP_PX), np.arange(7, height - 6, _STEP_PX))
        seeds = np.stack([xs, ys], axis=-1).reshape(-1, 1, 2).astype(np.float32)
        if len(seeds) < _LEAST_SEEDS:
            return np.eye(3), 1.0
        forward, back, is_found = _there_and_back(before, after, seeds)
        is_sound = is_found & (np.abs(back - seeds).max(axis=(1, 2)) < _WORST_RETURN_PX)
        matrix = self._matrix(seeds[is_sound, 0], forward[is_sound, 0], width)
        return matrix, float(is_sound.mean())

    def _matrix(self, start: Floats32, end: Floats32, width: int) -> Floats:
        """Return the map [3, 3] of image pixels that moves most places to where they are seen next.

        ``start`` and ``end`` [n, 2] are in pixels of a picture that is ``width`` pixels wide.
        """
        if len(start) < _LEAST_SEEDS:
            return np.eye(3)
        transform, _ = cv2.estimateAffine2D(
            start, end, method=cv2.RANSAC, ransacReprojThreshold=0.8, maxIters=400
        )
        if transform is None:
            return np.eye(3)
        matrix = np.vstack([transform, [0.0, 0.0, 1.0]])
        factor = self.small.full_width / width
        scale = np.diag([factor, factor, 1.0])
        return np.asarray(scale @ matrix @ np.linalg.inv(scale), np.float64)


def carried_paths(camera: Camera, frames: range, first: Box4, last: Box4) -> list[Box4]:
    """Return paths [n, 4] between two boxes from camera motion alone.

    It moves evenly in the image; evenly as seen by a camera that stands still; with the camera from
    the first box on; and with the camera up to the last one.
    """
    n = len(frames) - 1
    ahead = camera.carry(frames, first)
    back = camera.carry(frames[::-1], last)[::-1]
    share = np.linspace(0.0, 1.0, n + 1)[:, None]
    from_first = ahead + (last - ahead[-1]) * share
    from_last = back + (first - back[0]) * (1 - share)
    steady = (1 - share) * from_first + share * from_last
    return [between(first, last, n), steady, ahead, back]


def _there_and_back(
    before: Image, after: Image, seeds: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    there, ok, _ = cv2.calcOpticalFlowPyrLK(
        before, after, seeds, seeds.copy(), winSize=_WINDOW, maxLevel=_LEVELS, criteria=_STOP
    )
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(
        after, before, there, there.copy(), winSize=_WINDOW, maxLevel=_LEVELS, criteria=_STOP
    )
    is_found = (np.asarray(ok)[:, 0] == 1) & (np.asarray(ok_back)[:, 0] == 1)
    return np.asarray(there, np.float32), np.asarray(back, np.float32), is_found


def _evenly_lit(gray: Image) -> Image:
    """Return a gray picture, uint8 [h, w], with equal brightness and contrast everywhere."""
    image = gray.astype(np.float32)
    image -= cv2.blur(image, _NEAR)
    contrast = np.sqrt(np.maximum(cv2.blur(image * image, _NEAR), 0.0)) + 2.0
    return np.asarray(np.clip(128 + 40 * image / contrast, 0, 255), np.uint8)


def _moved(matrix: Floats, box: Box4) -> Box4:
    """Return the box of equal shape whose center and size a map gives."""
    x1, y1, x2, y2 = box
    middle = matrix @ np.array([(x1 + x2) / 2, (y1 + y2) / 2, 1.0])
    scale = np.sqrt(abs(np.linalg.det(matrix[:2, :2])))
    half = np.array([x2 - x1, y2 - y1]) / 2 * scale
    return np.concatenate([middle[:2] - half, middle[:2] + half])
