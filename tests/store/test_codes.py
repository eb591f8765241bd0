"""Identifiers, times and JSON keep their values in the columns."""

from __future__ import annotations

import re

import pytest

from annotator.domain.ids import new_id
from annotator.store.columns import (
    id_bytes,
    id_text,
    json_object,
    json_text,
    json_texts,
    now_text,
)


def test_identifiers_are_sixteen_bytes_that_sort_as_made() -> None:
    ids = [new_id() for _ in range(50)]
    stored = [id_bytes(i) for i in ids]
    assert {len(s) for s in stored} == {16}
    assert sorted(stored) == stored
    assert [id_text(s) for s in stored] == ids


@pytest.mark.parametrize("text", ["", "track-1", "0" * 35])
def test_only_uuids_are_identifiers(text: str) -> None:
    with pytest.raises(ValueError):
        id_bytes(text)


def test_times_are_utc_with_milliseconds() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now_text())


def test_json_columns_keep_values() -> None:
    value = {"b": [1, 2.5, None, True], "ä": {"x": "y\n"}}
    assert json_object(json_text(value)) == value
    assert json_texts(json_text(("a", "b"))) == ("a", "b")
