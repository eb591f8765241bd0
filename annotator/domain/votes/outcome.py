"""Votes, voting rules, and their outcomes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from annotator.domain.errors import WorkError

Value: TypeAlias = str | bool | int | float | tuple[str, ...]
"""An answer: one option or a text, yes or no, a number, or the set of options that were ticked."""


class Vote(NamedTuple):
    """One person's answer to one item. Votes come in the order of submission."""

    item_id: str
    person_id: str
    value: Value


def kind_of(value: Value) -> str:
    """Return "set", "yes-no", "number" or "text"."""
    if isinstance(value, tuple):
        return "set"
    if isinstance(value, bool):
        return "yes-no"
    return "number" if isinstance(value, int | float) else "text"


def is_sound(value: Value) -> bool:
    """Return whether a value can be counted: NaN and infinities cannot."""
    return not isinstance(value, float) or math.isfinite(value)


def in_order(values: Iterable[Value], options: Sequence[Value] | None = None) -> list[Value]:
    """Return values once each: in the order of the options, else by kind and then ascending."""
    found = set(values)
    if options is not None:
        place = {value: i for i, value in enumerate(options)}
        return sorted(found, key=place.__getitem__)
    return sorted(found, key=lambda value: (kind_of(value), value))


def as_set(ticked: Iterable[str]) -> tuple[str, ...]:
    """Return a set of ticked options in the one form in which it is counted."""
    return tuple(sorted(set(ticked)))


class RuleKind(StrEnum):
    """When the votes decide."""

    MAJORITY = "majority"
    """More than half of all votes are for one answer."""
    K_OF_N = "k-of-n"
    """``k`` votes are for one answer, and not for another as well."""
    UNANIMITY = "unanimity"
    """All votes are for one answer."""


@dataclass(frozen=True, slots=True)
class VotingRule:
    """How an item is decided: ``raters`` people answer, and where that settles nothing one more
    at a time, up to ``max_raters``. ``k`` is for k-of-n alone.

    Raises WorkError (``rule``) for numbers that cannot be.
    """

    kind: RuleKind
    k: int = 0
    raters: int = 1
    max_raters: int = 0

    def __post_init__(self) -> None:
        if not self.max_raters:
            object.__setattr__(self, "max_raters", self.raters)
        if not 1 <= self.raters <= self.max_raters:
            raise WorkError("“raters” must not be greater than “max_raters”.", code="rule")
        if self.kind is RuleKind.K_OF_N and not 1 <= self.k <= self.max_raters:
            raise WorkError("`k` must be between 1 and “max_raters”.", code="rule")


class State(StrEnum):
    """State of an item."""

    OPEN = "open"
    """Fewer answers than the rule requires."""
    TIE = "tie"
    """All have answered and nothing is decided: one more is asked."""
    DECIDED = "decided"
    ADJUDICATION = "adjudication"
    """Nothing is decided, and no further answers could: an adjudicator settles it."""
    DISCARDED = "discarded"
    """A person discarded the item; the flags contain the reason."""


@dataclass(frozen=True, slots=True)
class ItemFlag:
    """A remark that an item is bad, with its reason; ``discards`` when that takes it out."""

    item_id: str
    person_id: str
    reason: str
    discards: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of the votes on one item.

    ``votes_for`` and ``against`` count the votes for ``value`` and against it; for a set, those on
    its least certain option. ``tally`` has each answer (for a set, each option) with its votes,
    most frequent first. ``wanted`` is the number of raters still needed.
    """

    item_id: str
    state: State
    value: Value | None
    votes_for: int
    against: int
    tally: tuple[tuple[Value, int], ...]
    wanted: int
    flags: tuple[ItemFlag, ...] = ()


class Fault(StrEnum):
    """Why a vote does not count."""

    UNKNOWN_PERSON = "unknown-person"
    NOT_AN_OPTION = "not-an-option"
    ANSWERED_BEFORE = "answered-before"
    ANSWERED_ANEW = "answered-anew"
    """The person's task was reopened, and a later answer took the place of this one."""


@dataclass(frozen=True, slots=True)
class ExcludedVote:
    """A vote that is kept and does not count."""

    vote: Vote
    fault: Fault


@dataclass(frozen=True, slots=True)
class VoteResult:
    """The outcomes of items, and the votes that did not count."""

    outcomes: Mapping[str, Outcome]
    excluded: tuple[ExcludedVote, ...]


Options: TypeAlias = Collection[Value] | Mapping[str, Collection[Value]]
"""What may be answered: of all items, or of each. An item that is not named may have any answer."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """Context of the votes on an item.

    ``people`` may vote (None: everyone), ``reopened`` are (item, person) pairs whose last answer
    counts instead of the first, ``items`` need an outcome even without votes.
    """

    options: Options | None = None
    people: Collection[str] | None = None
    reopened: Collection[tuple[str, str]] = ()
    flags: Sequence[ItemFlag] = ()
    items: Collection[str] = ()
