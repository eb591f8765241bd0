"""Lists of a large JSON file, read element by element, and what is refused of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.track import Keyframe, Source
from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Box
from annotator.exchange import json_stream
from annotator.exchange.formats.base.file_content import PackedKeyframes, PackedScores
from annotator.exchange.json_stream import elements_of, lists_of

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**16), 10**16) | st.text() | st.floats(-1e9, 1e9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.json"


@given(st.dictionaries(st.text(), _VALUES), st.integers(1, 40), st.booleans())
def test_every_list_of_an_object_is_read_whatever_the_chunks(
    tmp_path_factory: pytest.TempPathFactory, value: dict[str, object], chunk: int, is_ascii: bool
) -> None:
    path = tmp_path_factory.mktemp("json") / "a.json"
    value = json.loads(json.dumps(value).encode("utf-8", "replace"))
    text = json.dumps(value, ensure_ascii=is_ascii, indent=1 if chunk % 2 else None)
    if "\\ud" in text:
        return
    path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "_CHUNK", chunk)
        found = _read(path)
    assert found == {key: item for key, item in value.items() if isinstance(item, list)}


def test_elements_that_nobody_takes_are_left_out(file: Path) -> None:
    file.write_text('{"a": [1, 2, 3], "b": [4, {"c": [5]}]}')
    found = {}
    for key, nodes in lists_of(file):
        found[key] = next(nodes).value
    assert found == {"a": 1, "b": 4}


def test_a_place_is_named_by_list_and_number(file: Path) -> None:
    file.write_text('{"a": [{"b": 1}, {"b": "x"}]}')
    ((_, nodes),) = ((key, list(nodes)) for key, nodes in lists_of(file))
    with pytest.raises(ExchangeError) as caught:
        nodes[1].key("b").whole()
    assert caught.value.where == "a.json.a[1].b"


def test_a_list_at_the_top_level_is_read(file: Path) -> None:
    file.write_bytes(b'\xef\xbb\xbf [1, [2], {"a": 3}] ')
    assert [node.value for node in elements_of(file)] == [1, [2], {"a": 3}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not an object"),
        ("[1]", "not an object"),
        ('{"a": [1, 2', "truncated"),
        ('{"a": [1 2]}', "expected a comma"),
        ('{"a": [1,]}', "missing after a comma"),
        ('{"a": [NaN]}', "NaN"),
        ('{"a": [1e999]}', "too large"),
        ('{"a": [{"b": 1, "b": 2}]}', "duplicate key"),
        ('{"a": [1], "a": [2]}', "duplicate key"),
        ('{"a": [1]} x', "unexpected data"),
        ('{"a": ["\\ud800"]}', "surrogate"),
        ('{"a": [{"b": NaN, "c": }]}', "invalid JSON"),
        ('{"a": \n[1, \n{"b" 2}]}', "line 3"),
        ("{1: [2]}", "quoted key"),
        ('{"a": ' + "[" * 100_000, "nested"),
    ],
)
def test_what_is_no_sound_json_is_refused_with_its_place(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(ExchangeError, match=said) as caught:
        _read(file)
    assert "a.json" in (caught.value.where or "")
    assert caught.value.hint


def _read(path: Path) -> dict[str, list[object]]:
    return {key: [node.value for node in nodes] for key, nodes in lists_of(path)}


def test_bytes_that_are_no_text_are_refused(file: Path) -> None:
    file.write_bytes(b'{"a": ["\xff"]}')
    with pytest.raises(ExchangeError, match="UTF-8"):
        list(lists_of(file))


def test_a_value_without_an_end_does_not_fill_the_memory(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "MAX_MEMBER_BYTES", 1000)
    monkeypatch.setattr(json_stream, "_CHUNK", 100)
    file.write_text('{"a": ["' + "x" * 5000 + '"]}')
    with pytest.raises(ExchangeError, match="larger than"):
        list(lists_of(file))


def test_packed_keyframes_are_those_that_were_packed() -> None:
    keys = (
        Keyframe(3, Box(1.1, 2.2, 3.3, 4.4), source=Source.IMPORTED),
        Keyframe(5, None, source=Source.IMPORTED),
        Keyframe(9, Box(-1, 0, 2, 3), occluded=True, source=Source.IMPORTED),
    )
    packed = PackedKeyframes(keys)
    assert packed == keys
    assert hash(packed) == hash(keys)
    assert (packed[-1], packed[1:], len(packed)) == (keys[-1], keys[1:], 3)
    with pytest.raises(IndexError):
        packed[3]


def test_packed_scores_are_found_by_frame() -> None:
    scores = PackedScores([(7, 0.5), (2, 0.25), (7, 0.75)])
    assert dict(scores) == {2: 0.25, 7: 0.75}
    assert scores.get(3) is None
