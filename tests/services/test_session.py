"""A session: plan, commit, apply, tell; and all the way back, also after a restart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.commands import (
    AcceptPoints,
    CreatePoint,
    CreateTrack,
    DeletePoints,
    DeleteTracks,
    SetKeyframe,
    SetPoint,
    SetTrack,
)
from annotator.domain.errors import EditError, ProjectError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TaskId, TrackId, point_id, track_id
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.point_proposals import PointProposalRun, accepted_run
from annotator.domain.proposals.runs import Origin
from annotator.services.session import RunsChanged, Session
from annotator.services.undo import MAX_STEPS
from annotator.store.annotation.drafts import DraftStore
from annotator.store.file.file_opening import open_file
from annotator.store.file.project import ProjectFile
from tests.store.samples import add_draft, bulk, empty_file, state


class Desk:
    """A project file with one session, a clock that stands still, and a way to start again."""

    def __init__(self, folder: Path) -> None:
        self.now = 100.0
        self.file: ProjectFile = empty_file(folder)
        self.store, self.info = add_draft(self.file)
        self.session = self.new_session()

    def new_session(self) -> Session:
        return Session(self.store, self.info, task_id=TaskId("task"), clock=lambda: self.now)

    def restart(self) -> Session:
        self.file.close()
        self.file = open_file(self.file.path)
        self.store = DraftStore(self.file, self.store.draft_id)
        self.session = self.new_session()
        return self.session

    def stored(self, info: VideoInfo | None = None) -> tuple[object, ...]:
        return state(self.store.load(info or self.info))

    def create(self, frame: int = 3) -> TrackId:
        track = track_id()
        self.session.run(CreateTrack(track, "mug", frame, Box(10, 20, 110, 90)))
        return track

    def nudge(self, track: TrackId, x: float) -> ChangeSet:
        box = Box(10 + x, 20, 110 + x, 90)
        return self.session.run(SetKeyframe(track, 3, box, merge_key=f"nudge {track}"))


@pytest.fixture
def desk(tmp_path: Path):
    desk = Desk(tmp_path)
    yield desk
    desk.file.close()


def test_edit_reaches_file_memory_and_listeners_in_this_order(desk: Desk) -> None:
    heard: list[tuple[ChangeSet, bool, bool]] = []

    def listen(changes: ChangeSet) -> None:
        in_memory = state(desk.session.document)
        heard.append((changes, desk.stored() == in_memory, bool(desk.session.document.tracks)))

    desk.session.changed.add(listen)
    view = object()
    assert desk.session.last_saved_at is None
    done = desk.session.run(CreateTrack(track_id(), "mug", 3, Box(1, 2, 30, 40)), initiator=view)
    assert heard == [(done, True, True)]
    assert done.initiator is view
    assert (done.op, done.frame) == ("create-track", 3)
    assert desk.session.last_saved_at is not None


def test_impossible_edit_changes_nothing(desk: Desk) -> None:
    track = desk.create()
    heard: list[ChangeSet] = []
    desk.session.changed.add(heard.append)
    before, events = desk.stored(), desk.store.events()
    with pytest.raises(EditError):
        desk.session.run(SetKeyframe(track, 900, Box(1, 2, 30, 40)))
    with pytest.raises(NothingToDoError):
        desk.session.run(SetTrack(track, label="mug"))
    assert (desk.stored(), state(desk.session.document)) == (before, before)
    assert desk.store.events() == events
    assert heard == []
    assert desk.session.undo_op == "create-track"


def test_refused_commit_leaves_everything_as_it_was(desk: Desk) -> None:
    track = desk.create()
    desk.nudge(track, 1)
    desk.session.undo()
    heard: list[ChangeSet] = []
    desk.session.changed.add(heard.append)
    before = desk.stored()
    pages = desk.file.rows("PRAGMA page_count")[0][0]
    desk.file.rows(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(ProjectError, match="disk is full"):
        desk.session.run(bulk(2, 4000))
    assert (desk.stored(), state(desk.session.document)) == (before, before)
    assert (desk.session.undo_op, desk.session.redo_op) == ("create-track", "set-keyframe")
    assert heard == []
    desk.file.rows("PRAGMA max_page_count = 1000000")
    assert desk.session.redo() is not None
    assert desk.stored() == state(desk.session.document)


def test_undo_and_redo_name_their_step_in_the_log(desk: Desk) -> None:
    track = desk.create()
    session = desk.session
    view = object()
    back = session.undo(initiator=view)
    assert back is not None
    assert (back.op, back.frame, back.initiator) == ("create-track", 3, view)
    assert session.document.find_track(track) is None
    assert (session.can_undo, session.can_redo) == (False, True)
    again = session.redo(initiator=view)
    assert again is not None
    assert (again.track_ids, again.initiator) == (frozenset({track}), view)
    step, undone, redone = desk.store.events()
    assert [e.kind for e in (step, undone, redone)] == ["do", "undo", "redo"]
    assert undone.ref_id == redone.ref_id == step.id
    assert session.redo() is None
    session.undo()
    assert session.undo() is None
    assert len(desk.store.events()) == 4


def test_new_edit_ends_redo(desk: Desk) -> None:
    desk.create()
    desk.session.undo()
    desk.create()
    assert not desk.session.can_redo
    assert desk.restart().redo_op is None


def test_quick_repetitions_are_one_step(desk: Desk) -> None:
    track = desk.create()
    before = desk.stored()
    for x in (1, 2, 3):
        desk.now += 0.9
        desk.nudge(track, x)
    after = desk.stored()
    assert len(desk.store.events()) == 4
    desk.session.undo()
    assert desk.stored() == state(desk.session.document) == before
    desk.session.redo()
    assert desk.stored() == state(desk.session.document) == after
    desk.restart()
    desk.session.undo()
    assert desk.stored() == before
    assert desk.session.undo_op == "create-track"


def test_slow_other_or_interrupted_repetitions_are_steps_of_their_own(desk: Desk) -> None:
    track = desk.create()
    desk.nudge(track, 1)
    desk.now += 1.1
    desk.nudge(track, 2)  # too late
    desk.session.run(SetTrack(track, label="cup"))
    desk.nudge(track, 3)  # something else in between
    desk.session.undo()
    desk.session.redo()
    desk.nudge(track, 4)  # undo in between
    desk.restart()
    desk.nudge(track, 5)  # restart in between
    ops = []
    while desk.session.can_undo:
        ops.append(desk.session.undo_op)
        desk.session.undo()
    assert ops == ["set-keyframe"] * 3 + ["set-track"] + ["set-keyframe"] * 2 + ["create-track"]


def test_nudge_there_and_back_is_a_step_without_effect(desk: Desk) -> None:
    track = desk.create()
    desk.nudge(track, 1)
    desk.nudge(track, 0)
    before = desk.stored()
    back = desk.session.undo()
    assert back is not None
    assert back.changes == ()
    assert desk.stored() == before
    desk.session.redo()
    assert desk.session.undo_op == "set-keyframe"


def test_bulk_import_goes_back_in_one_step_after_a_restart(desk: Desk) -> None:
    desk.create()
    before = desk.stored()
    desk.session.run(bulk(10, 2000))
    after = desk.stored()
    assert [e.kind for e in desk.store.events()] == ["do", "import"]
    session = desk.restart()
    assert desk.stored() == state(session.document) == after
    session.undo()
    assert desk.stored() == state(session.document) == before
    session.redo()
    assert desk.stored() == state(session.document) == after


def test_steps_are_limited_and_the_newest_kept(desk: Desk) -> None:
    track = desk.create()
    with desk.file.transaction():  # one flush for all keeps the test quick
        for i in range(MAX_STEPS + 5):
            desk.session.run(SetTrack(track, label=f"name {i}"))
    for is_again in (False, True):
        session = desk.restart() if is_again else desk.session
        count = 0
        with desk.file.transaction():
            while session.undo():
                count += 1
            assert count == MAX_STEPS
            assert session.document.track(track).label == "name 4"
            while session.redo():
                count -= 1
        assert count == 0


def _run(track: TrackId, start: int, n: int, confidence: float = 0.5) -> ProposalRun:
    boxes = np.tile(np.array([1, 2, 30, 40], dtype=np.float32), (n, 1))
    boxes[:, 0] = np.arange(start, start + n)
    certainty = np.full(n, confidence, dtype=np.float32)
    return ProposalRun(track, start, boxes, certainty, Origin("fused", "1"))


def _spans(session: Session, track: TrackId) -> list[tuple[int, int, float]]:
    return [(r.start, r.end, round(float(r.confidence[0]), 2)) for r in session.box_runs.of(track)]


def test_proposals_replace_those_of_their_span_and_keep_the_rest(desk: Desk) -> None:
    track = desk.create()
    session = desk.session
    heard: list[RunsChanged] = []
    session.box_runs.changed.add(heard.append)
    session.box_runs.replace(track, (4, 60), [_run(track, 4, 56)])
    session.box_runs.replace(track, (10, 20), [_run(track, 10, 10, 0.9)])
    expected = [(4, 10, 0.5), (10, 20, 0.9), (20, 60, 0.5)]
    assert _spans(session, track) == expected
    assert heard == [RunsChanged(track, 4, 60), RunsChanged(track, 10, 20)]
    assert session.box_runs.of(track)[2].boxes[0, 0] == 20
    assert session.pending_at(track, 15).confidence == pytest.approx(0.9)
    assert [p.frame for p in session.pending(track)] == list(range(4, 60))
    session = desk.restart()
    assert _spans(session, track) == expected
    session.box_runs.replace(track, (0, 90), [])
    assert session.box_runs.of(track) == ()
    session.box_runs.replace(track, (0, 90), [])
    assert desk.restart().box_runs.of(track) == ()


def test_proposals_wait_beside_the_track_and_outlive_its_deletion(desk: Desk) -> None:
    track = desk.create()
    session = desk.session
    session.box_runs.replace(track, (4, 20), [_run(track, 4, 16)])
    session.run(DeleteTracks((track,)))
    assert (session.pending(track), session.pending_at(track, 5)) == ([], None)
    session.undo()
    assert len(session.pending(track)) == 16
    assert desk.store.events()[-1].kind == "undo"


def _flow(point: PointId, start: int, n: int, confidence: float = 0.5) -> PointProposalRun:
    xy = np.stack([np.arange(start, start + n), np.arange(n)], axis=1).astype(np.float32)
    certainty = np.full(n, confidence, dtype=np.float32)
    occluded = (np.arange(n) % 5 == 4).astype(np.uint8)
    return PointProposalRun(point, start, xy, certainty, Origin("flow", "1", {"w": 21}), occluded)


def test_point_proposals_replace_those_of_their_span_and_outlive_the_point(desk: Desk) -> None:
    track, point, session = desk.create(), point_id(), desk.session
    session.run(CreatePoint(point, track, "rim", 3, Point(5, 5)))
    session.run(SetPoint(point, 60, Point(9, 9)))
    heard: list[RunsChanged] = []
    session.point_runs.changed.add(heard.append)
    session.point_runs.replace(point, (4, 60), [_flow(point, 4, 56)])
    session.point_runs.replace(point, (10, 20), [_flow(point, 10, 10, 0.9)])
    assert heard == [RunsChanged(point, 4, 60), RunsChanged(point, 10, 20)]
    session = desk.restart()
    runs = session.point_runs.of(point)
    assert [(r.start, r.end) for r in runs] == [(4, 10), (10, 20), (20, 60)]
    assert (runs[2].xy[0].tolist(), runs[2].occluded[:4].tolist()) == ([20, 16], [0, 0, 0, 1])
    assert runs[0].origin == Origin("flow", "1", {"w": 21})
    assert session.pending_point_at(point, 15).confidence == pytest.approx(0.9)
    waiting = session.pending_points(point)
    assert [p.frame for p in waiting] == list(range(4, 60))
    session.run(AcceptPoints(point, accepted_run(waiting)))
    assert desk.store.events()[-1].kind == "accept"
    assert (session.pending_points(point), session.pending_point_at(point, 15)) == ([], None)
    session.run(DeletePoints((point,)))
    assert (session.pending_points(point), session.pending_point_at(point, 15)) == ([], None)
    session.undo()
    session.undo()
    assert session.pending_points(point) == waiting
    assert [h.op for h in session.history(point, 2)] == ["accept-points", "delete-point"]
    session.point_runs.replace(point, (0, 90), [])
    session.point_runs.replace(point, (0, 90), [])
    assert desk.restart().point_runs.of(point) == ()


def test_reading_only_refuses_edits_but_shows_all(desk: Desk) -> None:
    track = desk.create()
    desk.session.box_runs.replace(track, (4, 20), [_run(track, 4, 16)])
    reader = open_file(desk.file.path)
    session = Session(DraftStore(reader, desk.store.draft_id), desk.info, task_id=TaskId("task"))
    assert session.is_read_only
    assert not session.can_undo
    assert len(session.pending(track)) == 16
    for attempt in (
        lambda: session.run(SetTrack(track, label="cup")),
        session.undo,
        lambda: session.box_runs.replace(track, (0, 90), []),
        lambda: session.point_runs.replace(point_id(), (0, 90), [_flow(point_id(), 1, 2)]),
    ):
        with pytest.raises(
            ProjectError, match=r"Cannot save the edit: the project is open read-only\."
        ):
            attempt()
    assert state(session.document) == desk.stored()
    reader.close()
