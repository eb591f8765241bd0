"""Findings of all drafts by kind: counted by a job, since every draft has to be read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from annotator.domain.errors import UserError
from annotator.domain.ids import TaskId
from annotator.services.checks import check_session
from annotator.services.jobs import JobToken
from annotator.services.projects import OpenProject


@dataclass(slots=True)
class FindingCounts:
    """How many findings of each kind there are, and in which tasks; ``failed`` cannot be read."""

    findings: Counter[str] = field(default_factory=Counter)
    tasks: dict[str, set[TaskId]] = field(default_factory=dict)
    n_drafts: int = 0
    failed: int = 0


def count_findings(project: OpenProject, token: JobToken) -> FindingCounts:
    """Look at the draft of every task that was begun; reads through sessions of its own."""
    from annotator.services.projects import open_project

    found = FindingCounts()
    # Read apart: the sessions of the window belong to its thread.
    apart = open_project(project.path, read_only=True)
    try:
        begun = [task for task in apart.tasks() if task.draft_id is not None]
        for number, task in enumerate(begun):
            token.check()
            token.report(number / len(begun), f"{number} / {len(begun)}")
            try:
                session = apart.open_task(task.id, takes=False)
                codes = Counter(finding.code for finding in check_session(session, apart))
            except UserError:
                found.failed += 1
                continue
            found.findings += codes
            for code in codes:
                found.tasks.setdefault(code, set()).add(task.id)
        found.n_drafts = len(begun) - found.failed
        return found
    finally:
        apart.close()
