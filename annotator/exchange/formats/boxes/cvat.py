"""CVAT for video 1.1: box and point tracks with keyframes, occlusion and out-of-view marks (XML).

Frames count from 0 within the task: with a frame filter, frame f of the file is frame
``start_frame + f * step`` of the video. Only shapes marked as keyframes count on reading; between
them interpolation is linear, after the last one the shape is held.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final
from xml.etree.ElementTree import Element

from annotator.domain.annotation.attributes import changes_of, raw_at
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.checks import Finding, Severity
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.file_content import PointContent, TrackContent, VideoContent
from annotator.exchange.formats.base.format import Format, Loss
from annotator.exchange.formats.base.plain_files import (
    MAX_FRAME,
    MAX_PIXEL,
    bounded,
    elements,
    fail,
    label_of,
    xml_attribute,
    xml_text,
)

_STEP: Final = re.compile(r"\bstep\s*=\s*(\d{1,6})\b")
_TRUE: Final = ("1", "True", "true")


def read(path: Path) -> list[VideoContent]:
    """Return the one video of a file; ExchangeError for other files."""
    name, size, n_frames, start, step = path.stem, None, None, 0, 1
    tracks: list[TrackContent] = []
    points: list[PointContent] = []
    findings: list[Finding] = []
    has_any = False
    for element in elements(path, ("meta", "track", "image")):
        has_any = True
        if element.tag == "meta":
            name, size, n_frames, start, step = _meta(path, element)
        elif element.tag == "image":
            text = "This is “CVAT for images”. Export the task as “CVAT for video 1.1”."
            raise fail(path, text)
        else:
            _read_track(path, element, (start, step), tracks, points, findings)
    if not has_any:
        raise fail(path, "The file is not a CVAT for video 1.1 file: it has no tracks.")
    n_total = n_frames if step == 1 and start == 0 else None
    return [
        VideoContent(
            name, path.name, tuple(tracks), tuple(points), (), size, n_total, None, tuple(findings)
        )
    ]


def _meta(path: Path, meta: Element) -> tuple[str, tuple[int, int] | None, int | None, int, int]:
    """Return name, size, frame count, first frame and step of the task."""
    task = next((e for e in (meta.find("task"), meta.find("job")) if e is not None), meta)
    source = meta.findtext("source") or task.findtext("source") or ""
    name = source or task.findtext("name") or path.stem
    stem = PurePosixPath(name.replace("\\", "/").strip()).name
    size = None
    original = task.find("original_size") if task is not meta else meta.find("original_size")
    original = original if original is not None else meta.find("original_size")
    if original is not None:
        width = _whole(path, original.findtext("width") or "")
        size = (width, _whole(path, original.findtext("height") or ""))
    n_frames = task.findtext("size")
    step = _STEP.search(task.findtext("frame_filter") or "")
    start = task.findtext("start_frame") if step or meta.find("job") is None else None
    has_suffix = "." in stem.lstrip(".")
    return (
        stem.rpartition(".")[0] if has_suffix else stem or path.stem,
        size,
        _whole(path, n_frames) if n_frames else None,
        _whole(path, start) if start else 0,
        max(1, int(step.group(1))) if step else 1,
    )


def _read_track(
    path: Path,
    element: Element,
    frames: tuple[int, int],
    tracks: list[TrackContent],
    points: list[PointContent],
    findings: list[Finding],
) -> None:
    key = element.get("id") or str(len(tracks) + len(points))
    label = label_of(element.get("label") or "")
    place = f"{path.name}, track {key}"
    shapes = [shape for shape in element if shape.get("keyframe", "1") in _TRUE]
    kinds = {shape.tag for shape in shapes}
    if kinds == {"box"}:
        keys, attributes = _boxes(path, shapes, frames, key)
        tracks.append(TrackContent(label, keys, key, attributes))
        if any(shape.get("rotation") not in (None, "0", "0.0", "0.00") for shape in shapes):
            text = "The boxes are rotated; the rotation was not imported."
            findings.append(Finding("lost-rotation", place, text))
    elif kinds == {"points"} and all(";" not in s.get("points", "") for s in shapes):
        points.append(PointContent(label, _places(path, shapes, frames, key), key))
    elif shapes:
        kinds_text = ", ".join(sorted(kinds))
        text = f"Skipped: shapes of type {kinds_text} are not supported."
        findings.append(Finding("bad-record", place, text, Severity.ERROR))


def _boxes(
    path: Path, shapes: list[Element], frames: tuple[int, int], track: str
) -> tuple[tuple[Keyframe, ...], dict[str, Json]]:
    keyframes: dict[int, Keyframe] = {}
    attributes: dict[str, dict[int, bool | str]] = {}
    for shape in shapes:
        frame = _frame(path, shape, frames, track)
        if frame in keyframes:
            raise fail(path, f"Track {track} has two keyframes on frame {frame}.")
        corners = [_number(path, shape, side, track) for side in ("xtl", "ytl", "xbr", "ybr")]
        is_outside = shape.get("outside") in _TRUE
        if not is_outside and not (corners[0] < corners[2] and corners[1] < corners[3]):
            raise fail(path, f"Track {track}: the box on frame {frame} has no area.")
        box = None if is_outside else Box(*corners)
        keyframes[frame] = Keyframe(frame, box, shape.get("occluded") in _TRUE, Source.IMPORTED)
        for attribute in shape.findall("attribute"):
            name = label_of(attribute.get("name") or "")
            attributes.setdefault(name, {})[frame] = _read_value(attribute.text or "")
    kept_values: dict[str, Json] = {}
    for name, values in attributes.items():
        distinct_values = set(values.values())
        by_frame: dict[str, Json] = {}
        last: bool | str | None = None
        for frame, value in sorted(values.items()):
            if value != last:  # each holds until the next
                by_frame[str(frame)] = last = value
        kept_values[name] = distinct_values.pop() if len(distinct_values) == 1 else by_frame
    return tuple(keyframes[frame] for frame in sorted(keyframes)), kept_values


def _read_value(text: str) -> bool | str:
    """Return a value as it is written; checkboxes are written as words."""
    return text == "true" if text in ("true", "false") else label_of(text)


def _places(
    path: Path, shapes: list[Element], frames: tuple[int, int], track: str
) -> dict[int, Point | None]:
    """Return the place on each frame, interpolated between keyframes as CVAT does."""
    marks: dict[int, tuple[Point | None, bool]] = {}
    for shape in shapes:
        frame = _frame(path, shape, frames, track)
        x, _, y = shape.get("points", "").partition(",")
        failing = _failing(path, f"Track {track}, frame {frame}")
        place = Point(*(bounded(v, -MAX_PIXEL, MAX_PIXEL, failing) for v in (x, y)))
        is_outside = shape.get("outside") in _TRUE
        marks[frame] = (None if is_outside else place, shape.get("occluded") in _TRUE)
    points: dict[int, Point | None] = {}
    marked_frames = sorted(marks)
    for i, frame in enumerate(marked_frames):
        mark, is_hidden = marks[frame]
        if mark is None:
            continue
        end = marked_frames[i + 1] if i + 1 < len(marked_frames) else frame + 1
        following = marks[end][0] if end in marks else None
        for at in range(frame, end):
            share = (at - frame) / (end - frame)
            next_place = following or mark
            to_x = mark.x + (next_place.x - mark.x) * share
            points[at] = (
                None if is_hidden else Point(to_x, mark.y + (next_place.y - mark.y) * share)
            )
    return points


def _frame(path: Path, shape: Element, frames: tuple[int, int], track: str) -> int:
    failing = _failing(path, f"Track {track}, frame")
    number = bounded(shape.get("frame") or "", 0, MAX_FRAME, failing)
    if number != int(number):
        raise failing(f"“{shape.get('frame')}” is not an integer.")
    return frames[0] + int(number) * frames[1]


def _number(path: Path, shape: Element, name: str, track: str) -> float:
    failing = _failing(path, f"Track {track}, {name}")
    return bounded(shape.get(name) or "", -MAX_PIXEL, MAX_PIXEL, failing)


def _whole(path: Path, text: str) -> int:
    return int(bounded(text.strip(), 0, MAX_FRAME, _failing(path, "meta")))


class _failing:  # noqa: N801
    """Makes errors that name a place."""

    def __init__(self, path: Path, place: str) -> None:
        self._path, self._place = path, place

    def __call__(self, text: str) -> Exception:
        return fail(self._path, f"{self._place}: {text}")


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file of one video."""
    (video,) = videos
    width, height = video.size or (0, 0)
    n_frames = video.n_frames or 0
    labels = {track.label: "rectangle" for track in video.tracks}
    labels |= {point.label: "points" for point in video.points if point.label not in labels}
    yield b'<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n'
    yield b"<meta>\n<task>\n<id>1</id>\n"
    yield f"<name>{xml_text(video.name)}</name>\n<size>{n_frames}</size>\n".encode()
    yield b"<mode>interpolation</mode>\n<overlap>0</overlap>\n<bugtracker></bugtracker>\n"
    last = max(0, n_frames - 1)
    yield f"<start_frame>0</start_frame>\n<stop_frame>{last}</stop_frame>\n".encode()
    yield b"<frame_filter></frame_filter>\n<labels>\n"
    for label, kind in labels.items():
        yield (
            f"<label><name>{xml_text(label)}</name><type>{kind}</type><attributes></attributes>"
            "</label>\n"
        ).encode()
    size = f"<original_size><width>{width}</width><height>{height}</height></original_size>"
    source = f"<source>{xml_text(video.file_name or video.name)}</source>"
    yield f"</labels>\n{size}\n{source}\n</task>\n</meta>\n".encode()
    number = 0
    for track in video.tracks:
        yield from _track_lines(number, track.label, _box_lines(_with_changes(track)))
        number += 1
    for point in video.points:
        yield from _track_lines(number, point.label, _point_lines(point))
        number += 1
    yield b"</annotations>\n"


