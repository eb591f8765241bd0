"""Pairs of rows and columns with the greatest sum: the Hungarian method of SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def assigned(overlap: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the pairs of rows and columns with the greatest sum."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(overlap, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
