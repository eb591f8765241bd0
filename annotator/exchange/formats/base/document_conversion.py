"""Between the content of files and documents: frames and times by the video, losses named."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from annotator.domain.annotation.attributes import with_attributes
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment, frame_span
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.checks import Finding, Severity
from annotator.domain.commands import AddImported
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import SegmentId, new_id, point_id, track_id
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.file_content import (
    PackedKeyframes,
    PointContent,
    SegmentContent,
    TrackContent,
    VideoContent,
)

EXTRA_KEY: Final = "imported_from"
"""Where tracks, points and segments keep their format, and their identity in the file."""

_LEAST_PX: Final = 0.01
_ROUNDING_US: Final = 1000


def import_command(
    content: VideoContent,
    document: Document,
    times_us: Sequence[int],
    format_name: str,
    *,
    is_open: bool = False,
) -> tuple[AddImported, tuple[Finding, ...]]:
    """Return the command that adds the content to a video, and all mismatches.

    ``times_us`` is when each frame appears. ``is_open``: the gaps between keyframes are to be
    tracked. An ERROR names a record that is left out.
    """
    video = document.video
    findings = [*_mismatches(content, video)]
    tracks: list[Track] = []
    scores: dict[str, Mapping[int, float]] = {}
    number = document.next_number()
    for i, track_content in enumerate(content.tracks):
        track_in_pixels = _at_frames(
            _scaled(track_content, video) if content.is_fraction else track_content, times_us
        )
        place = f"{content.path}, track {track_in_pixels.key or i}"
        keyframes, problem = _fitting(track_in_pixels, video)
        if problem:
            findings.append(Finding("bad-record", place, problem, Severity.ERROR))
            continue
        is_whole = len(keyframes) > 1 and not is_open
        if is_whole:
            # The file defines the object on every frame, so nothing is left to track. From a single
            # box the object is tracked.
            keyframes = tuple(
                # Faster than `replace`; a large file has millions of keyframes.
                Keyframe(key.frame, key.box, key.occluded, key.source, settled=True)
                for key in keyframes
            )
        at = number + len(tracks)
        info = TrackInfo(
            track_id(),
            track_in_pixels.label,
            at,
            at - 1,
            is_begin_settled=is_whole,
            attributes=dict(track_in_pixels.attributes),
            extra=_extra(format_name, track_in_pixels),
        )
        tracks.append(Track(info, keyframes))
        if track_in_pixels.scores:
            scores[info.id] = track_in_pixels.scores
    points: list[PointTrack] = []
    first = document.next_point_number()
    for i, point in enumerate(content.points):
        place = f"{content.path}, point {point.key or i}"
        point = _in_pixels(point, video) if content.is_fraction else point
        frames = [f for f in point.places if f < video.n_frames]
        if not frames or not (video.width and video.height):
            text = "Skipped: no frame of this point is in the video."
            findings.append(Finding("bad-record", place, text, Severity.ERROR))
            continue
        points.append(_point(point, video, first + len(points), format_name))
        if point.scores:
            scores[points[-1].id] = point.scores
    segments: list[Segment] = []
    by_key = {str(track.info.extra[EXTRA_KEY]["id"]): track.id for track in tracks}  # type: ignore[call-overload, index]
    for i, part in enumerate(content.segments):
        place = f"{content.path}, segment {part.key or i}"
        segment, problem = _segment(part, video, times_us, format_name)
        if segment is not None and part.objects:
            slots = tuple(by_key[key] for key in part.objects if key in by_key)
            segment = replace(segment, slots=slots)
        if segment is None:
            findings.append(Finding("bad-record", place, problem, Severity.ERROR))
        else:
            segments.append(segment)
            late = _late_s(part, times_us, video)
            if late > 0:
                text = f"The end was shortened to the end of the video, by {late:.3f} s."
                findings.append(Finding("shortened", place, text))
            if part.score is not None:
                scores[segment.id] = {segment.start: part.score}
    command = AddImported(tuple(tracks), tuple(segments), None, tuple(points), scores)
    return command, tuple(findings)


def content_of(document: Document, times_us: Sequence[int]) -> VideoContent:
    """Return what a document has, for a writer. ``times_us`` has one more entry than frames: when
    the last one ends.
    """
    video = document.video
    stem = video.name.rpartition(".")[0] if "." in video.name.lstrip(".") else video.name
    tracks = tuple(
        TrackContent(track.label, track.keyframes, str(n), dict(track.info.attributes))
        for n, track in enumerate(document.tracks, 1)
    )
    keys = {track.id: str(n) for n, track in enumerate(document.tracks, 1)}
    points = tuple(
        PointContent(
            point.label,
            dict(_places(point, video.n_frames)),
            str(n),
            owner=keys.get(point.info.track_id, "") if point.info.track_id else "",
            attributes=point.attributes,
        )
        for n, point in enumerate(document.points, 1)
    )
    segments = tuple(
        SegmentContent(
            segment.lane,
            segment.label,
            (segment.start, segment.end),
            (
                times_us[segment.start] if segment.start_us is None else segment.start_us,
                times_us[segment.end] if segment.end_us is None else segment.end_us,
            ),
            str(n),
            attributes=segment.attributes,
            objects=tuple(keys[track] for track in segment.objects if track in keys),
        )
        for n, segment in enumerate(document.segments, 1)
    )
    return VideoContent(
        stem,
        video.name,
        tracks,
        points,
        segments,
        (video.width, video.height),
        video.n_frames,
        video.frame_rate or None,
        (),
        tuple(times_us),
        video.name,
    )


def boxes_on_frames(track: TrackContent, n_frames: int) -> Iterator[tuple[int, Box, bool]]:
    """Yield frame, box and whether it is occluded, for every frame on which a track is present:
    interpolated linearly between keyframes, held after the last.
    """
    keys = track.keyframes
    for i, key in enumerate(keys):
        following = keys[i + 1] if i + 1 < len(keys) else None
        end = following.frame if following is not None else max(n_frames, key.frame + 1)
        if key.box is None:
            continue
        for frame in range(key.frame, min(end, max(n_frames, key.frame + 1))):
            box = key.box
            if frame > key.frame and following is not None and following.box is not None:
                share = (frame - key.frame) / (following.frame - key.frame)
                box = key.box.lerp(following.box, share)
            yield frame, box, key.occluded


def tiers_of(
    video: VideoContent, lane: Lane, name: str
) -> Iterator[tuple[str, list[SegmentContent]]]:
    """Yield the tiers of a lane, named "NAME-1" and so on: within each nothing overlaps."""
    rows: list[list[SegmentContent]] = []
    own = [s for s in video.segments if s.lane is lane and s.times_us is not None]
    for segment in sorted(own, key=lambda s: s.times_us or (0, 0)):
        assert segment.times_us is not None
        for row in rows:
            last = row[-1].times_us
            if last is not None and last[1] <= segment.times_us[0]:
                row.append(segment)
                break
        else:
            rows.append([segment])
    for i, row in enumerate(rows, 1):
        yield f"{name}-{i}", row


def keyframes_of(
    rows: Sequence[tuple[int, Box, bool]], n_frames: int | None, least: float = _LEAST_PX
) -> PackedKeyframes:
    """Return the keyframes of a dense track, one row per frame of its presence.

    Frames left out between rows, and after the last, are out of view. Rows on a straight line
    between others, up to ``least``, become one span: interpolation gives them again.
    """
    rows = sorted(rows, key=lambda row: row[0])
    keyframes: list[Keyframe] = []
    end = 0
    for part in _runs(rows):
        if keyframes:
            keyframes.append(Keyframe(end, None, source=Source.IMPORTED))
        thinned = _thinned(part, least)
        keyframes += [Keyframe(f, box, hidden, Source.IMPORTED) for f, box, hidden in thinned]
        end = part[-1][0] + 1
    if rows and (n_frames is None or rows[-1][0] + 1 < n_frames):
        keyframes.append(Keyframe(rows[-1][0] + 1, None, source=Source.IMPORTED))
    return PackedKeyframes(keyframes)


def _runs(rows: Sequence[tuple[int, Box, bool]]) -> Iterator[list[tuple[int, Box, bool]]]:
    """Yield the rows of consecutive frames together."""
    part: list[tuple[int, Box, bool]] = []
    for row in rows:
        if part and row[0] != part[-1][0] + 1:
            yield part
            part = []
        part.append(row)
    if part:
        yield part


def _thinned(
    rows: Sequence[tuple[int, Box, bool]], least_px: float
) -> Iterator[tuple[int, Box, bool]]:
    """Yield the rows of a run without those that interpolation gives to within rounding.

    In one pass: from the last row that was kept, each later one leaves a range of slopes, side by
    side, within which a line passes it closely enough.
    """
    last_kept = rows[0]
    yield last_kept
    anchor, hidden = last_kept[1].as_tuple(), last_kept[2]
    least, most = [-math.inf] * 4, [math.inf] * 4
    before = last_kept
    for row in rows[1:]:
        sides = row[1].as_tuple()
        step = row[0] - last_kept[0]
        slopes = [(side - start) / step for side, start in zip(sides, anchor, strict=True)]
        is_line = row[2] == hidden and all(
            low <= slope <= high for low, slope, high in zip(least, slopes, most, strict=True)
        )
        if not is_line and before is not last_kept:
            yield before
            last_kept, anchor, hidden = before, before[1].as_tuple(), before[2]
            step = row[0] - last_kept[0]
            slopes = [(side - start) / step for side, start in zip(sides, anchor, strict=True)]
            least, most = [-math.inf] * 4, [math.inf] * 4
        if row[2] != hidden:
            yield row
            last_kept, anchor, hidden = row, sides, row[2]
            least, most = [-math.inf] * 4, [math.inf] * 4
        else:
            slack = least_px / 2 / step
            for side, slope in enumerate(slopes):
                least[side] = max(least[side], slope - slack)
                most[side] = min(most[side], slope + slack)
        before = row
    if before is not last_kept:
        yield before


def _mismatches(content: VideoContent, video: VideoInfo) -> Iterator[Finding]:
    if content.n_frames not in (None, video.n_frames):
        text = (
            f"Frame count mismatch: {content.n_frames} in the file, {video.n_frames} in the video."
        )
        yield Finding("other-frame-count", content.path, text)
    if content.size not in (None, (video.width, video.height)):
        size = " x ".join(map(str, content.size or ()))
        text = (
            f"Resolution mismatch: {size} pixels in the file, {video.width} x {video.height} in "
            "the video. Boxes and points are not scaled."
        )
        yield Finding("other-size", content.path, text, Severity.ERROR)
    rate = content.rate
    if rate is not None and video.frame_rate and abs(rate / video.frame_rate - 1) > 0.01:
        text = f"Frame rate mismatch: {rate:g} in the file, {video.frame_rate:g} in the video."
        yield Finding("other-rate", content.path, text)


def _scaled(track: TrackContent, video: VideoInfo) -> TrackContent:
    """Return a track whose boxes are fractions of the image in pixels of a video."""
    width, height = video.width, video.height
    keys = tuple(
        key
        if key.box is None
        else replace(
            key,
            box=Box(
                key.box.x1 * width, key.box.y1 * height, key.box.x2 * width, key.box.y2 * height
            ),
        )
        for key in track.keyframes
    )
    return replace(track, keyframes=keys)


def _in_pixels(point: PointContent, video: VideoInfo) -> PointContent:
    """Return a point whose places are fractions of the image in pixels of a video."""
    width, height = video.width, video.height
    places = {
        frame: None if place is None else Point(place.x * width, place.y * height)
        for frame, place in point.places.items()
    }
    return replace(point, places=places)


def _at_frames(track: TrackContent, times_us: Sequence[int]) -> TrackContent:
    """Return a track whose keyframes have times with them on the frames that are nearest."""
    if not track.times_us:
        return track
    n = len(times_us)
    keys: dict[int, Keyframe] = {}
    scores: dict[int, float] = {}
    for key, time in zip(track.keyframes, track.times_us, strict=True):
        if n and time > times_us[-1] + 1_000_000 and key.box is None:
            continue
        at = min(nearest_frame(times_us, time), n - 1) if n else 0
        if key.box is None and at in keys:
            at += 1
        keys[at] = replace(key, frame=at)
        if key.frame in track.scores:
            scores[at] = track.scores[key.frame]
    ordered = tuple(keys[frame] for frame in sorted(keys))
    return replace(track, keyframes=ordered, scores=scores, times_us=())


def nearest_frame(times_us: Sequence[int], time_us: int) -> int:
    """Return the frame whose time is nearest to a time."""
    i = bisect_left(times_us, time_us)
    if i and (i >= len(times_us) or time_us - times_us[i - 1] <= times_us[i] - time_us):
        return i - 1
    return i


def _fitting(track: TrackContent, video: VideoInfo) -> tuple[tuple[Keyframe, ...], str]:
    """Return the keyframes that a video can take, and why it can take none."""
    if not (video.width and video.height):
        return (), "Skipped: the video has no image size."
    n = video.n_frames
    kept_keys = tuple(key for key in track.keyframes if key.frame < n or key.box is not None)
    if kept_keys and kept_keys[-1].frame >= n:
        return (), f"Skipped: frame {kept_keys[-1].frame} does not exist in the video ({n} frames)."
    while kept_keys and kept_keys[0].box is None:
        kept_keys = kept_keys[1:]
    if not kept_keys:
        return (), "Skipped: the track has no boxes."
    for key in kept_keys:
        box = key.box
        if box is None:
            continue
        is_seen = box.x1 < video.width and box.y1 < video.height and box.x2 > 0 and box.y2 > 0
        if not is_seen:
            return (), f"Skipped: the box on frame {key.frame} is outside the image."
    return kept_keys, ""


def _segment(
    part: SegmentContent, video: VideoInfo, times_us: Sequence[int], format_name: str
) -> tuple[Segment | None, str]:
    start_us = end_us = None
    if not video.n_frames:
        if part.times_us is None or part.lane is not Lane.SOUND:
            return None, "Skipped: a file without video takes only sounds with times."
        start_us, end_us = part.times_us
        start, end = frame_span((), start_us, end_us)
        if start_us >= video.duration_s * 1e6:
            return None, f"Skipped: {start_us / 1e6:.3f} s is after the end of the audio."
    elif part.frames is not None:
        start, end = part.frames
    else:
        assert part.times_us is not None
        if part.times_us[0] > _end_us(times_us, video):
            return None, f"Skipped: {part.times_us[0] / 1e6:.3f} s is after the end of the video."
        start, end = _nearest(times_us, part.times_us, video.n_frames)
        if part.lane is Lane.SOUND:
            first, last = frame_span(times_us, *part.times_us)
            if not _is_at(times_us, start, part.times_us[0]):
                start, start_us = first, part.times_us[0]
            if not _is_at(times_us, end, part.times_us[1]):
                end, end_us = min(last, video.n_frames), part.times_us[1]
    if video.n_frames and (not 0 <= start < video.n_frames or end > video.n_frames):
        return None, f"Skipped: the video has {video.n_frames} frames, the segment ends at {end}."
    extra: dict[str, Json] = {"format": format_name, "id": part.key}
    extra["digest"] = _digest((part.lane.value, part.label, part.frames, part.times_us))
    if part.score is not None:
        extra["score"] = part.score
    segment = Segment(
        SegmentId(new_id()),
        part.lane,
        part.label,
        start,
        max(end, start + 1),
        extra=with_attributes({EXTRA_KEY: extra}, part.attributes),
        start_us=start_us,
        end_us=end_us,
        label_id=part.label_id,
    )
    return segment, ""


def _late_s(part: SegmentContent, times_us: Sequence[int], video: VideoInfo) -> float:
    """Return the time by which a segment exceeds the end of the video."""
    if part.times_us is None or not video.n_frames:
        return 0.0
    end = _end_us(times_us, video)
    is_late = part.times_us[1] > end + 1e6 / (video.frame_rate or 30.0)
    return (part.times_us[1] - end) / 1e6 if is_late else 0.0


def _is_at(times_us: Sequence[int], frame: int, time_us: int) -> bool:
    """Return whether a time is that of a frame, or the end of the video, but for the rounding of
    formats to milliseconds.
    """
    n_frames = len(times_us)
    return frame >= n_frames or abs(times_us[frame] - time_us) <= _ROUNDING_US


def _nearest(times_us: Sequence[int], span: tuple[int, int], n_frames: int) -> tuple[int, int]:
    """Return the half-open frames whose times are nearest to a stretch of time."""

    def at(time: int) -> int:
        i = bisect_left(times_us, time)
        if i and (i >= n_frames or time - times_us[i - 1] <= times_us[i] - time):
            # After the last frame it is the end unless the last frame's start is nearer.
            if i >= n_frames and n_frames > 1:
                step = times_us[n_frames - 1] - times_us[n_frames - 2]
                return n_frames if time - times_us[n_frames - 1] > step / 2 else n_frames - 1
            return i - 1
        return i

    start = min(at(span[0]), n_frames - 1)
    return start, max(start + 1, min(at(span[1]), n_frames))


def _end_us(times_us: Sequence[int], video: VideoInfo) -> float:
    last = times_us[video.n_frames - 1] if video.n_frames else 0
    return last + 1e6 / (video.frame_rate or 30.0) if video.n_frames else video.duration_s * 1e6


def _point(point: PointContent, video: VideoInfo, number: int, format_name: str) -> PointTrack:
    frames = sorted(f for f in point.places if 0 <= f < video.n_frames)
    marks: list[PointMark | None] = []
    for frame in range(frames[0], frames[-1] + 1):
        if frame not in point.places:
            marks.append(None)
            continue
        xy = point.places[frame]
        marks.append(PointMark(xy, xy is None, Source.IMPORTED))
    origin: dict[str, Json] = {EXTRA_KEY: {"format": format_name, "id": point.key}}
    extra = with_attributes(origin, point.attributes)
    info = PointInfo(point_id(), None, point.label, number, number - 1, extra=extra)
    return PointTrack(info, PointPath().with_run(run_of(frames[0], marks)))


def _digest(record: object) -> str:
    """Return the key of a record that distinguishes files with equal identities."""
    return hashlib.blake2b(repr(record).encode(), digest_size=8).hexdigest()


def _places(point: PointTrack, n_frames: int) -> Iterator[tuple[int, Point | None]]:
    for frame in range(n_frames):
        mark = point.mark(frame)
        if mark is not None and not mark.outside:
            yield frame, mark.xy if mark.is_visible else None


def _extra(format_name: str, track: TrackContent) -> dict[str, Json]:
    told: dict[str, Json] = {"format": format_name, "id": track.key}
    keys = [(k.frame, k.box and k.box.as_tuple(), k.occluded) for k in track.keyframes]
    told["digest"] = _digest((track.label, keys))
    if track.scores:
        told["score"] = sum(track.scores.values()) / len(track.scores)
    return {EXTRA_KEY: told}
