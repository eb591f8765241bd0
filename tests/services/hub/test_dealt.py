"""Kinds whose tasks depend on their person go through a hub too: gold and training tasks, attention
checks, tests to be passed first, and studies.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from annotator.domain.answer import Picked
from annotator.domain.ids import ProjectId, TaskId, VideoId, item_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.quality import QualificationStatus
from annotator.services.hub.claims import TAKEN_IN
from annotator.services.hub.hub_place import HubPlace, Invitation
from annotator.services.hub.lead_sync import TRAY, Sharing
from annotator.services.hub.rater_sync import Rating, join
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.questions.studies import studies
from annotator.store.questions import studies as store
from tests.e2e.conftest import make_clip
from tests.media.encoding import encode
from tests.services.gold_team import RECIPE, as_lead, gold_results
from tests.services.questions.question_team import QuestionTeam, item, options, recipe
from tests.services.questions.study_team import STUDY, participants
from tests.services.questions.test_qualification import CHECKED, TESTED, check
from tests.sync.worlds import MemoryWorld


class Team:
    """A lead's project at a hub in memory, and the people who joined it."""

    def __init__(self, lead: OpenProject, home: Path) -> None:
        self.lead, self.home = lead, home
        self.people = {person.name: person.id for person in lead.work.people.all()}
        self.project_id = ProjectId(lead.file.meta("project_id") or "")
        self.world = MemoryWorld(3_600_000, self.project_id)
        self._hub = self.world.hub(lead.work.people.check_lead().id)
        self._hub.take_write_role()
        self.sharing = Sharing(lead, self._hub)
        self.projects: dict[str, OpenProject] = {}

    def reopen(self) -> None:
        """Open the lead's project, which was closed, as its file is now."""
        self.lead = open_project(self.lead.path)
        self.sharing = Sharing(self.lead, self._hub)

    def join(self, name: str, folders: Sequence[Path] = ()) -> Rating:
        """Let somebody join, with what is published for them."""
        person_id = self.people[name]
        self.sharing.add_member(person_id)
        self.sharing.publish()
        own = self.world.hub(person_id)
        path = self.home / name / "mine.annot"
        path.parent.mkdir()
        join(path, Invitation(self.project_id, "Team", person_id, name, HubPlace()), own)
        mine = open_project(path)
        mine.work.people.sign_in(person_id)
        self.projects[name] = mine
        return Rating(mine, own, folders)

    def answer(self, name: str, task_id: TaskId, pick: Callable[[Item], str]) -> list[Item]:
        """Answer all that a task asks, and submit it; return what it asked."""
        project = self.projects[name]
        session = project.open_task(task_id)
        question_set = project.questions.question_set(session)
        for each in question_set.items:
            session.run(question_set.answer(each.id, "which", Picked((pick(each),)), took_ms=900))
            if any(field.key == "seen" for field in question_set.form.fields):
                session.run(question_set.answer(each.id, "seen", True, took_ms=900))
        project.work.submit(session)
        return list(question_set.items)

    def given(self, rating: Rating, name: str, kind: str) -> list[TaskId]:
        """Claim all there is, and return the tasks of a kind that wait to be begun."""
        rating.fill_stock(50)
        waiting = [claim.task_id for claim in rating.claims.stock()]
        return [each for each in waiting if self.projects[name].task(each).kind == kind]

    def close(self) -> None:
        for project in (*self.projects.values(), self.lead):
            project.close()


def _asking(home: Path, n_videos: int, text: str) -> tuple[QuestionTeam, list[VideoId]]:
    """Return a project that asks, with real clips, and its videos."""
    made = QuestionTeam(home, 0, text=text)
    (home / "videos").mkdir()
    clips = [home / "videos" / f"{i}.mp4" for i in range(n_videos)]
    for i, clip in enumerate(clips):
        encode(clip, numbers=range(6 + i))
    made.project.add_videos(clips)
    return made, [entry.id for entry in made.project.videos()]


def _carelessly(_: Item) -> str:
    return "o0"


def _as_asked(item: Item) -> str:
    """Pick what a check asks for; the first option elsewhere."""
    return f"o{item.text[-1]}" if item.text.startswith("Please") else "o0"


def test_gold_tasks_reach_their_person_among_the_others_and_are_measured(tmp_path: Path) -> None:
    lead = create_project(tmp_path / "lead", title="Team", recipe="perception-test")
    lead.work.use_recipe(RECIPE.format(gold="every = 2, training = 1, last = 3"))
    (tmp_path / "videos").mkdir()
    clips = [make_clip(tmp_path / "videos" / f"{i}.mp4", shade=40 + 10 * i) for i in range(6)]
    lead.add_videos(clips)
    for name, role in (("Ann", Role.RATER), ("Ben", Role.RATER), ("Rae", Role.REVIEWER)):
        lead.work.people.add(name, (role,))
    gold_results(lead, 2)
    as_lead(lead)
    team = Team(lead, tmp_path)
    sharing, rating = team.sharing, team.join("Ann", [tmp_path / "videos"])
    mine = team.projects["Ann"]
    given = rating.fill_stock(TRAY)
    gold = [task_id for task_id in given if lead.work.gold.is_gold(task_id)]
    training = [task_id for task_id in given if mine.work.gold.training_result(task_id)]
    assert training == given[:1]
    assert gold
    assert set(gold) < set(given)
    for task_id in given:
        mine.work.submit(mine.open_task(task_id))
    assert rating.exchange().n_sent == len(given)
    step = sharing.step()
    assert (step.n_taken_in, step.refused) == (len(given), [])
    rating.exchange()
    assert {sent.outcome for sent in rating.claims.sent().values()} == {TAKEN_IN}
    measured = {score.task_id for score in lead.work.gold.scores()}
    assert set(gold) <= measured
    assert all(mine.work.gold.training_result(t) is None for t in gold)
    team.close()


