"""A participant answers elsewhere: a package holds what was dealt to them, seen as it was dealt."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.answer import Picked
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Purpose
from annotator.services.packages.packages import open_package, pack_tasks
from annotator.services.packages.submissions import collect, pack_submissions
from annotator.services.project.projects import open_project
from annotator.services.questions.studies import studies
from annotator.services.questions.studies.reference_scores import answers_in_study
from annotator.store.questions import studies as store
from tests.media.encoding import encode
from tests.services.questions.question_team import QuestionTeam, item, recipe
from tests.services.questions.study_team import STUDY, participants


def test_what_was_dealt_travels_and_comes_back(tmp_path: Path) -> None:
    team = QuestionTeam(tmp_path, 0, text=recipe() + STUDY)
    project, clips = team.project, [tmp_path / "videos" / f"{i}.mp4" for i in range(2)]
    clips[0].parent.mkdir()
    for i, clip in enumerate(clips):
        encode(clip, numbers=range(6 + i))
    project.add_videos(clips)
    for entry in project.videos():
        task_id = team.add(item(entry.id, f"What is in {entry.id}?"))
        for name in ("Ann", "Ben"):
            team.hand_in(name, task_id)
        team.lead_again()
    cleo = team.people["Cleo"].id
    guests = [*participants(team, 3), cleo]
    study = studies.make_study(project, studies.wish_for(project, "people", "Spring", guests))
    assigned = {
        p.task_id: p.condition
        for p in store.list_parts(project.file, study.id)
        if p.person_id == guests[0]
    }
    assert len(assigned) == 2
    package, back = tmp_path / "out.work", tmp_path / "back.work"
    packed = pack_tasks(project, package, guests[0], n_tasks=9)
    assert packed.n_tasks == 2
    target = tmp_path / "elsewhere" / "mine.annot"
    target.parent.mkdir()
    open_package(package, target, media_folders=[clips[0].parent])
    mine = open_project(target)
    assert mine.work.people.sign_in(guests[0]).roles == frozenset((Role.PARTICIPANT,))
    assert {t.id for t in mine.tasks()} == assigned.keys()
    for task_id, condition in assigned.items():
        session = mine.open_task(task_id)
        assert session.viewing.is_muted == (condition == "muted")
        question_set = mine.questions.question_set(session)
        assert {(i.purpose, bool(i.right)) for i in question_set.items} == {(Purpose.WORK, False)}
        for asked in question_set.items:
            session.run(question_set.answer(asked.id, "which", Picked(("o1",)), took_ms=900))
        mine.work.submit(session)
    pack_submissions(mine, back)
    mine.close()
    team.lead_again()
    collect(project, back)
    given = answers_in_study(project, study)
    assert {(e.person_id, e.condition, e.seconds) for e in given} == {
        (guests[0], condition, 0.9) for condition in assigned.values()
    }
    assert studies.progress(project, study.id).n_given == 2
    # A rater who answers in the study, too: the package brings what was dealt, and no other task
    # that asks about the same videos, though two wait.
    later = [team.add(item(entry.id, "And what else?")) for entry in project.videos()]
    pack_tasks(project, tmp_path / "cleo.work", cleo, stage="answer")
    held = {task.id for task in project.tasks() if project.work.record(task.id).holders}
    own = {p.task_id for p in store.list_parts(project.file, study.id) if p.person_id == cleo}
    assert held == own
    pack_tasks(project, tmp_path / "ann.work", team.people["Ann"].id, stage="answer")
    assert {t for t in later if project.work.record(t).holders} == set(later)
    project.close()
