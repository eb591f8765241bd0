"""Makes documents and random edits for tests."""

from __future__ import annotations

from hypothesis import strategies as st

from annotator.domain.commands import (
    AcceptProposals,
    Command,
    CreateSegment,
    CreateTrack,
    DeleteKeyframe,
    DeleteKeyframes,
    DeleteSegment,
    DeleteTracks,
    JoinTracks,
    SetKeyframe,
    SetOccluded,
    SetOutside,
    SetSegment,
    SettleBegin,
    SettleGap,
    SetTrack,
    SplitIntoChildren,
    SplitTrack,
    SwapTracks,
)
from annotator.domain.document import Document, VideoInfo
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, SegmentId, VideoId, new_id, segment_id, track_id
from annotator.domain.proposal import Proposed
from annotator.domain.segment import Lane, Segment
from annotator.domain.track import Keyframe, Source, Track, TrackInfo

N_FRAMES = 40
WIDTH, HEIGHT = 320, 180


def make_video(n_frames: int = N_FRAMES, grid_step: int = 10) -> VideoInfo:
    """Return the facts of an invented video."""
    return VideoInfo(
        VideoId(new_id()), "clip.mp4", WIDTH, HEIGHT, n_frames, 30.0, n_frames / 30, grid_step
    )


def make_track(*keys: Keyframe, label: str = "mug", number: int = 1, **info: object) -> Track:
    """Return a track with these keyframes."""
    return Track(TrackInfo(track_id(), label, number, number - 1, **info), keys)  # type: ignore[arg-type]


def make_document(*tracks: Track, n_frames: int = N_FRAMES) -> Document:
    """Return a document with these tracks."""
    return Document(DraftId(new_id()), make_video(n_frames), tracks)


def run(document: Document, command: Command) -> list[object]:
    """Apply a command and return its changes."""
    changes = command.plan(document)
    document.apply(changes)
    return list(changes)


def boxes() -> st.SearchStrategy[Box]:
    """Boxes of at least 2 px, inside the picture."""
    return st.builds(
        lambda x, y, w, h: Box(x, y, min(x + w, WIDTH), min(y + h, HEIGHT)),
        st.floats(0, WIDTH - 2),
        st.floats(0, HEIGHT - 2),
        st.floats(2, 200),
        st.floats(2, 150),
    )


FRAMES = st.integers(0, N_FRAMES - 1)
LABELS = st.sampled_from(["mug", "red kettle", "Löffel", "水"])


@st.composite
def commands(draw: st.DrawFn, document: Document) -> Command:
    """A random command that names what the document has; it may still be refused."""
    tracks = [t.id for t in document.tracks]
    segments = list(document.segments)
    frame = draw(FRAMES)
    if not tracks or (len(tracks) < 5 and draw(st.integers(0, 4)) == 0):
        return CreateTrack(track_id(), draw(LABELS), frame, draw(boxes()))
    track = draw(st.sampled_from(tracks))
    other = draw(st.sampled_from(tracks))
    end = draw(st.none() | st.integers(frame + 1, N_FRAMES + 3))
    maybe_box = draw(st.none() | boxes())
    flag = draw(st.booleans())
    choices: list[Command] = [
        SetKeyframe(track, frame, draw(boxes())),
        SetKeyframe(track, frame, maybe_box, occluded=flag, source=Source.ACCEPTED),
        SetOccluded(track, frame, flag, end=end, box=maybe_box),
        SetOutside(track, frame, flag, end=end, box=maybe_box),
        DeleteKeyframe(track, frame),
        DeleteKeyframes(track, frame, end or N_FRAMES),
        DeleteTracks((track,) if flag else (track, other)),
        SetTrack(track, label=draw(LABELS), color=draw(st.integers(0, 11)), is_hidden=flag),
        SetTrack(track, is_locked=draw(st.integers(0, 9)) == 0),
        SplitTrack(track, frame, track_id()),
        SplitIntoChildren(track, frame, ((track_id(), "shell"), (track_id(), "content"))),
        JoinTracks(track, other),
        SwapTracks(track, other, frame),
        SettleGap(track, frame, flag),
        SettleBegin(track, flag),
        AcceptProposals(track, draw(proposals())),
        CreateSegment(_segment(draw, segment_id(), tracks)),
    ]
    if segments:
        known = draw(st.sampled_from(segments)).id
        choices += [SetSegment(_segment(draw, known, tracks)), DeleteSegment(known)]
    return draw(st.sampled_from(choices))


@st.composite
def proposals(draw: st.DrawFn) -> tuple[Proposed, ...]:
    """Suggestions on some frames, ascending; some say "out of view"."""
    frames = sorted(draw(st.sets(FRAMES, min_size=1, max_size=20)))
    return tuple(
        Proposed(f, draw(boxes()) if draw(st.integers(0, 5)) else None, 0.5) for f in frames
    )


def _segment(draw: st.DrawFn, known: SegmentId, tracks: list[object]) -> Segment:
    start = draw(st.integers(0, N_FRAMES - 1))
    end = draw(st.integers(start + 1, N_FRAMES))
    slots = tuple(draw(st.lists(st.none() | st.sampled_from(tracks), max_size=3)))
    lane = draw(st.sampled_from(list(Lane)))
    return Segment(known, lane, draw(LABELS), start, end, draw(st.none() | st.just(3)), slots)
