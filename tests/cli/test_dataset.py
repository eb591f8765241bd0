"""The data set by command: statistics, evaluation, splits, releases."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.exchange.files import canonical, example, write_file

N_VIDEOS = 6


@pytest.fixture
def annotations(tmp_path: Path) -> Path:
    entries = []
    for i in range(N_VIDEOS):
        entry = copy.deepcopy(example())
        entry["metadata"] |= {"video_id": f"video_{i}", "split": ("train", "test")[i % 2]}
        entries.append((f"video_{i}", entry))
    return write_file(tmp_path, canonical(*entries))


@pytest.fixture
def project(call: Call, annotations: Path, tmp_path: Path) -> Path:
    path = tmp_path / "lead.annot"
    assert call("new", path, "--recipe", "perception-test").status == 0
    done = call("import", path, annotations, "--as", "submission", "--stage", "complete")
    assert done.status == 0
    return path


def test_imports_enter_the_stages(call: Call, annotations: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.annot"
    call("new", path, "--recipe", "perception-test")
    done = call("import", path, annotations, "--stage", "check")
    assert (done.status, "requires --as submission" in done.err) == (2, True)
    done = call("import", path, annotations, "--as", "submission", "--stage", "done")
    assert done.status == 1
    assert "Available stages: check, verify, complete" in done.err
    done = call("import", path, annotations, "--as", "submission")
    assert done.status == 0
    assert done.out.count("added to the project") == N_VIDEOS
    plain = tmp_path / "plain.annot"
    call("new", plain)
    done = call("import", plain, annotations, "--as", "submission")
    assert (done.status, "no stages" in done.err) == (1, True)


def test_statistics_are_printed_and_written(call: Call, project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stats"
    done = call("stats", project, "--output", folder)
    assert done.status == 0
    assert done.out.startswith("6 videos, ")
    n_tracks = N_VIDEOS * len(example()["object_tracking"])
    assert any(line.split()[:3] == ["boxes", "6", str(n_tracks)] for line in done.out.splitlines())
    head, first = (folder / "counts.csv").read_text("utf-8-sig").splitlines()[:2]
    assert head == "type,videos,annotations,marks,classes,mean_per_video"
    assert first.startswith(f"boxes,6,{n_tracks},")
    done = call("stats", project, "--where", "split=test")
    assert done.out.startswith("3 videos, ")
    assert call("stats", project, "--where", "split").status == 2
    done = call("stats", project, "--where", "splits=test")
    assert (done.status, "No video has the metadata column “splits”" in done.err) == (1, True)
    assert call("stats", "dataset", project).status == 0


def test_predictions_are_evaluated(
    call: Call, project: Path, annotations: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    done = call(
        *("evaluate", project, annotations, "--baseline", "static", "--by", "label"),
        *("--resamples", 20, "--output", folder),
    )
    assert done.status == 0
    line = next(row for row in done.out.splitlines() if row.startswith("object_tracking mean_iou"))
    assert line.split()[2] == "1.0000"
    assert {"metrics.csv", "items.csv"} == {p.name for p in folder.iterdir()}
    done = call("evaluate", annotations, annotations, "--split", "tests")
    assert done.status == 1
    assert "No annotated video is in the split “tests”. Splits: train, test." in done.err
    done = call("evaluate", annotations, annotations, "--by", "splits", "--by", "split")
    assert "warning: No evaluated video has the column “splits”." in done.err
    assert "  split = test" in done.out
    done = call("evaluate", annotations, annotations, "--json", "--split", "test")
    (found,) = [r for r in json.loads(done.out) if (r["metric"], r["by"]) == ("top1", "all")]
    assert (found["value"], found["videos"]) == (1.0, 3)
    # Files of the same name, also that of a baseline, are models of their own.
    again = [tmp_path / name / "static.json" for name in ("a", "b")]
    for path in again:
        path.parent.mkdir()
        path.write_bytes(annotations.read_bytes())
    files = [*again, annotations, annotations]
    done = call("evaluate", project, *files, "--baseline", "static", "--json", "--resamples", 0)
    models = {row["model"] for row in json.loads(done.out)}
    assert models == {*map(str, again), annotations.stem, "static"}
    done = call("evaluate", project)
    assert (done.status, "Name a file" in done.err) == (2, True)
    done = call("evaluate", project, "--baseline", "best")
    assert (done.status, "Unknown baseline “best”" in done.err) == (1, True)
    bad = tmp_path / "bad.json"
    bad.write_text('{"video_0": [{"id": 0, "bounding_boxes": [[0, 0, 1]], "frame_ids": [1]}]}')
    done = call("evaluate", project, bad, "--resamples", 0)
    assert done.status == 1
    assert "$.video_0[0].bounding_boxes[0]: Expected a list of 4 entries, found 3." in done.err
    assert "Traceback" not in done.err


def test_videos_are_split(call: Call, project: Path, tmp_path: Path) -> None:
    table = tmp_path / "split.csv"
    asked = ("--share", "train=0.5", "--share", "test=0.5", "--time-limit", 1)
    done = call("dataset", "split", project, *asked, "--output", table, "--save")
    assert "6 groups" in done.out
    assert "no split is below" in done.out
    assert len(table.read_text("utf-8-sig").splitlines()) == N_VIDEOS + 1
    done = call("stats", project, "--where", "split=train")
    assert done.out.startswith("3 videos, ")
    assert call("dataset", "split", project, "--share", "train").status == 2
    done = call("dataset", "split", project, *asked, "--together", "participants")
    assert done.status == 1
    assert "No video has the metadata column “participants”. Columns: " in done.err
    done = call("dataset", "duplicates", project, "--by", "participants")
    assert done.status == 1
    assert "No video has the metadata column “participants”." in done.err
    done = call("dataset", "split", project, "--share", "a=0.5", "--share", "b=0.6")
    assert (done.status, "add up to 1" in done.err) == (1, True)


def test_a_release_is_verified_and_compared(call: Call, project: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "v1", tmp_path / "v2"
    done = call("release", project, first, "--withhold", "test")
    assert done.out.startswith(f"{first}: 6 videos, ")
    assert call("verify", first).status == 0
    shutil.copytree(first, second)
    train = second / "annotations" / "train.json"
    entries = json.loads(train.read_bytes())
    entries["video_0"]["object_tracking"][0]["label"] = "jug"
    train.write_text(json.dumps(entries))
    done = call("verify", second)
    assert done.status == 1
    assert "annotations/train.json: video_0: object_tracking was changed" in done.out
    done = call("diff", first, second)
    assert done.status == 1
    label = example()["object_tracking"][0]["label"]
    assert "object_tracking: 0 added, 0 removed, 1 changed" in done.out
    assert f"  video_0: {label} → jug" in done.out
    done = call("diff", first, first)
    assert (done.status, done.out.strip()) == (0, "No differences.")
    done = call("release", project, first)
    assert (done.status, "exists" in done.err) == (1, True)
    done = call("verify", tmp_path)
    assert (done.status, "Cannot read the certificate" in done.err) == (1, True)
