"""Batches of proposals: planned, run anywhere, stopped and continued, and collected once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from annotator.assist import DEFAULT
from annotator.domain.commands import CreateTrack, SetKeyframe
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TrackId, track_id
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.point_proposals import PointProposalRun, ProposedPoint
from annotator.domain.proposals.runs import Origin
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.batch.job_plan import GapPass, VideoJob, plan, read_plan, trackers_with
from annotator.services.batch.job_results import (
    collect,
    read_objects,
    read_runs,
    result_path,
    write_runs,
)
from annotator.services.batch.job_runners import FAILED, run, run_video, status
from annotator.services.fetching.fetch import keep_template
from annotator.services.fetching.video_cache import VideoCache
from annotator.services.project.projects import OpenProject, create_project, open_project
from tests.benchmarks.bench_lookalikes import ShellGame
from tests.e2e.conftest import make_clip
from tests.services.fetching.servers import web_server
from tests.sync.postgres_server import certified

TRACKER = "flow"
TRACKERS = trackers_with(TRACKER)


def quiet() -> JobToken:
    return JobToken(lambda *_: None)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    """Three videos of 90 frames; in each a square with a box on the first and on frame 30."""
    videos = tmp_path / "videos"
    videos.mkdir()
    made = create_project(tmp_path / "p.annot", title="Squares")
    made.add_videos([make_clip(videos / f"{i}.mp4", shade=40 + 20 * i) for i in range(3)])
    for task in made.tasks():
        session = made.open_task(task.id)
        track = track_id()
        session.run(CreateTrack(track, "square", 0, Box(20, 60, 80, 120)))
        session.run(SetKeyframe(track, 30, Box(80, 60, 140, 120)))
    path = made.path
    made.close()
    opened = open_project(path)
    yield opened
    opened.close()


@pytest.fixture
def jobs(project: OpenProject, tmp_path: Path) -> list[VideoJob]:
    done = plan(project, tmp_path / "jobs.jsonl", TRACKERS)
    assert (done.n_jobs, done.n_passes, done.findings) == (3, 6, ())
    return read_plan(tmp_path / "jobs.jsonl")


def proposals(project: OpenProject) -> dict[str, int]:
    """Return how many frames have a proposed box, by video."""
    found = {}
    for task in project.tasks():
        session = project.open_task(task.id)
        (track,) = session.document.tracks
        runs = session.box_runs.of(track.id)
        name = project.media.video(task.video_id).info.name
        found[name] = sum(int(np.isfinite(each.boxes[:, 0]).sum()) for each in runs)
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_planned_is_tracked_and_collected_once(
    project: OpenProject, jobs: list[VideoJob], tmp_path: Path, workers: int
) -> None:
    out = tmp_path / "out"
    done = run(jobs, out, quiet(), workers=workers)
    assert sorted((d.name, d.n_made, d.n_known, d.error) for d in done) == [
        (f"{i}.mp4", 2, 0, "") for i in range(3)
    ]
    assert status(jobs, out).n_done == 6
    assert all(d.n_known == 2 and d.n_made == 0 for d in run(jobs, out, quiet()))
    assert project.tasks()  # nothing of the project was touched
    collected = collect(project, out, TRACKERS)
    assert (collected.n_gaps, collected.n_waiting, collected.damaged) == (6, 0, [])
    assert all(count > 60 for count in proposals(project).values())
    assert collect(project, out, TRACKERS).n_gaps == 0
    for task in project.tasks():
        (track,) = project.open_task(task.id).document.tracks
        assert len(track.keyframes) == 2


def test_the_proposals_are_those_of_the_window(
    project: OpenProject, jobs: list[VideoJob], tmp_path: Path
) -> None:
    run(jobs[:1], tmp_path / "out", quiet())
    gap = jobs[0].passes[0]
    assert isinstance(gap, GapPass)
    wanted = ProposalRun.empty(TrackId("t"), gap.start, gap.end, Origin("", ""))
    (found,) = read_runs(result_path(tmp_path / "out", gap.key), [wanted])
    from annotator.assist import propose
    from annotator.domain.proposals.box_proposals import Anchor
    from annotator.media import Video

    anchors = [Anchor(a.frame, Box(*a.box)) for a in gap.anchors if a.box is not None]
    with Video(Path(jobs[0].path)) as video:
        told = {
            each.frame: each
            for each in propose(video, anchors, (gap.start, gap.end), tracker=TRACKER)
        }
    for frame, each in told.items():
        assert each.box is not None
        assert np.allclose(found.boxes[frame - gap.start], each.box.as_tuple(), atol=0.01)


def test_a_batch_avoids_other_objects_and_knows_more_keyframes_like_the_window(
    tmp_path: Path,
) -> None:
    n, cup = 61, 1
    game = ShellGame(4, n)
    game.save(tmp_path / "cups.mp4")
    project = create_project(tmp_path / "cups.annot", title="Cups")
    project.add_videos([tmp_path / "cups.mp4"])
    session = project.open_task(project.tasks()[0].id)

    def draw(number: int, frames: Sequence[int]) -> None:
        track, boxes = track_id(), [Box(*game.boxes[number, f].tolist()) for f in frames]
        session.run(CreateTrack(track, "cup", frames[0], boxes[0]))
        for frame, box in zip(frames[1:], boxes[1:], strict=True):
            session.run(SetKeyframe(track, frame, box))

    for number in range(3):
        draw(number, (0, 1) if number == cup else range(n))
    project.close()
    project = open_project(tmp_path / "cups.annot")
    trackers = trackers_with("fused")
    plan(project, tmp_path / "jobs", trackers)
    project.close()
    (job,) = read_plan(tmp_path / "jobs")
    (gap,) = (each for each in job.passes if isinstance(each, GapPass) and each.end == n)
    assert [anchor.frame for anchor in gap.anchors] == [1]
    assert [anchor.frame for anchor in gap.looks] == [0]
    others = np.delete(game.boxes, cup, axis=0)
    known = gap.other_boxes()[:, : n - 1]  # the last one is beyond the video
    assert np.allclose(np.sort(known, axis=0), np.sort(others[:, 1:], axis=0), atol=0.1)
    confidence = []
    astray = gap.other_boxes().copy()
    astray[0, 35:60] = game.boxes[cup, 36:]  # two equal objects in one place are doubtful
    for boxes in (gap.other_boxes(), astray):
        variant = msgspec.structs.replace(gap, others=zlib.compress(boxes.tobytes()))
        out = tmp_path / str(len(confidence))
        (done,) = run([msgspec.structs.replace(job, passes=[variant])], out, quiet())
        assert done.error == ""
        wanted = ProposalRun.empty(TrackId("t"), gap.start, gap.end, Origin("", ""))
        (found,) = read_runs(result_path(out, gap.key), [wanted])
        box = Box(*found.boxes[50 - gap.start].tolist())
        assert box.iou(Box(*game.boxes[cup, 50].tolist())) > 0.7
        confidence.append(float(found.confidence[50 - gap.start]))
    assert confidence[0] > 0.9
    assert confidence[1] <= 0.61
    damaged = msgspec.structs.replace(gap, others=b"no zlib")
    (done, *_) = run([msgspec.structs.replace(job, passes=[damaged])], tmp_path / "d", quiet())
    assert "damaged" in done.error


def test_a_recipe_says_what_a_batch_gives_hidden_objects(tmp_path: Path) -> None:
    project = create_project(tmp_path / "p.annot", title="P", recipe="annotate-review")
    project.add_videos([make_clip(tmp_path / "a.mp4", shade=40)])
    session = project.open_task(project.tasks()[0].id)
    session.run(CreateTrack(track_id(), "square", 0, Box(20, 60, 80, 120)))
    project.close()
    project = open_project(tmp_path / "p.annot")
    keys = []
    for is_absent in (False, True):
        if is_absent:
            text = project.work.recipe_text().replace("version = 1", "version = 2", 1)
            project.work.use_recipe(text.replace("tools =", 'hidden = "out-of-view"\ntools ='))
        plan(project, tmp_path / "jobs", TRACKERS)
        (job,) = read_plan(tmp_path / "jobs")
        (gap,) = job.passes
        assert isinstance(gap, GapPass)
        assert gap.hidden_is_absent is is_absent
        keys.append(gap.key)
    assert keys[0] != keys[1], "results of one are not those of the other"
    project.close()


def test_results_of_changed_keyframes_are_not_taken(
    project: OpenProject, jobs: list[VideoJob], tmp_path: Path
) -> None:
    run(jobs, tmp_path / "out", quiet())
    task = project.tasks()[0]
    session = project.open_task(task.id)
    (track,) = session.document.tracks
    session.run(SetKeyframe(track.id, 30, Box(90, 60, 150, 120)))
    del session
    collected = collect(project, tmp_path / "out", TRACKERS)
    assert collected.n_gaps == 4


def test_a_stopped_run_goes_on_where_it_was(jobs: list[VideoJob], tmp_path: Path) -> None:
    out = tmp_path / "out"
    token = JobToken(lambda *_: None)
    seen: list[str] = []

    def report(_fraction: float | None, name: str) -> None:
        seen.append(name)
        token.cancel()

    token._report = report
    with pytest.raises(CanceledError):
        run(jobs, out, token)
    assert (out / "stop").exists()
    assert 0 < status(jobs, out).n_done < 6
    done = run(jobs, out, quiet())
    assert sum(d.n_known for d in done) == 2
    assert status(jobs, out).n_done == 6


def test_a_video_that_fails_is_listed_and_the_others_go_on(
    jobs: list[VideoJob], tmp_path: Path
) -> None:
    Path(jobs[0].path).unlink()
    shutil.copy(jobs[2].path, jobs[1].path)
    out = tmp_path / "out"
    done = {d.name: d.error for d in run(jobs, out, quiet(), workers=2)}
    assert done["2.mp4"] == ""
    assert "another content" in done["1.mp4"]
    assert done["0.mp4"]
    assert set(status(jobs, out).failed) == {"0.mp4", "1.mp4"}
    assert len((out / FAILED).read_text().splitlines()) == 2


def test_a_machine_without_the_files_fetches_them(
    project: OpenProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with web_server(tmp_path / "videos") as web:
        keep_template(project, f"{web.address}/{{name}}")
        plan(project, tmp_path / "jobs.jsonl", TRACKERS)
        found = read_plan(tmp_path / "jobs.jsonl")
        cache = VideoCache(tmp_path / "cache", 10**9)
        monkeypatch.setattr("annotator.services.batch.job_runners.video_cache", lambda _: cache)
        elsewhere = [msgspec.structs.replace(job, path=f"/elsewhere/{job.name}") for job in found]
        out = tmp_path / "out"
        assert [d.error for d in run(elsewhere, out, quiet())] == ["", "", ""]
        assert len(list(cache.folder.glob("??/*.mp4"))) == 3
        wrong = [msgspec.structs.replace(elsewhere[0], content="0" * 64)]
        (outcome,) = run(wrong, tmp_path / "other", quiet())
        assert "content is different" in outcome.error
    assert collect(project, out, TRACKERS).n_gaps == 6


def test_a_killed_worker_costs_no_more_than_its_video(jobs: list[VideoJob], tmp_path: Path) -> None:
    out = tmp_path / "out"
    text = (
        "import sys; from annotator.services.batch.job_runners import run_video; "
        "run_video(open(sys.argv[1], 'rb').read(), sys.argv[2])"
    )
    for job in jobs:
        (tmp_path / "job").write_bytes(msgspec.json.encode(job))
        worker = subprocess.Popen([sys.executable, "-c", text, str(tmp_path / "job"), str(out)])
        ends = time.monotonic() + 60
        while status(jobs, out).n_done == 0 and time.monotonic() < ends:
            time.sleep(0.01)
        worker.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        worker.wait()
        break
    before = status(jobs, out).n_done
    assert before >= 1
    run(jobs, out, quiet())
    assert status(jobs, out).n_done == 6
    assert all(
        each.suffix == ".npz" for each in out.rglob("*") if each.parent != out and each.is_file()
    )


def test_a_dask_cluster_does_the_same(
    project: OpenProject, jobs: list[VideoJob], tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None,
        host="127.0.0.1", local_directory=str(tmp_path / "dask"),
    ) as cluster:  # fmt: skip
        out = tmp_path / "out"
        done = run(jobs, out, quiet(), scheduler=cluster.scheduler_address)
    assert sorted(d.error for d in done) == ["", "", ""]
    assert collect(project, out, TRACKERS).n_gaps == 6


def test_a_cluster_with_certificates_lets_in_nobody_without(
    jobs: list[VideoJob], tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    certificate, key = tmp_path / "cluster.crt", tmp_path / "cluster.key"
    certified(certificate, key)
    kinds = ("client", "scheduler", "worker")
    files = {f"tls_{kind}_cert": str(certificate) for kind in kinds}
    files |= {f"tls_{kind}_key": str(key) for kind in kinds}
    security = distributed.security.Security(
        tls_ca_file=str(certificate), require_encryption=True, **files
    )
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None,
        host="tls://127.0.0.1", security=security, local_directory=str(tmp_path / "dask"),
    ) as cluster:  # fmt: skip
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        given = {"ca": str(certificate), "cert": str(certificate), "key": str(key)}
        done = run(jobs, tmp_path / "out", quiet(), scheduler=address, certificates=given)
        assert [d.error for d in done] == ["", "", ""]
        with pytest.raises(UserError, match="it needs certificates"):
            run(jobs, tmp_path / "other", quiet(), scheduler=address)


def test_a_scheduler_that_is_not_there_is_told(jobs: list[VideoJob], tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(UserError, match="Cannot connect to the scheduler"):
        run(jobs, tmp_path / "out", quiet(), scheduler="nonsense://127.0.0.1:1")


@pytest.mark.parametrize("damage", ["cut", "pickle", "other frames", "no zip", "huge"])
def test_damaged_results_are_named_and_the_rest_is_taken(
    project: OpenProject, jobs: list[VideoJob], tmp_path: Path, damage: str
) -> None:
    out = tmp_path / "out"
    run(jobs, out, quiet())
    first, second = jobs[0].passes[0], jobs[1].passes[1]
    path = result_path(out, first.key)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-40])
    elif damage == "pickle":
        np.savez(path, boxes=np.array([{"a": 1}], object), confidence=[1], occluded=[1], told=[1])
    elif damage == "other frames":
        shutil.copy(result_path(out, second.key), path)
    elif damage == "huge":
        np.savez_compressed(path, boxes=np.zeros((20_000_000, 4), "<f4"))
    else:
        path.write_bytes(b"x" * 100)
    collected = collect(project, out, TRACKERS)
    assert (collected.n_gaps, len(collected.damaged)) == (5, 1)
    assert "Cannot read a result" in collected.damaged[0]


@pytest.mark.parametrize("body", [b"{", b"[]\n", b'{"format": "annotator-batch/9"}\n', b"\xff\n"])
def test_what_is_no_plan_is_refused(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "jobs").write_bytes(body)
    with pytest.raises(UserError, match="Cannot read the plan"):
        read_plan(tmp_path / "jobs")


def test_the_commands_do_it_all(
    project: OpenProject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from annotator import cli

    path = project.path
    project.close()
    jobs, out = tmp_path / "j.jsonl", tmp_path / "out"

    def told(*arguments: object) -> dict[str, object]:
        capsys.readouterr()
        assert cli.main(["batch", *map(str, arguments), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    assert told("plan", path, jobs, "--tracker", TRACKER) == {"n_videos": 3, "n_passes": 6}
    assert told("status", jobs, out)["n_done"] == 0
    assert told("run", jobs, out)["n_made"] == 6
    assert told("status", jobs, out)["n_done"] == 6
    assert told("collect", path, out, "--tracker", TRACKER)["n_gaps"] == 6
    assert told("plan", path, jobs, "--tracker", TRACKER, "--force")["n_passes"] == 0
    assert DEFAULT


def test_the_function_of_the_workers_stops_when_asked(jobs: list[VideoJob], tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "stop").touch()
    done = run_video(msgspec.json.encode(jobs[0]), str(out))
    assert (done.n_made, done.error) == (0, "")


def _boxes(*frames: int) -> str:
    rows = [[frame, [0, 0, 9, 9], False, 0.5] for frame in frames]
    return json.dumps([{"label": "cup", "boxes": rows}])


@pytest.mark.parametrize(
    "told",
    [
        *("{", "[1]", '[{"label": "cup"}]', _boxes(3, 2), _boxes(3, 3), _boxes(-1), _boxes(90)),
        _boxes(1).replace("0.5", "1.5"),
        _boxes(1).replace("0.5", "NaN"),
        _boxes(1).replace("cup", "c" * 2000),
    ],
)
def test_damaged_objects_are_refused(tmp_path: Path, told: str) -> None:
    path = tmp_path / "result.npz"
    head = np.frombuffer(b"{}", np.uint8)
    np.savez(path, told=head, objects=np.frombuffer(_boxes(1, 89).encode(), np.uint8))
    assert [row.frame for row in read_objects(path, 90)[0].boxes] == [1, 89]
    np.savez(path, told=head, objects=np.frombuffer(told.encode(), np.uint8))
    with pytest.raises(UserError, match="Cannot read a result"):
        read_objects(path, 90)


def test_points_of_other_frames_are_refused(tmp_path: Path) -> None:
    path, n = tmp_path / "result.npz", 9
    places, origin = np.zeros((n, 2), np.float32), Origin("t", "1", {})
    write_runs(path, [PointProposalRun(PointId(""), 4, places, np.ones(n, np.float32), origin)])
    (found,) = read_runs(path, [PointProposalRun.empty(PointId("p"), 4, 13, origin)])
    assert found.at(12) == ProposedPoint(12, Point(0, 0), False, 1)
    assert (found.point_id, found.start, found.end) == ("p", 4, 13)
    for gap in ((4, 12), (5, 14)):
        with pytest.raises(UserError, match="of other frames"):
            read_runs(path, [PointProposalRun.empty(PointId("p"), *gap, origin)])
    with pytest.raises(UserError, match="of other frames"):
        read_runs(path, [ProposalRun.empty(TrackId("t"), 4, 13, origin)])
