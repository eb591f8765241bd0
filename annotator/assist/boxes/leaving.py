"""Telling an object that has left the picture from one that is only turned, hidden or cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes import look
from annotator.assist.boxes.arrays import Box4, inside_share
from annotator.assist.pictures import View

GONE_CONFIDENCE: Final = 0.4
# It leaves when its box is cut by the picture's edge and no longer looks like it.
_GONE_LIKENESS: Final = 0.36
_GONE_SHARE: Final = 0.65
_GONE_SHARE_BOTH: Final = 0.92  # where both passes must say so, any cut will do
# Trackers wander when their object has left: it is back when it looks like itself again.
_BACK_LIKENESS: Final = 0.5
# Known to be gone later on, but never cut by the edge: below this it is not there any more.
_LOST_LIKENESS: Final = 0.1
_WHOLE_SHARE: Final = 0.8


class Leaving:
    """Follows whether one tracked object is in the picture, frame by frame."""

    def __init__(self, *, gone_share: float = _GONE_SHARE) -> None:
        """Below `gone_share` of its area inside, a box counts as cut enough to have left."""
        self._gone_share = gone_share
        self.is_away = False
        self._was_cut = False

    def see(self, inside: float, alike: float) -> bool:
        """Take in how much of the box is inside and how it looks; return whether it is away."""
        self._was_cut = self._was_cut or inside < _WHOLE_SHARE
        if self.is_away:
            self.is_away = alike < _BACK_LIKENESS
        else:
            self.is_away = alike < _GONE_LIKENESS and inside < self._gone_share
        return self.is_away

    def is_surely_here(self, alike: float) -> bool:
        """Whether it is there even though it is known to leave later on."""
        return alike > (_BACK_LIKENESS if self._was_cut else _LOST_LIKENESS)


def away(
    view: View, frames: Sequence[int], size: tuple[int, int], forward: Box4, backward: Box4
) -> NDArray[np.bool_]:
    """Return on which frames neither pass [n, 4] of a tracker sees the object in the picture."""
    if min(inside_share(box, size) for box in (*forward, *backward)) >= _GONE_SHARE_BOTH:
        return np.zeros(len(frames), bool)
    later = _away_one_way(view, frames, size, forward)
    earlier = _away_one_way(view, frames[::-1], size, backward[::-1])[::-1]
    return later & earlier


def _away_one_way(
    view: View, frames: Sequence[int], size: tuple[int, int], path: Box4
) -> NDArray[np.bool_]:
    leaving = Leaving(gone_share=_GONE_SHARE_BOTH)
    first = look.patch(view.colour(frames[0]), view.inward(path[0]))
    found = []
    for frame, box in zip(frames, path, strict=True):
        seen = look.patch(view.colour(frame), view.inward(box))
        found.append(leaving.see(inside_share(box, size), look.likeness(first, seen)))
    return np.array(found)
