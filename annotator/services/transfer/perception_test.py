"""Writes Perception Test files by several processes and judges them, one video at a time."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec

from annotator.domain.checks import Finding, Severity, check_document
from annotator.domain.errors import MediaError, UserError
from annotator.domain.ids import TrackId
from annotator.exchange.order import natural_key
from annotator.exchange.perception_test.check import check_entry, check_labels
from annotator.exchange.perception_test.from_domain import (
    ExportEntry,
    ExportSettings,
    VideoSound,
    entry_name,
    make_entry,
)
from annotator.exchange.perception_test.labels import numbered
from annotator.exchange.perception_test.objects import FrameChoice
from annotator.exchange.perception_test.records import TASK_KEYS
from annotator.exchange.perception_test.to_domain import KeptExtra
from annotator.exchange.perception_test.write import (
    BETWEEN,
    CLOSING,
    OPENING,
    Note,
    Variant,
    answers_of,
    encode_answers,
    encode_entry,
)
from annotator.services.background.jobs import JobToken
from annotator.services.background.process_pool import outcome_of, started_pool
from annotator.services.files import write_atomically
from annotator.services.project.videos import stored_sound
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.snapshot import (
    ContentPlace,
    ExportRequest,
    Snapshot,
    Snapshots,
    WrittenContent,
)
from annotator.store.file.file_state import FilePosition, FileState, same_state
from annotator.store.file.readable import Readable

UsedNumbers = dict[str, dict[object, set[object]]]
"""The labels of each task by number."""


@dataclass(frozen=True, slots=True)
class EntryResult:
    """The bytes of an entry, its contents, and the findings on content and bytes.

    ``digest`` shows whether the bytes on the disk are still these. ``tracks`` are the tracks by
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
    return [_entry_result(place.read(file), settings) for place in places]


def _entry_result(item: Snapshot, settings: ExportSettings) -> EntryResult:
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
        tuple(sorted(entry.frames)) if item.document.video.n_frames else (),
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
    """Read the bytes again and return violated rules; the content must be equal."""
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
    stored_metadata = KeptExtra.of(item.document.video).metadata
    counted = stored_sound(item.document.video)
    try:
        if counted is None and item.video_path is not None:
            from annotator.media.audio.check import check_sound

            sound_findings = check_sound(item.video_path)
            counted = (sound_findings.samples, sound_findings.rate)
    except MediaError as error:
        return None, [Finding("unreadable-video", name, str(error), Severity.ERROR)]
    if counted is None:
        return None, []
    sound = VideoSound(*counted)
    if stored_metadata.get("audio_samples", sound.samples) == sound.samples:
        return sound, []
    text = (
        f"The imported file has {stored_metadata['audio_samples']} audio samples; the video has "
        f"{sound.samples}."
    )
    return sound, [Finding("other-sound", name, text)]


FEW: Final = 300
"""Number of videos that are written in this process, because starting others takes longer."""
_AT_ONCE: Final = 40
_AHEAD: Final = 3
MAX_PROCESSES: Final = 8


def make_all(
    items: Snapshots, order: Sequence[int], settings: ExportSettings, token: JobToken
) -> Iterator[EntryResult]:
    """Yield the entries of videos in an order; ProjectError where one cannot be read."""
    done = 0
    if len(order) > FEW and items.moment is not None:
        for made in _made_elsewhere(items, order, settings, token):
            done += len(made)
            yield from made
    # The rest: all where there are few, or what processes could not do.
    for i in order[done:]:
        token.check()
        yield from make(items.state, [items.places[i]], settings)


def _made_elsewhere(
    items: Snapshots, order: Sequence[int], settings: ExportSettings, token: JobToken
) -> Iterator[list[EntryResult]]:
    """Yield the entries in their order, as far as processes can make them."""
    assert items.moment is not None
    places_left = (items.places[i] for i in order)
    count = min(MAX_PROCESSES, os.cpu_count() or 1)
    pending_results: deque[Future[list[EntryResult] | None]] = deque()
    with started_pool(count, _begin, (items.moment,)) as pool:
        try:
            while True:
                while len(pending_results) < count * _AHEAD and (
                    batch := list(islice(places_left, _AT_ONCE))
                ):
                    pending_results.append(pool.submit(_make_there, batch, settings))
                if not pending_results:
                    return
                outcome = outcome_of(pending_results.popleft(), token)
                if outcome is None:
                    return
                yield outcome
        except BrokenProcessPool:
            return
        finally:
            for future in pending_results:
                future.cancel()


_state: list[FileState | None] = []  # in a process of the pool: the project as it was then


def _begin(moment: FilePosition) -> None:
    gc.disable()  # values created here have no cycles
    _state.append(same_state(moment))


