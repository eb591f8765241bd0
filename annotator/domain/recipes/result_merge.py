"""Merge of the results of several tasks on one video into one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import OPEN_ROLE, Lane, Segment, normalized_roles
from annotator.domain.ids import TrackId
from annotator.domain.recipes.recipe import Tool

_LANES = {Lane.ACTION: Tool.ACTIONS, Lane.SOUND: Tool.SOUNDS}


def merged_document(first: Document, results: Mapping[Tool, Document]) -> Document:
    """Return the merged result of the tasks of all tools on a video.

    Tracks come from the result for boxes, points from that for points, and so on; annotations that
    a task only shows are ignored. For a tool without a result ``first`` counts. Where a later task
    refers to a deleted track, the role is open again and the point belongs to no object, so that
    the checks report it.
    """
    tracks = results.get(Tool.BOXES, first).tracks
    track_ids = {track.id for track in tracks}
    segments = [
        _with_known(segment, track_ids)
        for lane, tool in _LANES.items()
        for segment in results.get(tool, first).segments
        if segment.lane is lane
    ]
    points = [_of_known(point, track_ids) for point in results.get(Tool.POINTS, first).points]
    return Document(first.draft_id, first.video, tracks, segments, points)


def tools_first(kinds: Sequence[tuple[tuple[Tool, ...], Document]]) -> dict[Tool, Document]:
    """Return for each tool the document of the first kind of task that draws with it."""
    found: dict[Tool, Document] = {}
    for tools, document in kinds:
        for tool in tools:
            found.setdefault(tool, document)
    return found


def _with_known(segment: Segment, known: set[TrackId]) -> Segment:
    if all(track in known for track in segment.objects):
        return segment
    slots = tuple(OPEN_ROLE if slot and slot not in known else slot for slot in segment.slots)
    return replace(segment, slots=normalized_roles(segment.lane, slots))


def _of_known(point: PointTrack, known: set[TrackId]) -> PointTrack:
    owner = point.info.track_id
    if owner is None or owner in known:
        return point
    return replace(point, info=replace(point.info, track_id=None))
