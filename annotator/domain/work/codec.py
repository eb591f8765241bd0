"""Events as plain values and back, for the log of a project and for exchanged files.

What has its usual value is left out, so that an event stays some 200 characters of JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar, cast, get_args

from annotator.domain.annotation.comment import WHOLE_TASK, Pin
from annotator.domain.errors import ProjectError
from annotator.domain.forms.restricted_view import Extent, PairLayout, Viewing
from annotator.domain.ids import PointId, SegmentId, TrackId
from annotator.domain.json_type import Json
from annotator.domain.work.events import WorkEvent
from annotator.domain.work.records import (
    AssignmentState,
    Flag,
    LeadNeed,
    Reason,
    Verdict,
    VerdictKind,
)

_CLASSES: Final = {c.kind: c for c in cast("tuple[type[WorkEvent], ...]", get_args(WorkEvent))}
_FIELDS: Final[dict[type, tuple[Field[object], ...]]] = {c: fields(c) for c in _CLASSES.values()}

E = TypeVar("E", bound=StrEnum)


def event_value(event: WorkEvent) -> dict[str, Json]:
    """Return an event as values of JSON, with its ``kind``."""
    value: dict[str, Json] = {"kind": event.kind}
    for field in _FIELDS[type(event)]:
        found = getattr(event, field.name)
        if found != field.default:
            value[field.name] = _plain(found)
    return value


def event_from(value: Mapping[str, Json]) -> WorkEvent:
    """Return the event that `event_value` wrote; ProjectError names the invalid part."""
    kind = str(value.get("kind"))
    event_class = _CLASSES.get(kind)
    if event_class is None:
        raise ProjectError(
            f"Unknown event kind “{kind[:80]}”.",
            hint=(
                "The file may have been written by a newer version of annotator. Install the "
                "newer version."
            ),
        )
    parts: dict[str, object] = {}
    for name, where, reader, may_be_none, is_needed in _PARTS[event_class]:
        if name in value:
            field_value = value[name]
            is_none = field_value is None and may_be_none
            parts[name] = None if is_none else reader(field_value, where)
        elif is_needed:
            raise _fault(where, "is missing")
    if len(value) != len(parts) + 1:
        unknown = min(set(value) - {part.name for part in _PARTS[event_class]} - {"kind"})
        raise _fault(f"{kind}.{unknown[:80]}", "is unknown")
    return event_class(**parts)  # type: ignore[arg-type]


def verdict_value(verdict: Verdict) -> dict[str, Json]:
    """Return a verdict as values of JSON."""
    value: dict[str, Json] = {"kind": verdict.kind.value}
    if verdict.reasons:
        value["reasons"] = [reason_value(reason) for reason in verdict.reasons]
    return value


def reason_value(reason: Reason) -> dict[str, Json]:
    """Return a reason as values of JSON."""
    value: dict[str, Json] = {"text": reason.text}
    if reason.code:
        value["code"] = reason.code
    if reason.pin != WHOLE_TASK:
        value["pin"] = pin_value(reason.pin)
    return value


def pin_value(pin: Pin) -> dict[str, Json]:
    """Return a pin as values of JSON."""
    value: dict[str, Json] = {}
    if pin.frame is not None:
        value["frame"] = pin.frame
    if pin.span is not None:
        value["span"] = list(pin.span)
    for name in ("track_id", "segment_id", "point_id"):
        found = getattr(pin, name)
        if found is not None:
            value[name] = found
    return value


def viewing_value(viewing: Viewing) -> dict[str, Json]:
    """Return a viewing as values of JSON."""
    return {
        "extent": viewing.extent.value,
        "is_muted": viewing.is_muted,
        "has_tracks": viewing.has_tracks,
        "layout": viewing.layout.value,
    }


def viewing_from(value: Json, where: str = "viewing") -> Viewing:
    """Return the viewing that `viewing_value` wrote, or raise ProjectError."""
    table = _table(value, where, {"extent", "is_muted", "has_tracks", "layout"})
    return Viewing(
        _enum(Extent, table.get("extent", Extent.WHOLE.value), f"{where}.extent"),
        _truth(table.get("is_muted", False), f"{where}.is_muted"),
        _truth(table.get("has_tracks", False), f"{where}.has_tracks"),
        _enum(PairLayout, table.get("layout", PairLayout.TOGETHER.value), f"{where}.layout"),
    )


def verdict_from(value: Json, where: str = "verdict") -> Verdict:
    """Return the verdict that `verdict_value` wrote, or raise ProjectError."""
    table = _table(value, where, {"kind", "reasons"})
    kind = _enum(VerdictKind, table.get("kind"), f"{where}.kind")
    return Verdict(kind, _reasons(table.get("reasons", []), f"{where}.reasons"))


def reason_from(value: Json, where: str = "reason") -> Reason:
    """Return the reason that `reason_value` wrote, or raise ProjectError."""
    table = _table(value, where, {"text", "code", "pin"})
    return Reason(
        _text(table.get("text"), f"{where}.text"),
        pin_from(table.get("pin", {}), f"{where}.pin"),
        _text(table.get("code", ""), f"{where}.code"),
    )


def pin_from(value: Json, where: str = "pin") -> Pin:
    """Return the pin that `pin_value` wrote, or raise ProjectError."""
    table = _table(value, where, {"frame", "span", "track_id", "segment_id", "point_id"})
    span: tuple[int, int] | None = None
    if "span" in table:
        both = table["span"]
        if not isinstance(both, list) or len(both) != 2:
            raise _fault(f"{where}.span", "must be two integers")
        span = (_whole(both[0], f"{where}.span"), _whole(both[1], f"{where}.span"))
    track, segment, point = (
        _text(table[name], f"{where}.{name}") if name in table else None
        for name in ("track_id", "segment_id", "point_id")
    )
    return Pin(
        _whole(table["frame"], f"{where}.frame") if "frame" in table else None,
        span,
        TrackId(track) if track is not None else None,
        SegmentId(segment) if segment is not None else None,
        PointId(point) if point is not None else None,
    )


def _plain(value: object) -> Json:
    if isinstance(value, Verdict):
        return verdict_value(value)
    if isinstance(value, Viewing):
        return cast("Json", viewing_value(value))
    if isinstance(value, tuple):
        return [each if isinstance(each, str) else reason_value(each) for each in value]
    if isinstance(value, StrEnum):
        return value.value
    return cast("Json", value)


def _reasons(value: Json, where: str) -> tuple[Reason, ...]:
    if not isinstance(value, list):
        raise _fault(where, "must be a list")
    return tuple(reason_from(each, f"{where}[{i}]") for i, each in enumerate(value))


def _names(value: Json, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _fault(where, "must be a list")
    return tuple(_text(each, f"{where}[{i}]") for i, each in enumerate(value))


def _table(value: Json, where: str, known: set[str]) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise _fault(where, "must be a table")
    unknown = set(value) - known
    if unknown:
        raise _fault(f"{where}.{min(unknown)[:80]}", "is unknown")
    return value


def _text(value: Json, where: str) -> str:
    if not isinstance(value, str):
        raise _fault(where, "must be text")
    return value


def _whole(value: Json, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _fault(where, "must be an integer")
    return value


def _truth(value: Json, where: str) -> bool:
    if not isinstance(value, bool):
        raise _fault(where, "must be true or false")
    return value


def _enum(words: type[E], value: Json, where: str) -> E:
    try:
        return words(_text(value, where))
    except ValueError:
        raise _fault(where, f"is not one of {', '.join(words)}") from None


def _fault(where: str, what: str) -> ProjectError:
    return ProjectError(f"“{where}” {what}.")


_READERS: Final[dict[str, Callable[[Json, str], object]]] = {
    "int": _whole,
    "Instant": _whole,
    "bool": _truth,
    "Verdict": verdict_from,
    "VerdictKind": lambda value, where: _enum(VerdictKind, value, where),
    "AssignmentState": lambda value, where: _enum(AssignmentState, value, where),
    "Flag": lambda value, where: _enum(Flag, value, where),
    "Viewing": viewing_from,
    "LeadNeed": lambda value, where: _enum(LeadNeed, value, where),
    "tuple[Reason, ...]": _reasons,
    "tuple[AssignmentId, ...]": _names,
}


class _Part(NamedTuple):
    """How one part of an event is read; ``where`` is what errors call it."""

    name: str
    where: str
    reader: Callable[[Json, str], object]
    may_be_none: bool
    is_needed: bool


def _part(made: type[WorkEvent], field: Field[object]) -> _Part:
    """Return how a part is read, by the name of its type as the events spell it."""
    type_name = str(field.type)
    base = type_name.removesuffix(" | None")
    where = f"{made.kind}.{field.name}"
    reader = _READERS.get(base, _text)
    return _Part(field.name, where, reader, base != type_name, field.default is MISSING)


_PARTS: Final = {
    made: tuple(_part(made, field) for field in _FIELDS[made]) for made in _CLASSES.values()
}
