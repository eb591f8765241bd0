"""The files of PACS: written, judged by rules of their own, read again; bad ones refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.benchmarks.pacs.export import files_of
from annotator.benchmarks.pacs.records import AgreedAnswer, BankQuestion, FocusClip, data_of
from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Box
from annotator.domain.questions.items.object_pairs import ObjectPair
from annotator.exchange.json_value import encode_value
from tests.exchange.pacs_reader import read_pacs


def faults(folder: Path) -> Iterator[str]:
    """Judge a folder from the rules of the format alone."""

    def load(name: str) -> dict[str, Any]:
        found = json.loads((folder / name).read_text(encoding="utf-8"))
        assert isinstance(found, dict)
        return found

    objects, questions = load("objects.json"), load("questions.json")
    for name, each in objects.items():
        if set(each) != {"duration", "bounding_box", "materials", "fps"}:
            yield f"{name}: keys"
        x0, y0, x1, y1 = each["bounding_box"]
        if not all(type(v) is int for v in (x0, y0, x1, y1)):
            yield f"{name}: whole pixels"
        if not (0 <= x0 < x1 <= 1280 and 0 <= y0 < y1 <= 720):
            yield f"{name}: box"
        if type(each["duration"]) is not float or not each["fps"] > 0:
            yield f"{name}: times"
        if not all(isinstance(m, str) and m for m in each["materials"]):
            yield f"{name}: materials"
    for name, each in questions.items():
        if set(each) != {"properties", "question", "statement"} or not each["properties"]:
            yield f"{name}: keys"
    materials = load("mat_questions.json")
    splits: dict[str, set[str]] = {}
    for split in ("train", "val", "test"):
        for kind, bank in (("data", questions), ("mat", materials)):
            for pair, asked in load(f"{split}_{kind}.json").items():
                first, second = pair.split("_")
                for name in (first, second):
                    splits.setdefault(name, set()).add(split)
                    if name not in objects:
                        yield f"{pair}: {name}"
                for key, point in asked.items():
                    if key not in bank:
                        yield f"{pair}: {key}"
                    expected = {"text"} if (split, kind) == ("test", "data") else {"text", "label"}
                    if set(point) != expected or point.get("label", 0) not in (0, 1):
                        yield f"{pair}: {key} is {point}"
    yield from (f"{name}: in {found}" for name, found in splits.items() if len(found) > 1)
    for source, clips in load("youtube_info.json").items():
        for name, (start, end, middle) in clips.items():
            if middle != (start + end) // 2 or name not in objects:
                yield f"{source}: {name}"


def _clip(name: str, split: str, *materials: str) -> FocusClip:
    box = Box(10.2, 20, 100, 180.0)
    return FocusClip(name, split, 320, 180, box, materials, 6.5, 30, "source1", (30, 225))


def _write(folder: Path) -> None:
    clips = [
        _clip("clip10", "train", "wood"),
        _clip("clip2", "train", "glass", "wood"),
        _clip("clip3", "test", "rubber"),
        _clip("clip4", "test", "metal"),
        _clip("clip5", "train", "wax"),
    ]
    bank = [
        BankQuestion("a", "Which is softer?", "One is softer.", ("softness",)),
        BankQuestion("b", "Which floats?", "One floats.", ("density", "shape")),
        BankQuestion("c", "Nobody agreed?", "", ("none",)),
    ]
    train, test = ObjectPair("clip10", "clip2", "train"), ObjectPair("clip4", "clip3", "test")
    settled = [
        AgreedAnswer(train, "b", "Which floats?", 0),
        AgreedAnswer(test, "a", "Which is softer?", 1),
        AgreedAnswer(train, "a", "which is softer?", 1),
    ]
    for name, value in files_of(data_of(clips, bank, settled)):
        (folder / name).write_bytes(b"".join(encode_value(value)))


def _first_keys(path: Path) -> list[str]:
    (points, *_) = json.loads(path.read_text()).values()
    (point, *_) = points.values()
    return list(point)


def test_what_is_written_keeps_the_rules(tmp_path: Path) -> None:
    _write(tmp_path)
    assert list(faults(tmp_path)) == []
    objects = json.loads((tmp_path / "objects.json").read_text())
    assert list(objects) == ["object0001", "object0002", "object0003", "object0004"]
    assert objects["object0001"] == {
        "duration": 6.5,
        "bounding_box": [41, 80, 400, 720],
        "materials": ["glass", "wood"],
        "fps": 30,
    }
    assert json.loads((tmp_path / "train_data.json").read_text()) == {
        "object0004_object0001": {
            "question0002": {"label": 0, "text": "Which floats?"},
            "question0001": {"label": 1, "text": "which is softer?"},
        }
    }
    assert json.loads((tmp_path / "test_data.json").read_text()) == {
        "object0003_object0002": {"question0001": {"text": "Which is softer?"}}
    }
    assert json.loads((tmp_path / "train_mat.json").read_text()) == {
        "object0004_object0001": {"q0000": {"label": 1, "text": "Which object is made of glass?"}}
    }
    # The keys of a point stand in the order that the published files have them in.
    assert _first_keys(tmp_path / "train_data.json") == ["label", "text"]
    assert _first_keys(tmp_path / "train_mat.json") == ["text", "label"]
    assert json.loads((tmp_path / "youtube_info.json").read_text())["source1"]["object0002"] == [
        30,
        225,
        127,
    ]


def test_what_tables_call_valid_is_val_in_the_files() -> None:
    clips = [_clip("clip1", "valid", "wood"), _clip("clip2", "valid", "wax")]
    bank = [BankQuestion("a", "Which floats?", "One floats.", ("density",))]
    settled = [AgreedAnswer(ObjectPair("clip1", "clip2", "valid"), "a", "Which floats?", 1)]
    files = dict(files_of(data_of(clips, bank, settled)))
    assert list(files["val_data.json"]) == list(files["val_mat.json"]) == ["object0001_object0002"]
    assert files["train_data.json"] == files["test_data.json"] == {}


def test_what_was_written_is_read_as_it_was(tmp_path: Path) -> None:
    _write(tmp_path)
    data = read_pacs(tmp_path)
    again = tmp_path / "again"
    again.mkdir()
    for name, value in files_of(data):
        (again / name).write_bytes(b"".join(encode_value(value)))
    for path in tmp_path.glob("*.json"):
        assert (again / path.name).read_bytes() == path.read_bytes()
    assert data.points["test"]["object0003", "object0002"]["question0001"].label is None


def test_a_judge_that_finds_nothing_would_be_no_judge(tmp_path: Path) -> None:
    _write(tmp_path)
    path = tmp_path / "train_data.json"
    found = json.loads(path.read_text())
    found["object0004_object0002"] = {"question0009": {"label": 2, "text": ""}}
    path.write_text(json.dumps(found))
    assert len(list(faults(tmp_path))) == 3


@pytest.mark.parametrize(
    ("name", "change", "where"),
    [
        ("objects.json", {"object0001": {"duration": 5}}, "objects.json.object0001"),
        ("questions.json", [], "questions.json"),
        ("train_data.json", {"object0001": {}}, "train_data.json.object0001"),
        ("train_data.json", {"object0001_object0099": {}}, "object0001_object0099"),
        ("val_data.json", {"object0001_object0002": {"q": {"text": ""}}}, "object0002.q"),
        (
            "val_data.json",
            {"object0001_object0002": {"question0001": {"text": "", "label": 2}}},
            "question0001.label",
        ),
        ("youtube_info.json", {"x": {"object0001": [5, 1, 3]}}, "youtube_info.json.x.object0001"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(
    tmp_path: Path, name: str, change: Any, where: str
) -> None:
    _write(tmp_path)
    (tmp_path / name).write_text(json.dumps(change))
    with pytest.raises(ExchangeError) as caught:
        read_pacs(tmp_path)
    assert where in str(caught.value.where)


@pytest.mark.parametrize("text", ["", "[" * 40 + "]" * 40, '{"a": NaN}', '{"a": 1, "a": 2}', "{"])
def test_what_is_no_sound_json_is_refused(tmp_path: Path, text: str) -> None:
    _write(tmp_path)
    (tmp_path / "objects.json").write_text(text)
    with pytest.raises(ExchangeError) as caught:
        read_pacs(tmp_path)
    assert "objects.json" in str(caught.value.where)


def test_an_empty_folder_is_no_data_set(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match=r"The folder contains no PACS data set\."):
        read_pacs(tmp_path)
