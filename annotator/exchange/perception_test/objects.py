"""Boxes of tracks on exported frames: as imported, or computed where edited.

Most tracks of a data set are never edited. This is checked for all tracks of a video at once;
their boxes, frames and times are then the imported ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, islice
from operator import lt
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.key_table import SOURCES, KeyTable
from annotator.domain.annotation.track import Source, Track, TrackInfo
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.exchange.fractions import DECIMALS
from annotator.exchange.perception_test.kept_boxes import (
    BOXES_KEY,
    N_LETTERS,
    NO_BOX,
    boxes_from,
    omitted_times,
    size_of,
    times_of,
)
from annotator.exchange.perception_test.records import EXTRA_KEY, as_object

if TYPE_CHECKING:
    from numpy.typing import NDArray


class FrameChoice(StrEnum):
    """Frames of a track to export, only where the object is in view.

    GRID: the grid frames, and the keyframes that a person or an import has fixed. KEYS: every
    keyframe, accepted proposals among them. ALL: every frame.
    """

    GRID = "grid"
    KEYS = "keys"
    ALL = "all"


def export_frames(track: Track, choice: FrameChoice, *, step: int, n_frames: int) -> list[int]:
    """Return the frames to export, ascending."""
    if choice is FrameChoice.KEYS:
        return [k.frame for k in track.keyframes if k.box is not None]
    if choice is FrameChoice.ALL:
        return [f for span in track.present_spans(n_frames) for f in range(*span)]
    frames = {k.frame for k in track.keyframes if k.box is not None and k.source in _FIXED}
    is_imported, keys = EXTRA_KEY in track.info.extra, frozenset(track.frames)
    for start, end in track.present_spans(n_frames):
        for frame in range(-(-start // step) * step, end, step):
            if not (is_imported and frame not in keys and _is_as_imported(track, frame)):
                frames.add(frame)
    return sorted(frames)


_FIXED = (Source.HUMAN, Source.IMPORTED)


def _is_as_imported(track: Track, frame: int) -> bool:
    """Return whether a frame that the imported file left out has no annotation by people.

    There is no keyframe at it.
    """
    before, after = track.keyframe_before(frame), track.keyframe_after(frame)
    neighbors = [k for k in (before, after) if k is not None]
    return all(k.source is Source.IMPORTED for k in neighbors)


_LISTS: Final = ("frame_ids", "bounding_boxes", "timestamps", "initial_tracking_box")
_NUMBERS: Final = frozenset((int, float))
_IMPORTED: Final = SOURCES.index(Source.IMPORTED)


@dataclass(frozen=True, slots=True)
class WrittenTrack:
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
) -> Iterator[WrittenTrack]:
    """Yield where each track is on the frames that are exported."""
    untouched = {} if choice is FrameChoice.ALL else _untouched(tracks, video)
    for track in tracks:
        yield untouched.get(track.id) or _worked_out(track, video, choice, microseconds)


def _worked_out(
    track: Track, video: VideoInfo, choice: FrameChoice, microseconds: Callable[[int], int]
) -> WrittenTrack:
    frames_wanted = export_frames(track, choice, step=video.grid_step, n_frames=video.n_frames)
    original = Original.of(track.info.extra)
    keys = {key.frame: key for key in track.keyframes if key.box is not None}
    frames: list[int] = []
    boxes: list[Json] = []
    masked: list[Json] = []
    empty: list[int] = []
    for frame in frames_wanted:
        state = keys.get(frame) or track.state_at(frame)
        box = original.box(frame, state.box, video) or fractions(state.box, video)
        if box is None:
            empty.append(frame)
            continue
        frames.append(frame)
        boxes.append(box)
        masked.append(int(state.occluded))
    stored_times = original.times
    times = [stored_times[f] if f in stored_times else microseconds(f) for f in frames]
    is_late = not _ascend(times)
    if is_late:
        times = [microseconds(f) for f in frames]
    start = frames.index(original.start_frame) if original.start_frame in frames else 0
    listed = list[Json](frames), boxes, masked, list[Json](times)
    return WrittenTrack(*listed, start, tuple(empty), is_late)


def _untouched(tracks: Sequence[Track], video: VideoInfo) -> dict[TrackId, WrittenTrack]:
    """Return the tracks whose keyframes equal those of their records."""
    table = KeyTable.of(tracks)
    rows = np.flatnonzero(~table.any_of(table.sources != _IMPORTED))
    lengths = np.bincount(table.owners[table.has_box], minlength=len(table)).tolist()
    entries = {row: _recorded(tracks[row].info, lengths[row], video) for row in rows.tolist()}
    records = {
        row: stored_entry for row, stored_entry in entries.items() if stored_entry is not None
    }
    if not records:
        return {}
    is_kept = np.zeros(len(table), np.bool_)
    is_kept[list(records)] = True
    is_in = table.has_box & is_kept[table.owners]
    frames, pixels = table.frames[is_in], table.boxes[is_in]
    boxes, is_same = _boxes(records.values(), pixels, video)
    is_same &= _are_usual(records.values(), frames, boxes, pixels, video)
    masked = table.is_occluded[is_in].astype(np.uint8).tolist()
    listed = boxes.tolist()
    rates = {
        stored_entry.rate for stored_entry in records.values() if stored_entry.rate is not None
    }
    times = {rate: times_of(frames, rate).tolist() for rate in rates}
    untouched: dict[TrackId, WrittenTrack] = {}
    first = 0
    for row, stored_entry in records.items():
        end = first + len(stored_entry.frames)
        if is_same[first:end].all():
            place = slice(first, end)
            when = (
                times[stored_entry.rate][place]
                if stored_entry.rate is not None
                else stored_entry.times
            )
            start = stored_entry.marks.index(1) if 1 in stored_entry.marks else 0
            untouched[tracks[row].id] = WrittenTrack(
                stored_entry.frames, stored_entry.boxes or listed[place], masked[place], when, start
            )
        first = end
    return untouched


@dataclass(frozen=True, slots=True)
class _RecordedTrack:
    """What a record says; boxes that it does not say are worked out by letters, times by a rate."""

    frames: list[Json]
    boxes: list[Json]
    times: list[Json]
    marks: list[Json]
    letters: str
    rate: float | None


def _recorded(info: TrackInfo, length: int, video: VideoInfo) -> _RecordedTrack | None:
    """Return the record of a track by frame; None if it is irregular."""
    raw, raw_boxes = as_object(info.extra.get(EXTRA_KEY)), as_object(info.extra.get(BOXES_KEY))
    lists = {key: value for key in _LISTS if isinstance(value := raw.get(key), list)}
    letters, rate = raw_boxes.get("letters"), raw_boxes.get("rate")
    if letters is None:
        letters = NO_BOX * length
    elif not isinstance(letters, str) or raw_boxes.get("size") != [video.width, video.height]:
        return None
    if not isinstance(rate, float) or rate <= 0:
        rate = None
    # Either it says them, or they are worked out.
    is_either = ("letters" in raw_boxes) != ("bounding_boxes" in lists)
    is_either &= (rate is None) == ("timestamps" in lists)
    if not is_either or len(letters) != N_LETTERS * length:
        return None
    if not _is_usual(lists, length):
        return None
    frames, boxes, times, marks = (lists.get(key, []) for key in _LISTS)
    return _RecordedTrack(frames, boxes, times, marks, letters, rate)


def _boxes(
    records: Collection[_RecordedTrack], pixels: NDArray[np.float64], video: VideoInfo
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the boxes of records [n, 4], fractions of the picture, and whether each is theirs."""
    letters = "".join(said.letters for said in records)
    boxes, are_theirs = boxes_from(pixels, letters, (video.width, video.height))
    first = 0
    for said in records:
        end = first + len(said.frames)
        if said.boxes:
            boxes[first:end] = np.array(said.boxes, np.float64)
            are_theirs[first:end] = True
        first = end
    return boxes, are_theirs


