"""Datumaro JSON: boxes and points on frames, written as images of a subset.

Attributes are those of its CVAT reader: ``track_id``, ``occluded``, ``outside``, ``keyframe``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from annotator.exchange.formats.base.document_conversion import boxes_on_frames
from annotator.exchange.formats.base.file_content import VideoContent
from annotator.exchange.formats.base.format import BOXES_ONLY, Format, Loss

_HIDDEN: Final = 1
_VISIBLE: Final = 2


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file: an item for each frame with boxes or points, its frame number in ``attr``."""
    labels: dict[str, int] = {}
    yield b'{"dm_format_version": "1.0", "media_type": 2, "infos": {},\n"items": ['
    is_first = True
    for video in videos:
        for frame, entries in sorted(_frames(video, labels).items()):
            name = f"{video.name}_{frame:06}"
            width, height = video.size or (0, 0)
            item = {
                "id": name,
                "annotations": [{"id": i, **entry} for i, entry in enumerate(entries)],
                "attr": {"frame": frame},
                "image": {"path": f"{name}.jpg", "size": [height, width]},
            }
            body = json.dumps(item, ensure_ascii=False, allow_nan=False)
            yield f"{'' if is_first else ','}\n{body}".encode()
            is_first = False
    names = [{"name": name, "parent": "", "attributes": []} for name in labels]
    categories = {"label": {"labels": names, "label_groups": [], "attributes": []}}
    yield f'\n],\n"categories": {json.dumps(categories, ensure_ascii=False)}\n}}\n'.encode()


def _frames(video: VideoContent, labels: dict[str, int]) -> dict[int, list[dict[str, object]]]:
    """Return the boxes and points of each frame."""
    entries_of: dict[int, list[dict[str, object]]] = {}
    for number, track in enumerate(video.tracks, 1):
        label = labels.setdefault(track.label, len(labels))
        keys = {key.frame for key in track.keyframes}
        for frame, box, hidden in boxes_on_frames(track, video.n_frames or 0):
            sides = [round(v, 3) for v in (box.x1, box.y1, box.width, box.height)]
            attributes: dict[str, object] = {"track_id": number, "occluded": hidden}
            attributes |= {"outside": False, "keyframe": frame in keys}
            entries_of.setdefault(frame, []).append(_shape("bbox", label, attributes, bbox=sides))
    for number, point in enumerate(video.points, len(video.tracks) + 1):
        label = labels.setdefault(point.label, len(labels))
        for frame, place in point.places.items():
            xy = [round(place.x, 3), round(place.y, 3)] if place is not None else [0.0, 0.0]
            entry: dict[str, object] = {"track_id": number, "occluded": place is None}
            visibility = [_VISIBLE if place is not None else _HIDDEN]
            shape = _shape("points", label, entry, points=xy, visibility=visibility)
            entries_of.setdefault(frame, []).append(shape)
    return entries_of


def _shape(
    kind: str, label: int, attributes: dict[str, object], **more: object
) -> dict[str, object]:
    return {
        "type": kind,
        "label_id": label,
        "attributes": attributes,
        "group": 0,
        "z_order": 0,
        **more,
    }


FORMAT: Final = Format(
    "datumaro",
    "Datumaro (JSON)",
    (".json",),
    "json",
    holds=("boxes", "points"),
    is_dense=True,
    losses=(BOXES_ONLY - {Loss.POINTS, Loss.OCCLUDED_POINTS})
    | {Loss.OUT_OF_VIEW, Loss.FRAME_RATE, Loss.VARIABLE_RATE, Loss.ATTRIBUTES},
    source="Datumaro 1.13, own format",
    write=write,
    reads=False,
)
