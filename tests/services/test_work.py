"""Work by the rules: claimed, handed in, checked, sent back; who is at the keyboard matters."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import current_thread
from typing import TypeVar

import pytest

from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.commands import (
    AddComment,
    AddImported,
    CreateSegment,
    CreateTrack,
    DeleteTracks,
    KeepInterpolation,
    SetAbsentBefore,
    SetKeyframe,
    SetTrack,
)
from annotator.domain.errors import EditError, ProjectError, RecipeError, WorkError
from annotator.domain.geometry import Box
from annotator.domain.ids import CommentId, PersonId, TaskId, new_id, segment_id, track_id
from annotator.domain.people import Person, Role
from annotator.domain.proposals.box_proposals import open_gaps
from annotator.domain.work.records import (
    AssignmentState,
    Flag,
    LeadNeed,
    Reason,
    TaskStatus,
    Verdict,
    VerdictKind,
)
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.project.recipes import parse_recipe, shipped_recipe, shipped_recipes
from annotator.services.session import Session
from annotator.services.workflow.transactions import WorkChanged
from annotator.services.workflow.work import BoardFilter, Work
from tests.store.samples import video_info

T = TypeVar("T")

HOUR = 3_600_000
KIND = "object-tracks"


class Team:
    """A project with stages, its people, and a clock that is moved by hand."""

    def __init__(self, folder: Path, n_videos: int = 2) -> None:
        self.now = 1_800_000_000_000
        self.path = folder / "team.annot"
        self.project: OpenProject = create_project(
            self.path, title="Team", recipe="perception-test"
        )
        self.tick()
        lead = self.work.me
        assert lead is not None
        self.lead: Person = lead
        names = ("Ann", "Ben", "Cleo", "Dan", "Eve")
        self.people = {name: self._add(name) for name in names}
        self.videos = [video_info(f"v{i}.mp4") for i in range(n_videos)]
        for info in self.videos:
            self.project.add_absent_video(info)

    @property
    def work(self) -> Work:
        return self.project.work

    def tick(self) -> None:
        self.work.transactions.now = lambda: self.now

    def sign_in(self, name: str) -> Person:
        person = self.lead if name == "lead" else self.people[name]
        return self.work.people.sign_in(person.id)

    def next(self, name: str, stage: str | None = None) -> Session:
        """Let somebody take the next task of boxes and open it."""
        self.sign_in(name)
        record = self.work.claim_next(KIND, stage)
        assert record is not None
        return self.project.open_task(record.id)

    def send_back(self, session: Session, code: str = "") -> None:
        reason = Reason("A cup is missing.", Pin(frame=3), code)
        self.work.submit(session, Verdict(VerdictKind.SEND_BACK, (reason,)))

    def _add(self, name: str) -> Person:
        return self.work.people.add(name, (Role.RATER, Role.REVIEWER))


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def _draw(session: Session, label: str = "cup") -> None:
    session.run(CreateTrack(track_id(), label, 3, Box(10, 20, 110, 90)))


def _stages(work: Work) -> list[str]:
    task_type = work.recipe.task_type(KIND)
    assert task_type is not None
    return [stage.key for stage in task_type.stages]


def test_shipped_recipes_are_whole() -> None:
    assert next(iter(shipped_recipes())).name == "single"
    assert {"single", "perception-test"} <= {r.name for r in shipped_recipes()}


def test_three_people_and_a_return_to_another(team: Team) -> None:
    work, (annotate, check, verify) = team.work, _stages(team.work)
    first = team.next("Ann")
    _draw(first)
    remark = CommentId(new_id())
    first.run(AddComment(remark, team.people["Ann"].id, team.now, "Hard to see", Pin(frame=3)))
    tracks = first.document.tracks
    assert work.my_work().submitted == ()
    handed = work.submit(first)
    assert [h.task_id for h in work.my_work().submitted] == [first.task_id]
    assert first.is_read_only
    task = first.task_id
    assert work.record(task).stage == check
    second = team.next("Ben", check)
    assert second.task_id == task
    assert second.document.tracks == tracks
    assert second.document.comment(remark).text == "Hard to see"
    assert not second.can_undo
    _draw(second, "lid")
    approved = work.submit(second)
    body = json.loads(approved.body)
    assert (body["parent_id"], body["stage"], body["verdict"]["kind"]) == (
        handed.id,
        check,
        "approve",
    )
    third = team.next("Cleo", verify)
    team.send_back(third, "missing")
    record = work.record(task)
    assert (record.stage, record.status, record.is_returned) == (check, TaskStatus.WAITING, True)
    for name in ("Ann", "Ben", "Cleo"):
        team.sign_in(name)
        with pytest.raises(WorkError) as refused:
            work.claim(task)
        assert refused.value.code in ("had-part", "own-work", "role")
    again = team.next("Dan", check)
    assert again.task_id == task
    assert [h.task_id for h in work.my_work().returned] == [task]
    assert len(again.document.tracks) == 2
    work.submit(again)
    work.submit(team.next("Eve", verify))
    assert work.record(task).status is TaskStatus.COMPLETE
    assert [s.revision for s in work.submissions(task)] == [1] * 5
    numbers = work.statistics()
    assert numbers.return_rates[team.people["Ben"].id].returned == 1
    assert numbers.reasons == {"missing": 1}
    assert sum(numbers.throughput[next(iter(numbers.throughput))].values()) == 5
    assert annotate == _stages(work)[0]
    team.project.close()


def test_a_draft_is_locked_once_it_is_handed_in(team: Team) -> None:
    session = team.next("Ann")
    _draw(session)
    team.work.submit(session)
    with pytest.raises(ProjectError):
        _draw(session)
    with pytest.raises(WorkError, match=r"The task is already submitted\."):
        team.work.submit(session)
    with pytest.raises(WorkError) as refused:
        team.work.reopen(session.task_id)
    assert refused.value.code == "lead-only"
    team.sign_in("lead")
    with pytest.raises(WorkError, match=r"Enter a reason\."):
        team.work.reopen(session.task_id)
    team.work.reopen(session.task_id, "The cup is missing")
    team.sign_in("Ann")
    assert [h.task_id for h in team.work.my_work().returned] == [session.task_id]
    again = team.project.open_task(session.task_id)
    _draw(again, "lid")
    second = team.work.submit(again)
    assert second.revision == 2
    assert "reopened" in [e.kind for e in team.work.history(session.task_id)]
    team.project.close()


def test_what_is_large_is_handed_in_and_begun_aside(tmp_path: Path) -> None:
    threads: list[str] = []

    def background(work: Callable[[], T]) -> T:
        def noted() -> T:
            threads.append(current_thread().name)
            return work()

        with ThreadPoolExecutor(1, thread_name_prefix="background") as pool:
            return pool.submit(noted).result()

    project = create_project(
        tmp_path / "large", title="Large", recipe="perception-test", background=background
    )
    video = video_info("long.mp4", n_frames=2000)
    task = project.add_absent_video(video)
    session = project.open_task(task)
    keys = tuple(Keyframe(f, Box(10, 20, 110 + f / 100, 90)) for f in range(1500))
    session.run(AddImported((Track(TrackInfo(track_id(), "cup", 1, 0), keys),)))
    threads.clear()
    handed = project.work.submit(session)
    assert len(threads) == 1
    assert session.is_submitted
    assert json.loads(handed.body)["tracks"][0]["keyframes"][1499]["frame"] == 1499
    with pytest.raises(WorkError, match=r"The task is already submitted\."):
        project.work.submit(session)
    ben = project.work.people.add("Ben", (Role.RATER,))
    project.work.people.sign_in(ben.id)
    assert project.work.claim_next(KIND) is not None
    threads.clear()
    second = project.open_task(task)
    assert len(threads) == 2  # begun, then read
    assert [t.keyframes for t in second.document.tracks] == [keys]
    project.close()


def test_everything_is_there_after_a_restart(team: Team) -> None:
    session = team.next("Ann")
    _draw(session)
    task, record = session.task_id, team.work.record(session.task_id)
    team.project.close()
    again = open_project(team.path)
    assert again.work.record(task) == record
    assert again.work.recipe.name == "perception-test"
    again.work.people.sign_in(team.people["Ann"].id)
    opened = again.open_task(task)
    assert [t.label for t in opened.document.tracks] == ["cup"]
    assert opened.undo_op == "create-track"
    again.close()


def test_release_and_skip(team: Team) -> None:
    work = team.work
    session = team.next("Ann")
    _draw(session)
    task = session.task_id
    work.release(task)
    with pytest.raises(WorkError, match=r"The task is no longer assigned to you\."):
        work.release(task)
    assert team.next("Ben").task_id == task
    with pytest.raises(WorkError, match=r"Enter a reason\."):
        work.skip(task, " ")
    work.skip(task, "Too dark")
    assert team.next("Ben").task_id != task
    resumed = team.next("Ann")
    assert resumed.task_id == task
    assert [t.label for t in resumed.document.tracks] == ["cup"]
    team.project.close()


def test_a_lease_that_is_over_goes_back_and_what_comes_late_is_kept(team: Team) -> None:
    work = team.work
    session = team.next("Ann")
    _draw(session)
    team.now += 1000 * HOUR
    other = team.next("Ben")
    assert other.task_id == session.task_id
    team.sign_in("Ann")
    late = work.submit(session)
    record = work.record(session.task_id)
    assert Flag.LATE in record.flags
    assert record.stage == _stages(work)[0]
    assert late.id in [s.id for s in work.submissions(session.task_id)]
    team.sign_in("Ben")
    work.submit(other)
    assert work.record(session.task_id).stage == _stages(work)[1]
    team.project.close()


def test_a_clock_that_was_set_back_keeps_no_task_asleep(team: Team) -> None:
    session = team.next("Ann")
    team.now -= 1000 * HOUR
    assert team.next("Ben").task_id == session.task_id
    states = [a.state for a in team.work.record(session.task_id).assignments]
    assert states == [AssignmentState.EXPIRED, AssignmentState.HELD]
    team.project.close()


def test_time_counts_while_there_is_life(team: Team) -> None:
    work = team.work
    session = team.next("Ann")
    work.enter(session.task_id)
    for step in (5, 10, 100, 20):
        team.now += step * 1000
        work.poke()
    assert work.active_seconds(session.task_id) == 65
    team.now += 10_000
    work.poke(is_background=True)
    team.now += 10_000
    work.poke()
    team.now -= 50_000
    work.poke()
    assert work.active_seconds(session.task_id) == 75
    work.submit(session)
    assert work.my_work().active_seconds_today == 75
    work.enter(None)
    team.now += 24 * HOUR
    assert (work.my_work().active_seconds_today, work.my_work().active_seconds_week) == (0, 75)
    team.now += 7 * 24 * HOUR
    assert work.my_work().active_seconds_week == 0
    team.now -= 8 * 24 * HOUR
    (row,) = work.statistics().hours
    assert (row.stage, row.items, round(row.total_hours * 3600)) == ("annotate", 1, 75)
    team.sign_in("Ben")
    assert work.my_work().active_seconds_today == 0
    team.project.close()


def test_leads_act_on_many_at_once_or_on_none(team: Team) -> None:
    work, told = team.work, list[WorkChanged]()
    team.sign_in("lead")
    tasks = [row.task_id for row in work.board(BoardFilter(kinds=frozenset((KIND,))))]
    work.changed.add(told.append)
    assert work.lead.assign(tasks, team.people["Ann"].id) == []
    assert told == [WorkChanged(frozenset(tasks))]
    assert [r.holders for r in work.board(BoardFilter(holder_id=team.people["Ann"].id))] == [
        (team.people["Ann"].id,)
    ] * 2
    refused = work.lead.assign(tasks, team.people["Ben"].id)
    assert [task for task, _ in refused] == tasks
    assert work.lead.take_back(tasks, "Wrong person") == []
    assert work.lead.prioritize(tasks[1:], 5) == []
    assert team.next("Ben").task_id == tasks[1]
    team.sign_in("lead")
    with pytest.raises(WorkError, match=r"No change was made\."):
        work.lead.withdraw(tasks, "Bad clips", is_canceled=iter((False, True)).__next__)
    assert {work.record(t).status for t in tasks} == {TaskStatus.WAITING, TaskStatus.IN_PROGRESS}
    assert work.lead.withdraw(tasks, "Bad clips") == []
    assert {work.record(t).status for t in tasks} == {TaskStatus.WITHDRAWN}
    assert work.lead.reopen(tasks, "They are fine") == []
    team.sign_in("Ann")
    for act in _lead_acts(work, tasks, team.people["Ben"].id):
        with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
            act()
    team.project.close()


def _lead_acts(work: Work, tasks: list[TaskId], person: PersonId) -> list[Callable[[], object]]:
    return [
        lambda: work.lead.assign(tasks, person),
        lambda: work.lead.take_back(tasks, "No"),
        lambda: work.lead.prioritize(tasks, 1),
        lambda: work.lead.withdraw(tasks, "No"),
        lambda: work.lead.close(tasks, "No"),
        lambda: work.lead.reopen(tasks, "No"),
        lambda: work.lead.open_round(tasks),
        lambda: work.lead.remove_person(person),
        lambda: work.lead.tell("Well done"),
        lambda: work.lead.draw_spot_checks(),
        lambda: work.people.add("Fay", ()),
        lambda: work.people.set_roles(person, (Role.LEAD,)),
        lambda: work.use_recipe(shipped_recipe("single")),
    ]


def _complete(team: Team) -> TaskId:
    for name in ("Ann", "Ben", "Cleo"):
        session = team.next(name, _stages(team.work)[("Ann", "Ben", "Cleo").index(name)])
        team.work.submit(session)
    return session.task_id


def test_a_round_has_guidelines_of_its_own(team: Team) -> None:
    task = _complete(team)
    work = team.work
    team.sign_in("lead")
    other = next(r.task_id for r in work.board() if r.task_id != task)
    refused = work.lead.open_round(
        [task, other], title="Cups", guidelines="# Look at the cups", reason="Cups were missed"
    )
    assert [t for t, _ in refused] == [other]
    record = work.record(task)
    assert (record.round, record.status, record.stage) == (2, TaskStatus.WAITING, "check")
    guideline = work.guideline_of(task)
    assert guideline is not None
    assert (guideline.title, guideline.text) == ("Cups", "# Look at the cups")
    assert team.next("Dan", "check").task_id == task
    team.project.close()


def test_a_person_who_leaves_frees_what_they_held(team: Team) -> None:
    work = team.work
    session = team.next("Ann")
    _draw(session)
    team.sign_in("lead")
    assert work.lead.remove_person(team.people["Ann"].id) == [session.task_id]
    with pytest.raises(WorkError, match="inactive"):
        team.sign_in("Ann")
    assert team.next("Ben").task_id == session.task_id
    team.sign_in("lead")
    with pytest.raises(WorkError, match=r"Cannot remove the last lead of the project\."):
        work.lead.remove_person(team.lead.id)
    with pytest.raises(WorkError, match=r"The person is not in the project\."):
        work.people.sign_in(PersonId(new_id()))
    team.project.close()


def test_when_nobody_is_left_the_lead_is_asked(team: Team) -> None:
    work = team.work
    session = team.next("Ann")
    work.submit(session)
    team.sign_in("lead")
    for name in ("Ben", "Cleo", "Dan", "Eve"):
        work.lead.remove_person(team.people[name].id)
    work.people.set_roles(team.lead.id, (Role.LEAD,))
    assert work.record(session.task_id).needs_lead is LeadNeed.NOBODY_LEFT
    assert session.task_id in [r.task_id for r in work.board(BoardFilter(needs_lead=True))]
    assert work.my_work().n_for_lead == 1
    team.sign_in("Ann")
    assert work.my_work().n_for_lead == 0
    team.sign_in("lead")
    fay = work.people.add("Fay", (Role.RATER, Role.REVIEWER))
    assert work.record(session.task_id).needs_lead is None
    assert work.my_work().n_for_lead == 0
    work.lead.remove_person(fay.id)
    assert work.record(session.task_id).needs_lead is LeadNeed.NOBODY_LEFT
    work.lead.bring_back(team.people["Ben"].id)
    assert work.record(session.task_id).needs_lead is None
    team.project.close()


def test_pins_and_names(team: Team) -> None:
    people = team.work.people
    fay = people.add("Fay", (Role.RATER,), pin="4711")
    assert people.person(fay.id).has_pin
    for wrong in (None, "", "4712"):
        with pytest.raises(WorkError, match=r"The PIN is incorrect\."):
            people.sign_in(fay.id, wrong)
    assert people.sign_in(fay.id, "4711").name == "Fay"
    people.set_pin(fay.id, "12345")
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        people.set_pin(team.people["Ann"].id, "0000")
    team.sign_in("lead")
    for name, said in (("Fay", "already"), (" ", "1 to 100"), ("x" * 101, "1 to 100")):
        with pytest.raises(WorkError, match=said):
            people.add(name, ())
    with pytest.raises(WorkError, match="4 to 64"):
        people.set_pin(fay.id, "123")
    people.set_pin(fay.id, None)
    assert not people.sign_in(fay.id).has_pin
    rows = team.project._file.rows("SELECT count(*) FROM person WHERE pin LIKE '%4711%'")
    assert rows == [(0,)]
    team.project.close()


def test_another_person_at_the_keyboard_cannot_go_on_with_a_draft(team: Team) -> None:
    session = team.next("Ann")
    _draw(session)
    team.sign_in("Ben")
    assert session.is_read_only
    with pytest.raises(ProjectError):
        _draw(session, "lid")
    team.sign_in("Ann")
    assert not session.is_read_only
    _draw(session, "lid")
    team.project.close()


def test_feedback_and_spot_checks(team: Team) -> None:
    work = team.work
    assert not work.lead.is_spot_check_due(), "there is nothing to look at"
    session = team.next("Ann")
    handed = work.submit(session)
    team.sign_in("lead")
    assert work.lead.is_spot_check_due()
    work.lead.tell("Mind the lids", to=team.people["Ann"].id, task_id=session.task_id)
    work.lead.tell("Thank you all")
    team.now += 1
    (check,) = work.lead.draw_spot_checks(1.0)
    assert (check.submission_id, check.person_id) == (handed.id, team.people["Ann"].id)
    work.lead.note_spot_check(handed.id, "Fine")
    team.now += 1
    assert work.lead.draw_spot_checks(1.0) == []
    team.now -= 5 * HOUR
    other = work.submit(team.next("Ben", "check"))
    team.sign_in("lead")
    (check,) = work.lead.draw_spot_checks(1.0)
    assert check.submission_id == other.id, "a clock that was set back hides nothing"
    work.lead.note_spot_check(other.id, "Fine")
    assert [c.note for c in work.lead.spot_checks()] == ["Fine", "Fine"]
    assert work.my_work().feedback == ()
    team.sign_in("Ann")
    messages = work.my_work().feedback
    assert {m.text for m in messages} == {"Mind the lids", "Thank you all"}
    work.put_away(messages[0])
    assert len(work.my_work().feedback) == 1
    team.sign_in("Ben")
    assert [m.text for m in work.my_work().feedback] == ["Thank you all"]
    team.project.close()


def test_a_changed_recipe_needs_a_new_version_and_leaves_what_was_done(team: Team) -> None:
    work = team.work
    session = team.next("Ann")
    work.submit(session)
    history = work.history(session.task_id)
    team.sign_in("lead")
    text = work.recipe_text()
    changed = text.replace('title = "Check"', 'title = "Look again"')
    assert changed != text
    with pytest.raises(RecipeError, match="The project already has version"):
        work.use_recipe(changed)
    assert work.use_recipe(changed.replace("version = 1", "version = 2", 1)).version == 2
    assert work.history(session.task_id) == history
    tags = team.project._file.rows("SELECT recipe FROM submission")
    assert tags == [("perception-test@1",)]
    with pytest.raises(RecipeError, match="TOML"):
        work.use_recipe("= nonsense")
    assert work.recipe.version == 2
    team.project.close()


def test_a_recipe_is_changed_wholly_or_not_at_all(team: Team) -> None:
    work, text = team.work, shipped_recipe("perception-test")
    first = team.next("Ann")
    work.submit(first)
    team.sign_in("lead")
    # From now on only reviewers check.
    changed = text.replace("version = 1\n", "version = 2\n", 1).replace(
        'act = "check"\nrole = "rater"', 'act = "check"\nrole = "reviewer"'
    )
    with pytest.raises(WorkError) as refused:
        work.use_recipe(changed, is_canceled=lambda: True)
    assert (refused.value.code, work.recipe.version) == ("canceled", 1)
    told: list[float] = []
    work.use_recipe(changed, on_progress=told.append)
    assert (told[0], work.recipe.version) == (0.0, 2)
    gus = work.people.add("Gus", (Role.RATER,))
    work.people.sign_in(gus.id)
    assert work.claim_next(KIND, "check") is None
    team.sign_in("Ben")
    assert work.claim_next(KIND, "check") is not None
    team.project.close()


def test_a_locked_draft_says_why(team: Team) -> None:
    work, session = team.work, team.next("Ann")

    def said() -> str:
        with pytest.raises(ProjectError) as refused:
            _draw(session)
        return refused.value.text

    team.sign_in("Ben")
    assert said() == "Cannot edit: the task is assigned to Ann."
    team.sign_in("Ann")
    work.submit(session)
    assert said().startswith("Cannot edit: you have submitted the task")
    team.sign_in("Ben")
    assert said().startswith(
        "Cannot edit: the task is waiting for the stage “Check” and is not assigned"
    )
    second = team.next("Ben", "check")
    team.sign_in("Ann")
    assert said().startswith("Cannot edit: the task is assigned to Ben")
    team.sign_in("Ben")
    work.submit(second)
    work.submit(team.next("Cleo", "verify"))
    team.sign_in("lead")
    assert said().startswith("Cannot edit: the task is complete")
    work.lead.withdraw([session.task_id], "a broken video")
    assert said().startswith("Cannot edit: the task is withdrawn")
    team.project.close()


def test_what_came_late_can_be_made_the_result(team: Team) -> None:
    work, first = team.work, team.next("Ann")
    _draw(first, "lid")
    team.now += 25 * HOUR
    second = team.next("Ben", "annotate")
    assert second.task_id == first.task_id
    work.submit(second)
    team.sign_in("Ann")
    late = work.submit(first)
    assert work.record(first.task_id).base_id != late.id
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        work.lead.use_as_result(first.task_id, late.id, "mine")
    team.sign_in("lead")
    record = work.lead.use_as_result(first.task_id, late.id, "the better one")
    assert (record.stage, record.base_id) == ("check", late.id)
    third = team.next("Cleo", "check")
    assert [t.label for t in third.document.tracks] == ["lid"]
    team.project.close()


def test_plain_project_is_passed_on_with_its_drafts(tmp_path: Path) -> None:
    project = create_project(tmp_path / "plain.annot", title="Plain")
    task = project.add_absent_video(video_info())
    session = project.open_task(task)
    _draw(session)
    other = project.work.people.add("Bob", Role)
    project.work.people.sign_in(other.id)
    again = project.open_task(task)
    assert not again.is_read_only
    assert [t.label for t in again.document.tracks] == ["cup"]
    assert project.work.submit(again).person_id == other.id
    project.work.reopen(task)
    assert not project.open_task(task).is_read_only
    project.close()


def test_what_is_taken_back_is_told_to_nobody(team: Team) -> None:
    work, told = team.work, list[WorkChanged]()
    session = team.next("Ann")
    team.sign_in("lead")
    work.changed.add(told.append)

    def break_off() -> None:
        with work.transactions.together():
            work.lead.remove_person(team.people["Ann"].id)
            raise WorkError("Break")

    with pytest.raises(WorkError, match="Break"):
        break_off()
    assert told == []
    assert work.people.person(team.people["Ann"].id).is_active
    assert work.record(session.task_id).status is TaskStatus.IN_PROGRESS
    work.lead.remove_person(team.people["Ann"].id)
    assert told == [WorkChanged(frozenset((session.task_id,)))]
    team.project.close()


def test_a_guest_has_no_part_until_a_lead_gives_a_role(tmp_path: Path) -> None:
    team = Team(tmp_path)
    with team.project.file.transaction() as connection:
        connection.execute("UPDATE person SET name = 'Lena' WHERE name = ?", (team.lead.name,))
    team.project.close()
    again = open_project(team.path)
    assert again.work.people.needs_sign_in
    assert again.work.claim_next() is None
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        again.work.people.add("Gus", ())
    again.work.people.sign_in(team.people["Ann"].id)
    assert not again.work.people.needs_sign_in
    assert again.work.claim_next() is not None
    again.close()


def test_raters_side_by_side_see_nothing_of_each_other(team: Team) -> None:
    work = team.work
    team.sign_in("lead")
    text = work.recipe_text().replace("version = 1", "version = 2", 1)
    stage = 'key = "annotate"\n'
    assert stage in text
    both = stage + 'raters = 2\nmax_raters = 3\nresolution = "majority"\n'
    work.use_recipe(text.replace(stage, both, 1))
    team.project.add_absent_video(video_info("new.mp4"))
    (task,) = (
        r.task_id
        for r in work.board(
            BoardFilter(text="new.mp4", kinds=frozenset((work.recipe.task_types[0].kind,)))
        )
    )
    work.lead.prioritize([task], 9)
    team.sign_in("Ann")
    kind = work.record(task).kind
    assert work.claim_next(kind) is not None
    mine = team.project.open_task(task)
    _draw(mine)
    handed = work.submit(mine)
    team.sign_in("Ben")
    assert work.submissions(task) == []
    with pytest.raises(
        WorkError,
        match=r"Several raters are working on this task independently\. You can open it after",
    ):
        team.project.open_task(task, takes=False)
    record = work.claim_next(kind)
    assert record is not None
    assert record.id == task
    theirs = team.project.open_task(task)
    assert theirs.document.tracks == ()
    with pytest.raises(WorkError) as refused:
        work.document_of(handed.id, theirs)
    assert refused.value.code == "hidden"
    team.sign_in("lead")
    assert len(work.document_of(handed.id, theirs).tracks) == 1
    assert [s.id for s in work.submissions(task)] == [handed.id]
    team.project.close()


def test_board_shows_what_a_filter_lets_through(team: Team) -> None:
    work, (first, second) = team.work, team.videos
    team.project.set_extra({first.id: {"metadata": {"script": "cups game", "split": "train"}}})
    session = team.next("Ann")
    _draw(session, "lid")
    work.submit(session)
    task, ann = session.task_id, team.people["Ann"].id
    team.sign_in("lead")
    kinds = frozenset((KIND,))
    cases: list[tuple[BoardFilter, set[str]]] = [
        (BoardFilter(kinds=kinds), {"v0.mp4", "v1.mp4"}),
        (BoardFilter(kinds=kinds, stages=frozenset(("check",))), {"v0.mp4"}),
        (BoardFilter(kinds=kinds, statuses=frozenset((TaskStatus.COMPLETE,))), set()),
        (BoardFilter(kinds=kinds, person_id=ann), {"v0.mp4"}),
        (BoardFilter(kinds=kinds, holder_id=ann), set()),
        (BoardFilter(kinds=kinds, text="V1"), {"v1.mp4"}),
        (BoardFilter(kinds=kinds, script="cups game"), {"v0.mp4"}),
        (BoardFilter(kinds=kinds, split="valid"), set()),
        (BoardFilter(kinds=kinds, fact=("script", "CUPS")), {"v0.mp4"}),
        (BoardFilter(kinds=kinds, fact=("script", "")), {"v0.mp4"}),
        (BoardFilter(kinds=kinds, fact=("script", "tea")), set()),
        (BoardFilter(kinds=kinds, fact=("scr%", "")), set()),
        (BoardFilter(kinds=kinds, label="lid"), {"v0.mp4"}),
        (BoardFilter(kinds=kinds, round=2), set()),
        (BoardFilter(kinds=kinds, flag=Flag.LATE), set()),
        (BoardFilter(kinds=kinds, is_returned=False), {"v0.mp4", "v1.mp4"}),
        (BoardFilter(kinds=kinds, needs_lead=True), set()),
    ]
    for wanted, names in cases:
        assert {row.video for row in work.board(wanted)} == names, wanted
    (row,) = work.board(BoardFilter(kinds=kinds, stages=frozenset(("check",))))
    assert (row.task_id, row.fact("script"), row.status, row.holders) == (
        task,
        "cups game",
        TaskStatus.WAITING,
        (),
    )
    assert second.name == "v1.mp4"
    assert work.scripts() == {"cups game": 1}
    assert work.metadata_columns() == ["script", "split"]
    assert len(work.board()) == 2
    team.project.close()


def test_what_waits_can_be_listed_and_ones_own_is_taken_up_again(team: Team) -> None:
    work = team.work
    first = team.next("Ann")
    assert [t.video for t in work.free_tasks(KIND, "annotate")] == ["v1.mp4"]
    assert work.free_tasks(KIND, "annotate", limit=0) == []
    (other,) = work.free_tasks(KIND, "annotate")
    with pytest.raises(WorkError) as refused:
        work.claim(other.task_id)
    assert refused.value.code == "no-choice"
    _draw(first)
    work.release(first.task_id)
    assert len(work.free_tasks(KIND, "annotate")) == 2
    work.claim(first.task_id)
    assert work.may_edit(first)
    team.project.close()


def test_what_was_judged_need_not_be_judged_again(team: Team) -> None:
    first = team.next("Ann", "annotate")
    _draw(first)
    (track,) = first.document.tracks
    first.run(KeepInterpolation(track.id, 3))
    first.run(SetAbsentBefore(track.id))
    assert open_gaps(first.document.tracks[0], first.document.video.n_frames) == []
    team.work.submit(first)
    assert team.work.statistics().findings == {}
    second = team.next("Ben", "check")
    assert second.document.tracks == first.document.tracks
    second.run(SetKeyframe(track.id, 6, Box(12, 20, 110, 90)))
    second.undo()
    assert second.document.tracks == first.document.tracks
    team.project.close()


def _completed(team: Team, names: tuple[str, str, str] = ("Ann", "Ben", "Cleo")) -> Session:
    """Bring the next task of boxes to its end; return the first session."""
    first = team.next(names[0], "annotate")
    _draw(first)
    team.work.submit(first)
    for name, stage in zip(names[1:], ("check", "verify"), strict=True):
        team.work.submit(team.next(name, stage))
    return first


def test_what_follows_begins_from_the_result_of_what_came_before(team: Team) -> None:
    work = team.work
    assert {row.kind for row in work.board()} == {KIND}
    told: list[WorkChanged] = []
    listener = told.append
    work.changed.add(listener)
    first = _completed(team)
    kinds = {row.kind: row for row in work.board() if row.video == "v0.mp4"}
    assert sorted(kinds) == ["actions", KIND, "point-tracks", "sounds"]
    assert {row.task_id for row in kinds.values()} <= told[-1].task_ids
    team.sign_in("Dan")
    record = work.claim_next("actions")
    assert record is not None
    session = team.project.open_task(record.id)
    assert session.document.tracks == first.document.tracks
    # The same result a second time: nothing is made twice.
    team.sign_in("lead")
    work.lead.open_round([first.task_id], title="Again", reason="Look once more.", stage="verify")
    work.submit(team.next("Eve", "verify"))
    assert len([row for row in work.board() if row.video == "v0.mp4"]) == 4
    team.project.close()


def test_only_what_the_tools_of_a_task_make_is_changed(team: Team) -> None:
    cup = _completed(team).document.tracks[0]
    sounds, stages = "sounds", ("annotate", "check")
    for name, stage in zip(("Dan", "Eve"), stages, strict=True):
        team.sign_in(name)
        record = team.work.claim_next(sounds, stage)
        assert record is not None
        session = team.project.open_task(record.id)
        before = session.document.tracks
        for refused in (
            CreateTrack(track_id(), "mug", 0, Box(0, 0, 9, 9)),
            SetKeyframe(cup.id, 5, Box(0, 0, 9, 9)),
            SetTrack(cup.id, label="mug"),
            DeleteTracks((cup.id,)),
            CreateSegment(Segment(segment_id(), Lane.ACTION, "wave", 0, 9)),
        ):
            with pytest.raises(EditError, match=r"Existing annotations \("):
                session.run(refused)
        assert session.document.tracks == before
        assert not session.can_undo
        session.run(CreateSegment(Segment(segment_id(), Lane.SOUND, "bang", 0, 9)))
        session.run(AddComment(CommentId(new_id()), team.people[name].id, 1, "Listen."))
        session.run(SetTrack(cup.id, is_hidden=True))
        for _ in range(3):
            assert session.undo() is not None
        n_before = len(session.document.segments)
        session.redo()
        assert len(session.document.segments) == n_before + 1
        team.work.submit(session)
    team.project.close()


def _without_sounds(text: str) -> tuple[str, str]:
    """Return the second version of a recipe, without its task type for sounds, and that type."""
    begin = text.index('[[task_types]]\nkind = "sounds"')
    end = text.index('[[task_types]]\nkind = "open-answers"')
    guide = text.index('[[guidelines]]\ntitle = "Marking sounds"')
    after = text.index("[[guidelines]]", guide + 1)
    less = text[:begin] + text[end:guide] + text[after:]
    return less.replace("version = 1", "version = 2", 1), text[begin:end]


def _with(text: str, task_type: str, version: int) -> str:
    """Return another version of a recipe, with a task type more."""
    more = text.replace("version = 2", f"version = {version}", 1)
    return more.replace("[[guidelines]]", task_type + "[[guidelines]]", 1)


def test_a_recipe_with_more_that_follows_makes_it_for_what_is_complete(team: Team) -> None:
    work = team.work
    less, sounds = _without_sounds(work.recipe_text())
    team.sign_in("lead")
    work.use_recipe(less)
    first = _completed(team)
    record = work.record(first.task_id)
    assert len(work.board()) == len(team.videos) + 2
    team.sign_in("lead")
    told: list[WorkChanged] = []
    listener = told.append
    work.changed.add(listener)
    work.use_recipe(_with(less, sounds, 3))
    (made,) = [row for row in work.board() if row.kind == "sounds"]
    assert made.video == "v0.mp4"
    assert made.task_id in told[0].task_ids
    assert work.record(made.task_id).base_id == record.base_id
    assert told[-1].recipe
    team.project.close()


def test_a_recipe_with_another_task_type_makes_its_tasks_for_all_videos(team: Team) -> None:
    work = team.work
    less, follower = _without_sounds(work.recipe_text())
    sounds = follower.replace('follows = "object-tracks"\n', "")
    assert sounds != follower
    team.sign_in("lead")
    before = len(work.board())
    work.use_recipe(less)
    assert len(work.board()) == before
    work.use_recipe(_with(less, sounds, 3))
    made = [row for row in work.board() if row.kind == "sounds"]
    assert sorted(row.video for row in made) == sorted({row.video for row in work.board()})
    assert len(made) == len(team.videos)
    # A new version with the same types makes nothing.
    work.use_recipe(_with(less, sounds, 4))
    assert len(work.board()) == before + len(made)
    team.sign_in("Ann")
    assert work.claim_next("sounds", "annotate") is not None
    team.project.close()


def test_open_tasks_that_a_recipe_has_no_type_for_are_counted_before(team: Team) -> None:
    work = team.work
    work.submit(team.next("Ann"))
    team.sign_in("lead")
    other = parse_recipe(shipped_recipe("annotate-review").replace("object-tracks", "drawings"))
    assert work.tasks_without_type(work.recipe) == {}
    assert work.tasks_without_type(other) == {"Object tracks": len(team.videos)}
    work.use_recipe(shipped_recipe("annotate-review").replace("object-tracks", "drawings"))
    team.sign_in("Cleo")
    assert work.claim_next("object-tracks", "annotate") is None
    assert work.claim_next("object-tracks", "check") is None
    assert work.claim_next("drawings", "annotate") is not None
    team.project.close()
