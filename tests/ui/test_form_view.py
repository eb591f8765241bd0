"""The renderer of forms: each kind of field by mouse and by keys, and whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.domain.answer import Flagged, Picked, Value
from annotator.domain.forms.field import Field, FieldKind, Form, Option
from annotator.services.settings import Settings
from annotator.ui.forms.fields.choice_fields import ChoiceEditor, ConfidenceEditor, TruthEditor
from annotator.ui.forms.fields.text_fields import NumberEditor, PropertiesEditor, TextEditor
from annotator.ui.forms.fields.video_fields import Surroundings
from annotator.ui.forms.form_view import FlagEditor, FormView
from annotator.ui.shell.main_window import MainWindow

ENTER, SHIFT = Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier
ABC = (Option("a", "Apple"), Option("b", "Bread"), Option("c", "Cheese"))
CHOICE = Field("answer", "Which is it?", FieldKind.CHOICE, ABC)
TRUTH = Field("seen", "Is it seen?", FieldKind.TRUTH)
SURE = Field("sure", "How sure are you?", FieldKind.CONFIDENCE, is_required=False)
WHY = Field("why", "Why?", FieldKind.TEXT, maximum=20)
FLAG = Field("flag", "Something is wrong", FieldKind.FLAG, ABC[:2], is_required=False)


class Sheet:
    """A form on the screen, and what was answered; a refusal is shown as the program does."""

    def __init__(self, window: MainWindow, *fields: Field, begun: dict[str, Value] | None = None):
        around = Surroundings(
            window.context.workspace,
            window.context.table,
            window.context.canvas,
            window.context.playback,
            window.assembly.timeline.set_answers,
        )
        self.view = FormView(around, Form(fields), lambda field: field.options)
        self.values: dict[str, Value] = dict(begun or {})
        self.left: list[int] = []
        self.shown: Callable[[Field], bool] = lambda _: True
        self.view.answered.connect(self._take)
        self.view.leaving.connect(self.left.append)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setWidget(self.view)
        self.area.resize(420, 700)
        self.area.show()
        self.area.activateWindow()
        self._show()
        self.view.begin(takes_focus=True)

    def editor(self, key: str) -> object:
        block = self.view.block(key)
        assert block is not None
        return block.editor

    @property
    def turn(self) -> str:
        """The field whose turn it is."""
        return self.view.current.field.key if self.view.current is not None else ""

    def _take(self, key: str, value: Value | None) -> None:
        if value is None:
            self.values.pop(key, None)
        else:
            self.values[key] = value
        self._show()

    def _show(self) -> None:
        self.view.show_values(self.values, self.shown)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = app.make_window(Settings(tmp_path / "settings.toml"), remembers_place=False)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def sheet(window: MainWindow, qtbot: QtBot) -> Iterator[Callable[..., Sheet]]:
    made: list[Sheet] = []

    def make(*fields: Field, begun: dict[str, Value] | None = None) -> Sheet:
        made.append(Sheet(window, *fields, begun=begun))
        qtbot.waitUntil(made[-1].area.isActiveWindow)
        return made[-1]

    yield make
    for each in made:
        each.area.close()
        each.area.deleteLater()


def test_digits_answer_and_lead_to_the_next_field(sheet: Callable[..., Sheet]) -> None:
    form = sheet(CHOICE, TRUTH, SURE)
    assert form.turn == "answer"
    assert form.view.press_digit(2)
    assert form.values == {"answer": Picked(("b",))}
    assert form.turn == "seen"
    assert not form.view.press_digit(3)
    assert form.view.press_digit(2)
    assert form.values["seen"] is False
    assert form.turn == "sure"
    form.view.press_digit(4)
    assert form.values["sure"] == 4
    form.view.go(1)
    assert form.left == [1]


def test_a_second_press_of_the_same_option_takes_nothing_away(
    sheet: Callable[..., Sheet],
) -> None:
    form = sheet(CHOICE)
    editor = form.editor("answer")
    assert isinstance(editor, ChoiceEditor)
    form.view.press_digit(1)
    form.view.press_digit(1)
    assert form.values == {"answer": Picked(("a",))}
    assert [b.isChecked() for b in editor.buttons] == [True, False, False]
    QTest.mouseClick(editor.buttons[2], Qt.MouseButton.LeftButton)
    assert form.values == {"answer": Picked(("c",))}
    assert [b.isChecked() for b in editor.buttons] == [False, False, True]


def test_several_are_ticked_in_the_order_of_the_form_with_words_of_ones_own(
    sheet: Callable[..., Sheet],
) -> None:
    form = sheet(Field("all", "Which?", FieldKind.CHOICES, ABC, has_other=True))
    editor = form.editor("all")
    assert isinstance(editor, ChoiceEditor)
    form.view.press_digit(3)
    form.view.press_digit(1)
    assert form.values["all"] == Picked(("a", "c"))
    form.view.press_digit(3)
    assert form.values["all"] == Picked(("a",))
    form.view.press_digit(4)
    assert editor.other is not None
    assert editor.other.hasFocus()
    QTest.keyClicks(editor.other, "a fig")
    QTest.keyClick(editor.other, ENTER)
    assert form.values["all"] == Picked(("a",), "a fig")
    assert form.left == [1]
    form.view.press_digit(4)
    assert form.values["all"] == Picked(("a",))


def test_options_are_reached_by_tab_and_arrows_and_ticked_by_space(
    sheet: Callable[..., Sheet],
) -> None:
    form = sheet(CHOICE, TRUTH)
    editor, truth = form.editor("answer"), form.editor("seen")
    assert isinstance(editor, ChoiceEditor)
    assert isinstance(truth, TruthEditor)
    editor.take_focus()
    QTest.keyClick(editor.buttons[0], Qt.Key.Key_Down)
    assert editor.buttons[1].hasFocus()
    QTest.keyClick(editor.buttons[1], Qt.Key.Key_Space)
    assert form.values == {"answer": Picked(("b",))}
    assert truth.buttons[0].hasFocus()
    QTest.keyClick(truth.buttons[0], Qt.Key.Key_Backtab, SHIFT)
    assert editor.buttons[1].hasFocus()
    assert form.turn == "answer"


def test_enter_goes_to_what_is_open_and_twice_leaves_it(sheet: Callable[..., Sheet]) -> None:
    form = sheet(CHOICE, SURE, WHY)
    form.view.go(1)
    why = form.editor("why")
    assert isinstance(why, TextEditor)
    assert form.turn == "why"
    assert why.words.hasFocus()
    QTest.keyClicks(why.words, "It fell")
    QTest.keyClick(why.words, ENTER)
    assert form.values == {"why": "It fell"}
    assert form.turn == "answer"
    form.view.go(1)
    assert form.left == [1]


def test_words_are_kept_while_they_are_typed_and_counted(
    sheet: Callable[..., Sheet], qtbot: QtBot
) -> None:
    form = sheet(WHY, begun={"why": "Because"})
    why = form.editor("why")
    assert isinstance(why, TextEditor)
    assert why.words.toPlainText() == "Because"
    assert why.count.isHidden()
    QTest.keyClick(why.words, Qt.Key.Key_End)
    QTest.keyClicks(why.words, " it broke")
    assert why.count.text() == "16 of 20 characters"
    why.words.selectAll()
    QTest.keyClicks(why.words, "It broke")
    qtbot.waitUntil(lambda: form.values == {"why": "It broke"})
    QTest.keyClick(why.words, ENTER, Qt.KeyboardModifier.AltModifier)
    QTest.keyClicks(why.words, "twice")
    QTest.keyClick(why.words, ENTER, SHIFT)
    assert form.values == {"why": "It broke\ntwice"}
    assert form.left == [-1]
    why.words.clear()
    form.view.commit()
    assert form.values == {}


def test_a_text_begins_with_another_and_counts_when_somebody_goes_on(
    sheet: Callable[..., Sheet],
) -> None:
    form = sheet(WHY)
    why = form.editor("why")
    assert isinstance(why, TextEditor)
    why.set_initial_text("As it was")
    form.view.commit()
    assert (form.values, why.words.toPlainText()) == ({}, "As it was")
    form.view.go(1)
    assert form.values == {"why": "As it was"}
    assert form.left == [1]


def test_numbers_are_read_and_what_is_none_is_said(sheet: Callable[..., Sheet]) -> None:
    form = sheet(Field("n", "How many?", FieldKind.NUMBER, minimum=0, maximum=9))
    editor = form.editor("n")
    assert isinstance(editor, NumberEditor)
    assert editor.line.hasFocus()
    QTest.keyClicks(editor.line, "2.5")
    QTest.keyClick(editor.line, ENTER)
    assert form.values == {"n": 2.5}
    editor.line.selectAll()
    QTest.keyClicks(editor.line, "two")
    QTest.keyClick(editor.line, ENTER)
    assert form.values == {"n": 2.5}
    assert "” is not a number. Enter a number." in editor.refusal.text()
    editor.line.clear()
    form.view.commit()
    assert form.values == {}


def test_properties_are_listed_once_each_and_taken_away(sheet: Callable[..., Sheet]) -> None:
    known = (Option("red", "red"), Option("round", "round"))
    form = sheet(Field("p", "Properties", FieldKind.PROPERTIES, known))
    editor = form.editor("p")
    assert isinstance(editor, PropertiesEditor)
    for word in ("red", "made  of glass", "Red"):
        QTest.keyClicks(editor.line, word)
        QTest.keyClick(editor.line, ENTER)
    assert form.values == {"p": ("red", "made of glass")}
    assert editor.line.completer().model().rowCount() == 2
    editor.chips[0].click()
    assert form.values == {"p": ("made of glass",)}
    QTest.keyClick(editor.line, ENTER)
    assert form.left == [1]
    QTest.keyClick(editor.line, Qt.Key.Key_Backspace)
    assert form.values == {}


def test_a_flag_needs_a_reason_and_can_be_taken_back(sheet: Callable[..., Sheet]) -> None:
    form = sheet(CHOICE, FLAG)
    editor = form.editor("flag")
    assert isinstance(editor, FlagEditor)
    assert not editor.is_open
    assert form.view.press_flag()
    assert editor.is_open
    QTest.keyClicks(editor.words, "blurred")
    editor.commit()
    assert form.values == {}
    assert form.view.press_digit(2)
    assert form.values == {"flag": Flagged("b", "blurred")}
    editor.toggle()
    assert form.values == {}
    assert not editor.is_open


def test_fields_come_and_go_with_their_condition(sheet: Callable[..., Sheet]) -> None:
    form = sheet(TRUTH, WHY)
    form.shown = lambda field: field.key != "why" or form.values.get("seen") is False
    form.view.show_values(form.values, form.shown)
    assert [b.field.key for b in form.view.visible_blocks] == ["seen"]
    form.view.press_digit(2)
    assert [b.field.key for b in form.view.visible_blocks] == ["seen", "why"]
    assert form.turn == "why"


def test_what_is_required_and_what_was_refused_is_said(sheet: Callable[..., Sheet]) -> None:
    form = sheet(CHOICE, SURE)
    choice, sure = form.view.block("answer"), form.view.block("sure")
    assert choice is not None
    assert sure is not None
    assert (choice.mark.text(), sure.mark.text()) == ("required", "optional")
    assert "required" in choice.editor.accessibleDescription()
    form.view.refuse("answer", "That is not among them.")
    assert choice.refusal.isVisible()
    form.view.press_digit(1)
    assert choice.mark.text() == ""
    assert not choice.refusal.isVisible()
    editor = sure.editor
    assert isinstance(editor, ConfidenceEditor)
    assert editor.buttons[4].accessibleName() == "5: completely sure"


def test_many_options_stand_in_two_columns(sheet: Callable[..., Sheet]) -> None:
    long = Option("o0", "Material that has to be described at some length")
    many = (long, *(Option(f"o{i}", f"Material {i}") for i in range(1, 14)))
    form = sheet(Field("m", "What is it made of?", FieldKind.CHOICES, many))
    editor = form.editor("m")
    assert isinstance(editor, ChoiceEditor)
    QApplication.processEvents()
    lefts = [button.x() for button in editor.buttons]
    assert lefts == [lefts[0]] * 7 + [lefts[7]] * 7
    assert lefts[7] > lefts[0]
    assert abs(editor.buttons[0].width() - editor.buttons[7].width()) <= 1
    editor.take_focus()
    for _ in range(12):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert form.values == {"m": Picked(("o12",))}
    assert form.view.press_digit(10)
    assert form.values == {"m": Picked(("o9", "o12"))}


def test_long_options_take_the_lines_they_need(sheet: Callable[..., Sheet]) -> None:
    long = Option("l", "She drinks from it and, after a while, gives it to somebody else. " * 3)
    form = sheet(Field("a", "Which?", FieldKind.CHOICE, (ABC[0], long)))
    editor = form.editor("a")
    assert isinstance(editor, ChoiceEditor)
    QApplication.processEvents()
    short, tall = editor.buttons
    assert tall.height() > 2 * short.height()
    assert tall.width() <= form.area.viewport().width()
    assert tall.heightForWidth(600) < tall.heightForWidth(300)
