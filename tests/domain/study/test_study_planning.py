"""The plan of a study: whole whenever there is one, and fair to items and to people."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_flow

from annotator.domain.ids import ItemId, PersonId
from annotator.domain.study.assignment_plan import plan_study
from annotator.domain.study.design import Design, Plan, StudyAssignment, StudyItem

BOTH = ("sound", "muted")


def _people(n: int) -> list[PersonId]:
    return [PersonId(f"person {i}") for i in range(n)]


def _alone(n: int) -> list[StudyItem]:
    """Items that have a video each."""
    return [StudyItem(ItemId(f"item {i}"), (f"video {i}",)) for i in range(n)]


def _check(design: Design, items: list[StudyItem], plan: Plan) -> None:
    """Whatever was dealt keeps the rules."""
    known = {each.item_id: each for each in items}
    pairs = [(part.item_id, part.person_id) for part in plan.parts]
    assert len(set(pairs)) == len(pairs)
    seen: dict[tuple[PersonId, tuple[str, ...]], str] = {}
    families: set[tuple[PersonId, str]] = set()
    for item_id, person, condition in plan.parts:
        item = known[item_id]
        assert person not in item.excluded
        assert seen.setdefault((person, item.viewing), condition) == condition
        if item.family:
            assert (person, item.family) not in families
            families.add((person, item.family))
    per_item = Counter((part.item_id, part.condition) for part in plan.parts)
    assert max(per_item.values(), default=0) <= design.answers
    per_person = Counter(part.person_id for part in plan.parts)
    assert max(per_person.values(), default=0) <= design.per_person
    if not plan.n_missing:
        wanted = {(i.item_id, key) for i in items for key in design.conditions}
        assert per_item == dict.fromkeys(wanted, design.answers)


def _could_assign(design: Design, items: list[StudyItem], people: list[PersonId]) -> int:
    """Return how many answers a flow finds people for."""
    n, m = len(items), len(people)
    room = np.zeros((n + m + 2, n + m + 2), np.int32)
    for i, each in enumerate(items):
        room[0, 2 + i] = design.per_item
        for p, person in enumerate(people):
            room[2 + i, 2 + n + p] = person not in each.excluded
    room[2 + n :, 1] = design.per_person
    return int(maximum_flow(csr_matrix(room), 0, 1).flow_value)


def test_the_questions_of_the_perception_test_are_dealt_exactly() -> None:
    design, items, people = Design(10, 42), _alone(126), _people(30)
    plan = plan_study(design, items, people)
    assert plan.n_missing == 0
    assert len(plan.parts) == 126 * 10 == 30 * 42
    _check(design, items, plan)
    assert set(Counter(part.person_id for part in plan.parts).values()) == {42}


def test_two_conditions_are_crossed() -> None:
    design, items, people = Design(5, 25, BOTH), _alone(50), _people(20)
    plan = plan_study(design, items, people)
    _check(design, items, plan)
    assert plan.n_missing == 0
    counts = Counter((part.person_id, part.condition) for part in plan.parts)
    for person in people:
        assert {counts[person, key] for key in BOTH} == {12, 13}


def test_questions_of_one_video_are_seen_under_one_condition() -> None:
    items = [StudyItem(ItemId(f"{v}/{i}"), (f"{v}",)) for v in range(12) for i in range(13)]
    design, people = Design(4, 156, BOTH), _people(8)
    plan = plan_study(design, items, people)
    assert plan.n_missing == 0
    _check(design, items, plan)
    counts = Counter((part.person_id, part.condition) for part in plan.parts)
    assert set(counts.values()) == {78}


def test_of_one_family_nobody_answers_two() -> None:
    items = [
        StudyItem(ItemId(f"{v}/{i}"), (f"{v}",), family=f"group {v}")
        for v in range(6)
        for i in range(5)
    ]
    design = Design(2, 6)
    plan = plan_study(design, items, _people(10))
    assert plan.n_missing == 0
    _check(design, items, plan)
    short = plan_study(design, items, _people(9))
    assert short.n_missing == 1
    _check(design, items, short)


@given(st.data())
def test_a_plan_is_found_whenever_there_is_one(data: st.DataObject) -> None:
    people = _people(data.draw(st.integers(1, 7)))
    keys = data.draw(st.sampled_from([("",), BOTH]))
    design = Design(data.draw(st.integers(1, 3)), data.draw(st.integers(1, 6)), keys)
    excluded = st.frozensets(st.sampled_from(people), max_size=3)
    items = [
        StudyItem(each.item_id, each.viewing, data.draw(excluded))
        for each in _alone(data.draw(st.integers(1, 7)))
    ]
    plan = plan_study(design, items, people)
    _check(design, items, plan)
    could = _could_assign(design, items, people)
    assert plan.n_open == len(items) * design.per_item - could
    assert (plan.n_missing == 0) == (plan.n_open == 0)
    for more in (plan.n_missing, plan.n_missing - 1):
        if plan.n_missing and more:
            helped = [*people, *(PersonId(f"helper {n}") for n in range(more))]
            is_whole = plan_study(design, items, helped).n_open == 0
            assert is_whole == (more == plan.n_missing)


@given(st.data())
def test_conditions_are_even_for_items_and_people(data: st.DataObject) -> None:
    people = _people(data.draw(st.integers(4, 9)))
    keys = data.draw(st.sampled_from([BOTH, ("whole", "muted", "still")]))
    design = Design(1, 20, keys, data.draw(st.integers(0, 99)))
    items = _alone(data.draw(st.integers(1, 12)))
    plan = plan_study(design, items, people)
    _check(design, items, plan)
    assert plan.n_missing == 0
    counts = Counter((part.person_id, part.condition) for part in plan.parts)
    for person in people:
        theirs = [counts[person, key] for key in keys]
        assert max(theirs) - min(theirs) <= 1
    loads = Counter(part.person_id for part in plan.parts)
    assert max(loads[p] for p in people) - min(loads[p] for p in people) <= 1


@given(st.data())
def test_what_is_kept_stays_when_people_come_and_go(data: st.DataObject) -> None:
    people = _people(8)
    keys = data.draw(st.sampled_from([("",), BOTH]))
    shared = data.draw(st.booleans())
    items = (
        _alone(6)
        if not shared
        else [StudyItem(ItemId(f"{v}/{i}"), (f"{v}",)) for v in range(3) for i in range(2)]
    )
    design = Design(2, 6, keys, data.draw(st.integers(0, 9)))
    first = plan_study(design, items, people)
    assert first.n_missing == 0
    kept = data.draw(st.lists(st.sampled_from(first.parts), unique=True))
    left = data.draw(st.sampled_from(people))
    now = [p for p in people if p != left] + [PersonId("newcomer"), PersonId("another")]
    again = plan_study(design, items, now, kept)
    assert set(kept) <= set(again.parts)
    assert left not in {part.person_id for part in set(again.parts) - set(kept)}
    _check(design, items, again)
    assert again == plan_study(design, items, now, kept)


def test_the_same_seed_deals_the_same_and_another_otherwise() -> None:
    items, people = _alone(20), _people(10)
    plans = [plan_study(Design(3, 6, ("",), seed), items, people) for seed in (1, 1, 2)]
    assert plans[0] == plans[1]
    assert plans[0] != plans[2]


def test_an_item_that_too_few_may_answer_is_told() -> None:
    people = _people(6)
    items = [*_alone(3), StudyItem(ItemId("mine"), ("v",), frozenset(people[:4]))]
    plan = plan_study(Design(3, 4), items, people)
    assert (plan.n_missing, plan.n_open) == (1, 1)
    _check(Design(3, 4), items, plan)


@pytest.mark.parametrize(
    ("design", "items", "people"),
    [
        (Design(0, 1), [], []),
        (Design(1, 0), [], []),
        (Design(1, 1, ()), [], []),
        (Design(1, 1, ("a", "a")), [], []),
        (Design(1, 1), _alone(1) * 2, []),
        (Design(1, 1), [], _people(1) * 2),
    ],
)
def test_what_makes_no_sense_is_refused(
    design: Design, items: list[StudyItem], people: list[PersonId]
) -> None:
    with pytest.raises(ValueError, match=r"study|twice"):
        plan_study(design, items, people)


def test_parts_of_people_who_left_count_for_their_items() -> None:
    people, items = _people(4), _alone(2)
    kept = [StudyAssignment(items[0].item_id, PersonId("gone"), "")]
    plan = plan_study(Design(2, 2), items, people, kept)
    assert len(plan.parts) == 4
    assert kept[0] in plan.parts


def test_of_very_many_the_least_number_of_missing_people_is_told_at_once() -> None:
    plan = plan_study(Design(10, 42), _alone(20_000), _people(5))
    assert plan.n_open == 200_000 - 5 * 42
    assert plan.n_missing == -(-plan.n_open // 42)
