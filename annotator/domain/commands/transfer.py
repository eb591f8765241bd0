"""The command behind bulk edits that were planned elsewhere: an import is one undo step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from annotator.domain.annotation.changes import Change, VideoExtra
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import creation, effective
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track
from annotator.domain.commands.points import point_creation
from annotator.domain.json_type import Json


@dataclass(frozen=True, slots=True)
class AddImported:
    """Add tracks, segments and points from a file; ``extra`` replaces what is kept of the video.

    ``scores`` are those of a model, by ID and frame; a segment has one, on its first frame. They
    count where the file is imported as proposals.
    """

    op: ClassVar[str] = "import"
    tracks: tuple[Track, ...]
    segments: tuple[Segment, ...] = ()
    extra: dict[str, Json] | None = None
    points: tuple[PointTrack, ...] = ()
    scores: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    frame: ClassVar[int | None] = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        for track in self.tracks:
            changes += creation(track)
        for point in self.points:
            changes += point_creation(point)
        changes += [Change("segment", s.id, None, s) for s in self.segments]
        if self.extra is not None:
            video = document.video
            old, new = VideoExtra(video.extra), VideoExtra(self.extra)
            changes.append(Change("video", video.id, old, new))
        return effective(changes)
