"""DIVE JSON, version 2: tracks with features on frames, and groups of tracks as actions.

Frames count from 0, ends are inclusive. A feature that is not interpolated counts for its own frame
only. Bounds are whole pixels.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from annotator.domain.annotation.attributes import changes_of
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.geometry import Box
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.file_content import SegmentContent, TrackContent, VideoContent
from annotator.exchange.formats.base.format import BOXES_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_FRAME, MAX_PIXEL, label_of
from annotator.exchange.json_value import read_value
from annotator.exchange.node import Node

_VERSION: Final = 2
_OCCLUDED: Final = "occluded"


def read(path: Path) -> list[VideoContent]:
    """Return the one video of a file; ExchangeError names the JSON path of the first fault."""
    whole = read_value(path)
    if whole.key("version").whole() != _VERSION:
        raise whole.fail(f"Only version {_VERSION} of the format is supported.")
    tracks = tuple(_track(each) for each in _members(whole, "tracks"))
    segments = tuple(_segment(each) for each in _members(whole, "groups"))
    rate = float(whole.key("fps").number()) if whole.has("fps") else 0.0
    return [
        VideoContent(path.stem, path.name, tracks, (), segments, rate=rate if rate > 0 else None)
    ]


def _members(node: Node, key: str) -> list[Node]:
    return [node.key(key).key(name) for name in node.key(key).object()] if node.has(key) else []


def _track(node: Node) -> TrackContent:
    keys: list[Keyframe] = []
    changing: dict[str, dict[str, Json]] = {}
    last = None
    goes_on = False
    for feature in node.key("features").items():
        if not feature.has("bounds"):
            continue
        frame = _frame(feature, "frame")
        if last is not None and frame <= last:
            raise feature.fail("The features must ascend by frame.")
        if last is not None and not goes_on and frame > last + 1:
            keys.append(Keyframe(last + 1, None, source=Source.IMPORTED))
        attribute_node = feature.key("attributes") if feature.has("attributes") else None
        values = attribute_node.object() if attribute_node is not None else {}
        hidden = values.get(_OCCLUDED) in (True, "true")
        keys.append(Keyframe(frame, _box(feature), hidden, Source.IMPORTED))
        for name, value in values.items():
            if name != _OCCLUDED and isinstance(value, str | int | float | bool):
                changing.setdefault(name[:100], {})[str(frame)] = value
        goes_on = feature.has("interpolate") and feature.key("interpolate").flag()
        last = frame
    if last is None:
        raise node.fail("The track has no bounds.")
    keys.append(Keyframe(last + 1, None, source=Source.IMPORTED))
    label, score = _best(node)
    fixed = node.key("attributes").object() if node.has("attributes") else {}
    attributes: dict[str, Json] = {
        name[:100]: value
        for name, value in fixed.items()
        if isinstance(value, str | int | float | bool)
    }
    scores = {keys[0].frame: score} if score != 1.0 else {}
    return TrackContent(
        label, tuple(keys), str(node.key("id").whole()), {**attributes, **changing}, scores
    )


def _best(node: Node) -> tuple[str, float]:
    """Return the label with the highest confidence, and that."""
    best = ("", -1.0)
    for pair in node.key("confidencePairs").items():
        parts = pair.items()
        if len(parts) != 2:
            raise pair.fail("A pair has a label and a confidence.")
        score = float(parts[1].number())
        if score > best[1]:
            best = parts[0].text(), score
    return label_of(best[0]), best[1]


def _box(feature: Node) -> Box:
    sides = [float(side) for side in feature.key("bounds").numbers()]
    if len(sides) != 4 or any(abs(side) > MAX_PIXEL for side in sides):
        raise feature.fail("The bounds must be four numbers: left, top, right, bottom in pixels.")
    box = Box(*sides)
    if not box.is_valid:
        raise feature.fail("The bounds have no area.")
    return box


def _segment(node: Node) -> SegmentContent:
    begin, end = _frame(node, "begin"), _frame(node, "end")
    if end < begin:
        raise node.fail("The group ends before it begins.")
    label, score = _best(node)
    key = str(node.key("id").whole())
    kept = score if score != 1.0 else None
    return SegmentContent(Lane.ACTION, label, (begin, end + 1), None, key, kept)


def _frame(node: Node, key: str) -> int:
    frame = node.key(key).whole()
    if not 0 <= frame < MAX_FRAME:
        raise node.fail("The frame number is out of range.")
    return frame


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file of one video."""
    (video,) = videos
    n_frames = video.n_frames or 1
    tracks: dict[str, Json] = {}
    for number, track in enumerate(video.tracks, 1):
        features = list(_features(track, n_frames))
        if not features:
            continue
        fixed: dict[str, Json] = {
            name: value for name, value in track.attributes.items() if not isinstance(value, dict)
        }
        first, last = features[0]["frame"], features[-1]["frame"]
        tracks[str(number)] = {
            "id": number,
            "meta": {},
            "attributes": fixed,
            "confidencePairs": [[track.label, 1.0]],
            "begin": first,
            "end": last,
            "features": [*features],
        }
    groups: dict[str, Json] = {}
    actions = (s for s in video.segments if s.lane is Lane.ACTION and s.frames)
    for number, segment in enumerate(actions, 1):
        start, end = segment.frames or (0, 1)
        groups[str(number)] = {
            "id": number,
            "meta": {},
            "attributes": {},
            "confidencePairs": [[segment.label, 1.0]],
            "begin": start,
            "end": end - 1,
            "members": {},
        }
    body = {"version": _VERSION, "fps": video.rate or 30, "tracks": tracks, "groups": groups}
    yield json.dumps(body, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _features(track: TrackContent, n_frames: int) -> Iterator[dict[str, Json]]:
    keys = [key for key in track.keyframes if key.frame < n_frames]
    for i, key in enumerate(keys):
        if key.box is None:
            continue
        following = keys[i + 1] if i + 1 < len(keys) else None
        # A box that is held ends with a feature of its own.
        held = (following.frame if following is not None else n_frames) - 1
        is_held = (following is None or following.box is None) and held > key.frame
        goes_on = is_held or (following is not None and following.box is not None)
        yield _feature(track, key, key.frame, goes_on=goes_on)
        if is_held:
            yield _feature(track, key, held, goes_on=False)


def _feature(track: TrackContent, key: Keyframe, frame: int, *, goes_on: bool) -> dict[str, Json]:
    assert key.box is not None
    values: dict[str, Json] = {_OCCLUDED: True} if key.occluded else {}
    for name, kept in track.attributes.items():
        if isinstance(kept, dict):
            held = [value for at, value in changes_of(kept) if at <= frame]
            values |= {name: held[-1]} if held else {}
    x1, y1, x2, y2 = (round(side) for side in key.box.as_tuple())
    bounds: list[Json] = [x1, y1, max(x2, x1 + 1), max(y2, y1 + 1)]
    found: dict[str, Json] = {"frame": frame, "bounds": bounds, "keyframe": True}
    return {**found, "interpolate": goes_on, "attributes": values}


def _is_ours(head: bytes) -> bool:
    return b'"version"' in head and (b'"tracks"' in head or b'"confidencePairs"' in head)


FORMAT: Final = Format(
    "dive",
    "DIVE (JSON)",
    (".json",),
    "json",
    needs_videos=True,
    holds=("boxes", "actions"),
    losses=(BOXES_ONLY - {Loss.ACTIONS})
    | {Loss.OUT_OF_VIEW, Loss.HUMAN_KEYFRAMES, Loss.SUBPIXELS, Loss.IMAGE_SIZE, Loss.VARIABLE_RATE},
    source="Kitware DIVE, data formats, version 2",
    is_per_video=True,
    read=read,
    write=write,
    detect=_is_ours,
)
