"""The floor itself: people take turns, and the time they work is the time that is counted."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.answer import Value
from tests.e2e.recipes.clips import make_clips
from tests.e2e.recipes.conftest import MakeFloor
from tests.e2e.recipes.floor import Asked


def _answer(asked: Asked) -> dict[str, Value]:
    return {"answer": asked.shown(0)}


def test_people_take_turns_and_rests_do_not_count(make_floor: MakeFloor, tmp_path: Path) -> None:
    clips = make_clips(tmp_path / "media", ["video_1", "video_2"])
    facts = [{"video": f"video_{n}", "script": "cooking"} for n in (1, 2)]
    floor = make_floor("perception-test", clips, facts)
    floor.hire("Ann", "Ben")
    # Two questions of the bank fit any script: the camera and the place.
    assert floor.ask("create-questions") == (2 * (2 + 2), [])
    assert floor.work("questions", ("Ann", "Ben"), _answer, pace_s=25) == {"Ann": 2, "Ben": 2}
    # Two videos, each seen by two people for two questions of 25 seconds.
    assert floor.hours()["questions", "answer"] == (2, 4, 200.0)
    task_id = floor.take("Ann", "open-answers")
    assert task_id is not None
    session, question_set = floor.begin(task_id)
    floor.fill("Ann", session, question_set, lambda _: {"answer": "tea"}, pace_s=40)
    floor.rest(3600)
    floor.hand_in(session)
    # Two open questions of 40 seconds, and of an hour away the first half minute.
    assert floor.hours()["open-answers", "answer"] == (1, 1, 110.0)
