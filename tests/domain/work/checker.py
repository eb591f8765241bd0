"""A second opinion on the history of a task, from its events alone.

It shares nothing with the rules but the events and the recipe, and says what was broken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from annotator.domain.recipes.recipe import Act, TaskType
from annotator.domain.work.events import (
    Adopted,
    Assigned,
    Claimed,
    Completed,
    Created,
    Ended,
    Entered,
    ExtraSubmitted,
    Reopened,
    RoundOpened,
    Submitted,
    Widened,
    Withdrawn,
    WorkEvent,
)
from annotator.domain.work.records import VerdictKind


@dataclass
class _Watch:
    stages: list[str]
    judging: set[str]
    stage: str = ""
    wanted: int = 0
    visit: int = 1
    is_returned: bool = False
    is_open: bool = True
    last_author: str | None = None
    owner: dict[str, str] = field(default_factory=dict)
    visit_of: dict[str, int] = field(default_factory=dict)
    stage_of: dict[str, str] = field(default_factory=dict)
    holding: set[str] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    author_of: dict[str, str] = field(default_factory=dict)
    done_here: set[str] = field(default_factory=set)
    counted: list[str] = field(default_factory=list)
    parts: list[tuple[str, str, int]] = field(default_factory=list)
    reopened: set[str] = field(default_factory=set)
    overruled: set[str] = field(default_factory=set)
    bad: list[str] = field(default_factory=list)


def broken_rules(events: Iterable[WorkEvent], task_type: TaskType) -> list[str]:
    """Return every rule that a history breaks, in words."""
    watch = _Watch(
        [s.key for s in task_type.stages],
        {s.key for s in task_type.stages if s.act is not Act.ANNOTATE},
    )
    for event in events:
        _see(watch, event)
    return watch.bad


def _see(watch: _Watch, event: WorkEvent) -> None:
    if isinstance(event, Created):
        watch.stage, watch.wanted = event.stage, event.wanted
    elif isinstance(event, Claimed | Assigned):
        _see_taken(watch, event)
    elif isinstance(event, Ended):
        if event.assignment_id not in watch.holding:
            watch.bad.append("something ended that nobody held")
        watch.holding.discard(event.assignment_id)
    elif isinstance(event, Submitted):
        _see_submitted(watch, event)
    elif isinstance(event, ExtraSubmitted):
        if event.submission_id in watch.handed:
            watch.bad.append("the same submission twice")
        watch.handed.add(event.submission_id)
        watch.author_of[event.submission_id] = event.person_id
        visit = watch.visit_of.setdefault(event.assignment_id, watch.visit)
        watch.parts.append((event.person_id, event.stage, visit))
    elif isinstance(event, Adopted):
        _see_adopted(watch, event)
    elif isinstance(event, Entered | Reopened | RoundOpened):
        _see_entered(watch, event)
    elif isinstance(event, Completed | Withdrawn):
        if watch.holding:
            watch.bad.append("ended while somebody held it")
        watch.is_open = False
    elif isinstance(event, Widened):
        watch.wanted = event.wanted


def _see_taken(watch: _Watch, event: Claimed | Assigned) -> None:
    who, what = event.person_id, event.assignment_id
    if not watch.is_open:
        watch.bad.append("taken while there was nothing to do")
    is_overruled = isinstance(event, Assigned) and bool(event.overruled)
    if is_overruled:
        watch.overruled.add(what)
    if watch.owner.get(what, who) != who:
        watch.bad.append("an assignment changed hands")
    if any(watch.owner[held] == who for held in watch.holding):
        watch.bad.append("held twice by one person")
    if any(watch.owner[done] == who for done in watch.done_here):
        watch.bad.append("twice side by side")
    _judge_part(watch, who, is_overruled=is_overruled)
    watch.owner[what] = who
    watch.visit_of[what] = watch.visit
    watch.stage_of[what] = watch.stage
    watch.holding.add(what)
    if len(watch.holding) + len(watch.done_here - watch.holding) > watch.wanted:
        watch.bad.append("more people than wanted")


def _judge_part(watch: _Watch, who: str, *, is_overruled: bool) -> None:
    place = watch.stages.index(watch.stage)
    if watch.stage in watch.judging:
        if watch.last_author == who:
            watch.bad.append("judged their own work")
        if any(p == who and watch.stages.index(s) < place for p, s, _ in watch.parts):
            watch.bad.append("judged work they had a hand in")
    if is_overruled:
        return
    if any(p == who and s != watch.stage for p, s, _ in watch.parts):
        watch.bad.append("one person in two stages")
    if watch.is_returned and any(p == who and v != watch.visit for p, _, v in watch.parts):
        watch.bad.append("sent back to somebody who had a part")


def _see_submitted(watch: _Watch, event: Submitted) -> None:
    what = event.assignment_id
    if what not in watch.owner:
        watch.bad.append("handed in without having had it")
        return
    if not watch.is_open:
        watch.bad.append("handed in to a task that is over")
    if watch.stage_of[what] != watch.stage:
        watch.bad.append("counted for a stage that is over")
    if event.submission_id in watch.handed:
        watch.bad.append("the same submission twice")
    verdict = event.verdict
    pinned = [r for r in verdict.reasons if r.text.strip() and not r.pin.is_whole_task]
    if verdict.kind is VerdictKind.SEND_BACK and not pinned:
        watch.bad.append("sent back without a pinned reason")
    if what not in watch.reopened:
        _judge_part(watch, watch.owner[what], is_overruled=what in watch.overruled)
    watch.holding.discard(what)
    watch.handed.add(event.submission_id)
    watch.moved.add(event.submission_id)
    watch.done_here.add(what)
    if len(watch.done_here) > watch.wanted:
        watch.bad.append("more results than wanted")
    watch.counted.append(watch.owner[what])
    watch.parts.append((watch.owner[what], watch.stage, watch.visit))


def _see_adopted(watch: _Watch, event: Adopted) -> None:
    if watch.holding:
        watch.bad.append("adopted while somebody was at work")
    if event.submission_id not in watch.handed or event.submission_id in watch.moved:
        watch.bad.append("adopted what was not kept aside")
    watch.moved.add(event.submission_id)
    watch.stage = event.stage
    who, place = watch.author_of[event.submission_id], watch.stages.index(event.stage)
    if event.stage in watch.judging and any(
        p == who and watch.stages.index(s) < place for p, s, _ in watch.parts
    ):
        watch.bad.append("judged work they had a hand in")
    watch.counted.append(watch.author_of[event.submission_id])


def _see_entered(watch: _Watch, event: Entered | Reopened | RoundOpened) -> None:
    if watch.holding:
        watch.bad.append("moved on while somebody held it")
    if isinstance(event, Entered):
        place, target = watch.stages.index(watch.stage), watch.stages.index(event.stage)
        if event.is_returned != (target < place) or (target > place and target != place + 1):
            watch.bad.append("went an unknown way")
    watch.wanted, watch.is_open = event.wanted, True
    watch.is_returned = isinstance(event, Entered) and event.is_returned
    watch.stage = event.stage
    if isinstance(event, Reopened) and event.assignment_id is not None:
        what = event.assignment_id
        watch.reopened.add(what)
        watch.holding.add(what)
        watch.stage_of[what] = event.stage
        if what in watch.done_here:
            watch.done_here.remove(what)
            return
    watch.visit += 1
    watch.done_here = set()
    watch.last_author = watch.counted[-1] if watch.counted else None
