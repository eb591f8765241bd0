"""The panel beside the picture in which questions are read and answered."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.answer import Value
from annotator.domain.forms.answer_checks import words_of
from annotator.domain.forms.field import Field, FieldKind, Option
from annotator.domain.questions.answer_resolution import MAX_REASON
from annotator.ui.actions.keymap import Keymap, normal, shown
from annotator.ui.forms.fields.answer_texts import others_text, predicted_text
from annotator.ui.forms.fields.block import FieldBlock
from annotator.ui.forms.fields.video_fields import Surroundings
from annotator.ui.forms.form_view import FormView
from annotator.ui.forms.item_strips import ItemMark, ProgressStrip, ReferenceStrip, viewing_words
from annotator.ui.forms.question_session import QuestionSession
from annotator.ui.look.widgets import plain

_MARGIN: Final = 12


class VoteStrip(QFrame):
    """Shows that the vote resolved an item, and offers to overrule it if allowed."""

    def __init__(self, asking: QuestionSession) -> None:
        super().__init__()
        self._asking = asking
        self.text = plain(QLabel())
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.overrule = QPushButton(self.tr("Overrule…"))
        self.overrule.clicked.connect(self._on_overrule)
        self.setAutoFillBackground(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.overrule)
        self.hide()

    def follow(self) -> None:
        """Show the state of the current item."""
        asking = self._asking
        self.setVisible(asking.is_resolved)
        if asking.overruled:
            text = self.tr("Vote overruled: {reason}").format(reason=asking.overruled)
        else:
            text = self.tr("Resolved by vote. The answers are locked.")
        self.text.setText(text)
        self.overrule.setVisible(asking.is_locked and asking.may_overrule)

    def _on_overrule(self) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle(self.tr("Overrule vote"))
        dialog.setLabelText(
            self.tr(
                "Why is the vote wrong? The reason is stored with the result (up to {n} "
                "characters)."
            ).format(n=MAX_REASON)
        )
        dialog.setOption(QInputDialog.InputDialogOption.UsePlainTextEditForTextInput)
        dialog.setOkButtonText(self.tr("Overrule"))
        dialog.textValueSelected.connect(self._asking.overrule)
        dialog.open()


class QuestionPanel(QWidget):
    """Shows the item at hand with its form, how far one has come, and the way on and back."""

    def __init__(
        self, asking: QuestionSession, around: Surroundings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.asking = asking
        self._around = around
        self.view: FormView | None = None
        self.progress = plain(QLabel())
        self.title = plain(QLabel())
        self.title.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.title.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.strip = ProgressStrip(around.workspace.hub)
        self.strip.chosen.connect(asking.go_to)
        self.text = plain(QLabel())
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        font = self.text.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        self.text.setFont(font)
        self.meant = ReferenceStrip(around.workspace)
        self.vote = VoteStrip(asking)
        self.entries = QWidget()
        self._entry_row = QHBoxLayout(self.entries)
        self._entry_row.setContentsMargins(0, 0, 0, 0)
        self.right = plain(QLabel())
        self.right.setTextFormat(Qt.TextFormat.PlainText)
        self.right.setWordWrap(True)
        self.right.setMargin(6)
        self.right.setAutoFillBackground(True)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(self.tr("Form"))
        self.previous = self._button("question.previous", self.tr("Previous"))
        self.replay = self._button("question.replay", self.tr("Replay"))
        self.next = self._button("question.next")
        self._lay_out()
        around.table.bind_canvas([self])
        asking.opened.connect(self._on_moved)
        asking.leaving.connect(self.commit)
        asking.moved.connect(self._on_moved)
        asking.changed.connect(self._show_answers)
        asking.refused.connect(self._on_refused)
        self._on_moved()

    @Slot()
    def commit(self) -> None:
        """Send unfinished typing as the answer."""
        if self.view is not None:
            self.view.commit()

    def event(self, event: QEvent) -> bool:
        # A button that Tab led to is pressed by Space; elsewhere Space plays.
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent):
            is_space = event.key() == Qt.Key.Key_Space and not event.modifiers()
            if is_space and isinstance(QApplication.focusWidget(), QAbstractButton):
                event.accept()
                return True
        return super().event(event)

    @Slot()
    def take_keys(self) -> None:
        """Direct the keys to the current field."""
        if self.view is not None and self.view.current is not None:
            self.view.current.editor.take_focus()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.progress)
        head.addWidget(self.title, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.previous)
        foot.addWidget(self.replay)
        foot.addStretch(1)
        foot.addWidget(self.next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 8, _MARGIN, 8)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self.strip)
        layout.addWidget(self.meant)
        layout.addWidget(self.text)
        layout.addWidget(self.vote)
        layout.addWidget(self.entries)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.right)
        layout.addLayout(foot)

    def _button(self, action_id: str, short: str = "") -> QToolButton:
        """Return a button for an action; ``short`` are words for a narrow panel."""
        button, action = QToolButton(), self._around.table.action(action_id)
        if short:
            action.setIconText(short)
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        return button

    @Slot()
    def _on_moved(self) -> None:
        """Show the item at hand, with a form of its own."""
        asking, item = self.asking, self.asking.item
        old, self.view = self.view, None
        had_keys = old is not None and old.has_keys
        if old is not None:
            # A field that loses the focus now must not answer for the next item.
            old.blockSignals(True)
            old.close_fields()
        self._around.show_spans(())
        self.meant.follow(asking)
        if item is None or asking.question_set is None:
            self.vote.hide()
            self.area.takeWidget()
            if old is not None:
                old.deleteLater()
            return
        self.text.setText(item.text)
        self.text.setVisible(bool(item.text))
        self.title.setText(" · ".join((asking.title, *viewing_words(asking.viewing))))
        view = FormView(
            self._around,
            asking.form,
            self._options,
            partial(key_of, keymap=self._around.table.keymap),
            asking.initial_text,
            asking.frame_of,
            asking.known_words,
        )
        view.answered.connect(asking.answer)
        view.leaving.connect(asking.go)
        for field in asking.form.fields:
            if key := own_key(field, self._around.table.keymap):
                QShortcut(QKeySequence(key), view, partial(self._take_field, field))
        self.view = view
        for block in view.blocks:
            block.show_others(self._others_text(block.field))
            block.show_predicted(self._predicted(block.field))
        # Once it is laid out.
        view.turned.connect(self._bring_into_sight, Qt.ConnectionType.QueuedConnection)
        self.area.setWidget(view)
        self._show_entries()
        self._show_answers()
        view.begin(takes_focus=self._around.workspace.can_edit)
        if had_keys and not view.has_keys:
            # They went with the old form.
            self._around.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _bring_into_sight(self, block: FieldBlock) -> None:
        if self.view is not None and block in self.view.blocks:
            self.area.ensureWidgetVisible(block, 0, _MARGIN)

    @Slot()
    def _show_answers(self) -> None:
        """Show what has been answered, here and in the row of all."""
        asking, view = self.asking, self.view
        if view is None or asking.question_set is None:
            return
        had_keys = view.has_keys
        view.setEnabled(asking.can_answer)
        self.vote.follow()
        if had_keys and not view.has_keys:
            self._around.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        view.is_settled = asking.is_done(asking.at)
        view.show_values(asking.values(), asking.is_shown, asking.shortfalls)
        # There is no way to look to the side.
        bar = self.area.verticalScrollBar().sizeHint().width()
        self.area.setMinimumWidth(view.minimumSizeHint().width() + bar)
        n = len(asking.items)
        self.progress.setText(self.tr("{at} of {n}").format(at=asking.at + 1, n=n))
        marks = [ItemMark(asking.is_done(i), asking.is_flagged(i)) for i in range(n)]
        self.strip.set_marks(marks, asking.at)
        self.strip.setVisible(n > 1)
        self._show_right()
        if asking.n_entries != self._entry_row.count() - 2:
            self._show_entries()

    def _show_right(self) -> None:
        """Show the right answer in training, once one's own has been given."""
        asking, right = self.asking, self.asking.right
        self.right.setVisible(bool(right))
        values, words = asking.values(), []
        is_right = True
        for field in asking.form.fields:
            if field.key not in right:
                continue
            texts = {option.key: option.text for option in asking.options(field)}
            gold_text = ", ".join(texts.get(key, key) for key in right[field.key])
            # Which field it is about, where there are several.
            words.append(f"{field.title} – {gold_text}" if len(right) > 1 else gold_text)
            value = values.get(field.key)
            is_right &= value is not None and words_of(value) == set(right[field.key])
        text = self.tr("Correct: {words}") if is_right else self.tr("Correct answer: {words}")
        self.right.setText(text.format(words="; ".join(words)))
        theme, palette = self._around.workspace.hub.theme, self.right.palette()
        token = "success" if is_right else "warning"
        palette.setColor(QPalette.ColorRole.Window, theme.color(f"{token}_surface"))
        palette.setColor(QPalette.ColorRole.WindowText, theme.color(token))
        self.right.setPalette(palette)

    def _show_entries(self) -> None:
        """Show which of several answers to one item is at hand, where there may be several."""
        asking = self.asking
        while (old := self._entry_row.takeAt(0)) is not None:
            widget = old.widget()
            if widget is not None:
                widget.deleteLater()
        self.entries.setVisible(asking.form.entries[1] > 1)
        if asking.form.entries[1] <= 1:
            return
        for entry in range(asking.n_entries):
            button = QPushButton(self.tr("Answer {n}").format(n=entry + 1))
            button.setCheckable(True)
            button.setChecked(entry == asking.entry)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(partial(asking.go_to, asking.at, entry))
            self._entry_row.addWidget(button)
        self._entry_row.addWidget(self._button("question.more"))
        self._entry_row.addStretch(1)

    @Slot(str, str)
    def _on_refused(self, key: str, text: str) -> None:
        if self.view is not None:
            self.view.refuse(key, text)

    def _others_text(self, field: Field) -> str:
        """Return the answers of others to a field as text, for adjudication."""
        item = self.asking.item
        return (
            others_text(field, item, self.asking.others_answers(field)) if item is not None else ""
        )

    def _predicted(self, field: Field) -> list[tuple[str, Value]]:
        """Return what models answer to a field, in words and as values."""
        item = self.asking.item
        if item is None:
            return []
        return [
            (predicted_text(field, item, told, value), value)
            for told, value in self.asking.predicted(field)
        ]

    def _options(self, field: Field) -> tuple[Option, ...]:
        return self.asking.options(field)

    def _take_field(self, field: Field) -> None:
        if self.view is None:
            return
        if field.kind is FieldKind.FLAG:
            self.view.press_flag()
        else:
            self.view.take(field.key)


def key_of(field: Field, keymap: Keymap) -> str:
    """Return the key that leads to a field, as people read it."""
    own = own_key(field, keymap)
    if field.kind is FieldKind.FLAG and not own:
        return " / ".join(shown(key) for key in keymap.keys("question.flag"))
    return shown(own)


def own_key(field: Field, keymap: Keymap) -> str:
    """Return the key that the recipe gives a field; where an action has it, with Ctrl+Alt."""
    if not field.shortcut:
        return ""
    keys = (normal(f"{held}{field.shortcut}") for held in ("", "Ctrl+Alt+"))
    return next((key for key in keys if not keymap.users(key)), "")
