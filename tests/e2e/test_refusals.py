"""What the machine refuses is seen in the window, loses nothing, and is over when it is over."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from annotator.services.project.projects import open_project
from annotator.store.file import filesystem
from tests.e2e.conftest import Desktop

_LOOK = """
import os
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel
from annotator import app
from annotator.cli import main
from annotator.cli.common import window_start

made = app.make_application
window_start._is_display_reached = lambda: True  # none is here

def look():
    dialog = QApplication.activeModalWidget()
    if dialog is None:
        return
    for label in dialog.findChildren(QLabel):
        print(label.text(), flush=True)
    dialog.reject()
    QTimer.singleShot(100, QApplication.closeAllWindows)

def make(settings):
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # not before: a display is asked for
    application = made(settings)
    application.timer = QTimer()
    application.timer.timeout.connect(look)
    application.timer.start(50)
    return application

app.make_application = make
sys.argv = ["annotator", "open", sys.argv[1]]
main()
"""


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[bool], None]]:
    """A disk with little room in a folder; gives a switch that fills it, or frees it again.

    Where none can be mounted, files of this process may not grow instead.
    """
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)]
    if shutil.which("mount") and subprocess.run(command, capture_output=True).returncode == 0:
        try:
            yield lambda is_full: _fill(folder / "filler", is_full=is_full)
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=True)
    else:
        yield _forbid_growth


def test_a_full_disk_is_seen_and_the_next_gesture_works(
    make_desktop: Callable[[], Desktop], project: Path, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk") as fill:
        place = tmp_path / "disk" / project.name
        shutil.copy(project, place)
        shutil.copy(project.with_name("square.mp4"), place.with_name("square.mp4"))
        desktop = make_desktop()
        desktop.open(place)
        desktop.draw((20, 60), (80, 120))
        fill(True)
        desktop.draw((120, 60), (180, 120))
        texts = desktop.window.context.banners.texts()
        fill(False)
        assert any("Cannot save the edit" in text for text in texts)
        session = desktop.window.context.workspace.session
        assert session is not None
        assert len(session.document.tracks) == 1
        desktop.draw((200, 60), (260, 120))
        kept = session.document.tracks
        assert len(kept) == 2
        del session
        desktop.window.close()
        again = open_project(place)
        assert again.open_task(again.tasks()[0].id).document.tracks == kept
        again.close()


def test_a_folder_that_cannot_be_written_is_told_on_opening(
    make_desktop: Callable[[], Desktop], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = open_project(project)
    task_id = healthy.tasks()[0].id
    assert healthy.open_task(task_id).task_id == task_id
    healthy.close()
    # The system asks for rights in a way that binds an administrator, too.
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    desktop = make_desktop()
    desktop.open(project)
    assert any("not writable" in text for text in desktop.window.context.banners.texts())
    assert not desktop.window.context.workspace.can_edit


def test_a_second_window_looks_only_and_says_who_edits(
    make_desktop: Callable[[], Desktop], project: Path
) -> None:
    first, second = make_desktop(), make_desktop()
    first.open(project)
    second.open(project)
    assert first.window.context.workspace.can_edit
    assert not second.window.context.workspace.can_edit
    assert any("is editing it" in text for text in second.window.context.banners.texts())


def test_a_network_file_system_is_told(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(f"30 22 0:40 / {project.parent} rw - nfs4 server:/export rw\n")
    monkeypatch.setattr(filesystem, "MOUNT_TABLE", table)
    desktop.open(project)
    assert any(
        "network file system (nfs4)" in text for text in desktop.window.context.banners.texts()
    )
    desktop.draw((20, 60), (80, 120))
    assert desktop.window.context.workspace.session is not None
    assert len(desktop.window.context.workspace.session.document.tracks) == 1


def test_the_program_started_on_a_damaged_project_says_so(project: Path) -> None:
    content = project.read_bytes()
    project.write_bytes(content[:4096] + bytes([0xA5]) * (len(content) - 4096))
    done = subprocess.run(
        [sys.executable, "-c", _LOOK, str(project)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "QT_QPA_PLATFORM": "", "DISPLAY": ":0"},
    )
    assert "is damaged" in done.stdout
    assert "Traceback" not in done.stderr
    assert project.stat().st_size == len(content)


def _fill(filler: Path, *, is_full: bool) -> None:
    if not is_full:
        filler.unlink()
        return
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


def _forbid_growth(is_full: bool) -> None:
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    soft = 4096 if is_full else hard
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_video_that_was_moved_is_found_beside_the_work(desktop: Desktop, project: Path) -> None:
    video = project.with_name("square.mp4")
    folder = project.parent / "moved"
    folder.mkdir()
    video.rename(folder / "another name.mp4")
    workspace = desktop.window.context.workspace
    assert desktop.window.context.projects.open_path(project)
    desktop.qtbot.waitUntil(lambda: workspace.stage is not None and not workspace.stage.is_missing)
    assert workspace.session is not None
    assert workspace.session.video_path == folder / "another name.mp4"
    desktop.settle()
