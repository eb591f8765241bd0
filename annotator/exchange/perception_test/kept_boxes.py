"""Compact storage of imported boxes and times, exact to the last bit.

Boxes stand in the keyframes, as pixels. Divided by the size of the picture they are the fractions
of the file again; where rounding leaves one a step of its last bit away, that step is kept. Times
follow from the frames and the rate that the file gives. A record of which this does not hold is
kept with both, as it stood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.json_type import Json
from annotator.exchange.perception_test.records import (
    EXTRA_KEY,
    ObjectColumns,
    ObjectRecord,
    as_object,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOXES_KEY: Final = f"{EXTRA_KEY}/boxes"
"""Contents of ``extra`` of a track, from which its imported boxes and times are computed.

``size`` is that of the picture, ``letters`` are two for each box: the steps and a check sum, which
shows that a box was not edited. ``digest`` is of all boxes, ``rate`` gives the times.
"""

N_LETTERS: Final = 2
NO_BOX: Final = "!!"
"""Where a record says the box itself."""

_BOXES: Final = "bounding_boxes"
_TIMES: Final = "timestamps"
_MICROSECONDS: Final = 1_000_000
_BOX_BYTES: Final = 32

_LETTERS: Final = bytes(c for c in range(33, 127) if c not in b'"\\')
_LETTER_OF: Final = _LETTERS + bytes(256 - len(_LETTERS))
_NUMBER_OF: Final = bytes(max(_LETTERS.find(c), 0) for c in range(256))
_STEP_WEIGHTS: Final = np.array([27, 9, 3, 1], np.int64)
_STEPS: Final = np.arange(256)[:, None] // _STEP_WEIGHTS % 3 - 1
_SUM_WEIGHTS: Final = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64
)
_SUM_SHIFT: Final = np.uint64(58)


def stored_records(
    items: Sequence[ObjectRecord], columns: ObjectColumns, video: VideoInfo
) -> list[dict[str, Json]]:
    """Return the stored form of each record for ``TrackInfo.extra``."""
    if not (items and video.width and video.height):
        return [{EXTRA_KEY: item.raw} for item in items]
    size = _size(video.width, video.height)
    boxes, bounds = columns.boxes, columns.bounds
    pixels = boxes * size
    steps = _bits(boxes) - _bits(pixels / size)
    is_near = (boxes >= 0) & (boxes <= 1) & (steps >= -1) & (steps <= 1)
    is_box = (pixels[:, 0] < pixels[:, 2]) & (pixels[:, 1] < pixels[:, 3])
    is_good = np.logical_and.reduceat(is_near.ravel(), 4 * bounds[:-1])
    is_good &= np.logical_and.reduceat(is_box, bounds[:-1])
    has_times = _have_times(items, columns, video.frame_rate)
    numbers = np.empty((len(boxes), N_LETTERS), np.uint8)
    numbers[:, 0], numbers[:, 1] = (steps + 1) @ _STEP_WEIGHTS, _sums(boxes)
    letters = numbers.tobytes().translate(_LETTER_OF).decode("ascii")
    body, places = boxes.tobytes(), bounds.tolist()
    records: list[dict[str, Json]] = []
    for row, item in enumerate(items):
        start, end = places[row], places[row + 1]
        if not (is_good[row] and (columns.are_fractions or _are_fractions(item))):
            records.append({EXTRA_KEY: item.raw})
            continue
        raw_boxes: dict[str, Json] = {
            "size": [video.width, video.height],
            "letters": letters[start * N_LETTERS : end * N_LETTERS],
            "digest": _digest(body[start * _BOX_BYTES : end * _BOX_BYTES]),
        }
        raw = item.raw.copy()
        del raw[_BOXES]
        if has_times[row]:
            raw_boxes["rate"] = video.frame_rate
            del raw[_TIMES]
        records.append({EXTRA_KEY: raw, BOXES_KEY: raw_boxes})
    return records


def name_of(extra: Mapping[str, Json]) -> bytes:
    """Return the key of the record of a track, independent of later edits."""
    raw, kept = as_object(extra.get(EXTRA_KEY)), as_object(extra.get(BOXES_KEY))
    digest = kept.get("digest")
    if not isinstance(digest, str):
        boxes = raw.get(_BOXES)
        try:
            values = np.array(boxes, np.float64).reshape(-1, 4)
        except (TypeError, ValueError):
            digest = msgspec.json.encode(boxes).decode()
        else:
            digest = _digest(values.tobytes())
    rest = {key: value for key, value in raw.items() if key != _BOXES}
    return msgspec.json.encode([{**rest, **omitted_times(raw, kept)}, digest], order="sorted")


def size_of(kept: Mapping[str, Json]) -> tuple[int, int] | None:
    """Return the width and height of the picture, None where they are not kept."""
    match kept.get("size"):
        case [int(width), int(height)] if width > 0 and height > 0:
            return width, height
    return None


def boxes_from(
    pixels: NDArray[np.float64], letters: str, size: tuple[int, int]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the fractions [n, 4] that pixels were made from, and whether it is those they are."""
    numbers = np.frombuffer(letters.encode("ascii", "replace").translate(_NUMBER_OF), np.uint8)
    numbers = numbers.reshape(-1, N_LETTERS)
    boxes = (_bits(pixels / _size(*size)) + _STEPS[numbers[:, 0]]).view(np.float64)
    return boxes, _sums(boxes) == numbers[:, 1]


def times_of(frames: Sequence[int] | NDArray[np.int64], rate: float) -> NDArray[np.int64]:
    """Return when frames appear in a video of a constant rate, in microseconds."""
    found: NDArray[np.int64] = np.rint(np.asarray(frames) * _MICROSECONDS / rate).astype(np.int64)
    return found


def omitted_times(raw: Mapping[str, Json], kept: Mapping[str, Json]) -> dict[str, Json]:
    """Return the times of a record that the stored form omits."""
    rate, frames = kept.get("rate"), raw.get("frame_ids")
    if not isinstance(rate, float) or rate <= 0 or not isinstance(frames, list):
        return {}
    return {_TIMES: times_of([f for f in frames if isinstance(f, int)], rate).tolist()}


def _have_times(items: Sequence[ObjectRecord], columns: ObjectColumns, rate: float) -> list[bool]:
    """Return for each record whether its times follow from its frames at a rate."""
    lists = [item.raw.get(_TIMES) for item in items]
    if rate <= 0 or not all(isinstance(times, list) for times in lists):
        return [False] * len(items)
    times = list(chain.from_iterable(lists))  # type: ignore[arg-type]
    if set(map(type, times)) != {int} or len(times) != columns.bounds[-1]:
        return [False] * len(items)
    is_same = times_of(columns.frames, rate) == np.array(times, np.int64)
    found: list[bool] = np.logical_and.reduceat(is_same, columns.bounds[:-1]).tolist()
    return found


def _are_fractions(item: ObjectRecord) -> bool:
    """Return whether no number was written as a whole one, which it would not be again."""
    return set(map(type, chain.from_iterable(item.boxes))) == {float}


def _digest(boxes: bytes) -> str:
    return blake2b(boxes, digest_size=8).hexdigest()


def _size(width: int, height: int) -> NDArray[np.float64]:
    return np.array([width, height] * 2, np.float64)


def _sums(boxes: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return a check sum of each box [n], 0 to 63."""
    bits = np.ascontiguousarray(boxes).view(np.uint64)
    found: NDArray[np.uint64] = (bits * _SUM_WEIGHTS).sum(axis=1, dtype=np.uint64) >> _SUM_SHIFT
    return found


def _bits(values: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.ascontiguousarray(values).view(np.int64)
