"""Commands on point tracks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from annotator.domain.annotation.attributes import with_attributes
from annotator.domain.annotation.changes import Change, PointKey
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.edits import checked_frame, checked_label, effective
from annotator.domain.annotation.point_track import (
    ACCEPTED_CODE,
    NO_MARK,
    SOURCE_BITS,
    PointInfo,
    PointMark,
    PointRun,
    PointTrack,
    run_of,
)
from annotator.domain.errors import EditError
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json


@dataclass(frozen=True, slots=True)
class CreatePoint:
    """Start a point track with its first place, in pixels; it need not belong to an object."""

    op: ClassVar[str] = "create-point"
    point_id: PointId
    track_id: TrackId | None
    label: str
    frame: int
    xy: Point
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        number = document.next_point_number()
        color = number - 1
        if self.track_id is not None:
            color = document.track(self.track_id).info.color + number
        label = checked_label(self.label)
        info = PointInfo(self.point_id, self.track_id, label, number, color)
        frame = checked_frame(document.video, self.frame)
        mark = PointMark(checked_place(document.video, self.xy))
        point = PointTrack(info)
        return [
            Change("point", info.id, None, info),
            points_change(point, run_of(frame, [mark])),
        ]


@dataclass(frozen=True, slots=True)
class SetPoint:
    """Place a point on a frame.

    With ``reopens`` what had been accepted between the neighboring human marks is cleared, so that
    proposals are made again on both sides of the correction.
    """

    op: ClassVar[str] = "set-point"
    point_id: PointId
    frame: int
    xy: Point
    reopens: bool = False
    merge_key: str | None = None

    def plan(self, document: Document) -> list[Change]:
        point = unlocked_point(document, self.point_id)
        frame = checked_frame(document.video, self.frame)
        start, end = self._span(point) if self.reopens else (frame, frame + 1)
        run = point.path.run(start, end)
        accepted = (run.flags & SOURCE_BITS) == ACCEPTED_CODE
        run.flags[accepted] = NO_MARK
        run.xy[accepted] = np.nan
        new = run_of(frame, [PointMark(checked_place(document.video, self.xy))])
        run.xy[frame - start], run.flags[frame - start] = new.xy[0], new.flags[0]
        return effective([points_change(point, run)])

    def _span(self, point: PointTrack) -> tuple[int, int]:
        lower, upper = point.path.human_around(self.frame)
        start = lower + 1 if lower is not None else self.frame
        end = upper if upper is not None else self.frame + 1
        return start, end


@dataclass(frozen=True, slots=True)
class MarkPoints:
    """Mark ``start <= f < end`` occluded, visible again, or out of view.

    ``state`` is "occluded", "visible" or "outside". Becoming visible needs a place: frames that
    have none are left to be placed.
    """

    op: ClassVar[str] = "mark-point"
    point_id: PointId
    frame: int
    end: int
    state: str
    merge_key: str | None = None

    def plan(self, document: Document) -> list[Change]:
        point = unlocked_point(document, self.point_id)
        start = checked_frame(document.video, self.frame)
        end = min(self.end, document.video.n_frames)
        if end <= start:
            raise EditError("The range is empty: the end must be after the start.")
        marks = [self._marked(point.mark(f)) for f in range(start, end)]
        return effective([points_change(point, run_of(start, marks))])

    def _marked(self, old: PointMark | None) -> PointMark | None:
        place = old.xy if old else None
        if self.state == "occluded":
            return PointMark(place, occluded=True)
        if self.state == "outside":
            return PointMark(None)
        return PointMark(place) if place is not None else None


@dataclass(frozen=True, slots=True)
class ClearPoints:
    """Take the marks of ``start <= f < end`` away: these frames are to be done again."""

    op: ClassVar[str] = "clear-point"
    point_id: PointId
    frame: int
    end: int
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        point = unlocked_point(document, self.point_id)
        if self.end <= self.frame:
            raise EditError("The range is empty: the end must be after the start.")
        left = point.path.with_run(run_of(self.frame, [None] * (self.end - self.frame)))
        if left.is_empty:
            raise EditError(
                "Cannot clear the last annotated frame of the point. Delete the point instead."
            )
        return effective([points_change(point, left.run(self.frame, self.end))])


@dataclass(frozen=True, slots=True)
class AcceptPoints:
    """Take proposals over: the marks of ``run`` fill frames that have none."""

    op: ClassVar[str] = "accept-points"
    point_id: PointId
    run: PointRun
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        point = unlocked_point(document, self.point_id)
        checked_frame(document.video, self.run.start)
        checked_frame(document.video, self.run.end - 1)
        old = point.path.run(self.run.start, self.run.end)
        free = old.flags == NO_MARK
        if not free.any():
            raise EditError("Cannot accept the proposals: the point was annotated in the meantime.")
        old.xy[free], old.flags[free] = self.run.xy[free], self.run.flags[free]
        return effective([points_change(point, old)])


@dataclass(frozen=True, slots=True)
class SetPointInfo:
    """Rename, recolor, lock or hide a point, set its attributes, or give it to another object.

    None leaves as it is.
    """

    op: ClassVar[str] = "set-point-info"
    point_id: PointId
    label: str | None = None
    color: int | None = None
    is_locked: bool | None = None
    is_hidden: bool | None = None
    track_id: TrackId | None = None
    attributes: dict[str, Json] | None = None
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        old = document.point(self.point_id).info
        if self.label is not None or self.track_id is not None or self.attributes is not None:
            unlocked_point(document, self.point_id)
        owner = None if self.track_id is None else document.track(self.track_id)
        if owner is not None and owner.info.is_locked:
            raise EditError(f"“{owner.label}” is locked. Unlock it to edit it.")
        new = replace(
            old,
            track_id=old.track_id if owner is None else owner.id,
            label=old.label if self.label is None else checked_label(self.label),
            color=old.color if self.color is None else self.color,
            is_locked=old.is_locked if self.is_locked is None else self.is_locked,
            is_hidden=old.is_hidden if self.is_hidden is None else self.is_hidden,
            extra=old.extra
            if self.attributes is None
            else with_attributes(old.extra, self.attributes),
        )
        return effective([Change("point", old.id, old, new)])


@dataclass(frozen=True, slots=True)
class DeletePoints:
    """Delete point tracks with all their marks."""

    op: ClassVar[str] = "delete-point"
    point_ids: tuple[PointId, ...]
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        points = [unlocked_point(document, p) for p in dict.fromkeys(self.point_ids)]
        return effective([change for point in points for change in point_deletion(point)])


def checked_place(video: VideoInfo, xy: Point) -> Point:
    """Return the place; EditError when it is not in the picture."""
    if not (math.isfinite(xy.x) and math.isfinite(xy.y)):
        raise EditError("A point requires two finite numbers.")
    if not (0 <= xy.x <= video.width and 0 <= xy.y <= video.height):
        raise EditError("The point is outside the image. Mark it as out of view instead.")
    return xy


def unlocked_point(document: Document, point_id: PointId) -> PointTrack:
    """Return the point; EditError when it or its object is locked."""
    point = document.point(point_id)
    owner = document.find_track(point.info.track_id) if point.info.track_id else None
    if point.info.is_locked or (owner is not None and owner.info.is_locked):
        raise EditError(f"“{point.label}” is locked. Unlock it to edit it.")
    return point


def points_change(point: PointTrack, after: PointRun) -> Change:
    """Return the change that replaces the marks of a run's frames."""
    key = PointKey(point.id, after.start, after.end)
    before = point.path.run(after.start, after.end)
    return Change(
        "marks", key, None if before.is_empty else before, None if after.is_empty else after
    )


def point_deletion(point: PointTrack) -> list[Change]:
    """Return the changes that delete a point: its marks, block by block, then itself."""
    gone = [points_change(point, run_of(b.start, [None] * len(b.flags))) for b in _blocks(point)]
    return [*gone, Change("point", point.id, point.info, None)]


def point_creation(point: PointTrack) -> list[Change]:
    """Return the changes that create a point: itself, then its marks."""
    empty = PointTrack(point.info)
    made = [Change("point", point.id, None, point.info)]
    return made + [points_change(empty, block) for block in _blocks(point)]


def _blocks(point: PointTrack) -> list[PointRun]:
    return [point.path.blocks[number] for number in sorted(point.path.blocks)]
