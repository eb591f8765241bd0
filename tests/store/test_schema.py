"""The tables keep their promises; files of every released form open and stay what they were."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from annotator.domain.annotation.canonical import canonical_bytes, content_id, document_value
from annotator.domain.workflow import TaskState
from annotator.store.annotation.drafts import DraftStore
from annotator.store.catalog import videos
from annotator.store.file import backups, opening
from annotator.store.file.opening import open_file
from annotator.store.file.project import ProjectFile
from annotator.store.schema import ladder as schema
from annotator.store.workflow import log as work_log
from annotator.store.workflow import tasks
from tests.store.samples import (
    add_draft,
    begun_draft,
    commit,
    created,
    draft_of,
    empty_file,
    state,
    video_info,
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


def _first_release(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a project as the first release did: its statements, one row in each table."""
    connection = sqlite3.connect(path, isolation_level=None)
    with monkeypatch.context() as past:
        past.setattr(schema, "STEPS", schema.STEPS[:1])
        past.setattr(schema, "USER_VERSION", 1 << 16)
        schema.migrate(connection)
    ids = {n: bytes([n]) * 16 for n in range(1, 9)}
    at = "2026-11-21T08:00:00.000Z"
    rows = {
        "meta": ("title", "Old"),
        "person": (ids[1], "Ada", '["rater"]', at),
        "replica": (ids[2], "host", "place", at),
        "video": (ids[3], "a.mp4", "c0", "t0", 64, 48, 30, 30.0, 1.0, 1, 30, 30, "[]", "{}", at),
        "frame_table": ("c0", "t0", b"table"),
        "media_location": (ids[3], ids[2], "a.mp4", 9, 9),
        "task": (ids[4], ids[3], "object-tracks", "Tracks", at),
        "assignment": (ids[5], ids[4], "annotate", 1, ids[1], "in-progress", None),
        "draft": (ids[6], ids[5], ids[3], at),
        "track": (ids[7], ids[6], 1, "mug", 0, None, 0, 0, 0, "{}", "{}"),
        "keyframe": (ids[7], 3, 300, 1.0, 2.0, 30.0, 40.0, 1, 0, "human"),
        "segment": (ids[8], ids[6], "sound", "tap", 4, 3, 9, 300, 900, "[]", 1, "{}"),
        "proposal_run": (ids[6], ids[7], 4, b"\0" * 16, b"\0" * 4, "fused", "1", "{}"),
        "view_state": (ids[2], "{}", at),
        "event": (1, ids[8], at, ids[1], ids[2], ids[6], "set-track", "do", None, 3, "[]"),
    }
    for table, row in rows.items():
        connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    connection.close()


def test_file_of_the_first_form_is_backed_up_and_opens_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.annot"
    _first_release(path, monkeypatch)
    before = _dump(path)
    file = open_file(path, person="Ada")
    assert file.rows("PRAGMA user_version") == [(schema.USER_VERSION,)]
    assert file.rows("SELECT start_us, end_us FROM segment") == [(None, None)]
    info = videos.list_videos(file)[0].info
    document = DraftStore(file, draft_of(file)).load(info)
    assert [(s.label, s.start, s.end, s.start_us) for s in document.segments] == [
        ("tap", 3, 9, None)
    ]
    assert [t.label for t in document.tracks] == ["mug"]
    assert document.points == ()
    file.close()
    after = _dump(path)
    new = {line.split('"')[1] for line in after if line not in before}
    gone = {line.split('"')[1] for line in before if line not in after}
    tables = {"track", "keyframe", "segment", "person", "task", "assignment", "proposal_run"}
    assert gone == tables
    assert new == gone | {"_sqlite_migrations", "replica", "work_event"}
    (backup,) = backups.backups_of(path)
    assert _dump(backup) == before


