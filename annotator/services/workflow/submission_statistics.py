"""Statistics of submissions: findings, labels, agreement; computed in the background.

Each submission that counts is looked over once, from its bytes: what the checks find in it, which
labels it has, and how far it agrees with the one before it. The window waits for none of it.

Errors on gold tasks are means, trends over weeks, and a table of all scores.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import mean
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.canonical import read_document
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import ProjectError, UserError, WorkError
from annotator.domain.ids import DraftId, PersonId, SubmissionId, TaskId
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS
from annotator.domain.work.records import TaskStatus
from annotator.domain.work.work_statistics import ReturnRate, StageHours, Week, trend, weekly
from annotator.services.matching import assigned
from annotator.services.project.labels import LabelSets
from annotator.services.workflow.gold_tasks import Score
from annotator.services.workflow.transactions import WorkChanged, WorkTransactions
from annotator.store.catalog import videos
from annotator.store.workflow import submission_statistics as store
from annotator.store.workflow import submissions
from annotator.store.workflow.feedback import Feedback
from annotator.store.workflow.queue import Holding
from annotator.store.workflow.submission_statistics import Unseen

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.annotation.labels import LabelSet
    from annotator.services.project.projects import OpenProject
    from annotator.services.tables import Cell

_logger = logging.getLogger(__name__)

VERSION: Final = 5
"""Version; raised whenever checks or methods give other results."""


class SubmissionStatistics:
    """Keeps the statistics up to date: on its own thread, or ``inline`` after each act.

    The thread computes everything that is missing, ``inline`` only new submissions, unless
    `start_over` was called.
    """

    def __init__(self, transactions: WorkTransactions, *, inline: bool) -> None:
        self._transactions = transactions
        self._is_inline = inline
        self._lock = Lock()
        self._is_wanted = False
        self._is_outdated = False
        self._thread: Thread | None = None
        self._seen_to = store.last_seq(transactions.file) if inline else -1
        if not transactions.file.is_read_only:
            transactions.changed.add(self._on_changed)

    def of_submission(self, submission_id: SubmissionId) -> dict[str, int]:
        """Return the number of findings in a submission, by code."""
        return store.findings_of(self._transactions.file, submission_id)

    def agreement(self, task_id: TaskId) -> dict[str, float]:
        """Return how far the last two submissions of a task agree, 0..1 by method."""
        return store.agreement_of(self._transactions.file, task_id)

    def catch_up(
        self,
        *,
        everything: bool = False,
        on_progress: Callable[[float], object] | None = None,
        is_canceled: Callable[[], bool] | None = None,
    ) -> int:
        """Compute the statistics of all new submissions; returns their number. In any thread.

        ``everything``: also submissions from before the project was opened.
        Results before a cancellation are kept. Unreadable submissions are left out.
        """
        with self._lock:
            is_outdated, self._is_outdated = self._is_outdated, False
        if is_outdated:
            store.forget(self._transactions.file)
            self._seen_to = -1
        unseen_submissions = store.unseen(
            self._transactions.file, VERSION, -1 if everything else self._seen_to
        )
        labels = LabelSets(self._transactions.file) if unseen_submissions else None
        for i, submission in enumerate(unseen_submissions):
            if is_canceled is not None and is_canceled():
                raise WorkError("The remaining statistics were postponed.", code="canceled")
            if on_progress is not None:
                on_progress(i / len(unseen_submissions))
            assert labels is not None
            self._look_over(submission, {lane: labels.get(lane) for lane in Lane})
            self._seen_to = max(self._seen_to, submission.seq)
        return len(unseen_submissions)

    def start_over(self) -> None:
        """Compute all statistics again, as after a change of the label sets.

        The old ones stay until then.
        """
        with self._lock:
            self._is_outdated = True
        self._start()

    def _look_over(self, submission: Unseen, labels: dict[Lane, LabelSet]) -> None:
        from annotator.domain.agreement import agreements
        from annotator.domain.checks import check_document

        document = self._document(submission, submission.id)
        before = (
            self._document(submission, submission.before) if submission.before is not None else None
        )
        agreed = agreements(before, document, assigned) if before and document else ()
        tools = self._tools(submission.task_id)
        attributes = self._transactions.recipe.recipe.attributes
        counts = (
            check_document(document, labels=labels, tools=tools, attributes=attributes)
            if document
            else ()
        )
        store.keep(
            self._transactions.file,
            submission,
            VERSION,
            findings=Counter(finding.code for finding in counts),
            labels=_labels(document) if document is not None else (),
            facts=_facts(document, tools) if document is not None else b"{}",
            agreed=agreed,
        )

    def _tools(self, task_id: TaskId) -> Collection[Tool]:
        """Return what a task is about; everything where the recipe has it no more."""
        task_type = self._transactions.recipe.recipe.task_type(
            self._transactions.record(task_id).kind
        )
        return task_type.tools if task_type is not None else ALL_TOOLS

    def _document(self, wanted: Unseen, submission_id: SubmissionId) -> Document | None:
        """Return what a submission says, None when it is damaged, the video is another now, or it
        is not here: packages leave out what others submitted.
        """
        file = self._transactions.file
        stored = videos.find_video(file, wanted.video_id)
        try:
            body = submissions.read_body(file, submission_id)
            return read_document(body, DraftId(""), stored.info) if stored is not None else None
        except ProjectError:
            return None

    def _on_changed(self, changed: WorkChanged) -> None:
        if changed.task_ids:
            self._start()

    def _start(self) -> None:
        if self._is_inline:
            self.catch_up()
            return
        with self._lock:
            self._is_wanted = True
            if self._thread is None:
                self._thread = Thread(target=self._follow, name="submission-statistics")
                self._thread.start()

    def _follow(self) -> None:
        """The body of the thread: ends when nothing is left, or the project is closed."""
        while self._goes_on():
            try:
                self.catch_up()
            except UserError as error:
                _logger.info("submission statistics are computed later: %s", error)

    def _goes_on(self) -> bool:
        with self._lock:
            is_wanted, self._is_wanted = self._is_wanted, False
            if not is_wanted:
                self._thread = None
            return is_wanted


def _facts(document: Document, tools: Collection[Tool]) -> bytes:
    """Return the facts about annotations of a task's tools."""
    import msgspec

    from annotator.domain.dataset.facts import facts_of, of_tools

    return msgspec.json.encode(of_tools(facts_of(document), tools))


