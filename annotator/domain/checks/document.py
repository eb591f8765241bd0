"""Rules on the tracks and segments of one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from annotator.domain.checks.finding import Finding, Severity
from annotator.domain.checks.points import check_points
from annotator.domain.checks.segments import LabelSets, Loudness, check_segments
from annotator.domain.document import Document
from annotator.domain.ids import PointId, TrackId
from annotator.domain.track import Track, unchecked_grid_frames

TINY_SIDE_PX: Final = 4.0
DUPLICATE_IOU: Final = 0.9
"""Mean overlap from which two tracks of one name look like one object drawn twice."""


def check_document(
    document: Document,
    pending: Mapping[TrackId, int] | None = None,
    pending_points: Mapping[PointId, int] | None = None,
    labels: LabelSets | None = None,
    loudness: Loudness | None = None,
) -> Iterator[Finding]:
    """Yield everything worth a look, track by track, then what concerns several of them.

    ``pending`` counts, per track, the proposals that nobody has accepted or dismissed;
    ``pending_points`` does so per point. ``labels`` and ``loudness`` as in `check_segments`.
    """
    waiting = pending or {}
    for track in document.tracks:
        where = place(document, track)
        for rule in _TRACK_RULES:
            yield from rule(document, track, where)
        if count := waiting.get(track.id, 0):
            text = f"{_many(count, 'proposal')} not yet accepted or dismissed; not exported."
            yield Finding("pending-proposals", where, text, track_id=track.id)
    yield from _duplicates(document)
    yield from check_points(document, pending_points or {})
    yield from check_segments(document, labels, loudness)


def place(document: Document, track: Track) -> str:
    """Return how findings name a track: video, number and label."""
    return f"{document.video.name}, track {track.info.number} “{track.label}”"


def _empty_name(document: Document, track: Track, where: str) -> Iterator[Finding]:
    if not track.label.strip():
        text = "The object has no name. Rename the track."
        yield Finding("empty-name", where, text, Severity.ERROR, track_id=track.id)


def _never_present(document: Document, track: Track, where: str) -> Iterator[Finding]:
    if all(key.box is None for key in track.keyframes):
        text = "The object is never in the picture. Draw a box or delete the track."
        yield Finding("never-present", where, text, Severity.ERROR, track_id=track.id)


def _unchecked(document: Document, track: Track, where: str) -> Iterator[Finding]:
    video = document.video
    frames = unchecked_grid_frames(track, step=video.grid_step, n_frames=video.n_frames)
    if frames:
        text = f"{_many(len(frames), 'grid frame')} not checked yet, the first is {frames[0]}."
        yield Finding("unchecked-grid", where, text, track_id=track.id, frame=frames[0])


def _bad_boxes(document: Document, track: Track, where: str) -> Iterator[Finding]:
    video = document.video
    tiny: list[int] = []
    for key in track.keyframes:
        if key.box is None:
            continue
        inside = key.box.clipped(video.width, video.height)
        if not key.box.is_valid or inside.area <= 0:
            text = f"The box on frame {key.frame} covers nothing of the picture. Draw it again."
            yield Finding(
                "empty-box", where, text, Severity.ERROR, track_id=track.id, frame=key.frame
            )
        elif min(inside.width, inside.height) < TINY_SIDE_PX:
            tiny.append(key.frame)
        if key.frame >= video.n_frames:
            text = f"Frame {key.frame} is not in the video (0 to {video.n_frames - 1})."
            yield Finding("beyond-video", where, text, Severity.ERROR, track_id=track.id)
    if tiny:
        text = f"{_many(len(tiny), 'box')} less than {TINY_SIDE_PX:g} pixels wide or high, "
        text += f"the first on frame {tiny[0]}."
        yield Finding("tiny-box", where, text, track_id=track.id, frame=tiny[0])


def _orphan(document: Document, track: Track, where: str) -> Iterator[Finding]:
    parent = track.info.parent_id
    if parent is not None and document.find_track(parent) is None:
        text = "The track it was split from does not exist any more."
        yield Finding("no-parent", where, text, track_id=track.id)


_TRACK_RULES: Final[tuple[Callable[[Document, Track, str], Iterator[Finding]], ...]] = (
    _empty_name,
    _never_present,
    _bad_boxes,
    _orphan,
    _unchecked,
)


def _duplicates(document: Document) -> Iterator[Finding]:
    counts = Counter(t.label for t in document.tracks)
    named = [t for t in document.tracks if counts[t.label] > 1]
    for i, first in enumerate(named):
        for second in named[i + 1 :]:
            if first.label == second.label and _mean_overlap(first, second) >= DUPLICATE_IOU:
                text = f"Lies almost everywhere on track {first.info.number} of the same name."
                where = place(document, second)
                yield Finding("duplicate-track", where, text, track_id=second.id)


def _mean_overlap(first: Track, second: Track) -> float:
    """Return the mean IoU on the keyframes of both where either object is in the picture."""
    total, count = 0.0, 0
    for frame in sorted({*first.frames, *second.frames}):
        mine, theirs = first.state_at(frame).box, second.state_at(frame).box
        if mine is None and theirs is None:
            continue
        count += 1
        if mine is not None and theirs is not None:
            total += mine.iou(theirs)
    return total / count if count else 0.0


def _many(count: int, noun: str) -> str:
    plural = noun + ("es" if noun.endswith("x") else "s")
    return f"1 {noun} is" if count == 1 else f"{count} {plural} are"
