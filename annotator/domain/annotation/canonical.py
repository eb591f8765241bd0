"""Canonical JSON: the same content always gives the same bytes, so that a hash can name it.

Keys ascend by code point, there is no white space, text is UTF-8 as it is. A number that is whole
is written without fraction ("3", also for 3.0 and -0.0), every other float as the shortest decimal
that reads back as the same double. NaN and infinities have no place.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from annotator.domain.annotation.comment import Comment, Pin
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_path import PointPath, PointRun
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.answer_codec import answer_plain
from annotator.domain.json_type import Json

Plain: TypeAlias = "bool | int | float | str | Sequence[Plain] | Mapping[str, Plain] | None"

_WHOLE_LIMIT = 2.0**53


def canonical_bytes(value: Plain) -> bytes:
    """Return the one encoding of a value made of mappings, sequences, text, numbers and None.

    Raises ValueError for NaN, infinities and text that is not Unicode (lone surrogates), TypeError
    for anything else.
    """
    return _text(value).encode("utf-8")


def content_id(body: bytes) -> str:
    """Return the name of canonical bytes: their SHA-256 in 64 hexadecimal digits."""
    return hashlib.sha256(body).hexdigest()


def document_value(document: Document) -> dict[str, Json]:
    """Return what a document says of its video's objects, points and segments, in a fixed order,
    what people have said about them, and what was answered.

    What belongs to the view alone (locked, hidden) stays out, as does what is not there: a document
    without points has no "points", a keyframe whose gap nobody has judged no "settled". Nor does it
    have what a model proposed and nobody accepted.
    """
    document = document.decided()
    video = document.video
    n_frames = video.n_frames + video.n_hidden
    value: dict[str, Json] = {
        "video": {"width": video.width, "height": video.height, "n_frames": n_frames},
        "tracks": [_track(t) for t in sorted(document.tracks, key=lambda t: t.id)],
        "segments": [_segment(s) for s in sorted(document.segments, key=lambda s: s.id)],
    }
    if document.points:
        value["points"] = [_point(p) for p in sorted(document.points, key=lambda p: p.id)]
    if document.comments:
        value["comments"] = [_comment(c) for c in sorted(document.comments, key=lambda c: c.id)]
    if document.answers:
        value["answers"] = [answer_plain(document.answers[key]) for key in sorted(document.answers)]
    return value


def _track(track: Track) -> dict[str, Json]:
    info = track.info
    judged: dict[str, Json] = {"is_begin_settled": True} if info.is_begin_settled else {}
    return {
        **judged,
        "id": info.id,
        "label": info.label,
        "number": info.number,
        "color": info.color,
        "parent_id": info.parent_id,
        "attributes": info.attributes,
        "extra": info.extra,
        "keyframes": [_keyframe(k) for k in track.keyframes],
    }


def _keyframe(key: Keyframe) -> dict[str, Json]:
    judged: dict[str, Json] = {"settled": True} if key.settled else {}
    return {
        **judged,
        "frame": key.frame,
        "box": list(key.box.as_tuple()) if key.box is not None else None,
        "occluded": key.occluded,
        "source": key.source.value,
    }


def _point(point: PointTrack) -> dict[str, Json]:
    info = point.info
    return {
        "id": info.id,
        "track_id": info.track_id,
        "label": info.label,
        "number": info.number,
        "color": info.color,
        "extra": info.extra,
        "runs": [_run(run) for run in _stretches(point.path)],
    }


def _run(run: PointRun) -> dict[str, Json]:
    """Return marks of consecutive frames: places as float64 (x, y), flags as one byte each.

    Both are little-endian in base64; a missing place is the quiet NaN 7ff8000000000000.
    """
    xy = np.where(np.isnan(run.xy), np.nan, run.xy) + 0.0  # a negative zero is the same place
    return {
        "start": run.start,
        "flags": base64.b64encode(run.flags.tobytes()).decode("ascii"),
        "xy": base64.b64encode(xy.astype("<f8").tobytes()).decode("ascii"),
    }


def _stretches(path: PointPath) -> list[PointRun]:
    """Return the stretches of frames that all have a mark, ascending."""
    frames = path.frames()
    cuts = np.flatnonzero(np.diff(frames) > 1) + 1
    parts = np.split(frames, cuts) if len(frames) else []
    return [path.run(int(part[0]), int(part[-1]) + 1) for part in parts]


def _segment(segment: Segment) -> dict[str, Json]:
    times = {"start_us": segment.start_us, "end_us": segment.end_us}
    return {
        **{name: time for name, time in times.items() if time is not None},
        "id": segment.id,
        "lane": segment.lane.value,
        "label": segment.label,
        "label_id": segment.label_id,
        "start": segment.start,
        "end": segment.end,
        "slots": list(segment.slots),
        "is_visible": segment.is_visible,
        "extra": segment.extra,
    }


def _comment(comment: Comment) -> dict[str, Json]:
    edited: dict[str, Json] = {}
    if comment.edited_at is not None:
        edited["edited_at"] = comment.edited_at
    return {
        **edited,
        "id": comment.id,
        "author_id": comment.author_id,
        "at": comment.at,
        "text": comment.text,
        "pin": _pin(comment.pin),
        "parent_id": comment.parent_id,
        "is_resolved": comment.is_resolved,
    }


def _pin(pin: Pin) -> dict[str, Json]:
    """Return what a pin names, nothing for the task as a whole."""
    value: dict[str, Json] = {
        "frame": pin.frame,
        "span": list(pin.span) if pin.span is not None else None,
        "track_id": pin.track_id,
        "segment_id": pin.segment_id,
        "point_id": pin.point_id,
    }
    return {name: each for name, each in value.items() if each is not None}


def _text(value: Plain) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_key(k)}:{_text(value[k])}" for k in sorted(value)) + "}"
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return "[" + ",".join(_text(v) for v in value) + "]"
    raise TypeError(f"{type(value).__name__} has no canonical form")


def _key(key: str) -> str:
    if not isinstance(key, str):
        raise TypeError("keys are text")
    return json.dumps(key, ensure_ascii=False)


def _float_text(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} has no canonical form")
    if value.is_integer() and abs(value) < _WHOLE_LIMIT:
        return str(int(value))
    return repr(value)
