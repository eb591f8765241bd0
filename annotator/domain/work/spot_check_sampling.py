"""Sampling of new submissions for spot checks by a lead.

The choice follows from a seed and the submissions themselves, not from the order in which they
came, so that it can be repeated and explained.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from annotator.domain.ids import SubmissionId
from annotator.domain.recipes.recipe import SampleBy
from annotator.domain.work.records import Instant
from annotator.domain.work.work_statistics import ReturnRate

DAY_MS: Final = 86_400_000
LEAST_RISK: Final = 0.05

_HALF_FINDINGS: Final = 10


@dataclass(frozen=True, slots=True)
class ReviewCandidate:
    """A submission that may be sampled; ``risk`` is 0 (none known) to 1."""

    submission_id: SubmissionId
    risk: float = 0.0


def is_due(last_at: Instant | None, now: Instant, every_days: int) -> bool:
    """Whether it is time for the next spot check; a clock that went back does not hold it."""
    if last_at is None or now < last_at:
        return True
    return now - last_at >= every_days * DAY_MS


def risk(rate: ReturnRate | None, n_findings: int = 0, agreement: float | None = None) -> float:
    """Return the estimated risk of an error in a submission, 0..1.

    The largest of three risks: the return rate of the author, the number of findings (ten are one
    half), and the disagreement with the previous state.
    """
    right = 1.0 - (rate.rate if rate is not None else 0.0)
    right *= _HALF_FINDINGS / (n_findings + _HALF_FINDINGS)
    return 1.0 - right * (agreement if agreement is not None else 1.0)


def spot_check(
    candidates: Iterable[ReviewCandidate], share: float, *, by: SampleBy, seed: str
) -> tuple[SubmissionId, ...]:
    """Return a share (0..1, rounded up) of the candidates, highest risk first.

    By risk the probability of a submission grows with its risk, and is never zero.
    """
    known = {c.submission_id: c.risk for c in candidates}
    wanted = math.ceil(round(share * len(known), 9))
    keys = {each: _key(seed, each, _weight(known[each], by)) for each in known}
    return tuple(sorted(known, key=lambda each: (-keys[each], each))[:wanted])


def _weight(risk: float, by: SampleBy) -> float:
    return 1.0 if by is SampleBy.RANDOM else max(LEAST_RISK, min(risk, 1.0))


def _key(seed: str, submission_id: SubmissionId, weight: float) -> float:
    """Return a random number whose order draws without replacement, in proportion to the weight."""
    digest = hashlib.sha256(f"{seed}\n{submission_id}".encode()).digest()
    chance = (int.from_bytes(digest[:8], "big") + 1) / 2.0**64
    return math.log(chance) / weight
