"""From records to tracks with keyframes, points and segments, reversible without loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.key_table import SOURCES, KeyTable, TabledTrack
from annotator.domain.annotation.point_track import PointInfo, PointTrack
from annotator.domain.annotation.segment import Lane, Segment, frame_span
from annotator.domain.annotation.track import Source, Track, TrackInfo
from annotator.domain.checks import Finding, Severity
from annotator.domain.commands import AddImported
from annotator.domain.commands.tracks import TRACK_LINKS
from annotator.domain.ids import TrackId, point_id, segment_id, track_id
from annotator.domain.json_type import Json
from annotator.exchange.fractions import MAX_MARKS
from annotator.exchange.perception_test.kept_boxes import stored_records
from annotator.exchange.perception_test.points import owner_of, point_of, stored_marks
from annotator.exchange.perception_test.records import (
    EXTRA_KEY,
    NO_OBJECT,
    FourNumbers,
    ObjectColumns,
    ObjectRecord,
    PointRecord,
    SegmentRecord,
    VideoRecord,
    as_object,
    columns_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FRAMES_APART: Final = 2

_NAME: Final = f"{EXTRA_KEY}/"
"""Before the number by which records of such a file call an object."""


def tracks_of(video: VideoInfo) -> dict[int, TrackId]:
    """Return the tracks that the objects of an imported file became, by their IDs there."""
    return {
        int(name.removeprefix(_NAME)): TrackId(str(track))
        for name, track in as_object(video.extra.get(TRACK_LINKS)).items()
        if name.startswith(_NAME)
    }


@dataclass(frozen=True, slots=True)
class KeptExtra:
    """Contents of ``VideoInfo.extra``: metadata, questions, unknown keys.

    References inside ``records`` are ids of the file; ``tracks`` says which track each became.
    """

    metadata: dict[str, Json]
    records: dict[str, list[dict[str, Json]]]
    unknown: dict[str, Json]
    tracks: dict[int, TrackId]

    @classmethod
    def of(cls, video: VideoInfo) -> KeptExtra:
        """Return the stored extras of a video; empty without an import."""
        data = as_object(video.extra.get(EXTRA_KEY))
        records = {
            task: [as_object(r) for r in records]
            for task, records in as_object(data.get("records")).items()
            if isinstance(records, list)
        }
        metadata, unknown = as_object(data.get("metadata")), as_object(data.get("unknown"))
        return cls(metadata, records, unknown, tracks_of(video))

    @property
    def shift(self) -> int:
        """How far the object ids of a further import are moved to lie behind the old."""
        return 1 + max(self.tracks, default=-1)

    def extended(self, record: VideoRecord, tracks: Mapping[int, TrackId]) -> KeptExtra:
        """Return this with a further import added."""
        shift = self.shift
        records = {task: list(old) for task, old in self.records.items()}
        for task, new in record.kept.items():
            records.setdefault(task, []).extend(_shifted(r, shift) for r in new)
        return KeptExtra(
            {**self.metadata, **record.metadata},
            records,
            {**self.unknown, **record.unknown},
            {**self.tracks, **{number + shift: t for number, t in tracks.items()}},
        )

    def put_into(self, extra: dict[str, Json]) -> dict[str, Json]:
        """Return ``VideoInfo.extra`` with these extras."""
        links = {f"{_NAME}{number}": track for number, track in self.tracks.items()}
        return {
            **extra,
            EXTRA_KEY: {
                "metadata": self.metadata,
                "records": {task: list[Json](records) for task, records in self.records.items()},
                "unknown": self.unknown,
            },
            TRACK_LINKS: {**as_object(extra.get(TRACK_LINKS)), **links},
        }


def import_command(
    record: VideoRecord, document: Document, times_us: Sequence[int]
) -> tuple[AddImported, tuple[Finding, ...]]:
    """Return the one command that adds all annotations of an entry.

    ``times_us`` is when each frame of the video appears, in microseconds.

    The findings say where the entry does not fit this video; an ERROR means a record was left out.
    """
    video = document.video
    findings = tuple(misfits(record, video, times_us))
    bad = {finding.where for finding in findings if finding.severity is Severity.ERROR}
    ids: dict[int, TrackId] = {}
    tracks: list[Track] = []
    objects = [item for item in record.objects if item.path not in bad]
    columns, first = record.columns, document.next_number()
    if columns is None or len(objects) < len(record.objects):
        columns = columns_of(objects)
    table = keyframes_of(objects, columns, video)
    raw_records = stored_records(objects, columns, video)
    for row, item in enumerate(objects):
        info = _info(item, raw_records[row], track_id(), first + row)
        ids[item.id] = info.id
        tracks.append(TabledTrack(info, table, row))
    points: list[PointTrack] = []
    for named in record.points:
        if named.path not in bad:
            points.append(_point(named, document, ids, len(points)))
    segments = [_segment(part, ids, times_us) for part in record.segments if part.path not in bad]
    extra = KeptExtra.of(video).extended(record, ids).put_into(video.extra)
    return AddImported(tuple(tracks), tuple(segments), extra, tuple(points)), findings


def misfits(record: VideoRecord, video: VideoInfo, times_us: Sequence[int]) -> Iterator[Finding]:
    """Yield mismatches of an entry and a video; an ERROR names an omitted record.

    ``times_us`` is when each frame of the video appears, in microseconds.
    """
    yield from _mismatches(record, video)
    for item in record.objects:
        if item.frames[-1] >= video.n_frames:
            yield _beyond(item.path, item.frames[-1], video)
        elif not any(is_seen(box, video) for box in item.boxes):
            text = "Skipped: no box of this object overlaps the image."
            yield Finding("never-present", item.path, text, Severity.ERROR)
    room = MAX_MARKS
    for named in record.points:
        room -= named.frames[-1] - named.frames[0] + 1
        if problem := _unplaceable(named, video, room):
            yield Finding("bad-record", named.path, problem, Severity.ERROR)
    for part in record.segments:
        if part.frames[0] >= video.n_frames or part.frames[1] > video.n_frames:
            yield _beyond(part.path, max(part.frames), video)
        else:
            yield from _times_apart(part, times_us)


def segment_frames(frames: tuple[int, int]) -> tuple[int, int]:
    """Return the half-open span of an imported segment; one frame where it has no length."""
    start, end = frames
    return start, max(end, start + 1)


def _mismatches(record: VideoRecord, video: VideoInfo) -> Iterator[Finding]:
    """Yield where the file speaks of another video than the one at hand."""
    if record.n_frames not in (None, video.n_frames):
        text = (
            f"Frame count mismatch: {record.n_frames} in the file, {video.n_frames} in the video."
        )
        yield Finding("other-frame-count", f"{record.path}.metadata.num_frames", text)
    if record.size not in (None, (video.width, video.height)):
        said = " x ".join(map(str, record.size or ()))
        text = (
            f"Resolution mismatch: {said} pixels in the file, {video.width} x {video.height} "
            "in the video."
        )
        yield Finding("other-size", f"{record.path}.metadata.resolution", text)


def _beyond(path: str, frame: int, video: VideoInfo) -> Finding:
    return Finding("bad-record", path, _not_in(frame, video), Severity.ERROR)


def _not_in(frame: int, video: VideoInfo) -> str:
    return f"Frame {frame} does not exist in the video ({video.n_frames} frames)."


def _unplaceable(item: PointRecord, video: VideoInfo, room: int) -> str | None:
    """Return why a point cannot be in this video, None when it can."""
    if item.frames[-1] >= video.n_frames:
        return _not_in(item.frames[-1], video)
    if not (video.width and video.height):
        return "Cannot import points: the video has no image size."
    return (
        None if room >= 0 else f"Too many points: more than {MAX_MARKS} point marks in one video."
    )


def _point(
    item: PointRecord, document: Document, ids: Mapping[int, TrackId], index: int
) -> PointTrack:
    video = document.video
    number = document.next_point_number() + index
    kept = stored_marks(item, video, KeptExtra.of(video).shift)
    info = PointInfo(point_id(), owner_of(item, ids), item.label, number, number - 1, extra=kept)
    return point_of(item, info, video)


def _info(item: ObjectRecord, extra: dict[str, Json], new_id: TrackId, number: int) -> TrackInfo:
    return TrackInfo(
        new_id,
        item.label,
        number,
        number - 1,
        is_begin_settled=not item.is_start_only,
        attributes={"is_occluder": item.is_occluder},
        extra=extra,
    )


def sound_times(lane: Lane, times: tuple[int | float, int | float]) -> tuple[int, int] | None:
    """Return the own times of a sound; None if it is bound to frames."""
    if lane is not Lane.SOUND:
        return None
    start, end = round(times[0]), round(times[1])
    return (start, end) if start < end else None


def _times_apart(item: SegmentRecord, times_us: Sequence[int]) -> Iterator[Finding]:
    """Yield that a sound's times, which count, lie elsewhere than its frames."""
    own = sound_times(item.lane, item.times)
    if own is None:
        return
    start, end = frame_span(times_us, *own)
    if max(abs(start - item.frames[0]), abs(end - item.frames[1])) > _FRAMES_APART:
        text = f"The times correspond to frames {start} to {end}, but the file specifies "
        text += f"{item.frames[0]} to {item.frames[1]}. The times were used."
        yield Finding("times-differ", item.path, text)


