"""Boxes on one frame: annotations and proposals, without Qt."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from annotator.domain.annotation.track import Phase, Track, TrackState
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.proposals.box_proposals import Proposed
from annotator.domain.proposals.model_predictions import model_of

if TYPE_CHECKING:
    from annotator.services.session import Session


class ShapeStyle(Enum):
    """How a shape is drawn, and what a click on it means."""

    FIXED = "fixed"  # a keyframe stands on this frame
    BETWEEN = "between"  # interpolated or held
    PROPOSED = "proposed"  # a tracker's suggestion, not annotation yet
    GHOST = "ghost"  # out of view: the last place it had


class Shape(NamedTuple):
    """One track on one frame. ``confidence`` is given for proposals only, 0..1.

    ``is_fresh`` is False for the ghost of an object that left long ago: it is shown, and can be
    grasped, only while its track is selected. ``given`` shapes belong to another task and cannot be
    edited here. An outdated proposal waits for a new one. ``note`` is shown after the label.
    """

    track_id: TrackId
    label: str
    number: int
    color: int
    box: Box
    look: ShapeStyle
    occluded: bool = False
    locked: bool = False
    confidence: float | None = None
    is_fresh: bool = True
    given: bool = False
    is_outdated: bool = False
    note: str = ""

    @property
    def is_present(self) -> bool:
        """True where the object is (thought to be) in the picture."""
        return self.look is not ShapeStyle.GHOST


# How long the last place of every object that has left is shown.
_FRESH_S = 2.0


@dataclass(slots=True)
class _Stretch:
    """A track between two neighboring keyframes, both excluded.

    ``shape`` is its shape there; the box moves from ``begin`` to ``end`` where these are given.
    """

    track: Track
    first: int
    last: float
    shape: Shape
    begin: Box | None = None
    end: Box | None = None


class ShapeBook:
    """The shapes of a draft's tracks on one frame after the other.

    Most tracks are on the same stretch as on the frame shown before: there only the box is new.
    """

    def __init__(self) -> None:
        self._tracks: tuple[Track, ...] = ()
        self._stretches: list[_Stretch | None] = []

    def at(self, session: Session, frame: int) -> list[Shape]:
        """Return the shapes of all tracks that are not hidden, in order of their numbers."""
        tracks = session.document.tracks
        if tracks is not self._tracks:
            tracks_shown = {s.track.id: s for s in self._stretches if s is not None}
            self._tracks, self._stretches = tracks, [tracks_shown.get(t.id) for t in tracks]
        fresh_frames = round(_FRESH_S * session.document.video.frame_rate)
        runs, shapes = session.box_runs.of, []
        for i, (track, stretch) in enumerate(zip(tracks, self._stretches, strict=True)):
            is_on = (
                stretch is not None
                and stretch.track is track
                and stretch.first < frame < stretch.last
            )
            if stretch is not None and is_on and not runs(stretch.shape.track_id):
                shapes.append(_moved(stretch, frame))
            elif not track.info.is_hidden:
                shape, self._stretches[i] = _looked_up(session, track, frame, fresh_frames)
                if shape is not None:
                    shapes.append(shape)
        return shapes


def _moved(known: _Stretch, frame: int) -> Shape:
    shape, begin, end = known.shape, known.begin, known.end
    if begin is None or end is None:
        return shape
    box = begin.lerp(end, (frame - known.first) / (known.last - known.first))
    # Written out: it is asked for every track on every frame shown.
    return Shape(
        shape.track_id,
        shape.label,
        shape.number,
        shape.color,
        box,
        shape.look,
        shape.occluded,
        shape.locked,
    )


def _looked_up(
    session: Session, track: Track, frame: int, fresh_frames: int
) -> tuple[Shape | None, _Stretch | None]:
    """Return the shape of a track, and its stretch if that covers the frames around it."""
    state = track.state_at(frame)
    has_runs = bool(session.box_runs.of(track.id))
    proposed, is_outdated = None, False
    if has_runs and state.phase is not Phase.KEYFRAME:
        suggested = session.suggestion_at(track.id, frame)
        proposed, is_outdated = suggested or (None, False)
    shape = shape_of(track, state, proposed, fresh_frames=fresh_frames)
    if shape is not None and is_outdated and shape.look is ShapeStyle.PROPOSED:
        shape = shape._replace(is_outdated=True, confidence=None)
    is_regular = state.phase in (Phase.INTERPOLATED, Phase.HELD)
    if shape is None or has_runs or not is_regular or state.lower is None:
        return shape, None
    last = state.upper if state.upper is not None else math.inf
    stretch = _Stretch(track, state.lower, last, shape)
    if state.phase is Phase.INTERPOLATED and state.upper is not None:
        at = bisect_left(track.frames, state.lower)
        stretch.begin, stretch.end = track.keyframes[at].box, track.keyframes[at + 1].box
    return shape, stretch


def shape_of(
    track: Track, state: TrackState, proposed: Proposed | None, *, fresh_frames: int = 0
) -> Shape | None:
    """Return the visible form of a track: a pending proposal replaces interpolation.

    An object that left the picture more than ``fresh_frames`` ago leaves no fresh ghost.
    """
    confidence = None
    box, occluded = state.box, state.occluded
    look = ShapeStyle.FIXED if state.phase is Phase.KEYFRAME else ShapeStyle.BETWEEN
    if proposed is not None:
        confidence = proposed.confidence
        box, look, occluded = proposed.box, ShapeStyle.PROPOSED, proposed.occluded
    if box is None:
        box, look = state.ghost or state.box, ShapeStyle.GHOST
    if box is None:
        return None
    info = track.info
    return Shape(
        track.id,
        f"{info.label} · {model_of(info.extra)}" if track.is_proposed else info.label,
        info.number,
        info.color,
        box,
        look,
        occluded=occluded,
        locked=info.is_locked,
        confidence=confidence,
        is_fresh=look is not ShapeStyle.GHOST or state.frame - (state.lower or 0) <= fresh_frames,
    )


def find_shape(shapes: Iterable[Shape], track_id: TrackId | None) -> Shape | None:
    return next((s for s in shapes if s.track_id == track_id), None)


def neighbor(shapes: Sequence[Shape], track_id: TrackId | None, step: int) -> Shape | None:
    """Return the shape before (-1) or after (+1) a track's, going round."""
    present = [s for s in shapes if s.is_present] or list(shapes)
    if not present:
        return None
    at = next((i for i, s in enumerate(present) if s.track_id == track_id), None)
    if at is None:
        return present[0] if step > 0 else present[-1]
    return present[(at + step) % len(present)]
