"""Settings of attention checks, gold tasks and qualification tests in a recipe."""

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
class Gold:
    """Gold tasks among drawn work: one task in ``every`` repeats one whose result is known.

    The first ``training`` of a person are for training: they are announced as such, and the known
    result is shown after submission. Of the others the last ``last`` are looked at: ``warn`` of
    them out of limits warn the person, ``suspend`` of them end their work on the kind. Limits: mean
    overlap of boxes ``min_iou`` (0 to 1), mean distance of points ``max_px`` (image pixels), mean
    offset of segment edges ``max_ms`` (milliseconds), F1 of what was drawn ``min_found`` (0 to 1).
    """

    every: int
    training: int = 0
    last: int = 5
    warn: int = 1
    suspend: int = 2
    min_iou: float = 0.7
    max_px: float = 8.0
    max_ms: float = 500.0
    min_found: float = 0.8


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


class QualificationStatus(StrEnum):
    """Qualification status from a test or from attention checks."""

    HANDED_IN = "handed-in"  # a test waits for a lead's grades
    PASSED = "passed"
    FAILED = "failed"  # may be tried once more
    SPENT = "spent"  # failed as often as it may be tried
    WARNED = "warned"
    KEPT_FROM = "kept-from"
    CLEARED = "cleared"  # a lead lets somebody begin anew; nothing from before counts
