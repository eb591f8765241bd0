"""Fields that are answered by typing: words, a number, a list of properties as chips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QObject,
    QSignalBlocker,
    QStringListModel,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QCompleter,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.answer import Value
from annotator.domain.forms.field import Field
from annotator.ui.forms.fields.editor import FieldEditor
from annotator.ui.forms.fields.spell_check import Spelling, Underliner, word_at
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import FlowLayout, plain

_PAUSE_MS: Final = 400
_LINES: Final = 2
_NEAR: Final = 0.8  # of the characters allowed: from there on they are counted
_MOST_LINES: Final = 12
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Words(QPlainTextEdit):
    """Grows with its text. Enter moves to the next field, Alt+Enter makes a new line."""

    left = Signal(int)
    done = Signal()

    def __init__(self, spelling: Spelling | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spelling = spelling
        self.underliner = Underliner(self.document(), spelling) if spelling is not None else None
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in _ENTER and held == Qt.KeyboardModifier.AltModifier:
            self.insertPlainText("\n")
        elif event.key() in _ENTER and held == Qt.KeyboardModifier.ShiftModifier:
            self.left.emit(-1)
        elif event.key() in _ENTER and not held:
            self.left.emit(1)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._spelling is not None and not self.isReadOnly():
            self._spelling.fill(menu, self, word_at(self, event.pos()))
        menu.popup(event.globalPos())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.done.emit()

    def _fit(self) -> None:
        lines = min(max(_LINES, round(self.document().size().height())), _MOST_LINES)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 12)


class TextEditor(FieldEditor):
    """Words; ``minimum`` and ``maximum`` are how many characters they may have, and are counted
    while there are too few or soon too many.
    """

    def __init__(
        self,
        hub: ThemeHub,
        field: Field,
        spelling: Spelling | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(hub, field, parent)
        self._value = ""
        self._begun = ""
        self._refused = ""
        self._is_telling = False
        self.words = _Words(spelling)
        self.words.setAccessibleName(field.title)
        self.count = plain(QLabel())
        self.count.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.words)
        layout.addWidget(self.count)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.commit)
        self.words.textChanged.connect(self._on_text_changed)
        self.words.left.connect(self._on_left)
        self.words.done.connect(self.commit)
        self._count()

    def show_value(self, value: Value | None) -> None:
        self._value = value if isinstance(value, str) else ""
        if self._is_telling:
            self._refused = self._text if self._text != self._value else ""
            return
        is_begun = value is None and self._begun and self._text == self._begun
        is_typed = self._timer.isActive() or (self._refused and self._text == self._refused)
        if is_typed or self._text == self._value or is_begun:
            return
        self._refused = ""
        with QSignalBlocker(self.words):
            self.words.setPlainText(self._value)
        self._count()

    def set_initial_text(self, text: str) -> None:
        self._begun = text.strip()
        if not self._value and not self._text:
            with QSignalBlocker(self.words):
                self.words.setPlainText(self._begun)
            self._count()

    def accept(self) -> None:
        self._begun = ""
        self.commit()

    def commit(self) -> None:
        self._timer.stop()
        text = self._text
        is_begun = bool(text) and text == self._begun
        # A corrected answer is sent again, even if it equals the earlier one.
        is_new = text != self._refused if self._refused else text != self._value
        if is_new and not is_begun:
            self._begun = ""
            # Refused text stays for correction; it can be long.
            self._is_telling = True
            self.answered.emit(text or None)
            self._is_telling = False

    @property
    def is_taken(self) -> bool:
        return not self._refused or self._text != self._refused

    @property
    def _text(self) -> str:
        return self.words.toPlainText().strip()

    @property
    def wants_typing(self) -> bool:
        return True

    def take_focus(self) -> None:
        self.words.setFocus(Qt.FocusReason.TabFocusReason)

    def _on_text_changed(self) -> None:
        self._timer.start()
        self._count()

    def _on_left(self, step: int) -> None:
        self.commit()
        self.left.emit(step)

    def _count(self) -> None:
        n, least = len(self.words.toPlainText().strip()), int(self.field.minimum or 0)
        most = math.inf if self.field.maximum is None else self.field.maximum
        text = ""
        if 0 < n < least:
            text = self.tr("{n} of at least {least} characters")
        elif n >= _NEAR * most:
            text = self.tr("{n} of {most} characters")
        self.count.setText(text.format(n=n, least=least, most=f"{most:g}"))
        self.count.setVisible(bool(text))
        role = QPalette.ColorRole
        self.count.setForegroundRole(role.BrightText if n > most else role.PlaceholderText)


class NumberEditor(FieldEditor):
    """A number, typed in the way of the person's country or with a point."""

    def __init__(self, hub: ThemeHub, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(hub, field, parent)
        self._value: float | None = None
        self._refused = ""
        self._is_telling = False
        self.line = QLineEdit()
        self.line.setAccessibleName(field.title)
        self.line.setMaximumWidth(220)
        self.line.setPlaceholderText(_bounds_text(self, field))
        self.refusal = plain(QLabel())
        self.refusal.setForegroundRole(QPalette.ColorRole.BrightText)
        self.refusal.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.line)
        layout.addWidget(self.refusal)
        self.line.editingFinished.connect(self.commit)
        self.line.installEventFilter(self)

    def show_value(self, value: Value | None) -> None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        self._value = float(value) if is_number else None  # type: ignore[arg-type]
        typed = self.line.text().strip()
        if self._is_telling:
            self._refused = typed if self._number(typed) != self._value else ""
        if self._refused and typed == self._refused:
            return
        self._refused = ""
        self.refusal.hide()
        text = "" if self._value is None else self.locale().toString(self._value, "g", 12)
        if text != self.line.text():
            self.line.setText(text)

    def commit(self) -> None:
        text = self.line.text().strip()
        if text and text == self._refused:
            return
        if not text:
            if self._value is not None or self._refused:
                self._refused = ""
                self.answered.emit(None)
            self.refusal.hide()
            return
        number = self._number(text)
        self.refusal.setVisible(number is None)
        if number is None:
            self._refused = text
            self.refusal.setText(
                self.tr("“{text}” is not a number. Enter a number.").format(text=text)
            )
        elif number != self._value or self._refused:
            # Refused text stays for correction.
            self._is_telling = True
            self.answered.emit(number)
            self._is_telling = False

    @property
    def is_taken(self) -> bool:
        return not self._refused or self.line.text().strip() != self._refused

    def _number(self, text: str) -> float | None:
        number, is_number = self.locale().toDouble(text)
        if is_number:
            return number
        try:
            return float(text)
        except ValueError:
            return None

    @property
    def wants_typing(self) -> bool:
        return True

    def take_focus(self) -> None:
        self.line.setFocus(Qt.FocusReason.TabFocusReason)
        self.line.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if is_enter(event):
            self.commit()
            self.left.emit(step_of(event))
            return True
        return super().eventFilter(watched, event)


