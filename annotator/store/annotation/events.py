"""The append-only event log: entries and their changes.

``["track", id, before, after]``, ``["keyframe", track_id, frame, before, after]``,
``["segment", id, before, after]``, ``["comment", id, before, after]``,
``["answer", item_id, field, entry, before, after]``, ``["video", id, before, after]``,
``["point", id, before, after]`` and ``["marks", point_id, start, end, before, after]``; a keyframe
is ``[box or null, occluded, source, settled]``, an answer ``[value, at, took_ms, order,
recipe_version]``, marks are as `pack_marks` gives them. ``["keyframes", track_id, [[frame, box
or null, occluded, source, settled], ...]]`` are those that a large import made, and
``["packed", track_id, n, text]`` are ``n`` of them as `packed_keys` has them.
"""

from __future__ import annotations

import base64
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from annotator.domain.annotation.changes import Change, Entity, KeyframeKey, PointKey, VideoExtra
from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.point_track import PointInfo, PointRun
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.answer import Answer, AnswerKey, plain_of, value_from
from annotator.domain.geometry import Box
from annotator.domain.ids import CommentId, ItemId, PointId, SegmentId, TrackId, VideoId
from annotator.store.annotation.packed_keys import count_keys, unpack_keys
from annotator.store.columns import id_bytes, now_text
from annotator.store.file.readable import Readable

Marks: TypeAlias = list[tuple[int, float | None, float | None]] | str | None
_LISTED_FRAMES: Final = 8
_FRAME_BYTES: Final = 17


def pack_marks(run: Entity | None) -> Marks:
    """Return marks as ``[[flags, x, y], …]``, or as text from a few frames on; None for none.

    The text is base64 of zlib of all flags, then all places as float64 with their bytes sorted by
    significance (all lowest bytes first): what a follower found then takes half the room.
    """
    if not isinstance(run, PointRun):
        return None
    if len(run.flags) <= _LISTED_FRAMES:
        places = np.where(np.isnan(run.xy), None, run.xy).tolist()  # type: ignore[call-overload]
        return [(int(f), x, y) for f, (x, y) in zip(run.flags, places, strict=True)]
    planes = np.ascontiguousarray(run.xy, dtype="<f8").view(np.uint8).reshape(-1, 8).T
    packed = zlib.compress(run.flags.tobytes() + planes.tobytes())
    return base64.b64encode(packed).decode("ascii")


def unpack_marks(key: PointKey, marks: Marks) -> PointRun | None:
    """Return the marks of a log entry; ValueError when they are damaged."""
    if marks is None:
        return None
    length = key.end - key.start
    if isinstance(marks, str):
        flags, xy = _unpacked_marks(marks, length)
    else:
        flags = np.array([m[0] for m in marks], dtype=np.uint8)
        xy = np.array([m[1:] for m in marks], dtype=np.float64)
    if len(flags) != length:
        raise ValueError("the marks do not fit their frames")
    return PointRun(key.start, xy, flags)


def _unpacked_marks(text: str, length: int) -> tuple[np.ndarray, np.ndarray]:
    size = length * _FRAME_BYTES
    unzip = zlib.decompressobj()
    try:
        body = unzip.decompress(base64.b64decode(text, validate=True), size + 1)
    except zlib.error as error:
        raise ValueError("the marks are damaged") from error
    if len(body) != size:
        raise ValueError("the marks do not fit their frames")
    flags = np.frombuffer(body, dtype=np.uint8, count=length)
    planes = np.frombuffer(body, dtype=np.uint8, offset=length).reshape(8, -1)
    return flags, np.ascontiguousarray(planes.T).view("<f8").reshape(-1, 2)


class _Track(msgspec.Struct):
    id: TrackId
    label: str
    number: int
    color: int
    parent_id: TrackId | None
    is_locked: bool
    is_hidden: bool
    is_begin_settled: bool
    attributes: dict[str, Any]
    extra: dict[str, Any]


class _Key(msgspec.Struct, array_like=True):
    box: tuple[float, float, float, float] | None
    occluded: bool
    source: Source
    settled: bool


class _Segment(msgspec.Struct):
    id: SegmentId
    lane: Lane
    label: str
    start: int
    end: int
    label_id: int | None
    slots: tuple[TrackId | None, ...]
    is_visible: bool
    extra: dict[str, Any]
    start_us: int | None = None  # logs of the first release do not have it
    end_us: int | None = None


