"""MOT Challenge: a row for each box and frame (text), without header; frames and ids count from 1.

``frame,id,left,top,width,height,confidence,class,visibility``. Pixels are taken and written as they
are, without the shift by one that some readers apply. Boxes of the same id belong to one track;
frames without a row are out of view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from annotator.domain.checks import Finding
from annotator.domain.geometry import Box
from annotator.domain.plurals import many
from annotator.exchange.formats.base.document_conversion import boxes_on_frames, keyframes_of
from annotator.exchange.formats.base.file_content import TrackContent, VideoContent
from annotator.exchange.formats.base.format import BOXES_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_PIXEL, Cells, fail, label_of, lines_of

CLASSES: Final = "labels.txt"
_SEQUENCE: Final = "seqinfo.ini"
_HALF: Final = 0.5
_N_COLUMNS: Final = 9

_Row: TypeAlias = tuple[int, int, Box, float, int, bool]
"""Frame from 0, track, box, confidence, class (-1: none), occluded."""


def read(path: Path) -> list[VideoContent]:
    """Return the one video of a file; ExchangeError names the line of the first fault.

    ``labels.txt`` beside it names the classes, ``seqinfo.ini`` beside or above it has name, size
    and frame count.
    """
    classes = _class_names(path)
    name, size, n_frames, rate = _sequence(path)
    rows: dict[tuple[int, int], list[tuple[int, Box, bool]]] = {}
    scores: dict[tuple[int, int], dict[int, float]] = {}
    n_ignored = n_anonymous = 0
    seen: set[tuple[int, int]] = set()
    for number, line in lines_of(path):
        if not line.strip():
            continue
        row = _quick(line) or _careful(Cells(path, number, line.split(",")))
        frame, track, box, confidence, kind, hidden = row
        if confidence == 0 and kind >= 0:
            n_ignored += 1
            continue
        if track < 0:
            # Detections: each is a track of its own, seen on one frame.
            track = -2 - n_anonymous
            n_anonymous += 1
        if (track, frame) in seen:
            raise fail(path, f"Track {track} has two boxes on frame {frame + 1}.", number)
        seen.add((track, frame))
        rows.setdefault((track, kind), []).append((frame, box, hidden))
        scores.setdefault((track, kind), {})[frame] = confidence
    if not rows and not n_ignored:
        raise fail(path, "The file has no boxes.")
    has_scores = any(
        score not in (1.0, -1.0)
        for scores_of_track in scores.values()
        for score in scores_of_track.values()
    )
    tracks = []
    for (track, kind), boxes in sorted(rows.items(), key=lambda item: (item[0][0] < 0, item[0])):
        keys = keyframes_of(boxes, n_frames)
        label = classes.get(kind) or (f"class {kind}" if kind > 0 else "object")
        scores_of = scores[track, kind] if has_scores else {}
        tracks.append(TrackContent(label, keys, str(track) if track >= 0 else "", {}, scores_of))
    findings = []
    if n_ignored:
        text = f"Left out: {many(n_ignored, 'row')} marked as ignored (confidence 0)."
        findings.append(Finding("ignored-rows", path.name, text))
    if n_anonymous:
        text = (
            f"Without track ID: {many(n_anonymous, 'detection')}; each became a track of one frame."
        )
        findings.append(Finding("no-track-id", path.name, text))
    content = VideoContent(
        name, path.name, tuple(tracks), (), (), size, n_frames, rate, tuple(findings)
    )
    return [content]


def _quick(line: str) -> _Row | None:
    """Return a row that is beyond doubt: nine numbers, small and sound. Most are."""
    parts = line.split(",")
    if len(parts) != _N_COLUMNS or "_" in line:
        return None
    try:
        frame, track, left, top, width, height, sure, kind, visibility = map(float, parts)
    except ValueError:
        return None
    is_sound = (
        1 <= frame <= MAX_PIXEL
        and 0 <= track <= MAX_PIXEL
        and abs(left) + abs(top) + width + height + abs(sure) <= MAX_PIXEL
        and width > 0 < height
        and -1 <= kind <= MAX_PIXEL
        and abs(visibility) <= MAX_PIXEL
        and frame.is_integer()
        and track.is_integer()
        and kind.is_integer()
    )
    if not is_sound:
        return None
    box = Box(left, top, left + width, top + height)
    return int(frame) - 1, int(track), box, sure, int(kind), 0 <= visibility < _HALF


def _careful(cells: Cells) -> _Row:
    """Return a row of any of the layouts; ExchangeError names its fault."""
    frame, left, top = cells.whole(0, 1) - 1, cells.number(2), cells.number(3)
    track = cells.whole(1, -1)
    width, height = cells.number(4), cells.number(5)
    if width <= 0 or height <= 0:
        raise cells.fail("The box has no area.")
    is_mot16 = len(cells) == _N_COLUMNS
    confidence = cells.number(6) if len(cells) > 6 else 1.0
    kind = cells.whole(7, -1) if is_mot16 else -1
    hidden = is_mot16 and 0 <= cells.number(8) < _HALF
    return frame, track, Box(left, top, left + width, top + height), confidence, kind, hidden


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the rows of one video, by frame, then id: nine columns, class names in their order of
    appearance counted from 1, visibility 1 or 0.
    """
    (video,) = videos
    classes = class_names(video)
    rows = sorted(
        (frame, number, box, hidden, 1 + classes.index(track.label))
        for number, track in enumerate(video.tracks, 1)
        for frame, box, hidden in boxes_on_frames(track, video.n_frames or 0)
    )
    for frame, number, box, hidden, kind in rows:
        sides = ",".join(_decimal(v) for v in (box.x1, box.y1, box.width, box.height))
        yield f"{frame + 1},{number},{sides},1,{kind},{int(not hidden)}\n".encode()


