"""Typed attributes: values, changes within a track, and what is wrong with them."""

from __future__ import annotations

import pytest

from annotator.domain.agreement import agreements
from annotator.domain.agreement.documents import attribute_agreement
from annotator.domain.annotation.attributes import (
    AppliesTo,
    Attribute,
    AttributeKind,
    changes_of,
    problems_of,
    value_at,
    with_value,
)
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.labels import Label, LabelSet, label_set_text, parse_label_set
from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.checks import check_document
from annotator.domain.commands import DuplicateSegments, SetPointInfo, SetSegmentAttributes
from annotator.domain.dataset.facts import facts_of
from annotator.domain.dataset.statistics import DataSet, VideoStatistics
from annotator.domain.errors import EditError, ExchangeError, RecipeError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import DraftId, PointId, SegmentId, TrackId, VideoId, track_id
from annotator.domain.json_type import Json
from annotator.services.matching import assigned
from annotator.services.project.recipes import parse_recipe, shipped_recipe, with_attributes

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

    def problems(track: Track) -> list[str]:
        values = track.info.attributes
        return [code for code, _ in problems_of(track.label, AppliesTo.OBJECT, values, defined)]

    assert problems(_track({})) == ["attribute-missing"]
    assert problems(_track({"material": "glass", "full": {"3": True}})) == []
    wrong = _track({"material": "wood", "liters": "9"})
    assert problems(wrong) == ["attribute-value"] * 2
    assert problems(_track({"material": "glass", "liters": "9"}, "spoon")) == []
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
        (RECIPE + "color = 3\n", "Unknown key"),
    ],
)
def test_impossible_definitions_are_refused(text: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        parse_recipe(shipped_recipe("perception-test") + text)


def test_points_and_segments_have_attributes_of_their_own() -> None:
    hand = Attribute(
        "hand",
        "Hand",
        AttributeKind.CHOICE,
        ("left", "right"),
        is_required=True,
        applies_to=(AppliesTo.ACTION, AppliesTo.POINT),
    )
    segment = Segment(SegmentId("s"), Lane.ACTION, "pour", 0, 30, extra={"note": "n"})
    sound = Segment(SegmentId("b"), Lane.SOUND, "bell", 0, 30)
    info = PointInfo(PointId("p"), None, "tip", 1, 0)
    path = PointPath().with_run(run_of(0, [PointMark(Point(3, 4))]))
    video = VideoInfo(VideoId("v"), "v.mp4", 64, 48, 90, 30.0, 3.0)
    document = Document(DraftId(""), video, [], [segment, sound], [PointTrack(info, path)])

    def missing() -> list[str]:
        found = check_document(document, attributes=[hand])
        return [f.where for f in found if f.code == "attribute-missing"]

    assert missing() == ["v.mp4, point 1 “tip”", "v.mp4, action “pour” at 0"]
    for command in (
        SetSegmentAttributes(segment.id, {"hand": "left"}),
        SetPointInfo(info.id, attributes={"hand": "right"}),
    ):
        document.apply(command.plan(document))
    assert missing() == []
    assert document.segment(segment.id).attributes == {"hand": "left"}
    assert document.segment(segment.id).note == "n"
    assert document.points[0].attributes == {"hand": "right"}
    copy = DuplicateSegments(((segment.id, SegmentId("c")),))
    document.apply(copy.plan(document))
    assert document.segment(SegmentId("c")).attributes == {"hand": "left"}
    assert document.segment(SegmentId("c")).note == ""


def test_label_sets_carry_attributes_and_give_them_back() -> None:
    hand = Attribute(
        "hand",
        "Which “hand”",
        AttributeKind.CHOICE,
        ("left", "right"),
        default="left",
        labels=("pour",),
        help="The one that holds it.",
        applies_to=(AppliesTo.ACTION,),
    )
    force = Attribute(
        "force", "force", AttributeKind.NUMBER, low=0.0, high=2.5, applies_to=(AppliesTo.ACTION,)
    )
    labels = LabelSet(Lane.ACTION, "Kitchen", (Label(1, "pour"),), (hand, force))
    text = label_set_text(labels)
    assert parse_label_set(text, where="x") == labels
    for bad, said in (
        ('applies_to = ["sound"]', "apply to actions"),
        ("mutable = true", "one value"),
        ("color = 1", "Unknown key"),
    ):
        with pytest.raises(ExchangeError, match=said):
            parse_label_set(f"{text}{bad}\n", where="x")


def test_attributes_of_a_recipe_are_replaced_in_its_text() -> None:
    before = "# mine\n" + shipped_recipe("perception-test") + RECIPE
    wanted = (MATERIAL, FULL)
    after = with_attributes(before, wanted)
    assert after.startswith("# mine\n")
    assert parse_recipe(after).attributes == wanted
    assert parse_recipe(after).version == parse_recipe(before).version + 1
    assert parse_recipe(after).task_types == parse_recipe(before).task_types


def test_agreement_on_attributes_counts_what_both_have() -> None:
    video = VideoInfo(VideoId("v"), "v.mp4", 64, 48, 90, 30.0, 3.0)

    def document(values: dict[str, Json], hand: str) -> Document:
        info = TrackInfo(TrackId("t"), "cup", 1, 0, attributes=values)
        track = Track(info, (Keyframe(0, Box(1, 1, 9, 9)), Keyframe(19, Box(1, 1, 9, 9))))
        extra: dict[str, Json] = {"attributes": {"hand": hand}}
        segment = Segment(SegmentId(hand), Lane.ACTION, "pour", 0, 30, extra=extra)
        return Document(DraftId(""), video, [track], [segment])

    first = document({"material": "glass", "full": {"0": False, "10": True}}, "left")
    second = document({"material": "steel", "full": {"0": False, "15": True}, "size": 3}, "left")
    found = attribute_agreement(first, second, assigned)
    # Of the 20 frames of the track, 5 differ in whether it is full; one has no size at all.
    assert found == {"full": 0.75, "hand": 1.0, "material": 0.0, "size": 0.0}
    names = {agreement.method for agreement in agreements(first, second, assigned)}
    assert {"attribute full", "attribute hand"} <= names


def test_statistics_count_the_values_of_attributes() -> None:
    video = VideoInfo(VideoId("v"), "v.mp4", 64, 48, 90, 30.0, 3.0)
    tracks = [
        _track({"material": "glass", "full": {"0": False, "10": True}}),
        _track({"material": "glass"}),
        _track({"material": "steel", "mass": 2.5}),
    ]
    facts = facts_of(Document(DraftId(""), video, tracks))
    data = DataSet([VideoStatistics("v", "v.mp4", 3.0, 30.0, {}, facts, None)])
    charts = {chart.key: chart for chart in data.charts()}
    bars = {bar.name: (bar.value, bar.rows.tolist()) for bar in charts["attribute material"].bars}
    assert bars == {"glass": (2, [0, 1]), "steel": (1, [2])}
    assert {bar.name for bar in charts["attribute full"].bars} == {"no", "yes"}
    assert {bar.name for bar in charts["attribute mass"].bars} == {"2.5"}
