"""The canvas as a person uses it: real mouse and key events on a draft of a real project file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Phase, Source, Track
from annotator.domain.commands import (
    AcceptProposals,
    CreateSegment,
    SetOccluded,
    SetOutside,
    SetTrack,
)
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId, segment_id
from annotator.domain.proposals.box_proposals import ProposalRun, Proposed, open_gaps
from annotator.domain.proposals.runs import Origin
from annotator.ui.canvas.input.box_geometry import handle_places
from annotator.ui.canvas.painting.shown_picture import Tone
from annotator.ui.dialogs.tone_dialog import ToneDialog
from tests.ui.drafts import HEIGHT, WIDTH, Draft, picture
from tests.ui.hands import ALT, CTRL, LEFT, NONE, SHIFT, Hands

MIDDLE = Qt.MouseButton.MiddleButton


class Person(Hands):
    """Hands that also draw, turn the wheel and type."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.show(0)

    def image_point(self, at: QPoint) -> Point:
        return self.view.board.viewport.to_image(at.x(), at.y())

    def draw(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.view.tools.set_tool("box")
        self.drag(start, end)

    def wheel(self, x: float, y: float, notches: int) -> None:
        at = QPointF(self.at(x, y))
        event = QWheelEvent(
            at,
            at,
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(self.view, event)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.view, key, keys)

    def track(self, track_id: TrackId) -> Track:
        return self.session.document.track(track_id)

    def box(self, track_id: TrackId, frame: int = 0) -> Box:
        box = self.track(track_id).state_at(frame).box
        assert box is not None
        return box


@pytest.fixture
def person(qapp: QApplication, tmp_path: Path) -> Iterator[Person]:
    draft = Draft(tmp_path)
    made = Person(draft)
    yield made
    made.view.close()
    draft.close()


def near(box: Box, *values: float, within: float = 1.5) -> bool:
    return all(abs(a - b) <= within for a, b in zip(box.as_tuple(), values, strict=True))


def only_track(person: Person) -> Track:
    tracks = person.session.document.tracks
    assert len(tracks) == 1
    return tracks[0]


# Drawing


@pytest.mark.parametrize("notches", [-3, 0, 4, 9])
def test_a_drawn_box_is_where_the_mouse_went_at_any_zoom(person: Person, notches: int) -> None:
    person.wheel(300, 200, notches)
    start, end = QPoint(210, 130), QPoint(415, 300)
    person.view.tools.set_tool("box")
    QTest.mousePress(person.view, LEFT, NONE, start)
    QTest.mouseMove(person.view, QPoint(300, 200))
    QTest.mouseMove(person.view, end)
    QTest.mouseRelease(person.view, LEFT, NONE, end)
    first, last = person.image_point(start), person.image_point(end)
    wanted = Box(first.x, first.y, last.x, last.y).clipped(WIDTH, HEIGHT)
    assert only_track(person).keyframes[0].box == wanted
    assert person.selection.primary == only_track(person).id
    assert person.view.tools.tool == "select"


def test_a_box_drawn_from_corner_to_corner_backwards_is_the_same_box(person: Person) -> None:
    person.draw((300, 220), (120, 80))
    assert near(only_track(person).keyframes[0].box, 120, 80, 300, 220)


def test_nothing_changes_until_the_button_comes_up(person: Person) -> None:
    person.view.tools.set_tool("box")
    person.press(100, 100)
    person.move(200, 180)
    assert person.session.document.tracks == ()
    assert person.view.board.draft is not None
    person.release(200, 180)
    assert person.view.board.draft is None
    assert near(only_track(person).keyframes[0].box, 100, 100, 200, 180)


def test_a_click_without_a_drag_creates_nothing(person: Person) -> None:
    person.view.tools.set_tool("box")
    person.click(100, 100)
    assert person.session.document.tracks == ()
    assert person.view.tools.tool == "box"


def test_a_tiny_box_is_refused_with_a_word(person: Person) -> None:
    said: list[str] = []
    person.view.message.connect(said.append)
    person.draw((100, 100), (160, 101))
    assert person.session.document.tracks == ()
    assert len(said) == 1
    assert "too small" in said[0]


def test_escape_drops_the_draft_and_then_the_tool(person: Person) -> None:
    person.view.tools.set_tool("box")
    person.press(100, 100)
    person.move(200, 180)
    person.key(Qt.Key.Key_Escape)
    assert person.view.board.draft is None
    assert person.view.tools.tool == "box"
    person.release(200, 180)
    person.key(Qt.Key.Key_Escape)
    assert person.view.tools.tool == "select"
    assert person.session.document.tracks == ()


def test_two_clicks_draw_a_box(person: Person) -> None:
    person.view.tools.set_tool("box-corners")
    person.click(80, 60)
    assert person.session.document.tracks == ()
    person.move(150, 150)
    person.click(200, 160)
    assert near(only_track(person).keyframes[0].box, 80, 60, 200, 160)


def test_four_extreme_clicks_draw_a_box(person: Person) -> None:
    person.view.tools.set_tool("box-extremes")
    for x, y in ((150, 40), (90, 100), (160, 180), (240, 110)):
        person.click(x, y)
    assert near(only_track(person).keyframes[0].box, 90, 40, 240, 180)


def test_a_click_asks_for_the_box_of_what_is_there(person: Person) -> None:
    asked: list[Point] = []
    person.view.board.clicked.connect(lambda place, _: asked.append(place))
    person.view.tools.set_tool("box-click")
    person.click(150, 40)
    assert [(round(p.x), round(p.y)) for p in asked] == [(150, 40)]
    assert person.session.document.tracks == ()


def test_undo_while_drawing_takes_the_last_click_back_and_nothing_else(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(10, 10, 60, 60)))
    person.view.tools.set_tool("box-extremes")
    person.click(150, 40)
    person.click(600, 100)
    person.key(Qt.Key.Key_Z, CTRL)
    for x, y in ((90, 100), (160, 180), (240, 110)):
        person.click(x, y)
    tracks = person.session.document.tracks
    assert tracks[0].id == cup
    assert near(tracks[1].keyframes[0].box, 90, 40, 240, 180)


