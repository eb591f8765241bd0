"""The gallery in the window: what it shows, accepts and takes from the mouse and keys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator.domain.annotation.point_track import PointMark
from annotator.domain.annotation.track import Source, Track, unchecked_grid_frames
from annotator.domain.commands import (
    CreatePoint,
    CreateTrack,
    DeletePoints,
    MarkPoints,
    SetKeyframe,
    SetPoint,
    SetTrack,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TrackId, point_id, track_id
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin
from annotator.services.assist.proposal_updates import Proposing, ProposingStatus
from annotator.services.session import RunsChanged, Session
from annotator.ui.dialogs import proposal_gallery
from annotator.ui.dialogs.frame_tile import TileKind
from annotator.ui.dialogs.proposal_gallery import ProposalGallery
from tests.e2e.conftest import N_FRAMES, Desktop

GRID = [30, 60]


@pytest.fixture
def opened(desktop: Desktop, project: Path) -> Desktop:
    desktop.open(project)
    return desktop


def _propose(desktop: Desktop, doubtful: dict[int, float]) -> TrackId:
    """Draw a box on frame 0 and put proposals on all later frames that follow the square."""
    desktop.draw((20, 60), (80, 120))
    workspace = desktop.window.context.workspace
    assert workspace.session is not None
    assert workspace.track is not None
    track_id, frames = workspace.track.id, np.arange(1, N_FRAMES)
    boxes = np.stack([20 + 2 * frames, 0 * frames + 60, 80 + 2 * frames, 0 * frames + 120], axis=1)
    confidence = np.full(len(frames), 0.95, np.float32)
    for frame, value in doubtful.items():
        confidence[frame - 1] = value
    run = ProposalRun(track_id, 1, boxes.astype(np.float32), confidence, Origin("test", "1"))
    workspace.session.box_runs.replace(track_id, (1, N_FRAMES), [run])
    return track_id


def _gallery(desktop: Desktop) -> ProposalGallery:
    desktop.press("Shift+V")
    (gallery,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, ProposalGallery)]
    desktop.qtbot.waitUntil(lambda: all(tile.still is not None for tile in gallery.tiles.values()))
    return gallery


def _begin_late(desktop: Desktop) -> TrackId:
    """Draw a box on frame 65, with boxes proposed on all frames before."""
    mine, workspace = track_id(), desktop.window.context.workspace
    workspace.run(CreateTrack(mine, "late", 65, Box(10, 10, 50, 50)))
    boxes = np.repeat(np.array([[10, 10, 50, 50]], np.float32), 65, axis=0)
    run = ProposalRun(mine, 0, boxes, np.full(65, 0.95, np.float32), Origin("test", "1"))
    _session(desktop).box_runs.replace(mine, (0, 65), [run])
    workspace.selection.set_tracks([mine])
    return mine


def _session(desktop: Desktop) -> Session:
    session = desktop.window.context.workspace.session
    assert session is not None
    return session


def _track(desktop: Desktop, track_id: TrackId) -> Track:
    return _session(desktop).document.track(track_id)


def test_all_frames_that_need_a_look_are_accepted_with_one_key(opened: Desktop) -> None:
    track_id = _propose(opened, {45: 0.2, 80: 0.5})
    gallery = _gallery(opened)
    assert list(gallery.tiles) == [30, 45, 60, 80]
    assert all(tile.content.kind is TileKind.PROPOSAL for tile in gallery.tiles.values())
    assert gallery.accept_page.text() == "Accept all proposals", "no other frame needs a look"
    QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Return)
    assert gallery.tiles == {}
    assert _session(opened).pending(track_id) == []
    step = _session(opened).document.video.grid_step
    track = _track(opened, track_id)
    assert {k.source for k in track.keyframes[1:]} == {Source.ACCEPTED}
    assert list(track.unseen) == []
    assert unchecked_grid_frames(track, step=step, n_frames=N_FRAMES) == []
    assert len(track.frames) <= 4, "an even motion needs no keyframe on the grid"
    assert not gallery.accept_all.isVisible()
    assert gallery.empty.isVisible()
    opened.run("edit.undo")
    assert _track(opened, track_id).frames == (0,)
    assert list(gallery.tiles) == [30, 45, 60, 80]


def test_frames_before_the_first_box_are_looked_at_before_they_are_accepted(
    opened: Desktop,
) -> None:
    mine = _begin_late(opened)
    gallery = _gallery(opened)
    assert list(gallery.tiles)[:3] == [0, *GRID]
    gallery.accept_page.click()
    assert gallery.tiles == {}
    assert list(_track(opened, mine).unseen) == []


def test_an_object_that_is_absent_before_its_first_box_is_finished_at_once(opened: Desktop) -> None:
    workspace, new = opened.window.context.workspace, track_id()
    workspace.run(CreateTrack(new, "object", 40, Box(10, 10, 50, 50)))
    workspace.selection.set_tracks([new])
    for start, end, box in ((0, 40, [np.nan] * 4), (41, N_FRAMES, [10, 10, 50, 50])):
        boxes = np.repeat(np.array([box], np.float32), end - start, axis=0)
        confidence = np.full(end - start, 0.95, np.float32)
        run = ProposalRun(new, start, boxes, confidence, Origin("test", "1"))
        _session(opened).box_runs.replace(new, (start, end), [run])
    gallery = _gallery(opened)
    QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Return)
    assert _session(opened).pending(new) == []
    assert _track(opened, new).first_frame == 40
    assert gallery.close_gallery.isDefault()


def test_an_object_that_begins_later_than_proposed_is_marked_on_a_tile(opened: Desktop) -> None:
    mine = _begin_late(opened)
    gallery = _gallery(opened)
    gallery.tiles[30].setFocus()
    QTest.keyClick(gallery.tiles[30], Qt.Key.Key_W)
    early = [gallery.tiles[frame].content for frame in (0, 30)]
    assert [content.caption.rpartition(" · ")[2] for content in early] == [
        "Before the first box"
    ] * 2
    assert [content.kind for content in early] == [TileKind.CHECKED] * 2
    assert [p.frame for p in _session(opened).pending(mine)] == list(range(31, 65))
    gallery.accept_page.click()
    track = _track(opened, mine)
    assert _session(opened).pending(mine) == []
    assert track.first_frame == 31
    assert track.info.is_begin_settled
    _session(opened).undo()
    opened.press("Ctrl+Z")
    assert len(_session(opened).pending(mine)) == 65


def test_frames_after_out_of_view_need_no_look(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    gallery = _gallery(opened)
    QTest.keyClick(gallery.tiles[30], Qt.Key.Key_W)
    content = gallery.tiles[60].content
    assert (content.box, content.kind) == (None, TileKind.CHECKED)
    step = _session(opened).document.video.grid_step
    assert unchecked_grid_frames(_track(opened, track_id), step=step, n_frames=N_FRAMES) == []
    QTest.keyClick(gallery.tiles[30], Qt.Key.Key_Return)
    assert not gallery.tiles.keys() & {30, 60}


def test_what_cannot_be_done_is_told_in_the_gallery(opened: Desktop) -> None:
    _begin_late(opened)
    gallery = _gallery(opened)
    tile = gallery.tiles[30]
    tile.setFocus()
    QTest.keyClick(tile, Qt.Key.Key_W)
    QTest.keyClick(tile, Qt.Key.Key_W)
    assert gallery.word.text() == "The object has no box. Draw a box first."


def test_frames_that_follow_are_not_accepted_before_they_are_seen(
    opened: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposal_gallery, "_PER_PAGE", 2)
    track_id = _propose(opened, {80: 0.5})
    gallery = _gallery(opened)
    assert gallery.accept_page.text() == "Accept 2 frames"
    gallery.accept_page.click()
    assert _track(opened, track_id).frames == (0, *GRID)
    assert list(gallery.tiles) == [80]


def test_enter_leads_from_object_to_object_and_closes_the_gallery(opened: Desktop) -> None:
    first = _propose(opened, {})
    selection = opened.window.context.workspace.selection
    selection.clear()
    later = track_id()
    opened.window.context.workspace.run(CreateTrack(later, "other", 40, Box(10, 10, 50, 50)))
    frames = np.arange(41, N_FRAMES)
    boxes = np.repeat(np.array([[10, 10, 50, 50]], np.float32), len(frames), axis=0)
    run = ProposalRun(later, 41, boxes, np.full(len(frames), 0.95, np.float32), Origin("t", "1"))
    _session(opened).box_runs.replace(later, (41, N_FRAMES), [run])
    locked, bare = track_id(), track_id()
    opened.window.context.workspace.run(CreateTrack(locked, "locked", 0, Box(10, 10, 50, 50)))
    opened.window.context.workspace.run(SetTrack(locked, is_locked=True))
    opened.window.context.workspace.run(CreateTrack(bare, "bare", 0, Box(10, 10, 50, 50)))
    selection.set_tracks([first])
    gallery = _gallery(opened)
    assert not gallery.close_gallery.isVisible()
    QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Return)
    assert gallery.next_object.isDefault()
    assert not gallery.close_gallery.isVisible(), "another object has proposals"
    QTest.keyClick(gallery, Qt.Key.Key_Return)
    assert selection.tracks == (later,), "although it is not there on the present frame"
    opened.qtbot.waitUntil(lambda: all(tile.still is not None for tile in gallery.tiles.values()))
    QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Return)
    assert _session(opened).pending(later) == []
    QTest.keyClick(gallery, Qt.Key.Key_Return)
    assert selection.tracks == (bare,), "it has no proposals, but nobody has checked it"
    for frame in GRID:
        opened.window.context.workspace.run(SetKeyframe(bare, frame, Box(10, 10, 50, 50)))
    gallery.next_object.click()
    assert selection.tracks == (first,), "all are finished: the next one by number"
    assert gallery.close_gallery.isDefault()
    QTest.keyClick(gallery, Qt.Key.Key_Return)
    assert not gallery.isVisible()


def test_the_gallery_of_the_only_object_offers_no_next_one(opened: Desktop) -> None:
    _propose(opened, {})
    gallery = _gallery(opened)
    assert not gallery.next_object.isVisible()
    gallery.accept_page.click()
    assert gallery.close_gallery.isVisible()
    gallery.close_gallery.click()
    assert not gallery.isVisible()


def test_other_objects_that_are_selected_are_not_accepted_with_the_last_frames(
    opened: Desktop,
) -> None:
    other = _propose(opened, {})
    opened.window.context.workspace.selection.clear()
    mine = _propose(opened, {})
    opened.window.context.workspace.selection.set_tracks([other, mine])
    gallery = _gallery(opened)
    assert gallery.accept_page.text() == "Accept 2 frames"
    gallery.accept_page.click()
    assert _track(opened, mine).frames == (0, *GRID)
    assert _track(opened, other).frames == (0,)


def test_while_an_object_is_tracked_only_what_is_shown_is_accepted(
    opened: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    track_id = _propose(opened, {})
    gallery = _gallery(opened)
    with monkeypatch.context() as patched:
        busy = ProposingStatus(False, track_id, 50, N_FRAMES, 0)
        patched.setattr(Proposing, "status", busy)
        gallery.accept_page.click()
    assert _track(opened, track_id).frames == (0, *GRID)


def test_frames_that_wait_for_the_tracker_say_so(
    opened: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    track_id = _propose(opened, {})
    session = _session(opened)
    (run,) = session.box_runs.of(track_id)
    confidence = run.confidence.copy()
    confidence[50:] = np.nan  # not computed yet
    session.box_runs.replace(track_id, (1, N_FRAMES), [replace(run, confidence=confidence)])
    stage = opened.window.context.workspace.stage
    assert stage is not None
    assert stage.proposing is not None
    gallery = _gallery(opened)
    with monkeypatch.context() as patched:
        busy = ProposingStatus(False, track_id, 50, N_FRAMES, 0)
        patched.setattr(Proposing, "status", busy)
        # Frames that come do not tell of the others; that a tracker began does.
        opened.window.context.workspace.bridge.runsChanged.emit(RunsChanged(track_id, 1, 31))
        assert gallery.tiles[60].content.caption.endswith("Not tracked yet")
        assert gallery.tiles[30].content.caption.endswith("% confidence")
    stage.proposing.progressed.notify(stage.proposing.status)
    assert gallery.tiles[60].content.caption.endswith("No proposal")
    with monkeypatch.context() as patched:
        patched.setattr(Proposing, "status", busy)
        stage.proposing.progressed.notify(busy)
        assert gallery.tiles[60].content.caption.endswith("Not tracked yet")


def test_a_run_that_was_stopped_before_does_not_count_as_tracking(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    session = _session(opened)
    (run,) = session.box_runs.of(track_id)
    stopped = replace(run, origin=Origin("test", "1", {"is_complete": False}))
    session.box_runs.replace(track_id, (1, N_FRAMES), [stopped])
    gallery = _gallery(opened)
    gallery.accept_page.click()
    assert session.pending(track_id) == []


def test_frames_that_became_doubtful_are_shown_before_all_is_accepted(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    gallery = _gallery(opened)
    session = _session(opened)
    (run,) = session.box_runs.of(track_id)
    confidence = run.confidence.copy()
    confidence[75] = 0.3
    session.box_runs.replace(track_id, (1, N_FRAMES), [replace(run, confidence=confidence)])
    gallery.accept_page.click()
    assert list(gallery.tiles) == [76]
    assert _track(opened, track_id).frames == (0, *GRID)


def test_a_drag_on_a_tile_draws_the_box_of_its_frame(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    gallery = _gallery(opened)
    tile = gallery.tiles[30]
    before = opened.window.context.workspace.frame
    shown = tile._to_screen(tile.content.box)
    start, end = shown.topLeft().toPoint(), shown.bottomRight().toPoint() + QPoint(24, 12)
    QTest.mousePress(tile, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(tile, end)
    QTest.mouseRelease(tile, Qt.MouseButton.LeftButton, pos=end)
    key = _track(opened, track_id).keyframe_at(30)
    assert key is not None
    assert key.source is Source.HUMAN
    assert key.box is not None
    assert (key.box.x1, key.box.y1) == pytest.approx((80, 60), abs=1.5)
    assert key.box.x2 > 141
    assert tile.content.kind is TileKind.KEYFRAME
    assert opened.window.context.workspace.frame == before
    # The proposals that rest on the old box are not up to date and cannot be accepted.
    assert gallery.tiles[60].content.kind in (TileKind.OUTDATED, TileKind.PROPOSAL)
    opened.run("edit.undo")
    assert _track(opened, track_id).keyframe_at(30) is None
    assert tile.content.kind is TileKind.PROPOSAL


def test_proposals_that_come_during_a_drag_do_not_move_the_picture_under_it(
    opened: Desktop,
) -> None:
    track_id = _propose(opened, {})
    tile = _gallery(opened).tiles[30]
    box = tile._to_screen(tile.content.box)
    start, end = box.topLeft().toPoint(), box.center().toPoint()
    meant = [tile._to_image(QPointF(place)) for place in (start, end)]
    QTest.mousePress(tile, Qt.MouseButton.LeftButton, pos=start)
    session = _session(opened)
    (run,) = session.box_runs.of(track_id)
    away = np.tile(np.array([290, 150, 310, 170], np.float32), (len(run.boxes), 1))
    session.box_runs.replace(track_id, (1, N_FRAMES), [replace(run, values=away)])
    assert tile.content.box is not None
    assert tile.content.box.x1 == 290
    QTest.mouseRelease(tile, Qt.MouseButton.LeftButton, pos=end)
    key = _track(opened, track_id).keyframe_at(30)
    assert key is not None
    assert key.box is not None
    corners = (key.box.x1, key.box.y1), (key.box.x2, key.box.y2)
    assert corners[0] == pytest.approx((meant[0].x, meant[0].y))
    assert corners[1] == pytest.approx((meant[1].x, meant[1].y))


def test_a_click_and_a_line_draw_nothing(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    tile = _gallery(opened).tiles[30]
    for end in (QPoint(50, 50), QPoint(120, 51)):
        QTest.mousePress(tile, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
        QTest.mouseRelease(tile, Qt.MouseButton.LeftButton, pos=end)
    assert _track(opened, track_id).frames == (0,)


def test_keys_act_on_the_tile_with_the_focus(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    gallery = _gallery(opened)
    assert gallery.focusWidget() is gallery.tiles[30]
    QTest.keyClick(gallery.tiles[30], Qt.Key.Key_Right)
    assert gallery.focusWidget() is gallery.tiles[60]
    QTest.keyClick(gallery.tiles[60], Qt.Key.Key_W)
    key = _track(opened, track_id).keyframe_at(60)
    assert key is not None
    assert key.box is None
    assert gallery.tiles[60].content.box is None
    QTest.keyClick(gallery.tiles[60], Qt.Key.Key_Left)
    QTest.keyClick(gallery.tiles[30], Qt.Key.Key_Q)
    assert _track(opened, track_id).state_at(30).occluded


def test_outdated_proposals_are_not_accepted_and_stay_on_the_gallery(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    session = _session(opened)
    (run,) = session.box_runs.of(track_id)
    old = replace(run, origin=Origin("test", "1", {"anchors": [[7, 1.0, 2.0, 3.0, 4.0]]}))
    session.box_runs.replace(track_id, (1, N_FRAMES), [run.part(1, 45), old.part(45, N_FRAMES)])
    gallery = _gallery(opened)
    assert gallery.tiles[60].content.kind is TileKind.OUTDATED
    gallery.accept_page.click()
    assert _track(opened, track_id).frames == (0, 30)
    assert list(gallery.tiles) == GRID
    assert not gallery.accept_page.isEnabled()
    shown = gallery.tiles[60].content.box
    gallery.tiles[60].setFocus()
    QTest.keyClick(gallery.tiles[60], Qt.Key.Key_Q)
    marked = _track(opened, track_id).keyframe_at(60)
    assert marked is not None
    assert (marked.box, marked.occluded) == (shown, True)
    session.undo()
    session.box_runs.replace(track_id, (45, N_FRAMES), [run.part(45, N_FRAMES)])
    assert gallery.tiles[60].content.kind is TileKind.PROPOSAL
    assert gallery.accept_page.isEnabled()


def test_frames_that_were_skipped_count_as_seen(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    gallery = _gallery(opened)
    gallery.skip.click()
    assert gallery.tiles == {}
    assert gallery.accept_all.isDefault()
    assert gallery.close_gallery.isVisible(), "the other proposals may wait"
    gallery.accept_all.click()
    assert list(_track(opened, track_id).unseen) == []


def test_frames_accepted_without_a_look_are_checked_on_the_gallery(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    opened.press("Ctrl+Alt+A")
    assert list(_track(opened, track_id).unseen) == GRID
    gallery = _gallery(opened)
    assert [tile.content.kind for tile in gallery.tiles.values()] == [TileKind.UNSEEN] * 2
    gallery.accept_page.click()
    assert list(_track(opened, track_id).unseen) == []


def test_follows_the_selection_and_closes_with_a_double_click(opened: Desktop) -> None:
    _propose(opened, {})
    gallery = _gallery(opened)
    assert gallery.head.text().endswith(" 1")
    opened.window.context.workspace.selection.clear()
    assert gallery.tiles == {}
    assert gallery.empty.isVisible()
    opened.run("edit.select-all")
    opened.qtbot.waitUntil(lambda: list(gallery.tiles) == GRID)
    QTest.mouseDClick(gallery.tiles[60], Qt.MouseButton.LeftButton)
    opened.qtbot.waitUntil(lambda: opened.window.context.workspace.frame == 60)


def test_a_locked_object_has_no_tiles(opened: Desktop) -> None:
    _propose(opened, {})
    gallery = _gallery(opened)
    opened.run("track.lock")
    opened.window.context.workspace.selection.clear()
    opened.run("edit.select-all")
    assert gallery.tiles == {}


def test_undo_brings_back_the_frames_that_were_accepted(opened: Desktop) -> None:
    track_id = _propose(opened, {})
    gallery = _gallery(opened)
    gallery.accept_page.click()
    assert gallery.tiles == {}
    opened.run("edit.undo")
    assert _track(opened, track_id).frames == (0,)
    assert list(gallery.tiles) == GRID


def test_frames_of_one_object_do_not_count_as_seen_for_another(opened: Desktop) -> None:
    other = _propose(opened, {})
    opened.window.context.workspace.selection.clear()
    mine = _propose(opened, {})
    _gallery(opened)
    opened.window.context.workspace.selection.set_tracks([other])
    opened.run("proposal.accept-all")
    assert list(_track(opened, other).unseen) == GRID
    opened.window.context.workspace.selection.set_tracks([mine])
    opened.run("proposal.accept-all")
    assert list(_track(opened, mine).unseen) == []


def test_closing_a_task_closes_its_gallery(opened: Desktop) -> None:
    _propose(opened, {})
    gallery = _gallery(opened)
    opened.window.context.workspace.close_task()
    assert gallery.tiles == {}
    assert not gallery.isVisible()


def test_without_the_video_file_a_message_says_so(
    desktop: Desktop, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # Out of the project's folder, where it would be found by itself.
    video = project.with_name("square.mp4")
    video.rename(tmp_path_factory.mktemp("elsewhere") / video.name)
    assert desktop.window.context.projects.open_path(project)
    workspace, track = desktop.window.context.workspace, track_id()
    _session(desktop).run(CreateTrack(track, "cup", 0, Box(20, 60, 80, 120)))
    workspace.selection.set_tracks([track])
    messages: list[str] = []
    workspace.message.connect(messages.append)
    desktop.run("proposal.gallery")
    assert messages == ["The video file is missing."]
    assert not [w for w in QApplication.topLevelWidgets() if isinstance(w, ProposalGallery)]


# Points


def _propose_point(desktop: Desktop, doubtful: dict[int, float]) -> PointId:
    """Place a point on frames 0 and 80, and put proposals between that follow the square."""
    desktop.draw((20, 60), (80, 120))
    workspace = desktop.window.context.workspace
    session, point = _session(desktop), point_id()
    assert workspace.track is not None
    session.run(CreatePoint(point, workspace.track.id, "tip", 0, Point(30, 70)))
    session.run(SetPoint(point, 80, Point(190, 70)))
    frames = np.arange(1, 80)
    places = np.stack([30 + 2 * frames, 0 * frames + 70], axis=1).astype(np.float32)
    confidence = np.full(len(frames), 0.95, np.float32)
    for frame, value in doubtful.items():
        confidence[frame - 1] = value
    run = PointProposalRun(point, 1, places, confidence, Origin("test", "1"))
    session.point_runs.replace(point, (1, 80), [run])
    workspace.selection.set_points(workspace.track.id, [point])
    return point


def test_frames_of_a_point_are_accepted_with_one_key(opened: Desktop) -> None:
    point = _propose_point(opened, {20: 0.3, 22: 0.4, 50: 0.6})
    gallery = _gallery(opened)
    assert list(gallery.tiles) == [0, 20, 50]
    kinds = [tile.content.kind for tile in gallery.tiles.values()]
    assert kinds == [TileKind.KEYFRAME, TileKind.PROPOSAL, TileKind.PROPOSAL]
    assert gallery.head.text() == "object 1: tip"
    assert gallery.next_object.text() == "Next point"
    assert gallery.accept_page.text() == "Accept all proposals", "no other frame needs a look"
    QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Return)
    path = _session(opened).document.point(point).path
    assert len(path.frames()) == 81
    assert path.mark(20) == PointMark(Point(70, 70), source=Source.ACCEPTED)
    assert gallery.tiles == {}
    opened.run("edit.undo")
    assert list(gallery.tiles) == [0, 20, 50], "shown again: they are no longer accepted"
    opened.qtbot.waitUntil(lambda: all(tile.still is not None for tile in gallery.tiles.values()))
    gallery.accept_page.click()
    assert gallery.tiles == {}
    assert gallery.empty.text() == "No proposals of this point are left to accept."


def test_a_click_on_a_tile_places_the_point_on_its_frame(opened: Desktop) -> None:
    point = _propose_point(opened, {20: 0.3, 50: 0.6})
    gallery = _gallery(opened)
    tile = gallery.tiles[20]
    at = tile._to_screen(Box(75, 68, 76, 69)).topLeft().toPoint()
    QTest.mousePress(tile, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    QTest.mouseMove(tile, at)
    QTest.mouseRelease(tile, Qt.MouseButton.LeftButton, pos=at)
    mark = _session(opened).document.point(point).mark(20)
    assert mark is not None
    assert mark.source is Source.HUMAN
    assert mark.xy is not None
    assert (mark.xy.x, mark.xy.y) == pytest.approx((75, 68), abs=0.5)
    assert tile.content.kind is TileKind.KEYFRAME
    assert tile.content.dot is not None
    assert tile.content.dot.xy == mark.xy
    opened.run("edit.undo")
    assert tile.content.kind is TileKind.PROPOSAL


def test_a_point_is_not_placed_beside_its_tile(opened: Desktop) -> None:
    point = _propose_point(opened, {20: 0.3})
    tile = _gallery(opened).tiles[20]
    for end in (QPoint(-9, 20), QPoint(20, tile.height() - 4)):
        QTest.mousePress(tile, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
        QTest.mouseMove(tile, end)
        QTest.mouseRelease(tile, Qt.MouseButton.LeftButton, pos=end)
    assert _session(opened).document.point(point).mark(20) is None


def test_two_clicks_place_a_point_and_the_space_bar_opens_its_frame(opened: Desktop) -> None:
    point = _propose_point(opened, {20: 0.3, 50: 0.6})
    gallery = _gallery(opened)
    tile = gallery.tiles[50]
    at = tile._picture().center().toPoint()
    QTest.mouseClick(tile, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(tile, Qt.MouseButton.LeftButton, pos=at + QPoint(12, 0))
    QTest.mouseRelease(tile, Qt.MouseButton.LeftButton, pos=at + QPoint(12, 0))
    mark = _session(opened).document.point(point).mark(50)
    assert mark is not None
    assert mark.xy is not None
    assert mark.xy.x == pytest.approx(130 + 12 * tile._shown_area().width / tile.width(), abs=0.5)
    assert opened.window.context.workspace.frame == 0
    QTest.keyClick(tile, Qt.Key.Key_Space)
    opened.qtbot.waitUntil(lambda: opened.window.context.workspace.frame == 50)


def test_keys_mark_a_point_on_the_frame_of_the_tile_with_the_focus(opened: Desktop) -> None:
    point = _propose_point(opened, {20: 0.3, 50: 0.6})
    gallery = _gallery(opened)
    tile = gallery.tiles[50]
    tile.setFocus()
    marks = []
    for key in (Qt.Key.Key_Q, Qt.Key.Key_Q, Qt.Key.Key_W, Qt.Key.Key_W):
        QTest.keyClick(tile, key)
        marks.append((_session(opened).document.point(point).mark(50), tile.content.notice))
    occluded, away = PointMark(None, occluded=True), PointMark(None)
    assert marks == [(occluded, "Occluded"), (None, ""), (away, "Out of view"), (None, "")]
    assert tile.content.kind is TileKind.PROPOSAL


def test_one_mark_shows_the_point_occluded_on_the_tiles_around(opened: Desktop) -> None:
    point = _propose_point(opened, dict.fromkeys(range(15, 45), 0.5))
    gallery = _gallery(opened)
    assert list(gallery.tiles) == [0, 15, 23, 31, 39]
    gallery.tiles[23].setFocus()
    QTest.keyClick(gallery.tiles[23], Qt.Key.Key_Q)
    notices = [tile.content.notice for tile in gallery.tiles.values()]
    assert notices == ["", "Occluded", "Occluded", "Occluded", "Occluded"]
    QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Return)
    path = _session(opened).document.point(point).path
    marks = [path.mark(frame) for frame in (15, 23, 31, 39)]
    assert all(mark is not None and mark.occluded for mark in marks)
    opened.run("edit.undo")
    opened.run("edit.undo")
    assert {tile.content.notice for tile in gallery.tiles.values()} == {""}


def test_a_point_of_a_locked_object_and_one_without_proposals_have_no_tiles(
    opened: Desktop,
) -> None:
    point = _propose_point(opened, {20: 0.3})
    workspace, session = opened.window.context.workspace, _session(opened)
    track_id = session.document.point(point).info.track_id
    assert track_id is not None
    session.run(SetTrack(track_id, is_locked=True))
    gallery = _gallery(opened)
    assert gallery.tiles == {}
    assert gallery.empty.text() == "The point is locked."
    session.run(SetTrack(track_id, is_locked=False))
    assert list(gallery.tiles) == [0, 20]
    other = point_id()
    session.run(CreatePoint(other, track_id, "end", 0, Point(40, 70)))
    workspace.selection.set_points(track_id, [other])
    assert gallery.tiles == {}
    assert gallery.head.text() == "object 1: end"
    session.run(DeletePoints((other,)))
    assert gallery.head.text() == "object 1", "the object is selected now"


def test_a_point_placed_on_one_frame_only_is_to_be_placed_on_its_last_first(
    opened: Desktop,
) -> None:
    point = _propose_point(opened, {20: 0.3})
    gallery = _gallery(opened)
    assert "lowest confidence" in gallery.word.text()
    _session(opened).run(MarkPoints(point, 80, 81, "outside"))
    assert "last visible frame" in gallery.word.text()
