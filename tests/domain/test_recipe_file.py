"""Recipes: what a good file gives, and the path of every fault in a bad one."""

from __future__ import annotations

import ast
import copy
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain import checks
from annotator.domain.annotation.keyframe_reduction import Tolerance
from annotator.domain.checks.finding import CODES
from annotator.domain.errors import RecipeError
from annotator.domain.people import Role
from annotator.domain.recipes.file import recipe_from
from annotator.domain.recipes.recipe import (
    Act,
    Guideline,
    HiddenObjects,
    Resolution,
    SampleBy,
    Tool,
    guideline_for,
)

_ROOT = Path(__file__).resolve().parents[2]
_SHIPPED = sorted((_ROOT / "resources" / "recipes").glob("*.toml"))

_GOOD: dict[str, Any] = {
    "name": "kitchen",
    "version": 2,
    "title": "Kitchen",
    "export": "perception-test",
    "pictures": "pictures",
    "label_sets": ["actions"],
    "spot_checks": {"share": 0.1, "by": "risk"},
    "return_reasons": [{"code": "missing", "text": "Something is missing"}],
    "task_types": [
        {
            "kind": "tracks",
            "title": "Tracks",
            "tools": ["boxes", "points"],
            "checklist": [{"text": "All named", "finding": "empty-name"}],
            "rounds_from": "check",
            "stages": [
                {"key": "annotate", "title": "Annotate", "act": "annotate", "role": "rater"},
                {"key": "check", "title": "Check", "act": "check", "lease_hours": 1.5},
                {
                    "key": "verify",
                    "title": "Verify",
                    "act": "verify",
                    "role": "reviewer",
                    "sends_back_to": "check",
                    "raters": 3,
                    "max_raters": 5,
                    "resolution": "majority",
                    "checklist": [{"text": "Seen to the end"}],
                },
            ],
        }
    ],
    "guidelines": [
        {"title": "Cups", "text": "# Cups", "kinds": ["tracks"], "stages": ["check"], "round": 2}
    ],
}
_STAGE = "task_types[0].stages[{}]"


def test_a_good_file_gives_what_it_says() -> None:
    recipe = recipe_from(_GOOD)
    kind = recipe.task_type("tracks")
    assert kind is not None
    assert (recipe.name, recipe.version, recipe.export) == ("kitchen", 2, "perception-test")
    assert recipe.pictures == "pictures"
    assert kind.tools == (Tool.BOXES, Tool.POINTS)
    assert [s.act for s in kind.stages] == [Act.ANNOTATE, Act.CHECK, Act.VERIFY]
    assert [s.role for s in kind.stages] == [Role.RATER, None, Role.REVIEWER]
    assert [s.lease_ms for s in kind.stages] == [None, 5_400_000, None]
    assert kind.stages[2].resolution is Resolution.MAJORITY
    assert (kind.stages[2].raters, kind.stages[2].max_raters) == (3, 5)
    assert kind.checklist[0].finding == "empty-name"
    assert recipe.spot_checks is not None
    assert (recipe.spot_checks.by, recipe.spot_checks.every_days) == (SampleBy.RISK, 3)
    assert kind.after("annotate") == kind.stages[1]
    assert kind.after("verify") is None
    assert kind.stage("” requires more than one rater.") is None
    assert recipe.task_type("” requires more than one rater.") is None


def test_a_task_type_can_say_how_closely_keyframes_fit() -> None:
    told = copy.deepcopy(_GOOD)
    assert recipe_from(told).task_types[0].tolerance is None
    told["task_types"][0]["tolerance"] = {"px": 1.5}
    assert recipe_from(told).task_types[0].tolerance == Tolerance(1.5, 0.95)
    for wrong in ({"px": 0}, {"iou": 1.2}, {"pixels": 2}):
        told["task_types"][0]["tolerance"] = wrong
        with pytest.raises(RecipeError, match="tolerance"):
            recipe_from(told)