def _labels(document: Document) -> set[str]:
    return {t.label for t in document.tracks} | {s.label for s in document.segments}


MEASURES: Final = ("iou", "px", "ms", "found", "visible")
"""Overlap of boxes, distance of points, offset of edges, F1 of annotations, and visibility."""

COLUMNS: Final = (
    *("time", "person", "task_type", "video", "training", "iou", "px", "visible", "ms"),
    *("known", "found", "extra", "f1", "out_of_limits"),
)
_PLACES: Final = {"iou": 3, "px": 1, "ms": 0, "found": 3, "visible": 3}


@dataclass(frozen=True, slots=True)
class PersonErrors:
    """Gold tasks of one person and task type, the oldest first; training is left out."""

    person_id: PersonId
    kind: str
    scores: tuple[Score, ...]

    @property
    def n(self) -> int:
        """Number of gold tasks."""
        return len(self.scores)

    @property
    def n_beyond(self) -> int:
        """Number of gold tasks with errors out of limits."""
        return sum(1 for score in self.scores if score.beyond)

    def values(self, measure: str) -> list[tuple[int, float]]:
        """Return time (milliseconds since 1970-01-01 UTC) and value of the scores that have one."""
        found = ((score.at, getattr(score.errors, measure)) for score in self.scores)
        return [(at, value) for at, value in found if value is not None]

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure, None without values."""
        found = [value for _, value in self.values(measure)]
        return mean(found) if found else None

    def trend(self, measure: str) -> float | None:
        """Return the change of a measure per week; see `work_statistics.trend`."""
        return trend(self.values(measure))

    def weekly(self, measure: str) -> tuple[Week, ...]:
        """Return the means of a measure by week."""
        return weekly(self.values(measure))


def by_person(scores: Iterable[Score]) -> list[PersonErrors]:
    """Return the gold tasks of each person and task type, in the order of their first ones."""
    found: dict[tuple[PersonId, str], list[Score]] = {}
    for score in scores:
        if not score.is_training:
            found.setdefault((score.person_id, score.kind), []).append(score)
    return [PersonErrors(*key, tuple(each)) for key, each in found.items()]


def measure_text(errors: PersonErrors, measure: str) -> str:
    """Return a mean with its change per week, as in "4.2 (+0.3)"; "–" without values."""
    found, change = errors.mean(measure), errors.trend(measure)
    if found is None:
        return "–"
    places = _PLACES[measure]
    return f"{found:.{places}f}" + (f" ({change:+.{places}f})" if change is not None else "")


def score_rows(project: OpenProject, scores: Iterable[Score]) -> list[Sequence[Cell]]:
    """Return a row for each score, under `COLUMNS`; leads only."""
    project.work.people.check_lead()
    names = {person.id: person.name for person in project.work.people.all()}
    videos = {video.id: video.name for video in project.videos()}
    return [
        (
            datetime.fromtimestamp(score.at / 1000, UTC).isoformat(timespec="seconds"),
            names.get(score.person_id, "?"),
            score.kind,
            videos.get(project.work.record(score.task_id).video_id, "?"),
            int(score.is_training),
            *(_cell(getattr(score.errors, name)) for name in ("iou", "px", "visible", "ms")),
            score.errors.n_known,
            score.errors.n_found,
            score.errors.n_extra,
            _cell(score.errors.found),
            " ".join(score.beyond),
        )
        for score in scores
    ]


def _cell(value: float | None) -> Cell:
    return round(value, 4) if value is not None else ""


@dataclass(frozen=True, slots=True)
class QueueCount:
    """Number of tasks of a kind that wait at a stage for the signed-in person.

    ``count`` goes up to `MOST_COUNTED`, which includes all larger counts.
    """

    kind: str
    title: str
    stage: str
    stage_title: str
    count: int
    may_choose: bool


@dataclass(frozen=True, slots=True)
class MyWork:
    """Tasks of a person: returned, in progress, and queues.

    ``feedback`` are unread messages; the seconds are the active time of today and since Monday.
    ``submitted`` are the last submissions. ``n_for_lead`` tasks wait for a decision, if the person
    is a lead.
    """

    returned: tuple[Holding, ...] = ()
    in_progress: tuple[Holding, ...] = ()
    queues: tuple[QueueCount, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    active_seconds_today: float = 0.0
    active_seconds_week: float = 0.0
    submitted: tuple[Holding, ...] = ()
    n_for_lead: int = 0


@dataclass(frozen=True, slots=True)
class WorkStatistics:
    """Current statistics: see `annotator.domain.work.work_statistics`.

    ``counts`` are tasks by kind, stage and status; ``throughput`` by day (local), kind and stage.
    ``findings`` are counted by code in the last submission of each task; ``agreement`` is the
    mean of its last two submissions, 0..1 by method.
    """

    counts: dict[tuple[str, str, TaskStatus], int]
    throughput: dict[str, dict[tuple[str, str], int]]
    return_rates: dict[PersonId, ReturnRate]
    reasons: dict[str, int]
    hours: tuple[StageHours, ...]
    findings: dict[str, int]
    agreement: dict[str, float]