_ROWS_OF_1_1 = {
    "SELECT * FROM keyframe ORDER BY track_id, frame": (
        "SELECT t.id, k.frame, k.pts, k.x1, k.y1, k.x2, k.y2, k.occluded, k.settled, k.source"
        " FROM keyframe k JOIN track t ON t.row = k.track_row ORDER BY t.id, k.frame"
    ),
    "SELECT * FROM track ORDER BY id": (
        "SELECT id, draft_id, number, label, color, parent_id, is_locked, is_hidden,"
        " is_begin_settled, attributes, extra FROM track ORDER BY id"
    ),
    "SELECT * FROM segment ORDER BY id": (
        "SELECT id, draft_id, lane, label, label_id, start_frame, end_frame, start_pts, end_pts,"
        " slots, is_visible, extra, start_us, end_us FROM segment ORDER BY id"
    ),
    "SELECT * FROM point ORDER BY id": (
        "SELECT id, draft_id, track_id, number, label, color, is_locked, is_hidden, extra"
        " FROM point ORDER BY id"
    ),
    "SELECT * FROM point_block": (
        "SELECT p.id, b.block, b.start_frame, b.xy, b.flags"
        " FROM point_block b JOIN point p ON p.row = b.point_row"
    ),
    **{
        f"SELECT * FROM {table}": f"SELECT * FROM {table}"
        for table in ("event", "frame_table", "video", "meta")
    },
    "SELECT * FROM proposal_run": (
        "SELECT draft_id, track_id, start_frame, boxes, confidence, tool, version, parameters"
        " FROM proposal_run"
    ),
    "SELECT * FROM submission": (
        "SELECT id, assignment_id, draft_id, person_id, replica_id, revision, body, format,"
        " media_hash, tool_version, recipe, submitted_at, parent_id FROM submission"
    ),
    "SELECT id, video_id, kind, title, created_at FROM task": (
        "SELECT id, video_id, kind, title, created_at FROM task"
    ),
}


def release_1_1(folder: Path) -> Path:
    """Write the project that version 0.1.0 left."""
    path = folder / "old.annot"
    connection = sqlite3.connect(path)
    script = Path(__file__).with_name("release_1_1.sql").read_text(encoding="utf-8")
    connection.executescript(script)
    connection.close()
    return path


def test_file_of_form_1_1_keeps_every_row(tmp_path: Path) -> None:
    path = release_1_1(tmp_path)
    connection = sqlite3.connect(path)
    before = [connection.execute(old).fetchall() for old in _ROWS_OF_1_1]
    connection.close()
    file = open_file(path, person="Ada")
    assert [file.rows(new) for new in _ROWS_OF_1_1.values()] == before
    assert all(before)
    assert file.rows("PRAGMA foreign_key_check") == []
    names = [f"SELECT name FROM sqlite_schema WHERE name LIKE '{word}%'" for word in ("old", "new")]
    assert [file.rows(name) for name in names] == [[], []]
    begun, again, done, waiting = tasks.list_tasks(file)
    assert [t.state for t in (begun, again, done, waiting)] == [
        TaskState.IN_PROGRESS,
        TaskState.IN_PROGRESS,
        TaskState.SUBMITTED,
        TaskState.WAITING,
    ]
    with file.reading() as connection:
        kinds = [[e.kind for e in work_log.read_events(connection, t.id)] for t in (again, done)]
        record = work_log.read_record(connection, done.id)
    submitted = ["created", "claimed", "submitted", "completed"]
    assert kinds == [[*submitted, "reopened"], submitted]
    (handed,) = record.assignments[0].submissions
    assert handed.at == 1795257703979
    assert handed.submission_id == record.base_id
    store = DraftStore(file, draft_of(file))
    document = store.load(videos.list_videos(file)[0].info)
    assert content_id(canonical_bytes(document_value(document))) == (
        "c25cf0ff027401fecb1733346e4a86d2dbcf2106775ee63e4eca289d850315e5"
    )
    for event in reversed(store.events()):
        changes = [c.inverse() for c in reversed(store.changes_of(event.id))]
        commit(store, changes)
        document.apply(changes)
    assert state(document)[:3] == ((), (), ())
    assert file.rows("SELECT count(*) FROM keyframe") == [(2,)]
    file.close()


