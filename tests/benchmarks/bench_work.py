"""Measures the work on a large project: 200 people, 11,609 tasks, through `project.work`.

Run as ``python -m tests.benchmarks.bench_work [TASKS]``. Every task goes through annotate, check
and verify in a real project file, with returns, releases, skips and leases that run out. Prints
what an event and the next claim cost at the start and at the end, in time of the processor (others
may be at work on the machine), and ends with status 1 when a target is missed.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.document import VideoInfo
from annotator.domain.ids import PersonId, TaskId, VideoId, new_id
from annotator.domain.people import Role
from annotator.domain.work.records import Reason, TaskRecord, TaskStatus, Verdict, VerdictKind
from annotator.services.background.jobs import JobRunner
from annotator.services.project.projects import OpenProject, create_project
from annotator.store.catalog import videos
from tests.domain.work.checker import broken_rules

EVENT_P95_MS = 1.0
CLAIM_P95_MS = 20.0
MINUTE = 60_000

_RECIPE = """
name = "boxes"
version = 1
title = "Boxes"
[[task_types]]
kind = "object-tracks"
title = "Object tracks"
tools = ["boxes"]
"""
_STAGE = """
[[task_types.stages]]
key = "{0}"
title = "{0}"
act = "{0}"
role = "{1}"
lease_hours = 24
{2}
"""
_BACK = Verdict(VerdictKind.SEND_BACK, (Reason("A cup is missing.", Pin(frame=3), "missing"),))


@dataclass
class Costs:
    """Milliseconds of the processor, in the order in which they were spent."""

    claims: list[float] = field(default_factory=list)
    opens: list[float] = field(default_factory=list)
    submits: list[float] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)
    events: list[float] = field(default_factory=list)
    last: float = 0.0

    def timed(self, into: list[float], act: Callable[[], object]) -> object:
        """Do something and note what it cost."""
        start = time.thread_time()
        try:
            return act()
        finally:
            self.last = (time.thread_time() - start) * 1000
            into.append(self.last)

    def per_event(self, n: int) -> None:
        """Note what each of the events cost that the last act wrote, its transaction included."""
        if n:
            self.events.append(self.last / n)


class Team:
    """People who claim, open and hand in, moved by a seed."""

    def __init__(self, project: OpenProject, n_tasks: int, seed: int = 1) -> None:
        self.rng = random.Random(seed)
        self.project = project
        self.work = project.work
        self.now = 1_790_000_000_000
        # The leases of this benchmark run out on a clock of its own.
        self.work.transactions.now = lambda: self.now
        me = self.work.me
        assert me is not None
        self.lead = me.id
        stages = (
            _STAGE.format("annotate", "rater", ""),
            _STAGE.format("check", "rater", ""),
            _STAGE.format("verify", "reviewer", 'sends_back_to = "check"'),
        )
        self.work.use_recipe(_RECIPE + "".join(stages))
        self.people: list[PersonId] = []
        for i in range(200):
            roles = (Role.RATER, Role.REVIEWER) if i % 3 == 0 else (Role.RATER,)
            self.people.append(self.work.people.add(f"Person {i}", roles).id)
        self.tasks = self._add_tasks(n_tasks)
        self.in_hand: dict[PersonId, TaskId] = {}
        self.costs = Costs()
        self.n_left = n_tasks

    def _add_tasks(self, n: int) -> list[TaskId]:
        file = self.project._file
        ids = [VideoId(new_id()) for _ in range(n)]
        with file.transaction():
            for i, key in enumerate(ids):
                info = VideoInfo(key, f"video_{i}.mp4", 640, 480, 300, 30.0, 10.0, 30)
                videos.add_video(file, info, None)
        return self.work.add_tasks(ids)

    def turn(self) -> None:
        """Let a minute pass in which somebody does something."""
        self.now += MINUTE
        who = self.rng.choice(self.people)
        self.work.people.sign_in(who)
        task_id = self.in_hand.pop(who, None)
        if task_id is None:
            self._claim(who)
            return
        record, chance = self.work.record(task_id), self.rng.random()
        if all(held.person_id != who for held in record.holders):
            return  # the lease ran out meanwhile
        if chance < 0.06:
            self._give_back(record, chance)
        elif chance > 0.07:  # else falls asleep over it
            self._submit(record)
        self.costs.per_event(self.work.record(task_id).seq - record.seq)

    def _give_back(self, record: TaskRecord, chance: float) -> None:
        if chance < 0.03:
            self.costs.timed(self.costs.returns, lambda: self.work.release(record.id))
        else:
            self.costs.timed(self.costs.returns, lambda: self.work.skip(record.id, "too dark"))

    def _claim(self, who: PersonId) -> None:
        record = self.costs.timed(self.costs.claims, self.work.claim_next)
        if record is not None:
            self.in_hand[who] = record.id  # type: ignore[attr-defined]

    def _submit(self, record: TaskRecord) -> None:
        verdict = None
        if record.stage == "verify" and self.rng.random() < 0.2:
            verdict = _BACK
        session = self.costs.timed(self.costs.opens, lambda: self.project.open_task(record.id))
        self.costs.timed(
            self.costs.submits,
            lambda: self.work.submit(session, verdict),  # type: ignore[arg-type]
        )
        if record.stage == "verify" and verdict is None:
            self.n_left -= 1


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _report(name: str, values: list[float], target: float | None) -> bool:
    """Print what something cost in its first and in its last tenth; tell whether it is in time."""
    part = max(2, len(values) // 10)
    first, last = values[:part], values[-part:]
    line = (
        f"{name:22} {len(values):7}  start {statistics.median(first):6.2f} ms, p95"
        f" {_p95(first):6.2f}   end {statistics.median(last):6.2f} ms, p95 {_p95(last):6.2f}"
    )
    if target is None:
        _say(line)
        return True
    is_met = _p95(last) <= target and _p95(first) <= target
    _say(f"{line}   target {target:g} ms {'met' if is_met else 'MISSED'}")
    return is_met


def main(n_tasks: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        # As in a window: figures of what was handed in are worked out by a thread of their own.
        jobs = JobRunner(lambda call: call())
        project = create_project(Path(folder) / "work.annot", title="Work", jobs=jobs)
        start = time.perf_counter()
        team = Team(project, n_tasks)
        _say(f"{n_tasks} videos, tasks and 200 people: {time.perf_counter() - start:.1f} s")
        start, turns = time.perf_counter(), 0
        while team.n_left:
            team.turn()
            turns += 1
        _say(f"{turns} turns in {time.perf_counter() - start:.0f} s")
        costs = team.costs
        is_met = _report("claim next", costs.claims, CLAIM_P95_MS)
        _report("open the draft", costs.opens, None)
        _report("hand in", costs.submits, None)
        _report("release or skip", costs.returns, None)
        is_met &= _report("an event of these two", costs.events, EVENT_P95_MS)
        records = [team.work.record(task_id) for task_id in team.tasks]
        assert {r.status for r in records} == {TaskStatus.COMPLETE}
        kind = team.work.recipe.task_types[0]
        broken = [
            found
            for task_id in team.tasks
            if (found := broken_rules(team.work.history(task_id), kind))
        ]
        _say(f"{sum(r.seq for r in records)} events, {len(broken)} histories that break a rule")
        project.close()
        jobs.close()
    return 0 if is_met and not broken else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 11_609))
