"""The state of a task, computed from its events.

Times are milliseconds since 1970-01-01 UTC by the clock of the machine. The events are ordered by
the log, never by the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from annotator.domain.annotation.comment import WHOLE_TASK, Pin
from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId, VideoId

Instant: TypeAlias = int


class TaskStatus(StrEnum):
    """State of a task within its stage."""

    WAITING = "waiting"  # unassigned
    IN_PROGRESS = "in-progress"  # assigned, or some of several raters have submitted
    RESOLVING = "resolving"  # all raters have submitted; their work is being resolved
    COMPLETE = "complete"
    WITHDRAWN = "withdrawn"  # the lead took it out of the work


class AssignmentState(StrEnum):
    """State of a person's claim on a task."""

    HELD = "held"
    SUBMITTED = "submitted"
    RELEASED = "released"  # given back by the person
    SKIPPED = "skipped"  # given back with a reason; not offered to them again
    EXPIRED = "expired"  # the lease ran out; the draft is kept
    REVOKED = "revoked"  # taken back by the lead
    LEFT = "left"  # the person left the project
    VOIDED = "voided"  # submitted, and excluded from the count by a lead
    EXTRA = "extra"  # known only from a submission: not assigned in this copy


class Flag(StrEnum):
    """Unusual fact about a submission or a task, for the lead."""

    LATE = "late"  # came after the lease, or the task had moved on
    REPEATED = "repeated"  # the same assignment was submitted before
    UNKNOWN = "unknown"  # no such assignment was given out here
    OVERRULED = "overruled"  # assigned against the rules
    CLOSED = "closed"  # ended by the lead before its last stage


class LeadNeed(StrEnum):
    """Reason why a task waits for a decision of the lead."""

    NOBODY_LEFT = "nobody-left"  # all people with the role have worked on it already
    NO_STAGE = "no-stage"  # the recipe of today has no such stage any more


class VerdictKind(StrEnum):
    """Verdict of a submission on the task."""

    DONE = "done"  # the annotation is made
    APPROVE = "approve"  # looked at, corrected where needed, good
    SEND_BACK = "send-back"  # another person must review it


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was sent back: in words, pinned to a place; ``code`` is one of the recipe."""

    text: str
    pin: Pin = WHOLE_TASK
    code: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on a task at a stage."""

    kind: VerdictKind
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class SubmissionRecord:
    """A submission in the record of a task; one that does not count changed nothing."""

    submission_id: SubmissionId
    at: Instant
    verdict: Verdict
    flag: Flag | None = None
    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class Assignment:
    """One person's hold on a task at a stage.

    ``visit`` counts how often the task has entered a stage: people of one visit work side by side.
    ``since`` is when they took it, ``lease_until`` None never runs out. ``base_id`` is the
    submission their draft began from, None for an empty one.
    """

    id: AssignmentId
    stage: str
    round: int
    visit: int
    person_id: PersonId
    state: AssignmentState
    since: Instant
    lease_until: Instant | None = None
    base_id: SubmissionId | None = None
    submissions: tuple[SubmissionRecord, ...] = ()

    @property
    def counted(self) -> SubmissionRecord | None:
        """The submission that moved the task, None if none did."""
        for submission in reversed(self.submissions):
            if submission.is_counted:
                return submission
        return None


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """A task and all its assignments.

    ``seq`` is the number of applied events, ``wanted`` the number of people for this visit.
    ``is_returned``: the task was sent back to this stage, for ``reasons`` (also those of a
    reopening). ``base_id`` is the last result, with which drafts of this visit start.
    ``needs_lead`` is the reason why the lead must decide, if any. ``guidelines`` names those of the
    current round, "" for the recipe's. ``counted`` are the counted submissions in order.
    ``excluded`` are people with a conflict of interest. ``reserved_for`` is the only eligible
    person, None without a reservation; ``viewing`` is the visible part of the video, None: that of
    the task type.
    """

    id: TaskId
    video_id: VideoId
    kind: str
    stage: str
    status: TaskStatus
    round: int = 1
    visit: int = 1
    wanted: int = 1
    priority: int = 0
    seq: int = 1
    assignments: tuple[Assignment, ...] = ()
    is_returned: bool = False
    is_adjudicating: bool = False
    reasons: tuple[Reason, ...] = ()
    base_id: SubmissionId | None = None
    needs_lead: LeadNeed | None = None
    guidelines: str = ""
    flags: frozenset[Flag] = frozenset()
    counted: tuple[SubmissionId, ...] = ()
    excluded: frozenset[PersonId] = frozenset()
    reserved_for: PersonId | None = None
    viewing: Viewing | None = None

    @property
    def current(self) -> tuple[Assignment, ...]:
        """The assignments of this visit, in the order they were made."""
        return tuple(a for a in self.assignments if a.visit == self.visit)

    @property
    def holders(self) -> tuple[Assignment, ...]:
        """The assignments that are being worked on."""
        return tuple(a for a in self.assignments if a.state is AssignmentState.HELD)

    @property
    def open_slots(self) -> int:
        """How many more people could take the task now."""
        if self.status not in (TaskStatus.WAITING, TaskStatus.IN_PROGRESS):
            return 0
        taken = 0
        for a in self.assignments:
            if a.visit == self.visit and a.state in _TAKES_SLOT:
                taken += 1
        return max(0, self.wanted - taken)

    @property
    def last_word(self) -> Assignment | None:
        """The assignment that submitted the base document, None without one.

        Decided by the submissions themselves, because clocks are unreliable.
        """
        if self.base_id is None:
            return None
        for a in reversed(self.assignments):
            if any(submission.submission_id == self.base_id for submission in a.submissions):
                return a
        return None

    def assignment(self, assignment_id: AssignmentId) -> Assignment | None:
        """Return an assignment of this task, None if it has no such."""
        for a in self.assignments:
            if a.id == assignment_id:
                return a
        return None


_TAKES_SLOT = frozenset((AssignmentState.HELD, AssignmentState.SUBMITTED))
