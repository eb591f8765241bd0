"""Gold tasks: known results mixed into drawn work, measured, with warnings and suspensions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.commands import CreateTrack
from annotator.domain.errors import RecipeError
from annotator.domain.geometry import Box
from annotator.domain.ids import TaskId, track_id
from annotator.domain.people import Role
from annotator.domain.questions.quality import Gold, QualificationStatus, is_gold_due
from annotator.domain.work.records import TaskStatus
from annotator.services.entry_values import WORK
from annotator.services.packages.packages import open_package, pack_tasks
from annotator.services.packages.submissions import collect, pack_submissions
from annotator.services.project.projects import OpenProject, open_project
from annotator.services.project.recipes import parse_recipe
from annotator.store.workflow.gold import find_gold_task
from annotator.sync.archive import Archive
from tests.services.gold_team import (
    CUP,
    RECIPE,
    as_lead,
    draws,
    gold_results,
    made,
    person_id,
    sign_in,
)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    opened = made(tmp_path)
    yield opened
    opened.close()


def test_one_task_in_three_repeats_a_known_one_and_leaves_the_data_alone(
    project: OpenProject,
) -> None:
    sources = gold_results(project, 4)
    n_before = len(project.tasks())
    done = [draws(project, "Ann") for _ in range(9)]
    golds = [t for t in done if t is not None and project.work.gold.is_gold(t)]
    assert len(golds) == 3
    as_lead(project)
    scores = project.work.gold.scores("tracks")
    assert [s.task_id for s in scores] == golds
    assert all(s.errors.iou == pytest.approx(1.0) and not s.beyond for s in scores)
    assert all(project.work.record(t).status is TaskStatus.WITHDRAWN for t in golds)
    # Nothing of them is in the data set, in counts or in anybody's queue.
    assert len(project.tasks()) == n_before
    assert set(golds).isdisjoint(task.id for task in project.tasks())
    counts = project.work.statistics().counts
    assert sum(n for (*_, status), n in counts.items() if status is TaskStatus.WITHDRAWN) == 0
    assert sum(counts.values()) == n_before
    sign_in(project, "Rae")
    as_lead(project)
    assert {row.task_id for row in project.work.board()}.isdisjoint(golds)
    drawn = project.work.lead.draw_spot_checks(1.0)
    assert {check.task_id for check in drawn}.isdisjoint(golds)
    sign_in(project, "Rae")
    waiting = {free.task_id for free in _free_checks(project)}
    assert waiting.isdisjoint(golds)
    assert {project.work.record(t).video_id for t in golds} <= {
        project.work.record(t).video_id for t in sources
    }


def _free_checks(project: OpenProject) -> list:  # type: ignore[type-arg]
    return project.work.free_tasks("tracks", "check")


def test_nobody_gets_a_gold_task_on_a_video_that_they_worked_on(project: OpenProject) -> None:
    sources = gold_results(project, 3)
    videos = {project.work.record(t).video_id for t in sources}
    done = [draws(project, "Ben") for _ in range(6)]
    assert all(t is None or project.work.record(t).video_id not in videos for t in done)
    assert not any(t is not None and project.work.gold.is_gold(t) for t in done)


def test_large_errors_warn_and_then_suspend(project: OpenProject) -> None:
    gold_results(project, 4)
    ann = person_id(project, "Ann")
    bad = Box(120, 90, 160, 130)
    status_history: list[QualificationStatus] = []
    for _ in range(9):
        if draws(project, "Ann", bad) is None:
            break
        as_lead(project)
        status_history = [s.state for s in project.qualification.status_history(ann)]
    assert status_history == [QualificationStatus.WARNED, QualificationStatus.SUSPENDED]
    as_lead(project)
    scores = project.work.gold.scores("tracks", ann)
    assert [s.beyond for s in scores] == [("iou", "found")] * 2
    assert scores[0].errors.n_extra == 1
    sign_in(project, "Ann")
    assert project.work.claim_next("tracks") is None
    messages = [m.text for m in project.work.my_work().feedback]
    assert len(messages) == 2
    assert any("You are suspended from these tasks" in text for text in messages)
    # A lead lets her begin anew: what was measured before does not count.
    as_lead(project)
    project.qualification.set_status(ann, "tracks", QualificationStatus.CLEARED)
    for _ in range(5):
        draws(project, "Ann", bad)
    as_lead(project)
    states = [stood.state for stood in project.qualification.status_history(ann)]
    assert states[states.index(QualificationStatus.CLEARED) + 1] is QualificationStatus.WARNED


def test_a_gold_task_given_up_is_withdrawn_and_a_released_one_waits_for_its_person(
    tmp_path: Path,
) -> None:
    project = made(tmp_path, "every = 2")
    try:
        gold_results(project, 3)
        sign_in(project, "Ann")
        record = project.work.claim_next("tracks")
        assert record is not None
        assert project.work.gold.is_gold(record.id)
        project.work.release(record.id)
        assert record.id not in {free.task_id for free in _free_of(project, "Ben")}
        sign_in(project, "Ann")
        project.work.claim(record.id)
        project.work.skip(record.id, "too dark")
        assert project.work.record(record.id).status is TaskStatus.WITHDRAWN
        assert project.work.record(record.id).needs_lead is None
    finally:
        project.close()


def _free_of(project: OpenProject, name: str) -> list:  # type: ignore[type-arg]
    sign_in(project, name)
    return project.work.free_tasks("tracks", "annotate")


def test_training_comes_first_and_shows_the_known_result_after_submission(tmp_path: Path) -> None:
    project = made(tmp_path, "every = 20, training = 2")
    try:
        gold_results(project, 2)  # both are shown in training, so the third task is a common one
        ids: list[TaskId] = []
        for _ in range(3):
            task_id = draws(project, "Ann", Box(20, 10, 60, 50))
            assert task_id is not None
            ids.append(task_id)
        gold = project.work.gold
        assert [gold.is_training(t) for t in ids] == [True, True, False]
        session = project.open_task(ids[0], takes=False)
        known = gold.known_for(ids[0], session.document.video)
        assert known is not None
        assert [t.keyframes[0].box for t in known.tracks] == [CUP]
        score = gold.training_score(ids[0])
        assert score is not None
        assert score.errors.iou == pytest.approx(0.6)
        assert score.beyond == ()
        assert gold.known_for(ids[2], session.document.video) is None
        as_lead(project)
        assert project.qualification.status_history() == []
    finally:
        project.close()


def test_the_known_result_stays_hidden_until_training_is_submitted(tmp_path: Path) -> None:
    project = made(tmp_path, "every = 20, training = 1")
    try:
        gold_results(project, 1)
        sign_in(project, "Ann")
        record = project.work.claim_next("tracks")
        assert record is not None
        session = project.open_task(record.id)
        assert project.work.gold.is_training(record.id)
        assert project.work.gold.known_for(record.id, session.document.video) is None
    finally:
        project.close()


def test_a_package_does_not_tell_which_task_is_gold(tmp_path: Path) -> None:
    project = made(tmp_path, "every = 4")
    try:
        sources = gold_results(project, 4)
        videos = {project.work.record(t).video_id for t in sources}
        as_lead(project)
        path = tmp_path / "ann.work"
        pack_tasks(project, path, person_id(project, "Ann"), stage="annotate")
        with Archive(path, WORK) as archive:
            rows = {
                name: json.loads(archive.read(name))
                for name in archive.names
                if name.startswith("tasks/")
            }
            everything = b"".join(
                archive.read(n) for n in archive.names if n.endswith((".json", ".toml"))
            )
        golds = [r for r in rows.values() if r["video_id"] in videos]
        others = [r for r in rows.values() if r["video_id"] not in videos]
        assert len(golds) in (2, 3)  # by the places drawn for her
        assert len(others) == 8
        assert b"gold" not in everything.lower()
        shapes = {_shape(row) for row in others}
        assert {_shape(row) for row in golds} == shapes
        # They sort in among the others by name, and are mixed among them in the order they came.
        assert all(re.match(r"[0-9a-f-]{36}$", row["id"]) for row in golds)
        created = {row["events"][0]["at"] for row in others}
        assert all(min(created) - 5_000 < r["events"][0]["at"] <= max(created) for r in golds)
        opened = open_project(open_package(path, tmp_path / "ann" / "ann.annot").path)
        try:
            for held in list(opened.work.in_hand()):
                session = opened.open_task(held.task_id)
                session.run(CreateTrack(track_id(), "cup", 0, CUP))
                opened.work.submit(session)
            statuses = {opened.work.record(t.id).status for t in opened.tasks()}
            assert statuses == {TaskStatus.WAITING}
            pack_submissions(opened, tmp_path / "back.done")
        finally:
            opened.close()
        collect(project, tmp_path / "back.done")
        as_lead(project)
        assert len(project.work.gold.scores("tracks")) == len(golds)
        assert all(project.work.record(row["id"]).status is TaskStatus.WITHDRAWN for row in golds)
    finally:
        project.close()


def test_what_a_lead_planned_does_not_tell_which_task_is_gold(tmp_path: Path) -> None:
    project = made(tmp_path, "every = 4")
    try:
        sources = gold_results(project, 4)
        videos = {project.work.record(t).video_id for t in sources}
        as_lead(project)
        others = [t.id for t in project.tasks() if t.id not in sources]
        assert project.work.lead.prioritize(others, 5) == []
        project.work.lead.bar(others, [person_id(project, "Ben")], "He knows the place.")
        path = tmp_path / "ann.work"
        pack_tasks(project, path, person_id(project, "Ann"), stage="annotate")
        with Archive(path, WORK) as archive:
            rows = [json.loads(archive.read(n)) for n in archive.names if n.startswith("tasks/")]
        golds = [row for row in rows if row["video_id"] in videos]
        assert golds
        assert len({_shape(row) for row in rows}) == 1
        assert {row["events"][0].get("priority") for row in rows} == {5}
        opened = open_project(open_package(path, tmp_path / "ann" / "ann.annot").path)
        try:
            assert {opened.work.record(t.id).priority for t in opened.tasks()} == {5}
        finally:
            opened.close()
    finally:
        project.close()


def test_training_in_a_package_brings_its_known_result_along(tmp_path: Path) -> None:
    project = made(tmp_path, "every = 20, training = 1")
    try:
        gold_results(project, 1)
        path = tmp_path / "ann.work"
        pack_tasks(project, path, person_id(project, "Ann"), n_tasks=1, stage="annotate")
        opened = open_project(open_package(path, tmp_path / "ann" / "ann.annot").path)
        try:
            (training,) = [
                h.task_id for h in opened.work.in_hand() if opened.work.gold.is_training(h.task_id)
            ]
            session = opened.open_task(training)
            assert opened.work.gold.known_for(training, session.document.video) is None
            session.run(CreateTrack(track_id(), "cup", 0, Box(20, 10, 60, 50)))
            opened.work.submit(session)
            known = opened.work.gold.known_for(training, session.document.video)
            assert known is not None
            assert [t.keyframes[0].box for t in known.tracks] == [CUP]
            score = opened.work.gold.training_score(training)
            assert score is not None
            assert score.errors.iou == pytest.approx(0.6)
            pack_submissions(opened, tmp_path / "back.done")
        finally:
            opened.close()
        collect(project, tmp_path / "back.done")
        as_lead(project)
        assert [s.is_training for s in project.work.gold.scores()] == [True]
    finally:
        project.close()


def _shape(row: dict) -> str:  # type: ignore[type-arg]
    """Return a task of a package without names and times."""
    return re.sub(r'"[0-9a-f]{8}-[0-9a-f-]{27}"|\d{13}', "x", json.dumps(row, sort_keys=True))


def test_gold_tasks_of_a_stage_with_several_raters_look_like_the_others(tmp_path: Path) -> None:
    project = made(tmp_path, "every = 3", n_raters=2)
    try:
        project.work.people.add("Dan", (Role.RATER,))
        done: list[TaskId] = []
        for _ in range(3):
            for name in ("Ben", "Dan"):
                assert draws(project, name) is not None
            sign_in(project, "Rae")
            record = project.work.claim_next("tracks", "check")
            assert record is not None
            project.work.submit(project.open_task(record.id))
            done.append(record.id)
        as_lead(project)
        assert project.work.gold.add(done) == []
        events: dict[bool, set[tuple[str, ...]]] = {True: set(), False: set()}
        for _ in range(6):
            sign_in(project, "Ann")
            record = project.work.claim_next("tracks")
            assert record is not None
            is_gold = project.work.gold.is_gold(record.id)
            told = tuple(event.kind for event in project.work.history(record.id))
            events[is_gold].add(told)
            assert record.wanted == 2
            assert record.needs_lead is None
            session = project.open_task(record.id)
            session.run(CreateTrack(track_id(), "cup", 0, CUP))
            project.work.submit(session)
            if is_gold:
                assert project.work.record(record.id).status is TaskStatus.WITHDRAWN
        assert events[True] == {("created", "claimed")}
        assert ("created", "claimed") in events[False]
    finally:
        project.close()


@pytest.mark.parametrize("n_stages", [1, 2])
def test_a_submitted_gold_task_looks_like_any_other_to_its_rater(
    tmp_path: Path, n_stages: int
) -> None:
    project = made(tmp_path, "every = 2", n_stages=n_stages)
    try:
        gold_results(project, 3)
        told: dict[bool, set[str]] = {True: set(), False: set()}
        for _ in range(4):
            task_id = draws(project, "Ann")
            assert task_id is not None
            record = project.work.record(task_id)
            is_gold = project.work.gold.is_gold(task_id)
            why = str(project.work.why_locked(task_id))
            told[is_gold].add(f"{project.work.gold.shown_status(record)} {why}")
        assert told[True] == told[False]
        assert len(told[True]) == 1
    finally:
        project.close()


def test_only_complete_drawn_tasks_can_be_known(project: OpenProject) -> None:
    waiting = project.tasks()[-1].id
    as_lead(project)
    assert project.work.gold.add([waiting]) == [(waiting, "The task is not complete.")]
    (first,) = gold_results(project, 1)
    project.work.gold.remove([first])
    assert [each.is_active for each in project.work.gold.results()] == [False]
    assert find_gold_task(project.file, first) is None


def test_too_few_known_results_are_told(project: OpenProject) -> None:
    (few,) = project.work.gold.shortages()
    assert (few.kind, few.n_known, few.n_needed) == ("tracks", 0, 2)
    gold_results(project, 4)
    assert project.work.gold.shortages() == []


@pytest.mark.parametrize(
    ("gold", "where"),
    [
        ("every = 1", "gold.every"),
        ("every = 20, warn = 3", "gold.warn"),
        ("every = 20, last = 1", "gold.suspend"),
        ("every = 20, min_iou = 1.5", "gold.min_iou"),
        ("every = 20, often = 2", "gold.often"),
    ],
)
def test_bad_rules_are_refused_with_their_place(gold: str, where: str) -> None:
    with pytest.raises(RecipeError) as caught:
        parse_recipe(RECIPE.format(gold=gold))
    assert where in str(caught.value.where)


def test_gold_is_refused_where_raters_choose_their_tasks() -> None:
    text = RECIPE.format(gold="every = 20")
    with pytest.raises(RecipeError, match="may_choose"):
        parse_recipe(text.replace('role = "rater"', 'role = "rater"\nmay_choose = true'))


def test_one_task_in_every_run_is_due_at_a_place_drawn_for_the_person() -> None:
    rule = Gold(every=5)
    places: set[int] = set()
    for person in range(40):
        n_gold, assigned = 0, []
        for n_tasks in range(40):
            while is_gold_due(rule, n_tasks, n_gold, seed=str(person)):
                assigned.append(n_tasks)
                n_gold += 1
        assert len(assigned) == 10
        assert [at // 4 for at in assigned] == list(range(10))
        places.add(assigned[0])
    assert places == {0, 1, 2, 3}
