"""Settings of attention checks and qualification tests in a recipe."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

GRADES: Final = range(1, 5)
"""What a lead gives for a written answer, from 1 (poor) to 4 (very good)."""


@dataclass(frozen=True, slots=True)
class Attention:
    """One unit in ``every`` is a check; whoever failed some in ``failures`` hand-ins is through."""

    every: int
    failures: int = 2


@dataclass(frozen=True, slots=True)
class Passing:
    """Pass criterion of a test: a share of correct answers, or a mean grade given by a lead.

    ``attempts`` is how often somebody may try. ``n_tasks`` of the kind make an attempt: they are
    judged together.
    """

    share: float | None = None
    grade: float | None = None
    attempts: int = 2
    n_tasks: int = 1


class Standing(StrEnum):
    """Qualification status from a test or from attention checks."""

    HANDED_IN = "handed-in"  # a test waits for a lead's grades
    PASSED = "passed"
    FAILED = "failed"  # may be tried once more
    SPENT = "spent"  # failed as often as it may be tried
    WARNED = "warned"
    KEPT_FROM = "kept-from"
    CLEARED = "cleared"  # a lead lets somebody begin anew; nothing from before counts
