"""Proposing: which gaps run, in which order, again after an edit, and what happens on failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.domain.annotation.changes import Change, KeyframeKey
from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.commands import (
    AcceptProposals,
    CreateTrack,
    DeleteKeyframe,
    DeleteTracks,
    KeepInterpolation,
    SetKeyframe,
    SetOccluded,
    SetOutside,
    SetTrack,
    SwapTracks,
)
from annotator.domain.errors import EditError, ProjectError
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, VideoId, new_id, track_id
from annotator.domain.proposals.box_proposals import AHEAD_FRAMES, Anchor, ProposalRun, Proposed
from annotator.domain.proposals.runs import Origin
from annotator.services.assist.box_plan import BoxJob, boxes_of_others
from annotator.services.assist.messages import (
    Failed,
    ProposalBatch,
    Reply,
    Request,
    RequestEnd,
    row_type,
)
from annotator.services.assist.proposal_updates import Proposing
from annotator.services.notices import Notice
from annotator.services.session import Session
from annotator.store.annotation.drafts import DraftStore
from annotator.store.catalog import videos
from annotator.store.file.file_opening import create_file
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import tasks
from tests.calls import counted_calls
from tests.store.samples import begun_draft

N_FRAMES = 1000
BOX = Box(10.0, 10.0, 50.5, 40.0)


class HandWorker:
    """A worker moved by hand: the test says when a request is answered, and how."""

    def __init__(self, on_reply: Callable[[Reply], None]) -> None:
        self.reply = on_reply
        self.requests: list[Request] = []
        self.canceled: list[int] = []
        self.is_closed = False

    def run(self, request: Request) -> None:
        self.requests.append(request)

    def cancel(self, request_id: int) -> None:
        self.canceled.append(request_id)

    def close(self) -> None:
        self.is_closed = True

    @property
    def span(self) -> tuple[int, int]:
        """The span of the newest request."""
        return self.requests[-1].start, self.requests[-1].end

    def send(self, frames: range, confidence: float = 0.8) -> None:
        rows = [(0, f, BOX.moved(f / 10, 0).as_tuple(), confidence, False) for f in frames]
        self.reply(ProposalBatch(self.requests[-1].id, 4, np.array(rows, row_type(4)).tobytes()))

    def finish(self, confidence: float = 0.8) -> None:
        self.send(range(*self.span), confidence)
        self.end()

    def end(self, tracker: str = "fused") -> None:
        self.reply(RequestEnd(self.requests[-1].id, (tracker, "1", b'{"members":["points"]}')))

    def stopped(self) -> None:
        """Confirm that the newest request was canceled."""
        self.reply(RequestEnd(self.requests[-1].id, ("fused", "1", b"{}"), is_canceled=True))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[ProjectFile]:
    file = create_file(tmp_path / "work.annot", title="Work", person="Ada")
    yield file
    file.close()


def _session(file: ProjectFile) -> Session:
    found = videos.list_videos(file)
    if found:
        info = found[0].info
    else:
        info = VideoInfo(VideoId(new_id()), "cup.mp4", 320, 180, N_FRAMES, 30.0, N_FRAMES / 30)
        videos.add_video(file, info, None)
        begun_draft(file, info.id)
    task = tasks.list_tasks(file)[0]
    assert task.draft_id is not None
    store = DraftStore(file, task.draft_id)
    return Session(store, info, task_id=task.id, video_path=Path("cup.mp4"), table_bytes=b"table")


@pytest.fixture
def session(project: ProjectFile) -> Session:
    return _session(project)


def _proposing(session: Session) -> tuple[Proposing, HandWorker]:
    workers: list[HandWorker] = []

    def make(on_reply: Callable[[Reply], None]) -> HandWorker:
        workers.append(HandWorker(on_reply))
        return workers[-1]

    # A clock that leaps: every batch is delivered at once.
    ticks = iter(range(10**9))
    proposing = Proposing(session, make, post=lambda call: call(), clock=lambda: next(ticks))
    return proposing, workers[0]


def _draw(session: Session, frame: int) -> TrackId:
    new = track_id()
    session.run(CreateTrack(new, "mug", frame, BOX))
    return new


def _spans(session: Session, track: TrackId) -> list[tuple[int, int]]:
    return [(run.start, run.end) for run in session.box_runs.of(track)]


def test_a_first_box_runs_both_directions_nearest_first(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 400)
    proposing.look(track, 400)
    assert worker.span == (100, 400)
    assert worker.requests[0].anchors == ((400, BOX.as_tuple()),)
    worker.finish()
    assert worker.span == (401, 401 + AHEAD_FRAMES)
    worker.finish()
    assert len(worker.requests) == 2
    assert _spans(session, track) == [(100, 400), (401, 401 + AHEAD_FRAMES)]
    assert len(session.pending(track)) == 2 * AHEAD_FRAMES
    assert not proposing.status.is_busy


def test_proposals_arrive_while_the_tracker_runs(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    worker.send(range(1, 11), 0.3)
    assert [p.frame for p in session.pending(track)] == list(range(1, 11))
    assert proposing.status.done_frames == 10
    assert proposing.status.total_frames == AHEAD_FRAMES
    worker.send(range(5, 8), 0.9)
    assert [p.confidence for p in session.pending(track)][3:6] == pytest.approx([0.3, 0.9, 0.9])


def test_an_amendment_runs_only_the_gaps_it_touches(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    for frame in (60, 120):
        session.run(SetKeyframe(track, frame, BOX.moved(5, 0)))
        worker.finish()
        worker.finish()
    assert len(worker.requests) == 5
    session.run(SetKeyframe(track, 90, BOX.moved(30, 0)))
    assert worker.span == (61, 90)
    worker.finish()
    assert worker.span == (91, 120)
    worker.finish()
    assert len(worker.requests) == 7
    assert _spans(session, track) == [(1, 60), (61, 90), (91, 120), (121, 121 + AHEAD_FRAMES)]


def test_a_request_tells_what_hidden_objects_get_at_that_moment(session: Session) -> None:
    workers: list[HandWorker] = []

    def make(on_reply: Callable[[Reply], None]) -> HandWorker:
        workers.append(HandWorker(on_reply))
        return workers[-1]

    answers = [True]
    Proposing(session, make, post=lambda call: call(), hidden_is_absent=lambda: answers[-1])
    _draw(session, 0)
    workers[0].finish()
    answers.append(False)
    _draw(session, 0)
    assert [request.hidden_is_absent for request in workers[0].requests] == [True, False]


def test_trackers_of_an_open_end_get_other_keyframes_of_the_object(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 30, BOX))
    session.run(SetOccluded(track, 30, True))
    session.run(SetKeyframe(track, 60, BOX))
    requests = {}
    while worker.requests[-1].id not in requests:
        requests[worker.requests[-1].id] = worker.requests[-1]
        worker.finish()
    frames = {r.start: [frame for frame, _ in r.anchors] for r in requests.values()}
    assert frames[31] == [30, 60]
    assert frames[61] == [0, 60]
    run = session.box_runs.of(track)[-1]
    assert (run.start, run.origin.parameters["is_complete"]) == (61, True)
    assert run.origin.parameters["anchors"] == [[60, *BOX.as_tuple()]]


def test_a_tracker_is_told_where_other_objects_are(session: Session) -> None:
    proposing, worker = _proposing(session)
    first = _draw(session, 0)
    worker.finish()
    session.run(SetKeyframe(first, 40, BOX.moved(9, 9)))
    while proposing.status.is_busy:
        worker.finish()
    for run in session.box_runs.of(first):
        sure = np.full_like(run.confidence, 0.95)
        sure[100:104] = 0.8
        session.box_runs.replace(first, (run.start, run.end), [replace(run, confidence=sure)])
    session.run(SetKeyframe(first, 20, session.pending_at(first, 20).box, source=Source.ACCEPTED))
    session.run(KeepInterpolation(first, 1))
    proposing.look(first, 10)
    session.run(CreateTrack(track_id(), "mug", 10, BOX.moved(99, 0)))
    request = worker.requests[-1]
    assert (request.start, request.others_start) == (11, 10)
    (boxes,) = request.other_boxes()
    assert len(boxes) == request.end - request.start + 2
    track = session.document.track(first)

    def at(frame: int) -> list[float]:
        return boxes[frame - 10].tolist()

    interpolated, accepted = track.state_at(10).box, track.keyframe_at(20)
    assert at(10) == pytest.approx(interpolated.as_tuple(), abs=0.01), "found to be right"
    assert at(20) == pytest.approx(accepted.box.as_tuple(), abs=0.01)
    assert at(30) == pytest.approx(session.pending_at(first, 30).box.as_tuple(), abs=0.01)
    assert at(40) == pytest.approx(BOX.moved(9, 9).as_tuple(), abs=0.01)
    known = [10 + i for i in np.flatnonzero(np.isfinite(boxes[:, 0])).tolist()]
    assert known == [*range(10, 141), *range(145, request.end + 1)], "of low confidence"


def test_the_nearest_other_objects_are_told_on_frames_where_they_are_known(
    session: Session,
) -> None:
    proposing, worker = _proposing(session)
    proposing.pause()
    near = [_draw(session, 0) for _ in range(9)]
    far, far_box = track_id(), Box(290, 150, 310, 170)
    session.run(CreateTrack(far, "mug", 0, far_box))
    proposing.look(near[0], 0)
    proposing.resume()
    boxes = worker.requests[-1].other_boxes()
    assert len(boxes) == 8
    assert boxes[:, 0].tolist() == [list(BOX.as_tuple())] * 8
    assert np.isnan(boxes[:, 1:]).all(), "no proposals yet"
    session.run(DeleteTracks((*near[1:], far)))
    worker.stopped()
    session.run(SetKeyframe(near[0], 5, BOX))
    worker.stopped()
    assert worker.requests[-1].others == b""


def test_of_other_objects_a_request_has_no_more_than_it_can_carry(session: Session) -> None:
    tracks = [_draw(session, 0) for _ in range(5)]
    for track in tracks:
        session.run(SetOutside(track, 500, True))

    def others(n: int, box: Box | None = BOX) -> NDArray[np.float32]:
        return boxes_of_others(session, BoxJob(track_id(), 0, n - 1, (Anchor(0, box),)))

    for n, expected in ((300, 5), (2000, 4), (4001, 1), (9000, 0)):
        assert len(others(n)) == expected
    assert len(others(300, None)) == 0
    found = others(300)
    assert found[:, 0].tolist() == [list(BOX.as_tuple())] * 5, "beside a keyframe out of view"


def test_an_edit_elsewhere_runs_nothing(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    session.run(SetTrack(track, label="blue mug"))
    assert len(worker.requests) == 1


def test_an_edit_under_a_running_tracker_stops_it(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 30, BOX.moved(3, 0)))
    assert worker.canceled == [1]
    worker.send(range(1, 20))
    assert session.pending(track) == []
    worker.stopped()
    assert worker.span == (1, 30)
    assert [frame for frame, _ in worker.requests[-1].anchors] == [0, 30]


def test_undo_of_an_amendment_brings_its_proposals_back(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 100, BOX))
    worker.stopped()
    worker.finish()
    worker.finish()
    session.run(SetKeyframe(track, 50, BOX.moved(4, 4)))
    worker.finish()
    worker.finish()
    before = len(worker.requests)
    session.undo()
    assert [p.frame for p in session.pending(track)] == [*range(1, 100), *range(101, 401)]
    session.redo()
    assert len(session.pending(track)) == 398
    assert len(worker.requests) == before


def test_undo_brings_the_proposals_of_an_open_end_back(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    before = session.pending(track)
    session.run(SetKeyframe(track, 30, BOX.moved(40, 0)))
    worker.finish()
    for last in (50, 90, 150):
        worker.send(range(31, last))
    session.undo()
    worker.stopped()
    assert session.pending(track) == before
    assert _spans(session, track) == [(1, 1 + AHEAD_FRAMES)]
    assert len(worker.requests) == 3


def test_undo_brings_the_proposals_before_the_first_box_back(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 250)
    proposing.look(track, 250)
    worker.finish()
    worker.finish()
    before = session.pending(track)
    session.run(SetKeyframe(track, 200, BOX.moved(40, 0)))
    worker.finish()
    worker.send(range(100, 200))
    session.undo()
    worker.stopped()
    assert session.pending(track) == before
    assert len(worker.requests) == 4


def test_undo_after_many_edits_brings_every_piece_back(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    proposing.look(track, AHEAD_FRAMES - 20)
    worker.finish()
    before = session.pending(track)
    for frame in (20, 320, 310, 40, 350):
        session.run(SetKeyframe(track, frame, BOX.moved(60, 60)))
        while proposing.status.is_busy:
            worker.finish()
    asked = len(worker.requests)
    for _ in range(5):
        session.undo()
    assert session.pending(track) == before
    assert len(worker.requests) == asked


@pytest.mark.parametrize(("drawn", "hole"), [(0, (101, 151)), (400, (250, 301))])
def test_a_hole_in_the_proposals_of_an_open_end_is_tracked(
    session: Session, drawn: int, hole: tuple[int, int]
) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, drawn)
    proposing.look(track, drawn)
    worker.finish()
    worker.finish()
    proposing.close()
    session.box_runs.replace(track, hole, [])
    _, later = _proposing(session)
    assert later.span == hole
    near = hole[0] - 1 if drawn == 0 else hole[1]
    assert [frame for frame, _ in later.requests[-1].anchors] == [drawn, near]
    later.finish()
    assert len(later.requests) == 1
    assert all(session.pending_at(track, frame) for frame in range(*hole))


def test_a_hole_after_out_of_view_is_tracked_from_the_last_box(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    proposing.close()
    (run,) = session.box_runs.of(track)
    values = run.values.copy()
    values[80:100] = np.nan
    session.box_runs.replace(track, (1, 301), [replace(run, values=values)])
    session.box_runs.replace(track, (101, 151), [])
    _, later = _proposing(session)
    assert later.span == (1, 151)
    assert [frame for frame, _ in later.requests[-1].anchors] == [0]
    later.finish()
    assert len(later.requests) == 1
    assert len(session.pending(track)) == AHEAD_FRAMES


def test_a_rerun_tracks_what_an_undo_would_bring_back(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    session.run(SetKeyframe(track, 30, BOX.moved(40, 0)))
    worker.finish()
    worker.finish()
    session.undo()
    asked = len(worker.requests)
    proposing.rerun(track)
    assert len(worker.requests) == asked + 1
    assert session.pending(track) == []


def test_accepting_a_proposal_as_it_stands_keeps_all_others(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 100, BOX))
    worker.stopped()
    worker.finish()
    worker.finish()
    before = {p.frame: p for p in session.pending(track)}
    asked = len(worker.requests)
    for frame in (50, 75, 25):
        box = session.pending_at(track, frame).box
        session.run(SetKeyframe(track, frame, box, source=Source.ACCEPTED))
        del before[frame]
        assert {p.frame: p for p in session.pending(track)} == before
    assert len(worker.requests) == asked
    session.undo()
    assert session.pending_at(track, 25) is not None


def test_a_correction_of_an_accepted_frame_is_followed_by_its_neighbors(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 100, BOX))
    session.run(KeepInterpolation(track, 100))
    worker.stopped()
    worker.finish()
    unseen = tuple(range(0, 100, 30))
    session.run(AcceptProposals(track, tuple(session.pending(track)), unseen=unseen))
    asked, before = len(worker.requests), session.document.track(track)
    session.run(session.box_command(track, 50, BOX.moved(80, 0)))
    worker.finish()
    worker.finish()
    assert {(r.start, r.end) for r in worker.requests[asked:]} == {(1, 50), (51, 100)}
    assert [p.frame for p in session.pending(track)] == [*range(1, 50), *range(51, 100)]
    session.undo()
    assert session.document.track(track) == before
    assert session.pending(track) == []
    # Nobody would propose anything: what was accepted stays.
    proposing.pause()
    session.run(session.outside_command(track, 50, True))
    assert session.pending(track) == []
    assert session.document.track(track).state_at(40).box == before.state_at(40).box
    proposing.resume()
    assert session.reopens
    proposing.close()
    assert not session.reopens
    session.video_path = None  # there is no file to track in
    _proposing(session)
    assert not session.reopens


def test_outdated_proposals_stay_until_new_ones_replace_them(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 100, BOX))
    worker.stopped()
    worker.finish()
    worker.finish()
    session.run(SetKeyframe(track, 50, BOX.moved(40, 0)))
    assert session.pending_at(track, 20) is None
    proposed, is_outdated = session.suggestion_at(track, 20)
    assert is_outdated
    assert proposed.box is not None
    worker.send(range(1, 11))
    assert session.suggestion_at(track, 5)[1] is False
    assert session.suggestion_at(track, 20)[1] is True
    worker.finish()
    assert session.suggestion_at(track, 20)[1] is False
    assert session.suggestion_at(track, 70)[1] is True
    worker.finish()
    assert session.suggestion_at(track, 70)[1] is False


def test_marks_on_an_outdated_proposal_fix_what_is_shown(session: Session) -> None:
    """A person who is faster than the trackers sees the old proposal, not interpolation."""
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 100, BOX))
    worker.stopped()
    worker.finish()
    worker.finish()
    before = {p.frame: p.box for p in session.pending(track)}
    session.run(SetKeyframe(track, 50, BOX.moved(40, 0)))
    assert session.pending_at(track, 70) is None
    assert session.has_box(track, 70)
    assert not session.is_occluded(track, 70)
    for command in (
        session.occluded_command(track, 70, True),
        session.accept_command(track, 70),
        session.outside_command(track, 71, True),
        session.occluded_command(track, 20, True, 70),
    ):
        session.run(command)
        key = session.document.track(track).keyframe_at(70)
        assert key is not None
        assert key.box == before[70]
        session.undo()


def test_what_is_outdated_and_occluded_stays_occluded_when_it_is_moved(session: Session) -> None:
    track = _draw(session, 0)
    run = ProposalRun.empty(track, 1, 30, Origin("test", "1", {"anchors": [[0, 1, 1, 9, 9]]}))
    run.put(Proposed(10, BOX, 0.9, True))
    session.box_runs.replace(track, (1, 30), [run])
    assert session.suggestion_at(track, 10)[1] is True
    assert session.is_occluded(track, 10)
    assert session.box_command(track, 10, BOX.moved(5, 0)).occluded is True


def test_before_its_first_box_an_outdated_proposal_is_dismissed(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 50)
    worker.finish()
    worker.finish()
    assert session.pending_at(track, 20) is not None
    session.run(SetKeyframe(track, 40, BOX.moved(40, 0)))
    assert session.suggestion_at(track, 20)[1] is True
    assert session.has_box(track, 20)
    session.run(session.outside_command(track, 20, True))
    assert session.suggestion_at(track, 20) is None
    assert session.suggestion_at(track, 30) is not None
    assert session.document.track(track).first_frame == 40


def test_surer_proposals_of_before_stay_after_a_correction(session: Session) -> None:
    track, _ = _corrected_at_50(session, beside=0.5, correction=BOX.moved(4, 4))
    shown = [session.pending_at(track, frame).confidence for frame in (20, 55, 70, 99)]
    assert shown == pytest.approx([0.7, 0.7, 0.95, 0.95])


def test_a_surer_proposal_stays_with_its_place_and_its_occlusion() -> None:
    earlier, new = (ProposalRun.empty(track_id(), 1, 41, Origin("fused", "")) for _ in range(2))
    for frame in range(1, 41):
        earlier.put(Proposed(frame, BOX, 0.9 if frame > 20 else 0.75, occluded=True))
        new.put(Proposed(frame, BOX.moved(30, 0), 0.5))
    result = new.with_surer(earlier)
    assert result.at(40) == earlier.at(40)
    assert result.at(10) == new.at(10)  # not sure enough to stay


def test_surer_proposals_of_an_open_end_stay_in_all_its_pieces(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    proposing.look(track, 290)
    for _ in range(2):
        worker.finish(confidence=0.95)
    assert _spans(session, track) == [(1, 1 + AHEAD_FRAMES), (301, 301 + AHEAD_FRAMES)]
    session.run(SetKeyframe(track, 200, BOX.moved(20, 4)))
    while worker.span != (201, 201 + AHEAD_FRAMES):
        worker.finish(confidence=0.7)
    worker.finish(confidence=0.7)
    shown = [session.pending_at(track, frame).confidence for frame in (250, 400)]
    assert shown == pytest.approx([0.95, 0.95])


def test_proposals_that_a_correction_contradicts_are_replaced(session: Session) -> None:
    track, _ = _corrected_at_50(session, beside=0.95, correction=BOX.moved(90, 90))
    assert session.pending_at(track, 70).confidence == pytest.approx(0.7)


def test_surer_proposals_of_another_tracker_are_replaced(session: Session) -> None:
    track, _ = _corrected_at_50(
        session, beside=0.5, correction=BOX.moved(4, 4), tracker_before="csrt"
    )
    assert session.pending_at(track, 70).confidence == pytest.approx(0.7)


def test_proposals_from_a_deleted_box_are_replaced(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 50, BOX))
    worker.stopped()
    for _ in range(2):
        worker.finish(confidence=0.95)
    session.run(DeleteKeyframe(track, 50))
    worker.finish(confidence=0.7)
    shown = [session.pending_at(track, frame).confidence for frame in (20, 70)]
    assert shown == pytest.approx([0.7, 0.7])


def _corrected_at_50(
    session: Session, *, beside: float, correction: Box, tracker_before: str = "fused"
) -> tuple[TrackId, HandWorker]:
    """Correct a frame between two boxes, with a confidence of 0.7 in what is proposed after it.

    Before it was 0.95 after frame 60 and 0.7 up to frame 40, ``beside`` between the two, as
    ``tracker_before`` proposed it.
    """
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 100, BOX))
    worker.stopped()
    for frames, confidence in ((range(1, 41), 0.7), (range(41, 61), beside)):
        worker.send(frames, confidence)
    worker.send(range(61, 100), 0.95)
    worker.end(tracker_before)
    worker.finish()
    session.run(SetKeyframe(track, 50, correction))
    spans = []
    for _ in range(2):
        spans.append(worker.span)
        worker.finish(confidence=0.7)
    assert sorted(spans) == [(1, 50), (51, 100)]
    return track, worker


def test_accepting_an_absence_keeps_the_return(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    session.run(SetOutside(track, 40, True, source=Source.ACCEPTED))
    assert session.pending_at(track, 60) is None  # the worker proposed a box on frame 40
    session.undo()
    session.run(SetOutside(track, 40, True))
    assert session.pending_at(track, 60) is None


def test_out_of_view_before_the_first_box_dismisses_proposals(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 100)
    proposing.look(track, 100)
    rows = [(0, f, (np.nan,) * 4 if f < 20 else BOX.as_tuple(), 0.9, False) for f in range(100)]
    worker.reply(ProposalBatch(worker.requests[-1].id, 4, np.array(rows, row_type(4)).tobytes()))
    worker.reply(RequestEnd(worker.requests[-1].id, ("fused", "1", b"{}")))
    worker.finish()

    def early() -> list[int]:
        return [p.frame for p in session.pending(track) if p.frame < 100]

    session.run(session.accept_command(track, 10))
    assert early() == [*range(10), *range(11, 100)], "that frame alone"
    session.run(session.outside_command(track, 30, True, end=35))
    assert early() == [*range(10), *range(11, 30), *range(35, 100)]
    session.run(session.outside_command(track, 60, True))
    assert early() == list(range(61, 100))
    asked = len(worker.requests)
    session.run(AcceptProposals(track, tuple(session.pending(track))))
    assert session.document.track(track).first_frame == 61
    assert session.document.track(track).info.is_begin_settled
    assert not {r.start for r in worker.requests[asked:]} & set(range(100))
    with pytest.raises(EditError, match="has not started"):
        session.run(session.outside_command(track, 50, True))


def test_a_selected_object_is_searched_for_after_it_left(session: Session) -> None:
    proposing, worker = _proposing(session)
    returned: list[tuple[TrackId, int]] = []
    proposing.returned.add(returned.append)
    track = _draw(session, 0)
    worker.finish()
    session.run(KeepInterpolation(track, 0))
    session.run(SetOutside(track, 100, True))
    assert len(worker.requests) == 1, "it is not selected, and may have left for good"
    proposing.look(track, 100)
    assert len(worker.requests) == 2
    assert worker.span == (101, 101 + AHEAD_FRAMES)
    assert worker.requests[-1].anchors == ((0, BOX.as_tuple()), (100, None))
    request_id, found = worker.requests[-1].id, BOX.moved(30, 0)
    rows = [
        (0, f, (np.nan,) * 4 if f < 140 else found.as_tuple(), 1.0 if f < 140 else 0.7, False)
        for f in range(*worker.span)
    ]
    worker.reply(ProposalBatch(request_id, 4, np.array(rows, row_type(4)).tobytes()))
    worker.reply(RequestEnd(request_id, ("fused", "1", b"{}")))
    assert returned == [(track, 140)]
    assert session.pending_at(track, 139) is None
    waiting = session.pending(track)
    assert [p.frame for p in waiting] == list(range(140, 401))
    proposing.look(track, 200)
    assert len(worker.requests) == 2
    session.run(AcceptProposals(track, tuple(waiting)))
    states = [session.document.track(track).state_at(f).box for f in (100, 139, 140, 400)]
    assert states == [None, None, found, found]
    session.undo()
    session.run(SetOutside(track, 140, True))  # it was something else
    worker.stopped()
    assert session.pending(track) == []
    assert worker.span == (141, 141 + AHEAD_FRAMES)
    rows = [(0, f, (np.nan,) * 4, 1.0, False) for f in range(*worker.span)]
    request_id = worker.requests[-1].id
    worker.reply(ProposalBatch(request_id, 4, np.array(rows, row_type(4)).tobytes()))
    worker.reply(RequestEnd(request_id, ("fused", "1", b"{}")))
    proposing.look(track, 440)
    assert worker.requests[-1].id == request_id, "it is searched for in the first piece only"
    assert len(returned) == 1


def test_settled_gaps_out_of_view_and_locked_tracks_want_nothing(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    session.run(SetOutside(track, 100, True))
    assert worker.span == (1, 100)
    assert worker.requests[-1].anchors == ((0, BOX.as_tuple()), (100, None))
    worker.finish()
    session.run(KeepInterpolation(track, 50))
    session.run(SetTrack(track, is_locked=True))
    assert len(worker.requests) == 2


def test_accepting_leaves_no_gap_to_run(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 40, BOX.moved(4, 0)))
    worker.stopped()
    worker.finish()
    worker.finish()
    inner = [p for p in session.pending(track) if p.frame < 40]
    before = len(worker.requests)
    session.run(AcceptProposals(track, tuple(inner)))
    assert len(worker.requests) == before
    assert all(p.frame > 40 for p in session.pending(track))


def test_paused_proposals_do_not_outlive_their_anchors(session: Session) -> None:
    proposing, worker = _proposing(session)
    first, second = _draw(session, 0), _draw(session, 0)
    session.run(SetKeyframe(first, 40, BOX.moved(4, 0)))
    session.run(SetKeyframe(second, 0, BOX.moved(50, 0)))
    session.run(SetKeyframe(second, 40, BOX.moved(54, 0)))
    worker.stopped()
    while proposing.status.is_busy:
        worker.finish()
    assert len(session.pending(second)) > 39
    proposing.pause()
    session.run(SwapTracks(first, second, 20))
    session.run(DeleteKeyframe(first, 40))
    assert [session.pending_at(t, 60) for t in (first, second)] == [None, None]
    # Before the swap the object is where it was proposed.
    assert [p.frame for p in session.pending(first)] == list(range(1, 19))
    asked = len(worker.requests)
    proposing.resume()
    while proposing.status.is_busy:
        worker.finish()
    assert len(worker.requests) > asked
    assert session.pending_at(first, 60) is not None


def test_the_selected_track_goes_first_and_takes_over(session: Session) -> None:
    proposing, worker = _proposing(session)
    first = _draw(session, 0)
    second = _draw(session, 0)
    assert proposing.status.track_id == first
    proposing.look(second, 0)
    assert worker.canceled == [1]
    worker.stopped()
    assert proposing.status.track_id == second
    worker.finish()
    assert proposing.status.track_id == first


def test_the_gap_nearest_the_playhead_goes_first(session: Session) -> None:
    proposing, worker = _proposing(session)
    proposing.pause()
    track = _draw(session, 0)
    for frame in (100, 200, 300):
        session.run(SetKeyframe(track, frame, BOX))
    proposing.look(track, 250)
    proposing.resume()
    assert worker.span == (201, 300)
    worker.finish()
    assert worker.span in {(101, 200), (301, 301 + AHEAD_FRAMES)}


def test_further_pieces_come_with_the_playhead(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    proposing.look(track, 20)
    assert len(worker.requests) == 1
    proposing.look(track, AHEAD_FRAMES - 20)
    assert worker.span == (AHEAD_FRAMES + 1, 2 * AHEAD_FRAMES + 1)
    frames = [frame for frame, _ in worker.requests[-1].anchors]
    assert frames == [0, AHEAD_FRAMES]
    worker.finish()
    assert len(session.pending(track)) == 2 * AHEAD_FRAMES


def test_further_pieces_come_with_what_is_accepted(session: Session) -> None:
    _, worker = _proposing(session)
    track = _draw(session, 500)
    worker.finish()
    worker.finish()
    assert _spans(session, track) == [(200, 500), (501, 501 + AHEAD_FRAMES)]
    for near, far, piece in ((600, 780, (801, 1000)), (400, 220, (0, 200))):
        for frame, spans in ((near, []), (far, [piece])):
            before = len(worker.requests)
            session.run(session.accept_command(track, frame))
            assert [(r.start, r.end) for r in worker.requests[before:]] == spans
        worker.finish()
    assert len(session.pending(track)) == 1000 - 5


def test_pause_resume_cancel_and_rerun(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    proposing.pause()
    worker.stopped()
    assert proposing.status.is_paused
    assert len(worker.requests) == 1
    proposing.resume()
    assert len(worker.requests) == 2
    proposing.cancel()
    worker.stopped()
    assert len(worker.requests) == 2
    assert proposing.status.n_waiting == 0
    proposing.rerun(track, tracker="csrt")
    assert worker.requests[-1].tracker == "csrt"
    worker.finish()
    assert len(session.pending(track)) == AHEAD_FRAMES
    proposing.rerun(track)
    assert session.pending(track) == []
    assert len(worker.requests) == 4


def test_a_canceled_gap_is_tracked_again_after_undo_and_the_same_edit(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    worker.finish()
    edit = SetKeyframe(track, 30, BOX.moved(40, 0))
    session.run(edit)
    assert worker.span == (1, 30)
    proposing.cancel()
    worker.stopped()

    def later_spans() -> list[tuple[int, int]]:
        n_before = len(worker.requests) - int(proposing.status.is_busy)
        while proposing.status.is_busy:
            worker.finish()
        return [(request.start, request.end) for request in worker.requests[n_before:]]

    later_spans()
    proposing.look(track, 20)
    session.run(SetKeyframe(track, 90, BOX.moved(80, 0)))
    assert (1, 30) not in later_spans(), "edits elsewhere change nothing"
    session.undo()
    session.undo()
    later_spans()
    session.run(edit)
    assert (1, 30) in later_spans()


def test_a_failure_is_told_once_and_its_gap_left_out(session: Session) -> None:
    proposing, worker = _proposing(session)
    told: list[Notice] = []
    proposing.noticed.add(told.append)
    track = _draw(session, 0)
    worker.reply(Failed(1, "The tracker crashed.", is_crash=True))
    assert [notice.text for notice in told] == ["The tracker crashed."]
    assert len(worker.requests) == 1
    session.run(SetKeyframe(track, 30, BOX))
    assert worker.span == (1, 30)


def test_a_deleted_track_stops(session: Session) -> None:
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(DeleteTracks((track,)))
    assert worker.canceled == [1]
    worker.stopped()
    assert len(worker.requests) == 1
    assert not proposing.status.is_busy


def test_runs_kept_in_the_project_are_not_made_again(project: ProjectFile) -> None:
    session = _session(project)
    proposing, worker = _proposing(session)
    track = _draw(session, 0)
    session.run(SetKeyframe(track, 60, BOX.moved(0.1, 0.7)))
    worker.stopped()
    worker.finish()
    proposing.close()
    assert worker.is_closed
    again = _session(project)
    assert len(again.pending(track)) == 59
    _, later = _proposing(again)
    assert [request.start for request in later.requests] == [61]
    assert again.box_runs.of(track)[0].origin.parameters["members"] == ["points"]


def test_a_project_that_cannot_be_written_pauses_the_work(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposing, worker = _proposing(session)
    told: list[Notice] = []
    proposing.noticed.add(told.append)
    _draw(session, 0)

    paused = "Tracking is paused because proposals cannot be saved."

    def refuse(*_: object) -> None:
        raise ProjectError("The disk is full.", hint="Make room.")

    monkeypatch.setattr(session.box_runs, "replace", refuse)
    worker.send(range(1, 5))
    assert told == [Notice("warning", f"{paused} The disk is full.", "Make room.")]
    assert proposing.status.is_paused
    assert worker.canceled == [1]


def test_a_track_of_many_keyframes_is_planned_at_once(session: Session) -> None:
    proposing, worker = _proposing(session)
    proposing.pause()
    track = _draw(session, 0)
    keys = tuple(Keyframe(frame, BOX.moved(frame / 50, 0)) for frame in range(0, N_FRAMES, 5))
    changes = [Change("keyframe", KeyframeKey(track, k.frame), None, k) for k in keys[1:]]
    session.document.apply(changes)
    empty = np.zeros((1, 4), np.float32)
    for key in keys[:-1]:
        origin = Origin("fused", "1", {"is_complete": True, "anchors": []})
        run = ProposalRun(track, key.frame + 1, empty, np.ones(1, np.float32), origin)
        session.box_runs.replace(track, (key.frame + 1, key.frame + 2), [run])
    with counted_calls() as n_calls:
        proposing.look(track, 500)
        assert n_calls() < 200 * len(keys)
    assert proposing.status.n_waiting == len(keys)
    assert worker.requests[1:] == []
