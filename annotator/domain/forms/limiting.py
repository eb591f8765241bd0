"""Videos and documents as they are where a viewing does not let all of them be seen."""

from __future__ import annotations

from dataclasses import replace

from annotator.domain.commands.base import pinned_before
from annotator.domain.document import Document, VideoInfo
from annotator.domain.forms.viewing import Extent, Viewing
from annotator.domain.ids import TrackId
from annotator.domain.track import Keyframe, Track


def limited_video(video: VideoInfo, viewing: Viewing, cut_frame: int | None) -> VideoInfo:
    """Return what a task knows of a video, which for it ends where it may be seen no further.

    What was kept of the whole video goes too: it may tell what comes. ``duration_s`` is by the
    average rate; whoever knows the frames' times puts it right.
    """
    if viewing.extent is Extent.WHOLE:
        return video
    _, end = viewing.frames(video.n_frames, cut_frame)
    share = end / video.n_frames if video.n_frames else 1.0
    return replace(
        video,
        n_frames=end,
        n_hidden=video.n_frames - end,
        duration_s=video.duration_s * share,
        extra={},
    )


def limited_document(document: Document, video: VideoInfo) -> Document:
    """Return what was drawn as far as a limited video goes.

    A box that moves on towards a hidden keyframe is fixed where it is on the last frame. Objects
    that come later are left out, as are points, and actions and sounds that reach beyond.
    """
    if video.n_hidden == 0:
        return document
    end = video.n_frames
    tracks = [_limited(document.video, track, end) for track in document.tracks]
    kept = {track.id for track in tracks if track.keyframes}
    return Document(
        document.draft_id,
        video,
        [_without_lost_parent(track, kept) for track in tracks if track.keyframes],
        [segment for segment in document.segments if segment.end <= end],
        (),
        document.comments,
        document.answers.values(),
    )


def _without_lost_parent(track: Track, kept: set[TrackId]) -> Track:
    parent = track.info.parent_id
    if parent is None or parent in kept:
        return track
    return Track(replace(track.info, parent_id=None), track.keyframes)


def _limited(video: VideoInfo, track: Track, end: int) -> Track:
    kept = [key for key in track.keyframes if key.frame < end]
    for change in pinned_before(video, track, end):
        if isinstance(change.after, Keyframe):
            kept.append(change.after)
    return track.with_keyframes(kept)
