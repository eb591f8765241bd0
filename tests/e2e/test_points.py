"""Points in the whole window: keys, list and curves on a real clip."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QStringListModel, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QListWidget, QListWidgetItem

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.point_track import PointInfo, PointMark, PointTrack
from annotator.domain.annotation.track import Source
from annotator.domain.commands import (
    AddImported,
    CreatePoint,
    CreateTrack,
    DeletePoints,
    MarkPoints,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, VideoId, new_id, point_id, track_id
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin
from annotator.services.assist.point_plan import PointPlan
from annotator.services.assist.proposal_updates import ProposingStatus
from annotator.services.session import Session
from annotator.ui.canvas.input.keys import press_tab
from annotator.ui.dialogs.project.export_dialog import ExportDialog
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.panels.object_rows import ObjectColumn
from annotator.ui.panels.objects_panel import ObjectsPanel
from tests.e2e.conftest import Desktop

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Rater:
    """A window with one box drawn, and a hand for points."""

    def __init__(self, desktop: Desktop, project: Path) -> None:
        self.desktop = desktop
        self.window = desktop.window
        desktop.open(project)
        desktop.draw((20, 60), (80, 120))

    @property
    def session(self) -> Session:
        session = self.window.context.workspace.session
        assert session is not None
        return session

    @property
    def point(self) -> PointTrack:
        points = self.session.document.points
        assert len(points) == 1
        return points[0]

    def mark(self, frame: int) -> PointMark | None:
        return self.point.mark(frame)

    def click(self, x: float, y: float) -> None:
        QTest.mouseClick(self.window.context.canvas, LEFT, NONE, self.desktop.at(x, y))
        self.desktop.settle()

    def place_first(self, name: str = "corner") -> None:
        """Begin a point on the square's corner and name it."""
        self.desktop.press("P")
        self.click(25, 65)
        field = self.window.context.canvas.points.name_field
        QTest.keyClicks(field, name)
        QTest.keyClick(field, Qt.Key.Key_Return)
        self.window.context.updates.refresh()

    def go(self, frame: int) -> None:
        self.window.context.playback.seek(frame)
        self.desktop.settle()

    def place_on(self, frame: int) -> None:
        """Place the point on the square's corner on another frame."""
        self.go(frame)
        self.click(25 + 2 * frame, 65)

    def propose(self, start: int, end: int) -> None:
        n = end - start
        xy = np.array([(25 + 2 * f, 65) for f in range(start, end)], np.float32)
        confidence = np.linspace(0.9, 0.5, n).astype(np.float32)
        hidden = np.zeros(n, np.uint8)
        run = PointProposalRun(self.point.id, start, xy, confidence, Origin("test", "1"), hidden)
        self.session.point_runs.replace(self.point.id, (start, end), [run])
        self.window.context.updates.refresh()


@pytest.fixture
def rater(desktop: Desktop, project: Path) -> Rater:
    return Rater(desktop, project)


def test_a_loop_places_a_point_frame_by_frame(rater: Rater) -> None:
    rater.place_first()
    assert rater.point.label == "corner"
    rater.desktop.press("Shift+P")
    assert rater.window.context.canvas.tools.tool == "point"
    for frame in range(4):
        assert rater.window.context.canvas.index == frame
        rater.click(25 + 2 * frame, 65)
    assert rater.window.context.canvas.index == 4
    assert rater.point.path.frames().tolist() == [0, 1, 2, 3]
    xs = [rater.point.path.run(0, 4).xy[i, 0] for i in range(4)]
    assert np.allclose(np.diff(xs), 2, atol=1)


def test_keys_mark_a_point_and_leave_its_object_alone(rater: Rater) -> None:
    rater.place_first()
    rater.place_on(10)
    box_keys = rater.session.document.tracks[0].frames
    rater.go(5)
    rater.desktop.press("Q")
    mark = rater.mark(5)
    assert mark is not None
    assert mark.occluded
    rater.desktop.press("W")
    assert rater.mark(5) == PointMark(None)
    rater.desktop.press("X")
    assert rater.mark(5) is None
    rater.desktop.press("S")
    placed = rater.mark(5)
    assert placed is not None
    assert placed.xy is not None
    assert placed.xy.x == pytest.approx(35, abs=1.5)
    rater.desktop.press("Del")
    assert rater.mark(5) is None
    assert rater.session.document.tracks[0].frames == box_keys
    rater.desktop.press("E")
    assert rater.window.context.canvas.index == 0
    rater.desktop.press("R")
    assert rater.window.context.canvas.index == 10


