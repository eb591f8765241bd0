"""Plain values of the media engine: pictures, requests, findings, progress and cancellation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MediaFinding:
    """A peculiarity of a media file that a person should know; no reason to refuse it.

    ``code`` is a stable word for programs, ``text`` a sentence for people, ``frame`` the first
    frame it concerns (None: the file as a whole).
    """

    code: str
    text: str
    frame: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """One decoded frame, ready to paint.

    ``bgra`` is uint8 of shape (height, width, 4), C-contiguous, in display orientation, at the
    requested size. ``index`` and ``pts`` (stream time base) belong to the picture that ``bgra``
    shows; ``requested`` is the frame that was asked for. ``is_exact`` is False for a stand-in: the
    nearest picture that could be had at once, or the last good one where a frame is damaged.
    ``source_size`` is (width, height) of the video in display orientation.
    """

    index: int
    pts: int
    bgra: NDArray[np.uint8]
    source_size: tuple[int, int]
    is_exact: bool
    requested: int


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """Request of the canvas for the next image.

    ``width`` and ``height`` are the size in device pixels to convert to (0 x 0: the full size of
    the video). ``direction`` is +1 or -1 while the person moves forwards or backwards (read-ahead
    goes that way) and 0 for a jump. ``is_playing`` asks for no stand-ins and for reading ahead
    as far as the cache allows.
    """

    index: int
    width: int
    height: int
    direction: int = 0
    is_playing: bool = False


Progress = Callable[[float], object]
"""Called with the share done, 0..1, every few hundredths of a second.

Raising in it cancels the work: nothing is written, and the file is closed.
"""


def part_of(progress: Progress | None, start: float, end: float) -> Progress | None:
    """The progress of one of several works, which takes from ``start`` to ``end`` of the whole."""
    if progress is None:
        return None
    return lambda share: progress(start + share * (end - start))
