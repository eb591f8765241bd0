"""The demo without a display does the whole job and says where the results are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from annotator.exchange.perception_test.check import check_file

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
    assert "no display" in done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    project, annotations, picture = (Path(line) for line in lines[-3:])
    assert "frames proved on 8 samples" in lines[-4]
    assert project.is_file()
    value = json.loads(annotations.read_text(encoding="utf-8"))
    assert [f for f in check_file(value) if f.severity == "error"] == []
    labels = [record["label"] for record in value["coffee"]["object_tracking"]]
    assert labels == ["kettle", "watch", "mug"]
    image = cv2.imdecode(np.fromfile(picture, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[0] > 400
    assert image.shape[1] > 600
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 1000
