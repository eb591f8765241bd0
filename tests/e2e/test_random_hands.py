"""Random keys, drags and menu commands in a real window: nothing fails, and undo restores.

``ANNOTATOR_RANDOM_HANDS=FIRST:LAST`` tries these seeds instead of the two that always run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QWidget,
)

from annotator.services.project.projects import open_project
from annotator.services.session import Session
from tests.e2e.conftest import SIZE, Desktop
from tests.store.samples import state

_N_GESTURES = 250
_LEFT = Qt.MouseButton.LeftButton
_KEYS = (
    *"ABCDEFGIJKLMNOPQRSUVWXZ1234567890[],.",
    *("Left", "Right", "Up", "Down", "Return", "Esc", "Space", "Del", "Tab", "Home", "End"),
    *("Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+A", "Ctrl+D", "Alt+A", "Shift+A", "Shift+Q", "Shift+W"),
    *("Ctrl+Left", "Ctrl+Right", "Ctrl+Shift+Up", "Alt+M", "Ctrl+Alt+A", "Shift+V", "Alt+S"),
)
_WORDS = ("1", "12", "999999", "-3", "cup", "<b>x</b>", "0.5", " ")
_NOT_RUN = ("app.quit", "project.demo", "project.new", "project.open", "project.team", "help.guide")
_MODIFIERS = (
    *[Qt.KeyboardModifier.NoModifier] * 5,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


def _seeds() -> range:
    first, _, last = os.environ.get("ANNOTATOR_RANDOM_HANDS", "0:1").partition(":")
    return range(int(first), int(last or first) + 1)


class RandomHands:
    """Works a window without a plan, and answers every dialog that opens."""

    def __init__(self, desktop: Desktop, seed: int) -> None:
        self._desktop = desktop
        self._chance = random.Random(seed)
        self._table = desktop.window.context.table
        self._actions = [
            action_id for action_id in self._table._actions if action_id not in _NOT_RUN
        ]
        self._n_answers = 0
        self._answering = QTimer(desktop.window)
        self._answering.timeout.connect(self._answer)
        self._answering.start(15)

    def work(self, n_gestures: int) -> None:
        window = self._desktop.window
        for _ in range(n_gestures):
            roll = self._chance.random()
            if roll < 0.35:
                canvas = window.context.canvas
                target = canvas if roll < 0.25 else QApplication.focusWidget() or canvas
                QTest.keySequence(target, self._chance.choice(_KEYS))
            elif roll < 0.65:
                self._draw()
            elif roll < 0.85:
                self._run_action()
            else:
                self._touch(window)
            QTest.qWait(self._chance.choice((0, 0, 5, 25)))

    def finish(self) -> None:
        """Close what is still open."""
        self._answering.stop()
        while (open_dialog := QApplication.activeModalWidget()) is not None:
            open_dialog.close()
        # A name that is being entered is entered, before what it belongs to is undone.
        self._desktop.window.context.canvas.setFocus()

    def _draw(self) -> None:
        """Drag or click on the picture, often with a tool in the hand."""
        canvas = self._desktop.window.context.canvas
        if self._chance.random() < 0.4:
            QTest.keySequence(canvas, self._chance.choice("NBP"))
        ends = [
            self._desktop.at(self._chance.uniform(-9, SIZE[0]), self._chance.uniform(-9, SIZE[1]))
            for _ in range(2)
        ]
        self._drag(canvas, *ends)

    def _run_action(self) -> None:
        self._desktop.window.context.updates.refresh()
        action_id = self._chance.choice(self._actions)
        if self._table.action(action_id).isEnabled():
            self._table.run(action_id)

    def _answer(self) -> None:
        """Do something in the dialog on top, and leave it after some time."""
        popup, dialog = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if popup is not None:
            popup.close()
            return
        self._n_answers = self._n_answers + 1 if dialog is not None else 0
        if dialog is None:
            return
        if self._n_answers > 5 and isinstance(dialog, QDialog):
            self._n_answers = 0
            dialog.reject()
        else:
            self._touch(dialog)

    def _touch(self, window: QWidget) -> None:
        """Click, drag or type on something in a window."""
        parts = [w for w in window.findChildren(QWidget) if w.isVisible() and w.isEnabled()]
        part = self._chance.choice(parts)
        if isinstance(part, QLineEdit):
            QTest.keyClicks(part, self._chance.choice(_WORDS))
            if self._chance.random() < 0.5:
                QTest.keyClick(part, Qt.Key.Key_Return)
        elif isinstance(part, QAbstractButton):
            QTest.mouseClick(part, _LEFT)
        else:
            ends = [
                QPoint(
                    self._chance.randrange(max(1, part.width())),
                    self._chance.randrange(max(1, part.height())),
                )
                for _ in range(2)
            ]
            # A tab that is dragged takes its bar along, which Qt deletes under the hand.
            is_tab_bar = part.metaObject().className() == "QTabBar"
            self._drag(part, ends[0], ends[0] if is_tab_bar else ends[1])

    def _drag(self, part: QWidget, start: QPoint, end: QPoint) -> None:
        keys = self._chance.choice(_MODIFIERS)
        QTest.mousePress(part, _LEFT, keys, start)
        if start != end:
            QTest.mouseMove(part, (start + end) / 2)
            QTest.mouseMove(part, end)
        QTest.mouseRelease(part, _LEFT, keys, end)


@pytest.fixture
def no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody chooses a file in the system's own dialogs."""
    for name, nothing in (
        ("getOpenFileName", ("", "")),
        ("getOpenFileNames", ([], "")),
        ("getSaveFileName", ("", "")),
        ("getExistingDirectory", ""),
    ):
        monkeypatch.setattr(QFileDialog, name, lambda *_, nothing=nothing, **__: nothing)


@pytest.fixture
def hands(
    desktop: Desktop, project: Path, no_files: None, request: pytest.FixtureRequest
) -> Iterator[RandomHands]:
    desktop.open(project)
    hands = RandomHands(desktop, request.param)
    yield hands
    hands.finish()


def _undo_all(session: Session) -> None:
    """Undo and redo everything; the document is then as it was."""
    while session.redo() is not None:
        pass
    before, n_steps = state(session.document), 0
    while session.undo() is not None:
        n_steps += 1
    for _ in range(n_steps):
        assert session.redo() is not None
    assert state(session.document) == before


@pytest.mark.parametrize("hands", _seeds(), indirect=True)
def test_random_hands_break_nothing(desktop: Desktop, project: Path, hands: RandomHands) -> None:
    workspace = desktop.window.context.workspace
    hands.work(_N_GESTURES)
    hands.finish()
    if workspace.session is None:
        desktop.open(project)
    session = workspace.session
    assert session is not None
    _undo_all(session)
    document = state(session.document)
    draft = session.document.draft_id
    desktop.window.close()
    opened = open_project(project)
    documents = [opened.open_task(task.id).document for task in opened.tasks()]
    assert [state(d) for d in documents if d.draft_id == draft] == [document]
    opened.close()
