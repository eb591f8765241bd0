"""Files with answers of models: three shapes, wrong records, and anything at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.domain.errors import ExchangeError
from annotator.exchange.question_answers import ModelAnswer, read_answers

WANTED = {
    "1": ModelAnswer("B", None, None),
    "2": ModelAnswer("He slips.", 4.0, None),
    "3": ModelAnswer("", None, True),
}
RECORDS = [
    {"qid": "1", "answer": "B"},
    {"qid": "2", "answer": "He slips.", "score": 4},
    {"qid": "3", "correct": True},
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORDS),
        "\n".join(map(json.dumps, RECORDS)) + "\n",
        "qid,answer,score,correct\n1,B,,\n2,He slips.,4,\n3,,,true\n",
        '\ufeffid,prediction,score,correct\r\n1,B,,\r\n2,"He slips.",4,\r\n3,,,1\r\n',
    ],
)
def test_all_shapes_say_the_same(text: str, tmp_path: Path) -> None:
    path = tmp_path / "answers"
    path.write_text(text, encoding="utf-8", newline="")
    found = read_answers(path)
    assert (found.answers, found.findings) == (WANTED, ())


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ({"answer": "B"}, "has no ID"),
        ({"qid": ["x"], "answer": "B"}, "has no ID"),
        ({"qid": "9"}, "no answer"),
        ({"qid": "9", "score": 6}, "from 0 to 5"),
        ({"qid": "9", "score": float("1e999")}, "from 0 to 5"),
        ({"qid": "9", "score": True}, "from 0 to 5"),
        ({"qid": "9", "correct": "maybe"}, "true or false"),
        ({"qid": "1", "answer": "C"}, "occurs twice"),
    ],
)
def test_wrong_records_are_named_and_left_out(
    record: dict[str, object], text: str, tmp_path: Path
) -> None:
    path = tmp_path / "answers.jsonl"
    lines = [json.dumps(each) for each in (*RECORDS, record)]
    path.write_text("\n".join(lines).replace("Infinity", "1e999"))
    if "1e999" in path.read_text():
        with pytest.raises(ExchangeError):
            read_answers(path)
        return
    found = read_answers(path)
    assert found.answers == WANTED
    (finding,) = found.findings
    assert text in finding.text
    assert finding.where == "answers.jsonl, line 4"


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[1, 2]", b"{", b"[[[", b"a,b\n1,2\n"])
def test_files_without_answers_are_refused(body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_bytes(body)
    with pytest.raises(ExchangeError):
        read_answers(path)


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    at=st.integers(0, 200), byte=st.integers(0, 255), n=st.integers(0, 3), shape=st.integers(0, 2)
)
def test_mutated_files_end_in_a_result_or_an_error(
    at: int, byte: int, n: int, shape: int, tmp_path: Path
) -> None:
    texts = (
        json.dumps(RECORDS),
        "\n".join(map(json.dumps, RECORDS)),
        "qid,answer,score\n1,B,\n2,He,4\n",
    )
    body = bytearray(texts[shape].encode())
    place = at % len(body)
    body[place : place + n] = bytes([byte])
    path = tmp_path / "answers"
    path.write_bytes(body)
    try:
        found = read_answers(path)
    except ExchangeError:
        return
    assert found.answers
