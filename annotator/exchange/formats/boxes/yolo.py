"""YOLO detection sets: ``data.yaml``, and a text file with the boxes of each image.

Boxes are fractions of the image: class, center, width and height. Images are named
``VIDEO_FRAME.jpg`` with frames from 0. ``tracks.csv`` beside ``data.yaml`` keeps which row belongs
to which track, since the format has no tracks. Nothing that ``data.yaml`` names is downloaded or
run.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

import yaml

from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.checks import Finding
from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Box
from annotator.domain.plurals import many
from annotator.exchange.formats.base.document_conversion import keyframes_of
from annotator.exchange.formats.base.file_content import TrackContent, VideoContent
from annotator.exchange.formats.base.format import BOXES_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import Cells, fail, label_of, lines_of, rows_of

SETTINGS: Final = "data.yaml"
TRACKS: Final = "tracks.csv"
_HEADS: Final = ["label_file", "row", "track"]
_PARTS: Final = ("train", "val", "test")
_NAME: Final = re.compile(r"(.+)_(\d{1,9})\Z")
_MAX_SETTINGS: Final = 1 << 20
_MAX_FILES: Final = 5_000_000
_SLACK_OF_LINES: Final = 6e-6
_SLACK: Final = 0.01


@dataclass(frozen=True, slots=True)
class _Row:
    frame: int
    label: int
    box: Box
    track: str
    score: float | None


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a set; ExchangeError names the file and line of the first fault."""
    settings = _settings(path)
    names = _names(path, settings)
    track_names = _tracks(path.parent / TRACKS)
    findings: list[Finding] = []
    if "download" in settings:
        text = "The set names a download; it was not carried out."
        findings.append(Finding("download", path.name, text))
    rows: dict[str, list[_Row]] = {}
    n_files, root = 0, path.parent.resolve()
    for folder in dict.fromkeys(_folders(path, settings)):
        for file in sorted(folder.glob("*.txt")):
            n_files += 1
            match = _NAME.fullmatch(file.stem)
            if match is None:
                raise fail(
                    file, "The file name does not end with a frame number, as in clip_000030."
                )
            if n_files > _MAX_FILES:
                raise fail(path, "The set has too many files.")
            place = file.relative_to(root).as_posix() if track_names else ""
            file_rows = rows.setdefault(match[1], [])
            file_rows += _rows(file, int(match[2]), len(names), track_names.get(place, {}))
    if not n_files:
        raise fail(path, "The set has no label files (labels/*.txt).")
    return [
        _video(name, path.name, boxes, names, findings if i == 0 else [])
        for i, (name, boxes) in enumerate(rows.items())
    ]


