"""Resolution of the answers to the items of a task, field by field, and its adjudication.

Voted fields are resolved by the rule of the stage, in the order of the form; a dependent field
counts the people whose answers make it visible. Required statements vote on keeping the item.
Fields without a vote come from the first person who agrees with most of the resolved ones; a form
without any voted field keeps the entries of all people. Flags by more than half of the people
discard an item; under unanimity a single flag does.

An adjudicator decides open items, and overrules resolved ones with a reason. The reason is stored
as an answer to the item, in the field `OVERRULED`, so that it is part of the submission.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from annotator.domain.answer import Answer, AnswerKey, Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.forms.answer_checks import is_shown
from annotator.domain.forms.field import Field, FieldKind, Form, ItemScope
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.items.item import ItemState
from annotator.domain.recipes.recipe import Resolution, StageSpec
from annotator.domain.votes import (
    Merge,
    RuleKind,
    State,
    Vote,
    VotingRule,
    grouped,
    normalized,
    resolve,
)
from annotator.domain.votes import Value as VoteValue


def lacking(field: Field, value: Value | None) -> tuple[str, ...]:
    """Return the statements of a field that are needed and not ticked, by key."""
    ticked = value.keys if isinstance(value, Picked) else ()
    return tuple(key for key in field.needed if key not in ticked)


def keeps(field: Field, value: Value | None) -> bool:
    """Return whether anyone votes to keep the item."""
    return not lacking(field, value)


def combined_answer(field: Field, values: Sequence[Value], *, is_kept: bool) -> Picked:
    """Return the combined answer of the winning side.

    That is what more than half of them ticked. Where they discard, each for another reason, it is
    what all of them ticked: every reason counts.
    """
    side = [v for v in values if isinstance(v, Picked) and keeps(field, v) is is_kept]
    counts = Counter(key for value in side for key in value.keys)
    order = [option.key for option in field.options]
    most = Picked(tuple(key for key in order if 2 * counts[key] > len(side)))
    if keeps(field, most) is is_kept:
        return most
    return Picked(tuple(key for key in order if counts[key] == len(side)))


UNVOTED: Final = frozenset((FieldKind.SPANS, FieldKind.BOX, FieldKind.FLAG))
"""Kinds of field whose answers are never counted against each other."""
MergesOf: TypeAlias = Callable[[ItemId, str], Sequence[Merge]]
NOT_UNANIMOUS: Final = "The votes are not unanimous."


class PersonAnswers(NamedTuple):
    """Answers of one person, in the order of submission."""

    person_id: PersonId
    answer: Answer


@dataclass(frozen=True, slots=True)
class ResolvedItem:
    """Outcome of an item: its resolved answers, or the reason why it is discarded."""

    state: ItemState
    answers: tuple[Answer, ...] = ()
    why: str = ""


_TYPES: Final[dict[FieldKind, tuple[type, ...]]] = {
    FieldKind.CHOICE: (Picked,),
    FieldKind.CHOICES: (Picked,),
    FieldKind.TRUTH: (bool,),
    FieldKind.TEXT: (str,),
    FieldKind.NUMBER: (int, float),
    FieldKind.CONFIDENCE: (int,),
    FieldKind.PROPERTIES: (tuple,),
    FieldKind.TRACKS: (tuple,),
    FieldKind.SPANS: (Spans,),
    FieldKind.BOX: (FrameBox,),
    FieldKind.FLAG: (Flagged,),
}


def is_answer_to(field: Field, value: Value) -> bool:
    """Return whether a value is of the type that a field is answered with: answers that were given
    when a field of that name was of another kind are none to it.
    """
    is_truth = isinstance(value, bool)
    return isinstance(value, _TYPES[field.kind]) and is_truth == (field.kind is FieldKind.TRUTH)


def settle(
    form: Form,
    item_ids: Iterable[ItemId],
    answers_of_people: Sequence[PersonAnswers],
    stage: StageSpec,
    merges_of: MergesOf | None = None,
) -> dict[ItemId, ResolvedItem]:
    """Return the outcome of each item by the voting rule of a stage.

    ``merges_of`` gives the merges of answers to a field about an item: texts that are one.
    """
    by_item: dict[ItemId, list[PersonAnswers]] = {item_id: [] for item_id in item_ids}
    for person_answers in answers_of_people:
        if person_answers.answer.key.item_id in by_item:
            by_item[person_answers.answer.key.item_id].append(person_answers)
    return {
        item_id: _settled(_Counting(form, item_id, answers, stage, merges_of))
        for item_id, answers in by_item.items()
    }


class _Counting:
    """The answers to one item, and what has been decided of it so far."""

    def __init__(
        self,
        form: Form,
        item_id: ItemId,
        given: Sequence[PersonAnswers],
        stage: StageSpec,
        merges_of: MergesOf | None,
    ) -> None:
        self.form, self.item_id, self.given, self.stage = form, item_id, given, stage
        self.merges_of = merges_of
        self.people = list(dict.fromkeys(each.person_id for each in given))
        self.decided: dict[AnswerKey, Answer] = {}

    def of(self, field: Field, entry: int = 0) -> list[PersonAnswers]:
        """Return the answers to a field, one for each person."""
        key = AnswerKey(self.item_id, field.key, entry)
        return [
            each
            for each in self.given
            if each.answer.key == key and is_answer_to(field, each.answer.value)
        ]

    @property
    def voted(self) -> list[Field]:
        """The fields that are voted on."""
        is_single = self.form.entries[1] == 1
        fields = self.form.fields if is_single else ()
        return [each for each in fields if each.is_voted and each.kind not in UNVOTED]


def _settled(counting: _Counting) -> ResolvedItem:
    flagged = _flagged(counting)
    if flagged is not None:
        return flagged
    if len(counting.people) < counting.stage.raters:
        return ResolvedItem(ItemState.OPEN)
    if not counting.voted:
        return ResolvedItem(ItemState.DECIDED, _beside_each_other(counting))
    for field in counting.voted:
        if not is_shown(counting.form, field, counting.decided, counting.item_id):
            continue
        votes = counting.of(field)
        if not votes:
            if field.is_required and field.asked_of is ItemScope.ALL:
                return ResolvedItem(ItemState.OPEN)
            continue
        answer = _voted(counting, field, votes)
        if answer is None:
            if counting.stage.resolution is Resolution.UNANIMITY:
                return ResolvedItem(ItemState.DISCARDED, why=NOT_UNANIMOUS)
            return ResolvedItem(ItemState.OPEN)
        counting.decided[answer.key] = answer
    return ResolvedItem(ItemState.DECIDED, (*counting.decided.values(), *_of_one_mind(counting)))


def _flagged(counting: _Counting) -> ResolvedItem | None:
    flags: dict[PersonId, str] = {}
    for person_id, answer in counting.given:
        if isinstance(answer.value, Flagged):
            flags[person_id] = reason_text(counting.form, answer)
    is_out = 2 * len(flags) > max(len(counting.people), counting.stage.raters)
    if counting.stage.resolution is Resolution.UNANIMITY:
        is_out = bool(flags)
    if not is_out:
        return None
    return ResolvedItem(ItemState.DISCARDED, why=Counter(flags.values()).most_common(1)[0][0])


def reason_text(form: Form, answer: Answer) -> str:
    """Return the reason of a flag, as text of the form or of the rater."""
    assert isinstance(answer.value, Flagged)
    field = form.field(answer.key.field)
    known = {option.key: option.text for option in field.options} if field is not None else {}
    named = known.get(answer.value.reason, answer.value.reason)
    return f"{named}: {answer.value.text}" if answer.value.text else named


def _voted(counting: _Counting, field: Field, votes: Sequence[PersonAnswers]) -> Answer | None:
    """Return the answer that was decided, None for none."""
    rule = rule_of(counting.stage, len(votes))
    counted = [
        Vote(counting.item_id, own_vote.person_id, vote_value(field, own_vote.answer.value))
        for own_vote in votes
    ]
    if field.needed:
        counted = [
            vote._replace(value=keeps(field, own_vote.answer.value))
            for vote, own_vote in zip(counted, votes, strict=True)
        ]
    if field.kind is FieldKind.TEXT:
        merges_of = counting.merges_of
        merges = merges_of(counting.item_id, field.key) if merges_of is not None else ()
        counted, _ = grouped(counted, merges)
    outcome = resolve(counted, rule).outcomes[counting.item_id]
    if outcome.state is not State.DECIDED or outcome.value is None:
        return None
    first = next(
        (e.answer for e, vote in zip(votes, counted, strict=True) if vote.value == outcome.value),
        votes[0].answer,
    )
    if field.needed:
        answers_given = [own_vote.answer.value for own_vote in votes]
        value: Value = combined_answer(field, answers_given, is_kept=outcome.value is True)
    else:
        value = _value(field, outcome.value, first.value)
    return Answer(first.key, value, first.at, 0, (), first.recipe_version)


def rule_of(stage: StageSpec, n_votes: int) -> VotingRule:
    """Return the voting rule of a stage for a field with a number of answers."""
    raters = max(1, min(stage.raters, n_votes))
    most = max(stage.max_raters, raters)
    match stage.resolution:
        case Resolution.K_OF_N:
            return VotingRule(RuleKind.K_OF_N, min(stage.agreeing, most), raters, most)
        case Resolution.UNANIMITY | Resolution.ADJUDICATION:
            return VotingRule(RuleKind.UNANIMITY, 0, raters, most)
        case Resolution.MAJORITY | Resolution.SINGLE:
            return VotingRule(RuleKind.MAJORITY, 0, raters, most)


def vote_value(field: Field, value: Value) -> VoteValue:
    """Return a value as it is counted: of a choice its one option, of several all."""
    if isinstance(value, Picked):
        other = (_OTHER + normalized(value.other),) if value.other else ()
        ticked = (*value.keys, *other)
        return ticked if field.kind is FieldKind.CHOICES else "".join(ticked[:1])
    if isinstance(value, bool | int | float | str | tuple):
        return value
    raise TypeError("such answers are not voted on")


_OTHER: Final = "\n"
"""Before words that were typed instead of an option; no key begins like this."""


def _value(field: Field, decided: VoteValue, first: Value) -> Value:
    """Return a resolved answer; ``first`` is the first equal one."""
    if field.kind in (FieldKind.CHOICE, FieldKind.CHOICES):
        ticked = decided if isinstance(decided, tuple) else (str(decided),)
        keys = [each for each in ticked if not each.startswith(_OTHER)]
        order = {option.key: i for i, option in enumerate(field.options)}
        keys.sort(key=lambda key: order.get(key, len(order)))
        typed = [each for each in ticked if each.startswith(_OTHER)]
        other = first.other if isinstance(first, Picked) and first.other else ""
        return Picked(tuple(keys), (other or typed[0][1:]) if typed else "")
    if field.kind in (FieldKind.PROPERTIES, FieldKind.TRACKS):
        return decided if isinstance(decided, tuple) else (str(decided),)
    return decided if field.kind is FieldKind.TEXT else first


def _of_one_mind(counting: _Counting) -> tuple[Answer, ...]:
    """Return the answers without a vote, from the first rater who agrees with most of the result.

    Raters who would discard an item that is kept are not considered, nor are fields that the result
    hides.
    """
    form, decided = counting.form, counting.decided
    keys = {field.key for field in counting.voted}
    most, best = 0, tuple[Answer, ...]()
    for person_id in counting.people:
        own = [e.answer for e in counting.given if e.person_id == person_id]
        answer_of = {answer.key: _same(form, answer) for answer in own}
        agreed = [
            key for key, resolved in decided.items() if answer_of.get(key) == _same(form, resolved)
        ]
        is_against = any(_is_needing(form, key) and key not in agreed for key in decided)
        if len(agreed) > most and not is_against:
            most, best = len(agreed), tuple(e for e in own if e.key.field not in keys)
    answers = {**decided, **{resolved.key: resolved for resolved in best}}
    return tuple(resolved for resolved in best if _is_asked(form, resolved.key, answers))


def _is_needing(form: Form, key: AnswerKey) -> bool:
    field = form.field(key.field)
    return field is not None and bool(field.needed)


def _is_asked(form: Form, key: AnswerKey, answers: Mapping[AnswerKey, Answer]) -> bool:
    field = form.field(key.field)
    return field is not None and is_shown(form, field, answers, key.item_id, key.entry)


def _same(form: Form, answer: Answer) -> object:
    field, value = form.field(answer.key.field), answer.value
    if field is not None and field.needed:
        return keeps(field, value)
    return normalized(value) if isinstance(value, str) else value


def _beside_each_other(counting: _Counting) -> tuple[Answer, ...]:
    """Return the entries of all people, numbered in order of submission."""
    entries = ((each.person_id, each.answer.key.entry) for each in counting.given)
    numbers = {entry: i for i, entry in enumerate(dict.fromkeys(entries))}
    found: list[Answer] = []
    for person_id, answer in counting.given:
        number = numbers[person_id, answer.key.entry]
        found.append(replace(answer, key=answer.key._replace(entry=number)))
    return tuple(found)


OVERRULED: Final = "overruled"
"""Key of the reason; no field of a recipe may have it."""
MAX_REASON: Final = 500
_REASON: Final = Field(
    OVERRULED,
    "Reason for overruling",
    FieldKind.TEXT,
    is_required=False,
    minimum=1,
    maximum=MAX_REASON,
)


def with_reason(form: Form) -> Form:
    """Return the form of an adjudicator who may overrule votes."""
    return replace(form, fields=(*form.fields, _REASON))


def reason_of(answers: Mapping[AnswerKey, Answer], item_id: ItemId) -> str:
    """Return why the vote on an item was overruled, "" if it was not."""
    answer = answers.get(AnswerKey(item_id, OVERRULED))
    return answer.value.strip() if answer is not None and isinstance(answer.value, str) else ""


def adjudicated(
    voted: Mapping[ItemId, Iterable[Answer]],
    decisions: Mapping[AnswerKey, Answer],
    *,
    may_overrule: bool,
) -> tuple[Answer, ...]:
    """Return the final answers after adjudication: those of the vote to the items that it resolved
    (``voted``), and those of the adjudicator to all others and to the overruled ones."""
    kept_answers = {
        item_id: tuple(answers)
        for item_id, answers in voted.items()
        if not (may_overrule and reason_of(decisions, item_id))
    }
    own = (answer for key, answer in decisions.items() if key.item_id not in kept_answers)
    kept_list = [*(answer for answers in kept_answers.values() for answer in answers), *own]
    return tuple(sorted(kept_list, key=lambda answer: answer.key))
