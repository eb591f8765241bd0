"""A team in memory: thousands of tasks, hundreds of people, everything goes wrong.

People are moved by a seed. The queue stands in for the store's: it keeps, beside each open task,
who is excluded from it, and never looks at a task twice for nothing.
"""

from __future__ import annotations

import heapq
import random
import time
from dataclasses import dataclass, field, replace

from annotator.domain.annotation.comment import Pin
from annotator.domain.errors import WorkError
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.people import Crew, Person, Role
from annotator.domain.recipes.recipe import Act, TaskType
from annotator.domain.work.acts import (
    Assign,
    Claim,
    Close,
    Expire,
    Leave,
    OpenRound,
    Prioritize,
    Release,
    Renew,
    Reopen,
    Skip,
    Submit,
    Withdraw,
    WorkAct,
)
from annotator.domain.work.event_replay import apply, replay
from annotator.domain.work.events import WorkEvent
from annotator.domain.work.records import Reason, TaskRecord, TaskStatus, Verdict, VerdictKind
from annotator.domain.work.rules import excluded_people
from annotator.domain.work.transitions import create, plan

LEAD = PersonId("lead")
MINUTE = 60_000
DAY = 86_400_000

_DONE = Verdict(VerdictKind.DONE)
_APPROVE = Verdict(VerdictKind.APPROVE)
_BACK = Verdict(VerdictKind.SEND_BACK, (Reason("A cup is missing.", Pin(frame=30), "missing"),))