def test_the_marked_range_becomes_occluded_by_key_and_by_right_click(rater: Rater) -> None:
    rater.place_first()
    rater.window.context.workspace.set_range((0, 4))
    at = rater.desktop.at(25, 65)
    reason = QContextMenuEvent.Reason.Mouse
    canvas = rater.window.context.canvas
    QApplication.sendEvent(canvas, QContextMenuEvent(reason, at, canvas.mapToGlobal(at)))
    marks = [rater.mark(f) for f in range(5)]
    assert [m is not None and m.occluded for m in marks] == [True, True, True, True, False]
    rater.desktop.press("Q")
    first = rater.mark(0)
    assert first is not None
    assert first.is_visible


def test_proposals_are_accepted_up_to_here_and_all(rater: Rater) -> None:
    rater.place_first()
    rater.place_on(10)
    rater.propose(1, 10)
    rater.go(4)
    rater.desktop.press("A")
    assert rater.point.path.frames().tolist() == [0, 4, 10]
    rater.desktop.press("Alt+A")
    assert rater.point.path.frames().tolist() == [0, 1, 2, 3, 4, 10]
    rater.desktop.press("U")
    assert rater.window.context.canvas.index == 9
    rater.desktop.press("Ctrl+Alt+A")
    assert rater.point.path.frames().tolist() == list(range(11))
    mark = rater.mark(7)
    assert mark is not None
    assert mark.source is Source.ACCEPTED


def test_low_confidence_frames_are_visited_a_quarter_of_a_second_apart(rater: Rater) -> None:
    rater.place_first()
    rater.place_on(40)
    rater.propose(1, 40)  # with less confidence from frame to frame
    visited = []
    for _ in range(4):
        rater.desktop.press("U")
        visited.append(rater.window.context.canvas.index)
    assert visited == [39, 31, 23, 15]


def test_ctrl_arrows_nudge_and_undo_selects_the_point(rater: Rater) -> None:
    rater.place_first()
    rater.window.context.canvas.tools.set_tool("select")
    before = rater.mark(0)
    assert before is not None
    assert before.xy is not None
    rater.desktop.press("Ctrl+Right", "Ctrl+Shift+Down")
    after = rater.mark(0)
    assert after is not None
    assert after.xy is not None
    assert after.xy.x == pytest.approx(before.xy.x + 1)
    assert after.xy.y == pytest.approx(before.xy.y + 0.1)
    rater.window.context.workspace.selection.clear()
    rater.desktop.press("Ctrl+Z")
    assert rater.window.context.workspace.selection.primary_point == rater.point.id


def test_the_inspector_shows_the_selected_point(rater: Rater) -> None:
    rater.place_first()
    inspector = rater.window.context.panels.inspector
    inspector.refresh()
    texts = [
        label.text() for label in inspector.findChildren(QLabel) if label.isVisibleTo(inspector)
    ]
    mark = rater.mark(0)
    assert mark is not None
    assert mark.xy is not None
    assert f"x {mark.xy.x:.1f}, y {mark.xy.y:.1f} px" in texts
    assert "Manual: visible" in texts
    assert "No. 1 · corner" in texts
    assert inspector.point_owner.currentText() == "No. 1 · object"
    rater.desktop.press("F")
    inspector.refresh()
    texts = [
        label.text() for label in inspector.findChildren(QLabel) if label.isVisibleTo(inspector)
    ]
    assert "Not annotated on this frame" in texts


def test_escape_leaves_tool_then_point_then_object(rater: Rater) -> None:
    rater.place_first()
    selection = rater.window.context.workspace.selection
    rater.desktop.press("Esc")
    assert rater.window.context.canvas.tools.tool == "select"
    rater.desktop.press("Esc")
    assert selection.points == ()
    assert len(selection.tracks) == 1
    rater.desktop.press("Esc")
    assert selection.tracks == ()


