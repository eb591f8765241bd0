"""One draft in the project file: its document, its log, its proposals. One way to change it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

import numpy as np

from annotator.domain.changes import Change
from annotator.domain.document import Document, VideoInfo
from annotator.domain.ids import DraftId, TrackId, new_id
from annotator.domain.proposal import Origin, ProposalRun
from annotator.store import documents
from annotator.store.codes import id_bytes, id_text, json_object, json_text, now_text
from annotator.store.events import decode_changes, encode_changes
from annotator.store.project import ProjectFile

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the log without its changes; ``ref_id`` is the step undone, redone, continued."""

    id: str
    op: str
    kind: str
    ref_id: str | None
    frame: int | None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """What was done to a track, when (UTC) and by whom."""

    at: datetime
    person: str
    op: str
    kind: str
    frame: int | None


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
        with self._file.reading() as connection:
            tracks = documents.read_tracks(connection, self._key)
            segments = documents.read_segments(connection, self._key)
        return Document(self.draft_id, video, tracks, segments)

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
        person_id, replica_id = self._file.author()
        event = Event(new_id(), op, kind, ref_id, frame)
        text = encode_changes(changes)
        with self._file.transaction() as connection:
            documents.write_changes(connection, self._key, changes, self._pts)
            connection.execute(
                "INSERT INTO event (id, at, person_id, replica_id, draft_id, op, kind, ref_id,"
                " frame, changes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    id_bytes(event.id),
                    now_text(),
                    person_id,
                    replica_id,
                    self._key,
                    op,
                    kind,
                    id_bytes(ref_id) if ref_id is not None else None,
                    frame,
                    text,
                ),
            )
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

    def history(self, track_id: TrackId, limit: int) -> list[HistoryEntry]:
        """Return the newest entries of the log that name a track, newest first."""
        rows = self._file.rows(
            "SELECT e.at, p.name, e.op, e.kind, e.frame FROM event e"
            " JOIN person p ON p.id = e.person_id"
            " WHERE e.draft_id = ? AND instr(e.changes, ?) > 0 ORDER BY e.seq DESC LIMIT ?",
            (self._key, track_id, limit),
        )
        found = cast("list[tuple[str, str, str, str, int | None]]", rows)
        return [
            HistoryEntry(datetime.fromisoformat(at), person, op, kind, frame)
            for at, person, op, kind, frame in found
        ]

    def changes_of(self, event_id: str) -> list[Change]:
        """Return what an event of the log changed."""
        rows = self._file.rows("SELECT changes FROM event WHERE id = ?", (id_bytes(event_id),))
        return decode_changes(str(rows[0][0]))

    def runs(self) -> list[ProposalRun]:
        """Return the proposals of all tracks, by track and frame."""
        rows = self._file.rows(
            "SELECT track_id, start_frame, boxes, confidence, tool, version, parameters"
            " FROM proposal_run WHERE draft_id = ? ORDER BY track_id, start_frame",
            (self._key,),
        )
        found = cast("list[tuple[bytes, int, bytes, bytes, str, str, str]]", rows)
        return [
            ProposalRun(
                TrackId(id_text(track_id)),
                start,
                np.frombuffer(boxes, dtype="<f4").reshape(-1, 4),
                np.frombuffer(confidence, dtype="<f4"),
                Origin(tool, version, json_object(parameters)),
            )
            for track_id, start, boxes, confidence, tool, version, parameters in found
        ]

    def replace_runs(
        self, track_id: TrackId, gone: Iterable[ProposalRun], new: Iterable[ProposalRun]
    ) -> None:
        """Drop some proposal runs of a track and keep others instead, in one transaction."""
        key = id_bytes(track_id)
        with self._file.transaction() as connection:
            connection.executemany(
                "DELETE FROM proposal_run WHERE draft_id = ? AND track_id = ? AND start_frame = ?",
                [(self._key, key, run.start) for run in gone],
            )
            connection.executemany(
                "INSERT INTO proposal_run VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        self._key,
                        key,
                        run.start,
                        np.ascontiguousarray(run.boxes, dtype="<f4").tobytes(),
                        np.ascontiguousarray(run.confidence, dtype="<f4").tobytes(),
                        run.origin.name,
                        run.origin.version,
                        json_text(run.origin.parameters),
                    )
                    for run in new
                ],
            )
