"""Exchange formats: name, contents, losses, reader and writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Source
from annotator.domain.checks import Finding, Severity
from annotator.exchange.formats.base.file_content import VideoContent


class Loss(StrEnum):
    """What a format cannot hold."""

    BOXES = "boxes"
    POINTS = "points"
    ACTIONS = "actions"
    SOUNDS = "sounds"
    OCCLUSION = "occlusion of boxes"
    OUT_OF_VIEW = "frames marked as out of view (the box is left out)"
    HUMAN_KEYFRAMES = "which frames a person set"
    POINT_OBJECTS = "the objects that points belong to"
    ROLES = "objects of actions"
    OCCLUDED_POINTS = "occluded places of points"
    NOTES = "notes on segments"
    SOUND_SOURCES = "whether the source of a sound is visible"
    FINE_TIMES = "times finer than the step of the format"
    FRAME_NUMBERS = "frame numbers (the file has times)"
    FRAME_RATE = "frame rate"
    VARIABLE_RATE = "variable frame rate"
    IMAGE_SIZE = "image size"
    QUESTIONS = "questions and answers"
    LABELS = "label texts (a list of names or single words only)"
    ATTRIBUTES = "attributes"
    SUBPIXELS = "fractions of a pixel"


BOXES_ONLY: Final = frozenset(
    (
        Loss.POINTS,
        Loss.OCCLUDED_POINTS,
        Loss.POINT_OBJECTS,
        Loss.ACTIONS,
        Loss.SOUNDS,
        Loss.ROLES,
        Loss.SOUND_SOURCES,
        Loss.NOTES,
        Loss.QUESTIONS,
    )
)
SEGMENTS_ONLY: Final = frozenset(
    (
        Loss.BOXES,
        Loss.OCCLUSION,
        Loss.OUT_OF_VIEW,
        Loss.POINTS,
        Loss.OCCLUDED_POINTS,
        Loss.POINT_OBJECTS,
        Loss.HUMAN_KEYFRAMES,
        Loss.QUESTIONS,
    )
)


def losses_of(document: Document, losses: frozenset[Loss], name: str) -> Iterator[Finding]:
    """Yield a note for each loss that a document has in a format with these losses."""
    for loss, n in _counts(document).items():
        if n and loss in losses:
            code = f"lost-{loss.name.lower().replace('_', '-')}"
            yield Finding(code, name, f"Not exported: {loss} ({n}).", Severity.NOTE)


def _counts(document: Document) -> dict[Loss, int]:
    keys = [key for track in document.tracks for key in track.keyframes]
    by_lane = {lane: [s for s in document.segments if s.lane is lane] for lane in Lane}
    segments = document.segments
    return {
        Loss.BOXES: len(document.tracks),
        Loss.POINTS: len(document.points),
        Loss.ACTIONS: len(by_lane[Lane.ACTION]),
        Loss.SOUNDS: len(by_lane[Lane.SOUND]),
        Loss.OCCLUSION: sum(key.occluded for key in keys),
        Loss.HUMAN_KEYFRAMES: sum(key.source is Source.HUMAN for key in keys),
        Loss.POINT_OBJECTS: sum(point.info.track_id is not None for point in document.points),
        Loss.ROLES: sum(bool(segment.objects) for segment in segments),
        Loss.SOUND_SOURCES: sum(not segment.is_visible for segment in by_lane[Lane.SOUND]),
        Loss.NOTES: sum(bool(segment.note) for segment in segments),
        Loss.ATTRIBUTES: sum(bool(track.info.attributes) for track in document.tracks)
        + sum(bool(point.attributes) for point in document.points)
        + sum(bool(segment.attributes) for segment in segments),
    }


@dataclass(frozen=True, slots=True)
class Format:
    """A format: ``name`` on the command line, ``title`` in the window, ``suffixes`` of its files,
    ``content`` as in `annotator.services.files.check_output`.

    ``holds`` are "boxes", "points", "actions", "sounds", "questions"; ``losses`` what it
    cannot hold; ``source`` names its specification. ``needs_videos``: what it holds can be
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
    losses: frozenset[Loss] = field(default_factory=frozenset)
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
