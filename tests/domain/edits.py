"""Makes documents and random edits for tests."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import PointMark, PointRun, run_of
from annotator.domain.annotation.segment import Lane, Segment, frame_span
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.commands import (
    AcceptPoints,
    AcceptProposals,
    AddComment,
    CheckFrames,
    ClearPoints,
    ClearSlot,
    Command,
    CreatePoint,
    CreateSegment,
    CreateTrack,
    DeleteComment,
    DeleteKeyframe,
    DeleteKeyframes,
    DeletePoints,
    DeleteSegment,
    DeleteTracks,
    DuplicateSegments,
    EditComment,
    JoinTracks,
    KeepInterpolation,
    MarkPoints,
    MergeSegments,
    OpenGaps,
    ReplyToComment,
    ResolveComments,
    SetAbsentBefore,
    SetKeyframe,
    SetOccluded,
    SetOutside,
    SetPoint,
    SetPointInfo,
    SetSegment,
    SetSlot,
    SetTrack,
    SetVisible,
    SplitIntoChildren,
    SplitSegment,
    SplitTrack,
    SwapTracks,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import (
    CommentId,
    DraftId,
    PersonId,
    PointId,
    SegmentId,
    TrackId,
    VideoId,
    new_id,
    point_id,
    segment_id,
    track_id,
)
from annotator.domain.proposals.box_proposals import Proposed

N_FRAMES = 40
WIDTH, HEIGHT = 320, 180
ADA, BEN = PersonId(new_id()), PersonId(new_id())
TIMES_US = tuple(round(f * 1e6 / 30) for f in range(N_FRAMES))


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
COLORS = st.integers(0, 11)


@st.composite
def commands(draw: st.DrawFn, document: Document, *, with_comments: bool = False) -> Command:
    """A random command that names what the document has; it may still be refused."""
    tracks = [t.id for t in document.tracks]
    frame = draw(FRAMES)
    if not tracks or (len(tracks) < 5 and draw(st.integers(0, 9)) == 9):
        return CreateTrack(track_id(), draw(LABELS), frame, draw(boxes()))
    track = draw(st.sampled_from(tracks))
    points = [p.id for p in document.points]
    kinds = [_track_commands(draw, track, tracks, frame)]
    if points:
        kinds.append(_point_commands(draw, draw(st.sampled_from(points)), track, frame))
    if len(points) < 4:
        new = point_id()
        kinds.append([lambda: CreatePoint(new, track, draw(LABELS), frame, draw(places()))])
    kinds.append(_segment_commands(draw, document, tracks))
    if with_comments:
        kinds.append(_comment_commands(draw, document, frame))
    choices = draw(st.sampled_from(kinds))
    # Only what the chosen command needs is drawn: drawing is what takes the time.
    return draw(st.sampled_from(choices))()


def _track_commands(
    draw: st.DrawFn, track: TrackId, tracks: list[TrackId], frame: int
) -> list[Callable[[], Command]]:
    def flag() -> bool:
        return draw(st.booleans())

    def maybe_box() -> Box | None:
        return draw(st.none() | boxes())

    def end() -> int | None:
        return draw(st.none() | st.integers(frame + 1, N_FRAMES + 3))

    def shown() -> tuple[Proposed, ...]:
        frames = range(frame - 1, N_FRAMES) if flag() else ()
        return tuple(Proposed(f, maybe_box(), 0.5, flag()) for f in frames[:2])

    def other() -> TrackId:
        return draw(st.sampled_from(tracks))

    accepted = Source.ACCEPTED
    return [
        lambda: SetKeyframe(track, frame, draw(boxes()), reopens=flag()),
        lambda: SetKeyframe(track, frame, maybe_box(), occluded=flag(), source=accepted),
        lambda: SetOccluded(track, frame, flag(), end(), shown()),
        lambda: SetOutside(track, frame, flag(), end(), maybe_box(), shown(), reopens=flag()),
        lambda: DeleteKeyframe(track, frame),
        lambda: DeleteKeyframes(track, frame, end() or N_FRAMES),
        lambda: DeleteTracks((track, other()) if flag() else (track,)),
        lambda: SetTrack(track, label=draw(LABELS), color=draw(COLORS), is_hidden=flag()),
        lambda: SetTrack(track, is_locked=draw(st.integers(0, 9)) == 0),
        lambda: SplitTrack(track, frame, track_id()),
        lambda: SplitIntoChildren(track, frame, ((track_id(), "shell"), (track_id(), "content"))),
        lambda: JoinTracks(track, other()),
        lambda: SwapTracks(track, other(), frame),
        lambda: KeepInterpolation(track, frame, flag(), unseen=tuple(range(0, N_FRAMES, 3))),
        lambda: OpenGaps(track, frame),
        lambda: CheckFrames(track, (frame,)),
        lambda: SetAbsentBefore(track, flag()),
        lambda: AcceptProposals(track, draw(proposals()), unseen=(0, 3, 9)),
    ]


def _segment_commands(
    draw: st.DrawFn, document: Document, tracks: list[TrackId]
) -> list[Callable[[], Command]]:
    segments = [s.id for s in document.segments]
    choices: list[Callable[[], Command]] = [
        lambda: CreateSegment(_segment(draw, segment_id(), tracks))
    ]
    if segments:
        known = draw(st.sampled_from(segments))
        choices += [
            lambda: SetSegment(_segment(draw, known, tracks)),
            lambda: DeleteSegment(known),
            lambda: SplitSegment(known, (f := draw(FRAMES)), segment_id(), TIMES_US[f]),
            lambda: MergeSegments((known, draw(st.sampled_from(segments)))),
            lambda: DuplicateSegments(((known, segment_id()),)),
            lambda: SetSlot(known, draw(st.integers(0, 4)), draw(st.sampled_from([None, *tracks]))),
            lambda: ClearSlot(known, draw(st.integers(0, 4))),
            lambda: SetVisible(known, draw(st.booleans())),
        ]
    return choices


def _comment_commands(
    draw: st.DrawFn, document: Document, frame: int
) -> list[Callable[[], Command]]:
    people = [ADA, BEN]
    new = CommentId(new_id())

    def by() -> PersonId:
        return draw(st.sampled_from(people))

    choices: list[Callable[[], Command]] = [
        lambda: AddComment(new, by(), frame, "Here", Pin(frame, (frame, frame + 1)))
    ]
    if document.comments:
        known = draw(st.sampled_from([c.id for c in document.comments]))
        choices += [
            lambda: ReplyToComment(new, known, by(), frame, "Why?"),
            lambda: EditComment(known, by(), frame, draw(LABELS)),
            lambda: ResolveComments((known,), draw(st.booleans())),
            lambda: DeleteComment(known, by()),
        ]
    return choices


def _point_commands(
    draw: st.DrawFn, point: PointId, owner: TrackId, frame: int
) -> list[Callable[[], Command]]:
    def end() -> int:
        return draw(st.integers(frame + 1, N_FRAMES))

    def flag() -> bool:
        return draw(st.booleans())

    states = st.sampled_from(["occluded", "visible", "outside"])
    return [
        lambda: SetPoint(point, frame, draw(places()), reopens=flag()),
        lambda: MarkPoints(point, frame, end(), draw(states)),
        lambda: ClearPoints(point, frame, end()),
        lambda: AcceptPoints(point, draw(accepted_marks())),
        lambda: SetPointInfo(point, label=draw(LABELS), is_hidden=flag(), track_id=owner),
        lambda: SetPointInfo(point, is_locked=draw(st.integers(0, 9)) == 0),
        lambda: DeletePoints((point,)),
    ]


def places() -> st.SearchStrategy[Point]:
    """Places in the picture."""
    return st.builds(Point, st.floats(0, WIDTH), st.floats(0, HEIGHT))


@st.composite
def accepted_marks(draw: st.DrawFn) -> PointRun:
    """Accepted marks of some frames in a row, with holes; some are hidden or out of view."""
    marks = st.none() | st.builds(
        PointMark, st.none() | places(), st.booleans(), st.just(Source.ACCEPTED)
    )
    start = draw(FRAMES)
    return run_of(start, draw(st.lists(marks, min_size=1, max_size=min(20, N_FRAMES - start))))


@st.composite
def proposals(draw: st.DrawFn) -> tuple[Proposed, ...]:
    """Suggestions on some frames, ascending; some say "out of view"."""
    frames = sorted(draw(st.sets(FRAMES, min_size=1, max_size=20)))
    return tuple(
        Proposed(f, draw(boxes()) if draw(st.integers(0, 5)) else None, 0.5) for f in frames
    )


def _segment(draw: st.DrawFn, known: SegmentId, tracks: list[object]) -> Segment:
    slots = tuple(draw(st.lists(st.none() | st.sampled_from(tracks), max_size=3)))
    lane = draw(st.sampled_from(list(Lane)))
    label_id = draw(st.none() | st.just(3))
    if lane is Lane.ACTION:
        start = draw(st.integers(0, N_FRAMES - 1))
        end = draw(st.integers(start + 1, N_FRAMES))
        return Segment(known, lane, draw(LABELS), start, end, label_id, slots)
    start_us = draw(st.integers(0, TIMES_US[-1]))
    end_us = draw(st.integers(start_us + 1, TIMES_US[-1] + 1))
    return Segment(
        known,
        lane,
        draw(LABELS),
        *frame_span(TIMES_US, start_us, end_us),
        label_id,
        slots,
        start_us=start_us,
        end_us=end_us,
    )
