"""How far people agree in what they drew: side by side, and before and after a check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.agreement.estimate import Estimate
from annotator.domain.agreement.pairwise import TIOUS
from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment, CreateTrack, SetKeyframe
from annotator.domain.geometry import Box
from annotator.domain.ids import TaskId, segment_id, track_id
from annotator.domain.people import Role
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.questions.agreement.agreement import (
    agreement_of,
    agreement_rows,
    drawn_by_several,
)
from annotator.services.questions.agreement.agreement_files import AGREEMENT, write_agreement
from annotator.services.questions.agreement.estimate_verification import (
    RecomputeResult,
    counts_of,
    read_estimates,
    verify_estimates,
)
from annotator.services.session import Session
from tests.services.questions.question_team import QuestionTeam
from tests.services.test_work import KIND, Team
from tests.store.samples import video_info

FEW = Bootstrap(draws=20, seed=3)
PARALLEL = """
name = "beside"
version = 1
title = "Side by side"

[[task_types]]
kind = "drawn"
title = "Boxes and actions"
tools = ["boxes", "actions"]
[[task_types.stages]]
key = "annotate"
title = "Annotate"
act = "annotate"
role = "rater"
raters = 2
max_raters = 2
resolution = "adjudication"
may_choose = true
"""


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    made = Team(tmp_path)
    yield made
    made.project.close()


def token() -> JobToken:
    return JobToken(lambda _fraction, _text: None)


def draw(session: Session, x: float) -> None:
    session.run(CreateTrack(track_id(), "cup", 0, Box(x, 20, x + 100, 120)))


def by_method(found: tuple[Estimate, ...], by: str = "", name: str = "") -> dict[str, float | None]:
    return {
        f"{f.method} {f.params['tiou']}" if "tiou" in f.params else f.method: f.value
        for f in found
        if (f.by, f.name) == (by, name)
    }


def check_one(team: Team) -> TaskId:
    """Ann draws, Ben moves what she drew by half, Cleo confirms."""
    first = team.next("Ann")
    draw(first, 10)
    team.work.submit(first)
    second = team.next("Ben", "check")
    (track,) = second.document.tracks
    second.run(SetKeyframe(track.id, 0, Box(60, 20, 160, 120)))
    team.work.submit(second)
    team.work.submit(team.next("Cleo", "verify"))
    return first.task_id


def test_what_was_made_is_compared_with_what_was_checked(team: Team) -> None:
    task = check_one(team)
    team.sign_in("lead")
    found = agreement_of(team.project, KIND, token(), FEW, by_item=True)
    assert by_method(found) == {"box-iou": pytest.approx(1 / 3), "object-f1": 1.0}
    assert by_method(found, "item", task) == by_method(found)
    ann, ben = team.people["Ann"].id, team.people["Ben"].id
    assert {f.name for f in found if f.by == "rater"} == {ann, ben}
    assert by_method(found, "rater", ann)["box-iou"] == pytest.approx(1 / 3)
    (whole,) = (f for f in found if (f.method, f.by) == ("box-iou", ""))
    assert (whole.inputs.units, whole.inputs.raters, whole.inputs.votes) == (1, 2, 2)
    rows = list(agreement_rows(team.project, KIND, found))
    assert {row[3] for row in rows if row[2] == "item"} == {"v0.mp4"}
    assert {row[3] for row in rows if row[2] == "rater"} == {"Ann", "Ben"}
    assert agreement_of(team.project, KIND, token(), FEW, by_item=True) == found


def test_they_are_in_the_table_and_come_out_the_same_again(team: Team, tmp_path: Path) -> None:
    check_one(team)
    team.sign_in("lead")
    written = write_agreement(team.project, tmp_path / "out", token(), FEW, KIND)
    table = written.folder / AGREEMENT
    told = read_estimates(table)
    assert {each.method for each in told} == {"box-iou", "object-f1"}
    assert {each.by for each in told} == {"", "rater", "item", "label"}
    checked = verify_estimates(team.project, table, token())
    assert counts_of(checked)[RecomputeResult.SAME] == len(told)
    check_one(team)
    team.sign_in("lead")
    checked = verify_estimates(team.project, table, token())
    assert {c.verdict for c in checked if c.stored.by == "item"} == {RecomputeResult.SAME}
    assert {c.verdict for c in checked if c.stored.by != "item"} == {RecomputeResult.OTHER_INPUTS}


def test_tasks_that_are_not_decided_say_nothing(team: Team) -> None:
    first = team.next("Ann")
    draw(first, 10)
    team.work.submit(first)
    team.work.submit(team.next("Ben", "check"))
    team.sign_in("lead")
    assert agreement_of(team.project, KIND, token(), FEW) == ()


def test_several_beside_each_other_are_compared_once_all_are_through(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, text=PARALLEL)
    task = team.project.add_absent_video(video_info("late.mp4"))
    for name, x, end in (("Ann", 10, 20), ("Ben", 60, 15)):
        team.lead_again()
        assert agreement_of(team.project, "drawn", token(), FEW) == ()
        team.work.people.sign_in(team.people[name].id)
        session = team.project.open_task(task)
        draw(session, x)
        session.run(CreateSegment(Segment(segment_id(), Lane.ACTION, "pouring", 10, end)))
        team.work.submit(session)
    team.lead_again()
    found = by_method(agreement_of(team.project, "drawn", token(), FEW))
    assert found == {
        "box-iou": pytest.approx(1 / 3),
        "object-f1": 1.0,
        **{f"segment-f1 {tiou}": 1.0 for tiou in TIOUS},
    }
    ann = team.people["Ann"].id
    team.work.people.set_roles(ann, (Role.RATER, Role.LEAD))
    team.work.people.sign_in(ann)
    assert agreement_of(team.project, "drawn", token(), FEW) == ()
    team.project.close()


def test_reading_them_stops_when_told(team: Team) -> None:
    check_one(team)
    team.sign_in("lead")
    task_type = team.work.recipe.task_type(KIND)
    assert task_type is not None
    assert len(list(drawn_by_several(team.project, task_type, token()))) == 2
    stopped = token()
    stopped.cancel()
    with pytest.raises(CanceledError):
        agreement_of(team.project, KIND, stopped, FEW)
