"""Videos and documents as they are where a viewing does not let all of them be seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.edits import pinned_before
from annotator.domain.annotation.segment import OPEN_ROLE, Roles, Segment
from annotator.domain.annotation.track import Keyframe, Track
from annotator.domain.answer_value import Answer, FrameBox, Spans
from annotator.domain.forms.viewing import Extent, Viewing
from annotator.domain.ids import TrackId


def limited_video(video: VideoInfo, viewing: Viewing, cut_frame: int | None) -> VideoInfo:
    """Return what a task knows of a video, which for it ends where it may be seen no further.

    What was kept of the whole video goes too: it may tell what comes. ``duration_s`` is by the
    average rate; whoever knows the frames' times puts it right.
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
    """Return what was drawn as far as a limited video is to be seen; see `drawn_within`."""
    if video.n_hidden == 0 and video.first_seen == 0:
        return document
    return drawn_within(document, video, [(video.first_seen, video.n_frames)])


def drawn_within(document: Document, video: VideoInfo, seen: Sequence[tuple[int, int]]) -> Document:
    """Return what was drawn, for a video of whose frames only some may be seen: ``seen``,
    half-open and ascending.

    A box that comes from before them, or moves on towards a later keyframe, is fixed where it is on
    the first and on the last of them. Objects that are on none are left out, as are points, and
    actions, sounds, answers and comments that reach beyond. So is what an import kept of an object
    or action, which may tell of all its frames.
    """
    tracks = [_limited(document.video, track, seen) for track in document.tracks]
    kept = {track.id for track in tracks if track.keyframes}
    return Document(
        document.draft_id,
        video,
        [_without_lost_parent(track, kept) for track in tracks if track.keyframes],
        [
            replace(each, slots=_roles(each, kept), extra={})
            for each in document.segments
            if _is_within(each.start, each.end, seen)
        ],
        (),
        _comments_within(document.comments, seen),
        [answer for answer in document.answers.values() if _is_of_seen(answer, seen)],
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
