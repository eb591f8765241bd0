"""Results of a study: accuracy per condition and answer times.

It follows from the answers alone, so whoever has them can work it out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from annotator.domain.agreement.figure import Estimate
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.study.figures import STUDY, ScoredAnswer, Tags, baseline, graded_majority
from annotator.domain.votes import RuleKind, Vote, VotingRule, resolve

ACCURACY: Final = "accuracy"
SECONDS: Final = "median-seconds"
MAJORITY: Final = "majority-accuracy"
"""The method of how often more than half of those who answered an item were right together."""
_RIGHT: Final = "right"
_WRONG: Final = "wrong: "


class StudyResponse(NamedTuple):
    """An answer in a study; ``said`` is what was answered, the same text for the same answer.

    ``seconds`` is what it took (None: unknown).
    """

    item_id: str
    person_id: str
    condition: str
    is_right: bool
    said: str
    seconds: float | None = None


class StudyFigure(NamedTuple):
    """A figure under a condition; "" is all of them together."""

    condition: str
    figure: Estimate


def results(
    given: Sequence[StudyResponse],
    conditions: Sequence[str],
    per_item: int,
    tags: Tags | None = None,
    how: Bootstrap = STUDY,
    watch: Watch | None = None,
) -> tuple[StudyFigure, ...]:
    """Return accuracies (with both intervals), majorities and median times: of all items, and of
    each tag; over all answers and under each condition, where there are several.

    A majority is told of items that ``per_item`` people have answered under the condition; over all
    conditions there is none. Raises WorkError (``cancelled``) when the watch says so.
    """
    wanted = ["", *conditions] if len(conditions) > 1 else [""]
    parts = [(key, [e for e in given if not key or e.condition == key]) for key in wanted]
    watch = watch or Watch()
    found: list[StudyFigure] = []
    for i, (key, answers) in enumerate(parts):
        begin, half, end = ((i + share) / len(parts) for share in (0, 0.5, 1))
        one = watch.part(begin, half)
        figures = list(_of_condition(answers, key, tags or {}, how, one))
        if key or len(wanted) == 1:
            other = watch.part(half, end)
            figures += _majorities(answers, per_item, tags or {}, how, other)
        found += [StudyFigure(key, figure) for figure in figures]
    watch.look(1.0)
    return tuple(found)


def _of_condition(
    given: Iterable[StudyResponse], key: str, tags: Tags, how: Bootstrap, watch: Watch
) -> Iterator[Estimate]:
    # Somebody answers an item once, so that the condition need not be told of each answer.
    answers = [ScoredAnswer(e.item_id, e.person_id, e.is_right, e.seconds) for e in given]
    for figure in baseline(answers, tags, how, watch):
        yield _told(figure, key)


def _majorities(
    given: Sequence[StudyResponse], per_item: int, tags: Tags, how: Bootstrap, watch: Watch
) -> Iterator[Estimate]:
    votes = [Vote(e.item_id, e.person_id, _RIGHT if e.is_right else _WRONG + e.said) for e in given]
    people: dict[str, set[str]] = {}
    for each in given:
        people.setdefault(each.item_id, set()).add(each.person_id)
    outcomes = resolve(votes, VotingRule(RuleKind.MAJORITY, raters=per_item)).outcomes.values()
    answers = graded_majority(outcomes, dict.fromkeys(people, _RIGHT))
    for figure in baseline(answers, tags, how, watch):
        of = tags.get(figure.by, {})
        theirs = [
            people[each.item_id]
            for each in answers
            if not figure.by or figure.name in of.get(each.item_id, ())
        ]
        inputs = replace(
            figure.inputs, raters=len(set().union(*theirs)), votes=sum(map(len, theirs))
        )
        yield replace(
            _told(figure, given[0].condition if given else ""), method=MAJORITY, inputs=inputs
        )


def _told(figure: Estimate, key: str) -> Estimate:
    if not key:
        return figure
    params: Mapping[str, str | int | float] = {**figure.params, "condition": key}
    return replace(figure, params=params)
