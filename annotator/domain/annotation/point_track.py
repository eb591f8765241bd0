"""Point tracks: a named part of an object, with a mark on every frame.

A mark says who fixed it and whether the point is visible, occluded or out of view on that frame.
Unlike boxes, points are not interpolated: a frame without a mark is a frame not yet done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from annotator.domain.annotation.attributes import attributes_in
from annotator.domain.annotation.segment import DISMISSED, PROPOSED_BY
from annotator.domain.annotation.track import Source, ranges_in
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_FRAMES: Final = 256
_MOST_BESIDE: Final = 300  # frames on each side of the only mark
NO_MARK: Final = 0
SOURCE_BITS: Final = 0b0011
OCCLUDED_BIT: Final = 0b0100
OUTSIDE_BIT: Final = 0b1000
_SOURCE_CODES: Final = {Source.HUMAN: 1, Source.ACCEPTED: 2, Source.IMPORTED: 3}
HUMAN_CODE: Final = _SOURCE_CODES[Source.HUMAN]
ACCEPTED_CODE: Final = _SOURCE_CODES[Source.ACCEPTED]
IMPORTED_CODE: Final = _SOURCE_CODES[Source.IMPORTED]
_SOURCES: Final = {code: source for source, code in _SOURCE_CODES.items()}


@dataclass(frozen=True, slots=True)
class PointMark:
    """A point on one frame, in pixels.

    An occluded point may keep an estimated place (drawn, never exported); one that is out of view
    has none.
    """

    xy: Point | None
    occluded: bool = False
    source: Source = Source.HUMAN

    @property
    def outside(self) -> bool:
        return self.xy is None and not self.occluded

    @property
    def is_visible(self) -> bool:
        return self.xy is not None and not self.occluded


@dataclass(frozen=True, slots=True, eq=False)
class PointRun:
    """Marks of consecutive frames from ``start`` on.

    ``xy`` is float64 [n, 2] in pixels (NaN where there is no place); ``flags`` is uint8 [n]: the
    source in the two low bits (0 = no mark), then occluded, then out of view.
    """

    start: int
    xy: NDArray[np.float64]
    flags: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if self.xy.shape != (len(self.flags), 2):
            raise ValueError("a run has one place and one flag for each frame")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PointRun):
            return NotImplemented
        return (
            self.start == other.start
            and np.array_equal(self.flags, other.flags)
            and np.array_equal(self.xy, other.xy, equal_nan=True)
        )

    def __hash__(self) -> int:
        return hash((self.start, self.xy.tobytes(), self.flags.tobytes()))

    @property
    def end(self) -> int:
        """The frame after the last."""
        return self.start + len(self.flags)

    @property
    def is_empty(self) -> bool:
        """True when no frame of the run has a mark."""
        return not self.flags.any()

    def mark(self, frame: int) -> PointMark | None:
        """Return the mark of one frame, None where there is none."""
        i = frame - self.start
        if not 0 <= i < len(self.flags) or self.flags[i] == NO_MARK:
            return None
        flags = int(self.flags[i])
        x, y = (float(v) for v in self.xy[i])
        place = None if np.isnan(x) else Point(x, y)
        return PointMark(place, bool(flags & OCCLUDED_BIT), _SOURCES[flags & SOURCE_BITS])

    def items(self) -> Iterator[tuple[int, PointMark]]:
        """Yield every marked frame with its mark, ascending."""
        for frame in range(self.start, self.end):
            mark = self.mark(frame)
            if mark is not None:
                yield frame, mark


def run_of(start: int, marks: Iterable[PointMark | None]) -> PointRun:
    """Return marks of consecutive frames as a run."""
    listed = list(marks)
    xy = np.full((len(listed), 2), np.nan)
    flags = np.zeros(len(listed), dtype=np.uint8)
    for i, mark in enumerate(listed):
        if mark is None:
            continue
        flags[i] = _flags(mark)
        if mark.xy is not None:
            xy[i] = mark.xy.x, mark.xy.y
    return PointRun(start, xy, flags)


class PointPath:
    """All marks of a point; never changed in place: ``with_run`` shares the untouched blocks."""

    __slots__ = ("_blocks",)

    def __init__(self, blocks: Mapping[int, PointRun] | None = None) -> None:
        """``blocks`` maps a block number to its 256 frames; see ``blocks``."""
        self._blocks = dict(blocks or {})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PointPath):
            return NotImplemented
        return self._blocks == other._blocks

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._blocks)))

    @property
    def blocks(self) -> Mapping[int, PointRun]:
        """The blocks that hold marks: number i covers frames 256·i to 256·i + 255."""
        return self._blocks

    @property
    def is_empty(self) -> bool:
        return not self._blocks

    def mark(self, frame: int) -> PointMark | None:
        """Return the mark of a frame, None where there is none."""
        block = self._blocks.get(frame // BLOCK_FRAMES)
        return block.mark(frame) if block else None

    def run(self, start: int, end: int) -> PointRun:
        """Return the marks of ``start <= frame < end`` as one run."""
        length = max(0, end - start)
        xy = np.full((length, 2), np.nan)
        flags = np.zeros(length, dtype=np.uint8)
        for number in self._numbers(start, end):
            block = self._blocks[number]
            first, last = max(start, block.start), min(end, block.end)
            there, here = (
                slice(first - block.start, last - block.start),
                slice(first - start, last - start),
            )
            xy[here], flags[here] = block.xy[there], block.flags[there]
        return PointRun(start, xy, flags)

    def with_run(self, run: PointRun) -> PointPath:
        """Return this path with the run's frames replaced; frames without mark are cleared."""
        blocks = dict(self._blocks)
        for number in range(run.start // BLOCK_FRAMES, -(-run.end // BLOCK_FRAMES)):
            begin = number * BLOCK_FRAMES
            block = self.run(begin, begin + BLOCK_FRAMES)
            first, last = max(run.start, begin), min(run.end, begin + BLOCK_FRAMES)
            old_blocks, new_blocks = (
                slice(first - run.start, last - run.start),
                slice(first - begin, last - begin),
            )
            block.xy[new_blocks], block.flags[new_blocks] = (
                run.xy[old_blocks],
                run.flags[old_blocks],
            )
            if block.is_empty:
                blocks.pop(number, None)
            else:
                blocks[number] = block
        return PointPath(blocks)

    def frames(self) -> NDArray[np.int64]:
        """Return all marked frames, int64 [n], ascending."""
        return self._frames_where(SOURCE_BITS, None)

    def human_frames(self) -> NDArray[np.int64]:
        """Return the frames on which a person has placed the point, int64 [n], ascending."""
        return self._frames_where(SOURCE_BITS | OCCLUDED_BIT | OUTSIDE_BIT, HUMAN_CODE)

    def human_around(self, frame: int) -> tuple[int | None, int | None]:
        """Return the nearest `human_frames` before a frame and after it."""
        # Block by block from here: looked up for every point on every frame shown.
        number = frame // BLOCK_FRAMES
        before = (n for n in sorted(self._blocks, reverse=True) if n <= number)
        after = (n for n in sorted(self._blocks) if n >= number)
        lower, upper = None, None
        for n in before:
            keyframes_around = self._human_in(n)
            if len(keyframes_around := keyframes_around[keyframes_around < frame]):
                lower = int(keyframes_around[-1])
                break
        for n in after:
            keyframes_around = self._human_in(n)
            if len(keyframes_around := keyframes_around[keyframes_around > frame]):
                upper = int(keyframes_around[0])
                break
        return lower, upper

    def stop_beside(self, frame: int, step: int) -> int | None:
        """Return the nearest stop before (-1) or after (+1) a frame.

        Stops are the frames that a person placed, and where each stretch begins that a person
        marked occluded, or out of view: a hundred such frames are one stop.
        """
        frames = self.frames()
        if not len(frames):
            return None
        flags = self.run(int(frames[0]), int(frames[-1]) + 1).flags
        is_human = (flags & SOURCE_BITS) == HUMAN_CODE
        hidden = np.where(is_human, flags & (OCCLUDED_BIT | OUTSIDE_BIT), NO_MARK)
        is_new = np.diff(hidden, prepend=NO_MARK) != 0
        found = np.flatnonzero(is_human & ((hidden == NO_MARK) | is_new)) + frames[0]
        beside = found[found < frame][-1:] if step < 0 else found[found > frame][:1]
        return int(beside[0]) if len(beside) else None

    def _human_in(self, number: int) -> NDArray[np.int64]:
        block = self._blocks[number]
        masked = block.flags & (SOURCE_BITS | OCCLUDED_BIT | OUTSIDE_BIT)
        return np.flatnonzero(masked == HUMAN_CODE) + block.start

    def _frames_where(self, mask: int, value: int | None) -> NDArray[np.int64]:
        """Return the frames whose masked flags are ``value``, or anything but 0."""
        blocks = [self._blocks[number] for number in sorted(self._blocks)]
        if not blocks:
            return np.zeros(0, dtype=np.int64)
        flags = np.concatenate([block.flags for block in blocks]) & mask
        found = np.flatnonzero(flags if value is None else flags == value)
        number, place = np.divmod(found, BLOCK_FRAMES)
        starts = np.array([block.start for block in blocks], dtype=np.int64)
        return starts[number] + place

    def _numbers(self, start: int, end: int) -> list[int]:
        first, last = start // BLOCK_FRAMES, -(-end // BLOCK_FRAMES)
        if last - first > len(self._blocks):
            return [n for n in self._blocks if first <= n < last]
        return [n for n in range(first, last) if n in self._blocks]


def _flags(mark: PointMark) -> int:
    flags = _SOURCE_CODES[mark.source]
    if mark.occluded:
        flags |= OCCLUDED_BIT
    if mark.outside:
        flags |= OUTSIDE_BIT
    return flags


@dataclass(frozen=True, slots=True)
class PointInfo:
    """Description of a point track: a part (``label``) of the object ``track_id``, or of none.

    ``number`` counts within the draft; ``color`` counts into the object palette.
    """

    id: PointId
    track_id: TrackId | None
    label: str
    number: int
    color: int
    is_locked: bool = False
    is_hidden: bool = False
    extra: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PointTrack:
    """A point's description and its marks."""

    info: PointInfo
    path: PointPath = field(default_factory=PointPath)

    @property
    def id(self) -> PointId:
        return self.info.id

    @property
    def attributes(self) -> dict[str, Json]:
        """Values of the point's attributes by key; see ``annotation.attributes``."""
        return attributes_in(self.info.extra)

    @property
    def label(self) -> str:
        return self.info.label

    @property
    def is_proposed(self) -> bool:
        """True for a point of a model without any accepted frame."""
        return PROPOSED_BY in self.info.extra and not self.path.blocks

    def is_dismissed(self, frame: int) -> bool:
        """Return whether the proposals of a range with this frame were dismissed."""
        ranges = ranges_in(self.info.extra.get(DISMISSED))
        return any(start <= frame < end for start, end in ranges)

    def mark(self, frame: int) -> PointMark | None:
        """Return the mark of a frame, None if it has none."""
        return self.path.mark(frame)

    def with_run(self, run: PointRun) -> PointTrack:
        """Return this track with the marks of the run's frames replaced."""
        return replace(self, path=self.path.with_run(run))


class PointGap(NamedTuple):
    """Frames ``start <= f < end`` without a person's mark, between two marks with a place.

    ``lower`` and ``upper`` are those places, on frames ``start - 1`` and ``end``. Beside the only
    mark of a point one of them is None.
    """

    point_id: PointId
    start: int
    end: int
    lower: Point | None
    upper: Point | None


def open_point_gaps(point: PointTrack, n_frames: int) -> list[PointGap]:
    """Return the stretches between two visible human marks that hold a frame without any mark.

    A person's "occluded" or "out of view" between them stays as it is: it is no end of a gap. A
    point with a single visible human mark has a gap of at most 300 frames on each side of it.
    """
    path = point.path
    frames = path.human_frames()
    if len(frames) == 1:
        return _gaps_beside(point, int(frames[0]), n_frames)
    # Where fewer frames are marked than there are, at least one is open. Counted in one pass: a
    # point placed by hand all along has thousands of neighbors.
    is_open = np.diff(np.searchsorted(path.frames(), frames)) < np.diff(frames)
    gaps = []
    for i in np.flatnonzero(is_open).tolist():
        start, end = int(frames[i]), int(frames[i + 1])
        lower, upper = path.mark(start), path.mark(end)
        if lower is not None and upper is not None and lower.xy and upper.xy:
            gaps.append(PointGap(point.id, start + 1, end, lower.xy, upper.xy))
    return gaps


def _gaps_beside(point: PointTrack, frame: int, n_frames: int) -> list[PointGap]:
    """Return the gaps before and after the only visible human mark of a point."""
    mark = point.path.mark(frame)
    assert mark is not None
    before = PointGap(point.id, max(0, frame - _MOST_BESIDE), frame, None, mark.xy)
    after_end = min(n_frames, frame + 1 + _MOST_BESIDE)
    after = PointGap(point.id, frame + 1, after_end, mark.xy, None)
    return [
        gap
        for gap in (before, after)
        if gap.start < gap.end and (point.path.run(gap.start, gap.end).flags == NO_MARK).any()
    ]
