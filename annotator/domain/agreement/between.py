"""Figures of agreement over documents that several people made of the same items.

For each two people who worked on an item: the overlap of their boxes, which objects both have, the
places of their points, their actions and sounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import combinations, groupby
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from annotator.domain.agreement.documents import average_jaccard, box_iou, object_f1, segment_f1
from annotator.domain.agreement.errors import offsets
from annotator.domain.agreement.figure import Estimate, Parameter
from annotator.domain.agreement.pairing import Assign
from annotator.domain.agreement.pairwise import ItemWork, RaterPair, figures_of_pairs, inputs_of
from annotator.domain.agreement.resampling import Bootstrap, Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotator.domain.annotation.document import Document

TIOUS: Final = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Shares of common time from which two segments are taken for the same, a figure for each."""


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
    """Return the figures over all items, then of each person ("rater") and each item, last how far
    apart people draw the same things of each class ("label").

    The works on an item come one after another, and are not kept: a whole project fits. A method
    by which nothing can be said is left out. Raises WorkError (``cancelled``) when told to stop.
    """
    how, watch = how or Bootstrap(), watch or Watch()
    made: list[ItemWork] = []
    found: list[list[RaterPair]] = [[] for _ in _METHODS]
    noise: dict[tuple[str, str], list[RaterPair]] = {}
    for item, group in groupby(works, key=lambda work: work.item_id):
        theirs = sorted(group, key=lambda work: work.person_id)
        made += [ItemWork(item, work.person_id, work.digest) for work in theirs]
        for one, other in combinations(theirs, 2):
            watch.stop_if_told()
            for pairs, (_, _, compare) in zip(found, _METHODS, strict=True):
                value = compare(one.document, other.document, assign)
                if value is not None:
                    pairs.append(RaterPair(item, one.person_id, other.person_id, value))
            for key, values in _by_label(one.document, other.document, assign).items():
                pair = RaterPair(item, one.person_id, other.person_id, fmean(values))
                noise.setdefault(key, []).append(pair)
    inputs = inputs_of(made)
    quiet = Watch(is_cancelled=watch.is_cancelled)
    figures = [
        figure
        for pairs, (name, params, _) in zip(found, _METHODS, strict=True)
        for figure in figures_of_pairs(name, params, pairs, inputs, how, quiet)
    ]
    for (method, label), pairs in sorted(noise.items()):
        over_all = next(figures_of_pairs(method, {}, pairs, inputs, how, quiet))
        figures.append(replace(over_all, by="label", name=label))
    return tuple(figures)


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
