"""Runs of proposals of a tracker, for boxes and points alike.

Proposals are not annotation. They are stored beside the track or point until accepted.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

import numpy as np

from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SURE: Final = 0.8  # confidence
_LEAD: Final = 0.1
_NEAR_FRAMES: Final = 5


@dataclass(frozen=True, slots=True)
class Origin:
    """Which tool made a proposal, in which version and with which settings."""

    name: str
    version: str
    parameters: dict[str, Json] = field(default_factory=dict)

    @property
    def is_file(self) -> bool:
        """True for runs imported from the file of a model."""
        return "sha256" in self.parameters

    @property
    def is_complete(self) -> bool:
        """True for a finished run of a tracker with known anchors."""
        return bool(self.parameters.get("is_complete")) and "anchors" in self.parameters

    def finished(self, anchors: Json, *, is_complete: bool) -> Origin:
        """Return the origin of a run: with its anchors, and whether the tracker reached its end."""
        told = {**self.parameters, "anchors": anchors, "is_complete": is_complete}
        return replace(self, parameters=told)


class Suggestion(Protocol):
    """Common base of proposed boxes and points on a frame.

    ``place`` is in pixels, None where there is none; ``confidence`` is 0..1.
    """

    @property
    def frame(self) -> int: ...
    @property
    def place(self) -> tuple[float, ...] | None: ...
    @property
    def confidence(self) -> float: ...
    @property
    def occluded(self) -> bool: ...


OwnerT = TypeVar("OwnerT", bound=str)
S = TypeVar("S", bound=Suggestion)


@dataclass(frozen=True, slots=True, eq=False)
class Run(ABC, Generic[OwnerT, S]):
    """Suggestions for consecutive frames from ``start`` on, in one gap of a track or a point.

    ``values`` is float32 [n, width] in pixels, a row of NaN where there is no place; ``confidence``
    is float32 [n], 0..1, NaN where nothing has been computed yet; ``occluded`` is uint8 [n].
    """

    WIDTH: ClassVar[int]
    """How many numbers say where something is."""

    owner_id: OwnerT
    start: int
    values: NDArray[np.float32]
    confidence: NDArray[np.float32]
    origin: Origin
    occluded: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))

    def __post_init__(self) -> None:
        if not len(self.occluded):
            object.__setattr__(self, "occluded", np.zeros(len(self.confidence), np.uint8))
        n = len(self.confidence)
        if self.values.shape != (n, self.WIDTH) or self.occluded.shape != (n,):
            raise ValueError("a run has one place, one confidence and one flag for each frame")

    @classmethod
    def empty(cls, owner_id: OwnerT, start: int, end: int, origin: Origin) -> Self:
        """Return a run for ``start <= frame < end`` with nothing computed yet."""
        n = end - start
        values = np.full((n, cls.WIDTH), np.nan, np.float32)
        return cls(owner_id, start, values, np.full(n, np.nan, np.float32), origin)

    @property
    def end(self) -> int:
        """The frame after the last."""
        return self.start + len(self.confidence)

    @property
    def n_known(self) -> int:
        """Number of frames with a proposal."""
        return int(np.isfinite(self.confidence).sum())

    def at(self, frame: int) -> S | None:
        """Return the suggestion for a frame, None where there is none (yet)."""
        i = frame - self.start
        if not 0 <= i < len(self.confidence):
            return None
        # Asked for every object on every frame: faster than `between` for a single one.
        confidence, place = float(self.confidence[i]), self.values[i].tolist()
        if math.isnan(confidence):
            return None
        known = None if math.isnan(place[0]) else place
        return self.suggestion(frame, known, confidence, bool(self.occluded[i]))

    def put(self, found: S) -> None:
        """Write the suggestion of a frame into the arrays, as long as the run is being made."""
        i = found.frame - self.start
        if 0 <= i < len(self.confidence):
            self.values[i] = found.place if found.place is not None else np.nan
            self.confidence[i], self.occluded[i] = found.confidence, found.occluded

    def fill(self, runs: Iterable[Self]) -> None:
        """Write what other runs have on its frames into the arrays."""
        for run in runs:
            start, end = max(run.start, self.start), min(run.end, self.end)
            if start < end:
                rows, part = slice(start - self.start, end - self.start), run.part(start, end)
                self.values[rows], self.confidence[rows] = part.values, part.confidence
                self.occluded[rows] = part.occluded

    def with_surer(self, earlier: Self) -> Self:
        """Return this run with the places of an earlier one where those are clearly surer.

        Both have the same frames. Places of a confidence below 0.8 do not count; confidence is
        compared as the mean over 5 frames on each side, so that a path does not jump to and fro.
        """
        lead = np.nan_to_num(earlier.confidence - self.confidence)
        padded = np.pad(lead, _NEAR_FRAMES, mode="edge")
        mean_lead = np.lib.stride_tricks.sliding_window_view(padded, 2 * _NEAR_FRAMES + 1).mean(-1)
        is_surer = (earlier.confidence >= _SURE) & (mean_lead > _LEAD)
        is_surer &= np.isfinite(earlier.values[:, 0]) & np.isfinite(self.confidence)
        return replace(
            self,
            values=np.where(is_surer[:, None], earlier.values, self.values),
            confidence=np.where(is_surer, earlier.confidence, self.confidence),
            occluded=np.where(is_surer, earlier.occluded, self.occluded),
        )

    def part(self, start: int, end: int) -> Self:
        """Return the frames ``start <= f < end`` of this run, which must lie in it."""
        rows = slice(start - self.start, end - self.start)
        values, confidence = self.values[rows], self.confidence[rows]
        return type(self)(
            self.owner_id, start, values, confidence, self.origin, self.occluded[rows]
        )

    def outside(self, start: int, end: int) -> list[Self]:
        """Return the parts of this run before ``start`` and from ``end`` on."""
        parts = (self.start, min(self.end, start)), (max(self.start, end), self.end)
        return [self.part(first, last) for first, last in parts if first < last]

    def known_parts(self) -> list[Self]:
        """Return the ranges of consecutive frames with proposals."""
        known = np.flatnonzero(np.isfinite(self.confidence))
        parts = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1) if len(known) else []
        start = self.start
        return [self.part(start + int(part[0]), start + int(part[-1]) + 1) for part in parts]

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether a frame of the run is in ``start <= frame < end``."""
        return self.start < end and start < self.end

    def items(self) -> Iterator[S]:
        """Yield every suggestion, ascending by frame."""
        return self.between(self.start, self.end)

    def between(self, start: int, end: int, *, below: float | None = None) -> Iterator[S]:
        """Yield the suggestions of ``start <= frame < end``, ascending.

        With ``below`` only those of a lower confidence: a long video has ten thousands of others.
        """
        first, last = max(start, self.start), min(end, self.end)
        if first >= last:
            return
        known = self.confidence[first - self.start : last - self.start]
        # Not a number is not below infinity. All numbers are converted in one go.
        rows = np.flatnonzero(known < (np.inf if below is None else below)) + first - self.start
        columns = rows + self.start, self.values[rows], self.confidence[rows], self.occluded[rows]
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        for frame, place, confidence, occluded in numbers:
            place = None if math.isnan(place[0]) else place
            yield self.suggestion(frame, place, confidence, bool(occluded))

    @abstractmethod
    def suggestion(
        self, frame: int, place: Sequence[float] | None, confidence: float, occluded: bool
    ) -> S:
        """Return the suggestion of one frame; ``place`` has the numbers of a row of ``values``."""


