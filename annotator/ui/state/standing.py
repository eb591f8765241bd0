"""The open task for the signed-in person: assignment, stage, permissions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.domain.people import Person, Role
from annotator.domain.recipes.recipe import Act, StageSpec, TaskType
from annotator.domain.work.records import Assignment, AssignmentState, TaskRecord
from annotator.domain.work.rules import may_take

if TYPE_CHECKING:
    from annotator.domain.ids import TaskId
    from annotator.services.workflow.work import Work


@dataclass(frozen=True, slots=True)
class TaskRole:
    """The task, and the person's part in it.

    ``held`` is their hold, ``last`` the latest part they had. ``stage`` is the stage they hold it
    at, else the one the task is at; None where the recipe has it no more.
    """

    record: TaskRecord
    task_type: TaskType | None
    stage: StageSpec | None
    held: Assignment | None = None
    last: Assignment | None = None
    may_claim: bool = False
    may_reopen: bool = False

    @property
    def is_judging(self) -> bool:
        """Whether the person is to approve or to send back."""
        return self.held is not None and self.stage is not None and is_judging(self.stage)

    @property
    def may_send_back(self) -> bool:
        """Whether the stage has a way back, and the person is to judge."""
        return self.is_judging and self.stage is not None and self.stage.sends_back_to is not None


def is_judging(stage: StageSpec) -> bool:
    """Tell whether a stage looks at what others made."""
    return stage.act is not Act.ANNOTATE


def standing(work: Work, task_id: TaskId, person: Person | None) -> TaskRole:
    """Return how a task stands for a person, None for somebody who has not signed in."""
    record = work.record(task_id)
    task_type = work.recipe.task_type(record.kind)
    if person is None:
        return TaskRole(record, task_type, task_type.stage(record.stage) if task_type else None)
    mine = [a for a in record.assignments if a.person_id == person.id]
    held = next((a for a in mine if a.state is AssignmentState.HELD), None)
    key = held.stage if held is not None else record.stage
    return TaskRole(
        record,
        task_type,
        task_type.stage(key) if task_type is not None else None,
        held,
        mine[-1] if mine else None,
        _may_claim(record, person, task_type),
        _may_reopen(record, person, task_type),
    )


def _may_claim(record: TaskRecord, person: Person, task_type: TaskType | None) -> bool:
    """Tell whether a person may take this very task: chosen, or taken up again."""
    if task_type is None or may_take(record, person, task_type) is not None:
        return False
    stage = task_type.stage(record.stage)
    had_it = any(a.person_id == person.id for a in record.current)
    return had_it or person.has(Role.LEAD) or (stage is not None and stage.may_choose)


def _may_reopen(record: TaskRecord, person: Person, task_type: TaskType | None) -> bool:
    """Tell whether a person may unlock what was handed in last."""
    last = record.last_word
    if task_type is None or last is None or record.holders:
        return False
    stage = task_type.stage(last.stage)
    is_own = last.person_id == person.id and stage is not None and stage.may_reopen
    return is_own or person.has(Role.LEAD)
