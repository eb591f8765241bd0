"""Words for the work: stages, how long, until when, who."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from annotator.domain.people import Person, Role
from annotator.domain.recipes.recipe import Recipe

_ROLES = {
    Role.RATER: "rater",
    Role.REVIEWER: "reviewer",
    Role.LEAD: "lead",
    Role.PARTICIPANT: "participant",
}


def role_text(role: Role) -> str:
    return _translated(_ROLES[role])


def roles_text(person: Person) -> str:
    """Name what a person may do, as in "rater, reviewer"."""
    return ", ".join(role_text(role) for role in Role if role in person.roles)


def names_text(people: Iterable[Person]) -> str:
    """Name some people, the first three of many."""
    names = [person.name for person in people]
    if len(names) > 3:
        names = [*names[:3], "…"]
    return ", ".join(names)


def stage_title(recipe: Recipe, kind: str, key: str) -> str:
    """Return what the recipe calls a stage; its key where it has it no more."""
    task_type = recipe.task_type(kind)
    stage = task_type.stage(key) if task_type is not None else None
    return stage.title if stage is not None else key


def duration_text(seconds: float) -> str:
    """Write a time of work, as in "1 h 05 min" or "12 min"."""
    minutes = int(seconds // 60)
    if minutes < 60:
        return _translated("{n} min").format(n=minutes)
    hours, rest = divmod(minutes, 60)
    return _translated("{h} h {m:02d} min").format(h=hours, m=rest)


def timer_text(seconds: float) -> str:
    """Write a running time, as in "4:05" or "1:04:05"."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def _translated(text: str) -> str:
    return QCoreApplication.translate("work", text)
