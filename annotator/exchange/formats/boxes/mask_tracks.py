"""YouTube-VIS and BURST: object masks on the frames of videos; their bounding boxes are read.

Frame numbers are those in the names of the images, or their place in the list of all images. The
box of a mask is ``[left, top, right + 1, bottom + 1]`` in pixels.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Final

from annotator.domain.checks import Finding
from annotator.domain.geometry import Box
from annotator.exchange.formats.base.document_conversion import keyframes_of
from annotator.exchange.formats.base.file_content import (
    PackedKeyframes,
    PackedScores,
    TrackContent,
    VideoContent,
)
from annotator.exchange.formats.base.format import Format
from annotator.exchange.formats.base.plain_files import MAX_FRAME, MAX_PIXEL, label_of
from annotator.exchange.json_stream import lists_of
from annotator.exchange.node import Node

_DIGITS: Final = re.compile(r"(\d{1,9})(?=\.\w+\Z|\Z)")
_MAX_SIDE: Final = 1 << 15
_Rows = list[tuple[int, Box, bool]]


def read_youtube_vis(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError names the JSON path of the first fault."""
    first = _first_lists(path, ("videos", "categories"))
    names = _categories(first["categories"])
    frames: dict[int, list[int]] = {}
    videos: dict[int, Node] = {}
    for video in first["videos"]:
        number = video.key("id").whole()
        videos[number] = video
        frames[number] = [_frame(n.text(), n) for n in video.key("file_names").items()]
    tracks: dict[int, list[TrackContent]] = {number: [] for number in videos}
    for i, element in enumerate(_elements(path, "annotations")):
        number = element.key("video_id").whole()
        if number not in videos:
            raise element.fail(f"There is no video with the ID {number}.")
        category = element.key("category_id").whole()
        if category not in names:
            raise element.fail(f"There is no category with the ID {category}.")
        size = _size(videos[number])
        masks = element.key("segmentations").items()
        if len(masks) != len(frames[number]):
            raise element.fail(f"{len(masks)} masks for {len(frames[number])} images.")
        rows: _Rows = []
        for frame, mask in zip(frames[number], masks, strict=True):
            box = _box_of(mask, size) if mask.value is not None else None
            if box is not None:
                rows.append((frame, box, False))
        score = float(element.key("score").number()) if element.has("score") else None
        key = str(element.key("id").whole()) if element.has("id") else str(i)
        if rows:
            tracks[number].append(
                _track(element, names[category], key, rows, frames[number], score)
            )
    return [_video(node, tracks[number], _name(node)) for number, node in videos.items()]


def read_burst(path: Path) -> list[VideoContent]:
    """Return the videos of a file; ExchangeError names the JSON path of the first fault."""
    names = _categories(_first_lists(path, ("categories",))["categories"])
    videos = []
    for sequence in _elements(path, "sequences"):
        every = {n.text(): i for i, n in enumerate(sequence.key("all_image_paths").items())}
        image_paths = sequence.key("annotated_image_paths").items()
        frames = []
        for name in image_paths:
            if name.text() not in every:
                raise name.fail("The image is not in the list of all images.")
            frames.append(every[name.text()])
        size = _size(sequence)
        rows: dict[str, _Rows] = {}
        scores: dict[str, dict[int, float]] = {}
        listed = sequence.key("segmentations").items()
        if len(listed) != len(frames):
            raise sequence.fail(f"{len(listed)} sets of masks for {len(frames)} images.")
        for frame, masks in zip(frames, listed, strict=True):
            for key in masks.object():
                mask = masks.key(key)
                rle = Node(
                    {"size": [size[1], size[0]], "counts": mask.key("rle").value}, "rle", mask
                )
                box = _box_of(rle, size)
                if box is None:
                    continue
                rows.setdefault(key, []).append((frame, box, False))
                if mask.has("score") and not (mask.has("is_gt") and mask.key("is_gt").flag()):
                    scores.setdefault(key, {})[frame] = float(mask.key("score").number())
        categories = sequence.key("track_category_ids")
        tracks = []
        for key, own in rows.items():
            category = categories.key(key)
            if category.whole() not in names:
                raise category.fail(f"There is no category with the ID {category.whole()}.")
            label = names[category.whole()]
            track = _track(sequence, label, key, own, frames, None)
            scored = scores.get(key, {})
            tracks.append(TrackContent(label, track.keyframes, key, {}, scored))
        videos.append(_video(sequence, tracks, _name(sequence), len(every)))
    return videos


def _video(
    node: Node, tracks: Sequence[TrackContent], name: str, n_frames: int | None = None
) -> VideoContent:
    findings: tuple[Finding, ...] = ()
    if tracks:
        text = "Masks were imported as their bounding boxes."
        findings = (Finding("lost-mask", node.path, text),)
    rate = float(node.key("fps").number()) if node.has("fps") else None
    return VideoContent(
        name,
        node.path,
        tuple(tracks),
        size=_size(node),
        n_frames=n_frames,
        rate=rate,
        findings=findings,
    )


def _track(
    node: Node,
    label: str,
    key: str,
    rows: _Rows,
    frames: Sequence[int],
    score: float | None,
) -> TrackContent:
    """Return a track: between annotated images it moves evenly, where it is on both of them."""
    if len({frame for frame, _, _ in rows}) != len(rows):
        raise node.fail("Two images have the same frame number.")
    order = sorted(set(frames))
    place = {frame: i for i, frame in enumerate(order)}
    # Thinned among the annotated images, then put back on their frames.
    ranked = [(place[frame], box, hidden) for frame, box, hidden in rows]
    steps = {b - a for a, b in pairwise(order)}
    is_even = len(steps) <= 1
    keys = []
    keyframes = keyframes_of(ranked, None) if is_even else keyframes_of(sorted(rows), None)
    for keyframe in keyframes:
        frame = keyframe.frame
        if is_even:
            step = min(steps, default=1)
            frame = order[frame] if frame < len(order) else order[-1] + step
        keys.append(type(keyframe)(frame, keyframe.box, keyframe.occluded, keyframe.source))
    scores = PackedScores((frame, score) for frame, _, _ in rows if score is not None)
    return TrackContent(label, PackedKeyframes(keys), key, {}, scores)


