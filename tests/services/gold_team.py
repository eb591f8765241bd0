"""A project with drawn tasks of which some are gold tasks."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.commands import CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import PersonId, TaskId, VideoId, new_id, track_id
from annotator.domain.people import Role
from annotator.domain.work.records import TaskStatus
from annotator.services.project.projects import OpenProject, create_project
from annotator.store.workflow.travel import expect_content

RECIPE = """\
name = "boxes"
version = 1
title = "Boxes"

[[task_types]]
kind = "tracks"
title = "Tracks"
tools = ["boxes"]
gold = {{ {gold} }}

[[task_types.stages]]
key = "annotate"
title = "Annotate"
act = "annotate"
role = "rater"

[[task_types.stages]]
key = "check"
title = "Check"
act = "check"
role = "reviewer"
"""
RULE = "every = 3, last = 4, warn = 1, suspend = 2"
CUP = Box(10, 10, 50, 50)


def made(
    folder: Path, gold: str = RULE, n_videos: int = 12, *, n_raters: int = 1, n_stages: int = 2
) -> OpenProject:
    """Make a project with a rule for gold tasks, two raters and a reviewer."""
    opened = create_project(folder / "p", title="P", recipe="perception-test")
    text = RECIPE.format(gold=gold)
    if n_raters > 1:
        several = f'raters = {n_raters}\nmax_raters = {n_raters}\nresolution = "majority"'
        text = text.replace('role = "rater"', f'role = "rater"\n{several}')
    if n_stages == 1:
        text = text[: text.rindex("[[task_types.stages]]")]
    opened.work.use_recipe(text)
    for name, roles in (
        ("Ann", [Role.RATER]),
        ("Ben", [Role.RATER]),
        ("Rae", [Role.REVIEWER]),
    ):
        opened.work.people.add(name, roles)
    for i in range(n_videos):
        info = VideoInfo(VideoId(new_id()), f"clip-{i:02d}.mp4", 200, 150, 90, 30.0, 3.0)
        opened.add_absent_video(info)
        with opened.file.transaction() as connection:
            expect_content(connection, info.id, f"{i:064x}")
    return opened


def sign_in(project: OpenProject, name: str) -> None:
    person = next(p for p in project.work.people.all() if p.name == name)
    project.work.people.sign_in(person.id)


def as_lead(project: OpenProject) -> None:
    lead = next(p for p in project.work.people.all() if p.has(Role.LEAD))
    project.work.people.sign_in(lead.id)


def draws(project: OpenProject, name: str, box: Box = CUP) -> TaskId | None:
    """Have somebody take the next task, draw a cup and submit."""
    sign_in(project, name)
    record = project.work.claim_next("tracks", "annotate")
    if record is None:
        return None
    session = project.open_task(record.id)
    session.run(CreateTrack(track_id(), "cup", 0, box))
    project.work.submit(session)
    return record.id


def gold_results(project: OpenProject, n: int) -> list[TaskId]:
    """Have Ben draw the first tasks, Rae approve them, and the lead take them for known."""
    done: list[TaskId] = []
    for _ in range(n):
        task_id = draws(project, "Ben")
        assert task_id is not None
        done.append(task_id)
        if project.work.record(task_id).status is TaskStatus.COMPLETE:
            continue
        sign_in(project, "Rae")
        record = project.work.claim_next("tracks", "check")
        assert record is not None
        assert record.id == task_id
        project.work.submit(project.open_task(record.id))
    as_lead(project)
    assert project.work.gold.add(done) == []
    return done


def person_id(project: OpenProject, name: str) -> PersonId:
    return next(p.id for p in project.work.people.all() if p.name == name)
