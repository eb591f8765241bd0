"""Tasks that are there for one person, seen as their making says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.domain.errors import ProjectError, WorkError
from annotator.domain.forms.restricted_view import Extent, PairLayout, Viewing
from annotator.domain.ids import PersonId, TaskId, VideoId
from annotator.domain.people import Role
from annotator.domain.study.design import StudySpec
from annotator.domain.work.acts import Assign, Claim, ExcludePeople, Leave, LookForPeople, Release
from annotator.domain.work.codec import event_from, event_value
from annotator.domain.work.event_replay import begin, replay
from annotator.domain.work.events import Created
from annotator.domain.work.records import Flag, LeadNeed, TaskStatus
from annotator.domain.work.transitions import create
from tests.domain.work.desk import DONE, LEAD, PARALLEL, SINGLE, START, Desk

MUTED = Viewing(Extent.BEFORE_CUT, is_muted=True, layout=PairLayout.APART)
B = PersonId("B")


def _reserved(desk: Desk) -> Created:
    return create(
        TaskId("t"),
        VideoId("v"),
        desk.task_type,
        by=LEAD,
        now=START,
        reserved_for=B,
        viewing=MUTED,
    )


def _desk() -> Desk:
    desk = Desk(SINGLE)
    made = _reserved(desk)
    desk.events, desk.record = [made], begin(made)
    return desk


def _to_a(desk: Desk, *, is_overruling: bool = True) -> Assign:
    text = "B has left." if is_overruling else ""
    return Assign(LEAD, desk.new(), PersonId("A"), is_overruling=is_overruling, text=text)


def _leave(desk: Desk) -> None:
    desk.people[B] = replace(desk.people[B], is_active=False)
    desk.do(Leave(LEAD, B))


def test_nobody_else_gets_it_not_even_by_the_lead() -> None:
    desk = _desk()
    assert desk.record.viewing == MUTED
    assert desk.refused(Claim(PersonId("A"), desk.new())) == "reserved"
    assert desk.refused(_to_a(desk)) == "reserved"
    desk.claim("B")
    desk.submit("B", DONE)
    assert desk.record.status is TaskStatus.COMPLETE


def test_it_is_for_one_whatever_the_stage_says() -> None:
    assert _reserved(Desk(PARALLEL)).wanted == 1


def test_the_lead_hears_when_the_person_leaves() -> None:
    desk = _desk()
    desk.claim("B")
    desk.people[B] = replace(desk.people[B], is_active=False)
    assert desk.do(Leave(LEAD, B)) == ["ended", "lead-asked"]
    assert desk.record.needs_lead is LeadNeed.NOBODY_LEFT
    desk.set_person("B", Role.PARTICIPANT)
    assert desk.do(LookForPeople()) == ["lead-answered"]


def test_what_was_there_for_somebody_who_left_is_there_for_whom_the_lead_names() -> None:
    desk = _desk()
    _leave(desk)
    assert desk.refused(Claim(PersonId("A"), desk.new())) == "reserved"
    assert desk.refused(_to_a(desk, is_overruling=False)) == "reserved"
    assert desk.do(_to_a(desk)) == ["assigned"]
    assert desk.record.reserved_for == "A"
    assert Flag.OVERRULED in desk.record.flags
    assert desk.record.viewing == MUTED
    (held,) = desk.record.holders
    desk.do(Release(PersonId("A"), held.id))
    desk.set_person("B", Role.RATER)
    assert desk.refused(Claim(B, desk.new())) == "reserved"
    desk.claim("A")
    desk.submit("A", DONE)
    assert desk.record.status is TaskStatus.COMPLETE
    assert replay(desk.events) == desk.record


def test_tasks_of_a_study_are_dealt_again_not_given_to_another() -> None:
    desk = _desk()
    _leave(desk)
    desk.task_type = replace(desk.task_type, study=StudySpec(("questions",), 3, 10))
    with pytest.raises(
        WorkError,
        match=r"The task is reserved for another study participant\. Reassign the study\.",
    ) as caught:
        desk.do(_to_a(desk))
    assert caught.value.code == "reserved"


def test_who_is_kept_from_what_a_task_is_about_does_not_inherit_it() -> None:
    desk = _desk()
    desk.do(ExcludePeople(LEAD, (PersonId("A"),), "Dealt it in a study."))
    _leave(desk)
    assert desk.refused(_to_a(desk)) == "barred"


def test_events_tell_it_again() -> None:
    made = _reserved(Desk())
    assert event_from(event_value(made)) == made
    plain = create(TaskId("t"), VideoId("v"), SINGLE, by=LEAD, now=START)
    assert not {"reserved_for", "viewing"} & event_value(plain).keys()
    for wrong in ({"extent": "none"}, {"is_muted": 1}, {"volume": 2}, "muted"):
        with pytest.raises(ProjectError, match="viewing"):
            event_from({**event_value(made), "viewing": wrong})


def test_who_is_there_for_studies_alone_does_nothing_that_anybody_may_do() -> None:
    desk = Desk(SINGLE)
    desk.set_person("guest", Role.PARTICIPANT)
    desk.set_person("both", Role.PARTICIPANT, Role.RATER)
    assert desk.refused(Claim(PersonId("guest"), desk.new())) == "role"
    desk.claim("both")