def test_menus_say_what_the_keys_act_on(rater: Rater) -> None:
    table = rater.window.context.table
    action, spec = table.action("track.delete"), table.spec("track.delete")
    assert action.text() == spec.text
    rater.place_first()
    assert action.text() == "Clear point here"
    rater.window.context.workspace.selection.drop_points()
    rater.window.context.updates.refresh()
    assert action.text() == spec.text


class Listed:
    """The list of objects with their points, and a hand to click in it."""

    def __init__(self, rater: Rater) -> None:
        self.panel = rater.window.context.panels.objects
        self.view = self.panel.view
        rater.desktop.qtbot.waitUntil(lambda: self.view.viewport().width() > 250)

    def cell(self, column: ObjectColumn, top: int = 0, below: int | None = 0) -> QModelIndex:
        """Return a cell of a point of an object, or with ``below`` None of the object itself."""
        model = self.view.model()
        above = model.index(top, 0)
        return above.siblingAtColumn(column) if below is None else model.index(below, column, above)

    def text(self, column: ObjectColumn, top: int = 0, below: int | None = 0) -> object:
        return self.cell(column, top, below).data()

    def click(
        self,
        column: ObjectColumn,
        top: int = 0,
        below: int | None = 0,
        *,
        held: Qt.KeyboardModifier = NONE,
    ) -> None:
        place = self.view.visualRect(self.cell(column, top, below)).center()
        QTest.mouseClick(self.view.viewport(), LEFT, held, place)

    def n_below(self, top: int = 0) -> int:
        model = self.view.model()
        return model.rowCount(model.index(top, 0))

    def selected(self) -> list[object]:
        rows = self.view.selectionModel().selectedRows(ObjectColumn.NAME)
        return [row.data() for row in rows]


def test_the_list_counts_renames_hides_and_deletes(rater: Rater) -> None:
    rater.place_first()
    rater.place_on(10)
    listed = Listed(rater)
    assert listed.n_below() == 1
    shown = [ObjectColumn.NAME, ObjectColumn.FRAMES, ObjectColumn.KEYS, ObjectColumn.UNCHECKED]
    assert [listed.text(column) for column in shown] == ["corner", "0–10", "2", "9"]
    assert listed.text(ObjectColumn.OCCLUDED) is None
    rater.go(5)
    rater.desktop.press("Q")
    assert listed.text(ObjectColumn.OCCLUDED) == "1"
    assert listed.view.model().setData(listed.cell(ObjectColumn.NAME), "tip")
    assert rater.point.label == "tip"
    rater.desktop.qtbot.waitUntil(lambda: listed.view.isExpanded(listed.cell(0, 0, None)))
    listed.click(ObjectColumn.VISIBLE)
    assert rater.point.info.is_hidden
    rater.window.context.workspace.selection.clear()
    rater.desktop.qtbot.waitUntil(lambda: listed.selected() == [])
    listed.click(ObjectColumn.NAME)
    assert rater.window.context.workspace.selection.primary_point == rater.point.id
    # A list that is built only now shows the same.
    panel = ObjectsPanel(rater.window.context.workspace)
    rater.desktop.qtbot.addWidget(panel)
    assert panel.view.rootIsDecorated()
    rater.desktop.run("point.delete")
    assert rater.session.document.points == ()
    assert listed.n_below() == 0


