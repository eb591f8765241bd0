"""Fields that are answered in the video: stretches of time, a box on a frame."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.domain.answer import FrameBox, Picked, Spans
from annotator.domain.geometry import Box
from annotator.services.project.projects import open_project
from annotator.ui.forms.fields.box import BoxEditor
from annotator.ui.forms.fields.video_fields import SpansEditor
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import (
    BOX,
    CHOICE,
    SPANS,
    make_asking,
    make_asking_about_boxes,
)
from tests.e2e.test_questions import asking, begin, view


def _go(desktop: Desktop, frame: int) -> None:
    desktop.window.context.playback.seek(frame)
    desktop.settle()


def _mark(desktop: Desktop, start: int, last: int) -> None:
    _go(desktop, start)
    desktop.press("I")
    _go(desktop, last)
    desktop.press("O")


def test_time_is_marked_by_keys_and_shown_on_the_timeline(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=SPANS + CHOICE))
    window = desktop.window
    _mark(desktop, 40, 49)
    _mark(desktop, 10, 19)
    assert asking(window).values() == {"when": Spans(((10, 20), (40, 50)))}
    assert window.assembly.timeline.answers == ((10, 20), (40, 50))
    assert window.context.workspace.range is None
    block = view(window).block("when")
    assert block is not None
    assert isinstance(block.editor, SpansEditor)
    # One that is chosen is changed by the same keys.
    desktop.press("1")
    assert window.context.workspace.range == (10, 20)
    assert window.context.workspace.frame == 10
    _go(desktop, 14)
    desktop.press("I")
    assert asking(window).values() == {"when": Spans(((14, 20), (40, 50)))}
    desktop.press("1")
    assert window.context.workspace.range is None
    _mark(desktop, 18, 44)
    assert asking(window).values() == {"when": Spans(((14, 50),))}
    desktop.press("Return")
    assert view(window).current is view(window).block("answer")
    desktop.press("1", "Return")
    assert window.assembly.timeline.answers == ()
    desktop.press("Shift+Return")
    assert window.assembly.timeline.answers == ((14, 50),)


def test_a_box_that_belongs_on_a_frame_is_drawn_there_alone(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    fields = CHOICE + BOX + 'frame = "middle"\n'
    begin(desktop, make_asking(tmp_path, [clip], fields=fields))
    window = desktop.window
    _go(desktop, 10)
    desktop.press("1")
    block = view(window).block("where")
    assert block is not None
    assert isinstance(block.editor, BoxEditor)
    assert view(window).current is block
    desktop.settle()
    assert window.context.workspace.frame == 45
    assert "on frame 45" in block.editor.hint.text()
    _go(desktop, 20)
    desktop.drag((80, 60), (140, 120))
    desktop.settle()
    assert window.context.workspace.frame == 45
    assert "where" not in asking(window).values()
    assert (
        window.context.middle.toast.text()
        == "Cannot place the box on this frame. Draw it on frame 45."
    )
    desktop.drag((80, 60), (140, 120))
    value = asking(window).values()["where"]
    assert isinstance(value, FrameBox)
    assert value.frame == 45
    block.editor.gone.click()
    _go(desktop, 20)
    block.editor.middle.click()
    desktop.settle()
    value = asking(window).values()["where"]
    assert isinstance(value, FrameBox)
    assert (value.frame, window.context.workspace.frame) == (45, 45)


def test_a_box_is_drawn_on_its_frame_and_becomes_no_object(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=BOX + CHOICE))
    window = desktop.window
    _go(desktop, 30)
    desktop.drag((80, 60), (140, 120))
    value = asking(window).values()["where"]
    assert isinstance(value, FrameBox)
    assert value.frame == 30
    assert all(
        abs(a - b) < 1
        for a, b in zip(value.box.as_tuple(), Box(80, 60, 140, 120).as_tuple(), strict=True)
    )
    session = window.context.workspace.session
    assert session is not None
    assert session.document.tracks == ()
    # Drawn once: the next drag moves the picture, until another box is asked for.
    desktop.drag((80, 60), (90, 70))
    assert asking(window).values()["where"] == value
    told: list[str] = []
    window.context.table.refused.connect(told.append)
    desktop.press("B")
    desktop.drag((60, 60), (90, 90))
    again = asking(window).values()["where"]
    assert isinstance(again, FrameBox)
    assert abs(again.box.width - 30) < 1
    assert told == []
    desktop.press("Ctrl+Z")
    assert asking(window).values()["where"] == value
    block = view(window).block("where")
    assert block is not None
    assert isinstance(block.editor, BoxEditor)
    assert block.editor.words.text() == "Frame 30"
    _go(desktop, 50)
    block.editor.go.click()
    desktop.settle()
    assert window.context.workspace.frame == 30
    desktop.press("Ctrl+Z")
    assert asking(window).values() == {}


def test_digits_answer_the_next_field_once_the_box_is_drawn(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=BOX + CHOICE))
    window = desktop.window
    desktop.press("1")
    assert asking(window).values() == {}
    desktop.drag((80, 60), (140, 120))
    desktop.press("1")
    values = asking(window).values()
    assert isinstance(values["where"], FrameBox)
    assert isinstance(values["answer"], Picked)


def test_a_box_stays_in_the_picture_until_its_question_is_left(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=BOX + CHOICE))
    window = desktop.window
    _go(desktop, 30)
    accent = window.context.workspace.hub.theme.color("accent").rgb()

    def is_drawn() -> bool:
        image = window.context.canvas.grab().toImage()
        side = [desktop.at(80, y) for y in range(70, 110, 10)]
        ratio = image.devicePixelRatio()
        around = [(p.x() + dx, p.y()) for p in side for dx in (-1, 0, 1)]
        return any(image.pixel(round(x * ratio), round(y * ratio)) == accent for x, y in around)

    assert not is_drawn()
    desktop.drag((80, 60), (140, 120))
    assert is_drawn()
    desktop.press("1")  # answers the next field
    assert "answer" in asking(window).values()
    assert is_drawn()
    _go(desktop, 50)
    assert not is_drawn()
    _go(desktop, 30)
    assert is_drawn()
    desktop.press("Return")
    assert asking(window).values() == {}
    assert not is_drawn()


def test_a_box_is_placed_and_moved_without_a_mouse(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=BOX))
    window = desktop.window
    block = view(window).block("where")
    assert block is not None
    assert isinstance(block.editor, BoxEditor)
    block.editor.middle.click()
    first = asking(window).values()["where"]
    assert isinstance(first, FrameBox)
    block.editor.numbers[0].setValue(12)
    block.editor.numbers[2].setValue(100)
    moved = asking(window).values()["where"]
    assert isinstance(moved, FrameBox)
    assert (moved.box.x1, moved.box.width) == (12, 100)
    assert moved.box.height == first.box.height


def test_objects_are_picked_in_the_picture_and_in_the_list(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking_about_boxes(tmp_path, clip), "Ben")
    window, session = desktop.window, desktop.window.context.workspace.session
    assert session is not None
    cup, mug = session.document.tracks
    QTest.mouseClick(window.context.canvas, Qt.MouseButton.LeftButton, pos=desktop.at(20, 90))
    desktop.qtbot.waitUntil(lambda: asking(window).values() == {"which": (cup.id,)})
    assert window.context.workspace.selection.tracks == ()
    desktop.press("2")
    assert asking(window).values() == {"which": (cup.id, mug.id)}
    desktop.press("1")
    assert asking(window).values() == {"which": (mug.id,)}


def test_only_the_objects_that_a_question_names_are_drawn_in(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking_about_boxes(tmp_path, clip, fields=CHOICE, names="mug"), "Ben")
    window, session = desktop.window, desktop.window.context.workspace.session
    assert session is not None
    assert [track.label for track in session.document.tracks] == ["cup", "mug"]
    assert [shape.label for shape in window.context.canvas.board.shapes] == ["mug"]
    window.context.tasks.show_mine()
    assert asking(window).drawn_tracks is None


def test_the_question_at_hand_is_in_the_file_at_once(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    team = make_asking(tmp_path, [clip], n=5)
    begin(desktop, team)
    desktop.press("1", "Return", "2", "Return", "Return")
    at, session = asking(desktop.window).at, desktop.window.context.workspace.session
    assert session is not None
    copy = tmp_path / "killed" / team.path.name
    copy.parent.mkdir()
    for part in team.path.parent.glob(team.path.name + "*"):
        (copy.parent / part.name).write_bytes(part.read_bytes())
    project = open_project(copy)
    assert project.item_at_hand(session.document.draft_id) == asking(desktop.window).items[at].id
    project.work.people.sign_in(team.people["Ann"])
    again = project.open_task(session.task_id)
    assert len(again.document.answers) == 2
    project.close()
