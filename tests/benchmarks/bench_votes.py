"""As many multiple-choice questions as the Perception Test has, answered by five people each.

38,060 questions: what the votes come to, and how far people agree, with 1,000 draws for each
interval. Once everybody answers everything, once five of sixty people do, which is harder for all
that compares people. Groups are the 132 questions that were asked of many videos, and task types.
Times are those of all threads of this process (CPU).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from annotator.domain.agreement.measures import METHODS, Scale, estimates_by
from annotator.domain.agreement.ratings import Ratings
from annotator.domain.agreement.report import FieldVotes, report
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.errors import WorkError
from annotator.domain.votes import Ballot, RuleKind, Vote, VotingRule, resolve

N_QUESTIONS: Final = 38_060
N_TEMPLATES: Final = 132
N_OPTIONS: Final = 4
PER_QUESTION: Final = 5
RIGHT: Final = 0.8
RESOLVE_S, AGREE_S, STOP_S = 10.0, 30.0, 2.0


def main() -> int:
    """Print the times; 1 when a target is missed."""
    is_missed = False
    for people in (PER_QUESTION, 60):
        votes = made_votes(people)
        for name, took, target in measure(votes, people):
            is_missed |= took > target
            mark = "met" if took <= target else "MISSED"
            sys.stdout.write(f"{name:52} {took:7.2f} s   target {target:g} s  {mark}\n")
    return int(is_missed)


def measure(votes: list[Vote], people: int) -> list[tuple[str, float, float]]:
    """Return name, seconds and target of each."""
    options = tuple(range(N_OPTIONS))
    crew = frozenset(vote.person_id for vote in votes)
    rule = VotingRule(RuleKind.MAJORITY, raters=PER_QUESTION, max_raters=7)
    ballot = Ballot(options=options, people=crew)
    items = sorted({vote.item_id for vote in votes})
    groups = {
        "question": {item: f"template {i % N_TEMPLATES}" for i, item in enumerate(items)},
        "task type": {item: f"type {i % 4}" for i, item in enumerate(items)},
    }
    asked = {"answer": FieldVotes(votes, options=options)}
    graded = {"confidence": FieldVotes(votes, Scale.INTERVAL, options)}
    of = f", {people} people"
    return [
        ("resolve" + of, _seconds(lambda: resolve(votes, rule, ballot)), RESOLVE_S),
        ("all figures of answers" + of, _seconds(lambda: report(asked)), AGREE_S),
        ("the same by question and type" + of, _seconds(lambda: report(asked, groups)), AGREE_S),
        ("all figures of an interval scale" + of, _seconds(lambda: report(graded)), AGREE_S),
        ("longest until it stops" + of, _longest_wait(votes), STOP_S),
    ]


def made_votes(people: int) -> list[Vote]:
    """Return the votes: of each question five people's, four of five right."""
    rng = np.random.default_rng(people)
    truth = rng.integers(0, N_OPTIONS, (N_QUESTIONS, 1))
    who = rng.permuted(np.tile(np.arange(people), (N_QUESTIONS, 1)), axis=1)[:, :PER_QUESTION]
    guess = rng.integers(0, N_OPTIONS, who.shape)
    said = np.where(rng.random(who.shape) < RIGHT, truth, guess).tolist()
    names = [f"person {i}" for i in range(people)]
    return [
        Vote(f"question {i}", names[person], value)
        for i, (crew, values) in enumerate(zip(who.tolist(), said, strict=True))
        for person, value in zip(crew, values, strict=True)
    ]


def _longest_wait(votes: list[Vote]) -> float:
    """Return the longest time between two looks at whether to go on, once it has begun."""
    ratings, waits, last = Ratings.of(votes), list[float](), list[float]()

    def look() -> bool:
        now = time.process_time()
        waits.extend(now - before for before in last[-1:])
        last.append(now)
        return len(last) > 20

    try:
        estimates_by(
            ratings,
            METHODS[Scale.INTERVAL],
            Bootstrap(),
            by_rater=True,
            watch=Watch(is_canceled=look),
        )
    except WorkError:
        waits.append(0.0)
    return max(waits)


def _seconds(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