class _Point(msgspec.Struct):
    id: PointId
    track_id: TrackId | None
    label: str
    number: int
    color: int
    is_locked: bool
    is_hidden: bool
    extra: dict[str, Any]


class _TrackChange(msgspec.Struct, array_like=True, tag="track"):
    id: TrackId
    before: _Track | None
    after: _Track | None


class _KeyframeChange(msgspec.Struct, array_like=True, tag="keyframe"):
    track_id: TrackId
    frame: int
    before: _Key | None
    after: _Key | None


class _KeyframesMade(msgspec.Struct, array_like=True, tag="keyframes"):
    track_id: TrackId
    rows: list[
        tuple[int, tuple[float, float, float, float] | None, bool, Source, bool]
    ]  # frame, box, occluded, source, checked gap


class _KeyframesPacked(msgspec.Struct, array_like=True, tag="packed"):
    track_id: TrackId
    n: int
    text: str


class _SegmentChange(msgspec.Struct, array_like=True, tag="segment"):
    id: SegmentId
    before: _Segment | None
    after: _Segment | None


class _PointChange(msgspec.Struct, array_like=True, tag="point"):
    id: PointId
    before: _Point | None
    after: _Point | None


class _MarksChange(msgspec.Struct, array_like=True, tag="marks"):
    point_id: PointId
    start: int
    end: int
    before: Marks
    after: Marks


class _CommentChange(msgspec.Struct, array_like=True, tag="comment"):
    id: CommentId
    before: Comment | None
    after: Comment | None


class _Answer(msgspec.Struct, array_like=True):
    value: dict[str, Any]
    at: int
    took_ms: int
    order: tuple[str, ...]
    recipe_version: int


class _AnswerChange(msgspec.Struct, array_like=True, tag="answer"):
    item_id: ItemId
    field: str
    entry: int
    before: _Answer | None
    after: _Answer | None


class _Extra(msgspec.Struct):
    data: dict[str, Any]


class _VideoChange(msgspec.Struct, array_like=True, tag="video"):
    id: VideoId
    before: _Extra
    after: _Extra


_Single: TypeAlias = (
    _TrackChange
    | _KeyframeChange
    | _SegmentChange
    | _CommentChange
    | _AnswerChange
    | _VideoChange
    | _PointChange
    | _MarksChange
)
_decoder = msgspec.json.Decoder(list[_Single | _KeyframesMade | _KeyframesPacked])
_encoder = msgspec.json.Encoder()


def encode_changes(changes: Iterable[Change]) -> str:
    """Return changes as the text kept in the log."""
    return _encoder.encode([_record(c) for c in changes]).decode()


def encode_creation(
    tracks: Sequence[Track],
    keys: Sequence[bytes],
    points: Iterable[Change],
    segments: Iterable[Segment],
    video: Change,
) -> bytes:
    """Return the first content of a draft; ``keys``: the packed keyframes of its tracks."""
    records: list[tuple[object, ...]] = []
    for track, body in zip(tracks, keys, strict=True):
        records.append(("track", track.id, None, track.info))
        text = base64.b64encode(body).decode("ascii")
        records.append(("packed", track.id, count_keys(body), text))
    records += [_record(change) for change in points]
    records += [("segment", segment.id, None, segment) for segment in segments]
    return _encoder.encode([*records, _record(video)])


def decode_changes(text: str) -> list[Change]:
    """Return the changes of a log entry; ValueError when the text is damaged."""
    found: list[Change] = []
    for record in _decoder.decode(text):
        if isinstance(record, _KeyframesMade):
            found += _keyframes(record)
        elif isinstance(record, _KeyframesPacked):
            found += _unpacked(record)
        else:
            found.append(_change(record))
    return found


def _keyframes(record: _KeyframesMade) -> Iterator[Change]:
    for frame, box, occluded, source, settled in record.rows:
        key = Keyframe(frame, Box(*box) if box is not None else None, occluded, source, settled)
        yield Change("keyframe", KeyframeKey(record.track_id, frame), None, key)


def _unpacked(record: _KeyframesPacked) -> Iterator[Change]:
    body = base64.b64decode(record.text, validate=True)
    if count_keys(body) != record.n:
        raise ValueError("the keyframes do not fit their number")
    for key in unpack_keys([body]).keyframes(0):
        yield Change("keyframe", KeyframeKey(record.track_id, key.frame), None, key)


