"""No name from a file is ever read as markup, in no window."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPoint
from PySide6.QtGui import QAction, QHelpEvent, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QMessageBox,
    QTabWidget,
    QTextEdit,
    QToolTip,
    QWidget,
)

from annotator.domain.annotation.labels import Label, LabelSet
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.checks import Finding, Severity
from annotator.domain.commands import (
    CreatePoint,
    CreateSegment,
    CreateTrack,
)
from annotator.domain.dataset.statistics import Matrix
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, segment_id, track_id
from annotator.domain.people import Role
from annotator.log import CrashReport
from annotator.services.project.projects import create_project
from annotator.services.project.recipes import shipped_recipe
from annotator.services.transfer.imports.import_plan import AnnotationCounts, PlannedVideo
from annotator.ui.dialogs.crash_dialog import CrashDialog
from annotator.ui.dialogs.project.export_dialog import ExportDialog
from annotator.ui.dialogs.project.import_plan_dialog import ImportChoice, ImportPlanDialog
from annotator.ui.dialogs.project.import_questions import ColumnsDialog, EntriesDialog
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.dataset.comparison_view import ComparedVideo, ScatterChart
from annotator.ui.lead.dataset.matrix_chart import MatrixChart
from annotator.ui.lead.setup.package_actions import PackageDialog
from annotator.ui.lead.statistics.charts import Axes, Bar, BarChart, ChartLine, ChartMark, LineChart
from tests.e2e.conftest import Desktop, make_clip

MARK = "<b>NAME7</b>"
_NAME = "NAME7"
_MOST_ROWS = 30


@pytest.fixture
def marked(desktop: Desktop, tmp_path: Path) -> Desktop:
    """A window on a project in which everything that can be named has markup in its name."""
    folder = tmp_path / "work"
    folder.mkdir()
    clip = make_clip(folder / "clip.mp4", shade=90)
    clip = clip.rename(folder / f"{MARK.replace('/', '∕')}.mp4")
    project = create_project(folder / "p.annot", title=MARK, recipe="annotate-review")
    text = shipped_recipe("annotate-review").replace("version = 1", "version = 2", 1)
    for title in ("Annotations", "Annotate", "Review"):
        text = text.replace(f'title = "{title}"', f'title = "{MARK} {title}"')
    kind = 'kind = "object-tracks"\n'
    assert kind in text
    text = text.replace(kind, f"{kind}gold = {{ every = 2 }}\n", 1)
    project.work.use_recipe(text)
    project.add_videos([clip])
    project.work.people.add(MARK, (Role.RATER,))
    for lane in (Lane.ACTION, Lane.SOUND):
        labels = project.label_set(lane)
        named = Label(77, MARK)
        project.set_label_set(LabelSet(lane, MARK, (*labels.labels, named), labels.attributes))
    project.close()
    window = desktop.window
    assert window.context.projects.open_path(folder / "p.annot")
    workspace = window.context.workspace
    assert workspace.project is not None
    assert workspace.project.work.me is not None
    workspace.sign_in(workspace.project.work.me.id)
    (task,) = workspace.project.tasks()
    assert workspace.open_task(task.id)
    desktop.settle()
    track, point, segment = track_id(), point_id(), segment_id()
    workspace.run(CreateTrack(track, MARK, 0, Box(20, 20, 90, 90)))
    workspace.run(CreatePoint(point, track, MARK, 0, Point(30, 30)))
    workspace.run(CreateSegment(Segment(segment, Lane.ACTION, MARK, 0, 20, label_id=77)))
    desktop.settle()
    return desktop


def test_the_window_reads_no_name_as_markup(marked: Desktop) -> None:
    workspace = marked.window.context.workspace
    session = workspace.session
    assert session is not None
    document = session.document
    _assert_plain("window")
    workspace.selection.set_tracks([document.tracks[0].id])
    marked.settle()
    _assert_plain("object selected")
    workspace.selection.set_segments([document.segments[0].id])
    marked.settle()
    _assert_plain("segment selected")
    workspace.selection.set_tracks([])
    workspace.message.emit(MARK)
    marked.settle()
    _assert_plain("message")
    session.undo()
    marked.settle()
    _assert_plain("undone")


def test_the_leads_pages_read_no_name_as_markup(marked: Desktop) -> None:
    marked.run("lead.board")
    lead = marked.window.assembly.lead_actions.window
    assert lead is not None
    marked.qtbot.waitUntil(lambda: lead.board.model.rowCount() > 0, timeout=10_000)
    marked.qtbot.waitUntil(lambda: len(lead.pages) > 5, timeout=20_000)
    for tabs in lead.findChildren(QTabWidget):
        for i in range(tabs.count()):
            tabs.setCurrentIndex(i)
            page = tabs.widget(i)
            for inner in page.findChildren(QTabWidget) if page is not None else ():
                for k in range(inner.count()):
                    inner.setCurrentIndex(k)
                    marked.settle()
            marked.qtbot.wait(150)
            _assert_plain(f"page {tabs.tabText(i)}")


def test_charts_read_no_name_as_markup(marked: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _, text, *__: told.append(text))
    hub = marked.window.context.workspace.hub
    bars, lines = BarChart(hub, MARK, MARK), LineChart(hub, MARK, MARK)
    matrix, dots = MatrixChart(hub), ScatterChart(hub)
    bars.set_bars([Bar(MARK, (1.0,), MARK)], legend=[MARK])
    lines.show_lines([ChartLine(MARK, 0, (ChartMark(0.0, 1.0, MARK),))], Axes(MARK))
    matrix.show_matrix(
        MARK, Matrix(MARK, MARK, (MARK,), (MARK,), np.ones((1, 1), np.int64), _no_rows)
    )
    dots.show_dots([ComparedVideo(MARK, 0.5, 0.5)], MARK, MARK, MARK)
    for chart in (bars, lines, matrix, dots):
        marked.qtbot.addWidget(chart)
        chart.resize(400, 300)
        chart.show()
        marked.settle()
        n_before = len(told)
        for x in range(0, chart.width(), 4):
            for y in range(0, chart.height(), 4):
                place = QPoint(x, y)
                event = QHelpEvent(QEvent.Type.ToolTip, place, chart.mapToGlobal(place))
                QApplication.sendEvent(chart, event)
        assert any(_NAME in text for text in told[n_before:]), type(chart).__name__
        assert not [text for text in told if _is_rich(text)], type(chart).__name__
    _assert_plain("charts")


def _no_rows(_row: int, _column: int) -> NDArray[np.int64]:
    return np.empty(0, np.int64)


def test_dialogs_about_files_read_no_name_as_markup(marked: Desktop, tmp_path: Path) -> None:
    window = marked.window
    report = tmp_path / "crash.txt"
    report.write_text(MARK)
    finding = Finding("code", MARK, MARK)
    for dialog in (
        CrashDialog([CrashReport(report, datetime.now(UTC), MARK)], window),
        ImportPlanDialog(
            *(
                MARK,
                [PlannedVideo(MARK, MARK, MARK, AnnotationCounts(), findings=(finding,))],
                [finding],
                [("annotate", MARK)],
            ),
            ImportChoice(),
            model=MARK,
            has_columns=True,
            parent=window,
        ),
        ColumnsDialog([MARK, "x"], [[MARK, MARK]], ["frame", "x1"], {MARK: "frame"}, MARK, window),
        EntriesDialog([MARK], [MARK], window),
    ):
        dialog.open()
        marked.settle()
        _assert_plain(type(dialog).__name__)
        dialog.reject()
        dialog.deleteLater()


def _assert_plain(where: str) -> None:
    """Look through every widget there is."""
    found = [text for widget in QApplication.allWidgets() for text in _read_as_markup(widget)]
    assert not found, where + "\n" + "\n".join(sorted(set(found)))


def _read_as_markup(widget: QWidget) -> Iterator[str]:
    kind = type(widget).__name__
    if _is_rich(widget.toolTip()):
        yield f"{kind}: tooltip {widget.toolTip()[:80]!r}"
    for action in widget.actions():
        if _is_rich(action.toolTip()):
            yield f"{kind}: tooltip of {action.text()!r}"
    if isinstance(widget, QLabel) and _NAME in widget.text():
        is_auto = widget.textFormat() is not Qt.TextFormat.PlainText
        if is_auto and _is_rich(widget.text()):
            yield f"{kind}: {widget.text()[:80]!r}"
        if widget.textFormat() is Qt.TextFormat.RichText and "<b>" + _NAME in widget.text():
            yield f"{kind}: {widget.text()[:80]!r}"
    if isinstance(widget, QTextEdit):
        plain = widget.toPlainText()
        if plain.count(_NAME) != plain.count(MARK):
            yield f"{kind}: {plain[:80]!r}"
    if isinstance(widget, QAbstractItemView) and not isinstance(widget.parent(), QComboBox):
        model = widget.model()
        is_list = isinstance(model, QAbstractListModel)
        for row in range(min(_MOST_ROWS, model.rowCount() if model else 0)):
            for column in range(1 if is_list else model.columnCount(QModelIndex())):
                tip = model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
                if isinstance(tip, str) and _is_rich(tip):
                    yield f"{kind}: tooltip of row {row}, {tip[:80]!r}"


def _is_rich(text: str) -> bool:
    """Tell whether Qt reads a text with the name in it as markup, tags and all."""
    return MARK in text and Qt.mightBeRichText(text)


def test_dialogs_read_no_name_as_markup(marked: Desktop) -> None:
    window, workspace = marked.window, marked.window.context.workspace
    project, session = workspace.project, workspace.session
    assert project is not None
    assert session is not None
    findings = [Finding("code", MARK, MARK, Severity.ERROR), Finding("code", MARK, MARK)]
    dialogs: list[QDialog] = [
        ReportDialog(workspace.hub, MARK, MARK, findings, parent=window),
        ExportDialog(project, window),
        PackageDialog(project.work.people.all(), project.work.recipe, lambda _: 2, window),
    ]
    for dialog in dialogs:
        dialog.open()
        marked.settle()
        _assert_plain(type(dialog).__name__)
        dialog.reject()
        dialog.deleteLater()
    workspace.failed.emit(UserError(MARK, hint=MARK, where=MARK))
    marked.settle()
    _assert_plain("error")
    for box in window.findChildren(QMessageBox):
        box.reject()


def test_every_dialog_of_the_menus_reads_no_name_as_markup(
    marked: Desktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By custom the text of an action that opens a dialog ends with an ellipsis."""
    seen = _look_at_dialogs(monkeypatch, marked)
    folder = tmp_path / MARK.replace("/", "∕")
    folder.mkdir()
    recipe = folder / "recipe.toml"
    text = shipped_recipe("perception-test").replace("version = 1", "version = 9", 1)
    recipe.write_text(text.replace('title = "', f'title = "{MARK} '), encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(recipe), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_, **__: ([], ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: "")
    window, workspace = marked.window, marked.window.context.workspace
    session = workspace.session
    assert session is not None
    workspace.selection.set_tracks([session.document.tracks[0].id])
    marked.settle()
    leaves = window.context.table.action("person.change")
    for action in window.findChildren(QAction):
        if action.text().endswith("…") and action.isEnabled() and action is not leaves:
            action.trigger()
            marked.qtbot.wait(50)
            _assert_plain(action.text())
    marked.run("lead.board")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    marked.qtbot.waitUntil(lambda: lead.board.model.rowCount() > 0, timeout=10_000)
    lead.board.table.selectAll()
    for action in lead.board.acts.actions:
        action.trigger()
        marked.qtbot.wait(50)
        _assert_plain(action.text())
    marked.qtbot.waitUntil(lambda: not workspace.jobs.active, timeout=20_000)
    assert len(seen) >= 15, sorted(seen)


def _look_at_dialogs(monkeypatch: pytest.MonkeyPatch, marked: Desktop) -> set[str]:
    """Have every dialog shown, looked at and rejected; return the kinds that were met."""
    seen = set[str]()

    def look(dialog: QDialog, *_: object) -> int:
        dialog.show()
        marked.qtbot.wait(50)
        seen.add(type(dialog).__name__)
        _assert_plain(f"{type(dialog).__name__} {dialog.windowTitle()}")
        dialog.reject()
        return 0

    for kind in _kinds_of(QDialog):
        if "exec" in vars(kind) or kind in (QDialog, QMessageBox):
            monkeypatch.setattr(kind, "exec", look)
        if "open" in vars(kind) or kind in (QDialog, QMessageBox):
            monkeypatch.setattr(kind, "open", look)
    return seen


def _kinds_of(kind: type) -> Iterator[type]:
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds_of(each)
