"""Errors against a known result: pixels, overlap, milliseconds, and what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.domain.agreement.position_errors import Errors, errors, offsets
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
from annotator.domain.ids import DraftId, VideoId, new_id, point_id, segment_id, track_id
from annotator.domain.questions.quality import Gold, out_of_limits
from annotator.services.matching import assigned

VIDEO = VideoInfo(VideoId(new_id()), "clip.mp4", 200, 100, 100, 25.0, 4.0)


def _track(box: Box, *, start: int = 0, end: int | None = None) -> Track:
    keys = [Keyframe(start, box)]
    if end is not None:
        keys.append(Keyframe(end, None))
    return Track(TrackInfo(track_id(), "cup", 1, 0), tuple(keys))


def _point(xy: tuple[float, float], frames: range, hidden: range = range(0)) -> PointTrack:
    marks = [
        PointMark(None, occluded=True) if frame in hidden else PointMark(Point(*xy))
        for frame in frames
    ]
    path = PointPath().with_run(run_of(frames.start, marks))
    return PointTrack(PointInfo(point_id(), None, "tip", 1, 0), path)


def _segment(start: int, end: int, label: str = "pour", lane: Lane = Lane.ACTION) -> Segment:
    return Segment(segment_id(), lane, label, start, end)


def _document(*parts: Track | PointTrack | Segment) -> Document:
    return Document(
        DraftId(""),
        VIDEO,
        [p for p in parts if isinstance(p, Track)],
        [p for p in parts if isinstance(p, Segment)],
        [p for p in parts if isinstance(p, PointTrack)],
    )


def test_overlap_counts_frames_on_which_either_has_the_object() -> None:
    known = _document(_track(Box(0, 0, 40, 40), end=50))
    made = _document(_track(Box(0, 0, 40, 20)))
    found = errors(known, made, assigned)
    # Half on 50 frames, nothing on the 50 frames where only one has it.
    assert found.iou == pytest.approx(0.25)
    assert (found.n_known, found.n_found, found.n_extra, found.found) == (1, 1, 0, 1.0)


def test_what_is_missing_counts_as_no_overlap_and_what_is_extra_is_counted() -> None:
    cup, lid = _track(Box(0, 0, 40, 40)), _track(Box(100, 0, 140, 40))
    found = errors(_document(cup, lid), _document(_track(Box(0, 0, 40, 40))), assigned)
    assert found.iou == pytest.approx(0.5)
    assert (found.n_known, found.n_found, found.n_extra) == (2, 1, 0)
    found = errors(_document(cup), _document(replace(cup), replace(lid)), assigned)
    assert found.iou == pytest.approx(1.0)
    assert (found.n_found, found.n_extra) == (1, 1)
    assert found.found == pytest.approx(2 / 3)


def test_points_are_measured_in_pixels_of_the_image_and_by_their_visibility() -> None:
    known = _document(_point((50, 50), range(20), hidden=range(10, 20)))
    made = _document(_point((53, 54), range(20), hidden=range(15, 20)))
    found = errors(known, made, assigned)
    assert found.px == pytest.approx(5.0)
    assert found.visible == pytest.approx(0.75)


def test_edges_of_segments_are_measured_in_milliseconds() -> None:
    known = _document(_segment(10, 40), _segment(60, 80, "stir"))
    made = _document(_segment(12, 44), _segment(60, 80, "cut"))
    found = errors(known, made, assigned)
    assert found.ms == pytest.approx(120.0)  # 2 and 4 frames of 40 ms
    assert (found.n_known, found.n_found, found.n_extra) == (2, 1, 1)


def test_sounds_are_measured_by_their_own_times() -> None:
    known = replace(_segment(10, 40, lane=Lane.SOUND), start_us=400_000, end_us=1_600_000)
    made = replace(_segment(10, 40, lane=Lane.SOUND), start_us=410_000, end_us=1_570_000)
    assert errors(_document(known), _document(made), assigned).ms == pytest.approx(20.0)


def test_only_what_is_asked_for_is_compared() -> None:
    known = _document(_track(Box(0, 0, 40, 40)), _segment(10, 40), _point((5, 5), range(9)))
    found = errors(known, _document(), assigned, boxes=False, points=False, lanes=[Lane.SOUND])
    assert found == Errors()
    assert found.found is None


def test_limits_tell_which_errors_are_too_large() -> None:
    limits = Gold(every=20, min_iou=0.7, max_px=8, max_ms=500, min_found=0.8)
    fine = Errors(0.7, 8.0, 1.0, 500.0, 10, 9, 1)
    assert out_of_limits(fine, limits) == ()
    bad = Errors(0.69, 8.1, 1.0, 501.0, 10, 5, 5)
    assert out_of_limits(bad, limits) == ("iou", "px", "ms", "found")
    assert out_of_limits(Errors(), limits) == ()


def test_offsets_are_those_of_what_both_drew_by_label() -> None:
    one = _document(
        _track(Box(0, 0, 40, 40)), _track(Box(100, 0, 140, 40)), _point((50, 50), range(9)),
        _segment(10, 40),
    )  # fmt: skip
    other = _document(
        _track(Box(0, 0, 40, 20)), _point((53, 54), range(5)), _segment(12, 44), _segment(60, 80)
    )
    found = list(offsets(one, other, assigned))
    assert [(method, label) for method, label, _ in found] == [
        ("box-iou", "cup"),
        ("point-px", "tip"),
        ("edge-ms", "pour"),
    ]
    assert [value for *_, value in found] == pytest.approx([0.5, 5.0, 120.0])
