"""A submitted qualification test with a grade per question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QRadioButton, QVBoxLayout

from annotator.domain.answers import AnswerKey
from annotator.domain.forms.field import Form
from annotator.domain.ids import ItemId
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.quality import GRADES
from annotator.services.questions.qualification.screening import HandedTest
from annotator.ui.forms.fields.value_words import value_text
from annotator.ui.look.theme import ThemeHub

_GAP_PX: Final = 6
_WORDS: Final = {1: "1 · poor", 2: "2 · fair", 3: "3 · good", 4: "4 · very good"}


class GradedItem(QFrame):
    """One question of a test with what was answered, and its grade."""

    graded = Signal()

    def __init__(self, hub: ThemeHub, number: int, item: Item, test: HandedTest) -> None:
        super().__init__()
        self.item_id = item.id
        self.setFrameShape(QFrame.Shape.StyledPanel)
        head = QLabel(self.tr("{n}. {text}").format(n=number, text=item.text or self.tr("Item")))
        head.setTextFormat(Qt.TextFormat.PlainText)
        head.setWordWrap(True)
        font = head.font()
        font.setBold(True)
        head.setFont(font)
        layout = QVBoxLayout(self)
        layout.setSpacing(_GAP_PX)
        layout.addWidget(head)
        self.lines: list[QLabel] = []
        for title, words in _lines(test, item):
            mark = "" if title.endswith("?") else ":"
            line = QLabel(f"{title}{mark} {words}" if title else words)
            line.setTextFormat(Qt.TextFormat.PlainText)
            line.setWordWrap(True)
            line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.lines.append(line)
            layout.addWidget(line)
        right = _right_text(test.form, item)
        if right:
            known = QLabel(self.tr("Gold answer: {words}").format(words=right))
            known.setTextFormat(Qt.TextFormat.PlainText)
            known.setWordWrap(True)
            palette = known.palette()
            palette.setColor(QPalette.ColorRole.WindowText, hub.theme.color("text_dim"))
            known.setPalette(palette)
            layout.addWidget(known)
        self.buttons: dict[int, QRadioButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout()
        for grade in GRADES:
            button = QRadioButton(_tr(_WORDS[grade]))
            button.setChecked(test.grades.get(item.id) == grade)
            button.setAccessibleName(self.tr("Question {n}: {grade}").format(n=number, grade=grade))
            button.clicked.connect(partial(self._on_clicked))
            group.addButton(button, grade)
            row.addWidget(button)
            self.buttons[grade] = button
        row.addStretch(1)
        layout.addLayout(row)

    @property
    def grade(self) -> int | None:
        """The grade chosen so far."""
        return next((g for g, button in self.buttons.items() if button.isChecked()), None)

    def choose(self, grade: int) -> None:
        """Choose a grade, as by a click."""
        self.buttons[grade].click()

    def take_focus(self) -> None:
        """Take the keys."""
        self.buttons[self.grade or GRADES[-1]].setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the digits grade, wherever the focus is in the question."""
        text = event.text()
        if text.isdigit() and int(text) in GRADES and not event.modifiers():
            self.choose(int(text))
            self.focusNextPrevChild(True)
            return
        super().keyPressEvent(event)

    def _on_clicked(self) -> None:
        self.graded.emit()


def _lines(test: HandedTest, item: Item) -> Sequence[tuple[str, str]]:
    """Return title and words of each answer to an item, entry by entry."""
    n_entries = 1 + max((key.entry for key in test.answers if key.item_id == item.id), default=0)
    found: list[tuple[str, str]] = []
    for entry in range(n_entries):
        if n_entries > 1:
            found.append(("", _tr("Answer {n}").format(n=entry + 1)))
        for field in test.form.fields:
            value = test.answers.get(AnswerKey(ItemId(item.id), field.key, entry))
            if value is not None:
                found.append((field.title, value_text(field, item, value)))
    return found


def _right_text(form: Form, item: Item) -> str:
    """Return what is known to be right, for whoever grades."""
    texts = {option.key: option.text for option in item.options}
    for field in form.fields:
        texts |= {option.key: option.text for option in field.options}
    return "; ".join(", ".join(texts.get(k, k) for k in keys) for keys in item.right.values())


def _tr(text: str) -> str:
    return QCoreApplication.translate("GradedItem", text)
