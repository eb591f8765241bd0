"""A rater answers questions in the window: by digits and Enter, in one viewing, back and forth."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget

from annotator.domain.answer import Flagged, Picked
from annotator.domain.people import Role
from annotator.ui.forms.fields.choice_fields import ChoiceEditor
from annotator.ui.forms.fields.text_fields import TextEditor
from annotator.ui.forms.form_view import FormView
from annotator.ui.forms.question_panel import QuestionPanel
from annotator.ui.forms.question_session import QuestionSession
from annotator.ui.shell.main_window import MainWindow
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import CHOICE, WHY, QuestionTeam, make_asking

ENTER, CTRL = Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def team(tmp_path: Path, clip: Path) -> QuestionTeam:
    return make_asking(tmp_path, [clip])


@pytest.fixture
def rater(desktop: Desktop, team: QuestionTeam) -> Desktop:
    begin(desktop, team)
    return desktop


def begin(desktop: Desktop, team: QuestionTeam, name: str = "Ann") -> None:
    """Let somebody sign in and take the next task."""
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    window.context.workspace.sign_in(team.people[name])
    window.context.tasks.claim_next()
    window.activateWindow()
    desktop.qtbot.waitUntil(window.isActiveWindow)
    desktop.settle()


def asking(window: MainWindow) -> QuestionSession:
    return window.assembly.questions.asking


def panel(window: MainWindow) -> QuestionPanel:
    assert window.assembly.questions.panel is not None
    return window.assembly.questions.panel


def view(window: MainWindow) -> FormView:
    found = panel(window).view
    assert found is not None
    return found


def _picked(window: MainWindow, digit: int) -> Picked:
    """Return the answer that stands at a digit for this person."""
    block = view(window).block("answer")
    assert block is not None
    assert isinstance(block.editor, ChoiceEditor)
    return Picked((block.editor.options[digit - 1].key,))


def test_digits_and_enter_answer_all_questions_of_a_video(
    rater: Desktop, team: QuestionTeam
) -> None:
    window = rater.window
    assert panel(window).progress.text() == "1 of 3"
    assert panel(window).text.text() == "What does the square do?"
    window.context.playback.seek(40)
    first = _picked(window, 2)
    rater.press("2", "4")
    assert asking(window).values() == {"answer": first, "sure": 4}
    rater.press("Return")
    assert panel(window).progress.text() == "2 of 3"
    assert window.context.workspace.frame == 40
    rater.press("1", "Return", "3", "Return")
    assert asking(window).at == 2
    assert "All questions are answered. Press" in window.context.middle.toast.text()
    rater.press("Shift+Return", "Shift+Return")
    assert asking(window).at == 0
    assert asking(window).values() == {"answer": first, "sure": 4}


def test_the_options_keep_the_order_that_one_person_has(rater: Desktop) -> None:
    window = rater.window
    block = view(window).block("answer")
    assert block is not None
    assert isinstance(block.editor, ChoiceEditor)
    session, question_set = window.context.workspace.session, asking(window).question_set
    assert session is not None
    assert question_set is not None
    shown = [option.text for option in block.editor.options]
    assert [button.face.text for button in block.editor.buttons] == shown
    rater.press("1")
    (answer,) = session.document.answers.values()
    assert answer.order == tuple(option.key for option in block.editor.options)
    assert answer.value == Picked((answer.order[0],))


def test_undo_shows_the_question_it_changed(rater: Desktop) -> None:
    window = rater.window
    rater.press("1", "Return", "2")
    assert asking(window).at == 1
    rater.press("Return")
    assert asking(window).at == 2
    rater.press("Ctrl+Z")
    assert asking(window).at == 1
    assert asking(window).values() == {}
    rater.press("Ctrl+Z")
    assert asking(window).at == 0
    rater.press("Ctrl+Shift+Z", "Ctrl+Shift+Z")
    assert asking(window).at == 1
    assert asking(window).values() != {}


def test_words_are_typed_without_starting_anything(rater: Desktop) -> None:
    window = rater.window
    view(window).take("why")
    block = view(window).block("why")
    assert block is not None
    assert isinstance(block.editor, TextEditor)
    words = block.editor.words
    assert words.hasFocus()
    QTest.keyClicks(words, "it fell 2 times")
    assert window.context.workspace.frame == 0
    QTest.keyClick(words, ENTER)
    assert asking(window).values()["why"] == "it fell 2 times"
    # What must be answered comes before what is next.
    assert asking(window).at == 0
    rater.press("1", "Return")
    assert asking(window).at == 1


def test_replay_plays_from_the_start(rater: Desktop) -> None:
    window = rater.window
    window.context.playback.seek(60)
    rater.settle()
    window.context.canvas.setFocus()
    window.context.updates.refresh()
    assert not window.context.table.action("go.first").isEnabled()
    QTest.keySequence(window.context.canvas, "Home")
    stage = window.context.workspace.stage
    assert stage is not None
    assert stage.player.state.is_playing
    assert stage.player.state.frame < 60
    stage.player.pause()


def test_a_flag_settles_a_question(rater: Desktop) -> None:
    window = rater.window
    rater.press("Shift+F", "1")
    assert asking(window).values() == {"flag": Flagged("none")}
    assert asking(window).is_done(0)
    rater.press("Return")
    assert asking(window).at == 1
    rater.press("Alt+N")
    assert asking(window).at == 2


def test_nothing_is_handed_in_while_an_answer_is_missing(rater: Desktop) -> None:
    window = rater.window
    rater.press("1", "Return", "1")
    rater.run("task.submit")
    assert window.context.workspace.task_id is not None
    assert asking(window).at == 2
    assert view(window).current is view(window).block("answer")
    assert window.context.middle.toast.text() == "“Which answer is right?” has no answer."
    rater.press("2")
    rater.run("task.submit")  # without another question: nothing is open
    assert window.context.workspace.task_id is None
    assert not window.context.workspace.asks


def test_what_was_begun_goes_on_by_the_form_of_its_recipe(
    rater: Desktop, team: QuestionTeam
) -> None:
    window = rater.window
    rater.press("1", "Return")
    before = asking(window).form
    project = window.context.workspace.project
    assert project is not None
    lead = next(p for p in project.work.people.all() if p.has(Role.LEAD))
    window.context.workspace.sign_in(lead.id)
    changed = project.work.recipe_text().replace("version = 1", "version = 2")
    project.work.use_recipe(changed.replace("Which answer is right?", "What is true?"))
    titles = []
    for name in ("Ann", "Ben"):
        window.context.workspace.sign_in(team.people[name])
        held = project.work.my_work().in_progress
        if held:
            window.context.tasks.open_task_or_explain(held[0].task_id)
        else:
            window.context.tasks.claim_next()
        rater.settle()
        block = view(window).block("answer")
        assert block is not None
        titles.append(block.field.title)
        if name == "Ann":
            assert asking(window).form == before
            assert asking(window).is_done(0)
    assert titles == ["Which answer is right?", "What is true?"]


@pytest.mark.parametrize(
    ("key", "text", "place"),
    [(Qt.Key.Key_Ampersand.value, "&", 10), (0x00C9, "é", 11), (Qt.Key.Key_2.value, "2", 11)],
)
def test_digits_are_known_by_their_place_on_other_keyboards(
    rater: Desktop, key: int, text: str, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.ui.actions.keymap._SCAN_OFFSET", 8)
    window, none = rater.window, Qt.KeyboardModifier.NoModifier
    window.context.canvas.setFocus()
    window.context.updates.refresh()
    kinds = QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress
    override, press = (QKeyEvent(kind, key, none, place, 0, 0, text) for kind in kinds)
    override.ignore()
    QApplication.sendEvent(window, override)
    if override.isAccepted():
        window.keyPressEvent(press)
    else:
        # By what is printed on the key: Qt's own shortcut takes it.
        window.context.table.run("question.digit")
    assert asking(window).values() == {"answer": _picked(window, place - 9)}


def test_digits_with_alt_begin_at_eleven(rater: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: list[int] = []
    monkeypatch.setattr(view(rater.window), "press_digit", pressed.append)
    rater.press("Alt+1", "Alt+0", "1")
    assert pressed == [11, 20, 1]


def test_the_lists_of_tasks_say_how_much_is_asked(rater: Desktop) -> None:
    window = rater.window
    rows = [
        window.context.panels.tasks.mine.item(i).text()
        for i in range(window.context.panels.tasks.mine.count())
    ]
    assert rows == ["In progress", "square.mp4\nMultiple choice · 3 questions · Answer"]


def test_in_training_the_right_answer_is_shown_after_ones_own(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], is_training=True))
    window = desktop.window
    assert not panel(window).right.isVisible()
    digits = {_picked(window, n).keys[0]: str(n) for n in (1, 2, 3)}
    desktop.press(digits["b"])
    assert not panel(window).right.isVisible()
    desktop.press("Return")
    assert asking(window).at == 0
    assert panel(window).right.text() == "Correct answer: It moves to the right"
    # From now on it is too late.
    desktop.press(digits["a"], "Ctrl+Z")
    assert asking(window).values()["answer"] == Picked(("b",))
    desktop.press("Return")
    assert asking(window).at == 1
    assert not panel(window).right.isVisible()
    desktop.press("Shift+Return")
    assert panel(window).right.isVisible()
    # Whoever comes back finds it as it was.
    task_id = window.context.workspace.task_id
    assert task_id is not None
    window.context.workspace.close_task()
    assert window.context.workspace.open_task(task_id)
    desktop.settle()
    asking(window).go_to(0)
    assert panel(window).right.isVisible()
    assert not asking(window).can_answer


def test_right_answers_of_training_are_seen_before_it_is_handed_in(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    begin(desktop, make_asking(tmp_path, [clip], is_training=True, n=1))
    window = desktop.window
    desktop.press("1", "Ctrl+Return")
    assert panel(window).right.isVisible()
    assert (
        window.context.middle.toast.text()
        == "Compare your answer with the correct answer, then submit."
    )
    assert window.context.workspace.can_edit
    assert not asking(window).can_answer


def test_a_question_may_be_answered_several_times(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    fields = "entries = [1, 2]\n" + WHY.replace("is_required = false\n", "")
    begin(desktop, make_asking(tmp_path, [clip], fields=fields))
    window = desktop.window
    for words in ("first", "second"):
        block = view(window).block("why")
        assert block is not None
        assert isinstance(block.editor, TextEditor)
        QTest.keyClicks(block.editor.words, words)
        window.assembly.questions.commit()
        window.context.updates.refresh()
        window.context.table.run("question.more")
    assert asking(window).entry == 1
    assert (
        "Cannot add an answer: this question accepts at most" in window.context.middle.toast.text()
    )
    assert asking(window).values() == {"why": "second"}
    asking(window).go(-1)
    assert asking(window).values() == {"why": "first"}
    asking(window).go(1)
    asking(window).go(1)
    assert (asking(window).at, asking(window).entry) == (1, 0)


@pytest.mark.parametrize(("letter", "key"), [("g", "G"), ("d", "Ctrl+Alt+D")])
def test_a_key_of_the_recipe_leads_to_its_field(
    desktop: Desktop, clip: Path, tmp_path: Path, letter: str, key: str
) -> None:
    fields = CHOICE + WHY.replace("maximum", f'shortcut = "{letter}"\nmaximum')
    begin(desktop, make_asking(tmp_path, [clip], fields=fields))
    window = desktop.window
    block = view(window).block("why")
    assert block is not None
    assert block.mark.text() == f"optional · {key}"
    desktop.press(key)
    assert view(window).current is block
    assert isinstance(block.editor, TextEditor)
    assert block.editor.words.hasFocus()


def test_only_what_is_needed_is_in_the_window(rater: Desktop) -> None:
    window = rater.window
    for name in ("objects", "inspector", "labels"):
        dock = window.findChild(QDockWidget, name)
        assert dock is not None
        assert not dock.isVisible()
    assert panel(window).isVisible()
    assert not window.context.table.action("tool.box").isEnabled()
    window.context.tasks.show_mine()
    dock = window.findChild(QDockWidget, "objects")
    assert dock is not None
    assert dock.isHidden(), "the first page has no panels"
    assert not panel(window).isVisible()
    assert not window.context.workspace.asks


def test_who_comes_back_is_where_they_were(
    rater: Desktop, team: QuestionTeam, tmp_path: Path
) -> None:
    window = rater.window
    rater.press("1", "Return", "Return")
    task_id, at = window.context.workspace.task_id, asking(window).at
    assert at == 2
    assert task_id is not None
    window.context.tasks.show_mine()
    window.context.tasks.open_task_or_explain(task_id)
    rater.settle()
    assert asking(window).at == 2


def test_a_field_that_has_its_turn_is_in_sight(
    desktop: Desktop, tmp_path: Path, clip: Path
) -> None:
    more = "".join(WHY.replace('"why"', f'"why-{i}"') for i in range(8))
    last = CHOICE.replace('"answer"', '"type"')
    begin(desktop, make_asking(tmp_path, [clip], fields=CHOICE + more + last))
    window = desktop.window
    block = view(window).block("type")
    assert block is not None
    area = panel(window).area
    assert area.verticalScrollBar().maximum() > 0

    def is_seen() -> bool:
        port = area.viewport()
        return port.rect().contains(block.rect().translated(block.mapTo(port, QPoint(0, 0))))

    assert not is_seen()
    desktop.press("1")
    desktop.qtbot.waitUntil(is_seen, timeout=20_000)
    assert view(window).current is block
    desktop.press("1", "Return")
    assert panel(window).progress.text() == "2 of 3"


def test_the_panel_leaves_room_on_a_small_screen(rater: Desktop) -> None:
    asked = panel(rater.window)
    widths = [button.sizeHint().width() for button in (asked.previous, asked.replay, asked.next)]
    assert asked.replay.text() == "Replay"
    assert asked.replay.toolTip().startswith("Replay from start")
    assert asked.minimumSizeHint().width() < 360
    assert sum(widths) < 330
