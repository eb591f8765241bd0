"""ELAN: segments on tiers (EAF, XML), times in whole milliseconds.

A tier whose name begins with "sound" or "audio" holds sounds, every other one actions. Annotations
without times of their own get those that ELAN shows: their share of the time between neighbors, or
of their parent's. Overlapping segments of a lane go to further tiers: "actions-1", "actions-2".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding
from annotator.exchange.formats.base.document_conversion import tiers_of
from annotator.exchange.formats.base.file_content import SegmentContent, VideoContent
from annotator.exchange.formats.base.format import SEGMENTS_ONLY, Format, Loss
from annotator.exchange.formats.base.plain_files import (
    MAX_SECONDS,
    bounded,
    elements,
    fail,
    label_of,
    xml_attribute,
    xml_text,
)

_SCHEMA: Final = (
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd"'
)
_CONSTRAINTS: Final = (
    ("Time_Subdivision", "Time subdivision of parent annotation's time interval"),
    ("Symbolic_Subdivision", "Symbolic subdivision of a parent annotation"),
    ("Symbolic_Association", "1-1 association with a parent annotation"),
    ("Included_In", "Time alignable annotations within the parent annotation's time interval"),
)
_SOUNDS: Final = ("sound", "audio")


def read(path: Path) -> list[VideoContent]:
    """Return the one video of a file; ExchangeError for other files."""
    name = path.stem
    slots: dict[str, float | None] = {}
    tiers: list[_Tier] = []
    is_elan = False
    for element in elements(path, ("HEADER", "TIME_ORDER", "TIER")):
        is_elan = True
        if element.tag == "HEADER":
            media = element.find("MEDIA_DESCRIPTOR")
            url = unquote(media.get("MEDIA_URL") or "") if media is not None else ""
            name = PurePosixPath(url.replace("\\", "/")).stem or name
            if element.get("TIME_UNITS", "milliseconds") != "milliseconds":
                raise fail(path, "Times in other units than milliseconds are not supported.")
        elif element.tag == "TIME_ORDER":
            for slot in element.iter("TIME_SLOT"):
                slots[slot.get("TIME_SLOT_ID") or ""] = _milliseconds(path, slot.get("TIME_VALUE"))
        else:
            tiers.append(_tier(path, element, slots))
    if not is_elan:
        raise fail(path, "The file is not an ELAN file: it has no tiers.")
    slot_times = {slot: time for slot, time in slots.items() if time is not None}
    times: dict[str, _Span] = {}
    for tier in tiers:
        times |= _aligned(path, tier, slot_times)
    _inherit(tiers, times)
    segments: list[SegmentContent] = []
    findings: list[Finding] = []
    for tier in tiers:
        segments += _segments(tier, times)
        if n_without := sum(annotation.key not in times for annotation in tier.annotations):
            text = f"Skipped: annotations without times ({n_without})."
            findings.append(Finding("no-time", f"{path.name}, tier {tier.id}", text))
    return [VideoContent(name, path.name, segments=tuple(segments), findings=tuple(findings))]


_Span = tuple[float, float]  # start and end, milliseconds


class _Annotation(NamedTuple):
    """An annotation between two time slots, or one that refers to a parent."""

    key: str
    label: str
    slots: tuple[str, str] | None
    parent: str = ""


class _Tier(NamedTuple):
    id: str
    annotations: list[_Annotation]


def _tier(path: Path, tier: Element, slots: Mapping[str, float | None]) -> _Tier:
    annotations = []
    for element in tier.iter():
        if element.tag not in ("ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
            continue
        key = element.get("ANNOTATION_ID") or ""
        label = label_of(element.findtext("ANNOTATION_VALUE") or "")
        if element.tag == "REF_ANNOTATION":
            parent = element.get("ANNOTATION_REF") or ""
            annotations.append(_Annotation(key, label, None, parent))
            continue
        first, last = (element.get(f"TIME_SLOT_REF{side}") or "" for side in (1, 2))
        for slot in (first, last):
            if slot not in slots:
                raise fail(path, f"Annotation {key}: there is no time slot “{slot[:40]}”.")
        annotations.append(_Annotation(key, label, (first, last)))
    return _Tier(label_of(tier.get("TIER_ID") or ""), annotations)


def _aligned(path: Path, tier: _Tier, slot_times: dict[str, float]) -> dict[str, _Span]:
    """Return the times of annotations between slots, by annotation.

    Slots without a time in a row of annotations divide the time between those that have one evenly,
    as in ELAN; their times (milliseconds) are added to ``slot_times``.
    """
    after = {
        annotation.slots[0]: annotation.slots[1]
        for annotation in tier.annotations
        if annotation.slots
    }
    for start in [slot for slot in after if slot in slot_times]:
        row, end = {start: None}, after[start]
        while end in after and end not in slot_times and end not in row:
            row[end] = None
            end = after[end]
        if end in slot_times:
            step = (slot_times[end] - slot_times[start]) / len(row)
            slot_times |= {slot: slot_times[start] + i * step for i, slot in enumerate(row)}
    spans = {}
    for annotation in tier.annotations:
        if (
            annotation.slots
            and annotation.slots[0] in slot_times
            and annotation.slots[1] in slot_times
        ):
            span = slot_times[annotation.slots[0]], slot_times[annotation.slots[1]]
            if span[1] < span[0]:
                raise fail(path, f"Annotation {annotation.key} ends before it starts.")
            spans[annotation.key] = span
    return spans


def _inherit(tiers: Sequence[_Tier], times: dict[str, _Span]) -> None:
    """Give annotations that refer to a parent its time, shared evenly by those of one tier."""
    families: dict[str, list[list[str]]] = {}
    for tier in tiers:
        siblings: dict[str, list[str]] = {}
        for annotation in tier.annotations:
            if annotation.slots is None:
                siblings.setdefault(annotation.parent, []).append(annotation.key)
        for parent, keys in siblings.items():
            families.setdefault(parent, []).append(keys)
    parents = [parent for parent in families if parent in times]
    while parents:
        parent = parents.pop()
        start, end = times[parent]
        for keys in families.pop(parent, []):
            step = (end - start) / len(keys)
            for i, key in enumerate(keys):
                times[key] = start + i * step, start + (i + 1) * step
            parents += [key for key in keys if key in families]


def _segments(tier: _Tier, times: Mapping[str, _Span]) -> Iterator[SegmentContent]:
    lane = Lane.SOUND if tier.id.casefold().startswith(_SOUNDS) else Lane.ACTION
    for annotation in tier.annotations:
        if annotation.key in times:
            start, end = (round(time) * 1000 for time in times[annotation.key])
            yield SegmentContent(
                lane,
                annotation.label,
                None,
                (start, end),
                annotation.key,
                attributes={"tier": tier.id},
            )


def _milliseconds(path: Path, text: str | None) -> float | None:
    if text is None:
        return None
    value = bounded(text, 0, MAX_SECONDS * 1000, lambda said: fail(path, f"Time slot: {said}"))
    return round(value)


def write(videos: Iterable[VideoContent]) -> Iterator[bytes]:
    """Yield the file of one video."""
    (video,) = videos
    tiers = dict(_tiers(video))
    times = sorted({_ms(t) for s in video.segments for t in s.times_us or ()})
    slots = {time: f"ts{i}" for i, time in enumerate(times, 1)}
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT AUTHOR="annotator" '
        f'DATE="2026-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" {_SCHEMA}>\n'
    ).encode()
    url = xml_attribute(f"./{video.file_name or video.name}")
    mime = 'MIME_TYPE="video/mp4"'
    yield b'<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">\n'
    yield f"<MEDIA_DESCRIPTOR MEDIA_URL={url} {mime} RELATIVE_MEDIA_URL={url}/>\n".encode()
    yield b"</HEADER>\n<TIME_ORDER>\n"
    for time, slot in slots.items():
        yield f'<TIME_SLOT TIME_SLOT_ID="{slot}" TIME_VALUE="{time}"/>\n'.encode()
    yield b"</TIME_ORDER>\n"
    number = 0
    for tier, segments in tiers.items():
        yield f'<TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID={xml_attribute(tier)}>\n'.encode()
        for segment in segments:
            number += 1
            assert segment.times_us is not None
            first, last = (slots[_ms(time)] for time in segment.times_us)
            yield (
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{number}" '
                f'TIME_SLOT_REF1="{first}" TIME_SLOT_REF2="{last}"><ANNOTATION_VALUE>'
                f"{xml_text(segment.label)}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>\n"
            ).encode()
        yield b"</TIER>\n"
    kind = 'GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"'
    yield f"<LINGUISTIC_TYPE {kind}/>\n".encode()
    for name, text in _CONSTRAINTS:
        about = f"DESCRIPTION={xml_attribute(text)} STEREOTYPE={xml_attribute(name)}"
        yield f"<CONSTRAINT {about}/>\n".encode()
    yield b"</ANNOTATION_DOCUMENT>\n"


def _tiers(video: VideoContent) -> Iterator[tuple[str, list[SegmentContent]]]:
    yield from tiers_of(video, Lane.ACTION, "actions")
    yield from tiers_of(video, Lane.SOUND, "sounds")


def _ms(time_us: int) -> int:
    return round(time_us / 1000)


FORMAT: Final = Format(
    "elan",
    "ELAN (EAF)",
    (".eaf",),
    "xml",
    needs_videos=True,
    holds=("actions", "sounds"),
    losses=SEGMENTS_ONLY
    | {
        Loss.ROLES,
        Loss.SOUND_SOURCES,
        Loss.NOTES,
        Loss.FRAME_NUMBERS,
        Loss.FRAME_RATE,
        Loss.FINE_TIMES,
    },
    source="ELAN Annotation Format, EAF 3.0",
    is_per_video=True,
    read=read,
    write=write,
)
