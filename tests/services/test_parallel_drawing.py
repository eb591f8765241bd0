"""Several raters draw the same task independently; agreement is merged, differences adjudicated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.commands import CreateTrack, DeleteTracks, SetKeyframe
from annotator.domain.errors import EditError, WorkError
from annotator.domain.geometry import Box
from annotator.domain.ids import TaskId, VideoId, new_id, track_id
from annotator.domain.people import Role
from annotator.domain.review import DifferenceKind, Subject
from annotator.domain.work.records import TaskStatus, Verdict, VerdictKind
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.session import Session
from annotator.services.workflow.consensus import provenance_rows
from annotator.services.workflow.review import earlier_states, review_of
from annotator.store.workflow import submissions

RECIPE = """\
name = "two"
version = 1
title = "Two raters"

[[task_types]]
kind = "tracks"
title = "Tracks"
tools = ["boxes"]

[[task_types.stages]]
key = "annotate"
title = "Annotate"
act = "annotate"
role = "rater"
raters = 2
max_raters = {max_raters}
resolution = "majority"
may_choose = true
"""


@pytest.fixture(params=[2])
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[OpenProject]:
    recipe = RECIPE.format(max_raters=request.param)
    opened = create_project(tmp_path / "p", title="P", recipe="perception-test")
    opened.work.use_recipe(recipe)
    for name, roles in (
        ("Ann", [Role.RATER]),
        ("Ben", [Role.RATER]),
        ("Cid", [Role.RATER]),
        ("Rae", [Role.REVIEWER]),
    ):
        opened.work.people.add(name, roles)
    info = VideoInfo(VideoId(new_id()), "clip.mp4", 200, 150, 90, 30.0, 3.0)
    opened.add_absent_video(info)
    yield opened
    opened.close()


def _task(project: OpenProject) -> TaskId:
    (task,) = project.tasks()
    return task.id


def _draws(project: OpenProject, name: str, *boxes: tuple[str, Box]) -> None:
    """Have somebody take the task, draw boxes on frame 0 and submit."""
    _sign_in(project, name)
    project.work.claim(_task(project))
    session = project.open_task(_task(project))
    for label, box in boxes:
        session.run(CreateTrack(track_id(), label, 0, box))
    project.work.submit(session)


def _sign_in(project: OpenProject, name: str) -> None:
    person = next(p for p in project.work.people.all() if p.name == name)
    project.work.people.sign_in(person.id)


def test_work_that_agrees_is_merged_and_complete(project: OpenProject) -> None:
    _draws(project, "Ann", ("mug", Box(10, 10, 50, 50)))
    _draws(project, "Ben", ("mug", Box(12, 12, 52, 52)))
    record = project.work.record(_task(project))
    assert record.status is TaskStatus.COMPLETE
    assert record.base_id is not None
    body = json.loads(submissions.read_body(project.file, record.base_id))
    assert body["resolution"]["method"] == "majority"
    assert body["resolution"]["counted"] == [
        handed.submission_id for a in record.assignments for handed in a.submissions
    ]
    (track,) = body["tracks"]
    (key,) = track["keyframes"]
    assert Box(11, 11, 51, 51).as_tuple() == tuple(key["box"])


def test_work_that_differs_goes_to_an_adjudicator_with_a_comment_for_each_place(
    project: OpenProject,
) -> None:
    task_id = _task(project)
    _draws(project, "Ann", ("mug", Box(10, 10, 50, 50)), ("spoon", Box(100, 10, 140, 30)))
    _draws(project, "Ben", ("mug", Box(12, 12, 52, 52)))
    record = project.work.record(task_id)
    assert (record.status, record.is_adjudicating) == (TaskStatus.IN_PROGRESS, True)
    _sign_in(project, "Cid")
    with pytest.raises(WorkError):
        project.work.claim(task_id)
    _sign_in(project, "Rae")
    project.work.claim(task_id)
    session = project.open_task(task_id)
    assert {t.label for t in session.document.tracks} == {"mug", "spoon"}
    (comment,) = session.document.comments
    assert comment.text == "“spoon”: drawn by Ann, not by Ben."
    spoon = next(t for t in session.document.tracks if t.label == "spoon")
    assert comment.pin.track_id == spoon.id
    # The adjudicator sees what each rater drew, to compare with.
    assert len(project.work.submissions(task_id)) == 2
    session.run(SetKeyframe(spoon.id, 0, Box(101, 11, 141, 31)))
    project.work.submit(session, Verdict(VerdictKind.DONE))
    record = project.work.record(task_id)
    assert record.status is TaskStatus.COMPLETE
    assert record.base_id is not None
    body = json.loads(submissions.read_body(project.file, record.base_id))
    assert {t["label"] for t in body["tracks"]} == {"mug", "spoon"}


@pytest.mark.parametrize("project", [3], indirect=True)
def test_a_third_rater_is_asked_before_an_adjudicator(project: OpenProject) -> None:
    _draws(project, "Ann", ("mug", Box(10, 10, 50, 50)))
    _draws(project, "Ben", ("cup", Box(12, 12, 52, 52)))
    record = project.work.record(_task(project))
    assert (record.wanted, record.is_adjudicating) == (3, False)
    _draws(project, "Cid", ("mug", Box(11, 11, 51, 51)))
    record = project.work.record(_task(project))
    assert record.status is TaskStatus.COMPLETE
    assert record.base_id is not None
    body = json.loads(submissions.read_body(project.file, record.base_id))
    assert [t["label"] for t in body["tracks"]] == ["mug"]


def test_raters_do_not_see_each_other(project: OpenProject) -> None:
    _draws(project, "Ann", ("mug", Box(10, 10, 50, 50)))
    _sign_in(project, "Ben")
    project.work.claim(_task(project))
    assert not project.open_task(_task(project)).document.tracks
    assert project.work.submissions(_task(project)) == []


def _adjudicated(project: OpenProject) -> Session:
    """Have two raters differ on a late box and on a spoon, and the reviewer take the task."""
    task_id = _task(project)
    far = Box(120, 80, 160, 120)
    for name, box, extra in (("Ann", Box(10, 10, 50, 50), True), ("Ben", far, False)):
        _sign_in(project, name)
        project.work.claim(task_id)
        session = project.open_task(task_id)
        mug = track_id()
        session.run(CreateTrack(mug, "mug", 0, Box(10, 10, 50, 50)))
        session.run(SetKeyframe(mug, 59, Box(10, 10, 50, 50)))
        session.run(SetKeyframe(mug, 60, box))
        if extra:
            session.run(CreateTrack(track_id(), "spoon", 0, Box(100, 10, 140, 30)))
        project.work.submit(session)
    _sign_in(project, "Rae")
    project.work.claim(task_id)
    return project.open_task(task_id)


def test_an_adjudicator_changes_the_disputed_places_alone(project: OpenProject) -> None:
    session = _adjudicated(project)
    mug = next(t for t in session.document.tracks if t.label == "mug")
    with pytest.raises(EditError, match="the raters agree"):
        session.run(SetKeyframe(mug.id, 10, Box(0, 0, 20, 20)))
    assert mug.state_at(10).box == Box(10, 10, 50, 50)
    session.run(SetKeyframe(mug.id, 70, Box(0, 0, 20, 20)))
    session.undo()
    session.is_tracked = True
    assert not session.reopens  # the frames around a correction are not all disputed
    with pytest.raises(EditError):
        session.run(CreateTrack(track_id(), "knife", 0, Box(1, 1, 9, 9)))


def test_an_adjudicator_takes_the_version_of_a_rater_where_they_differ(
    project: OpenProject,
) -> None:
    session = _adjudicated(project)
    states = earlier_states(project.work, session.task_id)
    assert [s.author for s in states] == ["", "Ann", "Ben"]
    assert states[0].is_merged
    review = review_of(project.work, session)  # the last rater
    assert review is not None
    subjects = [(item.subject, item.kind) for item in review.differences.items]
    assert (Subject.TRACK, DifferenceKind.ADDED) in subjects  # the spoon, which Ben has not drawn
    assert all(i.frame >= 59 for i in review.differences.items if i.subject is Subject.KEYFRAMES)
    review.revert(*review.differences.items)
    (mug,) = session.document.tracks
    assert mug.state_at(80).box == Box(120, 80, 160, 120)
    assert mug.state_at(10).box == Box(10, 10, 50, 50)
    assert len(review_of(project.work, session, states[2].id).differences) == 0  # type: ignore[union-attr]
    first = review_of(project.work, session, states[1].id)
    assert first is not None
    first.revert(*first.differences.items)
    assert {t.label for t in session.document.tracks} == {"mug", "spoon"}


def test_the_result_says_where_each_keyframe_comes_from(project: OpenProject) -> None:
    session = _adjudicated(project)
    mug = next(t for t in session.document.tracks if t.label == "mug")
    session.run(SetKeyframe(mug.id, 60, Box(120, 80, 160, 120)))
    made = project.work.submit(session, Verdict(VerdictKind.DONE))
    resolution = json.loads(made.body)["resolution"]
    assert resolution["method"] == "adjudication"
    record = project.work.record(session.task_id)
    names = {p.id: p.name for p in project.work.people.all()}
    by = {h.submission_id: names[a.person_id] for a in record.assignments for h in a.submissions}
    assert [by[key] for key in resolution["counted"]] == ["Ann", "Ben"]
    keyframes = resolution["sources"]["tracks"][mug.id]["keyframes"]
    assert keyframes == [[0, [0, 1]], [59, [0, 1]], [60, []]]


def test_the_origin_of_each_keyframe_is_a_row_of_a_table(project: OpenProject) -> None:
    session = _adjudicated(project)
    mug, spoon = session.document.tracks
    session.run(SetKeyframe(mug.id, 60, Box(120, 80, 160, 120)))
    session.run(DeleteTracks((spoon.id,)))
    project.work.submit(session, Verdict(VerdictKind.DONE))
    lead = next(p for p in project.work.people.all() if p.has(Role.LEAD))
    project.work.people.sign_in(lead.id)
    rows = [row[3:] for row in provenance_rows(project)]
    assert rows == [
        ("mug", "keyframe", 0, 0, "Ann, Ben", "mean", 1),
        ("mug", "keyframe", 59, 59, "Ann, Ben", "mean", 1),
        ("mug", "keyframe", 60, 60, "", "Rae", 1),
        ("", "removed", "", "", "", "Rae", 1),
    ]


def test_a_recipe_may_let_adjudicators_change_everything(tmp_path: Path) -> None:
    opened = create_project(tmp_path / "q", title="Q", recipe="perception-test")
    opened.work.use_recipe(RECIPE.format(max_raters=2) + "may_overrule = true\n")
    for name, roles in (("Ann", [Role.RATER]), ("Ben", [Role.RATER]), ("Rae", [Role.REVIEWER])):
        opened.work.people.add(name, roles)
    info = VideoInfo(VideoId(new_id()), "clip.mp4", 200, 150, 90, 30.0, 3.0)
    opened.add_absent_video(info)
    session = _adjudicated(opened)
    session.run(CreateTrack(track_id(), "knife", 0, Box(1, 1, 9, 9)))
    opened.close()