def _track_lines(number: int, label: str, shapes: Iterable[str]) -> Iterator[bytes]:
    yield f'<track id="{number}" label={xml_attribute(label)} source="manual">\n'.encode()
    for shape in shapes:
        yield shape.encode()
    yield b"</track>\n"


def _box_lines(track: TrackContent) -> Iterator[str]:
    last: Box | None = None
    for key in track.keyframes:
        box = key.box or last
        if box is None:
            continue
        sides = zip(("xtl", "ytl", "xbr", "ybr"), box.as_tuple(), strict=True)
        places = " ".join(f'{side}="{value:.2f}"' for side, value in sides)
        yield (
            f'<box frame="{key.frame}" outside="{int(key.box is None)}" '
            f'occluded="{int(key.occluded)}" keyframe="1" {places} z_order="0">'
            f"{_attribute_lines(track, key.frame)}</box>\n"
        )
        last = box


def _with_changes(track: TrackContent) -> TrackContent:
    """Return a track with a keyframe wherever an attribute changes: there is no other place."""
    path = Track(TrackInfo(TrackId(""), track.label, 0, 0), tuple(track.keyframes))
    frames = {frame for kept in track.attributes.values() for frame, _ in changes_of(kept)} - set(
        path.frames
    )
    added = [
        Keyframe(frame, state.box, state.occluded)
        for frame in frames
        if (state := path.state_at(frame)).lower is not None
    ]
    keys = sorted((*track.keyframes, *added), key=lambda key: key.frame)
    return replace(track, keyframes=tuple(keys))


