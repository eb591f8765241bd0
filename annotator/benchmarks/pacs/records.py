"""Records of the PACS files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

SPLITS: Final = ("train", "val", "test")
SIZE: Final = (1280, 720)
"""Width and height of the picture in whose pixels boxes are written."""


@dataclass(frozen=True, slots=True)
class PacsObject:
    """An object: seconds of its clip, its box (x0, y0, x1, y1) on the middle frame in whole pixels
    of a picture of `SIZE`, what it is made of, and frames per second."""

    duration: float
    box: tuple[int, int, int, int]
    materials: tuple[str, ...]
    fps: float


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """A question of the bank, the same as a statement, and the physical properties it is about."""

    text: str
    statement: str
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PacsQuestion:
    """A question put to a pair: its words there, and which object is the answer (0 or 1; None where
    that is not told)."""

    text: str
    label: int | None


Points = Mapping[tuple[str, str], Mapping[str, PacsQuestion]]
"""By the names of the pair's objects in their order, then by the key of the question."""


@dataclass(frozen=True, slots=True)
class Clip:
    """Where an object was cut from its source: first, last and middle frame."""

    start: int
    end: int
    middle: int


@dataclass(frozen=True, slots=True)
class PacsData:
    """A whole data set. ``points`` and ``material_points`` are by split, ``clips`` by source."""

    objects: Mapping[str, PacsObject] = field(default_factory=dict)
    questions: Mapping[str, QuestionRecord] = field(default_factory=dict)
    points: Mapping[str, Points] = field(default_factory=dict)
    material_questions: Mapping[str, str] = field(default_factory=dict)
    material_points: Mapping[str, Points] = field(default_factory=dict)
    clips: Mapping[str, Mapping[str, Clip]] = field(default_factory=dict)
