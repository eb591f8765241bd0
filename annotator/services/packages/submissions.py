"""Submission files: export by raters, collection by leads.

A submission is named by its content, so the result is the same in any order, repeated, or from a
copy. Late and repeated submissions are stored and flagged by the rules of the workflow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.canonical import read_document
from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.errors import ProjectError, WorkError
from annotator.domain.forms.restricted_view import limited_video
from annotator.domain.ids import AssignmentId, DraftId, ItemId, PersonId, SubmissionId, TaskId
from annotator.domain.work.acts import Submit
from annotator.domain.work.records import AssignmentState, TaskRecord
from annotator.services import entry_values as values
from annotator.services.entry_values import RETURNS, Header
from annotator.services.files import protect
from annotator.services.packages.package_media import is_copy_of
from annotator.services.packages.signatures import UNSIGNED, Seal, seal_of, sign
from annotator.services.project.restricted_video import cut_frame_of
from annotator.services.questions.imported_answers import ReceivedAnswers, check_arrived
from annotator.services.workflow.sent_packages import items_in_package, origin_of, package_of
from annotator.services.workflow.submission_body import arrival_of, verdict_of
from annotator.services.workflow.transactions import WorkChanged
from annotator.store.file.failures import UNSOUND
from annotator.store.workflow import submissions, tasks, travel
from annotator.store.workflow.travel import ActiveTime, Arrival
from annotator.sync.archive import Archive, ArchiveError, archive_bytes, write_archive

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

_DAY_MS: Final = 25 * 3_600_000
"""The longest day there is, where clocks are put back."""


@dataclass(frozen=True, slots=True)
class ReturnReport:
    """Contents of a written submission file."""

    path: Path
    n_submissions: int
    n_open: int


@dataclass(frozen=True, slots=True)
class CollectReport:
    """Content of a submission file; ``flagged`` are kept but moved nothing, with the reason."""

    path: Path
    person: str
    new: tuple[SubmissionId, ...]
    n_known: int
    flagged: tuple[tuple[TaskId, str], ...]
    person_id: PersonId
    seal: Seal = UNSIGNED


def pack_submissions(project: OpenProject, path: Path) -> ReturnReport:
    """Write all submissions of this copy into a file for the lead; repeatable.

    WorkError in a project not created from a package, or before the first submission.
    """
    protect(path, project.own_files())
    header = origin_of(project)
    if header is None:
        raise WorkError(
            "Cannot write submissions: this project was not created from a work package.",
            code="no-package",
            hint="In the project of the lead, submit the task in the window instead.",
        )
    entries = travel.local_submissions(project.file)
    if not entries:
        raise WorkError(
            "There are no submissions to write.",
            code="nothing-to-do",
            hint="Submit a task first.",
        )
    write_archive(
        path,
        RETURNS,
        values.header_of(header),
        _entries(project, header, entries),
        sign=partial(sign, project),
    )
    n_open = sum(1 for task in project.tasks() if project.work.record(task.id).holders)
    return ReturnReport(path, len(entries), n_open)


def delivery_of(project: OpenProject, header: Header, submission_id: SubmissionId) -> bytes:
    """Return one submission of this copy as it is sent to a hub."""
    made = [each for each in travel.local_submissions(project.file) if each[0] == submission_id]
    entries = _entries(project, header, made)
    return archive_bytes(RETURNS, values.header_of(header), entries, sign=partial(sign, project))


def _entries(
    project: OpenProject, header: Header, entries: Sequence[tuple[SubmissionId, str, bytes]]
) -> Iterator[tuple[str, bytes]]:
    """Yield the entries of submissions, with the active times of their tasks."""
    times = [
        values.TimeRow(t.task_id, t.stage, t.day, t.active_ms)
        for t in travel.active_times(project.file, header.person_id)
    ]
    packages = {
        entry: package_id
        for entry in travel.made_assignments(project.file)
        if (package_id := package_of(project.file, entry)) not in (None, header.package_id)
    }
    for key, _, body in entries:
        yield f"submissions/{key}.json", body
    returned = values.Returned({key: at for key, at, _ in entries}, times, packages)
    yield "returned.json", values.entry(returned)


def collect(project: OpenProject, path: Path) -> CollectReport:
    """Collect a submission file completely, or nothing if one part is invalid.

    ArchiveError, ProjectError or WorkError say why it is refused: of another project, damaged,
    changed, newer, of people or tasks that the project does not have; or who asks is no lead.
    """
    project.work.people.check_lead()
    try:
        return _collected(project, path)
    except UNSOUND as error:
        raise ArchiveError(
            f"Cannot collect the file: its content is invalid ({error}).",
            hint="No data was imported. Request the file again from its author.",
            where=str(path),
        ) from error


def collect_delivery(
    project: OpenProject,
    body: bytes,
    *,
    person_id: PersonId,
    package_id: str,
    assignment_id: AssignmentId,
) -> CollectReport:
    """Collect one delivery from a hub, by the same rules as a file.

    UserError when it is refused; nothing is changed then.
    """
    where = Path(f"delivery-{package_id}")
    try:
        with Archive(where, RETURNS, body=body) as archive:
            header = values.read_header(archive)
            if (header.person_id, header.package_id) != (person_id, package_id):
                raise WorkError("A delivery is not by the person who sent it.", code="not-yours")
            return _taken_over(project, archive, header, only=assignment_id)
    except UNSOUND as error:
        raise ArchiveError(
            f"Cannot collect a delivery: its content is invalid ({error}).",
            hint="No data was imported.",
            where=str(where),
        ) from error


def _collected(project: OpenProject, path: Path) -> CollectReport:
    with Archive(path, RETURNS) as archive:
        return _taken_over(project, archive, values.read_header(archive))


def _taken_over(
    project: OpenProject,
    archive: Archive,
    header: Header,
    *,
    only: AssignmentId | None = None,
) -> CollectReport:
    """Take over the submissions of an archive, all of one assignment with ``only``."""
    path = archive.path
    if header.project_id != project.file.meta("project_id"):
        raise ArchiveError(
            f"Cannot collect the file: it belongs to the project “{header.title}”.",
            hint="Collect it in that project.",
            where=str(path),
        )
    collecting = _Collecting(project, path, header)
    seal = seal_of(project, header.person_id, archive)
    returned = values.read_entry(archive, "returned.json", values.Returned)
    names = [name for name in archive.names if name.startswith("submissions/")]
    arrivals = [
        arrival_of(
            archive.read(name),
            returned.submitted_at.get(_stem(name), ""),
            where=f"{path}, {name}",
        )
        for name in names
    ]
    if [arrival.id for arrival in arrivals] != [_stem(name) for name in names]:
        raise ArchiveError("A submission does not match its ID.", where=str(path))
    if not all(_is_time(arrival.submitted_at) for arrival in arrivals):
        raise ArchiveError("A submission has no submission time.", where=str(path))
    if only is not None and any(arrival.assignment_id != only for arrival in arrivals):
        raise WorkError("A delivery belongs to another assignment.", code="not-yours")
    report = collecting.run(sorted(arrivals, key=lambda a: (a.task_id, a.revision)), returned)
    if report.new:
        task_ids = frozenset(a.task_id for a in arrivals)
        project.work.changed.notify(WorkChanged(task_ids))
    return replace(report, seal=seal)


def _as_written(comment: Comment) -> Comment:
    """Return a comment as its author wrote it; others may only resolve it."""
    return replace(comment, is_resolved=False)


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _is_possible(row: values.TimeRow) -> bool:
    """Return whether an active time is possible for one day."""
    try:
        date.fromisoformat(row.day)
    except ValueError:
        return False
    return 0 <= row.active_ms <= _DAY_MS


def _stem(name: str) -> str:
    return name.removeprefix("submissions/").removesuffix(".json")


class _Collecting:
    """Takes over the submissions of one file."""

    def __init__(self, project: OpenProject, path: Path, header: Header) -> None:
        self._project = project
        self._path = path
        self._package_id = header.package_id
        self._packages: dict[AssignmentId, str] = {}
        self._person = project.work.people.find(header.person_id)
        if self._person is None:
            raise WorkError(
                "The author of this file is not in the project.",
                code="unknown-person",
                hint=(
                    "Ask a lead to add the person, or check that the file belongs to this project."
                ),
            )

    def run(self, arrivals: Sequence[Arrival], returned: values.Returned) -> CollectReport:
        """Take over in one transaction."""
        assert self._person is not None
        self._packages = returned.packages
        file = self._project.file
        new: list[SubmissionId] = []
        flagged: list[tuple[TaskId, str]] = []
        with file.transaction() as connection:
            for arrival in arrivals:
                if travel.has_submission(connection, arrival.id):
                    continue
                self._check(arrival)
                travel.take_in(connection, file.author()[1], arrival)
                if (flag := self._hand_in(arrival)) is not None:
                    flagged.append((arrival.task_id, flag))
                new.append(arrival.id)
            task_ids = {a.task_id for a in arrivals}
            times = [
                ActiveTime(row.task_id, row.stage, row.day, row.active_ms)
                for row in returned.active
                if row.task_id in task_ids and _is_possible(row)
            ]
            travel.merge_active_times(connection, self._person.id, times)
        n_known = len(arrivals) - len(new)
        counts = (tuple(new), n_known, tuple(flagged))
        return CollectReport(self._path, self._person.name, *counts, self._person.id)

    def _check(self, arrival: Arrival) -> None:
        """Refuse what does not belong here; reads the whole submission, as the next stage will."""
        assert self._person is not None
        task = tasks.find_task(self._project.file, arrival.task_id)
        verdict, _, video_id = verdict_of(arrival.body, where=str(self._path))
        if task is None or task.video_id != video_id:
            raise ProjectError("A submission belongs to a task that is not in the project.")
        if arrival.person_id != self._person.id:
            raise WorkError(
                f"A submission in the file is not by {self._person.name}.", code="not-yours"
            )
        stored = self._project.media.video(video_id)
        if (
            stored.content_hash is not None
            and arrival.media_hash is not None
            and stored.content_hash != arrival.media_hash
            and not is_copy_of(self._project.file, video_id, arrival.media_hash)
        ):
            raise ProjectError(
                f"“{stored.info.name}” was annotated with a different video file.",
                where=str(self._path),
            )
        work = self._project.work
        visible_video = limited_video(
            stored.info, work.viewing_of(task.id), cut_frame_of(stored.info)
        )
        document = read_document(arrival.body, DraftId(""), visible_video)
        record, version = work.record(task.id), work.transactions.recipe.version_in(arrival.recipe)
        if version is None:
            raise ProjectError(
                f"A submission uses the recipe “{arrival.recipe[:80]}”, which is not a recipe of "
                "this project.",
                where=str(self._path),
            )
        arrived = ReceivedAnswers(
            document,
            arrival.assignment_id,
            version,
            verdict.kind,
            self._required_items(record, arrival),
        )
        check_arrived(self._project.file, work.transactions.recipe, record, arrived)
        self._check_comments(record, document, stored.info)

    def _check_comments(self, record: TaskRecord, document: Document, video: VideoInfo) -> None:
        """Refuse comments of other people that do not exist here."""
        assert self._person is not None
        foreign = {_as_written(c) for c in document.comments if c.author_id != self._person.id}
        if not foreign:
            return
        file = self._project.file
        bodies = [submission.body for submission in submissions.list_submissions(file, record.id)]
        begun = {record.base_id, *(assignment.base_id for assignment in record.assignments)}
        bodies += [submissions.read_body(file, base_id) for base_id in begun if base_id is not None]
        for body in bodies:
            foreign -= {_as_written(c) for c in read_document(body, DraftId(""), video).comments}
        if foreign:
            raise WorkError(
                f"A submission by {self._person.name} contains text that is attributed to "
                "another person.",
                code="not-yours",
            )

    def _required_items(self, record: TaskRecord, arrival: Arrival) -> list[ItemId]:
        """Return what a submission has to answer; WorkError when it is not of a package of theirs.

        Submissions of assignments unknown here are kept, and change no status.
        """
        assert self._person is not None
        assignment = record.assignment(arrival.assignment_id)
        if assignment is None or assignment.state is AssignmentState.EXTRA:
            return []
        file = self._project.file
        package_id = self._packages.get(arrival.assignment_id, self._package_id)
        asked_items = items_in_package(file, package_id, self._person.id, arrival.assignment_id)
        if asked_items is None:
            raise WorkError(
                (
                    "A submission belongs to a task that was not in a work package for "
                    f"{self._person.name}."
                ),
                code="not-yours",
                hint="Ask the person for the file that their own project writes.",
            )
        return asked_items

    def _hand_in(self, arrival: Arrival) -> str | None:
        """Add a submission to its task; return the flag if it is unusual."""
        transactions = self._project.work.transactions
        verdict, stage, _ = verdict_of(arrival.body, where=str(self._path))
        record = transactions.record(arrival.task_id)
        act = Submit(arrival.person_id, arrival.assignment_id, arrival.id, verdict, stage)
        after = transactions.write(record, (act,), self._project.work.people.crew())
        held = after.assignment(arrival.assignment_id)
        submission = next(
            (h for h in (held.submissions if held else ()) if h.submission_id == arrival.id), None
        )
        return (
            submission.flag.value
            if submission is not None and submission.flag is not None
            else None
        )
