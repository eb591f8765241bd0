"""A small team and a task, for tests of the rules of work."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from annotator.domain.annotation.comment import Pin
from annotator.domain.errors import WorkError
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.people import Crew, Person, Role
from annotator.domain.recipes.recipe import Act, Resolution, StageSpec, TaskType, Tool
from annotator.domain.work.acts import Claim, Submit, WorkAct
from annotator.domain.work.event_replay import apply, begin, replay
from annotator.domain.work.events import Created, WorkEvent
from annotator.domain.work.records import (
    AssignmentState,
    Reason,
    TaskRecord,
    Verdict,
    VerdictKind,
)
from annotator.domain.work.transitions import create, plan

HOUR = 3_600_000
START = 1_790_000_000_000
LEAD = PersonId("lead")

DONE = Verdict(VerdictKind.DONE)
APPROVE = Verdict(VerdictKind.APPROVE)
BACK = Verdict(VerdictKind.SEND_BACK, (Reason("A cup is missing.", Pin(frame=30)),))

SEQUENTIAL = TaskType(
    "object-tracks",
    "Object tracks",
    (Tool.BOXES,),
    (
        StageSpec("annotate", "Annotate", Act.ANNOTATE, Role.RATER, lease_hours=2),
        StageSpec("check", "Check", Act.CHECK, Role.RATER, lease_hours=2),
        StageSpec("verify", "Verify", Act.VERIFY, Role.RATER, lease_hours=2, sends_back_to="check"),
    ),
)
SINGLE = TaskType(
    "object-tracks",
    "Object tracks",
    (Tool.BOXES,),
    (StageSpec("annotate", "Annotate", Act.ANNOTATE, may_repeat=True, may_reopen=True),),
)
PARALLEL = TaskType(
    "object-tracks",
    "Object tracks",
    (Tool.BOXES,),
    (
        StageSpec(
            "annotate",
            "Annotate",
            Act.ANNOTATE,
            Role.RATER,
            raters=3,
            max_raters=4,
            resolution=Resolution.MAJORITY,
            adjudicator=Role.REVIEWER,
        ),
        StageSpec("verify", "Verify", Act.VERIFY, Role.REVIEWER, sends_back_to="annotate"),
    ),
)


def staged(task_type: TaskType, key: str, **changes: object) -> TaskType:
    """Return a task type with one stage changed."""
    stages = tuple(
        replace(s, **changes) if s.key == key else s  # type: ignore[arg-type]
        for s in task_type.stages
    )
    return replace(task_type, stages=stages)


class Desk:
    """One task on its way, with everything that happened to it and a clock to be set."""

    def __init__(self, task_type: TaskType = SEQUENTIAL, raters: str = "ABCDE") -> None:
        self.task_type = task_type
        self.people = {PersonId(n): Person(PersonId(n), n) for n in raters}
        self.people[LEAD] = Person(LEAD, "lead", frozenset((Role.LEAD,)))
        self.now = START
        made = create(TaskId("t"), VideoId("v"), task_type, by=LEAD, now=self.now)
        self.events: list[WorkEvent] = [made]
        assert isinstance(made, Created)
        self.record: TaskRecord = begin(made)
        self._numbers = count(1)

    @property
    def crew(self) -> Crew:
        return Crew.of(self.people.values())

    def set_person(self, name: str, *roles: Role, is_active: bool = True) -> None:
        """Add somebody, or alter their roles or whether they are there."""
        who = PersonId(name)
        known = frozenset(roles) or self.people[who].roles
        self.people[who] = Person(who, name, known, is_active)

    def do(self, act: WorkAct) -> list[str]:
        """Plan an act, take it over, and return the kinds of what happened."""
        before = self.record
        events = plan(before, act, self.task_type, self.crew, self.now)
        for event in events:
            self.record = apply(self.record, event)
        self.events += events
        assert replay(self.events) == self.record
        return [event.kind for event in events]

    def refused(self, act: WorkAct) -> str:
        """Plan an act that must not be possible and return the rule that says so."""
        with pytest.raises(WorkError) as caught:
            plan(self.record, act, self.task_type, self.crew, self.now)
        assert caught.value.text
        return caught.value.code

    def new(self, prefix: str = "a") -> AssignmentId:
        """Return an identifier that has not been used."""
        return AssignmentId(f"{prefix}{next(self._numbers)}")

    def claim(self, name: str) -> AssignmentId:
        """Let somebody take the task and return their assignment."""
        self.do(Claim(PersonId(name), self.new()))
        return next(a.id for a in self.record.holders if a.person_id == name)

    def submit(self, name: str, verdict: Verdict, assignment: AssignmentId | None = None) -> str:
        """Let somebody hand in what they hold and return the submission."""
        held = assignment or next(
            a.id
            for a in self.record.assignments
            if a.person_id == name and a.state is AssignmentState.HELD
        )
        submission = SubmissionId(self.new("s"))
        self.do(Submit(PersonId(name), held, submission, verdict))
        return submission

    def work(self, name: str, verdict: Verdict) -> str:
        """Let somebody take the task and hand it in."""
        self.claim(name)
        return self.submit(name, verdict)