def test_a_task_type_can_say_that_hidden_objects_have_no_box() -> None:
    told = copy.deepcopy(_GOOD)
    assert recipe_from(told).task_types[0].hidden is None
    told["task_types"][0]["hidden"] = "out-of-view"
    assert recipe_from(told).task_types[0].hidden is HiddenObjects.OUT_OF_VIEW
    for wrong in ("absent", 3):
        told["task_types"][0]["hidden"] = wrong
        with pytest.raises(RecipeError) as refused:
            recipe_from(told)
        assert refused.value.where == "task_types[0].hidden"


@pytest.mark.parametrize("path", _SHIPPED, ids=lambda p: p.stem)
def test_shipped_recipes_are_good_and_named_like_their_files(path: Path) -> None:
    recipe = recipe_from(tomllib.loads(path.read_text(encoding="utf-8")))
    assert recipe.name == path.stem


def test_shipped_checklists_name_checks_that_there_are() -> None:
    source = "".join(
        p.read_text(encoding="utf-8")
        for p in (_ROOT / "annotator" / "domain" / "checks").glob("*.py")
    )
    codes = set(re.findall(r"(?:Finding|_finding)\(\s*\"([a-z-]+)\"", source))
    named = {
        item.finding
        for path in _SHIPPED
        for kind in recipe_from(tomllib.loads(path.read_text(encoding="utf-8"))).task_types
        for item in kind.checklist
        if item.finding is not None
    }
    assert len(named) > 5
    assert named <= codes


def test_perception_test_has_three_people_and_a_way_back() -> None:
    path = _ROOT / "resources" / "recipes" / "perception-test.toml"
    recipe = recipe_from(tomllib.loads(path.read_text(encoding="utf-8")))
    drawn = [t for t in recipe.task_types if t.form is None]
    assert [t.kind for t in drawn] == [
        "object-tracks",
        "point-tracks",
        "actions",
        "sounds",
    ]
    for kind in drawn:
        assert [s.key for s in kind.stages] == ["annotate", "check", "verify"]
        assert [s.sends_back_to for s in kind.stages] == [None, None, "check"]
        assert not any(s.may_repeat for s in kind.stages)
        for stage in kind.stages:
            assert guideline_for(recipe.guidelines, kind.kind, stage.key) is not None