def _settings(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > _MAX_SETTINGS:
            raise fail(path, "The file is too large for the settings of a set.")
        value = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise fail(path, f"Cannot read the file: {error.strerror or error}.") from error
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else None
        raise fail(path, "The file is not valid YAML.", line) from error
    if not isinstance(value, dict):
        raise fail(path, "The file does not contain the settings of a YOLO set.")
    return {str(key): item for key, item in value.items()}


def _names(path: Path, settings: Mapping[str, object]) -> list[str]:
    told = settings.get("names")
    if isinstance(told, dict):
        if set(told) != set(range(len(told))):
            raise fail(path, "“names” must number the classes from 0 without gaps.")
        told = [told[i] for i in range(len(told))]
    if not isinstance(told, list) or not told or not all(isinstance(n, str | int) for n in told):
        raise fail(path, "The classes are missing (“names”).")
    return [label_of(str(name)) for name in told]


def _folders(path: Path, settings: Mapping[str, object]) -> Iterator[Path]:
    """Yield the folders of label files; none of them outside the folder of the settings."""
    root = path.parent.resolve()
    for part in _PARTS:
        folder_entry = settings.get(part)
        for entry in folder_entry if isinstance(folder_entry, list) else [folder_entry]:
            if entry is None:
                continue
            if not isinstance(entry, str) or "\0" in entry or entry.endswith(".txt"):
                raise fail(path, f"“{part}” must name a folder of images.")
            head, _, rest = f"/{entry.strip('/')}/".rpartition("/images/")
            if f"/{entry.strip('/')}".endswith("/images"):
                head, rest = f"/{entry.strip('/')}".removesuffix("/images"), ""
            folder = root / head.strip("/") / "labels" / rest.strip("/")
            try:
                folder = folder.resolve()
                is_there = folder.is_dir()
            except (OSError, RuntimeError) as error:
                raise fail(path, f"“{part}” names a folder that cannot be read.") from error
            if root != folder and root not in folder.parents:
                raise fail(path, f"“{part}” names a folder outside the set.")
            if is_there:
                yield folder


def _tracks(path: Path) -> dict[str, dict[int, str]]:
    """Return the tracks of the rows of each label file, where the set keeps them."""
    found: dict[str, dict[int, str]] = {}
    if not path.is_file():
        return found
    for number, row in rows_of(path):
        cells = Cells(path, number, row)
        if row != _HEADS:
            found.setdefault(cells.text(0), {})[cells.whole(1)] = cells.text(2)
    return found


def _rows(file: Path, frame: int, n_names: int, track_names: Mapping[int, str]) -> Iterator[_Row]:
    at = 0
    for number, line in lines_of(file):
        if not line.strip():
            continue
        cells = Cells(file, number, line.split())
        if len(cells) not in (5, 6, 7):
            raise cells.fail(
                f"The line has {len(cells)} numbers instead of 5 to 7; polygons are not read."
            )
        label = cells.whole(0)
        if label >= n_names:
            raise cells.fail(f"There is no class {label}.")
        cx, cy, w, h = (cells.number(i, -_SLACK, 1 + _SLACK) for i in range(1, 5))
        if w <= 0 or h <= 0:
            raise cells.fail("The box has no area.")
        track, score = track_names.get(at, ""), None
        # A sixth number is a score, or the track of a tracker; a seventh is the track.
        if len(cells) == 7:
            score, track = cells.number(5, 0, 1), str(cells.whole(6))
        elif len(cells) == 6 and "." in cells.text(5):
            score = cells.number(5, 0, 1)
        elif len(cells) == 6:
            track = str(cells.whole(5))
        box = Box(cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
        yield _Row(frame, label, box, track, score)
        at += 1


def _video(
    name: str, place: str, rows: Sequence[_Row], names: Sequence[str], findings: list[Finding]
) -> VideoContent:
    tracks: list[TrackContent] = []
    linked: dict[tuple[str, int], list[_Row]] = {}
    n_single = 0
    for row in rows:
        if row.track:
            linked.setdefault((row.track, row.label), []).append(row)
            continue
        n_single += 1
        keys: Sequence[Keyframe] = (
            Keyframe(row.frame, row.box, source=Source.IMPORTED),
            Keyframe(row.frame + 1, None, source=Source.IMPORTED),
        )
        scores = {row.frame: row.score} if row.score is not None else {}
        tracks.append(TrackContent(names[row.label], keys, "", {}, scores))
    for (track, label), own in linked.items():
        if len({row.frame for row in own}) != len(own):
            raise ExchangeError(f"Track {track} has two boxes on one frame.", where=name)
        boxes = [(row.frame, row.box, False) for row in own]
        scores = {row.frame: row.score for row in own if row.score is not None}
        keys = keyframes_of(boxes, None, _SLACK_OF_LINES)
        tracks.append(TrackContent(names[label], keys, track, {}, scores))
    findings_list = list(findings)
    if n_single:
        text = f"Without track: {many(n_single, 'box')}; each is an object of one frame."
        findings_list.append(Finding("no-identity", name, text))
    return VideoContent(
        name, f"{place}, {name}", tuple(tracks), findings=tuple(findings_list), is_fraction=True
    )


def settings_text(names: Sequence[str], parts: Iterable[str]) -> str:
    """Return ``data.yaml`` for classes in their order; ``parts`` are "train", "val", "test"."""
    has = sorted(set(parts), key=_PARTS.index)
    # Both are needed for training, so one that is missing is the other.
    places = {part: part if part in has else has[0] for part in ("train", "val")}
    places |= {"test": "test"} if "test" in has else {}
    lines = [f"{part}: images/{place}" for part, place in places.items()]
    lines.append("names:")
    lines += [f"  {i}: {json.dumps(name, ensure_ascii=False)}" for i, name in enumerate(names)]
    return "\n".join(lines) + "\n"


def box_line(label: int, box: Box, size: tuple[int, int]) -> str | None:
    """Return the row of a box in pixels; None where nothing of it is in the image."""
    inside = box.clipped(*size)
    if inside.width <= 0 or inside.height <= 0:
        return None
    width, height = size
    center = ((inside.x1 + inside.x2) / 2 / width, (inside.y1 + inside.y2) / 2 / height)
    numbers = (*center, inside.width / width, inside.height / height)
    return " ".join((str(label), *(f"{value:.6f}" for value in numbers)))


def track_lines(rows: Iterable[tuple[str, int, str]]) -> str:
    """Return ``tracks.csv``: label file, row of it from 0, track."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows([_HEADS, *rows])
    return out.getvalue()


FORMAT: Final = Format(
    "yolo",
    "YOLO detection set (data.yaml)",
    (".yaml", ".yml"),
    "text",
    needs_videos=True,
    holds=("boxes",),
    is_dense=True,
    has_media=True,
    has_frame_choice=True,
    losses=BOXES_ONLY
    | {
        Loss.OCCLUSION,
        Loss.OUT_OF_VIEW,
        Loss.HUMAN_KEYFRAMES,
        Loss.ATTRIBUTES,
        Loss.FRAME_RATE,
        Loss.VARIABLE_RATE,
    },
    source="Ultralytics documentation of detection data sets",
    read=read,
)
