"""A form with every kind of field, an item it is asked about, and values that answer it."""

from __future__ import annotations

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.answer import (
    Answer,
    AnswerKey,
    FrameBox,
    Picked,
    Spans,
    Value,
)
from annotator.domain.commands import CreateTrack, SetAnswer
from annotator.domain.forms.field import Field, FieldCondition, FieldKind, Form, Option
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, TrackId, VideoId, item_id
from annotator.domain.questions.items.item import Item

AB = (Option("a", "Left"), Option("b", "Right"))
FIELDS = (
    Field("which", "Which?", FieldKind.CHOICE, from_item=True, has_other=True),
    Field("side", "Side?", FieldKind.CHOICE, AB),
    Field("all", "Which ones?", FieldKind.CHOICES, AB, minimum=2),
    Field("seen", "Seen?", FieldKind.TRUTH),
    Field(
        "why",
        "Why not?",
        FieldKind.TEXT,
        minimum=5,
        maximum=20,
        shown_if=FieldCondition("seen", ("no",)),
    ),
    Field("many", "How many?", FieldKind.NUMBER, minimum=0, maximum=10),
    Field("sure", "Sure?", FieldKind.CONFIDENCE),
    Field("words", "Properties", FieldKind.PROPERTIES, maximum=2),
    Field("when", "When?", FieldKind.SPANS, maximum=2),
    Field("place", "Where?", FieldKind.BOX),
    Field("what", "Which object?", FieldKind.TRACKS, maximum=1),
    Field("flag", "Wrong?", FieldKind.FLAG, AB, is_required=False),
)
FORM = Form(FIELDS, (1, 2))
GIVEN = TrackId("given")
ITEM = Item(
    item_id(), "questions", (), options=(Option("x", "Cup"), Option("y", "Pan")), track_ids=(GIVEN,)
)
GOOD: dict[str, Value] = {
    "which": Picked(("y",)),
    "side": Picked(("a",)),
    "all": Picked(("a", "b")),
    "seen": True,
    "many": 2.5,
    "sure": 4,
    "words": ("red", "round"),
    "when": Spans(((2, 5), (5, 9))),
    "place": FrameBox(3, Box(1, 2, 30, 40)),
    "what": (GIVEN,),
}


def document(n_frames: int = 20) -> Document:
    video = VideoInfo(VideoId("v"), "a.mp4", 64, 48, n_frames, 10.0, n_frames / 10)
    made = Document(DraftId("d"), video)
    made.apply(CreateTrack(TrackId("own"), "mug", 0, Box(1, 1, 20, 20)).plan(made))
    return made


def answer(field: str, value: Value, entry: int = 0, **facts: int) -> Answer:
    return Answer(AnswerKey(ITEM.id, field, entry), value, facts.get("at", 1), 250, ("y", "x"), 3)


def give(to: Document, field: str, value: Value, entry: int = 0) -> None:
    to.apply(SetAnswer(answer(field, value, entry), FORM, ITEM).plan(to))
