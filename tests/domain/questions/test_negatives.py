"""Final options: three of them, drawn by how often they are right, the same each time."""

from __future__ import annotations

from collections import Counter

from annotator.domain.forms.field import Option
from annotator.domain.ids import ItemId, VideoId
from annotator.domain.questions.items.bank import Bank, Template
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.items.item_checks import problems_of
from annotator.domain.questions.items.negatives import (
    AnsweredQuestion,
    draw_negatives,
    final_questions,
)
from annotator.domain.questions.random_order import Lot

_POOL = ("none", "one", "two", "three", "four")
_BANK = Bank(
    "questions",
    (
        Template("count", "How many?", "abstraction", "descriptive", ("object counting",), _POOL),
        Template("moving", "Moving?", "physics", "descriptive", (), ("yes", "no"), is_binary=True),
    ),
    final_kind="final",
    seed=5,
)


def _answered(n: int, answer: str, script: str = "s", template: int = 0) -> AnsweredQuestion:
    made = _BANK.templates[template]
    options = tuple(Option(f"o{i}", text) for i, text in enumerate(made.options))
    source = {"made": "bank", "template": made.key, "script": script}
    id_, video = ItemId(f"item-{n}"), VideoId(f"v{n}")
    item = Item(id_, "questions", (video,), made.text, options, area=made.area, source=source)
    return AnsweredQuestion(item, answer, f"video_{n}")


def _texts(items: tuple[Item, ...]) -> list[tuple[str, ...]]:
    return [tuple(o.text for o in i.options) for i in items]


def test_three_options_with_the_right_one_known() -> None:
    answered = [_answered(n, _POOL[n % 3]) for n in range(60)]
    items, findings = final_questions(_BANK, answered)
    assert findings == ()
    for item, each in zip(items, answered, strict=True):
        assert len(item.options) == 3
        assert [o.text for o in item.options if (o.key,) == item.right["answer"]] == [each.answer]
        # Only what is right in some video of the script is drawn while there is enough of it.
        assert {o.text for o in item.options} == set(_POOL[:3])
        assert item.kind == "final"
        assert item.source["seed"] == 5
        assert item.source["item"] == each.item.id
        assert item.source["right_over_script"] == {"none": 20, "one": 20, "two": 20}
        assert list(problems_of(item, "x", needs_right=True)) == []


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    answered = [_answered(n, _POOL[n % 5]) for n in range(40)]
    first, _ = final_questions(_BANK, answered)
    again, _ = final_questions(_BANK, answered)
    assert _texts(first) == _texts(again)
    # Another script changes nothing, nor does the order in which the videos stand.
    more, _ = final_questions(_BANK, [_answered(99, "none", "other"), *reversed(answered)])
    assert _texts(more)[:0:-1] == _texts(first)
    other = Bank("questions", _BANK.templates, final_kind="final", seed=6)
    assert _texts(final_questions(other, answered)[0]) != _texts(first)


def test_the_place_of_the_right_answer_is_uniform() -> None:
    items, _ = final_questions(_BANK, [_answered(n, _POOL[n % 5]) for n in range(3000)])
    places = Counter([o.key for o in i.options].index(i.right["answer"][0]) for i in items)
    # 1,000 each; five standard deviations are 129.
    assert all(abs(places[place] - 1000) < 129 for place in range(3))


def test_negatives_are_drawn_in_proportion_to_how_often_they_are_right() -> None:
    counts = {"a": 60, "b": 30, "c": 10}
    drawn = Counter(
        draw_negatives(["a", "b", "c", "d"], counts, 1, Lot(1, str(n)))[0] for n in range(4000)
    )
    assert drawn["d"] == 0
    assert abs(drawn["a"] - 2400) < 160
    assert abs(drawn["b"] - 1200) < 150
    assert abs(drawn["c"] - 400) < 100


def test_the_pool_fills_up_where_too_few_answers_are_ever_right() -> None:
    drawn = draw_negatives(["a", "b", "c"], {"b": 2}, 2, Lot(1, "x"))
    assert drawn[0] == "b"
    assert drawn[1] in {"a", "c"}


def test_a_question_of_two_answers_gets_one_that_says_nothing() -> None:
    items, _ = final_questions(_BANK, [_answered(n, "yes", template=1) for n in range(30)])
    assert all(set(texts) == {"yes", "no", "I don't know"} for texts in _texts(items))
    assert len(set(_texts(items))) > 3


def test_too_few_answers_are_reported() -> None:
    each = _answered(1, "none")
    short = Item(ItemId("i"), "questions", (VideoId("v"),), "How many?", each.item.options[:2])
    items, findings = final_questions(_BANK, [AnsweredQuestion(short, "none", "video_1")])
    assert items == ()
    assert [(f.code, f.where) for f in findings] == [("few-options", "video_1")]


def test_an_answer_nobody_offered_is_an_option_too() -> None:
    items, _ = final_questions(_BANK, [_answered(1, "five"), _answered(2, "none")])
    assert "five" in _texts(items)[0]
    assert items[0].right["answer"] == (items[0].options[_texts(items)[0].index("five")].key,)


def test_unsound_questions_are_told_apart() -> None:
    def codes(*texts: str, right: str = "k0") -> list[str]:
        options = tuple(Option(f"k{i}", text) for i, text in enumerate(texts))
        item = Item(ItemId("i"), "q", (VideoId("v"),), "T?", options, {"answer": (right,)})
        return [f.code for f in problems_of(item, "video_1, question 1", needs_right=True)]

    assert codes("a", "b", "c") == []
    assert codes("a", "b", "A ") == ["same-options"]
    assert codes("a", "b  c", "B C") == ["same-options"]
    assert codes("a", "", "c") == ["empty-option"]
    assert codes("a") == ["few-options"]
    assert codes("a", "b", right="k7") == ["answer-outside"]
    bare = Item(ItemId("i"), "q", (), "T?", (Option("a", "a"), Option("b", "b")))
    assert [f.code for f in problems_of(bare, "x", needs_right=True)] == [
        "no-video",
        "no-right-answer",
    ]
    mute = Item(ItemId("i"), "q", (VideoId("v"),), " ", (Option("a", "a"), Option("b", "b")))
    assert [f.code for f in problems_of(mute, "x")] == ["no-question"]
    twice = Item(ItemId("i"), "q", (VideoId("v"), VideoId("v")))
    assert [f.code for f in problems_of(twice, "x")] == ["same-video"]
