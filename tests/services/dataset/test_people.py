"""People and the program's own trackers in the table of models."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.annotation.document import VideoInfo
from annotator.domain.commands import CreateTrack, SetKeyframe
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, VideoId, new_id, track_id
from annotator.domain.people import Role
from annotator.domain.work.records import TaskStatus, Verdict, VerdictKind
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.evaluation.baselines import baseline
from annotator.services.dataset.evaluation.evaluation import Evaluation, evaluate
from annotator.services.dataset.evaluation.reference import Reference
from annotator.services.project.projects import OpenProject, create_project
from tests.media.encoding import write_video

QUIET = JobToken(lambda *_: None)
W, H, N = 200, 160, 61
STAGE = """
[[task_types.stages]]
key = "{key}"
title = "{key}"
act = "{act}"
role = "{role}"
"""
RECIPE = """\
name = "drawn"
version = 1
title = "Drawn"

[[task_types]]
kind = "tracks"
title = "Tracks"
tools = ["boxes"]
"""
TWO = (
    RECIPE
    + STAGE.format(key="annotate", act="annotate", role="rater")
    + 'raters = 2\nmax_raters = 2\nresolution = "majority"\nmay_choose = true\n'
)
CHECKED = (
    RECIPE
    + STAGE.format(key="annotate", act="annotate", role="rater")
    + "may_choose = true\n"
    + STAGE.format(key="check", act="check", role="reviewer")
    + "may_choose = true\n"
)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenProject]:
    project = create_project(tmp_path / "p", title="P", recipe="perception-test")
    people = (("Ann", Role.RATER), ("Ben", Role.RATER), ("Rae", Role.REVIEWER))
    for name, role in (*people, ("Lea", Role.LEAD)):
        project.work.people.add(name, [role])
    yield project
    project.close()


def _add_videos(project: OpenProject, n: int) -> None:
    for i in range(n):
        info = VideoInfo(VideoId(new_id()), f"clip{i}.mp4", W, H, N, 30.0, N / 30)
        project.add_absent_video(info)


def _as(project: OpenProject, name: str) -> None:
    person = next(p for p in project.work.people.all() if p.name == name)
    project.work.people.sign_in(person.id)


def _table(project: OpenProject, *names: str) -> tuple[Evaluation, dict[tuple[str, str], float]]:
    with Reference(project) as reference:
        models = [baseline(name, reference, QUIET) for name in names]
        done = evaluate(reference.videos(QUIET), models, QUIET, bootstrap=Bootstrap(0))
        for model in models:
            model.close()
    return done, {(r.model, r.metric): r.value for r in done.results if not r.group}


def _draw(project: OpenProject, n: int, *boxes: tuple[TrackId, str, Box]) -> None:
    task = project.tasks()[n]
    project.work.claim(task.id)
    session = project.open_task(task.id)
    for name, label, box in boxes:
        session.run(CreateTrack(name, label, 0, box))
    project.work.submit(session)


def test_independent_raters_are_compared_with_each_other(opened: OpenProject) -> None:
    opened.work.use_recipe(TWO)
    _add_videos(opened, 2)
    mug, cup = Box(20, 20, 60, 60), Box(100, 100, 140, 140)
    for name, shift in (("Ann", 0.0), ("Ben", 4.0)):
        _as(opened, name)
        moved = Box(mug.x1 + shift, mug.y1, mug.x2 + shift, mug.y2)
        # The same objects in another order.
        drawn = [(track_id(), "mug", moved), (track_id(), "cup", cup)]
        _draw(opened, 0, *(drawn if name == "Ann" else drawn[::-1]))
    _as(opened, "Lea")
    assert opened.work.record(opened.tasks()[0].id).status is TaskStatus.COMPLETE
    done, values = _table(opened, "raters", "static")
    # 36 of 44 columns in common, and the other object exactly.
    assert values["raters", "mean_iou"] == pytest.approx((36 / 44 + 1) / 2)
    assert values["raters", "mota"] == 1.0
    assert {item.video for item in done.items["raters"]} == {"clip0"}
    # The second video has no two submissions, which is nothing missing.
    assert not [f for f in done.findings if f.where == "raters"]


def test_first_submissions_are_compared_with_the_result(opened: OpenProject) -> None:
    opened.work.use_recipe(CHECKED)
    _add_videos(opened, 1)
    _as(opened, "Ann")
    mug = track_id()
    _draw(opened, 0, (mug, "mug", Box(20, 20, 60, 60)))
    _as(opened, "Rae")
    task = opened.tasks()[0]
    opened.work.claim(task.id)
    session = opened.open_task(task.id)
    session.run(SetKeyframe(mug, 0, Box(28, 20, 68, 60)))
    opened.work.submit(session, Verdict(VerdictKind.APPROVE))
    _as(opened, "Lea")
    assert opened.work.record(task.id).status is TaskStatus.COMPLETE
    _, values = _table(opened, "first", "raters")
    assert values["first", "mean_iou"] == pytest.approx(32 / 48)
    assert not [key for key in values if key[0] == "raters"]


def test_the_own_trackers_follow_from_the_first_box(tmp_path: Path) -> None:
    clip = _moving_square(tmp_path / "moving.mp4")
    with closing(create_project(tmp_path / "p", title="P")) as project:
        project.add_videos([clip])
        task = project.tasks()[0]
        session = project.open_task(task.id)
        name = track_id()
        session.run(CreateTrack(name, "square", 0, _square(0)))
        session.run(SetKeyframe(name, N - 1, _square(N - 1)))
        done, values = _table(project, "tracker", "static")
        assert values["tracker", "mean_iou"] > 0.8 > values["static", "mean_iou"]
        assert not [f for f in done.findings if f.severity.value == "error"]
        clip.unlink()
        done, values = _table(project, "tracker")
        assert values["tracker", "mean_iou"] == 0.0
        assert [f.code for f in done.findings if f.severity.value == "error"] == ["missing-media"]


def _square(frame: int) -> Box:
    x = 20 + 1.5 * frame
    return Box(x, 60, x + 40, 100)


def _moving_square(path: Path) -> Path:
    rng = np.random.default_rng(5)
    ground = np.kron(rng.integers(90, 140, (H // 8, W // 8, 3)), np.ones((8, 8, 1)))
    texture = np.kron(rng.integers(0, 255, (5, 5, 3)), np.ones((8, 8, 1)))

    def image(i: int) -> np.ndarray:
        picture, x = ground.copy(), round(_square(i).x1)
        picture[60:100, x : x + 40] = texture
        return picture.astype(np.uint8)

    return write_video(path, map(image, range(N)))
