"""Statistics that follow from submissions, active time, and decisions on suspicious annotations.

They are never edited and can be computed again from the submissions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from annotator.domain.ids import PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.work.work_statistics import Workplace
from annotator.store.columns import id_bytes, id_text, json_text, now_text
from annotator.store.file.project import ProjectFile

if TYPE_CHECKING:
    from annotator.domain.agreement import Agreement


@dataclass(frozen=True, slots=True)
class Unseen:
    """A submission that counted and has not been looked over.

    ``before`` counted for the same task just before it, ``seq`` is its place in the log.
    """

    id: SubmissionId
    before: SubmissionId | None
    task_id: TaskId
    video_id: VideoId
    seq: int


def last_seq(file: ProjectFile) -> int:
    """Return the log position of the last submission, -1 without any."""
    return cast(int, file.rows("SELECT coalesce(max(seq), -1) FROM hand_in")[0][0])


def unseen(file: ProjectFile, version: int, after: int = -1) -> list[Unseen]:
    """Return submissions without statistics of that version, beyond a log position."""
    rows = file.rows(
        "SELECT h.submission_id, (SELECT o.submission_id FROM hand_in o"
        " WHERE o.task_id = h.task_id AND o.seq < h.seq ORDER BY o.seq DESC LIMIT 1),"
        " h.task_id, t.video_id, h.seq FROM hand_in h"
        " JOIN submission s ON s.id = h.submission_id JOIN task t ON t.id = h.task_id"
        " LEFT JOIN looked_over l ON l.submission_id = h.submission_id"
        " WHERE h.seq > ? AND (l.version IS NULL OR l.version != ?) ORDER BY h.seq",
        (after, version),
    )
    rows_read = cast("list[tuple[bytes, bytes | None, bytes, bytes, int]]", rows)
    return [
        Unseen(
            SubmissionId(key.hex()),
            SubmissionId(before.hex()) if before is not None else None,
            TaskId(id_text(task)),
            VideoId(id_text(video)),
            seq,
        )
        for key, before, task, video, seq in rows_read
    ]


def keep(
    file: ProjectFile,
    unseen: Unseen,
    version: int,
    *,
    findings: Mapping[str, int],
    labels: Iterable[str],
    facts: bytes,
    agreed: Iterable[Agreement],
) -> None:
    """Store the statistics of a submission, replacing earlier ones."""
    key = bytes.fromhex(unseen.id)
    inputs = json_text(
        tuple(
            submission_id
            for submission_id in (unseen.before, unseen.id)
            if submission_id is not None
        )
    )
    with file.transaction() as connection:
        for table in ("finding", "submitted_label"):
            connection.execute(f"DELETE FROM {table} WHERE submission_id = ?", (key,))
        connection.execute("DELETE FROM agreement WHERE last_id = ?", (key,))
        connection.executemany(
            "INSERT INTO finding VALUES (?, ?, ?)", [(code, key, n) for code, n in findings.items()]
        )
        connection.executemany(
            "INSERT INTO submitted_label VALUES (?, ?)", [(label, key) for label in set(labels)]
        )
        connection.executemany(
            "INSERT INTO agreement VALUES (?, ?, ?, ?, ?)",
            [(key, a.method, json_text({**a.params}), inputs, a.value) for a in agreed],
        )
        connection.execute("INSERT OR REPLACE INTO submission_facts VALUES (?, ?)", (key, facts))
        connection.execute("INSERT OR REPLACE INTO looked_over VALUES (?, ?)", (key, version))


def forget(file: ProjectFile) -> None:
    """Take note that everything is to be worked out again."""
    with file.transaction() as connection:
        connection.execute("DELETE FROM looked_over")


def finding_counts(file: ProjectFile) -> dict[str, int]:
    """Return the number of findings in the last submissions by code, most frequent first."""
    rows = file.rows(
        "SELECT f.code, sum(f.count) AS n FROM task t JOIN finding f ON f.submission_id = t.last_id"
        " WHERE t.status != 'withdrawn' GROUP BY f.code ORDER BY n DESC, f.code"
    )
    return dict(cast("list[tuple[str, int]]", rows))


def agreement_means(file: ProjectFile) -> dict[str, float]:
    """Return by method how far the last two submissions of tasks agree in the mean."""
    rows = file.rows(
        "SELECT a.method, avg(a.value) FROM task t JOIN agreement a ON a.last_id = t.last_id"
        " GROUP BY a.method ORDER BY a.method"
    )
    return dict(cast("list[tuple[str, float]]", rows))


def findings_of(file: ProjectFile, submission_id: SubmissionId) -> dict[str, int]:
    """Return the number of findings in a submission, by code."""
    rows = file.rows(
        "SELECT code, count FROM finding WHERE submission_id = ? ORDER BY code",
        (bytes.fromhex(submission_id),),
    )
    return dict(cast("list[tuple[str, int]]", rows))


def counted_submissions(
    file: ProjectFile, *, complete_only: bool
) -> list[tuple[bytes, str, bytes]]:
    """Return video (16 bytes), kind and submission of the tasks as they were last submitted."""
    rows = file.rows(
        "SELECT video_id, kind, last_id FROM task WHERE last_id IS NOT NULL"
        " AND (status = 'complete' OR (? AND status != 'withdrawn')) ORDER BY id",
        (int(not complete_only),),
    )
    return cast("list[tuple[bytes, str, bytes]]", rows)


def all_facts(file: ProjectFile) -> list[tuple[bytes, bytes]]:
    """Return the facts (JSON) of all submissions that count, by submission."""
    rows = file.rows(
        "SELECT f.submission_id, f.body FROM task t"
        " JOIN submission_facts f ON f.submission_id = t.last_id"
    )
    return cast("list[tuple[bytes, bytes]]", rows)


def facts_of_submission(file: ProjectFile, key: bytes) -> bytes | None:
    """Return the facts (JSON) of a submission, None where they are not computed yet."""
    rows = file.rows("SELECT body FROM submission_facts WHERE submission_id = ?", (key,))
    return cast(bytes, rows[0][0]) if rows else None


def last_submitted(file: ProjectFile) -> dict[VideoId, tuple[int, int]]:
    """Return time (ms since 1970) and round of the counted submission of each video."""
    rows = file.rows(
        "SELECT t.video_id, max(h.at), max(h.round) FROM task t"
        " JOIN hand_in h ON h.submission_id = t.last_id WHERE t.status != 'withdrawn'"
        " GROUP BY t.video_id"
    )
    found = cast("list[tuple[bytes, int, int]]", rows)
    return {VideoId(id_text(video)): (at, number) for video, at, number in found}


def least_agreement(file: ProjectFile) -> list[tuple[VideoId, str, float]]:
    """Return video, kind and the least agreement of the last two submissions of each task."""
    rows = file.rows(
        "SELECT t.video_id, t.kind, min(a.value) FROM task t JOIN agreement a"
        " ON a.last_id = t.last_id GROUP BY t.id ORDER BY t.id"
    )
    found = cast("list[tuple[bytes, str, float]]", rows)
    return [(VideoId(id_text(video)), kind, value) for video, kind, value in found]


def agreement_of(file: ProjectFile, task_id: TaskId) -> dict[str, float]:
    """Return by method how far the last two submissions of a task agree."""
    rows = file.rows(
        "SELECT a.method, a.value FROM task t JOIN agreement a ON a.last_id = t.last_id"
        " WHERE t.id = ? ORDER BY a.method",
        (id_bytes(task_id),),
    )
    return dict(cast("list[tuple[str, float]]", rows))


def add_activity(file: ProjectFile, counted: Mapping[Workplace, int], day: str) -> None:
    """Add active milliseconds to those of a day, as in "2026-11-21"."""
    with file.transaction() as connection:
        connection.executemany(
            "INSERT INTO activity VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET active_ms = active_ms + excluded.active_ms",
            [
                (id_bytes(place.person_id), id_bytes(place.task_id), place.stage, day, active_ms)
                for place, active_ms in counted.items()
            ],
        )


def active_ms_of_days(file: ProjectFile, person_id: PersonId, first: str, last: str) -> int:
    """Return a person's active time in a range of days, both included."""
    rows = file.rows(
        "SELECT coalesce(sum(active_ms), 0) FROM activity WHERE person_id = ?"
        " AND day BETWEEN ? AND ?",
        (id_bytes(person_id), first, last),
    )
    return cast(int, rows[0][0])


