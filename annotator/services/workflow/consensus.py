"""Resolution of a parallel stage in which something is drawn: the merged work of its raters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from annotator.domain.annotation.canonical import (
    canonical_bytes,
    content_id,
    document_value,
    plain_value,
    read_document,
)
from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.document import Document
from annotator.domain.ids import CommentId, DraftId, SubmissionId, new_id
from annotator.domain.recipes.recipe import Act, Resolution
from annotator.domain.review.adjudication import sources
from annotator.domain.review.consensus import Consensus, RaterVersion, consensus
from annotator.domain.work.acts import AskOneMore, Decide
from annotator.domain.work.codec import verdict_value
from annotator.domain.work.records import Verdict, VerdictKind
from annotator.services.matching import assigned
from annotator.store.catalog import videos
from annotator.store.catalog.people import read_people
from annotator.store.columns import now_text
from annotator.store.workflow import submissions, travel

if TYPE_CHECKING:
    from annotator.domain.ids import PersonId
    from annotator.domain.json_type import Json
    from annotator.domain.recipes.recipe import StageSpec, TaskType
    from annotator.domain.work.records import Assignment, Instant, TaskRecord
    from annotator.store.file.project import ProjectFile

Names = Mapping["PersonId", str]


def merge_drawn(
    file: ProjectFile, record: TaskRecord, stage: StageSpec, names: Names
) -> Decide | AskOneMore | None:
    """Return what follows when all raters of a task have drawn: the merged work is the result, or
    somebody more is asked where they differ.

    Within the transaction of the caller. None in a copy made from a work package: the lead's copy
    decides.
    """
    if file.meta(travel.ORIGIN) is not None:
        return None
    found = merged(file, record, stage, names)
    if found.disputes:
        return AskOneMore()
    verdict = VerdictKind.DONE if stage.act is Act.ANNOTATE else VerdictKind.APPROVE
    result = _kept(file, record, stage, found, verdict)
    return Decide(None, verdict, result, stage.resolution.value)


def merged(file: ProjectFile, record: TaskRecord, stage: StageSpec, names: Names) -> Consensus:
    """Return the merged work of the raters of a task's visit, and where they differ."""
    stored = videos.find_video(file, record.video_id)
    assert stored is not None
    found = [
        RaterVersion(
            names.get(each.person_id, "?"),
            read_document(
                submissions.read_body(file, handed.submission_id), DraftId(""), stored.info
            ),
        )
        for each in record.current
        if (handed := each.counted) is not None
    ]
    return consensus(found, needed(stage, len(found)), assigned)


def needed(stage: StageSpec, n_raters: int) -> int:
    """Return how many raters have to agree."""
    if stage.resolution is Resolution.MAJORITY:
        return n_raters // 2 + 1
    return stage.agreeing if stage.resolution is Resolution.K_OF_N else n_raters


def for_adjudicator(found: Consensus, person_id: PersonId, at: Instant) -> Document:
    """Return what an adjudicator begins with: the merged work, and a comment for each dispute."""
    document = found.document
    comments = [
        Comment(CommentId(new_id()), person_id, at, dispute.text, dispute.pin)
        for dispute in found.disputes
    ]
    drawn = document.tracks, document.segments, document.points
    return Document(DraftId(""), document.video, *drawn, comments)


def adjudicated(file: ProjectFile, record: TaskRecord, task_type: TaskType) -> Consensus | None:
    """Return what the raters of a task agreed on, if it is an adjudicator's turn; else None."""
    stage = task_type.stage(record.stage)
    if not record.is_adjudicating or task_type.form is not None or stage is None:
        return None
    with file.reading() as connection:
        names = {person.id: person.name for person in read_people(connection)}
    return merged(file, record, stage, names)


def adjudication_of(
    file: ProjectFile, record: TaskRecord, task_type: TaskType, final: Document
) -> dict[str, Json] | None:
    """Return what the submission of an adjudicator says of the raters' work; None for others."""
    found = adjudicated(file, record, task_type)
    stage = task_type.stage(record.stage)
    if found is None or stage is None:
        return None
    return _resolution("adjudication", record, stage, found, final)


def _resolution(
    method: str, record: TaskRecord, stage: StageSpec, found: Consensus, final: Document
) -> dict[str, Json]:
    """Return how a result came about: by which rule, from which submissions, part by part."""
    counted = [a.counted.submission_id for a in record.current if a.counted is not None]
    told: dict[str, Any] = {
        "method": method,
        "agreeing": needed(stage, len(counted)),
        "counted": counted,
        "sources": sources(found, final),
    }
    return told


def _kept(
    file: ProjectFile,
    record: TaskRecord,
    stage: StageSpec,
    found: Consensus,
    verdict: VerdictKind,
) -> SubmissionId:
    """Store the merged work as a submission of the assignment that was submitted last."""
    counted = [(a, a.counted) for a in record.current if a.counted is not None]
    last, handed = counted[-1]
    assert handed is not None
    document = found.document
    head: dict[str, Any] = plain_value(submissions.read_body(file, handed.submission_id))
    for key in ("comments", "answers", *document_value(document)):
        head.pop(key, None)
    head["verdict"] = verdict_value(Verdict(verdict))
    head["resolution"] = _resolution(stage.resolution.value, record, stage, found, document)
    body = canonical_bytes({**head, **document_value(document)})
    arrival = _arrival(head, body, last)
    with file.transaction() as connection:
        if not travel.has_submission(connection, arrival.id):
            travel.take_in(connection, file.author()[1], arrival)
    return arrival.id


def _arrival(head: Mapping[str, Any], body: bytes, last: Assignment) -> travel.Arrival:
    return travel.Arrival(
        SubmissionId(content_id(body)),
        head["task_id"],
        last.id,
        last.person_id,
        int(head["revision"]),
        body,
        head["format"],
        head["media_hash"],
        head["recipe"],
        now_text(),
        head["parent_id"],
    )
