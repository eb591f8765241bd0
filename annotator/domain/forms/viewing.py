"""Restricted views: the part of a video that a task shows and plays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final


class Extent(StrEnum):
    """Which pictures there are."""

    WHOLE = "whole"
    BEFORE_CUT = "before-cut"  # only frames before the cut frame of the video, if it has one
    MIDDLE_FRAME = "middle-frame"  # one picture: frame n_frames // 2


class PairLayout(StrEnum):
    """How two videos play."""

    TOGETHER = "together"  # with one play button
    APART = "apart"  # each by itself


@dataclass(frozen=True, slots=True)
class Viewing:
    """Visible and audible part of a video; enforced by decoders, not by views.

    What is beyond the extent does not exist for the rater: no picture, sound, thumbnail or waveform
    of it. ``has_tracks``: the tracks that the item names are drawn in.
    """

    extent: Extent = Extent.WHOLE
    is_muted: bool = False
    has_tracks: bool = False
    layout: PairLayout = PairLayout.TOGETHER

    @property
    def is_silent(self) -> bool:
        """Whether nothing is heard: one picture has no sound."""
        return self.is_muted or self.extent is Extent.MIDDLE_FRAME

    def frames(self, n_frames: int, cut_frame: int | None) -> tuple[int, int]:
        """Return which frames of a video may be seen, half-open: [start, end).

        ``cut_frame`` is that of the video, None without one; one beyond the end cuts nothing.
        """
        if self.extent is Extent.MIDDLE_FRAME:
            middle = n_frames // 2
            return middle, min(middle + 1, n_frames)
        if self.extent is Extent.BEFORE_CUT and cut_frame is not None:
            return 0, max(1, min(cut_frame, n_frames))
        return 0, n_frames


WHOLE_VIDEO: Final = Viewing()
"""All of it, with its sound: what a task that says nothing of it may see."""


def narrowed(viewing: Viewing, allowed: Iterable[Viewing]) -> Viewing:
    """Return a viewing as far as one of several others goes, for somebody who may not see or hear
    more than these; as it is where one of them shows as much.
    """
    known = list(allowed)
    if not known or any(_covers(each, viewing) for each in known):
        return viewing
    most = max(known, key=lambda each: (_WIDTHS.index(each.extent), not each.is_silent))
    is_wider = not _shows(most.extent, viewing.extent)
    extent = most.extent if is_wider else viewing.extent
    return replace(viewing, extent=extent, is_muted=viewing.is_muted or most.is_silent)


_WIDTHS: Final = (Extent.MIDDLE_FRAME, Extent.BEFORE_CUT, Extent.WHOLE)


def _shows(extent: Extent, other: Extent) -> bool:
    return extent in (Extent.WHOLE, other)


def _covers(viewing: Viewing, other: Viewing) -> bool:
    return _shows(viewing.extent, other.extent) and (other.is_silent or not viewing.is_silent)
