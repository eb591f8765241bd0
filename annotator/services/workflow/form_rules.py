"""Rules of answers that the core of the work asks for in tasks with a form; it knows only this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.answers import Answer
    from annotator.domain.recipes.recipe import TaskType
    from annotator.domain.work.acts import AskOneMore, Decide
    from annotator.domain.work.events import Submitted
    from annotator.domain.work.records import Assignment, TaskRecord, Verdict


class FormRules(Protocol):
    """Rules of answers, of one project. All calls are within the transaction of the caller."""

    def check(
        self, record: TaskRecord, held: Assignment, document: Document, verdict: Verdict
    ) -> None:
        """Raise WorkError when answers are missing in what is submitted."""
        ...

    def count(self, before: TaskRecord, task_type: TaskType, event: Submitted) -> None:
        """Let the answers of a submission that counted be votes; ``before`` is where it stood."""
        ...

    def follow(
        self, record: TaskRecord, task_type: TaskType, *, is_again: bool
    ) -> Decide | AskOneMore | None:
        """Return what follows when all raters are through, or when a complete task is resolved
        ``is_again``; None when nothing is asked in it.
        """
        ...

    def note_decided(self, record: TaskRecord, task_type: TaskType) -> None:
        """Note that all that was left open in a task is decided."""
        ...

    def decided_so_far(self, record: TaskRecord, task_type: TaskType) -> list[Answer]:
        """Return what is decided of a task while an adjudicator settles the rest."""
        ...