def _first_lists(path: Path, keys: Collection[str]) -> dict[str, list[Node]]:
    """Return the elements of some lists, which usually stand before the large ones."""
    found: dict[str, list[Node]] = {}
    for key, elements in lists_of(path):
        if key in keys:
            found[key] = list(elements)
        if len(found) == len(keys):
            return found
    missing = next(key for key in keys if key not in found)
    raise Node(None, path.name).fail(f"The list “{missing}” is missing.")


def _elements(path: Path, name: str) -> Iterator[Node]:
    """Yield the elements of one list, and read the file to its end."""
    is_there = False
    for key, elements in lists_of(path):
        if key == name:
            is_there = True
            yield from elements
    if not is_there:
        raise Node(None, path.name).fail(f"The list “{name}” is missing.")


def _categories(listed: Iterable[Node]) -> dict[int, str]:
    return {c.key("id").whole(): label_of(c.key("name").text()) for c in listed}


def _size(node: Node) -> tuple[int, int]:
    size = (node.key("width").whole(), node.key("height").whole())
    if not all(0 < side <= _MAX_SIDE for side in size):
        raise node.fail("The image size is out of range.")
    return size


def _name(node: Node) -> str:
    if node.has("seq_name"):
        return PurePosixPath(node.key("seq_name").text().replace("\\", "/")).name
    first = next(iter(node.key("file_names").items()), None)
    if first is not None and "/" in first.text():
        return PurePosixPath(first.text()).parent.name
    return str(node.key("id").whole())


def _frame(name: str, node: Node) -> int:
    match = _DIGITS.search(name)
    if match is None:
        raise node.fail("The image name does not contain a frame number.")
    frame = int(match[1])
    if frame > MAX_FRAME:
        raise node.fail("The frame number is out of range.")
    return frame


def _box_of(mask: Node, size: tuple[int, int]) -> Box | None:
    """Return the box of a mask or of polygons; None where it is empty."""
    if isinstance(mask.value, list):
        sides = [[float(v.number()) for v in part.items()] for part in mask.items()]
        if any(len(part) % 2 for part in sides):
            raise mask.fail("A polygon has pairs of numbers.")
        x = [value for part in sides for value in part[::2]]
        y = [value for part in sides for value in part[1::2]]
        if not x or any(abs(value) > MAX_PIXEL for value in (*x, *y)):
            return None
        box = Box(min(x), min(y), max(x), max(y))
        return box if box.width > 0 and box.height > 0 else None
    mask_size = [side.whole() for side in mask.key("size").items()]
    if mask_size != [size[1], size[0]]:
        raise mask.fail(f"The mask is not {size[0]} x {size[1]} pixels.")
    counts = mask.key("counts")
    runs = counts.wholes() if isinstance(counts.value, list) else _decoded(counts)
    if any(run < 0 for run in runs) or sum(runs) > size[0] * size[1]:
        raise counts.fail("The mask has more pixels than the image.")
    return _box_of_runs(runs, size[1])


def _box_of_runs(runs: Sequence[int], height: int) -> Box | None:
    """Return the box of runs of pixels without and with the object in turn, column by column."""
    at = 0
    left = top = _MAX_SIDE
    right = bottom = -1
    for i, run in enumerate(runs):
        if i % 2 and run:
            first, last = divmod(at, height), divmod(at + run - 1, height)
            left, right = min(left, first[0]), max(right, last[0])
            is_over = last[0] > first[0]
            top = 0 if is_over else min(top, first[1])
            bottom = height - 1 if is_over else max(bottom, last[1])
        at += run
    return Box(left, top, right + 1, bottom + 1) if right >= 0 else None


def _decoded(node: Node) -> list[int]:
    """Return the runs of a compressed mask: five bits a letter, the lowest first, each run from the
    third on as the difference to the one before the last.
    """
    runs: list[int] = []
    value = shift = 0
    for letter in node.text():
        bits = ord(letter) - 48
        if not 0 <= bits < 64 or shift > 30:
            raise node.fail("The mask cannot be decoded.")
        value |= (bits & 31) << shift
        shift += 5
        if bits & 32:
            continue
        if bits & 16:
            value -= 1 << shift
        runs.append(value + (runs[-2] if len(runs) > 2 else 0))
        value = shift = 0
    if shift:
        raise node.fail("The mask is cut off.")
    return runs


YOUTUBE_VIS: Final = Format(
    "youtube-vis",
    "YouTube-VIS masks (JSON)",
    (".json",),
    "json",
    needs_videos=True,
    holds=("boxes",),
    is_dense=True,
    source="YouTube-VIS API",
    read=read_youtube_vis,
    writes=False,
    detect=lambda head: (
        b'"file_names"' in head or (b'"segmentations"' in head and (b'"sequences"' not in head))
    ),
)
BURST: Final = Format(
    "burst",
    "BURST masks (JSON)",
    (".json",),
    "json",
    needs_videos=True,
    holds=("boxes",),
    is_dense=True,
    source="BURST benchmark",
    read=read_burst,
    writes=False,
    detect=lambda head: b'"sequences"' in head or b'"neg_category_ids"' in head,
)
