"""Who may take what: the stories behind the table of transitions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.domain.annotation.comment import Pin
from annotator.domain.errors import WorkError
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId
from annotator.domain.people import Crew, Person, Role
from annotator.domain.recipes.recipe import Act, StageSpec
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
)
from annotator.domain.work.event_replay import apply, replay
from annotator.domain.work.events import Happened
from annotator.domain.work.records import (
    AssignmentState,
    Flag,
    LeadNeed,
    Reason,
    TaskStatus,
    Verdict,
    VerdictKind,
)
from annotator.domain.work.rules import ClaimRule, excluded_people, hidden_from, may_take
from annotator.domain.work.transitions import create, plan
from tests.domain.work import situations
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


def _may(desk: Desk) -> str:
    """Return the names of those who may take the task now."""
    return "".join(
        sorted(
            person.name
            for person in desk.people.values()
            if may_take(desk.record, person, desk.task_type) is None
        )
    )


def test_three_stages_are_done_by_three_people() -> None:
    desk = Desk()
    assert _may(desk) == "ABCDE"
    desk.work("A", DONE)
    assert _may(desk) == "BCDE"
    desk.work("B", APPROVE)
    assert _may(desk) == "CDE"
    last = desk.work("C", APPROVE)
    assert desk.record.status is TaskStatus.COMPLETE
    assert desk.record.base_id == last
    assert _may(desk) == ""


def test_each_stage_begins_from_what_was_handed_in_before() -> None:
    desk = Desk()
    first = desk.work("A", DONE)
    assert desk.record.base_id == first
    desk.claim("B")
    assert desk.record.assignments[-1].base_id == first
    assert desk.record.assignments[0].base_id is None


def test_what_is_sent_back_reaches_somebody_who_has_had_no_part() -> None:
    desk = situations.returned()
    assert (desk.record.stage, desk.record.is_returned) == ("check", True)
    assert desk.record.reasons == BACK.reasons
    assert _may(desk) == "DE"
    desk.work("D", APPROVE)
    assert (desk.record.stage, desk.record.is_returned, desk.record.reasons) == (
        "verify",
        False,
        (),
    )
    assert _may(desk) == "E"
    desk.work("E", APPROVE)
    assert desk.record.status is TaskStatus.COMPLETE


def test_a_small_team_may_let_the_same_person_verify_again() -> None:
    desk = Desk(staged(SEQUENTIAL, "verify", may_repeat=True), raters="ABCD")
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    desk.work("C", BACK)
    assert _may(desk) == "D"
    desk.work("D", APPROVE)
    assert _may(desk) == "C"


def test_what_is_sent_back_never_goes_to_who_did_that_stage_before() -> None:
    desk = Desk(staged(SEQUENTIAL, "check", may_repeat=True))
    desk.work("A", DONE)
    desk.do(Skip(PersonId("D"), desk.claim("D"), "I know the person in it"))
    desk.work("B", APPROVE)
    desk.work("C", BACK)
    assert _may(desk) == "E"  # B checked before; D skipped the check before


def test_the_lead_lets_nobody_judge_their_own_result_again() -> None:
    desk = situations.complete()
    desk.do(Reopen(LEAD, "look again"))
    again = Assign(LEAD, AssignmentId("x"), PersonId("C"), is_overruling=True, text="no one")
    assert desk.refused(again) == ClaimRule.OWN_WORK
    desk.set_person("C", Role.LEAD)  # the role that stands in the way may be set aside, this not
    assert desk.refused(again) == ClaimRule.OWN_WORK


def test_nobody_repeats_a_stage_to_judge_their_own_result() -> None:
    desk = Desk(staged(SEQUENTIAL, "verify", may_repeat=True))
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    desk.work("C", APPROVE)
    desk.do(Reopen(LEAD, "look again"))
    assert desk.record.stage == "verify"
    assert _may(desk) == "DE"


def test_when_nobody_is_left_the_lead_is_asked_and_the_answer_is_on_record() -> None:
    desk = Desk(raters="ABC")
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    desk.work("C", BACK)
    assert desk.record.needs_lead is LeadNeed.NOBODY_LEFT
    give = Assign(LEAD, AssignmentId("x"), PersonId("B"))
    assert desk.refused(give) == ClaimRule.HAD_PART
    mute = Assign(LEAD, AssignmentId("x"), PersonId("B"), is_overruling=True)
    assert desk.refused(mute) == "no-reason"
    own = Assign(LEAD, AssignmentId("x"), PersonId("A"), is_overruling=True, text="no one")
    assert desk.refused(own) == ClaimRule.OWN_WORK
    desk.do(Assign(LEAD, AssignmentId("x"), PersonId("B"), is_overruling=True, text="no one"))
    given = desk.events[-1]
    assert (given.kind, given.by) == ("assigned", LEAD)
    assert desk.record.flags == {Flag.OVERRULED}
    assert desk.record.needs_lead is None
    desk.submit("B", APPROVE)
    # B may not verify what B corrected, whatever the lead says; C judged only, so C may.
    again = Assign(LEAD, AssignmentId("y"), PersonId("B"), is_overruling=True, text="no one")
    assert desk.refused(again) == ClaimRule.OWN_WORK
    assert desk.record.needs_lead is LeadNeed.NOBODY_LEFT
    desk.do(Assign(LEAD, AssignmentId("y"), PersonId("C"), is_overruling=True, text="no one"))
    desk.submit("C", APPROVE)
    assert desk.record.status is TaskStatus.COMPLETE


def test_a_new_person_settles_what_the_lead_was_asked() -> None:
    desk = Desk(raters="ABC")
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    desk.work("C", BACK)
    desk.set_person("D", Role.RATER)
    assert desk.do(LookForPeople()) == ["lead-answered"]
    assert desk.do(LookForPeople()) == []
    desk.set_person("D", is_active=False)
    assert desk.do(LookForPeople()) == ["lead-asked"]


def test_the_lead_may_close_a_task_as_it_is() -> None:
    desk = situations.returned()
    assert desk.refused(Close(LEAD, "  ")) == "no-reason"
    desk.do(Close(LEAD, "good enough for the deadline"))
    assert desk.record.status is TaskStatus.COMPLETE
    assert Flag.CLOSED in desk.record.flags


def test_roles_are_asked_for() -> None:
    desk = Desk(staged(SEQUENTIAL, "verify", role=Role.REVIEWER))
    desk.set_person("R", Role.REVIEWER)
    assert _may(desk) == "ABCDE"
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    assert _may(desk) == "R"
    refusal = may_take(desk.record, desk.people[PersonId("C")], desk.task_type)
    assert refusal is not None
    assert refusal.rule is ClaimRule.ROLE
    desk.do(Assign(LEAD, AssignmentId("x"), PersonId("C"), is_overruling=True, text="R is ill"))
    assert desk.record.holders[0].person_id == "C"


def test_who_skips_is_not_offered_the_task_at_that_stage_again() -> None:
    desk = Desk()
    desk.do(Skip(PersonId("A"), desk.claim("A"), "I know the person in it"))
    assert _may(desk) == "BCDE"
    assert desk.refused(Claim(PersonId("A"), AssignmentId("x"))) == ClaimRule.SKIPPED
    desk.work("B", DONE)
    assert _may(desk) == "ACDE"  # a skip is no part in the task


def test_when_everybody_skips_the_lead_is_asked() -> None:
    desk = Desk(raters="AB")
    desk.do(Skip(PersonId("A"), desk.claim("A"), "too dark"))
    desk.do(Skip(PersonId("B"), desk.claim("B"), "too dark"))
    assert desk.record.needs_lead is LeadNeed.NOBODY_LEFT


def test_a_lease_that_sleeps_goes_back_and_keeps_its_draft() -> None:
    desk = Desk()
    first = desk.claim("A")
    desk.now += 2 * HOUR
    assert desk.do(Expire()) == ["ended"]
    assert desk.record.status is TaskStatus.WAITING
    assert _may(desk) == "ABCDE"
    assert desk.claim("A") == first  # the same assignment, hence the same draft
    assert len(desk.record.assignments) == 1


def test_a_claim_lets_go_of_a_sleeper_by_itself() -> None:
    desk = situations.sleeping()
    desk.claim("B")
    states = {a.person_id: a.state for a in desk.record.assignments}
    assert states == {"A": AssignmentState.EXPIRED, "B": AssignmentState.HELD}


def test_signs_of_life_keep_a_lease_without_filling_the_log() -> None:
    desk = Desk()
    held = desk.claim("A")
    renewals = 0
    for _ in range(60):
        desk.now += 5 * 60_000
        renewals += len(desk.do(Renew(PersonId("A"), held)))
        assert desk.do(Expire()) == []
    assert renewals == 20


def test_a_late_submission_counts_while_the_place_is_free() -> None:
    desk = situations.expired()
    held = desk.record.assignments[0].id
    desk.submit("A", DONE, held)
    assert desk.record.stage == "check"
    assert desk.record.flags == {Flag.LATE}
    assert desk.record.assignments[0].submissions[0].is_counted


def test_a_late_submission_is_kept_and_flagged_when_somebody_followed() -> None:
    desk = situations.followed()
    late = desk.submit("A", DONE, desk.record.assignments[0].id)
    handed = desk.record.assignments[0].submissions[0]
    assert (handed.submission_id, handed.flag, handed.is_counted) == (late, Flag.LATE, False)
    assert desk.record.holders[0].person_id == "B"
    used = desk.submit("B", DONE)
    assert desk.record.base_id == used
    assert _may(desk) == "CDE"  # A has made annotation of it, so A will not check


def test_a_late_submission_of_a_stage_that_is_over_moves_nothing() -> None:
    desk = situations.followed()
    used = desk.submit("B", DONE)
    desk.submit("A", DONE, desk.record.assignments[0].id)
    assert (desk.record.stage, desk.record.base_id) == ("check", used)
    assert desk.record.status is TaskStatus.WAITING


def test_alone_at_a_stage_nothing_is_hidden() -> None:
    desk = situations.followed()
    desk.submit("A", DONE, desk.record.assignments[0].id)
    assert hidden_from(desk.record, desk.people[PersonId("B")]) == frozenset()


def test_who_was_given_a_task_against_the_rules_may_be_late_with_it() -> None:
    desk = Desk(raters="ABC")
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    desk.work("C", BACK)
    desk.do(Assign(LEAD, AssignmentId("x"), PersonId("B"), is_overruling=True, text="no one"))
    desk.now += 3 * HOUR
    desk.do(Expire())
    assert desk.record.needs_lead is LeadNeed.NOBODY_LEFT
    desk.submit("B", APPROVE, AssignmentId("x"))
    assert (desk.record.stage, desk.record.flags) == ("verify", {Flag.LATE, Flag.OVERRULED})


def test_the_same_bytes_twice_are_one_submission_and_others_are_kept() -> None:
    desk = Desk()
    held = desk.claim("A")
    first = desk.submit("A", DONE)
    again = Submit(PersonId("A"), held, SubmissionId(first), DONE)
    assert desk.do(again) == []
    other = desk.submit("A", DONE, held)
    assert [h.submission_id for h in desk.record.assignments[0].submissions] == [first, other]
    assert desk.record.assignments[0].submissions[1].flag is Flag.REPEATED
    assert desk.record.base_id == first


def test_a_submission_that_nobody_asked_for_is_kept() -> None:
    desk = situations.checking()
    desk.do(Submit(PersonId("E"), AssignmentId("far"), SubmissionId("s"), APPROVE, "check"))
    stray = desk.record.assignment(AssignmentId("far"))
    assert stray is not None
    assert (stray.state, stray.stage) == (AssignmentState.EXTRA, "check")
    assert Flag.UNKNOWN in desk.record.flags
    assert _may(desk) == "BCD"


def test_a_lead_takes_what_came_late_for_the_result() -> None:
    desk = situations.overtaken()
    first, second = desk.record.assignments
    late, counted = first.submissions[0], second.submissions[0]
    assert (late.is_counted, desk.record.base_id) == (False, counted.submission_id)
    desk.do(Adopt(LEAD, late.submission_id, "the better one"))
    record = desk.record
    assert (record.stage, record.base_id) == ("check", late.submission_id)
    assert record.counted == (counted.submission_id, late.submission_id)
    assert _may(desk) == "CDE"
    desk.work("C", APPROVE)
    desk.work("D", APPROVE)
    assert desk.record.status is TaskStatus.COMPLETE


def test_what_is_adopted_goes_through_the_later_stages_again() -> None:
    desk = situations.complete()
    desk.do(Submit(PersonId("E"), AssignmentId("far"), SubmissionId("s"), DONE, "annotate"))
    desk.do(Adopt(LEAD, SubmissionId("s"), "the better one"))
    assert (desk.record.stage, desk.record.status) == ("check", TaskStatus.WAITING)


def test_what_judges_ones_own_work_is_not_adopted() -> None:
    desk = situations.checking()
    desk.do(Submit(PersonId("A"), AssignmentId("far"), SubmissionId("s"), APPROVE, "check"))
    assert desk.refused(Adopt(LEAD, SubmissionId("s"), "the better one")) == "own-work"


def test_a_submission_of_a_stranger_is_refused() -> None:
    act = Submit(PersonId("X"), AssignmentId("far"), SubmissionId("s"), DONE)
    assert Desk().refused(act) == "unknown-person"


def test_somebody_who_leaves_lets_go_and_may_still_hand_in() -> None:
    desk = Desk()
    held = desk.claim("A")
    desk.set_person("A", is_active=False)
    assert desk.do(Leave(LEAD, PersonId("A"))) == ["ended"]
    assert desk.record.assignments[0].state is AssignmentState.LEFT
    assert _may(desk) == "BCDE"
    desk.submit("A", DONE, held)
    assert (desk.record.stage, desk.record.flags) == ("check", {Flag.LATE})
    assert desk.refused(Claim(PersonId("A"), AssignmentId("x"))) == ClaimRule.INACTIVE


def test_when_the_last_one_leaves_the_lead_is_asked() -> None:
    desk = Desk(raters="A")
    desk.claim("A")
    desk.set_person("A", is_active=False)
    assert desk.do(Leave(LEAD, PersonId("A"))) == ["ended", "lead-asked"]


def test_a_lead_reassigns() -> None:
    desk = Desk()
    held = desk.claim("A")
    desk.do(Revoke(LEAD, held, "urgent elsewhere"))
    assert desk.refused(Claim(PersonId("A"), AssignmentId("x"))) == ClaimRule.REVOKED
    desk.do(Assign(LEAD, AssignmentId("x"), PersonId("B")))
    assert desk.record.holders[0].person_id == "B"
    desk.do(Revoke(LEAD, AssignmentId("x"), "back to A"))
    desk.do(Assign(LEAD, AssignmentId("y"), PersonId("A"), is_overruling=True, text="found time"))
    assert desk.record.holders[0].id == held


def test_withdrawn_work_is_kept_and_can_be_reopened() -> None:
    desk = situations.withdrawn()
    held = desk.record.assignments[0].id
    desk.submit("A", DONE, held)
    assert desk.record.status is TaskStatus.WITHDRAWN
    assert not desk.record.assignments[0].submissions[0].is_counted
    desk.do(Reopen(LEAD, "the video was mended"))
    assert (desk.record.status, desk.record.stage) == (TaskStatus.WAITING, "annotate")
    assert _may(desk) == "BCDE"


def test_reopening_for_the_same_person_goes_on_with_their_draft() -> None:
    desk = Desk()
    first = desk.work("A", DONE)
    held = desk.record.assignments[0].id
    desk.do(Reopen(LEAD, "the last second is missing", assignment_id=held))
    assert (desk.record.stage, desk.record.status) == ("annotate", TaskStatus.IN_PROGRESS)
    assert desk.record.reasons[0].text == "the last second is missing"
    assert desk.record.base_id == first
    second = desk.submit("A", DONE)
    assert (desk.record.stage, desk.record.base_id) == ("check", second)
    assert [h.submission_id for h in desk.record.assignments[0].submissions] == [first, second]
    assert _may(desk) == "BCDE"


def test_nothing_that_was_built_upon_is_reopened_in_place() -> None:
    desk = situations.complete()
    first = desk.record.assignments[0].id
    assert desk.refused(Reopen(LEAD, "again", assignment_id=first)) == "built-upon"
    desk.set_person("C", is_active=False)
    last = desk.record.assignments[-1].id
    assert desk.refused(Reopen(LEAD, "again", assignment_id=last)) == "inactive"


def test_a_plain_project_lets_the_same_person_go_on() -> None:
    desk = Desk(SINGLE)
    desk.set_person("me", *Role)
    held = desk.claim("me")
    desk.submit("me", DONE)
    assert desk.record.status is TaskStatus.COMPLETE
    desk.do(Reopen(PersonId("me"), "", assignment_id=held))
    assert desk.record.holders[0].id == held
    desk.submit("me", DONE)
    assert desk.record.status is TaskStatus.COMPLETE
    assert len(desk.record.assignments[0].submissions) == 2
    desk.do(Reopen(PersonId("me"), "for anybody"))
    assert _may(desk) == "ABCDEleadme"


def test_who_reopened_and_gave_back_may_go_on_after_all() -> None:
    desk = Desk(SINGLE)
    held = desk.claim("A")
    desk.submit("A", DONE)
    desk.do(Reopen(PersonId("A"), "", assignment_id=held))
    desk.do(Release(PersonId("A"), held))
    assert desk.claim("A") == held
    desk.submit("A", DONE)
    assert desk.record.status is TaskStatus.COMPLETE


def test_others_do_not_reopen_what_is_not_theirs() -> None:
    desk = Desk(SINGLE)
    held = desk.claim("A")
    desk.submit("A", DONE)
    assert desk.refused(Reopen(PersonId("B"), "", assignment_id=held)) == "lead-only"
    assert desk.refused(Reopen(PersonId("A"), "for anybody")) == "lead-only"


def test_a_cleaning_round_goes_through_the_later_stages_again() -> None:
    desk = Desk(raters="ABCDEF")
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    last = desk.work("C", APPROVE)
    assert desk.refused(OpenRound(PersonId("A"))) == "lead-only"
    desk.do(OpenRound(LEAD, "cups-2", "cups games only"))
    record = desk.record
    assert (record.round, record.stage, record.guidelines) == (2, "check", "cups-2")
    assert record.base_id == last
    assert _may(desk) == "DEF"
    desk.work("D", APPROVE)
    desk.work("E", BACK)
    assert (desk.record.round, desk.record.stage) == (2, "check")
    assert _may(desk) == "F"
    assert {a.round for a in desk.record.assignments[:3]} == {1}
    assert {a.round for a in desk.record.assignments[3:]} == {2}


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        (Verdict(VerdictKind.SEND_BACK), "no-reason"),
        (Verdict(VerdictKind.SEND_BACK, (Reason(" ", Pin(3)),)), "no-reason"),
        (Verdict(VerdictKind.SEND_BACK, (Reason("x" * 10_001, Pin(3)),)), "too-long"),
        (Verdict(VerdictKind.DONE), "other-verdict"),
    ],
)
def test_verdicts_that_are_not_possible(verdict: Verdict, code: str) -> None:
    desk = situations.verifying()
    held = desk.record.holders[0]
    assert desk.refused(Submit(held.person_id, held.id, SubmissionId("s"), verdict)) == code


def test_a_task_is_sent_back_for_a_reason_about_the_whole_of_it() -> None:
    desk = situations.verifying()
    held = desk.record.holders[0]
    verdict = Verdict(VerdictKind.SEND_BACK, (Reason("All boxes are too large."),))
    desk.do(Submit(held.person_id, held.id, SubmissionId("s"), verdict))
    assert desk.record.is_returned
    assert desk.record.reasons[0].pin.is_whole_task


@pytest.mark.parametrize("jump", [-HOUR, -24 * HOUR, -1000 * HOUR])
def test_a_clock_that_goes_back_never_makes_a_task_sleep_for_long(jump: int) -> None:
    desk = Desk()
    desk.claim("A")
    desk.now += jump
    slept = 0
    while desk.record.holders:
        desk.do(Expire())
        desk.now += HOUR // 4
        slept += HOUR // 4
        assert slept <= 4 * HOUR + HOUR // 2
    assert desk.record.status is TaskStatus.WAITING


def test_a_clock_that_goes_back_does_not_stop_the_work() -> None:
    desk = Desk()
    desk.claim("A")
    desk.now -= HOUR
    desk.submit("A", DONE)
    desk.now -= 500 * HOUR
    desk.work("B", APPROVE)
    desk.work("C", APPROVE)
    assert desk.record.status is TaskStatus.COMPLETE
    assert replay(desk.events) == desk.record


def test_side_by_side_nobody_sees_the_others_until_it_is_decided() -> None:
    desk = Desk(PARALLEL)
    desk.set_person("R", Role.REVIEWER)
    people = desk.people
    a = desk.work("A", DONE)
    assert desk.record.open_slots == 2
    desk.claim("B")
    assert _may(desk) == "CDE"
    assert hidden_from(desk.record, people[PersonId("B")]) == {a}
    assert hidden_from(desk.record, people[PersonId("E")]) == {a}
    assert hidden_from(desk.record, people[PersonId("A")]) == frozenset()
    assert hidden_from(desk.record, people[LEAD]) == frozenset()
    desk.set_person("B", Role.RATER, Role.LEAD)  # a lead who takes part is as blind as the others
    assert hidden_from(desk.record, people[PersonId("B")]) == {a}
    b = desk.submit("B", DONE)
    c = desk.work("C", DONE)
    assert desk.record.status is TaskStatus.RESOLVING
    assert hidden_from(desk.record, people[PersonId("A")]) == {b, c}
    desk.do(Decide(None, VerdictKind.DONE, SubmissionId("joined"), "majority"))
    assert (desk.record.stage, desk.record.base_id) == ("verify", "joined")
    assert hidden_from(desk.record, people[PersonId("A")]) == frozenset()
    assert _may(desk) == "R"


def test_a_tie_asks_one_more_and_then_an_adjudicator_who_sees_all() -> None:
    desk = Desk(PARALLEL)
    desk.set_person("R", Role.REVIEWER)
    desk.set_person("S", Role.REVIEWER)
    handed = {desk.work(name, DONE) for name in "ABC"}
    desk.do(RequestRater())
    assert (desk.record.wanted, desk.record.is_adjudicating) == (4, False)
    assert _may(desk) == "DE"
    handed.add(desk.work("D", DONE))
    desk.do(RequestRater())
    assert (desk.record.wanted, desk.record.is_adjudicating) == (5, True)
    assert _may(desk) == "RS"
    assert hidden_from(desk.record, desk.people[PersonId("R")]) == handed
    desk.claim("R")
    assert hidden_from(desk.record, desk.people[PersonId("R")]) == frozenset()
    settled = desk.submit("R", DONE)
    assert (desk.record.stage, desk.record.base_id) == ("verify", settled)
    assert _may(desk) == "S"


def test_several_who_judge_send_back_with_all_their_reasons() -> None:
    desk = Desk(staged(SEQUENTIAL, "verify", raters=2, max_raters=2), raters="ABCDEF")
    desk.work("A", DONE)
    desk.work("B", APPROVE)
    desk.work("C", BACK)
    desk.work("D", BACK)
    desk.do(Decide(None, VerdictKind.SEND_BACK, desk.record.base_id, "unanimity"))
    assert (desk.record.stage, desk.record.is_returned) == ("check", True)
    assert desk.record.reasons == BACK.reasons * 2
    assert _may(desk) == "EF"


def test_a_stage_that_the_recipe_lost_is_told_to_the_lead() -> None:
    desk = situations.stageless()
    desk.do(LookForPeople())
    assert desk.record.needs_lead is LeadNeed.NO_STAGE
    assert excluded_people(desk.record, StageSpec("check", "Check", Act.CHECK)) == {"A"}
    desk.do(Reopen(LEAD, "the recipe changed", stage="verify"))
    assert _may(desk) == "BCDE"


def test_priorities_have_bounds() -> None:
    assert Desk().refused(Prioritize(LEAD, 1_000_001)) == "too-far"


def test_an_assignment_is_made_once() -> None:
    desk = Desk()
    held = desk.claim("A")
    desk.do(Release(PersonId("A"), held))
    assert desk.refused(Claim(PersonId("B"), held)) == "made-already"


def test_a_plan_needs_the_type_of_its_task_and_a_step_its_own_events() -> None:
    desk = Desk()
    other = staged(SEQUENTIAL, "check")
    with pytest.raises(ValueError, match="task type"):
        plan(
            desk.record,
            Expire(),
            type(other)("sounds", "Sounds", (), other.stages),
            desk.crew,
            desk.now,
        )
    with pytest.raises(ValueError, match="begins with"):
        replay([])
    desk.claim("A")
    with pytest.raises(ValueError, match="begins with"):
        replay(desk.events[1:])
    stranger = replace(desk.events[1], task_id=TaskId("u"))
    with pytest.raises(ValueError, match="another task"):
        apply(desk.record, stranger)
    with pytest.raises(ValueError, match="cannot follow"):
        apply(desk.record, Happened(desk.record.id, 0, None))
    anew = apply(desk.record, desk.events[0])
    assert anew == replace(replay(desk.events[:1]), seq=desk.record.seq + 1)


def test_an_event_of_an_unknown_assignment_is_a_broken_history() -> None:
    desk = Desk()
    desk.claim("A")
    desk.do(Release(PersonId("A"), desk.record.holders[0].id))
    with pytest.raises(ValueError, match="never made"):
        replay([desk.events[0], desk.events[2]])


def test_a_crew_knows_those_who_left_but_counts_on_nobody_but_the_active() -> None:
    here = Person(PersonId("a"), "Ada", frozenset((Role.RATER,)))
    gone = Person(PersonId("b"), "Bo", frozenset((Role.RATER, Role.LEAD)), is_active=False)
    crew = Crew.of([here, gone])
    assert crew.person(PersonId("b")) == gone
    assert crew.is_spent(Role.LEAD, frozenset())
    assert not crew.is_spent(Role.RATER, frozenset(("b",)))
    assert crew.is_spent(Role.RATER, frozenset(("a",)))


def test_a_task_is_made_with_a_priority_and_something_to_begin_from() -> None:
    made = create(
        Desk().record.id,
        Desk().record.video_id,
        PARALLEL,
        by=LEAD,
        now=5,
        priority=3,
        base_id=SubmissionId("imported"),
    )
    record = replay([made])
    assert (record.priority, record.base_id, record.wanted) == (3, "imported", 3)


def test_withdrawing_says_why_once() -> None:
    desk = situations.withdrawn()
    assert desk.do(Withdraw(LEAD, "again")) == []
    assert desk.refused(Withdraw(PersonId("A"), "mine")) == "lead-only"


def test_errors_read_as_sentences() -> None:
    desk = situations.held()
    act = Claim(PersonId("B"), AssignmentId("x"))
    with pytest.raises(WorkError) as caught:
        plan(desk.record, act, SEQUENTIAL, desk.crew, desk.now)
    assert str(caught.value) == "The task is assigned to another person."
