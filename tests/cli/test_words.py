"""Words of the command line: answers as somebody else reads them."""

from __future__ import annotations

import pytest

from annotator.cli.common.answer_texts import answer_words
from annotator.domain.answer import Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.forms.field import Field, FieldKind, Option
from annotator.domain.geometry import Box
from annotator.domain.ids import ItemId, VideoId
from annotator.domain.questions.items.item import Item

OPTIONS = (Option("a", "Object 1"), Option("b", "Object 2"))
ITEM = Item(ItemId("i"), "test", (VideoId("v"),))


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        (FieldKind.CHOICE, Picked(("a",)), "Object 1"),
        (FieldKind.CHOICES, Picked(("a", "b"), "felt"), "Object 1, Object 2, “felt”"),
        (FieldKind.FLAG, Flagged("b"), "Object 2"),
        (FieldKind.FLAG, Flagged("b", "It hums."), "Object 2: It hums."),
        (FieldKind.TRUTH, False, "no"),
        (FieldKind.SPANS, Spans(((0, 3), (8, 9))), "frames 0 to 2, frames 8 to 8"),
        (FieldKind.BOX, FrameBox(4, Box(1, 1, 21, 11)), "20 × 10 pixels on frame 4"),
        (FieldKind.PROPERTIES, ("weight", "color"), "weight, color"),
        (FieldKind.TRACKS, ("4f1c", "77b1"), "2 objects"),
        (FieldKind.TRACKS, ("4f1c",), "1 object"),
        (FieldKind.TEXT, "It floats.", "It floats."),
        (FieldKind.NUMBER, 2.5, "2.5"),
    ],
)
def test_answers_are_told_in_words(kind: FieldKind, value: Value, words: str) -> None:
    field = Field("f", "Which?", kind, options=OPTIONS)
    assert answer_words(field, ITEM, value) == words
