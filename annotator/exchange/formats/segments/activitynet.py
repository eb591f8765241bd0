"""ActivityNet JSON, as ActionFormer and THUMOS14 in its form have it: actions in seconds.

Result files (``results`` with scores) are read, too. Video names may begin with "v_".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.exchange.formats.base.file_content import SegmentContent, VideoContent
from annotator.exchange.formats.base.format import SEGMENTS_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_SECONDS, label_of
from annotator.exchange.json_value import read_value
from annotator.exchange.node import Node


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError names the JSON path of the first fault."""
    whole = read_value(path)
    is_results = whole.has("results") and not whole.has("database")
    table = whole.key("results" if is_results else "database")
    found: list[VideoContent] = []
    for name in table.object():
        entry = table.key(name)
        listed = entry if is_results else entry.key("annotations")
        segments = tuple(_segment(each, i) for i, each in enumerate(listed.items()))
        rate = None
        if not is_results and entry.has("fps"):
            rate = float(entry.key("fps").number())
        found.append(VideoContent(name, f"$.{name}", segments=segments, rate=rate))
    return found


def _segment(node: Node, index: int) -> SegmentContent:
    pair = node.key("segment").items()
    if len(pair) != 2:
        raise node.fail("A segment has a start and an end.")
    times = []
    for each in pair:
        seconds = float(each.number())
        if not 0 <= seconds <= MAX_SECONDS:
            raise each.fail("The time is out of range.")
        times.append(round(seconds * 1e6))
    if times[1] < times[0]:
        raise node.fail("The segment ends before it starts.")
    score = float(node.key("score").number()) if node.has("score") else None
    label = label_of(node.key("label").text())
    return SegmentContent(Lane.ACTION, label, None, (times[0], times[1]), str(index), score)


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file: a line for each video, with seconds and, beside them, frames."""
    numbers: dict[str, int] = {}
    yield b'{\n"version": "1.0",\n"taxonomy": [],\n"database": {'
    for i, video in enumerate(videos):
        segment_entry = [
            {
                "segment": [time / 1e6 for time in segment.times_us or (0, 0)],
                "segment(frames)": list(segment.frames or ()),
                "label": segment.label,
                "label_id": numbers.setdefault(segment.label, len(numbers)),
            }
            for segment in video.segments
            if segment.lane is Lane.ACTION
        ]
        entry = {
            "subset": "training",
            "duration": video.duration_s,
            "fps": video.rate or 0,
            "annotations": segment_entry,
        }
        body = json.dumps(entry, ensure_ascii=False, allow_nan=False)
        yield f"{',' if i else ''}\n{json.dumps(video.name, ensure_ascii=False)}: {body}".encode()
    yield b"\n}\n}\n"


def _is_ours(head: bytes) -> bool:
    return any(key in head for key in (b'"database"', b'"results"')) and b'"videos"' not in head


FORMAT: Final = Format(
    "activitynet",
    "ActivityNet actions (JSON)",
    (".json",),
    "json",
    needs_videos=True,
    holds=("actions",),
    losses=SEGMENTS_ONLY | {Loss.SOUNDS, Loss.ROLES, Loss.SOUND_SOURCES, Loss.NOTES},
    source="ActivityNet 1.3; ActionFormer loader",
    read=read,
    write=write,
    detect=_is_ours,
)
