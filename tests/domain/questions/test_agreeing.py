"""Agreement on the answers to a form: each kind of field by what may be said of it."""

from __future__ import annotations

import pytest

from annotator.domain.agreement.estimate import Estimate
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.answer import Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.errors import WorkError
from annotator.domain.forms.field import Field, FieldKind, Form, Option
from annotator.domain.geometry import Box
from annotator.domain.questions.answer_agreement import GivenAnswer, agreement_on

AB = (Option("a", "Left"), Option("b", "Right"))
FORM = Form(
    (
        Field("side", "Side?", FieldKind.CHOICE, AB, has_other=True),
        Field("all", "Which ones?", FieldKind.CHOICES, AB),
        Field("why", "Why?", FieldKind.TEXT),
        Field("sure", "Sure?", FieldKind.CONFIDENCE),
        Field("many", "How many?", FieldKind.NUMBER),
        Field("words", "Properties", FieldKind.PROPERTIES),
        Field("when", "When?", FieldKind.SPANS),
        Field("place", "Where?", FieldKind.BOX),
        Field("flag", "Wrong?", FieldKind.FLAG, AB),
        Field("note", "A note", FieldKind.TEXT, is_voted=False),
    )
)
HOW = Bootstrap(draws=20)


def _said(field: str, *values: Value) -> list[GivenAnswer]:
    """Of item q0, q1, … each two values: by ann and by bob."""
    return [
        GivenAnswer(f"q{i // 2}", "ann" if i % 2 == 0 else "bob", field, v)
        for i, v in enumerate(values)
    ]


def _value(found: tuple[Estimate, ...], field: str, method: str, by: str = "") -> float | None:
    return next(f.value for f in found if (f.field, f.method, f.by) == (field, method, by))


def test_each_kind_of_field_is_compared_by_its_own_scale() -> None:
    said = [
        *_said("side", Picked(("a",)), Picked(("a",)), Picked((), "Top!"), Picked((), "the top")),
        *_said("all", Picked(("a", "b")), Picked(("b", "a")), Picked(("a",)), Picked(("b",))),
        *_said("why", "The cup moved.", "cup moved", "it fell", "wind"),
        *_said("sure", 1, 1, 4, 5),
        *_said("many", 1, 1.0, 4, 2.5),
        *_said("words", ("Red", "round"), ("round", "red!"), ("a",), ("b",)),
        *_said("flag", Flagged("a"), Flagged("b")),
        *_said("note", "x", "y"),
    ]
    found = agreement_on(FORM, said, how=HOW)
    percent = {
        f.field: f.value for f in found if f.method == "percent-agreement" and not (f.by or f.name)
    }
    assert percent == {
        "side": 1.0,
        "all": 0.5,
        "why": 0.5,
        "sure": 0.5,
        "many": 0.5,
        "words": 0.5,
    }
    methods = {name: {f.method for f in found if f.field == name} for name in percent}
    assert "alpha-ordinal" in methods["sure"] - methods["side"]
    assert "alpha-interval" in methods["many"] - methods["sure"]


def test_spans_and_boxes_agree_as_far_as_they_overlap() -> None:
    said = [
        *_said(
            "when",
            Spans(((0, 10), (20, 30))),
            Spans(((5, 25),)),
            Spans(()),
            Spans(()),
        ),
        *_said(
            "place",
            FrameBox(3, Box(0, 0, 10, 10)),
            FrameBox(3, Box(5, 0, 15, 10)),
            FrameBox(3, Box(0, 0, 10, 10)),
            FrameBox(4, Box(0, 0, 10, 10)),
        ),
    ]
    found = agreement_on(FORM, said, how=HOW)
    assert _value(found, "when", "span-iou") == pytest.approx((1 / 3 + 1) / 2)
    assert _value(found, "place", "box-iou") == pytest.approx((1 / 3 + 0) / 2)
    assert _value(found, "place", "box-iou", "rater") == pytest.approx(1 / 6)
    moved = [
        s._replace(value=FrameBox(3, Box(0, 0, 9, 9))) if s.field == "place" else s for s in said
    ]
    again = agreement_on(FORM, moved, how=HOW)
    assert _value(again, "place", "box-iou") == 1.0
    digests = [{f.inputs.digest for f in each if f.method == "box-iou"} for each in (found, again)]
    assert digests[0] != digests[1]


def test_the_first_answer_counts_and_groups_are_told_apart() -> None:
    said = _said("side", Picked(("a",)), Picked(("a",)), Picked(("a",)), Picked(("b",)))
    said.append(GivenAnswer("q1", "bob", "side", Picked(("a",))))
    found = agreement_on(FORM, said, {"area": {"q0": "physics", "q1": "memory"}}, HOW)
    assert _value(found, "side", "percent-agreement") == 0.5
    by_area = {f.name: f.value for f in found if f.by == "area" and f.method == "percent-agreement"}
    assert by_area == {"physics": 1.0, "memory": 0.0}
    with pytest.raises(WorkError):
        agreement_on(FORM, said, how=HOW, watch=Watch(is_canceled=lambda: True))
