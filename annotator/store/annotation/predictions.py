"""Predictions of models in the project file, and the drafts they were offered in."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple, cast

from annotator.domain.ids import DraftId, VideoId
from annotator.store.columns import id_bytes, id_text
from annotator.store.file.project import ProjectFile
from annotator.store.file.readable import Readable

_COLUMNS = "id, video_id, model, version, file, sha256, body"


class StoredPrediction(NamedTuple):
    """Prediction of a model for a video; ``body`` is its canonical JSON."""

    id: str
    video_id: VideoId
    model: str
    version: str
    file: str
    sha256: str
    body: bytes


def add_prediction(connection: sqlite3.Connection, prediction: StoredPrediction) -> None:
    """Keep a prediction."""
    connection.execute(
        "INSERT INTO prediction VALUES (?, ?, ?, ?, ?, ?, ?)",
        (id_bytes(prediction.id), id_bytes(prediction.video_id), *prediction[2:]),
    )


def predictions_of(file: Readable, video_id: VideoId) -> list[StoredPrediction]:
    """Return the predictions for a video, oldest first."""
    rows = file.rows(
        f"SELECT {_COLUMNS} FROM prediction WHERE video_id = ? ORDER BY id", (id_bytes(video_id),)
    )
    return [_stored(row) for row in rows]


def predicted_since(file: Readable, since: int) -> set[VideoId]:
    """Return the videos that got a prediction after an instant, in milliseconds."""
    rows = file.rows(
        "SELECT DISTINCT video_id FROM prediction WHERE id > ?",
        # IDs begin with the instant they were made.
        ((since + 1).to_bytes(6, "big"),),
    )
    return {VideoId(id_text(cast(bytes, key))) for (key,) in rows}


def models(file: Readable) -> list[tuple[str, str]]:
    """Return name and version of all models that there are predictions of."""
    rows = file.rows("SELECT DISTINCT model, version FROM prediction ORDER BY model, version")
    return cast("list[tuple[str, str]]", list(rows))


def has_prediction(
    file: Readable, video_id: VideoId, model: str, version: str, sha256: str
) -> bool:
    """Return whether the predictions of a file are there already for a video."""
    rows = file.rows(
        "SELECT 1 FROM prediction"
        " WHERE video_id = ? AND model = ? AND version = ? AND sha256 = ? LIMIT 1",
        (id_bytes(video_id), model, version, sha256),
    )
    return bool(list(rows))


def is_waiting(file: Readable, video_id: VideoId, draft_id: DraftId) -> bool:
    """Return whether there are predictions that a draft of the video has not been offered."""
    rows = file.rows(
        "SELECT 1 FROM prediction WHERE video_id = ? AND id NOT IN"
        " (SELECT prediction_id FROM prediction_offered WHERE draft_id = ?) LIMIT 1",
        (id_bytes(video_id), id_bytes(draft_id)),
    )
    return bool(list(rows))


def waiting(file: Readable, video_id: VideoId, draft_id: DraftId) -> list[StoredPrediction]:
    """Return the predictions that a draft of the video has not been offered, oldest first."""
    rows = file.rows(
        f"SELECT {_COLUMNS} FROM prediction WHERE video_id = ? AND id NOT IN"
        " (SELECT prediction_id FROM prediction_offered WHERE draft_id = ?) ORDER BY id",
        (id_bytes(video_id), id_bytes(draft_id)),
    )
    return [_stored(row) for row in rows]


def note_offered(file: ProjectFile, draft_id: DraftId, prediction_id: str) -> None:
    """Remember that a draft has got a prediction."""
    with file.transaction() as connection:
        connection.execute(
            "INSERT OR IGNORE INTO prediction_offered VALUES (?, ?)",
            (id_bytes(draft_id), id_bytes(prediction_id)),
        )


def _stored(row: object) -> StoredPrediction:
    found = cast("tuple[bytes, bytes, str, str, str, str, bytes]", row)
    return StoredPrediction(id_text(found[0]), VideoId(id_text(found[1])), *found[2:])
