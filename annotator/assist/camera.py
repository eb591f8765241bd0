"""Camera motion: how the background moves from frame to frame, and boxes carried along by it.

Where hardly anything of one frame is in the next, although much of it is in the frames around, a
new shot begins; so it does where the picture fades out, and where it dissolves into another one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, NamedTuple
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
_CHANGE_SHARE: Final = 0.08  # of a frame's places, at most so many are seen in another shot
_SHOT_SHARE: Final = 0.2  # and at least so many in the same shot
_NEAR: Final = (21, 21)  # pixels around a pixel whose brightness and contrast are made equal
_MOST_SHOTS: Final = 8  # that may go on after others
_BLANK: Final = 2.5  # gray levels: the standard deviation of a picture that shows nothing
_CLEAR: Final = 10.0  # and of one that surely shows enough to be compared
_LONGEST_FADE: Final = 40  # frames from one that is clear to one that is blank
_FADED: Final = 6  # gray levels, by which more than half of the picture changes meanwhile
_BLEND_FRAMES: Final = 4  # before and after a frame that is their mean in a dissolve
_BLEND_CHANGE: Final = 12  # gray levels between these two
_BLEND_SHARE: Final = 0.4  # of the picture, at least, that changes so much
_BLEND_ERROR: Final = 0.32  # of their mean difference, at most: a frame and the mean of the two
_RECENT: Final = 32  # small gray pictures in memory
_LOOK_AGAIN: Final = 4  # frames between looks for an earlier shot, where no change was noticed
OTHER_SHOT_CONFIDENCE: Final = 0.9  # that an object or point is out of view there

Floats32 = NDArray[np.float32]

_CAMERAS: WeakKeyDictionary[Pictures, Camera] = WeakKeyDictionary()


def camera_of(pictures: Pictures) -> Camera:
    """Return the camera motion of a video, computed once for all objects."""
    found = _CAMERAS.get(pictures)
    if found is None:
        found = _CAMERAS[pictures] = Camera(pictures)
    return found


class _Step(NamedTuple):
    """From a frame to a later one: the map [3, 3] of image pixels, and the share of places that
    are seen again, 0..1: as bright as before, and whatever the light is.
    """

    matrix: Floats
    share: float
    share_in_any_light: float


class Camera:
    """Motion of the background between neighboring frames of one video, each found once."""

    def __init__(self, pictures: Pictures) -> None:
        # Weakly: the pictures are the key that this camera is found by.
        self._pictures = proxy(pictures)
        self._steps: dict[tuple[int, int], _Step] = {}
        self._contrasts: dict[int, float] = {}
        self._blends: dict[int, bool] = {}
        self._recent: dict[int, tuple[int, Image]] = {}
        width = pictures.size[0]
        self._level = max(0, round(np.log2(max(1.0, width / _WIDTH_PX))))

    def prepare(self, frames: range, cancel: Cancel) -> None:
        """Find the motion between all frames of an ascending range at once, on two threads.

        Once canceled the rest stays unknown.
        """
        missing = [pair for pair in pairwise(frames) if pair not in self._steps]

        def estimate(pair: tuple[int, int]) -> _Step | None:
            if cancel():
                return None
            self._is_blend(pair[0])
            return self._estimate(*pair)

        with ThreadPoolExecutor(2) as threads:
            for pair, step in zip(missing, threads.map(estimate, missing), strict=True):
                if step is not None:
                    self._steps[pair] = step

    def carry(self, frames: Sequence[int], box: Box4) -> Box4:
        """Return boxes [n, 4] (image pixels): ``box`` of the first frame moved with the camera.

        ``frames`` are neighbors, ascending or descending, or the same shot goes on between them.
        """
        matrix = np.eye(3)
        boxes = [box]
        for before, after in pairwise(frames):
            step = self._step(before, after).matrix
            matrix = (step if after > before else np.linalg.inv(step)) @ matrix
            boxes.append(_moved(matrix, box))
        return np.array(boxes)

    def look_ahead(self, before: int, frame: int) -> None:
        """Find the motion from a frame to the one after it, in the direction from ``before``."""
        after = 2 * frame - before
        if 0 <= after < len(self._pictures):
            self._step(frame, after)

    def unread(self, before: int, after: int) -> list[int]:
        """Return the frames that `changes_shot` reads for the first time, ascending."""
        first = min(before, after)
        around = (first - _BLEND_FRAMES, first, first + 1, first + _BLEND_FRAMES)
        n_frames = len(self._pictures)
        return [f for f in around if 0 <= f < n_frames and f not in self._contrasts]

    def changes_shot(self, before: int, after: int) -> bool:
        """Whether one of two neighboring frames is the first one of a new shot.

        Flashes and whips of the camera do not count: there the frames around change, too. Where
        the picture fades out, the frames that show nothing are a shot of their own, unless the same
        shot goes on after them. Where shots dissolve into each other, the next one begins in the
        middle.
        """
        first = min(before, after)
        if self._is_blank(before) != self._is_blank(after):
            return self._fades_at(first)
        if self._dissolves_at(first):
            return True
        if self._step(before, after).share > _CHANGE_SHARE or self.is_same_shot(before, after):
            return False
        n_pairs = len(self._pictures) - 1
        around = [frame for frame in (first - 1, first + 1) if 0 <= frame < n_pairs]
        return bool(around) and all(self._step(f, f + 1).share >= _SHOT_SHARE for f in around)

    def is_same_shot(self, before: int, after: int) -> bool:
        """Whether much of a frame is seen again in another one, about where it was.

        It may be brighter or darker there.
        """
        return self._step(before, after).share_in_any_light >= _SHOT_SHARE

    def resumed(self, ends: Collection[int], frame: int) -> int | None:
        """Return the frame after which a shot goes on at a later one; None if it is a new shot.

        ``ends`` are the last frames of the shots before, the latest one last. Blank frames belong
        to no shot.
        """
        if self._is_blank(frame):
            return None
        latest = [end for end in ends if not self._is_blank(end)][: -_MOST_SHOTS - 1 : -1]
        return next((end for end in latest if self._goes_on(end, frame)), None)

    def resumed_unnoticed(self, ends: Collection[int], frame: int) -> int | None:
        """Return the same as `resumed` on a frame on which no shot changes; on a few frames only.

        Changes may have been missed. Fades and dissolves, in which two shots are seen, are left to
        `changes_shot`.
        """
        if frame % _LOOK_AGAIN or self._contrast(frame) < _CLEAR:
            return None
        near = range(frame - 2 * _BLEND_FRAMES, frame + 2 * _BLEND_FRAMES + 1)
        is_mixed = any(self._blends.get(other, False) for other in near)
        return None if is_mixed else self.resumed(ends, frame)

    def _goes_on(self, end: int, frame: int) -> bool:
        """Whether the same shot is seen before a frame and after another one, fades left out."""
        away = 1 if frame > end else -1
        earlier, later = self._clear(end, -away), self._clear(frame, away)
        return earlier is not None and later is not None and self.is_same_shot(earlier, later)

    def _fades_at(self, first: int) -> bool:
        """Whether a shot ends or begins in a fade between a frame and the next one.

        One of both is blank. A large object before a plain background does not change all of it.
        """
        blank, outward = (first, 1) if self._is_blank(first) else (first + 1, -1)
        brightest = max(self._in_a_fade(blank, outward), key=self._contrast)
        change = cv2.absdiff(self._gray(blank), self._gray(brightest))
        is_all = bool(np.count_nonzero(change > _FADED) > change.size / 2)
        return is_all and not self._goes_on(first, first + 1)

    def _dissolves_at(self, first: int) -> bool:
        """Whether two shots dissolve into each other, with a frame as the last of the first half.

        Both are clear and steady for a moment. What lights up is no dissolve: before it hardly
        anything was to be seen.
        """
        if not self._is_blend(first):
            return False
        start, end = self._unblended(first, -1), self._unblended(first, 1)
        if first != (start + end) // 2 or min(map(self._contrast, (start, end))) < _CLEAR:
            return False
        steadiness = self._step(start, start + 1).share, self._step(end - 1, end).share
        return min(steadiness) >= _SHOT_SHARE and not self.is_same_shot(start, end)

    def _unblended(self, frame: int, step: int) -> int:
        """Return the first frame from one on, forward or backward, that is not part of a dissolve.

        If the video ends before, it is its last one.
        """
        if not self._is_blend(frame):
            return frame
        while self._is_blend(frame):
            frame += step
        return min(max(frame + step * (_BLEND_FRAMES - 1), 0), len(self._pictures) - 1)

    def _is_blend(self, frame: int) -> bool:
        """Whether a frame is the mean of one before and one after it, which differ much."""
        is_blend = self._blends.get(frame)
        if is_blend is None:
            is_blend = self._blends[frame] = self._is_mean(frame)
        return is_blend

    def _is_mean(self, frame: int) -> bool:
        first, last = frame - _BLEND_FRAMES, frame + _BLEND_FRAMES
        if first < 0 or last >= len(self._pictures):
            return False
        earlier, later = self._gray(first), self._gray(last)
        change = cv2.absdiff(earlier, later)
        if np.count_nonzero(change > _BLEND_CHANGE) < change.size * _BLEND_SHARE:
            return False
        error = cv2.absdiff(self._gray(frame), cv2.addWeighted(earlier, 0.5, later, 0.5, 0.0))
        return bool(error.mean() < change.mean() * _BLEND_ERROR)

    def _clear(self, frame: int, step: int) -> int | None:
        """Return the first clear frame from one on, forward or backward; None if there is none.

        In a video of little contrast half of what it has is enough.
        """
        frame = self._unblended(frame, step)
        if self._contrast(frame) >= _CLEAR:
            return frame
        frames = self._in_a_fade(frame, step)
        enough = np.clip(max(map(self._contrast, frames)) / 2, _BLANK, _CLEAR)
        return next((f for f in frames if self._contrast(f) >= enough), None)

    def _in_a_fade(self, frame: int, step: int) -> list[int]:
        frames = range(frame, frame + step * _LONGEST_FADE, step)
        return [f for f in frames if 0 <= f < len(self._pictures)]

    def _is_blank(self, frame: int) -> bool:
        return self._contrast(frame) < _BLANK

    def _contrast(self, frame: int) -> float:
        """Return the standard deviation of a frame, in gray levels."""
        if frame not in self._contrasts:
            self._gray(frame)
        return self._contrasts[frame]

    def _gray(self, frame: int) -> Image:
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

    def _step(self, before: int, after: int) -> _Step:
        pair = min(before, after), max(before, after)
        found = self._steps.get(pair)
        if found is None:
            found = self._steps[pair] = self._estimate(*pair)
        return found

    def _estimate(self, first: int, second: int) -> _Step:
        before, after = self._gray(first), self._gray(second)
        matrix, share = self._motion(before, after)
        if share < _SHOT_SHARE:  # when the exposure changes, hardly anything looks as before
            likely, share_in_any_light = self._motion(_evenly_lit(before), _evenly_lit(after))
            if share_in_any_light >= _SHOT_SHARE:
                return _Step(likely, share, share_in_any_light)
        return _Step(matrix, share, share)

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
