"""Tables of timed events: Audacity labels, DESED and AudioSet strong labels (TSV), RTTM."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.exchange.formats.base.file_content import SegmentContent, VideoContent
from annotator.exchange.formats.base.format import SEGMENTS_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_SECONDS, Cells, label_of, lines_of

_DESED: Final = ("filename", "onset", "offset")
_STRONG: Final = ("segment_id", "start_time_seconds", "end_time_seconds")
_NOTHING: Final = "<NA>"


def read_audacity(path: Path) -> list[VideoContent]:
    """Return the one video of a label track: start, end, text, separated by tabs, in seconds.

    Lines that begin with a backslash (frequencies of the line before) are skipped. A file whose
    name ends with "actions" holds actions, every other one sounds.
    """
    lane = Lane.ACTION if path.stem.casefold().endswith("actions") else Lane.SOUND
    segments: list[SegmentContent] = []
    for number, line in lines_of(path):
        if not line.strip() or line.startswith("\\"):
            continue
        cells = Cells(path, number, line.split("\t"))
        label = label_of("\t".join(line.split("\t")[2:]))
        segments.append(SegmentContent(lane, label, None, _span(cells, 0, 1), str(number)))
    name = path.stem
    for ending in ("actions", "sounds"):
        if name.casefold().endswith(ending) and len(name) > len(ending) + 1:
            name = name[: -len(ending)].rstrip("-_. ")
    return [VideoContent(name, path.name, segments=tuple(segments))]


def write_audacity(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the label track of one video: all segments, by start."""
    (video,) = videos
    for start, end, segment in _timed(video):
        text = " ".join(segment.label.split())
        yield f"{start:.6f}\t{end:.6f}\t{text}\n".encode()


def read_events(path: Path) -> list[VideoContent]:
    """Return the videos of a TSV with a header: DESED, or AudioSet strong labels, whose times are
    relative to a cut that the name ends with, in milliseconds.
    """
    segments_of: dict[str, list[SegmentContent]] = {}
    is_strong = False
    for number, line in lines_of(path):
        cells = Cells(path, number, line.split("\t"))
        if number == 1:
            heads = tuple(cell.strip() for cell in line.split("\t"))
            is_strong = heads[:3] == _STRONG
            if not is_strong and heads[:3] != _DESED:
                text = f"The first line must be {', '.join(_DESED)} and event_label (tabs between)."
                raise cells.fail(text)
            continue
        if not line.strip():
            continue
        name, shift = cells.text(0), 0
        if is_strong:
            name, _, cut = name.rpartition("_")
            shift = Cells(path, number, [cut]).whole(0) * 1000
        own = segments_of.setdefault(_stem(name), [])
        if len(cells) < 4 or not cells.text(1):
            continue  # a file without events
        start, end = _span(cells, 1, 2)
        label = label_of(cells.text(3))
        own.append(
            SegmentContent(Lane.SOUND, label, None, (start + shift, end + shift), str(number))
        )
    return _by_video(path, segments_of)


def write_events(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield a DESED table of all videos: the sounds of each, an empty row where it has none."""
    yield "\t".join((*_DESED, "event_label")).encode() + b"\n"
    for video in videos:
        name = " ".join((video.file_name or video.name).split())
        rows = [row for row in _timed(video) if row[2].lane is Lane.SOUND]
        for start, end, segment in rows:
            text = " ".join(segment.label.split())
            yield f"{name}\t{start:.3f}\t{end:.3f}\t{text}\n".encode()
        if not rows:
            yield f"{name}\t\t\t\n".encode()


def read_rttm(path: Path) -> list[VideoContent]:
    """Return the videos of an RTTM file: onset and duration of each SPEAKER line are a sound."""
    found: dict[str, list[SegmentContent]] = {}
    for number, line in lines_of(path):
        parts = line.split()
        if not parts or parts[0].startswith(";") or parts[0] != "SPEAKER":
            continue
        cells = Cells(path, number, parts)
        start = cells.number(3, 0, MAX_SECONDS)
        length = cells.number(4, 0, MAX_SECONDS)
        score = cells.number(8) if len(cells) > 8 and cells.text(8) != _NOTHING else None
        span = (round(start * 1e6), round((start + length) * 1e6))
        label = label_of(cells.text(7).replace("_", " "))
        segment = SegmentContent(Lane.SOUND, label, None, span, str(number), score)
        found.setdefault(_stem(cells.text(1)), []).append(segment)
    return _by_video(path, found)


def write_rttm(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the sounds of all videos; blanks in names become underscores."""
    for video in videos:
        name = "_".join(video.name.split())
        for start, end, segment in _timed(video):
            if segment.lane is Lane.SOUND:
                label = "_".join(segment.label.split()) or _NOTHING
                times = f"{start:.3f} {end - start:.3f}"
                yield f"SPEAKER {name} 1 {times} <NA> <NA> {label} <NA> <NA>\n".encode()


def _timed(video: VideoContent) -> list[tuple[float, float, SegmentContent]]:
    found = ((s.times_us or (0, 0), s) for s in video.segments)
    ordered = sorted(found, key=lambda each: each[0])
    return [(start / 1e6, end / 1e6, segment) for (start, end), segment in ordered]


def _span(cells: Cells, first: int, last: int) -> tuple[int, int]:
    start = cells.number(first, 0, MAX_SECONDS)
    end = cells.number(last, 0, MAX_SECONDS)
    if end < start:
        raise cells.fail("The event ends before it starts.")
    return round(start * 1e6), round(end * 1e6)


def _stem(name: str) -> str:
    stem, dot, suffix = name.replace("\\", "/").rpartition("/")[2].rpartition(".")
    return stem if dot and 1 < len(suffix) < 5 and stem else name


def _by_video(path: Path, found: dict[str, list[SegmentContent]]) -> list[VideoContent]:
    return [
        VideoContent(name, f"{path.name}, {name}", segments=tuple(segments))
        for name, segments in found.items()
    ]


def _is_audacity(head: bytes) -> bool:
    cells = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].split(b"\t")
    try:
        return len(cells) >= 2 and float(cells[0]) <= float(cells[1])
    except ValueError:
        return False


_LOSSES: Final = SEGMENTS_ONLY | {
    Loss.ROLES,
    Loss.SOUND_SOURCES,
    Loss.NOTES,
    Loss.FRAME_NUMBERS,
    Loss.FRAME_RATE,
}
AUDACITY: Final = Format(
    "audacity",
    "Audacity labels (text)",
    (".txt",),
    "text",
    needs_videos=True,
    holds=("actions", "sounds"),
    losses=_LOSSES,
    source="Audacity manual, “Importing and Exporting Labels”",
    is_per_video=True,
    read=read_audacity,
    write=write_audacity,
    detect=_is_audacity,
)
EVENTS: Final = Format(
    "desed",
    "DESED and AudioSet strong labels (TSV)",
    (".tsv",),
    "table",
    needs_videos=True,
    holds=("sounds",),
    losses=_LOSSES | {Loss.ACTIONS, Loss.FINE_TIMES},
    source="DCASE 2019 task 4; AudioSet strong labels",
    read=read_events,
    write=write_events,
)
RTTM: Final = Format(
    "rttm",
    "RTTM (text)",
    (".rttm",),
    "table",
    needs_videos=True,
    holds=("sounds",),
    losses=_LOSSES | {Loss.ACTIONS, Loss.FINE_TIMES, Loss.LABELS},
    source="NIST Rich Transcription 2009",
    read=read_rttm,
    write=write_rttm,
)
