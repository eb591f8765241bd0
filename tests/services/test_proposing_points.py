"""Proposing for points: one pass for an object's points, and only the gaps a correction touches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.commands import AddImported, KeepInterpolation, SetTrack
from annotator.domain.commands.points import AcceptPoints, SetPoint, SetPointInfo
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, TrackId, new_id
from annotator.domain.proposals.point_proposals import accepted_run
from annotator.services.assist.messages import (
    Failed,
    PointRequest,
    ProposalBatch,
    Reply,
    RequestEnd,
    row_type,
)
from annotator.services.assist.proposal_updates import Proposing
from annotator.services.session import Session
from annotator.store.file.file_opening import create_file
from tests.services import test_proposing as boxes


class PointHand(boxes.HandWorker):
    """A worker moved by hand that answers for points and waits with boxes."""

    @property
    def passes(self) -> list[PointRequest]:
        return [r for r in self.requests if isinstance(r, PointRequest)]

    def send_points(self, *, confidence: float = 0.7) -> None:
        request = self.passes[-1]
        rows = [
            (i, frame, (10 + i, frame / 10), confidence, frame % 7 == 0)
            for i, path in enumerate(request.paths)
            for frame in range(path[0][0] + 1, path[-1][0])
        ]
        self.reply(ProposalBatch(request.id, 2, np.array(rows, row_type(2)).tobytes()))

    def finish_points(self) -> None:
        self.send_points()
        self.reply(RequestEnd(self.passes[-1].id, ("flow-points", "1", b'{"a":1}')))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    file = create_file(tmp_path / "work.annot", title="Work", person="Ada")
    yield boxes._session(file)
    file.close()


@pytest.fixture
def track(session: Session) -> TrackId:
    new = boxes._draw(session, 0)
    # Boxes want nothing, so that the points have the worker for themselves.
    session.run(KeepInterpolation(new, 1))
    return new


def _proposing(session: Session) -> tuple[Proposing, PointHand]:
    workers: list[PointHand] = []

    def make(on_reply: Callable[[Reply], None]) -> PointHand:
        workers.append(PointHand(on_reply))
        return workers[-1]

    ticks = iter(range(10**9))
    proposing = Proposing(session, make, post=lambda call: call(), clock=lambda: next(ticks))
    return proposing, workers[0]


def _place(session: Session, track: TrackId | None, *frames: int) -> PointId:
    """Place a point on all of the frames in one edit."""
    point = PointId(new_id())
    path = PointPath().with_run(run_of(frames[0], [PointMark(Point(5, 5))]))
    for frame in frames[1:]:
        path = path.with_run(run_of(frame, [PointMark(Point(9, 9))]))
    info = PointInfo(point, track, f"part {frames}", 1, 0)
    session.run(AddImported((), points=(PointTrack(info, path),)))
    return point


def _spans(session: Session, point: PointId) -> list[tuple[int, int]]:
    return [(run.start, run.end) for run in session.point_runs.of(point)]


def test_points_of_an_object_are_followed_in_one_pass(session: Session, track: TrackId) -> None:
    proposing, worker = _proposing(session)
    proposing.pause()
    one, two = _place(session, track, 0, 50), _place(session, track, 10, 40)
    far = _place(session, track, 200, 220)
    assert worker.passes == []
    proposing.resume()
    (request,) = worker.passes
    assert request.paths == (((0, 5, 5), (50, 9, 9)), ((10, 5, 5), (40, 9, 9)))
    assert (request.start, request.end) == (1, 50)
    assert proposing.status.are_points
    assert proposing.status.total_frames == 49 + 29
    worker.send_points()
    assert proposing.status.done_frames == 78
    assert len(session.pending_points(two)) == 29
    worker.finish_points()
    assert worker.passes[-1].paths == (((200, 5, 5), (220, 9, 9)),)
    worker.finish_points()
    assert not proposing.status.is_busy
    assert [_spans(session, p) for p in (one, two, far)] == [[(1, 50)], [(11, 40)], [(201, 220)]]
    found = session.pending_point_at(one, 14)
    assert found is not None
    assert found.occluded
    assert found.xy == Point(10.0, pytest.approx(1.4))


def test_a_correction_runs_its_two_gaps_again_and_no_other(
    session: Session, track: TrackId
) -> None:
    _, worker = _proposing(session)
    one = _place(session, track, 0, 50)
    worker.finish_points()
    _place(session, track, 0, 50)
    worker.finish_points()
    count = len(worker.passes)
    session.run(SetPoint(one, 20, Point(30, 30), reopens=True))
    assert worker.passes[-1].paths == (((0, 5, 5), (20, 30, 30)),)
    worker.finish_points()
    assert worker.passes[-1].paths == (((20, 30, 30), (50, 9, 9)),)
    worker.finish_points()
    assert len(worker.passes) == count + 2
    assert _spans(session, one) == [(1, 20), (21, 50)]


def test_outdated_proposals_stay_until_new_ones_come_frame_by_frame(
    session: Session, track: TrackId
) -> None:
    _, worker = _proposing(session)
    point = _place(session, track, 0, 50)
    worker.finish_points()

    def outdated() -> list[int]:
        found = ((frame, session.suggested_point_at(point, frame)) for frame in range(60))
        return [frame for frame, suggested in found if suggested is not None and suggested[1]]

    assert outdated() == []
    session.run(SetPoint(point, 20, Point(30, 30), reopens=True))
    assert session.pending_points(point) == []
    assert outdated() == [*range(1, 20), *range(21, 50)]
    request = worker.passes[-1]
    rows = [(0, frame, (7, 7), 0.7, False) for frame in range(5, 12)]
    worker.reply(ProposalBatch(request.id, 2, np.array(rows, row_type(2)).tobytes()))
    assert outdated() == [*range(1, 5), *range(12, 20), *range(21, 50)]
    assert [p.frame for p in session.pending_points(point)] == list(range(5, 12))
    worker.finish_points()
    worker.finish_points()
    assert outdated() == []


@pytest.mark.parametrize("n_finished", [0, 1, 2])
def test_undo_brings_the_proposals_of_a_point_back(
    session: Session, track: TrackId, n_finished: int
) -> None:
    _, worker = _proposing(session)
    point = _place(session, track, 0, 50)
    worker.finish_points()
    before = session.pending_points(point)
    session.run(SetPoint(point, 20, Point(30, 30)))
    for _ in range(n_finished):
        worker.finish_points()
    if n_finished < 2:
        worker.send_points()
    session.undo()
    assert session.pending_points(point) == before
    asked = len(worker.passes)
    worker.stopped()
    assert len(worker.passes) == asked


def test_accepted_gaps_and_locked_points_want_nothing(session: Session, track: TrackId) -> None:
    _, worker = _proposing(session)
    point = _place(session, track, 0, 30)
    worker.finish_points()
    session.run(AcceptPoints(point, accepted_run(session.pending_points(point))))
    session.run(SetPointInfo(point, is_locked=True))
    _place(session, track, 100, 101)
    assert len(worker.passes) == 1
    _place(session, track, 200, 210)
    assert len(worker.passes) == 2
    session.run(SetTrack(track, is_locked=True))
    assert worker.canceled == [worker.passes[-1].id]


def test_an_edit_under_a_pass_stops_it_only_when_nothing_of_it_is_wanted(
    session: Session, track: TrackId
) -> None:
    proposing, worker = _proposing(session)
    proposing.pause()
    one, two = _place(session, track, 0, 50), _place(session, track, 0, 50)
    proposing.resume()
    worker.send_points()
    session.run(SetPoint(one, 25, Point(7, 7)))
    assert worker.canceled == []
    worker.finish_points()
    assert _spans(session, two) == [(1, 50)]
    assert session.pending_points(one) == []
    assert worker.passes[-1].paths == (((0, 5, 5), (25, 7, 7)),)
    session.run(SetPoint(one, 12, Point(8, 8)))
    assert worker.canceled == [worker.passes[-1].id]


def test_points_that_are_placed_one_after_the_other_are_followed_together(
    session: Session, track: TrackId
) -> None:
    _, worker = _proposing(session)
    one = _place(session, track, 0, 50)
    assert len(worker.passes) == 1
    two = _place(session, track, 10, 40)
    assert worker.canceled == [worker.passes[0].id], "it has only begun"
    worker.stopped()
    assert len(worker.passes[-1].paths) == 2
    worker.finish_points()
    assert [_spans(session, p) for p in (one, two)] == [[(1, 50)], [(11, 40)]]
    _place(session, track, 100, 150)
    worker.send_points()
    late = _place(session, track, 100, 150)
    assert len(worker.canceled) == 1, "it is nearly done"
    worker.finish_points()
    worker.finish_points()
    assert _spans(session, late) == [(101, 150)]


def test_points_without_an_object_are_followed_together(session: Session, track: TrackId) -> None:
    proposing, worker = _proposing(session)
    proposing.pause()
    _place(session, track, 0, 50)
    for _ in range(2):
        _place(session, None, 60, 80)
    proposing.look(None, 60)
    proposing.resume()
    assert len(worker.passes[-1].paths) == 2
    assert proposing.status.is_busy
    assert proposing.status.track_id is None
    worker.finish_points()
    assert len(worker.passes[-1].paths) == 1
    assert proposing.status.track_id == track


def test_a_point_with_one_place_is_followed_to_both_sides(session: Session, track: TrackId) -> None:
    proposing, worker = _proposing(session)
    proposing.look(track, 20)
    point = _place(session, track, 20)
    request = worker.passes[-1]
    assert (request.paths, request.start) == ((((20, 5, 5),),), 21)
    rows = [(0, frame, (7, 7), 0.7, False) for frame in range(21, request.end)]
    worker.reply(ProposalBatch(request.id, 2, np.array(rows, row_type(2)).tobytes()))
    worker.reply(RequestEnd(request.id, ("flow-points", "1", b"{}")))
    request = worker.passes[-1]
    assert (request.paths, request.start, request.end) == ((((20, 5, 5),),), 0, 20)
    assert [p.frame for p in session.pending_points(point)][:2] == [21, 22]
    session.run(SetPoint(point, 50, Point(9, 9)))
    assert worker.canceled == [request.id]
    worker.stopped()
    assert worker.passes[-1].paths == (((20, 5, 5), (50, 9, 9)),)
    assert session.pending_points(point) == []


def test_cancel_failure_and_rerun(session: Session, track: TrackId) -> None:
    proposing, worker = _proposing(session)
    told: list[str] = []
    proposing.noticed.add(lambda notice: told.append(notice.text))
    point = _place(session, track, 0, 30)
    worker.reply(Failed(worker.passes[-1].id, "It broke."))
    assert told == ["It broke."]
    assert len(worker.passes) == 1
    proposing.rerun_points([point])
    assert len(worker.passes) == 2
    proposing.cancel()
    assert worker.canceled == [worker.passes[-1].id]
    worker.reply(RequestEnd(worker.passes[-1].id, ("flow-points", "1", b"{}"), is_canceled=True))
    assert len(worker.passes) == 2
    assert not proposing.status.is_busy
    proposing.rerun_points([point])
    worker.finish_points()
    assert len(session.pending_points(point)) == 29


def test_a_canceled_gap_is_tracked_again_after_undo_and_the_same_edit(
    session: Session, track: TrackId
) -> None:
    proposing, worker = _proposing(session)
    point = _place(session, track, 0)
    worker.finish_points()
    edit = SetPoint(point, 30, Point(50, 50))
    session.run(edit)
    assert (worker.passes[-1].start, worker.passes[-1].end) == (1, 30)
    proposing.cancel()
    n_passes = len(worker.passes)
    worker.reply(RequestEnd(worker.passes[-1].id, ("flow-points", "1", b"{}"), is_canceled=True))
    session.run(SetPointInfo(point, label="rim"))
    assert len(worker.passes) == n_passes, "edits that leave its ends change nothing"
    session.undo()
    session.undo()
    session.run(edit)
    assert [(p.start, p.end) for p in worker.passes[n_passes:]] == [(1, 30)]
