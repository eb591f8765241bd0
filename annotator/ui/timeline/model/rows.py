"""Rows of the timeline from top to bottom, and frame ranges of the selection."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.comment import Comment, threads
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Track
from annotator.domain.ids import TrackId
from annotator.ui.state.selection import Selection
from annotator.ui.timeline.model.lane_contents import (
    SegmentLane,
    has_room,
    segment_lanes,
    with_segments,
)

if TYPE_CHECKING:
    from annotator.services.session import Session


def span_of(session: Session | None, selection: Selection) -> tuple[int, int] | None:
    """Return the half-open frames of the selected segment, else of the primary track's keys."""
    if session is None:
        return None
    segment = session.document.find_segment(selection.segment)
    if segment is not None:
        return (segment.start, segment.end)
    primary = selection.primary
    track = session.document.find_track(primary) if primary is not None else None
    if track is None or not track.frames:
        return None
    return (track.frames[0], track.frames[-1] + 1)


LANE_PX: Final = 26
POINT_LANE_PX: Final = 18
COMMENT_LANE_PX: Final = 20
# The sign that folds the lanes of points stands so far left in the column of names.
FOLD_PX: Final = 11


@dataclass(frozen=True, slots=True)
class CommentLane:
    """The comments that name a frame: each remark with its replies, by place."""

    threads: tuple[tuple[Comment, ...], ...]


Row: TypeAlias = "Track | PointTrack | SegmentLane | CommentLane"


def rows_of(
    document: Document,
    drawable: Collection[Lane],
    folded: Collection[TrackId] = frozenset(),
    segments: Sequence[SegmentLane] | None = None,
) -> list[Row]:
    """Return the lanes: actions, sounds, comments, objects each with its points, other points.

    The ``drawable`` lanes of segments are there while they are empty too, to draw on; ``segments``
    are those, where they are known. The points of ``folded`` objects have none.
    """
    rows: list[Row] = [*(_segment_rows(document, drawable) if segments is None else segments)]
    placed = tuple(t for t in threads(document.comments) if t[0].pin.first_frame is not None)
    if placed:
        rows.append(CommentLane(placed))
    points: dict[TrackId | None, list[PointTrack]] = {}
    for point in document.points:
        owner = point.info.track_id
        owner_id = owner if owner is not None and document.find_track(owner) else None
        points.setdefault(owner_id, []).append(point)
    for track in document.tracks:
        rows.append(track)
        if track.id not in folded:
            rows += points.get(track.id, ())
    return [*rows, *points.get(None, ())]


def segment_rows_after(
    before: Sequence[SegmentLane],
    document: Document,
    drawable: Collection[Lane],
    changes: ChangeSet,
) -> list[SegmentLane]:
    """Return the lanes of segments after an edit.

    What still fits into its row stays there, unless one above has room for it now.
    """
    if "segment" not in changes.topics:
        # There may be a hundred thousand changes of other things.
        return list(before)
    segment_of: dict[str, Segment] = {}
    touched: set[Lane] = set()
    for change in changes.changes:
        old, new = change.before, change.after
        if isinstance(old, Segment) and isinstance(new, Segment) and old.lane is new.lane:
            segment_of[new.id] = new
        else:
            touched |= {e.lane for e in (old, new) if isinstance(e, Segment)}
    rows: list[SegmentLane] = []
    for row in before:
        now = with_segments(row, segment_of)
        above = [r for r in rows if r.lane is row.lane]
        moved = [] if now is None else [s for s in now.segments if s.id in segment_of]
        if now is None or any(has_room(r, s) for s in moved for r in above):
            touched.add(row.lane)
        else:
            rows.append(now)
    if not touched:
        return rows
    other_rows = [row for row in rows if row.lane not in touched]
    anew = _segment_rows(document, drawable, touched)
    return sorted((*other_rows, *anew), key=lambda row: (row.lane is Lane.SOUND, row.row))


def row_height(row: Row) -> int:
    """Return the height of a lane: those of points are low, an object may have many."""
    if isinstance(row, CommentLane):
        return COMMENT_LANE_PX
    return POINT_LANE_PX if isinstance(row, PointTrack) else LANE_PX


def _segment_rows(
    document: Document, drawable: Collection[Lane], wanted: Collection[Lane] = tuple(Lane)
) -> list[SegmentLane]:
    used = {segment.lane for segment in document.segments}
    lanes = [lane for lane in Lane if lane in wanted and (lane in drawable or lane in used)]
    return segment_lanes(document.segments, lanes)
