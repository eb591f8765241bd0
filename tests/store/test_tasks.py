"""Tasks are listed with their newest draft; the log of the work only grows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from annotator.domain.errors import ProjectError
from annotator.domain.ids import TaskId, new_id
from annotator.domain.work.event_replay import begin
from annotator.domain.work.events import Created
from annotator.domain.workflow import TaskState
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import log as work_log
from annotator.store.workflow import tasks
from tests.store.samples import add_draft, empty_file


@pytest.fixture
def file(tmp_path: Path) -> ProjectFile:
    return empty_file(tmp_path)


def test_tasks_are_listed_with_their_drafts(file: ProjectFile) -> None:
    store, info = add_draft(file)
    event = Created(TaskId(new_id()), 5, None, info.id, "sounds", "annotate")
    with file.transaction() as connection:
        tasks.add_task(connection, event, "Again")
        work_log.project(connection, begin(event), (), None, 5)
    begun, waiting = tasks.list_tasks(file)
    assert (begun.state, begun.draft_id) == (TaskState.IN_PROGRESS, store.draft_id)
    assert (waiting.state, waiting.draft_id, waiting.title) == (TaskState.WAITING, None, "Again")
    assert tasks.find_task(file, waiting.id) == waiting
    assert tasks.find_task(file, TaskId(new_id())) is None
    with file.reading() as connection:
        assert work_log.read_record(connection, event.task_id) == begin(event)
        with pytest.raises(ProjectError, match=r"Cannot find the task in the project\."):
            work_log.read_record(connection, TaskId(new_id()))
    file.close()


@pytest.mark.parametrize(
    "statement", ["UPDATE work_event SET at = 0", "DELETE FROM work_event WHERE seq = 1"]
)
def test_log_of_the_work_only_grows(file: ProjectFile, statement: str) -> None:
    add_draft(file)
    with (
        pytest.raises(sqlite3.IntegrityError, match="log of the work"),
        file.transaction() as connection,
    ):
        connection.execute(statement)
    assert file.rows("SELECT kind FROM work_event ORDER BY seq") == [("created",), ("claimed",)]
    file.close()


def test_damaged_log_is_told(file: ProjectFile) -> None:
    add_draft(file)
    task_id = tasks.list_tasks(file)[0].id
    with file.transaction() as connection:
        connection.execute("DROP TRIGGER work_event_remains")
        connection.execute("DELETE FROM work_event WHERE number = 1")
    with file.reading() as connection, pytest.raises(ProjectError, match="damaged"):
        work_log.read_record(connection, task_id)
    file.close()
