"""The import plan in the window: shown before anything is changed, with its choices."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QDialogButtonBox

from annotator.ui.dialogs import file_dialogs
from annotator.ui.dialogs.project.import_plan_dialog import ImportPlanDialog
from annotator.ui.dialogs.project.import_questions import ColumnsDialog
from annotator.ui.dialogs.project.render_dialog import RenderDialog
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from tests.e2e.conftest import Desktop

CSV = (
    "video,type,id,label,frame,x1,y1,x2,y2\n"
    "square.mp4,box,1,cup,0,5,5,40,30\n"
    "square.mp4,box,2,cup,9999,5,5,40,30\n"
)


def _tracks(desktop: Desktop) -> int:
    session = desktop.window.context.workspace.session
    assert session is not None
    return len(session.document.tracks)


def _import(desktop: Desktop, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(file_dialogs, "ask_import", lambda *_: path)
    desktop.run("file.import")


def _idle(desktop: Desktop) -> None:
    workspace = desktop.window.context.workspace
    desktop.qtbot.waitUntil(lambda: not workspace.is_at_work, timeout=10_000)
    for dialog in desktop.window.findChildren(ReportDialog):
        dialog.close()


def test_the_plan_is_shown_and_nothing_changes_before_it_is_accepted(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(project)
    path = tmp_path / "all.csv"
    path.write_text(CSV)
    shown: list[list[str]] = []
    answers = [QDialog.DialogCode.Rejected, QDialog.DialogCode.Accepted]

    def look(dialog: ImportPlanDialog) -> QDialog.DialogCode:
        model = dialog.table.model()
        shown.append([str(model.index(0, i).data()) for i in range(model.columnCount())])
        assert _tracks(desktop) == 0
        assert dialog.summary.text().endswith("1 invalid record is skipped.")
        assert dialog.go.text() == "Import valid records"
        assert "9999" in dialog.details.model().index(0, 0).data()
        return answers.pop(0)

    monkeypatch.setattr(ImportPlanDialog, "exec", look)
    for n in (0, 1):
        _import(desktop, monkeypatch, path)
        desktop.qtbot.waitUntil(lambda n=n: len(shown) == n + 1, timeout=10_000)
        _idle(desktop)
        assert _tracks(desktop) == n
    expected = ["square", "square.mp4 (same name)", "2", "–", "–", "–", "–", "–", "1"]
    assert shown == [expected, expected]


def test_columns_with_other_names_are_assigned_in_a_dialog(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(project)
    path = tmp_path / "study.csv"
    path.write_text("Clip,Species,Begin [s],Finish [s]\nsquare.mp4,finch,0.2,0.9\n")
    offered: list[dict[str, str]] = []

    def choose(dialog: ColumnsDialog) -> QDialog.DialogCode:
        offered.append(dialog.chosen())
        assert dialog.reason.text()
        for row, field in enumerate(("video", "label", "start_s", "end_s")):
            dialog.box(row).setCurrentIndex(dialog.box(row).findData(field))
        assert dialog.chosen()["label"] == "Species"
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ColumnsDialog, "exec", choose)
    _import(desktop, monkeypatch, path)
    session = desktop.window.context.workspace.session
    assert session is not None
    desktop.qtbot.waitUntil(lambda: len(session.document.segments) == 1, timeout=10_000)
    _idle(desktop)
    assert offered == [{"video": "Clip"}]
    assert session.document.segments[0].label == "finch"


def test_a_second_import_can_replace_the_first(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(project)
    path = tmp_path / "all.csv"
    path.write_text("\n".join(CSV.splitlines()[:2]))
    _import(desktop, monkeypatch, path)
    desktop.qtbot.waitUntil(lambda: _tracks(desktop) == 1, timeout=10_000)
    _idle(desktop)
    asked: list[bool] = []

    def again(dialog: ImportPlanDialog) -> QDialog.DialogCode:
        asked.append(not dialog.again.isHidden())
        dialog.again.setCurrentIndex(dialog.again.findData("both"))
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ImportPlanDialog, "exec", again)
    _import(desktop, monkeypatch, path)
    desktop.qtbot.waitUntil(lambda: _tracks(desktop) == 2, timeout=10_000)
    _idle(desktop)
    assert asked == [True]


def test_another_kind_of_import_is_checked_before_it_goes_on(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(project)
    path = tmp_path / "all.csv"
    path.write_text("\n".join(CSV.splitlines()[:2]))

    def propose(dialog: ImportPlanDialog) -> QDialog.DialogCode:
        assert dialog.draft.isChecked()
        dialog.proposals.setChecked(True)
        dialog.model.setText("detector")
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ImportPlanDialog, "exec", propose)
    _import(desktop, monkeypatch, path)
    desktop.qtbot.waitUntil(lambda: _tracks(desktop) == 1, timeout=10_000)
    _idle(desktop)
    session = desktop.window.context.workspace.session
    assert session is not None
    assert session.document.tracks[0].is_proposed


def test_images_and_clips_are_exported_from_the_window(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(project)
    desktop.draw((20, 60), (80, 120))
    folder = tmp_path / "images"

    def choose(dialog: RenderDialog) -> QDialog.DialogCode:
        ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
        dialog.kinds["frames"].setChecked(False)
        assert not ok.isEnabled()
        dialog.kinds["frames"].setChecked(True)
        dialog.kinds["crops"].setChecked(True)
        dialog.frames.setCurrentIndex(dialog.frames.findData("step"))
        dialog.step.setValue(20)
        dialog.image.setCurrentIndex(1)
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(RenderDialog, "exec", choose)
    monkeypatch.setattr(file_dialogs, "ask_new_folder", lambda *_: folder)
    desktop.run("file.render")
    desktop.qtbot.waitUntil(lambda: (folder / "rendered.csv").exists(), timeout=20_000)
    _idle(desktop)
    assert (folder / "frames" / "square" / "000020.jpg").exists()
    assert list((folder / "crops" / "square").glob("*/000000.jpg"))
