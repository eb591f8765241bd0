"""The people of a study: chosen one by one, or by a button for many."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from annotator.domain.ids import PersonId
from annotator.domain.people import Person, Role
from annotator.ui.lead.studies.study_dialogs import PeopleList

RATER = Person(PersonId("1"), "Ann", frozenset((Role.RATER,)))
PARTICIPANT = Person(PersonId("2"), "Kim", frozenset((Role.PARTICIPANT,)))
LEFT = Person(PersonId("3"), "Max", frozenset((Role.PARTICIPANT,)), is_active=False)


@pytest.mark.parametrize(
    ("button", "chosen"),
    [("select-all", {"1", "2"}), ("select-participants", {"2"}), ("clear-selection", set())],
)
def test_a_button_selects_many_people_at_once(qtbot: QtBot, button: str, chosen: set[str]) -> None:
    page, people = QWidget(), PeopleList([RATER, PARTICIPANT, LEFT], [RATER.id])
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    column.addWidget(people)
    column.addLayout(people.buttons())
    with qtbot.waitSignal(people.ticked):
        page.findChild(QPushButton, button).click()
    assert set(people.chosen()) == chosen
