"""Who may take a task is one rule: queue, board, window, packages, studies and hubs go by it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from annotator.domain.answer import Picked
from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId, ProjectId, TaskId, new_id
from annotator.domain.people import Person, Role
from annotator.domain.questions.items.item import Purpose
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.records import Reason, TaskRecord, Verdict, VerdictKind
from annotator.domain.work.rules import may_begin, may_take
from annotator.services.hub.lead_sync import Sharing
from annotator.services.packages.packages import give_tasks
from annotator.services.questions.studies import studies
from annotator.store.workflow.queue import Queue, list_free
from annotator.ui.state.stage import task_role
from tests.media.encoding import encode
from tests.services.questions.question_team import QuestionTeam, item
from tests.services.questions.study_team import STUDY
from tests.services.questions.test_qualification import TESTED
from tests.sync.worlds import MemoryWorld

TRACKS = """
[[task_types]]
kind = "tracks"
title = "Tracks"
tools = ["boxes"]
[[task_types.stages]]
key = "draw"
title = "Draw"
act = "annotate"
role = "rater"
lease_hours = 5
[[task_types.stages]]
key = "check"
title = "Check"
act = "check"
role = "rater"
sends_back_to = "draw"
may_choose = true
[[task_types.stages]]
key = "verify"
title = "Verify"
act = "verify"
role = "reviewer"
sends_back_to = "check"
"""
BACK = Verdict(VerdictKind.SEND_BACK, (Reason("Draw the handle."),))
ROLES = ([Role.RATER], [Role.RATER, Role.REVIEWER], [Role.REVIEWER], [Role.PARTICIPANT])
HOUR = 3_600_000


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("clips")
    paths = [folder / f"{i}.mp4" for i in range(3)]
    for i, path in enumerate(paths):
        encode(path, numbers=range(4 + i))
    return paths


class Team:
    """A project with stages, a vote, a test, a study, and people of all roles."""

    def __init__(self, home: Path, clips: list[Path], chance: Random) -> None:
        self.chance = chance
        made = QuestionTeam(home, 0, text=TESTED + TRACKS + STUDY)
        self.team, self.project, self.work = made, made.project, made.work
        self.now = 1_900_000_000_000
        self.work.transactions.now = lambda: self.now
        self.project.add_videos(clips)
        videos = [entry.id for entry in self.project.videos()]
        for name in ("Dan", "Eve", "Fay"):
            made.people[name] = self.work.people.add(name, ROLES[0])
        made.people["Rae"] = self.work.people.add("Rae", [Role.REVIEWER])
        guests = [self.work.people.add(f"Guest {i}", [Role.PARTICIPANT]) for i in range(4)]
        made.people |= {guest.name: guest for guest in guests}
        test = item(videos[0], "Test", right={"which": ("o1",)}, purpose=Purpose.QUALIFICATION)
        first = made.add(replace(test, kind="answer-test"))
        asked = [made.add(item(video_id, f"About {video_id}?")) for video_id in videos]
        self.lead = made.people["lead"].id
        for name in ("Ann", "Ben"):
            self._as(name, first)
            self._as(name, asked[0])
        self.work.people.sign_in(self.lead)
        wish = studies.wish_for(self.project, "people", "Spring", [g.id for g in guests])
        studies.make_study(self.project, wish)

    def _as(self, name: str, task: TaskId) -> None:
        self.work.people.sign_in(self.team.people[name].id)
        self.work.claim(task)
        self._submit(task, is_careful=True)

    def people(self) -> list[Person]:
        return self.work.people.all()

    def turn(self) -> None:
        """Let somebody do something; what the rules forbid changes nothing."""
        chance, work = self.chance, self.work
        self.now += 6 * HOUR if chance.random() < 0.04 else 60_000
        person = chance.choice([p for p in self.people() if p.is_active and p.roles])
        task = chance.choice(self.project.tasks()).id
        try:
            if chance.random() < 0.12:
                self._lead_does(task, person)
            else:
                work.people.sign_in(person.id)
                self._rater_does(task)
        except UserError:
            pass
        finally:
            work.people.sign_in(self.lead)

    def _rater_does(self, task: TaskId) -> None:
        chance, work = self.chance, self.work
        held = [each.task_id for each in work.in_hand()]
        luck = chance.random()
        if not held or luck < 0.25:
            work.claim_next() if luck < 0.8 else work.claim(task)
        elif luck < 0.3:
            work.release(chance.choice(held))
        elif luck < 0.35:
            work.skip(chance.choice(held), "Too dark")
        else:
            self._submit(chance.choice(held))

    def _submit(self, task: TaskId, *, is_careful: bool = False) -> None:
        session, chance = self.project.open_task(task), self.chance
        if self.project.task(task).kind == "tracks":
            stage = self.work.stage_of(task)
            is_back = stage is not None and stage.sends_back_to and chance.random() < 0.4
            self.work.submit(session, BACK if is_back else None)
            return
        question_set = self.project.questions.question_set(session)
        keys = {each.key for each in question_set.form.fields}
        for each in question_set.items:
            is_right = is_careful or chance.random() < 0.8
            pick = Picked(("o1" if is_right else "o0",))
            session.run(question_set.answer(each.id, "which", pick, took_ms=900))
            if "seen" in keys:
                session.run(question_set.answer(each.id, "seen", True, took_ms=900))
        self.work.submit(session)

    def _lead_does(self, task: TaskId, person: Person) -> None:
        chance, lead = self.chance, self.work.lead
        self.work.people.sign_in(self.lead)
        match chance.randrange(8):
            case 0:
                lead.take_back([task], "Urgent")
            case 1:
                lead.assign([task], person.id, overrules=chance.random() < 0.5, reason="Asked")
            case 2:
                lead.prioritize([task], chance.randrange(10))
            case 3 if person.id != self.lead:
                lead.remove_person(person.id)
            case 4:
                gone = [p for p in self.people() if not p.is_active]
                if gone:
                    lead.bring_back(chance.choice(gone).id)
            case 5 if person.id != self.lead:
                self.work.people.set_roles(person.id, chance.choice(ROLES))
            case 6:
                lead.bar([task], [person.id], "Knows the people in it")
            case _:
                lead.reopen([task], "Look again")


@dataclass(frozen=True)
class Case:
    """A task that waits for somebody, and what the rule says of a person."""

    record: TaskRecord
    task_type: TaskType
    person: Person
    is_free: bool


def _cases(team: Team) -> list[Case]:
    found = []
    for task in team.project.tasks():
        record = team.work.record(task.id)
        task_type = team.work.recipe.task_type(record.kind)
        assert task_type is not None
        for person in team.people():
            refusal = may_take(record, person, task_type)
            found.append(Case(record, task_type, person, refusal is None))
    return found


def _in_queue(team: Team, person: Person) -> set[TaskId]:
    """Return what the queues offer to a person, read from the file."""
    found: set[TaskId] = set()
    with team.project.file.reading() as connection:
        for task_type in team.work.recipe.task_types:
            if not may_begin(person, task_type):
                continue
            for stage in task_type.stages:
                queue = Queue(task_type.kind, stage.key)
                found |= {
                    each.task_id
                    for each in list_free(connection, person.id, person.roles, queue, 1000)
                }
    return found


def _check_queue_board_and_window(team: Team) -> None:
    queues = {p.id: _in_queue(team, p) for p in team.people() if p.is_active}
    trial = team.work.lead.trial()
    for case in _cases(team):
        task_id, person = case.record.id, case.person
        told = f"{case.record.kind} {case.record.stage} {person.name} {person.roles}"
        if person.is_active:
            waits = case.is_free and case.record.needs_lead is None
            assert (task_id in queues[person.id]) == waits, told
        else:
            assert not case.is_free, told
        if task_role(team.work, task_id, person).may_claim:
            assert case.is_free, told
        if case.is_free:
            assert trial.assign([task_id], person.id) == [], told


def _check_packages(team: Team) -> None:
    """Give somebody all there is: it is what the rule lets them have, and nothing else."""
    lead = team.work.people.check_lead()
    person = team.chance.choice([p for p in team.people() if p.is_active])
    for task_type in team.work.recipe.task_types:
        free = {
            case.record.id
            for case in _cases(team)
            if case.is_free
            and case.person.id == person.id
            and case.task_type == task_type
            and case.record.needs_lead is None
        }
        given = give_tasks(team.project, lead, person, task_type, up_to=1000)
        assert set(given) == free, f"{task_type.kind} {person.name} {person.roles}"


def _check_hub(team: Team, home: Path) -> None:
    """Let each person claim all they can at a hub of their own: the same again."""
    project_id = ProjectId(team.project.file.meta("project_id") or "")
    world = MemoryWorld(HOUR, project_id)
    hub = world.hub(team.lead)
    hub.take_write_role()
    sharing = Sharing(team.project, hub)
    active = [p for p in team.people() if p.is_active]
    for person in active:
        sharing.add_member(person.id)
    wanted = {
        person.id: {
            case.record.id
            for case in _cases(team)
            if case.is_free
            and case.person.id == person.id
            and case.record.needs_lead is None
            and case.task_type.passing is None
            and case.task_type.study is None
        }
        for person in active
    }
    sharing.publish(_unassigned(team))
    for person in active:
        own = world.hub(person.id)
        claimed: dict[str, str] = {}
        while (lease := own.claim(claim_id := new_id())) is not None:
            claimed[claim_id] = lease.seat_id
        held = {r.id for r in _held(team, person.id)}
        found = {TaskId(seat_id[:36]) for seat_id in claimed.values()}
        assert found - held == wanted[person.id], f"{person.name} {person.roles}"
        for claim_id in claimed:
            own.release(claim_id)


def _unassigned(team: Team) -> list[TaskId]:
    kinds = {"tracks", "questions", "object-tracks", "pairs"}
    return [task.id for task in team.project.tasks() if task.kind in kinds]


def _held(team: Team, person_id: PersonId) -> list[TaskRecord]:
    records = [team.work.record(task.id) for task in team.project.tasks()]
    return [r for r in records if any(h.person_id == person_id for h in r.holders)]


@settings(max_examples=20, phases=[Phase.generate])
@given(st.integers(0, 1 << 32))
def test_queue_board_window_packages_and_hubs_go_by_one_rule(clips: list[Path], seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        team = Team(home, clips, Random(seed))
        for _ in range(6):
            for _ in range(20):
                team.turn()
            team.work.transactions.expire_leases()
            _check_queue_board_and_window(team)
        _check_hub(team, home)
        _check_packages(team)
        team.project.close()
