"""Values in work packages and submission files, read with type checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar
from uuid import UUID

import msgspec

from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.ids import AssignmentId, ItemId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Purpose
from annotator.sync.archive import Archive, ArchiveError

T = TypeVar("T", bound=msgspec.Struct)

WORK = "package"
RETURNS = "submissions"
SEAT = "seat"
BUNDLE = "bundle"


class Header(msgspec.Struct):
    """Header of an archive: the project, the package, and its recipient or sender."""

    project_id: str
    package_id: str
    person_id: PersonId
    title: str = ""


class SeatHeader(msgspec.Struct):
    """The hub seat that an archive belongs to; ``assignment_id`` "" is created by the claim."""

    project_id: str
    seat_id: str
    task_id: TaskId
    assignment_id: str = ""


class PersonRow(msgspec.Struct):
    id: PersonId
    name: str
    roles: list[Role]
    is_active: bool


class PeopleEntry(msgspec.Struct):
    people: list[PersonRow]


class VideoRow(msgspec.Struct):
    """A video; ``size`` in bytes is known where the file was found, ``media`` is its entry.

    ``viewings`` are those of the person's assigned tasks about it.
    """

    id: VideoId
    name: str
    width: int
    height: int
    n_frames: int
    frame_rate: float
    duration_s: float
    grid_step: int
    extra: dict[str, Any]
    findings: list[str]
    content_hash: str | None
    size: int | None = None
    media: str | None = None
    viewings: list[Viewing] = []


class Videos(msgspec.Struct):
    videos: list[VideoRow]


class PredictionRow(msgspec.Struct):
    """Predictions of a model for a video, to be offered as proposals; ``body`` is canonical."""

    id: str
    video_id: VideoId
    model: str
    version: str
    file: str
    sha256: str
    body: str


class ItemRow(msgspec.Struct):
    """Item without anything that reveals its answer; ``body`` is as the store keeps it.

    ``purpose`` is training, with its right answers in the body, or plain work; other purposes are
    not sent.
    """

    id: ItemId
    kind: str
    state: str
    body: str
    purpose: Purpose = Purpose.WORK


class TaskRow(msgspec.Struct):
    """A task: its events, the included submissions, and its items.

    Of ``limited`` submissions only what may be seen of the video came along. ``is_training``: its
    known result came along, to be shown after submission.
    """

    id: TaskId
    video_id: VideoId
    title: str
    events: list[dict[str, Any]]
    submissions: list[SubmissionId]
    items: list[ItemRow] = []
    limited: list[SubmissionId] = []
    is_training: bool = False


class GuidelineRow(msgspec.Struct):
    name: str
    title: str
    text: str


class Guidelines(msgspec.Struct):
    guidelines: list[GuidelineRow]


class TimeRow(msgspec.Struct):
    task_id: TaskId
    stage: str
    day: str
    active_ms: int


class Returned(msgspec.Struct):
    """Contents of a submission file: submissions with their times, and active times.

    ``packages`` are those that brought assignments, where it is not the one of the header.
    """

    submitted_at: dict[str, str]
    active: list[TimeRow]
    packages: dict[AssignmentId, str] = {}


def read_header(archive: Archive) -> Header:
    """Return the header of an archive; ArchiveError if it is missing or invalid."""
    return _converted(archive, "header", archive.header, Header)


def read_seat_header(archive: Archive) -> SeatHeader:
    """Return the seat header of an archive; ArchiveError if it is missing or invalid."""
    return _converted(archive, "header", archive.header, SeatHeader)


def read_entry(archive: Archive, name: str, kind: type[T]) -> T:
    """Return an entry as the given type; ArchiveError names the fault."""
    return _converted(archive, name, archive.json(name), kind)


def entry(value: msgspec.Struct) -> bytes:
    """Return the bytes of an entry."""
    return msgspec.json.encode(value)


def header_of(value: Header | SeatHeader) -> dict[str, Any]:
    """Return a header as plain values."""
    return msgspec.structs.asdict(value)


def is_id(text: str) -> bool:
    """Return whether a text is one of our identifiers, written in the usual way."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _converted(archive: Archive, name: str, value: Mapping[str, Any], kind: type[T]) -> T:
    try:
        found = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ArchiveError(
            f"The content of “{name}” is invalid: {error}.",
            hint="No data was imported. Request the file again.",
            where=str(archive.path),
        ) from error
    return found
