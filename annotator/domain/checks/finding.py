"""A finding: what a check, an import or an export reports about one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Track
from annotator.domain.ids import PointId, SegmentId, TrackId

CODES: Final = (
    *("attribute-missing", "attribute-value", "beyond-video", "duplicate-track", "empty-box"),
    *("empty-name", "empty-slot", "few-points", "never-present", "no-object", "no-parent"),
    *("out-of-view", "pending-proposals", "same-twice", "silence", "tiny-box", "too-few"),
    *("too-short", "unanswered", "unchecked-grid", "unfinished-point", "unknown-label"),
)
"""What the checks of a draft find; checklists of recipes name them."""


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # breaks a rule of the result
    WARNING = "warning"  # probably unintended
    NOTE = "note"  # worth knowing


@dataclass(frozen=True, slots=True)
class Finding:
    """An issue that a person should look at.

    ``code`` is a stable word for programs, ``where`` names the place for people (a video, a track,
    a path inside a file), ``text`` is a sentence. ``track_id``, ``segment_id``, ``frame`` and
    ``point_id`` let a window jump there; ``track_id`` of a point is the object it belongs to.
    """

    code: str
    where: str
    text: str
    severity: Severity = Severity.WARNING
    track_id: TrackId | None = None
    segment_id: SegmentId | None = None
    frame: int | None = None
    point_id: PointId | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


class CheckStep(NamedTuple):
    """Runs ``find`` again only if one of ``subjects`` has changed.

    ``key`` identifies its subject, the same from check to check.
    """

    key: tuple[str, str]
    subjects: tuple[object, ...]
    find: Callable[[], Iterable[Finding]]


def place(document: Document, track: Track) -> str:
    """Return how findings name a track: video, number and label."""
    return f"{document.video.name}, track {track.info.number} “{track.label}”"