def class_names(video: VideoContent) -> list[str]:
    """Return the labels of a video in the order of the class numbers that are written."""
    return list(dict.fromkeys(track.label for track in video.tracks))


def beside(video: VideoContent) -> dict[str, bytes]:
    """Return the files beside the rows: class names and facts about the video."""
    width, height = video.size or (0, 0)
    sequence = (
        f"[Sequence]\nname={video.name}\nimDir=img1\nframeRate={video.rate or 30:g}\n"
        f"seqLength={video.n_frames or 0}\nimWidth={width}\nimHeight={height}\nimExt=.jpg\n"
    )
    names = "".join(f"{name}\n" for name in class_names(video))
    return {CLASSES: names.encode(), _SEQUENCE: sequence.encode()}


def _decimal(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _class_names(path: Path) -> dict[int, str]:
    beside_it = path.with_name(CLASSES)
    if not beside_it.is_file():
        return {}
    return {n: label_of(line) for n, line in lines_of(beside_it) if line.strip()}


def _sequence(path: Path) -> tuple[str, tuple[int, int] | None, int | None, float | None]:
    """Return name, size, frame count and rate, as far as the file has them."""
    name = path.parent.parent.name if path.parent.name in ("gt", "det") else path.stem
    size, n_frames, rate = None, None, None
    for folder in (path.parent, path.parent.parent):
        file = folder / _SEQUENCE
        if not file.is_file():
            continue
        class_names: dict[str, tuple[int, str]] = {}
        for number, line in lines_of(file):
            key, equals, value = line.partition("=")
            if equals:
                class_names[key.strip().casefold()] = (number, value.strip())
        if "name" in class_names and class_names["name"][1]:
            name = class_names["name"][1]

        def whole(
            key: str, file: Path = file, class_names: dict[str, tuple[int, str]] = class_names
        ) -> int:
            number, value = class_names[key]
            return Cells(file, number, [value]).whole(0)

        if "imwidth" in class_names and "imheight" in class_names:
            size = (whole("imwidth"), whole("imheight"))
        if "seqlength" in class_names:
            n_frames = whole("seqlength")
        if "framerate" in class_names:
            number, value = class_names["framerate"]
            rate = Cells(file, number, [value]).number(0, 0) or None
        break
    return name, size or None, n_frames or None, rate


def _is_ours(head: bytes) -> bool:
    line = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    cells = line.strip().split(b",")
    return 7 <= len(cells) <= 10 and all(_is_number(cell) for cell in cells)


def _is_number(cell: bytes) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


FORMAT: Final = Format(
    "mot",
    "MOT Challenge (text)",
    (".txt",),
    "text",
    needs_videos=True,
    holds=("boxes",),
    losses=BOXES_ONLY | {Loss.OUT_OF_VIEW, Loss.HUMAN_KEYFRAMES, Loss.ATTRIBUTES},
    source="MOTChallenge 16; TrackEval documentation",
    is_per_video=True,
    is_dense=True,
    read=read,
    write=write,
    detect=_is_ours,
)
