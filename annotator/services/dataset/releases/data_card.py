"""The data card of a release: a README with the real figures."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.services.project.metadata import metadata_of

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject, VideoEntry

_MOST_VALUES: Final = 12
_ID_COLUMNS: Final = frozenset(("split", "cut_frame", "participant"))


def data_card(
    project: OpenProject,
    title: str,
    by_split: Mapping[str, Sequence[VideoEntry]],
    folder: Path,
) -> str:
    """Return the text of the data card, in Markdown. ``folder`` has the tables already."""
    return "\n".join(_lines(project, title, by_split, folder)) + "\n"


def _lines(
    project: OpenProject,
    title: str,
    by_split: Mapping[str, Sequence[VideoEntry]],
    folder: Path,
) -> Iterator[str]:
    n_videos = sum(len(videos) for videos in by_split.values())
    known = {info.id: info for info, _ in project.footage.known()}
    chosen = [known[video.id] for videos in by_split.values() for video in videos]
    hours = sum(info.duration_s for info in chosen) / 3600
    yield f"# {_plain(title)}"
    yield ""
    yield f"{n_videos:,} videos, {hours:,.2f} hours."
    yield ""
    yield "## Splits"
    yield ""
    yield "| split | videos | annotations |"
    yield "|---|---:|---|"
    for split, videos in by_split.items():
        is_withheld = (folder / "withheld" / f"{split}.json").exists()
        what = "start boxes and questions; answers withheld" if is_withheld else "all"
        yield f"| {_plain(split)} | {len(videos):,} | {what} |"
    yield ""
    yield "## Content"
    yield ""
    yield "| type | videos | annotations | keyframes | classes | per video |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in _table(folder / "statistics" / "counts.csv"):
        yield (
            f"| {_plain(row['type'])} | {row['videos']} | {row['annotations']} | {row['marks']} "
            f"| {row['classes']} | {float(row['mean_per_video']):.2f} |"
        )
    yield ""
    yield from _agreement(folder)
    yield from _time(project)
    yield from _metadata([metadata_of(info) for info in chosen])
    yield "## Fields"
    yield ""
    yield "Coordinates are fractions of the image from its top left corner. Frames count from 0;"
    yield "times are microseconds after the first frame. Ends of segments are exclusive."
    yield "`media.csv` lists the video files; `certificate.json` has digests of all files and"
    yield "proof frames. `annotator verify DIR --media DIR` checks them."


def _agreement(folder: Path) -> Iterator[str]:
    rows = [
        row
        for row in _table(folder / "statistics" / "agreement.csv")
        if row.get("by") in ("all", "") and row.get("value")
    ]
    if not rows:
        return
    yield "## Agreement between raters"
    yield ""
    yield "| task | field | method | value | 95 % interval |"
    yield "|---|---|---|---:|---|"
    for row in rows:
        span = f"{float(row['low']):.3f} to {float(row['high']):.3f}" if row.get("low") else "–"
        names = (row.get("kind", ""), row.get("field", ""), row.get("method", ""))
        yield f"| {' | '.join(map(_plain, names))} | {float(row['value']):.3f} | {span} |"
    yield ""


def _time(project: OpenProject) -> Iterator[str]:
    if project.work.is_plain:
        return
    rows = project.work.numbers().hours
    if not rows:
        return
    titles = {t.kind: t for t in project.work.recipe.task_types}
    yield "## Annotation time"
    yield ""
    yield "| task | stage | tasks | hours |"
    yield "|---|---|---:|---:|"
    for row in rows:
        kind = titles.get(row.kind)
        stage = kind.stage(row.stage) if kind is not None else None
        names = kind.title if kind else row.kind, stage.title if stage else row.stage
        yield f"| {' | '.join(map(_plain, names))} | {row.tasks:,} | {row.total_hours:,.2f} |"
    yield ""


def _metadata(facts: Sequence[Mapping[str, object]]) -> Iterator[str]:
    columns = dict.fromkeys(c for each in facts for c in each if c not in _ID_COLUMNS)
    tables = {c: Counter(str(each.get(c, "–")) for each in facts) for c in columns}
    tables = {c: counts for c, counts in tables.items() if len(counts) <= _MOST_VALUES}
    if not tables:
        return
    yield "## Metadata of the videos"
    yield ""
    for column, counts in tables.items():
        told = ", ".join(f"{_plain(value)} {n:,}" for value, n in counts.most_common())
        yield f"- {_plain(column)}: {told}"
    yield ""


def _table(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it is, in one line."""
    flat = " ".join(str(text).split())
    for sign in "\\`*_[]<>|#":
        flat = flat.replace(sign, f"\\{sign}")
    return flat
