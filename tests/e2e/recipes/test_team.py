"""The simulated team: people take turns, and the time they work is the time that is counted."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.answer import Value
from tests.e2e.recipes.clips import make_clips
from tests.e2e.recipes.conftest import MakeTeam
from tests.e2e.recipes.team import Asked


def _answer(asked: Asked) -> dict[str, Value]:
    return {"answer": asked.shown(0)}


def test_people_take_turns_and_rests_do_not_count(make_team: MakeTeam, tmp_path: Path) -> None:
    clips = make_clips(tmp_path / "media", ["video_1", "video_2"])
    facts = [{"video": f"video_{n}", "script": "cooking"} for n in (1, 2)]
    team = make_team("perception-test", clips, facts)
    team.hire("Ann", "Ben")
    # Two questions of the bank fit any script: the camera and the place.
    assert team.ask("create-questions") == (2 * (2 + 2), [])
    assert team.work("questions", ("Ann", "Ben"), _answer, pace_s=25) == {"Ann": 2, "Ben": 2}
    # Two videos, each seen by two people for two questions of 25 seconds.
    assert team.hours()["questions", "answer"] == (2, 4, 200.0)
    task_id = team.take("Ann", "open-answers")
    assert task_id is not None
    session, question_set = team.begin(task_id)
    team.fill("Ann", session, question_set, lambda _: {"answer": "tea"}, pace_s=40)
    team.rest(3600)
    team.hand_in(session)
    # Two open questions of 40 seconds, and of an hour away the first half minute.
    assert team.hours()["open-answers", "answer"] == (1, 1, 110.0)