@dataclass
class Team:
    """The state of the team. ``costs`` are seconds of the processor for each act that was done."""

    task_type: TaskType
    n_tasks: int
    n_people: int
    seed: int
    return_share: float = 0.2
    n_whims: int = 1500
    now: int = 1_790_000_000_000
    people: dict[PersonId, Person] = field(default_factory=dict)
    records: dict[TaskId, TaskRecord] = field(default_factory=dict)
    histories: dict[TaskId, list[WorkEvent]] = field(default_factory=dict)
    excluded: dict[TaskId, frozenset[PersonId]] = field(default_factory=dict)
    delivered: dict[SubmissionId, TaskId] = field(default_factory=dict)
    mail: list[tuple[TaskId, Submit]] = field(default_factory=list)
    in_hand: dict[PersonId, tuple[TaskId, AssignmentId]] = field(default_factory=dict)
    leases: list[tuple[int, TaskId]] = field(default_factory=list)
    asked: list[TaskId] = field(default_factory=list)
    happened: dict[str, int] = field(default_factory=dict)
    costs: list[tuple[float, int]] = field(default_factory=list)
    n_open: int = 0
    n_refused: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.queues: dict[str, list[tuple[int, int, TaskId]]] = {
            s.key: [] for s in self.task_type.stages
        }
        for i in range(self.n_people):
            who = PersonId(f"p{i:03}")
            roles = (Role.RATER, Role.REVIEWER) if i % 3 == 0 else (Role.RATER,)
            self.people[who] = Person(who, f"Person {i}", frozenset(roles))
        self.people[LEAD] = Person(LEAD, "Lead", frozenset((Role.LEAD,)))
        self.crew = Crew.of(self.people.values())
        self.names = [who for who in self.people if who != LEAD]
        self.n_ids = 0
        for i in range(self.n_tasks):
            made = create(TaskId(f"t{i}"), VideoId(f"v{i}"), self.task_type, by=LEAD, now=self.now)
            self.histories[made.task_id] = [made]
            self._settle(replay([made]))
        self.n_open = self.n_tasks

    def new(self, prefix: str) -> str:
        """Return a word that has not been used."""
        self.n_ids += 1
        return f"{prefix}{self.n_ids}"

    def do(self, task_id: TaskId, act: WorkAct) -> bool:
        """Plan an act, take it over, and tell whether the rules let it."""
        before = self.records[task_id]
        start = time.thread_time()
        try:
            events = plan(before, act, self.task_type, self.crew, self.now)
        except WorkError:
            self.n_refused += 1
            return False
        record = before
        for event in events:
            record = apply(record, event)
        self.costs.append((time.thread_time() - start, len(events)))
        self.histories[task_id] += events
        for event in events:
            self.happened[event.kind] = self.happened.get(event.kind, 0) + 1
        if events:
            self._settle(record, before)
        return True

    def turn(self) -> None:
        """Let a minute pass in which somebody does something."""
        self.now += MINUTE
        while self.leases and self.leases[0][0] <= self.now:
            self.do(heapq.heappop(self.leases)[1], Expire())
        chance = self.rng.random()
        if chance < 0.03 and self.mail:
            self._deliver(self.mail.pop(self.rng.randrange(len(self.mail))))
        elif chance < 0.04:
            self._lead()
        who = self.names[self.rng.randrange(len(self.names))]
        if not self.people[who].is_active:
            return
        if who in self.in_hand:
            self._work_on(who)
        else:
            self._claim_next(who)

    def come_and_go(self) -> None:
        """Let somebody leave, with what they have in hand, and somebody who left come back."""
        gone = [p.id for p in self.people.values() if not p.is_active]
        if gone:
            self._set_active(self.rng.choice(gone), is_active=True)
        who = self.rng.choice(self.names)
        self._set_active(who, is_active=False)
        for task_id in [t for t, r in self.records.items() if _holds(r, who)]:
            self.do(task_id, Leave(LEAD, who))
        left = self.in_hand.pop(who, None)
        if left is not None:  # what they had done by then comes by mail
            self.mail.append((left[0], self._handed(who, left)))

    def deliver_all(self) -> None:
        """Deliver what is still in the mail."""
        while self.mail:
            self._deliver(self.mail.pop())

    def _settle(self, record: TaskRecord, before: TaskRecord | None = None) -> None:
        """Keep a record, and beside it what the queue and the lead look for."""
        task_id = record.id
        self.records[task_id] = record
        over = (TaskStatus.COMPLETE, TaskStatus.WITHDRAWN)
        if before is not None:
            self.n_open += (record.status not in over) - (before.status not in over)
        if record.open_slots:
            stage = self.task_type.stage(record.stage)
            assert stage is not None
            self.excluded[task_id] = excluded_people(record, stage)
            heapq.heappush(self.queues[record.stage], (-record.priority, record.seq, task_id))
        if record.needs_lead is not None and (before is None or before.needs_lead is None):
            self.asked.append(task_id)
        for held in record.holders:
            if held.lease_until is not None and (before is None or held not in before.holders):
                heapq.heappush(self.leases, (held.lease_until, task_id))

    def _claim_next(self, who: PersonId) -> None:
        """Give somebody the next task of the latest stage that has one for them."""
        for stage in reversed(self.task_type.stages):
            if not self.people[who].has(stage.role):
                continue
            queue, passed, found = self.queues[stage.key], [], None
            while queue and found is None:
                entry = heapq.heappop(queue)
                record = self.records[entry[2]]
                if record.seq != entry[1] or record.stage != stage.key:
                    continue  # the task has moved on since
                if who in self.excluded[entry[2]]:
                    passed.append(entry)
                else:
                    found = entry
            for entry in passed:
                heapq.heappush(queue, entry)
            if found is not None:
                assert self.do(found[2], Claim(who, AssignmentId(self.new("a"))))
                held = next(h for h in self.records[found[2]].holders if h.person_id == who)
                self.in_hand[who] = found[2], held.id
                return

    def _work_on(self, who: PersonId) -> None:
        task_id, held = self.in_hand[who]
        chance = self.rng.random()
        if chance < 0.05:
            self.do(task_id, Renew(who, held))
            return
        del self.in_hand[who]
        if chance < 0.08:
            self.do(task_id, Release(who, held))
        elif chance < 0.10:
            self.do(task_id, Skip(who, held, "I know the person in it"))
        elif chance < 0.16:  # falls asleep over it; some hand in when they wake
            if self.rng.random() < 0.7:
                self.mail.append((task_id, self._handed(who, (task_id, held))))
        else:
            self._deliver((task_id, self._handed(who, (task_id, held))))

    def _handed(self, who: PersonId, hold: tuple[TaskId, AssignmentId]) -> Submit:
        held = self.records[hold[0]].assignment(hold[1])
        assert held is not None
        stage = self.task_type.stage(held.stage)
        assert stage is not None
        verdict = _DONE if stage.act is Act.ANNOTATE else _APPROVE
        if stage.sends_back_to is not None and self.rng.random() < self.return_share:
            verdict = _BACK
        return Submit(who, hold[1], SubmissionId(self.new("s")), verdict, held.stage)

    def _deliver(self, letter: tuple[TaskId, Submit]) -> None:
        """Hand in; now and then the letter comes twice, or another of the same work follows."""
        task_id, act = letter
        assert self.do(task_id, act)
        self.delivered[act.submission_id] = task_id
        chance = self.rng.random()
        if chance < 0.03:
            self.mail.append(letter)
        elif chance < 0.04:
            other = SubmissionId(self.new("s"))
            self.mail.append((task_id, replace(act, submission_id=other)))

    def _lead(self) -> None:
        """Decide what was asked; else move something about."""
        while self.asked:
            task_id = self.asked.pop()
            if self.records[task_id].needs_lead is None:
                continue
            self._decide(task_id)
            return
        if self.n_whims == 0:
            return
        self.n_whims -= 1
        task_id = TaskId(f"t{self.rng.randrange(self.n_tasks)}")
        record, chance = self.records[task_id], self.rng.random()
        if chance < 0.3:
            self.do(task_id, Prioritize(LEAD, self.rng.randrange(10)))
        elif record.status is TaskStatus.COMPLETE:
            act = OpenRound(LEAD, "cups") if chance < 0.7 else Reopen(LEAD, "look again")
            self.do(task_id, act)
        elif record.status is TaskStatus.WITHDRAWN:
            self.do(task_id, Reopen(LEAD, "the video was mended"))
        elif chance < 0.4:
            self.do(task_id, Withdraw(LEAD, "a broken video"))

    def _decide(self, task_id: TaskId) -> None:
        for who in self.rng.sample(self.names, 5):
            act = Assign(LEAD, AssignmentId(self.new("a")), who, True, "nobody else is left")
            if who not in self.in_hand and self.do(task_id, act):
                held = next(h for h in self.records[task_id].holders if h.person_id == who)
                self.in_hand[who] = task_id, held.id
                return
        assert self.do(task_id, Close(LEAD, "nobody is left"))

    def finish(self) -> None:
        """Bring back what the lead took out."""
        for task_id, record in list(self.records.items()):
            if record.status is TaskStatus.WITHDRAWN:
                self.do(task_id, Reopen(LEAD, "the video was mended"))

    def _set_active(self, who: PersonId, *, is_active: bool) -> None:
        self.people[who] = replace(self.people[who], is_active=is_active)
        self.crew = Crew.of(self.people.values())


def _holds(record: TaskRecord, who: PersonId) -> bool:
    return any(held.person_id == who for held in record.holders)
