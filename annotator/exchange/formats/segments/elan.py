"""ELAN: segments on tiers (EAF, XML), times in whole milliseconds.

A tier whose name begins with "sound" or "audio" holds sounds, every other one actions. Symbolic
annotations without times of their own are skipped. Overlapping segments of a lane go to further
tiers: "actions-1", "actions-2".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final
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
    slots: dict[str, int | None] = {}
    segments: list[SegmentContent] = []
    findings: list[Finding] = []
    has_any = False
    for element in elements(path, ("HEADER", "TIME_ORDER", "TIER")):
        has_any = True
        if element.tag == "HEADER":
            media = element.find("MEDIA_DESCRIPTOR")
            url = unquote(media.get("MEDIA_URL") or "") if media is not None else ""
            stem = PurePosixPath(url.replace("\\", "/")).stem
            name = stem or name
            if element.get("TIME_UNITS", "milliseconds") != "milliseconds":
                raise fail(path, "Times in other units than milliseconds are not supported.")
        elif element.tag == "TIME_ORDER":
            for slot in element.iter("TIME_SLOT"):
                slots[slot.get("TIME_SLOT_ID") or ""] = _milliseconds(path, slot.get("TIME_VALUE"))
        else:
            _read_tier(path, element, slots, segments, findings)
    if not has_any:
        raise fail(path, "The file is not an ELAN file: it has no tiers.")
    return [VideoContent(name, path.name, segments=tuple(segments), findings=tuple(findings))]


def _read_tier(
    path: Path,
    tier: Element,
    slots: dict[str, int | None],
    segments: list[SegmentContent],
    findings: list[Finding],
) -> None:
    tier_id = label_of(tier.get("TIER_ID") or "")
    lane = Lane.SOUND if tier_id.casefold().startswith(_SOUNDS) else Lane.ACTION
    n_without = n_symbolic = 0
    for annotation in tier.iter("ALIGNABLE_ANNOTATION"):
        key = annotation.get("ANNOTATION_ID") or ""
        times = []
        for side in ("TIME_SLOT_REF1", "TIME_SLOT_REF2"):
            slot = annotation.get(side) or ""
            if slot not in slots:
                raise fail(path, f"Annotation {key}: there is no time slot “{slot[:40]}”.")
            times.append(slots[slot])
        start, end = times
        if start is None or end is None:
            n_without += 1
            continue
        if end < start:
            raise fail(path, f"Annotation {key} ends before it starts.")
        label = label_of(annotation.findtext("ANNOTATION_VALUE") or "")
        span = (start * 1000, end * 1000)
        segments.append(SegmentContent(lane, label, None, span, key, attributes={"tier": tier_id}))
    n_symbolic = sum(1 for _ in tier.iter("REF_ANNOTATION"))
    place = f"{path.name}, tier {tier_id}"
    if n_without:
        text = f"Skipped: {n_without} annotations have time slots without a time."
        findings.append(Finding("no-time", place, text))
    if n_symbolic:
        text = f"Skipped: {n_symbolic} annotations refer to others and have no times."
        findings.append(Finding("no-time", place, text))


def _milliseconds(path: Path, text: str | None) -> int | None:
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
