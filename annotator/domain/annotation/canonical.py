"""Canonical JSON: the same content always gives the same bytes, from which it can be read again.

Keys ascend by code point, there is no white space, text is UTF-8 as it is. A number that is whole
is written without fraction ("3", also for 3.0 and -0.0), every other float as the shortest decimal
that reads back as the same double. NaN and infinities have no place.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from annotator.domain.annotation.comment import Comment, Pin
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import PointInfo, PointPath, PointRun, PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.answer import answer_from, answer_plain
from annotator.domain.errors import ProjectError
from annotator.domain.geometry import Box
from annotator.domain.ids import CommentId, DraftId, PersonId, PointId, SegmentId, TrackId
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
    """Return the objects, points and segments of a document, with comments and answers, in a
    fixed order.

    What belongs to the view alone (locked, hidden) stays out, as do empty fields: a document
    without points has no "points", a keyframe whose gap is not judged no "settled". Proposals of
    models that are not accepted stay out too.
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


def read_document(body: bytes, draft_id: DraftId, video: VideoInfo) -> Document:
    """Return the document in the bytes of a submission, as a draft of that name.

    Nothing is locked or hidden in it: that belongs to a draft. ProjectError when the bytes are
    damaged, or are of a video with another picture or length.
    """
    try:
        value = plain_value(body)
        video_values = value["video"]
        shape = (video_values["width"], video_values["height"], video_values["n_frames"])
        document = Document(
            draft_id,
            video,
            [_read_track(t) for t in value["tracks"]],
            [_read_segment(s) for s in value["segments"]],
            [_read_point(p) for p in value.get("points", ())],
            [_read_comment(c) for c in value.get("comments", ())],
            [answer_from(a) for a in value.get("answers", ())],
        )
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise ProjectError(
            "Cannot read a submission: it is damaged.",
            hint="Ask its author for the file again, or restore a backup of the project.",
        ) from error
    if shape != (video.width, video.height, video.n_frames + video.n_hidden):
        raise ProjectError(f"The submission belongs to another video than “{video.name}”.")
    return document


def plain_value(body: bytes) -> dict[str, Any]:
    """Return the table in the bytes of a submission; ValueError when they are no such thing.

    Other threads have their turn meanwhile: without a function of ours to call the parser would
    hold the interpreter until all is read, half a second for 60,000 keyframes.
    """
    found = json.loads(body, object_hook=_same)
    if not isinstance(found, dict):
        raise ValueError("a submission is a table")  # noqa: TRY004
    return found


def _same(value: dict[str, Any]) -> dict[str, Any]:
    return value


def _read_track(value: Mapping[str, Any]) -> Track:
    info = TrackInfo(
        TrackId(value["id"]),
        value["label"],
        value["number"],
        value["color"],
        TrackId(value["parent_id"]) if value["parent_id"] is not None else None,
        is_begin_settled=value.get("is_begin_settled", False) is True,
        attributes=value["attributes"],
        extra=value["extra"],
    )
    return Track(info, tuple(_read_keyframe(k) for k in value["keyframes"]))


def _read_keyframe(value: Mapping[str, Any]) -> Keyframe:
    box = Box(*map(float, value["box"])) if value["box"] is not None else None
    is_settled = value.get("settled", False) is True
    return Keyframe(value["frame"], box, value["occluded"], Source(value["source"]), is_settled)


def _read_point(value: Mapping[str, Any]) -> PointTrack:
    info = PointInfo(
        PointId(value["id"]),
        TrackId(value["track_id"]) if value["track_id"] is not None else None,
        value["label"],
        value["number"],
        value["color"],
        extra=value["extra"],
    )
    path = PointPath()
    for run in value["runs"]:
        flags = np.frombuffer(base64.b64decode(run["flags"], validate=True), dtype=np.uint8)
        xy = np.frombuffer(base64.b64decode(run["xy"], validate=True), dtype="<f8")
        path = path.with_run(PointRun(run["start"], xy.reshape(len(flags), 2), flags))
    return PointTrack(info, path)


def _read_segment(value: Mapping[str, Any]) -> Segment:
    return Segment(
        SegmentId(value["id"]),
        Lane(value["lane"]),
        value["label"],
        value["start"],
        value["end"],
        value["label_id"],
        tuple(TrackId(t) if t is not None else None for t in value["slots"]),
        value["is_visible"],
        value["extra"],
        value.get("start_us"),
        value.get("end_us"),
    )


def _read_comment(value: Mapping[str, Any]) -> Comment:
    return Comment(
        CommentId(value["id"]),
        PersonId(value["author_id"]),
        value["at"],
        value["text"],
        _read_pin(value["pin"]),
        CommentId(value["parent_id"]) if value["parent_id"] is not None else None,
        value["is_resolved"],
        value.get("edited_at"),
    )


def _read_pin(value: Mapping[str, Any]) -> Pin:
    span = value.get("span")
    return Pin(
        value.get("frame"),
        (span[0], span[1]) if span is not None else None,
        value.get("track_id"),
        value.get("segment_id"),
        value.get("point_id"),
    )
