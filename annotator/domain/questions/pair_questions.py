"""Questions assigned to pairs, and their outcomes: kept, or dropped and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.answer import Picked
from annotator.domain.questions.items.object_pairs import ObjectPair, PairingSpec
from annotator.domain.questions.random_order import Lot


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question written by a rater about a pair; ``key`` identifies it."""

    key: str
    text: str
    pair: ObjectPair


@dataclass(frozen=True, slots=True)
class Hand:
    """Questions assigned to one pair, by key, and how many are missing."""

    pair: ObjectPair
    questions: tuple[str, ...]
    lacking: int = 0


def assign_questions(
    pairs: Sequence[ObjectPair],
    written: Sequence[WrittenQuestion],
    spec: PairingSpec,
    had: Mapping[ObjectPair, Collection[str]] | None = None,
) -> tuple[Hand, ...]:
    """Return the questions assigned to each pair: equal for equal questions and seed.

    ``had`` are the keys of the questions that were assigned to pairs before: only missing ones are
    added.

    A pair gets questions of its own split and of open splits, never those of another closed split,
    never one that was written for it, none twice. The least assigned questions come first; ties are
    decided at random.
    """
    before = had or {}
    assigned = Counter(key for keys in before.values() for key in keys)
    bank = [(w, _like(w.text)) for w in written]
    hands: list[Hand] = []
    for pair in pairs:
        earlier_people = before.get(pair, ())
        n_wanted = max(0, spec.questions_each - len(earlier_people))
        lot = Lot(
            spec.seed, "deal", pair.name, *([str(len(earlier_people))] if earlier_people else ())
        )
        own = {like for w, like in bank if _is_same(w.pair, pair) or w.key in earlier_people}
        splits = {pair.split, *spec.open_splits}
        fitting = {like: w.key for w, like in bank if w.pair.split in splits and like not in own}
        ranked = sorted((assigned[key], lot.share(), key) for key in fitting.values())
        hand = tuple(key for _, _, key in ranked[:n_wanted])
        assigned.update(hand)
        hands.append(Hand(pair, hand, n_wanted - len(hand)))
    return tuple(hands)


def _is_same(one: ObjectPair, other: ObjectPair) -> bool:
    return (one.first, one.second) in ((other.first, other.second), (other.second, other.first))


def _like(text: str) -> str:
    return " ".join(text.split()).casefold()


def is_kept(before: tuple[Picked, int], after: tuple[Picked, int]) -> bool:
    """Return whether sound changed the materials or the confidence (1 to 5).

    A clip is kept only if the confidence rose or the answer changed.
    """
    return after[1] > before[1] or _picked(after[0]) != _picked(before[0])


def _picked(value: Picked) -> tuple[frozenset[str], str]:
    return frozenset(value.keys), " ".join(value.other.split()).casefold()


class PairAnswer(StrEnum):
    """Possible answers to a question about a pair."""

    FIRST = "object-1"
    SECOND = "object-2"
    IRRELEVANT = "irrelevant"
    BAD = "bad-question"


@dataclass(frozen=True, slots=True)
class DataPoint:
    """Result of the answers: label 0 or 1, or None with the reason for dropping it."""

    label: int | None
    why: str = ""


def data_point(answers: Sequence[str], needed: int = 3, *, is_flagged: bool = False) -> DataPoint:
    """Return the data point of a question about a pair: all ``needed`` answers must be the same.

    ``answers`` come in the order in which they were given, those of both rounds.
    """
    if is_flagged:
        return DataPoint(None, "flagged")
    if len(answers) < needed:
        return DataPoint(None, "too-few-answers")
    kinds = set(answers)
    if len(kinds) > 1:
        return DataPoint(None, "not-unanimous")
    labels: Mapping[str, int] = {PairAnswer.FIRST: 0, PairAnswer.SECOND: 1}
    (answer,) = kinds
    return DataPoint(labels[answer]) if answer in labels else DataPoint(None, answer)
