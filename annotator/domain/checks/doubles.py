"""Tracks that look like one object drawn twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.key_table import columns_of
from annotator.domain.annotation.track import Track
from annotator.domain.checks.finding import Finding
from annotator.domain.checks.step import Step, place
from annotator.domain.ids import TrackId

if TYPE_CHECKING:
    from numpy.typing import NDArray

DUPLICATE_IOU: Final = 0.9
"""Mean overlap from which two tracks of one name look like one object drawn twice."""


@dataclass(frozen=True, slots=True, eq=False)
class _Keys:
    """The keyframes of a track: int64 [n], and (x1, y1, x2, y2) float64 [n, 4], NaN: no box."""

    frames: NDArray[np.int64]
    boxes: NDArray[np.float64]

    @classmethod
    def of(cls, track: Track) -> _Keys:
        return cls(*columns_of(track))

    def at(self, frames: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the boxes on other frames, as `Track.state_at` has them."""
        if not len(self.frames):
            return np.full((len(frames), 4), np.nan)
        lower = np.searchsorted(self.frames, frames, side="right") - 1
        first = np.maximum(lower, 0)
        upper = np.minimum(first + 1, len(self.frames) - 1)
        begin, end = self.boxes[first], self.boxes[upper]
        length = np.maximum(self.frames[upper] - self.frames[first], 1)
        share = ((frames - self.frames[first]) / length)[:, None]
        is_held = np.isnan(end[:, 0]) | (upper == first)
        found = np.where(is_held[:, None], begin, begin + (end - begin) * share)
        found[lower < 0] = np.nan
        return found


def double_steps(document: Document, tracks: Sequence[Track]) -> Iterator[Step]:
    """Yield a step for each track that others of its name follow."""
    named: dict[str, list[Track]] = {}
    for track in tracks:
        named.setdefault(track.label, []).append(track)
    made: dict[TrackId, _Keys] = {}
    for first in tracks:
        alike = named[first.label]
        alike.pop(0)
        if alike:
            later = tuple(alike)
            find = partial(_doubles, document, first, later, made)
            yield Step(("doubles", first.id), (document.video, first, *later), find)


def _doubles(
    document: Document, first: Track, later: Sequence[Track], made: dict[TrackId, _Keys]
) -> Iterator[Finding]:
    for track in (first, *later):
        if track.id not in made:
            made[track.id] = _Keys.of(track)
    keys = made[first.id]
    for second in later:
        if _may_overlap(keys, made[second.id]) and _mean_overlap(first, second) >= DUPLICATE_IOU:
            text = (
                f"Overlaps track {first.info.number} of the same name on almost all frames. "
                "Delete one, or rename it."
            )
            yield Finding("duplicate-track", place(document, second), text, track_id=second.id)


def _may_overlap(first: _Keys, second: _Keys) -> bool:
    """Tell quickly whether the mean IoU can be large: most pairs of objects lie far apart.

    The mean is over the keyframes of both, of which those of the first alone lose so much.
    """
    mine, theirs = first.boxes, second.at(first.frames)
    sides = np.minimum(mine[:, 2:], theirs[:, 2:]) - np.maximum(mine[:, :2], theirs[:, :2])
    shared = np.prod(np.maximum(sides, 0), axis=1)
    areas = [np.prod(b[:, 2:] - b[:, :2], axis=1) for b in (mine, theirs)]
    union = np.maximum(areas[0] + areas[1] - shared, 1e-9)
    is_either = ~(np.isnan(areas[0]) & np.isnan(areas[1]))
    lost = float(np.sum(is_either) - np.nansum(shared / union))
    return lost <= (1 - DUPLICATE_IOU) * (len(first.frames) + len(second.frames)) + 1e-6


def _mean_overlap(first: Track, second: Track) -> float:
    """Return the mean IoU on the keyframes of both where either object is in the picture."""
    total, count = 0.0, 0
    for frame in sorted({*first.frames, *second.frames}):
        mine, theirs = first.state_at(frame).box, second.state_at(frame).box
        if mine is None and theirs is None:
            continue
        count += 1
        if mine is not None and theirs is not None:
            total += mine.iou(theirs)
    return total / count if count else 0.0
