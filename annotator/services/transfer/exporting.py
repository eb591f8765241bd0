"""Export out of a project: write, open again, judge independently, and prove frame numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.checks import Finding, Severity, check_document
from annotator.domain.document import Document
from annotator.domain.errors import MediaError, UserError
from annotator.domain.ids import PointId, TrackId
from annotator.services.files import write_atomically
from annotator.services.jobs import JobToken
from annotator.services.projects import OpenProject
from annotator.services.proof import Proof, prove_frames

if TYPE_CHECKING:
    from annotator.exchange.perception_test.from_domain import Entry, SoundFacts

MICROSECONDS: Final = 1_000_000

_SHARE_OF_WRITING: Final = 0.2


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to export and how.

    ``videos`` are names with or without ending, all where empty. ``frames`` is "grid", "keys" or
    "all" (see ``annotator.exchange.perception_test.sampling``). ``split`` replaces the videos' own.
    """

    path: Path
    split: str | None = None
    videos: tuple[str, ...] = ()
    frames: str = "grid"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A draft as it was when the export was asked for; later edits do not reach it."""

    document: Document
    video_path: Path | None
    table: bytes | None
    pending: dict[TrackId, int] = field(default_factory=dict)
    pending_points: dict[PointId, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExportedVideo:
    """What was written of one video.

    ``proof`` is None where its file was not at hand: ``unproved`` then holds the frames exported.
    """

    name: str
    n_tracks: int
    n_boxes: int
    n_points: int
    n_segments: int
    proof: Proof | None
    unproved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export did. ERROR findings are rules that the file breaks or records left out."""

    path: Path
    videos: tuple[ExportedVideo, ...]
    findings: tuple[Finding, ...]

    @property
    def is_sound(self) -> bool:
        """True when official loaders should take the file."""
        return not any(f.severity is Severity.ERROR for f in self.findings)


def export_project(project: OpenProject, request: ExportRequest, token: JobToken) -> ExportReport:
    """Export a project in one go."""
    return write_export(snapshots(project, request.videos), request, token)


def snapshots(project: OpenProject, names: Sequence[str] = ()) -> list[Snapshot]:
    """Return the drafts to export, on the main thread; UserError when there are none."""
    wanted = set(names)
    found: list[Snapshot] = []
    for video in project.videos():
        own_names = {video.name, Path(video.name).stem}
        if names and not own_names & wanted:
            continue
        wanted -= own_names
        tasks = [t for t in project.tasks() if t.video_id == video.id and t.draft_id is not None]
        for task in tasks[:1]:
            session = project.open_task(task.id)
            old = session.document
            document = Document(old.draft_id, old.video, old.tracks, old.segments, old.points)
            counts = {t.id: len(session.pending(t.id)) for t in old.tracks}
            waiting = {p.id: len(session.pending_points(p.id)) for p in old.points}
            found.append(Snapshot(document, video.path, session.table_bytes, counts, waiting))
    if wanted:
        hint = "Videos are named as in the project, with or without ending."
        text = f"The project has no video “{min(wanted)}”."
        raise UserError(text, hint=hint, where=str(project.path))
    if not found:
        hint = "Draw a box or import a file first."
        raise UserError("There is nothing to export yet.", hint=hint, where=str(project.path))
    return found


def write_export(
    items: Sequence[Snapshot], request: ExportRequest, token: JobToken
) -> ExportReport:
    """Write a Perception Test file and judge it; may run on any thread.

    UserError when the file cannot be written. What is wrong with the content becomes findings.
    """
    from annotator.exchange.perception_test.from_domain import Settings, make_entry
    from annotator.exchange.perception_test.labels import label_ids
    from annotator.exchange.perception_test.sampling import FrameChoice
    from annotator.exchange.perception_test.write import encode

    labels = label_ids(item.document for item in items)
    settings = Settings(request.split, FrameChoice(request.frames), labels)
    made: dict[str, tuple[Snapshot, Entry]] = {}
    findings: list[Finding] = []
    for i, item in enumerate(items):
        token.check()
        token.report(_SHARE_OF_WRITING * i / len(items), item.document.video.name)
        sound, problems = _sound(item)
        entry = make_entry(item.document, frame_clock(item), sound, settings)
        findings += [
            *check_document(item.document, item.pending, item.pending_points),
            *problems,
            *entry.findings,
        ]
        if entry.name in made:
            text = "Another video has the same name: this one was left out. Export them apart."
            findings.append(Finding("same-name", entry.name, text, Severity.ERROR))
        else:
            made[entry.name] = (item, entry)
    values = {name: entry.value for name, (_, entry) in made.items()}
    write_atomically(request.path, encode(values))
    findings += _judged(request.path, values)
    videos = []
    for i, (item, entry) in enumerate(made.values()):
        token.check()
        share = _SHARE_OF_WRITING + (1 - _SHARE_OF_WRITING) * i / len(made)
        token.report(share, f"{entry.name}: proving frames")
        video, problems = _proved(item, entry, token)
        videos.append(video)
        findings += problems
    return ExportReport(request.path, tuple(videos), tuple(dict.fromkeys(findings)))


