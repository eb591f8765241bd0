"""Checks of a whole project: the file itself, its videos, and every draft in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding, Severity, check_document
from annotator.domain.errors import WorkError
from annotator.services.project.draft_log import log_findings
from annotator.services.project.projects import OpenProject, open_project
from annotator.services.session import Session
from annotator.store.file.checking import integrity_findings
from annotator.store.file.failures import soundly
from annotator.store.file.opening import open_file
from annotator.store.questions.votes import faulty_votes


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """Result of checking a project."""

    title: str
    n_videos: int
    n_tracks: int
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
            sum(len(s.document.segments) for s in sessions),
            tuple(findings),
        )
    finally:
        project.close()


def check_session(session: Session, project: OpenProject | None = None) -> Iterator[Finding]:
    """Yield what deserves a look in an opened draft, its labels too where the project is given."""
    document = session.document
    pending = {t.id: len(session.pending(t.id)) for t in document.tracks}
    pending_points = {p.id: len(session.pending_points(p.id)) for p in document.points}
    labels = None if project is None else {lane: project.label_set(lane) for lane in Lane}
    attributes = () if project is None else project.work.recipe.attributes
    yield from check_document(
        document, pending, pending_points, labels, tools=session.tools, attributes=attributes
    )
    if project is not None:
        yield from _open_questions(session, project)


def vote_findings(project: OpenProject, kind: str | None = None) -> Iterator[Finding]:
    """Yield the votes that do not count since no submission can have come to them."""
    for each in faulty_votes(project.file, kind):
        person = project.work.people.find(each.person_id)
        who = person.name if person is not None else each.person_id
        where = f"vote of {who} on “{each.field}” of item {each.item_id}"
        yield Finding(each.code, where, f"{each.text} The vote is excluded.", Severity.ERROR)


def check_findings(project: OpenProject) -> Iterator[Finding]:
    """Yield the banks of attention checks that are too small for the work there is."""
    for short in project.screening.shortages():
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
    """Yield the tests that have fewer tasks than somebody who tries as often as they may needs."""
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
    """Yield what is asked in the task of a draft and not answered yet."""
    task_type = project.work.recipe.task_type(project.work.record(session.task_id).kind)
    if task_type is not None and task_type.form is not None:
        yield from project.questions.sheet(session).findings()


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