def _faults() -> list[tuple[str, Callable[[dict[str, Any]], object], str, str]]:
    def kind(recipe: dict[str, Any]) -> dict[str, Any]:
        return recipe["task_types"][0]

    def stage(recipe: dict[str, Any], i: int) -> dict[str, Any]:
        return kind(recipe)["stages"][i]

    at = _STAGE.format
    return [
        ("no name", lambda r: r.pop("name"), "name", "missing"),
        ("name with blanks", lambda r: r.update(name="My recipe"), "name", "hyphens"),
        ("version as text", lambda r: r.update(version="1"), "version", "Must be an integer from"),
        ("version 0", lambda r: r.update(version=0), "version", "from 1"),
        ("version true", lambda r: r.update(version=True), "version", "Must be an integer from"),
        ("empty title", lambda r: r.update(title=" "), "title", "empty"),
        ("long title", lambda r: r.update(title="x" * 501), "title", "501"),
        ("title a number", lambda r: r.update(title=3), "title", "text"),
        ("unknown key", lambda r: r.update(exports="x"), "exports", "“export”"),
        ("unknown key, far", lambda r: r.update(zzz=1), "zzz", "Available:"),
        ("no types", lambda r: r.update(task_types=[]), "task_types", "at least one"),
        ("types no list", lambda r: r.update(task_types={}), "task_types", "list"),
        ("a type no table", lambda r: r.update(task_types=[3]), "task_types[0]", "table"),
        ("too many types", lambda r: r.update(task_types=[{}] * 201), "task_types", "200"),
        (
            "a kind twice",
            lambda r: r["task_types"].append(copy.deepcopy(kind(r))),
            "task_types[1].kind",
            "Duplicate “",
        ),
        (
            "unknown tool",
            lambda r: kind(r).update(tools=["boxes", "pointz"]),
            "task_types[0].tools[1]",
            "“points”",
        ),
        ("tools no list", lambda r: kind(r).update(tools="boxes"), "task_types[0].tools", "list"),
        ("tool no text", lambda r: kind(r).update(tools=[4]), "task_types[0].tools[0]", "charac"),
        ("no stages", lambda r: kind(r).update(stages=[]), "task_types[0].stages", "at least one"),
        (
            "follows what comes below it",
            lambda r: kind(r).update(follows=kind(r)["kind"]),
            "task_types[0].follows",
            "earlier task type",
        ),
        (
            "rounds from a missing stage",
            lambda r: kind(r).update(rounds_from="chek"),
            "task_types[0].rounds_from",
            "“check”",
        ),
        (
            "a key twice",
            lambda r: stage(r, 1).update(key="annotate"),
            at(1) + ".key",
            "Duplicate “",
        ),
        ("unknown role", lambda r: stage(r, 0).update(role="ratr"), at(0) + ".role", "“rater”"),
        ("unknown act", lambda r: stage(r, 0).update(act="sing"), at(0) + ".act", "Available:"),
        ("act no text", lambda r: stage(r, 0).update(act=1), at(0) + ".act", "text"),
        ("no act", lambda r: stage(r, 0).pop("act"), at(0) + ".act", "missing"),
        (
            "back to a missing stage",
            lambda r: stage(r, 2).update(sends_back_to="chekc"),
            at(2) + ".sends_back_to",
            "“check”",
        ),
        (
            "back to itself",
            lambda r: stage(r, 2).update(sends_back_to="verify"),
            at(2) + ".sends_back_to",
            "” is not an earlier stage than “",
        ),
        (
            "back to a later stage",
            lambda r: stage(r, 1).update(sends_back_to="verify"),
            at(1) + ".sends_back_to",
            "” is not an earlier stage than “",
        ),
        ("no raters", lambda r: stage(r, 0).update(raters=0), at(0) + ".raters", "from 1"),
        (
            "raters without a way",
            lambda r: stage(r, 0).update(raters=3),
            at(0) + ".resolution",
            "majority",
        ),
        (
            "one rater with a way",
            lambda r: stage(r, 0).update(resolution="unanimity"),
            at(0) + ".resolution",
            "” requires more than one rater.",
        ),
        (
            "fewer at most",
            lambda r: stage(r, 2).update(max_raters=2),
            at(2) + ".max_raters",
            "less",
        ),
        (
            "no lease",
            lambda r: stage(r, 1).update(lease_hours=0),
            at(1) + ".lease_hours",
            "Must be a number greater than 0 and at most",
        ),
        (
            "a lease that is no number",
            lambda r: stage(r, 1).update(lease_hours=float("nan")),
            at(1) + ".lease_hours",
            "Must be a number greater than 0 and at most",
        ),
        (
            "may as text",
            lambda r: stage(r, 1).update(may_choose="y"),
            at(1) + ".may_choose",
            "true",
        ),
        (
            "unknown key of a stage",
            lambda r: stage(r, 1).update(lease_hour=2),
            at(1) + ".lease_hour",
            "“lease_hours”",
        ),
        (
            "checklist without words",
            lambda r: stage(r, 2).update(checklist=[{"finding": "x"}]),
            at(2) + ".checklist[0].text",
            "missing",
        ),
        (
            "a code twice",
            lambda r: r["return_reasons"].append({"code": "missing", "text": "y"}),
            "return_reasons[1].code",
            "Duplicate “",
        ),
        (
            "share of 0",
            lambda r: r.update(spot_checks={"share": 0}),
            "spot_checks.share",
            "Must be a number greater than 0 and at most",
        ),
        (
            "share beyond",
            lambda r: r.update(spot_checks={"share": 2}),
            "spot_checks.share",
            "Must be a number greater than 0 and at most",
        ),
        (
            "share of what is asked beyond",
            lambda r: r["task_types"][0].update(share=1.5),
            "task_types[0].share",
            "Must be a number greater than 0 and at most",
        ),
        ("no share", lambda r: r.update(spot_checks={}), "spot_checks.share", "missing"),
        (
            "pictures outside",
            lambda r: r.update(pictures="../a"),
            "pictures",
            "Must be a folder next to the project file, for example “pictures”.",
        ),
        (
            "pictures anywhere",
            lambda r: r.update(pictures="/a"),
            "pictures",
            "Must be a folder next to the project file, for example “pictures”.",
        ),
        ("spot checks no table", lambda r: r.update(spot_checks=3), "spot_checks", "table"),
        (
            "guideline for a missing stage",
            lambda r: r["guidelines"][0].update(stages=["check", "veryfy"]),
            "guidelines[0].stages[1]",
            "“verify”",
        ),
        (
            "guideline for a missing kind",
            lambda r: r["guidelines"][0].update(kinds=["trakcs"]),
            "guidelines[0].kinds[0]",
            "“tracks”",
        ),
        (
            "guideline of round 0",
            lambda r: r["guidelines"][0].update(round=0),
            "guidelines[0].round",
            "from 1",
        ),
    ]


