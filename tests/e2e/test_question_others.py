"""Whoever decides a tie reads below each field what the others answered."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtWidgets import QDockWidget, QInputDialog

from annotator.domain.answer import Picked
from annotator.domain.forms.field import Field, FieldKind, Option
from annotator.domain.ids import VideoId, item_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.services.project.projects import open_project
from annotator.ui.forms.fields.answer_texts import others_text
from annotator.ui.forms.question_panel import QuestionPanel
from tests.e2e.conftest import Desktop
from tests.e2e.question_team import CHOICE, make_asking
from tests.e2e.test_questions import asking, begin, view


def test_an_adjudicator_sees_all(desktop: Desktop, clip: Path, tmp_path: Path) -> None:
    team = make_asking(tmp_path, [clip], fields=CHOICE, n=1)
    project = open_project(team.path)
    lead = project.work.me
    assert lead is not None
    for name, pick in (("Ann", "a"), ("Ben", "b")):
        project.work.people.sign_in(team.people[name])
        record = project.work.claim_next("questions")
        assert record is not None
        session = project.open_task(record.id)
        question_set = project.questions.question_set(session)
        session.run(question_set.answer(question_set.items[0].id, "answer", Picked((pick,))))
        project.work.submit(session)
    project.work.people.sign_in(lead.id)
    team.people["Rev"] = project.work.people.add("Rev", (Role.REVIEWER,)).id
    project.close()
    begin(desktop, team, "Rev")
    block = view(desktop.window).block("answer")
    assert block is not None
    assert block.others.text() == "Other raters: It moves to the right ×1; It turns ×1"
    desktop.press("1")
    assert len(asking(desktop.window).values()) == 1


def test_of_ticks_those_are_told_on_which_people_differ() -> None:
    options = (Option("a", "Red"), Option("b", "Round"), Option("c", "Small"))
    field = Field("ticks", "What is it?", FieldKind.CHOICES, options)
    item = Item(item_id(), "questions", (VideoId("v"),))
    torn = ((Picked(("a", "b")), 2), (Picked(("a",), "old"), 1))
    assert others_text(field, item, torn) == "Other raters (of 3): Round ×2; “old” ×1"
    assert others_text(field, item, torn[:1]) == "Other raters: all 2 selected the same options"
    assert others_text(field, item, ()) == ""


def test_picked_objects_are_counted() -> None:
    field = Field("which", "Which objects move?", FieldKind.TRACKS)
    item = Item(item_id(), "questions", (VideoId("v"),))
    answers = ((("t1", "t2"), 2), (("t1",), 1))
    assert others_text(field, item, answers) == "Other raters: 2 objects ×2; 1 object ×1"


def _is_up(desktop: Desktop, name: str) -> bool:
    dock = desktop.window.findChild(QDockWidget, name)
    return isinstance(dock, QDockWidget) and dock.toggleViewAction().isVisible()


def test_a_participant_reads_the_guidelines_and_nothing_else_beside(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    team = make_asking(tmp_path, [clip], fields=CHOICE, n=1)
    project = open_project(team.path)
    guest = project.work.people.add("Kim", (Role.PARTICIPANT,)).id
    project.close()
    window = desktop.window
    assert window.context.projects.open_path(team.path)
    window.context.workspace.sign_in(guest)
    desktop.qtbot.waitUntil(lambda: _is_up(desktop, "guidelines"), timeout=30_000)
    assert not _is_up(desktop, "checklist")
    assert not _is_up(desktop, "comments")
    window.context.workspace.sign_in(team.people["Ann"])
    desktop.qtbot.waitUntil(lambda: _is_up(desktop, "checklist"), timeout=30_000)


def test_an_adjudicator_sees_the_vote_locked_and_overrules_it_with_a_reason(
    desktop: Desktop, clip: Path, tmp_path: Path
) -> None:
    team = make_asking(tmp_path, [clip], fields=CHOICE, n=2)
    project = open_project(team.path)
    lead = project.work.me
    assert lead is not None
    text = project.work.recipe_text()
    allowed = text.replace("resolution =", "may_overrule = true\nresolution =")
    project.work.use_recipe(re.sub(r"^version = \d+", "version = 9", allowed, flags=re.MULTILINE))
    for name, picks in (("Ann", "aa"), ("Ben", "ab")):
        project.work.people.sign_in(team.people[name])
        record = project.work.claim_next("questions")
        assert record is not None
        session = project.open_task(record.id)
        question_set = project.questions.question_set(session)
        for item, pick in zip(question_set.items, picks, strict=True):
            session.run(question_set.answer(item.id, "answer", Picked((pick,))))
        project.work.submit(session)
    project.work.people.sign_in(lead.id)
    team.people["Rev"] = project.work.people.add("Rev", (Role.REVIEWER,)).id
    project.close()
    begin(desktop, team, "Rev")
    panel, at = desktop.window.findChild(QuestionPanel), asking(desktop.window)
    assert isinstance(panel, QuestionPanel)
    assert at.at == 1  # what is open comes first
    assert not panel.vote.isVisibleTo(panel)
    at.go_to(0)
    assert panel.vote.text.text() == "Resolved by vote. The answers are locked."
    assert panel.view is not None
    assert not panel.view.isEnabled()
    before = at.values()
    keys = [option.key for option in at.options(at.form.fields[0])]
    digit = str(1 + keys.index("b"))
    desktop.press(digit)
    assert at.values() == before
    panel.vote.overrule.click()
    dialog = panel.vote.findChild(QInputDialog)
    assert isinstance(dialog, QInputDialog)
    dialog.setTextValue("It <b>turns</b> later")
    dialog.accept()
    assert panel.vote.text.text() == "Vote overruled: It <b>turns</b> later"
    assert panel.view.isEnabled()
    desktop.press(digit)
    assert at.values() == {"answer": Picked(("b",))}
    desktop.press("Ctrl+Z")
    desktop.press("Ctrl+Z")
    assert at.values() == before
    assert not panel.view.isEnabled()
