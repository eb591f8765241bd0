"""A plain CSV table with a header: boxes, points and segments of any number of videos.

    video, type, id, label, frame, x1, y1, x2, y2, x, y, occluded, outside,
    start_frame, end_frame, start_s, end_s, score, attributes

Other usual names of columns are understood (left, xmin, track_id, onset, confidence). Where the
table has a column "outside" its boxes are keyframes, between which is interpolated; else there is
a row for each frame on which an object is present. End frames are those after the last.
Attributes are a JSON object, in the first row of a track.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Box, Point
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.document_conversion import keyframes_of
from annotator.exchange.formats.base.file_content import (
    PointContent,
    SegmentContent,
    TrackContent,
    VideoContent,
)
from annotator.exchange.formats.base.format import Format, Loss
from annotator.exchange.formats.base.plain_files import (
    MAX_FRAME,
    MAX_SECONDS,
    Cells,
    fail,
    label_of,
    rows_of,
)

_COLUMNS: Final = (
    *("video", "type", "id", "label", "frame", "x1", "y1", "x2", "y2", "x", "y", "occluded"),
    *("outside", "start_frame", "end_frame", "start_s", "end_s", "score", "attributes"),
)
FIELDS: Final = (*_COLUMNS, "width", "height")
_OTHER_NAMES: Final = {
    **dict.fromkeys(("videoname", "videoid", "file", "filename", "clip"), "video"),
    **dict.fromkeys(("kind",), "type"),
    **dict.fromkeys(("track", "trackid", "objectid", "object", "instanceid"), "id"),
    **dict.fromkeys(("class", "category", "name", "action", "event", "eventlabel"), "label"),
    **dict.fromkeys(("frameid", "frameindex", "framenumber"), "frame"),
    **dict.fromkeys(("left", "xmin", "xtl", "bbleft"), "x1"),
    **dict.fromkeys(("top", "ymin", "ytl", "bbtop"), "y1"),
    **dict.fromkeys(("right", "xmax", "xbr"), "x2"),
    **dict.fromkeys(("bottom", "ymax", "ybr"), "y2"),
    **dict.fromkeys(("w", "bbwidth"), "width"),
    **dict.fromkeys(("h", "bbheight"), "height"),
    **dict.fromkeys(("onset", "start", "begin", "starttime", "tstart"), "start_s"),
    **dict.fromkeys(("offset", "end", "stop", "endtime", "tend"), "end_s"),
    **dict.fromkeys(("confidence", "conf", "probability"), "score"),
}
_KNOWN: Final = {name.replace("_", ""): name for name in FIELDS}
_LETTERS: Final = re.compile(r"[^a-z0-9]")
_TRUE: Final = frozenset(("1", "1.0", "true", "yes"))
_LANES: Final = {"action": Lane.ACTION, "sound": Lane.SOUND}


class _Video:
    """Rows of one video, by object."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, str], dict[int, Keyframe]] = {}
        self.scores: dict[tuple[str, str], dict[int, float]] = {}
        self.attributes: dict[tuple[str, str], dict[str, Json]] = {}
        self.points: dict[tuple[str, str], PointContent] = {}
        self.segments: list[SegmentContent] = []

    def content(self, path: Path, name: str, *, are_keyframes: bool) -> VideoContent:
        tracks = []
        for (key, label), found in self.keys.items():
            ordered: Sequence[Keyframe] = tuple(found[frame] for frame in sorted(found))
            if not are_keyframes:
                rows = [(k.frame, k.box, k.occluded) for k in ordered if k.box is not None]
                ordered = keyframes_of(rows, None)
            scores = self.scores.get((key, label), {})
            attributes = self.attributes.get((key, label), {})
            tracks.append(TrackContent(label, ordered, key, attributes, scores))
        place = f"{path.name}, {name}"
        points = tuple(point for point in self.points.values() if point.places)
        return VideoContent(name, place, tuple(tracks), points, tuple(self.segments))


