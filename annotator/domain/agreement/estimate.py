"""An estimate: a number with all that is needed to compute it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

Parameter: TypeAlias = str | int | float
VERSION: Final = 1
"""Version of the methods; raised if one of them gives other results for equal inputs."""


class Missing(StrEnum):
    """Why an estimate has no value."""

    NO_VOTES = "no-votes"
    """No votes."""
    ONE_RATER = "one-rater"
    """All votes are one person's."""
    NO_PAIR = "no-pair"
    """No unit has votes of two people."""
    FEW_COMMON = "few-common"
    """No two people answered enough of the same units."""
    ONE_VALUE = "one-value"
    """Everybody said the same all along: there is nothing chance could have been worse at."""
    NO_CASE = "no-case"
    """Nothing is there that the estimate is about."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs of a statistic; ``digest`` is a SHA-256 over all of them."""

    digest: str
    units: int
    raters: int
    votes: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic by a named method, with its bootstrap interval.

    ``value`` is None when the estimate is not defined, and ``reason`` says why. ``low`` and
    ``high`` are None without an interval (no value, or fewer than two units). ``field`` is the
    question, ``by`` and ``name`` say which part of it ("question", "Who moved the cup?").
    """

    method: str
    value: float | None
    low: float | None
    high: float | None
    inputs: Inputs
    params: Mapping[str, Parameter] = field(default_factory=dict)
    reason: Missing | None = None
    field: str = ""
    by: str = ""
    name: str = ""


COLUMNS: Final = (
    "field",
    "by",
    "name",
    "method",
    "value",
    "low",
    "high",
    "reason",
    "units",
    "raters",
    "votes",
    "parameters",
    "version",
    "digest",
)
"""The head of a table of estimates."""


def params_text(params: Mapping[str, object]) -> str:
    """Return the parameters of a method as one text, as in "draws=1000 seed=1"."""
    return " ".join(f"{key}={value}" for key, value in sorted(params.items()))


def table(estimates: Iterable[Estimate]) -> Iterator[tuple[str, ...]]:
    """Yield a row of texts under `COLUMNS` for each estimate; numbers read back as they were."""
    for estimate in estimates:
        inputs = estimate.inputs
        numbers = (estimate.value, estimate.low, estimate.high)
        yield (
            estimate.field,
            estimate.by,
            estimate.name,
            estimate.method,
            *("" if number is None else repr(float(number)) for number in numbers),
            estimate.reason.value if estimate.reason is not None else "",
            *(str(n) for n in (inputs.units, inputs.raters, inputs.votes)),
            params_text(estimate.params),
            str(VERSION),
            inputs.digest,
        )
