"""A lead looks at the tables of a benchmark in the window, and writes one into a file."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.benchmarks.neptune.question_sets import TRAINING, import_sets
from annotator.domain.answer import Picked, Spans, Value
from annotator.domain.forms.field import Option
from annotator.domain.ids import item_id
from annotator.domain.people import Role
from annotator.domain.questions.items.groups import (
    FINISHED,
    VARIANTS,
    GroupRole,
    TextVariant,
    variants_of,
)
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.quality import QualificationStatus
from annotator.services.project.projects import create_project
from annotator.services.questions.question_generation import store_items
from annotator.services.questions.studies.reference_scores import make_scoring
from annotator.services.questions.studies.studies import make_study, wish_for
from annotator.ui.lead.answers.page import AnswersPage
from annotator.ui.lead.lead_texts import part_text
from annotator.ui.lead.statistics import table_with_export
from annotator.ui.lead.statistics.table_with_export import TableWithExport
from tests.e2e.conftest import Desktop
from tests.e2e.recipes.team import Asked, Team
from tests.store.samples import video_info

RECIPES = Path(__file__).resolve().parents[2] / "resources" / "recipes"
ALL = ("understood", "video", "true", "one-answer", "not-trivial")


def _open(desktop: Desktop, path: Path) -> AnswersPage:
    window = desktop.window
    assert window.context.projects.open_path(path)
    project = window.context.workspace.project
    assert project is not None
    assert project.work.me is not None
    window.context.workspace.sign_in(project.work.me.id)
    desktop.run("lead.board")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    lead.show_page(lead.answers)
    desktop.qtbot.waitUntil(lambda: bool(lead.answers.benchmark.tables), timeout=60_000)
    return lead.answers


def _shown(table: TableWithExport) -> list[list[str]]:
    return [
        [table.table.item(y, x).text() for x in range(table.table.columnCount())]
        for y in range(table.table.rowCount())
    ]


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Two sets are kept, one is discarded."""
    project = create_project(tmp_path / "judged.annot", title="Judged")
    project.add_absent_video(video_info("long1.mp4"))
    project.work.use_recipe((RECIPES / "neptune.toml").read_text(encoding="utf-8"))
    team = Team(project)
    team.hire("Ann", "Ben", "Cleo")
    team.hire("Vera", roles=(Role.REVIEWER,))
    for person in team.people.values():
        team.project.qualification.set_status(person, TRAINING, QualificationStatus.PASSED)
    sets = tmp_path / "sets.json"
    one = {"video_id": "long1", "question": "Why?", "answer": "a", "decoys": ["b", "c", "d", "e"]}
    sets.write_text(
        json.dumps([{**one, "question": f"{n}?", "question type": "Counting"} for n in range(3)]),
        encoding="utf-8",
    )
    assert len(import_sets(team.project, sets).item_ids) == 3

    def say(asked: Asked) -> dict[str, Value]:
        if asked.who == "Vera":
            return {}
        if asked.item.text == "0?":
            return {"valuable": Picked(ALL[1:])}
        modality = "audio" if asked.item.text == "1?" else "both"
        return {
            "valuable": Picked(ALL),
            "type": Picked(("Counting",)),
            "modality": Picked((modality,)),
            "certificate": Spans(((0, 15), (60, 90))),
        }

    assert team.work("judge", ("Ann", "Ben", "Cleo", "Vera"), say) == dict.fromkeys(team.people, 1)
    path = team.project.path
    team.project.close()
    return path


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """Of two groups one has all answers right, the other fails at the wrongly led question."""
    project = create_project(tmp_path / "answered.annot", title="Answered")
    for name in ("clip0.mp4", "clip1.mp4"):
        project.add_absent_video(video_info(name))
    project.work.use_recipe((RECIPES / "video-tt.toml").read_text(encoding="utf-8"))
    team = Team(project)
    guests = ("Ann", "Cleo", "Dan", "Eve", "Fay")
    team.hire(*guests, roles=(Role.PARTICIPANT,))
    team.hire("Ben")
    project = team.project
    options = tuple(Option(f"o{i}", text) for i, text in enumerate("abcd"))
    finished: list[Item] = []
    for name in ("clip0", "clip1"):
        primary = Item(item_id(), FINISHED, (team.video(name),), "Why?", part=GroupRole.PRIMARY)
        primary = replace(primary, group=primary.id, texts={"answer": "Because."})
        texts = {part: TextVariant(f"{part}?") for part in VARIANTS}
        texts[GroupRole.MULTIPLE_CHOICE] = TextVariant("Which?", tuple(o.text for o in options))
        finished += (primary, *variants_of(primary, texts, FINISHED, {}))
    store_items(project, finished)
    wish = wish_for(project, "people", "Spring", [team.people[name] for name in guests])
    make_study(project, replace(wish, answers=1))

    def answer(asked: Asked) -> dict[str, Value]:
        is_open = not asked.item.options
        return {"words": asked.item.text} if is_open else {"answer": Picked(("o0",))}

    team.work("people", guests, answer)
    make_scoring(project)

    def score(asked: Asked) -> dict[str, Value]:
        is_misled = team.names(asked.item) == ("clip1",) and "wrongly" in asked.item.text
        return {"score": Picked(("1" if is_misled else "4",))}

    team.work("scoring", ("Ben",), score)
    project.close()
    return project.path


