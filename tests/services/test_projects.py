"""A project in use: videos come, move and return; tasks are done; the user is where they were."""

from __future__ import annotations

import shutil
import threading
import time
import wave
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from queue import Queue

import pytest

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.commands import CreateTrack, SetTrack
from annotator.domain.errors import ProjectError
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, TaskId, TrackId, VideoId, new_id, track_id
from annotator.domain.workflow import TaskState
from annotator.services.background.jobs import CanceledError, JobRunner
from annotator.services.demo.first_demo import create_demo
from annotator.services.project.projects import (
    OpenProject,
    ViewState,
    backups,
    create_project,
    open_project,
)
from annotator.services.project.videos import stored_sound
from annotator.services.session import Session
from tests.media.encoding import encode
from tests.media.sounds import signal, write_film
from tests.store.samples import state, video_info


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    encode(folder / "mug.mp4", numbers=range(24))
    encode(folder / "cup.mp4", numbers=range(20, 44))
    (folder / "notes.mp4").write_text("no video at all")
    (folder / "empty.mp4").touch()
    return folder


@pytest.fixture
def project(tmp_path: Path):
    project = create_project(tmp_path / "project" / "work", title="Work")
    yield project
    project.close()


def _add(project: OpenProject, source: Path, place: Path) -> Session:
    """Copy a clip to a place, add it, and open its task."""
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, place)
    report = project.add_videos([place])
    assert report.failed == ()
    return project.open_task(project.tasks()[-1].id)


def _draw(session: Session, label: str = "mug") -> TrackId:
    track = track_id()
    session.run(CreateTrack(track, label, 2, Box(5, 5, 30, 30)))
    return track


def _reopened(project: OpenProject) -> OpenProject:
    project.close()
    return open_project(project.path)


def test_new_project_is_named_and_empty(project: OpenProject) -> None:
    assert project.path.name == "work.annot"
    assert project.title == "Work"
    assert (project.videos(), project.tasks(), project.notices) == ([], [], [])
    assert (project.view_state(), project.holder, project.is_read_only) == (None, None, False)


def test_files_are_added_refused_and_known_one_by_one(project: OpenProject, clips: Path) -> None:
    heard: list[tuple[float, str]] = []
    names = ("mug.mp4", "notes.mp4", "empty.mp4", "none.mp4", "cup.mp4", "mug.mp4")
    report = project.add_videos(
        [clips / n for n in names], on_progress=lambda f, n: heard.append((round(f, 2), n))
    )
    assert [name for name, _ in groupby(name for _, name in heard)] == list(names)
    assert heard == sorted(heard, key=lambda told: told[0])
    assert any(0.02 < share < 0.16 for share, _ in heard), "told within a file too"
    assert [path.name for path, _ in report.failed] == ["notes.mp4", "empty.mp4", "none.mp4"]
    assert all(str(path) in text for path, text in report.failed)
    assert len(report.added) == 2
    assert report.known == (report.added[0],)
    mug, cup = project.videos()
    assert (mug.name, mug.path, mug.is_missing) == ("mug.mp4", clips / "mug.mp4", False)
    assert (mug.width, mug.height, mug.n_frames, mug.frame_rate) == (96, 64, 24, 30.0)
    assert cup.id == report.added[1]
    assert [t.video_id for t in project.tasks()] == [mug.id, cup.id]
    assert {t.state for t in project.tasks()} == {TaskState.WAITING}


