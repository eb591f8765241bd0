"""COCO-VID, TAO and KWCOCO: boxes on the frames of videos, linked to tracks (JSON).

``frame_index`` counts from 0 (``frame_id`` of other writers, too). Masks are left out on reading;
their ``bbox`` counts. Images without an annotation of a track are out of view. What is written has
the keys of all three: names of images and tracks, times of images, frames per second of videos.
"""

from __future__ import annotations

import json
import math
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Final

from annotator.domain.checks import Finding
from annotator.domain.geometry import Box
from annotator.exchange.formats.base.document_conversion import boxes_on_frames, keyframes_of
from annotator.exchange.formats.base.file_content import PackedScores, TrackContent, VideoContent
from annotator.exchange.formats.base.format import BOXES_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import MAX_FRAME, MAX_PIXEL, label_of
from annotator.exchange.json_stream import lists_of
from annotator.exchange.node import Node

_NO_CATEGORY: Final = -1
_CHUNK: Final = 1 << 20
_LISTS: Final = ("videos", "images", "annotations")


class _Rows:
    """The annotations of a file, packed, in its order: images may be listed after them."""

    def __init__(self) -> None:
        self.images, self.categories, self.tracks = array("q"), array("q"), array("q")
        self.sides, self.scores, self.hidden = array("d"), array("d"), bytearray()
        self.identities: dict[int | str, int] = {}
        self.n_masks = 0

    def add(self, each: Node) -> None:
        """Store an annotation; ExchangeError if it is invalid."""
        told = next((each.key(k) for k in ("track_id", "instance_id") if each.has(k)), None)
        own = _identity(told) if told is not None else f"box {len(self.images)}"
        is_open = not each.has("category_id") or each.key("category_id").value is None
        self.images.append(each.key("image_id").whole())
        self.tracks.append(self.identities.setdefault(own, len(self.identities)))
        self.categories.append(_NO_CATEGORY if is_open else each.key("category_id").whole())
        self.sides.extend(_box(each).as_tuple())
        self.hidden.append(each.has("occluded") and each.key("occluded").value in (True, 1))
        self.scores.append(float(each.key("score").number()) if each.has("score") else math.nan)
        self.n_masks += each.has("segmentation") and bool(each.key("segmentation").value)

    def row(self, i: int, frame: int) -> tuple[int, Box, bool]:
        """Return frame, box and whether it is occluded."""
        return frame, Box(*self.sides[4 * i : 4 * i + 4]), bool(self.hidden[i])

    def score(self, i: int) -> float | None:
        return None if math.isnan(self.scores[i]) else self.scores[i]


class _Images:
    """Video and frame of each image."""

    def __init__(self) -> None:
        self._places: dict[int, int] = {}
        self._videos, self._frames = array("q"), array("q")

    def add(self, image: Node) -> None:
        """Store an image; ExchangeError if it is invalid."""
        frame = image.key("frame_index" if image.has("frame_index") else "frame_id").whole()
        if not 0 <= frame <= MAX_FRAME:
            raise image.fail("The frame number is out of range.")
        self._places[image.key("id").whole()] = len(self._videos)
        self._videos.append(image.key("video_id").whole())
        self._frames.append(frame)

    def videos(self) -> Sequence[int]:
        """Return the video of each image, in the order of the file."""
        return self._videos

    def place(self, image: int) -> tuple[int, int] | None:
        """Return video and frame of an image; None where there is no such image."""
        at = self._places.get(image)
        return None if at is None else (self._videos[at], self._frames[at])


