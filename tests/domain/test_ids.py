from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from uuid import UUID

from annotator.domain.ids import id_between, item_id, new_id


def test_ids_are_version_7_and_ascend_also_within_a_millisecond():
    made = [new_id() for _ in range(10_000)]
    assert made == sorted(set(made))
    assert {UUID(i).version for i in made} == {7}


def test_ids_made_by_several_threads_never_collide():
    with ThreadPoolExecutor(4) as pool:
        made = [
            i
            for part in pool.map(lambda _: [new_id() for _ in range(2_000)], range(4))
            for i in part
        ]
    assert len(set(made)) == 8_000


def test_an_identifier_between_two_looks_as_if_it_had_been_made_there() -> None:
    made = [item_id() for _ in range(200)]
    for low, high in pairwise(made):
        found = id_between(low, high)
        assert low < found < high
        assert _tick(low) < _tick(found) < _tick(high)
    assert id_between("", made[0]) < made[0]
    early, late = "01a1fdd1-c3f7-7000-8000-000000000000", "01a1fdd1-c3ff-7000-8000-000000000000"
    assert id_between(early, late).startswith("01a1fdd1-c3f7-700")
    assert id_between("", late) < late


def _tick(identifier: str) -> str:
    """Return what is not drawn by lot: milliseconds and counter."""
    return identifier[:18]
