"""The data set page in a real window: what is in it, a split, baselines, a release."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from annotator.services.background.jobs import JobToken
from annotator.services.dataset.releases.certificate import read_certificate
from annotator.services.project.metadata import metadata_of
from annotator.services.project.projects import create_project
from annotator.services.transfer import import_file
from annotator.services.transfer.imports.import_submission import COMPLETE
from annotator.ui.dialogs.project.import_plan_dialog import ImportPlanDialog
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.dataset.page import DataSetPage
from annotator.ui.lead.dataset.statistics_view import save_picture
from tests.e2e.conftest import Desktop
from tests.exchange.files import canonical, example, write_file

N_VIDEOS = 9
TRACKS = "object_tracking"
QUIET = JobToken(lambda *_: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of annotations of nine videos in three splits."""
    entries = []
    for i in range(N_VIDEOS):
        entry = copy.deepcopy(example())
        entry["metadata"] |= {"video_id": f"video_{i}", "split": ("train", "valid", "test")[i % 3]}
        entry["sound_localisation"][0]["parent_objects"] = [0]
        entry["action_localisation"][0]["parent_objects"] = [0]
        entries.append((f"video_{i}", entry))
    return write_file(tmp_path, canonical(*entries))


@pytest.fixture
def page(desktop: Desktop, tmp_path: Path, path: Path) -> Iterator[DataSetPage]:
    made = create_project(tmp_path / "lead", title="Cups", recipe="perception-test")
    import_file(made, path, stage=COMPLETE, token=QUIET)
    place = made.path
    made.close()
    window = desktop.window
    assert window.context.projects.open_path(place)
    project = window.context.workspace.project
    assert project is not None
    assert project.work.me is not None
    window.context.workspace.sign_in(project.work.me.id)
    desktop.run("lead.dataset")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    found = lead.dataset
    desktop.qtbot.waitUntil(lambda: found.statistics.list.count() > 1, timeout=10_000)
    yield found
    _idle(desktop)


def _idle(desktop: Desktop) -> None:
    desktop.qtbot.waitUntil(
        lambda: not desktop.window.context.workspace.jobs.active, timeout=60_000
    )


def _row(page: DataSetPage, title: str) -> int:
    view = page.statistics
    (found,) = (i for i in range(view.list.count()) if view.list.item(i).text() == title)
    return found


def test_a_bar_lists_its_rows_and_a_row_opens_its_place(
    desktop: Desktop, page: DataSetPage, tmp_path: Path
) -> None:
    view = page.statistics
    cell = view.counts.table.item(0, 2)
    assert cell is not None
    n_tracks = len(example()["object_tracking"]) * N_VIDEOS
    assert cell.text() == str(n_tracks)
    view.list.setCurrentRow(_row(page, "Tracks by label"))
    bars = view.bars
    row = bars._row_px()
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(20, round(1.5 * row)))
    desktop.qtbot.waitUntil(lambda: len(view.model.rows) == N_VIDEOS)
    assert "Double-click a row" in view.behind.text()
    wanted = view.model.rows[4]
    view.rows.doubleClicked.emit(view.model.index(4, 0))
    workspace = desktop.window.context.workspace
    desktop.qtbot.waitUntil(lambda: workspace.stage is not None, timeout=9000)
    assert workspace.stage is not None
    assert workspace.stage.session.document.video.name == wanted.video
    assert [str(t) for t in workspace.selection.tracks] == [wanted.mark_id]
    for ending in ("png", "svg"):
        place = tmp_path / f"chart.{ending}"
        save_picture(bars, place)
        assert place.stat().st_size > 500


def test_a_chart_is_shown_as_a_table_too(desktop: Desktop, page: DataSetPage) -> None:
    view = page.statistics
    view.list.setCurrentRow(_row(page, "Tracks by label"))
    view.as_table.setChecked(True)
    assert view.value_table.isVisible()
    assert not view.bars.isVisible()
    assert [value.count for value in view.values.rows] == [N_VIDEOS] * len(view.values.rows)
    assert sum(value.share for value in view.values.rows) == pytest.approx(1)
    view.value_table.selectRow(0)
    desktop.qtbot.waitUntil(lambda: len(view.model.rows) == N_VIDEOS)
    view.list.setCurrentRow(_row(page, "Use of tracks by split"))
    names = [value.name for value in view.values.rows]
    assert "train × tracks" in names
    view.as_table.setChecked(False)
    assert view.matrix.isVisible()
    view.list.setCurrentRow(0)
    assert view.counts.isVisible()
    assert not view.nothing.isVisible()


