"""Models of the user's own: added, refused, tried out, and used as trackers."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from annotator import paths
from annotator.assist.models import network
from annotator.assist.models.box_fitter import fitted_box, fitters
from annotator.assist.models.installed import (
    add_model,
    installed_models,
    models_folder,
    remove_model,
    trackers,
)
from annotator.assist.models.manifest import read_manifest
from annotator.assist.protocol import PointTracker, Tracker
from annotator.assist.registry import installed
from annotator.domain.errors import AssistError
from annotator.domain.geometry import Box, Point
from annotator.domain.proposals.box_proposals import Anchor
from tests.assist.tiny_models import box_model, fit_model, point_model


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setattr(paths, "data_dir", lambda: folder)
    installed.cache_clear()
    yield folder
    installed.cache_clear()


class Video:
    """A bright square of 20 pixels that goes right, and is gone on some frames."""

    def __init__(self, n: int = 40, gone: range = range(0)) -> None:
        self._n, self._gone = n, gone

    def __len__(self) -> int:
        return self._n

    def image(self, index: int, /) -> np.ndarray:
        picture = np.full((120, 240, 3), 30, np.uint8)
        if index not in self._gone:
            x = 20 + 4 * index
            picture[50:70, x : x + 20] = 250
        return picture

    def box(self, frame: int) -> Box:
        return Box(20 + 4 * frame, 50, 40 + 4 * frame, 70)


def test_an_added_box_model_follows_a_box(tmp_path: Path) -> None:
    manifest = add_model(box_model(tmp_path / "mine"))
    assert manifest.name == "bright-box"
    (tracker,) = trackers()
    assert isinstance(tracker, Tracker)
    assert installed().get("model-bright-box").title == "Finds what is bright"
    video = Video()
    found = {
        each.frame: each
        for each in tracker.propose(
            video,
            [Anchor(0, video.box(0)), Anchor(39, video.box(39))],
            (0, 40),
            cancel=lambda: False,
        )
    }
    assert set(found) == set(range(1, 39))
    for frame, each in found.items():
        assert each.box is not None
        assert np.allclose(each.box.as_tuple(), video.box(frame).as_tuple(), atol=2.5), frame
    origin = tracker.origin()
    assert origin.name == "model-bright-box"
    assert origin.parameters["model_sha256"] == manifest.sha256
    assert origin.parameters["license"] == "CC0-1.0"
    assert not origin.is_file


def test_an_added_point_model_follows_points_through_several_stretches(tmp_path: Path) -> None:
    add_model(point_model(tmp_path / "mine"))
    (tracker,) = trackers()
    assert isinstance(tracker, PointTracker)
    video = Video(gone=range(15, 19))

    def center(frame: int) -> Point:
        return Point(30 + 4 * frame, 60)

    anchors = {"both": [(0, center(0)), (39, center(39))], "one": [(10, center(10))]}
    found: dict[str, dict[int, object]] = {"both": {}, "one": {}}
    for name, each in tracker.propose_points(video, anchors, cancel=lambda: False):
        found[name][each.frame] = each
        assert each.occluded is (each.frame in range(15, 19)), (name, each)
        if each.xy is not None:
            assert abs(each.xy.x - center(each.frame).x) < 2, (name, each)
            assert abs(each.xy.y - 60) < 2
    assert set(found["both"]) == set(range(1, 39))
    assert set(found["one"]) == set(range(40)) - {10}


def test_an_added_segmenter_finds_the_box_of_what_is_clicked(tmp_path: Path) -> None:
    add_model(fit_model(tmp_path / "mine"))
    (fitter,) = fitters()
    assert list(trackers()) == []
    picture = np.full((128, 256, 3), 30, np.uint8)
    picture[40:80, 100:180] = 240
    picture[0:20, 0:20] = 240
    found = fitted_box(fitter, picture, Point(120, 60))
    assert found is not None
    assert np.allclose(found.as_tuple(), (100, 40, 180, 80), atol=3)
    assert fitted_box(fitter, picture, Point(60, 100)) is None


def test_following_stops_when_it_is_canceled(tmp_path: Path) -> None:
    add_model(point_model(tmp_path / "mine"))
    (tracker,) = trackers()
    assert isinstance(tracker, PointTracker)
    anchors = {"one": [(0, Point(30, 60))]}
    assert list(tracker.propose_points(Video(), anchors, cancel=lambda: True)) == []


def test_another_hash_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    path = box_model(tmp_path / "mine", sha256="0" * 64)
    with pytest.raises(AssistError, match="SHA-256 is different"):
        add_model(path)
    assert installed_models() == []
    assert not models_folder().exists() or list(models_folder().iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"name": "Not a name"}, "name"),
        ({"license": ""}, "license"),
        ({"file": "../network.onnx"}, "in the folder of the manifest"),
        ({"license_file": "NOTHING"}, "No such file"),
        ({"task": "masks"}, "task"),
        ({"color": "red"}, "color"),
        ({"sha256": "abc"}, "64 hexadecimal digits"),
    ],
)
def test_a_bad_manifest_is_refused_with_its_place(
    tmp_path: Path, changes: dict[str, object], text: str
) -> None:
    with pytest.raises(AssistError) as caught:
        add_model(box_model(tmp_path / "mine", **changes))
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ({"search": "other"}, "names the inputs “other”, “template”"),
        ({"box": "nothing"}, "names the outputs “nothing”"),
        ({"box": "score", "score": "box"}, "shape"),
        ({"search_px": 32}, "network failed"),
        ({"search_px": 5}, "8"),
    ],
)
def test_a_network_of_another_shape_is_refused(
    tmp_path: Path, part: dict[str, object], text: str
) -> None:
    about = {
        "template": "template", "search": "search", "box": "box", "score": "score",
        "template_px": 64, "search_px": 64, **part,
    }  # fmt: skip
    with pytest.raises(AssistError) as caught:
        add_model(box_model(tmp_path / "mine", boxes=about))
    assert text in str(caught.value)


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    import hashlib

    folder = tmp_path / "mine"
    box_model(folder)
    body = b"This is no network."
    path = box_model(folder, sha256=hashlib.sha256(body).hexdigest())
    (folder / "network.onnx").write_bytes(body)
    with pytest.raises(AssistError, match="not a network in ONNX format"):
        add_model(path)


def test_a_network_that_reads_other_files_is_refused(tmp_path: Path) -> None:
    import hashlib

    import onnx

    folder = tmp_path / "mine"
    box_model(folder)
    model = onnx.load(folder / "network.onnx")
    onnx.save_model(
        model, folder / "network.onnx", save_as_external_data=True, location="weights.bin",
        size_threshold=0,
    )  # fmt: skip
    digest = hashlib.sha256((folder / "network.onnx").read_bytes()).hexdigest()
    text = (folder / "model.toml").read_text()
    old = next(line for line in text.splitlines() if line.startswith("sha256"))
    (folder / "model.toml").write_text(text.replace(old, f'sha256 = "{digest}"'))
    with pytest.raises(AssistError, match="not a network in ONNX format"):
        add_model(folder / "model.toml")


def test_a_model_that_was_changed_later_is_not_run(tmp_path: Path) -> None:
    add_model(box_model(tmp_path / "mine"))
    (kept,) = installed_models(checks=True)
    assert kept.problem == ""
    with (kept.folder / "network.onnx").open("ab") as file:
        file.write(b"more")
    (kept,) = installed_models(checks=True)
    assert "SHA-256 is different" in kept.problem


def test_models_are_replaced_and_removed(tmp_path: Path) -> None:
    add_model(box_model(tmp_path / "mine"))
    add_model(box_model(tmp_path / "mine", version="2.0"))
    (kept,) = installed_models()
    assert kept.manifest.version == "2.0"
    remove_model("bright-box")
    assert installed_models() == []
    with pytest.raises(AssistError, match="Unknown model"):
        remove_model("bright-box")


def test_a_folder_that_is_no_model_is_left_out(tmp_path: Path) -> None:
    add_model(box_model(tmp_path / "mine"))
    shutil.copytree(models_folder() / "bright-box", models_folder() / "copy")
    (models_folder() / "broken").mkdir()
    (models_folder() / "broken" / "model.toml").write_text("name = ")
    assert [each.manifest.name for each in installed_models()] == ["bright-box"]


def test_without_the_runtime_it_is_said_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = box_model(tmp_path / "mine")
    add_model(path)
    monkeypatch.setattr(network, "is_runtime_there", lambda: False)
    with pytest.raises(AssistError, match="extra “onnx”"):
        add_model(path)


def test_a_manifest_says_whose_a_model_is(tmp_path: Path) -> None:
    manifest = read_manifest(box_model(tmp_path / "mine", source="a paper"))
    assert (manifest.license, manifest.source) == ("CC0-1.0", "a paper")
