"""Actions and sounds by keys and mouse: made, painted, moved, cut, filled with objects, checked."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QToolButton

from annotator.domain.annotation.point_track import PointInfo, PointTrack
from annotator.domain.annotation.segment import OPEN_ROLE, Lane, Segment
from annotator.domain.commands import AddImported, SetTrack
from annotator.domain.ids import PersonId, PointId, new_id
from annotator.store.annotation.drafts import read_draft
from annotator.ui.panels.labels_panel import LabelDialog
from annotator.ui.panels.object_rows import ObjectColumn
from annotator.ui.timeline.model.timeline_texts import segment_tip
from tests.e2e.conftest import Desktop


@pytest.fixture
def two(desktop: Desktop, project: Path) -> Desktop:
    """Two objects on frame 0."""
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    desktop.draw((120, 20), (180, 80))
    desktop.press("Esc")
    return desktop


def _segments(desktop: Desktop) -> tuple[Segment, ...]:
    session = desktop.window.context.workspace.session
    assert session is not None
    return session.document.segments


def _make(desktop: Desktop, digit: str, start: int, end: int) -> Segment:
    """Make a segment of the frames ``start`` to ``end``, both included, by keys."""
    desktop.press("Esc", "Esc", digit)
    desktop.window.context.playback.seek(start)
    desktop.settle()
    desktop.press("I")
    desktop.window.context.playback.seek(end)
    desktop.settle()
    desktop.press("O", "Return")
    segment = desktop.window.context.workspace.segment
    assert segment is not None
    return segment


def _click_object(desktop: Desktop, x: float, y: float) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(desktop.window.context.canvas, left, none, desktop.at(x, y))
    QApplication.processEvents()
    desktop.settle()


def _key(desktop: Desktop, kind: QEvent.Type, key: Qt.Key, text: str) -> None:
    event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text)
    QApplication.sendEvent(desktop.window.context.canvas, event)


def test_a_mark_is_for_the_frame_gone_to_whatever_is_still_shown(two: Desktop) -> None:
    window = two.window
    window.context.playback.seek(40)
    window.context.table.run("range.in")
    assert window.context.workspace.range == (40, window.context.workspace.n_frames)
    window.context.playback.seek(52)
    window.context.table.run("range.out")
    assert window.context.workspace.range == (40, 53)


def test_the_first_hint_goes_when_a_segment_was_made(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    hint = desktop.window.context.middle.hint
    assert hint.text() == "Press B and drag a box around an object"
    _make(desktop, "2", 10, 29)
    assert hint.text() == ""
    desktop.press("Ctrl+Z")
    assert hint.text() != ""


def test_the_first_hint_is_not_for_a_task_with_points(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    context = desktop.window.context
    assert context.middle.hint.text() != ""
    assert context.workspace.session is not None
    point = PointTrack(PointInfo(PointId(new_id()), None, "dot", 1, 1))
    context.workspace.session.run(AddImported((), (), None, (point,)))
    context.updates.refresh()
    assert context.middle.hint.text() == ""


def test_range_and_label_become_an_action_whose_roles_are_clicked(two: Desktop) -> None:
    workspace = two.window.context.workspace
    made = _make(two, "2", 10, 29)
    assert (made.start, made.end, made.label_id, made.slots) == (10, 30, 101, ())
    assert workspace.range is None
    card = two.window.assembly.card
    assert [b.text() for b in card.roles.buttons[:2]] == ["Select object", "Select object"]
    two.press("1")
    assert card.roles.buttons[0].text() == "Click an object…"
    assert two.window.context.middle.hint.text().startswith(
        "Click the object for role 1 (something)"
    )
    assert workspace.session is not None
    kettle, mug = (t.id for t in workspace.session.document.tracks)
    _click_object(two, 50, 90)
    assert _segments(two)[0].slots == (kettle,)
    assert workspace.hint == ""
    card.roles.buttons[1].click()
    view = two.window.context.panels.objects.view
    place = view.visualRect(view.model().index(1, ObjectColumn.NAME)).center()
    none = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, none, place)
    QApplication.processEvents()
    assert _segments(two)[0].slots == (kettle, mug)
    assert workspace.selection.is_on_segment
    two.press("Ctrl+Z")
    assert _segments(two)[0].slots == (kettle,)


def test_a_role_takes_an_object_from_its_list(two: Desktop) -> None:
    workspace = two.window.context.workspace
    _make(two, "2", 10, 29)
    card = two.window.assembly.card
    menu = card.roles.buttons[1].menu()
    assert isinstance(menu, QMenu)
    assert workspace.session is not None
    mug = workspace.session.document.tracks[1]

    def choose(text: str) -> None:
        menu.aboutToShow.emit()
        (action,) = (a for a in menu.actions() if a.text() == text)
        action.trigger()

    workspace.run(SetTrack(mug.id, label="salt & pepper " * 8))
    before = card.minimumSizeHint().width()
    choose(f"{mug.info.number} {'salt && pepper ' * 8}".strip())
    assert _segments(two)[0].slots == (OPEN_ROLE, mug.id)
    two.settle()
    assert "&&" in card.roles.buttons[1].text(), "an ampersand is no mnemonic"
    assert card.minimumSizeHint().width() == before, "a long name does not widen the inspector"
    choose("Not annotated")
    assert _segments(two)[0].slots == (OPEN_ROLE, None)
    choose("Clear role 2")
    assert _segments(two)[0].is_open(1)


def test_the_ends_are_set_beside_their_times(two: Desktop) -> None:
    _make(two, "2", 10, 29)
    card = two.window.assembly.card
    start, end = card.findChildren(QToolButton, "set-here")
    two.window.context.playback.seek(5)
    two.settle()
    start.click()
    two.window.context.playback.seek(40)
    two.settle()
    end.click()
    (changed,) = _segments(two)
    assert (changed.start, changed.end) == (5, 41)


def test_a_click_that_fills_a_role_moves_nothing(two: Desktop) -> None:
    workspace = two.window.context.workspace
    _make(two, "1", 0, 20)
    assert workspace.session is not None
    before = workspace.session.document.tracks
    two.press("1")
    _click_object(two, 50, 90)
    assert workspace.session.document.tracks == before
    assert _segments(two)[0].slots == (before[0].id,)


def test_zero_says_not_annotated_and_esc_leaves(two: Desktop) -> None:
    _make(two, "2", 0, 20)
    two.press("0")
    assert _segments(two)[0].slots == (None,)
    two.press("2", "Esc")
    assert two.window.context.workspace.hint == ""
    _click_object(two, 50, 90)
    assert _segments(two)[0].slots == (None,)


def test_roles_are_filled_in_any_order(two: Desktop) -> None:
    workspace = two.window.context.workspace
    made = _make(two, "2", 10, 29)
    two.press("2")
    _click_object(two, 50, 90)
    assert workspace.session is not None
    kettle = workspace.session.document.tracks[0].id
    assert _segments(two)[0].slots == (OPEN_ROLE, kettle)
    card = two.window.assembly.card
    assert "[something]" in card.sentence.text()
    assert card.roles.buttons[0].text() == "Select object"
    assert card.roles.buttons[1].text().startswith("1 ")
    live = two.window.context.panels.live
    only_first = ["Not filled: role 1 (something)."]
    two.qtbot.waitUntil(lambda: [f.text for f in live.of(made.id)] == only_first, timeout=10_000)
    two.press("0")
    assert _segments(two)[0].slots == (None, kettle)


def test_a_segment_has_a_note_that_is_kept_and_undone(two: Desktop) -> None:
    made = _make(two, "2", 10, 29)
    card = two.window.assembly.card
    card.refresh()
    card.note.setText("with the left hand <b>")
    card.note.editingFinished.emit()
    two.settle()
    assert _segments(two)[0].note == "with the left hand <b>"
    session = two.window.context.workspace.session
    assert session is not None
    project = two.window.context.workspace.project
    assert project is not None
    stored = read_draft(project.file, session.document.draft_id, session.document.video)
    assert stored.segments[0].note == "with the left hand <b>"
    axis = two.window.assembly.timeline.viewport.axis
    assert "left hand" in segment_tip(_segments(two)[0], None, session.document, axis)
    two.press("Ctrl+Z")
    assert _segments(two)[0].note == ""
    assert _segments(two)[0].id == made.id


def test_edges_move_by_keys_and_quick_presses_are_one_step(two: Desktop) -> None:
    workspace = two.window.context.workspace
    made = _make(two, "2", 10, 29)
    two.press("Ctrl+Right", "Ctrl+Right", "Ctrl+Left", "Ctrl+Right")
    assert (_segments(two)[0].start, workspace.frame) == (12, 12)
    two.press("PgDown")
    assert (workspace.selection.segment, workspace.selection.edge, workspace.frame) == (
        made.id,
        "end",
        29,
    )
    two.press("Ctrl+Right")
    assert _segments(two)[0].end == 31
    two.press("Ctrl+Z", "Ctrl+Z")
    assert (_segments(two)[0].start, _segments(two)[0].end) == (10, 30)
    two.window.context.playback.seek(15)
    two.settle()
    two.press("Alt+[")
    assert _segments(two)[0].start == 15
    two.window.context.playback.seek(5)
    two.settle()
    two.press("Alt+]")
    assert _segments(two)[0].end == 30  # it would end before it starts


def test_sounds_move_by_milliseconds_and_are_marked_out_of_view(two: Desktop) -> None:
    two.window.context.workspace.labels.set_lane(Lane.SOUND)
    made = _make(two, "4", 10, 29)
    assert (made.lane, made.label) == (Lane.SOUND, "Interaction: fluid")
    assert (made.start_us, made.end_us) == (333_333, 1_000_000)
    two.press("Ctrl+Alt+Right", "Ctrl+Alt+Right")
    moved = _segments(two)[0]
    assert (moved.start_us, moved.start) == (335_333, 10)
    two.press("Ctrl+Right")
    assert (_segments(two)[0].start_us, _segments(two)[0].start) == (366_667, 11)
    two.press("W")
    assert not _segments(two)[0].is_visible
    assert two.window.assembly.card.out_of_view.isChecked()
    two.press("1")
    assert _segments(two)[0].slots == ()


def test_split_merge_copy_relabel_and_delete_by_the_keys_of_objects(two: Desktop) -> None:
    workspace = two.window.context.workspace
    made = _make(two, "2", 10, 29)
    two.window.context.playback.seek(20)
    two.settle()
    two.press("Alt+M")
    assert [(s.start, s.end) for s in _segments(two)] == [(10, 20), (20, 30)]
    two.press("M")
    assert _segments(two) == (made,)
    two.press("Ctrl+D")
    assert len(_segments(two)) == 2
    label = workspace.labels.by_digit("5")
    assert label is not None
    workspace.labels.choose(label)
    two.press("Y")
    assert {s.label_id for s in _segments(two)} == {101, 104}
    two.press("Del")
    assert _segments(two) == (made,)
    assert workspace.session is not None
    assert len(workspace.session.document.tracks) == 2


def test_holding_a_digit_paints_what_plays_less_the_reaction(two: Desktop) -> None:
    workspace, stage = two.window.context.workspace, two.window.context.workspace.stage
    assert stage is not None
    workspace.settings.set("segments.reaction_ms", 100)
    two.press("Esc")
    stage.player.seek(30)
    stage.player.set_speed(0.5)
    stage.player.play()
    two.window.context.updates.refresh()
    _key(two, QEvent.Type.ShortcutOverride, Qt.Key.Key_2, "2")
    pressed_s = stage.player.state.time_s
    two.window.context.table.run("segment.digit")
    assert "Putting something into something" in two.window.context.middle.hint.text()
    two.qtbot.waitUntil(lambda: stage.player.state.time_s > pressed_s + 0.2, timeout=5000)
    released_s = stage.player.state.time_s
    _key(two, QEvent.Type.KeyRelease, Qt.Key.Key_2, "2")
    two.qtbot.waitUntil(lambda: bool(_segments(two)), timeout=5000)
    stage.player.pause()
    (painted,) = _segments(two)
    assert painted.start / 30 == pytest.approx(pressed_s - 0.05, abs=0.05)
    assert painted.end / 30 == pytest.approx(released_s - 0.05, abs=0.05)
    assert workspace.hint == ""


def test_next_segment_play_once_and_loop(two: Desktop) -> None:
    workspace, stage = two.window.context.workspace, two.window.context.workspace.stage
    assert stage is not None
    first = _make(two, "2", 10, 14)
    second = _make(two, "2", 40, 44)
    two.press("Esc", "Home", "T")
    assert (workspace.selection.segment, workspace.frame) == (first.id, 10)
    two.press("T", "Shift+T", "T")
    assert (workspace.selection.segment, workspace.frame) == (second.id, 40)
    two.press("Ctrl+/")
    assert stage.player.state.loop == (40, 45)
    two.press("Shift+T")
    assert stage.player.state.loop == (10, 15)
    two.press("Ctrl+/")
    assert stage.player.state.loop is None
    two.window.context.table.run("play.range")
    two.qtbot.waitUntil(lambda: not stage.player.state.is_playing, timeout=5000)
    assert stage.player.state.frame == 14


def test_playing_a_segment_ends_on_its_last_frame_on_a_busy_computer(two: Desktop) -> None:
    stage = two.window.context.workspace.stage
    assert stage is not None
    _make(two, "2", 10, 14)
    two.window.context.table.run("play.range")
    two.qtbot.waitUntil(lambda: stage.player.state.frame > 10, timeout=5000)
    time.sleep(0.4)
    two.qtbot.waitUntil(lambda: not stage.player.state.is_playing, timeout=5000)
    assert stage.player.state.frame == 14


def test_keys_go_back_to_objects_when_one_is_chosen(two: Desktop) -> None:
    workspace = two.window.context.workspace
    _make(two, "2", 0, 20)
    two.press("Home")
    _click_object(two, 50, 90)
    assert not workspace.selection.is_on_segment
    two.press("Del")
    assert len(_segments(two)) == 1
    assert workspace.session is not None
    assert len(workspace.session.document.tracks) == 1


def test_deleting_an_object_says_what_went_along(two: Desktop) -> None:
    _make(two, "2", 0, 20)
    two.press("Home", "1")
    _click_object(two, 50, 90)
    said: list[str] = []
    two.window.context.workspace.message.connect(said.append)
    _click_object(two, 50, 90)
    two.press("Del")
    assert "Also changed: 1 segment." in said
    assert _segments(two)[0].slots == (None,)
    said.clear()
    two.press("Ctrl+Z")
    assert "Also changed: 1 segment." not in said
    two.press("Ctrl+Y")
    assert "Also changed: 1 segment." in said


def test_splitting_and_joining_take_roles_along_say_so_and_are_undone(two: Desktop) -> None:
    workspace = two.window.context.workspace
    assert workspace.session is not None
    made = _make(two, "2", 40, 60)
    two.press("Home", "1")
    _click_object(two, 50, 90)
    first, second = workspace.session.document.tracks
    assert _segments(two)[0].slots == (first.id,)
    said: list[str] = []
    workspace.message.connect(said.append)
    two.press("Esc", "Esc")
    workspace.selection.set_tracks([first.id])
    two.window.context.playback.seek(30)
    two.settle()
    two.press("Alt+M")
    rest = next(t for t in workspace.session.document.tracks if t.id not in (first.id, second.id))
    assert said.count("Also changed: 1 segment.") == 1
    assert _segments(two)[0].slots == (rest.id,)
    two.press("Ctrl+Z")
    assert _segments(two)[0].slots == (first.id,)
    two.press("Ctrl+Y")
    assert _segments(two)[0].slots == (rest.id,)
    said.clear()
    workspace.selection.set_tracks([first.id, rest.id])
    two.press("M")
    (joined,) = _segments(two)
    assert said == ["Also changed: 1 segment."]
    assert (joined.id, joined.slots) == (made.id, (first.id,))


def test_page_keys_go_from_edge_to_edge(two: Desktop) -> None:
    workspace = two.window.context.workspace
    first, second = _make(two, "2", 10, 14), _make(two, "2", 40, 44)
    two.press("Esc", "Esc", "Home")
    places = []
    for key in ("PgDown", "PgDown", "PgDown", "PgUp", "PgUp"):
        two.press(key)
        places.append((workspace.selection.segment, workspace.selection.edge, workspace.frame))
    assert places == [
        (first.id, "start", 10),
        (first.id, "end", 14),
        (second.id, "start", 40),
        (first.id, "end", 14),
        (first.id, "start", 10),
    ]


def test_findings_come_by_themselves_and_lead_there(two: Desktop) -> None:
    made = _make(two, "2", 10, 29)
    panel = two.window.context.panels.findings
    live = two.window.context.panels.live
    two.qtbot.waitUntil(lambda: bool(live.of(made.id)), timeout=10_000)
    assert [f.code for f in live.of(made.id)] == ["empty-slot"]
    two.press("Esc", "Home")
    at = next(i for i in range(panel.list.count()) if "Not filled" in panel.list.item(i).text())
    panel.list.itemActivated.emit(panel.list.item(at))
    two.settle()
    assert (two.window.context.workspace.selection.segment, two.window.context.workspace.frame) == (
        made.id,
        10,
    )
    two.press("0", "0")
    two.qtbot.waitUntil(lambda: not live.of(made.id), timeout=10_000)


def test_a_range_drawn_on_a_lane_becomes_a_segment_of_it(two: Desktop) -> None:
    workspace, timeline = two.window.context.workspace, two.window.assembly.timeline
    said: list[str] = []
    workspace.message.connect(said.append)
    timeline.rangeDrawn.emit(Lane.SOUND, 0.5, 1.25)
    assert _segments(two) == ()
    assert said[-1].startswith("Select a label")
    two.press("4")
    timeline.rangeDrawn.emit(Lane.SOUND, 0.5, 1.25)
    timeline.rangeDrawn.emit(Lane.SOUND, 2.5, 99.0)
    first, last = _segments(two)
    assert (first.label, first.start_us, first.end_us) == ("Interaction: fluid", 500_000, 1_250_000)
    assert (last.end, last.end_us) == (90, 3_000_000)
    workspace.labels.set_lane(Lane.ACTION)
    workspace.selection.set_segment(None)
    workspace.selection.set_segment(first.id)
    assert workspace.labels.lane is Lane.SOUND


def test_list_of_segments_follows_and_leads(two: Desktop) -> None:
    workspace, panel = two.window.context.workspace, two.window.context.panels.segments
    first, second = _make(two, "2", 10, 14), _make(two, "6", 40, 44)
    model = panel.view.model()
    assert [model.index(i, 0).data() for i in range(2)] == [
        "Putting [something] into [something]",
        "Opening [something]",
    ]
    two.qtbot.waitUntil(lambda: panel.view.currentIndex().row() == 1)
    panel.view.setCurrentIndex(model.index(0, 0))
    two.settle()
    assert (workspace.selection.segment, workspace.frame) == (first.id, 10)
    panel.filter.setText("opening")
    assert model.rowCount() == 1
    workspace.selection.set_segment(second.id)
    two.qtbot.waitUntil(lambda: panel.view.currentIndex().row() == 0)


def test_labels_are_added_renamed_reordered_and_kept_while_used(
    two: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, panel = two.window.context.workspace, two.window.context.panels.labels
    made = _make(two, "2", 10, 14)
    entered = {"text": "Placing something", "template": "Placing {1:something}"}

    def fill(dialog: LabelDialog) -> QDialog.DialogCode:
        dialog.text.setText(entered["text"])
        dialog.template.setText(entered["template"])
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(LabelDialog, "exec", fill)
    panel._edit()
    assert _segments(two)[0].label == "Placing something"
    assert _segments(two)[0].label_id == made.label_id
    panel._remove()
    assert "used once" in "".join(two.window.context.banners.texts())
    assert workspace.labels.label is not None
    entered.update(text="Waving", template="")
    panel._add()
    assert workspace.labels.label.text == "Waving"
    panel._move(-1)
    labels = workspace.labels.labels(Lane.ACTION)
    assert labels is not None
    assert [x.text for x in labels.labels][-2:] == ["Waving", "Other"]
    panel._remove()
    labels = workspace.labels.labels(Lane.ACTION)
    assert labels is not None
    assert labels.find_text("Waving") is None
    panel.search.setText("tear apart")
    shown = [i for i in panel._items() if not i.isHidden()]
    assert [i.text(0) for i in shown] == ["Tearing something apart"]


def test_a_new_object_is_named_at_once_and_no_key_acts_meanwhile(
    desktop: Desktop, project: Path
) -> None:
    workspace = desktop.window.context.workspace
    workspace.settings.set("objects.ask_name", True)
    desktop.open(project)
    dock = desktop.window.context.panels.segments.parentWidget()
    assert dock is not None
    dock.raise_()
    desktop.draw((20, 60), (80, 120))
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert editor.isVisible()
    QTest.keyClicks(editor, "mug x2")
    assert workspace.frame == 0
    QTest.keyClick(editor, Qt.Key.Key_Return)
    desktop.qtbot.waitUntil(desktop.window.context.canvas.hasFocus, timeout=5000)
    assert workspace.session is not None
    (track,) = workspace.session.document.tracks
    assert track.label == "mug x2"
    assert _segments(desktop) == ()


def test_keys_act_on_all_selected_segments_in_one_step(two: Desktop) -> None:
    workspace = two.window.context.workspace
    ids = [_make(two, "2", start, start + 9).id for start in (0, 10, 20)]
    before = _segments(two)
    workspace.selection.set_segments(ids)
    two.press("PgUp")
    workspace.selection.set_segments(ids, "end")
    two.press("Ctrl+Right")
    assert [s.end for s in _segments(two)] == [11, 21, 31]
    two.press("Ctrl+Z")
    assert _segments(two) == before
    workspace.labels.choose(workspace.labels.labels(Lane.ACTION).labels[0])  # type: ignore[union-attr]
    workspace.selection.set_segments(ids)
    two.run("segment.relabel")
    assert {s.label for s in _segments(two)} == {
        workspace.labels.labels(Lane.ACTION).labels[0].text
    }  # type: ignore[union-attr]
    two.run("segment.duplicate")
    assert len(_segments(two)) == 6
    assert len(workspace.selection.segments) == 3
    two.press("Del")
    assert {s.id for s in _segments(two)} == set(ids)
    workspace.selection.set_segments(ids)
    two.press("M")
    (merged,) = _segments(two)
    assert (merged.start, merged.end) == (0, 30)
    for _ in range(4):
        two.press("Ctrl+Z")
    assert _segments(two) == before


def test_folded_lanes_and_names_of_authors_come_with_the_project(
    two: Desktop, project: Path
) -> None:
    window = two.window
    assert window.context.workspace.session is not None
    cup = window.context.workspace.session.document.tracks[0].id
    window.assembly.timeline.lanes.set_folded([cup])
    two.open(project)
    assert window.assembly.timeline.lanes.folded == {cup}
    assert window.assembly.timeline.lanes.name_of(PersonId("nobody")) == "Unknown person"


def test_a_key_that_the_keyboard_repeats_paints_one_segment(two: Desktop) -> None:
    """Without detectable repetition X11 reports a held key as let go and pressed by turns."""
    workspace, stage = two.window.context.workspace, two.window.context.workspace.stage
    assert stage is not None
    two.press("Esc")
    stage.player.set_speed(0.5)
    stage.player.play()
    two.window.context.updates.refresh()
    started_s = stage.player.state.time_s
    for _ in range(12):
        _key(two, QEvent.Type.ShortcutOverride, Qt.Key.Key_2, "2")
        two.window.context.table.run("segment.digit")
        QTest.qWait(25)
        _key(two, QEvent.Type.KeyRelease, Qt.Key.Key_2, "2")
    ended_s = stage.player.state.time_s
    two.qtbot.waitUntil(lambda: bool(_segments(two)), timeout=5000)
    QTest.qWait(150)
    stage.player.pause()
    (painted,) = _segments(two)
    reaction_s = workspace.settings.whole("segments.reaction_ms") / 1000 * 0.5
    assert painted.start / 30 == pytest.approx(max(0.0, started_s - reaction_s), abs=0.07)
    assert painted.end / 30 == pytest.approx(ended_s - reaction_s, abs=0.07)


def test_the_labels_panel_lists_the_lane_that_was_clicked(two: Desktop) -> None:
    panel, labels = two.window.context.panels.labels, two.window.context.workspace.labels

    def shown() -> list[str]:
        return [item.text(0) for item in panel._items()]

    for lane in (Lane.SOUND, Lane.ACTION, Lane.SOUND):
        panel._lanes.button(list(Lane).index(lane)).click()
        found = labels.labels(lane)
        assert found is not None
        assert shown() == [label.text.strip() for label in found.labels]


def test_enter_creates_a_segment_while_the_labels_panel_has_the_focus(two: Desktop) -> None:
    two.press("Esc", "Esc", "2")
    two.window.context.playback.seek(10)
    two.settle()
    two.press("I")
    two.window.context.playback.seek(20)
    two.settle()
    two.press("O")
    panel = two.window.context.panels.labels
    panel.list.setFocus()
    two.window.context.updates.refresh()
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert len(_segments(two)) == 1