def test_filters_narrow_everything(desktop: Desktop, page: DataSetPage) -> None:
    view = page.statistics
    view.column.setCurrentText("split")
    view._on_column_chosen()
    view.value.setCurrentText("test")
    view._filter()
    desktop.qtbot.waitUntil(lambda: view.status_label.text().startswith("3 videos"))
    cell = view.counts.table.item(0, 1)
    assert cell is not None
    assert cell.text() == "3"


def test_a_matrix_cell_lists_its_actions(desktop: Desktop, page: DataSetPage) -> None:
    view = page.statistics
    view.list.setCurrentRow(_row(page, "Actions × sounds by common object"))
    chart = view.matrix
    desktop.qtbot.waitUntil(lambda: chart.isVisible() and chart.width() > 300)
    assert chart._matrix is not None
    row, column = (int(i[0]) for i in chart._matrix.values.nonzero())
    left = chart._left() + (column + 0.5) * chart._width()
    place = QPoint(round(left), round(chart._top() + (row + 0.5) * chart._cell()))
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=place)
    desktop.qtbot.waitUntil(lambda: bool(view.model.rows))
    assert {row.text for row in view.model.rows} == {example()["action_localisation"][0]["label"]}
    assert len(view.model.rows) == N_VIDEOS


def test_a_split_is_made_shown_and_saved(desktop: Desktop, page: DataSetPage) -> None:
    view = page.splits
    page.views.setCurrentWidget(view)
    desktop.qtbot.waitUntil(lambda: bool(view.status_label.text()))
    assert view.status_label.text() == "Current split: train 3, valid 3, test 3."
    view.shares.setText("train=0.67, test=0.33")
    view.limit.setValue(2)
    view.go.click()
    desktop.qtbot.waitUntil(view.save.isEnabled, timeout=20_000)
    assert "9 groups" in view.status_label.text()
    assert {row.split for row in view.model.rows} == {"train", "test"}
    view.save.click()
    project = desktop.window.context.workspace.project
    assert project is not None
    splits = [metadata_of(info)["split"] for info, _ in project.media.all()]
    assert (splits.count("train"), splits.count("test")) == (6, 3)
    texts: list[str] = []
    desktop.window.context.workspace.failed.connect(lambda error: texts.append(str(error)))
    page.views.setCurrentWidget(page.release)
    desktop.qtbot.waitUntil(lambda: list(page.release.withheld) == ["train", "test"])
    page.release.withheld["test"].setChecked(True)
    view.shares.setText("dev=0.67, test=0.33")
    view.save.setEnabled(False)
    view.go.click()
    desktop.qtbot.waitUntil(view.save.isEnabled, timeout=20_000)
    view.save.click()
    # What no video is in anymore cannot be withheld; what was selected stays.
    page.release.read()
    desktop.qtbot.waitUntil(lambda: list(page.release.withheld) == ["test", "dev"])
    assert page.release.wish().withheld == ("test",)
    view.shares.setText("train=0.5")
    view.go.click()
    assert any("at least two parts" in text for text in texts)


