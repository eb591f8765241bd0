"""What can be told of a project without opening it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.services.demo.first_demo import create_demo
from annotator.services.project.projects import ViewState, open_project
from annotator.store.file.glance import glance


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = create_demo(tmp_path / "demo")
    made = open_project(path)
    made.save_view_state(ViewState(made.tasks()[0].id, 7, 2.0, 30.0, 40.0))
    made.close()
    return path


def test_it_tells_where_the_person_was(project: Path) -> None:
    seen = glance(project)
    assert seen is not None
    assert (seen.frame, seen.zoom, seen.center) == (7, 2.0, (30.0, 40.0))
    assert seen.video == next(project.parent.glob("*.mp4")).resolve()
    with closing(open_project(project)) as opened:
        session = opened.open_task(opened.tasks()[0].id)
        assert seen.table == session.table_bytes


def test_it_keeps_quiet_about_what_has_changed(project: Path) -> None:
    video = next(project.parent.glob("*.mp4"))
    os.utime(video, ns=(1, 1))
    assert glance(project) is None


def test_where_people_sign_in_nothing_is_seen_before(project: Path) -> None:
    with closing(sqlite3.connect(project)) as file:
        file.execute("INSERT OR REPLACE INTO meta VALUES ('recipe', 'perception-test')")
        file.commit()
    assert glance(project) is None


def test_a_project_that_was_never_left_or_is_none_tells_nothing(tmp_path: Path) -> None:
    assert glance(create_demo(tmp_path / "new")) is None
    assert glance(tmp_path / "missing.annot") is None
    broken = tmp_path / "broken.annot"
    broken.write_bytes(b"no database" * 100)
    assert glance(broken) is None


def test_looking_leaves_the_files_as_they_are(project: Path, tmp_path: Path) -> None:
    copy = tmp_path / "alone"
    shutil.copytree(project.parent, copy)
    before = {p.name: p.read_bytes() for p in copy.iterdir()}
    glance(copy / project.name)
    assert {name: (copy / name).read_bytes() for name in before} == before
