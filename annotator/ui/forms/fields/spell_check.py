"""Underlines unknown words during typing and offers corrections in a menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QPoint, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QMenu, QPlainTextEdit
from shiboken6 import isValid

from annotator.domain.errors import UserError
from annotator.services import spelling

if TYPE_CHECKING:
    from annotator.services.spelling import Speller
    from annotator.ui.state.workspace import Workspace


class Spelling(QObject):
    """The speller of the open project, read in the background when text is first asked for."""

    changed = Signal()  # loaded, unloaded, new word, or other theme

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._is_asked_for = False
        self.speller: Speller | None = None
        workspace.projectChanged.connect(self._forget)
        workspace.hub.changed.connect(self.changed)

    @property
    def color(self) -> QColor:
        """The color that words are underlined with."""
        return self._workspace.hub.theme.color("error")

    def begin(self) -> None:
        """Load the dictionary once per project, unless spell checking is off."""
        project, settings = self._workspace.project, self._workspace.settings
        if self._is_asked_for or project is None or not settings.flag("answers.spelling"):
            return
        self._is_asked_for = True
        wanted = settings.text("answers.language") or QLocale.system().name()
        self._workspace.jobs.submit(
            self.tr("Load dictionary"),
            spelling.loading([wanted], spelling.project_words(project.file)),
            self._take,
            is_quiet=True,
        )

    def add(self, word: str) -> None:
        """Take a word for right from now on, for everybody in the project."""
        project = self._workspace.project
        if project is None or self.speller is None:
            return
        try:
            spelling.add_project_word(project.file, word)
        except UserError as error:
            self._workspace.failed.emit(error)
            return
        self.speller.learn(word)
        self.changed.emit()

    def fill(self, menu: QMenu, field: QPlainTextEdit, cursor: QTextCursor) -> None:
        """Add corrections of the word at a cursor to the top of a menu.

        It is looked for in the background: the menu is open by then.
        """
        speller, word = self.speller, cursor.selectedText()
        if speller is None or not word or speller.knows(word):
            return
        first = menu.actions()[0]
        learn = QAction(self.tr("Add “{word}” to the project dictionary").format(word=word), menu)
        learn.triggered.connect(partial(self.add, word))
        looking = QAction(self.tr("Looking for similar words…"), menu)
        looking.setEnabled(False)
        menu.insertActions(first, [looking, learn])
        menu.insertSeparator(first)

        def done(words: list[str]) -> None:
            if not isValid(menu):
                return
            for text in words:
                action = QAction(text, menu)
                action.triggered.connect(partial(_replace, field, cursor, text))
                menu.insertAction(looking, action)
            looking.setText(self.tr("No similar words"))
            looking.setVisible(not words)

        self._workspace.jobs.submit(
            looking.text(), lambda _: speller.suggestions(word), done, is_quiet=True
        )

    def _take(self, found: Speller | None) -> None:
        self.speller = found
        self.changed.emit()

    @Slot()
    def _forget(self) -> None:
        """Read it anew for the next project, which has words of its own."""
        self._is_asked_for = False
        self.speller = None
        self.changed.emit()


class Underliner(QSyntaxHighlighter):
    """Underlines the words of a text that the dictionary does not have."""

    def __init__(self, document: QTextDocument, spelling_: Spelling) -> None:
        super().__init__(document)
        self._spelling = spelling_
        self._format = QTextCharFormat()
        self._format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SpellCheckUnderline)
        spelling_.changed.connect(self.rehighlight)
        spelling_.begin()

    def highlightBlock(self, text: str) -> None:
        speller = self._spelling.speller
        if speller is not None:
            self._format.setUnderlineColor(self._spelling.color)
            for start, end in speller.wrong(text):
                self.setFormat(start, end - start, self._format)


def word_at(field: QPlainTextEdit, place: QPoint) -> QTextCursor:
    """Return a cursor with the word at a place selected; with a keyboard that of the cursor."""
    cursor = field.cursorForPosition(place)
    cursor.select(QTextCursor.SelectionType.WordUnderCursor)
    return cursor


def _replace(field: QPlainTextEdit, cursor: QTextCursor, text: str) -> None:
    if isValid(field):
        cursor.insertText(text)
