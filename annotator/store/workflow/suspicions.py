"""Decisions on suspicious annotations, and the scans of videos that some are found by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from annotator.domain.ids import PersonId, VideoId
from annotator.store.columns import id_bytes, id_text, now_text
from annotator.store.file.project import ProjectFile


class Decision(NamedTuple):
    """State ("confirmed" or "dismissed") of a suspicion, with who said so and why."""

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
    """Return of each scanned video what it was computed from, and the result (JSON)."""
    rows = file.rows("SELECT video_id, state, body FROM video_scan")
    found = cast("list[tuple[bytes, str, bytes]]", rows)
    return {VideoId(id_text(video)): (state, body) for video, state, body in found}


def keep_scan(file: ProjectFile, video_id: VideoId, state: str, body: bytes) -> None:
    """Keep the result of a scan in the place of an earlier one."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO video_scan VALUES (?, ?, ?)", (id_bytes(video_id), state, body)
        )
