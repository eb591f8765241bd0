"""Camera motion: how the background moves from frame to frame, and boxes carried along by it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final
from weakref import WeakKeyDictionary, proxy

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, between
from annotator.assist.pictures import Image, Pictures
from annotator.assist.protocol import Cancel

_WIDTH_PX: Final = 320
_STEP_PX: Final = 20
_WINDOW: Final = (13, 13)
_LEVELS: Final = 3
_STOP: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 10, 0.03)
_WORST_RETURN_PX: Final = 0.7
_LEAST_SEEDS: Final = 12


_CAMERAS: WeakKeyDictionary[Pictures, Camera] = WeakKeyDictionary()


def camera_of(pictures: Pictures) -> Camera:
    """Return the camera motion of a video, computed once for all objects."""
    found = _CAMERAS.get(pictures)
    if found is None:
        found = _CAMERAS[pictures] = Camera(pictures)
    return found


class Camera:
    """Motion of the background between neighboring frames of one video, each found once."""

    def __init__(self, pictures: Pictures) -> None:
        # Weakly: the pictures are the key that this camera is found by.
        self._pictures = proxy(pictures)
        self._steps: dict[int, Floats] = {}
        width = pictures.size[0]
        self._level = max(0, round(np.log2(max(1.0, width / _WIDTH_PX))))

    def prepare(self, frames: range, cancel: Cancel) -> None:
        """Find the motion between all frames of an ascending range at once, on two threads.

        Once canceled the rest stays unknown.
        """
        missing = [frame for frame in frames[:-1] if frame not in self._steps]

        def estimate(frame: int) -> Floats | None:
            return None if cancel() else self._estimate(frame)

        with ThreadPoolExecutor(2) as threads:
            for frame, step in zip(missing, threads.map(estimate, missing), strict=True):
                if step is not None:
                    self._steps[frame] = step

    def carry(self, frames: Sequence[int], box: Box4) -> Box4:
        """Return boxes [n, 4] (image pixels): ``box`` of the first frame moved with the camera.

        ``frames`` are neighbors, ascending or descending.
        """
        matrix = np.eye(3)
        boxes = [box]
        for before, after in pairwise(frames):
            step = self._step(min(before, after))
            matrix = (step if after > before else np.linalg.inv(step)) @ matrix
            boxes.append(_moved(matrix, box))
        return np.array(boxes)

    def _step(self, frame: int) -> Floats:
        """Return the map [3, 3] of image pixels of a frame to those of the next."""
        found = self._steps.get(frame)
        if found is None:
            found = self._steps[frame] = self._estimate(frame)
        return found

    def _estimate(self, frame: int) -> Floats:
        before = self._pictures.gray(frame, self._level)
        after = self._pictures.gray(frame + 1, self._level)
        height, width = before.shape
        xs, ys = np.meshgrid(np.arange(7, width - 6, _STEP_PX), np.arange(7, height - 6, _STEP_PX))
        seeds = np.stack([xs, ys], axis=-1).reshape(-1, 1, 2).astype(np.float32)
        if len(seeds) < _LEAST_SEEDS:
            return np.eye(3)
        forward, back, is_found = _there_and_back(before, after, seeds)
        is_sound = is_found & (np.abs(back - seeds).max(axis=(1, 2)) < _WORST_RETURN_PX)
        if is_sound.sum() < _LEAST_SEEDS:
            return np.eye(3)
        start, end = seeds[is_sound, 0], forward[is_sound, 0]
        transform, _ = cv2.estimateAffine2D(
            start, end, method=cv2.RANSAC, ransacReprojThreshold=0.8, maxIters=400
        )
        if transform is None:
            return np.eye(3)
        matrix = np.vstack([transform, [0.0, 0.0, 1.0]])
        factor = self._pictures.size[0] / width
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


def _moved(matrix: Floats, box: Box4) -> Box4:
    """Return the box of equal shape whose center and size a map gives."""
    x1, y1, x2, y2 = box
    middle = matrix @ np.array([(x1 + x2) / 2, (y1 + y2) / 2, 1.0])
    scale = np.sqrt(abs(np.linalg.det(matrix[:2, :2])))
    half = np.array([x2 - x1, y2 - y1]) / 2 * scale
    return np.concatenate([middle[:2] - half, middle[:2] + half])
