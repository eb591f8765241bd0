"""Proof frames of a release: digests of decoded pictures, to verify decoding elsewhere.

A picture has a digest for each decoder, and a small gray copy that survives rounding: with it a
re-encoded video and a decoder that shifts frames can be told apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from annotator.domain.errors import MediaError
from annotator.services.transfer.proof import sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

COUNT: Final = 5
"""Proof frames for each video, spread from the first to the last."""

_SIDE: Final = 8
_REACH: Final = 3
_SAME: Final = 3.0  # mean difference of gray levels that rounding and re-encoding stay below
_CLEARLY: Final = 1.5


class ProofFrame(msgspec.Struct, frozen=True):
    """One picture: SHA-256 of its RGB bytes as FFmpeg and OpenCV decode it ("" where one cannot),
    and 8 x 8 gray means as hexadecimal.
    """

    frame: int
    ffmpeg: str
    opencv: str
    gray: str


class MediaFacts(msgspec.Struct, frozen=True):
    """A video of a release, with digests of its file and its frames."""

    video: str
    file: str
    sha256: str
    size: int
    width: int
    height: int
    n_frames: int
    frame_rate: float
    frame_table: str
    frames: tuple[ProofFrame, ...]


@dataclass(frozen=True, slots=True)
class ReleaseProblem:
    """Difference from the release; ``where`` names the file, video or record."""

    where: str
    text: str


def media_facts(path: Path, video: str, rate: float, check: Callable[[], object]) -> MediaFacts:
    """Return the facts of a video file by a complete read. MediaError if it is damaged.

    ``check`` is called regularly; raising in it cancels the reading.
    """
    from annotator.media import Video
    from annotator.media.index.fingerprint import content_hash

    digest = content_hash(path, lambda _: check())
    with Video(path) as opened:
        table = opened.table
        samples = sample(range(len(opened)), COUNT)
        opencv_pictures = _opencv(path, samples)
        frames = []
        for frame in samples:
            check()
            picture = opened.image(frame)
            frames.append(
                ProofFrame(frame, _digest(picture), opencv_pictures.get(frame, ""), _gray(picture))
            )
        return MediaFacts(
            video,
            path.name,
            digest,
            path.stat().st_size,
            *table.size,
            len(opened),
            rate,
            table.digest(),
            tuple(frames),
        )


def check_media(
    path: Path, expected: MediaFacts, check: Callable[[], object]
) -> Iterator[ReleaseProblem]:
    """Yield differences between a video file and its facts in a release."""
    where = f"video {expected.video}"
    if not path.is_file():
        yield ReleaseProblem(where, f"the file {path.name} is missing")
        return
    try:
        facts = media_facts(path, expected.video, expected.frame_rate, check)
    except MediaError as error:
        yield ReleaseProblem(where, f"the file cannot be read: {error}")
        return
    if facts.sha256 != expected.sha256:
        yield ReleaseProblem(
            where, f"the file is another one or was re-encoded: {_likeness(path, expected)}"
        )
    if facts.n_frames != expected.n_frames:
        text = f"{facts.n_frames} frames instead of {expected.n_frames}: frame numbers do not match"
        yield ReleaseProblem(where, text)
        return
    if facts.sha256 == expected.sha256:
        yield from _decoded(path, expected, facts)


def _decoded(path: Path, told: MediaFacts, found: MediaFacts) -> Iterator[ReleaseProblem]:
    """Yield what the decoders here do otherwise with the same file."""
    where = f"video {told.video}"
    if found.frame_table != told.frame_table:
        yield ReleaseProblem(where, "the frame table of the same file is different")
    for decoder in ("ffmpeg", "opencv"):
        for old, new in zip(told.frames, found.frames, strict=True):
            before, now = getattr(old, decoder), getattr(new, decoder)
            if not before or before == now:
                continue
            shift = _shift(path, old, decoder)
            if shift is None:
                # Another version of the decoder may round colors otherwise: the picture is the same
                continue
            yield ReleaseProblem(where, f"frame {old.frame}: {decoder} {shift}")


def _shift(path: Path, told: ProofFrame, decoder: str) -> str | None:
    """Return in words which picture a decoder gives for a frame; None if it looks the same."""
    near = range(max(0, told.frame - _REACH), told.frame + _REACH + 1)
    grays = {f: _gray(p) for f, p in _pictures(path, list(near), decoder).items()}
    if told.frame not in grays:
        return "gives no picture"
    distances = {frame: _distance(gray, told.gray) for frame, gray in grays.items()}
    own = distances[told.frame]
    best = min(distances, key=lambda frame: (distances[frame], abs(frame - told.frame)))
    if best != told.frame and distances[best] + _CLEARLY < own:
        return f"gives this picture as frame {best} (shifted by {best - told.frame:+d})"
    return None if own <= _SAME else "gives another picture"


def _likeness(path: Path, told: MediaFacts) -> str:
    frames = [each.frame for each in told.frames]
    found = _pictures(path, frames, "ffmpeg")
    same = sum(
        each.frame in found and _distance(_gray(found[each.frame]), each.gray) <= _SAME
        for each in told.frames
    )
    return f"{same} of {len(frames)} proof frames look the same"


def _pictures(path: Path, frames: list[int], decoder: str) -> dict[int, NDArray[np.uint8]]:
    from annotator.media import Video
    from annotator.media.decode.opencv_reader import OpenCvReader

    if decoder == "opencv":
        with OpenCvReader(path) as reader:
            read = reader.frames(set(frames), is_to_end=False)
            return {frame: picture for frame, picture in read if picture is not None}
    with Video(path) as video:
        return {frame: video.image(frame) for frame in frames if frame < len(video)}


def _opencv(path: Path, frames: list[int]) -> dict[int, str]:
    try:
        return {f: _digest(p) for f, p in _pictures(path, frames, "opencv").items()}
    except MediaError:
        return {}


def _digest(picture: NDArray[np.uint8]) -> str:
    state = hashlib.sha256(repr(picture.shape).encode())
    state.update(np.ascontiguousarray(picture).tobytes())
    return state.hexdigest()


def _gray(picture: NDArray[np.uint8]) -> str:
    """Return the mean gray level of each of 8 x 8 parts of a picture as hexadecimal."""
    gray = picture.astype(np.float64).mean(axis=2)
    rows, columns = (np.linspace(0, n, _SIDE, endpoint=False).astype(int) for n in gray.shape)
    sums = np.add.reduceat(np.add.reduceat(gray, rows, axis=0), columns, axis=1)
    heights = np.diff([*rows, gray.shape[0]])
    widths = np.diff([*columns, gray.shape[1]])
    means = sums / np.maximum(heights[:, None] * widths[None, :], 1)
    return bytes(np.clip(np.rint(means), 0, 255).astype(np.uint8).ravel()).hex()


def _distance(first: str, second: str) -> float:
    try:
        one, other = (np.frombuffer(bytes.fromhex(text), np.uint8) for text in (first, second))
    except ValueError:
        return float("inf")
    if one.shape != other.shape:
        return float("inf")
    return float(np.abs(one.astype(np.int16) - other).mean())
