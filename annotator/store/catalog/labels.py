"""Label sets in the project file, where labels are used, and words typed before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

import msgspec

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.labels import LabelSet, label_set_text
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.answer import value_from
from annotator.domain.ids import DraftId, PersonId, new_id
from annotator.domain.work.records import TaskStatus
from annotator.store.annotation.documents import read_segments
from annotator.store.annotation.events import Event, append_event, encode_changes
from annotator.store.columns import id_bytes, id_text, json_object, now_text
from annotator.store.file.project import ProjectFile
from annotator.store.file.readable import Readable

if TYPE_CHECKING:
    import sqlite3

_ROWS: Final = "SELECT body, renames, version FROM label_set WHERE lane = ?"


@dataclass(frozen=True, slots=True)
class Rename:
    """A label got another text."""

    label_id: int
    old: str
    new: str

    def concerns(self, segment: Segment) -> bool:
        """Return whether a segment has the old text of this very label, or of no label at all."""
        return segment.label == self.old and segment.label_id in (self.label_id, None)


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A label set as it is kept: the text of its file, and every rename there has been."""

    body: str
    renames: tuple[Rename, ...]
    version: int


@dataclass(frozen=True, slots=True)
class LabelUse:
    """A segment that has a label: the video's name and media time in seconds."""

    label_id: int | None
    text: str
    video: str
    time_s: float


def read_set(file: ProjectFile, lane: Lane) -> StoredSet | None:
    """Return the label set of a lane, None when none has been stored yet."""
    rows = cast("list[tuple[str, str, int]]", file.rows(_ROWS, (lane.value,)))
    if not rows:
        return None
    body, renames, version = rows[0]
    known = msgspec.json.decode(renames, type=list[tuple[int, str, str]])
    return StoredSet(body, tuple(Rename(*one) for one in known), version)


def write_set(file: ProjectFile, labels: LabelSet, renames: Iterable[Rename] = ()) -> StoredSet:
    """Put a label set in the place of its lane's; ``renames`` are those that come with it."""
    old = read_set(file, labels.lane)
    renames_so_far = (*(old.renames if old else ()), *renames)
    new = StoredSet(label_set_text(labels), renames_so_far, old.version + 1 if old else 1)
    listed = [(r.label_id, r.old, r.new) for r in renames_so_far]
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO label_set (lane, name, version, body, renames, saved_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                labels.lane.value,
                labels.name,
                new.version,
                new.body,
                msgspec.json.encode(listed).decode(),
                now_text(),
            ),
        )
    return new


def label_uses(file: ProjectFile, lane: Lane) -> list[LabelUse]:
    """Return the segments of a lane in all drafts, by video and time.

    One that is the same in the drafts of several stages counts once.
    """
    rows = file.rows(
        "SELECT DISTINCT s.id, s.label_id, s.label, v.name,"
        " coalesce(s.start_us / 1e6, s.start_frame / max(v.frame_rate, 1e-6)) AS time_s"
        " FROM segment s JOIN draft d ON d.id = s.draft_id JOIN video v ON v.id = d.video_id"
        " WHERE s.lane = ? ORDER BY v.name, time_s",
        (lane.value,),
    )
    found = cast("list[tuple[bytes, int | None, str, str, float]]", rows)
    return [LabelUse(label_id, text, video, time_s) for _, label_id, text, video, time_s in found]


def rename_labels(
    file: ProjectFile, lane: Lane, renames: Iterable[Rename], *, op: str
) -> dict[DraftId, tuple[Change, ...]]:
    """Rename the labels of segments in all drafts; return the changes of each draft.

    Each draft gets an entry in its log, under the name ``op``.
    """
    changes_of: dict[DraftId, tuple[Change, ...]] = {}
    with file.transaction() as connection:
        old = {rename.old: rename for rename in renames}
        for key in _drafts_with(connection, lane, old):
            changes = tuple(
                Change("segment", s.id, s, replace(s, label=old[s.label].new))
                for s in read_segments(connection, key)
                if s.lane is lane and s.label in old and old[s.label].concerns(s)
            )
            if changes:
                changes_of[DraftId(id_text(key))] = changes
                _write(connection, file.author(), key, changes, op)
    return changes_of


def _drafts_with(
    connection: sqlite3.Connection, lane: Lane, texts: Mapping[str, object]
) -> list[bytes]:
    rows = connection.execute(
        "SELECT DISTINCT draft_id, label FROM segment WHERE lane = ?", (lane.value,)
    )
    return sorted({draft_id for draft_id, label in rows if label in texts})


def _write(
    connection: sqlite3.Connection,
    author: tuple[bytes, bytes],
    draft_id: bytes,
    changes: tuple[Change, ...],
    op: str,
) -> None:
    connection.executemany(
        "UPDATE segment SET label = ? WHERE draft_id = ? AND id = ?",
        [
            (c.after.label, draft_id, id_bytes(c.after.id))
            for c in changes
            if isinstance(c.after, Segment)
        ],
    )
    append_event(connection, author, draft_id, Event(new_id(), op, "do"), encode_changes(changes))


def listed_words(file: Readable, field: str, person_id: PersonId | None) -> list[str]:
    """Return the words listed in a field, most frequent first.

    Answers of other people count once their task is complete.
    """
    rows = file.rows(
        "SELECT v.value, count(*) FROM vote v WHERE v.field = ?1 AND (v.person_id = ?2 OR EXISTS"
        " (SELECT 1 FROM task t WHERE t.id = v.task_id AND t.status = ?3)) GROUP BY v.value",
        (field, id_bytes(person_id) if person_id is not None else None, TaskStatus.COMPLETE.value),
    )
    counts: dict[str, int] = {}
    for text, n in cast("list[tuple[str, int]]", rows):
        try:
            value = value_from(json_object(text))
        except (ValueError, msgspec.MsgspecError):
            continue
        for word in value if isinstance(value, tuple) else ():
            counts[word] = counts.get(word, 0) + n
    return sorted(counts, key=lambda word: (-counts[word], word.casefold()))
