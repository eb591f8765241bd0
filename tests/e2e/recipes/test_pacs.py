"""PACS from clips to its files, with the recipe as shipped: tests, checks and all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.recipes.checker import load
from tests.e2e.recipes.clips import make_clips
from tests.e2e.recipes.conftest import MakeTeam
from tests.e2e.recipes.pacs_answering import assign_questions, settle
from tests.e2e.recipes.pacs_files import ask_people, count_what_was_done, export, look_at_pictures
from tests.e2e.recipes.pacs_objects import find_objects
from tests.e2e.recipes.pacs_story import CLIPS, SPLITS, WRITERS, Log
from tests.e2e.recipes.pacs_tests import qualify
from tests.e2e.recipes.pacs_writing import write_questions
from tests.e2e.recipes.team import Team


@pytest.fixture
def team(make_team: MakeTeam, tmp_path: Path) -> Team:
    facts = [
        {"video": name, "split": SPLITS.get(name, "train"), "source": f"tube-{name}",
         "source_start": 100, "source_end": 109}
        for name in CLIPS
    ]  # fmt: skip
    made = make_team("pacs", make_clips(tmp_path / "media", CLIPS), facts)
    made.hire(*WRITERS, "Fay", "Gus", "Hal", "Ida", "Kim", "Lou", "Pia", "Zoe")
    return made


def test_from_clips_to_the_files(team: Team, tmp_path: Path) -> None:
    log, folder = Log(), tmp_path / "pacs"
    find_objects(team)
    qualify(team)
    write_questions(team, log)
    assign_questions(team, log)
    settle(team, log)
    export(team, log, folder)
    objects = load(folder / "objects.json")
    assert objects
    look_at_pictures(folder / "pictures", objects)
    count_what_was_done(team, log, tmp_path / "figures")
    ask_people(team, log, tmp_path / "study")
