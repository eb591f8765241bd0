"""Rules on the tracks, actions and sounds of one document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.attributes import AppliesTo, Attribute, problems_of
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.key_table import KeyTable, columns_of
from annotator.domain.annotation.labels import LabelSet
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import UNSEEN, Lane, Segment
from annotator.domain.annotation.track import Track, unchecked_grid_frames
from annotator.domain.checks.finding import CheckStep, Finding, Severity, place
from annotator.domain.checks.point_checks import point_place, point_steps
from annotator.domain.ids import PointId, TrackId
from annotator.domain.plurals import are
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS, TOOL_OF

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    """Yield the checks of segments on these lanes: each alone, then in combination.

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
    """Return how findings name a segment: video, lane, label and first frame, or time."""
    label, at = segment.label.strip(), str(segment.start)
    if not document.video.n_frames:
        at = f"{segment.start / 1000:.3f} s"
    return f"{document.video.name}, {segment.lane.value} “{label}” at {at}"


def _segment(
    document: Document, segment: Segment, labels: LabelSet | None, is_silent: bool
) -> Iterator[Finding]:
    where = segment_place(document, segment)
    if segment.is_proposed:
        text = "Proposed by a model and not yet accepted or dismissed; not exported."
        yield _finding("pending-proposals", where, text, segment)
        return
    yield from _objects(document, segment, where)
    if 0 < document.video.n_frames < segment.end:
        text = f"The segment ends after the video ({document.video.n_frames} frames)."
        yield _finding("beyond-video", where, text, segment, Severity.ERROR)
    if labels is not None:
        yield from _label(segment, labels, where)
    if is_silent:
        yield _finding("silence", where, "The audio is silent during the segment.", segment)


def _objects(document: Document, segment: Segment, where: str) -> Iterator[Finding]:
    tracks = [t for s in segment.objects if (t := document.find_track(s)) is not None]
    if len(tracks) < len(segment.objects):
        text = "The segment refers to an object that no longer exists."
        yield _finding("no-object", where, text, segment)
    if not tracks or (segment.lane is Lane.SOUND and not segment.is_visible):
        return
    if not any(t.is_present_in(segment.start, segment.end) for t in tracks):
        who = "The object is" if len(tracks) == 1 else "All objects are"
        yield _finding("out-of-view", where, f"{who} out of view during the segment.", segment)


def _label(segment: Segment, labels: LabelSet, where: str) -> Iterator[Finding]:
    by_id = labels.find(segment.label_id)
    label = by_id or (labels.find_text(segment.label) if segment.label_id is None else None)
    if label is None:
        yield _finding(
            "unknown-label", where, f"The label is not in the label set “{labels.name}”.", segment
        )
        return
    if label.text != segment.label:
        text = f"Label {label.id} is “{label.text}” in the label set."
        yield _finding("unknown-label", where, text, segment)
    still_open = [slot for slot in sorted(label.slots) if segment.is_open(slot.number - 1)]
    if still_open:
        listed = ", ".join(f"{slot.number} ({slot.word})" for slot in still_open)
        noun = "role" if len(still_open) == 1 else "roles"
        yield _finding("empty-slot", where, f"Not filled: {noun} {listed}.", segment)


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
                yield _finding("same-twice", segment_place(document, segment), text, segment)
            reach = max(reach, segment.end)


def _finding(
    code: str, where: str, text: str, segment: Segment, severity: Severity = Severity.WARNING
) -> Finding:
    return Finding(code, where, text, severity, segment_id=segment.id, frame=segment.start)


DUPLICATE_IOU: Final = 0.9
"""Mean overlap from which two tracks of one name look like one object drawn twice."""


