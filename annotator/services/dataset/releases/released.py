"""The content of a release folder as a data set, so that its statistics can be recomputed."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.segment import Lane
from annotator.domain.dataset.facts import Fact, VideoFacts
from annotator.domain.dataset.statistics import DataSet, QuestionFacts, VideoStatistics
from annotator.domain.recipes.recipe import Tool
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.strict_json import JsonObjectFile
from annotator.services.dataset.releases.proof_frames import ReleaseProblem
from annotator.services.dataset.statistics import question_rows, write_statistics

if TYPE_CHECKING:
    from annotator.exchange.perception_test.records import ObjectRecord, PointRecord, VideoRecord
    from annotator.services.background.jobs import JobToken

ANNOTATIONS: Final = "annotations"
WITHHELD: Final = "withheld"
STATISTICS: Final = "statistics"
METADATA: Final = "metadata.csv"
_TOOLS: Final = {Lane.ACTION: Tool.ACTIONS, Lane.SOUND: Tool.SOUNDS}
_DIGITS: Final = 5


def annotation_files(folder: Path) -> list[Path]:
    """Return the annotation files of a release; withheld answers come first, since the same videos
    are in the annotations without them.
    """
    return [
        path
        for part in (WITHHELD, ANNOTATIONS)
        for path in sorted((folder / part).glob("*.json"))
        if path.is_file()
    ]


def released_data(folder: Path, token: JobToken) -> DataSet:
    """Return the data set in a release folder. ExchangeError when a file is damaged.

    Marks are the boxes and visible points of the files. Columns come from metadata.csv.
    """
    columns = _columns(folder / METADATA)
    videos: list[VideoStatistics] = []
    questions: list[QuestionFacts] = []
    seen: set[str] = set()
    for path in annotation_files(folder):
        file = JsonObjectFile(path)
        try:
            for name in file.keys():  # noqa: SIM118 - not a dict
                if name in seen:
                    continue
                token.check()
                seen.add(name)
                record = read_video(name, file.member(name))
                questions += question_rows(record.kept, name, len(videos), {})
                videos.append(_video(record, {"split": path.stem} | columns.get(name, {})))
        finally:
            file.close()
    return DataSet(videos, questions)


def check_statistics(folder: Path, token: JobToken) -> Iterator[ReleaseProblem]:
    """Yield the tables of statistics that do not follow from the annotations of a release."""
    data = released_data(folder, token)
    with tempfile.TemporaryDirectory() as place:
        for name in write_statistics(data, Path(place)):
            told = folder / STATISTICS / name
            if told.is_file() and told.read_bytes() != (Path(place) / name).read_bytes():
                text = "the statistics do not follow from the annotations"
                where = _first_difference(told, Path(place) / name)
                yield ReleaseProblem(f"{STATISTICS}/{name}", f"{text}: {where}")


def _first_difference(told: Path, computed: Path) -> str:
    tables = [path.read_text("utf-8", "replace").splitlines() for path in (told, computed)]
    for number, (one, other) in enumerate(zip(*tables, strict=False), 1):
        if one != other:
            return f"line {number} is “{one[:80]}”, computed “{other[:80]}”"
    return f"{len(tables[0]):,} lines, computed {len(tables[1]):,}"


def _columns(path: Path) -> dict[str, dict[str, str]]:
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [{k: v for k, v in row.items() if k and v} for row in csv.DictReader(file)]
    return {row.pop("video"): row for row in rows if "video" in row}


def _video(record: VideoRecord, columns: Mapping[str, str]) -> VideoStatistics:
    rate = record.frame_rate or 30.0
    facts: VideoFacts = {
        Tool.BOXES: [_track(track) for track in record.objects],
        Tool.POINTS: [_point(i, point) for i, point in enumerate(record.points)],
        Tool.ACTIONS: [],
        Tool.SOUNDS: [],
    }
    for i, segment in enumerate(record.segments):
        start, end = segment.frames
        roles = tuple(str(parent) if parent >= 0 else "" for parent in segment.parents)
        found = Fact(f"s{i}", segment.label, start, end, 0, end - start, 0, objects=roles)
        facts[_TOOLS[segment.lane]].append(found)
    duration = (record.n_frames or 0) / rate
    return VideoStatistics(record.name, record.name, duration, rate, dict(columns), facts)


def _track(track: ObjectRecord) -> Fact:
    if not track.frames:
        return Fact(str(track.id), track.label, 0, 0)
    x1, y1, x2, y2 = (float(side) for side in np.array(track.boxes, np.float64).mean(axis=0))
    start, end = track.frames[0], track.frames[-1] + 1
    share = sum(track.masked) / len(track.masked) if track.masked else 0.0
    return Fact(
        str(track.id),
        track.label,
        start,
        end,
        len(track.frames),
        end - start,
        round(share * (end - start)),
        round((x1 + x2) / 2, _DIGITS),
        round((y1 + y2) / 2, _DIGITS),
        round(x2 - x1, _DIGITS),
        round(y2 - y1, _DIGITS),
    )


def _point(number: int, point: PointRecord) -> Fact:
    parents = point.parents
    owners = (parents,) if isinstance(parents, int) else parents or ()
    n = len(point.frames)
    start, end = (point.frames[0], point.frames[-1] + 1) if n else (0, 0)
    return Fact(
        f"p{number}",
        point.label,
        start,
        end,
        n,
        end - start,
        end - start - n,
        round(float(np.mean(point.xs)), _DIGITS) if n else 0.0,
        round(float(np.mean(point.ys)), _DIGITS) if n else 0.0,
        objects=tuple(str(owner) for owner in owners[:1] if owner >= 0),
    )
