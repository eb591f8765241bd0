"""From the boxes of records to keyframes: those of all objects of a video at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.key_table import SOURCES, KeyTable
from annotator.domain.annotation.track import Source
from annotator.exchange.perception_test.records import (
    FourNumbers,
    ObjectColumns,
    ObjectRecord,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_IMPORTED: Final = SOURCES.index(Source.IMPORTED)


def keyframes_of(
    items: Sequence[ObjectRecord], columns: ObjectColumns, video: VideoInfo
) -> KeyTable:
    """Return the keyframes that records stand for, a track for each; ``columns`` are theirs.

    A frame without entry means that the object has left the picture: any frame where the record
    goes frame by frame, a grid frame where it goes by the grid. Elsewhere it has left at the next
    grid frame when two entries are further apart than the grid step. It has also left after the
    last entry. Entries whose boxes cover nothing of the picture stand for nothing.
    """
    entries = _Entries.of(items, columns, video)
    left = entries.left(video)
    is_leaving = left < video.n_frames
    # Each entry is followed by the frame on which its object has left, where it has.
    places = np.repeat(np.arange(len(left)), 1 + is_leaving)
    is_gone = np.zeros(len(places), np.bool_)
    is_gone[1:] = places[1:] == places[:-1]
    boxes = entries.boxes[places]
    boxes[is_gone] = np.nan
    counts = np.bincount(entries.owners[places], minlength=len(items))
    return KeyTable(
        np.concatenate([[0], np.cumsum(counts)]),
        np.where(is_gone, left[places], entries.frames[places]),
        boxes,
        entries.is_masked[places] & ~is_gone,
        entries.is_settled[places] & ~is_gone,
        np.full(len(places), _IMPORTED, np.uint8),
    )


def is_seen(box: FourNumbers, video: VideoInfo) -> bool:
    """Tell whether a box covers something of the picture."""
    x1, y1, x2, y2 = box
    w, h = video.width, video.height
    return max(x1 * w, 0) < min(x2 * w, w) and max(y1 * h, 0) < min(y2 * h, h)


def _pixel_boxes(said: NDArray[np.float64], video: VideoInfo) -> NDArray[np.float64]:
    """Return boxes in pixels [n, 4], cut to the picture; NaN where nothing is left of one."""
    size = np.array([video.width, video.height] * 2, np.float64)
    boxes = said * size
    is_inside = (boxes >= 0) & (boxes <= size)
    if not is_inside.all():
        is_cut = ~is_inside.all(axis=1)
        boxes[is_cut] = np.clip(boxes[is_cut], 0, size)
    is_box = (boxes[:, 0] < boxes[:, 2]) & (boxes[:, 1] < boxes[:, 3])
    boxes[~is_box] = np.nan
    return boxes


@dataclass(frozen=True, slots=True)
class _Entries:
    """The entries of all records whose boxes show something of the picture."""

    owners: NDArray[np.int64]
    frames: NDArray[np.int64]
    boxes: NDArray[np.float64]
    is_masked: NDArray[np.bool_]
    is_settled: NDArray[np.bool_]
    is_dense: NDArray[np.bool_]
    is_regular: NDArray[np.bool_]
    """Dense, or on the grid."""

    @classmethod
    def of(
        cls, items: Sequence[ObjectRecord], columns: ObjectColumns, video: VideoInfo
    ) -> _Entries:
        lengths, frames = np.diff(columns.bounds), columns.frames
        owners = np.repeat(np.arange(len(items)), lengths)
        steps = (np.diff(frames) == 1) & (np.diff(owners) == 0)
        n_steps = np.bincount(owners[1:][steps], minlength=len(items))
        is_dense = 2 * n_steps >= np.maximum(lengths - 1, 1)
        on_grid = np.bincount(owners[frames % video.grid_step == 0], minlength=len(items))
        is_regular = is_dense | (2 * on_grid >= lengths)
        boxes = _pixel_boxes(columns.boxes, video)
        is_in = ~np.isnan(boxes[:, 0])
        owners = owners[is_in]
        is_start_only = np.array([item.is_start_only for item in items], np.bool_)
        return cls(
            owners,
            frames[is_in],
            boxes[is_in],
            columns.is_masked[is_in],
            ~is_start_only[owners],
            is_dense[owners],
            is_regular[owners],
        )

    def left(self, video: VideoInfo) -> NDArray[np.int64]:
        """Return when the object has left after each entry; beyond the video where it stays."""
        step, never = video.grid_step, video.n_frames
        frames = self.frames
        left = np.where(self.is_dense, frames + 1, (frames // step + 1) * step)
        is_last = np.ones(len(frames), np.bool_)
        is_last[:-1] = np.diff(self.owners) > 0
        following = np.roll(frames, -1)
        is_apart = (following - frames > step) | (self.is_regular & (left < following))
        # Whoever is shown a start only is not told that the object leaves.
        found: NDArray[np.int64] = np.where((is_last | is_apart) & self.is_settled, left, never)
        return found
