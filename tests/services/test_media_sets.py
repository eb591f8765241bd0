"""YOLO and Hugging Face sets: the right frames and places, whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pyarrow.parquet
import pytest
import yaml

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment, CreateTrack, SetKeyframe, SetOutside
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.media import Video
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.project.metadata import import_metadata
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.transfer import (
    ExportReport,
    ExportRequest,
    export_project,
    format_named,
    import_file,
)
from tests.media.encoding import encode

TOKEN = JobToken(lambda _fraction, _text: None)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    made = create_project(tmp_path / "p.annot", title="P")
    for name, start in (("one", 0), ("two", 100)):
        path = tmp_path / f"{name}.mp4"
        encode(path, numbers=range(start, start + 60), bframes=2)
        made.add_videos([path])
    for task in made.tasks():
        session = made.open_task(task.id)
        track = track_id()
        session.run(CreateTrack(track, "cup", 0, Box(10, 10, 40, 30)))
        session.run(SetKeyframe(track, 30, Box(40, 10, 70.5, 30.25)))
        session.run(
            CreateSegment(Segment(segment_id(), Lane.ACTION, "pour", 12, 27, slots=(track,)))
        )
    yield made
    made.close()


def with_splits(project: OpenProject, folder: Path) -> None:
    table = folder / "facts.csv"
    table.write_text("video,split\none.mp4,train\ntwo.mp4,valid\n")
    import_metadata(project, table)


def export(project: OpenProject, folder: Path, name: str, **more: object) -> ExportReport:
    request = ExportRequest(folder, format_name=name, **more)  # type: ignore[arg-type]
    return export_project(project, request, TOKEN)


def test_a_yolo_set_has_the_frames_the_boxes_and_the_tracks(
    project: OpenProject, tmp_path: Path
) -> None:
    with_splits(project, tmp_path)
    done = export(project, tmp_path / "set", "yolo", frames="all")
    assert done.is_sound
    assert all(video.proof is not None and video.proof.is_proved for video in done.videos)
    folder = tmp_path / "set"
    assert yaml.safe_load((folder / "data.yaml").read_text()) == {
        "train": "images/train",
        "val": "images/val",
        "names": {0: "cup"},
    }
    assert len(list((folder / "images" / "train").iterdir())) == 60
    image = cv2.imread(str(folder / "images" / "val" / "two_000030.jpg"))
    with Video(tmp_path / "two.mp4") as video:
        wanted = video.image(30)
    assert image is not None
    assert np.abs(image[:, :, ::-1].astype(int) - wanted).mean() < 4
    height, width = wanted.shape[:2]
    numbers = (folder / "labels" / "val" / "two_000030.txt").read_text().split()
    cx, cy, w, h = (float(v) for v in numbers[1:])
    box = [(cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height]
    assert box == pytest.approx([40, 10, 70.5, 30.25], abs=1e-3)
    other = create_project(tmp_path / "q.annot", title="Q")
    other.add_videos([tmp_path / "one.mp4", tmp_path / "two.mp4"])
    import_file(other, folder / "data.yaml", token=TOKEN)
    for task in other.tasks():
        (track,) = other.open_task(task.id).document.tracks
        assert [k.frame for k in track.keyframes] == [0, 30, 59]
        found = track.state_at(15).box
        assert found is not None
        assert found.as_tuple() == pytest.approx((25, 10, 55.25, 30.125), abs=0.01)
    other.close()


@pytest.mark.parametrize("name", ["yolo", "huggingface"])
def test_a_set_goes_to_a_relative_place_and_through_a_link(
    name: str, project: OpenProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.chdir(tmp_path)
    for place in (Path("set"), tmp_path / "link" / "set"):
        assert export(project, place, name, videos=("one",)).is_sound
    other = create_project(tmp_path / "q.annot", title="Q")
    other.add_videos([tmp_path / "one.mp4"])
    if name == "yolo":
        assert import_file(other, Path("set/data.yaml"), token=TOKEN).videos[0].n_tracks == 1
    other.close()


def test_images_without_objects_have_empty_labels_and_one_split_is_told(
    project: OpenProject, tmp_path: Path
) -> None:
    session = project.open_task(project.tasks()[0].id)
    track = session.document.tracks[0].id
    session.run(SetOutside(track, 40, True))
    done = export(project, tmp_path / "set", "yolo", videos=("one",), frames="all")
    assert "one-split" in [f.code for f in done.findings]
    assert (tmp_path / "set" / "labels" / "train" / "one_000050.txt").read_text() == ""
    assert yaml.safe_load((tmp_path / "set" / "data.yaml").read_text())["val"] == "images/train"


def test_a_set_that_is_canceled_or_refused_leaves_nothing(
    project: OpenProject, tmp_path: Path
) -> None:
    token = JobToken(lambda _fraction, _text: None)
    token.cancel()
    for name in ("yolo", "huggingface"):
        request = ExportRequest(tmp_path / "set", format_name=name)
        with pytest.raises(CanceledError):
            export_project(project, request, token)
    filled = tmp_path / "filled"
    filled.mkdir()
    (filled / "mine.txt").write_text("x")
    for name in ("yolo", "huggingface", "thumos"):
        with pytest.raises(UserError, match="not an empty folder"):
            export(project, filled, name)
    assert [p.name for p in filled.iterdir()] == ["mine.txt"]
    known = {"p.annot", "one.mp4", "two.mp4", "filled"}
    left = {p.name for p in tmp_path.iterdir() if "p.annot" not in p.name}
    assert left <= known


def test_a_video_without_its_file_is_told(project: OpenProject, tmp_path: Path) -> None:
    (tmp_path / "two.mp4").unlink()
    done = export(project, tmp_path / "set", "yolo")
    assert [(f.code, f.where) for f in done.findings if f.code == "missing-media"] == [
        ("missing-media", "two.mp4")
    ]
    assert not done.is_sound


def test_a_hugging_face_set_with_one_split(project: OpenProject, tmp_path: Path) -> None:
    about = {"license": "https://creativecommons.org/licenses/by/4.0/", "creator": "Lab"}
    done = export(project, tmp_path / "kitchen", "huggingface", frames="all", about=about)
    assert done.is_sound
    assert [f.text for f in done.findings if f.code == "not-stated"] == [
        "Not stated in README.md and croissant.json: url."
    ]
    folder = tmp_path / "kitchen"
    lines = (folder / "train" / "metadata.jsonl").read_text().splitlines()
    one, two = map(json.loads, lines)
    assert (one["file_name"], two["file_name"], one["num_frames"]) == ("one.mp4", "two.mp4", 60)
    (track,) = one["tracks"]
    assert (track["label"], track["frames"]) == ("cup", list(range(60)))
    assert track["boxes"][30] == [40, 10, 70.5, 30.25]
    (action,) = one["actions"]
    assert (action["start_frame"], action["end_frame"]) == (12, 27)
    assert action["objects"] == [track["id"]]
    copied = (folder / "train" / "one.mp4").read_bytes()
    assert copied == (tmp_path / "one.mp4").read_bytes()
    boxes = pyarrow.parquet.read_table(folder / "tables" / "boxes.parquet").to_pylist()
    assert len(boxes) == 120
    assert boxes[30] == {
        "video": "train/one.mp4",
        "track": "1",
        "label": "cup",
        "frame": 30,
        "x1": 40.0,
        "y1": 10.0,
        "x2": 70.5,
        "y2": 30.25,
        "occluded": False,
    }
    described = json.loads((folder / "croissant.json").read_text())
    assert described["license"] == about["license"]
    assert described["creator"]["name"] == "Lab"
    for file in described["distribution"]:
        body = (folder / file["contentUrl"]).read_bytes()
        assert hashlib.sha256(body).hexdigest() == file["sha256"]
    card = (folder / "README.md").read_text()
    head = yaml.safe_load(card.split("---")[1])
    assert (head["license"], head["size_categories"]) == ("cc-by-4.0", ["n<1K"])
    assert "2 videos" in card
    assert "*not stated*" in card


def test_a_hugging_face_set_with_several_splits_has_one_schema(
    project: OpenProject, tmp_path: Path
) -> None:
    with_splits(project, tmp_path)
    export(project, tmp_path / "set", "huggingface")
    schemas = [
        pyarrow.parquet.read_schema(tmp_path / "set" / split / "metadata.parquet")
        for split in ("train", "valid")
    ]
    assert schemas[0] == schemas[1]
    assert not list((tmp_path / "set").glob("*/metadata.jsonl"))


def test_formats_that_are_only_read_or_only_written_say_so(
    project: OpenProject, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="only read"):
        export(project, tmp_path / "x.json", "burst")
    with pytest.raises(UserError, match="only written"):
        import_file(project, tmp_path / "x.json", form=format_named("datumaro"), token=TOKEN)
