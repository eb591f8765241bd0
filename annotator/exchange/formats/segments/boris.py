"""BORIS: state events as segments, from projects (JSON) and aggregated events (CSV).

A state is two events of the same subject, behavior and modifiers. Behaviors of a category that
begins with "sound" or "audio" are sounds, all others actions. Point events have no length and are
skipped.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.file_content import SegmentContent, VideoContent
from annotator.exchange.formats.base.format import SEGMENTS_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import (
    MAX_SECONDS,
    Cells,
    fail,
    label_of,
    rows_of,
)
from annotator.exchange.json_value import read_value
from annotator.exchange.node import Node

_HEADS: Final = (
    *("Observation id", "Observation date", "Description", "Observation type", "Source"),
    *("Time offset (s)", "Coding duration", "Media duration (s)", "FPS (frame/s)", "Subject"),
    *("Observation duration by subject by observation", "Behavior", "Behavioral category"),
    *("Behavior type", "Start (s)", "Stop (s)", "Duration (s)", "Media file name"),
    *("Image index start", "Image index stop", "Image file path start", "Image file path stop"),
    *("Comment start", "Comment stop"),
)
_SOUNDS: Final = ("sound", "audio")
_PLAYER: Final = "1"


class _Video:
    """Segments of one video file, and the omitted ones."""

    def __init__(self) -> None:
        self.segments: list[SegmentContent] = []
        self.n_points = 0
        self.n_open = 0

    def content(self, path: Path, name: str) -> VideoContent:
        findings = []
        if self.n_points:
            text = f"{self.n_points} point events have no length and were not imported."
            findings.append(Finding("without-length", f"{path.name}, {name}", text))
        if self.n_open:
            text = f"{self.n_open} state events have no stop and were not imported."
            findings.append(Finding("without-stop", f"{path.name}, {name}", text))
        place = f"{path.name}, {name}"
        return VideoContent(name, place, segments=tuple(self.segments), findings=tuple(findings))


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a project or of a table; ExchangeError names the place of a fault."""
    videos: dict[str, _Video] = {}
    if path.suffix.casefold() == ".boris":
        _read_project(read_value(path), videos)
    else:
        _read_table(path, videos)
    return [video.content(path, name) for name, video in videos.items()]


def _read_project(whole: Node, videos: dict[str, _Video]) -> None:
    kinds: dict[str, tuple[bool, Lane]] = {}
    listed = whole.key("behaviors_conf")
    for name in listed.object():
        behavior = listed.key(name)
        category = behavior.key("category").text() if behavior.has("category") else ""
        is_state = behavior.key("type").text().casefold().startswith("state")
        kinds[behavior.key("code").text()] = is_state, _lane(category)
    observations = whole.key("observations")
    for name in observations.object():
        observation = observations.key(name)
        if observation.has("type") and observation.key("type").text() != "MEDIA":
            continue
        _read_observation(observation, kinds, videos)


def _read_observation(
    node: Node, kinds: dict[str, tuple[bool, Lane]], videos: dict[str, _Video]
) -> None:
    players = node.key("file")
    files = (
        [file_node.text() for file_node in players.key(_PLAYER).items()]
        if players.has(_PLAYER)
        else []
    )
    if not files:
        return
    lengths = node.key("media_info").key("length") if node.has("media_info") else None
    starts = [0.0]
    # Files of one player run on one clock.
    for file in files[:-1]:
        has_length = lengths is not None and lengths.has(file)
        length = float(lengths.key(file).number()) if lengths is not None and has_length else 0.0
        starts.append(starts[-1] + max(0.0, length))
    for file in files:
        videos.setdefault(_stem(file), _Video())
    begun: dict[tuple[str, str, str], float] = {}
    for i, event in enumerate(node.key("events").items()):
        parts = event.items()
        if len(parts) < 3:
            raise event.fail("An event has a time, a subject and a behavior.")
        time, subject, code = float(parts[0].number()), parts[1].text(), parts[2].text()
        if not 0 <= time <= MAX_SECONDS:
            raise event.fail("The time is out of range.")
        modifiers = parts[3].text() if len(parts) > 3 and isinstance(parts[3].value, str) else ""
        place = max(n for n, start in enumerate(starts) if start <= time or not n)
        video = videos[_stem(files[place])]
        is_state, lane = kinds.get(code, (True, Lane.ACTION))
        if not is_state:
            video.n_points += 1
            continue
        key = subject, code, modifiers
        start = begun.pop(key, None)
        if start is None:
            begun[key] = time
            continue
        span = (round((max(0.0, t - starts[place])) * 1e6) for t in (start, time))
        first, last = span
        if last < first:
            raise event.fail("The event ends before it starts.")
        video.segments.append(
            _segment(lane, code, (first, last), f"{i}", subject=subject, modifiers=modifiers)
        )
    videos[_stem(files[0])].n_open += len(begun)


