"""The timeline in words: tooltips and what screen readers say."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, unchecked_grid_frames
from annotator.domain.ids import TrackId
from annotator.domain.proposals.box_proposals import Proposed
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS
from annotator.ui.look.texts import sentence_text
from annotator.ui.timeline.model.axis import TimeAxis
from annotator.ui.timeline.model.segment_times import span_s
from annotator.ui.timeline.painting.header_painter import format_time

if TYPE_CHECKING:
    from annotator.services.session import Session

_NOBODY: Final = ""


def empty_text(axis: TimeAxis, tools: Collection[Tool] = ALL_TOOLS) -> str:
    """Return what stands in place of lanes while there are none; "" where nothing is drawn."""
    if (Tool.BOXES if axis.n_frames else Tool.SOUNDS) not in tools:
        return ""
    if not axis.n_frames:
        return QCoreApplication.translate("timeline", "Drag on the Sounds lane to mark a sound")
    return QCoreApplication.translate("timeline", "Draw a box in the video to start a track")


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
    """Return the name and extent of a track and its open proposals."""
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
        text += ", " + tr("timeline", "unchecked grid frames: {n}").format(n=left)
    return text


def key_tip(track: Track, frame: int, axis: TimeAxis) -> str:
    """Return the meaning of a keyframe sign."""
    key = track.keyframe_at(frame)
    state = _key_state(key) if key is not None else _NOBODY
    return f"{track.label} {track.info.number} · {state}\n{_moment(frame, axis)}"


def frame_tip(frame: int, axis: TimeAxis, pending: Proposed | None) -> str:
    """Return which frame lies here, and how sure the tracker is of its proposal."""
    text = _moment(frame, axis)
    if pending is None:
        return text
    percent = round(100 * pending.confidence)
    proposed = QCoreApplication.translate("timeline", "Proposed, confidence {percent}%")
    return f"{text}\n{proposed.format(percent=percent)}"


def ruler_tip(frame: int, axis: TimeAxis) -> str:
    """Return which frame lies here, and what the mouse can do in the header."""
    tr = QCoreApplication.translate
    return "\n".join(
        (
            _moment(frame, axis),
            tr("timeline", "Drag: seek · Shift+drag: mark range"),
            tr("timeline", "Wheel, + and -: zoom · Double-click: zoom to range"),
            tr("timeline", "Ctrl+0 or double-click on the bar above: show whole video"),
        )
    )


def segment_tip(segment: Segment, label: Label | None, document: Document, axis: TimeAxis) -> str:
    """Return the sentence of a segment, its times, its frames and its objects in slot order."""
    tr = QCoreApplication.translate
    start, end = span_s(segment, axis)
    lines = [sentence_text(segment, label, document).strip()]
    lines.append(f"{format_time(start)} – {format_time(end)} ({end - start:.3f} s)")
    if axis.n_frames:
        text = tr("timeline", "Frames {first} to {last}")
        lines.append(text.format(first=segment.start, last=segment.end - 1))
    tracks = (document.find_track(track) for track in segment.objects)
    named = [f"{t.label} {t.info.number}" for t in tracks if t is not None]
    if named:
        lines.append(tr("timeline", "Objects: {names}").format(names=", ".join(named)))
    if segment.lane is Lane.SOUND and not segment.is_visible:
        lines.append(tr("timeline", "Sound source is out of view"))
    if segment.note:
        lines.append(tr("timeline", "Note: {text}").format(text=segment.note))
    return "\n".join(lines)


def comment_tip(comment: Comment, author: str) -> str:
    """Return the text of a comment with its author."""
    text = f"{author}: {comment.text}"
    if comment.is_resolved:
        text += QCoreApplication.translate("timeline", " (resolved)")
    return text


def point_tip(point: PointTrack, session: Session) -> str:
    """Return name, object and extent of a point."""
    tr = QCoreApplication.translate
    owner = point.info.track_id
    track = session.document.find_track(owner) if owner is not None else None
    name = (
        f"{point.label} · {track.label} {track.info.number}" if track is not None else point.label
    )
    frames = point.path.frames()
    if not len(frames):
        return name
    text = tr("timeline", "{name}: frames {first} to {last}, annotated: {n}, manual: {m}")
    return text.format(
        name=name,
        first=int(frames[0]),
        last=int(frames[-1]),
        n=len(frames),
        m=len(point.path.human_frames()),
    )


def mark_tip(point: PointTrack, frame: int, axis: TimeAxis, confidence: float | None) -> str:
    """Return what a point is on a frame, and how sure the tracker is of its proposal."""
    tr = QCoreApplication.translate
    mark = point.path.mark(frame)
    lines = [point.label, _moment(frame, axis)]
    if mark is None and confidence is not None:
        text = tr("timeline", "Proposed, confidence {percent}%")
        lines.append(text.format(percent=round(100 * confidence)))
    elif mark is not None:
        state = {
            Source.HUMAN: tr("timeline", "Placed manually"),
            Source.ACCEPTED: tr("timeline", "Accepted proposal"),
            Source.IMPORTED: tr("timeline", "Imported"),
        }[mark.source]
        if mark.occluded:
            state += ", " + tr("timeline", "occluded")
        elif mark.xy is None:
            state += ", " + tr("timeline", "out of view")
        lines.append(state)
    return "\n".join(lines)


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
        Source.ACCEPTED: tr("timeline", "Keyframe, accepted proposal"),
        Source.IMPORTED: tr("timeline", "Keyframe, imported"),
    }[key.source]
    return text + (", " + tr("timeline", "occluded") if key.occluded else "")
