"""The recipes of benchmarks with questions: read whole, and saying what their benchmark needs."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from annotator.domain.forms.field import FieldKind
from annotator.domain.forms.restricted_view import Extent
from annotator.domain.questions.items.answer_sets import missing_of
from annotator.domain.questions.items.item import Purpose
from annotator.domain.questions.pair_questions import PairAnswer
from annotator.domain.recipes.file import recipe_from
from annotator.domain.recipes.recipe import Recipe, Resolution, guideline_for

_FOLDER = Path(__file__).resolve().parents[3] / "resources" / "recipes"


def _recipe(name: str) -> Recipe:
    return recipe_from(tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", ["pacs", "neptune", "video-tt"])
def test_every_recipe_asks_and_names_its_export(name: str) -> None:
    recipe = _recipe(name)
    assert recipe.name == recipe.export == name
    assert all(t.form is not None for t in recipe.task_types)
    guided = {
        (t.kind, s.key)
        for t in recipe.task_types
        for s in t.stages
        if guideline_for(recipe.guidelines, t.kind, s.key)
    }
    assert len(guided) > len(recipe.task_types) / 2


def test_pacs_shows_one_frame_and_then_the_sound() -> None:
    recipe = _recipe("pacs")
    look, listen = recipe.task_type("look"), recipe.task_type("listen")
    assert look is not None
    assert listen is not None
    assert (look.viewing.extent, look.viewing.is_muted) == (Extent.MIDDLE_FRAME, True)
    assert (listen.viewing.extent, listen.viewing.is_muted) == (Extent.WHOLE, False)
    for task_type in (look, listen):
        assert task_type.form is not None
        materials = task_type.form.field("materials")
        assert materials is not None
        assert len(materials.options) == 18
        assert materials.has_other
        assert task_type.form.field("confidence") is not None
    assert listen.form is not None
    flag = listen.form.field("flag")
    assert flag is not None
    assert len(flag.options) == 11  # the wrong object, or one of ten reasons


def test_pacs_has_five_writers_and_three_answers() -> None:
    recipe = _recipe("pacs")
    write, reassign, confirm = (recipe.task_type(k) for k in ("write", "reassign", "confirm"))
    assert write is not None
    assert reassign is not None
    assert confirm is not None
    assert write.form is not None
    assert write.form.entries == (1, 2)
    assert (write.first.raters, reassign.first.raters, confirm.first.raters) == (5, 1, 2)
    assert confirm.first.resolution is Resolution.UNANIMITY
    assert write.requires == ("writing-test",)
    for each in (reassign, confirm):
        assert each.form is not None
        answer = each.form.field("answer")
        assert answer is not None
        assert [o.key for o in answer.options] == [str(v) for v in PairAnswer]
    tests = [t.kind for t in recipe.task_types if t.purpose is Purpose.QUALIFICATION]
    assert tests == ["writing-test", "answer-test", "reasons-test"]
    passing = [t.passing for t in recipe.task_types if t.passing is not None]
    assert [(p.share, p.grade, p.attempts) for p in passing] == [
        (None, 3, 2),
        (0.8, None, 1),
        (None, 3, 1),
    ]
    for each in (write, reassign, confirm):
        assert each.attention is not None
        assert (each.attention.every, each.attention.failures) == (10, 2)
    assert recipe.pairing is not None
    assert (recipe.pairing.pairs_each, recipe.pairing.questions_each) == (3, 13)


def test_neptune_has_three_raters_and_a_verifier() -> None:
    recipe = _recipe("neptune")
    judge = recipe.task_type("judge")
    assert judge is not None
    assert [(s.key, s.raters) for s in judge.stages] == [("judge", 3), ("verify", 1)]
    assert judge.requires == ("training",)
    assert judge.attention is not None
    assert judge.form is not None
    assert len(missing_of(judge.form.fields, {})) == 5
    types = judge.form.field("type")
    assert types is not None
    assert len(types.options) == 12
    certificate = judge.form.field("certificate")
    assert certificate is not None
    assert certificate.kind is FieldKind.SPANS
    begun = [f.prefill for f in judge.form.fields if f.prefill]
    assert begun == ["question", "answer", "decoy-0", "decoy-1", "decoy-2", "decoy-3"]


def test_video_tt_aligns_with_two_people_after_each_step() -> None:
    recipe = _recipe("video-tt")
    pairs = [t.kind for t in recipe.task_types if t.first.raters == 2]
    assert pairs == [
        "trial-alignment",
        "collection-alignment",
        "alignment",
        "sampling-check",
        "variants-alignment",
    ]
    shares = {t.kind: t.share for t in recipe.task_types if t.share != 1}
    assert shares == {"trial": 0.1, "sampling-check": 0.2}
    primary, score = recipe.task_type("primary"), recipe.task_type("scoring")
    assert primary is not None
    assert primary.form is not None
    assert score is not None
    assert score.form is not None
    assert {f.key for f in primary.form.fields} >= {"question", "answer", "rationale"}
    capability = primary.form.field("capability")
    assert capability is not None
    assert len(capability.options) == 18
    assert [o.key for o in score.form.fields[0].options] == list("012345")


def test_perception_test_asks_five_raters_without_showing_the_end() -> None:
    recipe = _recipe("perception-test")
    choice, grounded = recipe.task_type("questions"), recipe.task_type("grounded-questions")
    assert choice is not None
    assert grounded is not None
    assert choice.viewing.extent is Extent.BEFORE_CUT
    assert (choice.first.raters, choice.first.resolution) == (5, Resolution.MAJORITY)
    assert grounded.viewing.has_tracks
    assert recipe.bank is not None
    assert recipe.bank.n_options == 3
    areas = {"physics", "semantics", "abstraction", "memory"}
    assert {t.area for t in recipe.bank.templates} == areas
    kinds = {"descriptive", "explanatory", "predictive", "counterfactual"}
    assert {t.reasoning for t in recipe.bank.templates} <= kinds
    assert {rule.area for rule in recipe.rules} <= areas
