"""Which items a person is asked in a task: those of the task, with attention checks among them."""

from __future__ import annotations

from annotator.domain.ids import AssignmentId, PersonId, TaskId
from annotator.domain.questions.item import Item
from annotator.domain.questions.quality import mixed_in
from annotator.domain.recipe import TaskType
from annotator.store import items
from annotator.store.project import ProjectFile


def asked_of(
    file: ProjectFile,
    task_id: TaskId,
    task_type: TaskType,
    person_id: PersonId | None,
    assignment_id: AssignmentId | None,
) -> list[Item]:
    """Return the items of a task with the checks that this person meets in it, whole.

    Whoever looks at a task without having taken it meets none.
    """
    rule = task_type.attention
    with file.reading() as connection:
        own = items.items_of(connection, task_id)
        if rule is None or person_id is None or assignment_id is None:
            return own
        checks = items.checks_of(connection, task_type.kind)
        answered = items.count_given(connection, task_type.kind, person_id, assignment_id)
    seed = f"{person_id}\n{task_type.kind}"
    return mixed_in(own, checks, every=rule.every, answered=answered, seed=seed)
