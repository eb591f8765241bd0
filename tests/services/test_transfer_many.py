"""Files of many videos: made by several processes, read video by video."""

from __future__ import annotations

import contextlib
import copy
import sqlite3

import pytest

from annotator.domain.commands import SetKeyframe, SetTrack
from annotator.domain.errors import ExchangeError, ProjectError
from annotator.domain.geometry import Box
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.project.projects import create_project, open_project
from annotator.services.transfer import (
    Again,
    ExportRequest,
    FileImport,
    ImportRefusedError,
    OpenFile,
    export_project,
    import_file,
    perception_test,
    snapshots,
    write_export,
)
from annotator.services.transfer.imports import file_import, import_submission, parallel_reading
from annotator.store.file.file_checks import integrity_findings
from annotator.store.file.file_state import FilePosition
from tests.exchange.files import canonical, example, write_file

N_VIDEOS = 90


def content() -> bytes:
    """Return a file of many small videos, no two alike."""
    entries = []
    for i in range(N_VIDEOS):
        entry = copy.deepcopy(example())
        entry["metadata"]["video_id"] = f"video_{i}"
        entry["object_tracking"][0]["label"] = f"cup {i}"
        entries.append((f"video_{i}", entry))
    return canonical(*entries)


@pytest.fixture
def token() -> JobToken:
    return JobToken(lambda _fraction, _text: None)


@pytest.fixture
def project(tmp_path, token):
    opened = create_project(tmp_path / "many", title="Many")
    import_file(opened, write_file(tmp_path, content()), token=token)
    yield opened
    opened.close()


def test_processes_write_the_same_bytes_and_report_the_same(project, tmp_path, token, monkeypatch):
    here = export_project(project, ExportRequest(tmp_path / "here.json"), token)
    assert (tmp_path / "here.json").read_bytes() == content()
    monkeypatch.setattr(perception_test, "FEW", 0)
    there = export_project(project, ExportRequest(tmp_path / "there.json"), token)
    assert (tmp_path / "there.json").read_bytes() == content()
    assert there.videos == here.videos
    assert there.findings == here.findings