class _Row:
    """One row: its cells by the names of columns."""

    def __init__(self, cells: Cells, columns: Mapping[str, int], number: int) -> None:
        self.cells, self.number = cells, number
        self._columns = columns

    def has(self, *names: str) -> bool:
        return all(self.text(name) for name in names)

    def knows(self, name: str) -> bool:
        return name in self._columns

    def text(self, name: str) -> str:
        at = self._columns.get(name)
        return self.cells.text(at) if at is not None and at < len(self.cells) else ""

    def number_of(self, name: str) -> float:
        return self.cells.number(self._place(name))

    def frame(self, name: str = "frame") -> int:
        return self.cells.whole(self._place(name), 0, MAX_FRAME)

    def us(self, name: str) -> int:
        return round(self.cells.number(self._place(name), 0, MAX_SECONDS) * 1e6)

    def flag(self, name: str) -> bool:
        return self.text(name).casefold() in _TRUE

    def attributes(self) -> dict[str, Json]:
        """Return the attributes of the row, none where it has none."""
        text = self.text("attributes")
        if not text:
            return {}
        try:
            found = json.loads(text, parse_constant=_refused)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not all(map(_is_plain, found.values())):
            raise self.fail("Attributes must be a JSON object of texts, numbers, true or false.")
        return found

    def _place(self, name: str) -> int:
        if not self.knows(name):
            raise self.fail(f"The table has no column “{name}”, which this row needs.")
        return self._columns[name]

    def fail(self, text: str) -> ExchangeError:
        return self.cells.fail(text)


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a table; ExchangeError names the line of the first fault."""
    return read_columns(path, {})


def guessed_columns(names: Sequence[str]) -> dict[str, str]:
    """Return the column of each field that is understood by its name."""
    return {field: names[at] for field, at in _named(list(names)).items()}


def read_columns(path: Path, chosen: Mapping[str, str]) -> list[VideoContent]:
    """Return the videos of a table whose fields are in the columns ``chosen``, by field; all those
    that are understood where it is empty. ExchangeError as for `read`.
    """
    columns: dict[str, int] = {}
    videos: dict[str, _Video] = {}
    for number, cells in rows_of(path):
        if not columns:
            columns = _chosen(path, cells, chosen) if chosen else _named(cells)
            if not _is_table(columns):
                text = "The first line must name the columns, for example label, frame, x1, y1."
                raise fail(path, text, number)
            continue
        row = _Row(Cells(path, number, cells), columns, number)
        name = PurePosixPath(row.text("video").replace("\\", "/")).name
        stem = name.rpartition(".")[0] if name[-5:-1].count(".") else name
        _take(row, videos.setdefault(stem or path.stem, _Video()))
    if not columns:
        raise fail(path, "The file is empty.")
    are_keyframes = "outside" in columns
    return [v.content(path, name, are_keyframes=are_keyframes) for name, v in videos.items()]


def _chosen(path: Path, cells: list[str], chosen: Mapping[str, str]) -> dict[str, int]:
    """Return the places of the chosen columns."""
    names = [cell.strip() for cell in cells]
    for field, name in chosen.items():
        if field not in FIELDS:
            text = f"Unknown field “{field}”. Fields: {', '.join(FIELDS)}."
            raise fail(path, text)
        if name not in names:
            raise fail(path, f"The table has no column “{name}”.", 1)
    return {field: names.index(name) for field, name in chosen.items()}


def _named(cells: list[str]) -> dict[str, int]:
    """Return the place of each column that is understood, the first of a name."""
    found: dict[str, int] = {}
    for i, cell in enumerate(cells):
        plain = _LETTERS.sub("", cell.casefold())
        name = _KNOWN.get(plain) or _OTHER_NAMES.get(plain)
        if name is not None:
            found.setdefault(name, i)
    return found


def _is_table(columns: Mapping[str, int]) -> bool:
    names = set(columns)
    has_box = {"frame", "x1", "y1"} <= names and (
        {"x2", "y2"} <= names or {"width", "height"} <= names
    )
    has_times = {"start_s", "end_s"} <= names or {"start_frame", "end_frame"} <= names
    return has_box or {"frame", "x", "y"} <= names or (has_times and "label" in names)


def _take(row: _Row, video: _Video) -> None:
    kind = row.text("type").casefold()
    label = label_of(row.text("label"))
    key = row.text("id")[:100], label
    if kind == "box" or (not kind and row.has("frame", "x1")) or row.flag("outside"):
        _take_box(row, video, key)
    elif kind == "point" or (not kind and row.has("frame") and row.knows("x")):
        _take_point(row, video, key)
    elif kind in ("", "action", "sound", "segment"):
        _take_segment(row, video, _LANES.get(kind, Lane.ACTION), label)
    else:
        raise row.fail(f"Unknown type “{kind[:40]}”. Use box, point, action or sound.")


def _refused(constant: str) -> object:
    raise ValueError(constant)


def _is_plain(value: object) -> bool:
    """Return whether a value can be one of an attribute: plain, or plain values by frame."""
    if isinstance(value, dict):
        return all(k.isdecimal() and len(k) < 10 for k in value) and all(
            isinstance(v, str | int | float) for v in value.values()
        )
    return isinstance(value, str | int | float)


def _take_box(row: _Row, video: _Video, key: tuple[str, str]) -> None:
    # Without identity each box is an object of its own.
    key = key if key[0] else (f"row {row.number}", key[1])
    frame, box = row.frame(), None
    own = video.keys.setdefault(key, {})
    if frame in own:
        raise row.fail(f"Object {key[0]} has two boxes on frame {frame}.")
    if not row.flag("outside"):
        x1, y1 = row.number_of("x1"), row.number_of("y1")
        if row.has("x2", "y2"):
            box = Box(x1, y1, row.number_of("x2"), row.number_of("y2"))
        elif row.has("width", "height"):
            box = Box(x1, y1, x1 + row.number_of("width"), y1 + row.number_of("height"))
        if box is None or not box.is_valid:
            raise row.fail("The box has no area.")
    if attributes := row.attributes():
        video.attributes[key] = {**video.attributes.get(key, {}), **attributes}
    own[frame] = Keyframe(frame, box, row.flag("occluded") and box is not None, Source.IMPORTED)
    if row.has("score"):
        video.scores.setdefault(key, {})[frame] = row.number_of("score")


def _take_point(row: _Row, video: _Video, key: tuple[str, str]) -> None:
    point = video.points.setdefault(key, PointContent(key[1], {}, key[0]))
    frame = row.frame()
    if frame in point.places:
        raise row.fail(f"Point {key[0] or key[1]} stands twice on frame {frame}.")
    is_hidden = row.flag("occluded") or not row.has("x", "y")
    place = None if is_hidden else Point(row.number_of("x"), row.number_of("y"))
    point.places[frame] = place
    point.attributes.update(row.attributes())
    if row.has("score"):
        point.scores[frame] = row.number_of("score")


def _take_segment(row: _Row, video: _Video, lane: Lane, label: str) -> None:
    frames = times = None
    if row.has("start_s", "end_s"):
        times = row.us("start_s"), row.us("end_s")
    elif row.has("start_frame", "end_frame"):
        frames = row.frame("start_frame"), row.frame("end_frame")
    else:
        raise row.fail("The row has neither a box, nor a point, nor a start and an end.")
    span = times or frames or (0, 0)
    if span[1] < span[0]:
        raise row.fail("The segment ends before it starts.")
    score = row.number_of("score") if row.has("score") else None
    key = row.text("id")[:100] or str(row.number)
    video.segments.append(SegmentContent(lane, label, frames, times, key, score, row.attributes()))


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the table of all videos: keyframes of boxes, places of points, segments."""
    yield _line(_COLUMNS)
    for video in videos:
        name = video.file_name or video.name
        for number, track in enumerate(video.tracks, 1):
            row = {"video": name, "type": "box", "id": str(number), "label": track.label}
            for key in track.keyframes:
                sides = key.box.as_tuple() if key.box is not None else ()
                places = {n: f"{v:.3f}" for n, v in zip(_COLUMNS[5:9], sides, strict=False)}
                state = {"occluded": str(int(key.occluded)), "outside": str(int(key.box is None))}
                if key is track.keyframes[0]:
                    state |= _attributes(track.attributes)
                yield _row({**row, "frame": str(key.frame), **places, **state})
        for number, point in enumerate(video.points, 1):
            row = {"video": name, "type": "point", "id": str(number), "label": point.label}
            for frame, xy in sorted(point.places.items()):
                place = {"x": f"{xy.x:.3f}", "y": f"{xy.y:.3f}"} if xy is not None else {}
                state = {"occluded": str(int(xy is None))}
                if frame == min(point.places):
                    state |= _attributes(point.attributes)
                yield _row({**row, "frame": str(frame), **place, **state})
        for number, segment in enumerate(video.segments, 1):
            start, end = segment.times_us or (0, 0)
            first, last = segment.frames or (0, 1)
            yield _row(
                {
                    "video": name,
                    "type": segment.lane.value,
                    "id": str(number),
                    "label": segment.label,
                    "start_frame": str(first),
                    "end_frame": str(last),
                    "start_s": f"{start / 1e6:.6f}",
                    "end_s": f"{end / 1e6:.6f}",
                    **_attributes(segment.attributes),
                }
            )