def test_models_are_compared_and_the_worst_result_opens(
    desktop: Desktop, page: DataSetPage, path: Path, tmp_path: Path
) -> None:
    view = page.evaluation
    for i in range(view.models.count()):
        if view.models.item(i).text() == "Baseline: no motion":
            view.models.item(i).setCheckState(Qt.CheckState.Checked)
    mine = tmp_path / "mine.json"
    mine.write_bytes(path.read_bytes())
    wrong = tmp_path / "wrong.json"
    for _ in range(2):
        view.add_predictions(mine)
        view.add_predictions(wrong)
    assert [name for _, name in view.chosen()] == ["static", "mine", "wrong"]
    view.models.setCurrentRow(0)
    assert not view.remove.isEnabled()
    view.add_predictions(tmp_path / "other" / "wrong.json")
    titles = [view.models.item(i).text() for i in range(view.models.count())]
    assert titles[-2:] == ["wrong", "wrong (other)"]
    for _ in range(2):
        view.models.setCurrentRow(view.models.count() - 1)
        view.remove.click()
    assert [name for _, name in view.chosen()] == ["static", "mine"]
    page.views.setCurrentWidget(view)
    view._columns["label"].setChecked(True)
    assert not view.results.isTabEnabled(1)
    view.go.click()
    desktop.qtbot.waitUntil(lambda: view.table is not None, timeout=30_000)
    assert view.results.isTabEnabled(1)
    table = view.table
    assert table is not None
    found = [table.table.horizontalHeaderItem(i) for i in range(3)]
    heads = [head.text() for head in found if head is not None]
    assert sorted(heads[1:]) == ["Baseline: no motion", "mine"]
    rows = [table.table.item(i, 0) for i in range(table.table.rowCount())]
    label = example()["object_tracking"][0]["label"]
    assert f"    label = {label}" in [row.text() for row in rows if row is not None]
    cell = table.table.item(0, heads.index("mine"))
    assert cell is not None
    assert cell.text().startswith("1.000")
    view.model.setCurrentText("Baseline: no motion")
    view._show_items()
    assert view.rows.rows[0].values["mean_iou"] <= view.rows.rows[-1].values["mean_iou"]
    worst = next(i for i, row in enumerate(view.rows.rows) if row.task == "object_tracking")
    view.items.doubleClicked.emit(view.rows.index(worst, 0))
    workspace, canvas = desktop.window.context.workspace, desktop.window.context.canvas
    desktop.qtbot.waitUntil(lambda: canvas.layers.before is not None, timeout=20_000)
    before, session = canvas.layers.before, workspace.session
    assert before is not None
    assert session is not None
    assert before.name == "Prediction of Baseline: no motion"
    track = session.document.find_track(workspace.selection.tracks[0])
    assert track is not None
    assert track.label == view.rows.rows[worst].label
    # The baseline stays where the track starts.
    shown = [key for key in track.keyframes if key.box is not None]
    first, last = shown[0], shown[-1]
    assert first.box is not None
    (shape,) = (s for s in before.at(last.frame).shapes if s.track_id == track.id)
    assert shape.box.as_tuple() == pytest.approx(first.box.as_tuple(), abs=0.01)
    panel = desktop.window.assembly.review_actions.reviewing
    assert [c.is_prediction for c in panel.choices].count(True) == 1


def test_two_models_are_plotted_video_by_video(
    desktop: Desktop, page: DataSetPage, path: Path
) -> None:
    view = page.evaluation
    page.views.setCurrentWidget(view)
    for i in range(view.models.count()):
        wanted = view.models.item(i).text() in (
            *("Baseline: no motion", "Baseline: even motion", "People: before and after checks"),
        )
        view.models.item(i).setCheckState(
            Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked
        )
    view.go.click()
    desktop.qtbot.waitUntil(lambda: view.table is not None, timeout=30_000)
    view.results.setCurrentWidget(view.compared)
    chart = view.compared.chart
    view.compared.first.setCurrentIndex(view.compared.first.findData("static"))
    view.compared.second.setCurrentIndex(view.compared.second.findData("linear"))
    view.compared._show()
    assert len(chart.dots) == N_VIDEOS
    dot = chart.dots[0]
    scores = [s for s in view._scores.worst["static"] if (s.task, s.video) == (TRACKS, dot.name)]
    assert dot.x == pytest.approx(sum(s.values["mean_iou"] for s in scores) / len(scores))
    assert "9 videos" in view.compared.status_label.text()
    # What was imported as the result was not changed by anybody.
    assert chart._people == 1.0
    desktop.qtbot.waitUntil(lambda: chart.width() > 200)
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.place_of(dot).toPoint())
    desktop.qtbot.waitUntil(
        lambda: desktop.window.context.workspace.stage is not None, timeout=9000
    )
    stage = desktop.window.context.workspace.stage
    assert stage is not None
    names = {d.name for d in chart.dots if chart.place_of(d) == chart.place_of(dot)}
    assert stage.session.document.video.name.removesuffix(".mp4") in names


def test_a_release_is_written(desktop: Desktop, page: DataSetPage, tmp_path: Path) -> None:
    view = page.release
    page.views.setCurrentWidget(view)
    desktop.qtbot.waitUntil(lambda: "test" in view.withheld)
    view.withheld["test"].setChecked(True)
    folder = tmp_path / "release"
    view.write(folder)
    desktop.qtbot.waitUntil(lambda: bool(view.findChildren(ReportDialog)), timeout=60_000)
    (report,) = view.findChildren(ReportDialog)
    report.close()
    certificate = read_certificate(folder)
    assert certificate.title == "Cups"
    assert "withheld/test.json" in certificate.files
    assert (folder / "statistics" / "agreement.csv").exists()


