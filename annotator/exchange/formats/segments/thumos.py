"""THUMOS14 text: a file for each class with video, start and end in seconds.

``NAME_val.txt`` holds the segments of the class NAME; all files of its folder with the same ending
are one set. Segments of ``Ambiguous`` keep that label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.exchange.formats.base.file_content import SegmentContent, VideoContent
from annotator.exchange.formats.base.format import SEGMENTS_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_SECONDS, Cells, label_of, lines_of

_NAME: Final = re.compile(r"(.+?)_(val|test|train)\Z")
_LINE: Final = re.compile(rb"\S+\s+\d+(?:\.\d*)?\s+\d+(?:\.\d*)?\s*\Z")
_UNFIT: Final = re.compile(r"[^\w.()&+-]")
_MAX_FILES: Final = 10_000


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a folder of classes; ExchangeError names file and line of a fault."""
    match = _NAME.fullmatch(path.stem)
    files = [path]
    if match is not None:
        files = sorted(path.parent.glob(f"*_{match[2]}{path.suffix}"))[:_MAX_FILES]
    segments_of: dict[str, list[SegmentContent]] = {}
    for file in files:
        own = _NAME.fullmatch(file.stem)
        label = label_of((own[1] if own is not None else file.stem).replace("_", " "))
        for number, line in lines_of(file):
            if not line.strip():
                continue
            cells = Cells(file, number, line.split())
            if len(cells) != 3:
                raise cells.fail("A line has a video, a start and an end in seconds.")
            start, end = (round(cells.number(i, 0, MAX_SECONDS) * 1e6) for i in (1, 2))
            if end < start:
                raise cells.fail("The segment ends before it starts.")
            key = f"{file.name}:{number}"
            segment = SegmentContent(Lane.ACTION, label, None, (start, end), key)
            segments_of.setdefault(cells.text(0), []).append(segment)
    return [
        VideoContent(name, f"{path.parent.name}, {name}", segments=tuple(segments))
        for name, segments in segments_of.items()
    ]


def files(videos: Iterable[VideoContent]) -> Iterator[tuple[str, bytes]]:
    """Yield a file for each class, with its name: times to a tenth of a second, as in the set."""
    lines: dict[str, list[str]] = {}
    for video in videos:
        name = "_".join(video.name.split())
        for segment in video.segments:
            if segment.lane is Lane.ACTION:
                start, end = segment.times_us or (0, 0)
                text = f"{name}  {start / 1e6:.1f} {end / 1e6:.1f}"
                lines.setdefault(segment.label, []).append(text)
    used: set[str] = set()
    for label, own in sorted(lines.items()):
        stem = name = _UNFIT.sub("_", label)[:80] or "unlabeled"
        number = 2
        while name.lower() in used:
            name, number = f"{stem}_{number}", number + 1
        used.add(name.lower())
        yield f"{name}_val.txt", ("\n".join(own) + "\n").encode()


def _is_ours(head: bytes) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].rstrip(b"\r")
    return _LINE.match(first) is not None and not re.match(rb"[\d.]+\s", first)


FORMAT: Final = Format(
    "thumos",
    "THUMOS14 actions (text)",
    (".txt",),
    "text",
    needs_videos=True,
    holds=("actions",),
    losses=SEGMENTS_ONLY
    | {
        Loss.SOUNDS,
        Loss.ROLES,
        Loss.SOUND_SOURCES,
        Loss.NOTES,
        Loss.FINE_TIMES,
        Loss.FRAME_NUMBERS,
        Loss.FRAME_RATE,
        Loss.LABELS,
    },
    source="THUMOS14 temporal annotations, readme",
    read=read,
    files=files,
    detect=_is_ours,
)
