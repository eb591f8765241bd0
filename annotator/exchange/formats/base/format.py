"""Exchange formats: name, contents, losses, reader and writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Source
from annotator.domain.checks import Finding, Severity
from annotator.exchange.formats.base.file_content import VideoContent

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
"""Losses by code."""
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


@dataclass(frozen=True, slots=True)
class Format:
    """A format: ``name`` on the command line, ``title`` in the window, ``suffixes`` of its files,
    ``content`` as in `annotator.services.files.check_output`.

    ``holds`` are "boxes", "points", "actions", "sounds", "questions"; ``losses`` the codes of
    `losses.TEXTS`; ``source`` names its specification. ``needs_videos``: what it holds can be
    placed in a video of the project only. ``is_per_video``: a file holds one video, so several are
    written into a folder. ``has_frame_choice``: the writer follows the choice of frames, tasks and
    splits. ``is_dense``: it has a box for every frame, not keyframes. ``detect`` tells from the
    first bytes whether a file with one of the suffixes, which several formats have, is of this one.
    ``reads`` and ``writes`` are the supported directions. ``files`` stands for ``write`` where a
    format is a folder: it yields each file with its path in it, the one to be read again first.
    ``fields`` are the columns that a table may have under other names; ``read_columns`` reads it
    with the name of the column of each. ``has_media``: a folder with videos or images beside the
    annotations. ``has_card``: with a description that names license, creator, web address and
    citation. ``is_sampled``: it holds a selection of frames and segments, so that what is read
    again may be less.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    content: str
    needs_videos: bool = False
    holds: tuple[str, ...] = ()
    losses: frozenset[str] = field(default_factory=frozenset)
    source: str = ""
    is_per_video: bool = False
    has_frame_choice: bool = False
    is_dense: bool = False
    read: Callable[[Path], list[VideoContent]] | None = None
    write: Callable[[Iterable[VideoContent]], Iterator[bytes]] | None = None
    files: Callable[[Iterable[VideoContent]], Iterator[tuple[str, bytes]]] | None = None
    fields: tuple[str, ...] = ()
    read_columns: Callable[[Path, Mapping[str, str]], list[VideoContent]] | None = None
    has_media: bool = False
    has_card: bool = False
    is_sampled: bool = False
    reads: bool = True
    writes: bool = True
    detect: Callable[[bytes], bool] | None = None

    @property
    def is_folder(self) -> bool:
        """True where the format is written into a folder, whatever is exported."""
        return self.files is not None or self.has_media

    @property
    def suffix(self) -> str:
        """The ending that a new file gets."""
        return self.suffixes[0]
