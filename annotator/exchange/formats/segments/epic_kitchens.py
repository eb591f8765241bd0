"""EPIC-KITCHENS-100 CSV: actions as verb and noun, times as hours, minutes and seconds.

Its frame numbers count pictures that were extracted anew at 50 or 60 per second, from 1: they are
written and never read.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.file_content import SegmentContent, VideoContent
from annotator.exchange.formats.base.format import SEGMENTS_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_SECONDS, Cells, label_of, rows_of

_HEADS: Final = (
    *("narration_id", "participant_id", "video_id", "narration_timestamp", "start_timestamp"),
    *("stop_timestamp", "start_frame", "stop_frame", "narration", "verb", "verb_class", "noun"),
    *("noun_class", "all_nouns", "all_noun_classes"),
)
_TIME: Final = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d(?:\.\d{1,6})?)\Z")


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a table; ExchangeError names the line of the first fault."""
    columns: dict[str, int] = {}
    segments_of: dict[str, list[SegmentContent]] = {}
    for number, row in rows_of(path):
        cells = Cells(path, number, row)
        if not columns:
            columns = {name.strip(): i for i, name in enumerate(row)}
            missing = [
                n for n in ("video_id", "start_timestamp", "stop_timestamp") if n not in columns
            ]
            if missing:
                raise cells.fail(f"The table has no column “{missing[0]}”.")
            continue
        times = [
            _time(cells, cells.text(columns[n])) for n in ("start_timestamp", "stop_timestamp")
        ]
        if times[1] < times[0]:
            raise cells.fail("The action ends before it starts.")
        values: dict[str, Json] = {
            name: cells.text(columns[name])[:500]
            for name in ("narration", "all_nouns")
            if name in columns and cells.text(columns[name])
        }
        verb, noun = (
            cells.text(columns[name]) if name in columns else "" for name in ("verb", "noun")
        )
        # A test file has neither verb nor noun.
        label = label_of(f"{verb} {noun}".strip() or str(values.get("narration", "")))
        key = cells.text(columns["narration_id"]) if "narration_id" in columns else str(number)
        segment = SegmentContent(Lane.ACTION, label, None, (times[0], times[1]), key, None, values)
        segments_of.setdefault(cells.text(columns["video_id"]), []).append(segment)
    return [
        VideoContent(name, f"{path.name}, {name}", segments=tuple(segments))
        for name, segments in segments_of.items()
    ]


def _time(cells: Cells, text: str) -> int:
    match = _TIME.fullmatch(text)
    if match is None:
        raise cells.fail(f"“{text[:40]}” is not a time such as 00:01:02.50.")
    seconds = int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])
    if seconds > MAX_SECONDS:
        raise cells.fail("The time is out of range.")
    return round(seconds * 1e6)


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the table of the actions of all videos: the first word is the verb."""
    yield _line(_HEADS)
    verbs: dict[str, int] = {}
    nouns: dict[str, int] = {}
    for video in videos:
        name = "_".join(video.name.split())
        rate = round(video.rate or 0) or 60
        actions = [s for s in video.segments if s.lane is Lane.ACTION]
        for i, segment in enumerate(actions):
            verb, _, noun = " ".join(segment.label.split()).partition(" ")
            start, end = (time / 1e6 for time in segment.times_us or (0, 0))
            numbers = (
                verbs.setdefault(verb, len(verbs)),
                nouns.setdefault(noun, len(nouns)) if noun else "",
            )
            yield _line(
                [
                    *(f"{name}_{i}", name.split("_")[0], name, _text(start, 3)),
                    *(_text(start, 2), _text(end, 2)),
                    *(str(max(1, math.floor(time * rate))) for time in (start, end)),
                    *(segment.label, verb, str(numbers[0]), noun, str(numbers[1])),
                    *(repr([noun]) if noun else "[]", f"[{numbers[1]}]"),
                ]
            )


def _text(seconds: float, digits: int) -> str:
    ticks = round(seconds * 10**digits)
    whole, rest = divmod(ticks, 10**digits)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}.{rest:0{digits}}"


def _line(cells: Iterable[str]) -> bytes:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()


def _is_ours(head: bytes) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    return b"narration_id" in first and b"start_timestamp" in first


FORMAT: Final = Format(
    "epic-kitchens",
    "EPIC-KITCHENS actions (CSV)",
    (".csv",),
    "table",
    needs_videos=True,
    holds=("actions",),
    losses=SEGMENTS_ONLY
    | {Loss.SOUNDS, Loss.ROLES, Loss.SOUND_SOURCES, Loss.NOTES, Loss.FINE_TIMES, Loss.FRAME_RATE},
    source="EPIC-KITCHENS-100 annotations",
    read=read,
    write=write,
    detect=_is_ours,
)
