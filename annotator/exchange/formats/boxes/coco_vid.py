"""COCO-VID, TAO and KWCOCO: boxes on the frames of videos, linked to tracks (JSON).

``frame_index`` counts from 0 (``frame_id`` of other writers, too). Masks are left out on reading;
their ``bbox`` counts. Images without an annotation of a track are out of view. What is written has
the keys of all three: names of images and tracks, times of images, frames per second of videos.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from annotator.domain.checks import Finding
from annotator.domain.geometry import Box
from annotator.exchange.formats.base.content import TrackContent, VideoContent
from annotator.exchange.formats.base.converting import boxes_on_frames, keyframes_of
from annotator.exchange.formats.base.format import Format
from annotator.exchange.formats.base.losses import BOXES_ONLY
from annotator.exchange.formats.base.plain_files import MAX_FRAME, MAX_PIXEL, label_of
from annotator.exchange.json_value import read_value
from annotator.exchange.node import Node

_NO_CATEGORY: Final = -1
_Rows = dict[tuple[int | str, int], list[tuple[int, Box, bool]]]


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError names the JSON path of the first fault."""
    whole = read_value(path)
    names = {
        c.key("id").whole(): label_of(c.key("name").text()) for c in _list(whole, "categories")
    }
    videos = {v.key("id").whole(): v for v in whole.key("videos").items()}
    images: dict[int, tuple[int, int]] = {}
    for image in whole.key("images").items():
        key = "frame_index" if image.has("frame_index") else "frame_id"
        frame, video = image.key(key).whole(), image.key("video_id").whole()
        if not 0 <= frame <= MAX_FRAME:
            raise image.fail("The frame number is out of range.")
        if video not in videos:
            raise image.fail(f"There is no video with the ID {video}.")
        images[image.key("id").whole()] = (video, frame)
    rows: dict[int, _Rows] = {video: {} for video in videos}
    scores: dict[tuple[int, int | str, int], dict[int, float]] = {}
    n_masks = 0
    for i, each in enumerate(_list(whole, "annotations")):
        image_id = each.key("image_id").whole()
        if image_id not in images:
            raise each.fail(f"There is no image with the ID {image_id}.")
        video, frame = images[image_id]
        track = next(
            (_identity(each.key(k)) for k in ("track_id", "instance_id") if each.has(k)), f"box {i}"
        )
        is_open = not each.has("category_id") or each.key("category_id").value is None
        category = _NO_CATEGORY if is_open else each.key("category_id").whole()
        if category not in names and not is_open:
            raise each.fail(f"There is no category with the ID {category}.")
        hidden = each.has("occluded") and each.key("occluded").value in (True, 1)
        n_masks += each.has("segmentation") and bool(each.key("segmentation").value)
        known = rows[video].setdefault((track, category), [])
        if known and known[-1][0] == frame:
            raise each.fail(f"Track {track} has two boxes on frame {frame}.")
        known.append((frame, _box(each), bool(hidden)))
        if each.has("score"):
            score = float(each.key("score").number())
            scores.setdefault((video, track, category), {})[frame] = score
    findings = []
    if n_masks:
        text = f"{n_masks} masks were not imported; their boxes were."
        findings.append(Finding("lost-msk", path.name, text))
    return [
        _video(video, node, rows[video], names, scores, findings) for video, node in videos.items()
    ]


def _video(
    number: int,
    node: Node,
    rows: _Rows,
    names: dict[int, str],
    scores: Mapping[tuple[int, int | str, int], dict[int, float]],
    findings: list[Finding],
) -> VideoContent:
    told = next((node.key(k).text() for k in ("name", "file_name") if node.has(k)), str(number))
    name = PurePosixPath(told.replace("\\", "/")).name
    stem = name.rpartition(".")[0] if name[-5:-1].count(".") else name
    size = None
    if node.has("width") and node.has("height"):
        size = (node.key("width").whole(), node.key("height").whole())
    n_frames = None
    for key in ("length", "num_frames", "n_frames"):
        if node.has(key):
            n_frames = node.key(key).whole()
    tracks = []
    for (track, category), boxes in rows.items():
        if len({frame for frame, _, _ in boxes}) != len(boxes):
            raise node.fail(f"Track {track} has two boxes on one frame.")
        keys = keyframes_of(boxes, n_frames)
        sure = scores.get((number, track, category), {})
        label = names.get(category, "unlabeled")
        tracks.append(TrackContent(label, keys, str(track), {}, sure))
    rate = None
    for key in ("annotation_fps", "fps"):
        if node.has(key) and node.key(key).value is not None:
            rate = float(node.key(key).number())
    return VideoContent(
        stem, node.path, tuple(tracks), (), (), size, n_frames, rate, tuple(findings)
    )


