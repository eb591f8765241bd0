"""Typed attributes: values, changes within a track, and what is wrong with them."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.attributes import (
    Attribute,
    AttributeKind,
    changes_of,
    problems_of,
    value_at,
    with_value,
)
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.checks import check_document
from annotator.domain.errors import EditError, RecipeError
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, VideoId, track_id
from annotator.domain.json_type import Json
from annotator.services.project.recipes import parse_recipe, shipped_recipe

MATERIAL = Attribute(
    "material", "Material", AttributeKind.CHOICE, ("glass", "steel"), is_required=True
)
FULL = Attribute("full", "Full", AttributeKind.CHECKBOX, default=False, is_mutable=True)
LITERS = Attribute("liters", "Liters", AttributeKind.NUMBER, low=0, high=2, labels=("cup",))


def _track(attributes: dict[str, Json], label: str = "cup") -> Track:
    info = TrackInfo(track_id(), label, 1, 0, attributes=attributes)
    return Track(info, (Keyframe(3, Box(1, 1, 20, 20)),))


@pytest.mark.parametrize(
    ("attribute", "value", "read"),
    [
        (FULL, True, True),
        (FULL, "false", False),
        (FULL, "maybe", None),
        (MATERIAL, "glass", "glass"),
        (MATERIAL, "wood", None),
        (LITERS, "1.5", 1.5),
        (LITERS, 3, None),
        (LITERS, "nan", None),
        (LITERS, True, None),
        (Attribute("note", "Note", AttributeKind.TEXT), "x" * 501, None),
    ],
)
def test_values_are_read_by_type(attribute: Attribute, value: Json, read: object) -> None:
    assert attribute.read(value) == read


def test_changing_values_hold_until_the_next() -> None:
    found = with_value({}, FULL, 30, True)
    found = with_value(found, FULL, 60, False)
    assert [value_at(found, FULL, f) for f in (0, 29, 30, 59, 60, 90)] == [
        *(False, False, True, True, False, False)
    ]
    assert changes_of(found["full"]) == [(30, True), (60, False)]
    # Setting the value that holds already leaves no change behind.
    again = with_value(found, FULL, 45, True)
    assert again == found
    assert with_value(found, FULL, 30, False)["full"] == {"30": False}
    assert value_at(with_value({"full": True}, FULL, 10, False), FULL, 5) is True


def test_plain_values_are_replaced_and_impossible_ones_refused() -> None:
    found = with_value({"other": 1}, MATERIAL, 12, "steel")
    assert found == {"other": 1, "material": "steel"}
    with pytest.raises(EditError, match="“wood” is not a value of “Material”"):
        with_value(found, MATERIAL, 12, "wood")


def test_missing_and_wrong_values_are_named() -> None:
    defined = (MATERIAL, FULL, LITERS)
    assert [code for code, _ in problems_of(_track({}), defined)] == ["attribute-missing"]
    assert list(problems_of(_track({"material": "glass", "full": {"3": True}}), defined)) == []
    wrong = _track({"material": "wood", "liters": "9"})
    assert [code for code, _ in problems_of(wrong, defined)] == ["attribute-value"] * 2
    other = _track({"material": "glass", "liters": "9"}, "spoon")
    assert list(problems_of(other, defined)) == []
    video = VideoInfo(VideoId("v"), "v.mp4", 64, 48, 90, 30.0, 3.0)
    document = Document(DraftId(""), video, [wrong])
    found = [f for f in check_document(document, attributes=defined) if "attribute" in f.code]
    assert [f.frame for f in found] == [3, 3]


RECIPE = """
[[attributes]]
key = "material"
type = "choice"
options = ["glass", "steel"]
default = "glass"
"""


def test_recipes_define_them() -> None:
    recipe = parse_recipe(shipped_recipe("perception-test") + RECIPE)
    (found,) = recipe.attributes
    assert (found.title, found.default, found.options) == ("material", "glass", ("glass", "steel"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RECIPE.replace("choice", "number"), "needs options"),
        (RECIPE.replace('default = "glass"', 'default = "wood"'), "Not a value"),
        (RECIPE.replace('"choice"', '"list"'), "type"),
        (RECIPE + RECIPE, "material"),
        (RECIPE + "colour = 3\n", "Unknown key"),
    ],
)
def test_impossible_definitions_are_refused(text: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        parse_recipe(shipped_recipe("perception-test") + text)