def read(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError names the JSON path of the first fault.

    The lists may come in any order. An annotation takes about 70 bytes of memory.
    """
    names: dict[int, str] = {}
    videos: dict[int, Node] = {}
    images, rows = _Images(), _Rows()
    root = Node(None, path.name)
    seen = set()
    for key, elements in lists_of(path):
        seen.add(key)
        for element in elements:
            if key == "categories":
                names[element.key("id").whole()] = label_of(element.key("name").text())
            elif key == "videos":
                videos[element.key("id").whole()] = element
            elif key == "images":
                images.add(element)
            elif key == "annotations":
                rows.add(element)
    missing = [key for key in _LISTS[:2] if key not in seen]
    if missing:
        raise root.fail(f"The list “{missing[0]}” is missing.")
    for i, video in enumerate(images.videos()):
        if video not in videos:
            image = Node(None, i, Node(None, "images", root))
            raise image.fail(f"There is no video with the ID {video}.")
    tracks = _tracks(rows, images, names, Node(None, "annotations", root))
    findings = []
    if rows.n_masks:
        text = f"{rows.n_masks} masks were not imported; their boxes were."
        findings.append(Finding("lost-mask", path.name, text))
    identities = list(rows.identities)
    read_videos = []
    for number, node in videos.items():
        own = tracks.pop(number, {})
        read_video = _video(number, node, own, rows, images, names, identities)
        read_videos.append(replace(read_video, findings=tuple(findings)))
    return read_videos


def _tracks(
    rows: _Rows, images: _Images, names: Mapping[int, str], annotations: Node
) -> dict[int, dict[tuple[int, int], array[int]]]:
    """Return, by video, then by track and category, which rows are its own."""
    found: dict[int, dict[tuple[int, int], array[int]]] = {}
    for i, image in enumerate(rows.images):
        place, category = images.place(image), rows.categories[i]
        if place is None:
            text = f"There is no image with the ID {image}."
            raise Node(None, i, annotations).fail(text)
        if category not in names and category != _NO_CATEGORY:
            text = f"There is no category with the ID {category}."
            raise Node(None, i, annotations).fail(text)
        own = found.setdefault(place[0], {})
        own.setdefault((rows.tracks[i], category), array("q")).append(i)
    return found


def _video(
    number: int,
    node: Node,
    own: Mapping[tuple[int, int], array[int]],
    rows: _Rows,
    images: _Images,
    names: Mapping[int, str],
    identities: Sequence[int | str],
) -> VideoContent:
    video_name = next(
        (node.key(k).text() for k in ("name", "file_name") if node.has(k)), str(number)
    )
    name = PurePosixPath(video_name.replace("\\", "/")).name
    stem = name.rpartition(".")[0] if name[-5:-1].count(".") else name
    size = None
    if node.has("width") and node.has("height"):
        size = (node.key("width").whole(), node.key("height").whole())
    n_frames = None
    for key in ("length", "num_frames", "n_frames"):
        if node.has(key):
            n_frames = node.key(key).whole()
    tracks = []
    for (track, category), listed in own.items():
        frames = [place[1] for i in listed if (place := images.place(rows.images[i])) is not None]
        identity = str(identities[track])
        if len(set(frames)) != len(frames):
            raise node.fail(f"Track {identity} has two boxes on one frame.")
        keys = keyframes_of([rows.row(i, f) for i, f in zip(listed, frames, strict=True)], n_frames)
        scored = ((f, rows.score(i)) for i, f in zip(listed, frames, strict=True))
        scores = PackedScores((f, score) for f, score in scored if score is not None)
        tracks.append(TrackContent(names.get(category, "unlabeled"), keys, identity, {}, scores))
    rate = None
    for key in ("annotation_fps", "fps"):
        if node.has(key) and node.key(key).value is not None:
            rate = float(node.key(key).number())
    return VideoContent(stem, node.path, tuple(tracks), (), (), size, n_frames, rate)


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


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file: dense boxes, IDs from 1, unique over the file.

    Images and tracks wait in temporary files until the annotations are written.
    """
    categories: dict[str, int] = {}
    listed: list[dict[str, object]] = []
    n_tracks = n_images = n_boxes = 0
    with tempfile.TemporaryFile() as images, tempfile.TemporaryFile() as tracks:
        yield b'{\n"info": {"description": "Exported by annotator"},\n"annotations": ['
        for video_id, video in enumerate(videos, 1):
            width, height = video.size or (0, 0)
            n_frames = video.n_frames or 0
            facts: dict[str, object] = {"id": video_id, "name": video.file_name or video.name}
            listed.append({**facts, "width": width, "height": height, "length": n_frames})
            if video.rate:
                listed[-1]["annotation_fps"] = video.rate
            used: set[int] = set()
            for track in video.tracks:
                n_tracks += 1
                category = categories.setdefault(track.label, len(categories) + 1)
                track_entry: dict[str, object] = {
                    "id": n_tracks,
                    "name": f"{track.label} {n_tracks}",
                }
                tracks.write(_line({**track_entry, "category_id": category, "video_id": video_id}))
                for frame, box, hidden in boxes_on_frames(track, n_frames):
                    used.add(frame)
                    n_boxes += 1
                    row = {
                        "id": n_boxes,
                        "image_id": n_images + frame + 1,
                        "video_id": video_id,
                        "track_id": n_tracks,
                        "category_id": category,
                        "bbox": [round(v, 3) for v in (box.x1, box.y1, box.width, box.height)],
                        "area": round(box.width * box.height, 3),
                        "iscrowd": 0,
                        "occluded": hidden,
                    }
                    yield _line(row, is_first=n_boxes == 1)
            for frame in sorted(used):
                name = f"{video.name}/{frame:06}.jpg"
                image: dict[str, object] = {"id": n_images + frame + 1, "video_id": video_id}
                image |= {"file_name": name, "name": name, "frame_index": frame}
                image |= {"width": width, "height": height}
                if video.times_us:
                    image["timestamp"] = video.times_us[frame] / 1e6
                images.write(_line(image))
            n_images += n_frames
        yield b"\n]"
        for key, file in (("images", images), ("tracks", tracks)):
            yield f',\n"{key}": ['.encode()
            file.seek(1)  # after the first comma
            yield from iter(partial(file.read, _CHUNK), b"")
            yield b"\n]"
    named: list[dict[str, object]] = [{"id": n, "name": name} for name, n in categories.items()]
    for key, rows in (("videos", listed), ("categories", named)):
        yield f',\n"{key}": ['.encode()
        for i, line in enumerate(rows):
            yield _line(line, is_first=i == 0)
        yield b"\n]"
    yield b"\n}\n"


def _line(value: dict[str, object], *, is_first: bool = False) -> bytes:
    """Return an element of a list, after a comma but for the first."""
    return f"{'' if is_first else ','}\n{json.dumps(value, ensure_ascii=False)}".encode()


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
    losses=BOXES_ONLY | {Loss.OUT_OF_VIEW, Loss.HUMAN_KEYFRAMES, Loss.ATTRIBUTES},
    source="COCO; TAO annotation format (TrackEval); KWCOCO 0.9",
    read=read,
    write=write,
    detect=_is_ours,
)
