"""The tables keep their promises; files of an earlier form are backed up and upgraded."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from annotator.store import schema
from annotator.store.file import backups, file_opening
from annotator.store.file.file_opening import open_file
from annotator.store.file.project import ProjectFile
from tests.store.samples import (
    add_draft,
    commit,
    created,
    empty_file,
    state,
)


@pytest.fixture
def file(tmp_path: Path) -> ProjectFile:
    file = empty_file(tmp_path)
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    return file


def _own_tables(file: ProjectFile) -> list[str]:
    rows = file.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
    return [str(r[0]) for r in rows if not str(r[0]).startswith(("_", "sqlite_"))]


def test_all_tables_are_strict_and_identifiers_are_not_counted(file: ProjectFile) -> None:
    strict = {r[1]: r[5] for r in file.rows("PRAGMA table_list") if r[0] == "main"}
    tables = _own_tables(file)
    assert len(tables) == 55
    assert [t for t in tables if strict[t] != 1] == []
    counted = [
        (t, c[1])
        for t in tables
        for c in file.rows(f"PRAGMA table_info({t})")
        if c[5] == 1 and c[2] == "INTEGER"
    ]
    # The numbers of tracks and points mean nothing outside the file.
    own = {("point", "row"), ("track", "row"), ("keyframe", "track_row"), ("work_event", "seq")}
    own |= {("standing", "seq"), ("packed_keys", "track_row")}
    assert set(counted) == {("event", "seq"), ("point_block", "point_row"), *own}
    file.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET op = 'x'",
        "DELETE FROM event",
        "DELETE FROM event WHERE seq = 1",
    ],
)
def test_log_only_grows(file: ProjectFile, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="log cannot"), file.transaction() as c:
        c.execute(statement)
    assert file.rows("SELECT op FROM event") == [("create-track",)]
    file.close()


def test_wrong_types_and_half_boxes_are_refused(file: ProjectFile) -> None:
    for statement in (
        "UPDATE keyframe SET x1 = 'left'",
        "UPDATE keyframe SET x1 = NULL",
        "UPDATE keyframe SET source = 'guess'",
        "UPDATE track SET id = x'00'",
        "UPDATE person SET pin = x'00'",
        "INSERT INTO activity SELECT person_id, task_id, '', '', -1 FROM assignment",
        "INSERT INTO point_block SELECT row, 0, 0, x'00', x'01' FROM track",
        "INSERT INTO point_block SELECT row, 0, 256, zeroblob(16), x'01' FROM track",
        "INSERT INTO keyframe SELECT NULL, 4, 0, 1, 2, 3, 4, 0, 0, 'human' FROM track",
    ):
        with pytest.raises(sqlite3.IntegrityError), file.transaction() as c:
            c.execute(statement)
    file.close()


def _dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    lines = [line for line in connection.iterdump() if line.startswith("INSERT")]
    connection.close()
    return lines


def _add_step(patch: pytest.MonkeyPatch, script: str) -> None:
    own = schema.script_of
    patch.setattr(schema, "STEPS", (*schema.STEPS, "0002_more"))
    patch.setattr(schema, "USER_VERSION", schema.USER_VERSION + 1)
    patch.setattr(schema, "script_of", lambda name: script if name == "0002_more" else own(name))


def test_older_form_is_backed_up_then_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = empty_file(tmp_path)
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    kept = state(store.load(info))
    file.close()
    assert backups.backups_of(file.path) == []
    before = _dump(file.path)
    _add_step(monkeypatch, "CREATE TABLE more (name TEXT PRIMARY KEY) STRICT;\n")
    again = open_file(file.path)
    assert again.rows("PRAGMA user_version") == [(schema.USER_VERSION,)]
    assert again.rows("SELECT count(*) FROM more") == [(0,)]
    assert state(type(store)(again, store.draft_id).load(info)) == kept
    again.close()
    (backup,) = backups.backups_of(file.path)
    assert _dump(backup) == before
    connection = sqlite3.connect(backup)
    assert connection.execute("PRAGMA user_version").fetchone() == (schema.USER_VERSION - 1,)
    connection.close()


def test_upgrade_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = empty_file(tmp_path)
    file.close()
    before = _dump(file.path)
    _add_step(monkeypatch, "CREATE TABLE a (b);\nCREATE TABLE a (b);\n")
    with pytest.raises(sqlite3.OperationalError):
        file_opening.open_file(file.path)
    assert _dump(file.path) == before
    connection = sqlite3.connect(file.path)
    assert connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'a'").fetchall() == []
    connection.close()
    assert not file.path.with_name(f".{file.path.name}.lock").exists()
