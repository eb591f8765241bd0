"""Tasks and submissions as lists and windows show them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.ids import AssignmentId, DraftId, PersonId, SubmissionId, TaskId, VideoId


class TaskState(StrEnum):
    """State of a task, in the three words of a list."""

    WAITING = "waiting"
    IN_PROGRESS = "in-progress"
    SUBMITTED = "submitted"


@dataclass(frozen=True, slots=True)
class Task:
    """One task: a video and a kind of annotation.

    ``draft_id`` is the newest draft, None before the task is started.
    """

    id: TaskId
    video_id: VideoId
    kind: str
    title: str
    state: TaskState
    draft_id: DraftId | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """An immutable submission; ``id`` is the SHA-256 of its canonical bytes.

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
