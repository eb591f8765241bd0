"""Random editing: gestures that any command can come from, aimed at whatever is there."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from hypothesis import strategies as st

from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointMark, PointTrack, run_of
from annotator.domain.annotation.segment import Lane, Segment, frame_span
from annotator.domain.annotation.track import Source, Track
from annotator.domain.answer import (
    Answer,
    AnswerKey,
    Flagged,
    FrameBox,
    Picked,
    Spans,
    Value,
)
from annotator.domain.commands import (
    AcceptPoints,
    AcceptProposals,
    AddComment,
    AddImported,
    ClearAnswer,
    ClearPoints,
    Command,
    CreatePoint,
    CreateSegment,
    CreateTrack,
    DeleteComment,
    DeleteKeyframe,
    DeleteKeyframes,
    DeletePoints,
    DeleteSegment,
    DeleteTracks,
    EditComment,
    JoinTracks,
    KeepInterpolation,
    MarkPoints,
    ReplyToComment,
    ResolveComments,
    SetAbsentBefore,
    SetAnswer,
    SetKeyframe,
    SetOccluded,
    SetOutside,
    SetPoint,
    SetPointInfo,
    SetSegment,
    SetTrack,
    SplitIntoChildren,
    SplitTrack,
    SwapTracks,
)
from annotator.domain.forms.field import Field, FieldKind, Form, Option
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import (
    CommentId,
    ItemId,
    PersonId,
    new_id,
    point_id,
    segment_id,
    track_id,
)
from annotator.domain.proposals.box_proposals import Proposed
from annotator.domain.questions.items.item import Item
from tests.store.samples import dense_track

KINDS = (
    "create",
    "key",
    "nudge",
    "delete-key",
    "delete-keys",
    "occluded",
    "outside",
    "rename",
    "split",
    "children",
    "join",
    "swap",
    "delete",
    "settle",
    "begin",
    "accept",
    "segment",
    "set-segment",
    "delete-segment",
    "import",
    "point",
    "set-point",
    "drag-point",
    "reopen-point",
    "mark-points",
    "clear-points",
    "accept-points",
    "point-info",
    "delete-point",
    "comment",
    "reply-comment",
    "edit-comment",
    "resolve-comment",
    "delete-comment",
    "answer",
    "clear-answer",
)
MERGING = ("nudge", "drag-point")
_PEOPLE = (PersonId(new_id()), PersonId(new_id()))
_OPTIONS = (Option("a", "One"), Option("b", "Other"))
_FORM = Form(
    tuple(
        Field(kind.value, kind.value, kind, _OPTIONS)
        for kind in FieldKind
        if kind not in (FieldKind.CHOICES, FieldKind.PROPERTIES)
    ),
    (1, 2),
)
_ITEMS = tuple(Item(ItemId(new_id()), "asked", ()) for _ in range(2))
TIMES_US = tuple(round(f * 1e6 / 30) for f in range(90))


class Gesture(NamedTuple):
    """What a hand did: a kind, and numbers that pick tracks, frames and places."""

    kind: str
    pick: int
    other: int
    frame: int
    length: int
    x: float
    value: bool


gestures = st.builds(
    Gesture,
    st.sampled_from(KINDS),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 89),
    st.integers(1, 30),
    st.floats(0, 500, width=32),
    st.booleans(),
)


def command(gesture: Gesture, document: Document) -> Command:
    """Return the command of a gesture on this document; a new track where there is none yet."""
    if gesture.kind == "import":
        extra = {"questions": [gesture.pick]} if gesture.value else None
        return AddImported((dense_track(gesture.length, document.next_number()),), extra=extra)
    if gesture.kind == "create" or not document.tracks:
        return CreateTrack(track_id(), f"thing {gesture.pick}", gesture.frame, _box(gesture))
    if "segment" in gesture.kind:
        return _segment_command(gesture, document)
    if "comment" in gesture.kind:
        return _comment_command(gesture, document)
    if "answer" in gesture.kind:
        return _answer_command(gesture, document)
    track = document.tracks[gesture.pick % len(document.tracks)]
    other = document.tracks[gesture.other % len(document.tracks)]
    if gesture.kind in ("split", "children", "join", "swap", "delete", "rename"):
        return _track_command(gesture, track, other)
    if "point" in gesture.kind:
        return _point_command(gesture, document, track)
    return _keyframe_command(gesture, track)


def _comment_command(gesture: Gesture, document: Document) -> Command:
    person, frame, text = _PEOPLE[gesture.other % 2], gesture.frame, f"See {gesture.x}"
    new = CommentId(new_id())
    if gesture.kind == "comment" or not document.comments:
        return AddComment(new, person, frame, text, Pin(frame, track_id=document.tracks[0].id))
    known = document.comments[gesture.pick % len(document.comments)].id
    commands: dict[str, Command] = {
        "reply-comment": ReplyToComment(new, known, person, frame, text),
        "edit-comment": EditComment(known, person, frame, text),
        "resolve-comment": ResolveComments((known,), gesture.value),
        "delete-comment": DeleteComment(known, person),
    }
    return commands[gesture.kind]


def _answer_command(gesture: Gesture, document: Document) -> Command:
    keys = sorted(document.answers)
    if gesture.kind == "clear-answer" and keys:
        return ClearAnswer(keys[gesture.pick % len(keys)])
    item, field = _ITEMS[gesture.other % 2], _FORM.fields[gesture.pick % len(_FORM.fields)]
    end = min(gesture.frame + gesture.length, 90)
    values: dict[str, Value] = {
        "choice": Picked(("a" if gesture.value else "b",)),
        "truth": gesture.value,
        "text": f"It is {gesture.x}",
        "number": float(gesture.length),
        "confidence": 1 + gesture.pick % 5,
        "spans": Spans(((gesture.frame, end),)),
        "box": FrameBox(gesture.frame, _box(gesture)),
        "tracks": (document.tracks[0].id,),
        "flag": Flagged("a", "blurred" if gesture.value else ""),
    }
    key = AnswerKey(item.id, field.key, gesture.frame % 2)
    answer = Answer(key, values[field.kind], gesture.frame, gesture.length, ("b", "a"), 2)
    return SetAnswer(answer, _FORM, item)


def _box(gesture: Gesture) -> Box:
    return Box(gesture.x, gesture.x / 2, gesture.x + 100.25, gesture.x / 2 + 80)


def _segment_command(gesture: Gesture, document: Document) -> Command:
    end = min(gesture.frame + gesture.length, 90)
    slots = (document.tracks[gesture.pick % len(document.tracks)].id, None)
    lane = Lane.ACTION if gesture.value else Lane.SOUND
    found = document.segments
    new = Segment(segment_id(), lane, "tap", gesture.frame, end, slots=slots)
    if lane is Lane.SOUND:
        start_us = TIMES_US[gesture.frame] + round(gesture.x)
        end_us = start_us + gesture.length * 10_007
        start, end = frame_span(TIMES_US, start_us, end_us)
        new = replace(new, start=start, end=end, start_us=start_us, end_us=end_us)
    if gesture.kind == "segment" or not found:
        return CreateSegment(new)
    old = found[gesture.other % len(found)]
    if gesture.kind == "delete-segment":
        return DeleteSegment(old.id)
    return SetSegment(replace(new, id=old.id, label="pour"))


def _point_command(gesture: Gesture, document: Document, track: Track) -> Command:
    """Return the command on a point, a new one where there is none yet; may span its blocks."""
    place, frame = Point(gesture.x, gesture.x / 2), gesture.frame
    if gesture.kind == "point" or not document.points:
        return CreatePoint(point_id(), track.id, f"part {gesture.other}", frame, place)
    point: PointTrack = document.points[gesture.other % len(document.points)]
    end = min(frame + gesture.length, 90)
    match gesture.kind:
        case "set-point":
            return SetPoint(point.id, frame, place)
        case "drag-point":
            state = "occluded" if gesture.value else "outside"
            return MarkPoints(point.id, frame, end, state, merge_key=f"nudge {track.id}")
        case "reopen-point":
            return SetPoint(point.id, frame, place, reopens=True)
        case "mark-points":
            return MarkPoints(point.id, frame, end, "occluded" if gesture.value else "visible")
        case "clear-points":
            return ClearPoints(point.id, frame, end)
        case "accept-points":
            mark = PointMark(place, gesture.value, Source.ACCEPTED)
            return AcceptPoints(point.id, run_of(frame, [mark] * (end - frame)))
        case "point-info":
            return SetPointInfo(point.id, "rim", is_locked=gesture.length > 25, track_id=track.id)
        case _:
            return DeletePoints((point.id,))


def _track_command(gesture: Gesture, track: Track, other: Track) -> Command:
    match gesture.kind:
        case "split":
            return SplitTrack(track.id, gesture.frame, track_id())
        case "children":
            children = ((track_id(), "shells"), (track_id(), "content"))
            return SplitIntoChildren(track.id, gesture.frame, children)
        case "join":
            return JoinTracks(track.id, other.id)
        case "swap":
            return SwapTracks(track.id, other.id, gesture.frame)
        case "delete":
            return DeleteTracks((track.id, other.id))
        case _:
            attributes = {"is_occluder": gesture.value}
            is_locked = gesture.value and gesture.length > 25
            return SetTrack(
                track.id, f"named {gesture.other}", is_locked=is_locked, attributes=attributes
            )


def _keyframe_command(gesture: Gesture, track: Track) -> Command:
    frame, end = gesture.frame, gesture.frame + gesture.length
    match gesture.kind:
        case "key":
            hidden = gesture.value or None
            return SetKeyframe(track.id, frame, _box(gesture), hidden, reopens=gesture.pick > 2)
        case "nudge":
            return SetKeyframe(track.id, frame, _box(gesture), merge_key=f"nudge {track.id}")
        case "delete-key":
            keys = track.keyframes
            return DeleteKeyframe(track.id, keys[gesture.other % len(keys)].frame)
        case "delete-keys":
            return DeleteKeyframes(track.id, frame, end)
        case "occluded":
            return SetOccluded(track.id, frame, gesture.value, end if gesture.pick % 2 else None)
        case "outside":
            return SetOutside(track.id, frame, gesture.value, end if gesture.pick % 2 else None)
        case "settle":
            return KeepInterpolation(track.id, frame, gesture.value)
        case "begin":
            return SetAbsentBefore(track.id, gesture.value)
        case _:
            proposed = tuple(
                Proposed(f, _box(gesture).moved(f / 3, 0) if f % 11 else None, 0.5)
                for f in range(frame, min(end, 90))
            )
            return AcceptProposals(track.id, proposed)