def test_the_tables_of_video_tt(desktop: Desktop, answered: Path) -> None:
    tables = _open(desktop, answered).benchmark.tables
    assert list(tables) == ["robustness", "groups"]
    rows = _shown(tables["robustness"])
    assert [row[:4] for row in rows] == [
        ["Robustness: all five", "2", "1", "50.0%"],
        ["Primary question", "2", "2", "100.0%"],
        ["Paraphrased question", "2", "2", "100.0%"],
        ["Correctly led question", "2", "2", "100.0%"],
        ["Wrongly led question", "2", "1", "50.0%"],
        ["Multiple choice", "2", "2", "100.0%"],
    ]
    # Wilson's interval of 90 % for one of two.
    assert rows[4][4:] == ["12.1%", "87.9%"]
    assert part_text("part", "wrongly-led") == "Wrongly led question"
    assert part_text("part", "") == "Part"
    assert sorted(_shown(tables["groups"])) == [
        ["clip0", "correct", "correct", "correct", "correct", "correct"],
        ["clip1", "correct", "correct", "correct", "incorrect", "correct"],
    ]


def test_the_tables_of_neptune(
    desktop: Desktop, judged: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tables = _open(desktop, judged).benchmark.tables
    assert list(tables) == ["discards", "modalities", "certificates", "proofs"]
    assert _shown(tables["discards"]) == [
        ["all", "–", "3", "1", "33.3%"],
        ["Reason", "The question can be understood without the video", "3", "1", "33.3%"],
        ["Question type", "Counting", "3", "1", "33.3%"],
        *(["Rater", name, "3", "1", "33.3%"] for name in ("Ann", "Ben", "Cleo")),
    ]
    assert _shown(tables["modalities"]) == [
        ["audio only", "1", "50.0%"],
        ["vision and audio together", "1", "50.0%"],
    ]
    # Frames 0 to 15 and 60 to 90 of 90, at 30 in a second; 20 seconds for each set.
    assert _shown(tables["certificates"])[1:] == [
        ["Length (s)", "2", "1.5", "1.5", "1.5", "1.5"],
        ["Extent (s)", "2", "3.0", "3.0", "3.0", "3.0"],
        ["Share of the video", "2", "50.0%", "50.0%", "50.0%", "50.0%"],
        ["Marking time (s)", "2", "20.0", "20.0", "20.0", "20.0"],
    ]
    assert _shown(tables["proofs"])[0] == ["long1/2", "long1", "2", "1.5", "3.0", "50.0%", "20.0"]
    out = tmp_path / "discards.csv"
    monkeypatch.setattr(table_with_export, "ask_table", lambda *_: out)
    tables["discards"].save.click()
    desktop.qtbot.waitUntil(out.exists, timeout=60_000)
    with out.open(encoding="utf-8-sig", newline="") as file:
        first = next(csv.DictReader(file))
    assert (first["QAD sets"], first["Discarded"], first["Share"]) == ("3", "1", str(1 / 3))
