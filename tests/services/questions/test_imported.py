"""Questions of an official file are asked: with answers known or not, and written as they were."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.answer import Picked
from annotator.domain.errors import WorkError
from annotator.domain.ids import PersonId
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Purpose
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.questions.question_generation import make_final_questions
from annotator.services.questions.recipe_steps import run_step, write_data_set
from annotator.services.questions.studies.reference_scores import answers_in_study
from annotator.services.questions.studies.studies import make_study, wish_for
from annotator.services.questions.studies.study_results import overview, results_of
from annotator.services.transfer import ExportRequest, export_project, import_file
from annotator.store.questions.items import ItemFilter

QUIET = JobToken(lambda _fraction, _text: None)
RATERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")
CUT = 60


def _entry(name: str, *questions: dict[str, Any], split: str = "test") -> dict[str, Any]:
    """Return an entry as the files of multiple-choice questions have it: of nothing but these."""
    metadata = {
        "split": split,
        "video_id": name,
        "frame_rate": 30.0,
        "num_frames": 90,
        "resolution": [360, 640],
        "audio_samples": 0,
        "audio_sample_rate": 0.0,
        "is_cup_game": 0,
        "is_camera_moving": 0,
    }
    return {
        "metadata": metadata,
        "object_tracking": [],
        "point_tracking": [],
        "action_localisation": [],
        "sound_localisation": [],
        "mc_question": list(questions),
        "grounded_question": [],
    }


def _question(number: int, text: str, **more: object) -> dict[str, Any]:
    return {"id": number, "question": text, "options": ["one", "two", "three"], **more}


KNOWN = {"answer_id": 2, "area": "physics", "reasoning": "descriptive", "tag": ["motion"]}
FILE = {
    "video_1": _entry("video_1", _question(0, "How many?"), _question(1, "How often?")),
    "video_2": _entry("video_2", _question(0, "How many?", **KNOWN), split="valid"),
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    made = create_project(tmp_path / "pt.annot", title="PT", recipe="perception-test")
    path = tmp_path / "official.json"
    path.write_text(json.dumps(FILE), encoding="utf-8")
    import_file(made, path, token=QUIET)
    infos = {info.name.removesuffix(".mp4"): info for info, _ in made.media.all()}
    one = infos["video_1"]
    made.set_extra({one.id: {**one.extra, "metadata": {"cut_frame": CUT}}})
    for name in RATERS:
        made.work.people.add(name, (Role.RATER,))
    for n in range(10):
        made.work.people.add(f"Guest {n}", (Role.PARTICIPANT,))
    yield made
    made.close()


def _person(project: OpenProject, name: str) -> PersonId:
    (found,) = [person.id for person in project.work.people.all() if person.name == name]
    return found


def _answer(project: OpenProject, kind: str, name: str, text: str) -> int:
    """Let somebody pick an option in all that waits for them; tells how many tasks that were."""
    lead = project.work.me
    assert lead is not None
    project.work.people.sign_in(_person(project, name))
    n = 0
    while (record := project.work.claim_next(kind)) is not None:
        n += 1
        session = project.open_task(record.id)
        name_of = project.media.video(record.video_id).info.name
        assert session.document.video.n_frames == (CUT if "video_1" in name_of else 90)
        question_set = project.questions.question_set(session)
        for item in question_set.items:
            assert item.right == {}
            (key,) = [option.key for option in item.options if option.text == text]
            session.run(question_set.answer(item.id, "answer", Picked((key,)), took_ms=4000))
        project.work.submit(session)
    project.work.people.sign_in(lead.id)
    return n


def _exported(project: OpenProject, path: Path, **request: Any) -> Any:
    export_project(project, ExportRequest(path, **request), QUIET)
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_baseline_is_made_on_official_questions(project: OpenProject, tmp_path: Path) -> None:
    assert len(run_step(project, "add-imported").item_ids) == 3
    assert run_step(project, "add-imported").item_ids == ()
    guests = [_person(project, f"Guest {n}") for n in range(10)]
    wish = replace(wish_for(project, "people", "Official", guests), answers=2)
    study = make_study(project, wish)
    for n in range(10):
        _answer(project, "people", f"Guest {n}", "three" if n % 2 else "one")
    assert len(answers_in_study(project, study)) == 3 * 2
    found = results_of(project, study, QUIET, Bootstrap(0, level=0.9))
    # Of the two that no file answers nothing is right or wrong.
    assert (found.n_answers, found.n_unjudged) == (6, 4)
    lines = {(line.by, line.name): line for line in overview(found.found)}
    assert lines["area", "physics"].n_answers == 2
    assert lines["", ""].n_items == 1
    assert json.dumps(_exported(project, tmp_path / "out.json")) == json.dumps(FILE)


def test_raters_answer_what_no_file_does_and_a_result_file_tells_it(
    project: OpenProject, tmp_path: Path
) -> None:
    made = run_step(project, "assign-imported")
    assert len(made.item_ids) == 2
    assert run_step(project, "assign-imported").item_ids == ()
    asked = [item for _, item in project.questions.list(ItemFilter(kind="questions"))]
    assert [(item.purpose, item.right, item.area) for item in asked] == [(Purpose.WORK, {}, "")] * 2
    assert run_step(project, "resolve-imported").item_ids == ()
    before = _exported(project, tmp_path / "a.json", variant="submission", tasks=("mc_question",))
    assert before["video_1"] == []
    for name in RATERS:
        assert _answer(project, "questions", name, "two" if name != "Ann" else "one") == 1
    assert len(run_step(project, "resolve-imported").item_ids) == 2
    assert run_step(project, "resolve-imported").item_ids == ()
    # They are no questions of the bank, and no options are drawn for them.
    assert make_final_questions(project).item_ids == ()
    told = _exported(project, tmp_path / "b.json", variant="submission", tasks=("mc_question",))
    assert told == {
        "video_1": [{"id": n, "answer_id": 1, "answer": "two"} for n in (0, 1)],
        "video_2": [{"id": 0, "answer_id": 2, "answer": "three"}],
    }
    assert json.dumps(_exported(project, tmp_path / "c.json")) == json.dumps(FILE)
    # Who was asked as a rater is asked nothing about the video in a study.
    run_step(project, "add-imported")
    people = [_person(project, name) for name in RATERS]
    with pytest.raises(WorkError, match="more people are needed"):
        make_study(project, replace(wish_for(project, "people", "Late", people), answers=5))


def test_imported_questions_are_in_the_file_of_cut_frames(
    project: OpenProject, tmp_path: Path
) -> None:
    path = tmp_path / "cut.json"
    for _ in range(2):
        written = write_data_set(project, path, QUIET)
        assert json.loads(path.read_text(encoding="utf-8")) == {"video_1": CUT, "video_2": -1}
        assert written.counts == {"videos": 2, "cut": 1}
        run_step(project, "add-imported")


def test_a_record_that_is_no_question_is_named(tmp_path: Path) -> None:
    project = create_project(tmp_path / "bad.annot", title="Bad", recipe="perception-test")
    path = tmp_path / "bad.json"
    twice = {**_question(0, "How many?"), "options": ["one", "one ", "two"]}
    entry = _entry("video_1", twice, _question(1, "How often?"))
    path.write_text(json.dumps({"video_1": entry}), encoding="utf-8")
    import_file(project, path, token=QUIET)
    made = run_step(project, "add-imported")
    assert len(made.item_ids) == 1
    assert {finding.code for finding in made.findings} == {"same-options"}
    refused = run_step(project, "assign-imported")
    assert len(refused.item_ids) == 1
    assert {finding.code for finding in refused.findings} == {"refused"}
    project.close()


def test_a_recipe_without_finished_questions_takes_up_none(tmp_path: Path) -> None:
    project = create_project(tmp_path / "pacs.annot", title="PACS", recipe="pacs")
    with pytest.raises(WorkError, match="Unknown question step “"):
        run_step(project, "add-imported")
    project.close()
