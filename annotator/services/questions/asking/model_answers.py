"""Answers of models: imported with their items, shown in forms where the recipe allows it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.annotation.canonical import canonical_bytes, document_value, plain_value
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.checks import Finding
from annotator.domain.errors import ExchangeError, ProjectError
from annotator.domain.forms.answer_checks import options_of
from annotator.domain.ids import DraftId, ItemId, VideoId, new_id
from annotator.domain.plurals import many
from annotator.domain.proposals.model_predictions import Model
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.visibility import (
    PredictedAnswer,
    predicted_field,
    predicted_value,
)
from annotator.store.annotation import predictions
from annotator.store.annotation.predictions import StoredPrediction
from annotator.store.catalog import videos
from annotator.store.questions.items import ItemFilter

if TYPE_CHECKING:
    from annotator.domain.recipes.recipe import TaskType
    from annotator.services.project.projects import OpenProject
    from annotator.store.file.readable import Readable

_SOURCES = ("key", "qid", "id")
"""Where the source of an item keeps the ID that it had in the file it came from."""


@dataclass(frozen=True, slots=True)
class ImportedAnswers:
    """Numbers of new and known predicted answers, and the omitted ones."""

    n_answers: int
    n_known: int
    findings: tuple[Finding, ...]


def import_answers(
    project: OpenProject, path: Path, model: str = "", version: str = ""
) -> ImportedAnswers:
    """Keep the answers of a model, by default named like the file, to items; leads only.

    Items are found by their ID, or by that of the file they were imported from. ExchangeError for
    a bad file, and where no answer belongs to an item that may show it.
    """
    from annotator.exchange.question_answers import read_answers

    project.work.people.check_lead()
    read = read_answers(path)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    named_model = Model(model.strip() or path.stem, version.strip(), path.name, digest)
    named = _items_by_name(project)
    kinds = {t.kind: t for t in project.work.recipe.task_types if _may_show(t)}
    answers_of: dict[VideoId, dict[ItemId, PredictedAnswer]] = {}
    left_out: dict[str, list[str]] = {}
    for name, given_answers in read.answers.items():
        item = named.get(name)
        task_type = kinds.get(item.kind) if item is not None else None
        if item is None:
            left_out.setdefault("the project has no item with this ID", []).append(name)
        elif task_type is None:
            text = "the recipe does not show predicted answers in tasks of its kind"
            left_out.setdefault(text, []).append(name)
        elif not _is_answer(task_type, item, given_answers.text):
            left_out.setdefault("the text is not an answer to the item", []).append(name)
        else:
            about = answers_of.setdefault(item.video_ids[0], {})
            about[item.id] = PredictedAnswer(
                named_model.name, given_answers.text, given_answers.confidence
            )
    findings = [*read.findings]
    for why, names in left_out.items():
        text = f"Skipped {many(len(names), 'answer')}: {why}, for example “{names[0][:80]}”."
        findings.append(Finding("bad-record", path.name, text))
    if not answers_of:
        why = next(iter(left_out), "it has no valid answers")
        raise ExchangeError(
            f"No answer was imported: {why}.",
            hint="Add “shows_predictions = true” to a stage of the recipe with one rater."
            if "recipe" in why
            else "“annotator questions list” shows the IDs of the items.",
            where=str(path),
        )
    n_new = n_known = 0
    for video_id, answers in answers_of.items():
        is_new = _keep(project, video_id, named_model, answers)
        n_new, n_known = n_new + is_new * len(answers), n_known + (not is_new) * len(answers)
    return ImportedAnswers(n_new, n_known, tuple(findings))


def predicted_answers(
    file: Readable, video_id: VideoId, items: Collection[ItemId]
) -> dict[ItemId, tuple[PredictedAnswer, ...]]:
    """Return the answers of models to items about a video, in order of import."""
    found: dict[ItemId, tuple[PredictedAnswer, ...]] = {}
    for row in predictions.predictions_of(file, video_id):
        for item_id, answer in _answers_in(row).items():
            if item_id in items:
                found[item_id] = (*found.get(item_id, ()), answer)
    return found


def for_items(
    row: StoredPrediction, video: VideoInfo, items: Collection[ItemId]
) -> StoredPrediction | None:
    """Return a prediction with nothing but the answers to some items; None where it has none."""
    answers = {key: told for key, told in _answers_in(row).items() if key in items}
    if not answers:
        return None
    return row._replace(id=new_id(), body=_body(video, answers))


def _keep(
    project: OpenProject,
    video_id: VideoId,
    model: Model,
    answers: Mapping[ItemId, PredictedAnswer],
) -> bool:
    told = model.name, model.version
    if predictions.has_prediction(project.file, video_id, *told, model.sha256):
        return False
    stored = videos.find_video(project.file, video_id)
    assert stored is not None
    body = _body(stored.info, answers)
    row = StoredPrediction(new_id(), video_id, *told, model.file, model.sha256, body)
    with project.file.transaction() as connection:
        predictions.add_prediction(connection, row)
    return True


def _body(video: VideoInfo, answers: Mapping[ItemId, PredictedAnswer]) -> bytes:
    value = document_value(Document(DraftId(""), video))
    listed = {str(key): [told.text, told.confidence] for key, told in answers.items()}
    return canonical_bytes({**value, "scores": {}, "predicted_answers": listed})


def _answers_in(row: StoredPrediction) -> dict[ItemId, PredictedAnswer]:
    """Return the answers in a prediction; ProjectError where they are damaged."""
    try:
        listed = plain_value(row.body).get("predicted_answers", {})
        return {
            ItemId(str(key)): PredictedAnswer(
                row.model, str(text), None if sure is None else min(1.0, max(0.0, float(sure)))
            )
            for key, (text, sure) in listed.items()
        }
    except (TypeError, ValueError, AttributeError) as error:
        raise ProjectError(
            f"Cannot read the answers of “{row.model[:200]}”: they are damaged.",
            hint="Import the file of the model again.",
        ) from error


def _items_by_name(project: OpenProject) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for _, item in project.questions.list(ItemFilter()):
        if item.video_ids:
            found[str(item.id)] = item
            told = next((item.source[key] for key in _SOURCES if key in item.source), None)
            if told is not None:
                found.setdefault(str(told), item)
    return found


def _may_show(task_type: TaskType) -> bool:
    return any(stage.shows_predictions for stage in task_type.stages)


def _is_answer(task_type: TaskType, item: Item, text: str) -> bool:
    field = predicted_field(task_type.form) if task_type.form is not None else None
    return field is not None and (predicted_value(field, options_of(field, item), text) is not None)
