"""What a recipe says of its studies, or the path of what is wrong."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from annotator.domain.errors import RecipeError
from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.questions.items.item import Purpose
from annotator.domain.recipes.file import recipe_from
from annotator.domain.study.design import Condition, StudySpec

FORM = {"fields": [{"key": "answer", "title": "Which?", "kind": "choice", "from_item": True}]}
STAGE = {"key": "answer", "title": "Answer", "act": "annotate"}
RECIPE: dict[str, Any] = {
    "name": "lab",
    "version": 1,
    "title": "Lab",
    "task_types": [
        {"kind": "questions", "title": "Questions", "form": FORM, "stages": [STAGE]},
        {
            "kind": "people",
            "title": "People",
            "purpose": "study",
            "form": FORM,
            "stages": [STAGE],
            "study": {
                "of": ["questions"],
                "answers": 5,
                "conditions": [
                    {"key": "sound", "title": "With sound"},
                    {"key": "muted", "title": "Muted", "viewing": {"is_muted": True}},
                ],
            },
        },
    ],
}


def test_a_study_is_read() -> None:
    found = recipe_from(RECIPE).task_type("people")
    assert found is not None
    assert found.purpose is Purpose.STUDY
    muted = Condition("muted", "Muted", Viewing(is_muted=True))
    conditions = (Condition("sound", "With sound"), muted)
    assert found.study == StudySpec(("questions",), 5, 42, conditions)


@pytest.mark.parametrize(
    ("change", "where", "word"),
    [
        (
            {"study": {"of": []}},
            "study.of",
            r"Must list the task types whose items are used in the study\.",
        ),
        ({"study": {"of": ["people", "qestions"]}}, "study.of[1]", "“questions”"),
        ({"study": {"of": ["questions"], "answers": 0}}, "study.answers", "1 to"),
        ({"study": {"of": ["questions"], "n": 1}}, "study.n", r"Unknown key\."),
        ({"study": {"of": ["questions"], "conditions": [{}]}}, "conditions[0].key", "missing"),
        ({"purpose": "work"}, "purpose", "“study”"),
        ({"study": None}, "study", "missing"),
        ({"form": None}, "form", "with a form"),
        ({"stages": [STAGE, {**STAGE, "key": "again"}]}, "stages", "one stage"),
        (
            {"stages": [{**STAGE, "raters": 2, "resolution": "majority"}]},
            "stages",
            r"A study must have one stage with one rater\.",
        ),
        (
            {"attention": {"every": 10}},
            "attention",
            r"A study cannot have qualification tests or attention checks\.",
        ),
        (
            {"passing": {"share": 0.5}},
            "passing",
            r"A study cannot have qualification tests or attention checks\.",
        ),
    ],
)
def test_a_fault_is_named_by_its_path(change: dict[str, Any], where: str, word: str) -> None:
    recipe = copy.deepcopy(RECIPE)
    kind = recipe["task_types"][1]
    for key, value in change.items():
        if value is None:
            del kind[key]
        else:
            kind[key] = value
    with pytest.raises(RecipeError, match=word) as caught:
        recipe_from(recipe)
    assert str(caught.value.where).endswith(where)


def test_two_conditions_of_one_key_are_refused() -> None:
    recipe = copy.deepcopy(RECIPE)
    recipe["task_types"][1]["study"]["conditions"][1]["key"] = "sound"
    with pytest.raises(RecipeError, match="Duplicate “"):
        recipe_from(recipe)


def test_open_answers_are_scored_where_a_score_is_asked_for() -> None:
    recipe = copy.deepcopy(RECIPE)
    study = recipe["task_types"][1]["study"]
    study["of"] = ["finished"]
    study["scored_in"] = "questions"
    with pytest.raises(RecipeError, match="field “score”") as caught:
        recipe_from(recipe)
    assert str(caught.value.where) == "task_types[1].study.scored_in"
    score = {"key": "score", "title": "How far?", "kind": "number", "minimum": 0, "maximum": 5}
    recipe["task_types"][0]["form"]["fields"].append(score)
    made = recipe_from(recipe).task_types[1].study
    assert made is not None
    assert (made.of, made.scored_in) == (("finished",), "questions")
    study["of"] = ["finnished"]
    with pytest.raises(RecipeError, match="Did you mean “"):
        recipe_from(recipe)
