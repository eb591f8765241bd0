"""Tasks are begun once; what is handed in stays for ever."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from annotator.domain.canonical import content_id
from annotator.domain.errors import ProjectError
from annotator.domain.workflow import TaskState
from annotator.store import tasks
from annotator.store.project import ProjectFile
from tests.store.samples import add_draft, commit, created, empty_file


@pytest.fixture
def file(tmp_path: Path) -> ProjectFile:
    return empty_file(tmp_path)


def test_task_waits_until_begun_and_is_begun_once(file: ProjectFile) -> None:
    store, info = add_draft(file)
    tasks.add_task(file, info.id, kind="object-tracks", title="Again")
    begun, waiting = tasks.list_tasks(file)
    assert (begun.state, begun.draft_id) == (TaskState.IN_PROGRESS, store.draft_id)
    assert (waiting.state, waiting.draft_id, waiting.title) == (TaskState.WAITING, None, "Again")
    assert tasks.begin(file, begun) == begun.draft_id
    file.close()


def test_submission_is_named_by_its_content_and_cannot_change(file: ProjectFile) -> None:
    store, info = add_draft(file)
    commit(store, created(store.load(info))[1])
    document = store.load(info)
    first = tasks.submit(file, document)
    assert first.id == content_id(first.body)
    body = json.loads(first.body)
    assert body["format"] == tasks.FORMAT
    assert body["tracks"][0]["keyframes"][0]["box"] == [10, 20, 110.5, 90.25]
    assert tasks.list_tasks(file)[0].state is TaskState.SUBMITTED
    with pytest.raises(ProjectError, match="submitted already"):
        tasks.submit(file, document)
    for statement in ("UPDATE submission SET revision = 9", "DELETE FROM submission"):
        with pytest.raises(sqlite3.IntegrityError), file.transaction() as connection:
            connection.execute(statement)
    tasks.reopen(file, tasks.list_tasks(file)[0])
    second = tasks.submit(file, document)
    assert (second.revision, second.id != first.id) == (2, True)
    assert tasks.list_submissions(file, store.draft_id) == [first, second]
    assert file.rows("SELECT parent_id FROM submission ORDER BY revision") == [
        (None,),
        (bytes.fromhex(first.id),),
    ]
    assert [e.kind for e in store.events()] == ["do", "submit", "reopen", "submit"]
    file.close()


def test_only_submitted_tasks_are_reopened(file: ProjectFile) -> None:
    add_draft(file)
    with pytest.raises(ProjectError, match="Only a submitted task"):
        tasks.reopen(file, tasks.list_tasks(file)[0])
    file.close()
