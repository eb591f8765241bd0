"""Records of a Perception Test file as validated values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding
from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

_chain: Final = chain.from_iterable

EXTRA_KEY: Final = "perception_test"
"""Where ``extra`` of videos, tracks, points and segments keeps what came from such a file."""

METADATA_KEYS: Final = (
    "split",
    "video_id",
    "frame_rate",
    "num_frames",
    "resolution",
    "audio_samples",
    "audio_sample_rate",
    "is_cup_game",
    "is_camera_moving",
)
OBJECT_KEYS: Final = (
    "id",
    "label",
    "is_occluder",
    "bounding_boxes",
    "initial_tracking_box",
    "frame_ids",
    "timestamps",
    "is_masked",
)
POINT_KEYS: Final = ("id", "label", "parent_objects", "frame_ids", "points")
SEGMENT_KEYS: Final = (
    "id",
    "label_id",
    "label",
    "parent_objects",
    "timestamps",
    "frame_ids",
    "is_visible",
)
CHOICE_KEYS: Final = ("id", "question", "options", "answer_id", "area", "reasoning", "tag")
GROUNDED_KEYS: Final = ("id", "question", "answers", "area", "reasoning", "tag")

TASK_KEYS: Final = {
    "object_tracking": OBJECT_KEYS,
    "point_tracking": POINT_KEYS,
    "action_localisation": SEGMENT_KEYS,
    "sound_localisation": SEGMENT_KEYS,
    "mc_question": CHOICE_KEYS,
    "grounded_question": GROUNDED_KEYS,
}
"""The six tasks in the order in which they are written, each with the order of its keys."""

LANES: Final = {Lane.ACTION: "action_localisation", Lane.SOUND: "sound_localisation"}

NO_OBJECT: Final = -1
"""Reference to an object without annotation."""

FourNumbers = Sequence[float]


@dataclass(frozen=True, slots=True, eq=False)
class ObjectColumns:
    """The entries of many objects at once, object after object; those of i are ``bounds[i]`` to
    ``bounds[i + 1]``.

    ``boxes`` [n, 4] are as they stand in the file. ``are_fractions``: none of their numbers was
    written as a whole one.
    """

    bounds: NDArray[np.int64]
    frames: NDArray[np.int64]
    boxes: NDArray[np.float64]
    is_masked: NDArray[np.bool_]
    are_fractions: bool


@dataclass(frozen=True, slots=True)
class ObjectRecord:
    """One object track.

    ``boxes`` are (x1, y1, x2, y2), 0..1 of width and height, one for each of ``frames`` (strictly
    ascending). ``is_start_only``: a test file that shows a tracker its start and nothing else.
    ``raw`` is the record as it stood, in the current layout.
    """

    id: int
    path: str
    label: str
    is_occluder: bool
    frames: tuple[int, ...]
    boxes: Sequence[FourNumbers]
    masked: tuple[bool, ...]
    is_start_only: bool
    raw: dict[str, Json]


@dataclass(frozen=True, slots=True)
class PointRecord:
    """One point track: ``xs`` and ``ys``, 0..1 of width and height, one for each of ``frames``.

    ``parents`` is as the file has it, one object or a list of them; None where it is missing.
    ``unknown`` is what no rule knows.
    """

    path: str
    label: str
    parents: int | tuple[int, ...] | None
    frames: tuple[int, ...]
    xs: Sequence[int | float]
    ys: Sequence[int | float]
    unknown: dict[str, Json]


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """One action or sound; ``frames`` and ``times`` (microseconds) are (start, end), exclusive."""

    path: str
    lane: Lane
    label: str
    label_id: int
    parents: tuple[int, ...]
    frames: tuple[int, int]
    times: tuple[int | float, int | float]
    is_visible: bool
    raw: dict[str, Json]


@dataclass(frozen=True, slots=True)
class VideoRecord:
    """One entry of the file.

    Sizes and counts are None where the metadata do not say them; ``columns`` are the entries of
    ``objects``, where reading has made them. ``kept`` holds questions as they
    stood, by task; ``unknown`` what no rule knows.
    """

    name: str
    path: str
    metadata: dict[str, Json]
    size: tuple[int, int] | None
    n_frames: int | None
    frame_rate: float | None
    objects: tuple[ObjectRecord, ...] = ()
    points: tuple[PointRecord, ...] = ()
    segments: tuple[SegmentRecord, ...] = ()
    kept: dict[str, list[dict[str, Json]]] = field(default_factory=dict)
    unknown: dict[str, Json] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    columns: ObjectColumns | None = field(default=None, compare=False, repr=False)


def columns_of(items: Sequence[ObjectRecord]) -> ObjectColumns:
    """Return the entries of objects as columns."""
    numbers = list(_chain(_chain(item.boxes for item in items)))
    return ObjectColumns(
        np.cumsum([0, *(len(item.frames) for item in items)]),
        np.array(list(_chain(item.frames for item in items)), np.int64),
        np.array(numbers, np.float64).reshape(-1, 4),
        np.array(list(_chain(item.masked for item in items)), np.bool_),
        set(map(type, numbers)) == {float},
    )


def as_object(value: Json | None) -> dict[str, Json]:
    """Return an object, empty where there is none."""
    return value if isinstance(value, dict) else {}
