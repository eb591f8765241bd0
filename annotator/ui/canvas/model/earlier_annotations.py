"""Annotations of an earlier submission on one frame, without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.track import Track
from annotator.domain.ids import TrackId
from annotator.ui.canvas.model.point_marks import LOOKS, Dot, estimated
from annotator.ui.canvas.model.shapes import Shape, ShapeStyle, shape_of


@dataclass(frozen=True, slots=True)
class FrameShapes:
    """Boxes and points of one frame, in order of their numbers."""

    shapes: tuple[Shape, ...] = ()
    dots: tuple[Dot, ...] = ()

    def beside(self, shapes: Sequence[Shape], dots: Sequence[Dot]) -> FrameShapes:
        """Return annotations that differ now: moved, removed, or hidden differently."""
        now = {s.track_id: s for s in shapes}
        here = {d.point_id: d for d in dots}
        return FrameShapes(
            tuple(s for s in self.shapes if s.is_present and not _is_same(s, now.get(s.track_id))),
            tuple(d for d in self.dots if not _is_same_dot(d, here.get(d.point_id))),
        )


class Before:
    """An earlier state, frame by frame; the frame asked for last is kept."""

    def __init__(self, document: Document, name: str) -> None:
        """``name`` says what state it is, to be written beside it."""
        self.name = name
        self._document = document
        self._at: int | None = None
        self._moment = FrameShapes()

    def is_of(self, document: Document) -> bool:
        """Return whether it shows just this state."""
        return self._document is document

    def at(self, frame: int) -> FrameShapes:
        """Return the earlier annotations on a frame."""
        if frame != self._at:
            self._at, self._moment = frame, self._shapes_on(frame)
        return self._moment

    def _shapes_on(self, frame: int) -> FrameShapes:
        document = self._document
        shapes = [
            shape
            for track, state in document.states_at(frame)
            if (shape := shape_of(track, state, None)) is not None
            and shape.look is not ShapeStyle.GHOST
        ]
        shapes.sort(key=lambda s: (s.number, s.track_id))
        counts: dict[TrackId | None, int] = {}
        dots = []
        for point in document.points:
            owner_id = point.info.track_id
            ordinal = counts.get(owner_id, 0)
            counts[owner_id] = ordinal + 1
            owner = document.find_track(owner_id) if owner_id is not None else None
            dot = _dot(point, owner, ordinal, frame)
            if dot is not None:
                dots.append(dot)
        return FrameShapes(tuple(shapes), tuple(dots))


def _dot(point: PointTrack, owner: Track | None, ordinal: int, frame: int) -> Dot | None:
    mark = point.mark(frame)
    if mark is None:
        return None
    place = mark.xy
    if place is None and mark.occluded:
        place = estimated(point, frame)
    if place is None:
        return None
    info = point.info
    return Dot(
        info.id,
        info.track_id,
        info.label,
        info.number,
        owner.info.color if owner is not None else info.color,
        ordinal,
        place,
        LOOKS[mark.source],
        occluded=mark.occluded,
    )


def _is_same(old: Shape, new: Shape | None) -> bool:
    if new is None or new.look is ShapeStyle.PROPOSED or not new.is_present:
        return False
    return old.box == new.box and old.occluded == new.occluded


def _is_same_dot(old: Dot, new: Dot | None) -> bool:
    return new is not None and old.xy == new.xy and old.occluded == new.occluded
