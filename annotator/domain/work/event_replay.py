"""Application of one event to the record of a task.

Events hold all that is decided; nothing here looks at a recipe, so a history means the same for
ever. An event that does not fit its record is a fault of the file: ValueError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any, Final, cast

from annotator.domain.ids import AssignmentId
from annotator.domain.work.events import (
    Adopted,
    Assigned,
    Claimed,
    Completed,
    Created,
    Decided,
    Ended,
    Entered,
    ExtraSubmitted,
    Gathered,
    LeadAnswered,
    LeadRequested,
    PersonExcluded,
    Prioritized,
    Renewed,
    Reopened,
    RoundOpened,
    Submitted,
    VoteVoided,
    Widened,
    Withdrawn,
    WorkEvent,
)
from annotator.domain.work.records import (
    Assignment,
    AssignmentState,
    Flag,
    Reason,
    SubmissionRecord,
    TaskRecord,
    TaskStatus,
)


def begin(event: Created) -> TaskRecord:
    """Return the record of a task that was just made."""
    return TaskRecord(
        id=event.task_id,
        video_id=event.video_id,
        kind=event.task_kind,
        stage=event.stage,
        status=TaskStatus.WAITING,
        wanted=event.wanted,
        priority=event.priority,
        base_id=event.base_id,
        reserved_for=event.reserved_for,
        viewing=event.viewing,
    )


def apply(record: TaskRecord, event: WorkEvent) -> TaskRecord:
    """Return the record after an event."""
    if event.task_id != record.id:
        raise ValueError("an event of another task")
    step = _STEPS.get(type(event))
    if step is None:
        raise ValueError(f"“{event.kind}” cannot follow")
    return replace(record, seq=record.seq + 1, **step(record, event))


def replay(events: Iterable[WorkEvent]) -> TaskRecord:
    """Return the record that a whole history leads to; it begins with the making of the task."""
    rest = iter(events)
    first = next(rest, None)
    if first is None or first.kind != Created.kind:
        raise ValueError("a history begins with the making of its task")
    record = begin(cast("Created", first))
    for event in rest:
        record = apply(record, event)
    return record


# What each event changes, as arguments of `replace`.
def _created(_record: TaskRecord, event: Created) -> dict[str, object]:
    """The history of the task elsewhere follows, from its beginning, in the place of this one."""
    new = begin(event)
    return {each.name: getattr(new, each.name) for each in fields(new) if each.name != "seq"}


def _claimed(record: TaskRecord, event: Claimed | Assigned) -> dict[str, object]:
    assignment = record.assignment(event.assignment_id)
    if assignment is None:
        assignment = Assignment(
            event.assignment_id,
            record.stage,
            record.round,
            record.visit,
            event.person_id,
            AssignmentState.HELD,
            event.at,
            event.lease_until,
            record.base_id,
        )
    else:
        assignment = replace(
            assignment, state=AssignmentState.HELD, since=event.at, lease_until=event.lease_until
        )
    return {
        "assignments": _with_assignment(record, assignment),
        "status": TaskStatus.IN_PROGRESS,
        "needs_lead": None,
    }


def _assigned(record: TaskRecord, event: Assigned) -> dict[str, object]:
    changed = _claimed(record, event)
    if event.overruled:
        changed["flags"] = record.flags | {Flag.OVERRULED}
    if record.reserved_for is not None:
        # Given to another because who it was there for has left: it is there for them now.
        changed["reserved_for"] = event.person_id
    return changed


def _renewed(record: TaskRecord, event: Renewed) -> dict[str, object]:
    held = _assignment_of(record, event.assignment_id)
    return {"assignments": _with_assignment(record, replace(held, lease_until=event.lease_until))}


def _ended(record: TaskRecord, event: Ended) -> dict[str, object]:
    ended = replace(_assignment_of(record, event.assignment_id), state=event.state)
    assignments = _with_assignment(record, ended)
    return {"assignments": assignments, "status": _status(record, assignments)}


def _submitted(record: TaskRecord, event: Submitted) -> dict[str, object]:
    held = _assignment_of(record, event.assignment_id)
    submission = SubmissionRecord(event.submission_id, event.at, event.verdict, event.flag)
    done = replace(
        held, state=AssignmentState.SUBMITTED, submissions=(*held.submissions, submission)
    )
    assignments = _with_assignment(record, done)
    changed: dict[str, object] = {
        "assignments": assignments,
        "status": _status(record, assignments),
        "needs_lead": None,
        "counted": (*record.counted, event.submission_id),
    }
    if event.flag is not None:
        changed["flags"] = record.flags | {event.flag}
    return changed


def _extra(record: TaskRecord, event: ExtraSubmitted) -> dict[str, object]:
    assignment = record.assignment(event.assignment_id)
    if assignment is None:
        assignment = Assignment(
            event.assignment_id,
            event.stage,
            record.round,
            record.visit,
            event.person_id,
            AssignmentState.EXTRA,
            event.at,
        )
    submission = SubmissionRecord(
        event.submission_id, event.at, event.verdict, event.flag, is_counted=False
    )
    with_submission = replace(assignment, submissions=(*assignment.submissions, submission))
    return {
        "assignments": _with_assignment(record, with_submission),
        "flags": record.flags | {event.flag},
    }


def _adopted(record: TaskRecord, event: Adopted) -> dict[str, object]:
    kept = _assignment_of(record, event.assignment_id)
    submissions = tuple(
        replace(submission, is_counted=True)
        if submission.submission_id == event.submission_id
        else submission
        for submission in kept.submissions
    )
    done = replace(kept, state=AssignmentState.SUBMITTED, submissions=submissions)
    return {
        "assignments": _with_assignment(record, done),
        "stage": event.stage,
        "counted": (*record.counted, event.submission_id),
    }


def _entered(record: TaskRecord, event: Entered) -> dict[str, object]:
    return {
        **_new_visit(record, event.stage, event.wanted),
        "base_id": event.base_id,
        "is_returned": event.is_returned,
        "reasons": event.reasons,
    }


def _gathered(record: TaskRecord, event: Gathered) -> dict[str, object]:
    return {"status": TaskStatus.RESOLVING}


def _decided(record: TaskRecord, event: Decided) -> dict[str, object]:
    return {"base_id": event.base_id}


def _widened(record: TaskRecord, event: Widened) -> dict[str, object]:
    return {
        "wanted": event.wanted,
        "is_adjudicating": event.is_adjudicating,
        "status": TaskStatus.IN_PROGRESS,
    }


def _completed(record: TaskRecord, event: Completed) -> dict[str, object]:
    return {
        "status": TaskStatus.COMPLETE,
        "base_id": event.base_id,
        "is_returned": False,
        "is_adjudicating": False,
        "reasons": (),
        "needs_lead": None,
        "flags": record.flags | {Flag.CLOSED} if event.text else record.flags,
    }


def _withdrawn(record: TaskRecord, event: Withdrawn) -> dict[str, object]:
    return {"status": TaskStatus.WITHDRAWN, "needs_lead": None}


def _reopened(record: TaskRecord, event: Reopened) -> dict[str, object]:
    reasons = (Reason(event.text),) if event.text else ()
    if event.assignment_id is None:
        return {**_new_visit(record, event.stage, event.wanted), "reasons": reasons}
    locked = _assignment_of(record, event.assignment_id)
    changed: dict[str, object] = {}
    visit = record.visit
    if locked.visit != visit:
        changed = _new_visit(record, event.stage, event.wanted)
        visit += 1
    assignment = replace(
        locked,
        state=AssignmentState.HELD,
        since=event.at,
        lease_until=event.lease_until,
        visit=visit,
    )
    return {
        **changed,
        "reasons": reasons,
        "assignments": _with_assignment(record, assignment),
        "status": TaskStatus.IN_PROGRESS,
    }


def _vote_voided(record: TaskRecord, event: VoteVoided) -> dict[str, object]:
    """The votes that still count belong to the new visit, so that it is resolved like any other."""
    voided = _assignment_of(record, event.assignment_id)
    visit = record.visit + 1
    kept_assignments = frozenset(event.kept)
    assignments = tuple(
        replace(assignment, state=AssignmentState.VOIDED)
        if assignment.id == voided.id
        else replace(assignment, visit=visit)
        if assignment.id in kept_assignments
        else assignment
        for assignment in record.assignments
    )
    changed = _new_visit(record, event.stage, event.wanted)
    is_begun = any(
        assignment.visit == visit and assignment.state in _BUSY for assignment in assignments
    )
    status = TaskStatus.IN_PROGRESS if is_begun else TaskStatus.WAITING
    return {**changed, "assignments": assignments, "base_id": voided.base_id, "status": status}


def _round_opened(record: TaskRecord, event: RoundOpened) -> dict[str, object]:
    return {
        **_new_visit(record, event.stage, event.wanted),
        "round": event.round,
        "guidelines": event.guidelines,
    }


def _excluded(record: TaskRecord, event: PersonExcluded) -> dict[str, object]:
    return {"excluded": record.excluded | {event.person_id}}


def _prioritized(record: TaskRecord, event: Prioritized) -> dict[str, object]:
    return {"priority": event.priority}


def _lead_asked(record: TaskRecord, event: LeadRequested) -> dict[str, object]:
    return {"needs_lead": event.need}


def _lead_answered(record: TaskRecord, event: LeadAnswered) -> dict[str, object]:
    return {"needs_lead": None}


def _new_visit(record: TaskRecord, stage: str, wanted: int) -> dict[str, object]:
    return {
        "stage": stage,
        "visit": record.visit + 1,
        "wanted": wanted,
        "status": TaskStatus.WAITING,
        "is_returned": False,
        "is_adjudicating": False,
        "reasons": (),
        "needs_lead": None,
    }


def _status(record: TaskRecord, assignments: tuple[Assignment, ...]) -> TaskStatus:
    """Return how an open task stands by those who have a part in its visit."""
    if record.status not in (TaskStatus.WAITING, TaskStatus.IN_PROGRESS):
        return record.status
    for each in assignments:
        if each.visit == record.visit and each.state in _BUSY:
            return TaskStatus.IN_PROGRESS
    return TaskStatus.WAITING


def _assignment_of(record: TaskRecord, assignment_id: AssignmentId) -> Assignment:
    found = record.assignment(assignment_id)
    if found is None:
        raise ValueError("an event of an assignment that was never made")
    return found


def _with_assignment(record: TaskRecord, changed: Assignment) -> tuple[Assignment, ...]:
    """Return the assignments with one of them changed or added."""
    before = record.assignments
    for i, each in enumerate(before):
        if each.id == changed.id:
            return (*before[:i], changed, *before[i + 1 :])
    return (*before, changed)


_BUSY: Final = frozenset((AssignmentState.HELD, AssignmentState.SUBMITTED))
# Each step takes the event type of its key, which the type of the table cannot express.
_STEPS: Final[dict[type, Callable[[TaskRecord, Any], dict[str, Any]]]] = {
    Created: _created,
    Claimed: _claimed,
    Assigned: _assigned,
    Renewed: _renewed,
    Ended: _ended,
    Submitted: _submitted,
    ExtraSubmitted: _extra,
    Adopted: _adopted,
    Entered: _entered,
    Gathered: _gathered,
    Decided: _decided,
    Widened: _widened,
    Completed: _completed,
    Withdrawn: _withdrawn,
    Reopened: _reopened,
    VoteVoided: _vote_voided,
    RoundOpened: _round_opened,
    PersonExcluded: _excluded,
    Prioritized: _prioritized,
    LeadRequested: _lead_asked,
    LeadAnswered: _lead_answered,
}
