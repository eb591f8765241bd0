"""The panels by mouse: eye and lock, filter, selection, frame box, speed, notices, children."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QLineEdit,
    QMenu,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from annotator.domain.commands import CreateTrack, DeleteTracks, SetKeyframe
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.services.notices import Notice
from annotator.services.workflow.work import QueueCount
from annotator.ui.dialogs.help_windows import GuideDialog
from annotator.ui.panels.children_dialog import ChildrenDialog
from annotator.ui.panels.object_rows import ObjectColumn
from annotator.ui.work.work_list import WorkList
from tests.e2e.conftest import Desktop, type_key


@pytest.fixture
def two(desktop: Desktop, project: Path) -> Desktop:
    """Two objects on frame 0, the second one selected."""
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    desktop.draw((120, 20), (180, 80))
    return desktop


def _click(desktop: Desktop, row: int, column: ObjectColumn, *, ctrl: bool = False) -> None:
    view = desktop.window.context.panels.objects.view
    place = view.visualRect(view.model().index(row, column)).center()
    held = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, held, place)


def test_eye_and_lock_switch_by_a_click(two: Desktop) -> None:
    workspace = two.window.context.workspace
    _click(two, 0, ObjectColumn.VISIBLE)
    _click(two, 1, ObjectColumn.LOCKED)
    assert workspace.session is not None
    first, second = workspace.session.document.tracks
    assert (first.info.is_hidden, first.info.is_locked) == (True, False)
    assert (second.info.is_hidden, second.info.is_locked) == (False, True)
    two.window.context.updates.refresh()
    assert two.window.context.table.action("edit.undo").text() == "Undo Edit object"


def test_list_and_canvas_share_the_selection(two: Desktop) -> None:
    workspace = two.window.context.workspace
    assert workspace.session is not None
    first, second = (t.id for t in workspace.session.document.tracks)
    assert workspace.selection.tracks == (second,)
    _click(two, 0, ObjectColumn.NAME)
    assert workspace.selection.tracks == (first,)
    _click(two, 1, ObjectColumn.NAME, ctrl=True)
    assert set(workspace.selection.tracks) == {first, second}
    assert workspace.selection.primary == second
    two.window.context.updates.refresh()
    assert two.window.context.table.action("track.join").isEnabled()
    QTest.mouseClick(
        two.window.context.canvas,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        two.at(50, 90),
    )
    assert workspace.selection.tracks == (first,)
    rows = two.window.context.panels.objects.view.selectionModel().selectedRows
    two.qtbot.waitUntil(lambda: len(rows()) == 1)


def test_filter_leaves_what_has_it_in_the_name(two: Desktop) -> None:
    objects = two.window.context.panels.objects
    objects.filter.setText("nothing like it")
    assert objects.view.model().rowCount() == 0
    assert objects._empty.isVisible()
    objects.filter.setText("OBJ")
    assert objects.view.model().rowCount() == 2


def _name_field(two: Desktop) -> QLineEdit:
    """Begin to rename the selected object; return the field in its row."""
    two.run("track.rename")
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.text() == "object"
    return field


@pytest.mark.parametrize("edit", ["row", "list"])
def test_a_name_being_typed_stays_when_the_list_changes(two: Desktop, edit: str) -> None:
    workspace = two.window.context.workspace
    track = workspace.track
    assert track is not None
    first = _name_field(two)
    QTest.keyClicks(first, "kettle")
    QTest.keyClick(first, Qt.Key.Key_Left)
    if edit == "list":
        workspace.run(CreateTrack(track_id(), "spout", 0, Box(10, 10, 50, 50)))
    # As by a button of the tool bar, which does not take the focus.
    workspace.run(SetKeyframe(track.id, 10, Box(10, 10, 50, 50)))
    QTest.qWait(300)  # the row is counted a moment later
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert (field is first) == (edit == "row")
    assert (field.text(), field.cursorPosition()) == ("kettle", 5)
    QTest.keyClicks(field, "s")
    QTest.keyClick(field, Qt.Key.Key_Return)
    session = workspace.session
    assert session is not None
    two.qtbot.waitUntil(lambda: session.document.track(track.id).label == "kettlse")
    two.settle()
    assert not isinstance(QApplication.focusWidget(), QLineEdit)


def test_a_name_field_stays_open_when_the_list_changes(two: Desktop) -> None:
    workspace = two.window.context.workspace
    _name_field(two)
    workspace.run(CreateTrack(track_id(), "spout", 0, Box(10, 10, 50, 50)))
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert (field.text(), field.selectedText()) == ("object", "object")


def test_the_keys_are_for_the_picture_when_the_object_being_named_is_gone(two: Desktop) -> None:
    canvas = QApplication.focusWidget()
    workspace = two.window.context.workspace
    assert workspace.track is not None
    QTest.keyClicks(_name_field(two), "kettle")
    workspace.run(DeleteTracks((workspace.track.id,)))
    two.settle()
    assert QApplication.focusWidget() is canvas


def test_frame_box_and_speed_move_the_player(two: Desktop) -> None:
    transport = two.window.assembly.transport
    assert two.window.context.workspace.stage is not None
    player = two.window.context.workspace.stage.player
    transport.frame.setFocus()
    transport.frame.selectAll()
    QTest.keyClicks(transport.frame, "42")
    QTest.keyClick(transport.frame, Qt.Key.Key_Return)
    two.settle()
    assert two.window.context.workspace.frame == 42
    transport.speed.setCurrentIndex(0)
    transport.speed.activated.emit(0)
    assert player.state.speed == pytest.approx(0.1)
    two.press("]", "]")
    assert player.state.speed == pytest.approx(0.5)
    assert transport.speed.currentText() == "0.5×"
    player.set_speed(-2)
    assert transport.speed.currentText() == "−2×"
    player.set_speed(1)
    assert transport.speed.count() == 9


def test_keys_are_for_the_picture_after_a_frame_or_a_name_was_entered(two: Desktop) -> None:
    canvas, transport = two.window.context.canvas, two.window.assembly.transport
    two.window.activateWindow()
    for field, text in (
        (transport.frame, "12"),
        (two.window.context.panels.inspector.name, "mug"),
    ):
        two.window.context.workspace.selection.set_tracks(
            [two.window.context.workspace.session.document.tracks[0].id]
        )
        two.settle()
        field.setFocus()
        QTest.keySequence(field, "Ctrl+A")
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert canvas.hasFocus()
        canvas.tools.set_tool("select")
        type_key(canvas, "B")
        assert canvas.tools.tool == "box"
    two.settle()
    assert two.window.context.workspace.frame == 12
    assert two.window.context.workspace.session.document.tracks[0].label == "mug"


def test_a_click_on_the_picture_drops_a_frame_number_that_was_not_entered(two: Desktop) -> None:
    """Else a drag would edit the frame on the screen while the video goes to another."""
    canvas, transport = two.window.context.canvas, two.window.assembly.transport
    workspace = two.window.context.workspace
    assert workspace.stage is not None
    assert workspace.session is not None
    tracks = workspace.session.document.tracks
    track_id, before = tracks[0].id, tracks[0].keyframes[0].box
    two.window.activateWindow()
    transport.frame.setFocus()
    QTest.keySequence(transport.frame, "Ctrl+A")
    QTest.keyClicks(transport.frame, "12")
    two.drag((60, 90), (80, 100))
    assert canvas.hasFocus()
    assert [workspace.stage.player.state.frame, workspace.frame] == [0, 0]
    assert transport.frame.text() == "0"
    keyframes = workspace.session.document.track(track_id).keyframes
    assert [key.frame for key in keyframes] == [0]
    assert keyframes[0].box != before


def test_notices_stay_until_closed_and_come_once(two: Desktop) -> None:
    banners = two.window.context.banners
    notice = Notice("warning", "The disk is nearly full.", "Make room.")
    two.window.context.workspace.bridge.noticed.emit(notice)
    two.window.context.workspace.bridge.noticed.emit(notice)
    assert banners.texts() == ["The disk is nearly full. Make room."]
    assert banners.isVisible()
    banners.findChildren(QToolButton)[0].click()
    assert banners.texts() == []
    assert not banners.isVisible()


def test_the_guide_has_one_window(two: Desktop, qtbot: QtBot) -> None:
    def guides() -> list[GuideDialog]:
        return two.window.findChildren(GuideDialog)

    two.run("help.guide")
    two.run("help.guidelines")
    (guide,) = guides()
    assert guide.browser.source().fileName() == "guidelines.md"
    two.run("help.guide")
    assert guides() == [guide]
    assert guide.browser.source().fileName() == "index.md"
    guide.close()
    qtbot.waitUntil(lambda: guides() == [])
    two.run("help.guide")
    assert len(guides()) == 1


def test_children_go_on_where_the_parent_ends(
    two: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(dialog: ChildrenDialog) -> QDialog.DialogCode:
        dialog.fields[0].setText("shell")
        dialog.fields[1].setText("  ")
        dialog.add_field()
        dialog.fields[2].setText("yolk")
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ChildrenDialog, "exec", fill)
    two.press("V", "Ctrl+Alt+M")
    workspace = two.window.context.workspace
    assert [t.label for t in workspace.tracks] == ["shell", "yolk"]
    parent = workspace.tracks[0].info.parent_id
    assert parent is not None
    assert workspace.tracks[1].info.parent_id == parent
    assert "parent:" in two.window.context.panels.inspector._family.text()
    two.window.context.panels.inspector._family.linkActivated.emit(parent)
    assert workspace.selection.tracks == (parent,)
    two.settle()
    assert "shell" in two.window.context.panels.inspector._family.text()


def test_occluder_is_kept_with_the_object(two: Desktop) -> None:
    two.window.context.panels.inspector.attributes.fields["is_occluder"].click()
    track = two.window.context.workspace.track
    assert track is not None
    assert track.info.attributes["is_occluder"] is True


def test_menu_of_the_picture_fits_what_is_under_it(two: Desktop) -> None:
    two.window.context.canvas.contextMenuAt.emit(
        QPoint(5, 5), two.window.context.workspace.selection.primary
    )
    two.window.context.canvas.contextMenuAt.emit(QPoint(5, 5), None)
    over_object, beside = two.window.findChildren(QMenu)[-2:]
    names = [{a.objectName() for a in menu.actions()} for menu in (over_object, beside)]
    assert "track.delete" in names[0]
    assert "track.delete" not in names[1]
    assert "view.fit" in names[1]
    for menu in (over_object, beside):
        menu.close()


def test_the_film_strip_shows_a_larger_picture_below_the_mouse(two: Desktop) -> None:
    view = two.window.assembly.timeline
    two.qtbot.waitUntil(lambda: view.strips.film.has_pictures, timeout=10_000)
    QTest.mouseMove(view, QPoint(view.viewport.layout.axis_left + 60, 8))
    two.qtbot.waitUntil(lambda: view.preview.label is not None and view.preview.label.isVisible())
    label = view.preview.label
    assert label is not None
    assert label.pixmap().height() > 60
    assert label.geometry().bottom() < view.mapTo(two.window, QPoint(0, 0)).y()
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert not label.isVisible()


def test_docks_that_share_a_place_are_named_by_their_tabs_alone(two: Desktop, qtbot: QtBot) -> None:
    frame = two.window
    docks = {dock.objectName(): dock for dock in frame.findChildren(QDockWidget)}
    objects, segments, tasks = docks["objects"], docks["segments"], docks["tasks"]
    for dock in (segments, tasks):
        dock.show()  # they have nothing to show yet
    qtbot.waitUntil(lambda: objects.titleBarWidget() is not None)
    assert objects.titleBarWidget() is not None
    assert tasks.titleBarWidget() is None
    (bar,) = (b for b in frame.findChildren(QTabBar) if "Objects" in _texts(b))
    assert bar.geometry().bottom() <= objects.geometry().top()

    at = bar.tabRect(_texts(bar).index("Segments")).center()
    bar.customContextMenuRequested.emit(at)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.actions()[0].trigger()
    menu.close()
    assert segments.isFloating()
    qtbot.waitUntil(lambda: segments.titleBarWidget() is None)
    segments.setFloating(False)
    qtbot.waitUntil(lambda: segments.titleBarWidget() is not None)
    segments.hide()
    qtbot.waitUntil(lambda: objects.titleBarWidget() is None)


def _texts(bar: QTabBar) -> list[str]:
    return [bar.tabText(i) for i in range(bar.count())]


def test_my_work_is_as_high_as_its_rows_and_not_there_without_any(
    desktop: Desktop, project: Path
) -> None:
    desktop.open(project)
    workspace = desktop.window.context.workspace
    assert workspace.project is not None
    page = QWidget()
    desktop.qtbot.addWidget(page)
    page.resize(600, 900)
    work = WorkList(workspace, is_roomy=True)
    QVBoxLayout(page).addWidget(work)
    page.show()
    work.fill(workspace.project, ())
    assert not work.isVisible()
    heights = []
    for n in (1, 4):
        queues = [
            QueueCount(f"kind {i}", "Tracks", "annotate", "Annotate", 3, may_choose=False)
            for i in range(n)
        ]
        work.fill(workspace.project, (), queues)
        QApplication.processEvents()
        assert work.isVisible()
        assert not work.verticalScrollBar().isVisible()
        heights.append(work.height())
    assert heights[0] < heights[1] < 400