def test_points_stand_below_their_object_and_are_selected_apart_from_it(rater: Rater) -> None:
    listed, selection = Listed(rater), rater.window.context.workspace.selection
    assert not listed.view.rootIsDecorated()
    (track,) = (t.id for t in rater.session.document.tracks)
    first, second, free = (PointId(new_id()) for _ in range(3))
    for point, name in ((first, "tip"), (second, "end")):
        rater.session.run(CreatePoint(point, track, name, 0, Point(30, 70)))
    rater.session.run(AddImported((), (), None, (PointTrack(PointInfo(free, None, "dot", 3, 3)),)))
    wait = rater.desktop.qtbot.waitUntil
    wait(lambda: listed.view.rootIsDecorated())
    assert [listed.text(ObjectColumn.NAME, 0, row) for row in range(2)] == ["tip", "end"]
    assert listed.text(ObjectColumn.NAME, 1, None) == "dot"
    listed.click(ObjectColumn.NAME, 0, 0)
    assert (selection.tracks, selection.points) == ((track,), (first,))
    ctrl = Qt.KeyboardModifier.ControlModifier
    listed.click(ObjectColumn.NAME, 0, 1, held=ctrl)
    assert (selection.tracks, selection.points) == ((track,), (first, second))
    wait(lambda: listed.selected() == ["tip", "end"])
    # The points selected together belong to one object, and objects are selected without points.
    listed.click(ObjectColumn.NAME, 1, None, held=ctrl)
    assert (selection.tracks, selection.points) == ((), (free,))
    wait(lambda: listed.selected() == ["dot"])
    listed.click(ObjectColumn.NAME, 0, None, held=ctrl)
    assert (selection.tracks, selection.points) == ((track,), ())
    selection.set_points(track, [second])
    wait(lambda: listed.selected() == ["end"])


def test_an_object_shows_its_points_when_selected_unless_the_person_closed_it(rater: Rater) -> None:
    listed, selection = Listed(rater), rater.window.context.workspace.selection
    (track,) = (t.id for t in rater.session.document.tracks)
    rater.session.run(CreatePoint(PointId(new_id()), track, "tip", 0, Point(30, 70)))
    wait = rater.desktop.qtbot.waitUntil
    wait(lambda: listed.n_below() == 1)

    def is_open() -> bool:
        return listed.view.isExpanded(listed.cell(ObjectColumn.NUMBER, 0, None))

    selection.set_tracks([track])
    wait(is_open)
    rater.session.run(CreatePoint(PointId(new_id()), track, "end", 0, Point(40, 70)))
    wait(lambda: listed.n_below() == 2)
    assert is_open()
    listed.view.collapse(listed.cell(ObjectColumn.NUMBER, 0, None))
    selection.clear()
    selection.set_tracks([track])
    wait(lambda: len(listed.selected()) == 1)
    assert not is_open()
    # A filter shows what it finds, wherever that is, and leaves the list as it was.
    listed.panel.filter.setText("end")
    assert (is_open(), listed.n_below()) == (True, 1)
    listed.panel.filter.clear()
    assert (is_open(), listed.n_below()) == (False, 2)


def test_curves_show_a_jump_and_a_click_goes_there(rater: Rater) -> None:
    rater.place_first()
    for frame in range(1, 12):
        x = 25 + 2 * frame + (30 if frame == 6 else 0)
        rater.go(frame)
        rater.click(x, 65)
    rater.desktop.run("view.curves")
    curves = rater.window.assembly.curves
    assert curves.isVisible()
    shown = curves.shown
    assert shown is not None
    assert shown.jumps().tolist() == [6, 7]
    left = rater.window.assembly.timeline.viewport.layout.axis_left
    x = left + rater.window.assembly.timeline.viewport.axis.middle_of(6)
    QTest.mouseClick(curves, LEFT, NONE, QPoint(math.floor(x), 20))
    rater.desktop.settle()
    assert rater.window.context.canvas.index == 6
    before = curves.grab().toImage()
    rater.window.assembly.timeline.viewport.zoom_in()
    assert curves.grab().toImage() != before


def test_the_view_follows_the_point_from_frame_to_frame(rater: Rater) -> None:
    rater.place_first()
    rater.place_on(8)
    rater.window.context.canvas.tools.set_tool("select")
    rater.desktop.run("point.center")
    canvas = rater.window.context.canvas
    for frame in (0, 8):
        rater.go(frame)
        mark = rater.mark(frame)
        assert mark is not None
        assert isinstance(mark.xy, Point)
        x, y = canvas.board.viewport.to_widget(mark.xy)
        assert math.hypot(x - canvas.width() / 2, y - canvas.height() / 2) < 2
    rater.desktop.run("point.center")
    assert canvas.board.viewport.is_fit


