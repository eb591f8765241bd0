"""Facts about the annotations of one video, one row per annotation, for statistics."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
import numpy as np

from annotator.domain.annotation.attributes import changes_of
from annotator.domain.annotation.point_track import OCCLUDED_BIT, OUTSIDE_BIT
from annotator.domain.annotation.segment import Lane
from annotator.domain.recipes.recipe import Tool

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document, VideoInfo
    from annotator.domain.annotation.point_track import PointTrack
    from annotator.domain.annotation.segment import Segment
    from annotator.domain.annotation.track import Track
    from annotator.domain.json_type import Json

_LANES: Final = {Lane.ACTION: Tool.ACTIONS, Lane.SOUND: Tool.SOUNDS}
_DIGITS: Final = 5


class Fact(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One track, point track or segment; a struct, because projects have hundreds of thousands.

    ``start`` and ``end`` are the half-open frames of its life; ``n_marks`` counts keyframes (of
    points the frames with a mark), ``n_present`` the frames on which it is in the image,
    ``n_hidden`` those of them on which it is occluded. ``x``, ``y``, ``width`` and ``height`` are
    the means over keyframes, as fractions of the image. ``objects`` are the tracks in the roles of
    a segment, "" for a role without an annotated object, or the track of a point. ``attributes``
    are pairs of key and value; a value that changes stands once for each that it takes.
    """

    id: str
    label: str
    start: int
    end: int
    n_marks: int = 0
    n_present: int = 0
    n_hidden: int = 0
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    objects: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


VideoFacts: TypeAlias = dict[Tool, list[Fact]]
"""Facts of one video by the tool that made them."""


def facts_of(document: Document) -> VideoFacts:
    """Return the facts about all annotations of a document."""
    video = document.video
    found: VideoFacts = {
        Tool.BOXES: [_track(track, video) for track in document.tracks if track.keyframes],
        Tool.POINTS: [_point(point, video) for point in document.points],
        Tool.ACTIONS: [],
        Tool.SOUNDS: [],
    }
    for segment in document.segments:
        found[_LANES[segment.lane]].append(_segment(segment))
    return found


def _track(track: Track, video: VideoInfo) -> Fact:
    n = video.n_frames
    spans = track.present_spans(n)
    keys = [key for key in track.keyframes if key.box is not None]
    ends = [*track.frames[1:], max(n, track.frames[-1] + 1)]
    hidden = sum(
        end - key.frame
        for key, end in zip(track.keyframes, ends, strict=True)
        if key.box is not None and key.occluded
    )
    boxes = np.array([key.box.as_tuple() for key in keys if key.box is not None]).reshape(-1, 4)
    x1 = y1 = x2 = y2 = 0.0
    if len(boxes) and video.width and video.height:
        size = np.array([video.width, video.height] * 2)
        x1, y1, x2, y2 = (float(side) for side in boxes.mean(axis=0) / size)
    return Fact(
        track.id,
        track.label,
        track.frames[0],
        spans[-1][1] if spans else track.frames[-1] + 1,
        len(keys),
        sum(end - start for start, end in spans),
        hidden,
        round((x1 + x2) / 2, _DIGITS),
        round((y1 + y2) / 2, _DIGITS),
        round(x2 - x1, _DIGITS),
        round(y2 - y1, _DIGITS),
        attributes=_attributes(track.info.attributes),
    )


def _point(point: PointTrack, video: VideoInfo) -> Fact:
    run = point.path.run(0, video.n_frames)
    is_marked = np.zeros(video.n_frames, np.bool_)
    is_marked[point.path.frames()[point.path.frames() < video.n_frames]] = True
    is_out = (run.flags & OUTSIDE_BIT) != 0
    is_hidden = is_marked & ((run.flags & OCCLUDED_BIT) != 0) & ~is_out
    is_seen = is_marked & ~is_hidden & ~is_out
    at = np.flatnonzero(is_seen | is_hidden)
    x = y = 0.0
    if is_seen.any() and video.width and video.height:
        x, y = (float(v) for v in run.xy[is_seen].mean(axis=0) / (video.width, video.height))
    return Fact(
        point.id,
        point.label,
        int(at[0]) if len(at) else 0,
        int(at[-1]) + 1 if len(at) else 0,
        int(is_marked.sum()),
        int(is_seen.sum() + is_hidden.sum()),
        int(is_hidden.sum()),
        round(x, _DIGITS),
        round(y, _DIGITS),
        objects=(point.info.track_id,) if point.info.track_id else (),
        attributes=_attributes(point.attributes),
    )


def _segment(segment: Segment) -> Fact:
    n = segment.end - segment.start
    roles = tuple(slot or "" for slot in segment.slots)
    told = _attributes(segment.attributes)
    return Fact(
        segment.id,
        segment.label,
        segment.start,
        segment.end,
        0,
        n,
        0,
        objects=roles,
        attributes=told,
    )


def _attributes(values: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for key, kept in values.items():
        told = [value for _, value in changes_of(kept)] if isinstance(kept, dict) else [kept]
        found += [(key, _text(value)) for value in dict.fromkeys(map(_text, told))]
    return tuple(found)


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def of_tools(facts: VideoFacts, tools: Collection[Tool]) -> VideoFacts:
    """Return the facts about annotations of some tools."""
    return {tool: rows for tool, rows in facts.items() if tool in tools}
