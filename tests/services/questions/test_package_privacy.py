"""What a curious rater finds in a work package: no more than the tasks let be seen."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import av
import numpy as np
import pytest

from annotator.domain.answer import FrameBox, Picked, Spans
from annotator.domain.commands import CreateTrack, SetKeyframe, SetOutside
from annotator.domain.errors import ProjectError
from annotator.domain.forms.field import Option
from annotator.domain.geometry import Box
from annotator.domain.ids import TaskId, VideoId, track_id
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.work.records import Flag, TaskStatus
from annotator.media.decode.video import Video
from annotator.media.index.frame_table import FrameTable
from annotator.services.entry_values import WORK
from annotator.services.packages.package_writing import traveling_recipe
from annotator.services.packages.packages import open_package, pack_tasks
from annotator.services.packages.submissions import collect, pack_submissions
from annotator.services.project.metadata import CUT_FRAME, KEY
from annotator.services.project.projects import OpenProject, open_project
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.services.project.restricted_video import open_sound
from annotator.store.questions.votes import votes_of
from annotator.sync.archive import Archive
from tests.media.encoding import add_sound, encode
from tests.media.pattern import read_number
from tests.services.questions.question_team import QuestionTeam, item, options, recipe
from tests.services.questions.remote_team import RemoteTeam

N, CUT, MIDDLE = 24, 9, 12
BEFORE = 'viewing = { extent = "before-cut" }'
SPANS = recipe(viewing=BEFORE).replace('"Seen?"\nkind = "truth"', '"Seen?"\nkind = "spans"')
BOXES = recipe(viewing='viewing = { extent = "middle-frame" }').replace(
    '"Seen?"\nkind = "truth"', '"Seen?"\nkind = "box"'
)
DRAWN = "keeps_cut_apart = false\n" + recipe(viewing=BEFORE + '\nfollows = "object-tracks"')
ONE_DRAWN = DRAWN.replace("before-cut", "middle-frame")
MUTED_DRAWN = recipe(viewing='viewing = { is_muted = true }\nfollows = "object-tracks"')
MUTED = recipe(viewing="viewing = { is_muted = true }")
CHECKED = recipe().replace(
    'kind = "questions"', 'kind = "questions"\nattention = { every = 3, failures = 2 }'
)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip whose pictures say their numbers, with a tone from its beginning to its end."""
    folder = tmp_path_factory.mktemp("clip")
    encode(folder / "silent.mp4", numbers=range(N), b_frames=2)
    add_sound(folder / "silent.mp4", folder / "clip.mp4", seconds=1.0)
    return folder / "clip.mp4"


class Team(QuestionTeam):
    """A project with one real clip, which goes to raters in packages with their media."""

    def __init__(self, folder: Path, clip: Path, text: str, cut: int | None = None) -> None:
        if text in (SPANS, BOXES):  # which have no “no”
            text = text.replace(', any_of = ["no"]', "")
        super().__init__(folder, 0, text=text)
        self.project.add_videos([clip])
        self.video_id: VideoId = self.project.videos()[0].id
        if cut is not None:
            kept = self.project.media.video(self.video_id).info.extra
            self.project.set_extra({self.video_id: {**kept, KEY: {CUT_FRAME: cut}}})

    def package(self, name: str, *, with_media: bool = True) -> Path:
        path = self.folder / f"{name}.work"
        self.lead_again()
        person_id = self.people[name].id
        pack_tasks(self.project, path, person_id, n_tasks=9, stage="answer", with_media=with_media)
        return path

    def unpack(self, path: Path, name: str, *folders: Path) -> OpenProject:
        target = self.folder / name / "mine.annot"
        target.parent.mkdir()
        assert open_package(path, target, media_folders=folders).missing == ()
        project = open_project(target)
        project.work.people.sign_in(self.people[name].id)
        return project

    def give_back(self, mine: OpenProject) -> list[str]:
        """Write what was answered, take it over, and return what was unusual."""
        back = self.folder / "back"
        pack_submissions(mine, back)
        self.lead_again()
        return [flag for _, flag in collect(self.project, back).flagged]


@pytest.fixture
def opened(tmp_path: Path, clip: Path) -> Iterator[list[OpenProject]]:
    """What is to be closed when a test is over."""
    made: list[OpenProject] = []
    yield made
    for project in made:
        project.close()


