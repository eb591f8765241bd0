"""Kills a rater at a random moment and looks at what is left of the project."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from annotator.domain.annotation.document import Document
from annotator.services.project.projects import create_project, open_project
from annotator.services.session import Session
from annotator.store.annotation.drafts import DraftStore
from annotator.store.file.file_opening import open_file
from tests.store.samples import draft_of, state, video_info

_ROOT = Path(__file__).resolve().parents[2]


class Remains(NamedTuple):
    """What was found: gestures logged before, acknowledged by the killed one, logged after."""

    before: int
    acknowledged: int
    after: int


def new_project(folder: Path) -> Path:
    """Make a project with one task begun."""
    project = create_project(folder / "work.annot", title="Work")
    task_id = project.add_absent_video(video_info())
    project.open_task(task_id)
    project.close()
    return project.path


def kill_one(path: Path, chance: random.Random) -> Remains:
    """Let a rater work, kill it, open the project; AssertionError when anything is lost."""
    with _logged(path) as store:
        before = len(store.events())
    acknowledged = _run_and_kill(path, chance)
    with _logged(path) as store:
        events = store.events()
        document = _replayed(store)
    # At most one gesture was committed and killed before it could be told.
    assert before + acknowledged <= len(events) <= before + acknowledged + 1
    project = open_project(path)
    session = project.open_task(project.tasks()[0].id)
    assert not project.is_read_only
    assert state(session.document) == state(document)
    _undo_and_redo(session)
    project.close()
    return Remains(before, acknowledged, len(events))


def _run_and_kill(path: Path, chance: random.Random) -> int:
    """Return how many gestures the rater had acknowledged when it died."""
    wanted = chance.randrange(1, 40)
    command = [sys.executable, "-m", "tests.e2e.rater", str(path), str(chance.randrange(10**9))]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines = 0
        while lines < wanted and child.stdout.readline():
            lines += 1
        # Somewhere within the next gestures, not only right after an acknowledgement.
        threading.Event().wait(chance.uniform(0, 0.02))
        child.kill()
        rest = child.stdout.read()
    assert lines == wanted
    return lines + rest.count("\n")


def _replayed(store: DraftStore) -> Document:
    """Return the document that the log alone gives."""
    document = Document(store.draft_id, video_info())
    for event in store.events():
        document.apply(store.changes_of(event.id))
    return document


def _undo_and_redo(session: Session) -> None:
    kept = state(session.document)
    steps = 0
    while steps < 5 and session.undo() is not None:
        steps += 1
    assert steps > 0
    while steps and session.redo() is not None:
        steps -= 1
    assert state(session.document) == kept


@contextmanager
def _logged(path: Path) -> Iterator[DraftStore]:
    """Give the log for reading, in a way that repairs and locks nothing."""
    file = open_file(path, read_only=True)
    try:
        yield DraftStore(file, draft_of(file))
    finally:
        file.close()
