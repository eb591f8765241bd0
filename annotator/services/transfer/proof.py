"""Verification of exported frame numbers: OpenCV's pictures compared with our own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.errors import MediaError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from annotator.media import Video

SAMPLES: Final = 8
"""Frames compared for each video."""

MAX_COUNTED: Final = 20_000
"""Longer videos are read up to the last frame compared, not to their end."""

_REACH: Final = 3
_SAME: Final = 6.0
"""Mean difference of gray levels that two color conversions of one picture stay below."""
_CLEARLY_BETTER: Final = 0.5


@dataclass(frozen=True, slots=True)
class Proof:
    """Result of comparing one video with OpenCV.

    ``checked`` are the frames compared and found the same, ``differences`` sentences about the
    rest. ``notes`` are sentences about a declared frame count that is wrong although every frame
    was read. ``reported`` is OpenCV's declared count, ``counted`` how many frames it really gave
    (None for a video too long to be read to its end).
    """

    checked: tuple[int, ...]
    differences: tuple[str, ...]
    n_frames: int
    reported: int
    counted: int | None
    notes: tuple[str, ...] = ()

    @property
    def is_proved(self) -> bool:
        return bool(self.checked) and not self.differences


def prove_frames(
    path: Path,
    table: bytes | None,
    frames: Iterable[int],
    *,
    is_canceled: Callable[[], bool] | None = None,
) -> Proof:
    """Compare sampled frames of OpenCV's sequential reader with those of the program.

    MediaError when the file cannot be read by either. Canceled, it says so as a difference.
    """
    from annotator.media import FrameTable, Video
    from annotator.media.decode.opencv_reader import OpenCvReader

    frame_table = FrameTable.from_bytes(table) if table is not None else None
    with Video(path, table=frame_table) as video, OpenCvReader(path) as reader:
        samples = set(sample([f for f in frames if f < len(video)]))
        is_to_end = len(video) <= MAX_COUNTED
        differences: list[str] = []
        checked: list[int] = []
        for position, picture in reader.frames(samples, is_to_end=is_to_end):
            if is_canceled and is_canceled():
                return Proof(tuple(checked), ("canceled",), len(video), reader.reported, None)
            if picture is not None:
                problem = _difference(video, position, picture)
                if problem is None:
                    checked.append(position)
                else:
                    differences.append(problem)
        for frame in sorted(f for f in samples if f >= reader.n_read):
            differences.append(f"frame {frame}: OpenCV returns no frame")
        counted = reader.n_read if is_to_end else None
        notes: tuple[str, ...] = ()
        if counted is not None and counted != len(video):
            text = f"OpenCV reads {counted} frames; the video has {len(video)} frames"
            differences.append(text)
        text = _wrong_count(len(video), reader.reported)
        if text and counted == len(video) and not differences:
            notes = (text,)
        elif text:
            differences.append(text)
        proof = tuple(checked), tuple(differences), len(video), reader.reported, counted
        return Proof(*proof, notes)


def sample(frames: Iterable[int], count: int = SAMPLES) -> list[int]:
    """Return up to ``count`` frames spread over the given ones, first and last among them."""
    found = sorted(set(frames))
    if len(found) <= count:
        return found
    return [found[round(i * (len(found) - 1) / (count - 1))] for i in range(count)]


def _difference(video: Video, frame: int, picture: NDArray[np.uint8]) -> str | None:
    """Return in what OpenCV's picture differs from frame ``frame``, None when it is the same."""
    own = _distance(video, frame, picture)
    if own is None:
        return f"frame {frame}: the image from OpenCV has a different size, or the frame is damaged"
    near = range(max(0, frame - _REACH), min(len(video), frame + _REACH + 1))
    distances = {
        k: d for k in near if k != frame and (d := _distance(video, k, picture)) is not None
    }
    best = min(distances, key=lambda k: distances[k], default=frame)
    # A turned or woven picture is like none of ours: the nearest of them would mean nothing.
    if best != frame and distances[best] + _CLEARLY_BETTER < own and distances[best] <= _SAME:
        return f"frame {frame}: OpenCV returns frame {best} instead"
    if own > _SAME:
        return f"frame {frame}: OpenCV returns a different image (mean difference {own:.1f})"
    return None


def _distance(video: Video, frame: int, picture: NDArray[np.uint8]) -> float | None:
    import numpy as np

    try:
        own = video.image(frame)
    except MediaError:
        return None
    if own.shape != picture.shape:
        return None
    return float(np.abs(own.astype(np.int16) - picture).mean())


def _wrong_count(n_frames: int, reported: int) -> str:
    """Return in words that OpenCV declares another frame count; empty if it does not."""
    if reported <= 0:
        return f"OpenCV does not report a frame count; the video has {n_frames} frames"
    if reported != n_frames:
        return f"OpenCV reports {reported} frames; the video has {n_frames}"
    return ""
