"""Resolution of a parallel stage after its last submission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotator.domain.annotation.canonical import canonical_bytes, content_id, plain_value
from annotator.domain.answer import Answer, Flagged, answer_plain
from annotator.domain.forms.field import Form
from annotator.domain.ids import ItemId, SubmissionId
from annotator.domain.questions.answer_groups import Merges
from annotator.domain.questions.answer_resolution import (
    NOT_UNANIMOUS,
    PersonAnswers,
    ResolvedItem,
    adjudicated,
    reason_text,
    settle,
)
from annotator.domain.questions.items.item import Item, ItemState
from annotator.domain.recipes.recipe import Act, Resolution, StageSpec, TaskType
from annotator.domain.work.acts import Decide, RequestRater
from annotator.domain.work.codec import verdict_value
from annotator.domain.work.records import Assignment, TaskRecord, Verdict, VerdictKind
from annotator.services.questions.voting.vote_counting import answers_in
from annotator.store.columns import now_text
from annotator.store.file.project import ProjectFile
from annotator.store.questions import items, votes
from annotator.store.questions.votes import merges_of
from annotator.store.workflow import submissions, travel
from annotator.store.workflow.travel import Arrival


def resolve_stage(
    file: ProjectFile, record: TaskRecord, task_type: TaskType
) -> Decide | RequestRater | None:
    """Resolve a parallel stage after its last submission; None for tasks without questions.

    Within the transaction of the caller. The resolution is stored as a submission that names its
    sources; open items are asked once more.
    """
    stage = task_type.stage(record.stage)
    if task_type.form is None or stage is None:
        return None
    if record.is_adjudicating:
        return _adjudicated(file, record, task_type.form, stage)
    if file.meta(travel.ORIGIN) is not None:
        return None
    outcome_of = settled(file, record, task_type.form, stage)
    with file.transaction() as connection:
        for item_id, outcome in outcome_of.items():
            items.set_state(connection, [item_id], outcome.state, outcome.why)
        if any(outcome.state is ItemState.OPEN for outcome in outcome_of.values()):
            return RequestRater()
        answers = (answer for outcome in outcome_of.values() for answer in outcome.answers)
        result = _result(file, record, stage, answers)
    return Decide(None, _verdict(stage), result, stage.resolution)


def _adjudicated(
    file: ProjectFile, record: TaskRecord, form: Form, stage: StageSpec
) -> Decide | None:
    """Return the decision of an adjudicator: their submission where it keeps to the vote, else a
    result with the answers of the vote in place of theirs.

    In a copy made from a work package there are no votes; the lead's copy puts them together.
    """
    (submission,) = [a.counted for a in record.current if a.counted is not None][-1:]
    decisions = answers_in(submissions.read_body(file, submission.submission_id))
    is_copy = file.meta(travel.ORIGIN) is not None
    voted = {} if is_copy else _voted(file, record, form, stage)
    answers = adjudicated(
        voted, {answer.key: answer for answer in decisions}, may_overrule=stage.may_overrule
    )
    result = submission.submission_id
    if {a.key: a.value for a in answers} != {a.key: a.value for a in decisions}:
        with file.transaction():
            result = _result(file, record, stage, answers)
    return Decide(None, _verdict(stage), result, Resolution.ADJUDICATION.value)


def _voted(
    file: ProjectFile, record: TaskRecord, form: Form, stage: StageSpec
) -> dict[ItemId, tuple[Answer, ...]]:
    """Return the answers to the items that the votes of a task's visit resolved."""
    found = settled(file, record, form, stage)
    return {i: each.answers for i, each in found.items() if each.state is ItemState.DECIDED}


def resolve_again(file: ProjectFile, record: TaskRecord, task_type: TaskType) -> Decide | None:
    """Resolve a complete task again, after answers were merged.

    Resolved items stay; items discarded for a disagreement are resolved if there is none now.
    Within the transaction of the caller.
    """
    stage = task_type.stage(record.stage)
    if task_type.form is None or stage is None or record.base_id is None:
        return None
    found = items_resolved_again(file, record, task_type.form, stage)
    with file.transaction() as connection:
        items.set_state(connection, found, ItemState.DECIDED)
        decided = answers_in(submissions.read_body(file, record.base_id))
        answers = [*decided, *(answer for each in found.values() for answer in each.answers)]
        result = _result(file, record, stage, answers)
    return Decide(None, _verdict(stage), result, stage.resolution)


