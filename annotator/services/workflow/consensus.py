"""Resolution of a parallel stage in which something is drawn, and the origin of each part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

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
from annotator.domain.work.acts import Decide, RequestRater
from annotator.domain.work.codec import verdict_value
from annotator.domain.work.records import TaskStatus, Verdict, VerdictKind
from annotator.services.matching import assigned
from annotator.store.catalog import videos
from annotator.store.catalog.people import read_people
from annotator.store.columns import now_text
from annotator.store.workflow import submissions, tasks, travel

if TYPE_CHECKING:
    from annotator.domain.ids import PersonId, SubmissionId
    from annotator.domain.json_type import Json
    from annotator.domain.recipes.recipe import StageSpec, TaskType
    from annotator.domain.work.records import Assignment, Instant, TaskRecord
    from annotator.services.project.projects import OpenProject
    from annotator.services.tables import Cell
    from annotator.store.file.project import ProjectFile

COLUMNS: Final = (
    *("video", "task_type", "id", "label", "part", "first_frame", "last_frame"),
    *("raters", "decided_by", "is_result"),
)
_MEAN, _MEDIAN, _ADJUDICATOR = "mean", "median", "adjudicator"


def provenance_rows(project: OpenProject) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each keyframe, run of marks and edge of complete tasks, under `COLUMNS`.

    ``raters`` are those whose places were averaged, ``decided_by`` is mean, median, rater (one
    alone drew it) or the name of the adjudicator. ``is_result`` is 0 where a later stage has
    corrected the work since. Leads only.
    """
    project.work.people.check_lead()
    names = {person.id: person.name for person in project.work.people.all()}
    videos = {video.id: video.name for video in project.videos()}
    for task_type in project.work.recipe.task_types:
        if task_type.form is not None or all(stage.raters == 1 for stage in task_type.stages):
            continue
        with project.file.reading() as connection:
            complete_tasks = tasks.tasks_of_kind(connection, task_type.kind, TaskStatus.COMPLETE)
        for task_id in complete_tasks:
            record = project.work.record(task_id)
            for row in _of_task(project, record, names):
                yield (videos[record.video_id], task_type.kind, *row)


def _of_task(
    project: OpenProject, record: TaskRecord, names: dict[Any, str]
) -> Iterator[tuple[Cell, ...]]:
    candidates = dict.fromkeys([record.base_id, *reversed(record.counted)])
    for name in candidates:
        body = _body(project, name) if name is not None else {}
        resolution = body.get("resolution")
        if isinstance(resolution, dict) and "sources" in resolution:
            is_result = int(name == record.base_id)
            for row in _SourceWords(project, body, resolution, names).rows():
                yield (*row, is_result)
            return


