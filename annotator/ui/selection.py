"""What is selected: one state that canvas, timeline and panels share."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from annotator.domain.document import Document
from annotator.domain.ids import PointId, SegmentId, TrackId


class Selection(QObject):
    """The selected tracks in the order they were chosen, points of theirs, and a segment.

    While a point is selected, keys act on it and not on its object.
    ``changed`` is sent once per real change, after it; setting what is set already is silent.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tracks: tuple[TrackId, ...] = ()
        self._segment: SegmentId | None = None
        self._points: tuple[PointId, ...] = ()

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
    def segment(self) -> SegmentId | None:
        return self._segment

    def set_tracks(self, ids: Iterable[TrackId]) -> None:
        """Select exactly these tracks and no point; the last one becomes the primary."""
        self._become(tuple(dict.fromkeys(ids)), self._segment)

    def set_points(self, owner: TrackId | None, ids: Iterable[PointId]) -> None:
        """Select exactly these points and the object they belong to; the last is the primary."""
        tracks = () if owner is None else (owner,)
        self._become(tracks, self._segment, tuple(dict.fromkeys(ids)))

    def drop_points(self) -> None:
        """Leave the points; their object stays selected."""
        self._become(self._tracks, self._segment)

    def set_segment(self, segment_id: SegmentId | None) -> None:
        self._become(self._tracks, segment_id, self._points)

    def toggle(self, track_id: TrackId) -> None:
        """Add a track as the primary, or take it away if it is selected."""
        if track_id in self._tracks:
            self._become(tuple(t for t in self._tracks if t != track_id), self._segment)
        else:
            self._become((*self._tracks, track_id), self._segment)

    def clear(self) -> None:
        self._become((), None)

    def prune(self, document: Document) -> None:
        """Drop what the document does not hold any more."""
        tracks = tuple(t for t in self._tracks if document.find_track(t) is not None)
        points = tuple(p for p in self._points if document.find_point(p) is not None)
        known = {s.id for s in document.segments}
        self._become(tracks, self._segment if self._segment in known else None, points)

    def _become(
        self,
        tracks: tuple[TrackId, ...],
        segment: SegmentId | None,
        points: tuple[PointId, ...] = (),
    ) -> None:
        if (tracks, segment, points) == (self._tracks, self._segment, self._points):
            return
        self._tracks, self._segment, self._points = tracks, segment, points
        self.changed.emit()
