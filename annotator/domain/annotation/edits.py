"""The command protocol, and the checks and helpers that all commands share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from annotator.domain.annotation.changes import Change, KeyframeKey
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.segment import UNSEEN
from annotator.domain.annotation.track import Keyframe, Phase, Track, TrackInfo
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box

MIN_SIDE_PX = 1.0
MAX_LABEL_LENGTH = 200


class Command(Protocol):
    """A request to edit a document.

    ``op`` is the name kept in the event log and shown, translated, as "Undo …". ``frame`` is where
    undo takes the view; commands with the same non-empty ``merge_key`` in quick succession become
    one undo step.
    """

    @property
    def op(self) -> str: ...

    @property
    def frame(self) -> int | None: ...

    @property
    def merge_key(self) -> str | None: ...

    def plan(self, document: Document) -> list[Change]:
        """Return the changes; raises EditError, having changed nothing, when it is not possible."""
        ...


def checked_frame(video: VideoInfo, frame: int) -> int:
    """Return the frame; EditError when the video has no such frame."""
    if not 0 <= frame < video.n_frames:
        raise EditError(f"Frame {frame} does not exist (valid: 0 to {video.n_frames - 1}).")
    return frame


def checked_box(video: VideoInfo, box: Box) -> Box:
    """Return the part of the box inside the picture; EditError if it is too small."""
    if not all(math.isfinite(v) for v in box.as_tuple()):
        raise EditError("A box requires four finite numbers.")
    inside = box.clipped(video.width, video.height)
    if inside.width < MIN_SIDE_PX or inside.height < MIN_SIDE_PX:
        raise EditError("The box must overlap the image by at least one pixel.")
    return inside


def checked_label(label: str) -> str:
    """Return the name without outer blanks; EditError when empty, too long or with line breaks."""
    text = label.strip()
    if not text:
        raise EditError("The object name is empty. Enter a name.")
    if len(text) > MAX_LABEL_LENGTH or any(not c.isprintable() for c in text):
        raise EditError(
            "The name is too long or has several lines. Use one line of at most "
            f"{MAX_LABEL_LENGTH} characters."
        )
    return text


def unlocked(track: Track) -> Track:
    """Return the track; EditError when it is locked."""
    if track.info.is_locked:
        raise EditError(f"“{track.label}” is locked. Unlock it to edit it.")
    return track


def keyframe_change(track: Track, after: Keyframe) -> Change:
    """Return the change that sets a keyframe."""
    key = KeyframeKey(track.id, after.frame)
    return Change("keyframe", key, track.keyframe_at(after.frame), after)


def keyframe_removal(track: Track, key: Keyframe) -> Change:
    """Return the change that deletes a keyframe."""
    return Change("keyframe", KeyframeKey(track.id, key.frame), key, None)


def pinned_before(
    video: VideoInfo,
    track: Track,
    frame: int,
    box: Box | None = None,
    occluded: bool | None = None,
) -> list[Change]:
    """Return the change that fixes the path up to ``frame - 1`` before the track is cut there.

    Without it the frames before a cut would no longer move towards the keyframe after it. ``box``
    and ``occluded`` are what is shown on ``frame - 1`` where that is a proposal.
    """
    state = track.state_at(frame - 1)
    lower = track.keyframe_before(frame)
    if state.phase is not Phase.INTERPOLATED or state.box is None or lower is None:
        return []
    fixed_box = checked_box(video, box or state.box)
    is_hidden = state.occluded if occluded is None else occluded
    key = Keyframe(frame - 1, fixed_box, is_hidden, lower.source, settled=lower.settled)
    return [keyframe_change(track, key)]


def deletion(track: Track) -> list[Change]:
    """Return the changes that delete a track: its keyframes, then itself."""
    gone: list[Change] = [keyframe_removal(track, k) for k in track.keyframes]
    gone.append(Change("track", track.id, track.info, None))
    return gone


def creation(track: Track) -> list[Change]:
    """Return the changes that create a track: itself, then its keyframes."""
    made: list[Change] = [Change("track", track.id, None, track.info)]
    made += [Change("keyframe", KeyframeKey(track.id, k.frame), None, k) for k in track.keyframes]
    return made


def with_unseen(info: TrackInfo, frames: Iterable[int]) -> TrackInfo:
    """Return a track's description with these unseen grid frames instead of the former ones."""
    rest = {key: value for key, value in info.extra.items() if key != UNSEEN}
    listed = sorted(frames)
    return replace(info, extra={**rest, UNSEEN: [*listed]} if listed else rest)


def unseen_change(track: Track, frames: Iterable[int]) -> list[Change]:
    """Return the change that gives a track these unseen grid frames; none where it has them."""
    info = with_unseen(track.info, frames)
    return [Change("track", info.id, track.info, info)] if info != track.info else []


def effective(changes: list[Change]) -> list[Change]:
    """Return the changes that change something; EditError when none does."""
    real = [c for c in changes if c.before != c.after]
    if not real:
        raise NothingToDoError("No change is required.")
    return real


class NothingToDoError(EditError):
    """The document already is as asked."""