def test_a_box_is_cut_at_the_border_of_the_picture(person: Person) -> None:
    person.draw((600, 300), (WIDTH + 8, HEIGHT + 8))
    assert near(only_track(person).keyframes[0].box, 600, 300, WIDTH, HEIGHT)


def test_the_keyboard_alone_places_moves_and_resizes_a_box(person: Person) -> None:
    person.view.tools.set_tool("box")
    person.key(Qt.Key.Key_Return)
    track = only_track(person)
    before = person.box(track.id)
    assert abs(before.center.x - WIDTH / 2) < 1
    assert person.view.tools.is_adjusting
    person.key(Qt.Key.Key_Right)
    person.key(Qt.Key.Key_Down, SHIFT)
    person.key(Qt.Key.Key_Left, CTRL | SHIFT)
    after = person.box(track.id)
    assert after == Box(before.x1 + 1, before.y1 + 10, before.x2, before.y2 + 10)
    person.key(Qt.Key.Key_Return)
    assert not person.view.tools.is_adjusting
    person.key(Qt.Key.Key_Return, SHIFT)
    assert not person.view.tools.is_adjusting, "with another key held it means something else"


def test_drawing_for_a_selected_object_that_is_away_brings_it_back(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(50, 50, 120, 120)))
    person.session.run(SetOutside(cup, 10, value=True))
    person.show(20)
    person.selection.set_tracks([cup])
    person.draw((300, 100), (400, 200))
    assert only_track(person).keyframe_at(20) is not None
    assert near(person.box(cup, 20), 300, 100, 400, 200)


def test_alt_draws_a_new_object_whatever_is_selected(person: Person) -> None:
    cup = person.draft.add("cup", (30, Box(50, 50, 120, 120)))
    person.selection.set_tracks([cup])
    person.view.tools.set_tool("box")
    person.press(300, 100, ALT)
    event_end = person.at(400, 200)
    QTest.mouseMove(person.view, event_end)
    QTest.mouseRelease(person.view, LEFT, ALT, event_end)
    assert len(person.session.document.tracks) == 2
    assert person.track(cup).frames == (30,)


def test_draw_again_means_a_new_object(person: Person) -> None:
    cup = person.draft.add("cup", (30, Box(50, 50, 120, 120)))
    person.selection.set_tracks([cup])
    person.view.tools.repeat_draw_tool()
    person.drag((300, 100), (400, 200))
    assert len(person.session.document.tracks) == 2


