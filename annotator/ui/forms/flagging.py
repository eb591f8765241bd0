"""The flag: something is wrong with the unit. It stays out of the way until it is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from annotator.domain.answers import Flagged, Value
from annotator.domain.forms.field import Field, Option
from annotator.ui.forms.fields.editor import FieldEditor, digit_of
from annotator.ui.forms.fields.option_button import ManyOption, OneOption
from annotator.ui.forms.fields.typing import is_enter, step_of
from annotator.ui.forms.one_stop import OneStop
from annotator.ui.look.theme import ThemeHub


class FlagEditor(FieldEditor):
    """Opened by its title or its key; then a reason is picked, and words may be added."""

    def __init__(
        self, hub: ThemeHub, field: Field, reasons: Sequence[Option], parent: QWidget | None = None
    ) -> None:
        super().__init__(hub, field, parent)
        self.reasons = tuple(reasons)
        self._value: Flagged | None = None
        self.switch = ManyOption(hub, field.title, field.help, "", self)
        self.switch.clicked.connect(self._on_switched)
        self._more = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.switch)
        layout.addWidget(self._more)
        inner = QVBoxLayout(self._more)
        inner.setContentsMargins(24, 0, 0, 0)
        inner.setSpacing(4)
        self.buttons: list[OneOption] = []
        for i, option in enumerate(self.reasons):
            button = OneOption(hub, option.text, option.help, digit_of(i))
            button.clicked.connect(partial(self._on_reason_clicked, i))
            self.buttons.append(button)
            inner.addWidget(button)
        self.stop = OneStop(self, self.buttons)
        self.words = QLineEdit()
        self.words.setAccessibleName(self.tr("Problem description"))
        self.words.setPlaceholderText(self.tr("Describe the problem briefly"))
        self.words.editingFinished.connect(self.commit)
        self.words.installEventFilter(self)
        inner.addWidget(self.words)
        self._more.hide()

    @property
    def is_open(self) -> bool:
        """Whether reasons are shown."""
        return not self._more.isHidden()

    def show_value(self, value: Value | None) -> None:
        self._value = value if isinstance(value, Flagged) else None
        reason = self._value.reason if self._value else ""
        for option, button in zip(self.reasons, self.buttons, strict=True):
            with QSignalBlocker(button):
                button.setChecked(option.key == reason)
        self.stop.settle()
        if self._value is not None or not self.words.hasFocus():
            self.words.setText(self._value.text if self._value else "")
        if self._value is not None:
            self._open(is_open=True)
        elif not self.hasFocus() and not self.is_open:
            self._open(is_open=False)

    def press_digit(self, digit: int) -> bool:
        if not self.is_open or not 1 <= digit <= len(self.buttons):
            return False
        self.buttons[digit - 1].click()
        return True

    def toggle(self) -> None:
        """Open it; where it is open, take the flag back."""
        if self.isEnabled():
            self.switch.click()

    def commit(self) -> None:
        text = " ".join(self.words.text().split())
        old = self._value
        if not self.is_open or text == (old.text if old else ""):
            return
        if old is not None:
            # Words alone are no flag: they go along with the reason, once that is picked.
            self.answered.emit(Flagged(old.reason, text))

    def take_focus(self) -> None:
        target = (self.stop.best if self.is_open else None) or self.switch
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if is_enter(event):
            self.commit()
            self.left.emit(step_of(event))
            return True
        return super().eventFilter(watched, event)

    def _on_switched(self) -> None:
        is_open = self.switch.isChecked()
        self._open(is_open=is_open)
        if not is_open:
            self.words.clear()
            if self._value is not None:
                self.answered.emit(None)

    def _on_reason_clicked(self, index: int) -> None:
        with QSignalBlocker(self.buttons[index]):
            self.buttons[index].setChecked(True)
        text = " ".join(self.words.text().split())
        self.answered.emit(Flagged(self.reasons[index].key, text))

    def _open(self, *, is_open: bool) -> None:
        with QSignalBlocker(self.switch):
            self.switch.setChecked(is_open)
        self._more.setVisible(is_open)