def _segment(item: SegmentRecord, ids: Mapping[int, TrackId], times_us: Sequence[int]) -> Segment:
    start, end = segment_frames(item.frames)
    own = sound_times(item.lane, item.times)
    if own is not None:
        start, end = frame_span(times_us, *own)
    return Segment(
        segment_id(),
        item.lane,
        item.label,
        start,
        end,
        item.label_id,
        tuple(ids.get(number) for number in item.parents),
        item.is_visible,
        {EXTRA_KEY: item.raw},
        *(own or (None, None)),
    )


def _shifted(record: dict[str, Json], shift: int) -> dict[str, Json]:
    """Return a record whose references to objects are moved behind those of earlier imports."""
    if not shift:
        return record
    moved = dict(record)
    for key in ("parent_objects", "answers"):
        value = record.get(key)
        if isinstance(value, list):
            moved[key] = [_moved(item, shift) for item in value]
        elif value is not None:
            moved[key] = _moved(value, shift)
    return moved


def _moved(value: Json, shift: int) -> Json:
    return value + shift if isinstance(value, int) and value != NO_OBJECT else value


_IMPORTED: Final = SOURCES.index(Source.IMPORTED)


def keyframes_of(
    items: Sequence[ObjectRecord], columns: ObjectColumns, video: VideoInfo
) -> KeyTable:
    """Return the keyframes of records, one list per track; ``columns`` are theirs.

    A frame without entry means that the object has left the picture: any frame where the record
    goes frame by frame, a grid frame where it goes by the grid. Elsewhere it has left at the next
    grid frame when two entries are further apart than the grid step. It has also left after the
    last entry. Entries whose boxes cover nothing of the picture stand for nothing.
    """
    entries = _Entries.of(items, columns, video)
    remaining = entries.left(video)
    is_leaving = remaining < video.n_frames
    # Each entry is followed by the frame on which its object has left, where it has.
    places = np.repeat(np.arange(len(remaining)), 1 + is_leaving)
    is_gone = np.zeros(len(places), np.bool_)
    is_gone[1:] = places[1:] == places[:-1]
    boxes = entries.boxes[places]
    boxes[is_gone] = np.nan
    counts = np.bincount(entries.owners[places], minlength=len(items))
    return KeyTable(
        np.concatenate([[0], np.cumsum(counts)]),
        np.where(is_gone, remaining[places], entries.frames[places]),
        boxes,
        entries.is_masked[places] & ~is_gone,
        entries.is_settled[places] & ~is_gone,
        np.full(len(places), _IMPORTED, np.uint8),
    )


