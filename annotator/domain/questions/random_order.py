"""Reproducible random order and samples, from a seed and a name."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Lot:
    """A stream of random numbers that depends only on its seed and its words.

    Each question, pair or video gets a lot of its own, so that one more of them changes no other's.
    """

    def __init__(self, seed: int, *words: str) -> None:
        # Of Python's generator, the stream of `random` alone is promised to stay as it is.
        self._next = Random("\x1f".join((str(seed), *words))).random

    def share(self) -> float:
        """Return a number in [0, 1)."""
        return self._next()

    def below(self, n: int) -> int:
        """Return a whole number in 0 … n - 1."""
        return min(n - 1, int(self._next() * n))

    def weighted(self, weights: Sequence[float]) -> int:
        """Return an index with a probability in proportion to its weight, which some must have."""
        total = sum(weights)
        if total <= 0:
            raise ValueError("nothing has a weight")
        rest = self._next() * total
        last = 0
        for i, weight in enumerate(weights):
            if weight <= 0:
                continue
            if rest < weight:
                return i
            rest -= weight
            last = i
        return last  # rounding

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return the values in an order in which each place is as likely for each."""
        found = list(values)
        for i in range(len(found) - 1, 0, -1):
            j = self.below(i + 1)
            found[i], found[j] = found[j], found[i]
        return found
