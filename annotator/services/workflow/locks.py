"""Why a draft cannot be changed now, in words for whoever tries."""

from __future__ import annotations

from dataclasses import replace

from annotator.domain.errors import ProjectError
from annotator.domain.ids import TaskId
from annotator.domain.people import Person
from annotator.domain.work.records import AssignmentState, TaskRecord, TaskStatus
from annotator.services.workflow.gold import status_if_no_gold
from annotator.services.workflow.transactions import WorkRoom
from annotator.store.workflow.gold import find_gold_task


def why_locked(room: WorkRoom, task_id: TaskId) -> ProjectError:
    """Return the error for an edit in a draft that is open to be looked at only."""
    text, hint = _reason(room, room.record(task_id), room.people.me)
    return ProjectError(f"Cannot edit: {text}.", hint=hint)


def _reason(room: WorkRoom, record: TaskRecord, me: Person | None) -> tuple[str, str]:
    if find_gold_task(room.file, record.id) and record.status is TaskStatus.WITHDRAWN:
        record = replace(record, status=status_if_no_gold(record))
    if record.status is TaskStatus.WITHDRAWN:
        return "the task is withdrawn", "A lead can reopen it."
    if record.status is TaskStatus.COMPLETE:
        if room.recipe.is_plain:
            return "the task is submitted", "Reopen the task to continue."
        return "the task is complete", "A lead can reopen it or start a new round."
    if me is None or room.people.needs_sign_in:
        return "you are not signed in", "Sign in first."
    if record.status is TaskStatus.RESOLVING:
        return (
            "all raters have submitted, and the submissions are being resolved"
        ), "Wait for the result."
    if any(held.person_id == me.id for held in record.holders):
        return "the draft belongs to another assignment", "Open the task again."
    if record.holders:
        found = (room.people.find(held.person_id) for held in record.holders)
        names = ", ".join(person.name for person in found if person is not None)
        return f"the task is assigned to {names or 'another person'}", "You can open it read-only."
    return _waiting(room, record, me)


def _waiting(room: WorkRoom, record: TaskRecord, me: Person) -> tuple[str, str]:
    task_type = room.recipe.recipe.task_type(record.kind)
    stage = task_type.stage(record.stage) if task_type is not None else None
    title = stage.title if stage is not None else record.stage
    mine = [a for a in record.assignments if a.person_id == me.id]
    if mine and mine[-1].state is AssignmentState.SUBMITTED:
        return (
            f"you have submitted the task, and it is waiting for the stage “{title}”"
        ), "Claim another task."
    return (
        f"the task is waiting for the stage “{title}” and is not assigned"
    ), "Claim it to edit it."
