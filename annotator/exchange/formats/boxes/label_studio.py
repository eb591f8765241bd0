"""Label Studio video tasks (JSON): rectangles with keyframes, and labels on the timeline.

Coordinates are percentages of the image, frames count from 1. A keyframe that is ``enabled`` is
interpolated to the next one, or held to the end; another one is there on its frame only. Timeline
ranges include their last frame. Labels whose ``from_name`` begins with "sound" or "audio" are
sounds, all others actions. Of a task without annotations its predictions are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote

from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.checks import Finding
from annotator.domain.geometry import Box
from annotator.exchange.formats.base.file_content import (
    PackedKeyframes,
    SegmentContent,
    TrackContent,
    VideoContent,
)
from annotator.exchange.formats.base.format import Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_FRAME, label_of
from annotator.exchange.json_stream import elements_of
from annotator.exchange.node import Node

_PERCENT: Final = 100.0
_FAR: Final = 1000.0
_SOUNDS: Final = ("sound", "audio")
_PREFIX_LENGTH: Final = 9


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError names the JSON path of the first fault."""
    return [_task(node, path) for node in elements_of(path)]


def _task(node: Node, path: Path) -> VideoContent:
    url = next((n.value for n in _members(node, "data") if isinstance(n.value, str)), path.stem)
    file_name = PurePosixPath(unquote(str(url)).replace("\\", "/")).name
    head, dash, rest = file_name.partition("-")
    if dash and len(head) == _PREFIX_LENGTH - 1 and head.isalnum():
        file_name = rest  # uploads get eight signs and a dash before their name
    stem = file_name.rpartition(".")[0] or file_name
    sources = [*_list(node, "annotations")] or [*_list(node, "predictions")]
    tracks: list[TrackContent] = []
    segments: list[SegmentContent] = []
    skipped: dict[str, int] = {}
    n_frames: int | None = None
    for source in sources[:1]:
        for region in _list(source, "result"):
            kind = region.key("type").text()
            value = region.key("value") if region.has("value") else region
            if value.has("framesCount"):
                n_frames = _whole(value.key("framesCount"))
            if kind == "videorectangle":
                tracks.append(_track(region, value))
            elif kind == "timelinelabels":
                segments += _segments(region, value)
            elif kind not in ("labels", "choices"):
                skipped[kind[:40]] = skipped.get(kind[:40], 0) + 1
    findings = [
        Finding("bad-region", node.path, f"Skipped: {n} regions of type “{kind}”.")
        for kind, n in skipped.items()
    ]
    if len(sources) > 1:
        text = f"The task has {len(sources)} annotations; the first was read."
        findings.append(Finding("more-annotations", node.path, text))
    return VideoContent(
        stem,
        node.path,
        tuple(tracks),
        (),
        tuple(segments),
        None,
        n_frames or None,
        None,
        tuple(findings),
        is_fraction=True,
    )


def _track(region: Node, value: Node) -> TrackContent:
    keys: dict[int, Keyframe] = {}
    hidden_after: list[int] = []
    for entry in value.key("sequence").items():
        frame = _whole(entry.key("frame")) - 1
        if frame < 0:
            raise entry.fail("Frames count from 1.")
        if frame in keys:
            raise entry.fail(f"The region has two keyframes on frame {frame + 1}.")
        x, y, width, height = (_share(entry.key(k)) for k in ("x", "y", "width", "height"))
        if width <= 0 or height <= 0:
            raise entry.fail("The box has no area.")
        keys[frame] = Keyframe(frame, Box(x, y, x + width, y + height), source=Source.IMPORTED)
        if entry.has("enabled") and entry.key("enabled").value is False:
            hidden_after.append(frame + 1)
    for frame in hidden_after:
        keys.setdefault(frame, Keyframe(frame, None, source=Source.IMPORTED))
    score = float(region.key("score").number()) if region.has("score") else None
    ordered = PackedKeyframes(keys[frame] for frame in sorted(keys))
    scores = {ordered[0].frame: score} if ordered and score is not None else {}
    return TrackContent(_label(value, "labels"), ordered, _key(region), {}, scores)


def _segments(region: Node, value: Node) -> Iterator[SegmentContent]:
    name = region.key("from_name").text() if region.has("from_name") else ""
    lane = Lane.SOUND if name.casefold().startswith(_SOUNDS) else Lane.ACTION
    label = _label(value, "timelinelabels")
    for each in value.key("ranges").items():
        start, end = _whole(each.key("start")), _whole(each.key("end"))
        if not 1 <= start <= end:
            raise each.fail("A range needs 1 ≤ start ≤ end.")
        yield SegmentContent(lane, label, (start - 1, end), None, _key(region))


