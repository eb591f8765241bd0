"""Questions made from bank and rules, answered, drawn and exported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.answer import Picked, Value
from annotator.domain.commands import CreateSegment, CreateTrack
from annotator.domain.errors import WorkError
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.domain.questions.items.item import ItemState
from annotator.services.background.jobs import JobToken
from annotator.services.questions.question_generation import (
    make_bank_questions,
    make_final_questions,
    make_grounded_questions,
    resolve_grounded_questions,
)
from annotator.services.transfer import ExportRequest, export_project
from annotator.store.questions.items import ItemFilter
from tests.services.questions.question_team import QuestionTeam

PUT = "Putting something into something"
RECIPE = f"""
name = "bank"
version = 1
title = "Bank"

[bank]
kind = "questions"
open_kind = "open-answers"
final_kind = "final-questions"
seed = 3

[[bank.templates]]
key = "count"
text = "How many cups are there?"
area = "abstraction"
reasoning = "descriptive"
tags = ["object counting"]
options = ["one", "two", "three", "four"]
scripts = ["cups-game"]

[[bank.templates]]
key = "why"
text = "Why were they moved?"
area = "semantics"
reasoning = "explanatory"
tags = ["general knowledge"]
scripts = ["cups-game"]

[[rules]]
key = "put-in"
kind = "grounded-questions"
text = "Track the objects that were put into something."
area = "semantics"
reasoning = "descriptive"
where = 'fills slot 1 of "{PUT}"'

[[rules]]
key = "touched"
kind = "grounded-questions"
text = "Track the object that was touched first."
area = "memory"
reasoning = "descriptive"
where = "touched first"

