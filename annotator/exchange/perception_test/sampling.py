"""Selection of the frames of a track that an export contains."""

from __future__ import annotations

from enum import StrEnum

from annotator.domain.annotation.track import Source, Track
from annotator.exchange.perception_test.records import EXTRA_KEY


class FrameChoice(StrEnum):
    """Frames of a track to export, only where the object is in view.

    GRID: the grid frames, and the keyframes that a person or an import has fixed. KEYS: every
    keyframe, accepted proposals among them. ALL: every frame.
    """

    GRID = "grid"
    KEYS = "keys"
    ALL = "all"


def export_frames(track: Track, choice: FrameChoice, *, step: int, n_frames: int) -> list[int]:
    """Return the frames to export, ascending."""
    if choice is FrameChoice.KEYS:
        return [k.frame for k in track.keyframes if k.box is not None]
    if choice is FrameChoice.ALL:
        return [f for span in track.present_spans(n_frames) for f in range(*span)]
    frames = {k.frame for k in track.keyframes if k.box is not None and k.source in _FIXED}
    is_imported, keys = EXTRA_KEY in track.info.extra, frozenset(track.frames)
    for start, end in track.present_spans(n_frames):
        for frame in range(-(-start // step) * step, end, step):
            if not (is_imported and frame not in keys and _is_as_imported(track, frame)):
                frames.add(frame)
    return sorted(frames)


_FIXED = (Source.HUMAN, Source.IMPORTED)


def _is_as_imported(track: Track, frame: int) -> bool:
    """Return whether nobody has said anything about a frame that the imported file left out.

    No keyframe stands there.
    """
    before, after = track.keyframe_before(frame), track.keyframe_after(frame)
    neighbours = [k for k in (before, after) if k is not None]
    return all(k.source is Source.IMPORTED for k in neighbours)
