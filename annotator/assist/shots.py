"""Shots of a video: where a new one begins, and which earlier one goes on.

Where hardly anything of one frame is in the next, although much of it is in the frames around, a
new shot begins; so it does where the picture fades out, and where it dissolves into another one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from annotator.assist.camera import SHOT_SHARE, Camera, camera_of
from annotator.assist.pictures import Pictures
from annotator.assist.protocol import Cancel

OTHER_SHOT_CONFIDENCE: Final = 0.9  # that an object or point is out of view there

_CHANGE_SHARE: Final = 0.08  # of a frame's places, at most so many are seen in another shot
_MOST_SHOTS: Final = 8  # that may go on after others
_BLANK: Final = 2.5  # gray levels: the standard deviation of a picture that shows nothing
_CLEAR: Final = 10.0  # and of one that surely shows enough to be compared
_LONGEST_FADE: Final = 40  # frames from one that is clear to one that is blank
_FADED: Final = 6  # gray levels, by which more than half of the picture changes meanwhile
_BLEND_FRAMES: Final = 4  # before and after a frame that is their mean in a dissolve
_BLEND_CHANGE: Final = 12  # gray levels between these two
_BLEND_SHARE: Final = 0.4  # of the picture, at least, that changes so much
_BLEND_ERROR: Final = 0.32  # of their mean difference, at most: a frame and the mean of the two
_LOOK_AGAIN: Final = 4  # frames between looks for an earlier shot, where no change was noticed

_SHOTS: WeakKeyDictionary[Pictures, Shots] = WeakKeyDictionary()


def shots_of(pictures: Pictures) -> Shots:
    """Return the shots of a video, each change found once for all objects and points."""
    found = _SHOTS.get(pictures)
    if found is None:
        found = _SHOTS[pictures] = Shots(camera_of(pictures))
    return found


class Shots:
    """Tells which frames of one video belong to the same shot."""

    def __init__(self, camera: Camera) -> None:
        self._camera, self._small = camera, camera.small
        self._blends: dict[int, bool] = {}

    def prepare(self, frames: range, cancel: Cancel) -> None:
        """Look at all frames of an ascending range at once, on two threads.

        Once canceled the rest stays unknown.
        """

        def look(pair: tuple[int, int]) -> None:
            if not cancel():
                self._is_blend(pair[0])
                self._camera.step(*pair)

        with ThreadPoolExecutor(2) as threads:
            list(threads.map(look, pairwise(frames)))

    def read_ahead(self, before: int, after: int, hold: Callable[[int], object]) -> None:
        """Let ``hold`` read the frames that `changes_shot` is about to look at, ascending.

        The tracker that looks at them next needs larger pictures. If a frame is read small before,
        it has to be decoded again for that, maybe from a keyframe far away.
        """
        first = min(before, after)
        end = min(first + _BLEND_FRAMES + 1, len(self._small))
        for frame in range(max(first - _BLEND_FRAMES, 0), end):
            if not self._small.was_read(frame):
                hold(frame)

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
        is_seen_again = self._camera.step(before, after).share > _CHANGE_SHARE
        if is_seen_again or self.is_same_shot(before, after):
            return False
        n_pairs = len(self._small) - 1
        around = [frame for frame in (first - 1, first + 1) if 0 <= frame < n_pairs]
        return bool(around) and all(self._camera.step(f, f + 1).share >= SHOT_SHARE for f in around)

    def is_same_shot(self, before: int, after: int) -> bool:
        """Whether much of a frame is seen again in another one, about where it was.

        It may be brighter or darker there.
        """
        return self._camera.step(before, after).share_in_any_light >= SHOT_SHARE

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
        if frame % _LOOK_AGAIN or self._small.contrast(frame) < _CLEAR:
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
        brightest = max(self._in_a_fade(blank, outward), key=self._small.contrast)
        change = cv2.absdiff(self._small.gray(blank), self._small.gray(brightest))
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
        if first != (start + end) // 2 or min(map(self._small.contrast, (start, end))) < _CLEAR:
            return False
        steps = self._camera.step(start, start + 1), self._camera.step(end - 1, end)
        is_steady = min(step.share for step in steps) >= SHOT_SHARE
        return is_steady and not self.is_same_shot(start, end)

    def _unblended(self, frame: int, step: int) -> int:
        """Return the first frame from one on, forward or backward, that is not part of a dissolve.

        If the video ends before, it is its last one.
        """
        if not self._is_blend(frame):
            return frame
        while self._is_blend(frame):
            frame += step
        return min(max(frame + step * (_BLEND_FRAMES - 1), 0), len(self._small) - 1)

    def _is_blend(self, frame: int) -> bool:
        """Whether a frame is the mean of one before and one after it, which differ much."""
        is_blend = self._blends.get(frame)
        if is_blend is None:
            is_blend = self._blends[frame] = self._is_mean(frame)
        return is_blend

    def _is_mean(self, frame: int) -> bool:
        first, last = frame - _BLEND_FRAMES, frame + _BLEND_FRAMES
        if first < 0 or last >= len(self._small):
            return False
        earlier, later = self._small.gray(first), self._small.gray(last)
        change = cv2.absdiff(earlier, later)
        if np.count_nonzero(change > _BLEND_CHANGE) < change.size * _BLEND_SHARE:
            return False
        error = cv2.absdiff(self._small.gray(frame), cv2.addWeighted(earlier, 0.5, later, 0.5, 0.0))
        return bool(error.mean() < change.mean() * _BLEND_ERROR)

    def _clear(self, frame: int, step: int) -> int | None:
        """Return the first clear frame from one on, forward or backward; None if there is none.

        In a video of little contrast half of what it has is enough.
        """
        frame = self._unblended(frame, step)
        if self._small.contrast(frame) >= _CLEAR:
            return frame
        frames = self._in_a_fade(frame, step)
        enough = np.clip(max(map(self._small.contrast, frames)) / 2, _BLANK, _CLEAR)
        return next((f for f in frames if self._small.contrast(f) >= enough), None)

    def _in_a_fade(self, frame: int, step: int) -> list[int]:
        frames = range(frame, frame + step * _LONGEST_FADE, step)
        return [f for f in frames if 0 <= f < len(self._small)]

    def _is_blank(self, frame: int) -> bool:
        return self._small.contrast(frame) < _BLANK
