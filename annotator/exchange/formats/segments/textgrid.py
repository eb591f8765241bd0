"""Praat TextGrid: segments as intervals on tiers, times in seconds.

The long and the short text form are read, in UTF-8 and UTF-16. A tier whose name begins with
"sound" or "audio" holds sounds, every other one actions. Empty intervals are gaps; points have no
length and are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding
from annotator.domain.errors import ExchangeError
from annotator.domain.plurals import many
from annotator.exchange.formats.base.document_conversion import tiers_of
from annotator.exchange.formats.base.file_content import SegmentContent, VideoContent
from annotator.exchange.formats.base.format import SEGMENTS_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_SECONDS, bounded, fail, label_of

_MAX_BYTES: Final = 64 << 20
_MAX_TIERS: Final = 10_000
_TOKEN: Final = re.compile(
    r'"(?:[^"]|"")*"|<exists>|<absent>|(?<!\S)[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\S)'
)
_SOUNDS: Final = ("sound", "audio")


class _Tokens:
    """The free-standing texts and numbers of a file, in their order: all else is decoration."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._found = iter(_TOKEN.findall(text))

    def next(self) -> str:
        token: str | None = next(self._found, None)
        if token is None:
            raise self.fail("The file ends too early.")
        return token

    def text(self) -> str:
        token = self.next()
        if not token.startswith('"'):
            raise self.fail(f"A text in quotes is missing before “{token[:40]}”.")
        return token[1:-1].replace('""', '"')

    def number(self) -> float:
        return bounded(self.next(), -MAX_SECONDS, MAX_SECONDS, self.fail)

    def count(self) -> int:
        return int(bounded(self.next(), 0, MAX_SECONDS, self.fail))

    def fail(self, text: str) -> ExchangeError:
        return fail(self._path, text)


def read(path: Path) -> list[VideoContent]:
    """Return the one video of a file; ExchangeError for other files."""
    tokens = _Tokens(path, _text_of(path))
    if (tokens.text(), tokens.text()) != ("ooTextFile", "TextGrid"):
        raise fail(path, "The file is not a TextGrid.")
    tokens.number(), tokens.number()
    segments: list[SegmentContent] = []
    n_points = 0
    n_tiers = tokens.count() if tokens.next() == "<exists>" else 0
    for _ in range(min(n_tiers, _MAX_TIERS)):
        kind, name = tokens.text(), label_of(tokens.text())
        tokens.number(), tokens.number()
        count = tokens.count()
        if kind == "TextTier":
            for _ in range(count):
                tokens.number(), tokens.text()
            n_points += count
            continue
        if kind != "IntervalTier":
            raise fail(path, f"Unknown kind of tier “{kind[:40]}”.")
        lane = Lane.SOUND if name.casefold().startswith(_SOUNDS) else Lane.ACTION
        for i in range(count):
            start, end, label = tokens.number(), tokens.number(), tokens.text()
            if end < start or start < 0:
                raise fail(path, f"Interval {i + 1} of tier “{name}” ends before it starts.")
            if label.strip():
                span = round(start * 1e6), round(end * 1e6)
                segments.append(
                    SegmentContent(
                        lane, label_of(label), None, span, f"{name} {i + 1}", None, {"tier": name}
                    )
                )
    findings: tuple[Finding, ...] = ()
    if n_points:
        text = f"Not imported: {many(n_points, 'point')} of text tiers without a length."
        findings = (Finding("without-length", path.name, text),)
    return [VideoContent(path.stem, path.name, segments=tuple(segments), findings=findings)]


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise fail(path, f"The file is larger than {_MAX_BYTES >> 20} MB.")
        data = path.read_bytes()
    except OSError as error:
        raise fail(path, f"Cannot read the file: {error.strerror or error}.") from error
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise fail(path, "The file is neither UTF-8 nor UTF-16 text.") from None


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file of one video, in the long form: intervals without gaps between them."""
    (video,) = videos
    tiers = [
        *tiers_of(video, Lane.ACTION, "actions"),
        *tiers_of(video, Lane.SOUND, "sounds"),
    ]
    ends = [s.times_us[1] for s in video.segments if s.times_us is not None]
    last = max([round(video.duration_s * 1e6), *ends])
    yield (
        f'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = {_s(last)}\n'
        f"tiers? <exists>\nsize = {len(tiers)}\nitem []:\n"
    ).encode()
    for number, (name, segments) in enumerate(tiers, 1):
        intervals = list(_filled(segments, last))
        yield (
            f'    item [{number}]:\n        class = "IntervalTier"\n        name = "{name}"\n'
            f"        xmin = 0\n        xmax = {_s(last)}\n"
            f"        intervals: size = {len(intervals)}\n"
        ).encode()
        for i, (start, end, label) in enumerate(intervals, 1):
            text = label.replace('"', '""')
            yield (
                f"        intervals [{i}]:\n            xmin = {_s(start)}\n"
                f'            xmax = {_s(end)}\n            text = "{text}"\n'
            ).encode()


def _filled(segments: Iterable[SegmentContent], last: int) -> Iterator[tuple[int, int, str]]:
    """Yield the intervals of a tier, with empty ones in the gaps."""
    at = 0
    for segment in segments:
        start, end = segment.times_us or (0, 0)
        if start > at:
            yield at, start, ""
        if end > start:
            yield start, end, segment.label
        at = max(at, end)
    if at < last:
        yield at, last, ""


def _s(time_us: int) -> str:
    return f"{time_us / 1e6:.6f}".rstrip("0").rstrip(".")


FORMAT: Final = Format(
    "textgrid",
    "Praat TextGrid (text)",
    (".textgrid",),
    "text",
    needs_videos=True,
    holds=("actions", "sounds"),
    losses=SEGMENTS_ONLY
    | {Loss.ROLES, Loss.SOUND_SOURCES, Loss.NOTES, Loss.FRAME_NUMBERS, Loss.FRAME_RATE},
    source="Praat manual, “TextGrid file formats”",
    is_per_video=True,
    read=read,
    write=write,
)
