"""Files of many videos: made by several processes, read video by video."""

from __future__ import annotations

import copy

import pytest

from annotator.domain.commands import SetTrack
from annotator.services.jobs import CancelledError, JobToken
from annotator.services.projects import create_project
from annotator.services.transfer import (
    ExportRequest,
    export_project,
    import_file,
    making,
    snapshots,
    write_export,
)
from annotator.store.state import Moment
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
    monkeypatch.setattr(making, "FEW", 0)
    there = export_project(project, ExportRequest(tmp_path / "there.json"), token)
    assert (tmp_path / "there.json").read_bytes() == content()
    assert there.videos == here.videos
    assert there.findings == here.findings


def test_edits_made_while_an_export_waits_are_not_in_it(project, tmp_path, token, monkeypatch):
    monkeypatch.setattr(making, "FEW", 0)
    items = snapshots(project)
    session = project.open_task(project.tasks()[3].id)
    session.run(SetTrack(session.document.tracks[0].id, label="later"))
    assert items.moment is not None
    write_export(items, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content()


def test_without_processes_it_is_written_here(project, tmp_path, token, monkeypatch):
    def nothing(*_: object) -> list[object]:
        return []

    monkeypatch.setattr(making, "FEW", 0)
    monkeypatch.setattr(making, "_made_elsewhere", nothing)
    export_project(project, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content()


def test_a_cancelled_export_leaves_the_old_file(project, tmp_path, monkeypatch):
    monkeypatch.setattr(making, "FEW", 0)
    (tmp_path / "out.json").write_text("before")
    token = JobToken(lambda fraction, _: token.cancel() if fraction else None)
    with pytest.raises(CancelledError):
        export_project(project, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_text() == "before"
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".out")]


def test_a_process_that_sees_another_state_makes_nothing(project, monkeypatch):
    monkeypatch.setattr(making, "_state", [])
    monkeypatch.setattr(making.gc, "disable", lambda: None)
    making._begin(Moment(project.path, 0, 0))
    items = snapshots(project)
    settings = making.Settings()
    assert making._make_there(items.places, settings) is None
    items.close()