def test_points_come_back_with_the_project(rater: Rater, project: Path) -> None:
    rater.place_first("left ear")
    rater.place_on(10)
    point: PointId = rater.point.id
    rater.desktop.open(project)
    assert rater.point.id == point
    assert rater.point.label == "left ear"
    assert rater.point.path.frames().tolist() == [0, 10]


def test_dismissed_proposals_go_and_do_not_come_back(rater: Rater) -> None:
    rater.place_first()
    rater.place_on(10)
    rater.place_on(20)
    rater.propose(1, 10)
    rater.propose(11, 20)
    rater.go(5)
    rater.desktop.press("Shift+A")
    pending = rater.session.pending_points(rater.point.id)
    assert [p.frame for p in pending] == list(range(11, 20))
    rater.desktop.press("Shift+A")
    assert len(rater.session.pending_points(rater.point.id)) == 9
    plan = PointPlan(rater.session)
    plan.refresh(rater.point.id)
    assert plan.n_gaps == 1


def test_keys_stop_where_a_hidden_stretch_begins(rater: Rater) -> None:
    rater.place_first()
    rater.place_on(40)
    rater.session.run(MarkPoints(rater.point.id, 10, 20, "occluded"))
    rater.session.run(MarkPoints(rater.point.id, 20, 30, "outside"))
    rater.go(0)
    stops = []
    for _ in range(4):
        rater.desktop.press("R")
        stops.append(rater.window.context.canvas.index)
    assert stops == [10, 20, 40, 40]
    rater.desktop.press("E", "E", "E")
    assert rater.window.context.canvas.index == 0


def test_keys_act_on_all_selected_points(rater: Rater) -> None:
    rater.place_first()
    owner = rater.point.info.track_id
    assert owner is not None
    rater.session.run(CreatePoint(PointId(new_id()), owner, "edge", 0, Point(40, 70)))
    ids = [p.id for p in rater.session.document.points]
    rater.window.context.workspace.selection.set_points(owner, ids)
    rater.desktop.press("Q")
    marks = [p.mark(0) for p in rater.session.document.points]
    assert [m is not None and m.occluded for m in marks] == [True, True]
    rater.desktop.press("Ctrl+Z")
    marks = [p.mark(0) for p in rater.session.document.points]
    assert [m is not None and m.occluded for m in marks] == [False, False]
    rater.window.context.workspace.selection.set_points(owner, ids)
    rater.desktop.press("H", "Ctrl+L")
    assert [p.info.is_hidden for p in rater.session.document.points] == [True, True]
    assert [p.info.is_locked for p in rater.session.document.points] == [True, True]


def test_names_of_other_tasks_are_offered_for_the_same_kind_of_object(rater: Rater) -> None:
    project = rater.window.context.workspace.project
    assert project is not None
    video = VideoInfo(VideoId(new_id()), "absent.mp4", 320, 180, 90, 30.0, 3.0)
    elsewhere = project.open_task(project.add_absent_video(video))
    cup, lid = track_id(), track_id()
    for track, label, names in ((cup, "object", ("spout", "rim")), (lid, "lid", ("knob",))):
        elsewhere.run(CreateTrack(track, label, 0, Box(10, 10, 50, 50)))
        for name in names:
            elsewhere.run(CreatePoint(PointId(new_id()), track, name, 0, Point(20, 20)))
    rater.desktop.press("P")
    rater.click(25, 65)
    completer = rater.window.context.canvas.points.name_field.completer()
    model = completer.model()
    assert isinstance(model, QStringListModel)
    assert model.stringList() == ["rim", "spout"]


def test_the_lens_shows_every_pixel_of_a_picture_shown_small(rater: Rater) -> None:
    window = rater.window
    window.context.canvas.zooming.set_view(0.5, 160, 90)
    rater.desktop.settle()
    rater.desktop.qtbot.waitUntil(lambda: not window.context.canvas.has_detail)
    details: list[int] = []
    window.context.canvas.detailWanted.connect(details.append)
    rater.desktop.press("P")
    QTest.mouseMove(window.context.canvas, rater.desktop.at(60, 70))
    rater.desktop.qtbot.waitUntil(lambda: window.context.canvas.has_detail)
    assert details == [0]
    assert window.context.canvas.zooming.target_size() == (160, 90)
    rater.go(3)
    rater.desktop.qtbot.waitUntil(lambda: window.context.canvas.has_detail)
    assert details == [0, 3]


