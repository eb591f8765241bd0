"""A TAP-Vid list in the window: its entries have no names, so the videos are asked for."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QDialog

from annotator.services.project.projects import create_project
from annotator.ui.dialogs.project.import_questions import EntriesDialog
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from tests.e2e.conftest import N_FRAMES, Desktop, make_clip


def write_list(path: Path, *, count: int) -> Path:
    """Write a list of videos with one point each: entry i is at (i + 1) / 10 of the picture."""
    entries = []
    for i in range(count):
        points = np.full((1, N_FRAMES, 2), (i + 1) / 10, np.float32)
        entries.append({"points": points, "occluded": np.zeros((1, N_FRAMES), np.bool_)})
    path.write_bytes(pickle.dumps(entries))
    return path


@pytest.fixture
def two_videos(tmp_path: Path, clip: Path) -> Path:
    project = create_project(tmp_path / "two", title="Two")
    first = tmp_path / "first.mp4"
    first.write_bytes(clip.read_bytes())
    project.add_videos([first, make_clip(tmp_path / "second.mp4", shade=120)])
    path = project.path
    project.close()
    return path


def import_list(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, path: Path, choices: dict[int, int]
) -> list[str]:
    """Import with the rows' choices made; returns what the dialog offered first."""
    offered: list[str] = []

    def answer(dialog: EntriesDialog) -> int:
        for row in range(dialog.table.rowCount()):
            offered.append(dialog.box(row).currentText())
            dialog.box(row).setCurrentIndex(choices.get(row, 0))
        return QDialog.DialogCode.Accepted.value

    monkeypatch.setattr(EntriesDialog, "exec", answer)
    monkeypatch.setattr("annotator.ui.dialogs.file_dialogs.ask_import", lambda *_: path)
    desktop.run("file.import")
    desktop.qtbot.waitUntil(lambda: bool(offered), timeout=20_000)
    return offered


def reports() -> list[ReportDialog]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, ReportDialog)]


def places(desktop: Desktop) -> dict[str, float]:
    """Return the share of the width at which each video's first point stands."""
    project = desktop.window.context.workspace.project
    assert project is not None
    found = {}
    for task in project.tasks():
        document = project.open_task(task.id).document
        for point in document.points:
            mark = point.mark(0)
            assert mark is not None
            assert mark.xy is not None
            found[document.video.name] = round(mark.xy.x / document.video.width, 3)
    return found


def test_each_entry_goes_to_the_video_chosen_for_it(
    desktop: Desktop, two_videos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(two_videos)
    path = write_list(tmp_path / "list.pkl", count=2)
    offered = import_list(desktop, monkeypatch, path, {0: 2, 1: 1})
    assert offered == ["first.mp4", "second.mp4"]
    desktop.qtbot.waitUntil(lambda: bool(reports()))
    reports()[0].close()
    assert places(desktop) == {"first.mp4": 0.2, "second.mp4": 0.1}


def test_entries_can_be_left_out_and_all_of_them_import_nothing(
    desktop: Desktop, two_videos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(two_videos)
    path = write_list(tmp_path / "list.pkl", count=3)
    said: list[str] = []
    desktop.window.context.workspace.message.connect(said.append)
    assert import_list(desktop, monkeypatch, path, {}) == ["(do not import)"] * 3
    assert "Nothing was imported because no entry has a video." in said[-1]
    import_list(desktop, monkeypatch, path, {2: 1})
    desktop.qtbot.waitUntil(lambda: bool(reports()))
    reports()[0].close()
    assert places(desktop) == {"first.mp4": 0.3}
