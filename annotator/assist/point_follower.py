"""Proposals for points: several candidates both ways through each gap, joined by a shortest path.

Many points are followed in one pass and share the pictures, the flow and the camera's motion.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from annotator.assist.pictures import FrameSource, Pictures
from annotator.assist.point_joining import Joined, join
from annotator.assist.point_patches import Floats, Grey
from annotator.assist.point_sweep import CANDIDATES, PATCH, End, Pass, open_pass, run_pass
from annotator.assist.protocol import Cancel
from annotator.domain.geometry import Point
from annotator.domain.point_proposal import ProposedPoint
from annotator.domain.proposal import Origin

_WORKING_PX: Final = 640.0
_GREY_BYTES: Final = 96 << 20
_FIRST_LOOK: Final = 0.2  # confidence of what one pass alone has seen


class _Gap(NamedTuple):
    """Frames between two places of a point, or from its only place to an end of the video."""

    name: str
    start: int  # the frame of `lower`, or the first frame
    stop: int  # the frame of `upper`, or the last frame
    lower: End | None
    upper: End | None


class FlowFollower:
    """Patches, dense flow, camera and neighbourhood, both ways, joined."""

    name = "flow-points"
    title = "Combined point candidates (forward and backward)"

    def needs(self) -> list[str]:
        return []

    def origin(self) -> Origin:
        return Origin(self.name, "1", {"candidates": ["patch", "dense", "whole", "near"]})

    def propose_points(
        self,
        video: FrameSource,
        anchors: Mapping[str, Sequence[tuple[int, Point]]],
        *,
        cancel: Cancel,
    ) -> Iterator[tuple[str, ProposedPoint]]:
        """Yield proposals by point name for every frame between two places of a point.

        A point with one place is followed from there to both ends of the video. What the first
        pass sees is yielded early, with little confidence; what all agree on takes its place.
        """
        greys = _Greys(Pictures.of(video))
        gaps = [g for name in anchors for g in _gaps(name, anchors[name], greys, len(video))]
        for group in _together(gaps):
            yield from _Group(greys, group, cancel).solve()
            if cancel():
                return


class _Greys:
    """Grey pictures of working size, the last ones kept; converts places to it and back."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self.size = np.array(pictures.size, np.float64)
        level = np.floor(np.log2(max(pictures.size) / _WORKING_PX) + 0.45)
        self._level = max(0, int(level))
        first = pictures.grey(0, self._level)
        self._factor = np.array([first.shape[1], first.shape[0]]) / self.size
        self._most = max(2, _GREY_BYTES // max(first.nbytes, 1))
        self._kept: OrderedDict[int, Grey] = OrderedDict()

    def grey(self, frame: int, /) -> Grey:
        found = self._kept.get(frame)
        if found is None:
            found = self._kept[frame] = self._pictures.grey(frame, self._level)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found

    def inward(self, point: Point) -> tuple[float, float]:
        x, y = np.array([point.x, point.y]) * self._factor - 0.5
        return float(x), float(y)

    def outward(self, xy: Floats) -> Floats:
        return np.asarray((xy + 0.5) / self._factor)

    def is_inside(self, xy: Floats) -> bool:
        return bool(((xy >= 0) & (xy < self.size)).all())


class _Group:
    """Gaps that overlap in time, solved in one pass each way."""

    def __init__(self, greys: _Greys, gaps: Sequence[_Gap], cancel: Cancel) -> None:
        self._greys = greys
        self._gaps = gaps
        self._cancel = cancel
        start, stop = min(g.start for g in gaps), max(g.stop for g in gaps)
        self._frames = range(start, stop + 1)
        self._lower = [g.lower for g in gaps]
        self._upper = [g.upper for g in gaps]

    def solve(self) -> Iterator[tuple[str, ProposedPoint]]:
        ahead = open_pass(self._greys, self._lower, self._frames)
        back = open_pass(self._greys, self._upper, self._frames)
        stops = [g.stop for g in self._gaps]
        for frame in run_pass(
            ahead, self._greys, self._lower, stops, self._frames, cancel=self._cancel
        ):
            yield from self._first_look(ahead, frame)
        starts = [g.start for g in self._gaps]
        backwards = self._frames[::-1]
        for _ in run_pass(back, self._greys, self._upper, starts, backwards, cancel=self._cancel):
            pass
        xy = np.concatenate([ahead.xy, back.xy]).astype(np.float64)
        alike = np.full(xy.shape[:3], np.nan)
        for column in range(len(self._frames)):
            if self._cancel():
                return
            self._judge(alike, xy, ahead, back, column)
        for row, gap in enumerate(self._gaps):
            if self._cancel():
                return
            yield from self._joined(row, gap, xy, alike)

    def _first_look(self, ahead: Pass, frame: int) -> Iterator[tuple[str, ProposedPoint]]:
        places = ahead.xy[PATCH, :, frame - self._frames.start]
        for gap, xy in zip(self._gaps, places, strict=True):
            if gap.lower is not None and gap.start < frame < gap.stop:
                yield gap.name, self._proposed(frame, xy.astype(np.float64), False, _FIRST_LOOK)

    def _judge(self, alike: Floats, xy: Floats, ahead: Pass, back: Pass, column: int) -> None:
        """Compare every candidate with what a person has seen at either end of the gap."""
        image = self._greys.grey(self._frames[column])
        there = ~np.isnan(xy[:, :, column, 0])
        which, rows = np.nonzero(there)
        if not len(rows):
            return
        places = xy[which, rows, column]
        best = np.full(len(rows), -1.0)
        for one, offset, ends in ((ahead, 0, self._lower), (back, CANDIDATES, self._upper)):
            own = (which >= offset) & (which < offset + CANDIDATES)
            # From the other end nothing is known of the patch but how the patch there is warped.
            source = np.where(own, which - offset, PATCH)
            maps = one.maps[source, rows, column].astype(np.float64)
            known = np.array([e is not None for e in ends])[rows]
            found = one.templates.likeness(image, places, maps, rows)
            best = np.where(known, np.maximum(best, found), best)
        alike[which, rows, column] = best

    def _joined(
        self, row: int, gap: _Gap, xy: Floats, alike: Floats
    ) -> Iterator[tuple[str, ProposedPoint]]:
        columns = slice(gap.start - self._frames.start, gap.stop + 1 - self._frames.start)
        mine, looks = xy[:, row, columns], alike[:, row, columns]
        is_bound = gap.lower is not None and gap.upper is not None
        found: Joined = join(mine, looks, is_bound=is_bound)
        known = {e.frame for e in (gap.lower, gap.upper) if e is not None}
        for i, frame in enumerate(range(gap.start, gap.stop + 1)):
            if frame not in known:
                hidden, sure = bool(found.is_hidden[i]), float(found.confidence[i])
                yield gap.name, self._proposed(frame, found.xy[i], hidden, sure)

    def _proposed(self, frame: int, xy: Floats, hidden: bool, sure: float) -> ProposedPoint:
        place = self._greys.outward(xy)
        if not np.isfinite(place).all() or not self._greys.is_inside(place):
            return ProposedPoint(frame, None, False, sure)
        return ProposedPoint(frame, Point(float(place[0]), float(place[1])), hidden, sure)


def _gaps(
    name: str, anchors: Sequence[tuple[int, Point]], greys: _Greys, n_frames: int
) -> list[_Gap]:
    ends = [End(frame, greys.inward(xy)) for frame, xy in sorted(dict(anchors).items())]
    if len(ends) == 1:
        only = ends[0]
        before = _Gap(name, 0, only.frame, None, only)
        after = _Gap(name, only.frame, n_frames - 1, only, None)
        return [g for g in (before, after) if g.start < g.stop]
    return [_Gap(name, a.frame, b.frame, a, b) for a, b in pairwise(ends) if a.frame + 1 < b.frame]


def _together(gaps: Sequence[_Gap]) -> list[list[_Gap]]:
    """Group gaps whose frames overlap."""
    groups: list[list[_Gap]] = []
    reached = -1
    for gap in sorted(gaps, key=lambda g: (g.start, g.stop)):
        if not groups or gap.start >= reached:
            groups.append([])
        groups[-1].append(gap)
        reached = max(reached, gap.stop)
    return groups
