"""What the canvas shows of each track on one frame: annotation, proposal or ghost. No Qt here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.proposal import Proposed
from annotator.domain.track import Phase, Track, TrackState

if TYPE_CHECKING:
    from annotator.services.session import Session


class Look(Enum):
    """How a shape is drawn, and what a click on it means."""

    FIXED = "fixed"  # a keyframe stands on this frame
    BETWEEN = "between"  # interpolated or held
    PROPOSED = "proposed"  # a tracker's suggestion, not annotation yet
    GHOST = "ghost"  # out of view: the last place it had


class Shape(NamedTuple):
    """One track on one frame. ``confidence`` is given for proposals only, 0..1.

    ``is_fresh`` is False for the ghost of an object that left long ago: it is shown, and can be
    grasped, only while its track is selected.
    """

    track_id: TrackId
    label: str
    number: int
    color: int
    box: Box
    look: Look
    occluded: bool = False
    locked: bool = False
    confidence: float | None = None
    is_fresh: bool = True

    @property
    def is_present(self) -> bool:
        """True where the object is (thought to be) in the picture."""
        return self.look is not Look.GHOST


# How long the last place of every object that has left is shown.
_FRESH_S = 2.0


def shapes_at(session: Session, frame: int) -> list[Shape]:
    """Return the shapes of all tracks that are not hidden, in order of their numbers."""
    found = []
    fresh_frames = round(_FRESH_S * session.document.video.frame_rate)
    for track in session.document.tracks:
        if track.info.is_hidden:
            continue
        state = track.state_at(frame)
        proposed = None
        if state.phase is not Phase.KEYFRAME and session.runs(track.id):
            proposed = session.pending_at(track.id, frame)
        shape = shape_of(track, state, proposed, fresh_frames=fresh_frames)
        if shape is not None:
            found.append(shape)
    return found


def shape_of(
    track: Track, state: TrackState, proposed: Proposed | None, *, fresh_frames: int = 0
) -> Shape | None:
    """Return what is shown of a track: a proposal that waits covers interpolation.

    An object that left the picture more than ``fresh_frames`` ago leaves no fresh ghost.
    """
    confidence = None
    box = state.box
    look = Look.FIXED if state.phase is Phase.KEYFRAME else Look.BETWEEN
    if proposed is not None:
        confidence = proposed.confidence
        box, look = proposed.box, Look.PROPOSED
    if box is None:
        box, look = state.ghost or state.box, Look.GHOST
    if box is None:
        return None
    info = track.info
    return Shape(
        track.id,
        info.label,
        info.number,
        info.color,
        box,
        look,
        occluded=state.occluded,
        locked=info.is_locked,
        confidence=confidence,
        is_fresh=look is not Look.GHOST or state.frame - (state.lower or 0) <= fresh_frames,
    )


def find_shape(shapes: Iterable[Shape], track_id: TrackId | None) -> Shape | None:
    return next((s for s in shapes if s.track_id == track_id), None)


def neighbour(shapes: Sequence[Shape], track_id: TrackId | None, step: int) -> Shape | None:
    """Return the shape before (-1) or after (+1) a track's, going round."""
    present = [s for s in shapes if s.is_present] or list(shapes)
    if not present:
        return None
    at = next((i for i, s in enumerate(present) if s.track_id == track_id), None)
    if at is None:
        return present[0] if step > 0 else present[-1]
    return present[(at + step) % len(present)]


# Above this overlap a box drawn over a proposal is meant as its correction.
_MEANT_IOU = 0.3


def drawn_track(shapes: Sequence[Shape], selected: Track | None, box: Box) -> TrackId | None:
    """Return the track that a newly drawn box fixes, or None where it starts a new one.

    A box drawn over a proposal corrects it. With one unlocked track selected that is not in the
    picture on this frame (``selected``; not begun, or out of view), the box is its return.
    """
    over = [
        (s.box.iou(box), s.track_id)
        for s in shapes
        if s.look is Look.PROPOSED and not s.locked and s.box.iou(box) >= _MEANT_IOU
    ]
    if over:
        return max(over)[1]
    if selected is None or selected.info.is_locked:
        return None
    shape = find_shape(shapes, selected.id)
    is_absent = shape is None or shape.look is Look.GHOST
    return selected.id if is_absent and not selected.info.is_hidden else None