def test_two_releases_are_compared_and_an_example_opens(
    desktop: Desktop, page: DataSetPage, tmp_path: Path
) -> None:
    view = page.release
    page.views.setCurrentWidget(view)
    first, second = tmp_path / "v1", tmp_path / "v2"
    view.write(first)
    desktop.qtbot.waitUntil(lambda: bool(view.findChildren(ReportDialog)), timeout=60_000)
    view.findChildren(ReportDialog)[0].close()
    shutil.copytree(first, second)
    train = second / "annotations" / "train.json"
    entries = json.loads(train.read_bytes())
    entries["video_3"]["object_tracking"][0]["label"] = "jug"
    train.write_text(json.dumps(entries))
    _idle(desktop)
    desktop.qtbot.waitUntil(lambda: not view.findChildren(ReportDialog))
    view.compare_releases(first, second)
    desktop.qtbot.waitUntil(lambda: bool(view.findChildren(ReportDialog)), timeout=30_000)
    (report,) = view.findChildren(ReportDialog)
    texts = [report.list.item(i).text() for i in range(report.list.count())]
    (row,) = (i for i, text in enumerate(texts) if "jug" in text)
    assert "video_3" in texts[row]
    report.list.itemActivated.emit(report.list.item(row))
    workspace = desktop.window.context.workspace
    desktop.qtbot.waitUntil(lambda: workspace.stage is not None, timeout=9000)
    assert workspace.stage is not None
    assert workspace.stage.session.document.video.name == "video_3.mp4"
    report.close()


def test_detectors_are_tuned_and_videos_scanned(desktop: Desktop, page: DataSetPage) -> None:
    view = page.issues
    page.views.setCurrentWidget(view)
    desktop.qtbot.waitUntil(lambda: view.detector.count() > 1, timeout=10_000)
    said: list[str] = []
    desktop.window.context.workspace.message.connect(said.append)
    view.scan.click()
    desktop.qtbot.waitUntil(lambda: any("videos scanned" in text for text in said), timeout=20_000)
    assert "9 videos scanned, 9 without video file" in said
    _idle(desktop)
    rows = [r.detector.key for r in view.rules.rows]
    row = rows.index(view.model.rows[0].suspicion.detector)
    view.rule_table.selectRow(row)
    assert view.switch.text() == "Switch off"
    n = len(view.model.rows)
    view.switch.click()
    desktop.qtbot.waitUntil(lambda: len(view.model.rows) < n, timeout=10_000)
    desktop.qtbot.waitUntil(lambda: view.rules.data(view.rules.index(row, 3)) == "off")


def test_an_import_becomes_submissions(
    desktop: Desktop, tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create_project(tmp_path / "new", title="New", recipe="perception-test")
    place = made.path
    made.close()
    window = desktop.window
    assert window.context.projects.open_path(place)
    project = window.context.workspace.project
    assert project is not None
    assert project.work.me is not None
    window.context.workspace.sign_in(project.work.me.id)

    def ask(dialog: ImportPlanDialog) -> QDialog.DialogCode:
        dialog.stages.setCurrentIndex(dialog.stages.findData("verify"))
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ImportPlanDialog, "exec", ask)
    window.context.projects.import_file(path)
    desktop.qtbot.waitUntil(lambda: len(project.tasks()) >= N_VIDEOS, timeout=30_000)
    _idle(desktop)
    stages = {project.work.record(t.id).stage for t in project.tasks()}
    assert stages == {"verify", "annotate"} or stages == {"verify"}
    assert not project.work.in_hand()


def test_issues_are_opened_and_decided(desktop: Desktop, page: DataSetPage) -> None:
    view = page.issues
    page.views.setCurrentWidget(view)
    desktop.qtbot.waitUntil(lambda: view.detector.count() > 1, timeout=10_000)
    n = len(view.model.rows)
    assert n > 0
    assert {row.detector.key for row in view.rules.rows} >= {"short-segment", "rare-label"}
    assert not view.confirm.isEnabled()
    view.table.selectRow(0)
    assert view.confirm.isEnabled()
    key, following = (row.suspicion.key for row in view.model.rows[:2])
    view.settle("dismissed", "It is so.")
    assert [s.suspicion.key for s in view.chosen()] == [following]
    _idle(desktop)
    assert [s.suspicion.key for s in view.chosen()] == [following]
    assert key not in {s.suspicion.key for s in view.model.rows}
    view.decided.setChecked(True)
    assert len(view.model.rows) == n
