"""What the timeline says about the place under the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from annotator.domain.track import Track
from annotator.ui.timeline import words
from annotator.ui.timeline.layout import RULER_END_PX, Zone

if TYPE_CHECKING:
    from annotator.ui.timeline.view import TimelineView


def tip_at(view: TimelineView, at: QPointF) -> str:
    """Return the text for a point of the timeline; empty where there is nothing to say."""
    session, layout = view.session, view.geometry_of_lanes
    if session is None or layout.zone_at(at.x(), at.y()) is Zone.CORNER:
        return ""
    key = view.key_at(at)
    if key is not None:
        return words.key_tip(*key, view.axis)
    segment = view.segment_at(at)
    if segment is not None:
        return words.segment_tip(segment, view.axis)
    row = view.row_at(at)
    if at.x() < layout.gutter:
        return words.track_tip(row, session) if isinstance(row, Track) else ""
    if at.y() < RULER_END_PX:
        return words.ruler_tip(view.frame_at(at), view.axis)
    frame = view.frame_at(at)
    pending = session.pending_at(row.id, frame) if isinstance(row, Track) else None
    return words.frame_tip(frame, view.axis, pending)
