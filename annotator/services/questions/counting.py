"""From submissions to votes, and the check of answers that come from elsewhere."""

from __future__ import annotations

from typing import Any

import msgspec

from annotator.domain.document import Document
from annotator.domain.errors import EditError, ProjectError
from annotator.domain.forms.checking import checked, counted
from annotator.domain.forms.codec import answer_from
from annotator.domain.forms.value import Answer
from annotator.domain.recipe import TaskType
from annotator.domain.work.events import Submitted
from annotator.domain.work.records import TaskRecord
from annotator.services.questions.disguise import revealed
from annotator.services.questions.forms import form_under, version_of
from annotator.services.recipes import ProjectRecipe
from annotator.store import items, submissions, votes
from annotator.store.project import ProjectFile
from annotator.store.votes import Sheet


class _Body(msgspec.Struct):
    answers: list[dict[str, Any]] = []


_bodies = msgspec.json.Decoder(_Body)


def answers_in(body: bytes) -> list[Answer]:
    """Return what was answered in a submission, without reading what was drawn."""
    return [answer_from(each) for each in _bodies.decode(body).answers]


def count(
    file: ProjectFile,
    recipe: ProjectRecipe,
    before: TaskRecord,
    task_type: TaskType,
    event: Submitted,
) -> None:
    """Let the answers of a submission that counted be votes.

    Those to fields that were not asked do not count, nor does what an adjudicator says: that is the
    decision itself. ``before`` is where the task stood.
    """
    held = before.assignment(event.assignment_id)
    if task_type.form is None or held is None or before.is_adjudicating:
        return
    given = answers_in(submissions.read_body(file, event.submission_id))
    form = form_under(recipe, before.kind, version_of(recipe, given))
    if form is None:
        return
    answers = {answer.key: answer for answer in given}
    sheet = Sheet(before.id, held.stage, held.visit, held.person_id, event.submission_id)
    with file.transaction() as connection:
        kept: list[Answer] = []
        for item in items.items_of(connection, before.id):
            kept += counted(form, item, answers).values()
        votes.write_votes(connection, sheet, kept)


def check_answers(
    file: ProjectFile, recipe: ProjectRecipe, record: TaskRecord, document: Document
) -> None:
    """Refuse a document whose answers could not have been given; ProjectError says which."""
    with file.reading() as connection:
        checks = {item.id: item for item in items.checks_of(connection, record.kind)}
        asked = checks | {item.id: item for item in items.items_of(connection, record.id)}
    for held in record.assignments:
        names = revealed(file, held.id)
        asked |= {name: checks[key] for name, key in names.items() if key in checks}
    given = document.answers.values()
    form = form_under(recipe, record.kind, version_of(recipe, given))
    for answer in given:
        item = asked.get(answer.key.item_id)
        field = form.field(answer.key.field) if form is not None else None
        if item is None or field is None or form is None:
            raise _damaged("it answers what was not asked")
        if not 0 <= answer.key.entry < form.entries[1]:
            raise _damaged("it answers something more often than it was asked")
        try:
            checked(field, item, answer.value, document)
        except EditError as error:
            raise _damaged(str(error)) from error


def _damaged(why: str) -> ProjectError:
    return ProjectError(
        f"A submission cannot be taken over: {why}",
        hint="Nothing was taken over. Ask its author for the file again.",
    )