def _media(path: Path, folder: Path) -> Path:
    """Take the one video out of a package, as anybody with an archiver could."""
    with Archive(path, WORK) as archive:
        (name,) = [n for n in archive.names if n.startswith("media/")]
        archive.copy(name, folder / "found.mp4")
    return folder / "found.mp4"


def _decoded(path: Path) -> list[int | None]:
    """Return the numbers on all pictures that FFmpeg finds; None on those that show nothing."""
    with av.open(str(path)) as file:
        images = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
    return [read_number(image) if np.ptp(image) > 8 else None for image in images]


def test_before_the_cut_means_that_nothing_else_is_in_the_file(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, SPANS, CUT)
    opened.append(team.project)
    task = team.add(item(team.video_id))
    path = team.package("Ann")
    found = _media(path, tmp_path)
    assert _decoded(found) == list(range(CUT))
    end_s = CUT / 30
    with av.open(str(found)) as file:
        heard = sum(frame.samples for frame in file.decode(audio=0))
        assert 0 < heard <= end_s * 48_000
    mine = team.unpack(path, "Ann")
    opened.append(mine)
    session = mine.open_task(task)
    video = session.document.video
    assert (video.n_frames, video.n_hidden) == (CUT, N - CUT)
    assert video.duration_s == pytest.approx(end_s)
    sound = open_sound(mine.restricted_video(team.video_id, session.viewing))
    assert sound is not None
    assert np.abs(sound.read(0.0, end_s)).max() > 0.1
    assert not sound.read(end_s, 1.0).any()
    sound.close()
    question_set = mine.questions.question_set(session)
    asked = question_set.items[0].id
    session.run(question_set.answer(asked, "which", Picked(("o1",))))
    session.run(question_set.answer(asked, "seen", Spans(((2, CUT),))))
    session.run(question_set.answer(asked, "why", "It moves."))
    mine.work.submit(session)
    assert team.give_back(mine) == []
    given = {v.field: v.value for v in votes_of(team.project.file, task)}
    assert given["seen"] == Spans(((2, CUT),))


def test_one_frame_means_one_picture_that_keeps_its_number(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, BOXES)
    opened.append(team.project)
    task = team.add(item(team.video_id))
    path = team.package("Ann")
    found = _media(path, tmp_path)
    assert _decoded(found) == [None] * MIDDLE + [MIDDLE]
    with av.open(str(found)) as file:
        assert not file.streams.audio
    mine = team.unpack(path, "Ann")
    opened.append(mine)
    session = mine.open_task(task)
    assert session.video_path is not None
    assert session.table_bytes is not None
    table = FrameTable.from_bytes(session.table_bytes)
    assert (table.first, len(table)) == (MIDDLE, MIDDLE + 1)
    with Video(session.video_path, table=table) as video:
        assert read_number(video.image(MIDDLE)) == MIDDLE
    question_set = mine.questions.question_set(session)
    asked, box = question_set.items[0].id, FrameBox(MIDDLE, Box(4, 4, 30, 30))
    session.run(question_set.answer(asked, "which", Picked(("o1",))))
    session.run(question_set.answer(asked, "seen", box))
    session.run(question_set.answer(asked, "why", "It is there."))
    mine.work.submit(session)
    assert team.give_back(mine) == []
    assert box in [v.value for v in votes_of(team.project.file, task)]


def test_what_was_drawn_beyond_the_cut_stays_at_home(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, DRAWN, CUT)
    opened.append(team.project)
    (drawing,) = team.project.tasks()
    team.work.people.sign_in(team.people["Ann"].id)
    session = team.project.open_task(drawing.id)
    moving, later = track_id(), track_id()
    session.run(CreateTrack(moving, "mug", 0, Box(0, 0, 10, 10)))
    session.run(SetKeyframe(moving, 20, Box(40, 0, 50, 10)))
    session.run(CreateTrack(later, "secret spoon", 15, Box(0, 0, 10, 10)))
    handed = team.work.submit(session)
    team.lead_again()
    task = team.add(item(team.video_id))
    path = team.package("Ben")
    with Archive(path, WORK) as archive:
        assert not any(b"secret" in archive.read(n) for n in archive.names if n[:5] != "media")
        drawn = archive.json(f"submissions/{handed.id}.json")
    (track,) = cast("list[dict[str, list[dict[str, int]]]]", drawn["tracks"])
    assert [key["frame"] for key in track["keyframes"]] == [0, CUT - 1]
    mine = team.unpack(path, "Ben")
    opened.append(mine)
    session = mine.open_task(task)
    assert [t.label for t in session.document.tracks] == ["mug"]
    team.answer_all(session, mine.questions.question_set(session))
    mine.work.submit(session)
    assert team.give_back(mine) == []
    assert len(votes_of(team.project.file, task)) == 2


