"""Transitions of a task that only leads may cause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from annotator.domain.errors import WorkError
from annotator.domain.recipes.recipe import Act, StageSpec
from annotator.domain.work.acts import (
    Adopt,
    Assign,
    Close,
    ExcludePeople,
    OpenRound,
    Prioritize,
    PutTogether,
    Reopen,
    Revoke,
    VoidVote,
    Withdraw,
)
from annotator.domain.work.events import (
    Adopted,
    Assigned,
    Completed,
    Gathered,
    PersonExcluded,
    Prioritized,
    Reopened,
    RoundOpened,
    VoteVoided,
    Withdrawn,
)
from annotator.domain.work.plan_draft import PlanDraft, check_verdict
from annotator.domain.work.records import Assignment, AssignmentState, TaskStatus
from annotator.domain.work.rules import may_overrule, may_take

MAX_PRIORITY: Final = 1_000_000


def _assign(transition: PlanDraft, act: Assign) -> None:
    _must_lead(transition)
    transition.expire_holds()
    person, stage = transition.person(act.person_id), transition.stage()
    overruled = ""
    refusal = may_take(transition.record, person, transition.task_type)
    if refusal is not None and act.is_overruling:
        overruled = refusal.rule.value
        refusal = may_overrule(transition.record, person, transition.task_type, transition.crew)
        transition.reason(act.text)
    if refusal is not None:
        raise WorkError(f"{person.name}: {refusal.text}", code=refusal.rule)
    earlier = transition.released_assignment(person.id) if not act.is_fresh else None
    transition.add(
        Assigned(
            transition.task_id,
            transition.now,
            act.by,
            earlier or transition.fresh(act.assignment_id),
            person.id,
            None if act.never_expires else transition.lease(stage),
            overruled,
            act.text.strip(),
        )
    )


def _revoke(transition: PlanDraft, act: Revoke) -> None:
    _must_lead(transition)
    held = transition.record.assignment(act.assignment_id)
    if held is None or held.state is not AssignmentState.HELD:
        raise WorkError("Cannot unassign the task: it has no assignee.", code="not-held")
    transition.end(held, AssignmentState.REVOKED, transition.reason(act.text))


def _withdraw(transition: PlanDraft, act: Withdraw) -> None:
    _must_lead(transition)
    text = transition.reason(act.text)
    if transition.record.status is TaskStatus.WITHDRAWN:
        return
    _free(transition, text)
    transition.add(Withdrawn(transition.task_id, transition.now, act.by, text))


def _close(transition: PlanDraft, act: Close) -> None:
    _must_lead(transition)
    text = transition.reason(act.text)
    if transition.record.status in (TaskStatus.COMPLETE, TaskStatus.WITHDRAWN):
        raise WorkError("Cannot mark the task as complete: it is not open.", code="not-open")
    if transition.record.base_id is None:
        raise WorkError(
            (
                "Cannot mark the task as complete: it has no submission that can be used as the "
                "result."
            ),
            code="nothing-there",
            hint="Withdraw the task instead.",
        )
    _free(transition, text)
    transition.add(
        Completed(transition.task_id, transition.now, act.by, transition.record.base_id, text)
    )


def _adopt(transition: PlanDraft, act: Adopt) -> None:
    """Continue from an uncounted submission as if it were the result of its stage.

    The later stages follow again, so that every result is reviewed.
    """
    _must_lead(transition)
    text = transition.reason(act.text)
    if transition.record.status is TaskStatus.WITHDRAWN:
        raise WorkError("Cannot withdraw the task: it is not open.", code="not-open")
    _must_be_free(transition)
    for assignment in transition.record.assignments:
        for submission in assignment.submissions:
            if submission.submission_id != act.submission_id:
                continue
            if submission.is_counted:
                raise WorkError(
                    "The submission is already used as the result.", code="counted-already"
                )
            stage = _stage_named(transition, assignment.stage)
            check_verdict(submission.verdict, stage)
            if stage.act is not Act.ANNOTATE and _had_earlier_part(transition, assignment):
                raise WorkError(
                    (
                        "Cannot use this submission as the result: "
                        "reviewers cannot review their own work."
                    ),
                    code="own-work",
                )
            name, verdict = submission.submission_id, submission.verdict
            transition.add(
                Adopted(
                    transition.task_id,
                    transition.now,
                    act.by,
                    assignment.id,
                    name,
                    assignment.stage,
                    text,
                )
            )
            transition.move(verdict.kind, name, verdict.reasons)
            return
    raise WorkError("The task has no such submission.", code="nothing-there")


def _reopen(transition: PlanDraft, act: Reopen) -> None:
    record = transition.record
    _must_be_free(transition)
    if act.assignment_id is not None:
        _go_on_with(transition, act)
        return
    _must_lead(transition)
    key = act.stage or _usual_stage(transition)
    stage = _stage_named(transition, key)
    text = transition.reason(act.text)
    if stage.key == record.stage and record.status in (TaskStatus.WAITING, TaskStatus.IN_PROGRESS):
        raise WorkError("Cannot reopen the stage: it is already open.", code="open-already")
    transition.add(
        Reopened(transition.task_id, transition.now, act.by, stage.key, stage.raters, text)
    )


def _go_on_with(transition: PlanDraft, act: Reopen) -> None:
    """Unlock a submission for its author."""
    record = transition.record
    locked = record.assignment(act.assignment_id) if act.assignment_id is not None else None
    if locked is None or locked.counted is None:
        raise WorkError("Cannot reopen the task: it has no submissions.", code="nothing-there")
    stage = _stage_named(transition, locked.stage)
    is_own = locked.person_id == act.by and stage.may_reopen
    text = act.text.strip()
    if not is_own:
        _must_lead(transition)
        text = transition.reason(text)
    if not transition.person(locked.person_id).is_active:
        raise WorkError(
            "Cannot reopen the submission: its author is inactive.",
            code="inactive",
            hint="Reopen the stage for another person.",
        )
    if not _is_last_word(transition, locked):
        raise WorkError(
            "Cannot reopen the submission: later stages depend on it.",
            code="built-upon",
            hint="Reopen a stage for another person.",
        )
    transition.add(
        Reopened(
            transition.task_id,
            transition.now,
            act.by,
            stage.key,
            record.wanted if locked.visit == record.visit else stage.raters,
            text,
            locked.id,
            transition.lease(stage),
        )
    )


def _void_vote(transition: PlanDraft, act: VoidVote) -> None:
    """Void a vote; refused while anyone works on a result of it."""
    _must_lead(transition)
    text, record = transition.reason(act.text), transition.record
    voided = record.assignment(act.assignment_id)
    if voided is None or voided.counted is None or voided.state is not AssignmentState.SUBMITTED:
        raise WorkError("Cannot void the vote: it does not count.", code="nothing-there")
    stage = _stage_named(transition, voided.stage)
    for name in act.kept:
        assignment = record.assignment(name)
        if assignment is None or (assignment.visit, assignment.stage) != (
            voided.visit,
            voided.stage,
        ):
            raise WorkError("Cannot keep a vote of another visit.", code="other-visit")
    for holder in record.holders:
        if holder.visit != voided.visit:
            transition.end(holder, AssignmentState.REVOKED, text)
    # The number of the stage, and at least one replacement for the voided vote.
    n_raters = max(stage.raters, len(act.kept) + 1)
    transition.add(
        VoteVoided(
            transition.task_id,
            transition.now,
            act.by,
            voided.id,
            stage.key,
            n_raters,
            act.kept,
            text,
        )
    )


def _open_round(transition: PlanDraft, act: OpenRound) -> None:
    _must_lead(transition)
    record = transition.record
    if record.status is not TaskStatus.COMPLETE:
        raise WorkError("Cannot start a new round: the task is not complete.", code="not-complete")
    stage = _stage_named(
        transition, act.stage or transition.task_type.rounds_from or _judging(transition)
    )
    transition.add(
        RoundOpened(
            transition.task_id,
            transition.now,
            act.by,
            record.round + 1,
            stage.key,
            stage.raters,
            act.guidelines,
            act.text.strip(),
        )
    )


def _put_together(transition: PlanDraft, act: PutTogether) -> None:
    """Resolve several submissions again: after a disagreement, or at the last stage."""
    _must_lead(transition)
    _must_be_free(transition)
    record, raters = transition.record, transition.stage().raters
    is_open = record.status in (TaskStatus.WAITING, TaskStatus.IN_PROGRESS)
    n_through = sum(each.counted is not None for each in record.current)
    is_through = record.status is TaskStatus.COMPLETE and n_through >= raters > 1
    if not is_through and (not is_open or record.wanted <= raters):
        raise WorkError("Cannot add a rater: the votes are not tied.", code="no-tie")
    transition.add(Gathered(transition.task_id, transition.now, act.by))


def _bar(transition: PlanDraft, act: ExcludePeople) -> None:
    _must_lead(transition)
    text = transition.reason(act.text)
    for person_id in dict.fromkeys(act.people):
        if person_id not in transition.record.excluded:
            transition.person(person_id)
            transition.add(
                PersonExcluded(transition.task_id, transition.now, act.by, person_id, text)
            )


def _prioritize(transition: PlanDraft, act: Prioritize) -> None:
    _must_lead(transition)
    if not -MAX_PRIORITY <= act.priority <= MAX_PRIORITY:
        raise WorkError(f"Priority must be from -{MAX_PRIORITY} to {MAX_PRIORITY}.", code="too-far")
    if act.priority != transition.record.priority:
        transition.add(Prioritized(transition.task_id, transition.now, act.by, act.priority))


def _must_lead(transition: PlanDraft) -> None:
    if not transition.is_lead(transition.by):
        raise WorkError("Not permitted: only a lead can do this.", code="lead-only")


def _had_earlier_part(transition: PlanDraft, kept: Assignment) -> bool:
    """Return whether the author of this submission did something on the task before its stage."""
    place = transition.task_type.index(kept.stage)
    return any(
        each.person_id == kept.person_id
        and each.submissions
        and transition.task_type.index(each.stage) < place
        for each in transition.record.assignments
    )


def _must_be_free(transition: PlanDraft) -> None:
    if transition.record.status is TaskStatus.RESOLVING:
        raise WorkError(
            "The submissions of this task are being resolved. Try again later.", code="resolving"
        )
    if transition.record.holders:
        raise WorkError(
            "Cannot change the task: it is assigned.", code="taken", hint="Unassign it first."
        )


def _free(transition: PlanDraft, text: str) -> None:
    """Take the task from everybody who has it."""
    for held in transition.record.holders:
        transition.end(held, AssignmentState.REVOKED, text)


def _stage_named(transition: PlanDraft, key: str) -> StageSpec:
    found = transition.task_type.stage(key)
    if found is None:
        keys = ", ".join(stage.key for stage in transition.task_type.stages)
        raise WorkError(f"Unknown stage “{key}”. Available stages: {keys}.", code="no-stage")
    return found


def _usual_stage(transition: PlanDraft) -> str:
    """Return the default stage of a reopened task."""
    if transition.record.status is TaskStatus.COMPLETE:
        return transition.task_type.stages[-1].key
    return transition.record.stage


def _judging(transition: PlanDraft) -> str:
    """Return the first stage that judges, else the last."""
    stages = transition.task_type.stages
    return next((s.key for s in stages if s.act is not Act.ANNOTATE), stages[-1].key)


def _is_last_word(transition: PlanDraft, locked: Assignment) -> bool:
    """Return whether the task is unchanged since this assignment."""
    record = transition.record
    if locked.visit == record.visit and record.wanted > 1:
        return record.status is not TaskStatus.COMPLETE  # others continue beside it
    return record.last_word == locked


# Each plan takes the action type of its key, which the type of the table cannot express.
LEAD_ACTS: Final[dict[type, Callable[[PlanDraft, Any], None]]] = {
    Assign: _assign,
    Revoke: _revoke,
    Withdraw: _withdraw,
    Close: _close,
    Adopt: _adopt,
    Reopen: _reopen,
    VoidVote: _void_vote,
    OpenRound: _open_round,
    ExcludePeople: _bar,
    Prioritize: _prioritize,
    PutTogether: _put_together,
}