def active_ms_of_place(file: ProjectFile, place: Workplace) -> int:
    """Return a person's active time on a task at a stage."""
    rows = file.rows(
        "SELECT coalesce(sum(active_ms), 0) FROM activity"
        " WHERE person_id = ? AND task_id = ? AND stage = ?",
        (id_bytes(place.person_id), id_bytes(place.task_id), place.stage),
    )
    return cast(int, rows[0][0])


class Decision(NamedTuple):
    """Decision ("confirmed" or "dismissed") on a suspicion, with author and reason."""

    key: str
    detector: str
    state: str
    reason: str
    by: PersonId
    at: str


def decisions(file: ProjectFile) -> dict[str, Decision]:
    """Return all decisions by key."""
    rows = file.rows("SELECT key, detector, state, reason, by_id, at FROM suspicion")
    found = cast("list[tuple[str, str, str, str, bytes, str]]", rows)
    return {
        key: Decision(key, detector, state, reason, PersonId(id_text(by)), at)
        for key, detector, state, reason, by, at in found
    }


def decide(
    file: ProjectFile, found: Iterable[tuple[str, str]], state: str, reason: str, by: PersonId
) -> None:
    """Keep a decision on suspicions, given by key and detector."""
    with file.transaction() as connection:
        connection.executemany(
            "INSERT OR REPLACE INTO suspicion VALUES (?, ?, ?, ?, ?, ?)",
            [(key, detector, state, reason, id_bytes(by), now_text()) for key, detector in found],
        )


def reopen(file: ProjectFile, keys: Iterable[str]) -> None:
    """Forget decisions."""
    with file.transaction() as connection:
        connection.executemany("DELETE FROM suspicion WHERE key = ?", [(key,) for key in keys])


def scans(file: ProjectFile) -> dict[VideoId, tuple[str, bytes]]:
    """Return the scan result (JSON) of each video, with the state it was computed from."""
    rows = file.rows("SELECT video_id, state, body FROM video_scan")
    found = cast("list[tuple[bytes, str, bytes]]", rows)
    return {VideoId(id_text(video)): (state, body) for video, state, body in found}


def keep_scan(file: ProjectFile, video_id: VideoId, state: str, body: bytes) -> None:
    """Keep the result of a scan in the place of an earlier one."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO video_scan VALUES (?, ?, ?)", (id_bytes(video_id), state, body)
        )
