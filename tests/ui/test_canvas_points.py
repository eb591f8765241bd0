"""Points on the canvas as a person uses them: real mouse and key events on a real project file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator.domain.annotation.point_track import PointMark, PointTrack
from annotator.domain.annotation.track import Source
from annotator.domain.commands import AcceptPoints, DeletePoints, MarkPoints, SetPointInfo, SetTrack
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.point_proposals import accepted_run
from annotator.ui.canvas.input.keys import dot_tip
from annotator.ui.canvas.model.point_marks import DotLook, dots_at, places
from annotator.ui.canvas.painting.strokes import OUTDATED_INK
from tests.ui.drafts import HEIGHT, WIDTH, Draft
from tests.ui.hands import ALT, CTRL, LEFT, NONE, SHIFT, Hands

CUP = Box(100, 100, 300, 250)


class Person(Hands):
    """Hands over a picture with one object."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.cup: TrackId = draft.add("cup", (0, CUP))
        self.show(0)

    def right_click(self, x: float, y: float) -> None:
        at = self.at(x, y)
        reason = QContextMenuEvent.Reason.Mouse
        event = QContextMenuEvent(reason, at, self.view.mapToGlobal(at))
        QApplication.sendEvent(self.view, event)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.view, key, keys)

    @property
    def points(self) -> tuple[PointTrack, ...]:
        return self.session.document.points

    def mark(self, point: PointId, frame: int) -> PointMark:
        mark = self.session.document.point(point).mark(frame)
        assert mark is not None
        return mark

    def place(self, point: PointId, frame: int = 0) -> Point:
        place = self.mark(point, frame).xy
        assert place is not None
        return place


@pytest.fixture
def person(qapp: QApplication, tmp_path: Path) -> Iterator[Person]:
    draft = Draft(tmp_path)
    made = Person(draft)
    yield made
    made.view.close()
    draft.close()


def near(place: Point, x: float, y: float, within: float = 1.0) -> bool:
    return abs(place.x - x) <= within and abs(place.y - y) <= within


# Placing


def test_a_click_on_an_object_begins_a_point_and_asks_its_name(person: Person) -> None:
    person.view.tools.set_tool("point")
    person.click(150, 140)
    assert len(person.points) == 1
    point = person.points[0]
    assert point.info.track_id == person.cup
    assert near(person.place(point.id), 150, 140)
    assert person.selection.tracks == (person.cup,)
    assert person.selection.primary_point == point.id
    field = person.view.points.name_field
    assert field.isVisible()
    QTest.keyClicks(field, "rim left")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not field.isVisible()
    assert [p.label for p in person.points] == ["rim left"]


def test_escape_in_the_name_field_keeps_the_given_name(person: Person) -> None:
    person.view.tools.set_tool("point")
    person.click(150, 140)
    before = person.points[0].label
    QTest.keyClicks(person.view.points.name_field, "no")
    QTest.keyClick(person.view.points.name_field, Qt.Key.Key_Escape)
    assert not person.view.points.name_field.isVisible()
    assert person.points[0].label == before == "point 1"
    assert person.view.tools.tool == "point"


def test_names_in_use_are_offered(person: Person) -> None:
    person.draft.add_point(person.cup, "handle", (0, Point(120, 120)))
    person.view.tools.set_tool("point")
    person.click(250, 200)
    completer = person.view.points.name_field.completer()
    completer.setCompletionPrefix("and")
    assert completer.currentCompletion() == "handle"


def test_clicks_apart_begin_one_point_each(person: Person) -> None:
    person.view.tools.set_tool("point")
    for x in (120, 180, 240):
        person.click(x, 150)
    assert [p.label for p in person.points] == ["point 1", "point 2", "point 3"]
    assert [round(person.place(p.id).x) for p in person.points] == [120, 180, 240]


