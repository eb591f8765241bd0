"""One draft in the project file: its document, its log, its proposals. One way to change it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.track import Track
from annotator.domain.ids import DraftId, PointId, TrackId, new_id
from annotator.domain.proposals.runs import RunT
from annotator.store.annotation import documents, points
from annotator.store.annotation.events import Event, append_event, decode_changes, encode_changes
from annotator.store.annotation.proposals import RunTable
from annotator.store.columns import id_bytes, id_text
from annotator.store.file.project import ProjectFile
from annotator.store.file.readable import Readable
from annotator.store.questions import items

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """Edit of a track or a point, with time (UTC) and author."""

    at: datetime
    person: str
    op: str
    kind: str
    frame: int | None


def read_draft(
    file: Readable, draft_id: DraftId, video: VideoInfo, *, is_tabled: bool = True
) -> Document:
    """Return the document of a draft in the file.

    Its tracks are those of a table, for what looks at all of them once; ``is_tabled`` False: with
    all their keyframes made, for what comes back to them.
    """
    key = id_bytes(draft_id)
    with file.reading() as connection:
        tracks: Sequence[Track] = documents.read_tracks(connection, key)
        if not is_tabled:
            tracks = [Track(track.info, track.keyframes) for track in tracks]
        segments = documents.read_segments(connection, key)
        point_tracks = points.read_points(connection, key)
        remarks = documents.read_comments(connection, key)
        answers = items.read_answers(connection, key)
    return Document(draft_id, video, tracks, segments, point_tracks, remarks, answers)


class DraftStore:
    """The rows of one draft."""

    def __init__(
        self, file: ProjectFile, draft_id: DraftId, *, pts: NDArray[np.int64] | None = None
    ) -> None:
        """``pts`` are the presentation times of the video's frames, where they are known."""
        self.draft_id = draft_id
        self._file = file
        self._key = id_bytes(draft_id)
        self._pts = pts

    @property
    def is_read_only(self) -> bool:
        return self._file.is_read_only

    def load(self, video: VideoInfo) -> Document:
        """Return the document as it is in the file."""
        return read_draft(self._file, self.draft_id, video, is_tabled=False)

    def commit(
        self,
        changes: Sequence[Change],
        *,
        op: str,
        kind: str,
        ref_id: str | None = None,
        frame: int | None = None,
    ) -> Event:
        """Write changes and their log entry in one transaction; ProjectError and nothing else."""
        event = Event(new_id(), op, kind, ref_id, frame)
        text = encode_changes(changes)
        with self._file.transaction() as connection:
            documents.write_changes(connection, self._key, changes, self._pts)
            append_event(connection, self._file.author(), self._key, event, text)
        return event

    def events(self) -> list[Event]:
        """Return the whole log of the draft, oldest first."""
        rows = self._file.rows(
            "SELECT id, op, kind, ref_id, frame FROM event WHERE draft_id = ? ORDER BY seq",
            (self._key,),
        )
        found = cast("list[tuple[bytes, str, str, bytes | None, int | None]]", rows)
        return [
            Event(id_text(key), op, kind, id_text(ref) if ref is not None else None, frame)
            for key, op, kind, ref, frame in found
        ]

    def history(self, entity_id: TrackId | PointId, limit: int) -> list[HistoryEntry]:
        """Return the newest entries of the log that name a track or a point, newest first.

        It looks through the whole log where there are few: for the job pool.
        """
        rows = self._file.rows(
            "SELECT e.at, p.name, e.op, e.kind, e.frame FROM event e"
            " JOIN person p ON p.id = e.person_id"
            " WHERE e.draft_id = ? AND instr(e.changes, ?) > 0 ORDER BY e.seq DESC LIMIT ?",
            (self._key, entity_id, limit),
        )
        found = cast("list[tuple[str, str, str, str, int | None]]", rows)
        return [
            HistoryEntry(datetime.fromisoformat(at), person, op, kind, frame)
            for at, person, op, kind, frame in found
        ]

    def changes_of(self, event_id: str) -> list[Change]:
        """Return the changes of an event in the log."""
        rows = self._file.rows("SELECT changes FROM event WHERE id = ?", (id_bytes(event_id),))
        return decode_changes(str(rows[0][0]))

    def size_of(self, event_ids: Iterable[str]) -> int:
        """Return how many bytes the log keeps of events, without reading them."""
        total = 0
        with self._file.reading() as connection:
            for event_id in event_ids:
                key = (id_bytes(event_id),)
                (row,) = connection.execute("SELECT seq FROM event WHERE id = ?", key).fetchone()
                with connection.blobopen("event", "changes", row, readonly=True) as body:
                    total += len(body)
        return total

    def runs(self, table: RunTable[RunT]) -> list[RunT]:
        """Return the proposals of all tracks or points, by track or point, and frame."""
        return table.read(self._file, self._key)

    def replace_runs(
        self, table: RunTable[RunT], owner_id: str, gone: Iterable[RunT], new: Iterable[RunT]
    ) -> None:
        """Drop some proposal runs of a track or a point and keep others, in one transaction."""
        table.replace(self._file, self._key, owner_id, gone, new)
