"""Attention checks, qualification tests and gold questions: evaluation of answers.

An item with ``right`` answers judges who answers it. What follows depends on its purpose: gold is
measured, attention checks warn and then end somebody's work on a kind of task, a qualification
decides whether it begins.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence

from annotator.domain.answer_value import Value
from annotator.domain.forms.checking import words_of
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.screening import Passing, Standing
from annotator.domain.votes import normalised


def is_right(item: Item, given: Mapping[str, Value]) -> bool:
    """Tell whether answers, by field, are the known ones; of a text any of several will do."""
    return all(_fits(given.get(field), known) for field, known in item.right.items())


def share_right(judged: Sequence[bool]) -> float | None:
    """Return which share of answers was right, None without any."""
    return sum(judged) / len(judged) if judged else None


def verdict_on(
    passing: Passing, judged: Sequence[bool], grades: Sequence[float]
) -> Standing | None:
    """Return whether a test is passed; None while something has not been judged yet."""
    if passing.grade is not None:
        if not grades:
            return None
        return _passed(sum(grades) / len(grades), passing.grade)
    share = share_right(judged)
    return None if share is None else _passed(share, passing.share or 0.0)


def mixed_in(
    items: Sequence[Item], checks: Sequence[Item], *, every: int, answered: int, seed: str
) -> list[Item]:
    """Return items with checks among them, one in each run of ``every``.

    ``answered`` is how many units the person has been given before, checks not counted, so that
    runs go on from task to task. The place within a run is drawn from the seed, as is the order in
    which the checks come; none comes again before all have.
    """
    order = list(checks)
    _drawn(seed).shuffle(order)
    found: list[Item] = []
    n_work = max(every - 1, 1)
    for i, item in enumerate(items, start=answered):
        run, place = divmod(i, n_work)
        if order and place == _drawn(f"{seed}\n{run}").randrange(n_work):
            check = order[run % len(order)]
            if check not in found:
                found.append(check)
        found.append(item)
    return found


def _drawn(seed: str) -> random.Random:
    return random.Random(hashlib.sha256(seed.encode()).digest())


def _passed(reached: float, wanted: float) -> Standing:
    return Standing.PASSED if reached >= wanted else Standing.FAILED


def _fits(value: Value | None, known: Iterable[str]) -> bool:
    """Tell whether a value is what is known: all options of a set, any of several texts."""
    wanted = set(known)
    if value is None:
        return False
    if isinstance(value, str):
        return normalised(value) in {normalised(text) for text in wanted}
    if isinstance(value, tuple):
        return {normalised(text) for text in value} == {normalised(text) for text in wanted}
    if isinstance(value, bool) or not isinstance(value, int | float):
        return words_of(value) == wanted
    return f"{value:g}" in wanted
