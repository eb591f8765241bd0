"""Transitions of a task: the events that follow from an act, by recipe, people and time.

`plan` is the only place that decides. It returns the events, in order, that store and record then
take over, or raises `WorkError`; no events: everything is so already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from annotator.domain.errors import WorkError
from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.ids import PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.people import Crew
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.acts import (
    Claim,
    Decide,
    Expire,
    Leave,
    LookForPeople,
    Release,
    Renew,
    RequestRater,
    Retire,
    Skip,
    Submit,
    WorkAct,
)
from annotator.domain.work.events import (
    Claimed,
    Created,
    ExtraSubmitted,
    Gathered,
    LeadAnswered,
    LeadRequested,
    Renewed,
    Submitted,
    Widened,
    Withdrawn,
    WorkEvent,
)
from annotator.domain.work.lead_transitions import LEAD_ACTS
from annotator.domain.work.plan_draft import PlanDraft, check_verdict
from annotator.domain.work.records import (
    Assignment,
    AssignmentState,
    Flag,
    Instant,
    LeadNeed,
    TaskRecord,
    TaskStatus,
    VerdictKind,
)
from annotator.domain.work.rules import is_spent, may_take


def create(
    task_id: TaskId,
    video_id: VideoId,
    task_type: TaskType,
    *,
    by: PersonId | None,
    now: Instant,
    priority: int = 0,
    base_id: SubmissionId | None = None,
    reserved_for: PersonId | None = None,
    viewing: Viewing | None = None,
) -> Created:
    """Return the event that creates a task; ``base_id`` is its first document, if any.

    With ``reserved_for`` it is there for that person alone, and so for one; ``viewing`` takes the
    place of what the recipe lets be seen.
    """
    first = task_type.first
    return Created(
        task_id,
        now,
        by,
        video_id,
        task_type.kind,
        first.key,
        first.raters if reserved_for is None else 1,
        priority,
        base_id,
        reserved_for,
        viewing,
    )


def plan(
    record: TaskRecord, act: WorkAct, task_type: TaskType, crew: Crew, now: Instant
) -> tuple[WorkEvent, ...]:
    """Return the effect of an act on a task, or raise WorkError with the violated rule.

    ``crew`` are all people of the project now. If no eligible person is left afterwards, a request
    for the lead is part of the effect.
    """
    transition = PlanDraft(record, task_type, crew, now, act.by)
    _PLANS[type(act)](transition, act)
    after = transition.record
    if (
        after.needs_lead is None
        and (transition.events or isinstance(act, LookForPeople | Leave))
        and after.status in _OPEN
        and is_spent(after, task_type, crew)
    ):
        need = LeadNeed.NOBODY_LEFT if task_type.stage(after.stage) else LeadNeed.NO_STAGE
        transition.add(LeadRequested(record.id, now, None, need))
    return tuple(transition.events)


def _claim(transition: PlanDraft, act: Claim) -> None:
    transition.expire_holds()
    person = transition.person(act.by)
    stage = transition.stage()
    refusal = may_take(transition.record, person, transition.task_type)
    if refusal is not None:
        raise WorkError(refusal.text, code=refusal.rule)
    is_free = (
        stage.may_choose
        or transition.is_lead(act.by)
        or transition.released_assignment(act.by) is not None
    )
    if act.is_chosen and not is_free:
        raise WorkError(
            "Tasks of this stage are assigned in queue order and cannot be selected.",
            code="no-choice",
        )
    transition.add(
        Claimed(
            transition.task_id,
            transition.now,
            act.by,
            transition.released_assignment(act.by) or transition.fresh(act.assignment_id),
            act.by,
            transition.lease(stage),
        )
    )


def _renew(transition: PlanDraft, act: Renew) -> None:
    held = _mine(transition, act)
    if act.never_expires:
        if held.lease_until is not None:
            transition.add(Renewed(transition.task_id, transition.now, act.by, held.id, None))
        return
    stage = transition.task_type.stage(held.stage)
    until = transition.lease(stage) if stage is not None else None
    if until is None or held.lease_until is None or stage is None or stage.lease_ms is None:
        return
    # A log entry for each sign of life would be most of the log.
    if abs(until - held.lease_until) * 8 >= stage.lease_ms:
        transition.add(Renewed(transition.task_id, transition.now, act.by, held.id, until))


def _release(transition: PlanDraft, act: Release) -> None:
    transition.end(_mine(transition, act), AssignmentState.RELEASED)


def _skip(transition: PlanDraft, act: Skip) -> None:
    held = _mine(transition, act)
    transition.end(held, AssignmentState.SKIPPED, transition.reason(act.text))


def _expire(transition: PlanDraft, act: Expire) -> None:
    transition.expire_holds()


def _leave(transition: PlanDraft, act: Leave) -> None:
    for held in transition.record.holders:
        if held.person_id == act.person_id:
            transition.end(held, AssignmentState.LEFT)


def _submit(transition: PlanDraft, act: Submit) -> None:
    record = transition.record
    transition.person(act.by)
    for other in record.assignments:
        if any(submission.submission_id == act.submission_id for submission in other.submissions):
            return  # the same bytes once more
    assignment = record.assignment(act.assignment_id)
    if assignment is not None and assignment.person_id != act.by:
        raise WorkError("The task is assigned to another person.", code="not-yours")
    flag = _flag(transition, assignment)
    if assignment is None or not _counts(transition, assignment):
        check_verdict(act.verdict, None)
        transition.add(
            ExtraSubmitted(
                transition.task_id,
                transition.now,
                act.by,
                act.assignment_id,
                act.by,
                assignment.stage if assignment is not None else act.stage or record.stage,
                act.submission_id,
                act.verdict,
                flag or Flag.LATE,
            )
        )
        return
    check_verdict(act.verdict, transition.stage())
    transition.add(
        Submitted(
            transition.task_id,
            transition.now,
            act.by,
            assignment.id,
            act.submission_id,
            act.verdict,
            flag,
        )
    )
    _go_on(transition, act)


def _flag(transition: PlanDraft, held: Assignment | None) -> Flag | None:
    """Return the flags of an unusual submission."""
    if held is None:
        return Flag.UNKNOWN
    if held.state is AssignmentState.SUBMITTED:
        return Flag.REPEATED
    is_punctual = held.state is AssignmentState.HELD and not transition.is_over(held)
    return None if is_punctual else Flag.LATE


def _counts(transition: PlanDraft, held: Assignment) -> bool:
    """Return whether a submission moves the task: a late one if its place is free still, and its
    author has not been kept from such tasks meanwhile.
    """
    record = transition.record
    if held.visit != record.visit or transition.task_type.stage(record.stage) is None:
        return False
    if held.state is AssignmentState.HELD:
        return True
    is_kept_from = held.person_id in transition.crew.kept_from.get(record.kind, ())
    return held.state in _MAY_COME_LATE and record.open_slots > 0 and not is_kept_from


def _go_on(transition: PlanDraft, act: Submit) -> None:
    """Move the task on after all required submissions."""
    record = transition.record
    done = [a for a in record.current if a.state is AssignmentState.SUBMITTED]
    if len(done) < record.wanted:
        return
    if record.wanted == 1:
        transition.move(act.verdict.kind, act.submission_id, act.verdict.reasons)
    elif record.is_adjudicating and (
        transition.task_type.form is None or act.verdict.kind is VerdictKind.SEND_BACK
    ):
        transition.decide(act.verdict.kind, act.submission_id, "adjudication", act.verdict.reasons)
    else:
        transition.add(Gathered(transition.task_id, transition.now, None))


def _decide(transition: PlanDraft, act: Decide) -> None:
    _must_resolve(transition)
    stage = transition.stage()
    if act.verdict is VerdictKind.SEND_BACK and stage.sends_back_to is None:
        raise WorkError("Tasks cannot be rejected at this stage.", code="no-way-back")
    reasons = tuple(
        reason
        for each in transition.record.current
        if each.counted is not None and act.verdict is VerdictKind.SEND_BACK
        for reason in each.counted.verdict.reasons
    )
    transition.decide(act.verdict, act.base_id, act.method, reasons)


def _ask_one_more(transition: PlanDraft, act: RequestRater) -> None:
    _must_resolve(transition)
    record, stage = transition.record, transition.stage()
    beyond = record.wanted >= stage.max_raters
    transition.add(Widened(transition.task_id, transition.now, act.by, record.wanted + 1, beyond))


def _look_for_people(transition: PlanDraft, act: LookForPeople) -> None:
    record = transition.record
    if record.needs_lead is not None and not is_spent(
        record, transition.task_type, transition.crew
    ):
        transition.add(LeadAnswered(transition.task_id, transition.now, None))


def _retire(transition: PlanDraft, act: Retire) -> None:
    if transition.record.status is not TaskStatus.WITHDRAWN:
        transition.add(Withdrawn(transition.task_id, transition.now, act.by, ""))


def _must_resolve(transition: PlanDraft) -> None:
    if transition.record.status is not TaskStatus.RESOLVING:
        raise WorkError(
            "Cannot resolve the task: not all raters have submitted.", code="not-gathered"
        )


def _mine(transition: PlanDraft, act: Renew | Release | Skip) -> Assignment:
    """Return the hold that an act is about; WorkError when the person has it no more."""
    held = transition.record.assignment(act.assignment_id)
    if held is None or held.person_id != act.by:
        raise WorkError("The task is not assigned to this person.", code="not-yours")
    if held.state is not AssignmentState.HELD:
        raise WorkError(
            "The claim on this task has ended.",
            code=f"ended-{held.state.value}",
            hint="Your draft is kept. To continue, claim the task again if it is available.",
        )
    return held


_OPEN: Final = frozenset((TaskStatus.WAITING, TaskStatus.IN_PROGRESS))
_MAY_COME_LATE: Final = frozenset(
    (AssignmentState.EXPIRED, AssignmentState.RELEASED, AssignmentState.LEFT)
)
# Each plan takes the action type of its key, which the type of the table cannot express.
_PLANS: Final[dict[type, Callable[[PlanDraft, Any], None]]] = {
    Claim: _claim,
    Renew: _renew,
    Release: _release,
    Skip: _skip,
    Expire: _expire,
    Leave: _leave,
    Submit: _submit,
    Decide: _decide,
    RequestRater: _ask_one_more,
    LookForPeople: _look_for_people,
    Retire: _retire,
    **LEAD_ACTS,
}
