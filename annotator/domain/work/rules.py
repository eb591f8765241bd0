"""Eligibility: who may claim a task, and which parts of it a person may see.

A person works on one stage of a task only. So no person reviews their own work, different people do
the stages, and a returned task goes to a rater who has not worked on it. With ``may_repeat`` a
stage accepts the same person again, except for returned tasks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from annotator.domain.ids import PersonId, SubmissionId
from annotator.domain.people import Crew, Person, Role
from annotator.domain.recipes.recipe import Act, StageSpec, TaskType
from annotator.domain.work.records import (
    Assignment,
    AssignmentState,
    Instant,
    TaskRecord,
    TaskStatus,
)


class ClaimRule(StrEnum):
    """A rule that can prevent a claim."""

    INACTIVE = "inactive"
    NO_STAGE = "no-stage"
    NOT_OPEN = "not-open"
    TAKEN = "taken"
    RESERVED = "reserved"
    HAS_IT = "has-it"
    ROLE = "role"
    UNQUALIFIED = "unqualified"
    SUSPENDED = "kept-from"
    PASSED = "passed"
    UNGRADED = "ungraded"
    SPENT = "spent"
    SKIPPED = "skipped"
    REVOKED = "revoked"
    HAD_PART = "had-part"
    OWN_WORK = "own-work"
    EXCLUDED = "barred"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rule that prevents a claim, and its sentence."""

    rule: ClaimRule
    text: str


def role_of(record: TaskRecord, stage: StageSpec) -> Role | None:
    """Return the role that the next person on a task needs; None: any."""
    return stage.adjudicator if record.is_adjudicating else stage.role


def excluded_people(record: TaskRecord, stage: StageSpec) -> frozenset[PersonId]:
    """Return the people excluded from a task at its stage: the filter of the queue.

    It follows from record and recipe alone, so a store can keep it with the task. People who
    released the task at this visit (by release, expired lease or leaving) may claim it again.
    """
    found: set[PersonId] = set(record.excluded)
    author = _judged_author(record, stage)
    if author is not None:
        found.add(author)
    for each in record.assignments:
        if each.person_id not in found and _bars(each, record, stage):
            found.add(each.person_id)
    return frozenset(found)


def may_take(record: TaskRecord, person: Person, task_type: TaskType) -> Refusal | None:
    """Return the rule that prevents a claim now, None if there is none."""
    stage = task_type.stage(record.stage)
    if not person.is_active:
        return _refuse(ClaimRule.INACTIVE)
    if stage is None:
        return _refuse(ClaimRule.NO_STAGE)
    if record.status not in (TaskStatus.WAITING, TaskStatus.IN_PROGRESS):
        return _refuse(ClaimRule.NOT_OPEN)
    if any(a.person_id == person.id for a in record.holders):
        return _refuse(ClaimRule.HAS_IT)
    if record.open_slots == 0:
        return _refuse(ClaimRule.TAKEN)
    if record.reserved_for not in (None, person.id):
        return _refuse(ClaimRule.RESERVED)
    if record.reserved_for is None and not person.has(role_of(record, stage)):
        return _refuse(ClaimRule.ROLE)
    if record.kind in person.kept_from:
        return _refuse(ClaimRule.SUSPENDED)
    if (
        task_type.passing is not None
        and (answered_kind := _done_with(record.kind, person)) is not None
    ):
        return _refuse(answered_kind)
    if not person.may_do(record.kind, task_type.requires):
        return _refuse(ClaimRule.UNQUALIFIED)
    if person.id not in excluded_people(record, stage):
        return None
    for other in record.assignments:
        if other.person_id == person.id and other.stage == record.stage and not other.submissions:
            if other.state is AssignmentState.SKIPPED:
                return _refuse(ClaimRule.SKIPPED)
            if other.state is AssignmentState.REVOKED and other.visit == record.visit:
                return _refuse(ClaimRule.REVOKED)
    if person.id in record.excluded:
        return _refuse(ClaimRule.EXCLUDED)
    is_own = person.id == _judged_author(record, stage)
    return _refuse(ClaimRule.OWN_WORK if is_own else ClaimRule.HAD_PART)


