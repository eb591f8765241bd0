"""Proposals for points: several candidates both ways through each gap, joined by a shortest path.

Many points are followed in one pass and share the pictures, the flow and the camera's motion.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Event, Lock
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.pictures import FrameSource, Image, Pictures
from annotator.assist.points.along import Along, Side, look_along
from annotator.assist.points.evidence import UNITS, PointEvidence
from annotator.assist.points.patches import Floats, Gray, correlation, sample
from annotator.assist.points.path_search import ChosenPointPath, join
from annotator.assist.points.redetection import Finder, Region
from annotator.assist.points.sweep import CANDIDATES, PATCH, WIDE, End, Pass, open_pass, run_pass
from annotator.assist.protocol import Cancel
from annotator.assist.shots import OTHER_SHOT_CONFIDENCE, Shots, shots_of
from annotator.domain.geometry import Point
from annotator.domain.proposals.point_proposals import ProposedPoint
from annotator.domain.proposals.runs import Origin

_WORKING_PX: Final = 640.0
_GRAY_BYTES: Final = 96 << 20
_TINT: Final = 64.0
_LOOK_SHARE: Final = 0.3  # of the picture's longer side, around the ends
_FIRST_LOOK: Final = 0.2  # confidence of what one pass alone has seen


class _Gap(NamedTuple):
    """Frames between two places of a point, or from its only place to an end of the span."""

    name: str
    start: int  # the frame of `lower`, or the first frame
    stop: int  # the frame of `upper`, or the last frame
    lower: End | None
    upper: End | None


class FlowFollower:
    """Patches, dense flow, camera and neighborhood, both ways, joined."""

    name = "flow-points"
    title = "Combined point candidates (forward and backward)"

    def needs(self) -> list[str]:
        return []

    def origin(self) -> Origin:
        return Origin(self.name, "2", {"candidates": ["patch", "dense", "whole", "near"]})

    def propose_points(
        self,
        video: FrameSource,
        anchors: Mapping[str, Sequence[tuple[int, Point]]],
        span: tuple[int, int] | None = None,
        *,
        cancel: Cancel,
    ) -> Iterator[tuple[str, ProposedPoint]]:
        """Yield proposals by point name for every frame between two places of a point.

        A point with one place is followed from there within the span, by default to both ends of
        the video. What the first pass sees is yielded early, with little confidence; what all
        agree on takes its place.
        """
        for group in groups_of(video, anchors, cancel, span):
            yield from group.follow()
            if cancel():
                return
            evidences = group.evidences()
            if cancel():
                return
            joined = join(evidences, group.along, cancel)
            if cancel():
                return
            yield from group.proposals(joined)


def groups_of(
    video: FrameSource,
    anchors: Mapping[str, Sequence[tuple[int, Point]]],
    cancel: Cancel,
    span: tuple[int, int] | None = None,
) -> list[GapGroup]:
    """Return the gaps of points, those that overlap in time together."""
    grays = GrayPictures(Pictures.of(video))
    reach = span or (0, len(video))
    gaps = [g for name in anchors for g in _gaps(name, anchors[name], grays, reach)]
    return [GapGroup(grays, group, cancel) for group in _together(gaps)]


class GrayPictures:
    """Gray pictures of working size, the last ones kept; converts places to it and back."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self.size = np.array(pictures.size, np.float64)
        level = np.floor(np.log2(max(pictures.size) / _WORKING_PX) + 0.45)
        self._level = max(0, int(level))
        first = pictures.gray(0, self._level)
        self._factor = np.array([first.shape[1], first.shape[0]]) / self.size
        self._most = max(2, _GRAY_BYTES // max(first.nbytes, 1))
        self._kept: OrderedDict[int, Gray] = OrderedDict()
        self._lock = Lock()
        self._tinted_frame = -1
        self._tinted: Image = first

    @property
    def shots(self) -> Shots:
        return shots_of(self._pictures)

    @property
    def units(self) -> float:
        """Size of a working pixel in the units of `PointEvidence`."""
        return float(UNITS / (self.size[0] * self._factor[0]))

    @property
    def size_units(self) -> tuple[float, float]:
        """The picture's size in the units of `PointEvidence`."""
        width, height = self.size * self._factor * self.units
        return float(width), float(height)

    def gray(self, frame: int, /) -> Gray:
        """Return a picture; may be called on several threads."""
        with self._lock:
            found = self._kept.get(frame)
            if found is None:
                found = self._kept[frame] = self._pictures.gray(frame, self._level)
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)
            return found

    def can_hold(self, n_frames: int, /) -> bool:
        """Return whether so many pictures fit into memory."""
        return self._pictures.can_hold(n_frames, self._level)

    def read_along(self, frames: range, cancel: Cancel) -> None:
        """Read frames in order if all fit into memory: each is decoded once."""
        if self.can_hold(len(frames)):
            for frame in frames:
                if cancel():
                    return
                self._pictures.hold(frame, self._level)

    def tints(self, frame: int, places: Floats, /) -> Floats:
        """Return the mean RGB colors [m, 3] around places."""
        if self._tinted_frame != frame:
            self._tinted = np.asarray(cv2.blur(self._pictures.color(frame, self._level), (5, 5)))
            self._tinted_frame = frame
        at = np.clip(places, -1e4, 1e4).astype(np.float32)
        found = cv2.remap(
            self._tinted, at[:, :1], at[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found.reshape(-1, 3), np.float64)

    def inward(self, point: Point) -> tuple[float, float]:
        x, y = np.array([point.x, point.y]) * self._factor - 0.5
        return float(x), float(y)

    def outward(self, xy: Floats) -> Floats:
        return np.asarray((xy + 0.5) / self._factor)

    def is_inside(self, xy: Floats) -> bool:
        return bool(((xy >= 0) & (xy < self.size)).all())


class GapGroup:
    """Gaps that overlap in time, followed in one pass each way."""

    def __init__(self, grays: GrayPictures, gaps: Sequence[_Gap], cancel: Cancel) -> None:
        self._grays = grays
        self._cancel = cancel
        self._gaps = gaps
        start, stop = min(g.start for g in gaps), max(g.stop for g in gaps)
        self._frames = range(start, stop + 1)
        self._lower = [g.lower for g in gaps]
        self._upper = [g.upper for g in gaps]
        self._ahead = open_pass(grays, self._lower, self._frames)
        self._back = open_pass(grays, self._upper, self._frames)
        self._finder = Finder(grays, self._region())

    def _region(self) -> Region | None:
        """Return where lost points are looked for: around the ends if all points have both."""
        ends = [end for end in (*self._lower, *self._upper) if end is not None]
        if len(ends) < len(self._lower) + len(self._upper):
            return None
        places = np.array([end.xy for end in ends])
        height, width = self._grays.gray(self._frames.start).shape
        return Region.around(places, _LOOK_SHARE * max(width, height), (width, height))

    @property
    def spans(self) -> list[tuple[str, int, int]]:
        """Name, first and last frame of each gap, its ends included."""
        return [(gap.name, gap.start, gap.stop) for gap in self._gaps]

    @property
    def frames(self) -> range:
        return self._frames

    @property
    def sides(self) -> tuple[Side, Side]:
        """The passes from the lower and from the upper ends, with these."""
        return (self._ahead, self._lower), (self._back, self._upper)

    @property
    def unit(self) -> float:
        """Size of a working pixel in the units of `PointEvidence`."""
        return self._grays.units

    def follow(self) -> Iterator[tuple[str, ProposedPoint]]:
        """Run both passes on two threads; yield the results of the forward one."""
        stopped = Event()

        def cancel() -> bool:
            return stopped.is_set() or self._cancel()

        with ThreadPoolExecutor(1) as pool:
            backward = pool.submit(self._run_back, cancel)
            try:
                stops = [g.stop for g in self._gaps]
                for frame in self._run(self._ahead, self._lower, stops, self._frames, cancel):
                    yield from self._first_look(frame)
                backward.result()
            finally:
                stopped.set()

    def _run_back(self, cancel: Cancel) -> None:
        self._grays.read_along(self._frames, cancel)
        starts = [g.start for g in self._gaps]
        for _ in self._run(self._back, self._upper, starts, self._frames[::-1], cancel):
            pass

    def _run(
        self,
        sweep: Pass,
        ends: Sequence[End | None],
        until: Sequence[int],
        frames: range,
        cancel: Cancel,
    ) -> Iterator[int]:
        grays = self._grays
        yield from run_pass(
            sweep, grays, ends, until, frames, self._finder, grays.shots, cancel=cancel
        )

    def evidences(self) -> list[PointEvidence]:
        """Return the evidence for the candidates of each gap; partial once canceled."""
        xy = np.concatenate([self._ahead.xy, self._back.xy]).astype(np.float64)
        alike, wide, tint = np.full((3, 2, *xy.shape[:3]), np.nan)
        for column in range(len(self._frames)):
            if self._cancel():
                break
            self._judge(alike, wide, tint, xy, column)
        evidence_list = []
        for row, gap in enumerate(self._gaps):
            columns = slice(gap.start - self._frames.start, gap.stop + 1 - self._frames.start)
            evidence_list.append(
                PointEvidence(
                    gap.start,
                    xy[:, row, columns] * self._grays.units,
                    alike[:, :, row, columns],
                    wide[:, :, row, columns],
                    tint[:, :, row, columns],
                    self._grays.size_units,
                )
            )
        return evidence_list

    def along(self, paths: Sequence[Floats]) -> list[Along]:
        """Return the image evidence along a path [t, 2] of each gap, in units."""
        xy = np.full((len(self._gaps), len(self._frames), 2), np.nan)
        spans = [
            slice(gap.start - self._frames.start, gap.stop + 1 - self._frames.start)
            for gap in self._gaps
        ]
        for row, (span, path) in enumerate(zip(spans, paths, strict=True)):
            xy[row, span] = path / self._grays.units
        whole = look_along(self._grays, self._frames, xy, self.sides, self._cancel)
        return [Along(*(each[:, row, span] for each in whole)) for row, span in enumerate(spans)]

    def proposals(self, joined: Sequence[ChosenPointPath]) -> Iterator[tuple[str, ProposedPoint]]:
        """Yield the paths of the gaps, as `join` returns them, without their ends."""
        for row, (gap, found) in enumerate(zip(self._gaps, joined, strict=True)):
            is_other = self._is_other_shot(row)
            known = {e.frame for e in (gap.lower, gap.upper) if e is not None}
            for i, frame in enumerate(range(gap.start, gap.stop + 1)):
                if frame in known:
                    continue
                if is_other[frame - self._frames.start]:
                    yield gap.name, ProposedPoint(frame, None, False, OTHER_SHOT_CONFIDENCE)
                else:
                    xy = found.xy[i] / self._grays.units
                    hidden, sure = bool(found.is_hidden[i]), float(found.confidence[i])
                    yield gap.name, self._proposed(frame, xy, hidden, sure)

    def _is_other_shot(self, row: int) -> NDArray[np.bool_]:
        """Return on which frames [t] of the group a gap's ends are all in other shots."""
        known = [one for one, ends in self.sides if ends[row] is not None]
        return np.asarray(np.all([one.is_other_shot[row] for one in known], axis=0))

    def _first_look(self, frame: int) -> Iterator[tuple[str, ProposedPoint]]:
        places = self._ahead.xy[PATCH, :, frame - self._frames.start]
        for gap, xy in zip(self._gaps, places, strict=True):
            if gap.lower is not None and gap.start < frame < gap.stop:
                yield gap.name, self._proposed(frame, xy.astype(np.float64), False, _FIRST_LOOK)

    def _judge(self, alike: Floats, wide: Floats, tint: Floats, xy: Floats, column: int) -> None:
        """Compare every candidate of a frame with what a person has seen at the gap's ends."""
        frame = self._frames[column]
        image = self._grays.gray(frame)
        which, rows = np.nonzero(~np.isnan(xy[:, :, column, 0]))
        if not len(rows):
            return
        places = xy[which, rows, column]
        tints = self._grays.tints(frame, places)
        for side, (one, ends) in enumerate(self.sides):
            own = which // CANDIDATES == side
            # From the other end nothing is known of the patch but how the patch there is warped.
            source = np.where(own, which % CANDIDATES, PATCH)
            maps = one.maps[source, rows, column].astype(np.float64)
            has_end = np.array([e is not None for e in ends])[rows]
            cell = (side, which, rows, column)
            around = correlation(sample(image, places, maps * WIDE), one.wide[rows])
            alike[cell] = np.where(
                has_end, one.templates.likeness(image, places, maps, rows), np.nan
            )
            wide[cell] = np.where(has_end, around, np.nan)
            color_distance = np.linalg.norm(tints - one.tint[rows], axis=1) / _TINT
            tint[cell] = np.where(has_end, color_distance, np.nan)

    def _proposed(self, frame: int, xy: Floats, hidden: bool, sure: float) -> ProposedPoint:
        place = self._grays.outward(xy)
        if not np.isfinite(place).all() or not self._grays.is_inside(place):
            return ProposedPoint(frame, None, False, sure)
        return ProposedPoint(frame, Point(float(place[0]), float(place[1])), hidden, sure)


def _gaps(
    name: str, anchors: Sequence[tuple[int, Point]], grays: GrayPictures, span: tuple[int, int]
) -> list[_Gap]:
    ends = [End(frame, grays.inward(xy)) for frame, xy in sorted(dict(anchors).items())]
    if len(ends) == 1:
        only = ends[0]
        before = _Gap(name, span[0], only.frame, None, only)
        after = _Gap(name, only.frame, span[1] - 1, only, None)
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