@pytest.mark.parametrize(
    ("spoil", "where", "says"), [f[1:] for f in _faults()], ids=[f[0] for f in _faults()]
)
def test_a_fault_is_named_by_its_path(
    spoil: Callable[[dict[str, Any]], object], where: str, says: str
) -> None:
    bad = copy.deepcopy(_GOOD)
    spoil(bad)
    with pytest.raises(RecipeError) as caught:
        recipe_from(bad)
    assert caught.value.where == where
    assert says in f"{caught.value.text} {caught.value.hint}"


def test_the_file_itself_must_be_a_table() -> None:
    with pytest.raises(RecipeError) as caught:
        recipe_from([])  # type: ignore[arg-type]
    assert caught.value.where == "recipe"


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


def _places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, ...]] = []
    if isinstance(value, dict):
        inner = [p for key in value for p in _places(value[key], (*path, key))]
    elif isinstance(value, list):
        inner = [p for i, each in enumerate(value) for p in _places(each, (*path, i))]
    return [path, *inner] if path else inner


@given(st.sampled_from(_places(_GOOD)), _JUNK)
def test_junk_anywhere_is_refused_in_words_or_is_a_recipe(
    place: tuple[Any, ...], junk: object
) -> None:
    bad = copy.deepcopy(_GOOD)
    inside: Any = bad
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = junk
    try:
        recipe = recipe_from(bad)
    except RecipeError as error:
        assert error.where  # noqa: PT017
    else:
        assert recipe.task_types


def test_the_most_special_guidelines_are_shown() -> None:
    everywhere = Guideline("General", "…")
    stage = Guideline("Checking", "…", stages=("check",))
    script = Guideline("Cups", "…", scripts=("cups",))
    round_two = Guideline("Round 2", "…", round=2)
    later = Guideline("Later", "…", stages=("check",))
    every = (everywhere, stage, script, round_two)
    assert guideline_for(every, "tracks", "verify") == everywhere
    assert guideline_for(every, "tracks", "check") == stage
    assert guideline_for(every, "tracks", "check", script="cups") == script
    assert guideline_for(every, "tracks", "check", script="cups", round_=2) == round_two
    assert guideline_for((stage, later), "tracks", "check") == later
    assert guideline_for((stage,), "tracks", "verify") is None


def test_an_unknown_finding_of_a_checklist_is_refused_with_a_suggestion():
    path = _ROOT / "resources" / "recipes" / "annotate-review.toml"
    text = path.read_text(encoding="utf-8").replace('"empty-name"', '"empty-nam"')
    with pytest.raises(RecipeError, match="Unknown finding “empty-nam”") as caught:
        recipe_from(tomllib.loads(text))
    assert caught.value.hint == "Did you mean “empty-name”?"
    assert str(caught.value.where).endswith("checklist[0].finding")


def test_the_known_findings_are_those_that_checks_make():
    found = set()
    for path in Path(checks.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            first = node.args[0] if isinstance(node, ast.Call) and node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                is_code = getattr(node.func, "id", "") in ("Finding", "_finding")
                found |= {first.value} if is_code else set()
    assert found <= set(CODES)
