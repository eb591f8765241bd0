"""VIAME CSV, which DIVE reads and writes, too: a box in each row, with attributes behind it.

Frames count from 0 and are those of the annotation rate; a score below 1 is that of a model.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Final

from annotator.domain.annotation.attributes import changes_of
from annotator.domain.geometry import Box
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.document_conversion import boxes_on_frames, keyframes_of
from annotator.exchange.formats.base.file_content import TrackContent, VideoContent
from annotator.exchange.formats.base.format import BOXES_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_FRAME, Cells, fail, label_of, rows_of

_COLUMNS: Final = 9
_RATE: Final = re.compile(r"\bfps:\s*\"?([0-9]+(?:\.[0-9]+)?)")
_OCCLUDED: Final = "occluded"
_NAME: Final = re.compile(r"\s+")


class _Track:
    """Rows of one track, with its properties."""

    def __init__(self) -> None:
        self.rows: dict[int, tuple[int, Box, bool]] = {}
        self.scores: dict[int, float] = {}
        self.label = ""
        self.attributes: dict[str, Json] = {}
        self.changing: dict[str, dict[str, Json]] = {}


def read(path: Path) -> list[VideoContent]:
    """Return the one video of a file; ExchangeError names the line of the first fault."""
    tracks: dict[int, _Track] = {}
    rate = None
    for number, row in rows_of(path):
        if row[0].startswith("#"):
            rate_match = _RATE.search(",".join(row))
            rate = float(rate_match[1]) if rate_match and float(rate_match[1]) > 0 else rate
            continue
        cells = Cells(path, number, row)
        track, frame = cells.whole(0), cells.whole(2)
        own = tracks.setdefault(track, _Track())
        if frame in own.rows:
            raise cells.fail(f"Track {track} has two boxes on frame {frame}.")
        box = Box(*(cells.number(i) for i in range(3, 7)))
        if not box.is_valid:
            raise cells.fail("The box has no area.")
        own.scores[frame] = cells.number(7)
        hidden = _read_rest(own, row[_COLUMNS:], frame)
        own.rows[frame] = (frame, box, hidden)
    if not tracks:
        raise fail(path, "The file has no boxes.")
    has_scores = any(s not in (1.0, -1.0) for t in tracks.values() for s in t.scores.values())
    read_tracks = tuple(
        TrackContent(
            label_of(own.label),
            keyframes_of(list(own.rows.values()), None),
            str(number),
            {**own.attributes, **own.changing},
            own.scores if has_scores else {},
        )
        for number, own in tracks.items()
    )
    return [VideoContent(path.stem, path.name, read_tracks, rate=rate)]


def _read_rest(track: _Track, cells: list[str], frame: int) -> bool:
    """Take labels and attributes from the columns after the ninth; return "is occluded"."""
    best, hidden, i = -math.inf, False, 0
    while i + 1 < len(cells) and not cells[i].startswith("("):
        try:
            score = float(cells[i + 1])
        except ValueError:
            score = 0.0
        if score > best:
            best, track.label = score, cells[i]
        i += 2
    for cell in cells[i:]:
        kind, _, rest = cell.strip().partition(" ")
        key, _, text = rest.partition(" ")
        if kind == "(trk-atr)" and key:
            track.attributes[key] = _value(text)
        elif kind == "(atr)" and key == _OCCLUDED:
            hidden = _value(text) is True
        elif kind == "(atr)" and key:
            track.changing.setdefault(key, {})[str(frame)] = _value(text)
    return hidden


def _value(text: str) -> Json:
    """Return a value with its apparent type: the format has no types."""
    if text in ("true", "false"):
        return text == "true"
    try:
        number = float(text)
    except ValueError:
        return text[:500]
    return number if math.isfinite(number) and "_" not in text else text[:500]


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file of one video: a row for each frame on which an object is present."""
    (video,) = videos
    yield f"# metadata,fps: {video.rate or 30:g}\n".encode()
    for number, track in enumerate(video.tracks, 1):
        boxes = list(boxes_on_frames(track, video.n_frames or 0))
        for frame, box, hidden in boxes:
            sides = [f"{side:.3f}" for side in box.as_tuple()]
            row = [str(number), _time(video, frame), str(frame), *sides, "1.0", "-1"]
            # What begins with a bracket is an attribute.
            row += [f" {track.label}" if track.label.startswith("(") else track.label, "1.0"]
            row += [f"(atr) {_OCCLUDED} true"] if hidden else []
            row += _attributes(track, frame)
            out = StringIO()
            csv.writer(out, lineterminator="\n").writerow(row)
            yield out.getvalue().encode()


def _attributes(track: TrackContent, frame: int) -> Iterator[str]:
    for name, kept in track.attributes.items():
        key = _NAME.sub("_", name)
        if not isinstance(kept, dict):
            yield f"(trk-atr) {key} {_text(kept)}"
            continue
        held = [value for at, value in changes_of(kept) if at <= frame]
        if held:
            yield f"(atr) {key} {_text(held[-1])}"


def _text(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else " ".join(str(value).split())


def _time(video: VideoContent, frame: int) -> str:
    us = video.times_us[frame] if frame < len(video.times_us) else 0
    seconds, rest = divmod(us, 1_000_000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:06}"


def _is_ours(head: bytes) -> bool:
    for line in head.removeprefix(b"\xef\xbb\xbf").decode(errors="replace").splitlines():
        if line.startswith("#"):
            if "fps:" in line or "target" in line.casefold():
                return True
            continue
        cells = line.split(",")
        try:
            numbers = [float(cell) for cell in (cells[0], *cells[2:8])]
        except (ValueError, IndexError):
            return False
        return len(cells) > _COLUMNS and 0 <= numbers[0] <= MAX_FRAME and "." not in cells[0]
    return False


FORMAT: Final = Format(
    "viame",
    "VIAME boxes (CSV)",
    (".csv",),
    "table",
    needs_videos=True,
    holds=("boxes",),
    is_dense=True,
    losses=BOXES_ONLY
    | {Loss.OUT_OF_VIEW, Loss.HUMAN_KEYFRAMES, Loss.IMAGE_SIZE, Loss.VARIABLE_RATE},
    source="VIAME detection CSV; Kitware DIVE",
    is_per_video=True,
    read=read,
    write=write,
    detect=_is_ours,
)
