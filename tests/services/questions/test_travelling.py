"""Questions that leave in a work package, and answers that come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.domain.canonical import canonical_bytes, content_id
from annotator.domain.errors import EditError, ProjectError, WorkError
from annotator.domain.forms.value import Picked, Spans
from annotator.domain.ids import TaskId, item_id
from annotator.domain.questions.item import Item
from annotator.domain.work.records import Flag
from annotator.services.metadata import CUT_FRAME, KEY
from annotator.services.package_values import RETURNS, WORK
from annotator.services.packages import open_package, pack_tasks
from annotator.services.projects import OpenProject, create_project, open_project
from annotator.services.returns import collect, pack_submissions
from annotator.store.votes import votes_of
from annotator.sync.archive import Archive, write_archive
from tests.media.encoding import encode
from tests.services.questions.asking_floor import AskingFloor, gold, item, recipe


class _Floor(AskingFloor):
    """With two real clips, which a package needs."""

    def __init__(self, folder: Path, text: str | None = None) -> None:
        super().__init__(folder, 0, text=text)
        paths = [folder / "videos" / f"{i}.mp4" for i in range(2)]
        paths[0].parent.mkdir()
        for i, path in enumerate(paths):
            encode(path, numbers=range(6 + i))
        self.project.add_videos(paths)
        self.clips = [self.project.footage.video(e.id).info for e in self.project.videos()]

    def package(self, name: str) -> Path:
        path = self.folder / f"{name}.work"
        self.lead_again()
        pack_tasks(self.project, path, self.people[name].id, n_tasks=1, stage="answer")
        return path

    def unpack(self, path: Path, name: str) -> OpenProject:
        target = self.folder / name / "mine.annot"
        target.parent.mkdir(exist_ok=True)
        open_package(path, target, media_folders=[self.folder / "videos"])
        project = open_project(target)
        project.work.people.sign_in(self.people[name].id)
        return project

    def answered(self, path: Path, name: str, pick: str = "o1") -> Path:
        """Let somebody answer a package elsewhere; return what they send back."""
        mine = self.unpack(path, name)
        (task,) = [t for t in mine.tasks() if t.kind == "questions"]
        session = mine.open_task(task.id)
        sheet = mine.questions.sheet(session)
        self.answer_all(session, sheet, pick)
        mine.work.submit(session)
        back = self.folder / f"{name}.back"
        pack_submissions(mine, back)
        mine.close()
        return back


@pytest.fixture
def floor(tmp_path: Path):
    made = _Floor(tmp_path)
    yield made
    made.project.close()


def _asked(floor: _Floor) -> TaskId:
    a = floor.clips[0].id
    return floor.add(item(a, "1"), gold(a))


def test_a_package_asks_and_gives_nothing_away(floor: _Floor) -> None:
    task = _asked(floor)
    told = {KEY: {"script": "kitchen"}, "questions": [{"answer": "secret"}]}
    floor.project.set_extra({floor.clips[0].id: told})
    path = floor.package("Ann")
    with Archive(path, WORK) as archive:
        bytes_ = b"".join(archive.read(name) for name in archive.names)
    assert b"What is held?" in bytes_
    assert b"secret" not in bytes_
    assert b"kitchen" in bytes_
    assert b'"right' not in bytes_
    assert b"right\\" not in bytes_
    assert b"attention" not in bytes_
    mine = floor.unpack(path, "Ann")
    sheet = mine.questions.sheet(mine.open_task(task))
    assert [each.text for each in sheet.items] == ["1", "What is held?"]
    assert b"secret" not in mine.path.read_bytes()
    mine.close()


def test_answers_come_back_as_votes_and_the_lead_judges(floor: _Floor) -> None:
    task = _asked(floor)
    back = floor.answered(floor.package("Ann"), "Ann", "o0")
    assert votes_of(floor.project.file, task) == []
    floor.lead_again()
    assert len(collect(floor.project, back).new) == 1
    collect(floor.project, back)
    picked = [v.value for v in votes_of(floor.project.file, task) if v.field == "which"]
    assert picked == [Picked(("o0",)), Picked(("o0",))]
    catch = floor.questions.of_task(task)[1]
    assert catch.right == {"which": ("o1",)}


def test_the_second_answer_of_one_package_is_kept_and_not_heard(floor: _Floor) -> None:
    task = _asked(floor)
    path = floor.package("Ann")
    first = floor.answered(path, "Ann", "o0")
    (floor.folder / "Ann").rename(floor.folder / "before")
    first = first.rename(floor.folder / "first.back")
    second = floor.answered(path, "Ann", "o2")
    floor.lead_again()
    collect(floor.project, first)
    report = collect(floor.project, second)
    assert [flag for _, flag in report.flagged] == [Flag.REPEATED.value]
    picked = {v.value for v in votes_of(floor.project.file, task) if v.field == "which"}
    assert picked == {Picked(("o0",))}


def test_a_package_of_the_next_rater_does_not_hold_the_first_answers(floor: _Floor) -> None:
    task = _asked(floor)
    back = floor.answered(floor.package("Ann"), "Ann", "o2")
    floor.lead_again()
    collect(floor.project, back)
    mine = floor.unpack(floor.package("Ben"), "Ben")
    assert mine.file.rows("SELECT count(*) FROM vote") == [(0,)]
    assert mine.file.rows("SELECT count(*) FROM submission") == [(0,)]
    assert mine.work.submissions(task) == []
    mine.close()


def _altered(back: Path, change: tuple[str, str]) -> Path:
    """Write what somebody sends back with other words in the submission."""
    with Archive(back, RETURNS) as archive:
        header, names = dict(archive.header), list(archive.names)
        (name,) = [n for n in names if n.startswith("submissions/")]
        text = archive.read(name).decode().replace(*change)
        body = canonical_bytes(json.loads(text))
        returned = archive.json("returned.json")
    key = content_id(body)
    returned["submitted_at"] = dict.fromkeys([key], "2026-11-21T08:00:00.000Z")
    path = back.with_name("altered.back")
    entries = [(f"submissions/{key}.json", body), ("returned.json", json.dumps(returned).encode())]
    write_archive(path, RETURNS, header, entries)
    return path


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"picked":["o0"]', '"picked":["o9"]'), "not among"),
        (('"field":"seen"', '"field":"heard"'), "not asked"),
        (('"entry":0', '"entry":4'), "more often"),
        (('{"truth":true}', '{"truth":"yes"}'), "damaged"),
        (('"value":{"truth":true}', '"value":{"text":"yes"}'), "no answer"),
    ],
)
def test_answers_that_could_not_be_given_are_refused_whole(
    floor: _Floor, change: tuple[str, str], says: str
) -> None:
    task = _asked(floor)
    back = floor.answered(floor.package("Ann"), "Ann", "o0")
    floor.lead_again()
    altered = _altered(back, change)
    with pytest.raises(ProjectError, match=says):
        collect(floor.project, altered)
    assert votes_of(floor.project.file, task) == []
    assert floor.work.submissions(task) == []


def test_answers_about_what_was_not_to_be_seen_are_refused(tmp_path: Path) -> None:
    text = recipe(viewing='viewing = { extent = "before-cut" }')
    text = text.replace('"Seen?"\nkind = "truth"', '"Seen?"\nkind = "spans"')
    floor = _Floor(tmp_path, text.replace(', any_of = ["no"]', ""))
    a = floor.clips[0].id
    floor.project.set_extra({a: {KEY: {CUT_FRAME: 4}}})
    floor.add(item(a))
    mine = floor.unpack(floor.package("Ann"), "Ann")
    session = mine.open_task(mine.tasks()[0].id)
    sheet = mine.questions.sheet(session)
    asked = sheet.items[0].id
    assert session.document.video.n_frames == 4
    with pytest.raises(EditError, match="no part"):
        session.run(sheet.answer(asked, "seen", Spans(((1, 5),))))
    session.run(sheet.answer(asked, "seen", Spans(((1, 4),))))
    session.run(sheet.answer(asked, "which", Picked(("o1",))))
    session.run(sheet.answer(asked, "why", "It is gone"))
    mine.work.submit(session)
    back = tmp_path / "Ann.back"
    pack_submissions(mine, back)
    mine.close()
    floor.lead_again()
    altered = _altered(back, ("[1,4]", "[1,5]"))
    with pytest.raises(ProjectError, match="no part"):
        collect(floor.project, altered)
    assert len(collect(floor.project, back).new) == 1
    floor.project.close()


def test_votes_of_somebody_unknown_are_refused(floor: _Floor, tmp_path: Path) -> None:
    _asked(floor)
    path = floor.package("Ann")
    back = floor.answered(path, "Ann")
    floor.lead_again()
    with Archive(back, RETURNS) as archive:
        header = {**archive.header, "person_id": str(item_id())}
        entries = [(name, archive.read(name)) for name in archive.names]
    stranger = back.with_name("stranger.back")
    write_archive(stranger, RETURNS, header, entries)
    with pytest.raises(WorkError, match="not known"):
        collect(floor.project, stranger)


def test_both_videos_of_a_pair_travel(floor: _Floor) -> None:
    a, b = (info.id for info in floor.clips)
    task = floor.add(Item(item_id(), "pairs", (a, b)))
    mine = floor.unpack(floor.package("Ann"), "Ann")
    assert {v.id for v in mine.videos()} == {a, b}
    sheet = mine.questions.sheet(mine.open_task(task))
    assert sheet.items[0].video_ids == (a, b)
    mine.close()


def test_recipes_with_forms_are_the_same_where_a_package_is_opened(floor: _Floor) -> None:
    _asked(floor)
    mine = floor.unpack(floor.package("Ann"), "Ann")
    assert mine.work.recipe == floor.work.recipe
    mine.close()
    again = create_project(floor.folder / "again.annot", title="Again")
    again.work.use_recipe(recipe())
    path = again.path
    again.close()
    again = open_project(path)
    assert again.work.recipe.task_type("questions") == floor.work.recipe.task_type("questions")
    again.close()