[[task_types]]
kind = "object-tracks"
title = "Drawing"
tools = ["boxes", "actions"]
[[task_types.stages]]
key = "annotate"
title = "Draw"
act = "annotate"
may_choose = true
"""
TYPE = """
[[task_types]]
kind = "{kind}"
title = "{kind}"
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
role = "rater"
may_choose = true
[task_types.form]
[[task_types.form.fields]]
key = "answer"
title = "Answer"
{field}
"""
CHOICE = 'kind = "choice"\nfrom_item = true\nis_shuffled = true'
KINDS = {
    "questions": CHOICE,
    "open-answers": 'kind = "text"',
    "grounded-questions": 'kind = "truth"',
}


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    types = "".join(TYPE.format(kind=kind, field=field) for kind, field in KINDS.items())
    made = QuestionTeam(tmp_path, 6, text=RECIPE + types)
    made.project.set_extra(
        {info.id: {"metadata": {"script": "cups-game"}} for info in made.videos[:5]}
    )
    yield made
    made.project.close()


def _answer(
    team: QuestionTeam, name: str, kind: str, values: dict[str, Value], *, limit: int = 100
) -> None:
    """Let somebody answer what there is of a kind: by the text of the question, else alike."""
    team.work.people.sign_in(team.people[name].id)
    for _ in range(limit):
        record = team.work.claim_next(kind)
        if record is None:
            break
        session = team.project.open_task(record.id)
        question_set = team.questions.question_set(session)
        for item in question_set.items:
            session.run(question_set.answer(item.id, "answer", values.get(item.text, values[""])))
        team.work.submit(session)
    team.lead_again()


def _of_kind(team: QuestionTeam, kind: str) -> list:
    return [item for _, item in team.questions.list(ItemFilter(kind=kind))]


def test_a_bank_is_asked_once_and_open_answers_become_options(team: QuestionTeam) -> None:
    made = make_bank_questions(team.project)
    assert len(made.item_ids) == 10  # two questions about five of six videos
    assert make_bank_questions(team.project).item_ids == ()
    # With fewer answers than options there is nothing to choose from yet.
    _answer(team, "Ann", "open-answers", {"": "To hide it"}, limit=1)
    _answer(team, "Ben", "open-answers", {"": "To show it"}, limit=1)
    early = make_bank_questions(team.project)
    assert early.item_ids == ()
    assert [(f.code, f.text) for f in early.findings] == [
        (
            "few-answers",
            "“Why were they moved?” has 2 of the 3 different answers that are required.",
        )
    ] * 2
    # Of the fifth video nobody has said anything: its answer would not be among the options.
    _answer(team, "Cleo", "open-answers", {"": "to hide it."}, limit=1)
    _answer(team, "Cleo", "open-answers", {"": "To win"}, limit=1)
    assert len(make_bank_questions(team.project).item_ids) == 4
    assert _whys(team) == [{"To hide it", "To show it", "To win"}] * 4
    _answer(team, "Ann", "open-answers", {"": "To cheat"})
    assert len(make_bank_questions(team.project).item_ids) == 1
    assert _whys(team)[4] == {"To hide it", "To show it", "To win", "To cheat"}
    assert make_bank_questions(team.project).item_ids == ()


def _whys(team: QuestionTeam) -> list[set[str]]:
    """Return the options of the questions that were asked openly first."""
    asked = [i for i in _of_kind(team, "questions") if i.source["template"] == "why"]
    return [{option.text for option in item.options} for item in asked]


def test_a_video_that_comes_later_is_asked_openly_first(team: QuestionTeam) -> None:
    make_bank_questions(team.project)
    for name, text in (("Ann", "To hide it"), ("Ben", "To show it"), ("Cleo", "To win")):
        _answer(team, name, "open-answers", {"": text}, limit=1)
    late = team.videos[5]
    team.project.set_extra({late.id: {"metadata": {"script": "cups-game"}}})
    make_bank_questions(team.project)
    asked = {
        i.source["template"]: i for i in _of_kind(team, "open-answers") if late.id in i.video_ids
    }
    assert list(asked) == ["why"]
    assert late.id not in {
        i.video_ids[0] for i in _of_kind(team, "questions") if i.text == asked["why"].text
    }


def test_answers_become_final_questions_that_are_exported(
    team: QuestionTeam, tmp_path: Path
) -> None:
    make_bank_questions(team.project)
    assert make_final_questions(team.project).item_ids == ()
    _answer(team, "Ann", "questions", {"": Picked(("o2",))})
    made = make_final_questions(team.project)
    assert len(made.item_ids) == 5
    for item in _of_kind(team, "final-questions"):
        assert len(item.options) == 3
        (key,) = item.right["answer"]
        assert {o.text for o in item.options if o.key == key} == {"three"}
        assert item.source["seed"] == 3
        assert item.source["right_over_script"] == {"three": 5}
    # Nobody is asked them, and nothing is made twice.
    assert all(task is None for task, _ in team.questions.list(ItemFilter(kind="final-questions")))
    assert make_final_questions(team.project).item_ids == ()


def _draw(team: QuestionTeam) -> None:
    team.work.people.sign_in(team.people["Ann"].id)
    (task,) = [t for t in team.project.tasks() if t.video_id == team.videos[0].id]
    session = team.project.open_task(task.id)
    box, coin, cup = track_id(), track_id(), track_id()
    for track, label in ((box, "box"), (cup, "cup"), (coin, "coin")):
        session.run(CreateTrack(track, label, 0, Box(4, 4, 30, 30)))
    for start, first in ((10, coin), (40, cup)):
        action = Segment(segment_id(), Lane.ACTION, PUT, start, start + 9, 1, (first, box))
        session.run(CreateSegment(action))
    team.work.submit(session)
    team.lead_again()


def test_rules_ask_about_finished_tracks_and_the_answers_are_exported(
    team: QuestionTeam, tmp_path: Path
) -> None:
    assert make_grounded_questions(team.project).item_ids == ()
    _draw(team)
    assert len(make_grounded_questions(team.project).item_ids) == 2
    assert make_grounded_questions(team.project).item_ids == ()
    _answer(
        team,
        "Ben",
        "grounded-questions",
        {"Track the object that was touched first.": False, "": True},
    )
    settled = resolve_grounded_questions(team.project)
    assert len(settled.item_ids) == 1
    states = {i.source["rule"]: i.state for i in _of_kind(team, "grounded-questions")}
    assert states == {"put-in": ItemState.DECIDED, "touched": ItemState.DISCARDED}
    make_bank_questions(team.project)
    _answer(team, "Cleo", "questions", {"": Picked(("o0",))})
    make_final_questions(team.project)
    path = tmp_path / "out.json"
    report = export_project(team.project, ExportRequest(path), JobToken(lambda _f, _t: None))
    assert not [f for f in report.findings if "question" in f.where]
    entry = json.loads(path.read_text(encoding="utf-8"))["v0"]
    labels = [t["label"] for t in entry["object_tracking"]]
    (grounded,) = entry["grounded_question"]
    assert sorted(labels[i] for i in grounded["answers"]) == ["coin", "cup"]
    (choice,) = entry["mc_question"]
    assert choice["options"][choice["answer_id"]] == "one"
    assert (choice["id"], choice["tag"]) == (0, ["object counting"])
    text = path.read_text(encoding="utf-8")
    assert "seed" not in text
    assert "Cleo" not in text


def test_only_leads_make_questions(team: QuestionTeam) -> None:
    team.work.people.sign_in(team.people["Ann"].id)
    for act in (make_bank_questions, make_final_questions, make_grounded_questions):
        with pytest.raises(WorkError, match="lead"):
            act(team.project)
    team.lead_again()
