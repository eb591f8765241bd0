"""Actions on tasks by people and by the program; `transitions.plan` decides on them.

``by`` is who asks. Identifiers of assignments are made by the caller (`ids.new_id`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from annotator.domain.ids import AssignmentId, PersonId, SubmissionId
from annotator.domain.work.records import Verdict, VerdictKind


@dataclass(frozen=True, slots=True)
class Claim:
    """Take the task; ``is_chosen``: picked from a list, not given as the next one.

    Who let it go at this visit takes up the same assignment, with the draft it had.
    """

    by: PersonId
    assignment_id: AssignmentId
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """A lead assigns the task; ``is_overruling`` needs the reason in ``text``.

    ``never_expires``: it leaves in a work package and comes back when it comes back. ``is_fresh``:
    never the assignment they had before at this visit; the name of the new one is known elsewhere.
    """

    by: PersonId
    assignment_id: AssignmentId
    person_id: PersonId
    is_overruling: bool = False
    text: str = ""
    never_expires: bool = False
    is_fresh: bool = False


@dataclass(frozen=True, slots=True)
class Renew:
    """The holder is still at work; ``never_expires``: elsewhere, from where no sign comes."""

    by: PersonId
    assignment_id: AssignmentId
    never_expires: bool = False


@dataclass(frozen=True, slots=True)
class Release:
    """The holder gives the task back."""

    by: PersonId
    assignment_id: AssignmentId


@dataclass(frozen=True, slots=True)
class Skip:
    """The assignee skips the task with a reason; it is not offered to them again."""

    by: PersonId
    assignment_id: AssignmentId
    text: str


@dataclass(frozen=True, slots=True)
class Expire:
    """The program ends every claim with an expired lease."""

    by: None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """A person leaves the project: claimed tasks return to the queue, drafts are kept."""

    by: PersonId | None
    person_id: PersonId


@dataclass(frozen=True, slots=True)
class Submit:
    """Submit a draft; late, repeated and unassigned submissions are stored and flagged.

    ``stage`` is that of the assignment; needed where the assignment is not known here.
    """

    by: PersonId
    assignment_id: AssignmentId
    submission_id: SubmissionId
    verdict: Verdict
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Decide:
    """Store the result of resolved submissions; ``base_id`` is the result.

    Only while the task is resolving. ``by`` None: counted by the program.
    """

    by: PersonId | None
    verdict: VerdictKind
    base_id: SubmissionId | None
    method: str = ""


@dataclass(frozen=True, slots=True)
class RequestRater:
    """The raters do not agree: one more is asked, beyond the limit of the stage an adjudicator."""

    by: PersonId | None = None


@dataclass(frozen=True, slots=True)
class PutTogether:
    """A lead has the submissions resolved again, after answers were merged.

    For a complete task this resolves items that were discarded for a disagreement; resolved items
    stay.
    """

    by: PersonId


@dataclass(frozen=True, slots=True)
class Revoke:
    """A lead takes an assignment back."""

    by: PersonId
    assignment_id: AssignmentId
    text: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """A lead takes the task out of the work; it can be reopened."""

    by: PersonId
    text: str


@dataclass(frozen=True, slots=True)
class Retire:
    """A gold task is over: it was submitted, or will not be."""

    by: None = None


@dataclass(frozen=True, slots=True)
class Reopen:
    """Reopen a locked task.

    With ``assignment_id`` the author of that submission continues, if no later stage has used it.
    Otherwise the task waits at ``stage`` ("": its last one) for any person. Leads may always;
    others only their own submission, if the stage allows it.
    """

    by: PersonId
    text: str
    stage: str = ""
    assignment_id: AssignmentId | None = None


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A lead sends a complete task through the later stages again, with guidelines of its own."""

    by: PersonId
    guidelines: str = ""
    text: str = ""
    stage: str = ""


@dataclass(frozen=True, slots=True)
class ExcludePeople:
    """Exclude people from a task because of other work on the same items."""

    by: PersonId
    people: tuple[PersonId, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Prioritize:
    """A lead moves the task in its queue: the highest number first."""

    by: PersonId
    priority: int


@dataclass(frozen=True, slots=True)
class Close:
    """A lead marks the task as complete, with a reason."""

    by: PersonId
    text: str


@dataclass(frozen=True, slots=True)
class Adopt:
    """A lead uses a submission that did not count as the result of its stage, with a reason."""

    by: PersonId
    submission_id: SubmissionId
    text: str


@dataclass(frozen=True, slots=True)
class VoidVote:
    """A lead voids the vote of one person; another person votes instead.

    ``kept`` are the assignments of the other people whose votes stay valid.
    """

    by: PersonId
    assignment_id: AssignmentId
    kept: tuple[AssignmentId, ...]
    text: str


@dataclass(frozen=True, slots=True)
class LookForPeople:
    """Check again whether an eligible person is left, after people or roles changed."""

    by: None = None


WorkAct: TypeAlias = (
    Claim
    | Assign
    | Renew
    | Release
    | Skip
    | Expire
    | Leave
    | Submit
    | Decide
    | RequestRater
    | PutTogether
    | Revoke
    | Withdraw
    | Retire
    | Reopen
    | OpenRound
    | ExcludePeople
    | Prioritize
    | Close
    | Adopt
    | VoidVote
    | LookForPeople
)
