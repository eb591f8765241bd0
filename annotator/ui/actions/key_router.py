"""Keys beyond Qt's shortcuts: typing, other alphabets, and held keys.

While a text field has the focus, no action starts. On a keyboard whose letters are not Latin, or
where a sign needs a different key, the key's place on the keyboard counts. A held key (K) changes
the meaning of others.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
)

from annotator.ui.actions.keymap import key_at, normal
from annotator.ui.actions.table import ActionTable

_FUNCTION_KEYS = range(Qt.Key.Key_F1.value, Qt.Key.Key_F35.value + 1)
_DIGITS = range(Qt.Key.Key_0.value, Qt.Key.Key_9.value + 1)
_USED_BY_WIDGETS = frozenset(
    key.value
    for key in (
        *(Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab),
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
        Qt.Key.Key_Space,
    )
)
_LATIN = range(Qt.Key.Key_A.value, Qt.Key.Key_Z.value + 1)


class KeyRouter:
    """Judges the key events that reach a window before and after Qt's own shortcuts."""

    def __init__(self, table: ActionTable, *, is_by_place: bool = False) -> None:
        self._table = table
        self.is_by_place = is_by_place
        self.on_release: list[Callable[[int], object]] = []
        self.on_press: list[Callable[[int], object]] = []
        self._held: set[int] = set()
        self._last: tuple[int, str] = (0, "")

    def is_held(self, key: Qt.Key) -> bool:
        return key.value in self._held

    @property
    def last_key(self) -> int:
        """The key that went down last, as its release will name it."""
        return self._last[0]

    @property
    def last_digit(self) -> str:
        """The digit on the key that went down last, by sign or by place; empty for none."""
        return self._last[1]

    def forget(self) -> None:
        """Forget held keys: the window lost the focus and will not hear of their release."""
        for key in tuple(self._held):
            self._release(key)

    def overrides(self, event: QKeyEvent) -> bool:
        """Judge a ShortcutOverride event: True keeps Qt's shortcuts from acting on this key."""
        if is_typing():
            is_ours = bool(self._table.keymap.users(_sequence(event)))
            return is_ours and event.key() not in _FUNCTION_KEYS
        # Repetitions count, too: X11 may report a held key as pressed and released by turns.
        for told in self.on_press:
            told(event.key())
        if not event.isAutoRepeat():
            self._held.add(event.key())
            self._last = event.key(), _digit(event)
        return self._by_place(event) is not None

    def pressed(self, event: QKeyEvent) -> bool:
        """Run the action at the physical place of a key; False without one.

        A key whose actions cannot be run now comes here, too: the table tells why. Of keys that
        lists and fields use, it does not: those come here after they were used.
        """
        if is_typing():
            return False
        action_id = self._by_place(event)
        if action_id is None:
            users = self._table.keymap.users(_sequence(event))
            if users and event.key() not in _USED_BY_WIDGETS and not event.isAutoRepeat():
                self._table.refuse(users[0])
            return False
        is_repeat = event.isAutoRepeat()
        if not is_repeat or self._table.spec(action_id).repeats:
            self._table.run(action_id)
        return True

    def released(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self._release(event.key())

    def _release(self, key: int) -> None:
        self._held.discard(key)
        for told in self.on_release:
            told(key)

    def _by_place(self, event: QKeyEvent) -> str | None:
        """Return the action meant by the key's place, where its sign does not say it."""
        place = key_at(event.nativeScanCode())
        if place is None:
            return None
        sign = _sequence(event)
        if self.is_by_place:
            if not place.isalpha():
                return None
        elif event.key() in _LATIN or self._table.keymap.users(sign):
            return None
        # Qt names the keys of these rows by their ASCII codes.
        key = QKeyCombination(event.modifiers(), Qt.Key(ord(place)))
        portable_key = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
        if portable_key == sign:
            return None
        users = self._table.keymap.users(normal(portable_key))
        able = [user for user in users if self._table.action(user).isEnabled()]
        return next(iter(able or users), None)


def is_typing() -> bool:
    """Return whether the keyboard focus is in a field that takes text."""
    widget = QApplication.focusWidget()
    if isinstance(widget, QLineEdit | QTextEdit | QPlainTextEdit):
        return not widget.isReadOnly()
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QAbstractSpinBox)


def _digit(event: QKeyEvent) -> str:
    sign = chr(event.key()) if event.key() in _DIGITS else key_at(event.nativeScanCode()) or ""
    return sign if sign.isdigit() else ""


def _sequence(event: QKeyEvent) -> str:
    return QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
