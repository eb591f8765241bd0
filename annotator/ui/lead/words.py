"""Words of the lead's pages: stages, states, roles, instants."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication

from annotator.domain.annotation.document import Document
from annotator.domain.ids import PersonId, TaskId, TrackId
from annotator.domain.people import Person, Role
from annotator.domain.recipes.recipe import Recipe
from annotator.domain.work.records import Flag, Instant, LeadNeed, TaskStatus

STATUSES: Final = {
    TaskStatus.WAITING: "waiting",
    TaskStatus.IN_PROGRESS: "in progress",
    TaskStatus.RESOLVING: "resolving",
    TaskStatus.COMPLETE: "complete",
    TaskStatus.WITHDRAWN: "withdrawn",
}
ROLES: Final = {
    Role.RATER: "rater",
    Role.REVIEWER: "reviewer",
    Role.LEAD: "lead",
    Role.PARTICIPANT: "participant",
}
_FLAGS: Final = {
    Flag.LATE: "submitted late",
    Flag.REPEATED: "submitted twice",
    Flag.UNKNOWN: "submitted without assignment",
    Flag.OVERRULED: "rule override",
    Flag.CLOSED: "marked as complete early",
}
_NEEDS: Final = {
    LeadNeed.NOBODY_LEFT: "no eligible person left",
    LeadNeed.NO_STAGE: "stage missing in the recipe",
}


class TaskLink(NamedTuple):
    """A task to be looked at, with what one person did of it, or at a frame with a track.

    ``prediction`` is the name of a model and what it says, to be compared with.
    """

    task_id: TaskId
    person_id: PersonId | None = None
    frame: int | None = None
    track_id: TrackId | None = None
    prediction: tuple[str, Document] | None = None


def status_text(status: TaskStatus) -> str:
    return _tr(STATUSES[status])


def role_text(role: Role) -> str:
    return _tr(ROLES[role])


def roles_text(person: Person) -> str:
    """Return all that somebody may do, as in "rater, reviewer"."""
    return ", ".join(role_text(role) for role in Role if role in person.roles) or _tr("guest")


def flag_text(flag: str) -> str:
    return _tr(_FLAGS[Flag(flag)]) if flag in set(Flag) else flag


def need_text(need: LeadNeed) -> str:
    return _tr(_NEEDS[need])


def kind_title(recipe: Recipe, kind: str) -> str:
    """Return how the recipe calls a kind of task; the kind itself when it has it no more."""
    found = recipe.task_type(kind)
    return found.title if found is not None else kind


def stage_title(recipe: Recipe, kind: str, stage: str) -> str:
    """Return how the recipe calls a stage; its key when it has it no more."""
    task_type = recipe.task_type(kind)
    found = task_type.stage(stage) if task_type is not None else None
    return found.title if found is not None else stage


def reason_title(recipe: Recipe, code: str) -> str:
    """Return the words of a reason to send back; "" is one in somebody's own words."""
    found = next((r.text for r in recipe.return_reasons if r.code == code), code)
    return found or _tr("Other reason")


def instant_text(at: Instant) -> str:
    """Write an instant by the clock of this machine, to the minute."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def utc_text(at: Instant) -> str:
    """Write an instant for files: UTC, to the second."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
