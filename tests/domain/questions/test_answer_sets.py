"""Sets of question, answer and decoys: judged, corrected, certified, and discarded with reasons."""

from __future__ import annotations

from collections import Counter

from annotator.domain.answer import Picked, Spans
from annotator.domain.forms.field import Field, FieldKind, Option
from annotator.domain.ids import ItemId, VideoId
from annotator.domain.questions.items.answer_sets import (
    AnswerSet,
    DiscardRate,
    SetRating,
    TemporalCertificate,
    certificate_of,
    choices_of,
    corrected,
    discard_report,
    item_of,
    missing_of,
    set_of,
)

SET = AnswerSet(
    "abc/1", "abc", "Why twice?", "It parted.", ("a", "b", "c", "d"), "Counting", {"split": "x"}
)
_STATEMENTS = tuple(Option(key, key) for key in ("clear", "right", "video", "hard"))
_VALUABLE = Field(
    "valuable", "Is it?", FieldKind.CHOICES, _STATEMENTS, needed=("clear", "right", "video")
)


def test_a_set_becomes_an_item_and_comes_back() -> None:
    item = item_of(SET, VideoId("v"), "judge")
    assert (item.kind, item.video_ids, item.text) == ("judge", ("v",), "Why twice?")
    assert item.texts["decoy-2"] == "c"
    assert set_of(item, "abc") == SET


def test_corrections_replace_texts_and_leave_the_rest() -> None:
    item = item_of(SET, VideoId("v"), "judge")
    answers = {
        "question": " Why three times? ",
        "answer": "",
        "decoy-3": "e",
        "type": Picked(("Other",)),
        "modality": Picked(("vision",)),
        "valuable": Picked(("clear", "right", "video")),
    }
    made = corrected(item, answers, "verified", {"submission": "s7"})
    assert made.kind == "verified"
    assert made.id != item.id
    assert made.source == {"made": "import", "key": "abc/1", "submission": "s7", "item": item.id}
    assert made.texts["modality"] == "vision"
    found = set_of(made, "abc")
    assert (found.question, found.answer, found.type) == ("Why three times?", "It parted.", "Other")
    assert found.decoys == ("a", "b", "c", "e")


def test_all_needed_statements_must_be_ticked() -> None:
    def missing(*ticked: str) -> tuple[str, ...]:
        return missing_of([_VALUABLE], {"valuable": Picked(ticked)})

    assert missing("clear", "right", "video") == ()
    assert missing("clear", "hard") == ("right", "video")
    assert missing_of([_VALUABLE], {}) == ("clear", "right", "video")


def test_the_place_of_the_answer_is_drawn_and_stays() -> None:
    choices, place = choices_of(SET, 3)
    assert choices[place] == "It parted."
    assert sorted(choices) == sorted(("It parted.", *SET.decoys))
    assert choices_of(SET, 3) == (choices, place)
    places = Counter(
        choices_of(AnswerSet(f"k{n}", "v", "q", "right", SET.decoys, ""), 1)[1] for n in range(2000)
    )
    # 400 each; five standard deviations are 90.
    assert all(abs(places[i] - 400) < 90 for i in range(5))


def test_a_certificate_is_measured_in_time() -> None:
    times = [0.0, 0.5, 1.0, 3.0, 3.5, 4.0]  # the last one is when frame 4 ends
    found = certificate_of(Spans(((0, 1), (2, 4))), times.__getitem__, 4.0)
    assert found == TemporalCertificate(2, 3.0, 3.5, 0.75)
    assert certificate_of(Spans(()), times.__getitem__, 4.0) is None


def test_discards_are_counted_by_reason_type_and_rater() -> None:
    ids = [ItemId(f"i{n}") for n in range(4)]
    types = {ids[0]: "Counting", ids[1]: "Counting", ids[2]: "Other", ids[3]: "Other"}
    settled = {ids[0]: ("clear", "video"), ids[1]: (), ids[2]: ("video",)}
    judgements = [
        SetRating(ids[0], "ann", ("clear", "video")),
        SetRating(ids[0], "bob", ("video",)),
        SetRating(ids[1], "ann", ()),
        SetRating(ids[2], "bob", ("video",)),
        SetRating(ids[3], "bob", ("video",)),
    ]
    report = discard_report(types, settled, judgements)
    assert report.sets == DiscardRate(3, 2)
    assert report.reasons == {"video": 2, "clear": 1}
    assert list(report.reasons) == ["video", "clear"]
    assert report.by_type == {"Counting": DiscardRate(2, 1), "Other": DiscardRate(1, 1)}
    assert report.by_rater == {"ann": DiscardRate(2, 1), "bob": DiscardRate(2, 2)}
    assert report.sets.share == 2 / 3
    assert DiscardRate().share is None
