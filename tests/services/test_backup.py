"""A damaged project is brought back from a backup, and what was there is kept."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import (
    CreatePoint,
    CreateSegment,
    CreateTrack,
    DismissRange,
    MarkPoints,
    SetKeyframe,
)
from annotator.domain.errors import ProjectError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, segment_id, track_id
from annotator.services.project.backup import DamagedError, backups, keep_backup, repair, restore
from annotator.services.project.project_checks import check_project, log_findings
from annotator.services.project.projects import create_project, open_project
from annotator.store.file.file_opening import open_file
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
    damaged_copy = restore(path, backup.path)
    assert damaged_copy is not None
    assert damaged_copy.read_bytes() == b"\0" * 5000
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
    damaged_copy = restore(path, backups(path)[0].path)
    assert damaged_copy is not None
    assert damaged_copy.with_name(damaged_copy.name + "-wal").read_bytes() == b"half a log"
    assert _content(path) == kept


def test_log_left_where_a_project_was_deleted_does_not_reach_the_backup(
    work: tuple[Path, tuple[object, ...]],
) -> None:
    path, kept = work
    text = (
        "import os, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1])\n"
        "connection.execute('PRAGMA journal_mode = WAL')\n"
        "connection.execute('DELETE FROM meta')\n"
        "connection.commit()\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", text, str(path)], check=False)
    path.unlink()
    log = path.with_name(path.name + "-wal").read_bytes()
    assert log
    assert restore(path, backups(path)[0].path) is None
    assert _content(path) == kept
    (renamed,) = path.parent.glob("work.left-over-*.annot-wal")
    assert renamed.read_bytes() == log


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


def _spoil_index(path: Path, name: str) -> None:
    """Flip a byte of a key in the index of the events' IDs."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        (page,) = connection.execute(sql, (name,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (key,) = connection.execute("SELECT id FROM event").fetchone()
    data = bytearray(path.read_bytes())
    at = data.index(key, (page - 1) * size, page * size)
    data[at + 3] ^= 1
    path.write_bytes(data)


def test_a_damaged_index_is_found_and_made_again(work: tuple[Path, tuple[object, ...]]) -> None:
    path, kept = work
    _spoil_index(path, "sqlite_autoindex_event_1")
    spoiled = path.read_bytes()
    found = check_project(path).findings
    assert any(f.code == "damaged-file" and "index" in f.text for f in found)
    done = repair(path)
    assert done.findings == ()
    assert done.kept.read_bytes() == spoiled
    assert _content(path) == kept
    assert not [f for f in check_project(path).findings if f.code == "damaged-file"]


def test_a_repair_from_a_backup_takes_the_newest_sound_one(
    work: tuple[Path, tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = work
    (sound,) = backups(path)
    bad = sound.path.with_name("29991231T000000000000Z.annot")
    bad.write_bytes(sound.path.read_bytes()[:3000])
    path.write_bytes(b"\0" * 5000)
    with pytest.raises(DamagedError):
        repair(path)
    done = repair(path, from_backup=True)
    assert done.backup == sound.path
    assert done.kept.read_bytes() == b"\0" * 5000
    assert _content(path) == kept
    for each in backups(path):
        each.path.unlink()
    with pytest.raises(ProjectError, match="no sound backup"):
        repair(path, from_backup=True)


def test_an_open_project_is_not_repaired(work: tuple[Path, tuple[object, ...]]) -> None:
    path, _ = work
    project = open_project(path)
    with pytest.raises(ProjectError, match="is editing it"):
        repair(path)
    project.close()


@pytest.mark.parametrize(
    ("statement", "code", "said"),
    [
        ("UPDATE track SET label = 'jug'", "differs-from-log", "“jug”"),
        ("DELETE FROM keyframe", "differs-from-log", "“mug”"),
        ("UPDATE track SET extra = '{'", "damaged-draft", "cannot be read"),
    ],
)
def test_a_draft_that_differs_from_its_log_is_reported(
    work: tuple[Path, tuple[object, ...]], statement: str, code: str, said: str
) -> None:
    path, _ = work
    assert [f for f in check_project(path).findings if f.code == code] == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(statement).rowcount == 1
        connection.commit()
    file = open_file(path, read_only=True)
    (found,) = log_findings(file)
    file.close()
    assert (found.code, found.severity) == (code, "error")
    assert said in found.text


def test_a_draft_with_every_type_of_edit_agrees_with_its_log(
    work: tuple[Path, tuple[object, ...]],
) -> None:
    path, _ = work
    project = open_project(path)
    session = project.open_task(project.tasks()[0].id)
    (mug,) = session.document.tracks
    point = point_id()
    session.run(CreatePoint(point, mug.id, "rim", 4, Point(10.5, 20.25)))
    session.run(MarkPoints(point, 6, 9, "occluded"))
    session.run(CreateSegment(Segment(segment_id(), Lane.ACTION, "pour", 2, 9)))
    session.run(SetKeyframe(mug.id, 7, Box(2, 2, 31, 41)))
    session.undo()
    session.redo()
    session.run(DismissRange((mug.id,), (9, 12)))
    session.undo()
    project.close()
    file = open_file(path, read_only=True)
    assert list(log_findings(file)) == []
    file.close()