def _record(change: Change) -> tuple[object, ...]:
    if isinstance(change.id, KeyframeKey):
        before, after = _key_record(change.before), _key_record(change.after)
        return (change.kind, change.id.track_id, change.id.frame, before, after)
    if isinstance(change.id, PointKey):
        return (change.kind, *change.id, pack_marks(change.before), pack_marks(change.after))
    if isinstance(change.id, AnswerKey):
        before, after = _answer_record(change.before), _answer_record(change.after)
        return (change.kind, *change.id, before, after)
    return (change.kind, change.id, change.before, change.after)


def _answer_record(answer: object) -> tuple[object, ...] | None:
    if not isinstance(answer, Answer):
        return None
    value = plain_of(answer.value)
    return (value, answer.at, answer.took_ms, answer.order, answer.recipe_version)


def _key_record(key: object) -> tuple[object, ...] | None:
    if not isinstance(key, Keyframe):
        return None
    box = key.box.as_tuple() if key.box is not None else None
    return (box, key.occluded, key.source, key.settled)


def _change(record: _Single) -> Change:
    if isinstance(record, _KeyframeChange):
        frame = record.frame
        before, after = _keyframe(frame, record.before), _keyframe(frame, record.after)
        return Change("keyframe", KeyframeKey(record.track_id, frame), before, after)
    if isinstance(record, _TrackChange):
        return Change("track", record.id, _info(record.before), _info(record.after))
    if isinstance(record, _VideoChange):
        old, new = VideoExtra(record.before.data), VideoExtra(record.after.data)
        return Change("video", record.id, old, new)
    if isinstance(record, _PointChange):
        return Change("point", record.id, _point(record.before), _point(record.after))
    if isinstance(record, _CommentChange):
        return Change("comment", record.id, record.before, record.after)
    if isinstance(record, _AnswerChange):
        answer_key = AnswerKey(record.item_id, record.field, record.entry)
        return Change(
            "answer",
            answer_key,
            _answer(answer_key, record.before),
            _answer(answer_key, record.after),
        )
    if isinstance(record, _MarksChange):
        key = PointKey(record.point_id, record.start, record.end)
        return Change(
            "marks", key, unpack_marks(key, record.before), unpack_marks(key, record.after)
        )
    return Change("segment", record.id, _segment(record.before), _segment(record.after))


def _keyframe(frame: int, key: _Key | None) -> Keyframe | None:
    if key is None:
        return None
    box = Box(*key.box) if key.box is not None else None
    return Keyframe(frame, box, key.occluded, key.source, key.settled)


def _answer(key: AnswerKey, answer: _Answer | None) -> Answer | None:
    if answer is None:
        return None
    value = value_from(answer.value)
    return Answer(key, value, answer.at, answer.took_ms, answer.order, answer.recipe_version)


def _info(track: _Track | None) -> TrackInfo | None:
    return TrackInfo(**msgspec.structs.asdict(track)) if track else None


def _segment(segment: _Segment | None) -> Segment | None:
    return Segment(**msgspec.structs.asdict(segment)) if segment else None


def _point(point: _Point | None) -> PointInfo | None:
    return PointInfo(**msgspec.structs.asdict(point)) if point else None


BEGIN: Final = "begin"
"""The edit that a draft of a later stage begins with: the submission before it."""


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the log without its changes; ``ref_id`` is the step undone, redone, continued."""

    id: str
    op: str
    kind: str
    ref_id: str | None = None
    frame: int | None = None


def n_imported(file: Readable) -> int:
    """Return how many drafts something was imported into."""
    rows = file.rows(
        "SELECT count(DISTINCT draft_id) FROM event WHERE kind = 'import' AND op != ?", (BEGIN,)
    )
    return int(str(rows[0][0]))


def append_event(
    connection: sqlite3.Connection,
    author: tuple[bytes, bytes],
    draft_id: bytes,
    event: Event,
    changes: str,
) -> None:
    """Write an entry within the current transaction.

    ``author`` is the person and the replica; ``changes`` is text as ``events.py``
    makes it.
    """
    connection.execute(
        "INSERT INTO event (id, at, person_id, replica_id, draft_id, op, kind, ref_id, frame,"
        " changes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            id_bytes(event.id),
            now_text(),
            *author,
            draft_id,
            event.op,
            event.kind,
            id_bytes(event.ref_id) if event.ref_id is not None else None,
            event.frame,
            changes,
        ),
    )
