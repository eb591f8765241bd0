"""Proposals made in advance: from the detections of a model, and from the keyframes of drafts."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.commands import CreateTrack, SetKeyframe
from annotator.domain.commands.points import CreatePoint, SetPoint
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, track_id
from annotator.domain.proposals.model_predictions import model_of
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.batch.job_plan import Planned, trackers_with
from annotator.services.batch.job_results import Collected
from annotator.services.batch.prepared_proposals import Preparation, alone
from annotator.services.batch.trackable_gaps import model_named
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.transfer import import_file
from annotator.store.file.lock import LockedError, ProjectLock
from tests.media.encoding import write_video

TOKEN = JobToken(lambda _fraction, _text: None)


N_FRAMES = 90
TRACKERS = trackers_with("fused")


def prepare(
    project: OpenProject, model: tuple[str, str] | None = None, token: JobToken = TOKEN
) -> tuple[Planned, Collected]:
    """Prepare proposals in this process, as the command does."""
    preparation = Preparation(project.path)
    planned = preparation.plan(project, TRACKERS, model)
    try:
        preparation.run_here(token)
    finally:
        done, failed = preparation.collect(project)
        assert failed == {}
        assert not preparation.is_begun
    return planned, done


def make_clip(path: Path) -> None:
    """Write a clip in which a square with a pattern goes to the right over a still pattern."""
    rng = np.random.default_rng(5)

    def pattern(height: int, width: int, cell: int) -> np.ndarray:
        cells = rng.integers(0, 256, (-(-height // cell), -(-width // cell), 3), np.uint8)
        return cells.repeat(cell, 0).repeat(cell, 1)[:height, :width]

    ground, square = pattern(180, 320, 20) // 3, pattern(60, 60, 10)

    def image(i: int) -> np.ndarray:
        picture = ground.copy()
        picture[60:120, 20 + 2 * i : 80 + 2 * i] = square
        return picture

    write_video(path, map(image, range(N_FRAMES)), preset="ultrafast", g="30")


def place(frame: int) -> tuple[float, float, float, float]:
    """Where the square of the clip is."""
    return (20 + 2 * frame, 60, 80 + 2 * frame, 120)


@pytest.fixture
def project(tmp_path: Path):
    make_clip(tmp_path / "clip.mp4")
    made = create_project(tmp_path / "p.annot", title="P")
    made.add_videos([tmp_path / "clip.mp4"])
    yield made
    made.close()


def detect(project: OpenProject, folder: Path, *frames: int) -> None:
    """Import detections of the square without IDs, and of something that is there once only."""
    rows = [f"{f + 1},-1,{20 + 2 * f},60,60,60,0.8,-1,-1,-1" for f in frames]
    rows.append("1,-1,250,10,40,30,0.3,-1,-1,-1")
    path = folder / "clip.txt"
    path.write_text("\n".join(rows))
    import_file(project, path, as_proposals=True, model="det", token=TOKEN)


def test_detections_become_objects_that_wait_in_the_task(
    project: OpenProject, tmp_path: Path
) -> None:
    detect(project, tmp_path, 0, 30, 60)
    model = model_named(project, "det")
    _, done = prepare(project, model)
    assert (done.videos, done.n_objects) == ({"clip.mp4"}, 2)
    (task,) = project.tasks()
    session = project.open_task(task.id)
    objects = [t for t in session.document.tracks if model_of(t.info.extra) == "det + fused"]
    square = max(objects, key=lambda t: len(session.pending(t.id)))
    found = {p.frame: p.box for p in session.pending(square.id) if p.box is not None}
    assert set(found) == set(range(N_FRAMES))
    ious = [box.iou(Box(*place(frame))) for frame, box in found.items()]
    assert np.mean(ious) > 0.9
    # A second run has nothing left to do.
    planned, done = prepare(project, model)
    assert (planned.n_passes, done.videos) == (0, set())


def test_a_model_that_is_not_there_is_named(project: OpenProject, tmp_path: Path) -> None:
    detect(project, tmp_path, 0)
    with pytest.raises(UserError, match="no predictions of a model “other”") as error:
        model_named(project, "other")
    assert error.value.hint == "Use one of: det."


def test_gaps_of_drafts_are_filled_and_canceling_keeps_what_is_done(
    project: OpenProject, tmp_path: Path
) -> None:
    (task,) = project.tasks()
    session = project.open_task(task.id)
    new = track_id()
    session.run(CreateTrack(new, "square", 0, Box(*place(0))))
    session.run(SetKeyframe(new, 40, Box(*place(40))))
    # A draft that is open here is left to the window.
    assert prepare(project)[0].n_passes == 0
    del session
    project.close()
    again = open_project(tmp_path / "p.annot")
    stopped = JobToken(lambda _fraction, _text: None)
    stopped.cancel()
    with pytest.raises(CanceledError):
        prepare(again, token=stopped)
    _, done = prepare(again)
    assert (done.videos, done.n_gaps) == ({"clip.mp4"}, 2)
    assert prepare(again)[0].n_passes == 0
    session = again.open_task(task.id)
    found = {p.frame: p.box for p in session.pending(new) if p.box is not None}
    assert set(range(1, 40)) <= set(found)
    assert np.mean([box.iou(Box(*place(frame))) for frame, box in found.items()]) > 0.9
    again.close()


def test_a_missing_video_is_reported(project: OpenProject, tmp_path: Path) -> None:
    detect(project, tmp_path, 0)
    project.close()
    (tmp_path / "clip.mp4").unlink()
    again = open_project(tmp_path / "p.annot")
    planned, done = prepare(again, ("det", ""))
    assert done.videos == set()
    assert [f.code for f in planned.findings] == ["missing-media"]
    again.close()


def test_points_of_drafts_are_followed(project: OpenProject, tmp_path: Path) -> None:
    (task,) = project.tasks()
    session = project.open_task(task.id)
    square, ids = track_id(), [point_id(), point_id()]
    session.run(CreateTrack(square, "square", 0, Box(*place(0))))
    for n, new in enumerate(ids):
        session.run(CreatePoint(new, square, f"p{n}", 0, Point(35 + 30 * n, 75)))
        session.run(SetPoint(new, 40, Point(115 + 30 * n, 75)))
    del session
    project.close()
    again = open_project(tmp_path / "p.annot")
    planned, done = prepare(again)
    # The box track has a gap to the end; both points are followed in one pass.
    assert (planned.n_passes, done.n_gaps) == (2, 3)
    assert prepare(again)[0].n_passes == 0
    session = again.open_task(task.id)
    for n, each in enumerate(ids):
        found = {p.frame: p.xy for p in session.pending_points(each)}
        assert set(found) == set(range(1, 40))
        errors = [abs(xy.x - (35 + 30 * n + 2 * f)) for f, xy in found.items() if xy is not None]
        assert len(errors) > 30
        assert np.mean(errors) < 4
    again.close()


def test_a_process_goes_on_without_its_window_and_is_followed_by_the_next(
    project: OpenProject, tmp_path: Path
) -> None:
    detect(project, tmp_path, 0, 30, 60)
    preparation = Preparation(project.path)
    assert preparation.plan(project, TRACKERS, ("det", "")).n_passes == 1
    preparation.launch()
    with pytest.raises(UserError, match="being prepared for this project already"):
        preparation.plan(project, TRACKERS, ("det", ""))
    project.close()
    again = open_project(tmp_path / "p.annot")
    other = Preparation(again.path)
    assert other.is_begun
    seen: list[float | None] = []
    other.follow(JobToken(lambda share, _: seen.append(share)))
    assert seen[-1] == 1.0
    done, failed = other.collect(again)
    assert (done.n_objects, failed) == (2, {})
    assert not other.is_begun
    again.close()


def test_a_process_that_is_stopped_keeps_what_is_done(project: OpenProject, tmp_path: Path) -> None:
    detect(project, tmp_path, 0, 30, 60)
    preparation = Preparation(project.path)
    preparation.plan(project, TRACKERS, ("det", ""))
    preparation.launch()
    preparation.stop()
    assert not preparation.is_running
    done, _ = preparation.collect(project)
    assert done.n_objects in (0, 2)
    assert not preparation.is_begun


def test_who_only_looks_whether_a_process_runs_keeps_none_from_running(tmp_path: Path) -> None:
    looked = ProjectLock(tmp_path)
    timer = threading.Timer(0.2, looked.release)
    timer.start()
    with alone(tmp_path), pytest.raises(LockedError):
        ProjectLock(tmp_path)
    timer.join()


def test_checks_at_the_same_time_do_not_report_a_running_process(
    project: OpenProject,
) -> None:
    preparation = Preparation(project.path)
    preparation.plan(project, TRACKERS, None)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: preparation.is_running, range(4000)))
    assert not any(answers)
