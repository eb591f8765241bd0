"""Writes a PACS data set: its files, and pictures of the objects of focus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.benchmarks.pacs.objects_and_pairs import (
    FocusObject,
    PacsDataPoint,
    bank_of,
    data_points,
    focus_objects,
)
from annotator.benchmarks.pacs.records import SPLITS, PacsData, PacsQuestion, Points
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import MediaError, UserError
from annotator.domain.json_type import Json
from annotator.services.background.jobs import JobToken
from annotator.services.files import write_atomically
from annotator.services.project.metadata import facts_of
from annotator.services.project.projects import OpenProject

if TYPE_CHECKING:
    from annotator.benchmarks.pacs.records import FocusClip

PICTURES = "pictures"
SIDE_FILE = "provenance.json"
_DIGITS = 10


_LABEL: Final = "label"
_DATA_KEYS: Final = (_LABEL, "text")
_MATERIAL_KEYS: Final = ("text", _LABEL)


def files_of(data: PacsData) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield each file's name and content.

    Keys stand in the order of the values given; labels of test are left out, except in the
    material task, which has them.
    """
    yield (
        "objects.json",
        {
            key: {
                "duration": entry.duration,
                "bounding_box": list(entry.box),
                "materials": list(entry.materials),
                "fps": entry.fps,
            }
            for key, entry in data.objects.items()
        },
    )
    yield (
        "questions.json",
        {
            key: {
                "properties": list(entry.properties),
                "question": entry.text,
                "statement": entry.statement,
            }
            for key, entry in data.questions.items()
        },
    )
    for split in SPLITS:
        points = data.points.get(split, {})
        data_keys = [key for key in _DATA_KEYS if key != _LABEL or split != "test"]
        yield f"{split}_data.json", _points(points, data_keys)
    yield "mat_questions.json", dict(data.material_questions)
    for split in SPLITS:
        yield f"{split}_mat.json", _points(data.material_points.get(split, {}), _MATERIAL_KEYS)
    yield (
        "youtube_info.json",
        {
            source: {key: [clip.start, clip.end, clip.middle] for key, clip in clips.items()}
            for source, clips in data.clips.items()
        },
    )


def _points(points: Points, keys: Sequence[str]) -> dict[str, Json]:
    return {
        f"{first}_{second}": {key: _point(each, keys) for key, each in questions.items()}
        for (first, second), questions in points.items()
    }


def _point(each: PacsQuestion, keys: Sequence[str]) -> dict[str, Json]:
    told: dict[str, Json] = {_LABEL: each.label, "text": each.text}
    return {key: told[key] for key in keys}


@dataclass(frozen=True, slots=True)
class DataSetReport:
    """Result of writing: records per file, and records left out."""

    folder: Path
    counts: dict[str, int]
    findings: tuple[Finding, ...]


def export_pacs(
    project: OpenProject, folder: Path, token: JobToken, *, has_pictures: bool = True
) -> DataSetReport:
    """Write all files into a folder, which is made where it is missing; leads only.

    Votes and why something was dropped go into a file of their own. UserError when the folder
    cannot be written.
    """
    from annotator.benchmarks.pacs.records import (
        AgreedAnswer,
        BankQuestion,
        data_of,
        object_names,
    )
    from annotator.exchange.json_value import encode_value

    points = data_points(project)
    objects, findings = focus_objects(project)
    known_names = {item.name for item in objects}
    settled = [
        AgreedAnswer(p.pair, p.question, p.text, p.label)
        for p in points
        if p.label is not None and {p.pair.first, p.pair.second} <= known_names
    ]
    bank = [BankQuestion(b.key, b.text, b.statement, b.properties) for b in bank_of(project)]
    data = data_of(_clips(project, objects), bank, settled)
    called = object_names(settled)
    _make(folder)
    counts: dict[str, int] = {}
    for name, value in files_of(data):
        token.check()
        write_atomically(folder / name, encode_value(value))
        counts[name] = len(value)
    write_atomically(folder / SIDE_FILE, encode_value(_provenance(project, points, called)))
    problems = [*findings, *_unstated(data)]
    if has_pictures:
        ours = {called[item.name]: item for item in objects if item.name in called}
        problems += _pictures(project, ours, folder / PICTURES, token)
    return DataSetReport(folder, counts, tuple(problems))


def _clips(project: OpenProject, objects: Sequence[FocusObject]) -> list[FocusClip]:
    from annotator.benchmarks.pacs.records import FocusClip

    infos = {info.id: info for info, _ in project.media.all()}
    clips: list[FocusClip] = []
    for item in objects:
        info = infos[item.video_id]
        facts = facts_of(info)
        start, end = _frame(facts.get("source_start")), _frame(facts.get("source_end"))
        cut = (start, end) if start is not None and end is not None and start < end else None
        clips.append(
            FocusClip(
                item.name,
                item.split,
                info.width,
                info.height,
                item.box,
                item.materials,
                info.duration_s,
                info.frame_rate,
                str(facts.get("source", "")),
                cut,
            )
        )
    return clips


def _frame(fact: Json) -> int | None:
    """Return the frame number of a table row, as a number or as text; None without one.

    A CSV table has texts only in columns of unknown type.
    """
    text = str(fact).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else None


def _unstated(data: PacsData) -> list[Finding]:
    """Return the warning about questions without a statement."""
    n_unstated = sum(not each.statement.strip() for each in data.questions.values())
    if not n_unstated:
        return []
    text = f"Questions without a statement: {n_unstated} of {len(data.questions)}."
    return [Finding("no-statement", "questions.json", text)]


def _provenance(
    project: OpenProject, points: Sequence[PacsDataPoint], called: Mapping[str, str]
) -> dict[str, Json]:
    """Return where everything came from; ``called`` is what clips are called in the data set."""
    recipe = project.work.recipe
    spec = recipe.pairing
    return {
        "recipe": {"name": recipe.name, "version": recipe.version},
        "seed": spec.seed if spec is not None else None,
        "objects": {called[name]: {"clip": name} for name in called},
        "points": [
            {
                "clips": [point.pair.first, point.pair.second],
                "split": point.pair.split,
                "question": point.text,
                "label": point.label,
                "answers": list(point.answers),
                "dropped": point.why,
            }
            for point in points
        ],
    }


def _pictures(
    project: OpenProject, objects: Mapping[str, FocusObject], folder: Path, token: JobToken
) -> list[Finding]:
    """Write two pictures of each object, by its name: cut out, and whole with the box in red."""
    from annotator.media import Video
    from annotator.media.decode.convert import cut_out, outlined, png_bytes

    _make(folder)
    paths = {entry.id: entry.path for entry in project.videos()}
    findings: list[Finding] = []
    for i, (name, item) in enumerate(objects.items()):
        token.check()
        token.report(i / len(objects), item.name)
        path = paths.get(item.video_id)
        if path is None:
            text = "The video file is missing: no images were written."
            findings.append(Finding("no-pictures", item.name, text, Severity.ERROR))
            continue
        try:
            with Video(path) as video:
                picture = video.image(item.focus.frame)
        except MediaError as error:
            findings.append(Finding("no-pictures", item.name, str(error), Severity.ERROR))
            continue
        crop, box = png_bytes(cut_out(picture, item.box)), png_bytes(outlined(picture, item.box))
        write_atomically(folder / f"{name}_crop.png", [crop])
        write_atomically(folder / f"{name}_box.png", [box])
    return findings


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"cannot be created: {error.strerror or error}."
        raise UserError(text, hint="Select another folder.", where=str(folder)) from error
