"""A project with settled questions and a study of them, for people who are no raters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from annotator.domain.answer import Picked
from annotator.domain.ids import PersonId
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.services.project.projects import OpenProject
from tests.services.questions.question_team import QuestionTeam, item, recipe

STUDY = """
[[task_types]]
kind = "people"
title = "People"
purpose = "study"
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
[task_types.form]
[[task_types.form.fields]]
key = "which"
title = "Which?"
kind = "choice"
from_item = true
is_shuffled = true
[task_types.study]
of = ["questions"]
answers = 2
per_person = 4
[[task_types.study.conditions]]
key = "sound"
title = "With sound"
[[task_types.study.conditions]]
key = "muted"
title = "Without sound"
viewing = { is_muted = true }
"""

Script = Callable[[str, Item, bool], str]
"""What somebody answers to an item, seen muted or not."""


def question_team(
    folder: Path, n_videos: int = 4, per_video: int = 1, *, group: str = ""
) -> QuestionTeam:
    """Return a project in which Ann and Ben have settled questions on all videos but the last."""
    team = QuestionTeam(folder, n_videos, text=recipe() + STUDY)
    areas = ("Physics", "Memory")
    for i, info in enumerate(team.videos):
        team.lead_again()
        task_id = team.add(
            *(
                item(
                    info.id,
                    f"Question {i}.{j}",
                    area=areas[i % 2],
                    tags=(f"tag {i % 3}",),
                    group=group,
                )
                for j in range(per_video)
            )
        )
        if i < n_videos - 1:
            team.hand_in("Ann", task_id)
            team.hand_in("Ben", task_id)
    team.lead_again()
    return team


def participants(team: QuestionTeam, n: int, first: int = 0) -> list[PersonId]:
    """Add people who are there for studies alone."""
    team.lead_again()
    for i in range(first, first + n):
        name = f"Guest {i}"
        team.people[name] = team.work.people.add(name, (Role.PARTICIPANT,))
    return [team.people[f"Guest {i}"].id for i in range(first, first + n)]


def answer_all(
    project: OpenProject, person_id: PersonId, script: Script, *, most: int = 1000
) -> int:
    """Let somebody answer what the program hands them, up to so many tasks; return how many."""
    project.work.people.sign_in(person_id)
    name = project.work.people.person(person_id).name
    for done in range(most):
        record = project.work.claim_next()
        if record is None:
            return done
        session = project.open_task(record.id)
        question_set = project.questions.question_set(session)
        for asked in question_set.items:
            pick = script(name, asked, session.viewing.is_silent)
            session.run(question_set.answer(asked.id, "which", Picked((pick,)), took_ms=1500))
        project.work.submit(session)
    return most
