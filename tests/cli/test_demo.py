"""The demo without a display does the whole job and says where the results are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from annotator.cli.commands import is_folder
from annotator.exchange.perception_test.check import check_file
from tests.cli.conftest import Call

ROOT = Path(__file__).parents[2]


def test_the_demo_tracks_exports_judges_and_pictures_the_window(tmp_path):
    import cv2

    folder = tmp_path / "demo folder"
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-m", "annotator", "demo", str(folder)],
        cwd=ROOT,
        env=environment | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert "No display is available: running the demo without a window." in done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    project, annotations, picture = (Path(line) for line in lines[-3:])
    assert "; frames verified on" in lines[-4]
    assert project.is_file()
    value = json.loads(annotations.read_text(encoding="utf-8"))
    assert [f for f in check_file(value) if f.severity == "error"] == []
    labels = [record["label"] for record in value["coffee"]["object_tracking"]]
    assert labels == ["kettle", "watch", "mug"]
    image = cv2.imdecode(np.fromfile(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[0] > 400
    assert image.shape[1] > 600
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 1000


def test_the_demo_of_a_recipe_writes_its_data_set(call: Call, tmp_path, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    done = call("demo", "neptune", tmp_path / "demo")
    assert done.status == 0
    assert "No display is available: running the demo without a window." in done.err
    counts, project, data_set = done.out.splitlines()
    assert counts.startswith("sets 3")
    assert Path(project).is_file()
    assert len(json.loads(Path(data_set).read_text(encoding="utf-8"))) == 3
    again = call("demo", "neptune", tmp_path / "demo")
    assert (again.status, again.out) == (0, done.out)


def test_a_demo_that_does_not_exist_is_told_with_the_names(call: Call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = call("demo", "pax")
    assert done.status == 1
    assert "Unknown demo “pax”" in done.err
    assert "perception-test, pacs, neptune, video-tt" in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_word_that_is_a_folder_is_one(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    words = ("mine", "./new", str(tmp_path / "new"), "pacs", "new")
    assert [is_folder(word) for word in words] == [True, True, True, False, False]