def items_resolved_again(
    file: ProjectFile, record: TaskRecord, form: Form, stage: StageSpec
) -> dict[ItemId, ResolvedItem]:
    """Return the items of a task that were taken out because people differed, where by now their
    answers are the same: merged since then.
    """
    with file.reading() as connection:
        asked = {item.id: item for item in items.items_of(connection, record.id)}
    return {
        item_id: each
        for item_id, each in settled(file, record, form, stage).items()
        if each.state is ItemState.DECIDED and _is_out(asked[item_id])
    }


def settled(
    file: ProjectFile,
    record: TaskRecord,
    form: Form,
    stage: StageSpec,
) -> dict[ItemId, ResolvedItem]:
    """Return what the votes of a task's visit come to, open answers that were merged being one;
    items taken out before stay out, but for those that were because the visit's votes differ.
    """
    rows = votes.votes_of(file, record.id, visit=record.visit)
    voted = {row.item_id for row in rows}
    with file.reading() as connection:
        asked_items = [
            item
            for item in items.items_of(connection, record.id)
            if not _is_out(item) or (item.why_discarded == NOT_UNANIMOUS and item.id in voted)
        ]
    answers_of_people = [PersonAnswers(row.person_id, votes.answer_of(row)) for row in rows]
    questions = {item.id: item.text for item in asked_items}
    merges = Merges(merges_of(file, record.kind))
    return settle(
        form,
        questions,
        answers_of_people,
        stage,
        lambda item, field: merges.of(field, questions[item]),
    )


def decided_so_far(file: ProjectFile, record: TaskRecord, task_type: TaskType) -> list[Answer]:
    """Return the resolved answers of a task during adjudication."""
    stage = task_type.stage(record.stage)
    if task_type.form is None or stage is None:
        return []
    voted = _voted(file, record, task_type.form, stage)
    return [answer for answers in voted.values() for answer in answers]


def note_decided(file: ProjectFile, record: TaskRecord, task_type: TaskType) -> None:
    """Store that all open items of a task are decided.

    What that one person flagged is taken out, with the reason.
    """
    stage = task_type.stage(record.stage)
    wanted = {ItemState.OPEN}
    if stage is not None and stage.raters == 1:
        wanted.add(ItemState.DECIDED)  # by those before, whose results this person has looked over
    with file.transaction() as connection:
        found = [i.id for i in items.items_of(connection, record.id) if i.state in wanted]
        flags = _flags(file, record, task_type) if found else {}
        items.set_state(connection, set(found) - flags.keys(), ItemState.DECIDED)
        for item_id in flags.keys() & set(found):
            items.set_state(connection, [item_id], ItemState.DISCARDED, flags[item_id])


def _flags(file: ProjectFile, record: TaskRecord, task_type: TaskType) -> dict[ItemId, str]:
    """Return why items were flagged in what the task came to."""
    if record.base_id is None or task_type.form is None:
        return {}
    return {
        answer.key.item_id: reason_text(task_type.form, answer)
        for answer in answers_in(submissions.read_body(file, record.base_id))
        if isinstance(answer.value, Flagged)
    }


def _is_out(item: Item) -> bool:
    return item.state is ItemState.DISCARDED


def _result(
    file: ProjectFile,
    record: TaskRecord,
    stage: StageSpec,
    answers: Iterable[Answer],
) -> SubmissionId:
    """Store the resolution beside the last counted submission."""
    counted = [(a, a.counted) for a in record.current if a.counted is not None]
    last, submission = counted[-1]
    assert submission is not None
    value: dict[str, Any] = plain_value(submissions.read_body(file, submission.submission_id))
    value.pop("comments", None)
    value.pop("answers", None)
    ordered = sorted(answers, key=lambda a: a.key)
    if ordered:
        value["answers"] = [answer_plain(answer) for answer in ordered]
    value["verdict"] = verdict_value(Verdict(_verdict(stage)))
    value["resolution"] = {
        "method": stage.resolution.value,
        "agreeing": stage.agreeing if stage.resolution is Resolution.K_OF_N else None,
        "counted": [
            counted_event.submission_id for _, counted_event in counted if counted_event is not None
        ],
    }
    arrival = _arrival(value, last)
    with file.transaction() as connection:
        if not travel.has_submission(connection, arrival.id):
            travel.take_in(connection, file.author()[1], arrival)
    return arrival.id


def _verdict(stage: StageSpec) -> VerdictKind:
    return VerdictKind.DONE if stage.act is Act.ANNOTATE else VerdictKind.APPROVE


def _arrival(value: Mapping[str, Any], last: Assignment) -> Arrival:
    body = canonical_bytes(value)
    return Arrival(
        SubmissionId(content_id(body)),
        value["task_id"],
        last.id,
        last.person_id,
        int(value["revision"]),
        body,
        value["format"],
        value["media_hash"],
        value["recipe"],
        now_text(),
        value["parent_id"],
    )
