"""The question set of one person: order of items and options.

How a view uses it::

    questions = project.questions.question_set(session)
    questions.items                         the items, without their gold answers
    questions.form.fields                   the fields, of which `is_shown` hides some
    questions.options(item, field)          the options in the order of this person
    session.run(questions.answer(item.id, field.key, value, took_ms=…))
    session.run(questions.clear(item.id, field.key))
    questions.progress                      "7 of 13"; `next_open` is the next incomplete item
    questions.problems()                    open issues before a submission

It has no state of its own: the answers are in the session's document.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from annotator.domain.answer import Answer, AnswerKey, Value
from annotator.domain.checks import Finding, Severity
from annotator.domain.commands import ClearAnswer, SetAnswer
from annotator.domain.errors import WorkError
from annotator.domain.forms import answer_checks
from annotator.domain.forms.answer_checks import AnswerProblem
from annotator.domain.forms.field import OTHER, Field, Form, Option
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.answer_resolution import (
    MAX_REASON,
    OVERRULED,
    reason_of,
    with_reason,
)
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.visibility import (
    PredictedAnswer,
    blinded,
    predicted_field,
    predicted_value,
)
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.questions.asking.attention_checks import to_be_answered
from annotator.services.questions.forms import form_under, version_of

if TYPE_CHECKING:
    from annotator.services.session import Session


class QuestionSetProgress(NamedTuple):
    """How many items are answered, with nothing open, of how many."""

    n_done: int
    n_items: int


class QuestionSet:
    """The items of a task as one person sees them; made by `Questions.question_set`.

    It uses the form of its first answer, even if the recipe has changed since.
    """

    def __init__(
        self,
        session: Session,
        recipe: ProjectRecipe,
        kind: str,
        items: Sequence[Item],
        *,
        person_id: PersonId | None,
        only_undecided: bool,
        resolved: Collection[ItemId] = (),
        may_overrule: bool = False,
        clock: Callable[[], int],
        words: Callable[[str], Sequence[str]] = lambda _: (),
        predicted: Mapping[ItemId, Sequence[PredictedAnswer]] = MappingProxyType({}),
    ) -> None:
        """``words`` gives what a field was answered with before, ``predicted`` what models answer,
        where the stage shows it. ``resolved`` are items that the
        vote decided before an adjudicator was called; ``may_overrule``: they may be changed, with
        a reason.
        """
        self._session = session
        self._clock = clock
        self._words_of = cache(words)
        self._predicted = predicted
        self._person_id = person_id or ""
        answers = session.document.answers
        self.version = version_of(recipe, answers.values())
        form = form_under(recipe, kind, self.version)
        if form is None:
            raise WorkError("The task has no questions.", code="no-form")
        self.form: Form = form
        self._resolved = frozenset(resolved)
        self.may_overrule = may_overrule
        begun = {key.item_id for key in answers}
        self._whole = {item.id: item for item in items}
        questions_wanted = to_be_answered(items, begun, only_undecided=only_undecided)
        self.items: tuple[Item, ...] = tuple(blinded(item, form) for item in questions_wanted)

    def item(self, item_id: ItemId) -> Item:
        """Return an item of the set; WorkError when it is not asked here."""
        for item in self.items:
            if item.id == item_id:
                return item
        raise WorkError("The question is not part of this task.", code="no-item")

    def options(self, item: Item, field: Field) -> tuple[Option, ...]:
        """Return the options of a field in the order in which this person sees them.

        The order is the same whenever they look. Where the item has options, those of the form
        (“none of these”) stay at the end.
        """
        own = item.options if field.from_item else field.options
        whole = answer_checks.options_of(field, item)
        if not field.is_shuffled:
            return whole
        shuffled = list(own)
        seed = f"{self._person_id}\n{item.id}\n{field.key}".encode()
        random.Random(hashlib.sha256(seed).digest()).shuffle(shuffled)
        return (*shuffled, *whole[len(own) :])

    def predicted(self, item: Item, field: Field) -> tuple[tuple[PredictedAnswer, Value], ...]:
        """Return the answers of models to a field, with their typed value."""
        if field != predicted_field(self.form):
            return ()
        options = answer_checks.options_of(field, item)
        found = ((told, predicted_value(field, options, told.text)) for told in self._of(item))
        return tuple((told, value) for told, value in found if value is not None)

    def _of(self, item: Item) -> Sequence[PredictedAnswer]:
        return self._predicted.get(item.id, ())

    def order(self, item: Item, field: Field) -> tuple[str, ...]:
        """Return the keys of the options as they are shown; the other answer comes last."""
        keys = tuple(option.key for option in self.options(item, field))
        return (*keys, OTHER) if field.has_other else keys

    def answer(
        self, item_id: ItemId, field: str, value: Value, *, entry: int = 0, took_ms: int = 0
    ) -> SetAnswer:
        """Return the command that answers a field; ``took_ms`` since the item was put before them.

        EditError comes when it is run, if the value cannot be an answer.
        """
        item, asked = self.item(item_id), self._field(field)
        self._check_open(item)
        key = AnswerKey(item_id, field, entry)
        order = self.order(item, asked)
        made = Answer(key, value, self._clock(), max(0, took_ms), order, self.version)
        return SetAnswer(made, self.form, item)

    def clear(self, item_id: ItemId, field: str, *, entry: int = 0) -> ClearAnswer:
        """Return the command that takes an answer back."""
        self._check_open(self.item(item_id))
        return ClearAnswer(AnswerKey(item_id, field, entry))

    def is_resolved(self, item: Item) -> bool:
        """Return whether the vote decided an item before this person was called to adjudicate."""
        return item.id in self._resolved

    def is_locked(self, item: Item) -> bool:
        """Return whether an item stays as the vote decided it: it has not been overruled."""
        return self.is_resolved(item) and not self.overruled(item)

    def overruled(self, item: Item) -> str:
        """Return the reason for which the vote on an item was overruled, "" if it was not."""
        return reason_of(self._session.document.answers, item.id)

    def overrule(self, item_id: ItemId, reason: str) -> SetAnswer:
        """Return the command after which a resolved item may be answered otherwise.

        WorkError where the recipe does not allow it or the reason is empty or too long.
        """
        item = self.item(item_id)
        if not self.may_overrule or not self.is_resolved(item):
            raise WorkError(
                "Cannot overrule the vote: the recipe does not allow it.", code="no-overruling"
            )
        reason = " ".join(reason.split())
        if not 0 < len(reason) <= MAX_REASON:
            raise WorkError(f"The reason must have 1 to {MAX_REASON} characters.", code="no-reason")
        key = AnswerKey(item_id, OVERRULED)
        made = Answer(key, reason, self._clock(), 0, (), self.version)
        return SetAnswer(made, with_reason(self.form), item)

    def value(self, item_id: ItemId, field: str, *, entry: int = 0) -> Value | None:
        """Return the answer so far, None for none."""
        found = self._session.document.answers.get(AnswerKey(item_id, field, entry))
        return found.value if found is not None else None

    def initial_text(self, item: Item, field: Field) -> str:
        """Return the initial text of a field, "" for none."""
        return item.texts.get(field.prefill, "") if field.prefill else ""

    def words(self, field: Field) -> tuple[str, ...]:
        """Return words for completion: one's own, and those of resolved items."""
        given = self._session.document.answers.values()
        own = (a.value for a in given if a.key.field == field.key and isinstance(a.value, tuple))
        return tuple(
            dict.fromkeys((*(w for words in own for w in words), *self._words_of(field.key)))
        )

    def is_shown(self, item: Item, field: Field, *, entry: int = 0) -> bool:
        """Return whether a field of an item is visible, given the answers before it."""
        answers = self._session.document.answers
        return answer_checks.applies_to_item(field, item) and answer_checks.is_shown(
            self.form, field, answers, item.id, entry
        )

    def entries(self, item: Item) -> int:
        """Return the number of entries of the item, given or required; at least one."""
        return max(1, answer_checks.entries_of(self.form, item, self._session.document.answers))

    def problems(self, item: Item | None = None) -> tuple[AnswerProblem, ...]:
        """Return the problems of one item or of all, in order."""
        answers = self._session.document.answers
        return tuple(
            problem
            for each in (self.items if item is None else (item,))
            for problem in answer_checks.problems(self.form, each, answers)
        )

    def findings(self) -> Iterator[Finding]:
        """Yield all problems before a submission; items are named by number."""
        numbers = {item.id: number for number, item in enumerate(self.items, 1)}
        for problem in self.problems():
            where = f"Question {numbers[problem.item_id]}"
            yield Finding(problem.code, where, problem.text, Severity.ERROR)

    def is_done(self, item: Item) -> bool:
        """Return whether nothing is open about an item."""
        return not self.problems(item)

    @property
    def progress(self) -> QuestionSetProgress:
        """How far it is."""
        return QuestionSetProgress(sum(self.is_done(item) for item in self.items), len(self.items))

    def next_open(self, after: ItemId | None = None) -> Item | None:
        """Return the next item with something open, round the end; None when all are done."""
        places = [item.id for item in self.items]
        start = places.index(after) + 1 if after in places else 0
        turned = (*self.items[start:], *self.items[:start])
        return next((item for item in turned if not self.is_done(item)), None)

    def right_of(self, item_id: ItemId) -> dict[str, tuple[str, ...]] | None:
        """Return the right answers of an item for training, once it is answered; else None."""
        whole = self._whole.get(item_id)
        if whole is None or whole.purpose is not Purpose.TRAINING or not whole.right:
            return None
        return dict(whole.right) if self.is_done(whole) else None

    def _check_open(self, item: Item) -> None:
        if self.is_locked(item):
            raise WorkError(
                "Cannot change the answer: the vote resolved this item.",
                code="resolved",
                hint="Overrule the vote first, with a reason." if self.may_overrule else "",
            )

    def _field(self, key: str) -> Field:
        found = self.form.field(key)
        if found is None:
            raise WorkError(f"“{key}” is not a field of this form.", code="no-field")
        return found
