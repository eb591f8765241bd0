"""Answers of a model: shown in forms where the recipe allows it, and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.answer import Picked
from annotator.domain.errors import ExchangeError, RecipeError
from annotator.domain.forms.field import Field, FieldKind, Option
from annotator.domain.questions.visibility import PredictedAnswer, predicted_value
from annotator.services.project.recipes import parse_recipe
from annotator.services.questions.asking.model_answers import import_answers
from annotator.store.annotation.predictions import predictions_of
from tests.services.questions.question_team import QuestionTeam, item, recipe
from tests.services.questions.remote_team import RemoteTeam

OPTIONS = (Option("o0", "A red cup"), Option("o1", "Nothing"), Option("b", "A bear"))
ALONE = recipe().replace(
    'raters = 2\nmax_raters = 3\nresolution = "majority"', "shows_predictions = true"
)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path, text=ALONE)
    yield made
    made.project.close()


def written(folder: Path, *rows: dict[str, object], name: str = "tiny.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(list(rows)))
    return path


@pytest.mark.parametrize(
    ("text", "key"),
    [("o1", "o1"), ("a RED cup.", "o0"), ("C", "b"), ("b", "b"), ("(A) red cup", "o0")],
)
def test_an_option_is_named_by_key_text_or_letter(text: str, key: str) -> None:
    field = Field("which", "Which?", FieldKind.CHOICE)
    assert predicted_value(field, OPTIONS, text) == Picked((key,))


def test_what_is_no_answer_to_the_field_has_no_value() -> None:
    choice = Field("which", "Which?", FieldKind.CHOICE)
    assert predicted_value(choice, OPTIONS, "Z") is None
    assert predicted_value(choice, OPTIONS, "  ") is None
    assert predicted_value(Field("t", "?", FieldKind.TRUTH), (), "Yes.") is True
    assert predicted_value(Field("t", "?", FieldKind.TRUTH), (), "maybe") is None
    assert predicted_value(Field("w", "?", FieldKind.TEXT, maximum=3), (), "long") is None


def test_predictions_are_shown_and_are_no_answers(team: QuestionTeam, tmp_path: Path) -> None:
    first, second = item(team.videos[0].id, source={"key": "q7"}), item(team.videos[0].id, "2")
    task = team.add(first, second)
    path = written(
        tmp_path,
        {"id": "q7", "answer": "Option 2", "confidence": 0.875},
        {"id": str(second.id), "answer": "?!"},
        {"id": "elsewhere", "answer": "A"},
    )
    done = import_answers(team.project, path, "Tiny", "2")
    assert (done.n_answers, done.n_known) == (1, 0)
    assert sorted(f.text.split(":")[1].split(",")[0] for f in done.findings) == [
        " the project has no item with this ID",
        " the text is not an answer to the item",
    ]
    assert import_answers(team.project, path, "Tiny", "2").n_known == 1
    session, question_set = team.as_("Ann", task)
    (field, *_) = question_set.form.fields
    told = PredictedAnswer("Tiny", "Option 2", 0.875)
    assert question_set.predicted(first, field) == ((told, Picked(("o2",))),)
    assert question_set.predicted(first, question_set.form.fields[1]) == ()
    assert question_set.predicted(second, field) == ()
    assert question_set.value(first.id, "which") is None
    assert question_set.progress.n_done == 0
    assert session.document.answers == {}


def test_predictions_are_not_shown_where_the_recipe_does_not_allow_it(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path)
    made = item(team.videos[0].id)
    team.add(made)
    path = written(tmp_path, {"id": str(made.id), "answer": "o1"})
    with pytest.raises(ExchangeError, match="does not show predicted answers") as caught:
        import_answers(team.project, path)
    assert "shows_predictions" in str(caught.value.hint)
    team.project.close()


def test_no_vote_is_swayed_by_predictions() -> None:
    text = recipe().replace("raters = 2", "raters = 2\nshows_predictions = true")
    with pytest.raises(RecipeError, match="independently"):
        parse_recipe(text)


def test_no_check_is_known_by_its_missing_prediction() -> None:
    check = "[task_types.attention]\nevery = 3\n[task_types.form]"
    with pytest.raises(RecipeError, match="recognized"):
        parse_recipe(ALONE.replace("[task_types.form]", check, 1))


def test_predictions_need_a_form() -> None:
    text = recipe().replace("may_choose = true", "may_choose = true\nshows_predictions = true", 1)
    with pytest.raises(RecipeError, match="with a form"):
        parse_recipe(text)


def test_predictions_travel_in_packages_with_their_items_only(tmp_path: Path) -> None:
    team = RemoteTeam(tmp_path, text=ALONE)
    mine, others = item(team.clips[0].id, "Mine"), item(team.clips[1].id, "Other")
    team.questions.add([mine, others])
    path = written(
        tmp_path,
        {"id": str(mine.id), "answer": "o2", "confidence": 0.5},
        {"id": str(others.id), "answer": "o1"},
    )
    import_answers(team.project, path, "Tiny")
    project = team.unpack(team.package("Ann"), "Ann")
    (task,) = [t for t in project.tasks() if t.kind == "questions"]
    question_set = project.questions.question_set(project.open_task(task.id))
    assert [each.id for each in question_set.items] == [mine.id]
    (found,) = question_set.predicted(mine, question_set.form.fields[0])
    (row,) = predictions_of(project.file, mine.video_ids[0])
    assert str(others.id).encode() not in row.body
    assert found == (PredictedAnswer("Tiny", "o2", 0.5), Picked(("o2",)))
    project.close()
    team.project.close()


@pytest.mark.parametrize("confidence", [1.5, -0.1, "high"])
def test_a_confidence_is_a_share(team: QuestionTeam, tmp_path: Path, confidence: object) -> None:
    made = item(team.videos[0].id)
    team.add(made)
    path = written(tmp_path, {"id": str(made.id), "answer": "o1", "confidence": confidence})
    with pytest.raises(ExchangeError):
        import_answers(team.project, path)
