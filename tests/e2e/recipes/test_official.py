"""People answer the questions of an official file: how well they do, and a result file of theirs.

A file with the answers of one video and without those of another, a file of cut frames, and
nothing else; all that a lead does goes through the command line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.answer import Value
from annotator.domain.people import Role
from tests.e2e.recipes.checker import answer_faults, load
from tests.e2e.recipes.clips import SIZE, make_clips
from tests.e2e.recipes.conftest import MakeTeam
from tests.e2e.recipes.team import Asked, Script, Team, read_table, wilson_90

FRAMES, CUT = 12, 5
GUESTS = ("Pam", "Quin", "Ron", "Sue")
RATERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")
OPTIONS = ["a cup", "a pan", "a spoon"]


def _entry(name: str, split: str, **known: object) -> dict[str, Any]:
    questions = [
        {"id": n, "question": f"What is moved, {n}?", "options": OPTIONS, **known} for n in range(2)
    ]
    return {
        "metadata": {
            "split": split,
            "video_id": name,
            "frame_rate": 30.0,
            "num_frames": FRAMES,
            "resolution": [SIZE[1], SIZE[0]],
            "audio_samples": 0,
            "audio_sample_rate": 0.0,
            "is_cup_game": 0,
            "is_camera_moving": 0,
        },
        "object_tracking": [],
        "point_tracking": [],
        "action_localisation": [],
        "sound_localisation": [],
        "mc_question": questions,
        "grounded_question": [],
    }


KNOWN = {"answer_id": 1, "area": "physics", "reasoning": "descriptive", "tag": ["motion"]}
FILE = {
    "video_1": _entry("video_1", "test"),
    "video_2": _entry("video_2", "valid", **KNOWN),
}


@pytest.fixture
def team(make_team: MakeTeam, tmp_path: Path) -> Team:
    clips = make_clips(tmp_path / "media", FILE, n_frames=FRAMES)
    made = make_team("perception-test", clips, [{"video": name} for name in FILE])
    official, cuts = tmp_path / "official.json", tmp_path / "cut_frame_mapping.json"
    official.write_text(json.dumps(FILE), encoding="utf-8")
    cuts.write_text(json.dumps({"video_1": CUT, "video_2": -1}), encoding="utf-8")
    made.command("import", official)
    assert made.command("project import-metadata", cuts).out.endswith(
        ": metadata imported for 2 videos\n"
    )
    made.hire(*RATERS)
    made.hire(*GUESTS, roles=(Role.PARTICIPANT,))
    return made


def _say(team: Team, careless: str) -> Script:
    """Everybody says a pan, but the careless a cup; nobody sees beyond the cut."""

    def say(asked: Asked) -> dict[str, Value]:
        (video,) = team.names(asked.item)
        assert asked.document.video.n_frames == (CUT if video == "video_1" else FRAMES)
        return {"answer": asked.called("a cup" if asked.who == careless else "a pan")}

    return say


def test_people_answer_official_questions(team: Team, tmp_path: Path) -> None:
    assert team.ask("add-imported") == (4, [])
    said = team.command("study create", "Official", "--answers-per-item", 4)
    assert said.out.splitlines()[0] == "4 items × 4 answers = 16; 4 people × 4"
    assert team.work("people", GUESTS, _say(team, "Sue")) == dict.fromkeys(GUESTS, 2)
    # Of the questions of the test split nothing is right or wrong; of the others three of four are.
    assert "8 answers not scored yet" in team.command("study results", "Official").out
    team.command("study export", "Official", tmp_path / "study")
    rows = read_table(tmp_path / "study" / "results.csv")
    whole = next(row for row in rows if not row["by"])  # Wilson's interval comes first
    assert (whole["method"], whole["units"], whole["votes"]) == ("accuracy", "2", "8")
    found = tuple(float(whole[end]) for end in ("value", "low", "high"))
    assert found == pytest.approx((6 / 8, *wilson_90(6, 8)), abs=1e-9)
    # Raters are asked what no file answers, and a result file tells what most of them said.
    assert team.ask("assign-imported") == (2, [])
    assert team.work("questions", (*RATERS, "Pam"), _say(team, "Ann")) == {
        **dict.fromkeys(RATERS, 1),
        "Pam": 0,
    }
    assert team.ask("resolve-imported") == (2, [])
    out, answers = tmp_path / "out.json", tmp_path / "answers.json"
    team.command("export", answers, "--variant", "submission", "--task", "mc_question")
    told = [{"id": n, "answer_id": 1, "answer": "a pan"} for n in range(2)]
    assert load(answers) == {"video_1": told, "video_2": told}
    # The questions are written as they came.
    team.command("export", out)
    assert list(answer_faults(answers, out, is_wrapped=False)) == []
    for name, entry in load(out).items():
        assert json.dumps(entry["mc_question"]) == json.dumps(FILE[name]["mc_question"])
