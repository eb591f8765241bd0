"""Pairing and dealing: splits kept apart, counts kept, rare materials favored, the same again."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from annotator.domain.answer import Picked
from annotator.domain.errors import RecipeError
from annotator.domain.questions.items.object_pairs import (
    ObjectPair,
    PairingSpec,
    Thing,
    pair_up,
    pairing_from,
    rarity,
)
from annotator.domain.questions.pair_questions import (
    DataPoint,
    WrittenQuestion,
    assign_questions,
    data_point,
    is_kept,
)
from annotator.domain.toml import TomlTable

SPEC = PairingSpec(seed=4)


def _things(n: int, split: str = "train") -> list[Thing]:
    """Every tenth thing is of wax, which is rare, the others of plastic."""
    return [
        Thing(f"{split}{i:03}", split, ("wax",) if i % 10 == 0 else ("plastic", "metal"))
        for i in range(n)
    ]


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8, 11, 40, 41])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_object_is_in_three_pairs(n: int, seed: int) -> None:
    found = pair_up(_things(n), PairingSpec(seed=seed))
    counts = Counter(name for pair in found.pairs for name in (pair.first, pair.second))
    assert sum(found.lacking.values()) == n % 2
    assert all(counts[t.name] == 3 - found.lacking.get(t.name, 0) for t in _things(n))
    sets = [frozenset((p.first, p.second)) for p in found.pairs]
    assert len(set(sets)) == len(sets)
    assert all(len(pair) == 2 for pair in sets)


def test_splits_are_kept_apart_and_do_not_change_each_other() -> None:
    train, test = _things(20), _things(8, "test")
    both = pair_up([*test, *train], SPEC)
    assert all(p.first.startswith(p.split) and p.second.startswith(p.split) for p in both.pairs)
    alone = pair_up(list(reversed(train)), SPEC)
    assert [p for p in both.pairs if p.split == "train"] == list(alone.pairs)
    assert pair_up(train, PairingSpec(seed=5)).pairs != alone.pairs


def test_too_few_objects_lack_pairs_and_it_is_said() -> None:
    assert pair_up(_things(1), SPEC).lacking == {"train000": 3}
    three = pair_up(_things(3), SPEC)
    assert len(three.pairs) == 3
    assert set(three.lacking.values()) == {1}
    assert pair_up([], SPEC).pairs == ()


def test_objects_that_come_later_are_paired_with_what_is_free() -> None:
    early, all_ = _things(9), _things(20)
    first = pair_up(early, SPEC)
    (short,) = first.lacking
    later = pair_up(all_, SPEC, first.pairs)
    counts = Counter(n for p in (*first.pairs, *later.pairs) for n in (p.first, p.second))
    assert later.lacking == {}
    assert set(counts.values()) == {3}
    assert any(short in (p.first, p.second) for p in later.pairs)
    assert pair_up(all_, SPEC, (*first.pairs, *later.pairs)).pairs == ()
    # What was discarded leaves room for another pair, and does not come again.
    gone = later.pairs[0]
    kept = [p for p in (*first.pairs, *later.pairs) if p != gone]
    again = pair_up(all_, SPEC, kept, [gone])
    assert {gone.first, gone.second} <= set(again.lacking) | {
        n for p in again.pairs for n in (p.first, p.second)
    }
    assert not {frozenset((p.first, p.second)) for p in again.pairs} & {
        frozenset((p.first, p.second)) for p in (*kept, gone)
    }


def test_rare_materials_are_drawn_first_and_with_each_other() -> None:
    things = _things(100)
    assert rarity(things)["train000"] == 1 / 10
    assert rarity(things)["train001"] == 1 / 90
    rare = {t.name for t in things if "wax" in t.materials}
    n_rare_pairs = 0
    places: list[float] = []
    for seed in range(20):
        pairs = pair_up(things, PairingSpec(seed=seed)).pairs
        n_rare_pairs += sum({p.first, p.second} <= rare for p in pairs)
        places += [i / len(pairs) for i, p in enumerate(pairs) if {p.first, p.second} & rare]
    # By even chance, 45 of 4,950 pairs: 1.4 in 150, so 27 in all of 20.
    assert n_rare_pairs > 60
    assert sum(places) / len(places) < 0.35


def _pairs(split: str, n: int) -> list[ObjectPair]:
    return [ObjectPair(f"{split}{a}", f"{split}{b}", split) for a, b in combinations(range(9), 2)][
        :n
    ]


def _written(pairs: list[ObjectPair], each: int = 2) -> list[WrittenQuestion]:
    return [
        WrittenQuestion(f"{pair.name}-{i}", f"Question {i} of {pair.name}?", pair)
        for pair in pairs
        for i in range(each)
    ]


def test_questions_go_where_they_may_thirteen_to_a_pair() -> None:
    train, val, test = _pairs("train", 30), _pairs("val", 10), _pairs("test", 10)
    written = _written([*train, *val, *test])
    of = {w.key: w.pair for w in written}
    hands = assign_questions([*train, *val, *test], written, SPEC)
    for hand in hands:
        assert len(hand.questions) == len(set(hand.questions)) == 13
        assert hand.lacking == 0
        splits = {of[key].split for key in hand.questions}
        assert splits <= {"train", hand.pair.split}
        assert hand.pair not in {of[key] for key in hand.questions}
    assigned = Counter(key for hand in hands for key in hand.questions)
    # Nothing is dealt much more often than the rest it may be dealt with.
    ours = [assigned[w.key] for w in written if w.pair.split == "train"]
    assert max(ours) - min(ours) <= 1
    assert hands == assign_questions([*train, *val, *test], written, SPEC)
    assert hands != assign_questions([*train, *val, *test], written, PairingSpec(seed=9))


def test_pairs_are_dealt_what_they_lack() -> None:
    pairs = _pairs("train", 12)
    early = _written(pairs[:5])
    first = assign_questions(pairs, early, SPEC)
    assert {len(hand.questions) for hand in first} == {8, 10}
    had = {hand.pair: hand.questions for hand in first}
    written = _written(pairs)
    later = assign_questions(pairs, written, SPEC, had)
    for before, hand in zip(first, later, strict=True):
        assert hand.lacking == 0
        assert len({*before.questions, *hand.questions}) == 13
    had = {hand.pair: (*had[hand.pair], *hand.questions) for hand in later}
    assert all(
        h.questions == () and h.lacking == 0 for h in assign_questions(pairs, written, SPEC, had)
    )


def test_too_few_questions_are_said_and_equal_texts_dealt_once() -> None:
    train, val = _pairs("train", 3), _pairs("val", 2)
    written = [
        WrittenQuestion("a", "Which is softer?", train[0]),
        WrittenQuestion("b", "which  is Softer?", val[0]),
    ]
    first, second, *_ = assign_questions([val[0], val[1]], written, SPEC)
    assert (first.questions, first.lacking) == ((), 13)
    assert (len(second.questions), second.lacking) == (1, 12)
    (only,) = assign_questions([train[1]], written, SPEC)
    assert only.questions == ("a",)


def test_a_clip_is_kept_when_sound_made_a_difference() -> None:
    wood, glass = Picked(("wood",)), Picked(("glass", "metal"))
    assert is_kept((wood, 2), (wood, 3))
    assert is_kept((wood, 3), (glass, 1))
    assert not is_kept((wood, 3), (wood, 3))
    assert not is_kept((wood, 3), (wood, 2))
    assert not is_kept((glass, 3), (Picked(("metal", "glass")), 3))
    assert is_kept((Picked((), "cork"), 3), (Picked((), "felt"), 3))
    assert not is_kept((Picked((), "cork"), 3), (Picked((), " Cork "), 3))


@pytest.mark.parametrize(
    ("answers", "label", "why"),
    [
        (["object-1"] * 3, 0, ""),
        (["object-2"] * 3, 1, ""),
        (["object-2"] * 5, 1, ""),
        (["object-1", "object-1", "object-2"], None, "not-unanimous"),
        (["object-1", "irrelevant", "object-1"], None, "not-unanimous"),
        (["irrelevant"] * 3, None, "irrelevant"),
        (["bad-question"] * 3, None, "bad-question"),
        (["object-1"] * 2, None, "too-few-answers"),
    ],
)
def test_only_unanimous_data_points_stay(answers: list[str], label: int | None, why: str) -> None:
    assert data_point(answers) == DataPoint(label, why)
    assert data_point(answers, is_flagged=True) == DataPoint(None, "flagged")


def test_the_table_of_a_recipe() -> None:
    made = pairing_from(TomlTable({"pairs_each": 2, "questions_each": 5, "seed": 8}, "pairing"))
    assert made == PairingSpec(2, 5, 8)
    with pytest.raises(RecipeError) as caught:
        pairing_from(TomlTable({"pairs_each": 0}, "pairing"))
    assert caught.value.where == "pairing.pairs_each"
