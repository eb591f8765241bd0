"""Keyframes of many tracks as columns, for computations over all tracks.

Creating a value per keyframe takes longer than everything else an export does. A track can
therefore refer to rows of a table and create its keyframes on demand.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.geometry import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

SOURCES: Final = tuple(Source)
"""Sources by their number in a table's column."""

_NUMBER_OF: Final = {source: number for number, source in enumerate(SOURCES)}
_NOWHERE: Final = (np.nan,) * 4


@dataclass(frozen=True, eq=False)
class KeyTable:
    """Keyframes, track after track, those of one track ascending by frame.

    ``starts`` int64 [tracks + 1]: those of track i are ``starts[i]`` to ``starts[i + 1]``.
    ``boxes`` float64 [n, 4] (x1, y1, x2, y2), NaN where the object is out of view; ``frames``
    int64 [n]; ``is_occluded`` and ``is_settled`` bool [n]; ``sources`` uint8 [n].
    """

    starts: NDArray[np.int64]
    frames: NDArray[np.int64]
    boxes: NDArray[np.float64]
    is_occluded: NDArray[np.bool_]
    is_settled: NDArray[np.bool_]
    sources: NDArray[np.uint8]

    @classmethod
    def of(cls, tracks: Sequence[Track]) -> KeyTable:
        """Return the keyframes of tracks; those of a table's own tracks are that table."""
        first = tracks[0] if tracks else None
        if isinstance(first, TabledTrack) and first.table.holds(tracks):
            return first.table
        keys = [key for track in tracks for key in track.keyframes]
        boxes = [key.box.as_tuple() if key.box is not None else _NOWHERE for key in keys]
        return cls(
            np.cumsum([0, *(len(track.keyframes) for track in tracks)]),
            np.array([key.frame for key in keys], np.int64),
            np.array(boxes, np.float64).reshape(-1, 4),
            np.array([key.occluded for key in keys], np.bool_),
            np.array([key.settled for key in keys], np.bool_),
            np.array([_NUMBER_OF[key.source] for key in keys], np.uint8),
        )

    def __len__(self) -> int:
        """Return the number of tracks."""
        return len(self.starts) - 1

    @cached_property
    def has_box(self) -> NDArray[np.bool_]:
        """Where the object is in view."""
        found: NDArray[np.bool_] = ~np.isnan(self.boxes[:, 0])
        return found

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The track of each keyframe."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def bounds(self) -> list[int]:
        return self.starts.tolist()  # type: ignore[no-any-return]

    @cached_property
    def frame_list(self) -> list[int]:
        return self.frames.tolist()  # type: ignore[no-any-return]

    def holds(self, tracks: Sequence[Track]) -> bool:
        """Return whether these are all of its tracks, in its order."""
        return len(tracks) == len(self) and all(
            isinstance(track, TabledTrack) and track.table is self and track.row == row
            for row, track in enumerate(tracks)
        )

    def ordered(self, rows: Sequence[int]) -> KeyTable:
        """Return the table with the tracks in another order."""
        if all(row == place for place, row in enumerate(rows)):
            return self
        lengths = np.diff(self.starts)[list(rows)]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        shift = np.repeat(self.starts[:-1][list(rows)] - starts[:-1], lengths)
        places = np.arange(len(self.frames)) + shift
        columns = (self.frames, self.boxes, self.is_occluded, self.is_settled, self.sources)
        return KeyTable(starts, *(column[places] for column in columns))

    def any_of(self, is_it: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return for each track whether a thing is so of any of its keyframes."""
        found: NDArray[np.bool_] = np.bincount(self.owners[is_it], minlength=len(self)) > 0
        return found

    def keyframes(self, row: int) -> tuple[Keyframe, ...]:
        """Return the keyframes of a track as values."""
        span = slice(self.bounds[row], self.bounds[row + 1])
        columns: Iterable[tuple[int, list[float], bool, int, bool, bool]] = zip(
            self.frame_list[span],
            self.boxes[span].tolist(),
            self.is_occluded[span].tolist(),
            self.sources[span].tolist(),
            self.is_settled[span].tolist(),
            self.has_box[span].tolist(),
            strict=True,
        )
        return tuple(
            Keyframe(frame, Box(*box) if is_in else None, occluded, SOURCES[source], settled)
            for frame, box, occluded, source, settled, is_in in columns
        )


class TabledTrack(Track):
    """A track whose keyframes are rows of a table; equal to any track with the same content."""

    __slots__ = ("_keyframes", "row", "table")

    row: int
    table: KeyTable
    _keyframes: tuple[Keyframe, ...] | None

    def __init__(self, info: TrackInfo, table: KeyTable, row: int) -> None:
        """``row`` is its place in the table."""
        for name, value in (("info", info), ("table", table), ("row", row), ("_keyframes", None)):
            object.__setattr__(self, name, value)

    @property
    def keyframes(self) -> tuple[Keyframe, ...]:
        if self._keyframes is None:
            object.__setattr__(self, "_keyframes", self.table.keyframes(self.row))
        assert self._keyframes is not None
        return self._keyframes

    @property
    def frames(self) -> tuple[int, ...]:
        return tuple(self.table.frame_list[slice(*self.span)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Track):
            return NotImplemented
        return (self.info, self.keyframes) == (other.info, other.keyframes)

    def __hash__(self) -> int:
        return hash(self.info.id)

    def is_present_in(self, start: int, end: int) -> bool:
        first, last = self.span
        frames, has_box = self.table.frame_list, self.table.has_box
        lower = bisect_right(frames, start, first, last) - 1
        if lower >= first and has_box[lower]:
            return True
        return bool(has_box[lower + 1 : bisect_left(frames, end, first, last)].any())

    @property
    def span(self) -> tuple[int, int]:
        """Rows of its keyframes in the table: first, and one after the last."""
        return self.table.bounds[self.row], self.table.bounds[self.row + 1]


def columns_of(track: Track) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return frames and boxes of a track as table columns."""
    if isinstance(track, TabledTrack):
        span = slice(*track.span)
        return track.table.frames[span], track.table.boxes[span]
    table = KeyTable.of([track])
    return table.frames, table.boxes
