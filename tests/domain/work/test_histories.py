"""Whatever people do in whatever order: the rules hold, nothing is lost, histories replay."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.errors import WorkError
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId
from annotator.domain.people import Role
from annotator.domain.recipes.recipe import Act, TaskType
from annotator.domain.work.acts import (
    Adopt,
    Assign,
    Claim,
    Close,
    Decide,
    Expire,
    Leave,
    LookForPeople,
    OpenRound,
    Prioritize,
    Release,
    Renew,
    Reopen,
    RequestRater,
    Revoke,
    Skip,
    Submit,
    Withdraw,
    WorkAct,
)
from annotator.domain.work.codec import event_from, event_value
from annotator.domain.work.event_replay import apply, replay
from annotator.domain.work.records import TaskStatus, Verdict, VerdictKind
from annotator.domain.work.rules import excluded_people, may_take
from annotator.domain.work.transitions import plan
from tests.domain.work.checker import broken_rules
from tests.domain.work.desk import (
    APPROVE,
    BACK,
    DONE,
    HOUR,
    LEAD,
    PARALLEL,
    SEQUENTIAL,
    SINGLE,
    Desk,
    staged,
)

_TYPES = (
    SEQUENTIAL,
    staged(SEQUENTIAL, "verify", may_repeat=True),
    staged(staged(SEQUENTIAL, "check", sends_back_to="annotate", may_repeat=True), "verify"),
    staged(PARALLEL, "verify", role=Role.RATER),
    SINGLE,
)
_NAMES = "ABCDEFG"
_VERDICTS = (DONE, APPROVE, BACK)

# One step: what is done, by whom, on which assignment, with which verdict; and a move of the clock.
_STEP = st.tuples(
    st.sampled_from(
        ["claim", "submit"] * 6
        + ["assign", "overrule", "release", "skip", "expire", "leave", "come", "late", "stray"]
        + ["renew", "revoke", "withdraw", "close", "reopen", "reopen-own", "round", "priority"]
        + ["decide", "decide-back", "one-more", "look", "adopt", "adopt"]
    ),
    st.integers(0, len(_NAMES) - 1),
    st.integers(0, 20),
    st.sampled_from(_VERDICTS),
    st.sampled_from([0, 0, 0, HOUR // 2, 3 * HOUR, -HOUR, -50 * HOUR]),
)


def _act(desk: Desk, what: str, who: int, which: int, verdict: Verdict) -> WorkAct:
    """Return the act that a step asks for; often one that is not possible."""
    person = PersonId(_NAMES[who])
    known = desk.record.assignments
    some = known[which % len(known)] if known else None
    mine = next((a for a in desk.record.holders if a.person_id == person), None)
    held = mine.id if mine is not None else AssignmentId("none")
    any_id = some.id if some is not None else AssignmentId("none")
    holders = desk.record.holders
    holder = mine or (holders[which % len(holders)] if holders else None)
    any_held = holder.id if holder is not None else any_id
    submission = SubmissionId(f"s{which}" if what == "late" else desk.new("s"))
    owner = some.person_id if some is not None else person
    uncounted = [h.submission_id for a in known for h in a.submissions if not h.is_counted]
    acts: dict[str, WorkAct] = {
        "adopt": Adopt(
            LEAD, uncounted[which % len(uncounted)] if uncounted else submission, "better"
        ),
        "claim": Claim(person, desk.new()),
        "submit": Submit(
            holder.person_id if holder is not None else owner,
            any_held,
            submission,
            _fitting(desk, verdict),
        ),
        "assign": Assign(LEAD, desk.new(), person),
        "overrule": Assign(LEAD, desk.new(), person, is_overruling=True, text="nobody else"),
        "release": Release(person, held),
        "skip": Skip(person, held, "too dark"),
        "expire": Expire(),
        "leave": Leave(LEAD, person),
        "come": LookForPeople(),
        "late": Submit(owner, any_id, submission, verdict),
        "stray": Submit(person, desk.new("far"), submission, verdict),
        "renew": Renew(person, held),
        "revoke": Revoke(LEAD, any_id, "urgent"),
        "withdraw": Withdraw(LEAD, "broken"),
        "close": Close(LEAD, "good enough"),
        "reopen": Reopen(LEAD, "again", stage=desk.task_type.stages[which % 3 - 1].key)
        if len(desk.task_type.stages) > 2
        else Reopen(LEAD, "again"),
        "reopen-own": Reopen(LEAD, "again", assignment_id=any_id),
        "round": OpenRound(LEAD, "two"),
        "priority": Prioritize(LEAD, which),
        "decide": Decide(None, VerdictKind.APPROVE, submission, "majority"),
        "decide-back": Decide(None, VerdictKind.SEND_BACK, submission, "majority"),
        "one-more": RequestRater(),
        "look": LookForPeople(),
    }
    return acts[what]


def _fitting(desk: Desk, verdict: Verdict) -> Verdict:
    """Return a verdict that the stage allows, so that tasks get far."""
    stage = desk.task_type.stage(desk.record.stage)
    assert stage is not None
    if stage.act is Act.ANNOTATE:
        return DONE
    return BACK if verdict == BACK and stage.sends_back_to is not None else APPROVE


def _play(task_type: TaskType, steps: list[tuple[str, int, int, Verdict, int]]) -> Desk:
    """Let people do what they like; what the rules refuse changes nothing."""
    desk = Desk(task_type, _NAMES)
    for what, who, which, verdict, jump in steps:
        desk.now += jump
        if what in ("leave", "come"):
            desk.set_person(_NAMES[who], is_active=what == "come")
        act = _act(desk, what, who, which, verdict)
        before = desk.record
        try:
            events = plan(before, act, task_type, desk.crew, desk.now)
        except WorkError:
            continue
        for event in events:
            desk.record = apply(desk.record, event)
        desk.events += events
        if isinstance(act, Submit):
            _assert_kept(desk, act)
        _assert_sound(desk)
    return desk


def _assert_kept(desk: Desk, act: Submit) -> None:
    kept = [handed.submission_id for each in desk.record.assignments for handed in each.submissions]
    assert act.submission_id in kept
    assert len(kept) == len(set(kept))


def _assert_sound(desk: Desk) -> None:
    """Assert what holds for every record at any time."""
    record, stage = desk.record, desk.task_type.stage(desk.record.stage)
    assert stage is not None
    assert len({a.id for a in record.assignments}) == len(record.assignments)
    is_open = record.status in (TaskStatus.WAITING, TaskStatus.IN_PROGRESS)
    assert is_open or not record.holders
    assert all(held.visit == record.visit for held in record.holders)
    assert len({held.person_id for held in record.holders}) == len(record.holders)
    may = {
        person.id
        for person in desk.people.values()
        if may_take(record, person, desk.task_type) is None
    }
    assert not may & excluded_people(record, stage)
    if record.open_slots and not may:
        assert record.needs_lead is not None
    if not record.open_slots:
        assert not may


@settings(max_examples=300)
@given(st.sampled_from(_TYPES), st.lists(_STEP, min_size=5, max_size=60))
def test_no_history_breaks_a_rule(
    task_type: TaskType, steps: list[tuple[str, int, int, Verdict, int]]
) -> None:
    desk = _play(task_type, steps)
    assert broken_rules(desk.events, task_type) == []
    assert replay(desk.events) == desk.record
    assert desk.record.seq == len(desk.events)
    written = json.loads(json.dumps([event_value(event) for event in desk.events]))
    assert [event_from(value) for value in written] == desk.events


def test_the_checker_sees_what_it_is_there_for() -> None:
    desk = Desk()
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    desk.work("C", BACK)
    desk.work("D", APPROVE)
    desk.work("E", APPROVE)
    assert broken_rules(desk.events, SEQUENTIAL) == []
    assert len(desk.events) == 16

    def with_person(number: int, name: str) -> list[str]:
        changed = [
            replace(e, person_id=PersonId(name)) if i == number else e  # type: ignore[call-arg]
            for i, e in enumerate(desk.events)
        ]
        return broken_rules(changed, SEQUENTIAL)

    takes = [i for i, e in enumerate(desk.events) if e.kind == "claimed"]
    assert "judged their own work" in with_person(takes[1], "A")
    assert "one person in two stages" in with_person(takes[2], "A")
    assert "sent back to somebody who had a part" in with_person(takes[3], "B")
    assert "judged work they had a hand in" in with_person(takes[4], "A")
    twice = [*desk.events[:3], *desk.events[2:]]
    assert "the same submission twice" in broken_rules(twice, SEQUENTIAL)
    skipped = [e for i, e in enumerate(desk.events) if i not in (4, 5, 6)]
    assert broken_rules(skipped, SEQUENTIAL) != []