def test_edits_made_while_an_export_waits_are_not_in_it(project, tmp_path, token, monkeypatch):
    monkeypatch.setattr(perception_test, "FEW", 0)
    items = snapshots(project)
    session = project.open_task(project.tasks()[3].id)
    session.run(SetTrack(session.document.tracks[0].id, label="later"))
    assert items.moment is not None
    write_export(items, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content()


def test_without_processes_it_is_written_here(project, tmp_path, token, monkeypatch):
    def nothing(*_: object) -> list[object]:
        return []

    monkeypatch.setattr(perception_test, "FEW", 0)
    monkeypatch.setattr(perception_test, "_made_elsewhere", nothing)
    export_project(project, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content()


def test_a_canceled_export_leaves_the_old_file(project, tmp_path, monkeypatch):
    monkeypatch.setattr(perception_test, "FEW", 0)
    (tmp_path / "out.json").write_text("before")
    token = JobToken(lambda fraction, _: token.cancel() if fraction else None)
    with pytest.raises(CanceledError):
        export_project(project, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_text() == "before"
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".out")]


def test_a_process_that_sees_another_state_makes_nothing(project, monkeypatch):
    monkeypatch.setattr(perception_test, "_state", [])
    monkeypatch.setattr(perception_test.gc, "disable", lambda: None)
    perception_test._begin(FilePosition(project.path, 0, 0))
    items = snapshots(project)
    settings = perception_test.ExportSettings()
    assert perception_test._make_there(items.places, settings) is None
    items.close()


@pytest.fixture
def at_once(monkeypatch):
    """Have even a small file be read by processes and brought in by batches."""
    monkeypatch.setattr(file_import, "FEW", 0)
    monkeypatch.setattr(parallel_reading, "_AT_ONCE", 40)


def brought(tmp_path, token, name, text=None):
    """Return a new project into which the file has been imported, and the report."""
    opened = create_project(tmp_path / name, title="Many")
    return opened, import_file(opened, write_file(tmp_path, text or content()), token=token)


def told(project):
    """Return what a project says of its videos and tasks, without identifiers."""
    found = []
    for task in project.tasks():
        session = project.open_task(task.id, takes=False)
        document, record = session.document, project.work.record(task.id)
        found.append(
            (
                task.title,
                task.state,
                [a.state for a in record.holders],
                document.video.name,
                document.video.extra["perception_test"],
                [(t.info.label, t.info.number, t.info.extra, t.keyframes) for t in document.tracks],
                [(p.info.label, p.info.number, p.info.extra, p.path) for p in document.points],
                [(s.label, s.start, s.end, s.start_us, s.extra) for s in document.segments],
                session.undo_op,
            )
        )
    return found


def test_batches_bring_in_the_same_as_one_after_the_other(
    project, tmp_path, token, at_once, monkeypatch
):
    other, report = brought(tmp_path, token, "batches")
    assert told(other) == told(project)
    assert [v.name for v in report.videos] == [f"video_{i}" for i in range(N_VIDEOS)]
    assert {(v.n_tracks, v.n_points, v.n_segments, v.is_new) for v in report.videos} == {
        (2, 1, 3, True)
    }
    assert [v.task_id for v in report.videos] == [t.id for t in other.tasks()]
    export_project(other, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content()
    path = other.path
    other.close()
    assert integrity_of(path) == []


def integrity_of(path):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return integrity_findings(connection)


def test_each_video_of_a_batch_is_a_step_of_undo(tmp_path, token, at_once):
    other, _ = brought(tmp_path, token, "batches")
    path = other.path
    other.close()
    other = open_project(path)
    session = other.open_task(other.tasks()[5].id)
    before = session.document.copy()
    assert len(before.points) == 1
    session.undo()
    assert session.document.tracks == session.document.points == session.document.segments == ()
    assert session.document.video.extra == {}
    session.redo()
    assert session.document.tracks == before.tracks
    assert session.document.points == before.points
    assert session.document.segments == before.segments
    export_project(other, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content()
    other.close()


def test_a_stopped_import_leaves_whole_videos_only(tmp_path, token, at_once):
    opened = create_project(tmp_path / "batches", title="Many")
    with FileImport(opened, OpenFile(write_file(tmp_path, content()))) as file:
        file.check(token)
        steps = file.steps(opened, token, lambda _: Again.SKIP)
        assert next(steps)() == []  # the labels
        assert len(next(steps)()) == 40
        token.cancel()
        with pytest.raises(CanceledError):
            next(steps)
    assert len(opened.videos()) == len(opened.tasks()) == 40
    assert all(entry[-1] == "import" for entry in told(opened))
    opened.close()


def test_of_a_batch_that_fails_nothing_is_there(tmp_path, token, at_once, monkeypatch):
    opened = create_project(tmp_path / "batches", title="Many")

    def fails(*_: object) -> None:
        raise ProjectError("The disk is full.")

    with FileImport(opened, OpenFile(write_file(tmp_path, content()))) as file:
        file.check(token)
        steps = file.steps(opened, token, lambda _: Again.SKIP)
        assert next(steps)() == []  # the labels
        next(steps)()
        monkeypatch.setattr(import_submission, "take_part", fails)
        with pytest.raises(ProjectError, match="full"):
            next(steps)()
        steps.close()
    assert len(opened.videos()) == len(opened.tasks()) == 40
    opened.close()


def test_readers_that_die_are_told_and_leave_nothing(tmp_path, token, at_once):
    opened = create_project(tmp_path / "batches", title="Many")
    with FileImport(opened, OpenFile(write_file(tmp_path, content()))) as file:
        file.check(token)
        steps = file.steps(opened, token, lambda _: Again.SKIP)
        assert next(steps)() == []  # the labels
        for process in file._readers._pool._processes.values():
            process.kill()
        with pytest.raises(
            ExchangeError,
            match=r"The import process ended unexpectedly; the computer may be out of memory\.",
        ):
            next(steps)
        file.close()
    assert opened.videos() == []
    opened.close()


def test_a_keyframe_is_edited_in_what_a_batch_brought(tmp_path, token, at_once):
    other, _ = brought(tmp_path, token, "batches")
    session = other.open_task(other.tasks()[5].id)
    track = session.document.tracks[0]
    session.run(SetKeyframe(track.id, 30, Box(128, 72, 256, 144)))
    path, task_id = other.path, other.tasks()[5].id
    other.close()
    other = open_project(path)
    session = other.open_task(task_id)
    assert session.document.track(track.id).state_at(30).box == Box(128, 72, 256, 144)
    export_project(other, ExportRequest(tmp_path / "out.json"), token)
    lines = (tmp_path / "out.json").read_bytes().splitlines()
    old = content().splitlines()
    changed = [(new, before) for new, before in zip(lines, old, strict=True) if new != before]
    assert len(changed) == 1
    assert b"[0.1,0.1,0.2,0.2]" in changed[0][0]
    for _ in range(2):
        session.undo()
    assert session.document.tracks == ()
    other.close()
    assert integrity_of(path) == []


def test_bad_entries_and_videos_that_are_there_go_their_own_ways(tmp_path, token, at_once):
    entries = {f"video_{i}": copy.deepcopy(example()) for i in range(6)}
    for name, entry in entries.items():
        entry["metadata"]["video_id"] = name
    there, _ = brought(tmp_path, token, "there", canonical(("video_2", entries["video_2"])))
    entries["video_4"]["object_tracking"][1]["bounding_boxes"][0][2] = "wide"
    entries["video_5"] = 5
    path = write_file(tmp_path, entries)
    with pytest.raises(ImportRefusedError) as caught:
        import_file(there, path, token=token)
    assert "$.video_4.object_tracking[1].bounding_boxes[0][2]" in str(caught.value)
    report = import_file(there, path, keep_going=True, token=token)
    assert [(v.name, v.n_tracks, v.is_new) for v in report.videos] == [
        ("video_0", 2, True),
        ("video_1", 2, True),
        ("video_2", 0, False),
        ("video_3", 2, True),
        ("video_4", 1, True),
    ]
    assert sum(f.severity == "error" for f in report.findings) == 2
    there.close()
