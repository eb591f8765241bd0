"""A recipe's questions as raters see them, to be tried before anybody is asked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.answer import Answer, AnswerKey, Value
from annotator.domain.errors import EditError
from annotator.domain.forms.answer_checks import (
    applies_to_item,
    checked,
    is_shown,
    options_of,
    problems,
)
from annotator.domain.forms.field import Field, Form, ItemScope, Option
from annotator.domain.ids import DraftId, ItemId, VideoId
from annotator.domain.questions.items.item import Item
from annotator.ui.forms.form_view import FormView
from annotator.ui.forms.item_strips import viewing_words
from annotator.ui.forms.question_panel import key_of, own_key
from annotator.ui.look.widgets import plain

if TYPE_CHECKING:
    from annotator.domain.recipes.recipe import Recipe, TaskType
    from annotator.ui.forms.fields.video_fields import Surroundings

_ITEM: Final = ItemId("preview")
_NO_VIDEO: Final = VideoInfo(VideoId(""), "", 1280, 720, 900, 30.0, 30.0)


class FormPreview(QDialog):
    """Shows the form of a task type of ``recipe``; answers are taken and refused as in a task, and
    kept nowhere."""

    def __init__(self, around: Surroundings, recipe: Recipe, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Preview of “{title}”").format(title=recipe.title))
        self._around = around
        self._types = [task_type for task_type in recipe.task_types if task_type.form is not None]
        self._answers: dict[AnswerKey, Answer] = {}
        self.view: FormView | None = None
        self.kind = QComboBox()
        self.kind.setAccessibleName(self.tr("Task type"))
        for task_type in self._types:
            self.kind.addItem(task_type.title)
        self.with_options = QCheckBox(self.tr("The question has options"))
        self.with_options.setChecked(True)
        self.title = plain(QLabel())
        self.title.setEnabled(False)
        self.text = plain(QLabel(self.tr("Text of the question")))
        font = self.text.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        self.text.setFont(font)
        self.word = plain(QLabel())
        self.word.setWordWrap(True)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        clear = buttons.addButton(self.tr("Clear answers"), QDialogButtonBox.ButtonRole.ActionRole)
        clear.clicked.connect(self._begin)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            # Enter moves to the next field.
            button.setAutoDefault(False)  # type: ignore[attr-defined]
        above = QHBoxLayout()
        above.addWidget(self.kind)
        above.addWidget(self.with_options)
        above.addStretch(1)
        above.addWidget(self.title)
        layout = QVBoxLayout(self)
        layout.addLayout(above)
        layout.addWidget(self.text)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.word)
        layout.addWidget(buttons)
        self.kind.currentIndexChanged.connect(self._begin)
        self.with_options.toggled.connect(self._begin)
        self.finished.connect(self._let_go)
        self.resize(480, 620)
        self._begin()

    @property
    def values(self) -> dict[str, Value]:
        """The answers so far, by field."""
        return {key.field: answer.value for key, answer in self._answers.items()}

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text, modifiers = event.text(), event.modifiers()
        with_alt = modifiers == Qt.KeyboardModifier.AltModifier
        if self.view is not None and (with_alt or not modifiers) and text.isdecimal():
            self.view.press_digit((int(text) or 10) + (10 if with_alt else 0))
            return
        super().keyPressEvent(event)

    @property
    def _task_type(self) -> TaskType:
        return self._types[self.kind.currentIndex()]

    @property
    def _form(self) -> Form:
        form = self._task_type.form
        assert form is not None
        return form

    @property
    def _item(self) -> Item:
        """A sample question of the task type."""
        names = (self.tr("First option"), self.tr("Second option"), self.tr("Third option"))
        options = tuple(Option("abc"[i], name) for i, name in enumerate(names))
        is_chosen = self.with_options.isChecked()
        return Item(_ITEM, self._task_type.kind, (), options=options if is_chosen else ())

    @Slot()
    def _begin(self) -> None:
        """Show the form anew, without answers."""
        self._let_go()
        self._answers.clear()
        self.word.clear()
        self.title.setText(" · ".join(viewing_words(self._task_type.viewing)))
        depends = any(f.from_item or f.asked_of is not ItemScope.ALL for f in self._form.fields)
        self.with_options.setVisible(depends)
        item, keymap = self._item, self._around.table.keymap
        view = FormView(
            self._around,
            self._form,
            lambda field: options_of(field, item),
            lambda field: key_of(field, keymap),
        )
        for field in self._form.fields:
            if key := own_key(field, keymap):
                QShortcut(QKeySequence(key), view, partial(view.take, field.key))
        view.answered.connect(self._take)
        view.leaving.connect(self._on_leaving)
        self.view = view
        self.area.setWidget(view)
        self._show()
        view.begin(takes_focus=True)

    @Slot(str, object)
    def _take(self, key: str, value: Value | None) -> None:
        field, at = self._form.field(key), AnswerKey(_ITEM, key, 0)
        assert field is not None
        assert self.view is not None
        self.word.clear()
        if value is None:
            self._answers.pop(at, None)
        else:
            try:
                kept = checked(field, self._item, value, self._document())
            except EditError as error:
                self._show()
                self.view.refuse(key, str(error))
                return
            self._answers[at] = Answer(at, kept, 0)
        self._show()

    def _show(self) -> None:
        assert self.view is not None
        item, form = self._item, self._form

        def shown(field: Field) -> bool:
            return applies_to_item(field, item) and is_shown(form, field, self._answers, _ITEM)

        found = problems(form, item, self._answers)
        lacking = {p.field: p.text for p in found if p.code != "unanswered"}
        self.view.show_values(self.values, shown, lacking)

    @Slot(int)
    def _on_leaving(self, step: int) -> None:
        if step > 0:
            self.word.setText(self.tr("Here raters continue with the next question."))

    def _document(self) -> Document:
        session = self._around.workspace.session
        return session.document if session is not None else Document(DraftId(""), _NO_VIDEO)

    @Slot()
    def _let_go(self) -> None:
        """Take the form away, and its hands off the picture and the timeline."""
        if self.view is not None:
            self.view.blockSignals(True)
            self.view.close_fields()
            self.view = None
            self._around.show_spans(())