@pytest.mark.parametrize(
    ("text", "frames"),
    [(DRAWN, (0, CUT)), (ONE_DRAWN, (MIDDLE, MIDDLE + 1)), (MUTED_DRAWN, (0, N))],
)
@pytest.mark.parametrize("is_drawn", [True, False])
def test_the_task_that_theirs_begins_from_shows_no_more_either(
    tmp_path: Path,
    clip: Path,
    opened: list[OpenProject],
    text: str,
    frames: tuple[int, int],
    is_drawn: bool,
) -> None:
    team = Team(tmp_path, clip, text, CUT)
    opened.append(team.project)
    (drawing,) = team.project.tasks()
    if is_drawn:
        team.work.people.sign_in(team.people["Ann"].id)
        session = team.project.open_task(drawing.id)
        session.run(CreateTrack(track_id(), "mug", 0, Box(0, 0, 10, 10)))
        team.work.submit(session)
        team.lead_again()
    team.add(item(team.video_id))
    path = team.package("Ben", with_media=False)
    mine = team.unpack(path, "Ben", clip.parent)
    opened.append(mine)
    session = mine.open_task(drawing.id)
    assert session.table_bytes is not None
    table = FrameTable.from_bytes(session.table_bytes)
    assert (table.first, len(table)) == frames
    sound = open_sound(mine.restricted_video(team.video_id, session.viewing))
    assert (sound is None) is (text != DRAWN)
    if sound is not None:
        assert not sound.read(CUT / 30, 1.0).any()
        sound.close()


def test_of_what_was_drawn_only_that_on_the_one_frame_leaves_the_house(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, ONE_DRAWN)
    opened.append(team.project)
    (drawing,) = team.project.tasks()
    team.work.people.sign_in(team.people["Ann"].id)
    session = team.project.open_task(drawing.id)
    moving, gone, later = track_id(), track_id(), track_id()
    session.run(CreateTrack(moving, "mug", 2, Box(0, 0, 10, 10)))
    session.run(SetKeyframe(moving, 22, Box(40, 0, 50, 10)))
    session.run(CreateTrack(gone, "secret spoon", 3, Box(0, 0, 10, 10)))
    session.run(SetOutside(gone, MIDDLE - 2, value=True))
    session.run(CreateTrack(later, "secret plate", MIDDLE + 1, Box(0, 0, 10, 10)))
    handed = team.work.submit(session)
    team.lead_again()
    task = team.add(item(team.video_id))
    path = team.package("Ben")
    with Archive(path, WORK) as archive:
        assert not any(b"secret" in archive.read(n) for n in archive.names if n[:5] != "media")
        drawn = archive.json(f"submissions/{handed.id}.json")
    (track,) = cast("list[dict[str, list[dict[str, object]]]]", drawn["tracks"])
    assert [(k["frame"], k["box"]) for k in track["keyframes"]] == [(MIDDLE, [20, 0, 30, 10])]
    mine = team.unpack(path, "Ben")
    opened.append(mine)
    session = mine.open_task(task)
    assert [(t.label, t.frames) for t in session.document.tracks] == [("mug", (MIDDLE,))]
    team.answer_all(session, mine.questions.question_set(session))
    mine.work.submit(session)
    assert team.give_back(mine) == []
    assert len(votes_of(team.project.file, task)) == 2


def test_what_is_muted_has_all_pictures_and_no_sound(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, MUTED)
    opened.append(team.project)
    team.add(item(team.video_id))
    path = team.package("Ann")
    found = _media(path, tmp_path)
    assert _decoded(found) == list(range(N))
    with av.open(str(found)) as file:
        assert not file.streams.audio
    opened.append(team.unpack(path, "Ann"))


def test_making_copies_tells_how_far_it_is(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, SPANS, CUT)
    opened.append(team.project)
    team.add(item(team.video_id))
    told: list[float] = []
    pack_tasks(
        team.project,
        tmp_path / "ann.work",
        team.people["Ann"].id,
        n_tasks=1,
        stage="answer",
        with_media=True,
        on_progress=lambda share, _: told.append(share),
    )
    assert told == sorted(told)
    assert len({share for share in told if share >= 0.5}) > 5
    assert max(told) < 1.0


