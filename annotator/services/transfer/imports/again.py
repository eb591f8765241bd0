"""Recognises what was imported before, so that importing a file twice does not double it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic, TypeVar

import msgspec

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track
from annotator.domain.commands import (
    AddImported,
    Command,
    DeletePoints,
    DeleteSegment,
    DeleteTracks,
)
from annotator.domain.commands.bulk import Together
from annotator.domain.commands.tracks import TRACK_LINKS
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.converting import EXTRA_KEY

T = TypeVar("T", Track, PointTrack, Segment)


class Again(StrEnum):
    """What becomes of records that an earlier import brought: they are left out, put in the place
    of what became of them, or brought in a second time."""

    SKIP = "skip"
    REPLACE = "replace"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class _Twins(Generic[T]):
    """The new entities, and those of them that the document has already, with their twins."""

    new: tuple[T, ...]
    known: tuple[tuple[T, T], ...]


class Imported:
    """An import compared with what a document has.

    A track or a segment is known by the record it was made of, whatever was edited since. A point
    keeps no record: it is known while its name and its marks are the imported ones.
    """

    def __init__(self, command: AddImported, document: Document) -> None:
        self.command = command
        self._document = document
        self._tracks = _compared(command.tracks, document.tracks)
        self._segments = _compared(command.segments, document.segments)
        self._points = _compared(command.points, document.points)

    @property
    def n_known(self) -> int:
        """How many records were imported before."""
        return sum(len(t.known) for t in (self._tracks, self._segments, self._points))

    def without_known(self) -> AddImported:
        """Return the part of the import that is new."""
        return self._rest() if self.n_known else self.command

    def settled(self, again: Again) -> tuple[Command, AddImported]:
        """Return what is to be done, and the part of it that adds."""
        if again is Again.BOTH or not self.n_known:
            return self.command, self.command
        if again is Again.SKIP:
            rest = self.without_known()
            return rest, rest
        gone_tracks = tuple(old.id for _, old in self._tracks.known)
        owned = {p.id for t in gone_tracks for p in self._document.points_of(t)}
        points = tuple(old.id for _, old in self._points.known if old.id not in owned)
        # Segments last: with their tracks they lose their roles, which is a change of them, too.
        gone: list[Command] = [DeleteTracks(gone_tracks)] if gone_tracks else []
        gone += [DeletePoints(points)] if points else []
        gone += [DeleteSegment(old.id) for _, old in self._segments.known]
        return Together((self.command, *gone)), self.command

    def _rest(self) -> AddImported:
        """Return the import without what is known; what referred to that refers to its twin."""
        old = {new.id: twin.id for new, twin in self._tracks.known}
        points = []
        for point in self._points.new:
            owner = point.info.track_id
            if owner in old:
                point = replace(point, info=replace(point.info, track_id=old[owner]))
            points.append(point)
        segments = tuple(
            replace(s, slots=tuple(old.get(t, t) if t else t for t in s.slots))
            for s in self._segments.new
        )
        is_all_known = not (self._tracks.new or points or segments)
        extra = None if is_all_known else _relinked(self.command.extra, old)
        return AddImported(self._tracks.new, segments, extra, tuple(points))


def _compared(new: Iterable[T], there: Iterable[T]) -> _Twins[T]:
    twins: dict[bytes, list[T]] = {}
    for entity in there:
        key = _key(entity)
        if key is not None:
            twins.setdefault(key, []).append(entity)
    fresh: list[T] = []
    known: list[tuple[T, T]] = []
    for entity in new:
        key = _key(entity)
        found = twins.get(key, []) if key is not None else []
        if found:
            # Each is the twin of one: a file may hold the same record twice.
            known.append((entity, found.pop(0)))
        else:
            fresh.append(entity)
    return _Twins(tuple(fresh), tuple(known))


def _key(entity: Track | PointTrack | Segment) -> bytes | None:
    """Return what tells an imported entity from others; None for one that was not imported."""
    if isinstance(entity, PointTrack):
        path = entity.path
        marks = b"".join(path.blocks[n].flags.tobytes() for n in sorted(path.blocks))
        places = b"".join(path.blocks[n].xy.tobytes() for n in sorted(path.blocks))
        return entity.label.encode() + b"\0" + marks + places
    if isinstance(entity, Segment):
        return msgspec.json.encode(entity.extra, order="sorted") if entity.extra else None
    if EXTRA_KEY in entity.info.extra:
        return msgspec.json.encode(entity.info.extra[EXTRA_KEY], order="sorted")
    from annotator.exchange.perception_test.kept_boxes import name_of

    return name_of(entity.info.extra) if entity.info.extra else None


def _relinked(
    extra: dict[str, Json] | None, old: Mapping[TrackId, TrackId]
) -> dict[str, Json] | None:
    """Return what is kept of a video with the names of known tracks standing for their twins."""
    if extra is None or not isinstance(links := extra.get(TRACK_LINKS), dict):
        return extra
    moved: dict[str, Json] = {
        name: old.get(TrackId(str(track)), str(track)) for name, track in links.items()
    }
    return {**extra, TRACK_LINKS: moved}
