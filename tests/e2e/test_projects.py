"""Projects in the window: empty states, adding, missing and damaged files, import and export."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QDockWidget,
    QMenu,
    QToolBar,
    QToolButton,
    QWidget,
)

from annotator import paths
from annotator.domain.people import Role
from annotator.media import FrameTable
from annotator.media.index.indexing import build_table
from annotator.services.background.jobs import JobStatus
from annotator.services.project.people import NewPerson
from annotator.services.project.projects import create_project, open_project
from annotator.ui.bars.empty_page import EmptyPage, RecentProjects, picture_path
from annotator.ui.dialogs.project.backup_dialog import BackupsDialog
from annotator.ui.dialogs.project.export_dialog import ExportDialog
from annotator.ui.dialogs.project.import_plan_dialog import ImportPlanDialog
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.setup.new_project import NewProjectDialog
from annotator.ui.lead.setup.team_setup import TeamSetupDialog
from tests.e2e.answering import answering
from tests.e2e.conftest import Desktop, make_clip
from tests.exchange.files import example, write_file
from tests.media.encoding import encode
from tests.media.sounds import write_sound


def _film_with_sound(path: Path) -> Path:
    with av.open(str(path), "w") as container:
        video = container.add_stream("mpeg4", rate=30)
        audio = container.add_stream("pcm_s16le", 8000)
        video.width, video.height, video.pix_fmt = 64, 64, "yuv420p"
        for _ in range(30):
            image = av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), "rgb24")
            container.mux(video.encode(image))
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 8000), np.int16), "s16", "mono")
        silence.sample_rate, silence.pts = 8000, 0
        container.mux(audio.encode(silence))
        for stream in (video, audio):
            container.mux(stream.encode(None))
    return path


def _report(desktop: Desktop) -> ReportDialog:
    """Wait for the report that a piece of work ends with."""

    def shown() -> list[ReportDialog]:
        widgets: list[QWidget] = QApplication.topLevelWidgets()
        return [w for w in widgets if isinstance(w, ReportDialog) and w.isVisible()]

    desktop.qtbot.waitUntil(lambda: bool(shown()), timeout=20_000)
    return shown()[0]


def _heading(desktop: Desktop) -> str:
    page = desktop.window.assembly.pages.currentWidget()
    return page.heading.text() if hasattr(page, "heading") else ""


def test_empty_window_says_what_to_do(desktop: Desktop) -> None:
    assert "No project" in _heading(desktop)
    assert not desktop.window.context.table.action("tool.box").isEnabled()
    assert desktop.window.context.table.action("project.open").isEnabled()


def test_what_is_ones_own_is_not_put_beside_the_demo(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create_project(paths.data_dir() / "demo" / "demo", title="Demo")
    made.close()
    assert desktop.window.context.projects.open_path(made.path)
    seen: list[Path] = []

    def look(dialog: NewProjectDialog) -> QDialog.DialogCode:
        seen.append(Path(dialog.folder.text()))
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(NewProjectDialog, "exec", look)
    desktop.run("project.new")
    own = create_project(tmp_path / "own", title="Own")
    own.close()
    assert desktop.window.context.projects.open_path(own.path)
    desktop.run("project.new")
    assert seen == [Path.home(), tmp_path]


def test_new_project_begins_with_its_videos(
    desktop: Desktop, tmp_path: Path, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(dialog: NewProjectDialog) -> QDialog.DialogCode:
        assert dialog.problem()
        dialog.name.setText("Two cups / one")
        assert dialog.problem()
        dialog.name.setText("Cups")
        dialog.folder.setText(str(tmp_path))
        dialog.add_videos([clip, clip])
        assert dialog.result_value().grid_step is None
        dialog.grid_step.setValue(12)
        assert dialog.problem() == ""
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(NewProjectDialog, "exec", fill)
    desktop.run("project.new")
    desktop.qtbot.waitUntil(
        lambda: desktop.window.context.workspace.stage is not None, timeout=20_000
    )
    desktop.settle()
    assert (tmp_path / "Cups.annot").is_file()
    assert desktop.window.assembly.pages.is_working
    assert "drag a box" in desktop.window.context.middle.hint.text()
    session = desktop.window.context.workspace.session
    assert session is not None
    assert session.document.video.grid_step == 12
    assert desktop.window.context.workspace.settings.recent == (tmp_path / "Cups.annot",)


def test_refused_videos_are_listed_with_their_reason(desktop: Desktop, tmp_path: Path) -> None:
    empty = create_project(tmp_path / "empty", title="Empty")
    empty.close()
    assert desktop.window.context.projects.open_path(empty.path)
    assert "no videos" in _heading(desktop)
    assert [d for d in desktop.window.findChildren(QDockWidget) if not d.isHidden()] == []
    text = tmp_path / "notes.mp4"
    text.write_text("not a video")
    desktop.window.context.projects.add_files([text, tmp_path / "gone.mp4"])
    report = _report(desktop)
    assert report.list.count() == 2
    assert "notes.mp4" in report.list.item(0).text()
    report.close()
    assert "no videos" in _heading(desktop)


def test_missing_video_is_located_by_its_content(
    desktop: Desktop,
    project: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Out of the project's folder, where it would be found by itself.
    found = tmp_path_factory.mktemp("elsewhere") / "renamed.mp4"
    (tmp_path / "square.mp4").rename(found)
    assert desktop.window.context.projects.open_path(project)
    assert "Video file not found" in _heading(desktop)
    page = desktop.window.assembly.pages.currentWidget()
    assert isinstance(page, EmptyPage)
    assert str(tmp_path / "square.mp4") in page.text.text()
    assert f"in {project.parent} and its folders" in page.text.text()
    assert desktop.window.context.table.action("video.locate").isEnabled()

    other = make_clip(tmp_path / "other.mp4", shade=200)
    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_video", lambda *_: other)
    desktop.run("video.locate")
    desktop.qtbot.waitUntil(lambda: bool(desktop.window.context.banners.texts()), timeout=20_000)
    assert "”: its content is different." in desktop.window.context.banners.texts()[0]
    assert "Video file not found" in _heading(desktop)

    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_video", lambda *_: found)
    desktop.window.activateWindow()
    desktop.qtbot.waitUntil(desktop.window.isActiveWindow)
    locate = next(b for b in page.findChildren(QToolButton) if b.text() == "Locate video")
    locate.setFocus()
    locate.click()
    desktop.qtbot.waitUntil(lambda: desktop.window.assembly.pages.is_working, timeout=20_000)
    desktop.settle()
    assert desktop.window.context.canvas.index == 0
    # The keys are for the picture, not for what lies beside the button that is gone.
    desktop.qtbot.waitUntil(desktop.window.context.canvas.hasFocus)


def test_video_that_changes_while_open_is_reported_by_name(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    clip = project.parent / "square.mp4"
    clip.write_bytes(clip.read_bytes()[:-1])
    stage = desktop.window.context.workspace.stage
    assert stage is not None
    stage.player.seek(desktop.window.context.workspace.n_frames - 1)
    banners = desktop.window.context.banners
    desktop.qtbot.waitUntil(lambda: bool(banners.texts()), timeout=20_000)
    (text,) = banners.texts()
    assert str(clip) in text
    assert "changed" in text


def test_of_a_torn_video_it_is_said_what_is_missing(desktop: Desktop, tmp_path: Path) -> None:
    video = tmp_path / "torn.mp4"
    encode(video, b_frames=2, mux_options={"movflags": "faststart"})
    video.write_bytes(video.read_bytes()[: video.stat().st_size * 3 // 5])
    made = create_project(tmp_path / "torn", title="Torn")
    made.add_videos([video])
    made.close()
    desktop.open(made.path)
    (told,) = desktop.window.context.banners.texts()
    assert told.startswith("The file is truncated: ")


def test_a_replaced_file_is_not_taken_for_the_video(desktop: Desktop, tmp_path: Path) -> None:
    film = _film_with_sound(tmp_path / "film.mkv")
    made = create_project(tmp_path / "sound", title="Sound")
    assert made.add_videos([film]).failed == ()
    made.close()
    desktop.open(made.path)
    workspace = desktop.window.context.workspace
    stage, task_id = workspace.stage, workspace.task_id
    assert stage is not None
    assert task_id is not None
    before = {t for t in threading.enumerate() if t.name.startswith("sound")}
    assert before
    content = film.read_bytes()
    film.write_bytes(content + bytes(64))
    assert workspace.open_task(task_id)
    assert workspace.stage.is_missing
    assert not {t for t in threading.enumerate() if t.name.startswith("sound")} & before
    desktop.qtbot.waitUntil(lambda: not workspace.jobs.active)
    assert workspace.stage.is_missing
    film.write_bytes(content)
    desktop.window.context.panels.tasks.reload()
    assert workspace.open_task(task_id)
    desktop.qtbot.waitUntil(lambda: not workspace.stage.is_missing)


def test_sound_alone_asks_for_no_boxes(desktop: Desktop, tmp_path: Path) -> None:
    sound = write_sound(tmp_path / "birds.wav", np.zeros(8000, np.float32), "pcm_s16le")
    made = create_project(tmp_path / "sound", title="Sound")
    assert made.add_videos([sound]).failed == ()
    made.close()
    window = desktop.window
    assert window.context.projects.open_path(made.path)
    window.context.updates.refresh()
    assert window.context.workspace.stage is not None
    assert window.context.middle.hint.text() == ""


def test_damaged_project_offers_its_backups(
    desktop: Desktop, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = open_project(project)  # makes a backup
    session = healthy.open_task(healthy.tasks()[0].id)
    assert session.document.tracks == ()
    del session
    healthy.close()
    content = project.read_bytes()
    project.write_bytes(content[:4096] + bytes([0xA5]) * (len(content) - 4096))

    asked: list[int] = []

    def choose(dialog: BackupsDialog) -> QDialog.DialogCode:
        asked.append(dialog.list.count())
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(BackupsDialog, "exec", choose)
    desktop.open(project)
    assert asked[0] >= 1
    assert desktop.window.context.workspace.can_edit
    assert list(project.parent.glob("day.damaged-*"))


def test_what_cannot_be_opened_leaves_the_open_project(
    desktop: Desktop, project: Path, tmp_path: Path
) -> None:
    desktop.open(project)
    assert not desktop.window.context.projects.open_path(tmp_path / "nowhere.annot")
    assert "nowhere.annot" in desktop.window.context.banners.texts()[0]
    desktop.press("F")
    assert desktop.window.context.workspace.frame == 1


def test_export_reports_and_import_brings_back(
    make_desktop: Callable[[], Desktop],
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desktop = make_desktop()
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    target = tmp_path / "out.json"
    monkeypatch.setattr(ExportDialog, "exec", lambda _: QDialog.DialogCode.Accepted)
    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_export", lambda *_: target)
    desktop.run("file.export")
    _report(desktop).close()
    written = json.loads(target.read_text())
    assert len(written["square"]["object_tracking"]) == 1

    desktop.press("Del")
    assert desktop.window.context.workspace.session is not None
    assert desktop.window.context.workspace.session.document.tracks == ()
    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_import", lambda *_: target)
    desktop.run("file.import")
    _report(desktop).close()
    assert [t.label for t in desktop.window.context.workspace.session.document.tracks] == ["object"]


def test_an_import_can_be_stopped_between_two_videos(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {f"video_{i}": example() for i in range(20)}
    for name, entry in entries.items():
        entry["metadata"]["video_id"] = name
    path = write_file(tmp_path, entries)
    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_import", lambda *_: path)
    desktop.open(project)
    workspace = desktop.window.context.workspace
    fractions: list[float] = []

    def stop(status: JobStatus) -> None:
        fractions.append(status.fraction or 0.0)
        if fractions[-1] >= 0.5 and status.text == "video_2":
            workspace.cancel_jobs()

    workspace.bridge.jobChanged.connect(stop)
    desktop.run("file.import")
    _report(desktop).close()
    assert any(0.5 <= f < 1 for f in fractions)
    desktop.qtbot.waitUntil(lambda: not workspace.is_at_work, timeout=20_000)
    assert workspace.project is not None
    n_tasks = len(workspace.project.tasks())
    assert 1 <= n_tasks < 1 + len(entries)
    assert desktop.window.context.panels.tasks.list.count() == n_tasks


def test_task_row_names_the_video_and_follows_its_state(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    rows = desktop.window.context.panels.tasks.list
    assert rows.item(0).text().splitlines()[1] == "square.mp4 · in progress"


def test_bad_import_changes_nothing_and_says_why(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"square": {"metadata": NaN}}')
    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_import", lambda *_: bad)
    answers: list[str] = []

    def look(dialog: ImportPlanDialog) -> QDialog.DialogCode:
        assert not dialog.go.isEnabled()
        answers.append(dialog.summary.text())
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(ImportPlanDialog, "exec", look)
    desktop.open(project)
    desktop.run("file.import")
    desktop.qtbot.waitUntil(
        lambda: bool(answers or desktop.window.context.banners.texts()), timeout=20_000
    )
    assert desktop.window.context.workspace.session is not None
    assert desktop.window.context.workspace.session.document.tracks == ()


def test_pictures_of_the_whole_clip_are_made_without_a_word(
    desktop: Desktop, project: Path
) -> None:
    window, told, titles = desktop.window, [], []

    def note(status: JobStatus) -> None:
        titles.append(status.title)
        told.append(not window.assembly.status.work.isHidden() and not status.is_final)

    desktop.open(project)
    desktop.qtbot.waitUntil(lambda: not window.context.workspace.jobs.active, timeout=20_000)
    window.context.workspace.bridge.jobChanged.connect(note)
    again = window.context.workspace.task_id
    assert again is not None
    assert window.context.workspace.open_task(again)
    desktop.qtbot.waitUntil(lambda: not window.context.workspace.jobs.active, timeout=20_000)
    assert set(titles) == {"Creating thumbnails"}
    assert not any(told)


def test_video_whose_frames_were_never_listed_is_read_in_the_background(
    desktop: Desktop, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(sqlite3.connect(project)) as connection, connection:
        assert connection.execute("DELETE FROM frame_table").rowcount == 1
    readers: list[str] = []

    def build(path: Path, progress: Callable[[float], object] | None = None) -> FrameTable:
        readers.append(threading.current_thread().name)
        return build_table(path, progress)

    monkeypatch.setattr("annotator.media.index.indexing.build_table", build)
    workspace = desktop.window.context.workspace
    told: list[tuple[str, float]] = []
    workspace.bridge.jobChanged.connect(lambda job: told.append((job.title, job.fraction or 0.0)))
    assert desktop.window.context.projects.open_path(project)
    assert workspace.stage is None
    assert workspace.is_at_work
    desktop.qtbot.waitUntil(lambda: workspace.stage is not None, timeout=20_000)
    desktop.settle()
    shares = [share for title, share in told if title == "Reading video…"]
    assert any(0.0 < share < 1.0 for share in shares)
    assert shares == sorted(shares)
    assert [name.split("_")[0] for name in readers] == ["job"]
    assert workspace.stage is not None
    again = workspace.stage.task_id
    assert workspace.open_task(again), "the table is kept from then on"
    assert len(readers) == 1


def test_the_menu_opens_the_demo_of_a_benchmark(desktop: Desktop) -> None:
    menu = desktop.window.context.table.menu("File")
    (demos,) = [
        found for found in menu.findChildren(QMenu) if found.title() == "Open benchmark demo"
    ]
    demos.aboutToShow.emit()
    titles = [action.text() for action in demos.actions()]
    assert titles == ["Perception Test", "PACS", "Neptune", "Video-TT"]
    demos.actions()[2].trigger()
    workspace = desktop.window.context.workspace
    desktop.qtbot.waitUntil(lambda: workspace.project is not None, timeout=60_000)
    assert workspace.project is not None
    assert workspace.project.title == "Demo: Neptune"


def test_a_task_is_shown_again_as_it_was_left(desktop: Desktop, tmp_path: Path) -> None:
    clips = [make_clip(tmp_path / name) for name in ("a.mp4", "b.mp4")]
    clips[1].write_bytes(clips[1].read_bytes() + b"\0\0\0\x08free")
    project = create_project(tmp_path / "two", title="Two")
    assert project.add_videos(clips).failed == ()
    project.close()
    desktop.open(project.path)
    window = desktop.window
    first, second = window.context.panels.tasks.ids()
    desktop.draw((10, 10), (30, 30))
    chosen = window.context.workspace.selection.tracks
    window.context.playback.seek(25)
    desktop.settle()
    window.context.canvas.zooming.set_view(3.0, 20.0, 20.0)
    view = window.context.canvas.zooming.view()
    assert window.context.workspace.open_task(second)
    desktop.settle()
    assert window.context.workspace.frame == 0
    assert window.context.workspace.open_task(first)
    desktop.settle()
    assert window.context.workspace.frame == 25
    assert window.context.workspace.selection.tracks == chosen
    assert window.context.canvas.zooming.view() == pytest.approx(view)


def test_a_notice_about_a_video_leaves_with_it(desktop: Desktop, tmp_path: Path) -> None:
    desktop.open(_one_project(tmp_path))
    banners = desktop.window.context.banners
    banners.add("info", "The file is truncated.", is_of_video=True)
    banners.add("warning", "The disk is full.")
    desktop.window.context.workspace.close_task()
    assert banners.texts() == ["The disk is full."]


def _one_project(folder: Path) -> Path:
    project = create_project(folder / "one", title="One")
    assert project.add_videos([make_clip(folder / "one.mp4")]).failed == ()
    project.close()
    return project.path


def test_the_habit_of_saving_is_answered(desktop: Desktop, tmp_path: Path) -> None:
    desktop.open(_one_project(tmp_path))
    said: list[str] = []
    desktop.window.context.workspace.message.connect(said.append)
    desktop.press("Ctrl+S")
    desktop.draw((20, 20), (60, 60))
    desktop.press("Ctrl+S")
    assert said[0] == "All edits are saved."
    assert said[-1].startswith("All edits are saved; the last one at ")


def drop(desktop: Desktop, *paths: Path) -> None:
    """Let go of files over the middle of the window, as a file manager does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    at = desktop.window.rect().center()
    moves = Qt.DropAction.CopyAction
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at, moves, data, buttons, keys)
    QApplication.sendEvent(desktop.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(desktop.window, QDropEvent(QPointF(at), moves, data, buttons, keys))


def test_files_dropped_onto_the_window_are_opened_or_added(
    desktop: Desktop, project: Path, tmp_path: Path
) -> None:
    desktop.window.staging.finish()
    drop(desktop, project)
    desktop.qtbot.waitUntil(lambda: desktop.window.context.workspace.stage is not None)
    opened = desktop.window.context.workspace.project
    assert opened is not None
    assert opened.path == project
    drop(desktop, make_clip(tmp_path / "second.mp4", shade=200))
    desktop.qtbot.waitUntil(lambda: len(opened.videos()) == 2, timeout=20_000)


def test_text_dropped_onto_the_window_is_none_of_its_business(desktop: Desktop) -> None:
    desktop.window.staging.finish()
    data = QMimeData()
    data.setText("a word")
    at = desktop.window.rect().center()
    enter = QDragEnterEvent(
        at,
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter.ignore()
    QApplication.sendEvent(desktop.window, enter)
    assert not enter.isAccepted()


def test_docks_and_tools_come_back_as_they_were(desktop: Desktop, project: Path) -> None:
    window = desktop.window
    window.staging.finish()
    docks = {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}
    assert not any(dock.isVisible() for dock in docks.values())
    assert not any(bar.isVisible() for bar in window.findChildren(QToolBar))
    desktop.open(project)
    in_front = {name for name, dock in docks.items() if not dock.visibleRegion().isEmpty()}
    assert in_front == {"objects", "inspector"}
    assert all(bar.isVisible() for bar in window.findChildren(QToolBar))


def test_the_picture_has_the_keys_when_a_project_opens_from_the_first_page(
    desktop: Desktop, project: Path
) -> None:
    window = desktop.window
    window.staging.finish()
    buttons = [b for b in window.assembly.pages.findChildren(QToolButton) if b.isVisible()]
    window.assembly.timeline.setFocus()  # where Qt would send them back to
    buttons[1].setFocus()
    desktop.open(project)
    assert window.focusWidget() is window.context.canvas


def test_recent_projects_are_listed_while_none_is_open(
    desktop: Desktop, project: Path, tmp_path: Path
) -> None:
    window = desktop.window
    window.staging.finish()
    settings = window.context.workspace.settings
    settings.add_recent(tmp_path / "gone.annot")
    settings.add_recent(project)
    window.assembly.pages.choose()
    lists = window.assembly.pages.findChildren(RecentProjects)
    assert len(lists) == 1
    rows = lists[0].list
    desktop.qtbot.waitUntil(lambda: rows.count() == 2)
    assert rows.item(0).text().startswith(f"{project.stem}\n")
    assert str(project.parent) in rows.item(0).text()
    assert rows.item(1).text().endswith("not found")
    assert not rows.item(1).flags() & Qt.ItemFlag.ItemIsEnabled
    plain = rows.item(0).icon().pixmap(80, 45).toImage()
    assert len({plain.pixelColor(x, 2).name() for x in range(80)}) == 1
    rows.itemClicked.emit(rows.item(0))
    desktop.qtbot.waitUntil(lambda: window.context.workspace.project is not None)
    assert window.context.workspace.project.path == project
    # A moment later the project has a picture: gray, with a light square on the left.
    desktop.qtbot.waitUntil(picture_path(project).exists, timeout=10_000)
    lists[0].refresh()
    desktop.qtbot.waitUntil(lambda: rows.item(0).icon().pixmap(80, 45).toImage() != plain)
    seen = rows.item(0).icon().pixmap(80, 45).toImage()
    assert seen.pixelColor(12, 22).red() > 200
    assert seen.pixelColor(70, 22).red() < 90
    # What is no picture is none.
    picture_path(project).write_bytes(b"<svg/>")
    lists[0].refresh()
    desktop.qtbot.waitUntil(lambda: rows.item(0).icon().pixmap(80, 45).toImage() == plain)


def test_a_message_does_not_cover_a_banner(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    middle = desktop.window.context.middle
    middle.toast.show_message("Saved.")
    before = middle.toast.y()
    middle.banners.add("error", "The project is read-only.")
    desktop.qtbot.waitUntil(lambda: middle.toast.y() > before)
    assert middle.toast.y() >= middle.banners.geometry().bottom()


def test_a_project_of_one_person_becomes_one_of_a_team(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    context = desktop.window.context
    assert not context.table.action("work.mine").isEnabled()

    def fill(dialog: TeamSetupDialog) -> None:
        assert dialog.recipes.recipe.name != "single"
        dialog.recipes.choose("annotate-review")
        twice = NewPerson("Ann", frozenset((Role.RATER,)))
        dialog.people.add([twice, twice])
        go = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
        assert not go.isEnabled()
        dialog.people.table.removeRow(1)
        dialog.people.changed.emit()
        go.click()

    workspace = context.workspace
    before = workspace.project
    with answering(TeamSetupDialog, fill):
        desktop.run("project.team")
    desktop.qtbot.waitUntil(
        lambda: (
            context.workspace.project not in (before, None) and not context.workspace.is_at_work
        ),
        timeout=20_000,
    )
    made = context.workspace.project
    assert made is not None
    assert made.work.recipe.name == "annotate-review"
    me = workspace.person
    assert me is not None
    assert me.has(Role.LEAD)
    assert sorted(p.name for p in made.work.people.all()) == sorted([me.name, "Ann"])
    # The draft that was begun alone goes on.
    (mine,) = made.work.my_work().in_progress
    assert workspace.open_task(mine.task_id)
    desktop.settle()
    assert len(workspace.session.document.tracks) == 1
    desktop.window.context.updates.refresh()
    assert not context.table.action("project.team").isEnabled()
    assert context.table.action("work.mine").isEnabled()
