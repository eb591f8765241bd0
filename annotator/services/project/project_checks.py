"""Checks of a whole project: the file itself, its videos, and every draft in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding, Severity, check_document
from annotator.domain.errors import UserError, WorkError
from annotator.domain.ids import DraftId, VideoId
from annotator.services.project.projects import OpenProject, open_project
from annotator.services.session import Session
from annotator.store.annotation.drafts import DraftStore, read_draft
from annotator.store.catalog import videos
from annotator.store.columns import id_text
from annotator.store.file.failures import UNSOUND, soundly
from annotator.store.file.file_checks import integrity_findings
from annotator.store.file.file_opening import open_file
from annotator.store.questions.votes import faulty_votes

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.store.file.project import ProjectFile


_UNREADABLE: tuple[type[Exception], ...] = (UserError, AssertionError, *UNSOUND)


def log_findings(file: ProjectFile) -> Iterator[Finding]:
    """Yield differences between the drafts of a project and their logs; reads both completely."""
    infos = {stored.info.id: stored.info for stored in videos.list_videos(file)}
    rows = file.rows("SELECT id, video_id FROM draft ORDER BY id")
    for draft, video in rows:
        assert isinstance(draft, bytes)
        assert isinstance(video, bytes)
        info = infos.get(VideoId(id_text(video)))
        if info is not None:
            yield from _of_draft(file, DraftId(id_text(draft)), info)


def replayed(file: ProjectFile, draft_id: DraftId, video: VideoInfo) -> Document:
    """Return the content of a draft by its log; one of UNSOUND if the log is damaged."""
    store = DraftStore(file, draft_id)
    document = Document(draft_id, video)
    for event in store.events():
        document.apply(store.changes_of(event.id))
    return document


def _of_draft(file: ProjectFile, draft_id: DraftId, video: VideoInfo) -> Iterator[Finding]:
    where = f"{video.name}, draft {draft_id[:8]}"
    try:
        stored = read_draft(file, draft_id, video, is_tabled=False)
    except _UNREADABLE as error:
        text = f"The draft cannot be read: {error}"
        yield Finding("damaged-draft", where, text, Severity.ERROR)
        return
    try:
        logged = replayed(file, draft_id, video)
    except _UNREADABLE as error:
        text = f"The history of the draft cannot be read: {type(error).__name__}."
        yield Finding("damaged-log", where, text, Severity.ERROR)
        return
    named = [f"“{label}”" for label in _differing(_parts(stored), _parts(logged))]
    if named:
        names_text = ", ".join(named[:5]) + (
            f" and {len(named) - 5} more" if len(named) > 5 else ""
        )
        text = (
            f"The draft differs from its history in {names_text}: the file is damaged, or another "
            "program changed it. Compare it with a backup."
        )
        yield Finding("differs-from-log", where, text, Severity.ERROR)


def _parts(document: Document) -> dict[tuple[str, str], tuple[str, object]]:
    """Return what a document has by type and identity, with its name for people."""
    found: dict[tuple[str, str], tuple[str, object]] = {}
    for track in document.tracks:
        found["track", track.id] = track.label, (track.info, track.keyframes)
    for point in document.points:
        runs = [point.path.run(*span) for span in _spans(point.path.frames().tolist())]
        marks = [(run.start, run.xy.tobytes(), run.flags.tobytes()) for run in runs]
        found["point", point.id] = point.label, (point.info, marks)
    for segment in document.segments:
        found["segment", segment.id] = segment.label, segment
    for comment in document.comments:
        found["comment", comment.id] = comment.text[:40], comment
    for key, answer in document.answers.items():
        found["answer", str(tuple(key))] = f"answer to {key.field}", answer
    return found


def _spans(frames: list[int]) -> Iterator[tuple[int, int]]:
    start = None
    for i, frame in enumerate(frames):
        start = frame if start is None else start
        if i + 1 == len(frames) or frames[i + 1] != frame + 1:
            yield start, frame + 1
            start = None


def _differing(
    one: Mapping[tuple[str, str], tuple[str, object]],
    other: Mapping[tuple[str, str], tuple[str, object]],
) -> Iterator[str]:
    nothing = ("", None)
    for key in sorted(one.keys() | other.keys()):
        here, there = one.get(key, nothing), other.get(key, nothing)
        if here[1] != there[1]:
            yield here[0] or there[0]


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """Result of checking a project."""

    title: str
    n_videos: int
    n_tracks: int
    n_points: int
    n_segments: int
    findings: tuple[Finding, ...]


def check_project(path: Path) -> ProjectReport:
    """Check a project file without changing it; ProjectError when it cannot be opened."""
    with soundly(path):
        return _report(path)


def _report(path: Path) -> ProjectReport:
    findings = list(_file_findings(path))
    project = open_project(path, read_only=True)
    try:
        findings += _video_findings(project)
        findings += vote_findings(project)
        findings += check_findings(project)
        findings += gold_findings(project)
        findings += test_findings(project)
        sessions: list[Session] = []
        for task in project.tasks(with_gold=True):
            if task.draft_id is None:
                continue
            try:
                sessions.append(project.open_task(task.id, takes=False))
            except WorkError as error:
                findings.append(Finding(error.code, task.title, str(error), Severity.NOTE))
        for session in sessions:
            findings += check_session(session, project)
        return ProjectReport(
            project.title,
            len(project.videos()),
            sum(len(s.document.tracks) for s in sessions),
            sum(len(s.document.points) for s in sessions),
            sum(len(s.document.segments) for s in sessions),
            tuple(findings),
        )
    finally:
        project.close()


def check_session(session: Session, project: OpenProject | None = None) -> Iterator[Finding]:
    """Yield the issues of an open draft, including labels if the project is given."""
    document = session.document
    pending = {t.id: len(session.pending(t.id)) for t in document.tracks}
    pending_points = {p.id: session.n_pending_points(p.id) for p in document.points}
    labels = None if project is None else {lane: project.label_set(lane) for lane in Lane}
    attributes = () if project is None else project.work.recipe.attributes
    yield from check_document(
        document, pending, pending_points, labels, tools=session.tools, attributes=attributes
    )
    if project is not None:
        yield from _open_questions(session, project)


def vote_findings(project: OpenProject, kind: str | None = None) -> Iterator[Finding]:
    """Yield votes that do not count because no submission contains them."""
    for each in faulty_votes(project.file, kind):
        person = project.work.people.find(each.person_id)
        who = person.name if person is not None else each.person_id
        where = f"vote of {who} on “{each.field}” of item {each.item_id}"
        yield Finding(each.code, where, f"{each.text} The vote is excluded.", Severity.ERROR)


def check_findings(project: OpenProject) -> Iterator[Finding]:
    """Yield the banks of attention checks that are too small for the work there is."""
    for short in project.qualification.shortages():
        there = "1 attention check" if short.n_checks == 1 else f"{short.n_checks} attention checks"
        text = (
            f"{there} for “{short.title}”, but each person meets about {short.n_needed}: the same "
            "ones come again. Import more."
        )
        yield Finding("few-checks", short.kind, text)


def gold_findings(project: OpenProject) -> Iterator[Finding]:
    """Yield the task types that have too few references for their gold tasks."""
    for few in project.work.gold.shortages():
        there = "1 reference" if few.n_known == 1 else f"{few.n_known} references"
        text = (
            f"{there} for gold tasks of “{few.title}”, but each person needs about "
            f"{few.n_needed}. Select complete tasks on the board to add some."
        )
        yield Finding("few-references", few.kind, text)


def test_findings(project: OpenProject) -> Iterator[Finding]:
    """Yield tests with fewer tasks than the allowed attempts need."""
    counts = Counter(project.work.record(task.id).kind for task in project.tasks())
    for task_type in project.work.recipe.task_types:
        passing = task_type.passing
        if passing is None or passing.n_tasks == 1:
            continue
        needed = passing.n_tasks * passing.attempts
        if counts[task_type.kind] < needed:
            text = (
                f"“{task_type.title}” has {counts[task_type.kind]} tasks; {passing.attempts} "
                f"attempts with {passing.n_tasks} tasks each need {needed}. Import more."
            )
            yield Finding("few-tests", task_type.kind, text)


def _open_questions(session: Session, project: OpenProject) -> Iterator[Finding]:
    """Yield unanswered questions of the task of a draft."""
    task_type = project.work.recipe.task_type(project.work.record(session.task_id).kind)
    if task_type is not None and task_type.form is not None:
        yield from project.questions.question_set(session).findings()


def _file_findings(path: Path) -> Iterator[Finding]:
    file = open_file(path, read_only=True)
    try:
        with file.reading() as connection:
            for text in integrity_findings(connection, is_thorough=True):
                where = str(path)
                yield Finding(
                    "damaged-file", where, f"The file is damaged: {text}.", Severity.ERROR
                )
        yield from log_findings(file)
    finally:
        file.close()


def _video_findings(project: OpenProject) -> Iterator[Finding]:
    for notice in project.notices:
        hint = f" {notice.hint}" if notice.hint else ""
        yield Finding("notice", str(project.path), notice.text + hint)
    for video in project.videos():
        if video.is_missing:
            text = "The video file is not at its stored location. Locate it in the window."
            yield Finding("missing-video", video.name, text)
        for remark in video.findings:
            yield Finding("video", video.name, remark, Severity.NOTE)
