"""Thinning: as few keyframes as keep a track within a tolerance of what it is now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import effective, keyframe_change, keyframe_removal, unlocked
from annotator.domain.annotation.thinning import (
    TOLERANCE,
    Tolerance,
    largest_deviation,
    reduce_path,
)
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.errors import EditError
from annotator.domain.ids import TrackId


class Thinned(NamedTuple):
    """The keyframes of a track that stay, and the largest deviation they cause, in pixels."""

    keyframes: tuple[Keyframe, ...]
    deviation_px: float


@dataclass(frozen=True, slots=True)
class ThinKeyframes:
    """Delete the keyframes of tracks that interpolation replaces within a tolerance.

    Keyframes on which an object appears, leaves or changes its occlusion stay.
    """

    op: ClassVar[str] = "thin-keyframes"
    track_ids: tuple[TrackId, ...]
    tolerance: Tolerance = TOLERANCE
    frame: int | None = None
    merge_key: ClassVar[str | None] = None

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        for track_id in self.track_ids:
            track = document.track(track_id)
            if len(self.track_ids) == 1:
                unlocked(track)
            if track.info.is_locked:
                continue
            kept = {key.frame: key for key in thinned(track, self.tolerance).keyframes}
            for key in track.keyframes:
                if key.frame not in kept:
                    changes.append(keyframe_removal(track, key))
                elif kept[key.frame] != key:
                    changes.append(keyframe_change(track, kept[key.frame]))
        if not changes:
            raise EditError("No keyframe can be deleted within this tolerance.")
        return effective(changes)


def thinned(track: Track, tolerance: Tolerance) -> Thinned:
    """Return what thinning leaves of a track; its positions are not changed."""
    kept: list[Keyframe] = []
    deviation = 0.0
    for part in _parts(track.keyframes):
        frames = np.array([key.frame for key in part], np.int64)
        if part[0].box is None or len(part) <= 2:
            kept += part
            continue
        boxes = np.array([key.box.as_tuple() for key in part if key.box is not None], np.float64)
        places = reduce_path(frames, boxes, tolerance)
        deviation = max(deviation, largest_deviation(frames, boxes, np.array(places)))
        for first, last in pairwise(places):
            if last == first + 1:
                kept.append(part[first])
                continue
            # A gap that nobody had to judge, since there was none, needs no proposals now.
            is_settled = all(
                key.settled or after.frame == key.frame + 1
                for key, after in pairwise(part[first : last + 1])
            )
            kept.append(replace(part[first], settled=is_settled))
        kept.append(part[-1])
    return Thinned(tuple(kept), deviation)


def _parts(keyframes: Iterable[Keyframe]) -> list[Sequence[Keyframe]]:
    """Return runs of keyframes on which the object is equally present and occluded."""
    parts: list[list[Keyframe]] = []
    for key in keyframes:
        last = parts[-1][-1] if parts else None
        is_same = last is not None and (last.box is None, last.occluded) == (
            key.box is None,
            key.occluded,
        )
        if is_same:
            parts[-1].append(key)
        else:
            parts.append([key])
    return list(parts)
