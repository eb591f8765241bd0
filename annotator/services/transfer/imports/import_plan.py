"""Import plan: additions to each video, and records that were imported before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import msgspec

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track
from annotator.domain.checks import Finding, Severity
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
from annotator.exchange.formats.base.document_conversion import EXTRA_KEY
from annotator.services.transfer.imports.import_sources import AnnotationCounts
from annotator.services.workflow.drafts import held_by
from annotator.store.annotation.drafts import read_draft
from annotator.store.file.file_state import FileState, state_of
from annotator.store.workflow import log as work_log
from annotator.store.workflow import tasks

if TYPE_CHECKING:
    from annotator.domain.annotation.segment import Segment
    from annotator.domain.annotation.track import Track
    from annotator.domain.commands import AddImported
    from annotator.domain.ids import PersonId, TaskId
    from annotator.store.file.project import ProjectFile

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
    """An import compared with the contents of a document.

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

    def without_duplicates(self) -> AddImported:
        """Return the part of the import that is new."""
        return self._rest() if self.n_known else self.command

    def settled(self, again: Again) -> tuple[Command, AddImported]:
        """Return the planned action and its additive part."""
        if again is Again.BOTH or not self.n_known:
            return self.command, self.command
        if again is Again.SKIP:
            rest = self.without_duplicates()
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
        """Return the import without duplicates; references point to the existing ones."""
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


def _compared(new: Iterable[T], existing: Iterable[T]) -> _Twins[T]:
    twins: dict[bytes, list[T]] = {}
    for entity in existing:
        key = _key(entity)
        if key is not None:
            twins.setdefault(key, []).append(entity)
    fresh: list[T] = []
    pairs: list[tuple[T, T]] = []
    for entity in new:
        key = _key(entity)
        twin_list = twins.get(key, []) if key is not None else []
        if twin_list:
            # Each is the twin of one: a file may hold the same record twice.
            pairs.append((entity, twin_list.pop(0)))
        else:
            fresh.append(entity)
    return _Twins(tuple(fresh), tuple(pairs))


def _key(entity: Track | PointTrack | Segment) -> bytes | None:
    """Return the key of an imported entity; None if it was not imported."""
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
    """Return the extras of a video with references to the existing tracks."""
    if extra is None or not isinstance(links := extra.get(TRACK_LINKS), dict):
        return extra
    moved: dict[str, Json] = {
        name: old.get(TrackId(str(track)), str(track)) for name, track in links.items()
    }
    return {**extra, TRACK_LINKS: moved}


SIMILAR: Final = 0.5
"""An object or segment matches one that is there from this mean IoU on."""
_MOST_FRAMES: Final = 50
SAME_NAME: Final = "same name"
SELECTED: Final = "selected"
NEW: Final = "new video"


@dataclass(frozen=True, slots=True)
class PlannedVideo:
    """Plan for one entry of a file.

    ``video`` is the name of the matching video, "" without one, and ``how`` says how it was found.
    ``n_known`` records were imported before; ``n_similar`` objects and segments look like others of
    the same label. ERROR findings name skipped parts; ``is_skipped``: all of it.
    """

    name: str
    video: str
    how: str
    counts: AnnotationCounts
    n_known: int = 0
    n_similar: int = 0
    findings: tuple[Finding, ...] = ()
    is_skipped: bool = False

    @property
    def n_invalid(self) -> int:
        """Number of omitted records."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)


class Existing:
    """Drafts of a person as they are now, readable on any thread; None: of no person.

    Close it soon: while it is open the project file grows with every edit.
    """

    def __init__(self, file: ProjectFile, person_id: PersonId | None) -> None:
        self._person_id = person_id
        self._state: FileState | None = state_of(file) if person_id is not None else None

    def close(self) -> None:
        """Release the project; may be called twice."""
        if self._state is not None:
            self._state.close()
            self._state = None

    def matches(
        self, task_id: TaskId | None, video: VideoInfo, command: AddImported
    ) -> tuple[int, int]:
        """Return how many records were imported before, and how many are like others there."""
        document = self._document(task_id, video)
        if document is None:
            return 0, 0
        known = Imported(command, document)
        rest = known.without_duplicates()
        n_similar = sum(_has_twin(track, document.tracks) for track in rest.tracks)
        n_similar += sum(_is_repeated(s, document.segments) for s in rest.segments)
        return known.n_known, n_similar

    def _document(self, task_id: TaskId | None, video: VideoInfo) -> Document | None:
        """Return the draft of a task, None where it has none or nothing is in it."""
        if self._state is None or self._person_id is None or task_id is None:
            return None
        with self._state.reading() as connection:
            held = held_by(work_log.read_record(connection, task_id), self._person_id)
            draft_id = tasks.find_draft(connection, held.id) if held is not None else None
        if draft_id is None:
            return None
        document = read_draft(self._state, draft_id, video)
        is_empty = not (document.tracks or document.segments or document.points)
        return None if is_empty else document


def _has_twin(track: Track, others: Sequence[Track]) -> bool:
    """Return whether another track of the label is nearly where this one is, on its keyframes."""
    keys = [key for key in track.keyframes if key.box is not None]
    keys = keys[:: -(-len(keys) // _MOST_FRAMES)] if keys else []
    for other in others:
        if other.label != track.label or other.is_proposed:
            continue
        total = 0.0
        for key in keys:
            box = other.state_at(key.frame).box
            total += key.box.iou(box) if key.box is not None and box is not None else 0.0
        if keys and total / len(keys) >= SIMILAR:
            return True
    return False


def _is_repeated(segment: Segment, others: Sequence[Segment]) -> bool:
    """Return whether another segment of the lane and label covers nearly the same frames."""
    for other in others:
        if (other.lane, other.label) != (segment.lane, segment.label) or other.is_proposed:
            continue
        common = min(segment.end, other.end) - max(segment.start, other.start)
        union = max(segment.end, other.end) - min(segment.start, other.start)
        if common / union >= SIMILAR:
            return True
    return False


def totals(plan: Sequence[PlannedVideo]) -> Mapping[str, int]:
    """Return the counts of all videos that take part, by type."""
    taken = [each.counts for each in plan if not each.is_skipped]
    return {name: sum(getattr(c, name) for c in taken) for name in AnnotationCounts._fields}
