"""Writes Perception Test files and judges them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from annotator.domain.checks import Finding, Severity, check_document
from annotator.domain.errors import MediaError
from annotator.exchange.perception_test.check import check_entry, check_labels
from annotator.exchange.perception_test.from_domain import Entry, Settings, SoundFacts, make_entry
from annotator.exchange.perception_test.labels import label_ids
from annotator.exchange.perception_test.sampling import FrameChoice
from annotator.exchange.perception_test.to_domain import Kept
from annotator.exchange.perception_test.write import encode
from annotator.exchange.strict_json import JsonObjectFile
from annotator.services.files import write_atomically
from annotator.services.footage import kept_sound
from annotator.services.jobs import JobToken
from annotator.services.transfer.clock import FrameTimes
from annotator.services.transfer.snapshot import ExportRequest, Snapshot, Written


def write(
    items: Sequence[Snapshot], request: ExportRequest, token: JobToken, share: float
) -> tuple[list[Written], list[Finding]]:
    """Write a file and open it again; ``share`` is how much of the whole progress that is.

    UserError when it cannot be written. What is wrong with the content becomes findings.
    """
    labels = label_ids((item.document for item in items), items[0].label_sets if items else ())
    settings = Settings(request.split, FrameChoice(request.frames), labels)
    made: dict[str, tuple[Snapshot, Entry]] = {}
    findings: list[Finding] = []
    for i, item in enumerate(items):
        token.check()
        token.report(share * i / len(items), item.document.video.name)
        sound, problems = _sound(item)
        times = FrameTimes(item.table, item.document.video)
        entry = make_entry(item.document, times.at, sound, settings)
        findings += check_document(item.document, item.pending, item.pending_points)
        findings += [*problems, *entry.findings]
        if entry.name in made:
            text = "Another video has the same name: this one was left out. Export them apart."
            findings.append(Finding("same-name", entry.name, text, Severity.ERROR))
        else:
            made[entry.name] = (item, entry)
    values = {name: entry.value for name, (_, entry) in made.items()}
    write_atomically(request.path, encode(values))
    findings += _judged(request.path, values)
    return [_written(item, entry) for item, entry in made.values()], findings


def _written(item: Snapshot, entry: Entry) -> Written:
    boxes = entry.boxes
    return Written(
        entry.name,
        item,
        len(entry.records("object_tracking")),
        len(boxes),
        len(entry.records("point_tracking")),
        entry.n_segments,
        tuple(sorted({*boxes, *entry.marks})),
    )


def _sound(item: Snapshot) -> tuple[SoundFacts | None, list[Finding]]:
    """Return samples and rate of the sound, None where unknown; and whether an import differs."""
    from annotator.media.sound_check import check_sound

    name = item.document.video.name
    said = Kept.of(item.document.video).metadata
    counted = kept_sound(item.document.video)
    try:
        if counted is None and item.video_path is not None:
            found = check_sound(item.video_path)
            counted = (found.samples, found.rate)
    except MediaError as error:
        return None, [Finding("unreadable-video", name, str(error), Severity.ERROR)]
    if counted is None:
        return None, []
    sound = SoundFacts(*counted)
    if said.get("audio_samples", sound.samples) == sound.samples:
        return sound, []
    text = f"Imported with {said['audio_samples']} samples of sound, the file has {sound.samples}."
    return sound, [Finding("other-sound", name, text)]


def _judged(path: Path, values: Mapping[str, object]) -> list[Finding]:
    """Open the file again and return the rules it breaks; what was written must be what is read."""
    findings: list[Finding] = []
    labels: dict[str, dict[object, set[object]]] = {}
    with JsonObjectFile(path) as file:
        for name in file.keys():  # noqa: SIM118 - a method, not a mapping
            entry = file.member(name)
            findings += check_entry(name, entry, labels)
            if entry != values.get(name):
                text = "The file does not hold what was written. The disk may be failing."
                findings.append(Finding("not-as-written", f"$.{name}", text, Severity.ERROR))
    findings += check_labels(labels)
    return findings
