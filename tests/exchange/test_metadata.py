"""Tables of metadata: what is understood, what is kept, and what is refused with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.errors import ExchangeError
from annotator.exchange.metadata import MetadataFile, MetadataRefusedError, read_metadata

HEADER = "video,script,variation,participant,camera,indoor,split,cut_frame,lamp\n"


def read(tmp_path: Path, data: str | bytes, name: str = "m.csv") -> MetadataFile:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_metadata(path)


def test_known_columns_are_understood_and_others_kept(tmp_path) -> None:
    found = read(tmp_path, HEADER + "a.mp4,cups game,2,7,Moving,yes,val,120,on\nb.mp4,,,,,,,,\n")
    first, second = found.rows
    assert first.video == "a.mp4"
    assert first.values == {
        "script": "cups game",
        "variation": "2",
        "participant": "7",
        "camera": "moving",
        "indoor": True,
        "split": "valid",
        "cut_frame": 120,
        "lamp": "on",
    }
    assert (second.line, second.values) == (3, {})
    assert found.notes == ("Columns stored without interpretation: lamp.",)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_dialects_and_encodings(tmp_path, delimiter, encoding) -> None:
    text = delimiter.join(["Video", "Participant"]) + "\r\n"
    text += delimiter.join(['"Löffel, groß; 1|2.mp4"', "7"]) + "\r\n"
    found = read(tmp_path, text.encode(encoding))
    assert found.rows[0].video == "Löffel, groß; 1|2.mp4"
    assert found.rows[0].values == {"participant": "7"}
    assert any("Latin-1" in note for note in found.notes) == (encoding == "latin-1")


def test_every_bad_row_is_named_by_its_line(tmp_path) -> None:
    rows = [
        "a.mp4,s,1,7,wobbling,yes,train,9,x",
        "b.mp4,s,1,7,static,maybe,train,9,x",
        ",s,1,7,static,yes,train,9,x",
        "c.mp4,s,1",
        '"d\n.mp4",s,1,7,static,yes,elsewhere,-4,x',
        "a.mp4,s,1,7,static,yes,test,1,x",
    ]
    with pytest.raises(MetadataRefusedError) as refused:
        read(tmp_path, HEADER + "\n".join(rows))
    assert [line for line, _ in refused.value.problems] == [2, 3, 4, 5, 6, 6, 8]
    text = str(refused.value)
    for part in (
        "wobbling",
        "maybe",
        "the video name is missing",
        "9 cells",
        "elsewhere",
        "-4",
        "line 2 already",
    ):
        assert part in text
    assert "No data was imported" in text


@pytest.mark.parametrize(
    "value",
    [
        [{"name": "a.mp4", "script": "s", "cut_frame": 9, "note": {"deep": [1]}}],
        {"videos": [{"id": "a.mp4", "Script": "s", "cut-frame": 9, "note": {"deep": [1]}}]},
        {"a.mp4": {"script": "s", "cut_frame": 9, "note": {"deep": [1]}}},
    ],
)
def test_json_in_its_usual_forms(tmp_path, value) -> None:
    (row,) = read(tmp_path, json.dumps(value), "m.json").rows
    assert (row.line, row.video) == (1, "a.mp4")
    assert row.values == {"script": "s", "cut_frame": 9, "note": {"deep": [1]}}


def test_a_file_of_cut_frames_is_a_table(tmp_path) -> None:
    found = read(tmp_path, json.dumps({"video_12": -1, "video_34": 412}), "cut.json")
    assert {row.video: row.values for row in found.rows} == {
        "video_12": {"cut_frame": -1},
        "video_34": {"cut_frame": 412},
    }
    assert found.columns == ("cut_frame",)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("m.csv", b"", "no rows"),
        (
            "m.csv",
            b"script,split\ns,train\n",
            "The column with the video names is missing",
        ),
        ("m.csv", b"video,x,x\na,1,2\n", r"A column name is empty or occurs twice\."),
        ("m.csv", b'video,x\na.mp4,"open\n', "invalid CSV:"),
        ("m.csv", b"video\x00", r"Cannot read the table: it is a binary file\."),
        ("m.json", b"{", "Invalid JSON:"),
        ("m.json", b"[" * 100_000, "Invalid JSON:"),
        ("m.json", b"3", "list of objects"),
        ("m.json", b"[3]", "line 1: expected an object"),
        ("m.json", b'{"a": 3, "b": "4"}', "line 2: expected an object"),
        ("m.json", b'{"a": true}', "line 1: expected an object"),
        ("m.json", b'{"a": 0}', "leaves nothing"),
        ("m.json", b'[{"video": "a", "cut_frame": NaN}]', "NaN"),
        ("m.json", b'[{"video": "a", "cut_frame": true}]', "no frame number"),
        ("m.json", b'[{"video": "a", "cut_frame": -2}]', "no frame number"),
        ("m.csv", b"video,cut_frame\na,0\n", "leaves nothing"),
        ("m.json", b'[{"video": "a", "script": [1]}]', "a name or a number"),
        ("m.json", b'[{"video": 4}]', "the video name is missing"),
    ],
)
def test_files_that_are_no_tables_are_refused_with_the_reason(tmp_path, name, data, words) -> None:
    with pytest.raises(ExchangeError, match=words):
        read(tmp_path, data, name)


def test_a_missing_file_is_refused(tmp_path) -> None:
    with pytest.raises(ExchangeError, match="Cannot read the table:"):
        read_metadata(tmp_path / "none.csv")


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(tmp_path_factory, data) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(b"video,split\n" + data)
    try:
        found = read_metadata(path)
    except ExchangeError:
        return
    assert all(row.video for row in found.rows)
