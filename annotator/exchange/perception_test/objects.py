"""Where tracks are on the frames that are exported: as imported, or worked out where edited.

Most tracks of a data set stand as they were imported. That is found out for all tracks of a video
at once; their boxes, frames and times are then the very lists that were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import lt
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.document import VideoInfo
from annotator.domain.ids import TrackId
from annotator.domain.key_table import SOURCES, KeyTable
from annotator.domain.track import Json, Source, Track
from annotator.exchange.perception_test.records import EXTRA_KEY
from annotator.exchange.perception_test.sampling import FrameChoice, export_frames
from annotator.exchange.perception_test.to_domain import as_object
from annotator.exchange.perception_test.verbatim import Original, fractions

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LISTS: Final = ("frame_ids", "bounding_boxes", "timestamps", "initial_tracking_box")
_NUMBERS: Final = frozenset((int, float))
_IMPORTED: Final = SOURCES.index(Source.IMPORTED)


@dataclass(frozen=True, slots=True)
class Placed:
    """A track on the frames that are written: a box and a 0 or 1 for each, and where it starts.

    ``times`` are None where they have to be worked out. ``empty`` are the frames whose boxes cover
    nothing of the picture; ``is_late``: times as imported did not fit any more.
    """

    frames: list[Json]
    boxes: list[Json]
    masked: list[Json]
    times: list[Json]
    start: int
    empty: tuple[int, ...] = ()
    is_late: bool = False


def placed(
    tracks: Sequence[Track],
    video: VideoInfo,
    choice: FrameChoice,
    microseconds: Callable[[int], int],
) -> Iterator[Placed]:
    """Yield where each track is on the frames that are exported."""
    untouched = {} if choice is FrameChoice.ALL else _untouched(tracks, video)
    for track in tracks:
        yield untouched.get(track.id) or _worked_out(track, video, choice, microseconds)


def _worked_out(
    track: Track, video: VideoInfo, choice: FrameChoice, microseconds: Callable[[int], int]
) -> Placed:
    wanted = export_frames(track, choice, step=video.grid_step, n_frames=video.n_frames)
    original = Original.of(as_object(track.info.extra.get(EXTRA_KEY)))
    keys = {key.frame: key for key in track.keyframes if key.box is not None}
    frames: list[int] = []
    boxes: list[Json] = []
    masked: list[Json] = []
    empty: list[int] = []
    for frame in wanted:
        state = keys.get(frame) or track.state_at(frame)
        box = original.box(frame, state.box, video) or fractions(state.box, video)
        if box is None:
            empty.append(frame)
            continue
        frames.append(frame)
        boxes.append(box)
        masked.append(int(state.occluded))
    said = original.times
    times = [said[f] if f in said else microseconds(f) for f in frames]
    is_late = not _ascend(times)
    if is_late:
        times = [microseconds(f) for f in frames]
    start = frames.index(original.start_frame) if original.start_frame in frames else 0
    listed = list[Json](frames), boxes, masked, list[Json](times)
    return Placed(*listed, start, tuple(empty), is_late)


def _untouched(tracks: Sequence[Track], video: VideoInfo) -> dict[TrackId, Placed]:
    """Return the tracks whose keyframes are those that their records stand for."""
    table = KeyTable.of(tracks)
    rows = np.flatnonzero(~table.any_of(table.sources != _IMPORTED))
    lengths = np.bincount(table.owners[table.has_box], minlength=len(table)).tolist()
    records: dict[int, tuple[list[Json], ...]] = {}
    for row in rows.tolist():
        raw = as_object(tracks[row].info.extra.get(EXTRA_KEY))
        lists = tuple(value for key in _LISTS if isinstance(value := raw.get(key), list))
        if len(lists) == len(_LISTS) and _is_usual(lists, lengths[row]):
            records[row] = lists
    if not records:
        return {}
    is_kept = np.zeros(len(table), np.bool_)
    is_kept[list(records)] = True
    is_in = table.has_box & is_kept[table.owners]
    frames, boxes = table.frames[is_in], table.boxes[is_in]
    is_same = _are_same(list(records.values()), frames, boxes, video)
    masked = table.is_occluded[is_in].astype(np.uint8).tolist()
    found: dict[TrackId, Placed] = {}
    first = 0
    for row, (frame_ids, said, times, marks) in records.items():
        end = first + len(frame_ids)
        if is_same[first:end].all():
            start = marks.index(1) if 1 in marks else 0
            found[tracks[row].id] = Placed(frame_ids, said, masked[first:end], times, start)
        first = end
    return found


def _is_usual(lists: tuple[list[Json], ...], length: int) -> bool:
    """Tell whether lists of frames, boxes, times and marks hold what they should, and as many."""
    frames, boxes, times, _ = lists
    return (
        length > 0
        and all(len(values) == length for values in lists)
        and set(map(type, frames)) == {int}
        and set(map(type, boxes)) == {list}
        and set(map(len, boxes)) == {4}  # type: ignore[arg-type]
        and set(map(type, chain.from_iterable(boxes))) <= _NUMBERS  # type: ignore[arg-type]
        and set(map(type, times)) <= _NUMBERS
        and _ascend(times)
    )


def _are_same(
    records: list[tuple[list[Json], ...]],
    frames: NDArray[np.int64],
    boxes: NDArray[np.float64],
    video: VideoInfo,
) -> NDArray[np.bool_]:
    """Tell of each box whether it is the one of its record, which lies inside the picture."""
    n = len(frames)
    said_frames = np.fromiter(chain.from_iterable(r[0] for r in records), np.float64, n)
    rows = chain.from_iterable(record[1] for record in records)
    said = np.fromiter(chain.from_iterable(rows), np.float64, 4 * n).reshape(-1, 4)  # type: ignore[arg-type]
    # As `pixel_box` has it, of a box that lies inside.
    pixels = said * np.array([video.width, video.height] * 2, np.float64)
    is_inside = (said[:, :2] >= 0).all(axis=1) & (said[:, 2:] <= 1).all(axis=1)
    is_box = (pixels[:, :2] < pixels[:, 2:]).all(axis=1)
    same: NDArray[np.bool_] = (said_frames == frames) & (pixels == boxes).all(axis=1)
    return same & is_inside & is_box


def _ascend(values: Sequence[Json]) -> bool:
    return all(map(lt, values, islice(values, 1, None)))  # type: ignore[arg-type]
