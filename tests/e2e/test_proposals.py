"""Proposals in the window: accepted here, to here and as a whole; dismissed; the doubtful first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from annotator.domain.annotation.track import Source, unchecked_grid_frames
from annotator.domain.commands import CreateTrack, SetKeyframe, SetOutside, ThinKeyframes
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, track_id
from annotator.domain.proposals.box_proposals import ProposalRun, open_gaps
from annotator.domain.proposals.runs import Origin
from annotator.services.project.projects import create_project
from annotator.ui.actions.tool_bar import VariantButton
from tests.assist.test_object_search import HIDDEN, MovedWhileHidden
from tests.e2e.conftest import N_FRAMES, Desktop
from tests.media.encoding import write_video


def _propose(desktop: Desktop, worst: int = 50) -> TrackId:
    """Draw a box on frame 0 and put proposals on all later frames that follow the square."""
    desktop.draw((20, 60), (80, 120))
    session, track = (
        desktop.window.context.workspace.session,
        desktop.window.context.workspace.track,
    )
    assert session is not None
    assert track is not None
    frames = np.arange(1, N_FRAMES)
    boxes = np.stack([20 + 2 * frames, 0 * frames + 60, 80 + 2 * frames, 0 * frames + 120], axis=1)
    confidence = np.full(len(frames), 0.9, np.float32)
    confidence[worst - 1] = 0.1
    run = ProposalRun(track.id, 1, boxes.astype(np.float32), confidence, Origin("test", "1"))
    session.box_runs.replace(track.id, (1, N_FRAMES), [run])
    return track.id


@pytest.fixture
def opened(desktop: Desktop, project: Path) -> Desktop:
    desktop.open(project)
    return desktop


def test_accepts_one_frame_then_up_to_here(opened: Desktop) -> None:
    _propose(opened)
    workspace = opened.window.context.workspace
    opened.press("V", "A")
    assert workspace.track is not None
    key = workspace.track.keyframe_at(30)
    assert key is not None
    assert key.source is Source.ACCEPTED
    assert key.box is not None
    assert key.box.x1 == pytest.approx(80)
    opened.press("V", "Alt+A")
    assert workspace.track.keyframe_at(60) is not None
    assert workspace.session is not None
    waiting = {p.frame for p in workspace.session.pending(workspace.track.id)}
    assert not waiting & set(range(31, 61))
    opened.press("Ctrl+Z", "Ctrl+Z")
    assert workspace.track.frames == (0,)


def test_accepting_that_it_is_out_of_view_draws_no_box_before(opened: Desktop) -> None:
    track_id = _propose(opened)
    session = opened.window.context.workspace.session
    assert session is not None
    (run,) = session.box_runs.of(track_id)
    gone = run.boxes.copy()
    gone[20:40] = np.nan  # on the frames 21 to 40
    session.run(SetKeyframe(track_id, 80, Box(180, 60, 240, 120)))
    session.box_runs.replace(track_id, (1, N_FRAMES), [replace(run, values=gone)])
    opened.press("V", "A")
    track = session.document.track(track_id)
    assert track.frames == (0, 30, 80)
    assert track.state_at(30).box is None
    waiting = {p.frame: p.box is None for p in session.pending(track_id) if p.frame < 80}
    assert [frame for frame, is_gone in waiting.items() if is_gone] == [
        *range(21, 30),
        *range(31, 41),
    ]


def test_marking_it_out_of_view_draws_no_box_where_it_is_proposed_as_away(opened: Desktop) -> None:
    track_id = _propose(opened)
    session = opened.window.context.workspace.session
    assert session is not None
    (run,) = session.box_runs.of(track_id)
    gone = run.boxes.copy()
    gone[20:29] = np.nan  # on the frames 21 to 29
    session.run(SetKeyframe(track_id, 80, Box(180, 60, 240, 120)))
    session.box_runs.replace(track_id, (1, N_FRAMES), [replace(run, values=gone)])
    opened.press("V", "W")
    assert session.document.track(track_id).frames == (0, 30, 80)


def _hide(desktop: Desktop, track_id: TrackId, hidden: range) -> None:
    """Propose the object as occluded on these frames."""
    session = desktop.window.context.workspace.session
    assert session is not None
    (run,) = session.box_runs.of(track_id)
    flags = np.zeros(len(run.occluded), np.uint8)
    flags[hidden.start - run.start : hidden.stop - run.start] = 1
    session.box_runs.replace(track_id, (1, N_FRAMES), [replace(run, occluded=flags)])


@pytest.mark.parametrize("key", ["A", "S", "Q"])
def test_keys_take_the_occlusion_of_a_proposal_as_it_is_shown(opened: Desktop, key: str) -> None:
    track_id = _propose(opened)
    _hide(opened, track_id, range(25, 40))
    workspace, inspector = opened.window.context.workspace, opened.window.context.panels.inspector
    opened.press("V")  # frame 30
    assert inspector.occluded.isChecked()
    opened.press(key)
    assert workspace.track is not None
    (track_30,) = [k for k in workspace.track.keyframes if k.frame == 30]
    assert track_30.occluded is (key != "Q"), "Q says that it is visible"
    opened.press("V")  # frame 60
    assert not inspector.occluded.isChecked()
    opened.press(key)
    (track_60,) = [k for k in workspace.track.keyframes if k.frame == 60]
    assert track_60.occluded is (key == "Q")
    assert track_60.box is not None
    assert track_60.box.x1 == pytest.approx(140)


def test_a_range_that_begins_occluded_is_marked_visible(opened: Desktop) -> None:
    track_id = _propose(opened)
    _hide(opened, track_id, range(25, 40))
    opened.press("V", "I", "V", "O", "Shift+Q")  # frames 30 to 60
    session = opened.window.context.workspace.session
    assert session is not None
    track = session.document.track(track_id)
    for frame in range(30, 61):
        state = track.state_at(frame)
        assert not state.occluded
        assert state.box is not None
        assert state.box.x1 == pytest.approx(20 + 2 * frame, abs=2)
        assert session.shown_at(track_id, frame) is None
    assert len(track.frames) <= 5
    # Around the range nothing changes, and undo brings its proposals back.
    assert [f for f in range(1, N_FRAMES) if session.is_occluded(track_id, f)] == [*range(25, 30)]
    assert {*range(1, 30)} <= {p.frame for p in session.pending(track_id)}
    opened.press("Ctrl+Z")
    assert [f for f in range(1, N_FRAMES) if session.is_occluded(track_id, f)] == [*range(25, 40)]


def test_of_a_range_marked_visible_frames_that_nobody_saw_stay_unchecked(opened: Desktop) -> None:
    track_id = _propose(opened)
    _hide(opened, track_id, range(5, N_FRAMES))
    session = opened.window.context.workspace.session
    assert session is not None
    opened.press("V", "I", "End", "O", "Shift+Q")  # frame 60 was not on the screen
    assert not any(session.is_occluded(track_id, f) for f in range(30, N_FRAMES))
    assert session.document.track(track_id).unseen == [60]


@pytest.mark.parametrize("key", ["Shift+Q", "Shift+W"])
def test_a_marked_range_ends_where_the_object_is_proposed(opened: Desktop, key: str) -> None:
    track_id = _propose(opened)
    opened.press("V", "I", "V", "O", key)  # frames 30 to 60
    session = opened.window.context.workspace.session
    assert session is not None
    track = session.document.track(track_id)
    back = track.keyframe_at(61)
    assert back is not None
    assert back.box is not None
    assert back.box.x1 == pytest.approx(142)
    if key == "Shift+Q":  # they are occluded, and still to be looked at
        assert {*range(31, 61)} <= {p.frame for p in session.pending(track_id) if p.occluded}
    opened.press("Ctrl+Alt+A")
    track = session.document.track(track_id)
    for frame in (10, 29, 62, 80):
        state = track.state_at(frame)
        assert state.box is not None
        assert state.box.x1 == pytest.approx(20 + 2 * frame, abs=2)
        assert not state.occluded
    if key == "Shift+W":
        assert not track.is_present_in(30, 61)
    else:
        assert all(track.state_at(frame).occluded for frame in range(30, 61))


def test_accepts_all_as_few_keyframes(opened: Desktop) -> None:
    track_id = _propose(opened)
    opened.press("Ctrl+Alt+A")
    session = opened.window.context.workspace.session
    assert session is not None
    track = session.document.track(track_id)
    assert len(track.frames) <= 4
    box = track.state_at(45).box
    assert box is not None
    assert box.x1 == pytest.approx(110, abs=1)
    assert session.pending(track_id) == []


def test_what_is_checked_as_a_whole_is_tracked_again_on_request(opened: Desktop) -> None:
    track_id = _propose(opened)
    opened.press("Ctrl+Alt+A")
    workspace = opened.window.context.workspace
    session = workspace.session
    assert session is not None
    assert open_gaps(session.document.track(track_id), N_FRAMES) == []
    opened.press("Ctrl+B")
    (gap,) = open_gaps(session.document.track(track_id), N_FRAMES)
    assert gap.start == 1
    assert session.undo_op == "open-gap"
    # What is open already is tracked, and no other gap is opened.
    opened.press("End", "Ctrl+B")
    assert open_gaps(session.document.track(track_id), N_FRAMES) == [gap]
    opened.press("Ctrl+Z")
    assert open_gaps(session.document.track(track_id), N_FRAMES) == []


def test_the_menu_of_accept_opens_on_a_keyframe_too(opened: Desktop) -> None:
    _propose(opened)
    opened.window.context.updates.refresh()
    button = opened.window.findChild(VariantButton, "proposal.accept")
    assert not button.defaultAction().isEnabled()
    assert button.isEnabled()
    menus = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        menus.append({action.objectName(): action.isEnabled() for action in menu.actions()})
        menu.close()

    QTimer.singleShot(0, look)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    names = ("proposal.gallery", "proposal.accept-to-here", "proposal.accept-all")
    assert menus == [dict.fromkeys(names, True)]
    opened.press("Esc")
    opened.window.context.updates.refresh()
    assert not button.isEnabled()


def test_a_key_that_cannot_act_says_why(opened: Desktop) -> None:
    _propose(opened)
    opened.press("Esc", "Ctrl+Alt+A")
    text = opened.window.context.middle.toast.text()
    assert text == "“Accept all” is available when a selected object or point has proposals."
    opened.press("PgUp")
    assert opened.window.context.middle.toast.text() == text, "lists use this key themselves"
    button = opened.window.findChild(VariantButton, "proposal.accept")
    assert "when a selected object or point has a proposal on this frame" in button.toolTip()


def test_frames_marked_as_out_of_view_stay_so_after_accepting_all(opened: Desktop) -> None:
    track_id = _propose(opened, worst=50)
    workspace = opened.window.context.workspace
    workspace.run(SetOutside(track_id, 40, True))
    workspace.run(SetKeyframe(track_id, 60, Box(140, 60, 200, 120)))
    opened.press("Ctrl+Alt+A")
    track = workspace.track
    assert track is not None
    assert [f for f in range(30, 70) if track.state_at(f).box is None] == list(range(40, 51))
    assert not opened.window.context.table.action("proposal.accept-all").isEnabled()


def _unchecked(opened: Desktop, track_id: TrackId) -> list[int]:
    session = opened.window.context.workspace.session
    assert session is not None
    track = session.document.track(track_id)
    return unchecked_grid_frames(track, step=session.document.video.grid_step, n_frames=N_FRAMES)


def test_grid_frames_that_were_never_shown_stay_unchecked_after_accepting_all(
    opened: Desktop,
) -> None:
    track_id = _propose(opened)
    grid = _unchecked(opened, track_id)
    assert grid[:2] == [30, 60]
    opened.press("V", "Ctrl+Alt+A")
    assert _unchecked(opened, track_id) == grid[1:]
    opened.press("V")
    assert opened.window.context.table.action("proposal.accept").isEnabled()
    opened.press("A")
    assert _unchecked(opened, track_id) == grid[2:]
    assert not opened.window.context.table.action("proposal.accept").isEnabled()
    opened.press("Ctrl+Z", "Ctrl+Z")
    assert _unchecked(opened, track_id) == grid
    assert opened.window.context.workspace.session is not None
    assert opened.window.context.workspace.session.pending(track_id)


def test_whoever_looked_first_has_no_grid_frame_left_after_accepting_all(opened: Desktop) -> None:
    track_id = _propose(opened)
    opened.press(*("V" for _ in _unchecked(opened, track_id)))
    opened.press("Ctrl+Alt+A")
    assert _unchecked(opened, track_id) == []


def test_other_proposals_than_those_shown_are_unseen(opened: Desktop) -> None:
    track_id = _propose(opened)
    grid = _unchecked(opened, track_id)
    opened.press(*("V" for _ in grid))
    session = opened.window.context.workspace.session
    assert session is not None
    (run,) = session.box_runs.of(track_id)
    moved = replace(run, values=run.boxes + np.float32(3))
    session.box_runs.replace(track_id, (1, 45), [moved.part(1, 45)])
    opened.press("Ctrl+Alt+A")
    assert _unchecked(opened, track_id) == [30]


def test_a_gap_dismissed_without_a_look_stays_unchecked(opened: Desktop) -> None:
    track_id = _propose(opened)
    grid = _unchecked(opened, track_id)
    opened.press("V", "Shift+A")
    assert _unchecked(opened, track_id) == grid[1:]


def test_most_doubtful_frame_comes_first_then_others(opened: Desktop) -> None:
    _propose(opened, worst=50)
    opened.press("U")
    assert opened.window.context.workspace.frame == 50
    messages: list[str] = []
    opened.window.context.workspace.message.connect(messages.append)
    opened.press("U")
    assert abs(opened.window.context.workspace.frame - 50) > 5
    assert messages == ["No more frames have a confidence below 90%."]
    presses = 0
    while "Restarting" not in messages[-1] and presses < N_FRAMES:
        opened.press("U")
        presses += 1
    assert opened.window.context.workspace.frame == 50


@pytest.mark.parametrize(
    ("key", "is_occluded"), [("S", False), ("Q", True), ("Alt+M", False)], ids=["S", "Q", "split"]
)
def test_keys_fix_an_outdated_proposal_where_it_is_shown(
    opened: Desktop, key: str, is_occluded: bool
) -> None:
    """A person who is faster than the trackers sees the old proposal, not the last keyframe."""
    owner = _propose(opened)
    session = opened.window.context.workspace.session
    assert session is not None
    (run,) = session.box_runs.of(owner)
    old = replace(run, origin=Origin("test", "1", {"anchors": [[7, 1.0, 2.0, 3.0, 4.0]]}))
    session.box_runs.replace(owner, (1, N_FRAMES), [old])
    opened.press("V")
    inspector = opened.window.context.panels.inspector
    assert inspector._state.text() == "Outdated proposal"
    assert inspector._box.text().startswith("80.0, 60.0 … 140.0, 120.0")
    opened.press(key)
    keyframes = [k for track in session.document.tracks for k in track.keyframes]
    (keyframe,) = [k for k in keyframes if k.frame == 30 and k.box is not None]
    assert (keyframe.box, keyframe.occluded) == (Box(80, 60, 140, 120), is_occluded)


def test_dismissed_gap_shows_no_proposal(opened: Desktop) -> None:
    track_id = _propose(opened)
    opened.press("V")
    assert opened.window.context.workspace.is_pending_here()
    assert "Proposed" in opened.window.context.panels.inspector._state.text()
    opened.press("Shift+A")
    assert not opened.window.context.workspace.is_pending_here()
    session = opened.window.context.workspace.session
    assert session is not None
    assert session.document.track(track_id).keyframes[0].settled


@pytest.mark.parametrize("action", ["track.split", "track.outside"])
def test_a_cut_keeps_the_boxes_that_are_shown_beside_it(opened: Desktop, action: str) -> None:
    track_id = _propose(opened)
    window = opened.window
    session = window.context.workspace.session
    assert session is not None
    held = session.document.track(track_id).keyframes[0].box
    session.run(SetKeyframe(track_id, 60, held))
    window.context.playback.seek(30)
    opened.settle()
    window.context.table.run(action)
    track = session.document.track(track_id)
    before = track.keyframe_at(29)
    assert before is not None
    assert before.box is not None
    assert before.box.x1 == pytest.approx(78)
    assert not track.state_at(30).is_present or action == "track.outside"
    new = [t for t in session.document.tracks if t.id != track_id]
    assert [t.keyframes[0].box.x1 for t in new if t.keyframes[0].box] == (
        [pytest.approx(80)] if action == "track.split" else []
    )


def test_tracker_runs_from_the_window(opened: Desktop) -> None:
    opened.draw((20, 60), (80, 120))
    opened.press("Ctrl+B")
    session, track = opened.window.context.workspace.session, opened.window.context.workspace.track
    assert session is not None
    assert track is not None
    opened.qtbot.waitUntil(lambda: len(session.pending(track.id)) >= 30, timeout=60_000)
    proposed = session.pending_at(track.id, 20)
    assert proposed is not None
    assert proposed.box is not None
    assert proposed.box.x1 == pytest.approx(60, abs=8)
    opened.press("Esc")


def test_a_message_says_where_an_object_returns_after_it_left(
    desktop: Desktop, tmp_path: Path
) -> None:
    ball = MovedWhileHidden()
    write_video(tmp_path / "ball.mp4", map(ball.image, range(len(ball))))
    made = create_project(tmp_path / "ball.annot", title="Ball")
    made.add_videos([tmp_path / "ball.mp4"])
    made.close()
    desktop.open(tmp_path / "ball.annot")
    context = desktop.window.context
    session, track = context.workspace.session, track_id()
    assert session is not None
    session.run(CreateTrack(track, "ball", 0, Box(*ball.box(0).tolist())))
    context.workspace.selection.set_tracks((track,))
    session.run(SetOutside(track, HIDDEN.start, True))
    desktop.press("Ctrl+B")
    toast = context.middle.toast
    desktop.qtbot.waitUntil(lambda: "proposed again" in toast.text(), timeout=60_000)
    waiting = [p.frame for p in session.pending(track) if p.frame > HIDDEN.start]
    assert toast.text() == f"“ball” is proposed again from frame {waiting[0]} on."
    assert HIDDEN.stop <= waiting[0] < HIDDEN.stop + 10


@pytest.mark.parametrize("place", ["nowhere", "preferences", "recipe"])
def test_hidden_objects_are_proposed_as_out_of_view_where_the_guidelines_say_so(
    desktop: Desktop, tmp_path: Path, place: str
) -> None:
    ball, frame = MovedWhileHidden(), HIDDEN.start + 10
    write_video(tmp_path / "ball.mp4", map(ball.image, range(len(ball))))
    recipe = "annotate-review" if place == "recipe" else None
    made = create_project(tmp_path / "ball.annot", title="Ball", recipe=recipe)
    if recipe is not None:
        text = made.work.recipe_text().replace("version = 1", "version = 2", 1)
        made.work.use_recipe(text.replace("tools =", 'hidden = "out-of-view"\ntools ='))
    made.add_videos([tmp_path / "ball.mp4"])
    made.close()
    workspace = desktop.window.context.workspace
    if place == "preferences":
        workspace.settings.set("proposals.hidden", "out-of-view")
    assert desktop.window.context.projects.open_path(tmp_path / "ball.annot")
    assert workspace.project is not None
    if workspace.project.work.me is not None:
        workspace.sign_in(workspace.project.work.me.id)
    assert workspace.open_task(workspace.project.tasks()[0].id)
    desktop.settle()
    session, track = workspace.session, track_id()
    assert session is not None
    session.run(CreateTrack(track, "ball", 0, Box(*ball.box(0).tolist())))
    workspace.selection.set_tracks((track,))
    desktop.press("Ctrl+B")
    desktop.qtbot.waitUntil(lambda: len(session.pending(track)) == len(ball) - 1, timeout=60_000)
    proposed = session.pending_at(track, frame)
    assert proposed is not None
    assert proposed.occluded is (place == "nowhere")
    assert (proposed.box is None) is (place != "nowhere")


def test_keyframes_are_thinned_with_a_live_preview(desktop: Desktop, project: Path) -> None:
    from annotator.ui.dialogs.keyframe_reduction import ThinningDialog

    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    session = desktop.window.context.workspace.session
    assert session is not None
    (track,) = session.document.tracks
    for frame in range(1, 40):
        session.run(SetKeyframe(track.id, frame, Box(20 + frame, 60, 80 + frame, 120)))
    desktop.window.context.workspace.selection.set_tracks([track.id])
    dialog = ThinningDialog(
        desktop.window.context.workspace, desktop.window.context.workspace.tracks, desktop.window
    )
    desktop.qtbot.addWidget(dialog)
    desktop.qtbot.waitUntil(lambda: "40 → 2" in dialog.word.text(), timeout=5000)
    assert "Largest deviation: 0." in dialog.word.text()
    desktop.window.context.workspace.run(ThinKeyframes((track.id,), dialog.tolerance()))
    assert session.document.track(track.id).frames == (0, 39)


def test_keys_lead_to_the_ends_and_the_manual_keyframes_of_a_track(
    desktop: Desktop, project: Path
) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    window = desktop.window
    session, (track,) = window.context.workspace.session, window.context.workspace.tracks
    assert session is not None
    for frame, source in ((20, Source.ACCEPTED), (40, Source.HUMAN), (60, Source.ACCEPTED)):
        session.run(SetKeyframe(track.id, frame, Box(20, 60, 80, 120), source=source))
    seen = []
    for key in ("Ctrl+End", "Ctrl+Alt+E", "Ctrl+Alt+E", "Ctrl+Alt+R", "Ctrl+Home"):
        desktop.press(key)
        seen.append(window.context.workspace.frame)
    assert seen == [60, 40, 0, 40, 0]
