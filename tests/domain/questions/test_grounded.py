"""Rules: their language, what they mean on a document, and the questions they become."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.segment import OPEN_ROLE, Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.errors import RecipeError
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, SegmentId, TrackId, VideoId
from annotator.domain.questions.grounding_rules import RuleFacts, condition_from
from annotator.domain.questions.items.grounded import answers_to, grounded_items, rule_from
from annotator.domain.recipes.file import recipe_from
from annotator.domain.toml import TomlTable

PUT = "Putting something into something"


def _track(name: str, number: int, *keys: tuple[int, float | None], **attributes: bool) -> Track:
    frames = tuple(
        Keyframe(frame, None if x is None else Box(x, 10, x + 10, 20)) for frame, x in keys
    )
    info = TrackInfo(TrackId(name), name.replace("-", " "), number, 0, attributes=dict(attributes))
    return Track(info, frames)


def _segment(name: str, lane: Lane, label: str, start: int, *slots: str | None) -> Segment:
    roles = tuple(None if slot is None else TrackId(slot) for slot in slots)
    return Segment(SegmentId(name), lane, label, start, start + 10, slots=roles)


def _document() -> Document:
    """A red cup that stays, a coin that vanishes, a box that comes later, a book nobody touches."""
    video = VideoInfo(VideoId("v"), "video_1.mp4", 100, 50, 90, 30.0, 3.0)
    tracks = (
        _track("red-cup", 1, (0, 50), (60, 40), is_occluder=True),
        _track("coin", 2, (0, 20), (40, None)),
        _track("box", 3, (30, 5)),
        _track("book", 4, (0, 80)),
    )
    segments = (
        _segment("s2", Lane.ACTION, "Lifting something", 40, "red-cup"),
        _segment("s1", Lane.ACTION, PUT, 10, "coin", "box"),
        _segment("s3", Lane.ACTION, "Shuffling objects", 60, OPEN_ROLE, None),
        _segment("s4", Lane.SOUND, " Interaction:hitting", 12, "coin", "book"),
    )
    return Document(DraftId("d"), video, tracks, segments)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'fills slot 1 of "{PUT}"', ["coin"]),
        (f"fills slot 2 of '{PUT}'", ["box"]),
        (f'fills slot 3 of "{PUT}"', []),
        (f'fills any slot of "{PUT}"', ["coin", "box"]),
        ('fills slot 1 of "Something else"', []),
        ("touched", ["red-cup", "coin", "box"]),
        ("not touched", ["book"]),
        ("touched first", ["coin"]),
        ("touched last", ["red-cup"]),
        ("number 2 by touch", ["box"]),
        ("number 4 by touch", []),
        ("number 4 by appearance", ["box"]),
        ("number 1 by appearance", ["red-cup"]),
        ("last by appearance", ["box"]),
        ("number 1 by left", ["box"]),
        ("last by left", ["book"]),
        ("present at start", ["red-cup", "coin", "book"]),
        ("absent at start", ["box"]),
        ("present at start and absent at end", ["coin"]),
        ('label is "Red cup"', ["red-cup"]),
        ('label is "cup"', []),
        ('label has "CUP"', ["red-cup"]),
        ("sounds", ["coin", "book"]),
        ('sounds "Interaction:hitting"', ["coin", "book"]),
        ('sounds "Human:other"', []),
        ('attribute "is_occluder"', ["red-cup"]),
        ('label has "b" or touched and absent at end', ["coin", "box", "book"]),
        ('(label has "b" or touched) and absent at end', ["coin"]),
        ('NOT (touched Or label has "k")', []),
        ("not not touched first", ["coin"]),
    ],
)
def test_what_a_condition_means(text: str, expected: list[str]) -> None:
    facts = RuleFacts(_document())
    condition = condition_from(text, "rules[0].where")
    assert [track for track in facts.tracks if condition(facts, track)] == expected


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("touched and", 12, "“fills”"),
        ("touched red", 9, "“and” or “or”"),
        ("fills slot x of", 12, "Expected an integer from 1 to"),
        ("fills slot 0 of 'a'", 12, "Expected an integer from 1 to"),
        ("fills slot 1 of cup", 17, "quotation marks"),
        ('label is "', 10, "Unclosed quotation mark."),
        ("label is ''", 10, "quotation marks"),
        ("label = 'a'", 7, "“=”"),
        ("(touched", 9, "“)”"),
        ("number 2 by size", 13, "“appearance” or “touch” or “left”"),
        ("present in start", 9, "“at”"),
        ("not " * 60 + "touched", 201, "Parentheses and “not” are nested more than"),
        ("", 1, "“fills”"),
    ],
)
def test_a_fault_is_named_by_path_and_character(text: str, place: int, words: str) -> None:
    with pytest.raises(RecipeError) as caught:
        condition_from(text, "rules[3].where")
    assert caught.value.where == "rules[3].where"
    assert caught.value.text.startswith(f"Character {place}:")
    assert words in caught.value.text


_RULE = {
    "key": "put-in",
    "kind": "grounded-questions",
    "text": "Track the objects that were put into something.",
    "area": "semantics",
    "reasoning": "descriptive",
    "where": f'fills slot 1 of "{PUT}"',
}


def test_rules_become_questions_with_the_tracks_that_may_answer() -> None:
    rules = [
        rule_from(TomlTable(each, f"rules[{i}]"))
        for i, each in enumerate(
            [
                _RULE,
                {**_RULE, "key": "nothing", "where": 'label is "whale"'},
                {**_RULE, "key": "cups", "where": "touched", "scripts": ["cups-game"]},
            ]
        )
    ]
    items = grounded_items(rules, _document(), "pouring")
    assert [(i.text, i.track_ids) for i in items] == [(_RULE["text"], ("coin",))]
    assert items[0].kind == "grounded-questions"
    assert items[0].video_ids == ("v",)
    assert items[0].source == {
        "made": "rule",
        "rule": "put-in",
        "where": _RULE["where"],
        "script": "pouring",
    }
    cups = grounded_items(rules, _document(), "cups-game")
    assert [i.track_ids for i in cups] == [("coin",), ("red-cup", "coin", "box")]
    assert answers_to(rules[2], RuleFacts(_document())) == ("red-cup", "coin", "box")


def test_a_rule_of_a_recipe_names_its_faults() -> None:
    with pytest.raises(RecipeError) as caught:
        rule_from(TomlTable({**_RULE, "where": "touched twice"}, "rules[1]"))
    assert caught.value.where == "rules[1].where"
    with pytest.raises(RecipeError) as caught:
        rule_from(TomlTable({**_RULE, "were": "touched"}, "rules[1]"))
    assert caught.value.where == "rules[1].were"
    assert "where" in str(caught.value.hint)


def test_a_document_without_tracks_asks_nothing() -> None:
    video = VideoInfo(VideoId("v"), "video_1.mp4", 100, 50, 0, 30.0, 0.0)
    rule = rule_from(TomlTable({**_RULE, "where": "not touched"}, "rules[0]"))
    assert grounded_items([rule], Document(DraftId("d"), video)) == ()


def test_a_recipe_has_bank_rules_and_pairing() -> None:
    form = {"fields": [{"key": "answer", "title": "Right?", "kind": "truth"}]}
    stage = {"key": "answer", "title": "Answer", "act": "annotate"}
    asking = {"kind": "asking", "title": "Ask", "form": form, "stages": [stage]}
    drawing = {
        "kind": "drawing",
        "title": "Draw",
        "tools": ["boxes"],
        "stages": [stage],
    }
    template = {
        "key": "k", "text": "T?", "area": "a", "reasoning": "r", "tags": [], "options": ["a", "b"],
    }  # fmt: skip
    whole = {
        "name": "x",
        "version": 1,
        "title": "X",
        "task_types": [asking, drawing],
        "rules": [{**_RULE, "kind": "asking"}],
        "bank": {"kind": "asking", "templates": [template]},
        "pairing": {"seed": 3},
        "seed": 9,
    }
    recipe = recipe_from(whole)
    assert recipe.bank is not None
    assert recipe.pairing is not None
    assert (recipe.rules[0].key, recipe.pairing.seed, recipe.seed) == ("put-in", 3, 9)
    for change, where in (
        ({"rules": [{**_RULE, "kind": "drawing"}]}, "rules[0].kind"),
        ({"rules": [{**_RULE, "kind": "asking"}] * 2}, "rules[1].key"),
        ({"bank": {"kind": "drawing", "templates": [template]}}, "bank.kind"),
        ({"rules": [{**_RULE, "kind": "asking", "where": "tuched"}]}, "rules[0].where"),
    ):
        with pytest.raises(RecipeError) as caught:
            recipe_from({**whole, **change})
        assert caught.value.where == where