def _label(value: Node, key: str) -> str:
    names = [each.text() for each in _list(value, key)]
    return label_of(names[0] if names else "")


def _key(region: Node) -> str:
    return label_of(str(region.key("id").value)) if region.has("id") else ""


def _whole(node: Node) -> int:
    number = node.number()
    if number != number or abs(number) > MAX_FRAME or number != int(number):
        raise node.fail("The number must be an integer within the video.")
    return int(number)


def _share(node: Node) -> float:
    number = float(node.number())
    if abs(number) > _FAR:
        raise node.fail("The percentage is out of range.")
    return number / _PERCENT


def _list(node: Node, key: str) -> list[Node]:
    return node.key(key).items() if node.has(key) else []


def _members(node: Node, key: str) -> list[Node]:
    if not node.has(key):
        return []
    data = node.key(key)
    names = data.object()
    return [data.key(name) for name in sorted(names, key=lambda n: n != "video")]


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield a list of tasks, a line for each."""
    yield b"["
    for i, video in enumerate(videos):
        width, height = video.size or (1, 1)
        results: list[dict[str, object]] = []
        for n, track in enumerate(video.tracks):
            sequence = list(_sequence(track, width, height, video))
            if sequence:
                about = {"framesCount": video.n_frames, "duration": video.duration_s}
                value = {**about, "labels": [track.label], "sequence": sequence}
                results.append(_region(f"t{n}", "videorectangle", "box", value))
        for n, segment in enumerate(video.segments):
            name = "actions" if segment.lane is Lane.ACTION else "sounds"
            start, end = segment.frames or (0, 1)
            span = {"start": start + 1, "end": end}
            ranges = {"ranges": [span], "timelinelabels": [segment.label]}
            results.append(_region(f"s{n}", "timelinelabels", name, ranges))
        task = {
            "id": i + 1,
            "data": {"video": video.file_name or video.name},
            "annotations": [{"result": results}],
        }
        body = json.dumps(task, ensure_ascii=False, allow_nan=False)
        yield f"{',' if i else ''}\n{body}".encode()
    yield b"\n]\n"


def _region(key: str, kind: str, name: str, value: object) -> dict[str, object]:
    about = {"id": key, "type": kind, "from_name": name, "to_name": "video", "origin": "manual"}
    return {**about, "value": value}


def _sequence(
    track: TrackContent, width: int, height: int, video: VideoContent
) -> Iterator[dict[str, object]]:
    """Yield the keyframes; the last frame before an object leaves gets one that is not enabled."""
    keys = track.keyframes
    for i, key in enumerate(keys):
        if key.box is None:
            continue
        following = keys[i + 1] if i + 1 < len(keys) else None
        leaves = following is not None and following.box is None
        is_alone = leaves and following is not None and following.frame == key.frame + 1
        yield _keyframe(key.frame, key.box, (width, height), video, is_enabled=not is_alone)
        if leaves and following is not None and not is_alone:
            last = following.frame - 1
            yield _keyframe(last, key.box, (width, height), video, is_enabled=False)


def _keyframe(
    frame: int, box: Box, size: tuple[int, int], video: VideoContent, *, is_enabled: bool
) -> dict[str, object]:
    width, height = size
    time = video.times_us[frame] / 1e6 if frame < len(video.times_us) else 0.0
    return {
        "frame": frame + 1,
        "enabled": is_enabled,
        "rotation": 0,
        "x": round(box.x1 / width * _PERCENT, 9),
        "y": round(box.y1 / height * _PERCENT, 9),
        "width": round(box.width / width * _PERCENT, 9),
        "height": round(box.height / height * _PERCENT, 9),
        "time": time,
    }


def _is_ours(head: bytes) -> bool:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return start == b"[" and (b'"data"' in head or b'"annotations"' in head)


FORMAT: Final = Format(
    "label-studio",
    "Label Studio video tasks (JSON)",
    (".json",),
    "json",
    needs_videos=True,
    holds=("boxes", "actions", "sounds"),
    losses=frozenset(
        (
            Loss.POINTS,
            Loss.OCCLUDED_POINTS,
            Loss.POINT_OBJECTS,
            Loss.OCCLUSION,
            Loss.ROLES,
            Loss.SOUND_SOURCES,
            Loss.NOTES,
            Loss.QUESTIONS,
            Loss.IMAGE_SIZE,
            Loss.HUMAN_KEYFRAMES,
            Loss.FINE_TIMES,
        )
    ),
    source="label-studio-sdk 2.1, video converter",
    read=read,
    write=write,
    detect=_is_ours,
)
