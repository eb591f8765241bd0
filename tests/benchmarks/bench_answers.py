"""Figures and groups of answers, from the file of a project as large as the Perception Test.

38,060 multiple-choice questions on 2,004 videos, answered by five people, all decided; to one of
each video they say a few words as well. Agreement with 1,000 draws for each interval, over all, by
rater, question and area, and of each item; the groups of words; the check of all votes; the votes
beside the data set. Once the five are the same everywhere, once they are five of twenty, which is
harder for all that compares people. Times are those of this process (CPU).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from annotator.domain.ids import PersonId, new_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.services.background.jobs import JobToken
from annotator.services.project.project_checks import vote_findings
from annotator.services.project.projects import OpenProject
from annotator.services.questions.agreement.agreement import agreement_of
from annotator.services.questions.voting.open_answer_groups import groups_of
from annotator.services.questions.voting.votes_file import write_votes
from annotator.store.columns import id_bytes, now_text
from tests.services.questions.question_team import QuestionTeam, item, recipe

N_QUESTIONS: Final = 38_060
PER_VIDEO: Final = 19
PEOPLE: Final = (5, 20)
PER_ITEM, N_TEMPLATES, N_WORDS = 5, 132, 40
AGREE_S, GROUPS_S, CHECK_S, WRITE_S = 30.0, 10.0, 5.0, 60.0


def main() -> int:
    """Print the times; 1 when a target is missed."""
    return int(not min([measure(people) for people in PEOPLE]))


def measure(people: int) -> bool:
    """Print each figure of a project that so many people answered; False when one is missed."""
    is_met = True
    with tempfile.TemporaryDirectory() as folder:
        team = QuestionTeam(Path(folder), -(-N_QUESTIONS // PER_VIDEO), text=recipe())
        _fill(team, people)
        for name, target, work in _measured(team.project, Path(folder)):
            begun = time.process_time()
            n = work()
            took = time.process_time() - begun
            is_met &= took <= target
            mark = "met" if took <= target else "MISSED"
            told = f"{name}, {people} people"
            sys.stdout.write(f"{told:52} {took:7.2f} s   target {target:g} s  {mark} ({n:,})\n")
        team.project.close()
    return is_met


def _measured(project: OpenProject, folder: Path) -> Iterator[tuple[str, float, Callable[[], int]]]:
    def token() -> JobToken:
        return JobToken(lambda _fraction, _text: None)

    def written() -> int:
        write_votes(project, folder / "votes.json", token())
        return (folder / "votes.json").stat().st_size

    yield (
        "agreement, of each item too",
        AGREE_S,
        lambda: len(agreement_of(project, "questions", token(), by_item=True)),
    )
    yield (
        "groups of what was explained",
        GROUPS_S,
        lambda: len(groups_of(project, "questions", "why", token())),
    )
    yield "check of all votes", CHECK_S, lambda: len(list(vote_findings(project)))
    yield "votes and figures beside a data set", WRITE_S, written


def _fill(team: QuestionTeam, n_people: int) -> None:
    """Ask all questions, and let them be answered as if everybody had handed in."""
    project = team.project
    people = [team.work.people.add(f"P{i:02}", (Role.RATER,)).id for i in range(n_people)]
    asked: list[Item] = [
        item(
            team.videos[i // PER_VIDEO].id,
            f"Question {i % N_TEMPLATES}",
            area=("Physics", "Memory", "Abstraction", "Semantics")[i % 4],
        )
        for i in range(N_QUESTIONS)
    ]
    team.questions.add(asked)
    rng = np.random.default_rng(1)
    with project.file.transaction() as connection:
        tasks = connection.execute("SELECT DISTINCT task_id FROM item").fetchall()
        for (task,) in tasks:
            crew = [people[i] for i in rng.permutation(n_people)[:PER_ITEM].tolist()]
            items = connection.execute("SELECT id FROM item WHERE task_id = ?", (task,)).fetchall()
            for person in crew:
                said = rng.integers(0, 3, len(items)), rng.integers(0, N_WORDS, len(items))
                _hand_in(project, task, person, [key for (key,) in items], said)
        connection.execute("UPDATE task SET status = 'complete'")
        connection.execute("UPDATE item SET state = 'decided'")


def _hand_in(
    project: OpenProject,
    task: bytes,
    person: PersonId,
    items: list[bytes],
    said: tuple[np.ndarray[tuple[int], np.dtype[np.int64]], ...],
) -> None:
    held, submission, who = id_bytes(new_id()), os.urandom(32), id_bytes(person)
    with project.file.transaction() as connection:
        connection.execute(
            "INSERT INTO assignment VALUES (?, ?, 'answer', 1, 1, ?, 'submitted', 0, NULL, 0)",
            (held, task, who),
        )
        connection.execute(
            "INSERT INTO submission SELECT ?, ?, ?, NULL, ?, id, 1, x'7B7D', '', NULL, '', NULL,"
            " ?, NULL FROM replica LIMIT 1",
            (submission, task, held, who, now_text()),
        )
        rows = []
        for key, pick, word in zip(items, *(each.tolist() for each in said), strict=True):
            head = (task, "answer", 1, who, submission)
            rows.append((key, "which", 0, *head, f'{{"picked":["o{pick}"]}}', 0, 900, 1))
            if key == items[0]:
                rows.append((key, "why", 0, *head, f'{{"text":"Word {word}"}}', 0, 900, 1))
        marks = ", ".join("?" * 12)
        connection.executemany(f"INSERT INTO vote VALUES ({marks})", rows)


if __name__ == "__main__":
    sys.exit(main())
