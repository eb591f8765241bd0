"""Known results and scores of gold tasks on the command line."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.services.gold_team import as_lead, draws, gold_results, made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Four results are known; Ann has done nine tasks, three of them gold tasks."""
    opened = made(tmp_path)
    gold_results(opened, 4)
    for _ in range(9):
        draws(opened, "Ann")
    as_lead(opened)
    opened.close()
    return opened.path


def test_scores_are_listed_and_written(call: Call, project: Path, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    told = call("team", "gold", "scores", project, "--csv", table)
    assert told.out.splitlines()[0] == "Ann\ttracks\t3\t1.000\t–\t–\t1.000\t0 out of limits"
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    assert [(r["person"], r["iou"], r["known"], r["training"]) for r in rows] == [
        ("Ann", "1.0", "1", "0")
    ] * 3
    assert call("team", "gold", "scores", project, "Ben").out == ""


def test_known_results_are_listed_added_and_removed(call: Call, project: Path) -> None:
    told = call("team", "gold", "list", project)
    assert told.out.splitlines()[0].startswith("clip-00.mp4\ttracks\tactive\t1 gold task")
    kind = ("--task-type", "tracks")
    three = [f"clip-{n:02d}.mp4" for n in range(3)]
    assert call("team", "gold", "remove", project, *three, *kind).status == 0
    told = call("team", "gold", "list", project)
    assert "clip-00.mp4\ttracks\tnot in use" in told.out
    assert "tracks: 1 reference; at least 2 are needed." in told.err
    assert "1 reference for gold tasks of “Tracks”" in call("check", project).err
    again = call("team", "gold", "add", project, "clip-00.mp4", "clip-09.mp4", *kind)
    assert again.status == 1
    assert again.out == "1 result added.\n"
    assert "clip-09.mp4: The task is not complete." in again.err
    unknown = call("team", "gold", "add", project, "nothing.mp4", *kind)
    assert unknown.status == 1
    assert "“nothing.mp4”" in unknown.err
