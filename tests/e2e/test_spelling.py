"""Unknown words are underlined while somebody types, and a menu helps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit

from annotator.services import spelling
from annotator.ui.forms.fields.text_fields import TextEditor
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import CHOICE, WHY, make_asking
from tests.e2e.test_questions import asking, begin, view


@pytest.fixture
def typing(
    desktop: Desktop, tmp_path: Path, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[QPlainTextEdit]:
    """The field of a question, with a dictionary of four words."""
    folder = tmp_path / "dictionaries"
    folder.mkdir()
    (folder / "en_GB.aff").write_text("SET UTF-8\nTRY esianrtolcdup\n", "utf-8")
    (folder / "en_GB.dic").write_text("4\nthe\ncup\nfalls\nwater\n", "utf-8")
    monkeypatch.setenv("DICPATH", str(folder))
    monkeypatch.setattr(spelling, "_FOLDERS", ())
    settings = desktop.window.context.workspace.settings
    settings.set("answers.spelling", True)
    settings.set("answers.language", "en_GB")
    begin(desktop, make_asking(tmp_path, [clip], fields=CHOICE + WHY))
    block = view(desktop.window).block("why")
    assert block is not None
    assert isinstance(block.editor, TextEditor)
    field = block.editor.words
    field.setFocus()
    QTest.keyClicks(field, "the cupp falls")
    desktop.qtbot.waitUntil(lambda: _underlined(field) == ["cupp"], timeout=10_000)
    yield field
    for menu in field.findChildren(QMenu):
        menu.close()


def _underlined(field: QPlainTextEdit) -> list[str]:
    """Return the words that are underlined in the first line."""
    block = field.document().firstBlock()
    wrong = QTextCharFormat.UnderlineStyle.SpellCheckUnderline
    return [
        block.text()[each.start : each.start + each.length]
        for each in block.layout().formats()
        if each.format.underlineStyle() == wrong
    ]


def _menu(desktop: Desktop, field: QPlainTextEdit, at: int) -> QMenu:
    """Open the menu at a character."""
    cursor = QTextCursor(field.document())
    cursor.setPosition(at)
    place = field.cursorRect(cursor).center() + QPoint(1, 0)
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, field.mapToGlobal(place))
    QApplication.sendEvent(field.viewport(), event)
    (menu,) = [m for m in field.findChildren(QMenu) if m.isVisible()]
    return menu


def _texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.isVisible()]


def test_a_similar_word_takes_the_place_of_an_unknown_one(
    desktop: Desktop, typing: QPlainTextEdit
) -> None:
    menu = _menu(desktop, typing, at=6)
    desktop.qtbot.waitUntil(lambda: _texts(menu)[0] == "cup", timeout=10_000)
    menu.actions()[0].trigger()
    menu.close()
    assert typing.toPlainText() == "the cup falls"
    assert _underlined(typing) == []
    desktop.qtbot.waitUntil(
        lambda: asking(desktop.window).values().get("why") == "the cup falls", timeout=10_000
    )


def test_a_word_is_added_to_those_of_the_project(desktop: Desktop, typing: QPlainTextEdit) -> None:
    menu = _menu(desktop, typing, at=6)
    desktop.qtbot.waitUntil(lambda: _texts(menu)[0] == "cup", timeout=10_000)
    (learn,) = [a for a in menu.actions() if a.text().startswith("Add “cupp”")]
    learn.trigger()
    menu.close()
    assert _underlined(typing) == []
    project = desktop.window.context.workspace.project
    assert project is not None
    assert spelling.project_words(project.file) == ("cupp",)


def test_a_known_word_has_the_usual_menu(desktop: Desktop, typing: QPlainTextEdit) -> None:
    texts = _texts(_menu(desktop, typing, at=1))
    assert not any("cup" in text or "Looking" in text for text in texts)
    assert len(texts) > 3