def _read_table(path: Path, videos: dict[str, _Video]) -> None:
    columns: dict[str, int] = {}
    for number, row in rows_of(path):
        cells = Cells(path, number, row)
        if not columns:
            columns = {name.strip(): i for i, name in enumerate(row)}
            missing = [n for n in ("Behavior", "Start (s)", "Stop (s)") if n not in columns]
            if missing:
                raise cells.fail(f"The table has no column “{missing[0]}”.")
            continue

        text = partial(_named, cells, columns)
        media = text("Media file name") or text("Source") or text("Observation id")
        video = videos.setdefault(_stem(media) or path.stem, _Video())
        if text("Behavior type").casefold() == "point":
            video.n_points += 1
            continue
        start = cells.number(columns["Start (s)"], 0, MAX_SECONDS)
        stop = cells.number(columns["Stop (s)"], 0, MAX_SECONDS)
        if stop < start:
            raise cells.fail("The event ends before it starts.")
        modifiers = [text(name) for name in columns if name.startswith("Modifier")]
        video.segments.append(
            _segment(
                _lane(text("Behavioral category")),
                text("Behavior"),
                (round(start * 1e6), round(stop * 1e6)),
                str(number),
                subject=text("Subject"),
                modifiers="|".join(filter(None, modifiers)),
            )
        )
    if not columns:
        raise fail(path, "The file is empty.")


def _named(cells: Cells, columns: Mapping[str, int], name: str) -> str:
    """Return the cell of a column; "" where there is none."""
    at = columns.get(name)
    return cells.text(at) if at is not None and at < len(cells) else ""


def _segment(
    lane: Lane, code: str, span: tuple[int, int], key: str, *, subject: str, modifiers: str
) -> SegmentContent:
    told: dict[str, Json] = {}
    if subject and subject != "No focal subject":
        told["subject"] = subject[:500]
    if modifiers and modifiers != "None":
        told["modifiers"] = modifiers[:500]
    return SegmentContent(lane, label_of(code), None, span, key, None, told)


def _lane(category: str) -> Lane:
    return Lane.SOUND if category.casefold().startswith(_SOUNDS) else Lane.ACTION


def _stem(name: str) -> str:
    # Several files of a player are listed with their player and separators.
    first = name.split(";")[0].removeprefix("player #1:")
    return PurePosixPath(first.replace("\\", "/")).stem


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the table of aggregated events of all videos."""
    yield _line(_HEADS)
    for video in videos:
        name = video.file_name or video.name
        for segment in video.segments:
            start, end = (time / 1e6 for time in segment.times_us or (0, 0))
            frames = segment.frames or (0, 1)
            category = "sounds" if segment.lane is Lane.SOUND else "actions"
            row = {
                "Observation id": video.name,
                "Observation type": "Media file",
                "Source": f"player #1:{name}",
                "Media duration (s)": f"{video.duration_s:.3f}",
                "FPS (frame/s)": f"{video.rate or 0:g}",
                "Subject": "No focal subject",
                "Behavior": segment.label,
                "Behavioral category": category,
                "Behavior type": "STATE",
                "Start (s)": f"{start:.3f}",
                "Stop (s)": f"{end:.3f}",
                "Duration (s)": f"{end - start:.3f}",
                "Media file name": name,
                "Image index start": str(frames[0]),
                "Image index stop": str(frames[1]),
            }
            yield _line([row.get(head, "") for head in _HEADS])


def _line(cells: Iterable[str]) -> bytes:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()


def _is_ours(head: bytes) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    return b"Observation id" in first or b"Behavior" in first or b"behaviors_conf" in head


FORMAT: Final = Format(
    "boris",
    "BORIS events (CSV)",
    (".csv", ".boris"),
    "table",
    needs_videos=True,
    holds=("actions", "sounds"),
    losses=SEGMENTS_ONLY | {Loss.ROLES, Loss.SOUND_SOURCES, Loss.NOTES, Loss.FINE_TIMES},
    source="BORIS user guide, project files and aggregated events",
    read=read,
    write=write,
    detect=_is_ours,
)
