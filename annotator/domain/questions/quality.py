"""Attention checks, qualification tests and gold questions: settings and evaluation.

An item with ``right`` answers grades its rater. The effect depends on its purpose: gold questions
are measured, attention checks warn and then suspend, a qualification test admits to a task type.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from annotator.domain.agreement.position_errors import Errors
from annotator.domain.answer import Value
from annotator.domain.forms.answer_checks import words_of
from annotator.domain.ids import ItemId
from annotator.domain.questions.items.item import Item
from annotator.domain.votes import normalized

GRADES: Final = range(1, 5)
"""What a lead gives for a written answer, from 1 (poor) to 4 (very good)."""


@dataclass(frozen=True, slots=True)
class Attention:
    """One unit in ``every`` is a check; failing in ``failures`` submissions ends the work."""

    every: int
    failures: int = 2


@dataclass(frozen=True, slots=True)
class Gold:
    """Settings of gold tasks: one task in ``every`` repeats a task with a known result.

    The first ``training`` tasks of a person are announced as training and show the gold result
    after submission. Of the later ones the last ``last`` count: ``warn`` of them out of limits
    cause a warning, ``suspend`` of them a suspension. Limits: mean overlap of boxes ``min_iou`` (0
    to 1), mean distance of points ``max_px`` (image pixels), mean offset of segment edges
    ``max_ms`` (milliseconds), F1 of annotations ``min_found`` (0 to 1).
    """

    every: int
    training: int = 0
    last: int = 5
    warn: int = 1
    suspend: int = 2
    min_iou: float = 0.7
    max_px: float = 8.0
    max_ms: float = 500.0
    min_found: float = 0.8


@dataclass(frozen=True, slots=True)
class Passing:
    """Pass criterion of a test: a share of correct answers, or a mean grade given by a lead.

    ``attempts`` is the number of allowed attempts, ``n_tasks`` the number of tasks that are judged
    together as one attempt.
    """

    share: float | None = None
    grade: float | None = None
    attempts: int = 2
    n_tasks: int = 1


class QualificationStatus(StrEnum):
    """Qualification status from a test or from attention checks."""

    HANDED_IN = "handed-in"  # a test waits for a lead's grades
    PASSED = "passed"
    FAILED = "failed"  # may be tried once more
    SPENT = "spent"  # failed as often as it may be tried
    WARNED = "warned"
    SUSPENDED = "kept-from"
    CLEARED = "cleared"  # reset by a lead; earlier results do not count


def is_right(item: Item, given: Mapping[str, Value]) -> bool:
    """Return whether answers, by field, are the known ones; of a text any of several will do."""
    return all(_fits(given.get(field), known) for field, known in item.right.items())


def share_right(judged: Sequence[bool]) -> float | None:
    """Return which share of answers was right, None without any."""
    return sum(judged) / len(judged) if judged else None


def verdict_on(
    passing: Passing, judged: Sequence[bool], grades: Sequence[float]
) -> QualificationStatus | None:
    """Return whether a test is passed; None while something has not been judged yet."""
    if passing.grade is not None:
        if not grades:
            return None
        return _passed(sum(grades) / len(grades), passing.grade)
    share = share_right(judged)
    return None if share is None else _passed(share, passing.share or 0.0)


@dataclass(frozen=True, slots=True)
class EarlierUnits:
    """Units that a person was given before: how many, and the checks among them.

    ``checks`` is None while they are not submitted; which ones they meet is computed then.
    """

    n_items: int
    checks: tuple[ItemId, ...] | None = None


def mixed_in(
    items: Sequence[Item],
    checks: Sequence[Item],
    *,
    every: int,
    earlier: Sequence[EarlierUnits],
    seed: str,
) -> list[Item]:
    """Return items with attention checks among them, one per ``every`` items.

    ``earlier`` are the person's earlier items in order, so that runs continue across tasks. Seeded
    random choices give the place within a run and the order of checks; the check that came least
    often is next.
    """
    order = sorted(checks, key=lambda check: _digest(f"{seed}\n{check.id}"))
    times_shown = Counter[ItemId]()
    answered = 0

    def following() -> Item:
        mixed_items = min(order, key=lambda check: times_shown[check.id])
        times_shown[mixed_items.id] += 1
        return mixed_items

    for earlier_check in earlier:
        if earlier_check.checks is not None:
            times_shown.update(earlier_check.checks)
        elif order:
            for _ in _places(earlier_check.n_items, every, answered, seed):
                following()
        answered += earlier_check.n_items
    places = set(_places(len(items), every, answered, seed)) if order else set()
    mixed_items: list[Item] = []
    for i, item in enumerate(items):
        if i in places:
            check = following()
            if check not in mixed_items:
                mixed_items.append(check)
        mixed_items.append(item)
    return mixed_items


def out_of_limits(found: Errors, limits: Gold) -> tuple[str, ...]:
    """Return which errors of a gold task are out of limits: "iou", "px", "ms", "found"."""
    is_out = {
        "iou": found.iou is not None and found.iou < limits.min_iou,
        "px": found.px is not None and found.px > limits.max_px,
        "ms": found.ms is not None and found.ms > limits.max_ms,
        "found": found.found is not None and found.found < limits.min_found,
    }
    return tuple(name for name, is_so in is_out.items() if is_so)


def is_gold_due(rule: Gold, n_tasks: int, n_gold: int, *, seed: str) -> bool:
    """Return whether a person's next task must be a gold task.

    ``n_tasks`` are the other tasks of the kind they were given before, ``n_gold`` the gold tasks
    without those for training. The place within each run of ``every`` is drawn from the seed; a
    gold task that was due while none was left comes as soon as there is one.
    """
    n_work = max(rule.every - 1, 1)
    place = _generator(f"{seed}\n{n_gold}").randrange(n_work)
    return n_tasks >= n_gold * n_work + place


def _places(n_items: int, every: int, answered: int, seed: str) -> Iterator[int]:
    """Yield the items before which a check comes."""
    n_work = max(every - 1, 1)
    for i in range(answered, answered + n_items):
        run, place = divmod(i, n_work)
        if place == _generator(f"{seed}\n{run}").randrange(n_work):
            yield i - answered


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _generator(seed: str) -> random.Random:
    return random.Random(_digest(seed))


def _passed(reached: float, wanted: float) -> QualificationStatus:
    return QualificationStatus.PASSED if reached >= wanted else QualificationStatus.FAILED


def _fits(value: Value | None, known: Iterable[str]) -> bool:
    """Return whether a value equals the gold answer: all options of a set, any of several texts."""
    wanted = set(known)
    if value is None:
        return False
    if isinstance(value, str):
        return normalized(value) in {normalized(text) for text in wanted}
    if isinstance(value, tuple):
        return {normalized(text) for text in value} == {normalized(text) for text in wanted}
    if isinstance(value, bool) or not isinstance(value, int | float):
        return words_of(value) == wanted
    return f"{value:g}" in wanted
