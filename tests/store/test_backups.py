"""Backups: made when something changed, while somebody writes, and kept by age."""

from __future__ import annotations

import itertools
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from annotator import paths
from annotator.domain.errors import ProjectError
from annotator.store.file import backups
from annotator.store.file.backups import (
    backup_time,
    backups_of,
    is_backup_due,
    make_backup,
    superseded,
)
from annotator.store.file.file_opening import open_file
from tests.store.samples import add_draft, commit, created, empty_file


def test_backup_is_a_whole_project_while_another_connection_writes(tmp_path: Path) -> None:
    file = empty_file(tmp_path)
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    assert is_backup_due(file.path)
    with file.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('half', 'done')")
        backup = make_backup(file.path)
    assert backups_of(file.path) == [backup]
    assert abs(backup_time(backup) - datetime.now(UTC)) < timedelta(minutes=5)
    assert not backup.with_name(backup.name + "-wal").exists()
    copy = open_file(backup, read_only=True)
    assert copy.rows("SELECT label FROM track") == [("mug",)]
    assert copy.meta("half") is None
    copy.close()
    file.close()


def test_backup_is_due_after_a_change_only(tmp_path: Path) -> None:
    file = empty_file(tmp_path)
    store, info = add_draft(file)
    backup = make_backup(file.path)
    later = backup.stat().st_mtime + 5
    os.utime(backup, (later, later))
    assert not is_backup_due(file.path)
    commit(store, created(store.load(info))[1])
    log = file.path.with_name(file.path.name + "-wal")
    os.utime(log, (later + 5, later + 5))
    assert is_backup_due(file.path)
    file.close()


def test_projects_of_the_same_name_keep_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        file = empty_file(tmp_path / name)
        file.close()
        make_backup(file.path)
    assert len(backups_of(tmp_path / "a" / "work.annot")) == 1


def test_what_cannot_be_read_makes_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "work.annot"
    path.write_bytes(b"no project at all " * 300)
    with pytest.raises(ProjectError):
        make_backup(path)
    assert backups_of(path) == []
    assert list(backups._folder(path).iterdir()) == []


def _named(*ages_h: float) -> list[Path]:
    now = datetime(2026, 11, 20, 23, tzinfo=UTC)
    return [
        Path(f"{(now - timedelta(hours=h)).strftime('%Y%m%dT%H%M%S%fZ')}.annot") for h in ages_h
    ]


def test_kept_by_age() -> None:
    hourly = _named(*range(24 * 60))
    dropped = superseded(hourly)
    kept = [b for b in hourly if b not in dropped]
    ages = [(backup_time(hourly[0]) - backup_time(b)) / timedelta(hours=1) for b in kept]
    assert ages[:5] == [0, 1, 2, 3, 4]
    assert all(b - a <= 24 for a, b in itertools.pairwise(ages) if b < 24 * 7)
    assert 24 * 20 < ages[-1] < 24 * 28
    assert 5 + 6 + 2 <= len(kept) <= 5 + 7 + 4


@pytest.mark.parametrize("ages", [(), (0,), (0, 1, 2, 3, 4), (0, 24, 48, 72, 96, 120)])
def test_few_are_all_kept(ages: tuple[int, ...]) -> None:
    assert superseded(_named(*ages)) == []


def test_too_many_are_removed_from_the_disk(tmp_path: Path) -> None:
    file = empty_file(tmp_path)
    file.close()
    for _ in range(backups.KEPT_RECENT + 3):
        newest = make_backup(file.path)
    kept = backups_of(file.path)
    assert len(kept) == backups.KEPT_RECENT
    assert kept[0] == newest


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of backups that no other test has."""
    monkeypatch.setattr(backups, "_root", lambda: tmp_path / "backups")
    return tmp_path / "backups"


def _copies(
    root: Path, name: str, *days_ago: int, size: int = 10, place: Path | None = None
) -> list[Path]:
    folder = root / name
    folder.mkdir(parents=True)
    if place is not None:
        (folder / "project.txt").write_text(str(place))
    found = []
    for days in days_ago:
        at = datetime.now(UTC) - timedelta(days=days)
        found.append(folder / f"{at.strftime('%Y%m%dT%H%M%S%fZ')}.annot")
        found[-1].write_bytes(bytes(size))
    return found


def test_backups_of_a_project_that_is_gone_are_dropped_after_a_month(
    tmp_path: Path, apart: Path
) -> None:
    there, gone = tmp_path / "there.annot", tmp_path / "gone.annot"
    there.touch()
    kept = _copies(apart, "there-1", 90, 40, place=there)
    young = _copies(apart, "gone-1", 60, 20, place=gone)
    unknown = _copies(apart, "unknown-1", 90)
    old = _copies(apart, "gone-2", 60, 31, place=gone)
    assert set(backups.drop_forgotten()) == set(old)
    assert not old[0].parent.exists()
    assert all(path.exists() for path in (*kept, *young, *unknown))


def test_all_backups_together_take_no_more_room_than_they_may(
    apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "MAX_TOTAL_BYTES", 250)
    one = _copies(apart, "one-1", 9, 5, 1, size=60)
    two = _copies(apart, "two-1", 8, 7, size=60)
    assert backups.drop_forgotten() == [one[0]]
    monkeypatch.setattr(backups, "MAX_TOTAL_BYTES", 0)
    assert set(backups.drop_forgotten()) == {one[1], two[0]}
    assert one[2].exists()
    assert two[1].exists()


def test_the_folder_of_backups_is_for_its_owner_alone() -> None:
    assert paths.data_dir().stat().st_mode & 0o777 == 0o700
