"""Fields that are answered by picking: one option, several, yes or no, confidence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from annotator.domain.answer import Picked, Value
from annotator.domain.forms.field import Field, FieldKind, Option
from annotator.ui.forms.fields.editor import FieldEditor, OneStop, digit_of
from annotator.ui.forms.fields.option_button import ManyOption, OneOption, text_indent
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain

YES: Final = "yes"
NO: Final = "no"
LEVELS: Final = 5
_MANY: Final = 10


class _Options(FieldEditor):
    """Options below or beside each other; the arrows go from one to the next."""

    def __init__(
        self,
        hub: ThemeHub,
        field: Field,
        options: Sequence[Option],
        *,
        is_many: bool = False,
        is_row: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(hub, field, parent)
        self.options = tuple(options)
        self.buttons: list[OneOption | ManyOption] = []
        n_columns = len(self.options) or 1 if is_row else 1
        # Long lists of short words fit the screen side by side.
        if not is_row and len(self.options) > _MANY:
            n_columns = 2
        self._n_columns = n_columns
        self.box = QGridLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(4)
        for column in range(n_columns):
            # One long text does not push the others together.
            self.box.setColumnStretch(column, 1)
        kind = ManyOption if is_many else OneOption
        for i, option in enumerate(self.options):
            button = kind(hub, option.text, option.help, digit_of(i), self)
            button.clicked.connect(partial(self._on_clicked, i))
            self.buttons.append(button)
            self._place(button, i)
        self.stop = OneStop(self, self.buttons)

    def _place(self, button: QWidget, index: int) -> None:
        """Put an option into its place: column by column, as it is read."""
        n_rows = -(-len(self.options) // self._n_columns)
        column, row = divmod(index, max(1, n_rows))
        self.box.addWidget(button, row, column)

    def press_digit(self, digit: int) -> bool:
        if not 1 <= digit <= len(self.buttons):
            return False
        button = self.buttons[digit - 1]
        if button.isEnabled():
            button.click()
        return True

    def take_focus(self) -> None:
        button = self.stop.best
        if button is not None:
            button.setFocus(Qt.FocusReason.TabFocusReason)

    def _on_clicked(self, index: int) -> None:
        """Use the selected options as the answer."""

    def _mark(self, keys: Sequence[str]) -> None:
        for option, button in zip(self.options, self.buttons, strict=False):
            with QSignalBlocker(button):
                button.setChecked(option.key in keys)
        self.stop.settle()


class ChoiceEditor(_Options):
    """One option, or one's own words where the field takes them."""

    def __init__(
        self,
        hub: ThemeHub,
        field: Field,
        options: Sequence[Option],
        parent: QWidget | None = None,
    ) -> None:
        is_many = field.kind is FieldKind.CHOICES
        super().__init__(hub, field, options, is_many=is_many, parent=parent)
        self._is_many = is_many
        self._value: Picked | None = None
        self.other: QLineEdit | None = None
        if field.has_other:
            kind = ManyOption if is_many else OneOption
            button = kind(hub, self.tr("Other:"), "", digit_of(len(self.options)), self)
            button.clicked.connect(self._on_other_clicked)
            self.buttons.append(button)
            self.stop.add(button)
            self.other = QLineEdit()
            self.other.setAccessibleName(self.tr("{title}: other").format(title=field.title))
            self.other.setPlaceholderText(self.tr("In your own words"))
            self.other.editingFinished.connect(self.commit)
            self.other.returnPressed.connect(partial(self.left.emit, 1))
            n_rows = self.box.rowCount()
            self.box.addWidget(button, n_rows, 0, 1, self._n_columns)
            below = QHBoxLayout()
            below.setContentsMargins(text_indent(button), 0, 0, 0)
            below.addWidget(self.other)
            self.box.addLayout(below, n_rows + 1, 0, 1, self._n_columns)

    @property
    def is_typing(self) -> bool:
        """Whether words of one's own are being typed."""
        return self.other is not None and self.other.hasFocus()

    def show_value(self, value: Value | None) -> None:
        self._value = value if isinstance(value, Picked) else None
        keys = self._value.keys if self._value is not None else ()
        words = self._value.other if self._value is not None else ""
        self._mark(keys)
        if self.other is not None:
            with QSignalBlocker(self.buttons[-1]):
                self.buttons[-1].setChecked(bool(words))
            if not self.other.hasFocus() or words:
                self.other.setText(words)

    def commit(self) -> None:
        """Take over the words of one's own; none at all take them back."""
        if self.other is None:
            return
        old = self._value or Picked(())
        words = self.other.text().strip()
        if words == old.other:
            return
        keys = old.keys if self._is_many or not words else ()
        self._tell(Picked(keys, words))

    def _on_clicked(self, index: int) -> None:
        key = self.options[index].key
        old = self._value or Picked(())
        if not self._is_many:
            if old.keys == (key,):
                # A second press must not take away an answer that was meant.
                self._mark(old.keys)
                return
            self._tell(Picked((key,)))
            return
        picked = {*old.keys} ^ {key}
        self._tell(Picked(tuple(o.key for o in self.options if o.key in picked), old.other))

    def _on_other_clicked(self) -> None:
        assert self.other is not None
        if self.buttons[-1].isChecked():
            self.other.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        self.other.clear()
        self.commit()

    def _tell(self, value: Picked) -> None:
        self.answered.emit(value if value.keys or value.other else None)


class TruthEditor(_Options):
    """Yes or no."""

    def __init__(self, hub: ThemeHub, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(hub, field, _truths(), is_row=True, parent=parent)

    def show_value(self, value: Value | None) -> None:
        self._mark((YES if value else NO,) if isinstance(value, bool) else ())

    def _on_clicked(self, index: int) -> None:
        self.answered.emit(index == 0)


class ConfidenceEditor(_Options):
    """How sure one is, from 1 to 5."""

    def __init__(self, hub: ThemeHub, field: Field, parent: QWidget | None = None) -> None:
        options = [Option(str(n), str(n)) for n in range(1, LEVELS + 1)]
        super().__init__(hub, field, options, is_row=True, parent=parent)
        names = (self.tr("not sure at all"), "", "", "", self.tr("completely sure"))
        for button, n, name in zip(self.buttons, range(1, LEVELS + 1), names, strict=True):
            # The text is its own key.
            button.face.digit = ""
            button.setAccessibleName(f"{n}: {name}" if name else str(n))
        ends = QHBoxLayout()
        for name in filter(None, names):
            label = plain(QLabel(name))
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            ends.addWidget(label)
        ends.insertStretch(1)
        self.box.addLayout(ends, 1, 0, 1, LEVELS)

    def show_value(self, value: Value | None) -> None:
        self._mark((str(value),) if isinstance(value, int) else ())

    def _on_clicked(self, index: int) -> None:
        self.answered.emit(index + 1)


def _truths() -> tuple[Option, ...]:
    yes = QCoreApplication.translate("TruthEditor", "Yes")
    no = QCoreApplication.translate("TruthEditor", "No")
    return Option(YES, yes), Option(NO, no)
