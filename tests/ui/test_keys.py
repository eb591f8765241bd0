"""Keys beyond Qt's shortcuts: other alphabets, other places, keys that are held, typing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.services.settings import Settings
from annotator.ui.actions.key_router import KeyRouter, is_typing
from annotator.ui.shell.main_window import MainWindow

_PLACE_OF = {
    "S": 39,
    "A": 38,
    "Q": 24,
    "[": 34,
    "F1": 67,
    "1": 10,
    "2": 11,
    "9": 18,
    "0": 19,
    "]": 35,
    "Y": 29,
    "M": 58,
    "J": 44,
}
_DIGIT = "segment.digit"
_KEYS = Qt.Key
# What X11 sends on five keyboards: layout, key, its place, its text, and what it must start.
# None: Qt's own shortcut takes a Latin letter or a sign by what is printed on the key.
_KEYBOARDS = [
    ("us", _KEYS.Key_1.value, "1", "1", None),
    ("de", 0x00DC, "[", "ü", "play.slower"),
    ("de", _KEYS.Key_Z.value, "Y", "z", None),
    ("de", _KEYS.Key_Plus.value, "]", "+", None),
    ("fr", _KEYS.Key_Ampersand.value, "1", "&", _DIGIT),
    ("fr", 0x00C9, "2", "é", _DIGIT),
    ("fr", 0x00C7, "9", "ç", _DIGIT),
    ("fr", 0x00C0, "0", "à", _DIGIT),
    ("fr", _KEYS.Key_A.value, "Q", "a", None),
    ("fr", _KEYS.Key_Comma.value, "M", ",", None),
    ("ru", 0x0424, "A", "ф", "proposal.accept"),
    ("ru", 0x042B, "S", "ы", "key.set"),
    ("ru", 0x0419, "Q", "й", "track.occluded"),
    ("ru", 0x041E, "J", "о", "play.shuttle-back"),
    ("ru", 0x0425, "[", "х", "play.slower"),
    ("ru", _KEYS.Key_9.value, "9", "9", None),
    ("jp", _KEYS.Key_At.value, "[", "@", "play.slower"),
    ("jp", _KEYS.Key_BracketLeft.value, "]", "[", None),
    ("jp", _KEYS.Key_0.value, "0", "0", None),
]


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setattr("annotator.ui.actions.keymap._SCAN_OFFSET", 8)
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
        window.context.table.action(spec_id).setEnabled(True)
        window.context.table.on(spec_id, partial(names.append, spec_id))
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
    window.context.workspace.settings.set("keys.by_place", True)
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
    router: KeyRouter = window.context.router
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


@pytest.mark.parametrize(
    ("layout", "key", "place", "text", "action"),
    _KEYBOARDS,
    ids=[f"{layout}-{place}" for layout, _, place, *_ in _KEYBOARDS],
)
def test_five_keyboards_reach_what_is_meant(
    window: MainWindow, layout: str, key: int, place: str, text: str, action: str | None
) -> None:
    started: list[str] = []
    for spec_id in {action for *_, action in _KEYBOARDS if action}:
        window.context.table.action(spec_id).setEnabled(True)
        window.context.table.on(spec_id, partial(started.append, spec_id))
    assert _press(window, key, place, text) == (action is not None), layout
    assert started == ([action] if action else [])
    # A digit is known by its place where its sign is another, and by its sign else.
    assert window.context.router.last_digit == (place if place.isdigit() else "")
