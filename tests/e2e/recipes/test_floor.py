"""The floor itself: people take turns, and the time they work is the time that is counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from annotator.domain.forms.value import Value
from annotator.services.questions.making import make_bank_questions
from tests.e2e.recipes.clips import make_clips
from tests.e2e.recipes.floor import Asked, Floor


def _answer(asked: Asked) -> dict[str, Value]:
    return {"answer": asked.shown(0)}


def test_people_take_turns_and_rests_do_not_count(
    make_floor: Callable[[str], Floor], tmp_path: Path
) -> None:
    floor = make_floor("perception-test")
    floor.bring_in(
        make_clips(tmp_path / "media", ["video_1", "video_2"]),
        tmp_path / "facts.csv",
        [{"video": f"video_{n}", "script": "cooking"} for n in (1, 2)],
    )
    floor.hire("Ann", "Ben")
    # Two questions of the bank fit any script: the camera and the place.
    assert len(make_bank_questions(floor.project).item_ids) == 2 * (2 + 2)
    assert floor.work("questions", ("Ann", "Ben"), _answer, pace_s=25) == {"Ann": 2, "Ben": 2}
    # Two videos, each seen by two people for two questions of 25 seconds.
    assert floor.hours()["questions", "answer"] == (2, 4, 200.0)
    task_id = floor.take("Ann", "open-answers")
    assert task_id is not None
    session, sheet = floor.begin(task_id)
    floor.fill("Ann", session, sheet, lambda _: {"answer": "tea"}, pace_s=40)
    floor.rest(3600)
    floor.hand_in(session)
    # Two open questions of 40 seconds, and of an hour away the first half minute.
    assert floor.hours()["open-answers", "answer"] == (1, 1, 110.0)