def frame_clock(item: Snapshot) -> Callable[[int], int]:
    """Return when frames appear, in microseconds after frame 0; by the rate where no table is."""
    if item.table is None:
        rate = Fraction(item.document.video.frame_rate or 30.0).limit_denominator(100_000)
        return lambda frame: round(frame * MICROSECONDS / rate)
    from annotator.media import FrameTable

    table = FrameTable.from_bytes(item.table)
    ends = [*table.ticks.tolist(), int(table.ticks[-1] + max(int(table.duration[-1]), 0))]
    base = table.time_base
    return lambda frame: round(ends[min(frame, len(ends) - 1)] * base * MICROSECONDS)


def _sound(item: Snapshot) -> tuple[SoundFacts | None, list[Finding]]:
    """Return samples and rate of the sound, None where unknown; and whether an import differs."""
    from annotator.exchange.perception_test.from_domain import SoundFacts
    from annotator.exchange.perception_test.to_domain import Kept
    from annotator.media.sound_count import count_samples

    if item.video_path is None:
        return None, []
    name = item.document.video.name
    said = Kept.of(item.document.video).metadata
    try:
        sound = SoundFacts(*count_samples(item.video_path))
    except MediaError as error:
        return None, [Finding("unreadable-video", name, str(error), Severity.ERROR)]
    if said.get("audio_samples", sound.samples) == sound.samples:
        return sound, []
    text = f"Imported with {said['audio_samples']} samples of sound, the file has {sound.samples}."
    return sound, [Finding("other-sound", name, text)]


def _judged(path: Path, values: Mapping[str, object]) -> list[Finding]:
    """Open the file again and return the rules it breaks; what was written must be what is read."""
    from annotator.exchange.perception_test.check import check_entry
    from annotator.exchange.strict_json import JsonObjectFile

    findings: list[Finding] = []
    labels: dict[str, dict[object, set[object]]] = {}
    with JsonObjectFile(path) as file:
        for name in file.keys():  # noqa: SIM118 - a method, not a mapping
            entry = file.member(name)
            findings += check_entry(name, entry, labels)
            if entry != values.get(name):
                text = "The file does not hold what was written. The disk may be failing."
                findings.append(Finding("not-as-written", f"$.{name}", text, Severity.ERROR))
    return findings


def _proved(item: Snapshot, entry: Entry, token: JobToken) -> tuple[ExportedVideo, list[Finding]]:
    boxes = entry.boxes
    frames = sorted({*boxes, *entry.marks})
    n_tracks = len(entry.records("object_tracking"))
    n_points = len(entry.records("point_tracking"))
    counts = (entry.name, n_tracks, len(boxes), n_points, entry.n_segments)
    if item.video_path is None:
        text = f"The video is not at hand: {_listed(frames)} could not be proved."
        unproved = Finding("not-proved", entry.name, text)
        return ExportedVideo(*counts, None, tuple(frames)), [unproved]
    try:
        proof = prove_frames(
            item.video_path, item.table, frames, is_cancelled=lambda: token.is_cancelled
        )
    except MediaError as error:
        problem = Finding("not-proved", entry.name, str(error), Severity.ERROR)
        return ExportedVideo(*counts, None, tuple(frames)), [problem]
    token.check()
    problems = [
        Finding("frames-differ", entry.name, f"{text[0].upper()}{text[1:]}.", Severity.ERROR)
        for text in proof.differences
    ]
    return ExportedVideo(*counts, proof), problems


def _listed(frames: Sequence[int], limit: int = 12) -> str:
    """Return frames as words: all of them, or the first and how many there are."""
    if not frames:
        return "no frames"
    shown = ", ".join(map(str, frames[:limit]))
    return f"frames {shown}" + (f" … ({len(frames)} in all)" if len(frames) > limit else "")
