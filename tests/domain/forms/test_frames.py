"""Boxes that belong on a frame which the form names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from annotator.domain.answer import FrameBox
from annotator.domain.errors import EditError, RecipeError
from annotator.domain.forms.answer_checks import checked
from annotator.domain.forms.field import Field, FieldKind, Form
from annotator.domain.forms.frames import frame_of
from annotator.domain.forms.table import form_from
from annotator.domain.geometry import Box
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.items.item_checks import why_refused
from annotator.domain.questions.visibility import blinded
from annotator.domain.recipes.recipe import Act, StageSpec, TaskType
from annotator.domain.toml import TomlTable
from tests.domain.forms.asked import ITEM, document
from tests.store.samples import video_info

BOX = Box(1, 2, 30, 40)


def _field(frame: str) -> Field:
    return Field("place", "Where?", FieldKind.BOX, frame=frame)


def _named(text: str) -> Item:
    return replace(ITEM, texts={"frame": text, "answer": "secret"})


@pytest.mark.parametrize(
    ("frame", "expected"),
    [("", None), ("first", 0), ("middle", 45), ("cut", 59), ("17", 17), ("1000", 59), ("item", 30)],
)
def test_frames_are_those_of_what_may_be_seen(frame: str, expected: int | None) -> None:
    video = replace(video_info(n_frames=60), n_hidden=30)
    assert frame_of(_field(frame), _named("30"), video) == expected


def test_without_frames_or_a_number_any_will_do() -> None:
    assert frame_of(_field("item"), ITEM, video_info(n_frames=60)) is None
    assert frame_of(_field("first"), ITEM, video_info(n_frames=0)) is None


def test_a_box_elsewhere_is_refused() -> None:
    seen = document()
    middle = seen.video.n_frames // 2
    kept = checked(_field("middle"), ITEM, FrameBox(middle, BOX), seen)
    assert kept == FrameBox(middle, BOX)
    with pytest.raises(EditError, match=f"on frame {middle}, not on frame 1"):
        checked(_field("middle"), ITEM, FrameBox(1, BOX), seen)


def test_the_frame_of_an_item_is_told_to_raters_and_must_be_there() -> None:
    form = Form((_field("item"),))
    stage = StageSpec("answer", "Answer", Act.ANNOTATE)
    kind = TaskType("questions", "Questions", (), (stage,), form=form)
    item = replace(_named("12"), video_ids=(video_info().id,))
    known = item.video_ids
    assert blinded(item, form).texts == {"frame": "12"}
    assert why_refused(item, kind, known) == ""
    for text in ("", "-1", "twelve", "1.5"):
        assert "” contains no frame number, which “" in why_refused(
            replace(item, texts={"frame": text}), kind, known
        )


@pytest.mark.parametrize(
    ("frame", "expected"), [("middle", "middle"), (40, "40"), (0, "0"), ("item", "item")]
)
def test_recipes_name_frames_by_word_or_number(frame: object, expected: str) -> None:
    assert _read(frame).fields[0].frame == expected


@pytest.mark.parametrize("frame", ["end", -1, 1.5, True, "7"])
def test_other_frames_are_refused_with_their_path(frame: object) -> None:
    with pytest.raises(RecipeError, match=r"fields\[0\].frame"):
        _read(frame)


def test_only_boxes_have_a_frame() -> None:
    with pytest.raises(RecipeError, match="Not allowed for a field of kind “"):
        _read("first", kind="truth")


def _read(frame: object, kind: str = "box") -> Form:
    field: dict[str, Any] = {"key": "place", "title": "Where?", "kind": kind, "frame": frame}
    return form_from(TomlTable({"fields": [field]}, "form"))
