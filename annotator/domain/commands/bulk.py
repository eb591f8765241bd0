"""Commands on many things in one step: several commands, an import, a whole document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from annotator.domain.annotation.changes import Change, VideoExtra
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import Command, NothingToDoError, creation, effective
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track
from annotator.domain.commands.keyframes import (
    DeleteKeyframes,
    SetOccluded,
    SetOutside,
    ThinKeyframes,
)
from annotator.domain.commands.points import (
    AcceptPoints,
    ClearPoints,
    DeletePoints,
    MarkPoints,
    point_creation,
)
from annotator.domain.commands.proposals import AcceptMarked, AcceptProposals
from annotator.domain.commands.tracks import (
    DeleteTracks,
    JoinTracks,
    SplitIntoChildren,
    SplitTrack,
    SwapTracks,
)
from annotator.domain.errors import EditError
from annotator.domain.ids import PointId, TrackId
from annotator.domain.json_type import Json


@dataclass(frozen=True, slots=True)
class Together:
    """Runs commands as one transaction and one undo step, named like the first command.

    Each must concern entities of its own (one command per track): all are planned on the document
    as it stands. What cannot be done to one of them (it is locked, it has no keyframe here) leaves
    that one as it is; only when nothing can be done at all is it refused, for the first reason.
    """

    commands: tuple[Command, ...]
    frame: int | None = None
    merge_key: str | None = None

    @property
    def op(self) -> str:
        return self.commands[0].op if self.commands else "nothing"

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        refusal: EditError | None = None
        for command in self.commands:
            try:
                changes += command.plan(document)
            except NothingToDoError:
                continue
            except EditError as error:
                refusal = refusal or error
        if refusal is not None and not changes:
            raise refusal
        return effective(changes)


@dataclass(frozen=True, slots=True)
class AddImported:
    """Add tracks, segments and points from a file; ``extra`` replaces the video's extra fields.

    ``scores`` are those of a model, by ID and frame; a segment has one, on its first frame. They
    count where the file is imported as proposals.
    """

    op: ClassVar[str] = "import"
    tracks: tuple[Track, ...]
    segments: tuple[Segment, ...] = ()
    extra: dict[str, Json] | None = None
    points: tuple[PointTrack, ...] = ()
    scores: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    frame: ClassVar[int | None] = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        for track in self.tracks:
            changes += creation(track)
        for point in self.points:
            changes += point_creation(point)
        changes += [Change("segment", s.id, None, s) for s in self.segments]
        if self.extra is not None:
            video = document.video
            old, new = VideoExtra(video.extra), VideoExtra(self.extra)
            changes.append(Change("video", video.id, old, new))
        return effective(changes)


_BLOCK_WEIGHT: Final = 20
_MARKS_PER_CHANGE: Final = 4


def weight(command: Command, document: Document) -> int:
    """Return an estimate of the keyframes a command touches, other changes included.

    A gesture on single keyframes weighs nothing. It only looks up and counts, so it is quick.
    """
    match command:
        case AddImported():
            keys = sum(len(track.frames) for track in command.tracks)
            return keys + _of_points(command.points) + len(command.segments)
        case Together():
            return sum(weight(part, document) for part in command.commands)
        case DeleteTracks() | ThinKeyframes():
            return _of_tracks(document, command.track_ids)
        case JoinTracks() | SwapTracks():
            return _of_tracks(document, (command.track_id, command.other_id))
        case SplitTrack() | SplitIntoChildren() | DeleteKeyframes():
            return _of_tracks(document, (command.track_id,))
        case SetOccluded() | SetOutside():
            return _of_tracks(document, (command.track_id,)) if command.end is not None else 0
        case AcceptProposals():
            return len(command.proposed)
        case AcceptMarked():
            return weight(command.marking, document) + weight(command.accepting, document)
        case AcceptPoints():
            return len(command.run.flags) // _MARKS_PER_CHANGE
        case MarkPoints() | ClearPoints():
            return command.end - command.frame
        case DeletePoints():
            return _of_points(_existing_points(document, command.point_ids))
        case _:
            return 0


def _of_tracks(document: Document, track_ids: Iterable[TrackId]) -> int:
    total = 0
    for track_id in track_ids:
        track = document.find_track(track_id)
        if track is not None:
            total += len(track.frames) + _of_points(document.points_of(track_id))
    return total


def _of_points(points: Iterable[PointTrack]) -> int:
    return sum(_BLOCK_WEIGHT * len(point.path.blocks) for point in points)


def _existing_points(document: Document, point_ids: Iterable[PointId]) -> Iterable[PointTrack]:
    found = (document.find_point(point_id) for point_id in point_ids)
    return (point for point in found if point is not None)


def whole(document: Document) -> list[Change]:
    """Return the changes that make all of a document in an empty one, with the same identifiers."""
    changes = [change for track in document.tracks for change in creation(track)]
    changes += [change for point in document.points for change in point_creation(point)]
    changes += [Change("segment", segment.id, None, segment) for segment in document.segments]
    changes += [Change("comment", comment.id, None, comment) for comment in document.comments]
    changes += [Change("answer", key, None, answer) for key, answer in document.answers.items()]
    return changes
