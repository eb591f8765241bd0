"""Cut the small clips of the demo projects out of the two clips that may be shipped.

Run as ``python packaging/make_demo_clips.py COFFEE.mp4 CUPS.mp4 resources/demo``: the first is the
demo clip that `make_demo_media.py` made, the second a cups game without sound; both are named in
resources/demo/LICENSES.md. Pictures are cut out, scaled and encoded anew. The sound of the pour is
that of the demo clip. That of the cups is computed: a scrape as loud as much moves on the table,
and a knock whenever it comes to rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]
Pictures = NDArray[np.uint8]

_RATE = 48_000
_FRAME_RATE = Fraction(30_000, 1001)
_SIZE = (640, 360)
_TABLE_TOP = 280  # the row of the cups game below which only the table and what is on it are seen


@dataclass(frozen=True)
class Piece:
    """Frames [start, end) of a clip, of which a part is seen: left, top and width in pixels."""

    name: str
    is_coffee: bool
    frames: tuple[int, int]
    place: tuple[int, int, int]


PIECES = (
    Piece("cups", False, (0, 300), (0, 0, 1280)),
    Piece("kettle", True, (0, 150), (80, 0, 1120)),
    Piece("mug", True, (130, 280), (600, 340, 640)),
    Piece("pour", True, (60, 200), (520, 160, 640)),
    Piece("cup", False, (0, 150), (60, 20, 1000)),
    Piece("ball", False, (190, 300), (360, 220, 720)),
)


def main(coffee: Path, cups: Path, folder: Path) -> None:
    """Write all pieces into a folder."""
    scenes = {True: (_pictures(coffee), _sound(coffee)), False: (_pictures(cups), None)}
    scraping = scrape(scenes[False][0])
    for piece in PIECES:
        pictures, sound = scenes[piece.is_coffee]
        start, end = piece.frames
        first, last = (round(f / _FRAME_RATE * _RATE) for f in piece.frames)
        heard = (sound if sound is not None else scraping)[:, first:last]
        write(folder / f"{piece.name}.mp4", _cut(pictures[start:end], piece.place), heard)


def scrape(pictures: Pictures) -> Samples:
    """Compute the sound of cups on a table from how much moves: shape (2, samples)."""
    random = np.random.default_rng(20_27)
    table = pictures[:, _TABLE_TOP:, :, 0]
    n, height, width = table.shape
    gray = table.reshape(n, height // 8, 8, width // 8, 8).mean(axis=(2, 4))
    moves = np.abs(np.diff(gray, axis=0, prepend=gray[:1])).mean(axis=(1, 2))
    moves = np.convolve(moves / moves.max(), np.ones(3) / 3, mode="same")
    count = round(len(pictures) / _FRAME_RATE * _RATE)
    frames = np.arange(count) / _RATE * float(_FRAME_RATE)
    loud = np.interp(frames, np.arange(len(moves)), moves)
    noise = random.standard_normal((2, count))
    hollow = np.stack([np.convolve(each, np.hanning(24), mode="same") for each in noise])
    sound = 0.01 * noise + hollow / hollow.std() * 0.16 * loud
    for frame in range(2, len(moves) - 2):
        if moves[frame] < 0.16 <= moves[frame - 1]:
            _knock(sound, round(frame / _FRAME_RATE * _RATE), random)
    return np.asarray(sound * 0.6 / np.abs(sound).max())


def write(path: Path, pictures: Iterator[av.VideoFrame], sound: Samples) -> None:
    """Encode pictures and sound; replaces the file whole."""
    partial = path.with_name(f".{path.name}")
    with av.open(str(partial), "w", format="mp4") as writer:
        video = writer.add_stream("libx264", rate=_FRAME_RATE)
        video.width, video.height = _SIZE
        video.pix_fmt = "yuv420p"
        video.options = {"crf": "25", "preset": "slow"}
        audio = writer.add_stream("aac", rate=_RATE, layout="stereo")
        audio.bit_rate = 64_000
        for picture in pictures:
            writer.mux(video.encode(picture))
        writer.mux(video.encode(None))
        for start in range(0, sound.shape[1], 1024):
            piece = np.ascontiguousarray(sound[:, start : start + 1024].astype(np.float32))
            frame = av.AudioFrame.from_ndarray(piece, format="fltp", layout="stereo")
            frame.sample_rate, frame.pts, frame.time_base = _RATE, start, Fraction(1, _RATE)
            writer.mux(audio.encode(frame))
        writer.mux(audio.encode(None))
    partial.replace(path)


def _cut(pictures: Pictures, place: tuple[int, int, int]) -> Iterator[av.VideoFrame]:
    left, top, width = place
    height = width * _SIZE[1] // _SIZE[0]
    for picture in pictures:
        part = picture[top : top + height, left : left + width]
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(part), format="rgb24")
        yield frame.reformat(*_SIZE, format="yuv420p", interpolation="AREA")


def _knock(sound: Samples, start: int, random: np.random.Generator) -> None:
    """Add the short knock of a plastic cup that is set down."""
    time = np.arange(round(0.12 * _RATE)) / _RATE
    pitch = random.uniform(480, 640)
    knock = sum(
        gain * np.sin(2 * np.pi * ratio * pitch * time) * np.exp(-time / fall)
        for ratio, gain, fall in ((1, 0.5, 0.018), (2.3, 0.3, 0.01), (4.1, 0.15, 0.006))
    )
    end = min(start + time.size, sound.shape[1])
    sound[:, start:end] += np.asarray(knock)[: end - start] * random.uniform(0.5, 1.0)


def _pictures(path: Path) -> Pictures:
    with av.open(str(path)) as reader:
        return np.stack([f.to_ndarray(format="rgb24") for f in reader.decode(video=0)])


def _sound(path: Path) -> Samples:
    with av.open(str(path)) as reader:
        parts = [f.to_ndarray() for f in reader.decode(audio=0)]
    return np.concatenate(parts, axis=1).astype(float)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
