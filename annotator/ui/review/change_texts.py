"""Differences, earlier states and pins in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from annotator.domain.annotation.attributes import ATTRIBUTES_KEY
from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Track
from annotator.domain.review import Difference, DifferenceKind, Subject
from annotator.ui.look.texts import moment_text, sentence_text

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.json_type import Json
    from annotator.services.workflow.review import EarlierState
    from annotator.ui.state.selection import LabelChoice

_WHOLE: Final = {
    (Subject.TRACK, DifferenceKind.ADDED): "Object added",
    (Subject.TRACK, DifferenceKind.REMOVED): "Object removed",
    (Subject.POINT, DifferenceKind.ADDED): "Point {name} added",
    (Subject.POINT, DifferenceKind.REMOVED): "Point {name} removed",
    (Subject.SEGMENT, DifferenceKind.ADDED): "Added: {name}",
    (Subject.SEGMENT, DifferenceKind.REMOVED): "Removed: {name}",
    (Subject.KEYFRAMES, DifferenceKind.ADDED): "Keyframes added ({n})",
    (Subject.KEYFRAMES, DifferenceKind.REMOVED): "Keyframes removed ({n})",
    (Subject.MARKS, DifferenceKind.ADDED): "{name}: frames added ({n})",
    (Subject.MARKS, DifferenceKind.REMOVED): "{name}: frames removed ({n})",
    (Subject.MARKS, DifferenceKind.CHANGED): "{name}: position or state changed ({n})",
}
_FIELDS: Final = {
    "label": "name",
    "label_id": "label",
    "number": "number",
    "color": "color",
    "attributes": "attributes",
    "extra": "imported metadata",
    "lane": "lane",
    "is_visible": "out of view",
    "start": "start",
    "end": "end",
    "start_us": "start",
    "end_us": "end",
    "slots": "roles",
    "frame": "position in time",
    "box": "box",
    "occluded": "occluded",
    "source": "origin",
}


def difference_text(
    item: Difference, before: Document, after: Document, labels: LabelChoice
) -> str:
    """Return the text of a difference, without object and frame."""
    if item.subject is Subject.LINK:
        return _link_text(item, before, after)
    if (pattern := _WHOLE.get((item.subject, item.kind))) is not None:
        name = _name(item, before, after, labels)
        return _tr(pattern).format(name=name, n=len(item.frames))
    if isinstance(item.before, Segment) and isinstance(item.after, Segment):
        return _segment_text(item.before, item.after, item, before, after, labels)
    old, new = _label(item.before), _label(item.after)
    if old != new:
        return _tr("Name: “{old}” → “{new}”").format(old=old, new=new)
    fields = item.fields or item.moved_fields()
    words = _field_words(item, fields)
    if item.subject is Subject.KEYFRAMES:
        return _tr("Changed: {what} ({n})").format(n=len(item.frames), what=words)
    return _tr("Changed: {what}").format(what=words)


def group_text(item: Difference, owner: Track | None) -> str:
    """Return the name of a difference's group: its object or its lane."""
    if owner is not None:
        return object_name(owner)
    side = item.after if item.after is not None else item.before
    if isinstance(side, Segment):
        return _tr("Actions") if side.lane is Lane.ACTION else _tr("Sounds")
    return _tr("Points without an object")


def object_name(track: Track) -> str:
    return f"{track.info.label} {track.info.number}"


def earlier_text(earlier: EarlierState) -> str:
    """Name a state to compare with."""
    if earlier.is_prediction and not earlier.author:
        return _tr("Reference")
    if earlier.is_prediction:
        return _tr("Prediction of {model}").format(model=earlier.author)
    if earlier.is_merged:
        return _tr("Mean of the raters")
    if earlier.at is None:
        return _tr("No submission (show everything as added)")
    return f"{earlier.stage} · {earlier.author} · {moment_text(earlier.at)}"


