"""Estimates that are means over pairs of people, of answers and of drawn work alike.

An item counts by the mean of its pairs, the estimate is the mean of the items, and it is the items
that are drawn again for its interval.

For each two people who worked on an item: the overlap of their boxes, which objects both have, the
places of their points, their actions and sounds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, groupby
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from annotator.domain.agreement.documents import average_jaccard, box_iou, object_f1, segment_f1
from annotator.domain.agreement.estimate import Estimate, Inputs, Parameter
from annotator.domain.agreement.position_errors import offsets
from annotator.domain.agreement.rater_pairs import Assign
from annotator.domain.agreement.resampling import Bootstrap, Resampled, Watch, intervals
from annotator.domain.agreement.sums import PatternSums, quotient
from annotator.domain.annotation.canonical import Plain, canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from annotator.domain.annotation.document import Document


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
    """Return digests and counts of the compared work, independent of its order."""
    ordered: list[ItemWork] = sorted(made, key=lambda each: (each.item, each.person))
    groups = groupby(ordered, key=lambda each: each.item)
    return Compared(_inputs(ordered), {item: _inputs(list(group)) for item, group in groups})


def estimates_of_pairs(
    method: str,
    params: Mapping[str, Parameter],
    pairs: Sequence[RaterPair],
    inputs: Compared,
    how: Bootstrap,
    watch: Watch | None = None,
) -> Iterator[Estimate]:
    """Yield the estimate over all items, then of each person ("rater") and each item.

    Estimates of one item have no interval; without pairs nothing is yielded. Raises WorkError
    (``canceled``) when the watch is canceled.
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
    resampled = Resampled(np.arange(len(items)), len(items), means, 1 + len(people))
    ranges = intervals([resampled], how, watch)[0]
    every = {**params, **how.params()}
    for name, mean, low_high in zip(
        ("", *people), resampled.values().tolist(), ranges, strict=True
    ):
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


TIOUS: Final = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Shares of common time from which two segments are taken for the same, an estimate for each."""


class SubmittedWork(NamedTuple):
    """Work of one person on an item; ``digest`` identifies its content (that of the submission)."""

    item_id: str
    person_id: str
    document: Document
    digest: str


def between(
    works: Iterable[SubmittedWork],
    assign: Assign,
    how: Bootstrap | None = None,
    watch: Watch | None = None,
) -> tuple[Estimate, ...]:
    """Return the estimates over all items, then of each person ("rater") and each item, last how
    far apart people draw the same things of each class ("label").

    The works on an item come one after another, and are not kept: a whole project fits. A method by
    which nothing can be said is left out. Raises WorkError (``canceled``) when canceled.
    """
    how, watch = how or Bootstrap(), watch or Watch()
    item_work: list[ItemWork] = []
    pairs_of: list[list[RaterPair]] = [[] for _ in _METHODS]
    noise: dict[tuple[str, str], list[RaterPair]] = {}
    for item, group in groupby(works, key=lambda work: work.item_id):
        theirs = sorted(group, key=lambda work: work.person_id)
        item_work += [ItemWork(item, work.person_id, work.digest) for work in theirs]
        for one, other in combinations(theirs, 2):
            watch.raise_if_canceled()
            for pairs, (_, _, compare) in zip(pairs_of, _METHODS, strict=True):
                value = compare(one.document, other.document, assign)
                if value is not None:
                    pairs.append(RaterPair(item, one.person_id, other.person_id, value))
            for key, values in _by_label(one.document, other.document, assign).items():
                pair = RaterPair(item, one.person_id, other.person_id, fmean(values))
                noise.setdefault(key, []).append(pair)
    inputs = inputs_of(item_work)
    quiet = Watch(is_canceled=watch.is_canceled)
    estimates = [
        estimate
        for pairs, (name, params, _) in zip(pairs_of, _METHODS, strict=True)
        for estimate in estimates_of_pairs(name, params, pairs, inputs, how, quiet)
    ]
    for (method, label), pairs in sorted(noise.items()):
        over_all = next(estimates_of_pairs(method, {}, pairs, inputs, how, quiet))
        estimates.append(replace(over_all, by="label", name=label))
    return tuple(estimates)


def _by_label(one: Document, other: Document, assign: Assign) -> dict[tuple[str, str], list[float]]:
    """Return by method and label how far apart two people drew what both have."""
    found: dict[tuple[str, str], list[float]] = {}
    for method, label, value in offsets(one, other, assign):
        found.setdefault((method, label), []).append(value)
    return found


_Method: TypeAlias = "tuple[str, dict[str, Parameter], Callable[..., float | None]]"
_BY_TIOU: Final[list[_Method]] = [
    ("segment-f1", {"tiou": tiou}, partial(segment_f1, tiou=tiou)) for tiou in TIOUS
]
_METHODS: Final[list[_Method]] = [
    ("box-iou", {}, box_iou),
    ("object-f1", {}, object_f1),
    ("average-jaccard", {}, average_jaccard),
    *_BY_TIOU,
]
