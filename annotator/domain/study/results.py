"""Results of a study: accuracy, answer times, and how steady they are.

They follow from the answers alone and can be computed again from these.

An accuracy comes twice: with the interval of Wilson, which takes all answers for independent, and
with that of a bootstrap over items, which does not.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from annotator.domain.agreement.estimate import Estimate, Inputs, Missing, Parameter
from annotator.domain.agreement.resampling import Bootstrap, Resampled, Watch, intervals
from annotator.domain.agreement.sums import quotient
from annotator.domain.annotation.canonical import Plain, canonical_bytes
from annotator.domain.votes import RuleKind, VotingRule, resolve
from annotator.domain.votes.outcome import Outcome, State, Value, Vote, as_set

if TYPE_CHECKING:
    from annotator.domain.agreement.sums import Codes, Columns, Weights

LEVEL: Final = 0.9
STUDY: Final = Bootstrap(level=LEVEL)
"""Studies report intervals of 90%."""
BEST_SCORE: Final = 5
RIGHT_SCORE: Final = 3
"""An open answer is scored 0 to 5 against the reference; from this score on it counts as right."""


class ScoredAnswer(NamedTuple):
    """An answer compared with the reference; ``seconds`` is its time (None: unknown)."""

    item_id: str
    person_id: str
    is_right: bool
    seconds: float | None = None


Tags: TypeAlias = Mapping[str, Mapping[str, Collection[str]]]
"""By what to group ("area", "reasoning", "tag"), and what each item has of it: one or several."""


def graded(
    votes: Iterable[Vote],
    references: Mapping[str, Value],
    seconds: Mapping[tuple[str, str], float] | None = None,
) -> list[ScoredAnswer]:
    """Return the answers compared with the references; items without one are left out.

    ``seconds`` are those of (item, person).
    """
    took = seconds or {}
    return [
        ScoredAnswer(item, who, _same(value, references[item]), took.get((item, who)))
        for item, who, value in votes
        if item in references
    ]


def graded_majority(
    outcomes: Iterable[Outcome], references: Mapping[str, Value]
) -> list[ScoredAnswer]:
    """Return the majority answer of each item; a tie is not correct.

    Items that wait for votes, were discarded or have no reference are left out.
    """
    return [
        ScoredAnswer(
            each.item_id,
            "",
            each.value is not None and _same(each.value, references[each.item_id]),
        )
        for each in outcomes
        if each.item_id in references and each.state not in (State.OPEN, State.DISCARDED)
    ]


def is_right_score(score: float) -> bool:
    """Return whether an open answer with that score counts as right; ValueError beyond 0..5."""
    if not 0 <= score <= BEST_SCORE:
        raise ValueError(f"a score lies between 0 and {BEST_SCORE}, not {score}")
    return score >= RIGHT_SCORE


def baseline(
    answers: Sequence[ScoredAnswer],
    tags: Tags | None = None,
    how: Bootstrap = STUDY,
    watch: Watch | None = None,
) -> tuple[Estimate, ...]:
    """Return accuracy (with both intervals) and median time: overall and by tag.

    Raises WorkError (``canceled``) when the watch says so.
    """
    watch = watch or Watch()
    ordered = sorted(answers, key=_order)
    parts = [("", "", ordered), *_tagged(ordered, tags or {})]
    estimates: list[Estimate] = []
    for i, (by, name, part) in enumerate(parts):
        watch.look(i / len(parts))
        estimates += [
            replace(estimate, by=by, name=name) for estimate in _of_part(part, how, watch)
        ]
    watch.look(1.0)
    return tuple(estimates)


def wilson(right: int, n: int, level: float) -> tuple[float, float]:
    """Return the score interval of a share (Wilson 1927), n > 0."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, spread = right / n, z * z / n
    middle = share + spread / 2
    half = z * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))


