"""Objects and points in the gallery: texts, tiles, and the commands that change them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from PySide6.QtCore import QCoreApplication

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.keyframe_reduction import Tolerance
from annotator.domain.annotation.point_track import PointMark, PointTrack
from annotator.domain.annotation.track import Source, Track
from annotator.domain.commands import (
    AcceptPoints,
    AcceptProposals,
    CheckFrames,
    ClearPoints,
    Command,
    MarkPoints,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.gallery import (
    DOUBTFUL,
    around_point,
    grid_frames,
    next_frames,
    next_point_frames,
)
from annotator.domain.proposals.point_proposals import accepted_run
from annotator.services.session import Session
from annotator.ui.canvas.model.point_marks import dot_at, estimated
from annotator.ui.dialogs.frame_tile import TileContent, TileKind
from annotator.ui.look.texts import counted
from annotator.ui.state.selection import Selection

tr: Final = QCoreApplication.translate


class ObjectGallery:
    """The boxes of an object on unchecked grid frames, then on those of low confidence."""

    takes_points = False

    def __init__(self, session: Session, track_id: TrackId, tolerance: Tolerance) -> None:
        self._session = session
        self.owner_id = track_id
        self._tolerance = tolerance

    @property
    def _track(self) -> Track:
        return self._session.document.track(self.owner_id)

    @property
    def is_there(self) -> bool:
        return self._session.document.find_track(self.owner_id) is not None

    @property
    def is_locked(self) -> bool:
        return self._track.info.is_locked

    @property
    def color(self) -> int:
        return self._track.info.color

    @property
    def title(self) -> str:
        return f"{self._track.label} {self._track.info.number}"

    @property
    def has_proposals(self) -> bool:
        return bool(self._session.pending(self.owner_id))

    @property
    def nothing_to_do(self) -> str:
        """Text instead of frames."""
        if self.is_locked:
            return tr("gallery", "The object is locked.")
        if not self.has_proposals:
            return tr("gallery", "No proposals of this object are left to accept.")
        return tr(
            "gallery",
            "You have seen all frames that need a look. Accept the other proposals, or leave them "
            "for later.",
        )

    @property
    def instructions(self) -> str:
        return tr(
            "gallery",
            "Drag on a frame to draw the box again. “{outside}” marks the object as out of view, "
            "“{occluded}” as occluded. A double-click opens the frame in the window.",
        )

    def select(self, selection: Selection) -> None:
        selection.set_tracks([self.owner_id])

    def is_changed_by(self, changes: ChangeSet) -> bool:
        return self.owner_id in changes.track_ids

    def n_left(self, seen: Collection[int]) -> int:
        """Return the number of unchecked grid frames that were not seen."""
        return len([frame for frame in self._grid_frames() if frame not in seen])

    def progress(self, seen: Collection[int], frames: Collection[int]) -> str:
        """Return a text about the frames that are shown and those that follow."""
        n_left, step = self.n_left(seen), max(1, self._session.document.video.grid_step)
        if n_left:
            one = tr("gallery", "{n} more grid frame follows.")
            return counted(n_left, one, tr("gallery", "{n} more grid frames follow."))
        is_off_grid = not any(frame % step == 0 for frame in frames)
        return _lowest_confidence() if is_off_grid else ""

    def next_frames(self, seen: Collection[int], limit: int) -> list[int]:
        """Return at most ``limit`` frames to look at next, ascending."""
        return next_frames(
            self._track,
            self._session.pending(self.owner_id, below=DOUBTFUL),
            self._grid_frames(),
            grid_step=self._session.document.video.grid_step,
            seen=seen,
            limit=limit,
        )

    def _grid_frames(self) -> list[int]:
        video, proposed_at = self._session.document.video, self._session.pending_at
        return grid_frames(
            self._track,
            lambda frame: proposed_at(self.owner_id, frame),
            grid_step=video.grid_step,
            n_frames=video.n_frames,
        )

    def tile(self, frame: int) -> TileContent:
        """Return the object as it is now on a frame."""
        track, session = self._track, self._session
        state = track.state_at(frame)
        suggestion = session.suggestion_at(track.id, frame)
        if suggestion is None:
            kind, caption = self._state_of(track, frame)
            notice = _notice(state.box is None, state.occluded)
            near = state.box or state.ghost
            return TileContent(state.box, near, kind, state.occluded, caption, notice)
        proposed, is_outdated = suggestion
        last = session.suggestion_at(track.id, frame - 1)
        near = proposed.box or (last[0].box if last is not None else None) or state.ghost
        kind, caption = _proposal_state(proposed.confidence, is_outdated)
        notice = _notice(proposed.box is None, proposed.occluded)
        return TileContent(proposed.box, near, kind, proposed.occluded, caption, notice)

    def _state_of(self, track: Track, frame: int) -> tuple[TileKind, str]:
        """Return what stands on a frame without proposal, and the words for it."""
        lower = track.keyframe_at(frame) or track.keyframe_before(frame)
        if lower is not None and lower.frame == frame:
            return TileKind.KEYFRAME, tr("gallery", "Keyframe")
        if frame in track.unseen:
            return TileKind.UNSEEN, tr("gallery", "Accepted, not seen yet")
        if lower is not None and (lower.settled or lower.box is None):
            return TileKind.CHECKED, tr("gallery", "Checked")
        if lower is None and track.is_dismissed(frame):
            return TileKind.CHECKED, tr("gallery", "Before the first box")
        return TileKind.INTERPOLATED, tr("gallery", "No proposal")

    # Commands

    def accept(self, frames: Sequence[int]) -> list[Command]:
        """Return the commands that accept single frames, and check those that nobody had seen."""
        track = self._track
        pending = (self._session.pending_at(track.id, frame) for frame in sorted(frames))
        accepted = tuple(proposed for proposed in pending if proposed is not None)
        commands: list[Command] = []
        if accepted:
            commands.append(AcceptProposals(track.id, accepted, tolerance=self._tolerance))
        if unseen := tuple(frame for frame in frames if frame in track.unseen):
            commands.append(CheckFrames(track.id, unseen))
        return commands

    def draw(self, frame: int, shape: Box | Point) -> Command:
        """Return the command that gives the object this box, in image pixels."""
        assert isinstance(shape, Box)
        return self._session.box_command(self.owner_id, frame, shape)

    def toggle_outside(self, frame: int) -> Command:
        has_box = self._session.has_box(self.owner_id, frame)
        return self._session.outside_command(self.owner_id, frame, has_box)

    def toggle_occluded(self, frame: int) -> Command:
        is_now = self._session.is_occluded(self.owner_id, frame)
        return self._session.occluded_command(self.owner_id, frame, not is_now)


class PointGallery:
    """The places of a point on frames of low confidence, and one that a person placed."""

    takes_points = True

    def __init__(self, session: Session, point_id: PointId) -> None:
        self._session = session
        self.owner_id = point_id

    @property
    def _point(self) -> PointTrack:
        return self._session.document.point(self.owner_id)

    @property
    def _owner(self) -> Track | None:
        track_id = self._point.info.track_id
        return self._session.document.find_track(track_id) if track_id else None

    @property
    def _ordinal(self) -> int:
        """Number of the point among those of its object, from 0."""
        track_id = self._point.info.track_id
        points = self._session.document.points_of(track_id) if track_id else ()
        return next((i for i, p in enumerate(points) if p.id == self.owner_id), 0)

    @property
    def is_there(self) -> bool:
        return self._session.document.find_point(self.owner_id) is not None

    @property
    def is_locked(self) -> bool:
        owner = self._owner
        return self._point.info.is_locked or (owner is not None and owner.info.is_locked)

    @property
    def color(self) -> int:
        owner = self._owner
        return owner.info.color if owner is not None else self._point.info.color

    @property
    def title(self) -> str:
        owner, name = self._owner, self._point.label
        return f"{owner.label} {owner.info.number}: {name}" if owner is not None else name

    @property
    def has_proposals(self) -> bool:
        return bool(self._session.n_pending_points(self.owner_id))

    @property
    def nothing_to_do(self) -> str:
        """Text instead of frames."""
        if self.is_locked:
            return tr("gallery", "The point is locked.")
        if not self.has_proposals:
            return tr("gallery", "No proposals of this point are left to accept.")
        return tr(
            "gallery",
            "You have seen all frames that need a look. Accept the other proposals, or leave them "
            "for later.",
        )

    @property
    def instructions(self) -> str:
        return tr(
            "gallery",
            "Click the position of the point where it is wrong. “{occluded}” marks it as occluded, "
            "“{outside}” as out of view. The space bar opens the frame in the window.",
        )

    def select(self, selection: Selection) -> None:
        selection.set_points(self._point.info.track_id, [self.owner_id])

    def is_changed_by(self, changes: ChangeSet) -> bool:
        """Return whether the point or its object, which may be locked, is changed."""
        owner = self._owner if self.is_there else None
        is_owner = owner is not None and owner.id in changes.track_ids
        return is_owner or self.owner_id in changes.point_ids

    def progress(self, _seen: Collection[int], frames: Collection[int]) -> str:
        """Return a text about the frames that are shown."""
        if len(self._point.path.human_frames()) == 1:
            return tr(
                "gallery",
                "Place the point on its last visible frame first: a correction removes the "
                "proposals after it.",
            )
        return _lowest_confidence() if frames else ""

    def next_frames(self, seen: Collection[int], limit: int) -> list[int]:
        """Return at most ``limit`` frames to look at next, ascending."""
        pending = self._session.pending_points(self.owner_id, below=DOUBTFUL)
        return next_point_frames(self._point, pending, seen=seen, limit=limit)

    def tile(self, frame: int) -> TileContent:
        """Return the point as it is now on a frame."""
        point, session = self._point, self._session
        mark, suggestion = point.mark(frame), session.suggested_point_at(point.id, frame)
        dot = dot_at(session, point, self._owner, self._ordinal, frame)
        place = dot.xy if dot is not None else estimated(point, frame)
        video = session.document.video
        near = None if place is None else around_point(place, (video.width, video.height))
        if mark is not None:
            kind, caption = self._state_of(mark)
            is_away, is_hidden = mark.outside, mark.occluded
        elif suggestion is not None:
            proposed, is_outdated = suggestion
            kind, caption = _proposal_state(proposed.confidence, is_outdated)
            is_away, is_hidden = proposed.xy is None, proposed.occluded
        else:
            kind, caption = TileKind.INTERPOLATED, tr("gallery", "No proposal")
            is_away = is_hidden = False
        return TileContent(
            None, near, kind, is_hidden, caption, _notice(is_away and not is_hidden, is_hidden), dot
        )

    def _state_of(self, mark: PointMark) -> tuple[TileKind, str]:
        if mark.source is Source.HUMAN:
            return TileKind.KEYFRAME, tr("gallery", "Manual")
        return TileKind.CHECKED, tr("gallery", "Accepted")

    def n_left(self, _seen: Collection[int]) -> int:
        """Return 0: points have no grid."""
        return 0

    # Commands

    def accept(self, frames: Sequence[int]) -> list[Command]:
        """Return the commands that accept single frames."""
        pending = (self._session.pending_point_at(self.owner_id, frame) for frame in sorted(frames))
        accepted = [proposed for proposed in pending if proposed is not None]
        run = accepted_run(accepted) if accepted else None
        return [] if run is None else [AcceptPoints(self.owner_id, run)]

    def draw(self, frame: int, shape: Box | Point) -> Command:
        """Return the command that places the point here, in image pixels."""
        assert isinstance(shape, Point)
        return self._session.point_command(self.owner_id, frame, shape)

    def toggle_outside(self, frame: int) -> Command:
        mark = self._point.mark(frame)
        if mark is not None and mark.outside:
            return ClearPoints(self.owner_id, frame, frame + 1)
        return MarkPoints(self.owner_id, frame, frame + 1, "outside")

    def toggle_occluded(self, frame: int) -> Command:
        mark = self._point.mark(frame)
        state = "visible" if mark is not None and mark.occluded else "occluded"
        return MarkPoints(self.owner_id, frame, frame + 1, state)


GalleryContent: TypeAlias = ObjectGallery | PointGallery


def _lowest_confidence() -> str:
    return tr("gallery", "These are the frames with the lowest confidence.")


def _proposal_state(confidence: float, is_outdated: bool) -> tuple[TileKind, str]:
    if is_outdated:
        return TileKind.OUTDATED, tr("gallery", "Outdated")
    text = tr("gallery", "{percent:.0f}% confidence")
    return TileKind.PROPOSAL, text.format(percent=confidence * 100)


def _notice(is_away: bool, is_hidden: bool) -> str:
    if is_away:
        return tr("gallery", "Out of view")
    return tr("gallery", "Occluded") if is_hidden else ""
