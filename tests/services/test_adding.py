"""Many videos at once, and the tables that tell of them."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from annotator.domain.commands import AddImported
from annotator.domain.errors import ExchangeError, ProjectError
from annotator.exchange.metadata import MetadataRefusedError
from annotator.services.project.bulk_import import (
    AddingReport,
    Tell,
    add_media,
    media_files,
    read_files,
)
from annotator.services.project.metadata import facts_of, import_metadata
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.project.videos import ReadFile, read_file
from tests.media.encoding import encode


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five clips of different content, two of them in a folder, one file that is none."""
    folder = tmp_path_factory.mktemp("clips")
    (folder / "more").mkdir()
    for i in range(5):
        name = f"more/{i}.mp4" if i > 2 else f"{i}.mp4"
        make_clip(folder / name, 4 + i)
    (folder / "broken.mp4").write_bytes(b"not a video" * 50)
    (folder / "notes.md").write_text("no video")
    (folder / ".hidden.mp4").write_bytes(b"x")
    return folder


def make_clip(path: Path, frames: int) -> None:
    """Write a short clip; the number of frames makes its content its own."""
    encode(path, numbers=range(frames))


@pytest.fixture
def project(tmp_path: Path):
    opened = create_project(tmp_path / "p.annot", title="Many")
    yield opened
    opened.close()


def dying_reader(path: Path, tell: Tell) -> ReadFile:
    """Read a file, or end the process as a crash in a library would."""
    if path.name == "broken.mp4":
        os.kill(os.getpid(), signal.SIGKILL)
    return read_file(path, tell)


def endless_reader(_path: Path, tell: Tell) -> ReadFile:
    """Read on until told to stop."""
    while True:
        tell(0.5)


def names(project: OpenProject) -> list[str]:
    return [video.name for video in project.videos()]


def test_a_folder_goes_in_and_the_broken_file_is_told(project, clips, tmp_path) -> None:
    shutil.copy(clips / "1.mp4", tmp_path / "again.mp4")
    seen: list[float] = []
    files = media_files([clips, tmp_path / "again.mp4", clips / "1.mp4"])
    report = add_media(
        project, files, processes=2, on_progress=lambda fraction, _: seen.append(fraction)
    )
    assert names(project) == ["0.mp4", "1.mp4", "2.mp4", "3.mp4", "4.mp4"]
    assert [task.video_id for task in project.tasks()] == list(report.added)
    assert report.duplicates == ((tmp_path / "again.mp4", clips / "1.mp4"),)
    ((failed, reason),) = report.failed
    assert (failed.name, report.n_left, seen[-1]) == ("broken.mp4", 0, 1.0)
    assert reason
    again = add_media(project, media_files([clips]), processes=1)
    assert again == AddingReport(
        known=tuple(f for f in media_files([clips]) if f.name != "broken.mp4"),
        failed=report.failed,
    )
    assert len(project.tasks()) == 5


def test_a_name_that_is_not_utf8_is_told_and_the_rest_is_added(project, clips, tmp_path) -> None:
    folder = tmp_path / "names"
    folder.mkdir()
    shutil.copy(clips / "1.mp4", folder / "good.mp4")
    try:
        shutil.copy(clips / "2.mp4", os.fsencode(folder / "bad") + b"\xff.mp4")
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    report = add_media(project, media_files([folder]), processes=1)
    assert names(project) == ["good.mp4"]
    ((failed, reason),) = report.failed
    assert os.fsencode(failed).endswith(b"bad\xff.mp4")
    assert "not valid UTF-8" in reason
    assert "bad\ufffd.mp4" in reason
    # One by one, as files dropped into the window are.
    single = project.add_videos([failed, folder / "good.mp4"])
    assert [text for _, text in single.failed] == [reason]
    assert len(single.known) == 1


def test_canceling_keeps_what_is_done(project, clips) -> None:
    files = [clips / f"{i}.mp4" for i in range(3)] + [clips / f"missing{i}.mp4" for i in range(300)]
    told: list[str] = []
    report = add_media(
        project,
        files,
        processes=1,
        on_progress=lambda _, name: told.append(name),
        is_canceled=lambda: bool(told),
    )
    assert 0 < len(report.added) <= 3
    assert report.n_left > 0
    assert len(report.failed) + len(report.added) + report.n_left == len(files)
    project.close()
    reopened = open_project(project.path)
    assert len(reopened.videos()) == len(reopened.tasks()) == len(report.added)
    reopened.close()


@pytest.mark.parametrize("count", [1, 3])
def test_a_file_that_takes_long_is_let_go_when_canceled(clips, count) -> None:
    files = [clips / f"{i}.mp4" for i in range(count)]
    calls = iter([False] * 3)
    shares: list[float] = []
    outcomes = read_files(
        files,
        processes=2,
        is_canceled=lambda: next(calls, True),
        on_share=lambda _, share: shares.append(share),
        reader=endless_reader,
    )
    assert list(outcomes) == []
    assert shares == ([0.0, 0.5, 0.5] if count == 1 else [])


