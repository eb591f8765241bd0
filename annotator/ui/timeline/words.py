"""The timeline in words: tooltips and what screen readers say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from annotator.domain.ids import TrackId
from annotator.domain.proposal import Proposed
from annotator.domain.segment import Segment
from annotator.domain.track import Keyframe, Source, Track, unchecked_grid_frames
from annotator.ui.timeline.axis import TimeAxis
from annotator.ui.timeline.ruler import format_time

if TYPE_CHECKING:
    from annotator.services.session import Session

_NOBODY: Final = ""


def empty_text(axis: TimeAxis) -> str:
    """Return what stands in place of lanes while there are none."""
    if not axis.n_frames:
        return QCoreApplication.translate("timeline", "Draw on the lane of sounds to mark a sound")
    return QCoreApplication.translate("timeline", "Draw a box on the picture to begin a track")


def summary(session: Session | None, primary: TrackId | None, axis: TimeAxis, at: float) -> str:
    """Return a sentence on place, tracks and the selected track.

    ``at`` is the frame, or the media time of a sound without pictures.
    """
    tr = QCoreApplication.translate
    if session is None:
        return tr("timeline", "No video is open")
    text = tr("timeline", "{here} of {end}. Tracks: {n}, segments: {m}.").format(
        here=_moment(int(at), axis) if axis.n_frames else format_time(at),
        end=format_time(axis.last_s),
        n=len(session.document.tracks),
        m=len(session.document.segments),
    )
    track = session.document.find_track(primary) if primary is not None else None
    return f"{text} {track_tip(track, session)}" if track is not None else text


def track_tip(track: Track, session: Session) -> str:
    """Return name, extent and what is left to check of a track."""
    tr = QCoreApplication.translate
    video = session.document.video
    text = tr("timeline", "{label} {number}: frames {first} to {last}, keyframes: {n}").format(
        label=track.label,
        number=track.info.number,
        n=len(track.keyframes),
        first=track.first_frame,
        last=track.last_frame,
    )
    left = len(unchecked_grid_frames(track, step=video.grid_step, n_frames=video.n_frames))
    if left:
        text += ", " + tr("timeline", "grid frames to check: {n}").format(n=left)
    return text


def key_tip(track: Track, frame: int, axis: TimeAxis) -> str:
    """Return what a keyframe sign stands for."""
    key = track.keyframe_at(frame)
    state = _key_state(key) if key is not None else _NOBODY
    return f"{track.label} {track.info.number} · {state}\n{_moment(frame, axis)}"


def frame_tip(frame: int, axis: TimeAxis, pending: Proposed | None) -> str:
    """Return which frame lies here, and how sure the tracker is of its proposal."""
    text = _moment(frame, axis)
    if pending is None:
        return text
    percent = round(100 * pending.confidence)
    proposed = QCoreApplication.translate("timeline", "Proposed, {percent} % sure")
    return f"{text}\n{proposed.format(percent=percent)}"


def ruler_tip(frame: int, axis: TimeAxis) -> str:
    """Return which frame lies here, and what the mouse can do in the header."""
    tr = QCoreApplication.translate
    return "\n".join(
        (
            _moment(frame, axis),
            tr("timeline", "Drag: go there · Shift+drag: mark a range"),
            tr("timeline", "Ctrl+wheel, + and -: zoom · Double-click: zoom to the range"),
            tr("timeline", "Ctrl+0 or a double-click on the bar above: whole video"),
        )
    )


def segment_tip(segment: Segment, axis: TimeAxis) -> str:
    """Return name, extent and length of a segment."""
    start, end = float(axis.edges[segment.start]), float(axis.edges[segment.end])
    return f"{segment.label}\n{format_time(start)} – {format_time(end)} ({end - start:.3f} s)"


def _moment(frame: int, axis: TimeAxis) -> str:
    frame = min(max(frame, 0), axis.n_frames - 1)
    text = QCoreApplication.translate("timeline", "Frame {frame}").format(frame=frame)
    return f"{text} · {format_time(float(axis.edges[frame]))}"


def _key_state(key: Keyframe) -> str:
    tr = QCoreApplication.translate
    if key.box is None:
        return tr("timeline", "Out of view from here")
    text = {
        Source.HUMAN: tr("timeline", "Keyframe"),
        Source.ACCEPTED: tr("timeline", "Keyframe, accepted from a proposal"),
        Source.IMPORTED: tr("timeline", "Keyframe, imported"),
    }[key.source]
    return text + (", " + tr("timeline", "occluded") if key.occluded else "")
