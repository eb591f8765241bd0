"""Reads the files of PACS, as far as they are there; ExchangeError with the place of a fault."""

from __future__ import annotations

from pathlib import Path

from annotator.benchmarks.pacs.records import (
    SIZE,
    SPLITS,
    Clip,
    PacsData,
    PacsObject,
    PacsQuestion,
    Points,
    QuestionRecord,
)
from annotator.domain.errors import ExchangeError
from annotator.exchange.json_value import read_value
from annotator.exchange.node import Node


def read_pacs(folder: Path) -> PacsData:
    """Return what the files of a folder hold; what is missing is empty, but not all may be."""
    objects = {k: _object(n) for k, n in _members(folder, "objects.json")}
    questions = {k: _question(n) for k, n in _members(folder, "questions.json")}
    material = {k: n.text() for k, n in _members(folder, "mat_questions.json")}
    data = PacsData(
        objects,
        questions,
        {s: _points(folder, f"{s}_data.json", objects, set(questions)) for s in SPLITS},
        material,
        {s: _points(folder, f"{s}_mat.json", objects, set(material)) for s in SPLITS},
        {
            source: {key: _clip(found.key(key)) for key in found.object()}
            for source, found in _members(folder, "youtube_info.json")
        },
    )
    if not objects and not questions:
        hint = "Select the folder that contains objects.json and questions.json."
        raise ExchangeError("The folder contains no PACS data set.", hint=hint, where=str(folder))
    return data


def _members(folder: Path, name: str) -> list[tuple[str, Node]]:
    path = folder / name
    if not path.exists():
        return []
    node = read_value(path)
    return [(key, node.key(key)) for key in node.object()]


def _object(node: Node) -> PacsObject:
    place = node.key("bounding_box").counted(4)
    x0, y0, x1, y1 = place.wholes()
    if not (0 <= x0 < x1 <= SIZE[0] and 0 <= y0 < y1 <= SIZE[1]):
        raise place.fail(f"The box is invalid for an image of {SIZE[0]} x {SIZE[1]} pixels.")
    materials = tuple(each.text() for each in node.key("materials").items())
    duration, fps = node.key("duration"), node.key("fps")
    for each in (duration, fps):
        if each.number() <= 0:
            raise each.fail("Must be greater than 0.")
    return PacsObject(float(duration.number()), (x0, y0, x1, y1), materials, fps.number())


def _question(node: Node) -> QuestionRecord:
    properties = tuple(each.text() for each in node.key("properties").items())
    return QuestionRecord(node.key("question").text(), node.key("statement").text(), properties)


def _points(folder: Path, name: str, objects: dict[str, PacsObject], questions: set[str]) -> Points:
    found: dict[tuple[str, str], dict[str, PacsQuestion]] = {}
    for key, node in _members(folder, name):
        names = key.split("_")
        if len(names) != 2 or names[0] == names[1]:
            raise node.fail(
                "Write a pair as two object names, for example “object0001_object0002”."
            )
        for each in names:
            if each not in objects:
                raise node.fail(f"Unknown object “{each}”: it is not in objects.json.")
        found[names[0], names[1]] = {q: _point(node.key(q)) for q in node.object()}
        for question in found[names[0], names[1]]:
            if question not in questions:
                raise node.key(question).fail("Unknown question: it is not in the question bank.")
    return found


def _point(node: Node) -> PacsQuestion:
    label = node.key("label").whole() if node.has("label") else None
    if label not in (0, 1, None):
        raise node.key("label").fail("The label must be 0 (first object) or 1 (second object).")
    return PacsQuestion(node.key("text").text(), label)


def _clip(node: Node) -> Clip:
    start, end, middle = node.counted(3).wholes()
    if not 0 <= start <= middle <= end:
        raise node.fail("Expected the first, last and middle frame.")
    return Clip(start, end, middle)
