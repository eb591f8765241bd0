"""A damaged project is brought back from a backup, and what was there is kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from annotator.domain.commands import CreateTrack
from annotator.domain.errors import ProjectError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.services.project.backup import DamagedError, backups, keep_backup, restore
from annotator.services.project.projects import create_project, open_project
from tests.store.samples import state, video_info


@pytest.fixture
def work(tmp_path: Path) -> tuple[Path, tuple[object, ...]]:
    """A closed project with a track and a backup; its path and what is in it."""
    project = create_project(tmp_path / "work.annot", title="Work")
    session = project.open_task(project.add_absent_video(video_info()))
    session.run(CreateTrack(track_id(), "mug", 3, Box(1, 2, 30, 40)))
    kept = state(session.document)
    project.close()
    assert keep_backup(project.path) is not None
    return project.path, kept


def _content(path: Path) -> tuple[object, ...]:
    project = open_project(path)
    found = state(project.open_task(project.tasks()[0].id).document)
    project.close()
    return found


def test_damaged_project_comes_back(work: tuple[Path, tuple[object, ...]]) -> None:
    path, kept = work
    path.write_bytes(b"\0" * 5000)
    with pytest.raises(DamagedError, match="backup"):
        open_project(path)
    (backup,) = backups(path)
    assert backup.size_bytes == backup.path.stat().st_size
    aside = restore(path, backup.path)
    assert aside is not None
    assert aside.read_bytes() == b"\0" * 5000
    assert _content(path) == kept
    assert backup.path.exists()


def test_deleted_project_comes_back(work: tuple[Path, tuple[object, ...]]) -> None:
    path, kept = work
    path.unlink()
    assert restore(path, backups(path)[0].path) is None
    assert _content(path) == kept
    assert sorted(p.name for p in path.parent.iterdir()) == ["work.annot"]


def test_log_left_beside_a_damaged_project_goes_aside_with_it(
    work: tuple[Path, tuple[object, ...]],
) -> None:
    path, kept = work
    path.write_bytes(b"")
    log = path.with_name("work.annot-wal")
    log.write_bytes(b"half a log")
    aside = restore(path, backups(path)[0].path)
    assert aside is not None
    assert aside.with_name(aside.name + "-wal").read_bytes() == b"half a log"
    assert _content(path) == kept


def test_open_project_is_not_replaced(work: tuple[Path, tuple[object, ...]]) -> None:
    path, _ = work
    project = open_project(path)
    with pytest.raises(ProjectError, match="Cannot restore the backup:"):
        restore(path, backups(path)[0].path)
    project.close()


def test_backup_that_is_gone_is_told_and_changes_nothing(
    work: tuple[Path, tuple[object, ...]], tmp_path: Path
) -> None:
    path, kept = work
    with pytest.raises(ProjectError, match="Cannot restore the backup:"):
        restore(path, tmp_path / "none.annot")
    assert _content(path) == kept
    shutil.rmtree(tmp_path)
    with pytest.raises(ProjectError, match="Cannot restore the backup:"):
        restore(path, tmp_path / "none.annot")
