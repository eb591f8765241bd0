"""Records of the PACS files, from clips, pairs and resolved questions; names count from 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from annotator.domain.geometry import Box
from annotator.domain.questions.items.object_pairs import ObjectPair
from annotator.exchange.order import natural_key

SPLITS: Final = ("train", "val", "test")
SIZE: Final = (1280, 720)
"""Width and height of the picture in whose pixels boxes are written."""


@dataclass(frozen=True, slots=True)
class PacsObject:
    """An object: seconds of its clip, its box (x0, y0, x1, y1) on the middle frame in whole pixels
    of a picture of `SIZE`, its material, and frames per second."""

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
    """A question about a pair: text, and which object is the answer (0 or 1; None if unknown)."""

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


@dataclass(frozen=True, slots=True)
class FocusClip:
    """A clip that was kept: its name, size in pixels, the box round the object on the middle frame,
    its materials. ``source`` and ``cut`` are its original video and times, if known."""

    name: str
    split: str
    width: int
    height: int
    box: Box
    materials: tuple[str, ...]
    duration_s: float
    fps: float
    source: str = ""
    cut: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """A question of the bank, by the key that pairs refer to."""

    key: str
    text: str
    statement: str
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AgreedAnswer:
    """What all raters agreed on: which object of the pair answers the question, 0 or 1. ``text``
    are the words it was put in there."""

    pair: ObjectPair
    question: str
    text: str
    label: int


def data_of(
    clips: Sequence[FocusClip], bank: Sequence[BankQuestion], settled: Sequence[AgreedAnswer]
) -> PacsData:
    """Return the data set. Only questions and objects that some data point uses are in it."""
    objects = object_names(settled)
    ours = sorted((c for c in clips if c.name in objects), key=lambda c: natural_key(c.name))
    questions_asked = {item.question for item in settled}
    questions = {q.key: f"question{i:04}" for i, q in enumerate(_used(bank, questions_asked), 1)}
    points: dict[str, dict[tuple[str, str], dict[str, PacsQuestion]]] = {}
    for item in settled:
        names = objects[item.pair.first], objects[item.pair.second]
        of_pair = points.setdefault(_split(item.pair), {}).setdefault(names, {})
        of_pair[questions[item.question]] = PacsQuestion(item.text, item.label)
    material_questions, material_points = _materials(ours, objects, settled)
    sources: dict[str, dict[str, Clip]] = {}
    for clip in ours:
        if clip.cut is not None:
            start, end = clip.cut
            cut = Clip(start, end, (start + end) // 2)
            sources.setdefault(clip.source or clip.name, {})[objects[clip.name]] = cut
    return PacsData(
        {objects[clip.name]: _object(clip) for clip in ours},
        {
            questions[q.key]: QuestionRecord(q.text, q.statement, q.properties)
            for q in _used(bank, questions_asked)
        },
        points,
        material_questions,
        material_points,
        sources,
    )


def object_names(settled: Iterable[AgreedAnswer]) -> dict[str, str]:
    """Return the data-set names of the used clips, by clip name."""
    used = {name for each in settled for name in (each.pair.first, each.pair.second)}
    return {name: f"object{i:04}" for i, name in enumerate(sorted(used, key=natural_key), 1)}


def scaled_box(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Return a box in whole pixels of the picture of `SIZE`, at least one wide and high."""
    across, down = SIZE[0] / width, SIZE[1] / height
    x0 = min(max(round(box.x1 * across), 0), SIZE[0] - 1)
    y0 = min(max(round(box.y1 * down), 0), SIZE[1] - 1)
    x1 = min(max(round(box.x2 * across), x0 + 1), SIZE[0])
    y1 = min(max(round(box.y2 * down), y0 + 1), SIZE[1])
    return x0, y0, x1, y1


def _split(pair: ObjectPair) -> str:
    """Return the split of a pair as the files are called: tables of metadata say "valid"."""
    return "val" if pair.split == "valid" else pair.split


def _used(bank: Sequence[BankQuestion], asked: set[str]) -> list[BankQuestion]:
    return [question for question in bank if question.key in asked]


def _object(clip: FocusClip) -> PacsObject:
    box = scaled_box(clip.box, clip.width, clip.height)
    return PacsObject(clip.duration_s, box, clip.materials, clip.fps)


def _materials(
    clips: Sequence[FocusClip], objects: Mapping[str, str], settled: Sequence[AgreedAnswer]
) -> tuple[dict[str, str], dict[str, dict[tuple[str, str], dict[str, PacsQuestion]]]]:
    """Return the material task: for each pair, each material that one object has alone."""
    of = {clip.name: clip.materials for clip in clips}
    materials = sorted({m for materials_of in of.values() for m in materials_of})
    keys = {material: f"q{i:04}" for i, material in enumerate(materials)}
    texts = {keys[m]: f"Which object is made of {m}?" for m in materials}
    points: dict[str, dict[tuple[str, str], dict[str, PacsQuestion]]] = {}
    for pair in dict.fromkeys(item.pair for item in settled):
        first, second = set(of[pair.first]), set(of[pair.second])
        materials_of = {
            keys[m]: PacsQuestion(texts[keys[m]], int(m in second)) for m in sorted(first ^ second)
        }
        if materials_of:
            names = objects[pair.first], objects[pair.second]
            points.setdefault(_split(pair), {})[names] = materials_of
    return texts, points
