"""Rows of the last position of people, per computer."""

from __future__ import annotations

from typing import cast

from annotator.store.columns import now_text
from annotator.store.file.project import ProjectFile


def load_view(file: ProjectFile) -> str | None:
    """Return the state saved here last, else the newest from elsewhere, as the JSON it was."""
    rows = file.rows(
        "SELECT state FROM view_state ORDER BY replica_id IS NOT ?, saved_at DESC LIMIT 1",
        (file.replica_id,),
    )
    return cast(str, rows[0][0]) if rows else None


def save_view(file: ProjectFile, state: str) -> None:
    """Keep the state of this machine's window as JSON."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO view_state VALUES (?, ?, ?)",
            (file.author()[1], state, now_text()),
        )
