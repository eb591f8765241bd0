"""Tables of the lead dashboard: columns fit their contents, an empty one tells what will appear."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable

LONG = "What is the person in the video most likely to do next?"


@pytest.fixture
def table(qtbot: QtBot) -> RowTable:
    columns: RowColumns[tuple[str, str]] = RowColumns(
        ["Question", "Reason"], lambda row, x: row[x], lambda row, x: row[x]
    )
    table = RowTable(RowModel(columns), "Items", (60, 20), "No items yet.")
    qtbot.addWidget(table)
    table.resize(900, 200)
    table.show()
    return table


def _model(table: RowTable) -> RowModel[tuple[str, str]]:
    model = table.model()
    assert isinstance(model, RowModel)
    return model


def test_an_empty_table_tells_what_will_appear(table: RowTable) -> None:
    assert table.hint.isVisible()
    assert table.hint.text() == "No items yet."
    _model(table).set_rows([(LONG, "")])
    assert not table.hint.isVisible()
    _model(table).set_rows([])
    assert table.hint.isVisible()


def test_columns_are_as_wide_as_their_contents_up_to_a_limit(table: RowTable) -> None:
    columns = table.horizontalHeader()
    narrow = columns.sectionSize(1)
    _model(table).set_rows([(LONG, "")])
    assert columns.sectionSize(1) == narrow
    assert columns.sectionSize(0) >= table.fontMetrics().horizontalAdvance(LONG)
    _model(table).set_rows([(LONG, "x" * 200)])
    assert narrow < columns.sectionSize(1) < 300


def test_a_column_keeps_the_width_that_a_person_gave_it(table: RowTable) -> None:
    rows = [(LONG, "The votes differ")]
    _model(table).set_rows(rows)
    columns = table.horizontalHeader()
    columns.resizeSection(1, 40)
    _model(table).set_rows(rows * 2)
    assert columns.sectionSize(1) == 40


def test_a_narrow_table_scrolls_instead_of_hiding_its_first_column(table: RowTable) -> None:
    _model(table).set_rows([(LONG, "The votes differ")])
    table.resize(200, 200)
    wanted = table.fontMetrics().horizontalAdvance(LONG)
    assert table.horizontalHeader().sectionSize(0) >= min(wanted, 60 * 5)


def test_the_first_column_in_sight_fills_the_table(table: RowTable) -> None:
    columns, model = table.horizontalHeader(), _model(table)
    model.set_rows([(LONG, "The votes differ")])
    fitted = columns.sectionSize(1)
    table.setColumnHidden(0, True)
    model.set_rows([("", "The votes differ")])
    assert columns.sectionSize(1) == table.viewport().width()
    table.setColumnHidden(0, False)
    model.set_rows([(LONG, "The votes differ")])
    assert columns.sectionSize(1) == fitted
    table.columns.reset()
    model.set_rows([(LONG, "")])
    assert columns.sectionSize(1) < fitted
    assert columns.length() == table.viewport().width()
