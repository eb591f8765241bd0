"""DeepLabCut CSV: body parts as points, of labeled frames and of analyzed videos.

The number in the name of a picture is the frame, counted from 0. Positions are those of pixel
centers: half a pixel is added. A likelihood is the confidence of a model.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Final

from annotator.domain.geometry import Point
from annotator.exchange.formats.base.file_content import PointContent, VideoContent
from annotator.exchange.formats.base.format import Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_FRAME, Cells, fail, label_of, rows_of

_HALF: Final = 0.5
_NUMBER: Final = re.compile(r"(\d+)\.[A-Za-z]{2,5}\Z")
_SCORER: Final = "annotator"
_MAX_PARTS: Final = 10_000


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a table; ExchangeError names the line of the first fault."""
    return read_rows(path, rows_of(path))


def read_rows(path: Path, rows: Iterable[tuple[int, list[str]]]) -> list[VideoContent]:
    """Return the videos of numbered rows of a table; ExchangeError as for `read`."""
    heads: dict[str, list[str]] = {}
    width = 1
    parts: list[tuple[str, dict[str, int]]] = []
    points_of: dict[str, dict[str, PointContent]] = {}
    for number, row in rows:
        cells = Cells(path, number, row)
        kind = cells.text(0)
        if kind in ("scorer", "individuals", "bodyparts", "coords") and not parts:
            heads[kind] = [cell.strip() for cell in row]
            if kind == "coords":
                width = _index_width(heads, cells)
                parts = _parts(heads, width, cells)
            continue
        if not parts:
            raise cells.fail("The table begins with the rows scorer, bodyparts and coords.")
        name, frame = _place(cells, width, path)
        video = points_of.setdefault(name, {})
        for label, columns in parts:
            point = video.setdefault(label, PointContent(label, {}, label))
            if frame in point.places:
                raise cells.fail(f"Frame {frame} stands twice in the table.")
            x, y = (_value(cells, columns.get(axis)) for axis in ("x", "y"))
            if x is None or y is None:
                continue
            point.places[frame] = Point(x + _HALF, y + _HALF)
            score = _value(cells, columns.get("likelihood"))
            if score is not None:
                point.scores[frame] = score
    if "coords" not in heads:
        raise fail(path, "The file is not a table of DeepLabCut.")
    return [
        VideoContent(
            name, f"{path.name}, {name}", points=tuple(p for p in points.values() if p.places)
        )
        for name, points in points_of.items()
    ]


def _index_width(heads: dict[str, list[str]], cells: Cells) -> int:
    """Return how many columns name the picture: the heads of the others follow."""
    row = heads.get("bodyparts")
    if row is None:
        raise cells.fail("The row bodyparts is missing.")
    return next((i for i, cell in enumerate(row) if i and cell), len(row))


def _parts(
    heads: dict[str, list[str]], width: int, cells: Cells
) -> list[tuple[str, dict[str, int]]]:
    names = heads["bodyparts"]
    animals = heads.get("individuals", [])
    found: dict[str, dict[str, int]] = {}
    for i, axis in enumerate(heads["coords"][width:], width):
        if i >= len(names) or axis not in ("x", "y", "likelihood"):
            raise cells.fail(f"Unknown coordinate “{axis[:40]}” in column {i + 1}.")
        animal = animals[i] if i < len(animals) and animals[i] != "single" else ""
        found.setdefault(label_of(f"{animal} {names[i]}"), {})[axis] = i
    if len(found) > _MAX_PARTS:
        raise cells.fail(f"The table has more than {_MAX_PARTS} body parts.")
    return list(found.items())


def _place(cells: Cells, width: int, path: Path) -> tuple[str, int]:
    """Return the video and the frame of a row."""
    text = "/".join(cells.text(i) for i in range(width)).replace("\\", "/")
    if text.isdecimal() and len(text) < 10:
        stem, is_analysis, _ = path.stem.partition("DLC_")
        return (stem if is_analysis else path.stem), int(text)
    match = _NUMBER.search(text)
    if match is None or int(match[1]) > MAX_FRAME:
        raise cells.fail(f"“{text[:60]}” does not name a frame.")
    folder = PurePosixPath(text).parent.name
    return folder or path.stem, int(match[1])


def _value(cells: Cells, column: int | None) -> float | None:
    if column is None or column >= len(cells) or cells.text(column) in ("", "nan", "NaN"):
        return None
    return cells.number(column)


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the labeled frames of one video: those on which a point has a place."""
    (video,) = videos
    names = _unique([point.label for point in video.points])
    n = len(names)
    yield _line(["scorer", *[_SCORER] * (2 * n)])
    yield _line(["bodyparts", *(name for name in names for _ in "xy")])
    yield _line(["coords", *("x", "y") * n])
    frames = {f for point in video.points for f, xy in point.places.items() if xy is not None}
    for frame in sorted(frames):
        row = [f"labeled-data/{video.name}/img{frame:04}.png"]
        for point in video.points:
            xy = point.places.get(frame)
            row += ["", ""] if xy is None else [f"{xy.x - _HALF:.3f}", f"{xy.y - _HALF:.3f}"]
        yield _line(row)


def _unique(labels: Iterable[str]) -> list[str]:
    seen: dict[str, int] = {}
    found = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        found.append(label if seen[label] == 1 else f"{label} {seen[label]}")
    return found


def _line(cells: Iterable[str]) -> bytes:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()


def _is_ours(head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").startswith(b"scorer,")


FORMAT: Final = Format(
    "deeplabcut",
    "DeepLabCut points (CSV)",
    (".csv",),
    "table",
    needs_videos=True,
    holds=("points",),
    losses=frozenset(
        (
            Loss.BOXES,
            Loss.ACTIONS,
            Loss.SOUNDS,
            Loss.ROLES,
            Loss.SOUND_SOURCES,
            Loss.NOTES,
            Loss.QUESTIONS,
            Loss.OCCLUDED_POINTS,
            Loss.POINT_OBJECTS,
            Loss.FRAME_RATE,
            Loss.IMAGE_SIZE,
        )
    ),
    source="DeepLabCut user guide, labeled data and analysis files",
    is_per_video=True,
    read=read,
    write=write,
    detect=_is_ours,
)