def pin_text(pin: Pin, document: Document) -> str:
    """Return the text of a comment's target."""
    words = []
    if pin.track_id is not None and pin.point_id is None:
        track = document.find_track(pin.track_id)
        words.append(object_name(track) if track is not None else _tr("a removed object"))
    if pin.point_id is not None:
        point = document.find_point(pin.point_id)
        words.append(point.info.label if point is not None else _tr("a removed point"))
    if pin.segment_id is not None:
        segment = document.find_segment(pin.segment_id)
        words.append(segment.label if segment is not None else _tr("a removed segment"))
    if pin.frame is not None:
        words.append(_tr("frame {n}").format(n=pin.frame))
    elif pin.span is not None:
        start, end = pin.span
        words.append(_tr("frames {start} to {end}").format(start=start, end=end - 1))
    return ", ".join(words) or _tr("the whole task")


def _segment_text(
    old: Segment,
    new: Segment,
    item: Difference,
    before: Document,
    after: Document,
    labels: LabelChoice,
) -> str:
    name = sentence_text(new, labels.of(new), after)
    if old.label != new.label:
        was = sentence_text(old, labels.of(old), before)
        return _tr("“{old}” → “{new}”").format(old=was, new=name)
    if (old.start, old.end) != (new.start, new.end):
        text = _tr("{name}: frames {a}–{b} → {c}–{d}")
        return text.format(name=name, a=old.start, b=old.end - 1, c=new.start, d=new.end - 1)
    return f"{name}: {_field_words(item, item.fields)}"


def _field_words(item: Difference, fields: Iterable[str]) -> str:
    """Return what differs of an object, point or segment, in words."""
    named: list[str] = []
    for each in fields:
        named += _extra_fields(item) if each == "extra" else [each]
    return ", ".join(dict.fromkeys(_tr(_FIELDS.get(f, f)) for f in named))


def _extra_fields(item: Difference) -> list[str]:
    """Return which extra fields of a point or segment changed: attributes, or the rest."""
    before, after = _extra(item.before), _extra(item.after)
    rest = [{k: v for k, v in e.items() if k != ATTRIBUTES_KEY} for e in (before, after)]
    found = ["attributes"] if before.get(ATTRIBUTES_KEY) != after.get(ATTRIBUTES_KEY) else []
    return [*found, "extra"] if rest[0] != rest[1] or not found else found


def _extra(entity: object) -> Mapping[str, Json]:
    if isinstance(entity, Segment):
        return entity.extra
    return entity.info.extra if isinstance(entity, Track | PointTrack) else {}


def _link_text(item: Difference, before: Document, after: Document) -> str:
    old, new = item.before, item.after
    if isinstance(old, Segment) and isinstance(new, Segment):
        roles = [
            ", ".join(_object(document, slot) for slot in side.slots)
            for side, document in ((old, before), (new, after))
        ]
        return _tr("{name}, roles: {old} → {new}").format(
            name=new.label, old=roles[0] or "–", new=roles[1] or "–"
        )
    if isinstance(old, Track) and isinstance(new, Track):
        keys = old.info.parent_id, new.info.parent_id
        pattern = _tr("Parent: {old} → {new}")
    else:
        assert isinstance(old, PointTrack)
        assert isinstance(new, PointTrack)
        keys = old.info.track_id, new.info.track_id
        pattern = _tr("Object of the point: {old} → {new}")
    return pattern.format(old=_object(before, keys[0]), new=_object(after, keys[1]))


def _object(document: Document, key: object) -> str:
    found = next((t for t in document.tracks if t.id == key), None)
    return object_name(found) if found is not None else "–"


def _label(side: object) -> str:
    return side.info.label if isinstance(side, Track | PointTrack) else ""


def _name(item: Difference, before: Document, after: Document, labels: LabelChoice) -> str:
    side = item.after if item.after is not None else item.before
    if isinstance(side, Segment):
        document = after if item.after is not None else before
        return sentence_text(side, labels.of(side), document)
    for document in (after, before):
        point = next((p for p in document.points if p.id == item.id), None)
        if point is not None:
            return point.info.label
    return ""


def _tr(text: str) -> str:
    return QCoreApplication.translate("review", text)