def test_sound_file_is_added_without_frames_and_found_again(
    project: OpenProject, tmp_path: Path
) -> None:
    place = tmp_path / "away" / "rain.wav"
    place.parent.mkdir()
    with wave.open(str(place), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\0\1" * 12000)
    report = project.add_videos([place])
    assert report.failed == ()
    (entry,) = project.videos()
    assert (entry.n_frames, entry.width, entry.duration_s) == (0, 0, 1.5)
    assert entry.findings == ("The file has audio but no video stream.",)
    session = project.open_task(project.tasks()[0].id)
    assert (session.video_path, session.table_bytes) == (place, None)
    moved = project.path.parent / "rain.wav"
    place.rename(moved)
    again = _reopened(project)
    assert again.videos()[0].path == moved
    again.close()


def test_adding_can_be_canceled(project: OpenProject, clips: Path) -> None:
    told: list[float] = []
    report = project.add_videos(
        [clips / "mug.mp4", clips / "cup.mp4"],
        on_progress=lambda share, _: told.append(share),
        is_canceled=lambda: bool(told) and told[-1] > 0.5,
    )
    assert 0.5 < told[-1] < 0.9, "in the midst of the second"
    assert len(report.added) == len(project.videos()) == len(project.tasks()) == 1


def test_locating_tells_how_far_it_is_and_can_be_ended(project: OpenProject, clips: Path) -> None:
    project.add_absent_video(VideoInfo(VideoId(new_id()), "mug.mp4", 96, 64, 24, 30.0, 0.8))
    (entry,) = project.videos()
    told: list[float] = []

    def stop(share: float) -> None:
        told.append(share)
        if share > 0.6:
            raise CanceledError

    with pytest.raises(CanceledError):
        project.locate(entry.id, clips / "mug.mp4", stop)
    assert told == sorted(told)
    assert len(told) >= 2
    assert project.videos()[0].is_missing
    assert project._file.rows("SELECT count(*) FROM frame_table") == [(0,)]
    project.locate(entry.id, clips / "mug.mp4", told.append)
    assert told[-1] == 1.0
    assert not project.videos()[0].is_missing


@pytest.mark.parametrize("is_cut_off", [False, True])
def test_the_sound_of_what_was_added_is_listened_to_later(
    tmp_path: Path, *, is_cut_off: bool
) -> None:
    film = write_film(tmp_path / "film.mp4", signal(1.0), sound_at_s=0.5)
    calls: Queue[Callable[[], object]] = Queue()
    jobs = JobRunner(calls.put)
    project = create_project(tmp_path / "later", title="Later", jobs=jobs)
    project.add_videos([film])
    (entry,) = project.videos()
    assert (entry.findings, stored_sound(project.media.video(entry.id).info)) == ((), None)
    project.listen_later()
    if is_cut_off:
        project.close()
        project = open_project(project.path, jobs=jobs)
    heard: list[VideoId] = []
    project.video_heard.add(heard.append)
    session = project.open_task(project.tasks()[0].id)
    while not heard:
        calls.get(timeout=20)()
    (entry,) = project.videos()
    assert heard == [entry.id]
    (text,) = entry.findings
    assert "The audio starts" in text
    counted = stored_sound(project.media.video(entry.id).info)
    assert counted is not None
    assert counted[1] == 48_000
    assert stored_sound(session.document.video) == counted
    project.listen_later()
    assert not [job for job in jobs.active if job.title.startswith("Listen")], "once is enough"
    project.close()
    jobs.close()


def test_session_has_path_table_and_times(project: OpenProject, clips: Path) -> None:
    session = _add(project, clips / "mug.mp4", project.path.parent / "mug.mp4")
    assert session.video_path == project.path.parent / "mug.mp4"
    assert session.table_bytes is not None
    assert project.open_task(session.task_id) is session
    _draw(session)
    from annotator.media import Video

    with Video(clips / "mug.mp4") as video:
        expected = video.pts(2)
    assert project._file.rows("SELECT pts FROM keyframe") == [(expected,)]
    task = project.task(session.task_id)
    assert (task.state, task.draft_id) == (TaskState.IN_PROGRESS, session.document.draft_id)


def test_edits_are_there_after_reopening(project: OpenProject, clips: Path) -> None:
    session = _add(project, clips / "mug.mp4", project.path.parent / "mug.mp4")
    _draw(session)
    kept = state(session.document)
    again = _reopened(project)
    session = again.open_task(again.tasks()[0].id)
    assert state(session.document) == kept
    assert session.undo_op == "create-track"
    again.close()


def test_whole_folder_can_move(project: OpenProject, clips: Path, tmp_path: Path) -> None:
    _add(project, clips / "mug.mp4", project.path.parent / "videos" / "mug ö.mp4")
    project.close()
    moved = tmp_path / "elsewhere"
    project.path.parent.rename(moved)
    again = open_project(moved / "work.annot")
    assert again.videos()[0].path == moved / "videos" / "mug ö.mp4"
    again.close()


def test_renamed_file_is_found_below_the_project(project: OpenProject, clips: Path) -> None:
    place = project.path.parent / "mug.mp4"
    _add(project, clips / "mug.mp4", place)
    decoy = project.path.parent / "a" / "decoy.mp4"
    decoy.parent.mkdir()
    decoy.write_bytes(b"\0" * place.stat().st_size)
    found = project.path.parent / "b" / "other.mov"
    found.parent.mkdir()
    place.rename(found)
    assert project.videos()[0].path == found
    again = _reopened(project)
    assert again.videos()[0].path == found
    again.close()


def test_missing_file_is_located_by_content_only(
    project: OpenProject, clips: Path, tmp_path: Path
) -> None:
    session = _add(project, clips / "mug.mp4", tmp_path / "outside" / "mug.mp4")
    (tmp_path / "outside" / "mug.mp4").unlink()
    again = _reopened(project)
    entry = again.videos()[0]
    assert entry.is_missing
    session = again.open_task(again.tasks()[0].id)
    assert session.video_path is None
    _draw(session)
    with pytest.raises(ProjectError, match=r"”: its content is different\."):
        again.locate(entry.id, clips / "cup.mp4")
    assert again.videos()[0].is_missing
    again.locate(entry.id, clips / "mug.mp4")
    assert again.videos()[0].path == session.video_path == clips / "mug.mp4"
    again.close()


def test_file_that_changed_under_us_is_missing(project: OpenProject, clips: Path) -> None:
    place = project.path.parent / "mug.mp4"
    _add(project, clips / "mug.mp4", place)
    again = _reopened(project)
    shutil.copyfile(clips / "cup.mp4", place)
    assert again.videos()[0].is_missing
    shutil.copyfile(clips / "mug.mp4", place)  # back, with another time of change
    assert again.videos()[0].path == place
    again.close()


def test_video_known_from_an_import_is_found_when_its_file_is_added(
    project: OpenProject, clips: Path
) -> None:
    info = replace(video_info("mug", 24), width=96, height=64)
    session = project.open_task(project.add_absent_video(info))
    assert (session.video_path, session.table_bytes) == (None, None)
    _draw(session)
    assert project._file.rows("SELECT pts FROM keyframe") == [(None,)]
    report = project.add_videos([clips / "mug.mp4"])
    assert len(report.known) + len(report.added) == 1
    assert [v.id for v in project.videos()] == [info.id]
    assert len(project.tasks()) == 1
    assert project.videos()[0].path == clips / "mug.mp4"
    assert project._file.rows("SELECT pts IS NOT NULL FROM keyframe") == [(1,)]


def test_video_known_from_an_import_is_located_by_its_shape(
    project: OpenProject, clips: Path
) -> None:
    info = replace(video_info("mug", 25), width=96, height=64)
    session = project.open_task(project.add_absent_video(info))
    with pytest.raises(ProjectError, match=r"Select the video that the imported file describes\."):
        project.locate(info.id, clips / "mug.mp4")
    other = replace(video_info("cup", 24), width=96, height=64)
    session = project.open_task(project.add_absent_video(other))
    project.locate(other.id, clips / "cup.mp4")
    assert session.video_path == clips / "cup.mp4"
    assert session.table_bytes is not None


def test_submitted_task_rests_until_reopened(project: OpenProject) -> None:
    session = project.open_task(project.add_absent_video(video_info()))
    track = _draw(session)
    submission = project.work.submit(session)
    assert project.work.submissions(session.task_id) == [submission]
    assert project.task(session.task_id).state is TaskState.SUBMITTED
    assert session.is_read_only
    assert not session.can_undo
    with pytest.raises(ProjectError, match=r"Cannot edit: the task is submitted\."):
        session.run(SetTrack(track, label="cup"))
    again = _reopened(project)
    session = again.open_task(again.tasks()[0].id)
    assert session.is_submitted
    again.work.reopen(session.task_id)
    assert not session.is_read_only
    session.run(SetTrack(track, label="cup"))
    assert session.undo_op == "set-track"
    assert again.work.submit(session).revision == 2
    assert [s.revision for s in again.work.submissions(session.task_id)] == [1, 2]
    again.close()


def test_view_is_where_it_was(project: OpenProject) -> None:
    view = ViewState(TaskId("t"), 17, 2.5, 100.25, 50.0, (track_id(),), 1.5, 9.0)
    project.save_view_state(ViewState())
    project.save_view_state(view)
    again = _reopened(project)
    assert again.view_state() == view
    copy = again.path.with_name("copy.annot")
    assert again.save_copy(copy) == copy
    for there in (copy, again.path):
        with pytest.raises(ProjectError, match="a file of this name exists"):
            again.save_copy(there)
    other = open_project(copy)
    assert other.view_state() == view  # as elsewhere, until it has one of its own
    other.save_view_state(ViewState(frame=3))
    assert other.view_state() == ViewState(frame=3)
    other.close()
    with again._file.transaction() as connection:
        connection.execute('UPDATE view_state SET state = \'{"frame": "x"}\'')
    assert again.view_state() is None
    again.close()


def test_second_window_looks_only(project: OpenProject) -> None:
    session = project.open_task(project.add_absent_video(video_info()))
    _draw(session)
    waiting = project.add_task(session.document.video.id)
    reader = open_project(project.path)
    assert reader.is_read_only
    assert reader.holder is not None
    assert reader.holder in reader.notices[0].text
    assert state(reader.open_task(session.task_id).document) == state(session.document)
    reader.save_view_state(ViewState(frame=3))
    assert reader.view_state() is None
    for attempt in (
        lambda: reader.open_task(waiting),
        lambda: reader.add_task(session.document.video.id),
        lambda: reader.work.submit(reader.open_task(session.task_id)),
    ):
        with pytest.raises(
            ProjectError, match=r"Cannot save the edit: the project is open read-only\."
        ):
            attempt()
    with pytest.raises(ProjectError, match=r"Cannot find the task in the project\."):
        reader.open_task(TaskId("none"))
    reader.close()


def test_backup_is_made_on_opening_when_something_changed(project: OpenProject) -> None:
    session = project.open_task(project.add_absent_video(video_info()))
    _draw(session)
    assert backups(project.path) == []
    again = _reopened(project)
    (backup,) = backups(project.path)
    copy = open_project(backup.path, read_only=True)
    assert state(copy.open_task(session.task_id).document) == state(session.document)
    copy.close()
    again.close()


def test_background_work_leaves_the_main_thread_alone(project: OpenProject) -> None:
    jobs = JobRunner(lambda call: call())
    session = project.open_task(project.add_absent_video(video_info()))
    track = _draw(session)
    project.close()
    again = open_project(project.path, jobs=jobs)
    session = again.open_task(session.task_id)
    # Whoever copies the file reads an old state, and what came later waits in the log meanwhile.
    deadline, pause = time.monotonic() + 30, threading.Event()
    while not backups(project.path) and time.monotonic() < deadline:
        pause.wait(0.01)
    with again._file.transaction():
        for i in range(199):
            session.run(SetTrack(track, label=f"name {i}"))
    session.run(SetTrack(track, label="carried over"))
    jobs._pool.shutdown(wait=True)
    assert len(backups(project.path)) == 1
    assert b"carried over" in project.path.read_bytes()
    jobs.close()
    again.close()


def test_demo_has_something_to_see_and_to_do(tmp_path: Path) -> None:
    path = create_demo(tmp_path / "demo")
    assert create_demo(tmp_path / "demo") == path
    project = open_project(path)
    (video,) = project.videos()
    assert video.path is not None
    assert video.path.parent == path.parent
    (task,) = project.tasks()
    session = project.open_task(task.id)
    document = session.document
    assert len(document.tracks) >= 1
    assert not session.can_undo
    assert {s.lane.value for s in document.segments} == {"action", "sound"}
    assert all(0 <= k.frame < video.n_frames for t in document.tracks for k in t.keyframes)
    project.close()


def test_demo_where_nothing_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ProjectError, match="Cannot create the demo:"):
        create_demo(tmp_path / "file")


def test_who_signed_in_and_what_was_ticked_is_remembered(tmp_path: Path) -> None:
    project = create_project(tmp_path / "ticks", title="Ticks")
    me, draft = project.work.me, DraftId(new_id())
    assert me is not None
    assert project.last_person is None
    project.save_last_person(me.id)
    project.save_ticked(draft, {"Second.", "First."})
    project.save_view_state(ViewState(frame=7))
    project.close()
    again = open_project(project.path)
    assert again.last_person == me.id
    assert again.ticked(draft) == {"First.", "Second."}
    assert again.ticked(DraftId(new_id())) == frozenset()
    again.save_ticked(draft, ())
    state = again.view_state()
    assert state is not None
    assert (state.frame, state.ticked, state.person_id) == (7, {}, me.id)
    for _ in range(60):
        again.save_ticked(DraftId(new_id()), {"First."})
    state = again.view_state()
    assert state is not None
    assert len(state.ticked) == 50
    again.close()
