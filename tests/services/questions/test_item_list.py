"""Items one by one: flags are told with their reasons, once their task is decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.answer import Flagged
from annotator.domain.errors import WorkError
from annotator.domain.questions.items.item import ItemState
from annotator.services.background.jobs import JobToken
from annotator.services.questions.item_list import item_kinds, item_rows
from tests.services.questions.question_team import QuestionTeam, item
from tests.services.questions.test_resolving import FLAGS

TOKEN = JobToken(lambda *_: None)


def test_flags_and_reasons_of_items_are_told_once_they_are_decided(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, text=FLAGS)
    one, two = item(team.videos[0].id, "One"), item(team.videos[0].id, "Two")
    task = team.add(one, two)
    assert ("questions", "Questions") in item_kinds(team.project)
    for name in ("Ann", "Ben"):
        session, question_set = team.as_(name, task)
        team.answer_all(session, question_set)
        if name == "Ben":
            session.run(question_set.answer(two.id, "flag", Flagged("blurred", "all of it")))
        else:
            session.run(question_set.answer(one.id, "flag", Flagged("blurred")))
        team.work.submit(session)
        with pytest.raises(WorkError):
            item_rows(team.project, "questions", TOKEN)
        team.lead_again()
        rows = {row.question: row for row in item_rows(team.project, "questions", TOKEN)}
        if name == "Ann":
            assert rows["One"].flags == ()
    assert rows["Two"].state is ItemState.DISCARDED
    ((reason, n),) = rows["Two"].flags
    assert (reason.endswith(": all of it"), n) == (True, 1)
    assert rows["One"].videos == "v0"
    team.project.close()
