"""Rules on the actions and sounds of one document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.labels import LabelSet
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.checks.finding import Finding, Severity
from annotator.domain.checks.step import CheckStep
from annotator.domain.ids import TrackId

SILENCE: Final = 0.002
"""A sound whose loudest sample stays below this (1 is full scale) cannot be heard."""

LabelSets = Mapping[Lane, LabelSet]
Loudness = Callable[[Segment], float | None]


def segment_steps(
    document: Document,
    labels: LabelSets | None = None,
    loudness: Loudness | None = None,
    lanes: Collection[Lane] = tuple(Lane),
) -> Iterator[CheckStep]:
    """Yield the check of segments on these lanes in pieces: each, then what concerns several.

    ``labels`` are what may be chosen on each lane. ``loudness`` gives the loudest sample during a
    segment as 0..1, or None while that is not known.
    """
    every = tuple(s for s in document.segments if s.lane in lanes)
    for segment in every:
        names = labels.get(segment.lane) if labels is not None else None
        tracks = (document.find_track(track) for track in segment.objects)
        peak = loudness(segment) if loudness is not None and segment.lane is Lane.SOUND else None
        is_silent = peak is not None and peak < SILENCE
        find = partial(_segment, document, segment, names, is_silent)
        subjects = (document.video, segment, names, is_silent, *tracks)
        yield CheckStep(("segment", segment.id), subjects, find)
    segments = tuple(segment for segment in every if not segment.is_proposed)
    yield CheckStep(("twice", ""), segments, partial(_twice, document, segments))


def segment_place(document: Document, segment: Segment) -> str:
    """Return how findings name a segment: video, lane, label and first frame."""
    label = segment.label.strip()
    return f"{document.video.name}, {segment.lane.value} “{label}” at {segment.start}"


def _segment(
    document: Document, segment: Segment, labels: LabelSet | None, is_silent: bool
) -> Iterator[Finding]:
    where = segment_place(document, segment)
    if segment.is_proposed:
        text = "Proposed by a model and not yet accepted or dismissed; not exported."
        yield _found("pending-proposals", where, text, segment)
        return
    yield from _objects(document, segment, where)
    if segment.end > max(1, document.video.n_frames):
        text = f"The segment ends after the video ({document.video.n_frames} frames)."
        yield _found("beyond-video", where, text, segment, Severity.ERROR)
    if labels is not None:
        yield from _label(segment, labels, where)
    if is_silent:
        yield _found("silence", where, "The audio is silent during the segment.", segment)


def _objects(document: Document, segment: Segment, where: str) -> Iterator[Finding]:
    tracks = [t for s in segment.objects if (t := document.find_track(s)) is not None]
    if len(tracks) < len(segment.objects):
        text = "The segment refers to an object that no longer exists."
        yield _found("no-object", where, text, segment)
    if not tracks or (segment.lane is Lane.SOUND and not segment.is_visible):
        return
    if not any(t.is_present_in(segment.start, segment.end) for t in tracks):
        who = "The object is" if len(tracks) == 1 else "All objects are"
        yield _found("out-of-view", where, f"{who} out of view during the segment.", segment)


def _label(segment: Segment, labels: LabelSet, where: str) -> Iterator[Finding]:
    by_id = labels.find(segment.label_id)
    label = by_id or (labels.find_text(segment.label) if segment.label_id is None else None)
    if label is None:
        yield _found(
            "unknown-label", where, f"The label is not in the label set “{labels.name}”.", segment
        )
        return
    if label.text != segment.label:
        text = f"Label {label.id} is “{label.text}” in the label set."
        yield _found("unknown-label", where, text, segment)
    still_open = [slot for slot in sorted(label.slots) if segment.is_open(slot.number - 1)]
    if still_open:
        listed = ", ".join(f"{slot.number} ({slot.word})" for slot in still_open)
        noun = "role" if len(still_open) == 1 else "roles"
        yield _found("empty-slot", where, f"Not filled: {noun} {listed}.", segment)


def _twice(document: Document, segments: Sequence[Segment]) -> Iterator[Finding]:
    """Yield actions that overlap an equal one on the same objects."""
    groups: dict[tuple[str, tuple[TrackId | None, ...]], list[Segment]] = defaultdict(list)
    for segment in segments:
        if segment.lane is Lane.ACTION:
            groups[segment.label, segment.slots].append(segment)
    for group in groups.values():
        reach = -1
        for segment in group:
            if segment.start < reach:
                text = "The segment overlaps another segment of the same action and objects."
                yield _found("same-twice", segment_place(document, segment), text, segment)
            reach = max(reach, segment.end)


def _found(
    code: str, where: str, text: str, segment: Segment, severity: Severity = Severity.WARNING
) -> Finding:
    return Finding(code, where, text, severity, segment_id=segment.id, frame=segment.start)