def _dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    lines = [line for line in connection.iterdump() if line.startswith("INSERT")]
    connection.close()
    return lines


def test_file_from_before_questions_gains_their_tables_and_keeps_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as past:
        place = [name for name, _ in schema.STEPS].index("0007_questions")
        past.setattr(schema, "STEPS", schema.STEPS[:place])
        past.setattr(schema, "USER_VERSION", 1 << 16 | 3)
        file = empty_file(tmp_path)
        info = video_info()
        videos.add_video(file, info, None)
        draft = begun_draft(file, info.id)
        path = file.path
        file.close()
    before = _dump(path)
    file = open_file(path, person="Ada")
    assert file.rows("PRAGMA user_version") == [(schema.USER_VERSION,)]
    for table in ("item", "item_video", "answer", "vote"):
        assert file.rows(f"SELECT count(*) FROM {table}") == [(0,)]
    assert file.rows("PRAGMA foreign_key_check") == []
    assert dict(DraftStore(file, draft).load(info).answers) == {}
    file.close()
    gone = {line.split('"')[1] for line in before if line not in _dump(path)}
    assert gone <= {"person", "replica"}
    (backup,) = backups.backups_of(path)
    assert _dump(backup) == before


def test_file_from_before_studies_gains_their_tables_and_keeps_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as past:
        place = [name for name, _ in schema.STEPS].index("0010_studies")
        past.setattr(schema, "STEPS", schema.STEPS[:place])
        past.setattr(schema, "USER_VERSION", 1 << 16 | 6)
        file = empty_file(tmp_path)
        info = video_info()
        videos.add_video(file, info, None)
        draft = begun_draft(file, info.id)
        path = file.path
        file.close()
    before = _dump(path)
    file = open_file(path, person="Ada")
    assert file.rows("PRAGMA user_version") == [(schema.USER_VERSION,)]
    for table in ("study", "study_deal", "study_part", "task_reserved"):
        assert file.rows(f"SELECT count(*) FROM {table}") == [(0,)]
    assert file.rows("PRAGMA foreign_key_check") == []
    assert DraftStore(file, draft).load(info).video == info
    file.close()
    gone = {line.split('"')[1] for line in before if line not in _dump(path)}
    assert gone <= {"person", "replica"}
    (backup,) = backups.backups_of(path)
    assert _dump(backup) == before


def test_older_form_is_backed_up_then_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as past:
        past.setattr(schema, "STEPS", schema.STEPS[:-1])
        past.setattr(schema, "USER_VERSION", 7)
        file = empty_file(tmp_path)
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    kept = state(store.load(info))
    file.close()
    assert backups.backups_of(file.path) == []
    again = open_file(file.path)
    assert again.rows("PRAGMA user_version") == [(schema.USER_VERSION,)]
    assert again.rows("SELECT count(*) FROM prediction") == [(0,)]
    assert state(type(store)(again, store.draft_id).load(info)) == kept
    again.close()
    (backup,) = backups.backups_of(file.path)
    connection = sqlite3.connect(backup)
    assert connection.execute("PRAGMA user_version").fetchone() == (7,)
    connection.close()


def test_upgrade_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = empty_file(tmp_path)
    file.close()
    connection = sqlite3.connect(file.path)
    connection.execute("DELETE FROM _sqlite_migrations")
    connection.execute("PRAGMA user_version = 7")
    connection.commit()
    connection.close()
    before = _dump(file.path)
    step = "CREATE TABLE a (b);\nCREATE TABLE a (b);\n"
    monkeypatch.setattr(schema, "STEPS", (("0001_first_tables", step),))
    with pytest.raises(sqlite3.OperationalError):
        opening.open_file(file.path)
    assert _dump(file.path) == before
    connection = sqlite3.connect(file.path)
    assert connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'a'").fetchall() == []
    connection.close()
    assert not file.path.with_name(f".{file.path.name}.lock").exists()
