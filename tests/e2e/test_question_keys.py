"""Whoever answers by keys alone: the keys are always somewhere, and what lacks is said."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from annotator.domain.answer import FrameBox, Picked, Spans
from annotator.ui.forms.fields.block import FieldBlock
from annotator.ui.forms.fields.box import BoxEditor
from annotator.ui.forms.fields.choice_fields import ChoiceEditor
from annotator.ui.forms.fields.text_fields import NumberEditor, TextEditor
from annotator.ui.forms.fields.video_fields import SpansEditor
from annotator.ui.timeline.model import timeline_texts
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import BOX, CHOICE, SPANS, WHICH, make_asking, make_asking_about_boxes
from tests.e2e.test_questions import asking, begin, panel, view

ENTER, TAB, SPACE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Space
TICKS = """
[[task_types.form.fields]]
key = "ticks"
title = "What is seen?"
kind = "choices"
minimum = 2
maximum = 2
options = [
  { key = "a", text = "A square" },
  { key = "b", text = "A circle" },
  { key = "c", text = "Nothing" },
]
"""
WORDS = """
[[task_types.form.fields]]
key = "words"
title = "What happens?"
kind = "text"
minimum = 5
maximum = 20
"""
COUNT = """
[[task_types.form.fields]]
key = "count"
title = "How many?"
kind = "number"
maximum = 50
"""
AGAIN = SPANS.replace('"when"', '"again"').replace("move?", "stop?")


def keys() -> QWidget:
    """Return what has the keys."""
    found = QApplication.focusWidget()
    assert found is not None
    return found


def _type(*pressed: Qt.Key | str) -> None:
    """Press keys where they go, as at a keyboard."""
    for key in pressed:
        if isinstance(key, str):
            QTest.keyClicks(keys(), key)
        else:
            QTest.keyClick(keys(), key)


def _block(desktop: Desktop, key: str) -> FieldBlock:
    found = view(desktop.window).block(key)
    assert found is not None
    return found


def test_enter_in_a_typed_field_leaves_the_keys_in_the_next_question(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=CHOICE + COUNT))
    _type("1")
    assert isinstance(_block(desktop, "count").editor, NumberEditor)
    _type("7", ENTER)
    desktop.settle()
    assert asking(desktop.window).at == 1
    assert keys() is desktop.window.context.canvas
    _type("1", "8", ENTER)
    desktop.settle()
    assert asking(desktop.window).at == 2


def test_a_field_that_is_typed_into_has_the_keys_from_the_start(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=WORDS))
    frame = desktop.window.context.workspace.frame
    _type("It moves", ENTER)
    desktop.settle()
    assert asking(desktop.window).at == 1
    assert desktop.window.context.workspace.frame == frame
    _type("It turns", ENTER)
    _type("It stops", ENTER)
    assert asking(desktop.window).values() == {"words": "It stops"}


def test_after_typing_the_next_field_is_marked_by_its_keys(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=WORDS + SPANS))
    _type("It moves", ENTER)
    assert isinstance(keys(), SpansEditor)
    _type("i", "o")
    assert asking(desktop.window).values()["when"] == Spans(((0, 1),))
    assert asking(desktop.window).values()["words"] == "It moves"


def test_tab_goes_through_the_fields_and_arrows_through_their_options(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking_about_boxes(tmp_path, clip, fields=CHOICE + WHICH), "Ben")
    assert keys() is desktop.window.context.canvas
    _type(TAB)
    choice, which = _block(desktop, "answer").editor, _block(desktop, "which").editor
    assert isinstance(choice, ChoiceEditor)
    assert keys() is choice.buttons[0]
    _type(Qt.Key.Key_Down)
    assert keys() is choice.buttons[1]
    _type(TAB)
    assert which.isAncestorOf(keys())
    assert desktop.window.context.workspace.selection.primary is None
    QTest.keyClick(keys(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert keys() is choice.buttons[1]
    _type(SPACE)
    assert asking(desktop.window).values()["answer"] == Picked((choice.options[1].key,))


def test_a_box_is_put_by_tab_and_space(desktop: Desktop, clip: Path, tmp_path: Path) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=BOX))
    editor = _block(desktop, "where").editor
    assert isinstance(editor, BoxEditor)
    _type(TAB, TAB, TAB)
    assert keys() is editor.middle
    _type(SPACE)
    assert isinstance(asking(desktop.window).values()["where"], FrameBox)
    stage = desktop.window.context.workspace.stage
    assert stage is not None
    assert not stage.player.state.is_playing


def test_what_is_not_enough_is_said_once_before_enter_goes_on(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=TICKS + WORDS))
    ticks, text = _block(desktop, "ticks"), _block(desktop, "words")
    assert ticks.mark.text() == "exactly 2 · required"
    _type("1", ENTER)
    assert view(desktop.window).current is ticks
    assert ticks.refusal.text() == "“What is seen?” requires at least 2 entries."
    _type("2")
    assert ticks.refusal.text() == ""
    _type("3")
    assert ticks.refusal.text() == "“What is seen?” accepts at most 2."
    _type(ENTER)
    assert view(desktop.window).current is text
    _type("Yes")
    assert isinstance(text.editor, TextEditor)
    assert text.editor.count.text() == "3 of at least 5 characters"
    _type(ENTER)
    assert view(desktop.window).current is text
    assert text.refusal.text() == "“What happens?” requires at least 5 characters."
    _type(ENTER)
    assert asking(desktop.window).at == 1


def test_what_is_refused_stays_to_be_mended(desktop: Desktop, clip: Path, tmp_path: Path) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=WORDS + COUNT))
    text, count = _block(desktop, "words").editor, _block(desktop, "count").editor
    assert isinstance(text, TextEditor)
    assert isinstance(count, NumberEditor)
    _type("It moves to the right", ENTER)
    assert text.words.toPlainText() == "It moves to the right"
    assert "characters. The limit is" in _block(desktop, "words").refusal.text()
    assert view(desktop.window).current is _block(desktop, "words")
    _type(Qt.Key.Key_Backspace, ENTER)
    assert _block(desktop, "words").refusal.text() == ""
    _type("77", ENTER)
    assert view(desktop.window).current is _block(desktop, "count")
    assert count.line.text() == "77"
    assert "” must be at most" in _block(desktop, "count").refusal.text()
    # All of it is selected, so that it is typed anew.
    _type("7", ENTER)
    desktop.settle()
    assert asking(desktop.window).at == 1
    desktop.press("Shift+Return")
    assert asking(desktop.window).values() == {"words": "It moves to the righ", "count": 7.0}


def test_what_of_the_video_is_kept_away_is_said(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    head = 'viewing = { is_muted = true, extent = "before-cut" }\n'
    begin(desktop, make_asking(tmp_path, [clip], fields=CHOICE, head=head))
    session = desktop.window.context.workspace.session
    assert session is not None
    title = panel(desktop.window).title.text()
    assert title == "Multiple choice · up to the cut frame · without sound"
    # Nobody is told to draw who cannot.
    assert (
        timeline_texts.empty_text(desktop.window.assembly.timeline.viewport.axis, session.tools)
        == ""
    )
    assert "Draw a box" in timeline_texts.empty_text(desktop.window.assembly.timeline.viewport.axis)


def test_the_key_that_marks_a_start_leads_to_the_field_for_times(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=CHOICE + SPANS + AGAIN))
    assert view(desktop.window).current is _block(desktop, "answer")
    _type("i")
    assert view(desktop.window).current is _block(desktop, "when")
    _type("o")
    assert asking(desktop.window).values() == {"when": Spans(((0, 1),))}


def test_of_one_picture_nobody_is_told_to_step(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    head = 'viewing = { extent = "middle-frame" }\n'
    begin(desktop, make_asking(tmp_path, [clip], fields=BOX, head=head))
    editor = _block(desktop, "where").editor
    assert isinstance(editor, BoxEditor)
    assert editor.hint.text() == "Drag a box around the object."


def test_the_timeline_shows_the_times_of_the_field_at_hand(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields=SPANS + AGAIN + CHOICE))
    window = desktop.window
    _type("i", "o")
    assert window.assembly.timeline.answers == ((0, 1),)
    _type(ENTER)
    window.context.playback.seek(10)
    desktop.settle()
    _type("i", "o")
    assert window.assembly.timeline.answers == ((10, 11),)
    _type(ENTER)
    assert view(window).current is _block(desktop, "answer")
    assert window.assembly.timeline.answers == ((0, 1), (10, 11))


def test_nobody_is_told_to_unlock_what_is_given(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    team = make_asking_about_boxes(tmp_path, clip, fields=CHOICE, names="cup")
    begin(desktop, team, "Ben")
    desktop.drag((40, 90), (60, 100))
    desktop.drag((40, 90), (60, 100))
    assert desktop.window.context.middle.toast.text() == "This task does not allow drawing."


def test_one_more_answer_is_begun_by_its_key(desktop: Desktop, clip: Path, tmp_path: Path) -> None:
    begin(desktop, make_asking(tmp_path, [clip], fields="entries = [1, 2]\n" + WORDS))
    _type("It moves", TAB)
    QTest.keySequence(desktop.window.context.canvas, "Ctrl+Shift+N")
    desktop.settle()
    assert asking(desktop.window).entry == 1
    _type("It turns", ENTER)
    assert asking(desktop.window).at == 1
