"""The demo projects of the recipes: alive, answerable at once, and with a data set that holds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.benchmarks.neptune.question_sets import report_discards
from annotator.benchmarks.video_tt.data_set import read_rows, texts_of
from annotator.benchmarks.video_tt.tables import robustness_of
from annotator.domain.errors import UserError, WorkError
from annotator.domain.people import Role
from annotator.domain.work.records import TaskStatus
from annotator.exchange.perception_test.check import check_file
from annotator.services.background.jobs import JobToken
from annotator.services.demo.demo_project import make_demo
from annotator.services.demo.demo_story import demos, read_story
from annotator.services.packages.packages import open_package, pack_tasks
from annotator.services.project.projects import OpenProject, open_project
from annotator.services.questions.recipe_steps import created_items, steps_of, write_data_set
from annotator.services.questions.studies.studies import progress, studies
from annotator.services.transfer import ExportRequest, export_project
from annotator.store.questions.items import ItemFilter
from tests.exchange import test_neptune, test_pacs, test_video_tt

QUIET = JobToken(lambda _fraction, _text: None)


@pytest.fixture(scope="module", params=demos())
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_demo(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Iterator[OpenProject]:
    """A copy, to be changed."""
    folder = shutil.copytree(made.parent, tmp_path / "copy")
    opened = open_project(folder / made.name)
    assert not [entry for entry in opened.videos() if entry.is_missing]
    yield opened
    opened.close()


def test_there_is_work_in_every_state(project: OpenProject) -> None:
    assert project.work.recipe.name == project.path.stem
    states = {row.status for row in project.work.board()}
    assert {TaskStatus.WAITING, TaskStatus.IN_PROGRESS, TaskStatus.COMPLETE} <= states
    people = {person.name for person in project.work.people.all()}
    assert len(people) >= 5
    assert sum(stage.total_hours for stage in project.work.statistics().hours) > 0.1
    assert project.work.my_work().feedback or project.work.lead.spot_checks() == []
    assert steps_of(project) or project.work.recipe.export == "neptune"


def test_whoever_opens_it_can_answer_at_once(project: OpenProject) -> None:
    recipe = project.work.recipe
    kinds = [
        queue.kind
        for queue in project.work.my_work().queues
        if queue.count and (found := recipe.task_type(queue.kind)) and found.form is not None
    ]
    record = project.work.claim_next(kinds[0])
    assert record is not None
    session = project.open_task(record.id)
    assert session.video_path is not None
    question_set = project.questions.question_set(session)
    assert question_set.items
    assert question_set.progress.n_items == len(question_set.items)


def test_every_person_can_open_a_work_package(project: OpenProject, tmp_path: Path) -> None:
    n_packed = 0
    for i, person in enumerate(project.work.people.all()):
        path = tmp_path / f"{i}.work"
        try:
            report = pack_tasks(project, path, person.id, n_tasks=3)
        except WorkError as error:
            if error.code != "nothing-to-do":
                raise
            continue
        videos = [project.path.parent, *{v.path.parent for v in project.videos() if v.path}]
        made = open_package(path, tmp_path / f"{i}" / "work.annot", media_folders=videos)
        opened = open_project(made.path)
        try:
            tasks = opened.tasks()
            assert len(tasks) >= report.n_tasks > 0
            for task in tasks:
                opened.open_task(task.id, takes=False)
        finally:
            opened.close()
        n_packed += 1
    assert n_packed >= 3


def test_a_second_time_it_is_there_already(made: Path) -> None:
    before = made.stat()
    assert make_demo(made.stem, made.parent) == made
    assert made.stat().st_ino == before.st_ino
    assert made.stat().st_mtime_ns == before.st_mtime_ns
    clips = {video.file for video in read_story(made.stem).videos}
    assert {path.name for path in made.parent.iterdir()} == {made.name, *clips}


@pytest.mark.parametrize("made", ["perception-test"], indirect=True)
def test_the_perception_test_is_exported_and_proved(project: OpenProject, tmp_path: Path) -> None:
    report = export_project(project, ExportRequest(tmp_path / "out.json"), QUIET)
    assert report.is_sound
    value = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [f for f in check_file(value) if f.severity == "error"] == []
    assert [len(value[name]["object_tracking"]) for name in ("coffee", "cups", "kettle")] == [
        3,
        4,
        2,
    ]
    assert len(value["coffee"]["action_localisation"]) == 1
    finished = [item for _, item in project.questions.list(ItemFilter(kind="final-questions"))]
    assert all(len(item.options) == 3 for item in finished)
    assert len(finished) >= 15
    write_data_set(project, tmp_path / "cut.json", QUIET)
    cut = json.loads((tmp_path / "cut.json").read_text(encoding="utf-8"))
    assert cut == {"coffee": -1, "cups": 270, "kettle": -1, "mug": -1}
    returned = [row for row in project.work.board() if project.work.record(row.task_id).is_returned]
    assert [row.kind for row in returned] == ["object-tracks"]


@pytest.mark.parametrize("made", ["pacs"], indirect=True)
def test_pacs_has_a_data_set(project: OpenProject, tmp_path: Path) -> None:
    written = write_data_set(project, tmp_path / "out", QUIET)
    assert list(test_pacs.faults(tmp_path / "out")) == []
    assert written.counts["objects.json"] == 4
    pairs = json.loads((tmp_path / "out" / "train_data.json").read_text(encoding="utf-8"))
    assert sum(len(points) for points in pairs.values()) > 20
    assert sorted(f.where for f in written.findings) == ["ball", "cups"]
    assert len(list((tmp_path / "out" / "pictures").iterdir())) == 8
    clips = json.loads((tmp_path / "out" / "youtube_info.json").read_text(encoding="utf-8"))
    assert {source: len(found) for source, found in clips.items()} == {"coffee": 3, "cups": 1}
    asked = json.loads((tmp_path / "out" / "questions.json").read_text(encoding="utf-8"))
    assert all(each["statement"] for each in asked.values())
    so_far = created_items(project)
    assert so_far["create-focus-visual"] == (7, 6, 0)
    assert so_far["create-pairs"] == (6, 6, 0)
    assert so_far["reuse-questions"].n_items == 78
    assert so_far["create-confirmations"].n_discarded > 0
    kept_from = {p.name for p in project.work.people.all() if "confirm" in p.kept_from}
    assert kept_from == {"Fay"}


@pytest.mark.parametrize("made", ["pacs", "perception-test"], indirect=True)
def test_people_who_had_no_part_are_at_a_study(project: OpenProject) -> None:
    (study,) = studies(project)
    found = progress(project, study.id)
    assert 0 < found.n_given < found.n_assigned
    assert found.n_assigned == found.n_items * study.wish.design.per_item


@pytest.mark.parametrize("made", ["neptune"], indirect=True)
def test_neptune_has_a_list(project: OpenProject, tmp_path: Path) -> None:
    write_data_set(project, tmp_path / "list.json", QUIET)
    content = json.loads((tmp_path / "list.json").read_text(encoding="utf-8"))
    assert list(test_neptune.faults(content)) == []
    assert [each["key"] for each in content] == ["coffee/1", "coffee/2", "coffee/4"]
    assert "coffee is poured" in content[1]["question"]
    assert report_discards(project).reasons == {"not-trivial": 1}


@pytest.mark.parametrize("made", ["video-tt"], indirect=True)
def test_video_tt_has_rows(project: OpenProject, tmp_path: Path) -> None:
    write_data_set(project, tmp_path / "rows.parquet", QUIET)
    rows = read_rows(tmp_path / "rows.parquet")
    assert list(test_video_tt.faults([texts_of(row) for row in rows])) == []
    assert len(rows) == 10
    assert robustness_of(project).value == 0.5


def test_an_unknown_name_is_told_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        make_demo("pax", tmp_path)
    assert "pax" in caught.value.text
    assert caught.value.hint is not None
    assert all(name in caught.value.hint for name in demos())
    assert list(tmp_path.iterdir()) == []


def test_what_is_stopped_half_way_leaves_no_project(tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.2:
            raise StopError

    with pytest.raises(StopError):
        make_demo("pacs", tmp_path, stop)
    assert {path.suffix for path in tmp_path.iterdir()} == {".mp4"}


def test_somebody_who_is_called_like_one_of_the_raters_is_the_lead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "Ann")
    project = open_project(make_demo("neptune", tmp_path))
    me = project.work.me
    assert me is not None
    assert (me.name, me.has(Role.LEAD)) == ("Ann", True)
    assert "Ann 2" in {person.name for person in project.work.people.all()}
    project.close()