def test_attention_checks_reach_raters_without_a_tell_and_count(tmp_path: Path) -> None:
    made, videos = _asking(tmp_path, 6, CHECKED)
    made.project.qualification.add_checks([check(1), check(2)])
    for video_id in videos:
        made.add(item(video_id, "a"), item(video_id, "b"))
    made.lead_again()
    team = Team(made.project, tmp_path)
    folders = [tmp_path / "videos"]
    ann, ben = team.join("Ann", folders), team.join("Ben", folders)
    tasks = team.given(ann, "Ann", "questions")
    assert len(tasks) == TRAY
    met = 0
    for task_id in tasks[:3]:
        asked = team.answer("Ann", task_id, _carelessly)
        met += sum(each.text.startswith("Please") for each in asked)
        assert {each.purpose for each in asked} == {Purpose.WORK}
        assert not any(each.right for each in asked)
    assert met >= 2
    assert team.projects["Ann"].work.my_work().feedback == ()
    for task_id in team.given(ben, "Ben", "questions")[:2]:
        team.answer("Ben", task_id, _as_asked)
    assert (ann.exchange().n_sent, ben.exchange().n_sent) == (3, 2)
    step = team.sharing.step()
    assert step.refused == []
    status_history = team.lead.qualification.status_history
    assert [s.state for s in status_history(team.people["Ann"])] == [
        QualificationStatus.WARNED,
        QualificationStatus.SUSPENDED,
    ]
    assert status_history(team.people["Ben"]) == []
    # Whoever was suspended gets nothing more, and what they still have is taken back.
    ann.exchange()
    assert team.sharing.step().n_taken_in == 0
    ann.exchange()
    assert team.given(ann, "Ann", "questions") == []
    team.close()


def test_a_test_opens_the_kind_that_requires_it(tmp_path: Path) -> None:
    made, videos = _asking(tmp_path, 2, TESTED)
    right = Item(
        item_id(), "answer-test", (videos[0],), "What is 2?", options=options(),
        right={"which": ("o2",)}, purpose=Purpose.QUALIFICATION,
    )  # fmt: skip
    made.add(right)
    work = made.add(item(videos[1], "a"))
    made.lead_again()
    team = Team(made.project, tmp_path)
    ann = team.join("Ann", [tmp_path / "videos"])
    assert team.given(ann, "Ann", "questions") == []
    (test,) = team.given(ann, "Ann", "answer-test")
    asked = team.answer("Ann", test, lambda _: "o2")
    assert not any(each.right for each in asked), "right answers stay with the lead"
    assert ann.exchange().n_sent == 1
    assert team.sharing.step().n_taken_in == 1
    assert team.given(ann, "Ann", "questions") == [work]
    team.close()


def test_a_study_reaches_its_participants_as_it_was_dealt(tmp_path: Path) -> None:
    made, videos = _asking(tmp_path, 2, recipe() + STUDY)
    for video_id in videos:
        task_id = made.add(item(video_id, "What is it?"))
        for name in ("Ann", "Ben"):
            made.hand_in(name, task_id)
        made.lead_again()
    guests = participants(made, 4)
    wish = studies.wish_for(made.project, "people", "Spring", guests)
    study = studies.make_study(made.project, wish)
    team = Team(made.project, tmp_path)
    guest = team.join("Guest 0", [tmp_path / "videos"])
    parts = store.list_parts(made.project.file, study.id)
    assigned = {p.task_id: p.condition for p in parts if p.person_id == guests[0]}
    given = guest.fill_stock(20)
    assert set(given) == set(assigned), "tasks for everybody are not for participants"
    mine = team.projects["Guest 0"]
    for task_id in given:
        assert mine.open_task(task_id).viewing.is_muted == (assigned[task_id] == "muted")
        team.answer("Guest 0", task_id, lambda _: "o1")
    assert guest.exchange().n_sent == len(assigned)
    step = team.sharing.step()
    assert (step.n_taken_in, step.refused) == (len(assigned), [])
    assert studies.progress(made.project, study.id).n_given == len(assigned)
    team.close()


def test_a_restored_backup_hears_of_tasks_that_were_assigned_after_it(tmp_path: Path) -> None:
    made, videos = _asking(tmp_path, 1, TESTED)
    test = made.add(
        Item(
            item_id(), "answer-test", (videos[0],), "What is 2?", options=options(),
            right={"which": ("o2",)}, purpose=Purpose.QUALIFICATION,
        )
    )  # fmt: skip
    made.lead_again()
    team = Team(made.project, tmp_path)
    path, backup = made.project.path, tmp_path / "backup.annot"
    made.project.close()
    shutil.copy(path, backup)
    team.reopen()
    ann, ben = (team.join(name, [tmp_path / "videos"]) for name in ("Ann", "Ben"))
    assert team.given(ann, "Ann", "answer-test") == [test]
    assert team.given(ben, "Ben", "answer-test") == [test]
    team.answer("Ann", test, lambda _: "o2")
    ann.exchange()
    assert team.sharing.step().n_taken_in == 1
    team.lead.close()
    shutil.copy(backup, path)
    team.reopen()
    assert team.sharing.members == frozenset()
    step = team.sharing.step()
    assert (step.n_taken_in, step.refused) == (1, [])
    assert team.sharing.members == {team.people["Ann"], team.people["Ben"]}
    held = team.lead.work.record(test).holders
    assert [holder.person_id for holder in held] == [team.people["Ben"]]
    assert ben.exchange().lost == ()
    team.answer("Ben", test, lambda _: "o2")
    ben.exchange()
    assert team.sharing.step().n_taken_in == 1
    team.close()