def test_curves_are_shown_again_by_the_next_window(
    rater: Rater, make_desktop: Callable[[], Desktop]
) -> None:
    assert rater.window.assembly.curves.isHidden()
    rater.desktop.press("Alt+P")
    assert not rater.window.assembly.curves.isHidden()
    rater.window.close()
    again = make_desktop().window
    assert not again.assembly.curves.isHidden()
    assert again.context.table.action("view.curves").isChecked()


def test_points_need_no_object_and_are_assigned_to_one_later(
    desktop: Desktop, project: Path
) -> None:
    desktop.open(project)
    window, session = desktop.window, desktop.window.context.workspace.session
    assert session is not None
    desktop.press("P")
    for name, x in (("corner", 25), ("middle", 50)):
        QTest.mouseClick(window.context.canvas, LEFT, NONE, desktop.at(x, 65))
        desktop.settle()
        QTest.keyClicks(window.context.canvas.points.name_field, name)
        QTest.keyClick(window.context.canvas.points.name_field, Qt.Key.Key_Return)
    assert [(p.label, p.info.track_id) for p in session.document.points] == [
        ("corner", None),
        ("middle", None),
    ]
    inspector = window.context.panels.inspector
    inspector.refresh()
    owner = inspector.point_owner
    assert not owner.isVisibleTo(inspector)
    desktop.press("B")
    desktop.drag((20, 60), (80, 120))
    (track,) = session.document.tracks
    window.context.workspace.selection.set_points(None, [p.id for p in session.document.points])
    inspector.refresh()
    assert owner.isVisibleTo(inspector)
    assert owner.currentText() == "None"
    QTest.keyClick(owner, Qt.Key.Key_Down)
    assert [p.info.track_id for p in session.document.points] == [track.id, track.id]
    assert window.context.workspace.selection.primary == track.id
    inspector.refresh()
    assert [owner.itemData(i) for i in range(owner.count())] == [track.id]
    assert len(session.document.points_of(track.id)) == 2
    desktop.press("Ctrl+Z")
    assert [p.info.track_id for p in session.document.points] == [None, None]


