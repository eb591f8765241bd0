"""From canonical bytes back to the document that they describe."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from annotator.domain.annotation.comment import Comment, Pin
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_path import PointPath, PointRun
from annotator.domain.annotation.point_track import PointInfo, PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.answer_codec import answer_from
from annotator.domain.errors import ProjectError
from annotator.domain.geometry import Box
from annotator.domain.ids import CommentId, DraftId, PersonId, PointId, SegmentId, TrackId


def read_document(body: bytes, draft_id: DraftId, video: VideoInfo) -> Document:
    """Return the document in the bytes of a submission, as a draft of that name.

    Nothing is locked or hidden in it: that belongs to a draft. ProjectError when the bytes are
    damaged, or are of a video with another picture or length.
    """
    try:
        value = plain_value(body)
        told = value["video"]
        shape = (told["width"], told["height"], told["n_frames"])
        document = Document(
            draft_id,
            video,
            [_track(t) for t in value["tracks"]],
            [_segment(s) for s in value["segments"]],
            [_point(p) for p in value.get("points", ())],
            [_comment(c) for c in value.get("comments", ())],
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


def _track(value: Mapping[str, Any]) -> Track:
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
    return Track(info, tuple(_keyframe(k) for k in value["keyframes"]))


def _keyframe(value: Mapping[str, Any]) -> Keyframe:
    box = Box(*map(float, value["box"])) if value["box"] is not None else None
    is_settled = value.get("settled", False) is True
    return Keyframe(value["frame"], box, value["occluded"], Source(value["source"]), is_settled)


def _point(value: Mapping[str, Any]) -> PointTrack:
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


def _segment(value: Mapping[str, Any]) -> Segment:
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


def _comment(value: Mapping[str, Any]) -> Comment:
    return Comment(
        CommentId(value["id"]),
        PersonId(value["author_id"]),
        value["at"],
        value["text"],
        _pin(value["pin"]),
        CommentId(value["parent_id"]) if value["parent_id"] is not None else None,
        value["is_resolved"],
        value.get("edited_at"),
    )


def _pin(value: Mapping[str, Any]) -> Pin:
    span = value.get("span")
    return Pin(
        value.get("frame"),
        (span[0], span[1]) if span is not None else None,
        value.get("track_id"),
        value.get("segment_id"),
        value.get("point_id"),
    )
