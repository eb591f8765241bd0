"""Proposals for points wait between two places a person has fixed, on frames without a mark."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointMark, run_of
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.commands import AcceptPoints, CreatePoint, MarkPoints, SetPoint
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, point_id
from annotator.domain.proposals.point_proposals import (
    PointProposalRun,
    accepted_run,
    n_pending_points,
    pending_point_at,
    pending_points,
    suggested_point_at,
)
from annotator.domain.proposals.runs import Origin, most_doubtful
from tests.domain.edits import make_document, make_track, run

N_FRAMES = 900


@pytest.fixture
def document() -> Document:
    return make_document(make_track(Keyframe(0, Box(0, 0, 10, 10))), n_frames=N_FRAMES)


@pytest.fixture
def point(document: Document) -> PointId:
    point = point_id()
    run(document, CreatePoint(point, document.tracks[0].id, "rim", 10, Point(5, 5)))
    run(document, SetPoint(point, 700, Point(9, 9)))
    return point


def followed(point: PointId, start: int, n: int) -> PointProposalRun:
    """Proposals: the second is hidden, the third out of view, the fourth not computed yet."""
    xy = np.stack([np.arange(n), np.arange(n)], axis=1).astype(np.float32)
    occluded = np.zeros(n, np.uint8)
    occluded[1] = 1
    xy[2] = np.nan
    confidence = np.linspace(0.9, 0.1, n, dtype=np.float32)
    confidence[3] = np.nan
    return PointProposalRun(point, start, xy, confidence, Origin("flow", "1"), occluded)


def test_waiting_are_those_between_human_marks_on_free_frames(document, point) -> None:
    runs = [followed(point, 5, 10), followed(point, 695, 10)]
    run(document, MarkPoints(point, 12, 13, "occluded"))
    track = document.point(point)
    expected = [11, 13, 14, 695, 696, 697, 699]
    assert [p.frame for p in pending_points(track, runs, N_FRAMES)] == expected
    one_by_one = [f for f in range(N_FRAMES) if pending_point_at(track, runs, f) is not None]
    assert one_by_one == expected
    assert pending_points(track, [], N_FRAMES) == []


def test_what_was_made_from_other_marks_does_not_wait(document, point) -> None:
    told = {"anchors": [[10, 5.0, 5.0], [700, 9.0, 9.0]]}
    made = replace(followed(point, 11, 10), origin=Origin("flow", "1", told))

    def waiting() -> list[int]:
        track = document.point(point)
        found = [p.frame for p in pending_points(track, [made], N_FRAMES)]
        assert found == [f for f in range(30) if pending_point_at(track, [made], f) is not None]
        return found

    def outdated() -> list[int]:
        track = document.point(point)
        found = [(f, suggested_point_at(track, [made], f)) for f in range(30)]
        return [f for f, suggested in found if suggested is not None and suggested[1]]

    run(document, MarkPoints(point, 11, 12, "occluded"))
    assert waiting() == [12, 13, 15, 16, 17, 18, 19, 20]
    assert outdated() == []
    run(document, SetPoint(point, 700, Point(9, 8)))
    assert waiting() == []
    assert outdated() == [12, 13, 15, 16, 17, 18, 19, 20]
    run(document, SetPoint(point, 700, Point(9, 9)))
    assert len(waiting()) == 8
    run(document, SetPoint(point, 15, Point(4, 4)))
    assert waiting() == []


def test_beside_the_only_mark_proposals_wait_until_there_is_a_second(document) -> None:
    point = point_id()
    run(document, CreatePoint(point, document.tracks[0].id, "rim", 10, Point(5, 5)))
    told = {"anchors": [[10, 5.0, 5.0]]}
    made = replace(followed(point, 11, 10), origin=Origin("flow", "1", told))

    def waiting() -> list[int]:
        track = document.point(point)
        found = [p.frame for p in pending_points(track, [made], N_FRAMES)]
        assert found == [f for f in range(30) if pending_point_at(track, [made], f) is not None]
        return found

    expected = [11, 12, 13, 15, 16, 17, 18, 19, 20]
    assert waiting() == expected
    run(document, AcceptPoints(point, run_of(12, [PointMark(Point(1, 1), source=Source.ACCEPTED)])))
    assert waiting() == [11, 13, 15, 16, 17, 18, 19, 20]
    # The gap before the mark is another one: what was made for this side holds no more.
    run(document, SetPoint(point, 3, Point(9, 9)))
    assert waiting() == []
    assert all(suggested_point_at(document.point(point), [made], f) is None for f in range(30))


def unsure(point: PointId, start: int, n: int) -> PointProposalRun:
    """Proposals of a visible point, none of them sure."""
    run = followed(point, start, n)
    return replace(
        run,
        values=np.ones((n, 2), np.float32),
        confidence=np.full(n, 0.5, np.float32),
        occluded=np.zeros(n, np.uint8),
    )


def occluded_frames(document: Document, point: PointId, made: PointProposalRun) -> list[int]:
    """Frames with a proposal that is occluded; listed, counted and frame by frame the same."""
    track = document.point(point)
    listed = pending_points(track, [made], N_FRAMES)
    assert listed == [p for f in range(N_FRAMES) if (p := pending_point_at(track, [made], f))]
    assert len(listed) == n_pending_points(track, [made], N_FRAMES)
    return [p.frame for p in listed if p.occluded]


def test_an_occluded_mark_overrules_unsure_proposals_around_it(document, point) -> None:
    made = unsure(point, 100, 200)
    made.confidence[50] = 0.9  # frame 150
    assert occluded_frames(document, point, made) == []
    run(document, MarkPoints(point, 160, 162, "occluded"))
    assert occluded_frames(document, point, made) == [*range(151, 160), *range(162, 192)]
    assert pending_point_at(document.point(point), [made], 170).xy == Point(1, 1)
    # Up to the next frame that a person said or accepted something else for.
    accepted = run_of(180, [PointMark(Point(1, 1), source=Source.ACCEPTED)])
    run(document, AcceptPoints(point, accepted))
    assert occluded_frames(document, point, made) == [*range(151, 160), *range(162, 180)]


def test_only_a_persons_occluded_mark_overrules_and_reaches_through_others(document, point) -> None:
    made = unsure(point, 100, 200)
    hidden = PointMark(Point(1, 1), occluded=True, source=Source.ACCEPTED)
    run(document, AcceptPoints(point, run_of(165, [hidden])))
    assert occluded_frames(document, point, made) == []
    run(document, MarkPoints(point, 160, 161, "outside"))
    assert occluded_frames(document, point, made) == []
    run(document, MarkPoints(point, 160, 161, "occluded"))
    expected = [*range(130, 160), *range(161, 165), *range(166, 191)]
    assert occluded_frames(document, point, made) == expected
    # From the edge of what is proposed, too.
    assert occluded_frames(document, point, unsure(point, 161, 4)) == [161, 162, 163, 164]


def test_proposals_below_a_confidence_are_listed_alone(document, point) -> None:
    runs, track = [followed(point, 300, 10)], document.point(point)
    listed = pending_points(track, runs, N_FRAMES)
    low = pending_points(track, runs, N_FRAMES, below=0.5)
    assert low == [p for p in listed if p.confidence < 0.5]
    assert 0 < len(low) < len(listed)


def test_accepted_suggestions_become_marks_and_wait_no_more(document, point) -> None:
    runs = [followed(point, 300, 10)]
    waiting = pending_points(document.point(point), runs, N_FRAMES)
    run(document, AcceptPoints(point, accepted_run(waiting)))
    track = document.point(point)
    assert track.mark(300) == PointMark(Point(0, 0), False, Source.ACCEPTED)
    assert track.mark(301) == PointMark(Point(1, 1), True, Source.ACCEPTED)
    assert track.mark(302).outside
    assert track.mark(303) is None
    assert pending_points(track, runs, N_FRAMES) == []
    with pytest.raises(ValueError, match="nothing"):
        accepted_run([])


def test_most_doubtful_is_the_least_certain_not_yet_seen(document, point) -> None:
    waiting = pending_points(document.point(point), [followed(point, 300, 10)], N_FRAMES)
    assert most_doubtful(waiting).frame == 309
    assert most_doubtful(waiting, skip=[309]).frame == 308


def test_human_marks_around_a_frame_are_found_across_blocks(document, point) -> None:
    path = document.point(point).path
    found = [path.human_around(f) for f in (0, 10, 11, 300, 700, 899)]
    assert found == [(None, 10), (None, 700), (10, 700), (10, 700), (10, None), (700, None)]


def test_shapes_must_fit() -> None:
    with pytest.raises(ValueError):
        PointProposalRun(
            PointId("p"),
            0,
            np.zeros((3, 2), np.float32),
            np.zeros(3, np.float32),
            Origin("flow", "1"),
            np.zeros(2, np.uint8),
        )
