"""A reviewer's list: follows every edit, remembers what was accepted, and takes items back."""

from __future__ import annotations

import gc
import weakref
from contextlib import closing
from pathlib import Path

import pytest

from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import (
    CreatePoint,
    CreateSegment,
    CreateTrack,
    DeleteTracks,
    SetKeyframe,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId, point_id, segment_id, track_id
from annotator.domain.review import DifferenceKind, Subject, diff
from annotator.domain.work.records import Verdict, VerdictKind
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.project.recipes import shipped_recipe
from annotator.services.session import Session
from annotator.services.workflow.review import (
    compared,
    earlier_states,
    pin_of,
    reason_of,
    review_of,
    usual_state,
)
from tests.store.samples import video_info

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
BOX, OTHER = Box(0, 0, 40, 40), Box(5, 5, 60, 60)


@pytest.fixture
def project(tmp_path: Path):
    opened = create_project(tmp_path / "p.annot", title="Review", recipe="perception-test")
    text = shipped_recipe("perception-test").replace("version = 1", "version = 2", 1)
    tools = 'tools = ["boxes", "points", "actions"]'
    opened.work.use_recipe(text.replace('tools = ["boxes"]', tools, 1))
    opened.add_absent_video(video_info("a.mp4"))
    yield opened
    opened.close()


def taken(project: OpenProject, name: str, stage: str, kind: str = "object-tracks") -> Session:
    """Let somebody new take the task at a stage, and open it."""
    people = project.work.people
    lead = next(p for p in people.all() if p.name not in NAMES)
    people.sign_in(lead.id)
    people.sign_in(people.add(name, lead.roles).id)
    record = project.work.claim_next(kind, stage)
    assert record is not None
    return project.open_task(record.id)


@pytest.fixture
def mug(project: OpenProject) -> TrackId:
    """A mug that Ann drew and handed in."""
    session = taken(project, "Ann", "annotate")
    key = track_id()
    session.run(CreateTrack(key, "mug", 0, BOX))
    session.run(SetKeyframe(key, 20, BOX))
    project.work.submit(session)
    return key


@pytest.fixture
def session(project: OpenProject, mug: TrackId) -> Session:
    return taken(project, "Ben", "check")


def test_all_of_a_first_submission_is_new(project, session, mug) -> None:
    review = review_of(project.work, session)
    (item,) = review.differences.items
    assert (item.subject, item.kind, item.id) == (Subject.TRACK, DifferenceKind.ADDED, mug)


def test_what_another_task_has_made_is_not_reviewed(tmp_path: Path) -> None:
    made = create_project(tmp_path / "q.annot", title="Q", recipe="perception-test")
    with closing(made) as project:
        project.add_absent_video(video_info("a.mp4"))
        for name, stage in (("Ann", "annotate"), ("Ben", "check"), ("Cleo", "verify")):
            boxes = taken(project, name, stage)
            if name == "Ann":
                key = track_id()
                boxes.run(CreateTrack(key, "mug", 0, BOX))
            is_last = stage == "verify"
            project.work.submit(boxes, Verdict(VerdictKind.APPROVE) if is_last else None)
        actions = taken(project, "Dan", "annotate", "actions")
        clap = Segment(segment_id(), Lane.ACTION, "clap", 3, 9)
        actions.run(CreateSegment(clap))
        project.work.submit(actions)
        checks = taken(project, "Eve", "check", "actions")
        assert checks.document.find_track(key) is not None
        review = review_of(project.work, checks)
        assert review is not None
        assert [item.id for item in review.differences.items] == [clap.id]
        assert review.before.find_track(key) is not None


def test_nothing_to_review_before_anything_was_handed_in(project) -> None:
    assert review_of(project.work, taken(project, "Ann", "annotate")) is None


def test_the_list_follows_edits_undo_and_redo(project, session, mug) -> None:
    (handed,) = project.work.submissions(session.task_id)
    review = review_of(project.work, session, handed.id)
    heard: list[int] = []
    listener = review.changed.add(lambda found: heard.append(len(found)))
    assert not review.differences.items
    session.run(SetKeyframe(mug, 20, OTHER))
    session.run(CreateTrack(track_id(), "cup", 5, BOX))
    assert heard == [1, 2]
    session.undo()
    session.undo()
    session.redo()
    assert heard[2:] == [1, 0, 1]
    assert review.differences == diff(review.before, session.document)
    review.changed.remove(listener)


def test_what_was_accepted_is_open_again_once_it_is_edited(project, session, mug) -> None:
    (handed,) = project.work.submissions(session.task_id)
    review = review_of(project.work, session, handed.id)
    session.run(SetKeyframe(mug, 20, OTHER))
    session.run(CreateTrack(track_id(), "cup", 5, BOX))
    cup, moved = review.differences.items
    review.accept(moved)
    assert review.open_items == (cup,)
    assert review.counts() == {(Subject.TRACK, DifferenceKind.ADDED): 1}
    session.run(SetKeyframe(mug, 20, Box(1, 1, 50, 50)))
    assert len(review.open_items) == 2
    review.accept(*review.open_items)
    assert review.open_items == ()
    review.reopen(review.differences.items[0])
    assert review.open_items == (cup,)


def test_what_is_sent_back_gives_its_reason_until_it_is_put_right(project, session, mug) -> None:
    (handed,) = project.work.submissions(session.task_id)
    review = review_of(project.work, session, handed.id)
    session.run(SetKeyframe(mug, 20, OTHER))
    (moved,) = review.differences.items
    review.accept(moved)
    review.send_back("The handle is cut off.", "wrong-place", moved)
    assert not review.is_accepted(moved)
    assert review.open_items == ()
    (reason,) = review.reasons
    assert (reason.text, reason.code) == ("The handle is cut off.", "wrong-place")
    assert reason.pin == Pin(frame=20, track_id=mug)
    session.run(SetKeyframe(mug, 20, Box(1, 1, 50, 50)))
    assert review.reasons == ()
    assert len(review.open_items) == 1


def test_reverting_is_one_step_that_undo_takes_back(project, session, mug) -> None:
    (handed,) = project.work.submissions(session.task_id)
    review = review_of(project.work, session, handed.id)
    session.run(DeleteTracks((mug,)))
    done = review.revert(*review.differences.items)
    assert (done.op, done.initiator) == ("revert-difference", review)
    assert not review.differences.items
    assert session.document.track(mug).frames == (0, 20)
    session.undo()
    assert session.document.find_track(mug) is None


def test_the_next_reviewer_sees_what_the_one_before_changed(project, session, mug) -> None:
    session.run(SetKeyframe(mug, 20, OTHER))
    project.work.submit(session, Verdict(VerdictKind.APPROVE))
    handed = project.work.submissions(session.task_id)
    found = compared(project.work, session, *handed)
    assert [item.subject for item in found.items] == [Subject.KEYFRAMES]
    review = review_of(project.work, session)
    assert review.differences == found


def test_what_was_sent_back_is_compared_with_what_was_before_it(project, session, mug) -> None:
    session.run(SetKeyframe(mug, 20, OTHER))
    project.work.submit(session, Verdict(VerdictKind.APPROVE))
    verifying = taken(project, "Cleo", "verify")
    reason = reason_of(review_of(project.work, verifying).differences.items[0], "Too large.")
    project.work.submit(verifying, Verdict(VerdictKind.SEND_BACK, (reason,)))
    again = taken(project, "Dan", "check")
    states = earlier_states(project.work, again.task_id)
    assert [(s.author, s.stage, s.is_return) for s in states[1:]] == [
        ("Ann", "Annotate", False),
        ("Ben", "Check", False),
        ("Cleo", "Verify", True),
    ]
    assert usual_state(states) == 1
    (item,) = review_of(project.work, again).differences.items
    assert pin_of(item) == reason.pin


def test_reasons_are_pinned_to_what_they_are_about(project, session, mug) -> None:
    (handed,) = project.work.submissions(session.task_id)
    review = review_of(project.work, session, handed.id)
    rim, segment = point_id(), segment_id()
    session.run(SetKeyframe(mug, 20, OTHER))
    session.run(CreatePoint(rim, mug, "rim", 7, Point(3, 3)))
    session.run(CreateSegment(Segment(segment, Lane.ACTION, "Lifting", 3, 9, 2, (mug,))))
    pins = {item.subject: pin_of(item) for item in review.differences.items}
    assert pins == {
        Subject.KEYFRAMES: Pin(frame=20, track_id=mug),
        Subject.POINT: Pin(frame=7, track_id=mug, point_id=rim),
        Subject.SEGMENT: Pin(span=(3, 9), segment_id=segment),
    }
    reason = reason_of(review.differences.items[0], "Too long.", "wrong-time")
    assert (reason.text, reason.code, reason.pin.segment_id) == ("Too long.", "wrong-time", segment)


def test_a_closed_review_is_not_kept_by_its_session(project, session, mug) -> None:
    review = weakref.ref(review_of(project.work, session))
    gc.collect()
    assert review() is None
    session.run(SetKeyframe(mug, 20, OTHER))
