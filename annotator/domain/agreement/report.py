"""All figures of agreement over the fields of forms, as a table shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from annotator.domain.agreement.figure import Figure
from annotator.domain.agreement.measures import METHODS, Method, Scale, figures
from annotator.domain.agreement.ratings import Ratings
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.votes.texts import normalised
from annotator.domain.votes.vote import Value, as_set

OF_OPTIONS: Final = (Method.PERCENT, Method.ALPHA_NOMINAL)
"""What is worked out for each option of a set: was it ticked or not."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A field of a form with its votes (item, person, value), in the order they were handed in.

    ``options`` are in the order that an ordinal scale goes by; None: what was answered, ascending.
    Texts that are the same but for spelling (``is_text``) count as one answer.
    """

    votes: Sequence[tuple[str, str, Value]]
    scale: Scale = Scale.NOMINAL
    options: tuple[Value, ...] | None = None
    is_text: bool = False


Groups = Mapping[str, Mapping[str, str]]
"""By what to group ("question", "task type"), and the group of each item; items may be left out."""


def report(
    asked: Mapping[str, Asked],
    groups: Groups | None = None,
    how: Bootstrap | None = None,
    watch: Watch | None = None,
) -> tuple[Figure, ...]:
    """Return the figures of each field: of all its votes, of each rater, option and group.

    Raises WorkError (``cancelled``) when the watch says so.
    """
    watch = watch or Watch()
    parts = [part for name, each in asked.items() for part in _parts(name, each, groups or {})]
    sizes = np.cumsum([0, *(len(part.ratings) + 1 for part in parts)])
    ends = (sizes / sizes[-1]).tolist() if parts else []
    found: list[Figure] = []
    for part, start, end in zip(parts, ends, ends[1:], strict=False):
        made = figures(
            part.ratings, part.methods, how, by_rater=not part.by, watch=watch.part(start, end)
        )
        found += [
            replace(f, field=part.field, by=part.by or f.by, name=part.name or f.name) for f in made
        ]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Part:
    field: str
    ratings: Ratings
    methods: tuple[Method, ...]
    by: str = ""
    name: str = ""


def _parts(field: str, asked: Asked, groups: Groups) -> Iterator[_Part]:
    is_set = any(isinstance(value, tuple) for _, _, value in asked.votes)
    ratings = _ratings(asked, is_set)
    methods = METHODS[asked.scale]
    yield _Part(field, ratings, methods)
    if is_set:
        yield from _options(field, asked)
    for by, group_of in groups.items():
        for name, kept in _split(ratings, group_of):
            yield _Part(field, kept, methods, by, name)


def _ratings(asked: Asked, is_set: bool) -> Ratings:
    if is_set:
        return Ratings.of((item, who, as_set(_ticked(value))) for item, who, value in asked.votes)
    if asked.is_text:
        return Ratings.of((item, who, normalised(str(value))) for item, who, value in asked.votes)
    return Ratings.of(asked.votes, asked.options)


def _options(field: str, asked: Asked) -> Iterator[_Part]:
    """Yield a part for each option of a set: whether it was ticked."""
    options = asked.options or sorted({o for _, _, value in asked.votes for o in _ticked(value)})
    for option in options:
        votes = ((item, who, option in _ticked(value)) for item, who, value in asked.votes)
        yield _Part(field, Ratings.of(votes, (False, True)), OF_OPTIONS, "option", str(option))


def _split(ratings: Ratings, group_of: Mapping[str, str]) -> Iterator[tuple[str, Ratings]]:
    """Yield the votes of each group, by name."""
    names = sorted({group_of[unit] for unit in ratings.units if unit in group_of})
    place = {name: i for i, name in enumerate(names)}
    group = np.array([place[group_of[u]] if u in group_of else -1 for u in ratings.units], np.int64)
    of_vote = group[ratings.unit]
    order = np.argsort(of_vote, kind="stable")
    ends = np.searchsorted(of_vote[order], np.arange(len(names) + 1))
    for i, name in enumerate(names):
        yield name, ratings.kept(order[ends[i] : ends[i + 1]])


def _ticked(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)
