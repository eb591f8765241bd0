"""Transactions: all or nothing, refused politely when the disk will not have them."""

from __future__ import annotations

import resource
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from annotator.domain.errors import ProjectError
from annotator.store.annotation.drafts import DraftStore
from annotator.store.file import project as project_file
from annotator.store.file.file_opening import open_file
from annotator.store.file.project import ProjectFile
from tests.store.samples import add_draft, bulk, commit, created, empty_file, state


@pytest.fixture
def file(tmp_path: Path) -> ProjectFile:
    return empty_file(tmp_path)


def _facts(file: ProjectFile) -> list[object]:
    return [
        file.rows("SELECT * FROM track ORDER BY id"),
        file.rows("SELECT * FROM keyframe ORDER BY track_row, frame"),
        file.rows("SELECT * FROM event ORDER BY seq"),
    ]


def _refused(store: DraftStore, file: ProjectFile, info: object, match: str) -> None:
    """Try a large edit: it must be refused and leave the file as it was, usable."""
    document = store.load(info)
    before = _facts(file)
    with pytest.raises(ProjectError, match=match) as caught:
        commit(store, bulk(2, 4000).plan(document))
    assert str(file.path) in str(caught.value)
    assert _facts(file) == before


def _fail_after_writing(file: ProjectFile) -> None:
    with file.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
        raise ZeroDivisionError


def _fail_after_inner_transaction(file: ProjectFile) -> None:
    with file.transaction():
        with file.transaction() as connection:
            connection.execute("INSERT INTO meta VALUES ('a', 'b')")
        raise ZeroDivisionError


def test_bug_inside_a_transaction_takes_everything_back(file: ProjectFile) -> None:
    store, info = add_draft(file)
    before = _facts(file)
    with pytest.raises(ZeroDivisionError):
        _fail_after_writing(file)
    assert file.meta("a") is None
    assert _facts(file) == before
    commit(store, created(store.load(info))[1])
    file.close()


def test_transaction_inside_another_is_a_part_of_it(file: ProjectFile) -> None:
    with pytest.raises(ZeroDivisionError), file.transaction():
        _fail_after_writing(file)
    assert file.meta("a") is None
    with pytest.raises(ZeroDivisionError):
        _fail_after_inner_transaction(file)
    assert file.meta("a") is None
    file.close()


def test_references_to_nothing_are_a_bug_and_change_nothing(file: ProjectFile) -> None:
    store, info = add_draft(file)
    before = _facts(file)
    orphan = [c for c in created(store.load(info))[1] if c.kind == "keyframe"]
    with pytest.raises(sqlite3.IntegrityError):
        commit(store, orphan)
    assert _facts(file) == before
    commit(store, created(store.load(info))[1])
    file.close()


def test_full_disk_refuses_the_edit_and_keeps_the_rest(file: ProjectFile) -> None:
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    pages = file.rows("PRAGMA page_count")[0][0]
    file.rows(f"PRAGMA max_page_count = {pages}")
    _refused(store, file, info, "disk is full")
    file.rows("PRAGMA max_page_count = 1000000")
    commit(store, bulk(2, 4000).plan(store.load(info)))
    file.close()


def test_file_size_limit_of_the_system_refuses_the_edit(file: ProjectFile) -> None:
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    kept = state(store.load(info))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        _refused(store, file, info, "disk")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert state(store.load(info)) == kept
    commit(store, bulk(2, 4000).plan(store.load(info)))
    file.close()
    again = open_file(file.path)
    assert again.rows("SELECT count(*) FROM track") == [(3,)]
    again.close()