def test_issues_lead_to_their_points(
    rater: Rater, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, panels = rater.window.context.workspace, rater.window.context.panels
    owner = rater.session.document.tracks[0].id
    free, owned = point_id(), point_id()
    for point, track in ((free, None), (owned, owner)):
        rater.session.run(CreatePoint(point, track, "rim", 3, Point(40, 40)))
    text = "Only frame 3 is annotated"
    points = rater.session.document.points
    places = {f"point {p.info.number} ": p.id for p in points}

    def rows(listed: QListWidget) -> dict[PointId, QListWidgetItem]:
        items = [item for i in range(listed.count()) if text in (item := listed.item(i)).text()]
        return {p: item for item in items for place, p in places.items() if place in item.text()}

    rater.desktop.qtbot.waitUntil(
        lambda: {free, owned} <= set(rows(panels.findings.list)), timeout=10_000
    )
    target = tmp_path / "out.json"
    monkeypatch.setattr(ExportDialog, "exec", lambda _: QDialog.DialogCode.Accepted)
    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_export", lambda *_: target)
    rater.desktop.run("file.export")
    widgets = QApplication.topLevelWidgets
    rater.desktop.qtbot.waitUntil(lambda: any(isinstance(w, ReportDialog) for w in widgets()))
    report = next(w for w in widgets() if isinstance(w, ReportDialog))
    for listed in (panels.findings.list, report.list):
        for point, track in ((free, ()), (owned, (owner,))):
            rater.desktop.press("Home")
            listed.itemActivated.emit(rows(listed)[point])
            rater.desktop.settle()
            assert (workspace.selection.points, workspace.selection.tracks) == ((point,), track)
            assert workspace.frame == 3
    row, messages = rows(report.list)[free], []
    workspace.message.connect(messages.append)
    rater.session.run(DeletePoints((free,)))
    report.list.itemActivated.emit(row)
    assert messages == ["This object was deleted or is in another video."]
    assert workspace.selection.points == (owned,)
    report.close()


def test_keys_act_on_points_without_an_object(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    context, session = desktop.window.context, desktop.window.context.workspace.session
    assert session is not None
    tab = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Tab, NONE)
    assert not press_tab(context.canvas, tab), "it leaves the canvas"
    for x in (25, 50):
        desktop.press("P")
        QTest.mouseClick(context.canvas, LEFT, NONE, desktop.at(x, 65))
        desktop.settle()
        QTest.keyClick(context.canvas.points.name_field, Qt.Key.Key_Return)
        desktop.press("Esc")
    one, two = (point.id for point in session.document.points)
    context.workspace.selection.clear()
    assert press_tab(context.canvas, tab)
    assert context.workspace.selection.points == (one,)
    desktop.press("Tab")
    assert context.workspace.selection.points == (two,)
    context.playback.seek(5)
    desktop.settle()
    desktop.press("Q")
    mark = session.document.point(two).mark(5)
    assert mark is not None
    assert mark.occluded
    desktop.press("H", "Ctrl+L")
    info = session.document.point(two).info
    assert (info.is_hidden, info.is_locked) == (True, True)
    context.workspace.selection.set_points(None, [one])
    context.updates.refresh()
    enabled = {name for name in _ON_POINTS if context.table.action(name).isEnabled()}
    assert enabled == _ON_POINTS - _ON_OBJECTS


_ON_OBJECTS = {"key.thin", "track.children", "go.track-first", "go.manual-forward"}
_ON_POINTS = _ON_OBJECTS | {
    "key.set",
    "proposal.gallery",
    "proposal.run",
    "proposal.dismiss",
    "track.rename",
    "go.key-forward",
    "go.gap-middle",
    "object.next",
}


def test_a_point_belongs_to_an_object_where_there_are_objects(rater: Rater) -> None:
    workspace = rater.window.context.workspace
    workspace.selection.clear()
    rater.desktop.draw((200, 20), (260, 60))
    workspace.selection.clear()
    rater.desktop.press("P")
    rater.click(150, 150)
    assert rater.session.document.points == ()
    rater.click(25, 65)
    assert rater.point.info.track_id is not None


def test_names_of_points_without_an_object_are_those_in_other_videos(
    desktop: Desktop, project: Path
) -> None:
    desktop.open(project)
    window = desktop.window
    project_here = window.context.workspace.project
    assert project_here is not None
    video = VideoInfo(VideoId(new_id()), "other.mp4", 320, 180, 90, 30.0, 3.0)
    elsewhere = project_here.open_task(project_here.add_absent_video(video))
    cup = track_id()
    elsewhere.run(CreateTrack(cup, "cup", 0, Box(10, 10, 50, 50)))
    for owner, name in ((cup, "rim"), (None, "nose")):
        elsewhere.run(CreatePoint(PointId(new_id()), owner, name, 0, Point(20, 20)))
    desktop.press("P")
    QTest.mouseClick(window.context.canvas, LEFT, NONE, desktop.at(25, 65))
    desktop.settle()
    model = window.context.canvas.points.name_field.completer().model()
    assert isinstance(model, QStringListModel)
    assert model.stringList() == ["nose"]


def test_tracking_of_points_without_an_object_is_told_in_the_status_bar(rater: Rater) -> None:
    stage, bar = rater.window.context.workspace.stage, rater.window.assembly.status.tracking
    assert stage is not None
    assert stage.proposing is not None
    (track,) = rater.session.document.tracks
    label = bar.findChild(QLabel)
    assert label is not None
    for owner, text in ((track.id, "Tracking object"), (None, "Tracking points")):
        status = ProposingStatus(False, owner, 5, 40, 0, are_points=True)
        stage.proposing.progressed.notify(status)
        rater.desktop.qtbot.waitUntil(lambda text=text: label.text() == text)
        assert bar.isVisible()
    stage.proposing.progressed.notify(ProposingStatus(False, None, 0, 0, 0))
    assert not bar.isVisible()