class _SourceWords:
    """Words for the sources of one submission."""

    def __init__(
        self,
        project: OpenProject,
        body: dict[str, Any],
        resolution: dict[str, Any],
        names: dict[Any, str],
    ) -> None:
        self._body, self._sources = body, resolution["sources"]
        self._raters = [
            names.get(_body(project, key).get("person_id"), "?") for key in resolution["counted"]
        ]
        is_adjudicated = resolution["method"] == "adjudication"
        self._adjudicator = names.get(body["person_id"], "?") if is_adjudicated else _ADJUDICATOR

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yield identifier, label, part, first and last frame, raters and who decided."""
        labels = {
            entry["id"]: entry.get("label", "")
            for kind in ("tracks", "points", "segments")
            for entry in self._body.get(kind, ())
        }
        for name, origin in self._sources["tracks"].items():
            for frame, raters in origin["keyframes"]:
                yield (name, labels.get(name, ""), "keyframe", frame, frame, *self._by(raters))
        for name, origin in self._sources["points"].items():
            for start, end, raters in origin["marks"]:
                yield (name, labels.get(name, ""), "marks", start, end - 1, *self._by(raters))
        for name, origin in self._sources["segments"].items():
            drew = ", ".join(self._raters[rater] for rater in origin["raters"])
            for edge in ("start", "end"):
                by = origin[edge]["by"]
                decided = self._adjudicator if by == _ADJUDICATOR else by
                frames = origin[edge]["frames"].values()
                low, high = min(frames, default=0), max(frames, default=0)
                yield (name, labels.get(name, ""), edge, low, high, drew, decided)
        for name in self._sources["removed"]:
            yield (name, "", "removed", "", "", "", self._adjudicator)

    def _by(self, raters: list[int]) -> tuple[str, str]:
        told = ", ".join(self._raters[rater] for rater in raters)
        if not raters:
            return told, self._adjudicator
        return told, _MEAN if len(raters) > 1 else "rater"


def _body(project: OpenProject, name: SubmissionId) -> dict[str, Any]:
    found: dict[str, Any] = plain_value(submissions.read_body(project.file, name))
    return found


Names = Mapping["PersonId", str]


def merge_drawn(
    file: ProjectFile, record: TaskRecord, stage: StageSpec, names: Names
) -> Decide | RequestRater | None:
    """Return what follows when all raters of a task have drawn: the merged work is the result, or
    another rater is asked where they differ.

    Within the transaction of the caller. None in a copy made from a work package: the lead's copy
    decides.
    """
    if file.meta(travel.ORIGIN) is not None:
        return None
    consensus = merged(file, record, stage, names)
    if consensus.disputes:
        return RequestRater()
    verdict = VerdictKind.DONE if stage.act is Act.ANNOTATE else VerdictKind.APPROVE
    result = _store_result(file, record, stage, consensus, verdict)
    return Decide(None, verdict, result, stage.resolution.value)


def merged(file: ProjectFile, record: TaskRecord, stage: StageSpec, names: Names) -> Consensus:
    """Return the merged work of the raters of a task's visit, and where they differ."""
    stored = videos.find_video(file, record.video_id)
    assert stored is not None
    found = [
        RaterVersion(
            names.get(each.person_id, "?"),
            read_document(
                submissions.read_body(file, submission.submission_id), DraftId(""), stored.info
            ),
        )
        for each in record.current
        if (submission := each.counted) is not None
    ]
    return consensus(found, needed(stage, len(found)), assigned)


def needed(stage: StageSpec, n_raters: int) -> int:
    """Return how many raters have to agree."""
    if stage.resolution is Resolution.MAJORITY:
        return n_raters // 2 + 1
    return stage.agreeing if stage.resolution is Resolution.K_OF_N else n_raters


def for_adjudicator(found: Consensus, person_id: PersonId, at: Instant) -> Document:
    """Return the start of an adjudication: merged work, with a comment for each dispute."""
    document = found.document
    comments = [
        Comment(CommentId(new_id()), person_id, at, dispute.text, dispute.pin)
        for dispute in found.disputes
    ]
    drawn = document.tracks, document.segments, document.points
    return Document(DraftId(""), document.video, *drawn, comments)


def adjudicated(file: ProjectFile, record: TaskRecord, task_type: TaskType) -> Consensus | None:
    """Return the agreed parts of a task during adjudication; else None."""
    stage = task_type.stage(record.stage)
    if not record.is_adjudicating or task_type.form is not None or stage is None:
        return None
    with file.reading() as connection:
        names = {person.id: person.name for person in read_people(connection)}
    return merged(file, record, stage, names)


def adjudication_of(
    file: ProjectFile, record: TaskRecord, task_type: TaskType, final: Document
) -> dict[str, Json] | None:
    """Return the adjudication in a submission; None for other submissions."""
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


def _store_result(
    file: ProjectFile,
    record: TaskRecord,
    stage: StageSpec,
    consensus: Consensus,
    verdict: VerdictKind,
) -> SubmissionId:
    """Store the merged work as a submission of the assignment that was submitted last."""
    counted = [(a, a.counted) for a in record.current if a.counted is not None]
    last, submission = counted[-1]
    assert submission is not None
    document = consensus.document
    head: dict[str, Any] = plain_value(submissions.read_body(file, submission.submission_id))
    for key in ("comments", "answers", *document_value(document)):
        head.pop(key, None)
    head["verdict"] = verdict_value(Verdict(verdict))
    head["resolution"] = _resolution(stage.resolution.value, record, stage, consensus, document)
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
