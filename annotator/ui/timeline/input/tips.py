"""Tooltips of the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.track import Track
from annotator.ui.timeline.model import words
from annotator.ui.timeline.model.layout import RULER_END_PX, Zone

if TYPE_CHECKING:
    from annotator.ui.timeline.view import TimelineView


def tip_at(view: TimelineView, at: QPointF) -> str:
    """Return the text for a point of the timeline; empty where there is nothing to say."""
    session, layout = view.lanes.session, view.viewport.layout
    if session is None or layout.zone_at(at.x(), at.y()) is Zone.CORNER:
        return ""
    key = view.lanes.key_at(at)
    if key is not None:
        return words.key_tip(*key, view.viewport.axis)
    segment = view.segment_at(at)
    if segment is not None:
        label = view.lanes.labels.of(segment) if view.lanes.labels is not None else None
        return words.segment_tip(segment, label, session.document, view.viewport.axis)
    thread = view.lanes.comment_at(at)
    if thread is not None:
        return "\n".join(words.comment_tip(c, view.lanes.name_of(c.author_id)) for c in thread)
    row = view.viewport.row_at(at)
    if at.x() < layout.gutter:
        if isinstance(row, PointTrack):
            return words.point_tip(row, session)
        return words.track_tip(row, session) if isinstance(row, Track) else ""
    if at.y() < RULER_END_PX:
        return words.ruler_tip(view.viewport.frame_at(at), view.viewport.axis)
    frame = view.viewport.frame_at(at)
    if isinstance(row, PointTrack):
        sure = session.pending_point_at(row.id, frame)
        confidence = sure.confidence if sure is not None else None
        return words.mark_tip(row, frame, view.viewport.axis, confidence)
    pending = session.pending_at(row.id, frame) if isinstance(row, Track) else None
    return words.frame_tip(frame, view.viewport.axis, pending)