def _is_usual(lists: dict[str, list[Json]], length: int) -> bool:
    """Return whether lists of frames, boxes, times and marks are valid and of equal length."""
    frames, boxes, times = (lists.get(key) for key in _LISTS[:3])
    return (
        length > 0
        and frames is not None
        and "initial_tracking_box" in lists
        and all(len(values) == length for values in lists.values())
        and set(map(type, frames)) == {int}
        and (boxes is None or _are_boxes(boxes))
        and (times is None or (set(map(type, times)) <= _NUMBERS and _ascend(times)))
    )


def _are_boxes(boxes: list[Json]) -> bool:
    return (
        set(map(type, boxes)) == {list}
        and set(map(len, boxes)) == {4}  # type: ignore[arg-type]
        and set(map(type, chain.from_iterable(boxes))) <= _NUMBERS  # type: ignore[arg-type]
    )


def _are_usual(
    records: Collection[_RecordedTrack],
    frames: NDArray[np.int64],
    boxes: NDArray[np.float64],
    pixels: NDArray[np.float64],
    video: VideoInfo,
) -> NDArray[np.bool_]:
    """Return for each box whether it is on the frame and at the place of its record, which is
    inside the picture.
    """
    said_frames = np.fromiter(
        chain.from_iterable(stored_entries.frames for stored_entries in records), np.float64
    )
    # As `pixel_box` has it, of a box that lies inside.
    pixel_boxes = boxes * np.array([video.width, video.height] * 2, np.float64)
    is_inside = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= 1).all(axis=1)
    is_box = (pixel_boxes[:, :2] < pixel_boxes[:, 2:]).all(axis=1)
    same: NDArray[np.bool_] = (said_frames == frames) & (pixel_boxes == pixels).all(axis=1)
    return same & is_inside & is_box


