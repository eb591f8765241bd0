"""Whatever lies where a project should be: it opens, or the message says what is wrong."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from annotator.domain.errors import ProjectError
from annotator.store import schema
from annotator.store.file import filesystem
from annotator.store.file.failures import DamagedError
from annotator.store.file.file_opening import create_file, open_file
from tests.store.samples import (
    add_draft,
    commit,
    created,
    empty_file,
    state,
    unprivileged,
)


def _pragma(path: Path, text: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA {text}")
    connection.commit()
    connection.close()


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A project with one track, closed."""
    file = empty_file(tmp_path)
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    file.close()
    return file.path


def test_a_closed_project_is_one_file(closed: Path) -> None:
    assert [p.name for p in closed.parent.iterdir()] == ["work.annot"]


def test_create_tells_what_it_made(tmp_path: Path) -> None:
    file = create_file(tmp_path / "new" / "a b\nö.annot", title="Ö", recipe="perception-test")
    assert (file.meta("title"), file.meta("recipe")) == ("Ö", "perception-test")
    assert file.meta(
        "created_by",
    ).startswith("annotator ")
    assert not file.is_read_only
    assert file.rows("PRAGMA application_id") == [(schema.APPLICATION_ID,)]
    assert file.rows("PRAGMA user_version") == [(schema.USER_VERSION,)]
    assert file.rows("PRAGMA journal_mode") == [("wal",)]
    assert file.rows("PRAGMA foreign_keys") == [(1,)]
    file.close()


def test_create_never_overwrites(closed: Path) -> None:
    before = closed.read_bytes()
    with pytest.raises(
        ProjectError, match=r"Cannot create the project: a file of this name exists\."
    ):
        create_file(closed, title="Other")
    assert closed.read_bytes() == before


def test_create_where_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ProjectError, match="Cannot create the project:"):
        create_file(tmp_path / "file" / "work.annot", title="x")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"SQLite format 3\x00",
        b"once upon a time there was a file that was renamed" * 9,
        b"\x00" * 4096,
    ],
)
def test_what_is_no_project_is_damaged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "work.annot"
    path.write_bytes(content)
    for read_only in (False, True):
        with pytest.raises(DamagedError) as caught:
            open_file(path, read_only=read_only)
        assert str(path) in str(caught.value)
        assert "backup" in str(caught.value)
    assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["work.annot"]


def test_truncated_project_is_damaged(closed: Path) -> None:
    content = closed.read_bytes()
    closed.write_bytes(content[: len(content) // 2])
    with pytest.raises(DamagedError):
        open_file(closed)


def test_overwritten_pages_are_noticed(closed: Path) -> None:
    content = bytearray(closed.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    closed.write_bytes(content)
    with pytest.raises(DamagedError):
        open_file(closed)


def test_a_lost_table_is_damage_and_no_riddle(closed: Path) -> None:
    with closing(sqlite3.connect(closed)) as connection:
        connection.execute("DROP TABLE recipe")
        connection.commit()
    with pytest.raises(DamagedError, match="it lacks the table “recipe”"):
        open_file(closed)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM video; END",
            "it has a trigger “t” of another program",
        ),
        ("CREATE VIEW v AS SELECT * FROM meta", "it has a view “v” of another program"),
        ("CREATE TABLE own (x)", "it has a table “own” of another program"),
        ("CREATE INDEX i ON video (name)", "it has an index “i” of another program"),
        ("DROP TRIGGER event_stays", "it lacks the trigger “event_stays”"),
        ("ALTER TABLE meta ADD COLUMN x TEXT", "the table “meta” was changed"),
        (
            "CREATE TRIGGER u AFTER INSERT ON _sqlite_migrations BEGIN DELETE FROM event; END",
            "it has a trigger “u” of another program",
        ),
        (
            "ALTER TABLE _sqlite_migrations ADD COLUMN x AS (abs(id))",
            "it has a table “_sqlite_migrations” of another program",
        ),
    ],
)
def test_a_schema_of_another_program_is_refused(closed: Path, statement: str, said: str) -> None:
    with closing(sqlite3.connect(closed)) as connection:
        connection.execute(statement)
        connection.commit()
    before = closed.read_bytes()
    for read_only in (False, True):
        with pytest.raises(DamagedError, match=said):
            open_file(closed, read_only=read_only)
    assert closed.read_bytes() == before
    assert not closed.with_name(f".{closed.name}.lock").exists()


def test_a_trigger_that_hides_behind_a_name_of_sqlite_is_refused(closed: Path) -> None:
    with closing(sqlite3.connect(closed)) as connection:
        connection.execute("CREATE TRIGGER t AFTER INSERT ON event BEGIN SELECT 1; END")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET name = 'sqlite_stat1' WHERE name = 't'")
        connection.commit()
    with pytest.raises(DamagedError):
        open_file(closed)