def test_a_box_drawn_with_one_object_selected_redraws_it(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(50, 50, 120, 120)))
    person.selection.set_tracks([cup])
    person.draw((300, 100), (400, 200))
    assert len(person.session.document.tracks) == 1
    assert near(person.box(cup, 0), 300, 100, 400, 200)
    person.selection.clear()
    person.draw((20, 20), (90, 90))
    assert len(person.session.document.tracks) == 2
    assert near(person.box(cup, 0), 300, 100, 400, 200)


# Moving and resizing


@pytest.mark.parametrize("gesture", ["redraw", "drag", "bring back"])
@pytest.mark.parametrize("is_tracked", [True, False])
def test_a_correction_of_an_accepted_frame_opens_those_around_it_while_trackers_work(
    person: Person, gesture: str, is_tracked: bool
) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    if gesture == "bring back":
        person.session.run(SetOutside(cup, 10, value=True))
    place = None if gesture == "bring back" else Box(100, 100, 200, 180)
    proposed = tuple(Proposed(frame, place, 0.9) for frame in range(11, 60))
    person.session.run(AcceptProposals(cup, proposed, unseen=(30,)))
    before = person.track(cup)
    person.session.is_tracked = is_tracked
    person.selection.set_tracks([cup])
    person.show(35)
    if gesture == "redraw":
        person.draw((300, 100), (400, 200))
    else:
        person.drag((150, 140), (300, 170))
    after, n_frames = person.track(cup), person.session.document.video.n_frames
    opened = {(gap.start, gap.end) for gap in open_gaps(after, n_frames)}
    opened -= {(gap.start, gap.end) for gap in open_gaps(before, n_frames)}
    assert after.keyframe_at(35).source is Source.HUMAN
    assert (34 in {f for a, b in opened for f in range(a, b)}) is is_tracked


def test_dragging_a_box_moves_it_by_a_keyframe(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.show(15)
    person.drag((150, 140), (210, 170))
    assert near(person.box(cup, 15), 160, 130, 260, 210)
    assert person.track(cup).frames == (0, 15)
    assert person.box(cup, 0) == Box(100, 100, 200, 180)


def test_a_moved_box_keeps_its_size_at_the_border(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(500, 100, 600, 180)))
    person.drag((550, 140), (640, 140))
    box = person.box(cup)
    assert box.x2 == WIDTH
    assert box.width == pytest.approx(100)


@pytest.mark.parametrize(
    ("which", "keys", "wanted"),
    [
        ("BOTTOM_RIGHT", NONE, (100, 100, 240, 200)),
        ("TOP_LEFT", NONE, (140, 120, 200, 180)),
        ("RIGHT", NONE, (100, 100, 240, 180)),
        ("TOP", NONE, (100, 120, 200, 180)),
        ("RIGHT", ALT, (60, 100, 240, 180)),
        ("BOTTOM_RIGHT", SHIFT, (100, 100, 240, 212)),
    ],
)
def test_handles_resize(
    person: Person, which: str, keys: Qt.KeyboardModifier, wanted: tuple[float, ...]
) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.selection.set_tracks([cup])
    places = handle_places(person.view.board.viewport.box_to_widget(person.box(cup)))
    x, y = next(place for handle, place in places.items() if handle.name == which)
    start = QPoint(round(x), round(y))
    scale = person.view.board.viewport.scale
    end = start + QPoint(round(40 * scale), round(20 * scale))
    QTest.mousePress(person.view, LEFT, keys, start)
    QTest.mouseMove(person.view, (start + end) / 2)
    QTest.mouseRelease(person.view, LEFT, keys, end)
    assert near(person.box(cup), *wanted)


