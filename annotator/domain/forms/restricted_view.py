"""Restricted views: the part of a video and of its document that a task shows and plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.edits import pinned_before
from annotator.domain.annotation.segment import OPEN_ROLE, Roles, Segment
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.answer import Answer, FrameBox, Spans
from annotator.domain.ids import TrackId


class Extent(StrEnum):
    """Which pictures there are."""

    WHOLE = "whole"
    BEFORE_CUT = "before-cut"  # only frames before the cut frame of the video, if it has one
    MIDDLE_FRAME = "middle-frame"  # one picture: frame n_frames // 2


class PairLayout(StrEnum):
    """How two videos play."""

    TOGETHER = "together"  # with one play button
    APART = "apart"  # each by itself


@dataclass(frozen=True, slots=True)
class Viewing:
    """Visible and audible part of a video; enforced by decoders, not by views.

    Everything outside is hidden from the rater: pictures, sound, thumbnails and waveform.
    ``has_tracks``: the tracks of the item are shown.
    """

    extent: Extent = Extent.WHOLE
    is_muted: bool = False
    has_tracks: bool = False
    layout: PairLayout = PairLayout.TOGETHER

    @property
    def is_silent(self) -> bool:
        """Whether nothing is heard: one picture has no sound."""
        return self.is_muted or self.extent is Extent.MIDDLE_FRAME

    def frames(self, n_frames: int, cut_frame: int | None) -> tuple[int, int]:
        """Return which frames of a video may be seen, half-open: [start, end).

        ``cut_frame`` is that of the video, None without one; one beyond the end cuts nothing.
        """
        if self.extent is Extent.MIDDLE_FRAME:
            middle = n_frames // 2
            return middle, min(middle + 1, n_frames)
        if self.extent is Extent.BEFORE_CUT and cut_frame is not None:
            return 0, max(1, min(cut_frame, n_frames))
        return 0, n_frames


WHOLE_VIDEO: Final = Viewing()
"""All of it, with its sound: what a task that says nothing of it may see."""


def narrowed(viewing: Viewing, allowed: Iterable[Viewing]) -> Viewing:
    """Return a viewing limited to the widest of several others, for a person who must not see or
    hear more; unchanged if one of them shows as much."""
    known = list(allowed)
    if not known or any(_covers(each, viewing) for each in known):
        return viewing
    most = max(known, key=lambda each: (_WIDTHS.index(each.extent), not each.is_silent))
    is_wider = not _shows(most.extent, viewing.extent)
    extent = most.extent if is_wider else viewing.extent
    return replace(viewing, extent=extent, is_muted=viewing.is_muted or most.is_silent)


_WIDTHS: Final = (Extent.MIDDLE_FRAME, Extent.BEFORE_CUT, Extent.WHOLE)


def _shows(extent: Extent, other: Extent) -> bool:
    return extent in (Extent.WHOLE, other)


def _covers(viewing: Viewing, other: Viewing) -> bool:
    return _shows(viewing.extent, other.extent) and (other.is_silent or not viewing.is_silent)


def limited_video(video: VideoInfo, viewing: Viewing, cut_frame: int | None) -> VideoInfo:
    """Return the video values of a task, which end where its visible part ends.

    Stored extras of the whole video are omitted, because they can reveal the rest. ``duration_s``
    follows from the average rate; callers with frame times correct it.
    """
    if viewing.extent is Extent.WHOLE:
        return video
    start, end = viewing.frames(video.n_frames, cut_frame)
    share = end / video.n_frames if video.n_frames else 1.0
    return replace(
        video,
        n_frames=end,
        n_hidden=video.n_frames - end,
        first_seen=start,
        duration_s=video.duration_s * share,
        extra={},
    )


def limited_document(document: Document, video: VideoInfo) -> Document:
    """Return the annotations in the visible part of a video; see `drawn_within`."""
    if video.n_hidden == 0 and video.first_seen == 0:
        return document
    return drawn_within(document, video, [(video.first_seen, video.n_frames)])


def drawn_within(
    document: Document, video: VideoInfo, visible_ranges: Sequence[tuple[int, int]]
) -> Document:
    """Return the annotations of a video of which only some frames may be seen: ``seen``,
    half-open and ascending.

    A box that comes from before them, or moves towards a later keyframe, is fixed at its place on
    the first and on the last of them. Objects outside of them are left out, as are points, and
    actions, sounds, answers and comments that reach beyond. So is the kept import data of an object
    or action, which can cover all its frames.
    """
    tracks = [_limited(document.video, track, visible_ranges) for track in document.tracks]
    drawn_ids = {track.id for track in tracks if track.keyframes}
    return Document(
        document.draft_id,
        video,
        [_without_lost_parent(track, drawn_ids) for track in tracks if track.keyframes],
        [
            replace(segment, slots=_roles(segment, drawn_ids), extra={})
            for segment in document.segments
            if _is_within(segment.start, segment.end, visible_ranges)
        ],
        (),
        _comments_within(document.comments, visible_ranges),
        [answer for answer in document.answers.values() if _is_of_seen(answer, visible_ranges)],
    )


def _without_lost_parent(track: Track, kept: set[TrackId]) -> Track:
    parent = track.info.parent_id
    if parent is None or parent in kept:
        return track
    return Track(replace(track.info, parent_id=None), track.keyframes)


def _limited(video: VideoInfo, track: Track, seen: Sequence[tuple[int, int]]) -> Track:
    kept: dict[int, Keyframe] = {}
    for start, end in seen:
        if start > 0 and (first := _state_as_key(track, start)) is not None:
            kept[start] = first
        for change in pinned_before(video, track, end):
            if isinstance(change.after, Keyframe):
                kept[change.after.frame] = change.after
        kept.update((key.frame, key) for key in track.keyframes if start <= key.frame < end)
    # One that is never in the picture says that there is something elsewhere.
    keys = kept.values() if any(key.box is not None for key in kept.values()) else ()
    return Track(replace(track.info, extra={}), ()).with_keyframes(keys)


def _state_as_key(track: Track, frame: int) -> Keyframe | None:
    """Return a keyframe that says what a track is on a frame; None before it begins."""
    state, lower = track.state_at(frame), track.keyframe_before(frame + 1)
    if lower is None:
        return None
    return Keyframe(frame, state.box, state.occluded, lower.source, settled=lower.settled)


def _roles(segment: Segment, kept: set[TrackId]) -> Roles:
    """Return who plays in an action or sound; an object that is never seen is as if not drawn."""
    known = (*kept, OPEN_ROLE)
    return tuple(each if each in known else None for each in segment.slots)


def _is_within(start: int, end: int, seen: Sequence[tuple[int, int]]) -> bool:
    return any(first <= start and end <= last for first, last in seen)


def _comments_within(comments: Iterable[Comment], seen: Sequence[tuple[int, int]]) -> list[Comment]:
    kept: list[Comment] = []
    for comment in comments:
        frame, span = comment.pin.frame, comment.pin.span
        is_seen = frame is None or _is_within(frame, frame + 1, seen)
        if is_seen and (span is None or _is_within(*span, seen)):
            kept.append(comment)
    return kept


def _is_of_seen(answer: Answer, seen: Sequence[tuple[int, int]]) -> bool:
    value = answer.value
    if isinstance(value, Spans):
        return all(_is_within(*span, seen) for span in value.spans)
    return not isinstance(value, FrameBox) or _is_within(value.frame, value.frame + 1, seen)
