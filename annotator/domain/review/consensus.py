"""Consensus document of independent raters, and the places where they differ.

Tracks, points and segments of the raters are matched by their overlap. Parts with enough agreement
are merged: boxes and points are averaged, segment edges are medians, labels and roles need a
majority. All other parts are disputes for an adjudicator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import numpy as np

from annotator.domain.agreement.documents import ious, places
from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import (
    OCCLUDED_BIT,
    OUTSIDE_BIT,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import OPEN_ROLE, Segment
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import DraftId, TrackId
from annotator.domain.metrics.overlap import span_iou

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.agreement.rater_pairs import Assign
    from annotator.domain.review.difference import EntityId

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

Drawn: TypeAlias = Track | Segment | PointTrack
T = TypeVar("T", Track, Segment, PointTrack)
V = TypeVar("V", bound=Hashable)

_LOOKS: Final = 200  # frames on which tracks are compared to match them
_LEAST: Final = 0.2  # below this overlap two tracks are of different objects
_SIDE: Final = 256.0


@dataclass(frozen=True, slots=True)
class MatchTolerance:
    """Limits within which raters agree.

    ``iou`` is that of boxes with their mean, ``point_px`` the distance of points from their mean in
    an image of 256 x 256, ``tiou`` that of segments with the merged one. Differences that last at
    most ``frames`` frames do not count.
    """

    iou: float = 0.7
    point_px: float = 8.0
    tiou: float = 0.7
    frames: int = 5


@dataclass(frozen=True, slots=True)
class RaterVersion:
    """The work of one rater."""

    name: str
    document: Document


class Matter(StrEnum):
    """Subject of a dispute."""

    EXISTENCE = "existence"  # whether there is such an object, point or segment
    NAME = "name"  # its label, or the roles of a segment
    FRAMES = "frames"  # its places on some frames, or the edges of a segment


@dataclass(frozen=True, slots=True)
class Dispute:
    """A place at which raters differ, in words that name them."""

    text: str
    pin: Pin
    matter: Matter


@dataclass(frozen=True, slots=True)
class Consensus:
    """Merged document; disputed parts are those of the first rater, or the mean.

    ``groups`` has, by the ID of each merged annotation, the annotation of each rater; raters are
    numbered from 0. Roles of segments refer to merged objects.
    """

    document: Document
    disputes: tuple[Dispute, ...]
    groups: Mapping[EntityId, Mapping[int, Drawn]] = field(default_factory=dict)


def consensus(
    versions: Sequence[RaterVersion],
    needed: int,
    assign: Assign,
    limits: MatchTolerance | None = None,
) -> Consensus:
    """Return the consensus document of the raters, and their disputes.

    ``needed`` is how many of them have to agree. All documents are of one video.
    """
    return _Merging(versions, needed, assign, limits or MatchTolerance()).run()


class _Merging:
    """One merge. A group contains the annotations of one thing, by rater."""

    def __init__(
        self, versions: Sequence[RaterVersion], needed: int, assign: Assign, limits: MatchTolerance
    ) -> None:
        self._names = [version.name for version in versions]
        self._documents = [version.document for version in versions]
        self._needed, self._assign, self._limits = needed, assign, limits
        self._video = self._documents[0].video
        self._frames = np.arange(self._video.n_frames)
        self._same: list[dict[TrackId, TrackId]] = [{} for _ in versions]
        self._disputes: list[Dispute] = []
        self._kept: dict[EntityId, dict[int, Drawn]] = {}

    def run(self) -> Consensus:
        tracks = list(self._tracks())
        segments = list(self._segments())
        points = list(self._points())
        document = Document(DraftId(""), self._video, tracks, segments, points)
        found = sorted(self._disputes, key=lambda d: (d.pin.first_frame or 0, d.text))
        return Consensus(document, tuple(found), self._kept)

    # Tracks

    def _tracks(self) -> Iterator[Track]:
        looks = np.unique(np.linspace(0, max(len(self._frames) - 1, 0), _LOOKS).astype(np.int64))
        merged_tracks: list[tuple[dict[int, Track], TrackId]] = []
        drawn_tracks = [[t for t in d.tracks if t.keyframes] for d in self._documents]
        for group in self._groups(drawn_tracks, lambda one, other: _likeness(one, other, looks)):
            first = next(iter(group.values()))
            if self._is_wanted(group):
                merged_tracks.append((group, first.id))
                for rater, track in group.items():
                    self._same[rater][track.id] = first.id
        for number, (group, name) in enumerate(merged_tracks, 1):
            first = next(iter(group.values()))
            span = (first.frames[0], first.frames[-1] + 1)
            self._tell_if_alone(group, f"“{first.label}”", Pin(span=span, track_id=name))
            label = self._chosen(
                {rater: t.label for rater, t in group.items()}, Pin(span=span, track_id=name)
            )
            parent = first.info.parent_id
            rater = next(iter(group))
            info = replace(
                first.info,
                label=label,
                number=number,
                color=number - 1,
                parent_id=self._same[rater].get(parent) if parent is not None else None,
            )
            self._kept[name] = dict(group)
            yield Track(info, tuple(self._keyframes(group, name)))

    def _keyframes(self, group: dict[int, Track], name: TrackId) -> Iterator[Keyframe]:
        """Yield the mean box at each keyframe of any rater, and note where boxes differ.

        Around these frames there are keyframes, so that changes there move nothing beyond.
        """
        tracks = list(group.values())
        boxes = np.stack([places(track, self._frames) for track in tracks])
        is_there = ~np.isnan(boxes[:, :, 0])
        mean, is_present = _mean(boxes, is_there)
        borders: set[int] = set()
        if len(tracks) > 1:
            overlap = np.stack([ious(member_box, mean) for member_box in boxes])
            agrees = (overlap >= self._limits.iou) & is_there | (~is_there & ~is_present)
            spans = self._tell_runs(
                group, agrees, lambda span: Pin(span=span, track_id=name), "boxes"
            )
            borders = {frame for start, end in spans for frame in (start - 1, end)}
        drawn_frames = {key.frame for track in tracks for key in track.keyframes}
        frames = sorted(drawn_frames | {f for f in borders if min(drawn_frames) <= f})
        for frame in frames:
            if frame >= len(self._frames):
                continue
            hidden = [track.state_at(frame).occluded for track in tracks]
            box = Box(*mean[frame].tolist()) if is_present[frame] else None
            yield Keyframe(frame, box, box is not None and 2 * sum(hidden) > len(hidden))

    # Segments

    def _segments(self) -> Iterator[Segment]:
        drawn_segments = [list(d.segments) for d in self._documents]
        for group in self._groups(drawn_segments, _segment_likeness):
            if not self._is_wanted(group):
                continue
            first = next(iter(group.values()))
            pin = Pin(span=(first.start, first.end), segment_id=first.id)
            self._tell_if_alone(group, f"“{first.label}”", pin)
            labels = {rater: s.label for rater, s in group.items()}
            label = self._chosen(labels, pin)
            label_id = next(s.label_id for s in group.values() if s.label == label)
            roles = {
                rater: tuple(self._mapped(rater, slot) for slot in s.slots)
                for rater, s in group.items()
            }
            slots = self._chosen(roles, pin, "roles")
            self._kept[first.id] = {
                rater: replace(s, id=first.id, slots=roles[rater]) for rater, s in group.items()
            }
            merged = replace(first, label=label, label_id=label_id, slots=slots)
            yield self._with_edges(merged, group, pin)

    def _with_edges(self, merged: Segment, group: dict[int, Segment], pin: Pin) -> Segment:
        members = list(group.values())
        start = round(median(s.start for s in members))
        end = max(start + 1, round(median(s.end for s in members)))
        # Times of sounds are kept only where every rater has them.
        starts = [s.start_us for s in members if s.start_us is not None]
        ends = [s.end_us for s in members if s.end_us is not None]
        near = sum(span_iou((s.start, s.end), (start, end)) >= self._limits.tiou for s in members)
        if len(members) > 1 and near < min(self._needed, len(members)):
            names = ", ".join(
                f"{self._names[rater]} {s.start}–{s.end}" for rater, s in group.items()
            )
            text = f"“{merged.label}”: edges differ ({names})."
            self._disputes.append(Dispute(text, pin, Matter.FRAMES))
        return replace(
            merged,
            start=start,
            end=end,
            start_us=round(median(starts)) if len(starts) == len(members) else None,
            end_us=round(median(ends)) if len(ends) == len(members) else None,
        )

    def _mapped(self, rater: int, slot: TrackId | None) -> TrackId | None:
        """Return the merged track of a role; an open role where there is none."""
        return self._same[rater].get(slot, OPEN_ROLE) if slot else slot

    # Points

    def _points(self) -> Iterator[PointTrack]:
        drawn_points = [list(d.points) for d in self._documents]
        owners: dict[int, TrackId | None] = {}
        for rater, points in enumerate(drawn_points):
            for point in points:
                track = point.info.track_id
                owners[id(point)] = self._same[rater].get(track) if track is not None else None

        def likeness(one: PointTrack, other: PointTrack) -> float:
            if owners[id(one)] != owners[id(other)]:
                return 0.0
            return self._point_likeness(one, other)

        number = 0
        for group in self._groups(drawn_points, likeness):
            if not self._is_wanted(group):
                continue
            number += 1
            first = next(iter(group.values()))
            frames = first.path.frames()
            start = int(frames[0]) if len(frames) else 0
            pin = Pin(frame=start, point_id=first.id, track_id=owners[id(first)])
            self._tell_if_alone(group, f"point “{first.label}”", pin)
            label = self._chosen({rater: p.label for rater, p in group.items()}, pin)
            info = replace(
                first.info,
                label=label,
                number=number,
                color=number - 1,
                track_id=owners[id(first)],
            )
            self._kept[first.id] = dict(group)
            yield PointTrack(info, self._path(group, first))

    def _path(self, group: dict[int, PointTrack], first: PointTrack) -> PointPath:
        if len(group) == 1:
            return first.path
        point_paths = [_places_and_flags(point, len(self._frames)) for point in group.values()]
        xy = np.stack([path[0] for path in point_paths])
        is_marked = np.stack([path[1] for path in point_paths])
        is_visible = ~np.isnan(xy[:, :, 0])
        mean, is_present = _mean(xy, is_visible)
        scale = _SIDE / np.array([max(self._video.width, 1), max(self._video.height, 1)])
        distance = np.linalg.norm((xy - mean) * scale, axis=2)
        agrees = (distance <= self._limits.point_px) & is_visible | (~is_visible & ~is_present)
        agrees |= ~is_marked.any(axis=0)
        self._tell_runs(
            group, agrees, lambda span: Pin(span=span, point_id=first.id), f"point “{first.label}”"
        )
        at = np.flatnonzero(is_marked.sum(axis=0) * 2 >= len(point_paths))
        if not len(at):
            return PointPath()
        marks: list[PointMark | None] = []
        chosen = set(at.tolist())
        for frame in range(int(at[0]), int(at[-1]) + 1):
            if frame not in chosen:
                marks.append(None)
            elif is_present[frame]:
                marks.append(PointMark(Point(*mean[frame].tolist())))
            else:
                marks.append(PointMark(None, occluded=True))
        return PointPath().with_run(run_of(int(at[0]), marks))

    def _point_likeness(self, one: PointTrack, other: PointTrack) -> float:
        first, second = (_places_and_flags(p, len(self._frames))[0] for p in (one, other))
        either = ~np.isnan(first[:, 0]) | ~np.isnan(second[:, 0])
        if not either.any():
            return 0.0
        scale = _SIDE / np.array([max(self._video.width, 1), max(self._video.height, 1)])
        near = np.linalg.norm((first - second) * scale, axis=1) <= 2 * self._limits.point_px
        return float(near.sum() / either.sum())

    # All of them

    def _groups(
        self, entities: Sequence[Sequence[T]], likeness: Callable[[T, T], float]
    ) -> list[dict[int, T]]:
        """Match what the raters drew, one rater after the other, with the groups so far."""
        groups: list[dict[int, T]] = []
        for rater, rater_tracks in enumerate(entities):
            if not groups or not rater_tracks:
                groups += [{rater: track} for track in rater_tracks]
                continue
            matrix = np.array(
                [
                    [
                        2.0
                        if track.id in {m.id for m in g.values()}
                        else max(likeness(member, track) for member in g.values())
                        for track in rater_tracks
                    ]
                    for g in groups
                ]
            )
            matched: set[int] = set()
            for i, j in self._assign(np.where(matrix >= _LEAST, matrix, 0.0)):
                if matrix[i, j] >= _LEAST:
                    groups[i][rater] = rater_tracks[j]
                    matched.add(j)
            groups += [{rater: track} for j, track in enumerate(rater_tracks) if j not in matched]
        return groups

    def _is_wanted(self, group: dict[int, T]) -> bool:
        """Return whether a thing stays: not where enough raters agree that it is not there."""
        return len(self._names) - len(group) < self._needed

    def _tell_if_alone(self, group: dict[int, T], what: str, pin: Pin) -> None:
        """Note that too few raters drew a thing."""
        if len(group) >= self._needed:
            return
        have = ", ".join(self._names[rater] for rater in group)
        lack = ", ".join(n for i, n in enumerate(self._names) if i not in group)
        text = f"{what}: drawn by {have}, not by {lack}."
        self._disputes.append(Dispute(text, pin, Matter.EXISTENCE))

    def _chosen(self, values: dict[int, V], pin: Pin, what: str = "labels") -> V:
        """Return what most raters say, the first of equals; note it where too few say so."""
        counts = Counter(values.values())
        best = max(counts, key=lambda value: counts[value])
        if len(counts) > 1 and counts[best] < self._needed:
            if what == "labels":
                told = ", ".join(f"{self._names[r]} “{value}”" for r, value in values.items())
            else:
                told = ", ".join(self._names[r] for r in values)
            self._disputes.append(Dispute(f"The {what} differ ({told}).", pin, Matter.NAME))
        return best

    def _tell_runs(
        self,
        group: dict[int, T],
        agrees: Flags,
        pin: Callable[[tuple[int, int]], Pin],
        subject: str,
    ) -> list[tuple[int, int]]:
        """Note the stretches on which fewer raters agree than are needed, and return them."""
        disputed_runs: list[tuple[int, int]] = []
        is_disputed = agrees.sum(axis=0) < min(self._needed, len(group))
        edges = np.flatnonzero(np.diff(np.concatenate([[False], is_disputed, [False]])))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            if end - start <= self._limits.frames:
                continue
            names = ", ".join(self._names[rater] for rater in group)
            text = f"Frames {start}–{end - 1}: {subject} differ ({names})."
            self._disputes.append(Dispute(text, pin((start, end)), Matter.FRAMES))
            disputed_runs.append((start, end))
        return disputed_runs


def _mean(values: Numbers, is_there: Flags) -> tuple[Numbers, Flags]:
    """Return the mean over raters where at least half of them have a value, and where that is."""
    count = is_there.sum(axis=0)
    # Counted from the first value there is, so that the mean of equal values is that value.
    first = values[is_there.argmax(axis=0), np.arange(values.shape[1])]
    apart = np.where(is_there[:, :, None], values - first, 0.0).sum(axis=0)
    is_present = (count > 0) & (2 * count >= len(values))
    mean = first + apart / np.maximum(count, 1)[:, None]
    return np.where(is_present[:, None], mean, np.nan), is_present


def _likeness(one: Track, other: Track, frames: NDArray[np.int64]) -> float:
    """Return the mean overlap of two tracks on the frames on which either is."""
    first, second = places(one, frames), places(other, frames)
    either = ~np.isnan(first[:, 0]) | ~np.isnan(second[:, 0])
    return float(np.nansum(ious(first, second)) / max(1, either.sum()))


def _segment_likeness(one: Segment, other: Segment) -> float:
    if one.lane is not other.lane:
        return 0.0
    overlap = span_iou((one.start, one.end), (other.start, other.end))
    return overlap if one.label == other.label else overlap / 2


def _places_and_flags(point: PointTrack, n_frames: int) -> tuple[Numbers, Flags]:
    """Return the places [frames, 2] of a point, NaN where it is not visible, and its marks."""
    run = point.path.run(0, n_frames)
    is_hidden = (run.flags & (OCCLUDED_BIT | OUTSIDE_BIT)) != 0
    return np.where(is_hidden[:, None], np.nan, run.xy), run.flags != 0
