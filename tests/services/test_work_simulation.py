"""A team in a project file: people come and go, leases end, work is sent back; all gets done."""

from __future__ import annotations

import random
from pathlib import Path

from annotator.domain.annotation.comment import Pin
from annotator.domain.ids import TaskId
from annotator.domain.people import Role
from annotator.domain.work.event_replay import replay
from annotator.domain.work.records import (
    AssignmentState,
    Reason,
    TaskStatus,
    Verdict,
    VerdictKind,
)
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.workflow.work import BoardFilter
from tests.store.samples import video_info

HOUR = 3_600_000
KIND = "object-tracks"
N_VIDEOS, N_PEOPLE = 16, 14
SENT_BACK = Verdict(VerdictKind.SEND_BACK, (Reason("A cup is missing.", Pin(frame=3)),))


class Team:
    """One seeded run."""

    def __init__(self, path: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now = 1_800_000_000_000
        self.project: OpenProject = create_project(path, title="Team", recipe="perception-test")
        self.lead = self.project.work.me
        roles = (Role.RATER, Role.REVIEWER)
        work = self.project.work
        work.transactions.now = lambda: self.now
        self.people = [work.people.add(f"Person {i}", roles) for i in range(N_PEOPLE)]
        for i in range(N_VIDEOS):
            self.project.add_absent_video(video_info(f"v{i}.mp4"))

    def open_tasks(self) -> list[TaskId]:
        rows = self.project.work.board(BoardFilter(kinds=frozenset((KIND,))))
        return [r.task_id for r in rows if r.status is not TaskStatus.COMPLETE]

    def turn(self) -> None:
        """Let somebody do something."""
        work, chance = self.project.work, self.chance
        self.now += chance.randrange(HOUR)
        person = chance.choice([p for p in self.people if work.people.person(p.id).is_active])
        work.people.sign_in(person.id)
        mine = work.my_work()
        held = [h.task_id for h in (*mine.returned, *mine.in_progress) if h.kind == KIND]
        luck = chance.random()
        if not held:
            work.claim_next(KIND)
        elif luck < 0.05:
            work.release(held[0])
        elif luck < 0.08:
            work.skip(held[0], "Too dark")
        elif luck < 0.12:
            self.now += 400 * HOUR
        else:
            session = self.project.open_task(held[0])
            stage = work.stage_of(held[0])
            assert stage is not None
            goes_back = stage.sends_back_to is not None and chance.random() < 0.2
            work.submit(session, SENT_BACK if goes_back else None)

    def help_out(self) -> None:
        """Let the lead hire somebody when tasks wait for nobody."""
        work = self.project.work
        if work.board(BoardFilter(kinds=frozenset((KIND,)), needs_lead=True)):
            assert self.lead is not None
            work.people.sign_in(self.lead.id)
            name = f"Person {len(self.people)}"
            self.people.append(work.people.add(name, (Role.RATER, Role.REVIEWER)))


_FOLDED = (
    "SELECT id, stage, status, round, priority, is_returned, open_slots, role, needs_lead, flags,"
    " lease_until, seq, last_id FROM task ORDER BY id",
    "SELECT * FROM assignment ORDER BY id",
    "SELECT * FROM task_barred ORDER BY 1, 2",
    "SELECT * FROM hand_in ORDER BY 1",
)


def test_every_task_gets_done_by_the_rules(tmp_path: Path) -> None:
    team = Team(tmp_path / "team.annot", seed=4)
    for turn in range(2000):
        team.turn()
        if turn == 40:
            assert team.lead is not None
            team.project.work.people.sign_in(team.lead.id)
            team.project.work.lead.remove_person(team.people[0].id)
        if turn % 20 == 19:
            team.help_out()
            if not team.open_tasks():
                break
    assert team.open_tasks() == []
    team.project.close()
    project = open_project(tmp_path / "team.annot")
    for row in project.work.board(BoardFilter(kinds=frozenset((KIND,)))):
        record = project.work.record(row.task_id)
        assert record == replay(project.work.history(row.task_id))
        assert (row.stage, row.status, row.round) == (record.stage, record.status, record.round)
        counted = [a for a in record.assignments if a.state is AssignmentState.SUBMITTED]
        people = [a.person_id for a in counted]
        assert len(people) == len(set(people)), "somebody had a part twice"
        known = {s.id for s in project.work.submissions(row.task_id)}
        assert {h.submission_id for a in record.assignments for h in a.submissions} == known
    assert project.file.rows("PRAGMA foreign_key_check") == []
    kept = [project.file.rows(query) for query in _FOLDED]
    assert all(kept)
    transactions = project.work.transactions
    for row in project.work.board():
        transactions.fold(transactions.record(row.task_id), transactions.now())
    assert [project.file.rows(query) for query in _FOLDED] == kept
    project.close()
