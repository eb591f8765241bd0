"""What is asked before an export, and that only what goes together can be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QPushButton
from pytestqt.qtbot import QtBot

from annotator.services.project.projects import create_project
from annotator.services.transfer import ExportRequest
from annotator.ui.dialogs.project.export_dialog import ExportDialog
from tests.store.samples import video_info

OUT = Path("out.json")


@pytest.fixture
def dialog(qtbot: QtBot, tmp_path: Path) -> Iterator[ExportDialog]:
    project = create_project(tmp_path / "p", title="P")
    for name in ("a.mp4", "b.mp4"):
        project.add_absent_video(video_info(name))
    made = ExportDialog(project)
    qtbot.addWidget(made)
    yield made
    project.close()


def _choose(box: QComboBox, data: str | None) -> None:
    box.setCurrentIndex(box.findData(data))


def _ok(dialog: ExportDialog) -> QPushButton:
    return dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)


def test_everything_is_asked_for_at_first(dialog: ExportDialog) -> None:
    assert dialog.request(OUT) == ExportRequest(OUT)
    assert _ok(dialog).isEnabled()


def test_less_than_all_can_be_asked_for(dialog: ExportDialog) -> None:
    _choose(dialog.contents, "test")
    _choose(dialog.task, "point_tracking")
    assert dialog.request(OUT) == ExportRequest(OUT, variant="test", tasks=("point_tracking",))


def test_a_submission_is_of_one_task(dialog: ExportDialog) -> None:
    _choose(dialog.contents, "submission")
    found = dialog.request(OUT)
    assert (found.variant, found.tasks) == ("submission", ("mc_question",))
    _choose(dialog.task, None)
    assert not _ok(dialog).isEnabled()
    assert dialog.task.toolTip()
    _choose(dialog.task, "object_tracking")
    assert _ok(dialog).isEnabled()


def test_files_of_points_have_no_such_choice(dialog: ExportDialog) -> None:
    _choose(dialog.contents, "submission")
    _choose(dialog.task, None)
    _choose(dialog.format, "tapvid-csv")
    assert not dialog.contents.isEnabled()
    assert _ok(dialog).isEnabled()
    found = dialog.request(OUT)
    assert (found.format_name, found.variant, found.tasks) == ("tapvid-csv", "full", ())


def test_tap_vid_says_that_every_frame_is_written_and_how_much_that_is(
    dialog: ExportDialog,
) -> None:
    assert dialog.frames.isEnabled()
    assert dialog.note.text() == ""
    _choose(dialog.format, "tapvid-csv")
    assert not dialog.frames.isEnabled()
    assert dialog.note.text() == "TAP-Vid files contain every frame."
    _choose(dialog.format, "tapvid-pickle")
    assert "require up to" in dialog.note.text()
    assert "B." in dialog.note.text()


def test_license_and_creator_are_asked_for_where_they_are_written(dialog: ExportDialog) -> None:
    assert all(line.isHidden() for line in dialog.about.values())
    assert dialog.request(OUT).about == {}
    _choose(dialog.format, "huggingface")
    assert not any(line.isHidden() for line in dialog.about.values())
    dialog.about["license"].setText(" cc-by-4.0 ")
    assert dialog.request(OUT).about == {"license": "cc-by-4.0"}