def may_begin(person: Person, task_type: TaskType) -> bool:
    """Return whether a person may claim tasks of a kind at all, whatever their role."""
    is_test = task_type.passing is not None
    return person.may_do(task_type.kind, task_type.requires, is_test=is_test)


def may_overrule(
    record: TaskRecord, person: Person, task_type: TaskType, crew: Crew
) -> Refusal | None:
    """Return the rule that prevents even an assignment by the lead.

    A lead can overrule roles, skips and the rule of one stage per person. Nobody reviews their own
    work, and inactive people and present assignees are refused. The reservation of a person who has
    left can pass to another person, except in studies, which are reassigned as a whole.
    """
    stage = task_type.stage(record.stage)
    refusal = may_take(record, person, task_type)
    if refusal is not None and refusal.rule is ClaimRule.RESERVED:
        owner = crew.person(record.reserved_for) if record.reserved_for is not None else None
        if task_type.study is not None:
            return Refusal(ClaimRule.RESERVED, _DEAL_AGAIN)
        if owner is None or owner.is_active:
            return Refusal(ClaimRule.RESERVED, _STILL_THERE)
        record = replace(record, reserved_for=person.id)
        refusal = may_take(record, person, task_type)
    if refusal is None or refusal.rule not in _YIELDING or stage is None:
        return refusal
    if person.id == _judged_author(record, stage):
        return _refuse(ClaimRule.OWN_WORK)
    place = task_type.index(stage.key)
    for other in record.assignments:
        if other.person_id != person.id:
            continue
        if other.visit == record.visit and other.state in _TAKES_PART:
            return _refuse(ClaimRule.HAD_PART)
        if stage.act is Act.ANNOTATE or not (other.submissions or other.state in _MAY_HAND_IN):
            continue
        if task_type.index(other.stage) < place:
            return _refuse(ClaimRule.OWN_WORK)
    return None


def is_spent(record: TaskRecord, task_type: TaskType, crew: Crew) -> bool:
    """Return whether a task needs a person and no eligible one is left."""
    stage = task_type.stage(record.stage)
    if stage is None:
        return True
    if record.open_slots == 0 or task_type.passing is not None:
        return False  # a test waits for any person
    if record.reserved_for is not None:
        parts = [a for a in record.current if a.person_id == record.reserved_for]
        if any(each.state in _TAKES_PART for each in parts):
            return False  # whom it is there for has it
        person = crew.person(record.reserved_for)
        return person is None or may_take(record, person, task_type) is not None
    who = role_of(record, stage), excluded_people(record, stage)
    return crew.is_spent(*who, record.kind, task_type.requires)


def is_over(assignment: Assignment, lease_ms: int | None, now: Instant) -> bool:
    """Return whether the lease of a claim has expired.

    A lease that ends further ahead than two of its lengths was given by a clock that has since been
    set back: it counts as over too, so that no task sleeps for as long as the clock was wrong.
    """
    until = assignment.lease_until
    if until is None:
        return False
    return now >= until or (lease_ms is not None and until - now > 2 * lease_ms)


def hidden_from(record: TaskRecord, person: Person) -> frozenset[SubmissionId]:
    """Return the submissions that a person may not see yet.

    During parallel work the submissions of others are hidden from everyone except leads who do not
    take part, and an adjudicator.
    """
    if record.wanted == 1 or record.status not in _UNDECIDED:
        return frozenset()
    mine = [a for a in record.current if a.person_id == person.id and a.state in _TAKES_PART]
    if not mine and person.has(Role.LEAD):
        return frozenset()
    if record.is_adjudicating and mine and mine[-1].state is AssignmentState.HELD:
        return frozenset()
    return frozenset(
        submission.submission_id
        for assignment in record.current
        if assignment.person_id != person.id
        for submission in assignment.submissions
    )


