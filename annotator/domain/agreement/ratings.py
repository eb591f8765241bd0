"""The rating table (rater, item, value) that agreement is computed from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from annotator.domain.agreement.estimate import Inputs
from annotator.domain.annotation.canonical import canonical_bytes
from annotator.domain.votes.outcome import Value, in_order, is_sound

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Codes: TypeAlias = NDArray[np.int64]

MISSING: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Votes as codes: vote i is of unit ``unit[i]``, by rater ``rater[i]``, for ``code[i]``.

    The arrays are int64 [votes], ascending by unit, then by rater; each indexes the names beside
    it. A rater has at most one vote on a unit. Ordinal estimates use the order of ``categories``.
    """

    units: tuple[str, ...]
    raters: tuple[str, ...]
    categories: tuple[Value, ...]
    unit: Codes
    rater: Codes
    code: Codes
    _digests: list[str] = field(default_factory=list, repr=False)

    @classmethod
    def of(
        cls,
        votes: Iterable[tuple[str, str, Value | None]],
        categories: Sequence[Value] | None = None,
    ) -> Ratings:
        """Return the table of (unit, rater, value) in any order.

        None and NaN are no votes. Of several votes of one rater on a unit the first counts.
        Without ``categories`` those that occur are taken, ascending. Raises ValueError for a value
        that is not among them.
        """
        sound_votes = [
            (u, r, value) for u, r, value in votes if value is not None and is_sound(value)
        ]
        names = (
            sorted({unit for unit, _, _ in sound_votes}),
            sorted({rater for _, rater, _ in sound_votes}),
        )
        values = in_order({value for _, _, value in sound_votes})
        if categories is not None:
            if stray := set(values) - set(categories):
                raise ValueError(f"not among the options: {in_order(stray)[0]!r}")
            values = list(categories)
        return cls._sorted(
            tuple(names[0]),
            tuple(names[1]),
            tuple(values),
            _coded((unit for unit, _, _ in sound_votes), names[0]),
            _coded((rater for _, rater, _ in sound_votes), names[1]),
            _coded((value for _, _, value in sound_votes), values),
        )

    @classmethod
    def of_table(cls, table: ArrayLike) -> Ratings:
        """Return the ratings of a table of numbers [units, raters]; NaN where there is no vote."""
        numbers = np.asarray(table, np.float64)
        unit, rater = np.nonzero(~np.isnan(numbers))
        values, code = np.unique(numbers[unit, rater], return_inverse=True)
        names = tuple(tuple(str(i) for i in range(n)) for n in numbers.shape)
        return cls._sorted(names[0], names[1], tuple(values.tolist()), unit, rater, code)

    @classmethod
    def _sorted(
        cls,
        units: tuple[str, ...],
        raters: tuple[str, ...],
        categories: tuple[Value, ...],
        unit: Codes,
        rater: Codes,
        code: Codes,
    ) -> Ratings:
        """Sort votes by unit and rater; of equal ones the first stays."""
        _, first = np.unique(unit * max(len(raters), 1) + rater, return_index=True)
        return cls(units, raters, categories, unit[first], rater[first], code[first])

    def __len__(self) -> int:
        return len(self.code)

    def table(self) -> Codes:
        """Return the codes as a table [units, raters], -1 where there is no vote."""
        found = np.full((len(self.units), len(self.raters)), MISSING)
        found[self.unit, self.rater] = self.code
        return found

    def subset(self, at: Codes) -> Ratings:
        """Return the votes at some positions (ascending), with the remaining units and raters."""
        units, unit = np.unique(self.unit[at], return_inverse=True)
        raters, rater = np.unique(self.rater[at], return_inverse=True)
        return Ratings(
            tuple(self.units[i] for i in units.tolist()),
            tuple(self.raters[i] for i in raters.tolist()),
            self.categories,
            unit,
            rater,
            self.code[at],
        )

    def numbers(self) -> NDArray[np.float64]:
        """Return the categories as numbers [categories].

        Raises ValueError when one of them is none: such votes have an order at most.
        """
        if not all(isinstance(value, int | float) for value in self.categories):
            raise ValueError("distances between answers that are no numbers are not defined")
        return np.array(self.categories, np.float64)

    def inputs(self) -> Inputs:
        """Return the digest and the counts of all that is in the table."""
        if not self._digests:
            head = canonical_bytes([self.units, self.raters, self.categories])
            found = hashlib.sha256(head)
            for column in (self.unit, self.rater, self.code):
                found.update(column.astype("<i8").tobytes())
            self._digests.append(found.hexdigest())
        said = len(np.unique(self.unit)), len(np.unique(self.rater))
        return Inputs(self._digests[0], *said, len(self))

    def inputs_by_unit(self) -> Iterator[tuple[str, Inputs]]:
        """Yield name, digest and counts of each unit with votes."""
        unit, rater, code = (each.tolist() for each in (self.unit, self.rater, self.code))
        for place, group in groupby(range(len(unit)), key=unit.__getitem__):
            at = list(group)
            who = [self.raters[rater[i]] for i in at]
            said = [self.categories[code[i]] for i in at]
            yield self.units[place], _inputs_of(self.units[place], who, said)


def _inputs_of(unit: str, raters: Sequence[str], values: Sequence[Value]) -> Inputs:
    digest = hashlib.sha256(canonical_bytes([unit, raters, values])).hexdigest()
    return Inputs(digest, 1, len(raters), len(raters))


def _coded(values: Iterable[Value], known: Sequence[Value]) -> Codes:
    place = {value: i for i, value in enumerate(known)}
    return np.fromiter(map(place.__getitem__, values), np.int64)
