"""Estimated size of a command, before it is planned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import Command
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.commands.keyframes import DeleteKeyframes, SetOccluded, SetOutside
from annotator.domain.commands.points import AcceptPoints, ClearPoints, DeletePoints, MarkPoints
from annotator.domain.commands.proposals import AcceptProposals
from annotator.domain.commands.thinning import ThinKeyframes
from annotator.domain.commands.together import Together
from annotator.domain.commands.tracks import (
    DeleteTracks,
    JoinTracks,
    SplitIntoChildren,
    SplitTrack,
    SwapTracks,
)
from annotator.domain.commands.transfer import AddImported
from annotator.domain.ids import PointId, TrackId

_BLOCK_WEIGHT: Final = 20
_MARKS_PER_CHANGE: Final = 4


def weight(command: Command, document: Document) -> int:
    """Return about how many keyframes a command touches at most, other changes taken as so many.

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
        case AcceptPoints():
            return len(command.run.flags) // _MARKS_PER_CHANGE
        case MarkPoints() | ClearPoints():
            return command.end - command.frame
        case DeletePoints():
            return _of_points(_found(document, command.point_ids))
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


def _found(document: Document, point_ids: Iterable[PointId]) -> Iterable[PointTrack]:
    found = (document.find_point(point_id) for point_id in point_ids)
    return (point for point in found if point is not None)