def _done_with(kind: str, person: Person) -> ClaimRule | None:
    """Return why a person cannot claim a test of a kind, or not now."""
    if kind in person.passed:
        return ClaimRule.PASSED
    if kind in person.waiting:
        return ClaimRule.UNGRADED
    return ClaimRule.SPENT if kind in person.spent else None


def _bars(each: Assignment, record: TaskRecord, stage: StageSpec) -> bool:
    """Return whether a part in the task bars its person from the stage the task is at."""
    state = each.state
    if each.visit == record.visit:
        return state not in _MAY_RESUME
    if state in _NOT_AGAIN and each.stage == stage.key:
        return True
    if state in _GAVE_BACK and not each.submissions:
        return False
    return record.is_returned or each.stage != stage.key or not stage.may_repeat


def _judged_author(record: TaskRecord, stage: StageSpec) -> PersonId | None:
    """Return who made what the stage is to judge, None if it does not judge."""
    if stage.act is Act.ANNOTATE:
        return None
    last = record.last_word
    return last.person_id if last is not None else None


def _refuse(rule: ClaimRule) -> Refusal:
    return Refusal(rule, _TEXTS[rule])


_TAKES_PART = frozenset((AssignmentState.HELD, AssignmentState.SUBMITTED))
_NOT_AGAIN = frozenset((AssignmentState.SKIPPED, AssignmentState.VOIDED))
_GAVE_BACK = frozenset((AssignmentState.RELEASED, AssignmentState.SKIPPED))
_MAY_RESUME = frozenset((AssignmentState.RELEASED, AssignmentState.EXPIRED, AssignmentState.LEFT))
_MAY_HAND_IN = frozenset(
    (
        AssignmentState.HELD,
        AssignmentState.SUBMITTED,
        AssignmentState.EXPIRED,
        AssignmentState.REVOKED,
        AssignmentState.LEFT,
    )
)
_UNDECIDED = frozenset((TaskStatus.WAITING, TaskStatus.IN_PROGRESS, TaskStatus.RESOLVING))
_YIELDING = frozenset(
    (
        ClaimRule.ROLE,
        ClaimRule.UNQUALIFIED,
        ClaimRule.SKIPPED,
        ClaimRule.REVOKED,
        ClaimRule.HAD_PART,
    )
)
_DEAL_AGAIN = "The task is reserved for another study participant. Reassign the study."
_STILL_THERE = (
    "The task is reserved for another person. It can be reassigned after that person is "
    "deactivated."
)
_TEXTS = {
    ClaimRule.INACTIVE: "Cannot assign the task: the person is inactive.",
    ClaimRule.NO_STAGE: "The recipe no longer has this stage.",
    ClaimRule.NOT_OPEN: "The task has no work to assign.",
    ClaimRule.TAKEN: "The task is assigned to another person.",
    ClaimRule.RESERVED: "The task is reserved for another person.",
    ClaimRule.HAS_IT: "The task is already assigned to this person.",
    ClaimRule.ROLE: "The stage requires a different role.",
    ClaimRule.UNQUALIFIED: "The person has not passed the required qualification test.",
    ClaimRule.SUSPENDED: (
        "The person is suspended from this task type because of failed attention checks."
    ),
    ClaimRule.PASSED: "The person has already passed the qualification test.",
    ClaimRule.UNGRADED: "The qualification test of this person is waiting for a grade.",
    ClaimRule.SPENT: "The person has used all attempts of the qualification test.",
    ClaimRule.SKIPPED: "The person skipped the task.",
    ClaimRule.REVOKED: "The task was unassigned from this person.",
    ClaimRule.HAD_PART: "The person has already worked on this task.",
    ClaimRule.OWN_WORK: "Conflict of interest: people cannot review their own work.",
    ClaimRule.EXCLUDED: (
        "The person is excluded from this task because of an assignment in a work package."
    ),
}
