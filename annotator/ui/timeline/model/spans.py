"""Frame ranges of the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.ui.state.selection import Selection

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
