"""One video of a Perception Test file: read, written and judged, in this process or another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import msgspec

from annotator.domain.checks import Finding, Severity, check_document
from annotator.domain.errors import MediaError
from annotator.domain.ids import TrackId
from annotator.exchange.perception_test.check import check_entry
from annotator.exchange.perception_test.from_domain import (
    ExportEntry,
    ExportSettings,
    VideoSound,
    make_entry,
)
from annotator.exchange.perception_test.to_domain import Kept
from annotator.exchange.perception_test.write import (
    Note,
    Variant,
    answers_of,
    encode_answers,
    encode_entry,
)
from annotator.services.project.videos import kept_sound
from annotator.services.transfer.clock import FrameTimes
from annotator.services.transfer.snapshot import ContentPlace, Snapshot
from annotator.store.file.readable import Readable

UsedNumbers = dict[str, dict[object, set[object]]]
"""The labels of each task by number."""


@dataclass(frozen=True, slots=True)
class EntryResult:
    """The bytes of an entry, what is in it, and what was found: in the content, in the bytes.

    ``digest`` tells whether the bytes on the disk are still these. ``tracks`` are the tracks by
    record ID.
    """

    name: str
    body: bytes
    digest: int
    n_tracks: int
    n_boxes: int
    n_points: int
    n_segments: int
    n_questions: int
    frames: tuple[int, ...]
    findings: list[Finding]
    broken: list[Finding]
    labels: UsedNumbers = field(default_factory=dict)
    tracks: tuple[TrackId, ...] = ()


def make(
    file: Readable, places: Sequence[ContentPlace], settings: ExportSettings
) -> list[EntryResult]:
    """Return the entries of some videos; ProjectError where one cannot be read."""
    return [_made(place.read(file), settings) for place in places]


def _made(item: Snapshot, settings: ExportSettings) -> EntryResult:
    sound, problems = _sound(item)
    times = FrameTimes(item.table, item.document.video)
    entry = make_entry(item.document, times.at, sound, settings, item.questions)
    findings = list(check_document(item.document, item.pending, item.pending_points))
    findings += [*item.remarks, *problems, *entry.findings]
    body = encode_entry(entry.name, entry.value)
    labels: UsedNumbers = {}
    broken = _judged(entry, body, labels)
    if settings.variant.is_submission:
        body = _answers(entry, settings, findings.append)
    return EntryResult(
        entry.name,
        body,
        crc32(body),
        len(entry.records("object_tracking")),
        entry.n_boxes,
        len(entry.records("point_tracking")),
        entry.n_segments,
        entry.n_questions,
        tuple(sorted(entry.frames)),
        findings,
        broken,
        labels,
        entry.tracks,
    )


def _answers(entry: ExportEntry, settings: ExportSettings, note: Note) -> bytes:
    """Return the bytes of a result file for an entry."""
    (task,) = settings.tasks
    is_wrapped = settings.variant is Variant.WRAPPED
    value = answers_of(entry.name, entry.value, task, note, is_wrapped=is_wrapped)
    return encode_answers(entry.name, value)


def _judged(entry: ExportEntry, body: bytes, labels: UsedNumbers) -> list[Finding]:
    """Read the bytes again and return the rules they break; they must say what was meant."""
    found: Mapping[str, object] = msgspec.json.decode(b"{%b}" % body)
    told = found.get(entry.name)
    findings = list(check_entry(entry.name, told, labels, is_json=True))
    if told != entry.value:
        text = (
            "Verification failed: the file does not contain the expected data. Please "
            "report this bug."
        )
        findings.append(Finding("not-as-written", f"$.{entry.name}", text, Severity.ERROR))
    return findings


def _sound(item: Snapshot) -> tuple[VideoSound | None, list[Finding]]:
    """Return samples and rate of the sound, None where unknown; and whether an import differs."""
    name = item.document.video.name
    said = Kept.of(item.document.video).metadata
    counted = kept_sound(item.document.video)
    try:
        if counted is None and item.video_path is not None:
            from annotator.media.audio.check import check_sound

            found = check_sound(item.video_path)
            counted = (found.samples, found.rate)
    except MediaError as error:
        return None, [Finding("unreadable-video", name, str(error), Severity.ERROR)]
    if counted is None:
        return None, []
    sound = VideoSound(*counted)
    if said.get("audio_samples", sound.samples) == sound.samples:
        return sound, []
    text = (
        f"The imported file has {said['audio_samples']} audio samples; the video has "
        f"{sound.samples}."
    )
    return sound, [Finding("other-sound", name, text)]
