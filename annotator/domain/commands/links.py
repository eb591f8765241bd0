"""References to a track that change with it: roles in segments, points, imported records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from annotator.domain.annotation.changes import Change, VideoExtra
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_path import run_of
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.commands.points import point_creation, point_deletion, points_change
from annotator.domain.ids import TrackId, point_id
from annotator.domain.json_type import Json

TRACK_LINKS: Final = "track_links"
"""Where ``VideoInfo.extra`` says which track a name in imported records stands for."""


def relinked(
    document: Document, links: Mapping[TrackId, TrackId | None], *, start: int = 0
) -> list[Change]:
    """Return the changes that point segments' slots from old tracks to new ones (or to none).

    Only segments that begin at frame ``start`` or later are changed.
    """
    changes = []
    for segment in document.segments:
        if segment.start < start or not any(track in links for track in segment.objects):
            continue
        slots = tuple(links.get(s, s) if s else s for s in segment.slots)
        changes.append(Change("segment", segment.id, segment, replace(segment, slots=slots)))
    return changes


def names_moved(document: Document, old: TrackId, new: TrackId) -> list[Change]:
    """Return the change that lets names in imported records stand for another track."""
    video = document.video
    links = video.extra.get(TRACK_LINKS)
    if not isinstance(links, dict) or old not in links.values():
        return []
    moved: dict[str, Json] = {name: new if t == old else t for name, t in links.items()}
    extra = VideoExtra({**video.extra, TRACK_LINKS: moved})
    return [Change("video", video.id, VideoExtra(video.extra), extra)]


def points_deleted(document: Document, track_ids: Iterable[TrackId]) -> list[Change]:
    """Return the changes that delete the points of tracks."""
    ids = set(track_ids)
    return [c for p in document.points if p.info.track_id in ids for c in point_deletion(p)]


def points_moved(document: Document, old: TrackId, new: TrackId) -> list[Change]:
    """Return the changes that give all points of one track to another."""
    return [
        Change("point", p.id, p.info, replace(p.info, track_id=new))
        for p in document.points_of(old)
    ]


def points_split(document: Document, old: TrackId, new: TrackId, frame: int) -> list[Change]:
    """Return the changes that give the points' marks from ``frame`` on to another track.

    A point with marks on both sides becomes two.
    """
    changes: list[Change] = []
    number = document.next_point_number()
    for point in document.points_of(old):
        frames = point.path.frames()
        if not len(frames) or frames[-1] < frame:
            continue
        if frames[0] >= frame:
            info = replace(point.info, track_id=new)
            changes.append(Change("point", point.id, point.info, info))
            continue
        tail = point.path.run(frame, int(frames[-1]) + 1)
        info = replace(point.info, id=point_id(), track_id=new, number=number, extra={})
        number += 1
        changes.append(points_change(point, run_of(frame, [None] * len(tail.flags))))
        changes += point_creation(PointTrack(info).with_run(tail))
    return changes