def test_on_another_frame_a_click_places_the_selected_point(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(120, 120)))
    person.selection.set_points(person.cup, [point])
    person.view.tools.set_tool("point")
    person.show(7)
    person.click(200, 160)
    assert len(person.points) == 1
    assert near(person.place(point, 7), 200, 160)
    assert near(person.place(point, 0), 120, 120, 0)


def test_alt_begins_a_new_point_whatever_is_selected(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(120, 120)))
    person.selection.set_points(person.cup, [point])
    person.view.tools.set_tool("point")
    person.show(7)
    person.click(200, 160, ALT)
    assert len(person.points) == 2
    assert person.session.document.point(point).mark(7) is None


def test_in_a_loop_every_click_places_the_same_point(person: Person) -> None:
    told: list[bool] = []
    person.view.pointPlaced.connect(lambda _point, is_new: told.append(is_new))
    point = person.draft.add_point(person.cup, "rim", (0, Point(120, 120)))
    person.selection.set_points(person.cup, [point])
    person.view.tools.set_tool("point")
    person.view.points.set_looping(True)
    for frame in (0, 1, 2):
        person.show(frame)
        person.click(200 + 20 * frame, 160)
    assert len(person.points) == 1
    assert [round(person.place(point, f).x) for f in (0, 1, 2)] == [200, 220, 240]
    assert told == [False, False, False]


def test_shift_moves_finer_than_the_mouse(person: Person) -> None:
    person.view.tools.set_tool("point")
    start, end = person.at(150, 140), person.at(150, 140) + QPoint(16, 8)
    QTest.mousePress(person.view, LEFT, NONE, start)
    event_place = person.view.board.viewport.to_image(start.x(), start.y())
    QTest.mouseRelease(person.view, LEFT, SHIFT, end)
    place = person.place(person.points[0].id)
    assert place.x - event_place.x == pytest.approx(2.0, abs=0.05)
    assert place.y - event_place.y == pytest.approx(1.0, abs=0.05)


def test_without_an_object_nothing_is_placed_and_it_is_said(person: Person) -> None:
    person.draft.add("spoon", (0, Box(400, 100, 500, 200)))
    said: list[str] = []
    person.view.message.connect(said.append)
    person.view.tools.set_tool("point")
    person.click(350, 320)
    assert person.points == ()
    assert len(said) == 1
    person.click(450, 150)
    assert [person.session.document.track(p.info.track_id).label for p in person.points] == [
        "spoon"
    ]


def test_escape_while_placing_leaves_nothing(person: Person) -> None:
    person.view.tools.set_tool("point")
    person.press(150, 140)
    person.key(Qt.Key.Key_Escape)
    person.release(150, 140)
    assert person.points == ()
    assert person.view.board.draft is None


def test_a_locked_object_takes_no_point(person: Person) -> None:
    person.session.run(SetTrack(person.cup, is_locked=True))
    said: list[str] = []
    person.view.message.connect(said.append)
    person.view.tools.set_tool("point")
    person.click(150, 140)
    assert person.points == ()
    assert "locked" in said[0]


def test_the_keyboard_alone_places_and_moves_a_point(person: Person) -> None:
    person.selection.set_tracks([person.cup])
    person.view.tools.set_tool("point")
    person.view.setFocus()
    QTest.keyClick(person.view, Qt.Key.Key_Return)
    point = person.points[0].id
    assert near(person.place(point), WIDTH / 2, HEIGHT / 2)
    before = person.place(point)
    QTest.keyClick(person.view, Qt.Key.Key_Right)
    QTest.keyClick(person.view, Qt.Key.Key_Down, SHIFT)
    QTest.keyClick(person.view, Qt.Key.Key_Left, CTRL | SHIFT)
    after = person.place(point)
    assert after.x == pytest.approx(before.x + 0.9)
    assert after.y == pytest.approx(before.y + 10)
    QTest.keyClick(person.view, Qt.Key.Key_Return)
    assert not person.view.tools.is_adjusting


# Moving and selecting


