"""Work on videos as lists and windows show it: tasks and what has been handed in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.ids import AssignmentId, DraftId, PersonId, SubmissionId, TaskId, VideoId


class TaskState(StrEnum):
    """Where a task stands, in the three words that a list needs."""

    WAITING = "waiting"
    IN_PROGRESS = "in-progress"
    SUBMITTED = "submitted"


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work: a video and the kind of annotation wanted of it.

    ``draft_id`` is the newest draft, None before anybody has begun.
    """

    id: TaskId
    video_id: VideoId
    kind: str
    title: str
    state: TaskState
    draft_id: DraftId | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """An immutable hand-in; ``id`` is the SHA-256 of its canonical bytes.

    ``draft_id`` is None for one that came from another copy of the project.
    """

    id: SubmissionId
    draft_id: DraftId | None
    person_id: PersonId
    revision: int
    submitted_at: str
    body: bytes
    task_id: TaskId
    assignment_id: AssignmentId
