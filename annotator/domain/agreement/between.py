"""Figures of agreement over documents that several people made of the same items.

For each two people who worked on an item: the overlap of their boxes, which objects both have, the
places of their points, their actions and sounds. An item counts by the mean of its pairs, the
figure is the mean of the items, and it is the items that are drawn again for its interval.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from annotator.domain.agreement.boxes import box_iou, object_f1
from annotator.domain.agreement.figure import Figure, Inputs, Parameter
from annotator.domain.agreement.matching import Assign
from annotator.domain.agreement.points import average_jaccard
from annotator.domain.agreement.resampling import Bootstrap, Resampled, Watch, intervals
from annotator.domain.agreement.segments import segment_f1
from annotator.domain.agreement.sums import Sums, quotient
from annotator.domain.canonical import canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from annotator.domain.document import Document

TIOUS: Final = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Shares of common time from which two segments are taken for the same, a figure for each."""


class Work(NamedTuple):
    """What one person made of an item; ``digest`` names its content (that of the submission)."""

    item_id: str
    person_id: str
    document: Document
    digest: str


def between(
    works: Iterable[Work],
    assign: Assign,
    how: Bootstrap | None = None,
    watch: Watch | None = None,
) -> tuple[Figure, ...]:
    """Return the figures over all items, then of each person ("rater") and each item.

    Those of one item have no interval. A method that nothing can be said by is left out. Raises
    WorkError (``cancelled``) when the watch says so.
    """
    how, watch = how or Bootstrap(), watch or Watch()
    made = sorted(works, key=lambda work: (work.item_id, work.person_id))
    by_item: dict[str, list[Work]] = {}
    for work in made:
        by_item.setdefault(work.item_id, []).append(work)
    found: dict[int, list[_Pair]] = {}
    for i, (item, theirs) in enumerate(by_item.items()):
        watch.look(i / len(by_item))
        for one, other in combinations(theirs, 2):
            for k, (_, _, compare) in enumerate(_METHODS):
                value = compare(one.document, other.document, assign)
                if value is not None:
                    found.setdefault(k, []).append(
                        _Pair(item, one.person_id, other.person_id, value)
                    )
    inputs = _inputs(made)
    return tuple(
        figure
        for k, (name, params, _) in enumerate(_METHODS)
        if k in found
        for figure in _figures(name, params, found[k], inputs, how)
    )


class _Pair(NamedTuple):
    item: str
    one: str
    other: str
    value: float


def _figures(
    method: str, params: Mapping[str, Parameter], pairs: list[_Pair], inputs: Inputs, how: Bootstrap
) -> Iterator[Figure]:
    items = sorted({pair.item for pair in pairs})
    people = sorted({name for pair in pairs for name in (pair.one, pair.other)})
    slot = {name: i + 1 for i, name in enumerate(people)}
    place = {item: i for i, item in enumerate(items)}
    # Slot 0 is everybody: a pair counts there once, and once for each of the two.
    rows = [(place[p.item], s, p.value) for p in pairs for s in (0, slot[p.one], slot[p.other])]
    item, to, value = (np.array(column) for column in zip(*rows, strict=True))
    means = _item_means(item, to, value, (len(items), 1 + len(people)))
    wanted = Resampled(np.arange(len(items)), len(items), means, 1 + len(people))
    ranges = intervals([wanted], how)[0]
    every = {**params, **how.params()}
    for name, mean, low_high in zip(("", *people), wanted.values().tolist(), ranges, strict=True):
        low, high = low_high or (None, None)
        by = "rater" if name else ""
        yield Figure(method, mean, low, high, inputs, every, by=by, name=name)
    of_items = np.bincount(item[to == 0], value[to == 0]) / np.bincount(item[to == 0])
    for name, mean in zip(items, of_items.tolist(), strict=True):
        yield Figure(method, mean, None, None, inputs, params, by="item", name=name)


def _item_means(
    item: NDArray[np.int64],
    to: NDArray[np.int64],
    value: NDArray[np.float64],
    shape: tuple[int, int],
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Return what works out, in each slot, the mean over items of the mean of their pairs."""
    cell, which = np.unique(item * shape[1] + to, return_inverse=True)
    of, slot = np.divmod(cell, shape[1])
    total = Sums(of, slot, np.bincount(which, value) / np.bincount(which), shape)
    count = Sums(of, slot, np.ones(len(cell)), shape)
    return lambda weights: quotient(total(weights), count(weights))


def _inputs(works: list[Work]) -> Inputs:
    body = canonical_bytes([(w.item_id, w.person_id, w.digest) for w in works])
    n_items = len({work.item_id for work in works})
    n_people = len({work.person_id for work in works})
    return Inputs(hashlib.sha256(body).hexdigest(), n_items, n_people, len(works))


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
