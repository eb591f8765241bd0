"""Task events: immutable values in order, from which the state of a task is computed.

Every event has its task, a time (`Instant`, milliseconds by the clock of the machine) and an
author, None for the program. ``kind`` is its name in files written by `codec`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.work.records import (
    AssignmentState,
    Flag,
    Instant,
    LeadNeed,
    Reason,
    Verdict,
    VerdictKind,
)


@dataclass(frozen=True, slots=True)
class Happened:
    """Common fields of all events."""

    kind: ClassVar[str] = ""
    task_id: TaskId
    at: Instant
    by: PersonId | None


@dataclass(frozen=True, slots=True)
class Created(Happened):
    """The task was created and waits at its first stage.

    With ``reserved_for`` only that person may take it. ``viewing`` is how much may be seen and
    heard in it, None: what the recipe says of its kind.
    """

    kind: ClassVar[str] = "created"
    video_id: VideoId
    task_kind: str
    stage: str
    wanted: int = 1
    priority: int = 0
    base_id: SubmissionId | None = None
    reserved_for: PersonId | None = None
    viewing: Viewing | None = None


@dataclass(frozen=True, slots=True)
class Claimed(Happened):
    """A person claimed the task, possibly again after a release."""

    kind: ClassVar[str] = "claimed"
    assignment_id: AssignmentId
    person_id: PersonId
    lease_until: Instant | None = None


@dataclass(frozen=True, slots=True)
class Assigned(Happened):
    """The lead assigned the task; ``overruled``: against the rule of that name."""

    kind: ClassVar[str] = "assigned"
    assignment_id: AssignmentId
    person_id: PersonId
    lease_until: Instant | None = None
    overruled: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Renewed(Happened):
    """The person is still at work."""

    kind: ClassVar[str] = "renewed"
    assignment_id: AssignmentId
    lease_until: Instant | None


@dataclass(frozen=True, slots=True)
class Ended(Happened):
    """A claim ended without a submission; the draft is kept. ``state`` is the way it ended."""

    kind: ClassVar[str] = "ended"
    assignment_id: AssignmentId
    state: AssignmentState
    text: str = ""


@dataclass(frozen=True, slots=True)
class Submitted(Happened):
    """A submission that counts; late if the lease had expired without a new claim."""

    kind: ClassVar[str] = "submitted"
    assignment_id: AssignmentId
    submission_id: SubmissionId
    verdict: Verdict
    flag: Flag | None = None


@dataclass(frozen=True, slots=True)
class ExtraSubmitted(Happened):
    """A late, repeated or unassigned submission: stored and flagged, the task is unchanged."""

    kind: ClassVar[str] = "extra-submitted"
    assignment_id: AssignmentId
    person_id: PersonId
    stage: str
    submission_id: SubmissionId
    verdict: Verdict
    flag: Flag


@dataclass(frozen=True, slots=True)
class Adopted(Happened):
    """The lead used a submission that had not counted as the result of its stage."""

    kind: ClassVar[str] = "adopted"
    assignment_id: AssignmentId
    submission_id: SubmissionId
    stage: str
    text: str


@dataclass(frozen=True, slots=True)
class Entered(Happened):
    """The task entered a stage: the next one, or an earlier one with the reasons."""

    kind: ClassVar[str] = "entered"
    stage: str
    wanted: int
    base_id: SubmissionId | None
    is_returned: bool = False
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathered(Happened):
    """All raters of the visit have submitted; their work is ready to be resolved."""

    kind: ClassVar[str] = "gathered"


@dataclass(frozen=True, slots=True)
class Decided(Happened):
    """The submissions were resolved by ``method``; ``base_id`` is the result."""

    kind: ClassVar[str] = "decided"
    verdict: VerdictKind
    base_id: SubmissionId | None
    method: str = ""


@dataclass(frozen=True, slots=True)
class Widened(Happened):
    """One more person is asked: another rater after a tie, or an adjudicator."""

    kind: ClassVar[str] = "widened"
    wanted: int
    is_adjudicating: bool = False


@dataclass(frozen=True, slots=True)
class Completed(Happened):
    """The task is through. With a text the lead ended it before its last stage."""

    kind: ClassVar[str] = "completed"
    base_id: SubmissionId | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawn(Happened):
    """The lead withdrew the task; its claims have ended."""

    kind: ClassVar[str] = "withdrawn"
    text: str


@dataclass(frozen=True, slots=True)
class Reopened(Happened):
    """A stage was reopened: for the locked assignee (``assignment_id``), or for anyone."""

    kind: ClassVar[str] = "reopened"
    stage: str
    wanted: int
    text: str
    assignment_id: AssignmentId | None = None
    lease_until: Instant | None = None


@dataclass(frozen=True, slots=True)
class VoteVoided(Happened):
    """A vote counts no more; the task waits at its stage for another in a new visit, to which the
    votes that are ``kept`` go over.
    """

    kind: ClassVar[str] = "vote-voided"
    assignment_id: AssignmentId
    stage: str
    wanted: int
    kept: tuple[AssignmentId, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RoundOpened(Happened):
    """A cleaning round begins, with guidelines of its own (their name; "" for the recipe's)."""

    kind: ClassVar[str] = "round-opened"
    round: int
    stage: str
    wanted: int
    guidelines: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class PersonExcluded(Happened):
    """A person is excluded from the task because of other work, named in ``text``."""

    kind: ClassVar[str] = "barred"
    person_id: PersonId
    text: str = ""


@dataclass(frozen=True, slots=True)
class Prioritized(Happened):
    """The task comes sooner or later in its queue: the highest number first."""

    kind: ClassVar[str] = "prioritised"
    priority: int


@dataclass(frozen=True, slots=True)
class LeadRequested(Happened):
    """The task waits for a decision of a lead."""

    kind: ClassVar[str] = "lead-asked"
    need: LeadNeed


@dataclass(frozen=True, slots=True)
class LeadAnswered(Happened):
    """The lead's decision is no longer needed: an eligible person exists."""

    kind: ClassVar[str] = "lead-answered"


WorkEvent: TypeAlias = (
    Created
    | Claimed
    | Assigned
    | Renewed
    | Ended
    | Submitted
    | ExtraSubmitted
    | Adopted
    | Entered
    | Gathered
    | Decided
    | Widened
    | Completed
    | Withdrawn
    | Reopened
    | VoteVoided
    | RoundOpened
    | PersonExcluded
    | Prioritized
    | LeadRequested
    | LeadAnswered
)
