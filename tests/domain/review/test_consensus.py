"""What several raters drew becomes one document, and the places at which they differ are named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import DraftId, SegmentId, TrackId, VideoId, new_id, point_id, track_id
from annotator.domain.review.consensus import Consensus, RaterVersion, consensus
from annotator.services.matching import assigned

VIDEO = VideoInfo(VideoId("v"), "clip.mp4", 256, 256, 100, 10.0, 10.0)
NAMES = ("Ann", "Ben", "Cleo")


def _track(label: str, keys: dict[int, Box | None], number: int = 1) -> Track:
    keyframes = tuple(Keyframe(frame, box) for frame, box in keys.items())
    return Track(TrackInfo(track_id(), label, number, 0), keyframes)


def _box(x: float, y: float = 20.0) -> Box:
    return Box(x, y, x + 40, y + 40)


def _point(track: TrackId, x: float, frames: range, *, hidden: Sequence[int] = ()) -> PointTrack:
    marks = [
        PointMark(None, occluded=True) if f in hidden else PointMark(Point(x + f, 50.0))
        for f in frames
    ]
    info = PointInfo(point_id(), track, "rim", 1, 0)
    return PointTrack(info, PointPath().with_run(run_of(frames.start, marks)))


def _segment(label: str, start: int, end: int, slots: tuple[TrackId, ...] = ()) -> Segment:
    return Segment(SegmentId(new_id()), Lane.ACTION, label, start, end, 3, slots)


def _merged(*documents: Document, needed: int = 2) -> Consensus:
    found = [RaterVersion(name, each) for name, each in zip(NAMES, documents, strict=False)]
    return consensus(found, needed, assigned)


def _document(
    tracks: Sequence[Track] = (),
    segments: Sequence[Segment] = (),
    points: Sequence[PointTrack] = (),
) -> Document:
    return Document(DraftId(""), VIDEO, tracks, segments, points)


def test_boxes_that_agree_become_their_mean() -> None:
    first = _track("mug", {0: _box(10), 50: _box(60)})
    second = _track("mug", {0: _box(14), 25: _box(37), 50: _box(60)})
    found = _merged(_document([first]), _document([second]))
    assert found.disputes == ()
    (track,) = found.document.tracks
    assert (track.id, track.label) == (first.id, "mug")
    assert track.frames == (0, 25, 50)
    box = track.keyframes[0].box
    assert box is not None
    assert box.x1 == 12.0
    middle = track.keyframes[1].box
    assert middle is not None
    assert middle.x1 == pytest.approx((35 + 37) / 2)


def test_objects_are_matched_whatever_their_order() -> None:
    places = (10, 90, 170)
    first = [_track(f"mug {x}", {0: _box(x)}, i) for i, x in enumerate(places, 1)]
    second = [_track(f"mug {x}", {0: _box(x + 2)}, i) for i, x in enumerate(reversed(places), 1)]
    found = _merged(_document(first), _document(second))
    assert found.disputes == ()
    assert [t.label for t in found.document.tracks] == ["mug 10", "mug 90", "mug 170"]


def test_what_differs_is_named_with_who_and_where() -> None:
    first = _track("mug", {0: _box(10), 40: _box(10), 60: _box(10)})
    second = _track("cup", {0: _box(10), 40: _box(10), 50: _box(100), 60: _box(10)})
    alone = _track("spoon", {30: _box(10, 150)}, 2)
    found = _merged(_document([first, alone]), _document([second]))
    texts = [dispute.text for dispute in found.disputes]
    assert texts[0] == "The labels differ (Ann “mug”, Ben “cup”)."
    assert "“spoon”: drawn by Ann, not by Ben." in texts
    (stretch,) = [d for d in found.disputes if d.text.startswith("Frames")]
    assert stretch.pin.span is not None
    assert 40 <= stretch.pin.span[0] < 45
    assert 55 < stretch.pin.span[1] <= 60
    assert stretch.pin.track_id == first.id
    assert {t.label for t in found.document.tracks} == {"mug", "spoon"}


def test_short_differences_at_the_ends_do_not_count() -> None:
    first = _track("mug", {10: _box(10), 50: None})
    second = _track("mug", {13: _box(10), 54: None})
    assert _merged(_document([first]), _document([second])).disputes == ()
    late = _track("mug", {30: _box(10), 50: None})
    found = _merged(_document([first]), _document([late]))
    assert [d.pin.span for d in found.disputes] == [(10, 30)]


def test_a_majority_decides_against_one() -> None:
    good = [_track("mug", {0: _box(10 + i), 50: _box(60 + i)}) for i in range(2)]
    odd = _track("mug", {0: _box(10), 20: _box(90), 50: _box(60)})
    extra = _track("hand", {0: _box(150, 150)}, 2)
    found = _merged(_document([good[0]]), _document([good[1]]), _document([odd, extra]))
    assert "hand" not in {t.label for t in found.document.tracks}
    # The mean is drawn towards the odd one; where too few are near it, somebody has to look.
    assert all(d.pin.track_id == good[0].id for d in found.disputes)
    strict = _merged(*(_document([t]) for t in (good[0], good[1], odd)), needed=3)
    assert any("Cleo" in d.text for d in strict.disputes)


def test_edges_are_medians_and_roles_follow_their_tracks() -> None:
    mugs = [_track("mug", {0: _box(10 + i)}) for i in range(3)]
    spans = ((10, 40), (12, 41), (15, 48))
    documents = [
        _document([mug], [_segment("lift", *span, (mug.id,))])
        for mug, span in zip(mugs, spans, strict=True)
    ]
    found = _merged(*documents)
    assert found.disputes == ()
    (segment,) = found.document.segments
    assert (segment.start, segment.end) == (12, 41)
    assert segment.slots == (mugs[0].id,)


def test_segments_that_differ_are_disputes() -> None:
    first = _document((), [_segment("lift", 10, 40), _segment("put", 60, 80)])
    second = _document((), [_segment("lift", 25, 45), _segment("drop", 60, 80)])
    texts = [d.text for d in _merged(first, second).disputes]
    assert "“lift”: edges differ (Ann 10–40, Ben 25–45)." in texts
    assert "The labels differ (Ann “put”, Ben “drop”)." in texts


def test_points_are_averaged_and_their_differences_named() -> None:
    mugs = [_track("mug", {0: _box(10 + i)}) for i in range(2)]
    points = [_point(mugs[0].id, 20, range(40)), _point(mugs[1].id, 22, range(40))]
    found = _merged(*(_document([m], (), [p]) for m, p in zip(mugs, points, strict=True)))
    assert found.disputes == ()
    (point,) = found.document.points
    assert point.info.track_id == mugs[0].id
    mark = point.mark(7)
    assert mark is not None
    assert mark.xy == Point(28.0, 50.0)
    hidden = _point(mugs[1].id, 20, range(40), hidden=range(20, 35))
    again = _merged(_document([mugs[0]], (), [points[0]]), _document([mugs[1]], (), [hidden]))
    (dispute,) = again.disputes
    assert dispute.pin.span == (20, 35)
    assert "point “rim” differ" in dispute.text


def test_the_same_work_twice_is_itself() -> None:
    rng = np.random.default_rng(4)
    tracks = [
        _track(
            f"thing {i}", {int(f): _box(*rng.uniform(0, 200, 2)) for f in range(0, 90, 30)}, i + 1
        )
        for i in range(6)
    ]
    segments = [_segment(f"do {i}", 10 * i, 10 * i + 8, (tracks[i].id,)) for i in range(6)]
    points = [_point(tracks[0].id, 5, range(10, 60), hidden=[20, 21])]
    document = _document(tracks, segments, points)
    found = _merged(document, document.copy(), document.copy())
    assert found.disputes == ()
    assert [t.keyframes for t in found.document.tracks] == [t.keyframes for t in tracks]
    assert list(found.document.segments) == segments
    (point,) = found.document.points
    assert point.path == points[0].path


def test_nothing_drawn_is_agreement() -> None:
    assert _merged(_document(), _document()).disputes == ()
