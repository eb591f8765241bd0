"""Agreement of answers to a form, field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final, NamedTuple

from annotator.domain.agreement.estimate import Estimate
from annotator.domain.agreement.measures import Scale
from annotator.domain.agreement.pairwise import ItemWork, RaterPair, estimates_of_pairs, inputs_of
from annotator.domain.agreement.report import FieldVotes, Groups, report
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.answer import FrameBox, Spans, Value
from annotator.domain.forms.field import Field, FieldKind, Form
from annotator.domain.questions.answer_resolution import is_answer_to, vote_value
from annotator.domain.votes import normalized

SCALES: Final = {FieldKind.CONFIDENCE: Scale.ORDINAL, FieldKind.NUMBER: Scale.INTERVAL}
"""What may be said of answers; of all other kinds that they are the same or not."""


class GivenAnswer(NamedTuple):
    """One person's answer to a field of the form about an item, in the order of handing in."""

    item_id: str
    person_id: str
    field: str
    value: Value


def agreement_on(
    form: Form,
    answers_given: Iterable[GivenAnswer],
    groups: Groups | None = None,
    how: Bootstrap | None = None,
    watch: Watch | None = None,
    *,
    by_item: bool = False,
) -> tuple[Estimate, ...]:
    """Return the estimates of all fields that are voted on, and of spans and boxes how far they
    overlap between people ("span-iou", "box-iou"); ``by_item`` those of each item, too.

    Of several answers of a person to a field of an item the first counts. Raises WorkError
    (``canceled``) when the watch says so.
    """
    first: dict[tuple[str, str, str], GivenAnswer] = {}
    for answers in answers_given:
        first.setdefault((answers.field, answers.item_id, answers.person_id), answers)
    by_field: dict[str, list[GivenAnswer]] = {}
    for answers in first.values():
        by_field.setdefault(answers.field, []).append(answers)
    fields_asked: dict[str, FieldVotes] = {}
    estimates: list[Estimate] = []
    for field in form.fields:
        theirs = [e for e in by_field.get(field.key, []) if is_answer_to(field, e.value)]
        if field.kind in _OVERLAPS:
            overlaps = _overlapping(field, theirs, how or Bootstrap(), watch or Watch())
            estimates += (answers for answers in overlaps if by_item or answers.by != "item")
        elif field.is_voted and field.kind is not FieldKind.FLAG:
            votes = [
                (answers.item_id, answers.person_id, _counted(field, answers.value))
                for answers in theirs
            ]
            scale = SCALES.get(field.kind, Scale.NOMINAL)
            fields_asked[field.key] = FieldVotes(votes, scale, is_text=field.kind is FieldKind.TEXT)
    return (*report(fields_asked, groups, how, watch, by_item=by_item), *estimates)


def _counted(field: Field, value: Value) -> bool | str | float | int | tuple[str, ...]:
    counted = vote_value(field, value)
    if field.kind is FieldKind.PROPERTIES and isinstance(counted, tuple):
        return tuple(normalized(text) for text in counted)
    return counted


def _overlapping(
    field: Field, said: list[GivenAnswer], how: Bootstrap, watch: Watch
) -> Iterator[Estimate]:
    """Yield the estimates of answers that overlap more or less."""
    method, overlap = _OVERLAPS[field.kind]
    by_item: dict[str, list[GivenAnswer]] = {}
    for each in said:
        by_item.setdefault(each.item_id, []).append(each)
    pairs = [
        RaterPair(item, one.person_id, other.person_id, overlap(one.value, other.value))
        for item, theirs in sorted(by_item.items())
        for one, other in combinations(sorted(theirs, key=lambda each: each.person_id), 2)
    ]
    inputs = inputs_of([ItemWork(e.item_id, e.person_id, _plain(e.value)) for e in said])
    for estimate in estimates_of_pairs(method, {}, pairs, inputs, how, watch):
        yield replace(estimate, field=field.key)


def _span_iou(one: Value, other: Value) -> float:
    """Return the share of the frames in either's spans that are in both's; of none at all 1."""
    assert isinstance(one, Spans)
    assert isinstance(other, Spans)
    both = sum(
        max(0, min(end, last) - max(start, begin))
        for start, end in one.spans
        for begin, last in other.spans
    )
    either = sum(end - start for start, end in (*one.spans, *other.spans)) - both
    return both / either if either else 1.0


def _box_iou(one: Value, other: Value) -> float:
    """Return the overlap of boxes; of boxes on different frames 0."""
    assert isinstance(one, FrameBox)
    assert isinstance(other, FrameBox)
    return one.box.iou(other.box) if one.frame == other.frame else 0.0


def _plain(value: Value) -> list[list[float]]:
    if isinstance(value, Spans):
        return [list(span) for span in value.spans]
    assert isinstance(value, FrameBox)
    return [[value.frame, *value.box.as_tuple()]]


_OVERLAPS: Final[dict[FieldKind, tuple[str, Callable[[Value, Value], float]]]] = {
    FieldKind.SPANS: ("span-iou", _span_iou),
    FieldKind.BOX: ("box-iou", _box_iou),
}
