"""Tables as CSV: whole or not at all, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from annotator.domain.errors import UserError
from annotator.services.tables import Cell, write_table


def _read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_texts_and_numbers_come_back(tmp_path: Path) -> None:
    path = tmp_path / "hours.csv"
    rows: list[tuple[Cell, ...]] = [("Čaj, černý", 3, 0.25), ('two "cups"\nand a lid', -1, 2.0)]
    write_table(path, ["Task", "Items", "Hours"], rows)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert _read(path) == [
        ["Task", "Items", "Hours"],
        ["Čaj, černý", "3", "0.25"],
        ['two "cups"\nand a lid', "-1", "2.0"],
    ]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@A1", " =HYPERLINK()", "\t=1", "\r=1"])
def test_a_text_is_no_formula(tmp_path: Path, text: str) -> None:
    path = tmp_path / "names.csv"
    write_table(path, ["Name", text], [(text, "cup")])
    assert _read(path) == [["Name", f"'{text}"], [f"'{text}", "cup"]]


def test_a_long_table_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    write_table(path, ["n"], [(i,) for i in range(5_003)])
    assert [row[0] for row in _read(path)[1:]] == [str(i) for i in range(5_003)]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_text("kept")

    def rows() -> list[tuple[Cell, ...]]:
        raise UserError("Nothing to read.")

    with pytest.raises(UserError):
        write_table(path, ["a"], (row for _ in range(1) for row in rows()))
    assert path.read_text() == "kept"
    assert [p.name for p in tmp_path.iterdir()] == ["old.csv"]
    with pytest.raises(UserError, match="cannot be written"):
        write_table(tmp_path / "gone" / "a.csv", ["a"], [])
