"""WebVTT and SubRip: cues with times in milliseconds, read and written as sounds and actions.

A cue whose identifier begins with "action" is an action, every other one a sound. Text markup is
taken off. Cues may overlap.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.exchange.formats.base.file_content import SegmentContent, VideoContent
from annotator.exchange.formats.base.format import SEGMENTS_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import fail, label_of, lines_of

_TIME: Final = r"(?:(\d{1,4}):)?([0-5]?\d):([0-5]\d)[.,](\d{3})"
_CUE: Final = re.compile(rf"\s*{_TIME}\s+-->\s+{_TIME}(?:\s.*)?\Z")
_TAG: Final = re.compile(r"</?[a-zA-Z0-9.:][^<>]{0,200}>|\{\\[^{}]{0,200}\}")
_APART: Final = ("NOTE", "STYLE", "REGION")


def read_vtt(path: Path) -> list[VideoContent]:
    """Return the one video of a WebVTT file; ExchangeError names the line of the first fault."""
    lines = lines_of(path)
    _, first = next(lines, (0, ""))
    if not re.match(r"WEBVTT(?:[ \t]|\Z)", first):
        raise fail(path, "The first line of a WebVTT file must be WEBVTT.", 1)
    return _read(path, lines, is_escaped=True)


def read_srt(path: Path) -> list[VideoContent]:
    """Return the one video of a SubRip file; ExchangeError names the line of the first fault."""
    return _read(path, lines_of(path), is_escaped=False)


def _read(path: Path, lines: Iterable[tuple[int, str]], *, is_escaped: bool) -> list[VideoContent]:
    segments: list[SegmentContent] = []
    for number, block in _blocks(lines):
        at = next((i for i, line in enumerate(block[:2]) if "-->" in line), None)
        if at is None:
            if number == 2 or block[0].split(" ")[0] in _APART:  # the header continues
                continue
            raise fail(path, "A cue has no line with its times.", number)
        cue = _CUE.match(block[at])
        if cue is None:
            raise fail(path, f"“{block[at][:60]}” is not a start and an end.", number + at)
        start, end = _us(cue.groups()[:4]), _us(cue.groups()[4:])
        if end < start:
            raise fail(path, "The cue ends before it starts.", number + at)
        key = block[0].strip() if at else ""
        text = _TAG.sub("", " ".join(block[at + 1 :]))
        label = label_of(html.unescape(text) if is_escaped else text)
        lane = Lane.ACTION if key.casefold().startswith("action") else Lane.SOUND
        segments.append(SegmentContent(lane, label, None, (start, end), key))
    return [VideoContent(path.stem, path.name, segments=tuple(segments))]


def _blocks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield lines between empty ones, with the number of the first."""
    first, block = 0, list[str]()
    for number, line in lines:
        if line.strip():
            first = first if block else number
            block.append(line)
        elif block:
            yield first, block
            block = []
    if block:
        yield first, block


def _us(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, thousandths = (int(part or 0) for part in parts)
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + thousandths * 1000


def write_vtt(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file of one video; cue identifiers distinguish actions from sounds."""
    (video,) = videos
    yield b"WEBVTT\n"
    for n, segment in enumerate(_in_order(video), 1):
        text = html.escape(" ".join(segment.label.split()), quote=False)
        yield f"\n{segment.lane.value}-{n}\n{_span(segment, '.')}\n{text}\n".encode()


def write_srt(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file of one video, cues numbered from 1."""
    (video,) = videos
    for n, segment in enumerate(_in_order(video), 1):
        text = " ".join(segment.label.split()).replace("-->", "->")
        yield f"{n}\n{_span(segment, ',')}\n{text}\n\n".encode()


def _in_order(video: VideoContent) -> list[SegmentContent]:
    return sorted(video.segments, key=lambda segment: segment.times_us or (0, 0))


def _span(segment: SegmentContent, mark: str) -> str:
    start, end = segment.times_us or (0, 0)
    return f"{_clock(start, mark)} --> {_clock(max(end, start + 1000), mark)}"


def _clock(time_us: int, mark: str) -> str:
    whole, thousandths = divmod(max(0, round(time_us / 1000)), 1000)
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{mark}{thousandths:03}"


_LOSSES: Final = SEGMENTS_ONLY | {
    Loss.ROLES,
    Loss.SOUND_SOURCES,
    Loss.NOTES,
    Loss.FRAME_NUMBERS,
    Loss.FRAME_RATE,
    Loss.FINE_TIMES,
}
VTT: Final = Format(
    "webvtt",
    "WebVTT subtitles",
    (".vtt",),
    "subtitles",
    needs_videos=True,
    holds=("actions", "sounds"),
    losses=_LOSSES,
    source="W3C WebVTT",
    is_per_video=True,
    read=read_vtt,
    write=write_vtt,
)
SRT: Final = Format(
    "srt",
    "SubRip subtitles",
    (".srt",),
    "subtitles",
    needs_videos=True,
    holds=("actions", "sounds"),
    losses=_LOSSES,
    source="SubRip, as written by FFmpeg",
    is_per_video=True,
    read=read_srt,
    write=write_srt,
)
