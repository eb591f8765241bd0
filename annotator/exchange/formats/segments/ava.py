"""AVA and AVA-Kinetics CSV: a box for each person and action, at whole seconds.

Places are fractions of the image. The file has numbers of actions; a list
``*action_list*.pbtxt`` beside it names them. The eighth column is the person, or the score where it
has decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.checks import Finding
from annotator.domain.geometry import Box
from annotator.exchange.formats.base.document_conversion import boxes_on_frames, nearest_frame
from annotator.exchange.formats.base.file_content import SegmentContent, TrackContent, VideoContent
from annotator.exchange.formats.base.format import BOXES_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_SECONDS, Cells, label_of, rows_of

LIST: Final = "action_list.pbtxt"
_ITEM: Final = re.compile(r'name:\s*"([^"]{1,500})"\s*(?:label_)?id:\s*(\d{1,6})')
_SECOND: Final = 1_000_000
_MAX_LIST: Final = 1 << 20
_IS_OURS: Final = re.compile(
    rb"[^,\n]+,\d+(?:\.\d+)?(?:,\d*\.\d+){4},\d+(?:,[^,\r\n]+)?\r?(?:\n|\Z)"
)


@dataclass(slots=True)
class _Person:
    boxes: dict[int, Box] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)
    actions: dict[int, dict[int, float | None]] = field(default_factory=dict)


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a table; ExchangeError names the line of the first fault."""
    names = _names(path)
    people_of: dict[str, dict[str, _Person]] = {}
    for number, row in rows_of(path):
        cells = Cells(path, number, row)
        if len(cells) == 2:  # annotated, and no person is visible
            people_of.setdefault(cells.text(0), {})
            continue
        if len(cells) not in (7, 8):
            raise cells.fail(f"The line has {len(cells)} columns instead of 7 or 8.")
        time = round(cells.number(1, 0, MAX_SECONDS) * 1e6)
        x1, y1, x2, y2 = (cells.number(i, 0, 1) for i in range(2, 6))
        if x2 <= x1 or y2 <= y1:
            raise cells.fail("The box has no area.")
        action = cells.whole(6, 1)
        key, score = f"{number}", None
        if len(cells) == 8 and "." in cells.text(7):
            score = cells.number(7, 0, 1)
            key = f"{time}:{','.join(row[2:6])}"
        elif len(cells) == 8:
            key = str(cells.whole(7))
        person = people_of.setdefault(cells.text(0), {}).setdefault(key, _Person())
        box = Box(x1, y1, x2, y2)
        if person.boxes.setdefault(time, box) != box:
            raise cells.fail(f"Person {key} has two boxes at this time.")
        if score is not None:
            person.scores[time] = max(score, person.scores.get(time, 0.0))
        person.actions.setdefault(action, {})[time] = score
    return [_video(name, path.name, people, names) for name, people in people_of.items()]


def _names(path: Path) -> dict[int, str]:
    for each in sorted(path.parent.glob("*action_list*.pbtxt")):
        if each.stat().st_size <= _MAX_LIST:
            text = each.read_text(encoding="utf-8", errors="replace")
            return {int(number): label_of(name) for name, number in _ITEM.findall(text)}
    return {}


def _video(
    name: str, place: str, people: dict[str, _Person], names: dict[int, str]
) -> VideoContent:
    tracks, segments = [], []
    unnamed: set[int] = set()
    for key, person in people.items():
        tracks.append(_track(key, person))
        for action, times in person.actions.items():
            if action not in names:
                unnamed.add(action)
            label = names.get(action, f"action {action}")
            for run in _runs(sorted(times)):
                span = (max(0, run[0] - _SECOND // 2), run[-1] + _SECOND // 2)
                scores = [score for time in run if (score := times[time]) is not None]
                score = sum(scores) / len(scores) if scores else None
                segments.append(
                    SegmentContent(Lane.ACTION, label, None, span, key, score, {}, (key,))
                )
    findings = []
    if unnamed:
        text = f"{len(unnamed)} actions have no name: put {LIST} beside the file."
        findings.append(Finding("unnamed-labels", name, text))
    return VideoContent(
        name,
        f"{place}, {name}",
        tuple(tracks),
        (),
        tuple(segments),
        findings=tuple(findings),
        is_fraction=True,
    )


def _track(key: str, person: _Person) -> TrackContent:
    keys: list[Keyframe] = []
    times: list[int] = []
    scores: dict[int, float] = {}
    for run in _runs(sorted(person.boxes)):
        for time in run:
            if time in person.scores:
                scores[len(keys)] = person.scores[time]
            keys.append(Keyframe(len(keys), person.boxes[time], source=Source.IMPORTED))
            times.append(time)
        keys.append(Keyframe(len(keys), None, source=Source.IMPORTED))
        times.append(run[-1] + _SECOND // 2)
    return TrackContent("person", tuple(keys), key, {}, scores, tuple(times))


def _runs(times: Sequence[int]) -> Iterator[list[int]]:
    """Yield the times that are a second apart, or less, together."""
    part: list[int] = []
    for time in times:
        if part and time - part[-1] > _SECOND:
            yield part
            part = []
        part.append(time)
    if part:
        yield part


def files(videos: Iterable[VideoContent]) -> Iterator[tuple[str, bytes]]:
    """Yield the table, and the list of the actions: objects with actions at each second."""
    numbers: dict[str, int] = {}
    lines = [line for video in videos for line in _lines(video, numbers)]
    yield "annotations.csv", "".join(f"{line}\n" for line in lines).encode()
    items = (
        f'item {{\n  name: "{name.replace(chr(34), chr(39))}"\n  id: {number}\n}}\n'
        for name, number in numbers.items()
    )
    yield LIST, "".join(items).encode()


def _lines(video: VideoContent, numbers: dict[str, int]) -> Iterator[str]:
    width, height = video.size or (1, 1)
    times = video.times_us
    name = video.name.replace(",", "_").replace('"', "_")
    for track in video.tracks:
        boxes = {f: box for f, box, _ in boxes_on_frames(track, video.n_frames or 0)}
        own = [s for s in video.segments if s.lane is Lane.ACTION and track.key in s.objects]
        for second in range(int(video.duration_s) + 1):
            frame = nearest_frame(times[:-1], second * _SECOND)
            box = boxes.get(frame)
            inside = box.clipped(width, height) if box is not None else None
            if inside is None or inside.width <= 0 or inside.height <= 0:
                continue
            places = (inside.x1 / width, inside.y1 / height, inside.x2 / width, inside.y2 / height)
            for segment in own:
                start, end = segment.times_us or (0, 0)
                if start <= second * _SECOND < end:
                    action = numbers.setdefault(segment.label, len(numbers) + 1)
                    box_text = ",".join(f"{place:.3f}" for place in places)
                    yield f"{name},{second:04},{box_text},{action},{track.key}"


FORMAT: Final = Format(
    "ava",
    "AVA actions of persons (CSV)",
    (".csv",),
    "table",
    needs_videos=True,
    holds=("boxes", "actions"),
    losses=(BOXES_ONLY - {Loss.ACTIONS, Loss.ROLES})
    | {
        Loss.OCCLUSION,
        Loss.OUT_OF_VIEW,
        Loss.HUMAN_KEYFRAMES,
        Loss.FINE_TIMES,
        Loss.SUBPIXELS,
        Loss.FRAME_RATE,
        Loss.ATTRIBUTES,
    },
    source="AVA dataset; ActivityNet evaluation of AVA",
    read=read,
    files=files,
    is_sampled=True,
    detect=lambda head: _IS_OURS.match(head.removeprefix(b"\xef\xbb\xbf")) is not None,
)
