"""Figures that follow from what was handed in: findings, labels, agreement; in the background.

Each submission that counts is looked over once, from its bytes: what the checks find in it, which
labels it has, and how far it agrees with the one before it. The window waits for none of it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.canonical_reading import read_document
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import ProjectError, UserError, WorkError
from annotator.domain.ids import DraftId, SubmissionId, TaskId
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS
from annotator.services.matching import assigned
from annotator.services.project.labels import LabelSets
from annotator.services.workflow.transactions import WorkChanged, WorkRoom
from annotator.store.catalog import videos
from annotator.store.workflow import figures as store
from annotator.store.workflow import submissions
from annotator.store.workflow.figures import Unseen

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.annotation.labels import LabelSet

_logger = logging.getLogger(__name__)

VERSION: Final = 5
"""Raised whenever checks or methods come to other results."""


class WorkFigures:
    """Keeps the figures up to date: in a thread of its own, or ``at_once`` after each act.

    In the background all is looked over that has not been, at once only what is new.
    """

    def __init__(self, room: WorkRoom, *, at_once: bool) -> None:
        self._room = room
        self._at_once = at_once
        self._lock = Lock()
        self._is_wanted = False
        self._thread: Thread | None = None
        self._seen_to = store.last_seq(room.file) if at_once else -1
        if not room.file.is_read_only:
            room.changed.add(self._on_changed)

    def of_submission(self, submission_id: SubmissionId) -> dict[str, int]:
        """Return what the checks found in a submission, by the code of the finding."""
        return store.findings_of(self._room.file, submission_id)

    def agreement(self, task_id: TaskId) -> dict[str, float]:
        """Return how far the last two submissions of a task agree, 0..1 by method."""
        return store.agreement_of(self._room.file, task_id)

    def catch_up(
        self,
        *,
        everything: bool = False,
        on_progress: Callable[[float], object] | None = None,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> int:
        """Look over every submission that has not been; returns how many. In any thread.

        ``everything``: also what was submitted before the project was opened.
        What was done before a cancellation stays. Submissions that cannot be read are left out.
        """
        wanted = store.unseen(self._room.file, VERSION, -1 if everything else self._seen_to)
        labels = LabelSets(self._room.file) if wanted else None
        for i, each in enumerate(wanted):
            if is_cancelled is not None and is_cancelled():
                raise WorkError("The remaining statistics were postponed.", code="cancelled")
            if on_progress is not None:
                on_progress(i / len(wanted))
            assert labels is not None
            self._look_over(each, {lane: labels.get(lane) for lane in Lane})
            self._seen_to = max(self._seen_to, each.seq)
        return len(wanted)

    def work_out_again(
        self,
        *,
        on_progress: Callable[[float], object] | None = None,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> int:
        """Do all of it anew, as after a change of the label sets."""
        store.forget(self._room.file)
        self._seen_to = -1
        return self.catch_up(on_progress=on_progress, is_cancelled=is_cancelled)

    def _look_over(self, wanted: Unseen, labels: dict[Lane, LabelSet]) -> None:
        from annotator.domain.agreement import agreements
        from annotator.domain.checks import check_document

        document = self._document(wanted, wanted.id)
        before = self._document(wanted, wanted.before) if wanted.before is not None else None
        agreed = agreements(before, document, assigned) if before and document else ()
        tools = self._tools(wanted.task_id)
        attributes = self._room.recipe.recipe.attributes
        found = (
            check_document(document, labels=labels, tools=tools, attributes=attributes)
            if document
            else ()
        )
        store.keep(
            self._room.file,
            wanted,
            VERSION,
            findings=Counter(finding.code for finding in found),
            labels=_labels(document) if document is not None else (),
            facts=_facts(document, tools) if document is not None else b"{}",
            agreed=agreed,
        )

    def _tools(self, task_id: TaskId) -> Collection[Tool]:
        """Return what a task is about; everything where the recipe has it no more."""
        task_type = self._room.recipe.recipe.task_type(self._room.record(task_id).kind)
        return task_type.tools if task_type is not None else ALL_TOOLS

    def _document(self, wanted: Unseen, submission_id: SubmissionId) -> Document | None:
        """Return what a submission says, None when it is damaged, the video is another now, or it
        is not here: packages leave out what others submitted.
        """
        file = self._room.file
        stored = videos.find_video(file, wanted.video_id)
        try:
            body = submissions.read_body(file, submission_id)
            return read_document(body, DraftId(""), stored.info) if stored is not None else None
        except ProjectError:
            return None

    def _on_changed(self, changed: WorkChanged) -> None:
        if not changed.task_ids:
            return
        if self._at_once:
            self.catch_up()
            return
        with self._lock:
            self._is_wanted = True
            if self._thread is None:
                self._thread = Thread(target=self._follow, name="figures")
                self._thread.start()

    def _follow(self) -> None:
        """The body of the thread: ends when nothing is left, or the project is closed."""
        while self._goes_on():
            try:
                self.catch_up()
            except UserError as error:
                _logger.info("figures are left for later: %s", error)

    def _goes_on(self) -> bool:
        with self._lock:
            is_wanted, self._is_wanted = self._is_wanted, False
            if not is_wanted:
                self._thread = None
            return is_wanted


def _facts(document: Document, tools: Collection[Tool]) -> bytes:
    """Return the facts about what a task's tools made, as statistics want them."""
    import msgspec

    from annotator.domain.dataset.facts import facts_of, of_tools

    return msgspec.json.encode(of_tools(facts_of(document), tools))


def _labels(document: Document) -> set[str]:
    return {t.label for t in document.tracks} | {s.label for s in document.segments}