def robustness(
    rights: Mapping[str, Mapping[str, bool]],
    primary: str,
    variants: Collection[str],
    how: Bootstrap = STUDY,
) -> Estimate:
    """Return the share of the groups with the primary question right that have all right.

    ``rights`` says of each group which of its questions were answered rightly, by their kind. A
    group without an answer to each of them is left out. Not defined when no primary is right.
    """
    kinds = sorted({primary, *variants})
    complete_groups = {
        name: group for name, group in sorted(rights.items()) if set(kinds) <= group.keys()
    }
    begun = np.array([group[primary] for group in complete_groups.values()], np.float64)
    is_complete = np.array(
        [all(group[kind] for kind in kinds) for group in complete_groups.values()], np.float64
    )
    resampled = _over_items(
        lambda weights: quotient(weights @ is_complete, weights @ begun)[:, None],
        len(complete_groups),
    )
    inputs = _inputs(
        [(name, [group[kind] for kind in kinds]) for name, group in complete_groups.items()],
        len(complete_groups),
        0,
        len(complete_groups) * len(kinds),
    )
    params: dict[str, Parameter] = {
        "primary": primary,
        "left_out": len(rights) - len(complete_groups),
    }
    return _estimate("robustness", resampled, inputs, how, params)


def _of_part(answers: list[ScoredAnswer], how: Bootstrap, watch: Watch) -> Iterator[Estimate]:
    items = sorted({response.item_id for response in answers})
    place = {item: i for i, item in enumerate(items)}
    of = np.array([place[response.item_id] for response in answers], np.int64)
    is_right = np.array([response.is_right for response in answers], np.float64)
    inputs = _inputs(
        [tuple(response) for response in answers],
        len(items),
        len({response.person_id for response in answers}),
        len(answers),
    )
    right, n = np.bincount(of, is_right, len(items)), np.bincount(of, minlength=len(items))
    resampled = _over_items(
        lambda weights: quotient(weights @ right, weights @ n)[:, None], len(items)
    )
    estimate = _estimate("accuracy", resampled, inputs, how, {"resampled": "items"}, watch)
    low_high = wilson(int(right.sum()), len(answers), how.level) if answers else (None, None)
    params: dict[str, Parameter] = {"interval": "wilson", "level": how.level}
    yield replace(estimate, low=low_high[0], high=low_high[1], params=params)
    yield estimate
    took = [response.seconds for response in answers]
    timed = np.array([i for i, seconds in enumerate(took) if seconds is not None], np.int64)
    if len(timed):
        columns = _median(of[timed], np.array([took[i] for i in timed.tolist()], np.float64))
        resampled = _over_items(columns, len(items))
        yield _estimate("median-seconds", resampled, inputs, how, {"resampled": "items"}, watch)


def _median(item: Codes, seconds: Weights) -> Columns:
    """Return what works out the median time of the answers to weighted items."""
    order = np.argsort(seconds, kind="stable")
    of, ascending = item[order], seconds[order]

    def median(weights: Weights) -> Weights:
        below = np.cumsum(weights[:, of], axis=1)
        half = below[:, -1:] / 2
        lower, upper = (below < half).sum(1), (below <= half).sum(1)
        last = len(ascending) - 1
        median = (ascending[np.minimum(lower, last)] + ascending[np.minimum(upper, last)]) / 2
        return np.where(half[:, 0] > 0, median, np.nan)[:, None]

    return median


def _tagged(
    answers: list[ScoredAnswer], tags: Tags
) -> Iterator[tuple[str, str, list[ScoredAnswer]]]:
    for by, tags_of in tags.items():
        answers_by_name: dict[str, list[ScoredAnswer]] = {}
        for each in answers:
            for name in sorted(set(tags_of.get(each.item_id, ()))):
                answers_by_name.setdefault(name, []).append(each)
        yield from ((by, name, part) for name, part in sorted(answers_by_name.items()))


def _order(answer: ScoredAnswer) -> tuple[str, str, bool, float]:
    seconds = answer.seconds
    return answer.item_id, answer.person_id, answer.is_right, -1.0 if seconds is None else seconds


def _over_items(columns: Columns, n: int) -> Resampled:
    return Resampled(np.arange(n), n, columns)


def _estimate(
    method: str,
    wanted: Resampled,
    inputs: Inputs,
    how: Bootstrap,
    params: Mapping[str, Parameter],
    watch: Watch | None = None,
) -> Estimate:
    value = float(wanted.values()[0])
    every = {**params, **how.params()}
    if math.isnan(value):
        reason = Missing.NO_CASE if inputs.votes else Missing.NO_VOTES
        return Estimate(method, None, None, None, inputs, every, reason)
    quiet = Watch(is_canceled=watch.is_canceled) if watch is not None else None
    low, high = intervals([wanted], how, quiet)[0][0] or (None, None)
    return Estimate(method, value, low, high, inputs, every)


