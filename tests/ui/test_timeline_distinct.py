"""Different values in order, as numpy says."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.ui.timeline.model.segment_times import distinct


@pytest.mark.parametrize("values", [[], [3.0], [2.0, -1.0, 2.0, 2.0, 0.5, -1.0]])
def test_values_are_those_of_numpy(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    assert distinct(array).tolist() == np.unique(array).tolist()


def test_pairs_are_ordered_by_the_first_then_the_second() -> None:
    pairs = np.array([[4, 1], [2, 9], [4, 1], [2, 3], [4, 0]], dtype=np.float64)
    found = distinct(pairs[:, 0] + 1j * pairs[:, 1])
    expected = np.unique(pairs, axis=0)
    assert np.stack((found.real, found.imag), 1).tolist() == expected.tolist()
