"""The index of votes: answers of counted submissions, and merged open answers.

Parallel raters must not see each other's answers: only resolution and statistics read these rows,
through services that check `rules.hidden_from` first.

A row that this program cannot have written does not count: its person did not submit the named
submission, its task does not ask the item, or it is no valid answer. `faulty_votes` lists them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import Any, Final, NamedTuple, cast

import msgspec

from annotator.domain.annotation.canonical import canonical_bytes
from annotator.domain.answer import Answer, AnswerKey, Value, plain_of, value_from
from annotator.domain.ids import ItemId, MergeId, PersonId, SubmissionId, TaskId
from annotator.domain.questions.answer_groups import Merged
from annotator.domain.work.records import Instant, TaskStatus
from annotator.store.columns import id_bytes, id_text, json_text, json_texts
from annotator.store.file.readable import Readable


class VoteRow(NamedTuple):
    """Answer of one person to one field of one entry about one item.

    ``visit`` is that of the task's stage at which it counted; ``at`` in milliseconds since 1970.
    """

    item_id: ItemId
    field: str
    entry: int
    task_id: TaskId
    stage: str
    visit: int
    person_id: PersonId
    submission_id: SubmissionId
    value: Value
    at: Instant
    took_ms: int
    recipe_version: int


class FaultyVote(NamedTuple):
    """A row that does not count; ``code`` and ``text`` are the reason."""

    code: str
    item_id: ItemId
    field: str
    person_id: PersonId
    text: str


class VoteSource(NamedTuple):
    """Origin of votes: task, stage, visit and submission."""

    task_id: TaskId
    stage: str
    visit: int
    person_id: PersonId
    submission_id: SubmissionId


def write_votes(
    connection: sqlite3.Connection, source: VoteSource, answers: Iterable[Answer]
) -> None:
    """Store votes, replacing earlier ones of the same person at this stage."""
    task, person = id_bytes(source.task_id), id_bytes(source.person_id)
    connection.execute(
        "DELETE FROM vote WHERE task_id = ? AND stage = ? AND person_id = ?",
        (task, source.stage, person),
    )
    submission = bytes.fromhex(source.submission_id)
    connection.executemany(
        "INSERT INTO vote VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                id_bytes(answer.key.item_id),
                answer.key.field,
                answer.key.entry,
                task,
                source.stage,
                source.visit,
                person,
                submission,
                canonical_bytes(plain_of(answer.value)).decode(),
                answer.at,
                answer.took_ms,
                answer.recipe_version,
            )
            for answer in answers
        ],
    )


def void_votes(
    connection: sqlite3.Connection, task_id: TaskId, stage: str, person_id: PersonId, visit: int
) -> None:
    """Let the votes of a person in the last visit to a stage count no more, and those of the others
    at another visit. The submissions stay.
    """
    task, person = id_bytes(task_id), id_bytes(person_id)
    last = "SELECT max(visit) FROM vote WHERE task_id = ?1 AND stage = ?2"
    connection.execute(
        f"UPDATE vote SET visit = ?4 WHERE task_id = ?1 AND stage = ?2 AND person_id <> ?3"
        f" AND visit = ({last})",
        (task, stage, person, visit),
    )
    connection.execute(
        "DELETE FROM vote WHERE task_id = ?1 AND stage = ?2 AND person_id = ?3",
        (task, stage, person),
    )


def answer_of(row: VoteRow) -> Answer:
    """Return a vote as the answer that it is."""
    key = AnswerKey(row.item_id, row.field, row.entry)
    return Answer(key, row.value, row.at, row.took_ms, (), row.recipe_version)


def votes_of(
    file: Readable, task_id: TaskId, *, stage: str | None = None, visit: int | None = None
) -> list[VoteRow]:
    """Return the votes in a task, of one stage or visit if it is named, by item, field and entry;
    those about one field of an item in the order of submission.
    """
    rows = file.rows(
        f"SELECT v.* FROM item i JOIN {_SOUND} WHERE v.task_id = ?1"
        " AND (?2 IS NULL OR v.stage = ?2) AND (?3 IS NULL OR v.visit = ?3)"
        " ORDER BY i.position, v.field, v.entry, s.rowid",
        (id_bytes(task_id), stage, visit),
    )
    return _votes(rows)


def votes_of_kind(file: Readable, kind: str, fields: Collection[str] = ()) -> list[VoteRow]:
    """Return the votes in all tasks of a kind, by item, field, entry, and order of submission.

    ``fields`` limits them to some fields.
    """
    among = f" AND v.field IN ({', '.join('?' * len(fields))})" if fields else ""
    rows = file.rows(
        f"SELECT v.* FROM item i JOIN {_SOUND} WHERE i.kind = ?{among}"
        " ORDER BY i.id, v.field, v.entry, s.rowid",
        (kind, *fields),
    )
    return _votes(rows)


def decided_votes(file: Readable, kind: str, field: str | None = None) -> list[VoteRow]:
    """Return the votes in the complete tasks of a kind, on one field if it is named, of the last
    visit to each stage; by item, field and entry, then by submission.

    Those of tasks that are not decided are not read.
    """
    rows = file.rows(
        f"SELECT v.* FROM item i JOIN task t ON t.id = i.task_id AND t.status = ?2"
        f" JOIN {_SOUND} WHERE i.kind = ?1 AND (?3 IS NULL OR v.field = ?3)"
        " AND v.visit = (SELECT max(w.visit) FROM vote w"
        " WHERE w.item_id = v.item_id AND w.task_id = v.task_id AND w.stage = v.stage)"
        " ORDER BY i.id, v.field, v.entry, s.rowid",
        (kind, TaskStatus.COMPLETE, field),
    )
    return _votes(rows)


def faulty_votes(file: Readable, kind: str | None = None) -> list[FaultyVote]:
    """Return the rows that do not count, of one kind of task or of all."""
    rows = file.rows(
        "SELECT v.item_id, v.field, v.person_id, v.value, p.id IS NULL, i.id IS NULL,"
        " i.task_id IS NOT v.task_id, s.id IS NULL OR s.person_id IS NOT v.person_id FROM vote v"
        " LEFT JOIN item i ON i.id = v.item_id LEFT JOIN person p ON p.id = v.person_id"
        " LEFT JOIN submission s ON s.id = v.submission_id WHERE ?1 IS NULL OR i.kind = ?1",
        (kind,),
    )
    votes: list[FaultyVote] = []
    for row in rows:
        item, field, person, value, *faults = cast("tuple[bytes, str, bytes, str, int]", row)
        codes = [code for code, is_so in zip(_FAULTS, faults, strict=True) if is_so]
        if not codes and _value(value) is None:
            codes = ["vote-damaged"]
        for code in codes[:1]:
            names = ItemId(id_text(item)), field, PersonId(id_text(person))
            votes.append(FaultyVote(code, *names, _TEXTS[code]))
    return votes


def undecided_tasks(file: Readable, kind: str) -> list[TaskId]:
    """Return the tasks of a kind in which there are votes and nothing is decided yet."""
    rows = file.rows(
        "SELECT DISTINCT v.task_id FROM vote v JOIN task t ON t.id = v.task_id"
        " WHERE t.kind = ? AND t.status IN (?, ?) ORDER BY v.task_id",
        (kind, TaskStatus.WAITING, TaskStatus.IN_PROGRESS),
    )
    return [TaskId(id_text(cast(bytes, key))) for (key,) in rows]


_SOUND: Final = (
    "vote v ON v.item_id = i.id AND v.task_id = i.task_id"
    " JOIN submission s ON s.id = v.submission_id AND s.person_id = v.person_id"
)
"""Joins to an item the votes about it that can have come about by handing in."""
_FAULTS: Final = ("vote-of-stranger", "vote-on-nothing", "vote-twice", "vote-not-handed-in")
_TEXTS: Final = {
    "vote-of-stranger": "The person is not in the project.",
    "vote-on-nothing": "The item is not in the project.",
    "vote-twice": "The item does not belong to the task of this vote.",
    "vote-not-handed-in": "The submission of this person does not contain it.",
    "vote-damaged": "The stored value is damaged.",
}


def _votes(rows: Iterable[tuple[object, ...]]) -> list[VoteRow]:
    """Return the votes that rows hold; those that hold none are left out."""
    return [vote for row in rows if (vote := _vote(row)) is not None]


def _value(text: str) -> Value | None:
    """Return the answer in a column, None when there is none in it."""
    try:
        return value_from(msgspec.json.decode(text, type=dict[str, Any]))
    except (msgspec.DecodeError, ValueError):
        return None


def _vote(row: tuple[object, ...]) -> VoteRow | None:
    item, field, entry, task, stage, visit, person, submission, value, *facts = cast(
        "tuple[bytes, str, int, bytes, str, int, bytes, bytes, str, int, int, int]", row
    )
    answer = _value(value)
    if answer is None:
        return None
    return VoteRow(
        ItemId(id_text(item)),
        field,
        entry,
        TaskId(id_text(task)),
        stage,
        visit,
        PersonId(id_text(person)),
        SubmissionId(submission.hex()),
        answer,
        *facts,
    )


def add_merge(connection: sqlite3.Connection, merged: Merged) -> None:
    """Keep a merge."""
    connection.execute(
        "INSERT INTO merge (id, kind, field, question, texts, title, by_id, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            id_bytes(merged.id),
            merged.kind,
            merged.field,
            merged.question,
            json_text(merged.texts),
            merged.title,
            id_bytes(merged.by),
            merged.at,
        ),
    )


def part(connection: sqlite3.Connection, ids: Iterable[MergeId], by: PersonId, at: Instant) -> None:
    """Mark merges as reverted."""
    connection.executemany(
        "UPDATE merge SET parted_by_id = ?, parted_at = ? WHERE id = ? AND parted_at IS NULL",
        [(id_bytes(by), at, id_bytes(each)) for each in ids],
    )


def merges_of(file: Readable, kind: str) -> list[Merged]:
    """Return all merges of a kind in order, including reverted ones."""
    rows = file.rows(
        "SELECT id, kind, field, question, texts, title, by_id, at, parted_by_id, parted_at"
        " FROM merge WHERE kind = ? ORDER BY id",
        (kind,),
    )
    return [_merged(row) for row in rows]


def _merged(row: tuple[object, ...]) -> Merged:
    key, kind, field, question, texts, title, by, at, parted_by, parted_at = cast(
        "tuple[bytes, str, str, str, str, str, bytes, int, bytes | None, int | None]", row
    )
    return Merged(
        MergeId(id_text(key)),
        kind,
        field,
        question,
        tuple(json_texts(texts)),
        title,
        PersonId(id_text(by)),
        at,
        PersonId(id_text(parted_by)) if parted_by is not None else None,
        parted_at,
    )