def test_a_file_that_kills_its_reader_is_found_and_the_rest_is_read(clips) -> None:
    files = [clips / name for name in ("0.mp4", "broken.mp4", "1.mp4", "2.mp4")]
    outcomes = dict(read_files(files, processes=2, reader=dying_reader))
    assert set(outcomes) == set(files)
    assert (
        "Cannot read the file: it crashes the reader because it is badly damaged. Copy it again"
        in outcomes.pop(files[1])
    )
    assert all(isinstance(outcome, ReadFile) for outcome in outcomes.values())


def test_a_project_that_cannot_be_written_stops_the_run(project, clips) -> None:
    project.close()
    with pytest.raises(ProjectError):
        add_media(project, [clips / "0.mp4"], processes=1)


def test_lists_name_files_and_folders_relative_to_themselves(clips, tmp_path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text(f"\ufeff{clips / '0.mp4'}\n\n{clips / 'more'}\nown.mp4\nlist.txt\n", "utf-8")
    more = [clips / "more" / name for name in ("3.mp4", "4.mp4")]
    assert media_files([listed]) == [clips / "0.mp4", *more, tmp_path / "own.mp4"]
    listed.write_bytes(b"\xff\xff")
    with pytest.raises(ExchangeError, match="UTF-8"):
        media_files([listed])
    with pytest.raises(ExchangeError, match="Cannot read the file list:"):
        media_files([tmp_path / "none.txt"])


def test_a_table_tells_of_videos_by_name_path_and_id(project, clips, tmp_path) -> None:
    add_media(project, media_files([clips]), processes=1)
    session = project.open_task(project.tasks()[0].id)
    first = project.videos()[0].id
    table = tmp_path / "m.csv"
    table.write_text(
        f"video,script,cut_frame,lamp\n{first},cups,3,on\n1,pour,,\nmore/3.mp4,cups,,\n"
        "elsewhere.mp4,cups,,\n"
    )
    report = import_metadata(project, table)
    assert report.n_videos == 3
    assert report.rows_without_video == ((5, "elsewhere.mp4"),)
    assert report.videos_without_row == ("2.mp4", "4.mp4")
    facts = [facts_of(info) for info, _ in project.media.all()]
    assert facts[0] == {"script": "cups", "cut_frame": 3, "lamp": "on"}
    assert [f.get("script") for f in facts] == ["cups", "pour", None, "cups", None]
    assert facts_of(session.document.video) == facts[0]
    table.write_text("name,split\n0.mp4,test\n")
    import_metadata(project, table)
    assert facts_of(session.document.video) == {**facts[0], "split": "test"}
    assert "sound" in session.document.video.extra


def test_undo_of_an_import_leaves_facts_that_came_later(project, clips, tmp_path) -> None:
    add_media(project, [clips / "0.mp4"], processes=1)
    session = project.open_task(project.tasks()[0].id)
    before = session.document.video.extra
    session.run(AddImported((), extra={**before, "questions": [1]}))
    table = tmp_path / "m.csv"
    table.write_text("video,script\n0,cups\n")
    import_metadata(project, table)
    session.undo()
    assert session.document.video.extra == {**before, "metadata": {"script": "cups"}}
    session.redo()
    assert session.document.video.extra["questions"] == [1]
    assert facts_of(session.document.video) == {"script": "cups"}


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("0.mp4,5\n1.mp4,4", "” is out of range; the video has"),
        ("0.mp4,1\n0,2", "line 2 already has a row for"),
        ("0.mp4,1\n1.mp4,soon", "line 3: cut_frame"),
    ],
)
def test_a_bad_row_leaves_everything_as_it_was(project, clips, tmp_path, rows, words) -> None:
    add_media(project, [clips / "0.mp4", clips / "1.mp4"], processes=1)
    table = tmp_path / "m.csv"
    table.write_text(f"video,cut_frame\n{rows}\n")
    with pytest.raises(MetadataRefusedError, match=words):
        import_metadata(project, table)
    assert [facts_of(info) for info, _ in project.media.all()] == [{}, {}]


def test_a_name_that_two_videos_have_needs_a_path(project, clips, tmp_path) -> None:
    for i in range(2):
        (tmp_path / str(i)).mkdir()
        shutil.copy(clips / f"{i}.mp4", tmp_path / str(i) / "same.mp4")
    add_media(project, media_files([tmp_path / "0", tmp_path / "1"]), processes=1)
    table = tmp_path / "m.csv"
    table.write_text("video,script\nsame.mp4,a\n")
    with pytest.raises(MetadataRefusedError, match="2 videos have the name"):
        import_metadata(project, table)
    table.write_text("path,script\n0/same.mp4,a\n1\\same.mp4,b\n")
    assert import_metadata(project, table).n_videos == 2