def test_statistics_of_sqlite_are_no_reason_to_refuse_a_file(closed: Path) -> None:
    with closing(sqlite3.connect(closed)) as connection:
        connection.execute("ANALYZE")
        connection.commit()
    open_file(closed).close()


def test_what_a_schema_calls_must_be_harmless(closed: Path) -> None:
    with closing(open_file(closed)) as file:
        assert file.rows("PRAGMA trusted_schema") == [(0,)]


def test_the_known_digest_is_that_of_the_present_schema() -> None:
    assert schema._digest(set(schema._schema_after(schema.STEPS))) == schema.DIGEST


def test_rows_that_refer_to_nothing_are_noticed(closed: Path) -> None:
    connection = sqlite3.connect(closed)
    connection.execute("DELETE FROM track")
    connection.commit()
    connection.close()
    with pytest.raises(
        DamagedError, match=r"Cannot open the file: it is damaged or is not a project \("
    ):
        open_file(closed)


def test_other_programs_databases_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    _pragma(path, "user_version = 3")
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(ProjectError, match="another program"):
        open_file(path)
    assert path.read_bytes() == before


def test_missing_project_and_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"Cannot open the project: the file does not exist\."):
        open_file(tmp_path / "none.annot")
    with pytest.raises(ProjectError, match="Cannot read the project:"):
        open_file(tmp_path)


def test_newer_form_is_refused_with_a_clear_line(closed: Path) -> None:
    _pragma(closed, f"user_version = {schema.MAJOR + 1 << 16 | 7}")
    with pytest.raises(
        ProjectError, match=rf"schema version {schema.MAJOR + 1}\.7 .*version {schema.MAJOR}\."
    ):
        open_file(closed)
    assert not isinstance(_refusal(closed), DamagedError)


def test_form_of_a_test_build_is_refused_with_a_clear_line(closed: Path) -> None:
    _pragma(closed, f"user_version = {2 << 16 | 4}")
    before = closed.read_bytes()
    with pytest.raises(ProjectError, match=r"schema version 2\.4 was used by test builds only"):
        open_file(closed)
    assert not isinstance(_refusal(closed), DamagedError)
    assert closed.read_bytes() == before


def test_newer_minor_form_opens(closed: Path) -> None:
    _pragma(closed, f"user_version = {schema.USER_VERSION + 2}")
    file = open_file(closed)
    assert not file.is_read_only
    assert file.rows("PRAGMA user_version") == [(schema.USER_VERSION + 2,)]
    file.close()


def _refusal(path: Path) -> ProjectError:
    with pytest.raises(ProjectError) as caught:
        open_file(path)
    return caught.value


def test_second_window_reads_what_the_first_writes(tmp_path: Path) -> None:
    writer = empty_file(tmp_path)
    store, info = add_draft(writer)
    reader = open_file(writer.path)
    assert reader.is_read_only
    assert reader.holder is not None
    assert reader.remarks[0][0].startswith("The project is open read-only")
    assert reader.holder.user in reader.remarks[0][0]
    commit(store, created(store.load(info))[1])
    assert reader.rows("SELECT label FROM track") == [("mug",)]
    with pytest.raises(ProjectError, match="Cannot save the edit: the"), reader.transaction():
        pass
    writer.close()
    reader.close()
    again = open_file(writer.path)
    assert not again.is_read_only
    again.close()


