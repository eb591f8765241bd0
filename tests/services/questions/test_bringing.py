"""Items from a file: tests, checks and known questions of a lead who writes no code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.errors import ExchangeError, WorkError
from annotator.domain.questions.items.item import Purpose
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.questions.recipe_steps import bring_in, can_import
from annotator.store.catalog import videos
from annotator.store.questions.items import ItemFilter
from tests.store.samples import video_info

GOOD = [
    {"kind": "writing-test", "videos": ["kettle", "cup"], "right": {"answer": "Object 1"}},
    {
        "kind": "answer-test",
        "videos": ["kettle", "cup"],
        "question": "Which is heavier?",
        "right": {"answer": "object-1"},
        "tags": ["weight"],
    },
    {
        "kind": "reassign",
        "purpose": "attention",
        "question": "Please select object 2 here.",
        "right": {"answer": ["object-2"]},
    },
    {
        "kind": "confirm",
        "purpose": "gold",
        "videos": ["cup", "kettle"],
        "question": "Which rings longer?",
        "right": {"answer": "Object 2"},
    },
]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    made = create_project(tmp_path / "pacs.annot", title="PACS", recipe="pacs")
    for name in ("kettle.mp4", "cup.mp4"):
        videos.add_video(made.file, video_info(name), None)
    yield made
    made.close()


def _write(tmp_path: Path, items: object) -> Path:
    path = tmp_path / "items.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    return path


def test_tests_checks_and_known_questions_come_in_once(
    project: OpenProject, tmp_path: Path
) -> None:
    path = _write(tmp_path, GOOD)
    assert len(bring_in(project, path).item_ids) == 4
    found = {item.kind: (task, item) for task, item in project.questions.list(ItemFilter())}
    purposes = {kind: item.purpose for kind, (_, item) in found.items()}
    assert purposes == {
        "writing-test": Purpose.QUALIFICATION,
        "answer-test": Purpose.QUALIFICATION,
        "reassign": Purpose.ATTENTION,
        "confirm": Purpose.GOLD,
    }
    assert found["reassign"][0] is None
    assert found["answer-test"][0] is not None
    assert found["writing-test"][1].right == {"answer": ("object-1",)}
    assert found["confirm"][1].right == {"answer": ("object-2",)}
    assert found["reassign"][1].texts == {"question": "Please select object 2 here."}
    assert found["answer-test"][1].tags == ("weight",)
    again = bring_in(project, path)
    assert again.item_ids == ()
    assert [f.code for f in again.findings] == ["known-item"] * 4


def test_options_of_the_item_are_known_by_their_text(tmp_path: Path) -> None:
    project = create_project(tmp_path / "pt.annot", title="PT", recipe="perception-test")
    project.add_absent_video(video_info("cups.mp4"))
    gold = {
        "kind": "questions",
        "purpose": "gold",
        "video": "cups",
        "question": "How many?",
        "options": ["two", "three"],
        "right": {"answer": "three"},
    }
    bring_in(project, _write(tmp_path, [gold]))
    ((_, item),) = project.questions.list(ItemFilter(kind="questions"))
    assert [option.text for option in item.options] == ["two", "three"]
    assert item.right == {"answer": ("o1",)}
    project.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"options": ["two", "Two ", "three"]}, r"Two options have the same text\."),
        ({"options": ["two", " "]}, "empty"),
        ({"options": ["two"], "right": {}, "purpose": "work"}, "at least two options"),
        ({"options": []}, "at least two options"),
        ({"right": {}}, r"The correct answer is missing\. Items with this purpose require one\."),
        ({"right": {"answer": "five"}}, r"” is not among the options\."),
        ({"question": " "}, "question is empty"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    project = create_project(tmp_path / "pt.annot", title="PT", recipe="perception-test")
    project.add_absent_video(video_info("cups.mp4"))
    gold = {
        "kind": "questions",
        "purpose": "gold",
        "video": "cups",
        "question": "How many?",
        "options": ["two", "three"],
        "right": {"answer": "three"},
        **change,
    }
    with pytest.raises(ExchangeError, match=words):
        bring_in(project, _write(tmp_path, [gold]))
    assert project.questions.list(ItemFilter()) == []
    project.close()


@pytest.mark.parametrize(
    ("change", "where", "words"),
    [
        ({"kind": "none"}, "items.json[1]", "” of the recipe has no form."),
        ({"right": {"answer": "object-3"}}, "items.json[1]", "” is not among the options."),
        ({"videos": ["kettle"]}, "items.json[1]", ". Tasks of this type require"),
        ({"purpose": "study"}, "items.json[1].purpose", "Unknown value “"),
        ({"purpose": "attention"}, "items.json[1]", "” has no attention checks."),
        ({"answer": "object-1"}, "items.json[1]", "“answer”"),
        ({"question": 3}, "items.json[1].question", "text"),
        (GOOD[0], "items.json[1]", "Duplicate of"),
    ],
)
def test_a_bad_file_is_refused_whole(
    project: OpenProject, tmp_path: Path, change: dict[str, object], where: str, words: str
) -> None:
    bad = change if change is GOOD[0] else {**GOOD[1], **change}
    with pytest.raises(ExchangeError) as caught:
        bring_in(project, _write(tmp_path, [GOOD[0], bad, GOOD[2]]))
    assert caught.value.where == where
    assert words in caught.value.text
    assert project.questions.list(ItemFilter()) == []


def test_a_missing_video_is_named_and_the_rest_comes_in(
    project: OpenProject, tmp_path: Path
) -> None:
    lost = {**GOOD[1], "videos": ["kettle", "mug"]}
    made = bring_in(project, _write(tmp_path, [GOOD[0], lost]))
    assert len(made.item_ids) == 1
    assert [(f.code, "mug" in f.text) for f in made.findings] == [("no-video", True)]


def test_a_video_may_be_named_as_its_file_is(project: OpenProject, tmp_path: Path) -> None:
    names = {info.name.partition(".")[0]: info.name for info, _ in project.media.all()}
    as_files = [names["kettle"], names["cup"]]
    assert as_files != ["kettle", "cup"]
    made = bring_in(project, _write(tmp_path, [{**GOOD[1], "videos": as_files}]))
    assert len(made.item_ids) == 1
    assert not made.findings


def test_where_nothing_is_asked_nothing_is_brought_in(tmp_path: Path) -> None:
    project = create_project(tmp_path / "plain.annot", title="Plain")
    assert not can_import(project)
    with pytest.raises(WorkError):
        bring_in(project, _write(tmp_path, GOOD))
    project.close()
