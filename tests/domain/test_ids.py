from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

from annotator.domain.ids import new_id


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
