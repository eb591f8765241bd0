"""The renderer of forms: all fields of one entry about one item, and the flag."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from annotator.domain.answer import Flagged, Value
from annotator.domain.forms.field import Field, FieldKind, Form, Option
from annotator.ui.forms.fields.block import FieldBlock
from annotator.ui.forms.fields.box import BoxEditor
from annotator.ui.forms.fields.choice_fields import ChoiceEditor, ConfidenceEditor, TruthEditor
from annotator.ui.forms.fields.editor import FieldEditor, OneStop, digit_of
from annotator.ui.forms.fields.option_button import ManyOption, OneOption
from annotator.ui.forms.fields.text_fields import (
    NumberEditor,
    PropertiesEditor,
    TextEditor,
    is_enter,
    step_of,
)
from annotator.ui.forms.fields.video_fields import SpansEditor, Surroundings, TracksEditor
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


_ONE_PICK = (FieldKind.CHOICE, FieldKind.TRUTH, FieldKind.CONFIDENCE)


class FormView(QWidget):
    """Shows a form with its answers. New answers are sent by ``answered``, stored ones come back by
    `show_values`; ``leaving`` asks for the item before (-1) or the next (+1)."""

    answered = Signal(str, object)  # key of the field; Value, or None to take the answer back
    leaving = Signal(int)
    turned = Signal(object)  # FieldBlock that a key led to: it is to be seen

    def __init__(
        self,
        around: Surroundings,
        form: Form,
        options: Callable[[Field], Sequence[Option]],
        key_of: Callable[[Field], str] = lambda _: "",
        initial_text: Callable[[Field], str] = lambda _: "",
        frame_of: Callable[[Field], int | None] = lambda _: None,
        known_words: Callable[[Field], Sequence[str]] = lambda _: (),
        parent: QWidget | None = None,
    ) -> None:
        """``options`` gives those of a field in the order in which they are shown, ``key_of`` the
        key that leads to it, ``initial_text`` the text its answer begins with, ``frame_of`` the
        frame it belongs to, ``known_words`` what properties were called before.
        """
        super().__init__(parent)
        self._around = around
        self.current: FieldBlock | None = None
        self.blocks: list[FieldBlock] = []
        self.is_settled = False
        """Whether nothing need be answered any more, whatever is empty: a flag says why."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        for field in form.fields:
            asked_field = _ShownField(field, options(field), frame_of(field), known_words(field))
            editor = _editor(around, asked_field)
            editor.set_initial_text(initial_text(field))
            block = FieldBlock(editor, shortcut=key_of(field), parent=self)
            editor.answered.connect(partial(self._on_answered, block))
            editor.left.connect(self.go)
            editor.wanted.connect(partial(self._on_wanted, block))
            for part in (editor, *editor.findChildren(QWidget)):
                part.installEventFilter(self)
            self.blocks.append(block)
            layout.addWidget(block)
        layout.addStretch(1)

    @property
    def has_keys(self) -> bool:
        """Whether one of its fields has the focus."""
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def block(self, key: str) -> FieldBlock | None:
        """Return the block of a field, None if the form has none."""
        return next((b for b in self.blocks if b.field.key == key), None)

    @property
    def visible_blocks(self) -> list[FieldBlock]:
        """The fields that are asked, as answered so far."""
        return [b for b in self.blocks if not b.isHidden()]

    def show_values(
        self,
        values: Mapping[str, Value],
        shown: Callable[[Field], bool],
        shortfalls: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Show the stored answers; ``shown`` are the visible fields, ``shortfalls`` what answers
        lack, by field."""
        for block in self.blocks:
            key = block.field.key
            block.setVisible(shown(block.field))
            block.show_value(values.get(key), shortfalls.get(key, ""))
        if self.current is None or self.current.isHidden():
            self._take(self._first())
        self._show_spans()

    def begin(self, *, takes_focus: bool) -> None:
        """Let the first open field have its turn, and the keys where it is typed into."""
        self._lead_to(self._first())
        if takes_focus and self.current is not None and self.current.editor.wants_typing:
            self.current.editor.take_focus()

    def refuse(self, key: str, text: str) -> None:
        """Show at a field why its answer was refused."""
        block = self.block(key)
        if block is not None:
            block.refuse(text)

    def commit(self) -> None:
        """Send unfinished typing as the answer."""
        for block in self.blocks:
            block.editor.commit()

    def press_digit(self, digit: int) -> bool:
        """Answer the current field with its option of that number.

        A box that is drawn has no use for it: then the next open field has its turn.
        """
        current = self.current
        if current is not None and current.field.kind is FieldKind.BOX and current.is_answered:
            blocks = self.visible_blocks
            later = (b for b in blocks[blocks.index(current) + 1 :] if b.is_open)
            self._lead_to(next(later, current))
        return self.current is not None and self.current.editor.press_digit(digit)

    def press_flag(self) -> bool:
        """Open the flag, or take it back; False where the form has none."""
        for block in self.visible_blocks:
            if isinstance(block.editor, FlagEditor):
                self._lead_to(block)
                block.editor.toggle()
                return True
        return False

    def take(self, key: str) -> None:
        """Let a field have its turn."""
        block = self.block(key)
        if block is not None and not block.isHidden():
            self._lead_to(block)
            block.editor.take_focus()

    def go(self, step: int) -> None:
        """Move to the next required field, else leave; going back always leaves."""
        current = self.current
        if step > 0:
            for block in self.visible_blocks:
                block.editor.accept()
        self.commit()
        if current is not None and not current.isHidden():
            # Not to whatever was taken over last.
            self._take(current)
        if step > 0 and not self.is_settled:
            if self.current is not None and self.current.tell():
                self._give_keys(self.current)
                return
            blocks = self.visible_blocks
            at = blocks.index(self.current) if self.current in blocks else -1
            later = [b for b in blocks[at + 1 :] if b.is_open]
            earlier = [b for b in blocks[: max(at, 0)] if b.is_open]
            is_skipped = self.current is not None and self.current.is_open
            target = later[:1] or ([] if is_skipped else earlier[:1])
            if target:
                target[0].tell()
                self._lead_to(target[0])
                self._give_keys(target[0])
                return
        self.leaving.emit(step)

    def close_fields(self) -> None:
        """Release picture and timeline when the form is hidden."""
        self._take(None)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget):
            block = next((b for b in self.blocks if b.isAncestorOf(watched)), None)
            if block is not None:
                self._take(block)
        return super().eventFilter(watched, event)

    def _on_answered(self, block: FieldBlock, value: Value | None) -> None:
        self._take(block)
        block.refuse("")
        self.answered.emit(block.field.key, value)
        # It may have grown.
        self.turned.emit(block)
        if value is not None and block.is_answered and block.field.kind in _ONE_PICK:
            self._move_on(block)

    def _on_wanted(self, block: FieldBlock) -> None:
        """Lead to the first field for times, where none of them has its turn."""
        times = [b for b in self.visible_blocks if isinstance(b.editor, SpansEditor)]
        first = next((b for b in times if not b.is_answered), next(iter(times), None))
        if block is first and self.current not in times and self.isEnabled():
            self._lead_to(block)

    def _move_on(self, block: FieldBlock) -> None:
        """Let the next field have its turn after a pick that needs no more."""
        blocks = self.visible_blocks
        picked = block.editor
        if isinstance(picked, ChoiceEditor) and picked.is_typing:
            return
        for each in blocks[blocks.index(block) + 1 :]:
            is_free = each.field.kind is not FieldKind.FLAG and not each.editor.wants_typing
            if not each.is_answered and (each.is_open or is_free):
                self._lead_to(each)
                self._give_keys(each)
                return

    def _give_keys(self, block: FieldBlock) -> None:
        """Put the focus where it is typed; take it from where nothing more is typed."""
        if block.editor.wants_typing or self.has_keys:
            block.editor.take_focus()

    def _first(self) -> FieldBlock | None:
        blocks = self.visible_blocks
        return next((b for b in blocks if b.is_open), blocks[0] if blocks else None)

    def _lead_to(self, block: FieldBlock | None) -> None:
        """Make a field current and scroll to it."""
        self._take(block)
        if block is not None:
            self.turned.emit(block)

    def _take(self, block: FieldBlock | None) -> None:
        if block is self.current:
            return
        if self.current is not None:
            self.current.set_current(is_current=False)
        self.current = block
        if block is not None:
            block.set_current(is_current=True)
        self._show_spans()

    def _show_spans(self) -> None:
        """Mark stretches of time: those of the field whose turn it is, else all there are."""
        fields = [b.editor for b in self.visible_blocks if isinstance(b.editor, SpansEditor)]
        now = self.current.editor if self.current is not None else None
        if isinstance(now, SpansEditor):
            fields = [now]
        self._around.show_spans(tuple(sorted(span for each in fields for span in each.spans)))


class _ShownField(NamedTuple):
    """A field with its editor for the current item."""

    field: Field
    options: Sequence[Option]
    frame: int | None
    words: Sequence[str]


def _editor(around: Surroundings, asked_field: _ShownField) -> FieldEditor:
    """Return what a field of that kind is answered with."""
    hub, field, options = around.workspace.hub, asked_field.field, asked_field.options
    match field.kind:
        case FieldKind.CHOICE | FieldKind.CHOICES:
            return ChoiceEditor(hub, field, options)
        case FieldKind.TRUTH:
            return TruthEditor(hub, field)
        case FieldKind.TEXT:
            return TextEditor(hub, field, around.spelling)
        case FieldKind.NUMBER:
            return NumberEditor(hub, field)
        case FieldKind.CONFIDENCE:
            return ConfidenceEditor(hub, field)
        case FieldKind.PROPERTIES:
            words = dict.fromkeys((*(o.text for o in options), *asked_field.words))
            return PropertiesEditor(hub, field, list(words))
        case FieldKind.SPANS:
            return SpansEditor(around, field)
        case FieldKind.BOX:
            return BoxEditor(around, field, asked_field.frame)
        case FieldKind.TRACKS:
            return TracksEditor(around, field)
        case FieldKind.FLAG:
            return FlagEditor(hub, field, options)