def _attributes(values: Mapping[str, Json]) -> dict[str, str]:
    if not values:
        return {}
    return {"attributes": json.dumps(values, ensure_ascii=False, allow_nan=False)}


def _row(values: Mapping[str, str]) -> bytes:
    return _line([values.get(name, "") for name in _COLUMNS])


def _line(cells: Iterable[str]) -> bytes:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()


def _is_ours(head: bytes) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").decode(errors="replace").splitlines()[:1]
    return bool(first) and _is_table(_named(first[0].split(",")))


FORMAT: Final = Format(
    "csv",
    "Plain table (CSV)",
    (".csv",),
    "table",
    needs_videos=True,
    holds=("boxes", "points", "actions", "sounds"),
    losses=frozenset(
        (
            Loss.HUMAN_KEYFRAMES,
            Loss.POINT_OBJECTS,
            Loss.OCCLUDED_POINTS,
            Loss.ROLES,
            Loss.SOUND_SOURCES,
            Loss.NOTES,
            Loss.QUESTIONS,
            Loss.FRAME_RATE,
            Loss.IMAGE_SIZE,
        )
    ),
    source="this project's guide, “Import and export”",
    read=read,
    write=write,
    detect=_is_ours,
    fields=FIELDS,
    read_columns=read_columns,
)