RunT = TypeVar("RunT", bound=Run[Any, Any])

_MOST_REPLACED: Final = 16


class ReplacedRuns(Generic[RunT]):
    """Finished runs that new ones replaced, for an undo that makes them valid again.

    At most 16 of each track or point are kept.
    """

    def __init__(self) -> None:
        self._runs: dict[str, list[RunT]] = {}

    def add(self, runs: Iterable[RunT], start: int, end: int) -> None:
        """Add those runs of one owner that new ones on ``start <= frame < end`` will replace."""
        for run in runs:
            if not run.origin.parameters.get("is_complete") or not run.overlaps(start, end):
                continue
            older = self._runs.setdefault(run.owner_id, [])
            if not any(_is_part(run, whole) for whole in older):
                older.append(run)
            del older[:-_MOST_REPLACED]

    def newest_first(self, owner_id: str) -> Iterator[RunT]:
        """Yield the runs of a track or a point."""
        return reversed(self._runs.get(owner_id, ()))

    def forget(self, owner_id: str) -> None:
        """Remove the runs of a track or a point."""
        self._runs.pop(owner_id, None)


def _is_part(run: Run[Any, Any], whole: Run[Any, Any]) -> bool:
    is_inside = whole.start <= run.start and run.end <= whole.end
    return is_inside and whole.origin == run.origin


def replaced(
    runs: Iterable[RunT], span: tuple[int, int], new: Iterable[RunT]
) -> tuple[list[RunT], list[RunT], tuple[RunT, ...]]:
    """Replace all runs on ``span[0] <= frame < span[1]``.

    Return the runs that go, those that come, which include what older runs have outside the span,
    and all that there are then, ascending.
    """
    start, end = span
    runs = list(runs)
    gone = [run for run in runs if run.overlaps(start, end)]
    come = [*(part for run in gone for part in run.outside(start, end)), *new]
    kept = [run for run in runs if run not in gone]
    return gone, come, tuple(sorted([*kept, *come], key=lambda run: run.start))


def by_owner(runs: Iterable[RunT]) -> dict[str, tuple[RunT, ...]]:
    """Return the runs of each track or point, in the order given."""
    found: dict[str, list[RunT]] = {}
    for run in runs:
        found.setdefault(run.owner_id, []).append(run)
    return {owner: tuple(each) for owner, each in found.items()}


def most_doubtful(proposals: Sequence[S], *, skip: Iterable[int] = ()) -> S | None:
    """Return the least certain proposal whose frame is not in ``skip``."""
    seen = set(skip)
    rest = [p for p in proposals if p.frame not in seen]
    return min(rest, key=lambda p: (p.confidence, p.frame), default=None)