def is_seen(box: FourNumbers, video: VideoInfo) -> bool:
    """Return whether a box covers something of the picture."""
    x1, y1, x2, y2 = box
    w, h = video.width, video.height
    return max(x1 * w, 0) < min(x2 * w, w) and max(y1 * h, 0) < min(y2 * h, h)


def _pixel_boxes(said: NDArray[np.float64], video: VideoInfo) -> NDArray[np.float64]:
    """Return boxes in pixels [n, 4], cut to the picture; NaN where nothing is left of one."""
    size = np.array([video.width, video.height] * 2, np.float64)
    boxes = said * size
    is_inside = (boxes >= 0) & (boxes <= size)
    if not is_inside.all():
        is_cut = ~is_inside.all(axis=1)
        boxes[is_cut] = np.clip(boxes[is_cut], 0, size)
    is_box = (boxes[:, 0] < boxes[:, 2]) & (boxes[:, 1] < boxes[:, 3])
    boxes[~is_box] = np.nan
    return boxes


@dataclass(frozen=True, slots=True)
class _Entries:
    """The entries of all records whose boxes show something of the picture."""

    owners: NDArray[np.int64]
    frames: NDArray[np.int64]
    boxes: NDArray[np.float64]
    is_masked: NDArray[np.bool_]
    is_settled: NDArray[np.bool_]
    is_dense: NDArray[np.bool_]
    is_regular: NDArray[np.bool_]
    """Dense, or on the grid."""

    @classmethod
    def of(
        cls, items: Sequence[ObjectRecord], columns: ObjectColumns, video: VideoInfo
    ) -> _Entries:
        lengths, frames = np.diff(columns.bounds), columns.frames
        owners = np.repeat(np.arange(len(items)), lengths)
        steps = (np.diff(frames) == 1) & (np.diff(owners) == 0)
        n_steps = np.bincount(owners[1:][steps], minlength=len(items))
        is_dense = 2 * n_steps >= np.maximum(lengths - 1, 1)
        on_grid = np.bincount(owners[frames % video.grid_step == 0], minlength=len(items))
        is_regular = is_dense | (2 * on_grid >= lengths)
        boxes = _pixel_boxes(columns.boxes, video)
        is_in = ~np.isnan(boxes[:, 0])
        owners = owners[is_in]
        is_start_only = np.array([item.is_start_only for item in items], np.bool_)
        return cls(
            owners,
            frames[is_in],
            boxes[is_in],
            columns.is_masked[is_in],
            ~is_start_only[owners],
            is_dense[owners],
            is_regular[owners],
        )

    def left(self, video: VideoInfo) -> NDArray[np.int64]:
        """Return the frame at which the object leaves after each entry."""
        step, never = video.grid_step, video.n_frames
        frames = self.frames
        left = np.where(self.is_dense, frames + 1, (frames // step + 1) * step)
        is_last = np.ones(len(frames), np.bool_)
        is_last[:-1] = np.diff(self.owners) > 0
        following = np.roll(frames, -1)
        is_apart = (following - frames > step) | (self.is_regular & (left < following))
        # A file with start boxes only does not contain the exit of the object.
        found: NDArray[np.int64] = np.where((is_last | is_apart) & self.is_settled, left, never)
        return found