def test_other_writer_is_waited_for_then_reported(
    file: ProjectFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, info = add_draft(file)
    file.rows("PRAGMA busy_timeout = 20")
    other = sqlite3.connect(file.path)
    other.execute("BEGIN IMMEDIATE")
    _refused(
        store, file, info, r"Cannot save the edit: another program is writing to the project file\."
    )
    other.rollback()
    other.close()
    commit(store, created(store.load(info))[1])
    file.close()


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_file_taken_away_is_noticed_before_the_edit(
    file: ProjectFile, tmp_path: Path, how: str
) -> None:
    store, info = add_draft(file)
    changes = created(store.load(info))[1]
    commit(store, changes)
    moved = tmp_path / "elsewhere.annot"
    shutil.copyfile(file.path, moved)
    if how == "moved":
        file.path.rename(moved)
    else:
        file.path.unlink()
    if how == "replaced":
        shutil.copyfile(moved, file.path)
    with pytest.raises(ProjectError, match="moved, deleted or replaced"):
        commit(store, created(store.load(info))[1])
    rescued = tmp_path / "rescued.annot"
    file.copy_to(rescued)
    file.close()
    again = open_file(rescued)
    assert again.rows("SELECT label FROM track") == [("mug",)]
    again.close()


def test_copy_where_none_can_be_written(file: ProjectFile, tmp_path: Path) -> None:
    with pytest.raises(ProjectError):
        file.copy_to(tmp_path / "no" / "such" / "copy.annot")
    file.close()


def test_closed_project_says_so(file: ProjectFile) -> None:
    store, info = add_draft(file)
    changes = created(store.load(info))[1]
    file.close()
    file.close()
    for attempt in (lambda: commit(store, changes), store.events, lambda: store.load(info)):
        with pytest.raises(ProjectError, match=r"The project is closed\."):
            attempt()


def test_threads_take_turns(file: ProjectFile) -> None:
    store, info = add_draft(file)
    document = store.load(info)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(15):
                commit(store, created(document)[1])
                file.meta("title")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert file.rows("SELECT count(*), max(seq) FROM event") == [(45, 45)]
    file.close()


def test_log_is_moved_into_the_file_in_the_background(file: ProjectFile) -> None:
    store, info = add_draft(file)
    commit(store, bulk(1, 2000).plan(store.load(info)))
    size = file.path.stat().st_size
    file.checkpoint()
    assert file.path.stat().st_size > size
    file.close()


def test_who_reads_waits_for_nobody_and_sees_what_was_committed(file: ProjectFile) -> None:
    is_written, may_end = threading.Event(), threading.Event()
    seen: list[str | None] = []

    def write() -> None:
        with file.transaction() as connection:
            connection.execute("INSERT INTO meta VALUES ('note', 'new')")
            seen.append(file.meta("note"))
            is_written.set()
            may_end.wait(60)

    thread = threading.Thread(target=write)
    thread.start()
    assert is_written.wait(60)
    # Were one of these to wait, the test would stand here for a minute and find the note.
    seen.append(file.meta("note"))
    other = threading.Thread(target=lambda: seen.append(file.meta("note")))
    other.start()
    other.join()
    may_end.set()
    thread.join()
    seen.append(file.meta("note"))
    other = threading.Thread(target=lambda: seen.append(file.meta("note")))
    other.start()
    other.join()
    assert seen == ["new", None, None, "new", "new"]
    file.close()


def test_readers_are_kept_for_the_next_and_closed_with_the_file(file: ProjectFile) -> None:
    n_at_once = 6
    together = threading.Barrier(n_at_once)
    found: list[int] = []

    def read() -> None:
        with file.reading() as connection:
            together.wait(60)
            found.append(connection.execute("SELECT count(*) FROM video").fetchone()[0])

    for _ in range(2):
        threads = [threading.Thread(target=read) for _ in range(n_at_once)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [0] * 2 * n_at_once
    file.close()
    refused: list[str] = []

    def late() -> None:
        try:
            file.meta("title")
        except ProjectError as error:
            refused.append(str(error))

    thread = threading.Thread(target=late)
    thread.start()
    thread.join()
    assert len(refused) == 1
    assert "The project is closed." in refused[0]


def test_what_is_read_while_the_file_is_closed_leaves_no_log_behind(
    file: ProjectFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_file, "_PATIENCE_S", 60.0)
    is_reading, may_end = threading.Event(), threading.Event()
    log = file.path.with_name(file.path.name + "-wal")

    def read() -> None:
        with file.reading() as connection:
            connection.execute("SELECT count(*) FROM meta").fetchone()
            is_reading.set()
            may_end.wait(60)

    with file.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('note', 'new')")
    thread = threading.Thread(target=read)
    thread.start()
    assert is_reading.wait(60)
    assert log.exists()
    threading.Timer(0.05, may_end.set).start()
    file.close()
    thread.join()
    assert not log.exists()


def test_a_thread_reads_a_project_whose_file_was_taken_away(file: ProjectFile) -> None:
    file.path.rename(file.path.with_name("elsewhere.annot"))
    found: list[str | None] = []
    thread = threading.Thread(target=lambda: found.append(file.meta("title")))
    thread.start()
    thread.join()
    assert found == [file.meta("title")]
    assert found != [None]
    file.path.with_name("elsewhere.annot").rename(file.path)
    file.close()
