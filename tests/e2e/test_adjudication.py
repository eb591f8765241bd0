"""An adjudicator of drawn work in a real window: versions, what may be changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from annotator.domain.commands import CreateTrack, SetKeyframe
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.domain.people import Role
from annotator.services.project.projects import create_project
from tests.e2e.conftest import Desktop
from tests.services.test_parallel_drawing import RECIPE

NEAR, FAR = Box(20, 60, 80, 120), Box(220, 60, 280, 120)


@pytest.fixture
def team(tmp_path: Path, clip: Path) -> Path:
    """Ann and Ben differ on frames 60 and later, and Rae has the task."""
    made = create_project(tmp_path / "team", title="Team", recipe="perception-test")
    made.work.use_recipe(RECIPE.format(max_raters=2))
    people = {
        name: made.work.people.add(name, (role,)).id
        for name, role in (("Ann", Role.RATER), ("Ben", Role.RATER), ("Rae", Role.REVIEWER))
    }
    made.add_videos([Path(shutil.copy(clip, tmp_path))])
    (task,) = made.tasks()
    for name, late in (("Ann", NEAR), ("Ben", FAR)):
        made.work.people.sign_in(people[name])
        made.work.claim(task.id)
        session = made.open_task(task.id)
        mug = track_id()
        session.run(CreateTrack(mug, "mug", 0, NEAR))
        session.run(SetKeyframe(mug, 59, NEAR))
        session.run(SetKeyframe(mug, 60, late))
        made.work.submit(session)
    made.work.people.sign_in(people["Rae"])
    made.work.claim(task.id)
    made.close()
    return made.path


def test_the_version_of_a_rater_is_taken_with_a_click(desktop: Desktop, team: Path) -> None:
    window = desktop.window
    assert window.context.projects.open_path(team)
    project = window.context.workspace.project
    assert project is not None
    rae = next(p for p in project.work.people.all() if p.name == "Rae")
    window.context.workspace.sign_in(rae.id)
    (held,) = project.work.in_hand()
    window.context.workspace.open_task(held.task_id)
    reviewing = window.assembly.review_actions.reviewing
    desktop.qtbot.waitUntil(lambda: reviewing.review is not None, timeout=10_000)
    assert [choice.author for choice in reviewing.choices] == ["", "Ann", "Ben"]
    assert reviewing.earlier is not None
    assert reviewing.earlier.author == "Ben"
    action = window.context.table.action("change.undo")
    assert action.text() == "Use this version"
    (item,) = reviewing.items
    window.assembly.review_actions.go_to(item)
    desktop.run("change.undo")
    session = window.context.workspace.session
    assert session is not None
    (mug,) = session.document.tracks
    assert mug.state_at(80).box == FAR
    assert mug.state_at(30).box == NEAR
    assert reviewing.items == ()
    reviewing.choose(0)  # the mean
    desktop.qtbot.waitUntil(lambda: bool(reviewing.items), timeout=10_000)
    window.assembly.review_actions.go_to(reviewing.items[0])
    desktop.run("change.undo")
    box = session.document.tracks[0].state_at(80).box
    assert box is not None
    assert box.x1 == pytest.approx(120)
    with pytest.raises(EditError, match="the raters agree"):
        session.run(SetKeyframe(mug.id, 10, FAR))
