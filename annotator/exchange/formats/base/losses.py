"""Losses of formats: codes, and those that a written video really had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Source
from annotator.domain.checks import Finding, Severity

TEXTS: Final = {
    "BOX": "boxes",
    "PTS": "points",
    "SEG": "actions",
    "SND": "sounds",
    "OCC": "occlusion of boxes",
    "OUT": "frames marked as out of view (the box is left out)",
    "KEY": "which frames a person set",
    "PAR": "the objects that points belong to",
    "ROL": "objects of actions",
    "PST": "occluded places of points",
    "NOT": "notes on segments",
    "VIS": "whether the source of a sound is visible",
    "TIM": "times finer than the step of the format",
    "FRM": "frame numbers (the file has times)",
    "RAT": "frame rate",
    "VFR": "variable frame rate",
    "SIZ": "image size",
    "QST": "questions and answers",
    "LAB": "label texts (a list of names or single words only)",
    "TAT": "attributes",
    "SUB": "fractions of a pixel",
}
"""By code: what is lost."""

BOXES_ONLY: Final = frozenset(("PTS", "PST", "PAR", "SEG", "SND", "ROL", "VIS", "NOT", "QST"))
SEGMENTS_ONLY: Final = frozenset(("BOX", "OCC", "OUT", "PTS", "PST", "PAR", "KEY", "QST"))


def losses_of(document: Document, codes: frozenset[str], name: str) -> Iterator[Finding]:
    """Yield a note for each loss that a document has in a format with these losses."""
    for code, n in _counts(document).items():
        if n and code in codes:
            text = f"Not exported: {TEXTS[code]} ({n})."
            yield Finding(f"lost-{code.lower()}", name, text, Severity.NOTE)


def _counts(document: Document) -> dict[str, int]:
    keys = [key for track in document.tracks for key in track.keyframes]
    by_lane = {lane: [s for s in document.segments if s.lane is lane] for lane in Lane}
    segments = document.segments
    return {
        "BOX": len(document.tracks),
        "PTS": len(document.points),
        "SEG": len(by_lane[Lane.ACTION]),
        "SND": len(by_lane[Lane.SOUND]),
        "OCC": sum(key.occluded for key in keys),
        "KEY": sum(key.source is Source.HUMAN for key in keys),
        "PAR": sum(point.info.track_id is not None for point in document.points),
        "ROL": sum(bool(segment.objects) for segment in segments),
        "VIS": sum(not segment.is_visible for segment in by_lane[Lane.SOUND]),
        "NOT": sum(bool(segment.note) for segment in segments),
        "TAT": sum(bool(track.info.attributes) for track in document.tracks)
        + sum(bool(point.attributes) for point in document.points)
        + sum(bool(segment.attributes) for segment in segments),
    }
