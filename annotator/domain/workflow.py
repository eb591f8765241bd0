"""Work on videos: tasks and what has been handed in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.ids import DraftId, PersonId, SubmissionId, TaskId, VideoId


class TaskState(StrEnum):
    """Where a task stands."""

    WAITING = "waiting"
    IN_PROGRESS = "in-progress"
    SUBMITTED = "submitted"


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work: a video and the kind of annotation wanted of it."""

    id: TaskId
    video_id: VideoId
    kind: str
    title: str
    state: TaskState
    draft_id: DraftId | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """An immutable hand-in of a draft; ``id`` is the SHA-256 of its canonical bytes."""

    id: SubmissionId
    draft_id: DraftId
    person_id: PersonId
    revision: int
    submitted_at: str
    body: bytes
