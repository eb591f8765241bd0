"""Adjudication of drawn annotations: versions of the disputed parts, and the allowed edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from annotator.domain.annotation.changes import Change, ChangeSet, KeyframeKey, PointKey
from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointInfo, PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.errors import EditError
from annotator.domain.ids import DraftId, PointId, SegmentId, TrackId
from annotator.domain.recipes.tools import is_look
from annotator.domain.review.consensus import Consensus, Dispute, Matter

if TYPE_CHECKING:
    from annotator.domain.json_type import Json
    from annotator.domain.review.difference import EntityId

_FREE: Final = frozenset(("comment", "answer", "video"))
_MEDIAN, _ADJUDICATOR = "median", "adjudicator"


@dataclass(frozen=True)
class Disputed:
    """Places that an adjudicator may change: whole objects, names, and half-open frame ranges."""

    whole: frozenset[str]
    named: frozenset[str]
    spans: dict[str, tuple[tuple[int, int], ...]]

    @classmethod
    def of(cls, disputes: Iterable[Dispute]) -> Disputed:
        """Return the places that disputes are about."""
        by_matter: dict[Matter, list[Pin]] = {matter: [] for matter in Matter}
        for dispute in disputes:
            by_matter[dispute.matter].append(dispute.pin)
        spans: dict[str, tuple[tuple[int, int], ...]] = {}
        for pin in by_matter[Matter.FRAMES]:
            name = subject_of(pin)
            spans[name] = (*spans.get(name, ()), pin.span or (0, 0))
        return cls(
            frozenset(map(subject_of, by_matter[Matter.EXISTENCE])),
            frozenset(map(subject_of, by_matter[Matter.NAME])),
            spans,
        )

    def check(self, change_set: ChangeSet) -> None:
        """Raise EditError when an edit changes something on which the raters agree."""
        gone_along = {
            change.point_id
            for change in change_set.changes
            if isinstance(side := change.before or change.after, PointInfo)
            and side.track_id in self.whole
        }
        for change in change_set.changes:
            if change.kind in _FREE or self._allows(change) or change.point_id in gone_along:
                continue
            raise EditError(
                "Cannot change this part: the raters agree on it.",
                hint="Only the places named in the comments are disputed.",
            )

    def _allows(self, change: Change) -> bool:
        if isinstance(change.id, KeyframeKey):
            frame = change.id.frame
            return self._is_free(change.id.track_id, frame, frame + 1)
        if isinstance(change.id, PointKey):
            return self._is_free(change.id.point_id, change.id.start, change.id.end)
        name = str(change.id)
        if name in self.whole or is_look(change):
            return True
        before, after = change.before, change.after
        if isinstance(before, TrackInfo) and isinstance(after, TrackInfo):
            is_orphan = after == replace(before, parent_id=None) and before.parent_id in self.whole
            return is_orphan or name in self.named
        if isinstance(before, Segment) and isinstance(after, Segment):
            is_free = name in self.named or name in self.spans
            return is_free or self._loses_roles(before, after)
        return before is not None and after is not None and name in self.named

    def _is_free(self, name: str, start: int, end: int) -> bool:
        spans = self.spans.get(name, ())
        return name in self.whole or any(low <= start and end <= high for low, high in spans)

    def _loses_roles(self, before: Segment, after: Segment) -> bool:
        """Return whether only roles change that disputed objects had."""
        if after != replace(before, slots=after.slots):
            return False
        slots = zip(before.slots, after.slots, strict=False)
        return all(one == other or one in self.whole for one, other in slots)


def subject_of(pin: Pin) -> str:
    """Return the identifier in the pin of a dispute."""
    return str(pin.segment_id or pin.point_id or pin.track_id)


def as_drawn_by(found: Consensus, rater: int) -> Document:
    """Return the merged document with the disputed places as one rater drew them.

    Compared with it, a draft differs at these places alone.
    """
    return _Version(found, rater).document()


class _Version:
    """The version of one rater."""

    def __init__(self, found: Consensus, rater: int) -> None:
        self._found, self._rater = found, rater
        self._by_subject: dict[str, list[Dispute]] = {}
        for dispute in found.disputes:
            self._by_subject.setdefault(subject_of(dispute.pin), []).append(dispute)

    def document(self) -> Document:
        merged = self._found.document
        tracks = [t for each in merged.tracks if (t := self._track(each)) is not None]
        kept = {track.id for track in tracks}
        segments = [s for each in merged.segments if (s := self._segment(each)) is not None]
        points = [
            p
            for each in merged.points
            if each.info.track_id is None or each.info.track_id in kept
            if (p := self._point(each)) is not None
        ]
        return Document(DraftId(""), merged.video, tracks, segments, points)

    def _track(self, merged: Track) -> Track | None:
        own = self._found.groups[merged.id].get(self._rater)
        for dispute in self._by_subject.get(merged.id, ()):
            if dispute.matter is Matter.EXISTENCE:
                if not isinstance(own, Track):
                    return None
                merged = merged.with_keyframes(own.keyframes)
            elif dispute.matter is Matter.NAME and isinstance(own, Track):
                merged = replace(merged, info=replace(merged.info, label=own.label))
            elif dispute.matter is Matter.FRAMES and dispute.pin.span is not None:
                start, end = dispute.pin.span
                inner = {key.frame: key for key in _keyframes_in(own, start, end)}
                outer = {k.frame: k for k in merged.keyframes if not start <= k.frame < end}
                both = {**inner, **outer}
                merged = merged.with_keyframes(both[frame] for frame in sorted(both))
        return merged

    def _segment(self, merged: Segment) -> Segment | None:
        own = self._found.groups[merged.id].get(self._rater)
        for dispute in self._by_subject.get(merged.id, ()):
            if dispute.matter is Matter.EXISTENCE and own is None:
                return None
            if not isinstance(own, Segment):
                continue
            if dispute.matter is Matter.NAME:
                label, slots = own.label, own.slots
                merged = replace(merged, label=label, label_id=own.label_id, slots=slots)
            else:
                times = own.start_us, own.end_us
                merged = replace(merged, start=own.start, end=own.end)
                merged = replace(merged, start_us=times[0], end_us=times[1])
        return merged

    def _point(self, merged: PointTrack) -> PointTrack | None:
        own = self._found.groups[merged.id].get(self._rater)
        for dispute in self._by_subject.get(merged.id, ()):
            if dispute.matter is Matter.EXISTENCE:
                if not isinstance(own, PointTrack):
                    return None
                merged = replace(merged, path=own.path)
            elif dispute.matter is Matter.NAME and isinstance(own, PointTrack):
                merged = replace(merged, info=replace(merged.info, label=own.label))
            elif isinstance(own, PointTrack) and dispute.pin.span is not None:
                merged = merged.with_run(own.path.run(*dispute.pin.span))
        return merged


def _keyframes_in(own: object, start: int, end: int) -> Iterator[Keyframe]:
    """Yield keyframes that hold what one rater has on frames ``start <= frame < end``."""
    if not isinstance(own, Track):
        yield Keyframe(start, None)
        return
    for frame in sorted({start, end - 1, *(k.frame for k in own.keyframes_in(start, end))}):
        state = own.state_at(frame)
        yield Keyframe(frame, state.box, state.occluded and state.box is not None)


def sources(consensus: Consensus, final: Document) -> dict[str, Json]:
    """Return the origin of each part of a result; raters are counted from 0.

    ``{"tracks": {id: {"raters": [0, 1], "keyframes": [[frame, [0, 1]], …]}}, "points": {id:
    {"raters", "marks": [[start, end, [0]], …]}}, "segments": {id: {"raters", "start": {"by":
    "median", "frames": {"0": 12}}, "end"}}, "removed": [id, …]}``: the raters whose places were
    averaged at a keyframe or on marks ``start <= frame < end``, none where the adjudicator set it.
    """
    merged = consensus.document
    final_ids = {
        entity.id
        for entities in (final.tracks, final.segments, final.points)
        for entity in entities
    }
    before = {
        t.id for entities in (merged.tracks, merged.segments, merged.points) for t in entities
    }
    origins: dict[str, Any] = {
        "tracks": {t.id: _of_track(consensus, t) for t in final.tracks},
        "points": {p.id: _of_point(consensus, p) for p in final.points},
        "segments": {s.id: _of_segment(consensus, s) for s in final.segments},
        "removed": sorted(before - final_ids),
    }
    return origins


def _group(found: Consensus, name: EntityId) -> dict[int, Any]:
    return dict(sorted(found.groups.get(name, {}).items()))


def _of_track(found: Consensus, track: Track) -> dict[str, Any]:
    group, merged = _group(found, track.id), found.document.find_track(TrackId(track.id))
    known = {key.frame: key for key in merged.keyframes} if merged is not None else {}
    rows: list[Any] = []
    for key in track.keyframes:
        raters: list[int] = []
        if known.get(key.frame) == key:
            raters = [
                rater
                for rater, own in group.items()
                if (own.state_at(key.frame).box is None) is (key.box is None)
            ]
        rows.append([key.frame, raters])
    return {"raters": list(group), "keyframes": rows}


def _of_point(consensus: Consensus, point: PointTrack) -> dict[str, Any]:
    group, n_frames = _group(consensus, point.id), consensus.document.video.n_frames
    merged = consensus.document.find_point(PointId(point.id))
    run = point.path.run(0, n_frames)
    is_kept = np.zeros(n_frames, np.bool_)
    if merged is not None:
        was = merged.path.run(0, n_frames)
        is_kept = (was.flags == run.flags) & (
            (was.xy == run.xy).all(axis=1) | np.isnan(was.xy).all(axis=1)
        )
    agrees = {rater: own.path.run(0, n_frames).flags == run.flags for rater, own in group.items()}
    rows: list[Any] = []
    for frame in np.flatnonzero(run.flags).tolist():
        raters = [r for r, alike in agrees.items() if alike[frame]] if is_kept[frame] else []
        if rows and rows[-1][1] == frame and rows[-1][2] == raters:
            rows[-1][1] = frame + 1
        else:
            rows.append([frame, frame + 1, raters])
    return {"raters": list(group), "marks": rows}


def _of_segment(found: Consensus, segment: Segment) -> dict[str, Any]:
    group = _group(found, segment.id)
    merged = found.document.find_segment(SegmentId(segment.id))
    told: dict[str, Any] = {"raters": list(group)}
    for edge in ("start", "end"):
        is_kept = merged is not None and getattr(merged, edge) == getattr(segment, edge)
        told[edge] = {
            "by": _MEDIAN if is_kept else _ADJUDICATOR,
            "frames": {str(rater): getattr(own, edge) for rater, own in group.items()},
        }
    return told