def test_a_link_leads_to_the_same_lock_and_log(tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.annot"
    link.parent.mkdir()
    with closing(create_file(tmp_path / "work.annot", title="Work")) as first:
        link.symlink_to(first.path)
        with closing(open_file(link)) as second:
            assert second.is_read_only
            assert second.holder is not None
    with closing(open_file(link)) as again:
        for title in ("One", "Two"):
            with again.transaction() as connection:
                connection.execute("UPDATE meta SET value = ? WHERE key = 'title'", (title,))
        again.flush()
        assert again.meta("title") == "Two"
        assert again.path == first.path


def test_other_process_learns_who_holds_it(tmp_path: Path) -> None:
    writer = empty_file(tmp_path)
    program = (
        "import sys, pathlib\n"
        "from annotator.store.file.file_opening import open_file\n"
        "file = open_file(pathlib.Path(sys.argv[1]))\n"
        "print(file.is_read_only, file.holder.pid)\n"
        "file.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(writer.path)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["True", str(os.getpid())]
    writer.close()


def test_network_file_system_gets_a_rollback_journal(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = closed.parent / "mountinfo"
    table.write_text(f"1 0 0:1 / {closed.parent} rw - nfs4 server:/ rw\n", encoding="utf-8")
    monkeypatch.setattr(filesystem, "MOUNT_TABLE", table)
    file = open_file(closed)
    assert file.rows("PRAGMA journal_mode") == [("truncate",)]
    assert file.rows("PRAGMA synchronous") == [(2,)]
    assert "nfs4" in file.remarks[0][0]
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    file.flush()
    assert not closed.with_name(closed.name + "-wal").exists()
    file.close()


@pytest.mark.parametrize("is_folder", [False, True])
def test_what_cannot_be_written_opens_for_reading(is_folder: bool) -> None:
    with unprivileged() as folder:
        file = empty_file(folder)
        store, info = add_draft(file)
        commit(store, created(store.load(info))[1])
        kept = state(store.load(info))
        file.close()
        (folder if is_folder else file.path).chmod(0o555 if is_folder else 0o444)
        reader = open_file(file.path)
        assert reader.is_read_only
        assert reader.holder is None
        assert "The file or its folder is not writable" in reader.remarks[0][0]
        assert reader.rows("SELECT count(*) FROM keyframe") == [(1,)]
        again = type(store)(reader, store.draft_id)
        assert state(again.load(info)) == kept
        with pytest.raises(ProjectError, match="Cannot save the edit: the project is open"):
            commit(again, created(again.load(info))[1])
        reader.close()


def test_log_left_in_a_read_only_folder_is_read() -> None:
    with unprivileged() as folder:
        file = empty_file(folder)
        store, info = add_draft(file)
        commit(store, created(store.load(info))[1])
        file.flush()
        # As after a crash: the log has not been moved into the file.
        crashed = folder / "crashed"
        crashed.mkdir()
        for name in ("work.annot", "work.annot-wal"):
            (crashed / name).write_bytes((folder / name).read_bytes())
        file.close()
        crashed.chmod(0o555)
        reader = open_file(crashed / "work.annot")
        assert reader.is_read_only
        assert reader.rows("SELECT label FROM track") == [("mug",)]
        reader.close()
        assert sorted(p.name for p in crashed.iterdir()) == ["work.annot", "work.annot-wal"]


def test_file_that_may_not_be_read_is_named() -> None:
    with unprivileged() as folder:
        file = empty_file(folder)
        file.close()
        file.path.chmod(0)
        with pytest.raises(ProjectError, match="Cannot read the project:"):
            open_file(file.path)


def test_copy_on_the_same_machine_is_another_replica(closed: Path) -> None:
    first = open_file(closed)
    ids = {first.replica_id}
    first.close()
    copy = closed.with_name("copy.annot")
    copy.write_bytes(closed.read_bytes())
    for path in (copy, closed, copy):
        file = open_file(path)
        ids.add(file.replica_id)
        file.close()
    assert len(ids) == 2


def test_tables_that_do_not_fit_together_are_damage(tmp_path):
    path = tmp_path / "p.annot"
    create_file(path, title="P").close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(
        "UPDATE sqlite_master SET sql = replace(sql, 'REFERENCES study (id)',"
        " 'REFERENCES study (kind)') WHERE name = 'study_deal'"
    )
    connection.commit()
    connection.close()
    with pytest.raises(DamagedError):
        open_file(path)


@pytest.fixture
def left_log(closed: Path) -> Path:
    """Where a project was that a killed program left with its log, and that was then deleted."""
    text = (
        "import os, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1])\n"
        "connection.execute('PRAGMA journal_mode = WAL')\n"
        'connection.execute(\'INSERT INTO meta VALUES ("left", "by the one before")\')\n'
        "connection.commit()\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", text, str(closed)], check=False)
    closed.unlink()
    log = closed.with_name(closed.name + "-wal")
    assert log.stat().st_size
    return closed


def test_a_new_project_takes_nothing_from_the_log_of_one_that_was_deleted(left_log: Path) -> None:
    with closing(create_file(left_log, title="New")) as file:
        assert file.meta("left") is None
        assert file.rows("PRAGMA integrity_check") == [("ok",)]
        assert not file.rows("SELECT * FROM track")
    with closing(open_file(left_log)) as again:
        assert again.meta("title") == "New"


def test_a_copy_takes_nothing_from_the_log_of_a_project_that_was_deleted(
    left_log: Path, tmp_path: Path
) -> None:
    with closing(create_file(tmp_path / "other.annot", title="Other")) as other:
        other.copy_to(left_log)
    with closing(open_file(left_log)) as file:
        assert file.meta("title") == "Other"
        assert file.meta("left") is None


def test_the_log_of_a_project_that_was_deleted_is_kept_beside_the_new_one(left_log: Path) -> None:
    body = left_log.with_name(left_log.name + "-wal").read_bytes()
    create_file(left_log, title="New").close()
    kept = [p for p in left_log.parent.iterdir() if "left-over" in p.name]
    assert [p.read_bytes() for p in kept if p.name.endswith("-wal")] == [body]
