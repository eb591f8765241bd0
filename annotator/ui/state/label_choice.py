"""Selected lane, and the label of the next segment."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from annotator.domain.annotation.labels import Label, LabelSet
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import TOOL_OF

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject


class LabelChoice(QObject):
    """The label sets of the project in the window, with a lane and a label of each chosen.

    ``changed`` is sent when another lane or label is chosen, ``setChanged`` when the labels
    themselves are others.
    """

    changed = Signal()
    setChanged = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project: OpenProject | None = None
        self._lane = Lane.ACTION
        self._chosen: dict[Lane, int] = {}

    @property
    def lane(self) -> Lane:
        return self._lane

    @property
    def label(self) -> Label | None:
        """The chosen label of the lane."""
        labels = self.labels(self._lane)
        return labels.find(self._chosen.get(self._lane)) if labels else None

    def labels(self, lane: Lane) -> LabelSet | None:
        """Return what may be chosen on a lane; None without a project."""
        return self._project.label_set(lane) if self._project is not None else None

    def of(self, segment: Segment) -> Label | None:
        """Return the label of a segment, by number or else by text."""
        labels = self.labels(segment.lane)
        if labels is None:
            return None
        return labels.find(segment.label_id) or labels.find_text(segment.label)

    def take_project(self, project: OpenProject | None) -> None:
        """Work with the labels of another project."""
        self._project = project
        self._chosen.clear()
        if project is not None:
            project.labels_changed.add(self._on_labels_changed)
        self.setChanged.emit()
        self.changed.emit()

    def set_lane(self, lane: Lane) -> None:
        if lane is not self._lane:
            self._lane = lane
            self.changed.emit()

    def follow(self, tools: Collection[Tool]) -> None:
        """Turn to a lane that a task with these tools has."""
        lanes = [lane for lane, tool in TOOL_OF.items() if tool in tools]
        if lanes and self._lane not in lanes:
            self.set_lane(lanes[0])

    def choose(self, label: Label) -> None:
        """Choose a label of the lane for what is made next."""
        if self._chosen.get(self._lane) != label.id:
            self._chosen[self._lane] = label.id
            self.changed.emit()

    def by_digit(self, digit: str) -> Label | None:
        """Return the label of the lane that a digit stands for."""
        labels = self.labels(self._lane)
        return next((x for x in labels.labels if x.key == digit), None) if labels else None

    def _on_labels_changed(self, _labels: LabelSet) -> None:
        self.setChanged.emit()
        self.changed.emit()
