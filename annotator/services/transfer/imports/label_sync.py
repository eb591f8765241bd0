"""Adds labels of a file to the label sets of the project and reports contradictions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import Final

from annotator.domain.annotation.labels import MAX_LABELS, Label, LabelSet, checked_set
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.checks import Finding
from annotator.domain.commands import AddImported
from annotator.domain.errors import EditError
from annotator.services.project.projects import OpenProject

_BLANK: Final = re.compile(r"\b[Ss]omething\b")


def named(project: OpenProject, command: AddImported) -> AddImported:
    """Return an import with label texts for segments that have only a number.

    A number that the label set does not have becomes the text.
    """

    def text(segment: Segment) -> str:
        label = project.label_set(segment.lane).find(segment.label_id)
        return label.text if label is not None else str(segment.label_id)

    if all(segment.label for segment in command.segments):
        return command
    segments = (s if s.label else replace(s, label=text(s)) for s in command.segments)
    return replace(command, segments=tuple(segments))


class Harvest:
    """The numbers and texts of labels that a file uses."""

    def __init__(self, project: OpenProject) -> None:
        self._sets = {lane: project.label_set(lane) for lane in Lane}
        self._found: dict[Lane, dict[int, str]] = {lane: {} for lane in Lane}
        self._unnumbered: dict[Lane, dict[str, None]] = {lane: {} for lane in Lane}
        self._doubts: dict[str, Finding] = {}

    def add(self, place: str, labels: Iterable[tuple[Lane, int | None, str]]) -> None:
        """Take note of the labels of one entry; a number of None: the file has no numbers."""
        for lane, number, text in labels:
            if number is None:
                self._unnumbered[lane][text] = None
                continue
            known = self._found[lane].setdefault(number, text)
            if known != text:
                said = f"Label {number} has two texts: “{known}” and “{text}”."
                self._doubts.setdefault(f"{lane} {number} {text}", _doubt(place, said))

    def findings(self) -> Iterator[Finding]:
        """Yield contradictions within the file, or with the project."""
        yield from self._doubts.values()
        for lane, labels in self._sets.items():
            numbers = {label.id: label.text for label in labels.labels}
            for number, text in self._found[lane].items():
                if numbers.get(number, text) != text:
                    said = f"Label {number} is “{text}” in the file and “{numbers[number]}” in the"
                    yield _doubt(labels.name, f"{said} project. The project label is kept.")

    def bring_in(self, project: OpenProject) -> list[Finding]:
        """Add the missing labels; return those that failed."""
        findings: list[Finding] = []
        for lane, found in self._found.items():
            labels = project.label_set(lane)
            found = {**found, **_numbered(labels, found, self._unnumbered[lane])}
            added = list(_new(labels, found, findings))
            if added:
                project.set_label_set(replace(labels, labels=(*labels.labels, *added)))
            numbers = {label.id for label in project.label_set(lane).labels}
            texts = {text: number for number, text in found.items() if number not in numbers}
            for label in labels.labels:
                if label.text in texts and found.get(label.id) != label.text:
                    findings += _renumbered(project, lane, label, texts[label.text])
        return findings


def _numbered(labels: LabelSet, found: dict[int, str], texts: Iterable[str]) -> dict[int, str]:
    """Return texts that neither the set nor the file has a number for, with the next free ones."""
    taken = {label.text for label in labels.labels} | set(found.values())
    first = 1 + max((*(label.id for label in labels.labels), *found), default=-1)
    return dict(enumerate((text for text in texts if text not in taken), first))


def _new(labels: LabelSet, names: dict[int, str], findings: list[Finding]) -> Iterator[Label]:
    """Yield the labels of the file whose number and text the set has not."""
    numbers = {label.id for label in labels.labels}
    texts = {label.text for label in labels.labels}
    for number in sorted(names):
        text = names[number]
        if number in numbers or text in texts:
            continue
        try:
            if len(texts) >= MAX_LABELS:
                raise EditError(
                    f"Cannot add label {number}: a label set has at most {MAX_LABELS} labels."
                )
            label = _label(labels, number, text)
        except EditError as error:
            findings.append(_doubt(labels.name, error.text))
            continue
        texts.add(text)
        yield label


def _label(labels: LabelSet, number: int, text: str) -> Label:
    """Return a label, an action's with a role for each “something”; EditError if it cannot be."""
    label = Label(number, text)
    checked_set(LabelSet(labels.lane, labels.name, (label,)))
    if labels.lane is not Lane.ACTION or "{" in text or "}" in text or not _BLANK.search(text):
        return label
    roles = count(1)
    template = _BLANK.sub(lambda match: f"{{{next(roles)}:{match.group()}}}", text)
    try:
        checked_set(LabelSet(labels.lane, labels.name, (replace(label, template=template),)))
    except EditError:
        return label
    return replace(label, template=template)


def _renumbered(project: OpenProject, lane: Lane, label: Label, number: int) -> list[Finding]:
    """Give an unused label the number of the file."""
    labels = project.label_set(lane)
    moved = [replace(old, id=number) if old.id == label.id else old for old in labels.labels]
    try:
        project.set_label_set(replace(labels, labels=tuple(moved)))
    except EditError:
        text = (
            f"“{label.text}” has the ID {label.id} in the project, where it is in use, and "
            f"{number} in the"
        )
        return [_doubt(labels.name, f"{text} file. Both IDs are kept.")]
    return []


def _doubt(where: str, text: str) -> Finding:
    return Finding("label-contradiction", where, text)
