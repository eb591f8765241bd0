"""What is worked out from submissions, and a cleaning round that is chosen by it."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment, CreateTrack, DeleteTracks, SetKeyframe
from annotator.domain.errors import WorkError
from annotator.domain.geometry import Box
from annotator.domain.ids import TaskId, segment_id, track_id
from annotator.domain.people import Role
from annotator.domain.work.records import TaskStatus
from annotator.services.background.jobs import JobRunner
from annotator.services.project.projects import create_project, open_project
from annotator.services.session import Session
from annotator.services.workflow.work import BoardFilter
from annotator.store.workflow.submission_statistics import forget
from tests.services.test_work import KIND, Team
from tests.store.samples import video_info


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def _draw(session: Session, label: str, x: float = 10, width: float = 100) -> None:
    session.run(CreateTrack(track_id(), label, 0, Box(x, 20, x + width, 120)))


def _found(team: Team, **wanted: object) -> list[TaskId]:
    return [row.task_id for row in team.work.board(BoardFilter(**wanted))]  # type: ignore[arg-type]


def test_findings_and_agreement_follow_from_what_was_handed_in(team: Team) -> None:
    work = team.work
    first = team.next("Ann")
    task = first.task_id
    _draw(first, "straw", width=2)
    _draw(first, "cup", 300)
    handed = work.submit(first)
    assert work.submission_statistics.of_submission(handed.id) == {
        "tiny-box": 1,
        "unchecked-grid": 2,
    }
    assert _found(team, finding="tiny-box") == [task]
    assert work.submission_statistics.agreement(task) == {}
    assert work.statistics().findings == {"unchecked-grid": 2, "tiny-box": 1}
    second = team.next("Ben", "check")
    straw, cup = second.document.tracks
    second.run(DeleteTracks((straw.id,)))
    second.run(SetKeyframe(cup.id, 0, Box(350, 20, 450, 120)))
    checked = work.submit(second)
    assert "tiny-box" not in work.submission_statistics.of_submission(checked.id)
    assert _found(team, finding="tiny-box") == []
    agreed = {"box-iou": pytest.approx(1 / 3), "object-f1": pytest.approx(2 / 3)}
    assert work.submission_statistics.agreement(task) == agreed
    assert work.statistics().agreement == agreed
    assert _found(team, agreement_below=0.5) == [task]
    assert _found(team, agreement_below=0.3) == []
    rows = team.project.file.rows("SELECT method, params, inputs FROM agreement")
    assert rows[0] == ("box-iou", "{}", f'["{handed.id}","{checked.id}"]')
    kept = team.project.file.rows("SELECT * FROM finding ORDER BY 1, 2")
    assert work.submission_statistics.catch_up() == 0
    work.submission_statistics.start_over()
    assert team.project.file.rows("SELECT * FROM finding ORDER BY 1, 2") == kept
    assert work.submission_statistics.agreement(task) == agreed
    forget(team.project.file)
    with pytest.raises(WorkError, match=r"The remaining statistics were postponed\."):
        work.submission_statistics.catch_up(everything=True, is_canceled=lambda: True)
    team.project.close()


def test_findings_follow_a_label_that_is_added_later(tmp_path: Path) -> None:
    project = create_project(tmp_path / "w", title="W", recipe="annotate-review")
    session = project.open_task(project.add_absent_video(video_info("a.mp4")))
    session.run(CreateSegment(Segment(segment_id(), Lane.ACTION, "juggle", 0, 20)))
    handed = project.work.submit(session)
    assert project.work.submission_statistics.of_submission(handed.id)["unknown-label"] == 1
    labels = project.label_set(Lane.ACTION)
    number = max((label.id for label in labels.labels), default=0) + 1
    project.set_label_set(replace(labels, labels=(*labels.labels, Label(number, "juggle"))))
    assert "unknown-label" not in project.work.submission_statistics.of_submission(handed.id)
    project.close()


def test_findings_follow_attributes_of_a_new_recipe(tmp_path: Path) -> None:
    project = create_project(tmp_path / "w", title="W", recipe="annotate-review")
    session = project.open_task(project.add_absent_video(video_info("a.mp4")))
    _draw(session, "cup")
    handed = project.work.submit(session)
    assert "attribute-missing" not in project.work.submission_statistics.of_submission(handed.id)
    text = project.work.recipe_text().replace("version = 1", "version = 2", 1)
    material = '[[attributes]]\nkey = "material"\ntitle = "Material"\ntype = "text"\n'
    project.work.use_recipe(f"{text}\n{material}required = true\n")
    assert project.work.submission_statistics.of_submission(handed.id)["attribute-missing"] == 1
    project.close()


def test_statistics_are_computed_behind_the_window(tmp_path: Path) -> None:
    jobs = JobRunner(lambda call: call())
    project = create_project(tmp_path / "w", title="W", recipe="perception-test")
    task = project.add_absent_video(video_info("a.mp4"))
    session = project.open_task(task)
    _draw(session, "cup")
    project.work.submit(session)
    project.file.rows("SELECT 1")
    with project.file.transaction() as connection:
        for table in ("finding", "submitted_label", "looked_over"):
            connection.execute(f"DELETE FROM {table}")
    path = project.path
    project.close()
    project = open_project(path, jobs=jobs)
    work = project.work
    assert not work.board(BoardFilter(finding="unchecked-grid"))
    me = work.me
    assert me is not None
    work.people.add("Ben", (Role.RATER,))
    work.lead.prioritize([task], 5)
    for thread in threading.enumerate():
        if thread.name == "submission-statistics":
            thread.join()
    assert [r.task_id for r in work.board(BoardFilter(finding="unchecked-grid"))] == [task]
    jobs.close()
    project.close()


def test_a_cleaning_round_from_the_choice_to_the_end(tmp_path: Path) -> None:
    team = Team(tmp_path, n_videos=5)
    work, videos = team.work, team.videos
    scripts = ("cups game", "cups game", "cups game", "making tea", "cups game")
    team.project.set_extra(
        {v.id: {"metadata": {"script": s}} for v, s in zip(videos, scripts, strict=True)}
    )
    done: list[TaskId] = []
    for i in range(5):
        first = team.next("Ann")
        _draw(first, "cup" if i != 1 else "lid")
        work.submit(first)
        work.submit(team.next("Ben", "check"))
        third = team.next("Cleo", "verify")
        if i != 4:  # the only one on which the last two agree
            (track,) = third.document.tracks
            third.run(SetKeyframe(track.id, 0, Box(90, 20, 190, 120)))
        work.submit(third)
        done.append(first.task_id)
    team.sign_in("lead")
    chosen = _found(
        team,
        kinds=frozenset((KIND,)),
        statuses=frozenset((TaskStatus.COMPLETE,)),
        script="cups game",
        label="cup",
        person_id=team.people["Ann"].id,
        finding="unchecked-grid",
        agreement_below=0.5,
    )
    assert chosen == [done[0], done[2]]
    refused = work.lead.open_round(
        chosen, title="Cups", guidelines="# Cups\nLook under each.", reason="cups are mixed up"
    )
    assert refused == []
    for task in chosen:
        record = work.record(task)
        assert (record.stage, record.round, record.status) == ("check", 2, TaskStatus.WAITING)
        guideline = work.guideline_of(task)
        assert guideline is not None
        assert (guideline.title, guideline.round) == ("Cups", 2)
    assert work.record(done[1]).round == 1
    for name in ("Ann", "Ben", "Cleo"):
        team.sign_in(name)
        assert work.claim_next(KIND) is None, "they had a part in it"
    for task in chosen:
        checked = team.next("Dan", "check")
        assert checked.task_id == task
        (track,) = checked.document.tracks
        checked.run(SetKeyframe(track.id, 0, Box(10, 20, 110, 120)))
        work.submit(checked)
        team.sign_in("Dan")
        with pytest.raises(WorkError, match="own work"):
            work.claim(task)
        verified = team.next("Eve", "verify")
        _draw(verified, "saucer", 400)
        work.submit(verified)
        assert work.record(task).status is TaskStatus.COMPLETE
        assert work.submission_statistics.agreement(task)["object-f1"] == pytest.approx(2 / 3)
    kinds = [event.kind for event in work.history(done[0])]
    assert kinds[kinds.index("round-opened") :] == [
        "round-opened",
        *("claimed", "submitted", "entered"),
        *("claimed", "submitted", "completed"),
    ]
    assert _found(team, round=2) == chosen
    assert _found(team, kinds=frozenset((KIND,)), label="saucer") == chosen
    assert len(work.submissions(done[0])) == 5
    team.project.close()
