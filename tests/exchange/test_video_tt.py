"""The rows of Video-TT: written, judged by rules of their own, read again; bad files refused."""

from __future__ import annotations

import base64
import json
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet
import pytest

from annotator.benchmarks.video_tt.data_set import (
    COLUMNS,
    QuestionRow,
    encode_rows,
    lettered,
    read_rows,
    texts_of,
)
from annotator.domain.errors import ExchangeError
from annotator.domain.questions.items.groups import GroupRole
from annotator.exchange import parquet
from annotator.exchange.parquet import encode_texts, read_texts

FOREIGN = (
    "eNplkb9PwkAUx98dbSFKTGPyKo0MHaTBBklbKD8SBjEuJgzEOLg22AQIFiwIg6sDMf4F/gW4Objh6uLsZJiMg3+G"
    "76qDxuFzl3fv+33v3V27eeyghAuGhy1UEDYBTkYcAPq+RGsY9MID2qe9YDAIep3uxHhbBwTMolFAC1XyKFkSbJSF"
    "PLlcbnNZaqrXVPOT4RNrkUgUnaiM8jaTwSFcokSUCY+oEFWixuRMXXR3bFkBh3CJElGWFcnjbAcqFFRlxa7Fsljs"
    "2jRQEd0/A22dipTF5KQxb97U8/fPd1f2yxEDlPSGBxll3OkG5z5KgOkcz0izYXSWg5awxgcs/Ik0S8/qBROymNY9"
    "UFT9W4tcs7Q51xbM7Jup3QJdGJCLp1Fpa2ivTFd0c82gCr+9LIyNK649cvM2YT6w/9Z94QRL9P6QNMtMaasE5I2R"
    "H11cBpO9zmi050fRcGZMg2jcG4aGWynaRUcv0Lhi4neiTf/6BRtHR48="
)
"""A file of another writer: two columns, one with nulls, by dictionary, in Snappy."""

_TYPES = (
    "Multiple-choice Question with a Single Correct Answer",
    "Correctly-led Open-ended Question",
    "Primary Open-ended Question",
    "Paraphrased Open-ended Question",
    "Wrongly-led Open-ended Question",
)


def faults(rows: list[dict[str, str]]) -> Iterator[str]:
    """Judge rows from the rules of the format alone."""
    names = "qid video_id question_type capability question duration question_prompt answer"
    by_video: dict[str, list[str]] = {}
    for row in rows:
        if list(row) != [*names.split(), "youtube_url"]:
            yield f"columns {list(row)}"
        if not all(isinstance(value, str) for value in row.values()):
            yield "a column is no text"
        by_video.setdefault(row["video_id"], []).append(row["question_type"])
        is_choice = row["question_type"].startswith("Multiple")
        if is_choice and (len(row["answer"]) != 1 or f"\n{row['answer']}. " not in row["question"]):
            yield f"{row['qid']}: answer"
        if is_choice and "\nD. " not in row["question"]:
            yield f"{row['qid']}: options"
    for video, types in by_video.items():
        if sorted(types) != sorted(_TYPES):
            yield f"{video}: {types}"
    if len({row["qid"] for row in rows}) != len(rows):
        yield "qid"


def _rows(n_videos: int = 3) -> list[QuestionRow]:
    rows: list[QuestionRow] = []
    for video in range(n_videos):
        for number, part in enumerate(GroupRole):
            qid = f"{video:04}-{number}"
            row = QuestionRow(
                qid, f"v{video}", part, "Plot Attribute", "Wieso fällt er?", "12.5", "He slips."
            )
            if part is GroupRole.MULTIPLE_CHOICE:
                options, letter = lettered(("He slips.", "A push.", "He jumps.", "Ice"), qid, 1)
                row = replace(row, options=options, answer=letter)
            rows.append(row)
    return rows


def _written(path: Path, rows: list[QuestionRow]) -> Path:
    path.write_bytes(b"".join(encode_rows(rows, path)))
    return path


@pytest.mark.parametrize("name", ["test.parquet", "test.json"])
def test_what_is_written_keeps_the_rules_and_is_read_again(tmp_path: Path, name: str) -> None:
    rows = _rows()
    path = _written(tmp_path / name, rows)
    assert [replace(row, prompt="") for row in read_rows(path)] == rows
    assert list(faults([texts_of(row) for row in read_rows(path)])) == []


