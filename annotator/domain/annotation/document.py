"""The document: everything of one draft of one video, looked up by identity and by frame."""

from __future__ import annotations

from bisect import bisect_left, insort_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from annotator.domain.annotation.changes import Change, KeyframeKey, PointKey, VideoExtra
from annotator.domain.annotation.comment import Comment
from annotator.domain.annotation.point_track import PointInfo, PointRun, PointTrack, run_of
from annotator.domain.annotation.segment import OPEN_ROLE, Segment, normalized_roles
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo, TrackState
from annotator.domain.answer import Answer, AnswerKey
from annotator.domain.errors import EditError
from annotator.domain.ids import CommentId, DraftId, PointId, SegmentId, TrackId, VideoId
from annotator.domain.json_type import Json

# Up to this number changed segments are inserted one by one.
_FEW = 16


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """Facts about a video that the rules need.

    ``width`` and ``height`` are pixels in display orientation (0 x 0 for a sound file without a
    picture); ``n_frames`` counts presented frames; ``frame_rate`` is the average in frames per
    second, for people and for the annotation grid, never for time. ``n_hidden`` frames follow that
    may not be seen in a task: for it the video ends before them. Nor may those before
    ``first_seen``, which keep their numbers.
    """

    id: VideoId
    name: str
    width: int
    height: int
    n_frames: int
    frame_rate: float
    duration_s: float
    grid_step: int = 30
    extra: dict[str, Json] = field(default_factory=dict)
    n_hidden: int = 0
    first_seen: int = 0