def test_what_cannot_be_changed_has_no_handles(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.selection.set_tracks([cup])
    corner = person.view.board.viewport.to_widget(Point(200, 180))
    target = person.view.board.hit_at(*corner)
    assert target is not None
    assert target.handle is not None
    drawn = person.view.grab().toImage()
    person.session.follow_workflow(is_submitted=True)
    target = person.view.board.hit_at(*corner)
    assert target is not None
    assert target.handle is None
    person.view.board.refresh()
    assert person.view.grab().toImage() != drawn


def test_undo_brings_the_box_back_to_where_it_was(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.drag((150, 140), (250, 170))
    assert person.box(cup) != Box(100, 100, 200, 180)
    person.session.undo()
    assert person.box(cup) == Box(100, 100, 200, 180)
    shape = person.view.board.shape_of(cup)
    assert shape is not None
    assert shape.box == Box(100, 100, 200, 180)


def test_a_small_shake_while_clicking_moves_nothing(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.press(150, 140)
    person.move(151, 141)
    person.release(152, 141)
    assert person.box(cup) == Box(100, 100, 200, 180)
    assert person.selection.tracks == (cup,)


def test_escape_during_a_drag_leaves_the_box(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.press(150, 140)
    person.move(250, 170)
    person.key(Qt.Key.Key_Escape)
    person.release(250, 170)
    assert person.box(cup) == Box(100, 100, 200, 180)
    assert person.view.board.draft is None


def test_a_drag_whose_end_was_lost_is_dropped_by_the_next_press(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.press(150, 140)
    person.move(250, 170)
    person.click(500, 300)
    assert person.box(cup) == Box(100, 100, 200, 180)
    assert not person.view.tools.is_busy


def test_quick_nudges_are_one_step_of_undo(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.selection.set_tracks([cup])
    for _ in range(5):
        person.view.tools.nudge(1, 0)
    assert person.box(cup) == Box(105, 100, 205, 180)
    person.session.undo()
    assert person.box(cup) == Box(100, 100, 200, 180)


def test_a_locked_box_stays_and_says_why(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.session.run(SetTrack(cup, is_locked=True))
    said: list[str] = []
    person.view.message.connect(said.append)
    person.drag((150, 140), (250, 170))
    assert person.box(cup) == Box(100, 100, 200, 180)
    assert len(said) == 1
    assert "locked" in said[0]
    assert person.view.board.draft is None


def test_dragging_a_ghost_brings_the_object_back(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.session.run(SetOutside(cup, 10, value=True))
    person.show(30)
    person.selection.set_tracks([cup])
    person.drag((150, 140), (250, 170))
    assert near(person.box(cup, 30), 200, 130, 300, 210)
    assert person.track(cup).state_at(29).box is None


def test_a_submitted_draft_takes_no_box_and_says_why(person: Person) -> None:
    person.session.follow_workflow(is_submitted=True)
    failed: list[UserError] = []
    person.view.failed.connect(failed.append)
    person.draw((100, 100), (200, 180))
    assert person.session.document.tracks == ()
    assert person.view.board.draft is None
    assert len(failed) == 1
    assert "submitted" in failed[0].text


def test_escape_reaches_a_gesture_before_the_windows_own_shortcut(person: Person) -> None:
    stopped: list[bool] = []
    shortcut = QShortcut(QKeySequence(Qt.Key.Key_Escape), person.view)
    shortcut.activated.connect(lambda: stopped.append(True))
    person.view.activateWindow()
    assert QTest.qWaitForWindowActive(person.view)
    person.view.tools.set_tool("box-corners")
    person.click(100, 100)
    person.key(Qt.Key.Key_Escape)
    assert not person.view.tools.is_busy
    person.key(Qt.Key.Key_Escape)
    assert person.view.tools.tool == "select"
    assert stopped == []
    person.key(Qt.Key.Key_Escape)
    assert stopped == [True]


# Choosing


def test_the_smallest_object_under_the_cursor_is_chosen(person: Person) -> None:
    person.draft.add("table", (0, Box(20, 20, 600, 340)))
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.draft.add("room", (0, Box(0, 0, 640, 360)))
    person.click(150, 140)
    assert person.selection.tracks == (cup,)


def test_a_handle_goes_before_a_smaller_object(person: Person) -> None:
    table = person.draft.add("table", (0, Box(100, 100, 400, 300)))
    cup = person.draft.add("cup", (0, Box(380, 280, 420, 320)))
    person.selection.set_tracks([table])
    person.drag((400, 300), (440, 330))
    assert near(person.box(table), 100, 100, 440, 330)
    assert person.box(cup) == Box(380, 280, 420, 320)


def test_ctrl_click_chooses_several(person: Person) -> None:
    one = person.draft.add("one", (0, Box(100, 100, 200, 180)))
    two = person.draft.add("two", (0, Box(300, 100, 400, 180)))
    person.click(150, 140)
    person.click(350, 140, CTRL)
    assert person.selection.tracks == (one, two)
    person.click(150, 140, CTRL)
    assert person.selection.tracks == (two,)


def test_a_click_on_nothing_chooses_nothing_and_a_drag_pans(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.selection.set_tracks([cup])
    before = person.view.zooming.view()
    person.drag((500, 300), (420, 250))
    assert person.view.zooming.view() != before
    assert person.selection.tracks == (cup,)
    person.click(500, 300)
    assert person.selection.tracks == ()


def test_tab_goes_round_the_objects_of_the_frame(person: Person) -> None:
    one = person.draft.add("one", (0, Box(100, 100, 200, 180)))
    two = person.draft.add("two", (0, Box(300, 100, 400, 180)))
    later = person.draft.add("later", (50, Box(300, 100, 400, 180)))
    seen = []
    for _ in range(3):
        person.key(Qt.Key.Key_Tab)
        seen.append(person.selection.primary)
    assert seen == [one, two, one]
    person.key(Qt.Key.Key_Backtab, SHIFT)
    assert person.selection.primary == two
    assert later not in seen


def test_hidden_objects_are_neither_shown_nor_hit(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.session.run(SetTrack(cup, is_hidden=True))
    assert person.view.board.shapes == []
    person.click(150, 140)
    assert person.selection.tracks == ()


# Proposals


def test_a_click_on_a_proposal_accepts_it_on_this_frame(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.draft.propose(cup, 1, [Box(100 + f, 100, 200 + f, 180) for f in range(1, 30)])
    person.show(10)
    person.click(160, 140)
    key = person.track(cup).keyframe_at(10)
    assert key is not None
    assert key.source is Source.ACCEPTED
    assert key.box == Box(110, 100, 210, 180)


@pytest.mark.parametrize("is_hidden", [True, False])
@pytest.mark.parametrize("gesture", ["accept", "drag", "redraw"])
def test_an_object_stays_occluded_or_visible_as_its_proposal_is(
    person: Person, gesture: str, is_hidden: bool
) -> None:
    box = Box(100, 100, 200, 180)
    cup = person.draft.add("cup", (0, box))
    run = ProposalRun.empty(cup, 1, 40, Origin("test", "1"))
    for frame in range(1, 40):
        run.put(Proposed(frame, box, 0.9, occluded=is_hidden if frame > 10 else not is_hidden))
    person.session.box_runs.replace(cup, (1, 40), [run])
    accepting = person.session.accept_command(cup, 10)
    assert accepting is not None
    person.session.run(accepting)
    assert person.track(cup).state_at(10).occluded is not is_hidden
    person.show(20)
    if gesture == "accept":
        person.click(150, 140)
    elif gesture == "drag":
        person.drag((150, 140), (160, 145))
    else:
        person.selection.set_tracks([cup])
        person.draw((90, 90), (190, 190))
    key = person.track(cup).keyframe_at(20)
    assert key is not None
    assert key.occluded is is_hidden
    back = person.session.outside_command(cup, 30, False)
    assert [proposed.frame for proposed in back.shown] == [29, 30]


def test_a_click_on_an_outdated_proposal_accepts_it_as_it_is_shown(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    run = ProposalRun.empty(cup, 1, 30, Origin("test", "1", {"anchors": [[0, 1, 1, 9, 9]]}))
    run.put(Proposed(10, Box(110, 100, 210, 180), 0.9))
    person.session.box_runs.replace(cup, (1, 30), [run])
    person.show(10)
    assert person.view.board.shapes[0].is_outdated
    person.click(160, 140)
    assert person.box(cup, 10) == Box(110, 100, 210, 180)


def test_a_drag_on_a_proposal_corrects_it(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.draft.propose(cup, 1, [Box(100 + f, 100, 200 + f, 180) for f in range(1, 30)])
    person.show(10)
    person.drag((160, 140), (200, 150))
    key = person.track(cup).keyframe_at(10)
    assert key is not None
    assert key.source is Source.HUMAN
    assert near(key.box, 150, 110, 250, 190)


def test_drawing_redraws_the_selected_object_whatever_is_below(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    other = person.draft.add("other", (0, Box(400, 100, 500, 180)))
    person.draft.propose(cup, 1, [Box(100, 100, 200, 180)] * 29)
    person.show(10)
    person.selection.set_tracks([other])
    person.draw((95, 96), (206, 190))
    assert person.track(cup).frames == (0,)
    assert person.track(other).frames == (0, 10)
    person.selection.set_tracks([cup])
    person.draw((300, 300), (340, 340))
    assert person.track(cup).frames == (0, 10)
    assert len(person.session.document.tracks) == 2


def test_proposals_that_arrive_are_shown_at_once(person: Person) -> None:
    cup = person.draft.add("cup", (20, Box(100, 100, 200, 180)))
    assert person.view.board.shape_of(cup) is None
    person.draft.propose(cup, 0, [Box(90, 90, 190, 170)] * 20, confidence=0.4)
    shape = person.view.board.shape_of(cup)
    assert shape is not None
    assert shape.confidence == pytest.approx(0.4)
    assert "proposed, 40%" in person.view.summary()


# The frame on screen


def test_boxes_belong_to_the_picture_while_frames_race(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(0, 0, 20, 20)), (299, Box(299, 0, 319, 20)))
    painted: list[int] = []
    person.view.picturePainted.connect(painted.append)
    for frame in (5, 250, 17, 18, 19, 120, 3, 299, 60):
        person.view.show_picture(picture(frame, is_exact=frame % 2 == 0))
        person.view.repaint()
        shape = person.view.board.shape_of(cup)
        assert shape is not None
        assert shape.box.x1 == pytest.approx(frame)
        assert person.view.index == frame
    QApplication.processEvents()
    assert painted[-9:] == [5, 250, 17, 18, 19, 120, 3, 299, 60]


def test_listeners_hear_of_a_painted_picture_after_painting(person: Person) -> None:
    """A widget that is changed while another paints may be painted over its old content."""
    is_painting: list[bool] = []
    view, attribute = person.view, Qt.WidgetAttribute.WA_WState_InPaintEvent
    view.picturePainted.connect(lambda _: is_painting.append(view.testAttribute(attribute)))
    view.show_picture(picture(7))
    view.repaint()
    QApplication.processEvents()
    assert is_painting
    assert not any(is_painting)


def test_the_picture_stands_still_while_a_box_is_drawn(person: Person) -> None:
    started: list[int] = []
    person.view.tools.editingStarted.connect(started.append)
    person.show(40)
    person.view.tools.set_tool("box")
    person.press(100, 100)
    person.show(41)
    person.move(200, 180)
    person.show(42)
    assert person.view.index == 40
    person.release(200, 180)
    assert only_track(person).frames == (40,)
    assert person.view.index == 42
    assert started == [40]


def test_another_frame_between_two_clicks_drops_the_draft(person: Person) -> None:
    person.view.tools.set_tool("box-corners")
    person.click(100, 100)
    person.show(7)
    assert not person.view.tools.is_busy
    assert person.view.board.draft is None
    assert person.session.document.tracks == ()


def test_an_edit_from_elsewhere_drops_the_draft(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.press(150, 140)
    person.move(250, 170)
    person.session.run(SetOccluded(cup, 0, value=True))
    person.release(250, 170)
    assert person.box(cup) == Box(100, 100, 200, 180)


def test_the_picture_is_drawn_pixel_by_pixel_and_never_changed(person: Person) -> None:
    person.view.zooming.zoom_actual()
    shown = picture(100)
    person.view.show_picture(shown)
    grabbed = person.view.grab().toImage()
    assert person.view.zooming.target_size() == (0, 0)
    at = person.at(320, 180)
    assert grabbed.pixelColor(at).red() == int(shown.bgra[180, 320, 2])


# Zoom


def test_the_zoom_is_kept_when_the_frame_changes(person: Person) -> None:
    person.wheel(300, 200, 5)
    before = person.view.zooming.view()
    person.show(77)
    assert person.view.zooming.view() == before
    assert before[0] > 1


def test_the_wheel_zooms_at_the_cursor(person: Person) -> None:
    at = person.at(500, 90)
    before = person.image_point(at)
    person.wheel(500, 90, 6)
    after = person.image_point(at)
    assert abs(after.x - before.x) < 1
    assert abs(after.y - before.y) < 1


def test_a_fitted_picture_stays_fitted_when_the_window_changes(person: Person) -> None:
    person.view.resize(400, 400)
    QTest.qWait(0)
    assert person.view.zooming.view()[0] == 0
    width, height = person.view.zooming.target_size()
    assert width <= 400
    assert width / height == pytest.approx(WIDTH / HEIGHT, rel=0.01)


def test_zooming_asks_for_a_picture_of_the_size_shown(person: Person) -> None:
    asked: list[tuple[int, int]] = []
    person.view.zooming.requestPicture.connect(
        lambda: asked.append(person.view.zooming.target_size())
    )
    person.view.resize(420, 300)
    QTest.qWait(0)
    person.view.zooming.zoom_out()
    person.view.zooming.zoom_actual()
    assert asked[-1] == (0, 0)
    assert asked[0] == (400, 225)
    assert len(set(asked)) == len(asked)


def test_the_middle_button_pans_with_any_tool(person: Person) -> None:
    person.view.tools.set_tool("box")
    before = person.image_point(QPoint(300, 200))
    QTest.mousePress(person.view, MIDDLE, NONE, QPoint(300, 200))
    QTest.mouseMove(person.view, QPoint(330, 215))
    QTest.mouseMove(person.view, QPoint(350, 225))
    QTest.mouseRelease(person.view, MIDDLE, NONE, QPoint(350, 225))
    after = person.image_point(QPoint(350, 225))
    assert abs(after.x - before.x) < 1
    assert abs(after.y - before.y) < 1
    assert person.session.document.tracks == ()


def test_a_view_is_restored_as_it_was_saved(person: Person) -> None:
    person.wheel(500, 90, 6)
    saved = person.view.zooming.view()
    person.view.zooming.zoom_fit()
    assert person.view.zooming.view()[0] == 0
    person.view.zooming.set_view(*saved)
    assert person.view.zooming.view() == pytest.approx(saved)


# Words


def test_the_summary_tells_what_is_on_screen(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    spoon = person.draft.add("spoon", (0, Box(300, 100, 400, 180)))
    person.session.run(SetOccluded(cup, 5, value=True))
    person.session.run(SetOutside(spoon, 5, value=True))
    person.show(12)
    assert person.view.summary() == "Frame 12, 1 box: cup 1 (occluded). Out of view: spoon 2."
    assert person.track(spoon).state_at(12).phase is Phase.OUTSIDE


def test_a_closed_draft_leaves_an_empty_calm_canvas(person: Person) -> None:
    person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.view.set_session(None)
    person.view.repaint()
    assert person.view.summary() == "No video"
    person.click(150, 140)
    person.draft.add("late", (0, Box(100, 100, 200, 180)))
    assert person.view.board.shapes == []


# Several objects at once


def two_boxes(person: Person) -> tuple[TrackId, TrackId]:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    plate = person.draft.add("plate", (0, Box(300, 150, 420, 260)))
    person.selection.set_tracks([cup, plate])
    return cup, plate


def test_a_drag_moves_all_that_are_selected_in_one_step(person: Person) -> None:
    cup, plate = two_boxes(person)
    person.press(150, 140)
    person.move(170, 150)
    draft = person.view.board.draft
    assert draft is not None
    assert draft.track_ids == {cup, plate}
    person.move(190, 160)
    person.release(190, 160)
    assert near(person.box(cup), 140, 120, 240, 200)
    assert near(person.box(plate), 340, 170, 460, 280)
    assert person.selection.tracks == (cup, plate)
    person.session.undo()
    assert person.box(cup) == Box(100, 100, 200, 180)
    assert person.box(plate) == Box(300, 150, 420, 260)


def test_boxes_moved_together_keep_their_distance_at_the_edge(person: Person) -> None:
    cup, plate = two_boxes(person)
    person.drag((150, 140), (-100, 140))
    assert person.box(cup).x1 == 0
    assert near(person.box(plate), 200, 150, 320, 260)


def test_locked_and_hidden_away_ones_stay_while_the_others_move(person: Person) -> None:
    cup, plate = two_boxes(person)
    person.session.run(SetTrack(plate, is_locked=True))
    person.drag((150, 140), (190, 140))
    assert near(person.box(cup), 140, 100, 240, 180)
    assert person.box(plate) == Box(300, 150, 420, 260)


def test_a_handle_moves_the_same_edge_of_all(person: Person) -> None:
    cup, plate = two_boxes(person)
    person.drag((200, 180), (220, 190))
    assert near(person.box(cup), 100, 100, 220, 190)
    assert near(person.box(plate), 300, 150, 440, 270)
    person.session.undo()
    assert person.box(plate) == Box(300, 150, 420, 260)


def test_a_click_on_one_of_several_leaves_this_one(person: Person) -> None:
    _, plate = two_boxes(person)
    person.click(360, 200)
    assert person.selection.tracks == (plate,)


def test_arrows_move_and_resize_all_in_one_step(person: Person) -> None:
    cup, plate = two_boxes(person)
    for _ in range(3):
        person.view.tools.nudge(2, 0)
    assert person.box(cup) == Box(106, 100, 206, 180)
    assert person.box(plate) == Box(306, 150, 426, 260)
    person.view.tools.nudge(0, 5, resize=True)
    assert person.box(plate) == Box(306, 150, 426, 265)
    person.session.undo()
    person.session.undo()
    assert person.box(cup) == Box(100, 100, 200, 180)
    assert person.box(plate) == Box(300, 150, 420, 260)


def test_objects_of_the_selected_action_glow_round_their_boxes(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(40, 40, 80, 80)))
    person.draft.add("spoon", (0, Box(120, 40, 160, 80)))
    away = person.draft.add("lid", (0, Box(200, 40, 240, 80)))
    person.session.run(SetOutside(away, 1, True))
    stirring = Segment(segment_id(), Lane.ACTION, "Stirring", 0, 20, slots=(cup, away))
    person.session.run(CreateSegment(stirring))
    person.show(2)
    ratio = person.view.devicePixelRatioF()

    def pixel(x: float, y: float, shift: int) -> int:
        at = person.at(x, y)
        place = QPointF(at.x() + shift, at.y() + 12) * ratio
        return person.view.grab().toImage().pixel(place.toPoint())

    beside_cup, beside_spoon, beside_ghost = (80, 40, 4), (160, 40, 4), (240, 40, 4)
    before = pixel(*beside_cup), pixel(*beside_spoon), pixel(*beside_ghost)
    person.view.board.selection.set_segment(stirring.id)
    assert pixel(*beside_cup) != before[0]
    assert pixel(*beside_spoon) == before[1]
    assert pixel(*beside_ghost) == before[2]
    person.view.board.selection.set_segment(None)
    assert pixel(*beside_cup) == before[0]


def test_ctrl_with_an_arrow_moves_while_adjusting_as_it_does_elsewhere(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    person.selection.set_tracks([cup])
    person.view.tools.start_adjusting()
    person.key(Qt.Key.Key_Right, CTRL)
    assert person.box(cup) == Box(101, 100, 201, 180)
    person.key(Qt.Key.Key_Right, CTRL | SHIFT)
    assert person.box(cup) == Box(101, 100, 202, 180)
    person.key(Qt.Key.Key_Down, SHIFT)
    assert person.box(cup) == Box(101, 110, 202, 190)


def test_redrawing_an_object_that_is_out_of_view_is_one_step(person: Person) -> None:
    cup = person.draft.add("cup", (0, Box(100, 100, 200, 180)))
    assert person.session.run(SetOutside(cup, 30, True))
    person.show(60)
    person.selection.set_tracks([cup])
    person.draw((20, 20), (90, 90))
    assert person.track(cup).frames == (0, 30, 60)
    person.session.undo()
    assert person.track(cup).frames == (0, 30)


def test_a_task_without_boxes_counts_none(person: Person) -> None:
    assert "0 boxes" in person.view.summary()
    assert person.view.summary(has_boxes=False) == "Frame 0."


def test_image_adjustments_change_what_is_shown_and_nothing_else(person: Person) -> None:
    person.show(0)
    shown = person.view.shown_picture
    assert shown is not None
    before = person.view.grab().toImage()
    pixels = shown.picture.bgra.copy()
    dialog = ToneDialog(person.view.tone)
    dialog.toneChanged.connect(person.view.set_tone)
    dialog.brightness.setValue(60)
    assert person.view.tone == Tone(brightness=60)
    after = person.view.grab().toImage()
    at = person.at(WIDTH / 2, HEIGHT / 2)
    assert after.pixelColor(at).lightness() > before.pixelColor(at).lightness()
    person.show(1)
    assert (
        person.view.grab().toImage().pixelColor(at).lightness() > before.pixelColor(at).lightness()
    )
    assert (shown.picture.bgra == pixels).all(), "the decoded picture stays as it is"
    dialog.reset.click()
    assert person.view.tone.is_plain
    dialog.close()


def test_gamma_and_contrast_bend_the_table_around_its_ends() -> None:
    assert Tone().table.tolist() == list(range(256))
    brighter = Tone(gamma=2.0).table
    assert brighter[0] == 0
    assert brighter[255] == 255
    assert brighter[64] > 100
    flat = Tone(contrast=-100).table
    assert 60 < int(flat[255]) - int(flat[0]) < 70
