"""All estimates of agreement over the fields of forms, as a table shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from annotator.domain.agreement.estimate import Estimate
from annotator.domain.agreement.measures import METHODS, Method, Scale, estimates_by
from annotator.domain.agreement.ratings import Ratings
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.agreement.vote_counts import by_item as shares_by_item
from annotator.domain.votes.outcome import Value, as_set
from annotator.domain.votes.texts import normalized

if TYPE_CHECKING:
    from annotator.domain.agreement.sums import Codes

OF_OPTIONS: Final = (Method.PERCENT, Method.ALPHA_NOMINAL)
"""Methods for each option of a set, checked or not."""


@dataclass(frozen=True, slots=True)
class FieldVotes:
    """A field of a form with its votes (item, person, value), in order of submission.

    ``options`` are in the order of an ordinal scale; None: the answers, ascending. Texts that
    differ in spelling only (``is_text``) count as one answer.
    """

    votes: Sequence[tuple[str, str, Value]]
    scale: Scale = Scale.NOMINAL
    options: tuple[Value, ...] | None = None
    is_text: bool = False


Groups: TypeAlias = Mapping[str, Mapping[str, str | tuple[str, ...]]]
"""By what to group ("question", "tag"), and the group of each item, or all that it is in; items may
be left out."""

TASK_TYPE: Final = "task type"
"""What the estimate over all fields of a form is of."""


def report(
    votes_by_field: Mapping[str, FieldVotes],
    groups: Groups | None = None,
    how: Bootstrap | None = None,
    watch: Watch | None = None,
    *,
    by_item: bool = False,
) -> tuple[Estimate, ...]:
    """Return the estimates of each field: of all its votes, of each rater, option and group, and if
    wished of each item; of several fields also the share of agreement over all of them.

    Of one item there is percent agreement only: with nothing beside it, chance could not have done
    worse. Raises WorkError (``canceled``) when the watch says so.
    """
    watch = watch or Watch()
    tables = {name: _ratings(table) for name, table in votes_by_field.items()}
    parts = [
        part
        for name, table in votes_by_field.items()
        for part in _parts(name, table, tables[name], groups)
    ]
    if len(tables) > 1:
        parts.append(_Part("", _together(tables), (Method.PERCENT,), TASK_TYPE))
    sizes = np.cumsum([0, *(len(part.ratings) + 1 for part in parts)])
    ends = (sizes / sizes[-1]).tolist() if parts else []
    estimates: list[Estimate] = []
    for part, start, end in zip(parts, ends, ends[1:], strict=False):
        estimate_list = estimates_by(
            part.ratings, part.methods, how, by_rater=not part.by, watch=watch.part(start, end)
        )
        estimates += [
            replace(f, field=part.field, by=part.by or f.by, name=part.name or f.name)
            for f in estimate_list
        ]
    for name, ratings in tables.items() if by_item else ():
        estimates += _items(name, ratings, watch)
    return tuple(estimates)


@dataclass(frozen=True, slots=True)
class _Part:
    field: str
    ratings: Ratings
    methods: tuple[Method, ...]
    by: str = ""
    name: str = ""


def _parts(
    field: str, asked: FieldVotes, ratings: Ratings, groups: Groups | None
) -> Iterator[_Part]:
    methods = METHODS[asked.scale]
    yield _Part(field, ratings, methods)
    if _is_set(asked):
        yield from _options(field, asked)
    for by, group_of in (groups or {}).items():
        for name, kept in _split(ratings, group_of):
            yield _Part(field, kept, methods, by, name)


def _items(field: str, ratings: Ratings, watch: Watch) -> Iterator[Estimate]:
    """Yield the share of agreement on each item that two people answered."""
    shares = shares_by_item(ratings)
    for unit, inputs in ratings.inputs_by_unit():
        watch.raise_if_canceled()
        if unit in shares:
            yield Estimate(
                Method.PERCENT, shares[unit], None, None, inputs, field=field, by="item", name=unit
            )


def _together(tables: Mapping[str, Ratings]) -> Ratings:
    """Return the votes on all fields as one table: each field of an item is a unit."""
    return Ratings.of(
        (f"{field} {ratings.units[unit]}", ratings.raters[rater], ratings.categories[code])
        for field, ratings in tables.items()
        for unit, rater, code in zip(
            ratings.unit.tolist(), ratings.rater.tolist(), ratings.code.tolist(), strict=True
        )
    )


def _is_set(asked: FieldVotes) -> bool:
    return any(isinstance(value, tuple) for _, _, value in asked.votes)


def _ratings(asked: FieldVotes) -> Ratings:
    if _is_set(asked):
        return Ratings.of((item, who, as_set(_ticked(value))) for item, who, value in asked.votes)
    if asked.is_text:
        return Ratings.of((item, who, normalized(str(value))) for item, who, value in asked.votes)
    return Ratings.of(asked.votes, asked.options)


def _options(field: str, asked: FieldVotes) -> Iterator[_Part]:
    """Yield a part for each option of a set: whether it was ticked."""
    options = asked.options or sorted({o for _, _, value in asked.votes for o in _ticked(value)})
    for option in options:
        votes = ((item, who, option in _ticked(value)) for item, who, value in asked.votes)
        yield _Part(field, Ratings.of(votes, (False, True)), OF_OPTIONS, "option", str(option))


def _split(
    ratings: Ratings, group_of: Mapping[str, str | tuple[str, ...]]
) -> Iterator[tuple[str, Ratings]]:
    """Yield the votes of each group, by name."""
    units: dict[str, list[int]] = {}
    for i, unit in enumerate(ratings.units):
        found = group_of.get(unit, ())
        for name in (found,) if isinstance(found, str) else dict.fromkeys(found):
            units.setdefault(name, []).append(i)
    starts = np.searchsorted(ratings.unit, np.arange(len(ratings.units) + 1))
    for name in sorted(units):
        yield name, ratings.subset(_within(starts, np.array(units[name], np.int64)))


def _within(starts: Codes, chosen: Codes) -> Codes:
    """Return the places of all votes of some units (ascending), each beginning at its start."""
    sizes = starts[chosen + 1] - starts[chosen]
    before = np.cumsum(sizes) - sizes
    found: Codes = np.arange(sizes.sum()) + np.repeat(starts[chosen] - before, sizes)
    return found


def _ticked(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)
