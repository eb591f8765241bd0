"""Why a draft cannot be changed now, in words for whoever tries."""

from __future__ import annotations

from annotator.domain.errors import ProjectError
from annotator.domain.ids import TaskId
from annotator.domain.people import Person
from annotator.domain.work.records import AssignmentState, TaskRecord, TaskStatus
from annotator.services.work_room import WorkRoom


def why_locked(room: WorkRoom, task_id: TaskId) -> ProjectError:
    """Return the error for an edit in a draft that is open to be looked at only."""
    text, hint = _reason(room, room.record(task_id), room.people.me)
    return ProjectError(f"{text}: the edit was not made.", hint=hint)


def _reason(room: WorkRoom, record: TaskRecord, me: Person | None) -> tuple[str, str]:
    if record.status is TaskStatus.WITHDRAWN:
        return "This task was taken out of the work", "A lead can bring it back."
    if record.status is TaskStatus.COMPLETE:
        if room.recipe.is_plain:
            return "This task has been submitted", "Reopen the task to go on with it."
        return "This task is complete", "A lead can reopen it or open a further round."
    if me is None or room.people.needs_sign_in:
        return "Nobody has signed in", "Say who you are first."
    if record.status is TaskStatus.RESOLVING:
        return "All have handed this in, and their work is put together", "Wait for the result."
    if any(held.person_id == me.id for held in record.holders):
        return "This is not your draft of the task", "Open the task again."
    if record.holders:
        found = (room.people.find(held.person_id) for held in record.holders)
        names = ", ".join(person.name for person in found if person is not None)
        return f"{names or 'Somebody else'} is working on this task", "You can look at it."
    return _waiting(room, record, me)


def _waiting(room: WorkRoom, record: TaskRecord, me: Person) -> tuple[str, str]:
    task_type = room.recipe.recipe.task_type(record.kind)
    stage = task_type.stage(record.stage) if task_type is not None else None
    title = stage.title if stage is not None else record.stage
    mine = [a for a in record.assignments if a.person_id == me.id]
    if mine and mine[-1].state is AssignmentState.SUBMITTED:
        return f"You have submitted this, and it waits for “{title}”", "Claim another task."
    return f"Nobody has this task, which waits for “{title}”", "Claim it to work on it."
