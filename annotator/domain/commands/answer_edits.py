"""Commands on answers: give one, take one back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import effective
from annotator.domain.answer import Answer, AnswerKey
from annotator.domain.errors import EditError
from annotator.domain.forms.answer_checks import checked
from annotator.domain.forms.field import Form
from annotator.domain.questions.items.item import Item


@dataclass(frozen=True, slots=True)
class SetAnswer:
    """Answer a field of the form about an item, for the first time or otherwise than before.

    `QuestionSet.answer` makes it, with the form of the task and the order the options were shown
    in.
    """

    op: ClassVar[str] = "set-answer"
    merge_key: ClassVar[None] = None
    frame: ClassVar[None] = None
    answer: Answer
    form: Form
    item: Item

    def plan(self, document: Document) -> list[Change]:
        key = self.answer.key
        field = self.form.field(key.field)
        if field is None or key.item_id != self.item.id:
            raise EditError("Cannot save the answer: the item does not have this field.")
        if not 0 <= key.entry < self.form.entries[1]:
            raise EditError(f"Cannot add another entry: the maximum is {self.form.entries[1]}.")
        value = checked(field, self.item, self.answer.value, document)
        old = document.answers.get(key)
        same = old is not None and old.value == value
        new = old if same else replace(self.answer, value=value)
        return effective([Change("answer", key, old, new)])


@dataclass(frozen=True, slots=True)
class ClearAnswer:
    """Take an answer back."""

    op: ClassVar[str] = "clear-answer"
    merge_key: ClassVar[None] = None
    frame: ClassVar[None] = None
    key: AnswerKey

    def plan(self, document: Document) -> list[Change]:
        return effective([Change("answer", self.key, document.answers.get(self.key), None)])