def test_where_all_may_be_seen_the_file_goes_as_it_is(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, SPANS, N + 100)
    opened.append(team.project)
    team.add(item(team.video_id))
    assert _media(team.package("Ann"), tmp_path).read_bytes() == clip.read_bytes()


def test_answers_about_another_copy_are_not_taken(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, MUTED)
    opened.append(team.project)
    task = team.add(item(team.video_id))
    mine = team.unpack(team.package("Ann"), "Ann")
    opened.append(mine)
    with mine.file.transaction() as connection:
        connection.execute("UPDATE video SET content_hash = ?", ("0" * 64,))
    session = mine.open_task(task)
    team.answer_all(session, mine.questions.question_set(session))
    mine.work.submit(session)
    with pytest.raises(ProjectError, match=r"” was annotated with a different video file\."):
        team.give_back(mine)


def _check(number: int) -> Item:
    made = item(VideoId(""), f"Please choose option {number}", options=options())
    right = {"which": (f"o{number}",)}
    return replace(made, video_ids=(), right=right, purpose=Purpose.ATTENTION, area="attention")


def _with_checks(folder: Path, clip: Path) -> tuple[Team, TaskId]:
    team = Team(folder, clip, CHECKED)
    team.project.qualification.add_checks([_check(1), _check(2), _check(1)])
    facts = {"area": "Physics", "reasoning": "causal", "tags": ("motion",), "group": "g"}
    return team, team.add(*(item(team.video_id, f"{i}", **facts) for i in range(6)))


