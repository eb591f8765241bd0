"""Cutting a span into stretches: the frames between two neighbouring anchors, solved alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from annotator.domain.proposals.boxes import Anchor


class Stretch(NamedTuple):
    """Frames ``start <= f < end`` without anchor, with the anchors that bound them, if any."""

    start: int
    end: int
    lower: Anchor | None
    upper: Anchor | None


def stretches(anchors: Sequence[Anchor], span: tuple[int, int]) -> list[Stretch]:
    """Return the stretches that overlap a half-open span, ascending.

    A stretch between two anchors is returned whole even where the span covers a part of it, since
    both passes need all of it; before the first and after the last anchor it is cut to the span.
    """
    start, end = span
    known = sorted({a.frame: a for a in anchors}.values(), key=lambda a: a.frame)
    if not known or start >= end:
        return []
    found = []
    first, last = known[0], known[-1]
    if start < first.frame:
        found.append(Stretch(start, first.frame, None, first))
    for lower, upper in pairwise(known):
        inside = lower.frame + 1 < upper.frame
        if inside and lower.frame + 1 < end and start < upper.frame:
            found.append(Stretch(lower.frame + 1, upper.frame, lower, upper))
    if last.frame + 1 < end:
        found.append(Stretch(last.frame + 1, end, last, None))
    return found
