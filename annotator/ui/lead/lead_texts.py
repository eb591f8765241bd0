"""Words of the lead's pages: stages, states, roles, times, and the estimates of answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication

from annotator.domain.agreement.estimate import Missing
from annotator.domain.annotation.document import Document
from annotator.domain.ids import PersonId, TaskId, TrackId
from annotator.domain.people import Person, Role
from annotator.domain.questions.items.item import ItemState, Purpose
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.recipes.recipe import Recipe
from annotator.domain.work.records import Flag, Instant, LeadNeed, TaskStatus
from annotator.services.questions.agreement.estimate_verification import RecomputeResult

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
    """A task to open read-only, at a person's submission or at a frame with a track.

    ``prediction`` is the name of a model and its answer, for comparison.
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
    """Return the permissions of a person, as in "rater, reviewer"."""
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
    """Return the text of a reason to send back; "" is a free text."""
    found = next((r.text for r in recipe.return_reasons if r.code == code), code)
    return found or _tr("Other reason")


def utc_text(at: Instant) -> str:
    """Write an instant for files: UTC, to the second."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)


_QUESTIONS: Final = {
    "primary": "Primary question",
    "paraphrased": "Paraphrased question",
    "correctly-led": "Correctly led question",
    "wrongly-led": "Wrongly led question",
    "multiple-choice": "Multiple choice",
}
STATES: Final = {
    ItemState.OPEN: "open",
    ItemState.DECIDED: "resolved",
    ItemState.DISCARDED: "discarded",
}
_PURPOSES: Final = {
    Purpose.WORK: "regular",
    Purpose.GOLD: "gold questions",
    Purpose.ATTENTION: "attention checks",
    Purpose.TRAINING: "training",
    Purpose.QUALIFICATION: "qualification test",
    Purpose.STUDY: "study",
}
_STATUSES: Final = {
    QualificationStatus.HANDED_IN: "awaiting grade",
    QualificationStatus.PASSED: "passed",
    QualificationStatus.FAILED: "failed",
    QualificationStatus.SPENT: "failed, no attempts left",
    QualificationStatus.WARNED: "warned",
    QualificationStatus.SUSPENDED: "suspended",
    QualificationStatus.CLEARED: "reset",
}
_METHODS: Final = {
    "percent-agreement": "Percent agreement",
    "cohen-kappa": "Cohen's kappa",
    "cohen-kappa-linear": "Cohen's kappa, linear weights",
    "cohen-kappa-quadratic": "Cohen's kappa, quadratic weights",
    "fleiss-kappa": "Fleiss' kappa (Gwet 2014)",
    "alpha-nominal": "Krippendorff's alpha, nominal",
    "alpha-ordinal": "Krippendorff's alpha, ordinal",
    "alpha-interval": "Krippendorff's alpha, interval",
    "span-iou": "Temporal overlap (IoU)",
    "box-iou": "Box overlap (IoU)",
    "object-f1": "Matched objects (F1)",
    "average-jaccard": "Point positions (average Jaccard)",
    "segment-f1": "Matched actions and sounds (F1)",
    "point-px": "Distance of points (px)",
    "edge-ms": "Offset of start and end (ms)",
}
_PARTS: Final = {
    "": "all",
    "rater": "Rater",
    "option": "Option",
    "task type": "All fields",
    "question": "Question",
    "template": "Template",
    "area": "Area",
    "reasoning": "Reasoning",
    "tag": "Tag",
    "group": "Group",
    "part": "Part",
    "item": "Item",
    "label": "Class",
}
_MISSING: Final = {
    Missing.NO_VOTES: "no resolved items yet",
    Missing.ONE_RATER: "only one person answered",
    Missing.NO_PAIR: "no item was rated by two people",
    Missing.FEW_COMMON: "too few common items",
    Missing.ONE_VALUE: "all ratings are equal",
    Missing.NO_CASE: "no matching cases",
}
_VERDICTS: Final = {
    RecomputeResult.SAME: "{n} reproduced",
    RecomputeResult.OTHER_INPUTS: "{n} from different answers",
    RecomputeResult.OTHER_METHOD: "{n} from another method version",
    RecomputeResult.OTHER_VALUE: "{n} with a different value",
    RecomputeResult.GONE: "{n} without matching data",
}


def state_text(state: ItemState) -> str:
    return _tr(STATES[state])


def purpose_text(purpose: Purpose) -> str:
    return _tr(_PURPOSES[purpose])


def qualification_text(status: QualificationStatus) -> str:
    return _tr(_STATUSES[status])


def method_text(method: str, params: Mapping[str, object] | None = None) -> str:
    """Return the words of a method; with the share of common time from which segments count."""
    if method.startswith("attribute "):
        return _tr("Attribute: {name}").format(name=method.removeprefix("attribute "))
    word = _tr(_METHODS.get(method, method))
    return f"{word}, {params['tiou']}" if params and "tiou" in params else word


def part_text(by: str, name: str) -> str:
    """Return which part of the answers an estimate is of, as in "Area: Physics"."""
    if by == "part" and name:
        return _tr(_QUESTIONS[name]) if name in _QUESTIONS else name
    word = _tr(_PARTS.get(by, by))
    return f"{word}: {name}" if name else word


def verdict_text(verdict: RecomputeResult) -> str:
    """Return the text for a number of verified statistics; "{n}" is the number."""
    return _tr(_VERDICTS[verdict])


def missing_text(reason: Missing) -> str:
    return _tr(_MISSING[reason])
