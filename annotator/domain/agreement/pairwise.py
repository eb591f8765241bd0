"""Figures that are means over pairs of people: how alike two made the same item, 0 to 1.

An item counts by the mean of its pairs, the figure is the mean of the items, and it is the items
that are drawn again for its interval.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from annotator.domain.agreement.figure import Estimate, Inputs, Parameter
from annotator.domain.agreement.resampling import Bootstrap, Resampled, Watch, intervals
from annotator.domain.agreement.sums import PatternSums, quotient
from annotator.domain.annotation.canonical import Plain, canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class RaterPair(NamedTuple):
    """How alike two people made an item."""

    item: str
    one: str
    other: str
    value: float


class ItemWork(NamedTuple):
    """Work of one person on an item: its content, or what identifies it."""

    item: str
    person: str
    content: Plain


class Compared(NamedTuple):
    """Inputs of the statistics: of all items, and of each item."""

    every: Inputs
    by_item: Mapping[str, Inputs]


def inputs_of(made: Sequence[ItemWork]) -> Compared:
    """Return digests and counts of what was compared, in whatever order it came."""
    ordered: list[ItemWork] = sorted(made, key=lambda each: (each.item, each.person))
    groups = groupby(ordered, key=lambda each: each.item)
    return Compared(_inputs(ordered), {item: _inputs(list(group)) for item, group in groups})


def figures_of_pairs(
    method: str,
    params: Mapping[str, Parameter],
    pairs: Sequence[RaterPair],
    inputs: Compared,
    how: Bootstrap,
    watch: Watch | None = None,
) -> Iterator[Estimate]:
    """Yield the figure over all items, then of each person ("rater") and each item.

    Those of one item have no interval; nothing comes of no pairs. Raises WorkError (``cancelled``)
    when the watch says so.
    """
    if not pairs:
        return
    items = sorted({pair.item for pair in pairs})
    people = sorted({name for pair in pairs for name in (pair.one, pair.other)})
    slot = {name: i + 1 for i, name in enumerate(people)}
    place = {item: i for i, item in enumerate(items)}
    # Slot 0 is everybody: a pair counts there once, and once for each of the two.
    rows = [(place[p.item], s, p.value) for p in pairs for s in (0, slot[p.one], slot[p.other])]
    item, to, value = (np.array(column) for column in zip(*rows, strict=True))
    means = _item_means(item, to, value, (len(items), 1 + len(people)))
    wanted = Resampled(np.arange(len(items)), len(items), means, 1 + len(people))
    ranges = intervals([wanted], how, watch)[0]
    every = {**params, **how.params()}
    for name, mean, low_high in zip(("", *people), wanted.values().tolist(), ranges, strict=True):
        low, high = low_high or (None, None)
        by = "rater" if name else ""
        yield Estimate(method, mean, low, high, inputs.every, every, by=by, name=name)
    of_items = np.bincount(item[to == 0], value[to == 0]) / np.bincount(item[to == 0])
    for name, mean in zip(items, of_items.tolist(), strict=True):
        own = inputs.by_item[name]
        yield Estimate(method, mean, None, None, own, params, by="item", name=name)


def _inputs(made: list[ItemWork]) -> Inputs:
    items, people = {each.item for each in made}, {each.person for each in made}
    digest = hashlib.sha256(canonical_bytes(made)).hexdigest()
    return Inputs(digest, len(items), len(people), len(made))


def _item_means(
    item: NDArray[np.int64],
    to: NDArray[np.int64],
    value: NDArray[np.float64],
    shape: tuple[int, int],
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Return what works out, in each slot, the mean over items of the mean of their pairs."""
    cell, which = np.unique(item * shape[1] + to, return_inverse=True)
    of, slot = np.divmod(cell, shape[1])
    total = PatternSums(of, slot, np.bincount(which, value) / np.bincount(which), shape)
    count = PatternSums(of, slot, np.ones(len(cell)), shape)
    return lambda weights: quotient(total(weights), count(weights))
