"""Keyframes and scores by frame in a seventh of the memory that objects take."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import overload

from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.geometry import Box

_SIDES = 4
_OUTSIDE, _OCCLUDED = 1, 2


class PackedKeyframes(Sequence[Keyframe]):
    """Imported keyframes, each made when it is asked for; a sequence that never changes."""

    __slots__ = ("_flags", "_frames", "_sides")

    def __init__(self, keyframes: Iterable[Keyframe]) -> None:
        self._frames, self._sides, self._flags = array("q"), array("d"), bytearray()
        for key in keyframes:
            self._frames.append(key.frame)
            self._flags.append((key.box is None) * _OUTSIDE + key.occluded * _OCCLUDED)
            self._sides.extend(key.box.as_tuple() if key.box is not None else (0.0,) * _SIDES)

    def __len__(self) -> int:
        return len(self._frames)

    @overload
    def __getitem__(self, index: int) -> Keyframe: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Keyframe, ...]: ...
    def __getitem__(self, index: int | slice) -> Keyframe | tuple[Keyframe, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        frame = self._frames[index]
        at = index % len(self)
        flags = self._flags[at]
        sides = self._sides[_SIDES * at : _SIDES * (at + 1)]
        box = None if flags & _OUTSIDE else Box(*sides)
        return Keyframe(frame, box, bool(flags & _OCCLUDED), Source.IMPORTED)

    def __iter__(self) -> Iterator[Keyframe]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class PackedScores(Mapping[int, float]):
    """Scores by frame, in the order of the frames."""

    __slots__ = ("_frames", "_values")

    def __init__(self, scores: Iterable[tuple[int, float]]) -> None:
        """The last score of a frame counts when it has several."""
        self._frames, self._values = array("q"), array("d")
        for (frame, score), (following, _) in pairwise((*sorted(scores, key=_first), (-1, 0.0))):
            if frame != following:
                self._frames.append(frame)
                self._values.append(score)

    def __getitem__(self, frame: int) -> float:
        i = bisect_left(self._frames, frame)
        if i == len(self._frames) or self._frames[i] != frame:
            raise KeyError(frame)
        return self._values[i]

    def __iter__(self) -> Iterator[int]:
        return iter(self._frames)

    def __len__(self) -> int:
        return len(self._frames)

    def __repr__(self) -> str:
        return repr(dict(self))


def _first(pair: tuple[int, float]) -> int:
    return pair[0]