class PropertiesEditor(FieldEditor):
    """A list of short texts; Enter adds one, or moves to the next field when empty."""

    def __init__(
        self,
        hub: ThemeHub,
        field: Field,
        suggestions: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(hub, field, parent)
        self._value: tuple[str, ...] = ()
        self.chips: list[QToolButton] = []
        self.line = QLineEdit()
        self.line.setAccessibleName(field.title)
        self.line.setPlaceholderText(self.tr("Type an entry and press Enter"))
        completer = QCompleter(QStringListModel(list(suggestions), self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.line.setCompleter(completer)
        # Once the line has taken the word over.
        completer.activated.connect(self._on_word_picked, Qt.ConnectionType.QueuedConnection)
        self.line.installEventFilter(self)
        place = QWidget()
        self._flow = FlowLayout(place)
        self._place = place
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(place)
        layout.addWidget(self.line)
        place.hide()

    def show_value(self, value: Value | None) -> None:
        self._value = value if isinstance(value, tuple) else ()
        for chip in self.chips:
            self._flow.removeWidget(chip)
            chip.deleteLater()
        self.chips = [self._chip(i, text) for i, text in enumerate(self._value)]
        for chip in self.chips:
            self._flow.addWidget(chip)
        self._place.setVisible(bool(self.chips))

    def commit(self) -> None:
        text = " ".join(self.line.text().split())
        self.line.clear()
        if text and text.casefold() not in (known.casefold() for known in self._value):
            self.answered.emit((*self._value, text))

    @property
    def wants_typing(self) -> bool:
        return True

    def take_focus(self) -> None:
        self.line.setFocus(Qt.FocusReason.TabFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if is_enter(event):
            if self.line.text().strip():
                self.commit()
            else:
                self.left.emit(step_of(event))
            return True
        is_key = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if is_key and not self.line.text() and self._value:
            assert isinstance(event, QKeyEvent)
            if event.key() == Qt.Key.Key_Backspace:
                self._remove(len(self._value) - 1)
                return True
        return super().eventFilter(watched, event)

    @Slot()
    def _on_word_picked(self) -> None:
        self.commit()

    def _chip(self, index: int, text: str) -> QToolButton:
        chip = QToolButton()
        chip.setText(text)
        chip.setIcon(self.hub.theme.icon("close"))
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.setToolTip(self.tr("Delete “{text}”").format(text=text))
        chip.clicked.connect(partial(self._remove, index))
        return chip

    def _remove(self, index: int) -> None:
        rest = (*self._value[:index], *self._value[index + 1 :])
        self.answered.emit(rest or None)


def is_enter(event: QEvent) -> bool:
    """Return whether Enter or Shift+Enter was pressed."""
    if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
        return False
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    plain = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    return event.key() in _ENTER and held in plain


def step_of(event: QEvent) -> int:
    """Return where Enter leads to: on, or back with Shift."""
    assert isinstance(event, QKeyEvent)
    return -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1


def _bounds_text(widget: QWidget, field: Field) -> str:
    if field.minimum is None and field.maximum is None:
        return ""
    locale = widget.locale()
    low = "" if field.minimum is None else locale.toString(float(field.minimum), "g", 12)
    high = "" if field.maximum is None else locale.toString(float(field.maximum), "g", 12)
    return f"{low} – {high}".strip()
