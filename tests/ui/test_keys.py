"""Keys beyond Qt's shortcuts: other alphabets, other places, keys that are held, typing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.services.settings import Settings
from annotator.ui.key_router import KeyRouter, is_typing
from annotator.ui.main_window import MainWindow

_PLACE_OF = {"S": 39, "A": 38, "Q": 24, "[": 34, "F1": 67}


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setattr("annotator.ui.keymap._SCAN_OFFSET", 8)
    made = app.make_window(Settings(tmp_path / "settings.toml"), remembers_place=False)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def ran(window: MainWindow) -> list[str]:
    """Enable all actions and note which ones run, instead of what they do."""
    names: list[str] = []
    for spec_id in ("proposal.accept", "track.occluded", "play.slower", "key.set"):
        window.table.action(spec_id).setEnabled(True)
        window.table.on(spec_id, lambda name=spec_id: names.append(name))
    return names


def _event(
    kind: QEvent.Type, key: int, place: str, text: str = "", *, repeat: bool = False
) -> QKeyEvent:
    code = _PLACE_OF[place]
    held = Qt.KeyboardModifier.NoModifier
    return QKeyEvent(kind, key, held, code, 0, 0, text, repeat)


def _press(window: MainWindow, key: int, place: str, text: str, *, repeat: bool = False) -> bool:
    """Send a key as Qt does: first the question whether a shortcut may have it."""
    override = _event(QEvent.Type.ShortcutOverride, key, place, text, repeat=repeat)
    override.ignore()
    QApplication.sendEvent(window, override)
    if override.isAccepted():
        # Sent by `sendEvent` it would be asked about again, without its place.
        window.keyPressEvent(_event(QEvent.Type.KeyPress, key, place, text, repeat=repeat))
    return override.isAccepted()


def test_cyrillic_letters_act_by_their_place(window: MainWindow, ran: list[str]) -> None:
    assert _press(window, 0x042B, "S", "ы")
    assert _press(window, 0x0424, "A", "ф")
    assert ran == ["key.set", "proposal.accept"]


def test_latin_letters_act_by_their_sign(window: MainWindow, ran: list[str]) -> None:
    # On a French keyboard "a" stands where "q" is on others: Qt's own shortcut takes it.
    assert not _press(window, Qt.Key.Key_A.value, "Q", "a")
    assert ran == []


def test_letters_act_by_their_place_when_that_is_wanted(window: MainWindow, ran: list[str]) -> None:
    window.desk.settings.set("keys.by_place", True)
    assert _press(window, Qt.Key.Key_A.value, "Q", "a")
    assert ran == ["track.occluded"]


def test_signs_that_are_elsewhere_act_by_their_place(window: MainWindow, ran: list[str]) -> None:
    assert _press(window, Qt.Key.Key_AsciiCircum.value, "[", "^")
    assert ran == ["play.slower"]


def test_held_key_repeats_only_where_that_makes_sense(window: MainWindow, ran: list[str]) -> None:
    _press(window, 0x042B, "S", "ы", repeat=True)
    _press(window, Qt.Key.Key_AsciiCircum.value, "[", "^", repeat=True)
    assert ran == ["play.slower"]


def test_held_keys_are_known_until_they_are_let_go(window: MainWindow) -> None:
    router: KeyRouter = window.router
    _press(window, Qt.Key.Key_K.value, "S", "k")
    assert router.is_held(Qt.Key.Key_K)
    QApplication.sendEvent(window, _event(QEvent.Type.KeyRelease, Qt.Key.Key_K.value, "S"))
    assert not router.is_held(Qt.Key.Key_K)
    _press(window, Qt.Key.Key_K.value, "S", "k")
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowDeactivate))
    assert not router.is_held(Qt.Key.Key_K)


def test_nothing_acts_while_somebody_types(window: MainWindow, ran: list[str]) -> None:
    for field in (QLineEdit(window), QSpinBox(window)):
        field.show()
        field.setFocus()
        assert is_typing()
        assert not _press(window, 0x042B, "S", "ы") or ran == []
        assert _press(window, Qt.Key.Key_A.value, "A", "a")
        assert not _press(window, Qt.Key.Key_F1.value, "F1", "")
    assert ran == []
    reader = QLineEdit(window)
    reader.setReadOnly(True)
    reader.show()
    reader.setFocus()
    assert not is_typing()
