"""``annotator metadata``: facts of videos come in later, also as a file of cut frames."""

from __future__ import annotations

import json
from pathlib import Path

from annotator.services.project.projects import create_project, open_project
from annotator.services.project.restricted_video import cut_frame_of
from tests.cli.conftest import Call
from tests.store.samples import video_info


def _project(tmp_path: Path) -> Path:
    made = create_project(tmp_path / "day.annot", title="Day", recipe="perception-test")
    for name in ("video_12.mp4", "video_34.mp4"):
        made.add_absent_video(video_info(name))
    made.close()
    return made.path


def _cuts(path: Path) -> dict[str, int | None]:
    opened = open_project(path)
    found = {info.name: cut_frame_of(info) for info, _ in opened.media.all()}
    opened.close()
    return found


def test_cut_frames_of_the_benchmark_come_in(call: Call, tmp_path: Path) -> None:
    path, table = _project(tmp_path), tmp_path / "cut_frame_mapping_test.json"
    table.write_text(json.dumps({"video_12": -1, "video_34": 41}), encoding="utf-8")
    done = call("project", "import-metadata", path, table)
    assert (done.status, done.out, done.err) == (0, f"{path}: metadata imported for 2 videos\n", "")
    assert _cuts(path) == {"video_12.mp4": None, "video_34.mp4": 41}
    # What is written for the data set is what came in.
    out = tmp_path / "out.json"
    assert call("questions", "build-dataset", path, out).status == 0
    assert set(json.loads(out.read_text(encoding="utf-8")).values()) <= {-1, 41}


def test_a_row_without_its_video_is_named_and_the_rest_comes_in(call: Call, tmp_path: Path) -> None:
    path, table = _project(tmp_path), tmp_path / "facts.csv"
    table.write_text("video,cut_frame\nvideo_12,9\nvideo_99,9\n", encoding="utf-8")
    done = call("project", "import-metadata", path, table)
    assert (done.status, done.out) == (1, f"{path}: metadata imported for 1 video\n")
    assert "line 3: the project has no video “video_99”" in done.err
    assert "1 video without a row in the table: video_34.mp4" in done.err
    assert _cuts(path) == {"video_12.mp4": 9, "video_34.mp4": None}


def test_a_cut_beyond_the_end_is_refused_whole(call: Call, tmp_path: Path) -> None:
    path, table = _project(tmp_path), tmp_path / "cut.json"
    table.write_text(json.dumps({"video_12": 5, "video_34": 91}), encoding="utf-8")
    done = call("project", "import-metadata", path, table)
    assert (done.status, done.out) == (1, "")
    assert "” is out of range; the video has" in done.err
    assert _cuts(path) == {"video_12.mp4": None, "video_34.mp4": None}


def test_a_new_project_is_there_when_its_table_does_not_fit(
    call: Call, tmp_path: Path, clip: Path
) -> None:
    table = tmp_path / "facts.csv"
    table.write_text(f"video,cut_frame\n{clip.name},4000\n", encoding="utf-8")
    done = call("new", tmp_path / "p.annot", clip, "--metadata", table)
    assert (done.status, done.out) == (1, f"{tmp_path / 'p.annot'}\n")
    assert (
        "The videos were added without metadata. Correct the table, and then run: annotator"
        in done.err
    )
    assert f"annotator project import-metadata {tmp_path / 'p.annot'} {table}" in done.err
    assert _cuts(tmp_path / "p.annot") == {clip.name: None}
    table.write_text(f"video,cut_frame\n{clip.name},9\n", encoding="utf-8")
    assert call("project", "import-metadata", tmp_path / "p.annot", table).status == 0
    assert _cuts(tmp_path / "p.annot") == {clip.name: 9}
