"""Predictions of models: kept for a video, and offered as proposals in the drafts of its tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.canonical import (
    canonical_bytes,
    document_value,
    plain_value,
    read_document,
)
from annotator.domain.annotation.segment import PROPOSED_BY
from annotator.domain.commands import (
    AddImported,
    Command,
    DeletePoints,
    DeleteSegment,
    DeleteTracks,
    Together,
)
from annotator.domain.errors import ProjectError
from annotator.domain.ids import DraftId, new_id
from annotator.domain.proposals.model_predictions import Model, PredictedContent, Prediction, offer
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import TOOL_OF
from annotator.services.background.jobs import BackgroundCall, inline
from annotator.store.annotation import predictions
from annotator.store.annotation.predictions import StoredPrediction

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from annotator.domain.annotation.document import Document, VideoInfo
    from annotator.domain.json_type import Json
    from annotator.services.session import Session
    from annotator.store.file.project import ProjectFile

_MOST_LETTERS: Final = 200


def keep(
    file: ProjectFile, model: Model, content: Document, scores: Mapping[str, Mapping[int, float]]
) -> bool:
    """Store the predictions of a model for a video; False if they are already stored.

    ``scores`` are 0..1, by the ID of a track, point or segment of ``content`` and by frame.
    """
    video_id = content.video.id
    model_key = model.name, model.version
    if predictions.has_prediction(file, video_id, *model_key, model.sha256):
        return False
    listed: dict[str, Json] = {
        key: [[frame, model_key[frame]] for frame in sorted(model_key)]
        for key, model_key in scores.items()
    }
    body = canonical_bytes({**document_value(content), "scores": listed})
    row = StoredPrediction(new_id(), video_id, *model_key, model.file, model.sha256, body)
    with file.transaction() as connection:
        predictions.add_prediction(connection, row)
    return True


def read(row: StoredPrediction, video: VideoInfo) -> Prediction:
    """Return a prediction; ProjectError where its bytes are damaged or of another video."""
    content = read_document(row.body, DraftId(""), video)
    try:
        told = plain_value(row.body)["scores"]
        scores = {str(key): _scores(found) for key, found in told.items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProjectError(
            f"Cannot read the predictions of “{row.model[:_MOST_LETTERS]}”: they are damaged.",
            hint="Import the file of the model again.",
        ) from error
    model = Model(row.model, row.version, row.file, row.sha256)
    return Prediction(row.id, model, content, scores)


def _scores(found: Iterable[tuple[int, float]]) -> dict[int, float]:
    scores = {int(frame): float(score) for frame, score in found}
    if not all(0 <= score <= 1 for score in scores.values()):
        raise ValueError("scores are 0 to 1")
    return scores


def is_waiting(file: ProjectFile, session: Session) -> bool:
    """Return whether there are predictions that a draft has not got."""
    document = session.document
    return predictions.is_waiting(file, document.video.id, document.draft_id)


def offer_waiting(file: ProjectFile, session: Session, background: BackgroundCall = inline) -> int:
    """Bring into a draft the predictions that it has not got; return how many they are.

    Each is one step of undo.
    """
    draft_id, video = session.document.draft_id, session.document.video
    rows = predictions.waiting(file, video.id, draft_id)
    for row in rows:

        def prepared(row: StoredPrediction = row) -> PredictedContent:
            return offer(read(row, video), session.document)

        _bring_in(session, row.id, background(prepared))
        predictions.note_offered(file, draft_id, row.id)
    return len(rows)


def _bring_in(session: Session, prediction_id: str, content: PredictedContent) -> None:
    tools, document = session.tools, session.document
    has_boxes, has_points = Tool.BOXES in tools, Tool.POINTS in tools
    added = AddImported(
        content.tracks if has_boxes else (),
        tuple(s for s in content.segments if TOOL_OF[s.lane] in tools),
        None,
        content.points if has_points else (),
    )
    if not (added.tracks or added.segments or added.points):
        return
    halves = _halves(document, prediction_id)
    session.run(Together((*halves, added)) if halves else added)
    if has_boxes:
        for run in content.runs:
            session.box_runs.replace(run.track_id, (run.start, run.end), [run])
    if has_points:
        for point_run in content.point_runs:
            session.point_runs.replace(
                point_run.point_id, (point_run.start, point_run.end), [point_run]
            )


def _halves(document: Document, prediction_id: str) -> list[Command]:
    """Return what removes the parts of an offer that the program ended in the middle of: it is made
    again as a whole.
    """
    tracks = tuple(
        track.id
        for track in document.tracks
        if track.is_proposed and _prediction_of(track.info.extra) == prediction_id
    )
    points = tuple(
        point.id
        for point in document.points
        if point.is_proposed and _prediction_of(point.info.extra) == prediction_id
    )
    segments = [
        segment.id
        for segment in document.segments
        if segment.is_proposed and _prediction_of(segment.extra) == prediction_id
    ]
    commands: list[Command] = [DeleteTracks(tracks)] if tracks else []
    commands += [DeletePoints(points)] if points else []
    commands += [DeleteSegment(segment) for segment in segments]
    return commands


def _prediction_of(extra: Mapping[str, Json]) -> Json:
    told = extra.get(PROPOSED_BY)
    return told.get("prediction") if isinstance(told, dict) else None