def _attribute_lines(track: TrackContent, frame: int) -> str:
    """Return the attributes of a track on a frame."""
    found = []
    for name, kept in track.attributes.items():
        value = raw_at(kept, frame)
        if value is not None:
            text = str(value).lower() if isinstance(value, bool) else f"{value}"
            found.append(f"<attribute name={xml_attribute(name)}>{xml_text(text)}</attribute>")
    return "".join(found)


def _point_lines(point: PointContent) -> Iterator[str]:
    """Yield a keyframe for each frame: places are dense. A hidden place is the last one known."""
    last: Point | None = None
    before = None
    for frame in sorted(point.places):
        if before is not None and frame != before + 1 and last is not None:
            yield _point_line(before + 1, last, is_outside=True, is_hidden=False)
        place = point.places[frame]
        last = place or last
        if last is not None:
            yield _point_line(frame, last, is_outside=False, is_hidden=place is None)
            before = frame
    if before is not None and last is not None:
        yield _point_line(before + 1, last, is_outside=True, is_hidden=False)


def _point_line(frame: int, place: Point, *, is_outside: bool, is_hidden: bool) -> str:
    return (
        f'<points frame="{frame}" outside="{int(is_outside)}" occluded="{int(is_hidden)}" '
        f'keyframe="1" points="{place.x:.2f},{place.y:.2f}" z_order="0"></points>\n'
    )


FORMAT: Final = Format(
    "cvat",
    "CVAT for video 1.1 (XML)",
    (".xml",),
    "xml",
    needs_videos=True,
    holds=("boxes", "points"),
    losses=frozenset(
        (
            Loss.ACTIONS,
            Loss.SOUNDS,
            Loss.ROLES,
            Loss.SOUND_SOURCES,
            Loss.NOTES,
            Loss.QUESTIONS,
            Loss.POINT_OBJECTS,
            Loss.OCCLUDED_POINTS,
            Loss.FRAME_RATE,
            Loss.VARIABLE_RATE,
            Loss.HUMAN_KEYFRAMES,
        )
    ),
    source="CVAT documentation, “CVAT for videos 1.1”",
    is_per_video=True,
    read=read,
    write=write,
)
