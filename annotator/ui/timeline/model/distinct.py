"""Numbers without doubles."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

N = TypeVar("N", np.float64, np.complex128)


def distinct(values: NDArray[N]) -> NDArray[N]:
    """Return the different values of a flat array, ascending; a pair is a complex number.

    As ``numpy.unique``, which would load numpy's masked arrays while the window waits for it.
    """
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]
