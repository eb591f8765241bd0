"""Matching of the annotations of two people."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Pairs: TypeAlias = list[tuple[int, int]]
Assign: TypeAlias = Callable[["NDArray[np.float64]"], Pairs]
"""Pairs rows and columns of a table of overlaps so that the sum of their overlaps is greatest."""


def matched(overlap: NDArray[np.float64], assign: Assign) -> Pairs:
    """Return pairs of rows and columns that overlap, none of them twice, the sum greatest.

    ``assign`` is asked only where there is a choice.
    """
    is_some = overlap > 0
    if is_some.size and (is_some.sum(0).max() > 1 or is_some.sum(1).max() > 1):
        return [(i, j) for i, j in assign(overlap) if is_some[i, j]]
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(is_some), strict=True)]
