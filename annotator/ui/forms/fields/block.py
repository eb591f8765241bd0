"""One field of a form with title, help, required mark and error text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from annotator.domain.answer import Value
from annotator.domain.forms.field import Field, FieldKind
from annotator.ui.forms.fields.editor import FieldEditor
from annotator.ui.forms.fields.video_fields import VideoEditor
from annotator.ui.look.widgets import plain

_BAR_PX: Final = 3
_COUNTED: Final = (FieldKind.CHOICES, FieldKind.PROPERTIES, FieldKind.SPANS, FieldKind.TRACKS)


class FieldBlock(QWidget):
    """A field; a bar at its left marks the current one for keyboard users."""

    def __init__(
        self, editor: FieldEditor, *, shortcut: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.editor = editor
        self.field = editor.field
        self.is_answered = False
        self.shortfall = ""
        """The missing part of its answer as text; empty if complete."""
        self._is_told = False
        self._is_current = False
        self.title = plain(QLabel(self.field.title))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.mark = plain(QLabel())
        self.mark.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.mark.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.help = _small(self.field.help)
        self.others = _small("")
        self.predicted = QWidget()
        self._predicted_rows = QVBoxLayout(self.predicted)
        self._predicted_rows.setContentsMargins(0, 0, 0, 0)
        self._predicted_rows.setSpacing(2)
        self.predicted.hide()
        self.refusal = _small("")
        self.refusal.setForegroundRole(QPalette.ColorRole.BrightText)
        self._shortcut = shortcut
        row = QHBoxLayout()
        row.addWidget(self.title, 1)
        row.addWidget(self.mark)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_BAR_PX + 7, 4, 2, 4)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.help)
        layout.addWidget(editor)
        layout.addWidget(self.predicted)
        layout.addWidget(self.others)
        layout.addWidget(self.refusal)
        if self.field.kind is FieldKind.FLAG:
            # Its switch says the same.
            self.title.hide()
            self.help.hide()
            self.mark.hide()
        self._say()

    @property
    def is_open(self) -> bool:
        """Whether the field still needs an answer or more of it."""
        return bool(self.shortfall) or (self.field.is_required and not self.is_answered)

    def show_value(self, value: Value | None, shortfall: str = "") -> None:
        """Show the present answer and its ``shortfall``."""
        self.is_answered = value is not None
        if shortfall != self.shortfall:
            if self.refusal.text() == self.shortfall:
                self.refuse("")
            self.shortfall = shortfall
            self._is_told = False
        self.editor.show_value(value)
        self._say()

    def show_others(self, text: str) -> None:
        """Show the answers of other people; empty hides them."""
        self.others.setText(text)
        self.others.setVisible(bool(text))

    def show_predicted(self, answers: Sequence[tuple[str, Value]]) -> None:
        """Show the answers of models, as text and as the value of a button."""
        for text, value in answers:
            label, use = _small(text), QToolButton()
            label.show()
            use.setText(self.tr("Use"))
            use.setAccessibleName(self.tr("Use predicted answer: {text}").format(text=text))
            use.clicked.connect(partial(self.editor.answered.emit, value))
            row = QHBoxLayout()
            row.addWidget(label, 1)
            row.addWidget(use)
            self._predicted_rows.addLayout(row)
        self.predicted.setVisible(bool(answers))

    def tell(self) -> bool:
        """Show once what the answer lacks; False if nothing, or if already shown."""
        if self._is_told or (self.editor.is_taken and not self.shortfall):
            return False
        if self.editor.is_taken:
            self.refuse(self.shortfall)
        self._is_told = True
        return True

    def refuse(self, text: str) -> None:
        """Show why an answer was refused; empty hides it."""
        self.refusal.setText(text)
        self.refusal.setVisible(bool(text))
        self._is_told = False

    def set_current(self, *, is_current: bool) -> None:
        """Mark it as the one that the keys answer."""
        if is_current != self._is_current:
            self._is_current = is_current
            if isinstance(self.editor, VideoEditor):
                self.editor.set_current(is_current=is_current)
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._is_current:
            painter = QPainter(self)
            accent = self.editor.hub.theme.color("accent")
            painter.fillRect(0, 4, _BAR_PX, self.height() - 8, accent)
            painter.end()

    def _say(self) -> None:
        words = self.tr("required") if self.is_open else ""
        if not self.field.is_required and self.field.kind is not FieldKind.FLAG:
            words = self.tr("optional")
        self.mark.setText(" · ".join(filter(None, (_bounds(self.field), words, self._shortcut))))
        said = (self.tr("required") if self.field.is_required else "", self.field.help)
        self.editor.setAccessibleDescription(" · ".join(filter(None, said)))


def _bounds(field: Field) -> str:
    """Say how many answers a field takes, where that is not plain."""
    if field.kind not in _COUNTED:
        return ""
    low, high = int(field.minimum or 0), field.maximum
    if high == 1:
        text = _tr("one")
    elif high is None:
        text = _tr("at least {low}") if low > 1 else ""
    elif low == high:
        text = _tr("exactly {low}")
    else:
        text = _tr("{low} to {high}") if low > 1 else _tr("up to {high}")
    return text.format(low=low, high=int(high or 0))


def _tr(text: str) -> str:
    return QCoreApplication.translate("FieldBlock", text)


def _small(text: str) -> QLabel:
    label = plain(QLabel(text))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    if not text:
        label.hide()
    return label