@pytest.mark.parametrize("tool", ["select", "point"])
def test_dragging_a_point_moves_it_and_not_the_box(person: Person, tool: str) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)))
    person.view.tools.set_tool(tool)
    person.drag((150, 150), (190, 170))
    assert near(person.place(point), 190, 170)
    assert person.session.document.track(person.cup).state_at(0).box == CUP
    assert person.selection.primary_point == point
    person.session.undo()
    assert near(person.place(point), 150, 150, 0)


def test_a_click_selects_the_point_and_a_click_on_the_box_lets_it_go(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)))
    person.click(151, 151)
    assert person.selection.points == (point,)
    assert person.selection.tracks == (person.cup,)
    person.click(250, 220)
    assert person.selection.points == ()
    assert person.selection.tracks == (person.cup,)


@pytest.mark.parametrize("is_tracked", [True, False])
def test_correcting_an_accepted_mark_reopens_its_gap_while_trackers_work(
    person: Person, is_tracked: bool
) -> None:
    person.session.is_tracked = is_tracked
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)), (10, Point(160, 150)))
    person.draft.propose_point(point, 1, [Point(150 + f, 150) for f in range(1, 10)])
    run = accepted_run(person.session.pending_points(point))
    person.session.run(AcceptPoints(point, run))
    assert person.mark(point, 5).source is Source.ACCEPTED
    person.show(5)
    person.drag((155, 150), (180, 190))
    assert person.mark(point, 5).source is Source.HUMAN
    around = [person.session.document.point(point).mark(frame) for frame in (4, 6)]
    assert [mark is None for mark in around] == [is_tracked] * 2


def test_a_click_on_a_proposal_accepts_it(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)), (10, Point(160, 150)))
    person.draft.propose_point(point, 1, [Point(150 + f, 150) for f in range(1, 10)])
    person.show(5)
    assert person.view.board.dots[0].look is DotLook.PROPOSED
    person.click(155, 150)
    assert person.mark(point, 5).source is Source.ACCEPTED
    assert person.session.document.point(point).mark(6) is None


def test_an_outdated_proposal_is_gray_and_not_accepted_by_a_click(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)), (10, Point(160, 150)))
    person.draft.propose_point(
        point, 1, [Point(150 + f, 150) for f in range(1, 10)], anchors=[[0, 150, 150], [10, 99, 99]]
    )
    person.show(5)
    (dot,) = person.view.board.dots
    assert dot.look is DotLook.OUTDATED
    assert dot.confidence is None
    assert "Outdated proposal" in dot_tip(dot)
    assert "outdated proposal" in person.view.summary()
    picture = person.view.grab().toImage()
    at = person.at(155, 150)
    colors = {picture.pixel(at.x() + dx, at.y() + dy) for dx in range(-9, 9) for dy in range(-9, 9)}
    assert OUTDATED_INK in colors
    person.click(155, 150)
    assert person.session.document.point(point).mark(5) is None
    person.drag((155, 150), (175, 160))
    assert near(person.place(point, 5), 175, 160)


def test_tab_goes_round_the_points_of_the_object(person: Person) -> None:
    first = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)))
    second = person.draft.add_point(person.cup, "handle", (0, Point(250, 150)))
    person.selection.set_points(person.cup, [first])
    for wanted in (second, first):
        QTest.keyClick(person.view, Qt.Key.Key_Tab)
        assert person.selection.primary_point == wanted


def test_quick_nudges_of_a_point_are_one_step_of_undo(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)))
    person.selection.set_points(person.cup, [point])
    for _ in range(5):
        person.view.tools.nudge(1, 0)
    person.view.tools.nudge(0, 1, resize=True)
    assert person.place(point).x == pytest.approx(155)
    assert person.place(point).y == pytest.approx(150.1)
    person.session.undo()
    assert near(person.place(point), 150, 150, 0)