def test_nothing_in_a_package_tells_a_check_from_a_question(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team, task = _with_checks(tmp_path, clip)
    opened.append(team.project)
    path = team.package("Ann")
    mine = team.unpack(path, "Ann")
    opened.append(mine)
    with closing(sqlite3.connect(mine.path)) as connection:
        rows = connection.execute(
            "SELECT id, task_id, position, kind, purpose, state, why_discarded, body FROM item"
            " ORDER BY position"
        ).fetchall()
        videos = connection.execute("SELECT item_id, video_id FROM item_video").fetchall()
        # Rows of the project; tables and steps of the schema are the same in every file.
        told = (line for line in connection.iterdump() if line.startswith("INSERT INTO"))
        whole = "".join(line for line in told if "_sqlite_migrations" not in line)
    bodies = [json.loads(row[-1]) for row in rows]
    checks = [i for i, body in enumerate(bodies) if body["text"].startswith("Please")]
    assert len(rows) == 9
    assert len(checks) == 3
    assert len({(*row[1:2], *row[3:7]) for row in rows}) == 1
    assert [row[2] for row in rows] == list(range(9))
    assert len({tuple(sorted(body)) for body in bodies}) == 1
    assert len({tuple(body["video_ids"]) for body in bodies}) == 1
    assert {item_id for item_id, _ in videos} == {row[0] for row in rows}
    ids = [row[0].hex() for row in rows]
    assert ids == sorted(ids)
    assert len({name[:16] for name in ids}) == 9
    assert {name[12] + name[16] for name in ids} <= {f"7{c}" for c in "89ab"}
    made = {check.id.replace("-", "") for _, check in team.questions.list() if not check.video_ids}
    assert made
    assert not made & set(ids)
    for word in ("attention", "failures", "Physics", "causal", '"right"', "gold"):
        assert word not in whole
    question_set = mine.questions.question_set(mine.open_task(task))
    (held,) = mine.work.my_work().in_progress
    assert len(mine.questions.of_task(held.task_id)) == len(question_set.items) == 9


def _known(team: Team, purpose: Purpose, word: str) -> Item:
    chosen = (*options(2), Option(f"{word}-option", f"A {word} option"))
    right = {"which": (f"{word}-option",)}
    return item(team.video_id, f"A {word} question", purpose=purpose, right=right, options=chosen)


def test_training_shows_what_was_right_and_nothing_else_is_told(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, recipe())
    opened.append(team.project)
    asked = [
        _known(team, Purpose.TRAINING, "training"),
        _known(team, Purpose.ATTENTION, "attention"),
        _known(team, Purpose.GOLD, "gold"),
        _known(team, Purpose.QUALIFICATION, "test"),
        item(team.video_id, "A plain question"),
    ]
    task = team.add(*asked)
    path = team.package("Ann")
    mine = team.unpack(path, "Ann")
    opened.append(mine)
    with Archive(path, WORK) as archive:
        (name,) = [n for n in archive.names if n.startswith("tasks/")]
        rows = cast("list[dict[str, str]]", archive.json(name)["items"])
    assert [row["purpose"] for row in rows] == ["training", *["work"] * 4]
    with closing(sqlite3.connect(mine.path)) as connection:
        kept = connection.execute("SELECT purpose, body FROM item ORDER BY position").fetchall()
    assert [purpose for purpose, _ in kept] == ["training", *["work"] * 4]
    assert ['"right":{' in body for _, body in kept] == [True, *[False] * 4]
    others = [{*json.loads(body)} for purpose, body in kept if purpose == "work"]
    assert others[1:] == others[:-1]
    session = mine.open_task(task)
    question_set = mine.questions.question_set(session)
    assert [question_set.right_of(each.id) for each in question_set.items] == [None] * 5
    team.answer_all(session, question_set)
    shown = [question_set.right_of(each.id) for each in question_set.items]
    assert shown == [{"which": ("training-option",)}, None, None, None, None]
    mine.work.submit(session)
    assert team.give_back(mine) == []
    judged = {j.purpose: j.is_right for j in team.project.qualification.judgements("questions")}
    assert judged == dict.fromkeys(
        (Purpose.TRAINING, Purpose.ATTENTION, Purpose.GOLD, Purpose.QUALIFICATION), False
    )


def test_a_check_among_nothing_but_training_does_not_stand_out(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, CHECKED)
    opened.append(team.project)
    team.project.qualification.add_checks([_check(1)])
    trained = team.add(*(_known(team, Purpose.TRAINING, f"{i}") for i in range(4)))
    _, question_set = team.as_("Cleo", trained)
    assert [each.text for each in question_set.items] == [f"A {i} question" for i in range(4)]
    mine = team.unpack(team.package("Ann"), "Ann")
    opened.append(mine)
    session = mine.open_task(trained)
    question_set = mine.questions.question_set(session)
    team.answer_all(session, question_set)
    assert all(question_set.right_of(each.id) for each in question_set.items)
    # One of the task's own stands among them: then nothing is told of any.
    team.lead_again()
    own = (_known(team, purpose, "own") for purpose in (Purpose.TRAINING, Purpose.ATTENTION))
    both = team.add(*own)
    assert both != trained
    package = team.package("Ben")
    with Archive(package, WORK) as archive:
        rows = cast("list[dict[str, str]]", archive.json(f"tasks/{both}.json")["items"])
    assert [row["purpose"] for row in rows] == ["work", "work"]
    assert not any('"right"' in row["body"] for row in rows)


def test_checks_in_packages_are_judged_like_any_other(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team, task = _with_checks(tmp_path, clip)
    opened.append(team.project)
    first = team.package("Ann")
    assert first.read_bytes()
    mine = team.unpack(team.package("Ann"), "Ann")
    opened.append(mine)
    session = mine.open_task(task)
    team.answer_all(session, mine.questions.question_set(session), "o0")
    mine.work.submit(session)
    assert team.give_back(mine) == []
    judged = team.project.qualification.judgements("questions", Purpose.ATTENTION)
    assert [each.is_right for each in judged] == [False] * 3
    (stood,) = team.project.qualification.status_history(team.people["Ann"].id)
    assert stood.state is QualificationStatus.WARNED  # all in one hand-in
    assert len({v.item_id for v in votes_of(team.project.file, task)}) == 6


@pytest.mark.parametrize("comes_apart", [False, True])
def test_the_second_failure_ends_the_work_and_what_was_in_hand_is_for_others(
    tmp_path: Path, clip: Path, opened: list[OpenProject], comes_apart: bool
) -> None:
    team = Team(tmp_path, clip, CHECKED)
    opened.append(team.project)
    paths = [tmp_path / f"{i}.mp4" for i in range(3)]
    for i, path in enumerate(paths):
        encode(path, numbers=range(6 + i))
    team.project.add_videos(paths)
    team.project.qualification.add_checks([_check(1), _check(1)])
    videos = [each.id for each in team.project.videos()]
    tasks = [team.add(*(item(video, f"{i}") for i in range(3))) for video in videos]
    ann = team.people["Ann"].id
    mine = team.unpack(team.package("Ann"), "Ann")
    opened.append(mine)
    status_history, files = [], []
    for i, task in enumerate(tasks[:3]):
        session = mine.open_task(task)
        team.answer_all(session, mine.questions.question_set(session), "o0")
        mine.work.submit(session)
        files.append(tmp_path / f"{i}.back")
        pack_submissions(mine, files[-1])
    team.lead_again()
    flags: list[str] = []
    for path in files if comes_apart else files[-1:]:
        flags += [flag for _, flag in collect(team.project, path).flagged]
        status_history.append(team.project.qualification.status_history(ann)[-1].state)
    assert status_history[-1] is QualificationStatus.SUSPENDED
    assert not comes_apart or status_history[0] is QualificationStatus.WARNED
    # What comes in after that is kept, and is no vote; what was not handed in waits for others.
    assert flags == [Flag.LATE.value]
    assert [bool(votes_of(team.project.file, task)) for task in tasks] == [
        True,
        True,
        False,
        False,
    ]
    assert len(team.work.submissions(tasks[2])) == 1
    assert all(team.work.record(task).holders == () for task in tasks)
    for who, n_free in (("Ben", 4), ("Ann", 0)):
        team.work.people.sign_in(team.people[who].id)
        queues = team.work.my_work().queues
        assert sum(each.count for each in queues if each.kind == "questions") == n_free
    told = [message.text for message in team.work.my_work().feedback]
    assert ["You are suspended" in text for text in told] == [True, False]


def test_the_number_of_questions_is_the_same_before_and_after_opening(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team, task = _with_checks(tmp_path, clip)
    opened.append(team.project)
    _, question_set = team.as_("Ann", task)
    assert len(team.questions.of_task(task)) == len(question_set.items) == 9
    assert {len(each.video_ids) for each in question_set.items} == {1}


def test_what_others_answered_cannot_be_guessed_from_the_names_of_their_submissions(
    tmp_path: Path,
) -> None:
    team = RemoteTeam(tmp_path)
    task = team.add(item(team.clips[0].id))
    handed = team.hand_in("Ben", task, "o2")
    package = team.package("Ann")
    with Archive(package, WORK) as archive:
        for name in (each for each in archive.names if not each.startswith("media/")):
            assert handed.id.encode() not in archive.read(name)
    back = team.answered(package, "Ann", "o2")  # nothing is raised when the last one submits
    assert collect(team.project, back).flagged == ()
    record = team.work.record(task)
    assert record.status is TaskStatus.COMPLETE
    assert handed.id in {s.id for s in team.work.submissions(task)}
    team.project.close()


def test_a_package_does_not_tell_how_raters_are_watched(
    tmp_path: Path, clip: Path, opened: list[OpenProject]
) -> None:
    team = Team(tmp_path, clip, CHECKED)
    opened.append(team.project)
    team.add(item(team.video_id))
    path = team.package("Ann")
    with Archive(path, WORK) as archive:
        told = archive.read("recipe.toml").decode()
    assert "attention" not in told
    mine = team.unpack(path, "Ann")
    opened.append(mine)
    whole, again = (p.work.recipe.task_type("questions") for p in (team.project, mine))
    assert whole is not None
    assert again is not None
    assert whole.attention is not None
    assert again == replace(whole, attention=None)
    assert mine.work.transactions.recipe.tag == team.work.transactions.recipe.tag


@pytest.mark.parametrize("name", ["perception-test", "pacs", "neptune", "video-tt"])
def test_shipped_recipes_travel_without_what_answers_are_made_from(name: str) -> None:
    whole = parse_recipe(shipped_recipe(name))
    told = parse_recipe(traveling_recipe(shipped_recipe(name)))
    assert (told.name, told.version, told.guidelines) == (
        whole.name,
        whole.version,
        whole.guidelines,
    )
    assert (told.bank, told.rules, told.pairing, told.spot_checks) == (None, (), None, None)
    for kind, full in zip(told.task_types, whole.task_types, strict=True):
        assert (kind.kind, kind.form, kind.viewing) == (full.kind, full.form, full.viewing)
        assert kind.stages == full.stages
        assert (kind.attention, kind.passing, kind.requires) == (None, None, ())
        assert kind.purpose is Purpose.WORK


def test_facts_about_a_video_that_may_be_asked_for_stay_at_home(tmp_path: Path) -> None:
    team = RemoteTeam(tmp_path)
    facts = {"camera": "moving", "place": "garden", "script": "cups", CUT_FRAME: 4}
    team.project.set_extra({team.clips[0].id: {KEY: facts}})
    team.add(item(team.clips[0].id))
    mine = team.unpack(team.package("Ann"), "Ann")
    (video,) = [v for v in mine.videos() if v.id == team.clips[0].id]
    info = mine.media.video(video.id).info
    assert info.extra[KEY] == {"script": "cups", CUT_FRAME: 4}
    mine.close()
    team.project.close()
