"""Bootstrap: how far an estimate moves when the units are drawn again, with repetition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from annotator.domain.errors import WorkError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.agreement.sums import Codes, Columns

Interval: TypeAlias = tuple[float, float] | None
_AT_ONCE: Final = 2_000_000
"""Numbers held at a time, which is also the work between two checks for cancellation."""

_ROWS: Final = 16
"""With fewer draws at a time a product of matrices is slow."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How intervals are made: percentiles of estimates over resamples, the same for the same seed.

    The stream of random bits is that of PCG64, which numpy keeps the same for all time.
    """

    draws: int = 1000
    seed: int = 1
    level: float = 0.95

    def params(self) -> dict[str, str | int | float]:
        """Return the parameters of the interval of an estimate."""
        return {
            "interval": "bootstrap-percentile",
            "generator": "PCG64",
            "draws": self.draws,
            "seed": self.seed,
            "level": self.level,
        }


@dataclass(frozen=True, slots=True)
class Watch:
    """Receiver of the progress (0..1) that may also cancel the computation."""

    on_progress: Callable[[float], object] | None = None
    is_canceled: Callable[[], bool] | None = None

    def look(self, done: float) -> None:
        """Report progress; raises WorkError (``canceled``) if the computation was canceled."""
        self.raise_if_canceled()
        if self.on_progress is not None:
            self.on_progress(done)

    def raise_if_canceled(self) -> None:
        """Raise WorkError (``canceled``) when the answer is no."""
        if self.is_canceled is not None and self.is_canceled():
            raise WorkError("The computation was canceled.", code="canceled")

    def part(self, start: float, end: float) -> Watch:
        """Return a watch over a part of the whole."""
        on_progress = self.on_progress
        if on_progress is None:
            return self
        return Watch(lambda done: on_progress(start + (end - start) * done), self.is_canceled)


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """Several estimates over units: ``pattern`` [units] is the pattern of each unit, one of
    ``n_patterns``. ``width`` is how many numbers one draw needs."""

    pattern: Codes
    n_patterns: int
    compute: Columns
    n_values: int = 1
    width: int = 0

    def values(self) -> NDArray[np.float64]:
        """Return the estimates of the units themselves."""
        if not len(self.pattern):
            return np.full(self.n_values, np.nan)
        weights = np.bincount(self.pattern, minlength=self.n_patterns)[None].astype(np.float64)
        found: NDArray[np.float64] = self.compute(weights)[0]
        return found


def intervals(
    measures: Sequence[Resampled], how: Bootstrap, watch: Watch | None = None
) -> list[list[Interval]]:
    """Return the intervals of all given statistics over the same units.

    A draw in which an estimate is not defined does not count for it. None where there are fewer
    than two units, or no draw counts.
    """
    watch = watch or Watch()
    n = len(measures[0].pattern) if measures else 0
    if n < 2 or how.draws < 1:
        return [[None] * measure.n_values for measure in measures]
    shares: list[list[NDArray[np.float64]]] = [[] for _ in measures]
    n_drawn = 0
    for sample_counts in drawn_units(n, how, max(measure.width for measure in measures)):
        watch.look(n_drawn / how.draws)
        matrices: dict[int, NDArray[np.float64]] = {}
        for measure, rows in zip(measures, shares, strict=True):
            if id(measure.pattern) not in matrices:
                matrices[id(measure.pattern)] = _weights(measure, sample_counts)
            rows.append(measure.compute(matrices[id(measure.pattern)]))
        n_drawn += len(sample_counts)
    watch.look(1.0)
    return [[interval(column, how.level) for column in np.concatenate(rows).T] for rows in shares]


def interval(values: NDArray[np.float64], level: float) -> Interval:
    """Return the range that the middle ``level`` of the values lies in, without those not there."""
    there = values[~np.isnan(values)]
    if not len(there):
        return None
    low, high = np.quantile(there, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return low, high


def drawn_units(n: int, how: Bootstrap, width: int = 0) -> Iterator[Codes]:
    """Yield resamples of n units, some draws [draws, n] at a time: fewer the greater the width."""
    bits = np.random.PCG64(how.seed)
    chunk = max(1, min(_AT_ONCE // n, max(_ROWS, _AT_ONCE // max(n, width))))
    for start in range(0, how.draws, chunk):
        draws = min(chunk, how.draws - start)
        raw = np.asarray(bits.random_raw(draws * n), np.uint64) >> np.uint64(32)
        # The upper 32 bits as a fraction of n: no unit is likelier than another by more than 1e-5.
        drawn = (raw * np.uint64(n)) >> np.uint64(32)
        yield drawn.astype(np.int64).reshape(draws, n)


def _weights(each: Resampled, drawn: Codes) -> NDArray[np.float64]:
    """Return how often each pattern was drawn [draws, patterns]."""
    draws = len(drawn)
    offset = np.arange(draws)[:, None] * each.n_patterns
    flat = (each.pattern[drawn] + offset).ravel()
    counts = np.bincount(flat, minlength=draws * each.n_patterns)
    return counts.reshape(draws, each.n_patterns).astype(np.float64)
