"""Points on one frame and their trails, without Qt."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.point_track import NO_MARK, OCCLUDED_BIT, PointTrack
from annotator.domain.annotation.track import Source, Track
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.point_proposals import with_marks
from annotator.ui.canvas.model.picture_viewport import Viewport

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.services.session import Session

DOT_REACH_PX: Final = 9.0


class DotLook(Enum):
    """Origin of a point's position."""

    HUMAN = "human"
    ACCEPTED = "accepted"
    IMPORTED = "imported"
    PROPOSED = "proposed"  # a suggestion, not annotation yet
    OUTDATED = "outdated"  # a suggestion that waits for a new one


LOOKS: Final = {
    Source.HUMAN: DotLook.HUMAN,
    Source.ACCEPTED: DotLook.ACCEPTED,
    Source.IMPORTED: DotLook.IMPORTED,
}


@dataclass(frozen=True, slots=True)
class Dot:
    """One point on one frame; ``xy`` of an occluded one is an estimate.

    ``color`` is its object's; ``ordinal`` counts the points of that object from 0, so that each
    gets a shape of its own. ``confidence`` is given for proposals only, 0..1. ``owner`` is the name
    and number of its object.
    """

    point_id: PointId
    track_id: TrackId | None
    label: str
    number: int
    color: int
    ordinal: int
    xy: Point
    look: DotLook
    occluded: bool = False
    locked: bool = False
    confidence: float | None = None
    owner: str = ""

    @property
    def full_name(self) -> str:
        """The name of the point with that of its object: each object has a “point 1”."""
        return f"{self.label} · {self.owner}" if self.owner else self.label


def dots_at(session: Session, frame: int) -> list[Dot]:
    """Return the points to be seen on a frame, in order of their numbers."""
    document = session.document
    counts: dict[TrackId | None, int] = {}
    found = []
    for point in document.points:
        owner = document.find_track(point.info.track_id) if point.info.track_id else None
        ordinal = counts.get(point.info.track_id, 0)
        counts[point.info.track_id] = ordinal + 1
        if point.info.is_hidden or (owner is not None and owner.info.is_hidden):
            continue
        dot = dot_at(session, point, owner, ordinal, frame)
        if dot is not None:
            found.append(dot)
    return found


def dot_at(
    session: Session, point: PointTrack, owner: Track | None, ordinal: int, frame: int
) -> Dot | None:
    """Return the visible form of a point: None if out of view or unknown."""
    info, mark = point.info, point.mark(frame)
    confidence = None
    if mark is not None:
        place, occluded, look = mark.xy, mark.occluded, LOOKS[mark.source]
    else:
        suggested = session.suggested_point_at(point.id, frame)
        if suggested is None:
            return None
        proposed, is_outdated = suggested
        place, occluded = proposed.xy, proposed.occluded
        look = DotLook.OUTDATED if is_outdated else DotLook.PROPOSED
        confidence = None if is_outdated else proposed.confidence
    if place is None and occluded:
        place = estimated(point, frame)
    if place is None:
        return None
    return Dot(
        info.id,
        info.track_id,
        info.label,
        info.number,
        owner.info.color if owner is not None else info.color,
        ordinal,
        place,
        look,
        occluded=occluded,
        locked=info.is_locked or (owner is not None and owner.info.is_locked),
        confidence=confidence,
        owner=f"{owner.label} {owner.info.number}" if owner is not None else "",
    )


def estimated(point: PointTrack, frame: int) -> Point | None:
    """Return where the point should be between the human marks round a frame."""
    lower, upper = point.path.human_around(frame)
    ends = [(f, xy) for f in (lower, upper) if f is not None and (xy := _place(point, f))]
    if len(ends) < 2:
        return ends[0][1] if ends else None
    (first, a), (last, b) = ends
    share = (frame - first) / (last - first)
    return Point(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y))


def find_dot(dots: Iterable[Dot], point_id: PointId | None) -> Dot | None:
    return next((d for d in dots if d.point_id == point_id), None)


def hit_dot(
    dots: Sequence[Dot],
    viewport: Viewport,
    x: float,
    y: float,
    *,
    selected: Collection[PointId] = (),
) -> Dot | None:
    """Return the point under the cursor (logical pixels): a selected one before nearer others."""
    best: tuple[bool, float, Dot] | None = None
    for dot in dots:
        px, py = viewport.to_widget(dot.xy)
        distance = math.hypot(px - x, py - y)
        if distance > DOT_REACH_PX:
            continue
        rank = (dot.point_id not in selected, distance)
        if best is None or rank < best[:2]:
            best = (*rank, dot)
    return best[2] if best else None


def places(session: Session, point: PointTrack, start: int, end: int) -> NDArray[np.float64]:
    """Return the visible places of a point on ``start <= frame < end``: float64 [n, 2].

    Frames without a mark take the proposal that waits there; NaN where the point is hidden, out
    of view or unknown.
    """
    run = point.path.run(start, end)
    xy = np.where(((run.flags & OCCLUDED_BIT) == 0)[:, None], run.xy, np.nan)
    for proposals in session.point_runs.of(point.id):
        first, last = max(start, proposals.start), min(end, proposals.end)
        if first >= last:
            continue
        part = with_marks(point, proposals).part(first, last)
        path_part = slice(first - start, last - start)
        free = (run.flags[path_part] == NO_MARK) & (part.occluded == 0)
        xy[path_part][free] = part.xy[free]
    return xy


def _place(point: PointTrack, frame: int) -> Point | None:
    mark = point.mark(frame)
    return mark.xy if mark is not None else None