def _identity(node: Node) -> int | str:
    return label_of(node.text()) if isinstance(node.value, str) else node.whole()


def _box(node: Node) -> Box:
    sides = [float(side.number()) for side in node.key("bbox").items()]
    if len(sides) != 4 or any(abs(side) > MAX_PIXEL for side in sides):
        raise node.fail("A box has four numbers: left, top, width, height in pixels.")
    left, top, width, height = sides
    if width <= 0 or height <= 0:
        raise node.fail("The box has no area.")
    return Box(left, top, left + width, top + height)


def _list(node: Node, key: str) -> list[Node]:
    return node.key(key).items() if node.has(key) else []


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file: dense boxes, IDs from 1, unique over the file."""
    categories: dict[str, int] = {}
    listed: list[dict[str, object]] = []
    tracks: list[dict[str, object]] = []
    images: list[dict[str, object]] = []
    yield b'{\n"info": {"description": "Exported by annotator"},\n"annotations": ['
    n_images = n_boxes = 0
    for video_id, video in enumerate(videos, 1):
        width, height = video.size or (0, 0)
        n_frames = video.n_frames or 0
        facts: dict[str, object] = {"id": video_id, "name": video.file_name or video.name}
        listed.append({**facts, "width": width, "height": height, "length": n_frames})
        if video.rate:
            listed[-1]["annotation_fps"] = video.rate
        used: set[int] = set()
        for track in video.tracks:
            track_id = len(tracks) + 1
            category = categories.setdefault(track.label, len(categories) + 1)
            told: dict[str, object] = {"id": track_id, "name": f"{track.label} {track_id}"}
            tracks.append({**told, "category_id": category, "video_id": video_id})
            for frame, box, hidden in boxes_on_frames(track, n_frames):
                used.add(frame)
                n_boxes += 1
                row = {
                    "id": n_boxes,
                    "image_id": n_images + frame + 1,
                    "video_id": video_id,
                    "track_id": track_id,
                    "category_id": category,
                    "bbox": [round(v, 3) for v in (box.x1, box.y1, box.width, box.height)],
                    "area": round(box.width * box.height, 3),
                    "iscrowd": 0,
                    "occluded": hidden,
                }
                yield f"{',' if n_boxes > 1 else ''}\n{json.dumps(row)}".encode()
        for frame in sorted(used):
            name = f"{video.name}/{frame:06}.jpg"
            image: dict[str, object] = {"id": n_images + frame + 1, "video_id": video_id}
            images.append({**image, "file_name": name, "name": name, "frame_index": frame})
            images[-1] |= {"width": width, "height": height}
            if video.times_us:
                images[-1]["timestamp"] = video.times_us[frame] / 1e6
        n_images += n_frames
    yield b"\n]"
    named = [{"id": number, "name": name} for name, number in categories.items()]
    for key, rows in (
        ("videos", listed),
        ("images", images),
        ("tracks", tracks),
        ("categories", named),
    ):
        yield f',\n"{key}": ['.encode()
        for i, line in enumerate(rows):
            yield f"{',' if i else ''}\n{json.dumps(line, ensure_ascii=False)}".encode()
        yield b"\n]"
    yield b"\n}\n"


def _is_ours(head: bytes) -> bool:
    is_activitynet = b'"database"' in head or b'"results"' in head
    is_object = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"
    return (
        is_object
        and not is_activitynet
        and not any(key in head for key in (b'"file_names"', b'"segmentations"', b'"sequences"'))
        and any(key in head for key in (b'"videos"', b'"images"', b'"annotations"'))
    )


FORMAT: Final = Format(
    "coco-vid",
    "COCO-VID, TAO and KWCOCO (JSON)",
    (".json",),
    "json",
    needs_videos=True,
    holds=("boxes",),
    is_dense=True,
    losses=BOXES_ONLY | {"OUT", "KEY", "TAT"},
    source="COCO; TAO annotation format (TrackEval); KWCOCO 0.9",
    read=read,
    write=write,
    detect=_is_ours,
)
