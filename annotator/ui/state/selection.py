"""Selection shared by canvas, timeline and panels; the lane and label of the next segment."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.labels import Label, LabelSet
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.checks.finding import Finding
from annotator.domain.ids import PointId, SegmentId, TrackId
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import TOOL_OF

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

Edge: TypeAlias = Literal["start", "end"]


class Selection(QObject):
    """The selected tracks in the order of selection, points of theirs, and segments.

    While a point is selected, keys act on it and not on its object. A segment that was selected
    last has the keys: `is_on_segment`; those that move an edge move `edge`. ``changed`` is sent
    once per real change, after it.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tracks: tuple[TrackId, ...] = ()
        self._segments: tuple[SegmentId, ...] = ()
        self._points: tuple[PointId, ...] = ()
        self._is_on_segment = False
        self._edge: Edge = "start"

    @property
    def tracks(self) -> tuple[TrackId, ...]:
        return self._tracks

    @property
    def primary(self) -> TrackId | None:
        """The track chosen last: the one that keys and the inspector act on."""
        return self._tracks[-1] if self._tracks else None

    @property
    def points(self) -> tuple[PointId, ...]:
        return self._points

    @property
    def primary_point(self) -> PointId | None:
        """The point chosen last: the one that keys and curves are about."""
        return self._points[-1] if self._points else None

    @property
    def segments(self) -> tuple[SegmentId, ...]:
        return self._segments

    @property
    def segment(self) -> SegmentId | None:
        """The segment chosen last: the one that keys and the inspector act on."""
        return self._segments[-1] if self._segments else None

    @property
    def is_on_segment(self) -> bool:
        """True while the last choice was a segment, so that keys act on it."""
        return self._is_on_segment

    @property
    def edge(self) -> Edge:
        """The edge of the segment that keys move."""
        return self._edge

    def set_tracks(self, ids: Iterable[TrackId]) -> None:
        """Select exactly these tracks and no point; the last one becomes the primary."""
        tracks = tuple(dict.fromkeys(ids))
        if tracks == self._tracks and tracks and self._is_on_segment and not self._points:
            # Chosen once more: keys act on the track again.
            self._is_on_segment = False
            self.changed.emit()
        self._become(tracks, self._segments)

    def set_points(self, owner: TrackId | None, ids: Iterable[PointId]) -> None:
        """Select exactly these points and the object they belong to; the last is the primary."""
        tracks = () if owner is None else (owner,)
        self._become(tracks, self._segments, tuple(dict.fromkeys(ids)))

    def set_subject(self, finding: Finding, document: Document) -> bool:
        """Select what a finding is about; False if it is about nothing in this document."""
        segment, point, track = finding.segment_id, finding.point_id, finding.track_id
        subject = document.find_point(point) if point is not None else None
        if segment is not None and document.find_segment(segment) is not None:
            self.set_segment(segment)
        elif subject is not None:
            self.set_points(subject.info.track_id, [subject.id])
        elif track is not None and document.find_track(track) is not None:
            self.set_tracks([track])
        else:
            return False
        return True

    def drop_points(self) -> None:
        """Leave the points; their object stays selected."""
        self._become(self._tracks, self._segments)

    def set_segment(self, segment_id: SegmentId | None, edge: Edge | None = None) -> None:
        """Select a segment, and with ``edge`` the edge that keys move; it has the keys now."""
        self.set_segments(() if segment_id is None else (segment_id,), edge)

    def set_segments(self, ids: Iterable[SegmentId], edge: Edge | None = None) -> None:
        """Select exactly these segments; the last one becomes the primary and has the keys."""
        segments = tuple(dict.fromkeys(ids))
        is_other = segments[-1:] != self._segments[-1:]
        edge = edge or ("start" if is_other else self._edge)
        news = segments, bool(segments), edge
        if news != (self._segments, self._is_on_segment, self._edge):
            self._segments, self._is_on_segment, self._edge = news
            self.changed.emit()

    def toggle_segment(self, segment_id: SegmentId) -> None:
        """Add a segment as the primary, or take it away if it is selected."""
        others = tuple(s for s in self._segments if s != segment_id)
        self.set_segments(others if segment_id in self._segments else (*others, segment_id))

    def toggle(self, track_id: TrackId) -> None:
        """Add a track as the primary, or take it away if it is selected."""
        if track_id in self._tracks:
            self._become(tuple(t for t in self._tracks if t != track_id), self._segments)
        else:
            self._become((*self._tracks, track_id), self._segments)

    def clear(self) -> None:
        self._become((), ())

    def prune(self, document: Document) -> None:
        """Drop what the document does not hold any more."""
        tracks = tuple(t for t in self._tracks if document.find_track(t) is not None)
        points = tuple(p for p in self._points if document.find_point(p) is not None)
        segments = tuple(s for s in self._segments if document.find_segment(s) is not None)
        self._become(tracks, segments, points)

    def _become(
        self,
        tracks: tuple[TrackId, ...],
        segments: tuple[SegmentId, ...],
        points: tuple[PointId, ...] = (),
    ) -> None:
        if (tracks, segments, points) == (self._tracks, self._segments, self._points):
            return
        if (tracks, points) != (self._tracks, self._points) or not segments:
            self._is_on_segment = False
        self._tracks, self._segments, self._points = tracks, segments, points
        self.changed.emit()


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
        """Choose the lane's label for the next segment."""
        if self._chosen.get(self._lane) != label.id:
            self._chosen[self._lane] = label.id
            self.changed.emit()

    def by_digit(self, digit: str) -> Label | None:
        """Return the label of the lane that a digit selects."""
        labels = self.labels(self._lane)
        return next((x for x in labels.labels if x.key == digit), None) if labels else None

    def _on_labels_changed(self, _labels: LabelSet) -> None:
        self.setChanged.emit()
        self.changed.emit()