def _ascend(values: Sequence[Json]) -> bool:
    return all(map(lt, values, islice(values, 1, None)))  # type: ignore[arg-type]


_ARE_NUMBERS: Final = frozenset((int, float))


@dataclass(frozen=True, slots=True)
class Original:
    """The record a track was imported from, by frame; empty for a track drawn here."""

    boxes: dict[int, list[Json]] = field(default_factory=dict)
    times: dict[int, int | float] = field(default_factory=dict)
    start_frame: int | None = None
    letters: dict[int, str] = field(default_factory=dict)
    size: tuple[int, int] | None = None

    @classmethod
    def of(cls, extra: dict[str, Json]) -> Original:
        """Return the imported record by frame; edited values count as absent.

        ``extra`` is that of the track.
        """
        raw, raw_boxes = as_object(extra.get(EXTRA_KEY)), as_object(extra.get(BOXES_KEY))
        raw = {**raw, **omitted_times(raw, raw_boxes)}
        letters = str(raw_boxes.get("letters", ""))
        pairs = [letters[i : i + N_LETTERS] for i in range(0, len(letters), N_LETTERS)]
        frames = [f for f in _list(raw, "frame_ids") if isinstance(f, int)]
        boxes = [b for b in _list(raw, "bounding_boxes") if isinstance(b, list)]
        times = [t for t in _list(raw, "timestamps") if isinstance(t, int | float)]
        marked = [
            f for f, mark in zip(frames, _list(raw, "initial_tracking_box"), strict=False) if mark
        ]
        return cls(
            dict(zip(frames, boxes, strict=False)),
            dict(zip(frames, times, strict=False)),
            marked[0] if marked else None,
            dict(zip(frames, pairs, strict=False)),
            size_of(raw_boxes),
        )

    def box(self, frame: int, shown: Box | None, video: VideoInfo) -> list[Json] | None:
        """Return the box as it stood in the file, if it is the one shown and may be written."""
        said = self.boxes.get(frame) or self._worked_out(frame, shown)
        if said is None or shown is None or len(said) != 4:
            return None
        x1, y1, x2, y2 = cast("list[float]", said)
        if not _ARE_NUMBERS.issuperset((type(x1), type(y1), type(x2), type(y2))):
            return None
        # As `pixel_box` has it, of a box that lies inside.
        is_inside = x1 >= 0 and y1 >= 0 and x2 <= 1 and y2 <= 1
        left, right = x1 * video.width, x2 * video.width
        top, bottom = y1 * video.height, y2 * video.height
        is_shown = shown.as_tuple() == (left, top, right, bottom)
        return said if is_inside and left < right and top < bottom and is_shown else None

    def _worked_out(self, frame: int, shown: Box | None) -> list[Json] | None:
        """Return the box that stood in the file if it is the one shown."""
        letters = self.letters.get(frame, "")
        if shown is None or self.size is None or len(letters) != N_LETTERS:
            return None
        boxes, are_same = boxes_from(np.array([shown.as_tuple()], np.float64), letters, self.size)
        found: list[Json] = boxes[0].tolist()
        return found if are_same[0] else None


def fractions(box: Box | None, video: VideoInfo) -> list[Json] | None:
    """Return a box as fractions of the picture, clipped; None for an empty area."""
    if box is None:
        return None
    w, h = video.width, video.height
    inside = box.clipped(w, h)
    x1, x2 = round(inside.x1 / w, DECIMALS), round(inside.x2 / w, DECIMALS)
    y1, y2 = round(inside.y1 / h, DECIMALS), round(inside.y2 / h, DECIMALS)
    return [x1, y1, x2, y2] if x1 < x2 and y1 < y2 else None


def ordered(record: Mapping[str, Json], keys: Sequence[str]) -> dict[str, Json]:
    """Return a record with the known keys first, in their order, then the others in theirs."""
    known = {key: record[key] for key in keys if key in record}
    return {**known, **{key: value for key, value in record.items() if key not in known}}


def _list(raw: dict[str, Json], key: str) -> list[Json]:
    value = raw.get(key)
    return value if isinstance(value, list) else []
