"""The short way through JSON says what the long way says, or nothing."""

from __future__ import annotations

import copy
import json

import pytest

from annotator.domain.errors import ExchangeError
from annotator.exchange import strict_json
from annotator.exchange.strict_json import JsonObjectFile, quick_entry, quick_spans
from tests.exchange.files import NAME, canonical, example

ENTRY = b'{"metadata":{"a":1},"object_tracking":[{"id":0,"boxes":[[0.1,0,1e-5,2]]}]}'


@pytest.fixture
def large(monkeypatch):
    """Have every file count as a large one, read in pieces of a few bytes."""
    monkeypatch.setattr(strict_json, "_MANY_BYTES", 0)
    monkeypatch.setattr(strict_json, "_CHUNK_BYTES", 7)


def test_a_usual_entry_is_read_as_json_reads_it():
    assert quick_entry(ENTRY) == json.loads(ENTRY)
    usual = {task: value for task, value in example().items() if task != "object_tracking"}
    text = json.dumps(usual)
    assert repr(quick_entry(text.encode())) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        b'{"metadata":{"a":1,"a":2}}',
        b'{"metadata":{"a" :1,"a":2}}',
        b'{"metadata":{},"metadata":{}}',
        b'{"metadata":{"a":1e999}}',
        b'{"metadata":{"a":NaN}}',
        b'{"metadata":{"a":1234567890123456789}}',
        b'{"metadata":{"a":[1,1234567890123456789]}}',
        b'{"metadata":{"a":[[1],[1234567890123456789]]}}',
        b'{"metadata":{"a":[[["deep"]]]}}',
        b'{"metadata":{"a":[{"b":1}]}}',
        b'{"metadata":{"a":{"b":1}}}',
        b'{"metadata":{"a":"{"}}',
        b'{"metadata":{"a":"\\ud800"}}',
        b'{"metadata":{"a":"\xff"}}',
        b'{"metadata":{"a":"x\ny"}}',
        b'{"metadata":5}',
        b'{"metadata":[1,2]}',
        b'{"metadata":[{"a":1},2]}',
        b'{"metadata":{"a":1},}',
        b"[1]",
        b'"text"',
        b"",
    ],
)
def test_what_is_unusual_or_wrong_is_left_to_the_long_way(text):
    assert quick_entry(text) is None


def spans(folder, text):
    path = folder / "file.json"
    path.write_bytes(text)
    return quick_spans(path)


def test_members_are_found_in_pieces_of_any_size(tmp_path, large):
    other = copy.deepcopy(example())
    other["mc_question"][0]["question"] = 'Is "{" a brace?'
    other["lab"] = {"ä": "} ]"}
    for text in (
        canonical((NAME, example()), ("video_12", other)),
        json.dumps({NAME: example(), "video_12": other}).encode(),
        json.dumps({NAME: example(), "video_12": other}, indent=2).encode(),
    ):
        found = spans(tmp_path, text)
        assert found is not None
        assert list(found) == list(json.loads(text))
        for name, (start, end) in found.items():
            assert json.loads(text[start:end]) == json.loads(text)[name]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"[]",
        b'{"a":{}',
        b'{"a":{}}}',
        b'{"a":{}}{}',
        b'{"a":{},"a":{}}',
        b'{"a":{},}',
        b'{,"a":{}}',
        b'{"a":{} "b":{}}',
        b'{"a":5}',
        b'{"a":{},"b":5}',
        b'{"a":[{}]}',
        b'{"a":{"b":"unfinished}}',
        b'{"a":{"b":"\\\\"}}',
        b"{a:{}}",
    ],
)
def test_files_of_another_make_are_left_to_the_long_way(tmp_path, large, text):
    assert spans(tmp_path, text) is None


def test_what_the_short_way_leaves_is_refused_with_its_place(tmp_path, large):
    deep = b"[" * 40 + b"]" * 40
    for text, said in (
        (b'{"a":{"b":1,"b":2}}', "duplicate key"),
        (b'{"a":{"b":%b}}' % deep, "nested brackets"),
        (b'{"a":{"b":NaN}}', "NaN"),
    ):
        path = tmp_path / "file.json"
        path.write_bytes(text)
        with JsonObjectFile(path) as file, pytest.raises(ExchangeError, match=said) as caught:
            file.member("a")
        assert "$.a" in str(caught.value)