def test_right_click_on_a_point_is_told_and_opens_no_menu(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)))
    clicked: list[PointId] = []
    menus: list[object] = []
    person.view.pointClicked.connect(clicked.append)
    person.view.contextMenuAt.connect(lambda *args: menus.append(args))
    person.right_click(150, 150)
    assert clicked == [point]
    assert menus == []
    person.right_click(250, 220)
    assert len(menus) == 1


# What is shown


def test_looks_follow_the_marks(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)), (10, Point(170, 150)))
    person.session.run(MarkPoints(point, 5, 6, "occluded"))
    person.session.run(MarkPoints(point, 6, 7, "outside"))
    (dot,) = dots_at(person.session, 0)
    assert dot.look is DotLook.HUMAN
    (dot,) = dots_at(person.session, 5)
    assert dot.occluded
    assert near(dot.xy, 160, 150, 0.01)
    assert dots_at(person.session, 6) == []
    assert dots_at(person.session, 7) == []
    person.session.run(SetPointInfo(point, is_hidden=True))
    assert dots_at(person.session, 0) == []


def test_trails_take_marks_and_proposals_and_leave_out_what_is_hidden(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)), (10, Point(170, 150)))
    person.draft.propose_point(point, 1, [Point(152, 150), None, Point(156, 150)])
    xy = places(person.session, person.session.document.point(point), 0, 11)
    known = np.flatnonzero(~np.isnan(xy[:, 0])).tolist()
    assert known == [0, 1, 3, 10]
    person.view.points.set_trail(15)
    assert person.view.points.trails() == []
    person.selection.set_tracks([person.cup])
    (trail,) = person.view.points.trails()
    assert trail.at == 0
    assert len(trail.xy) == 16


def test_a_picture_is_painted_before_the_canvas_hears_of_a_deleted_point(person: Person) -> None:
    """Progress in the status line may paint the window between an edit and its news."""
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)))
    person.view.points.set_trail(15)
    person.selection.set_tracks([person.cup])
    person.session.changed.remove(person.view._on_session_changed)
    person.session.run(DeletePoints((point,)))
    assert [dot.point_id for dot in person.view.board.dots] == [point]
    assert person.view.points.trails() == []


def test_marks_trail_lens_and_names_are_painted(person: Person) -> None:
    def grab() -> QImage:
        return person.view.grab().toImage()

    person.view.setFocus()
    plain = grab()
    point = person.draft.add_point(
        person.cup, "rim", *((f, Point(150 + 4 * f, 150)) for f in range(6))
    )
    person.show(2)
    marked = grab()
    assert marked != plain
    person.selection.set_points(person.cup, [point])
    named = grab()
    assert named != marked
    person.view.points.set_trail(10)
    trailed = grab()
    assert trailed != named
    person.view.tools.set_tool("point")
    person.move(320, 200)
    magnified = grab()
    assert magnified != trailed


def test_the_summary_names_the_points(person: Person) -> None:
    point = person.draft.add_point(person.cup, "rim", (0, Point(150, 150)))
    person.selection.set_points(person.cup, [point])
    person.show(0)
    assert person.view.summary().endswith("1 point: rim · cup 1 (selected).")
    (dot,) = person.view.board.dots
    assert dot_tip(dot).startswith("rim · cup 1\n")


def test_the_centered_view_keeps_the_point_still_and_gives_the_view_back(person: Person) -> None:
    places_at = [(0, Point(150, 150)), (1, Point(190, 170)), (2, Point(260, 120))]
    point = person.draft.add_point(person.cup, "rim", *places_at)
    person.selection.set_points(person.cup, [point])
    before = person.view.zooming.view()
    person.view.points.set_centered(True)
    zoom = person.view.zooming.zoom
    middle = QPointF(person.view.width() / 2, person.view.height() / 2)
    for frame, place in places_at:
        person.show(frame)
        x, y = person.view.board.viewport.to_widget(place)
        assert abs(x - middle.x()) <= 1
        assert abs(y - middle.y()) <= 1
        assert person.view.zooming.zoom == zoom
    person.view.points.set_centered(False)
    assert person.view.zooming.view() == before
