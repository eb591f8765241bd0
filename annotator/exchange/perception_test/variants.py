"""Variants of an entry: full, selected tasks, or test file."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final

from annotator.domain.json_type import Json
from annotator.exchange.perception_test.records import TASK_KEYS

_PER_FRAME: Final = (
    "bounding_boxes",
    "initial_tracking_box",
    "frame_ids",
    "timestamps",
    "is_masked",
)
_ANSWERS: Final = {
    "mc_question": ("answer_id", "area", "reasoning", "tag"),
    "grounded_question": ("answers",),
}
_NEEDED: Final = {
    "point_tracking": "object_tracking",
    "grounded_question": "object_tracking",
    "action_localisation": "object_tracking",
    "sound_localisation": "object_tracking",
}
"""Tasks whose records name those of another."""


class Variant(StrEnum):
    """How much is told."""

    FULL = "full"
    TEST = "test"  # where tracks start, and questions without their answers
    SUBMISSION = "submission"  # the answers to one task, as its scorer reads them
    WRAPPED = "submission-wrapped"  # the same, multiple choice with its key round it

    @property
    def is_submission(self) -> bool:
        """Whether answers are told, and not annotation."""
        return self in (Variant.SUBMISSION, Variant.WRAPPED)


def told(
    value: dict[str, Json], variant: Variant = Variant.FULL, tasks: Collection[str] = ()
) -> dict[str, Json]:
    """Return the part of an entry that is told; ``tasks`` are those wanted, all where empty.

    All six keys stay; a task that is not told is an empty list. What a task's records refer to
    comes along.
    """
    wanted = {*tasks, *(_NEEDED[task] for task in tasks if task in _NEEDED)} or set(TASK_KEYS)
    made = dict(value)
    for task in TASK_KEYS:
        records = value.get(task)
        if task not in wanted or not isinstance(records, list):
            made[task] = []
        elif variant is Variant.TEST:
            made[task] = _tested(task, records)
    return made


def _tested(task: str, records: list[Json]) -> list[Json]:
    """Return what test files tell of a task's records: nothing of actions and sounds."""
    if task in ("action_localisation", "sound_localisation"):
        return []
    return [_shortened(task, record) for record in records if isinstance(record, dict)]


def _shortened(task: str, record: dict[str, Json]) -> dict[str, Json]:
    if task == "object_tracking":
        first = record.get("initial_tracking_box")
        start = first.index(1) if isinstance(first, list) and 1 in first else 0
        return {
            key: [value[start]] if key in _PER_FRAME and isinstance(value, list) else value
            for key, value in record.items()
        }
    if task == "point_tracking":
        short = dict(record)
        frames, points = record.get("frame_ids"), record.get("points")
        if isinstance(frames, list) and isinstance(points, list):
            short["frame_ids"] = frames[:1]
            short["points"] = [row[:1] if isinstance(row, list) else row for row in points]
        return short
    return {key: value for key, value in record.items() if key not in _ANSWERS.get(task, ())}
