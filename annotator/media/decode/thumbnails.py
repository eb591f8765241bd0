"""Small pictures spread over a whole video, and single frames for a gallery."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.media.decode.convert import Converter
from annotator.media.decode.decoder import Decoder, Superseded
from annotator.media.index.frame_table import FrameTable

_STRIDES = (16, 8, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class Thumb:
    """One picture: ``bgra`` uint8[height, width, 4], C-contiguous, display orientation.

    ``frame`` is the frame it really shows, ``time_s`` that frame's media time.
    """

    frame: int
    time_s: float
    bgra: NDArray[np.uint8]


def thumb_frames(table: FrameTable, count: int) -> list[int]:
    """At most ``count`` frames spread evenly in time, ascending.

    A frame where decoding can start is taken instead of one at most half a step away from it: it
    costs a tenth and less.
    """
    step_s = table.duration_s / max(count, 1)
    starts = np.flatnonzero(table.sync)
    starts = starts[starts >= table.first]
    frames = set()
    for number in range(count):
        at_s = (number + 0.5) * step_s
        frame = table.index_at(at_s)
        if len(starts):
            nearest = int(starts[np.abs(table.times[starts] - at_s).argmin()])
            if abs(float(table.times[nearest]) - at_s) <= step_s / 2:
                frame = nearest
        frames.add(frame)
    return sorted(frames)


def thumbs(
    path: Path,
    table: FrameTable,
    count: int,
    height: int,
    is_canceled: Callable[[], bool],
) -> Iterator[Thumb]:
    """Decode the pictures of ``thumb_frames``, ``height`` pixels high.

    Pictures at which decoding can start come first, coarse and then between; the others follow in
    the order of the video, so that nothing is decoded twice. Damaged frames are left out; ends
    early when canceled: ``is_canceled`` is called before each packet and may block. MediaError
    when the file cannot be read or has changed.
    """
    width = max(1, round(height * table.size[0] / table.size[1]))
    order = _order(thumb_frames(table, count), table)
    yield from _decoded(path, table, order, (width, height), is_canceled)


def stills(
    path: Path,
    table: FrameTable,
    frames: Sequence[int],
    longest_px: int,
    is_canceled: Callable[[], bool],
) -> Iterator[Thumb]:
    """Decode certain frames in the order of the video, in full size up to a longest side.

    As `thumbs` otherwise.
    """
    scale = min(1.0, longest_px / max(table.size))
    width, height = (max(1, round(side * scale)) for side in table.size)
    yield from _decoded(path, table, sorted(frames), (width, height), is_canceled)


def _decoded(
    path: Path,
    table: FrameTable,
    order: Sequence[int],
    size: tuple[int, int],
    is_canceled: Callable[[], bool],
) -> Iterator[Thumb]:
    converter = Converter(table)
    decoder = Decoder(path, table, threads=1)
    try:
        for frame in order:
            if is_canceled():
                return
            picture = decoder.frame(frame, skip_others=True, stop=is_canceled)
            if picture is not None:
                small = converter.bgra(picture, *size)
                yield Thumb(frame, table.time(frame), np.array(small, order="C"))
    except Superseded:
        return
    finally:
        decoder.close()


def _order(wanted: list[int], table: FrameTable) -> list[int]:
    """In which order to decode frames: the cheap ones coarse first, then the others in turn."""
    cheap = [frame for frame in wanted if table.sync[frame]]
    order = dict.fromkeys(frame for stride in _STRIDES for frame in cheap[::stride])
    return list(order | dict.fromkeys(wanted))