def test_a_judge_that_finds_nothing_would_be_no_judge() -> None:
    texts = [texts_of(row) for row in _rows()]
    assert list(faults(texts[1:]))
    assert list(faults([*texts[:4], {**texts[4], "answer": "E"}, *texts[5:]]))


def test_a_table_of_texts_is_parquet(tmp_path: Path) -> None:
    path = _written(tmp_path / "test.parquet", _rows())
    data = path.read_bytes()
    assert data[:4] == data[-4:] == b"PAR1"
    rows = read_texts(path)
    assert list(rows[0]) == list(COLUMNS)
    assert len(rows) == 15
    assert list(faults(rows)) == []


def test_files_of_other_writers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "foreign.parquet"
    path.write_bytes(zlib.decompress(base64.b64decode(FOREIGN)))
    rows = read_texts(path)
    assert [row["n"] for row in rows] == [str(i) for i in range(21)]
    assert [row["word"] for row in rows] == ["ja", "nein", "", "ja"] * 5 + ["vielleicht " * 6]


@pytest.mark.parametrize("kind", ["own", "foreign"])
def test_damaged_files_are_refused_in_words(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.parquet"
    own = b"".join(encode_rows(_rows(1), path))
    whole = own if kind == "own" else zlib.decompress(base64.b64decode(FOREIGN))
    refused = 0
    for place in range(0, len(whole), 9):
        for change in (0x00, 0xFF):
            path.write_bytes(whole[:place] + bytes([change]) + whole[place + 1 :])
            try:
                read_texts(path)
            except ExchangeError:
                refused += 1
    assert refused > 20
    for end in (0, 5, 11, 40, len(whole) - 1):
        path.write_bytes(whole[:end])
        with pytest.raises(ExchangeError):
            read_texts(path)


def test_the_letter_of_the_right_option_is_drawn_and_stays() -> None:
    options = ("right", "b", "c", "d")
    shown, letter = lettered(options, "q1", 3)
    assert shown["ABCD".index(letter)] == "right"
    assert sorted(shown) == sorted(options)
    assert lettered(options, "q1", 3) == (shown, letter)
    letters = Counter(lettered(options, f"q{n}", 3)[1] for n in range(2000))
    # 500 each; five standard deviations are 97.
    assert all(abs(letters[each] - 500) < 97 for each in "ABCD")


@pytest.mark.parametrize(
    ("change", "where", "words"),
    [
        ({"question_type": "Sung Question"}, "row 5", "Unknown question type “"),
        ({"answer": "E"}, "row 5", "letter"),
        ({"answer": ""}, "row 5", "letter"),
        ({"question": "No options?"}, "row 5", "letter"),
        ({"qid": "0000-0"}, "row 5", "Duplicate qid “"),
    ],
)
def test_a_row_that_breaks_the_rules_is_refused(
    tmp_path: Path, change: dict[str, str], where: str, words: str
) -> None:
    texts = [texts_of(row) for row in _rows(1)]
    path = tmp_path / "x.json"
    path.write_text(json.dumps([*texts[:4], {**texts[4], **change}]), encoding="utf-8")
    with pytest.raises(ExchangeError) as caught:
        read_rows(path)
    assert where in str(caught.value.where)
    assert words in str(caught.value)


def test_columns_without_text_and_tables_too_large_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "numbers.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"n": [1, 2]}), path)
    with pytest.raises(ExchangeError, match="“n” does not contain text"):
        read_texts(path)
    path.write_bytes(encode_texts(["n"], [["a"], ["b"], ["c"]]))
    assert read_texts(path) == [{"n": "a"}, {"n": "b"}, {"n": "c"}]
    # A megabyte that is in the file once and in the table a hundred thousand times.
    bomb = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * 100_000, pyarrow.int32()), pyarrow.array(["x" * (1 << 20)])
    )
    pyarrow.parquet.write_table(pyarrow.table({"n": bomb}), path)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(ExchangeError, match="too large"):
        read_texts(path)
    path.write_bytes(encode_texts(["n"], [["a"], ["b"], ["c"]]))
    monkeypatch.setattr(parquet, "MAX_ROWS", 2)
    with pytest.raises(ExchangeError, match="too large"):
        read_texts(path)


def test_without_pyarrow_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExchangeError) as caught:
        _written(tmp_path / "test.parquet", _rows(1))
    assert "annotator[parquet]" in str(caught.value.hint)
    assert _written(tmp_path / "test.json", _rows(1)).exists()