def _inputs(rows: Sequence[Plain], units: int, raters: int, votes: int) -> Inputs:
    return Inputs(hashlib.sha256(canonical_bytes(rows)).hexdigest(), units, raters, votes)


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return as_set(one) == as_set(other)
    return one == other


ACCURACY: Final = "accuracy"
SECONDS: Final = "median-seconds"
MAJORITY: Final = "majority-accuracy"
"""The method of how often more than half of those who answered an item were right together."""
_RIGHT: Final = "right"
_WRONG: Final = "wrong: "


class StudyResponse(NamedTuple):
    """An answer in a study; ``said`` is its text, the same text for the same answer.

    ``seconds`` is the time of the answer (None: unknown).
    """

    item_id: str
    person_id: str
    condition: str
    is_right: bool
    said: str
    seconds: float | None = None


class StudyEstimate(NamedTuple):
    """An estimate under a condition; "" is all of them together."""

    condition: str
    estimate: Estimate


def results(
    responses: Sequence[StudyResponse],
    conditions: Sequence[str],
    per_item: int,
    tags: Tags | None = None,
    how: Bootstrap = STUDY,
    watch: Watch | None = None,
) -> tuple[StudyEstimate, ...]:
    """Return accuracies (with both intervals), majorities and median times: of all items, and of
    each tag; over all answers and under each condition, where there are several.

    A majority is computed for items that ``per_item`` people have answered under the condition;
    over all conditions there is none. Raises WorkError (``canceled``) when the watch is canceled.
    """
    conditions_asked = ["", *conditions] if len(conditions) > 1 else [""]
    parts = [
        (key, [e for e in responses if not key or e.condition == key]) for key in conditions_asked
    ]
    watch = watch or Watch()
    study_estimates: list[StudyEstimate] = []
    for i, (key, answers) in enumerate(parts):
        begin, half, end = ((i + share) / len(parts) for share in (0, 0.5, 1))
        one = watch.part(begin, half)
        estimates = list(_of_condition(answers, key, tags or {}, how, one))
        if key or len(conditions_asked) == 1:
            other = watch.part(half, end)
            estimates += _majorities(answers, per_item, tags or {}, how, other)
        study_estimates += [StudyEstimate(key, estimate) for estimate in estimates]
    watch.look(1.0)
    return tuple(study_estimates)


def _of_condition(
    given: Iterable[StudyResponse], key: str, tags: Tags, how: Bootstrap, watch: Watch
) -> Iterator[Estimate]:
    # A person answers an item once, so the condition is not needed per answer.
    answers = [ScoredAnswer(e.item_id, e.person_id, e.is_right, e.seconds) for e in given]
    for estimate in baseline(answers, tags, how, watch):
        yield _labeled(estimate, key)


def _majorities(
    responses: Sequence[StudyResponse], per_item: int, tags: Tags, how: Bootstrap, watch: Watch
) -> Iterator[Estimate]:
    votes = [
        Vote(e.item_id, e.person_id, _RIGHT if e.is_right else _WRONG + e.said) for e in responses
    ]
    people: dict[str, set[str]] = {}
    for response in responses:
        people.setdefault(response.item_id, set()).add(response.person_id)
    outcomes = resolve(votes, VotingRule(RuleKind.MAJORITY, raters=per_item)).outcomes.values()
    answers = graded_majority(outcomes, dict.fromkeys(people, _RIGHT))
    for estimate in baseline(answers, tags, how, watch):
        of = tags.get(estimate.by, {})
        theirs = [
            people[response.item_id]
            for response in answers
            if not estimate.by or estimate.name in of.get(response.item_id, ())
        ]
        inputs = replace(
            estimate.inputs, raters=len(set().union(*theirs)), votes=sum(map(len, theirs))
        )
        yield replace(
            _labeled(estimate, responses[0].condition if responses else ""),
            method=MAJORITY,
            inputs=inputs,
        )


def _labeled(estimate: Estimate, key: str) -> Estimate:
    if not key:
        return estimate
    params: Mapping[str, str | int | float] = {**estimate.params, "condition": key}
    return replace(estimate, params=params)