def _make_there(
    places: Sequence[ContentPlace], settings: ExportSettings
) -> list[EntryResult] | None:
    """Make entries in a process of the pool; None when the project has moved on meanwhile."""
    state = _state[0]
    return make(state, places, settings) if state is not None else None


_SHARE_OF_MAKING: Final = 0.9


def write(
    items: Snapshots, request: ExportRequest, token: JobToken, share: float
) -> tuple[list[WrittenContent], list[Finding]]:
    """Write a file and read it again; ``share`` is its part of the total progress.

    UserError when it cannot be written, or a submission is not of one task. Faults of the content
    become findings.
    """
    labels = numbered(items.used_labels(), items.label_sets)
    variant, frames = Variant(request.variant), FrameChoice(request.frames)
    if variant.is_submission and len(request.tasks) != 1:
        text = "A submission export requires exactly one task."
        raise UserError(text, hint=f"Use one of: {', '.join(TASK_KEYS)}.", where=str(request.path))
    settings = ExportSettings(request.split, frames, labels, variant, request.tasks)
    export = _Export(items)
    outcomes = make_all(items, export.in_order, settings, token)
    write_atomically(request.path, export.parts(outcomes, token, share * _SHARE_OF_MAKING))
    token.report(share * _SHARE_OF_MAKING, "")
    return list(export.written()), [*export.findings(), *export.broken(request.path)]


@dataclass(frozen=True, slots=True)
class _WrittenEntry:
    """Position and digest of a written entry."""

    made: EntryResult
    start: int
    length: int


@dataclass(slots=True)
class _Export:
    """One export: entries in the order of the file, reports in the order of the project."""

    items: Snapshots
    in_order: list[int] = field(init=False)
    _told: dict[int, _WrittenEntry] = field(default_factory=dict)
    _doubled: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Find the order, by the names of entries; the second of two equal names is left out."""
        infos = self.items.infos()
        first: dict[str, int] = {}
        for i, place in enumerate(self.items.places):
            name = entry_name(infos[place.video_id].info)
            if first.setdefault(name, i) != i:
                self._doubled.append(name)
        self.in_order = [first[name] for name in sorted(first, key=natural_key)]

    def parts(self, made: Iterable[EntryResult], token: JobToken, share: float) -> Iterator[bytes]:
        """Yield the bytes of the file; only a few numbers of each entry are kept."""
        at = 0
        for n, (i, entry) in enumerate(zip(self.in_order, made, strict=True)):
            token.check()
            token.report(share * n / len(self.in_order), self.items.places[i].name)
            opening = BETWEEN if n else OPENING
            at += len(opening)
            yield opening
            yield entry.body
            self._told[i] = _WrittenEntry(_without_body(entry), at, len(entry.body))
            at += len(entry.body)
        yield CLOSING

    def written(self) -> Iterator[WrittenContent]:
        """Yield the written content of each video."""
        for place, told in self._by_place():
            made = told.made
            yield WrittenContent(
                made.name,
                place.video_path,
                partial(self.items.table, place),
                made.n_tracks,
                made.n_boxes,
                made.n_points,
                made.n_segments,
                made.n_questions,
                made.frames,
            )

    def findings(self) -> Iterator[Finding]:
        """Yield the issues of the content."""
        for _, told in self._by_place():
            yield from told.made.findings
        for name in self._doubled:
            text = (
                "Not exported: another video has the same name. Export the videos to "
                "separate files."
            )
            yield Finding("same-name", name, text, Severity.ERROR)

    def broken(self, path: Path) -> Iterator[Finding]:
        """Open the file again and yield the rules it breaks: it must be, byte for byte, the content
        that was checked during writing."""
        labels: UsedNumbers = {}
        with path.open("rb") as file:
            for i in self.in_order:
                written = self._told[i]
                yield from written.made.broken
                for task, task_labels in written.made.labels.items():
                    for number, texts in task_labels.items():
                        labels.setdefault(task, {}).setdefault(number, set()).update(texts)
                file.seek(written.start)
                if crc32(file.read(written.length)) != written.made.digest:
                    text = (
                        "Verification failed: the file content differs from the written "
                        "data. The disk may be failing."
                    )
                    place = f"$.{written.made.name}"
                    yield Finding("not-as-written", place, text, Severity.ERROR)
        yield from check_labels(labels)

    def _by_place(self) -> Iterator[tuple[ContentPlace, _WrittenEntry]]:
        return ((self.items.places[i], self._told[i]) for i in sorted(self._told))


def _without_body(made: EntryResult) -> EntryResult:
    from dataclasses import replace

    return replace(made, body=b"")