class Document:
    """Everything of one draft; changed only by applying changes."""

    def __init__(
        self,
        draft_id: DraftId,
        video: VideoInfo,
        tracks: Iterable[Track] = (),
        segments: Iterable[Segment] = (),
        points: Iterable[PointTrack] = (),
        comments: Iterable[Comment] = (),
        answers: Iterable[Answer] = (),
    ) -> None:
        self.draft_id = draft_id
        self.video = video
        self._tracks = {t.id: t for t in tracks}
        self._segments = {s.id: s for s in segments}
        self._points = {p.id: p for p in points}
        self._comments = {c.id: c for c in comments}
        self._answers = {a.key: a for a in answers}
        # Put in order when asked for, and then kept until the next change.
        self._by_number: tuple[Track, ...] | None = None
        self._by_start: tuple[Segment, ...] | None = None

    @property
    def tracks(self) -> tuple[Track, ...]:
        """All tracks, by number."""
        if self._by_number is None:
            found = sorted(self._tracks.values(), key=lambda t: (t.info.number, t.id))
            self._by_number = tuple(found)
        return self._by_number

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All segments, by start."""
        if self._by_start is None:
            self._by_start = tuple(sorted(self._segments.values(), key=_start_of))
        return self._by_start

    @property
    def has_segments(self) -> bool:
        return bool(self._segments)

    @property
    def points(self) -> tuple[PointTrack, ...]:
        """All point tracks, by number."""
        return tuple(sorted(self._points.values(), key=lambda p: (p.info.number, p.id)))

    def points_of(self, track_id: TrackId) -> tuple[PointTrack, ...]:
        """Return the point tracks of an object."""
        return tuple(p for p in self.points if p.info.track_id == track_id)

    def point(self, point_id: PointId) -> PointTrack:
        """Return a point track; EditError when it does not exist."""
        try:
            return self._points[point_id]
        except KeyError:
            raise EditError("The point no longer exists.") from None

    def find_point(self, point_id: PointId) -> PointTrack | None:
        return self._points.get(point_id)

    def track(self, track_id: TrackId) -> Track:
        """Return a track; EditError when it does not exist."""
        try:
            return self._tracks[track_id]
        except KeyError:
            raise EditError("The track no longer exists.") from None

    def find_track(self, track_id: TrackId) -> Track | None:
        return self._tracks.get(track_id)

    def segment(self, segment_id: SegmentId) -> Segment:
        """Return a segment; EditError when it does not exist."""
        try:
            return self._segments[segment_id]
        except KeyError:
            raise EditError("The segment no longer exists.") from None

    def find_segment(self, segment_id: SegmentId | None) -> Segment | None:
        return self._segments.get(segment_id) if segment_id is not None else None

    @property
    def comments(self) -> tuple[Comment, ...]:
        """All comments, oldest first."""
        return tuple(sorted(self._comments.values(), key=lambda c: (c.at, c.id)))

    def comment(self, comment_id: CommentId) -> Comment:
        """Return a comment; EditError when it does not exist."""
        try:
            return self._comments[comment_id]
        except KeyError:
            raise EditError("The comment no longer exists.") from None

    def replies_to(self, comment_id: CommentId) -> tuple[Comment, ...]:
        """Return the answers to a remark, oldest first."""
        return tuple(c for c in self.comments if c.parent_id == comment_id)

    @property
    def answers(self) -> Mapping[AnswerKey, Answer]:
        """All answers, by item, field and entry. It follows the document as that changes."""
        return MappingProxyType(self._answers)

    def states_at(self, frame: int) -> Iterator[tuple[Track, TrackState]]:
        """Yield every track with its state on a frame, in no particular order."""
        for track in self._tracks.values():
            yield track, track.state_at(frame)

    def children_of(self, track_id: TrackId) -> tuple[Track, ...]:
        return tuple(t for t in self.tracks if t.info.parent_id == track_id)

    def labels(self) -> list[str]:
        """Return the names in use, most frequent first, for completion."""
        counts: dict[str, int] = {}
        for track in self._tracks.values():
            counts[track.label] = counts.get(track.label, 0) + 1
        return sorted(counts, key=lambda name: (-counts[name], name))

    def next_number(self) -> int:
        """Return the display number for the next track."""
        return 1 + max((t.info.number for t in self._tracks.values()), default=0)

    def next_point_number(self) -> int:
        """Return the display number for the next point track."""
        return 1 + max((p.info.number for p in self._points.values()), default=0)

    def copy(self) -> Document:
        """Return another document that holds the same; changes of one do not reach the other."""
        return Document(
            self.draft_id,
            self.video,
            self._tracks.values(),
            self._segments.values(),
            self._points.values(),
            self._comments.values(),
            self._answers.values(),
        )

    def decided(self) -> Document:
        """Return this document without unaccepted proposals of models.

        It is this very document where that is all. Roles of proposed objects are open again.
        """
        proposed_ids = {t.id for t in self._tracks.values() if t.is_proposed}
        points = [p for p in self._points.values() if not p.is_proposed]
        segments = [s for s in self._segments.values() if not s.is_proposed]
        if (
            not proposed_ids
            and len(points) == len(self._points)
            and len(segments) == len(self._segments)
        ):
            return self
        return Document(
            self.draft_id,
            self.video,
            (t for t in self._tracks.values() if t.id not in proposed_ids),
            (_without_roles(s, proposed_ids) for s in segments),
            (_without_owner(p, proposed_ids) for p in points),
            self._comments.values(),
            self._answers.values(),
        )

    def become(self, other: Document) -> None:
        """Take over all that another state of this draft holds, however much it is."""
        self.video = other.video
        self._tracks, self._segments, self._points = other._tracks, other._segments, other._points
        self._comments, self._answers = other._comments, other._answers
        self._by_number = self._by_start = None

    def apply(self, changes: Iterable[Change]) -> None:
        """Bring the changes into memory. They have been planned on this very state."""
        keys: dict[TrackId, dict[int, Keyframe]] = {}
        segments: list[Change] = []
        for change in changes:
            if change.kind == "keyframe":
                self._apply_keyframe(change, keys)
            elif change.kind == "track":
                self._apply_track(change)
            elif change.kind == "video":
                assert isinstance(change.after, VideoExtra)
                self.video = replace(self.video, extra=change.after.data)
            elif change.kind == "segment":
                self._apply_segment(change)
                segments.append(change)
            elif change.kind == "comment":
                self._apply_comment(change)
            elif change.kind == "answer":
                self._apply_answer(change)
            else:
                self._apply_point(change)
        for track_id, frames in keys.items():
            track = self._tracks.get(track_id)
            if track is not None:
                self._tracks[track_id] = track.with_keyframes(frames.values())
                self._by_number = None
        self._put_in_order(segments)

    def _put_in_order(self, changed: Sequence[Change]) -> None:
        """Bring few changed segments to their places; many are sorted when asked for."""
        if self._by_start is None or len(changed) > _FEW:
            self._by_start = None if changed else self._by_start
            return
        ordered = list(self._by_start)
        for change in changed:
            if isinstance(change.before, Segment):
                del ordered[bisect_left(ordered, _start_of(change.before), key=_start_of)]
            if isinstance(change.after, Segment):
                insort_left(ordered, change.after, key=_start_of)
        self._by_start = tuple(ordered)

    def _apply_keyframe(self, change: Change, keys: dict[TrackId, dict[int, Keyframe]]) -> None:
        assert isinstance(change.id, KeyframeKey)
        frames = keys.get(change.id.track_id)
        if frames is None:
            track = self._tracks.get(change.id.track_id)
            frames = {k.frame: k for k in track.keyframes} if track else {}
            keys[change.id.track_id] = frames
        if change.after is None:
            frames.pop(change.id.frame, None)
        else:
            assert isinstance(change.after, Keyframe)
            frames[change.id.frame] = change.after

    def _apply_track(self, change: Change) -> None:
        self._by_number = None
        if change.after is None:
            del self._tracks[TrackId(str(change.id))]
            return
        assert isinstance(change.after, TrackInfo)
        old = self._tracks.get(change.after.id)
        self._tracks[change.after.id] = Track(change.after, old.keyframes if old else ())

    def _apply_point(self, change: Change) -> None:
        if isinstance(change.id, PointKey):
            point = self._points[change.id.point_id]
            run = change.after
            if run is None:
                run = run_of(change.id.start, [None] * (change.id.end - change.id.start))
            assert isinstance(run, PointRun)
            self._points[point.id] = point.with_run(run)
        elif change.after is None:
            del self._points[PointId(str(change.id))]
        else:
            assert isinstance(change.after, PointInfo)
            old = self._points.get(change.after.id)
            self._points[change.after.id] = (
                replace(old, info=change.after) if old else PointTrack(change.after)
            )

    def _apply_comment(self, change: Change) -> None:
        if change.after is None:
            del self._comments[CommentId(str(change.id))]
            return
        assert isinstance(change.after, Comment)
        self._comments[change.after.id] = change.after

    def _apply_answer(self, change: Change) -> None:
        assert isinstance(change.id, AnswerKey)
        if change.after is None:
            del self._answers[change.id]
            return
        assert isinstance(change.after, Answer)
        self._answers[change.id] = change.after

    def _apply_segment(self, change: Change) -> None:
        if change.after is None:
            del self._segments[SegmentId(str(change.id))]
            return
        assert isinstance(change.after, Segment)
        self._segments[change.after.id] = change.after


def _without_roles(segment: Segment, gone: Collection[TrackId]) -> Segment:
    if not any(slot in gone for slot in segment.objects):
        return segment
    slots = tuple(OPEN_ROLE if slot in gone else slot for slot in segment.slots)
    return replace(segment, slots=normalized_roles(segment.lane, slots))


def _without_owner(point: PointTrack, gone: Collection[TrackId]) -> PointTrack:
    if point.info.track_id not in gone:
        return point
    return replace(point, info=replace(point.info, track_id=None))


def _start_of(segment: Segment) -> tuple[int, int, str]:
    """Return what segments are ordered by: no two have the same."""
    return (segment.start, segment.end, segment.id)
