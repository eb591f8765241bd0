"""Commits are on the disk before the next one begins, and a disk that refuses is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.errors import ProjectError
from annotator.store.file.project import Flusher
from tests.store.samples import add_draft, commit, created, empty_file


def test_waits_for_what_was_started(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x")
    flusher = Flusher(path)
    flusher.wait()
    for _ in range(3):
        flusher.start()
        flusher.wait()
    flusher.start()
    flusher.close()
    assert path.read_bytes() == b"x"


def test_disk_that_refuses_is_told_once(tmp_path: Path) -> None:
    flusher = Flusher(tmp_path / "missing" / "log")
    flusher.start()
    with pytest.raises(ProjectError, match="did not confirm"):
        flusher.wait()
    flusher.wait()
    flusher.close()


def test_the_log_is_flushed_after_each_commit(tmp_path: Path) -> None:
    file = empty_file(tmp_path)
    store, info = add_draft(file)
    log = file.path.with_name(file.path.name + "-wal")
    size = log.stat().st_size
    commit(store, created(store.load(info))[1])
    file.flush()
    assert log.stat().st_size > size
    file.close()
    assert not log.exists()
