"""Groups of a primary question and four variants; two people on one text."""

from __future__ import annotations

from annotator.domain.ids import ItemId, VideoId
from annotator.domain.questions.items.groups import (
    Aligned,
    Alignment,
    GroupRole,
    PersonVersion,
    TextVariant,
    align,
    group_problems,
    variants_of,
)
from annotator.domain.questions.items.item import Item

PRIMARY = Item(
    ItemId("p"),
    "primary",
    (VideoId("v"),),
    "Why does he fall?",
    texts={"question": "Why does he fall?", "answer": "He slips.", "rationale": "Ice."},
    tags=("Plot Attribute",),
    group="p",
    part=GroupRole.PRIMARY,
)
VARIANTS = {
    GroupRole.WRONGLY_LED: TextVariant("He was pushed. Why does he fall?"),
    GroupRole.PARAPHRASED: TextVariant("What makes him fall?"),
    GroupRole.CORRECTLY_LED: TextVariant("There is ice. Why does he fall?"),
    GroupRole.MULTIPLE_CHOICE: TextVariant(
        "Why does he fall?", ("He slips.", "He faints.", "A push.")
    ),
}


def test_variants_belong_to_their_primary_question() -> None:
    made = variants_of(PRIMARY, VARIANTS, "variants", {"submission": "s"})
    assert [item.part for item in made] == [
        "paraphrased",
        "correctly-led",
        "wrongly-led",
        "multiple-choice",
    ]
    for item in made:
        assert (item.group, item.video_ids, item.tags) == ("p", ("v",), ("Plot Attribute",))
        assert item.texts["answer"] == "He slips."
        assert item.texts["question"] == item.text
        assert item.source == {"submission": "s", "item": "p"}
    assert made[3].options[0].text == "He slips."
    assert made[3].right == {"answer": ("o0",)}
    assert list(group_problems([PRIMARY, *made], "video_1")) == []


def test_what_a_group_lacks_is_said() -> None:
    made = variants_of(PRIMARY, {**VARIANTS}, "variants", {})
    codes = [f.code for f in group_problems([PRIMARY, PRIMARY, *made[:3]], "video_1")]
    assert codes == ["same-part", "no-part"]
    stranger = Item(ItemId("x"), "variants", (VideoId("w"),), part="sung", group="p")
    codes = [f.code for f in group_problems([PRIMARY, *made, stranger], "video_1")]
    assert codes == ["odd-part", "other-video"]


def test_two_people_agree_drop_or_stay_apart() -> None:
    ours = PersonVersion({"question": "Why  fall?", "answer": "Ice."})
    assert align(ours, PersonVersion({"question": "Why fall? ", "answer": "Ice."})) == Aligned(
        Alignment.AGREED, {"question": "Why fall?", "answer": "Ice."}
    )
    assert align(ours, PersonVersion({"question": "Why fall?", "answer": "ice."})) == Aligned(
        Alignment.APART, {"question": "Why fall?"}, ("answer",)
    )
    dropped = PersonVersion({"question": "Why fall?", "answer": "Ice."}, is_dropped=True)
    assert align(dropped, dropped).state is Alignment.DROPPED
    assert align(ours, dropped).state is Alignment.APART