@dataclass(frozen=True, slots=True, eq=False)
class _Keys:
    """The keyframes of a track: int64 [n], and (x1, y1, x2, y2) float64 [n, 4], NaN: no box."""

    frames: NDArray[np.int64]
    boxes: NDArray[np.float64]

    @classmethod
    def of(cls, track: Track) -> _Keys:
        return cls(*columns_of(track))

    def at(self, frames: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the boxes on other frames, as `Track.state_at` has them."""
        if not len(self.frames):
            return np.full((len(frames), 4), np.nan)
        lower = np.searchsorted(self.frames, frames, side="right") - 1
        first = np.maximum(lower, 0)
        upper = np.minimum(first + 1, len(self.frames) - 1)
        begin, end = self.boxes[first], self.boxes[upper]
        length = np.maximum(self.frames[upper] - self.frames[first], 1)
        share = ((frames - self.frames[first]) / length)[:, None]
        is_held = np.isnan(end[:, 0]) | (upper == first)
        found = np.where(is_held[:, None], begin, begin + (end - begin) * share)
        found[lower < 0] = np.nan
        return found


def double_steps(document: Document, tracks: Sequence[Track]) -> Iterator[CheckStep]:
    """Yield a step for each track that others of its name follow."""
    named: dict[str, list[Track]] = {}
    for track in tracks:
        named.setdefault(track.label, []).append(track)
    made: dict[TrackId, _Keys] = {}
    for first in tracks:
        alike = named[first.label]
        alike.pop(0)
        if alike:
            later = tuple(alike)
            find = partial(_doubles, document, first, later, made)
            yield CheckStep(("doubles", first.id), (document.video, first, *later), find)


def _doubles(
    document: Document, first: Track, later: Sequence[Track], made: dict[TrackId, _Keys]
) -> Iterator[Finding]:
    for track in (first, *later):
        if track.id not in made:
            made[track.id] = _Keys.of(track)
    keys = made[first.id]
    for second in later:
        if _may_overlap(keys, made[second.id]) and _mean_overlap(first, second) >= DUPLICATE_IOU:
            text = (
                f"Overlaps track {first.info.number} of the same name on almost all frames. "
                "Delete one, or rename it."
            )
            yield Finding("duplicate-track", place(document, second), text, track_id=second.id)


def _may_overlap(first: _Keys, second: _Keys) -> bool:
    """Return quickly whether the mean IoU can be large: most pairs of objects are far apart.

    The mean is over the keyframes of both, of which those of the first alone lose so much.
    """
    mine, theirs = first.boxes, second.at(first.frames)
    sides = np.minimum(mine[:, 2:], theirs[:, 2:]) - np.maximum(mine[:, :2], theirs[:, :2])
    shared = np.prod(np.maximum(sides, 0), axis=1)
    areas = [np.prod(b[:, 2:] - b[:, :2], axis=1) for b in (mine, theirs)]
    union = np.maximum(areas[0] + areas[1] - shared, 1e-9)
    is_either = ~(np.isnan(areas[0]) & np.isnan(areas[1]))
    lost = float(np.sum(is_either) - np.nansum(shared / union))
    return lost <= (1 - DUPLICATE_IOU) * (len(first.frames) + len(second.frames)) + 1e-6


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


TINY_SIDE_PX: Final = 4.0


def check_document(
    document: Document,
    pending: Mapping[TrackId, int] | None = None,
    pending_points: Mapping[PointId, int] | None = None,
    labels: LabelSets | None = None,
    loudness: Loudness | None = None,
    tools: Collection[Tool] = ALL_TOOLS,
    attributes: Sequence[Attribute] = (),
) -> Iterator[Finding]:
    """Yield all issues of a document, track by track, then across tracks.

    ``pending`` counts, per track, the proposals not yet accepted or dismissed;
    ``pending_points`` does so per point. ``labels`` and ``loudness`` as in `segment_steps`. Only
    what these ``tools`` make is looked at: all else is given.
    """
    boxes = _quiet_tracks(document) if Tool.BOXES in tools else frozenset()
    steps = _steps(document, pending, pending_points, labels, loudness, tools, boxes, attributes)
    for step in steps:
        yield from step.find()


def check_steps(
    document: Document,
    pending: Mapping[TrackId, int] | None = None,
    pending_points: Mapping[PointId, int] | None = None,
    labels: LabelSets | None = None,
    loudness: Loudness | None = None,
    tools: Collection[Tool] = ALL_TOOLS,
    attributes: Sequence[Attribute] = (),
) -> Iterator[CheckStep]:
    """Yield the check of a document in pieces of about a millisecond, none carried out yet."""
    quiet: frozenset[TrackId] = frozenset()
    yield from _steps(document, pending, pending_points, labels, loudness, tools, quiet, attributes)


def _steps(
    document: Document,
    pending: Mapping[TrackId, int] | None,
    pending_points: Mapping[PointId, int] | None,
    labels: LabelSets | None,
    loudness: Loudness | None,
    tools: Collection[Tool],
    quiet: Collection[TrackId],
    attributes: Sequence[Attribute],
) -> Iterator[CheckStep]:
    if Tool.BOXES in tools:
        yield from _track_steps(document, pending or {}, quiet)
    if Tool.POINTS in tools:
        # Where objects are given, points on them are what the task is about.
        are_given = Tool.BOXES not in tools
        yield from point_steps(document, pending_points or {}, on_all=are_given)
    lanes = [lane for lane, tool in TOOL_OF.items() if tool in tools]
    if lanes:
        yield from segment_steps(document, labels, loudness, lanes)
    sets = [labels[lane] for lane in lanes if lane in labels] if labels is not None else []
    defined = (*attributes, *(attribute for one in sets for attribute in one.attributes))
    if defined:
        yield from _attribute_steps(document, defined, tools, lanes)


def _attribute_steps(
    document: Document,
    attributes: Sequence[Attribute],
    tools: Collection[Tool],
    lanes: Collection[Lane],
) -> Iterator[CheckStep]:
    """Yield the check of the attributes of each track, point and segment."""
    for track in document.tracks if Tool.BOXES in tools else ():
        check_entity = partial(_of_track, document, track, attributes)
        yield CheckStep(("attributes", track.id), (track,), check_entity)
    for point in document.points if Tool.POINTS in tools else ():
        check_entity = partial(_of_point, document, point, attributes)
        yield CheckStep(("attributes", point.id), (point,), check_entity)
    for segment in document.segments:
        if segment.lane in lanes and not segment.is_proposed:
            check_entity = partial(_of_segment, document, segment, attributes)
            yield CheckStep(("attributes", segment.id), (segment, attributes), check_entity)


def _of_track(
    document: Document, track: Track, attributes: Sequence[Attribute]
) -> Iterator[Finding]:
    where, frame = place(document, track), track.first_frame
    for code, text in problems_of(track.label, AppliesTo.OBJECT, track.info.attributes, attributes):
        yield Finding(code, where, text, Severity.WARNING, track.id, frame=frame)


def _of_point(
    document: Document, point: PointTrack, attributes: Sequence[Attribute]
) -> Iterator[Finding]:
    where, owner = point_place(document, point), point.info.track_id
    for code, text in problems_of(point.label, AppliesTo.POINT, point.attributes, attributes):
        yield Finding(code, where, text, Severity.WARNING, owner, point_id=point.id)


def _of_segment(
    document: Document, segment: Segment, attributes: Sequence[Attribute]
) -> Iterator[Finding]:
    where, kind = segment_place(document, segment), AppliesTo(segment.lane.value)
    for code, text in problems_of(segment.label, kind, segment.attributes, attributes):
        yield Finding(
            code, where, text, Severity.WARNING, segment_id=segment.id, frame=segment.start
        )


def _track_steps(
    document: Document, waiting: Mapping[TrackId, int], quiet: Collection[TrackId]
) -> Iterator[CheckStep]:
    tracks = document.tracks
    for track in tracks:
        parent = document.find_track(track.info.parent_id) if track.info.parent_id else None
        count = waiting.get(track.id, 0)
        subjects = (document.video, track, parent, count)
        rules = _TRACK_RULES if track.id not in quiet else _RULES_OF_INFO
        yield CheckStep(
            ("track", track.id), subjects, partial(_track, document, track, count, rules)
        )
    yield from double_steps(document, tracks)


def _track(
    document: Document, track: Track, count: int, rules: Sequence[_Rule]
) -> Iterator[Finding]:
    where = place(document, track)
    for rule in rules:
        yield from rule(document, track, where)
    if count:
        text = f"{are(count, 'proposal')} not yet accepted or dismissed; not exported."
        yield Finding("pending-proposals", where, text, track_id=track.id)


def _empty_name(document: Document, track: Track, where: str) -> Iterator[Finding]:
    if not track.label.strip():
        text = "The object has no name. Rename the track."
        yield Finding("empty-name", where, text, Severity.ERROR, track_id=track.id)


def _never_present(document: Document, track: Track, where: str) -> Iterator[Finding]:
    if not track.is_proposed and all(key.box is None for key in track.keyframes):
        text = "The object is never in view. Draw a box, or delete the track."
        yield Finding("never-present", where, text, Severity.ERROR, track_id=track.id)


def _unchecked(document: Document, track: Track, where: str) -> Iterator[Finding]:
    video = document.video
    frames = unchecked_grid_frames(track, step=video.grid_step, n_frames=video.n_frames)
    if frames:
        text = f"{are(len(frames), 'grid frame')} not checked yet, the first is {frames[0]}."
        yield Finding("unchecked-grid", where, text, track_id=track.id, frame=frames[0])


def _bad_boxes(document: Document, track: Track, where: str) -> Iterator[Finding]:
    video = document.video
    tiny: list[int] = []
    for key in track.keyframes:
        if key.box is None:
            continue
        inside = key.box.clipped(video.width, video.height)
        if not key.box.is_valid or inside.area <= 0:
            text = f"The box on frame {key.frame} is outside the image. Draw it again."
            yield Finding(
                "empty-box", where, text, Severity.ERROR, track_id=track.id, frame=key.frame
            )
        elif min(inside.width, inside.height) < TINY_SIDE_PX:
            tiny.append(key.frame)
        if key.frame >= video.n_frames:
            text = f"Frame {key.frame} does not exist (valid: 0 to {video.n_frames - 1})."
            yield Finding("beyond-video", where, text, Severity.ERROR, track_id=track.id)
    if tiny:
        text = f"{are(len(tiny), 'box')} narrower or lower than {TINY_SIDE_PX:g} pixels, "
        text += f"the first on frame {tiny[0]}."
        yield Finding("tiny-box", where, text, track_id=track.id, frame=tiny[0])


def _orphan(document: Document, track: Track, where: str) -> Iterator[Finding]:
    parent = track.info.parent_id
    if parent is not None and document.find_track(parent) is None:
        text = "The parent track no longer exists."
        yield Finding("no-parent", where, text, track_id=track.id)


_Rule = Callable[[Document, Track, str], Iterator[Finding]]
_TRACK_RULES: Final[tuple[_Rule, ...]] = (
    _empty_name,
    _never_present,
    _bad_boxes,
    _orphan,
    _unchecked,
)
_RULES_OF_INFO: Final[tuple[_Rule, ...]] = (_empty_name, _orphan)
"""Those that do not look at keyframes."""


def _quiet_tracks(document: Document) -> frozenset[TrackId]:
    """Return the tracks of which the rules on keyframes find nothing: looked at all at once."""
    tracks, video = document.tracks, document.video
    if video.grid_step < 1:
        return frozenset()
    table = KeyTable.of(tracks)
    size = np.array([video.width, video.height] * 2, np.float64)
    inside = np.clip(table.boxes, 0, size)
    is_large = (inside[:, 2:] - inside[:, :2] >= TINY_SIDE_PX).all(axis=1)
    is_good = is_large & np.isfinite(table.boxes).all(axis=1) & (table.frames < video.n_frames)
    following = np.full(len(table.frames), video.n_frames)
    following[:-1] = np.where(
        np.diff(table.owners) == 0, np.minimum(table.frames[1:], video.n_frames), video.n_frames
    )
    is_skipped = (table.frames // video.grid_step + 1) * video.grid_step < following
    is_loud = table.has_box & (~is_good | (is_skipped & ~table.is_settled))
    is_quiet = table.any_of(table.has_box) & ~table.any_of(is_loud)
    quiet = (tracks[row] for row in np.flatnonzero(is_quiet).tolist())
    return frozenset(track.id for track in quiet if UNSEEN not in track.info.extra)
