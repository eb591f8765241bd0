"""Statistics of the data set: a list of charts, the chosen one, and the rows behind a bar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, QRect, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPalette
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMenu,
    QScrollArea,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.dataset.statistics import QUESTIONS, VIDEOS, Chart, Count, DataSet, Matrix
from annotator.domain.ids import VideoId
from annotator.domain.recipes.recipe import Tool
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.statistics import collect, matrix_rows, write_statistics
from annotator.services.project.projects import OpenProject
from annotator.services.tables import Cell
from annotator.ui.dialogs.file_dialogs import ask_folder, ask_output
from annotator.ui.lead.dataset.chart_titles import chart_title, kind_title, unit_title
from annotator.ui.lead.dataset.matrix_chart import MatrixChart
from annotator.ui.lead.statistics.charts import Bar, BarChart
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.lead.statistics.table_with_export import TableWithExport, export_table
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.dataset.statistics import Rows

_MOST_BARS: Final = 40
_LIST_PX: Final = 240
_TABLE_PX: Final = 240
_DPR: Final = 2


@dataclass(frozen=True, slots=True)
class Behind:
    """One of the rows that a bar counts: a place in a video. ``tool`` drew it, None for a video."""

    video_id: VideoId
    video: str
    text: str
    frame: int
    seconds: float
    tool: Tool | None
    mark_id: str = ""


class StatisticsView(QWidget):
    """Statistics of the data set; ``placeWanted`` asks for a `Behind` in the other window."""

    placeWanted = Signal(object)  # Behind

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace, self._project = workspace, project
        self._latest = Latest(workspace, self.tr("Data set statistics"), self)
        self._listing = Latest(workspace, self.tr("Rows behind the chart"), self)
        self._all: DataSet | None = None
        self._data: DataSet | None = None
        self._charts: list[Chart | Matrix] = []
        self.column, self.value = QComboBox(), QComboBox()
        self.column.setAccessibleName(self.tr("Filter column"))
        self.value.setAccessibleName(self.tr("Filter value"))
        self.column.activated.connect(self._on_column_chosen)
        self.value.activated.connect(self._filter)
        self.incomplete = QCheckBox(self.tr("Include incomplete tasks"))
        self.incomplete.toggled.connect(self.read)
        self.status_label = plain(QLabel())
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Charts"))
        self.list.setMinimumWidth(_LIST_PX)
        self.list.setSpacing(2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._show_chart)
        self.counts = TableWithExport(
            workspace,
            self.tr("Counts"),
            f"{project.path.stem} counts",
            [
                self.tr("Type"),
                self.tr("Videos"),
                self.tr("Annotations"),
                self.tr("Keyframes"),
                self.tr("Classes"),
                self.tr("Per video"),
            ],
        )
        self.bars = BarChart(workspace.hub, "", self.tr("No data yet"))
        self.bars.clicked.connect(self._on_bar_clicked)
        self.matrix = MatrixChart(workspace.hub)
        self.matrix.clicked.connect(self._on_cell_clicked)
        self.more = plain(QLabel())
        self.as_table = QToolButton()
        self.as_table.setText(self.tr("Table"))
        self.as_table.setToolTip(self.tr("Show the chart as a table"))
        self.as_table.setCheckable(True)
        self.as_table.toggled.connect(self._show_kind)
        self.values: RowModel[_Value] = RowModel(
            RowColumns(
                [self.tr("Value"), self.tr("Count"), self.tr("Share")],
                _value_cell,
                _value_key,
                (1, 2),
            )
        )
        self.value_table = RowTable(
            self.values, self.tr("Values"), (60, 14, 12), self.tr("No values yet.")
        )
        self.value_table.setMinimumHeight(_TABLE_PX)
        self.value_table.selectionModel().selectionChanged.connect(self._on_value_chosen)
        self.nothing = QLabel(
            self.tr(
                "No task is complete yet. Counts, label frequencies and distributions appear here "
                "as tasks are completed; “Include incomplete tasks” shows what is there already."
            )
        )
        self.nothing.setWordWrap(True)
        self.nothing.hide()
        self.columns: RowColumns[Behind] = RowColumns(
            [self.tr("Video"), self.tr("Content"), self.tr("Frame"), self.tr("Time")],
            _cell,
            _key,
            (2, 3),
        )
        self.model: RowModel[Behind] = RowModel(self.columns)
        self.rows = RowTable(
            self.model,
            self.tr("Rows behind the chart"),
            (30, 48, 10, 10),
            self.tr("Click a bar or a cell of a chart to list its rows."),
        )
        self.rows.doubleClicked.connect(self._on_opened)
        self.behind = QLabel(self.tr("Click a bar or cell to list what it counts."))
        self._lay_out()

    def _lay_out(self) -> None:
        self.export = QToolButton()
        self.export.setText(self.tr("Export"))
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.export)
        menu.addAction(self.tr("Chart as CSV…"), self._export_csv)
        menu.addAction(self.tr("Chart as PNG…"), partial(self._export_picture, "png"))
        menu.addAction(self.tr("Chart as SVG…"), partial(self._export_picture, "svg"))
        menu.addAction(self.tr("All tables as CSV…"), self._export_all)
        self.export.setMenu(menu)
        bar = QHBoxLayout()
        bar.addWidget(QLabel(self.tr("Videos")))
        bar.addWidget(self.column)
        bar.addWidget(self.value)
        bar.addWidget(self.incomplete)
        bar.addWidget(self.status_label, 1)
        bar.addWidget(self.as_table)
        bar.addWidget(self.export)
        inner = QWidget()
        charts = QVBoxLayout(inner)
        charts.addWidget(self.nothing)
        charts.addWidget(self.counts)
        charts.addWidget(self.bars)
        charts.addWidget(self.more)
        charts.addWidget(self.matrix)
        charts.addWidget(self.value_table, 100)
        charts.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        inner.setBackgroundRole(QPalette.ColorRole.Base)
        inner.setAutoFillBackground(True)
        self._lower = QWidget()
        below = QVBoxLayout(self._lower)
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self.behind)
        below.addWidget(self.rows, 1)
        right = QSplitter(Qt.Orientation.Vertical)
        right.addWidget(area)
        right.addWidget(self._lower)
        right.setStretchFactor(0, 3)
        right.setStretchFactor(1, 2)
        splitter = QSplitter()
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(bar)
        layout.addWidget(splitter, 1)

    def leave(self) -> None:
        """Read no more."""
        self._latest.forget()
        self._listing.forget()

    @Slot()
    def read(self) -> None:
        """Read the facts again, in the background."""
        project, complete = self._project, not self.incomplete.isChecked()
        self._latest.ask(
            lambda token: collect(project, token, complete_only=complete), self._on_read
        )

    def _on_read(self, data: DataSet) -> None:
        self._all = data
        with QSignalBlocker(self.column):
            before = self.column.currentText()
            self.column.clear()
            self.column.addItem(self.tr("All"))
            self.column.addItems(data.metadata_columns())
            self.column.setCurrentIndex(max(0, self.column.findText(before)))
        self._fill_values()
        self._filter()

    def _fill_values(self) -> None:
        before = self.value.currentText()
        self.value.clear()
        column = self.column.currentText() if self.column.currentIndex() > 0 else ""
        self.value.setVisible(bool(column))
        if column and self._all is not None:
            found = {video.metadata.get(column, "") for video in self._all.videos}
            self.value.addItems(sorted(found))
            self.value.setCurrentIndex(max(0, self.value.findText(before)))

    @Slot()
    def _on_column_chosen(self) -> None:
        self._fill_values()
        self._filter()

    @Slot()
    def _filter(self) -> None:
        if self._all is None:
            return
        everything, column, value = self._all, "", ""
        if self.column.currentIndex() > 0:
            column, value = self.column.currentText(), self.value.currentText()
        self._latest.ask(lambda _: _chosen(everything, column, value), self._show_data)

    def _show_data(self, found: tuple[DataSet, list[Count]]) -> None:
        """Show the counts at once; the charts follow."""
        data, counts = found
        self._data = data
        hours = sum(video.duration_s for video in data.videos) / 3600
        videos = counted(len(data.videos), self.tr("1 video"), self.tr("{n:,} videos"))
        duration = f"{hours:,.1f} h" if hours >= 1 else f"{60 * hours:.1f} min"
        self.status_label.setText(f"{videos}, {duration}")
        self.nothing.setVisible(not any(c.annotations for c in counts))
        self._show_counts(counts)
        self._latest.ask(lambda _: _charts_of(data), self._show_charts)

    def _show_charts(self, charts: list[Chart | Matrix]) -> None:
        row = max(0, self.list.currentRow())
        with QSignalBlocker(self.list):
            self._charts = charts
            self.list.clear()
            self.list.addItem(self.tr("Counts"))
            self.list.addItems([chart_title(each.key) for each in charts])
            self.list.setCurrentRow(min(row, self.list.count() - 1))
        self._show_chart(self.list.currentRow())

    def _show_counts(self, counts: list[Count]) -> None:
        rows: list[tuple[Cell, ...]] = [
            (c.kind, c.videos, c.annotations, c.marks, c.classes, round(c.mean, 3)) for c in counts
        ]
        shown = [
            (
                kind_title(c.kind),
                f"{c.videos:,}",
                f"{c.annotations:,}" if c.annotations else "–",
                f"{c.marks:,}" if c.marks else "–",
                f"{c.classes:,}",
                f"{c.mean:.2f}" if c.annotations else "–",
            )
            for c in counts
        ]
        self.counts.set_rows(rows, shown)

    @Slot(int)
    def _show_chart(self, row: int) -> None:
        chart = self._charts[row - 1] if 0 < row <= len(self._charts) else None
        self.counts.setVisible(row <= 0)
        self._lower.setVisible(row > 0)
        self.as_table.setEnabled(row > 0)
        self.more.hide()
        self._show_behind(None, "")
        if isinstance(chart, Chart):
            bars = [Bar(b.name or "–", (b.value,), f"{b.value:,.0f}") for b in chart.bars]
            self.bars.set_title(f"{chart_title(chart.key)} ({unit_title(chart.of)})")
            self.bars.set_bars(bars[:_MOST_BARS])
            if len(bars) > _MOST_BARS:
                text = self.tr("{n} more in the exported table.")
                self.more.setText(text.format(n=f"{len(bars) - _MOST_BARS:,}"))
                self.more.show()
        elif isinstance(chart, Matrix):
            self.matrix.show_matrix(chart_title(chart.key), chart)
        self.values.set_rows(_values_of(chart))
        self._show_kind()

    @Slot()
    def _show_kind(self) -> None:
        """Show the chosen statistic as a chart or as a table."""
        chart, is_table = self.chart, self.as_table.isChecked()
        self.bars.setVisible(isinstance(chart, Chart) and not is_table)
        self.matrix.setVisible(isinstance(chart, Matrix) and not is_table)
        self.value_table.setVisible(chart is not None and is_table)
        if is_table:
            self.more.hide()

    @Slot()
    def _on_value_chosen(self) -> None:
        chosen = self.value_table.selectionModel().selectedRows()
        if chosen:
            value = self.values.rows[chosen[0].row()]
            self._show_behind(value.rows(), value.name)

    @property
    def chart(self) -> Chart | Matrix | None:
        """The chart that is shown, None for the counts."""
        row = self.list.currentRow()
        return self._charts[row - 1] if 0 < row <= len(self._charts) else None

    @Slot(int)
    def _on_bar_clicked(self, number: int) -> None:
        chart = self.chart
        if isinstance(chart, Chart):
            bar = chart.bars[number]
            self._show_behind(bar.rows, bar.name or "–")

    @Slot(int, int)
    def _on_cell_clicked(self, row: int, column: int) -> None:
        chart = self.chart
        if isinstance(chart, Matrix):
            names = chart.row_names[row], chart.column_names[column]
            self._show_behind(chart.rows_of(row, column), " × ".join(names))

    def _show_behind(self, rows: Rows | None, name: str) -> None:
        if rows is None or self._data is None or self.chart is None:
            self.model.set_rows([])
            self.behind.setText(self.tr("Click a bar or cell to list what it counts."))
            return
        data, of = self._data, self.chart.of
        self._listing.ask(lambda _: _behind(data, of, rows), partial(self._show_rows, name))

    def _show_rows(self, name: str, found: list[Behind]) -> None:
        self.model.set_rows(found)
        text = self.tr("{name}: {n}. Double-click a row to open the video there.")
        self.behind.setText(text.format(name=name, n=f"{len(found):,}"))

    @Slot(QModelIndex)
    def _on_opened(self, index: QModelIndex) -> None:
        self.placeWanted.emit(self.model.rows[index.row()])

    # Export

    def _name(self) -> str:
        chart = self.chart
        return f"{self._project.path.stem} {chart.key if chart is not None else 'counts'}"

    def _export_csv(self) -> None:
        chart = self.chart
        if isinstance(chart, Chart):
            rows: list[tuple[Cell, ...]] = [(bar.name, bar.value) for bar in chart.bars]
            export_table(self._workspace, self, self._name(), ("value", "count"), lambda: rows)
        elif isinstance(chart, Matrix):
            head = ("", *chart.column_names)
            export_table(self._workspace, self, self._name(), head, lambda: matrix_rows(chart))
        else:
            self.counts.save.click()

    def _export_picture(self, ending: str) -> None:
        widget: QWidget = self.matrix if isinstance(self.chart, Matrix) else self.bars
        if self.chart is None:
            widget = self.counts.table
        title = self.tr("Export chart")
        proposal = self._project.path.parent / f"{self._name()}.{ending}"
        path = ask_output(
            self, title, proposal, f"{ending.upper()} (*.{ending})", self._project.path
        )
        if path is not None:
            save_picture(widget, path)
            self._workspace.message.emit(self.tr("Exported {name}").format(name=path.name))

    def _export_all(self) -> None:
        data = self._data
        folder = ask_folder(self, self.tr("Export tables"), beside=self._project.path.parent)
        if folder is None or data is None:
            return

        def work(_: JobToken) -> int:
            return len(write_statistics(data, folder))

        def done(n: int) -> None:
            self._workspace.message.emit(self.tr("{n} tables exported").format(n=n))

        self._workspace.start_job(self.tr("Export tables"), work, done)


def save_picture(widget: QWidget, path: Path) -> None:
    """Save a widget as SVG, or as a picture at twice the screen resolution."""
    size = widget.size()
    if path.suffix.lower() == ".svg":
        paper = QSvgGenerator()
        paper.setFileName(str(path))
        paper.setSize(size)
        paper.setViewBox(QRect(0, 0, size.width(), size.height()))
        painter = QPainter(paper)
        widget.render(painter, QPoint())
        painter.end()
        return
    image = QImage(size * _DPR, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(_DPR)
    image.fill(widget.palette().window().color())
    widget.render(image)
    image.save(str(path))


@dataclass(frozen=True, slots=True)
class _Value:
    """A bar or cell as a row of a table; ``share`` is that of all rows."""

    name: str
    count: float
    share: float
    rows: Callable[[], Rows]


def _values_of(chart: Chart | Matrix | None) -> list[_Value]:
    """Return the bars of a chart, or the cells of a matrix that count something."""
    if isinstance(chart, Chart):
        total = sum(bar.value for bar in chart.bars) or 1.0
        return [
            _Value(bar.name or "–", bar.value, bar.value / total, lambda bar=bar: bar.rows)  # type: ignore[misc]
            for bar in chart.bars
        ]
    if chart is None:
        return []
    total = float(chart.values.sum()) or 1.0
    cells = [
        (int(chart.values[row, column]), row, column)
        for row, column in np.argwhere(chart.values).tolist()
    ]
    return [
        _Value(
            f"{chart.row_names[row]} × {chart.column_names[column]}",
            count,
            count / total,
            partial(chart.rows_of, row, column),
        )
        for count, row, column in sorted(cells, reverse=True)
    ]


def _value_cell(row: _Value, column: int) -> str:
    return (row.name, f"{row.count:,.0f}", f"{row.share:.1%}")[column]


def _value_key(row: _Value, column: int) -> object:
    return (row.name, row.count, row.share)[column]


def _charts_of(data: DataSet) -> list[Chart | Matrix]:
    return [*data.charts(), *data.matrices()]


def _chosen(data: DataSet, column: str, value: str) -> tuple[DataSet, list[Count]]:
    """Return the data set of the videos with a metadata value, and its counts; in a job."""
    if column:
        data = data.only(lambda video: video.metadata.get(column, "") == value)
    return data, data.counts()


def _behind(data: DataSet, of: str, rows: Rows) -> list[Behind]:
    """Return the rows that a bar counts as places in videos."""
    if of == VIDEOS:
        videos = [data.videos[i] for i in rows.tolist()]
        return [Behind(VideoId(v.id), v.name, "", 0, 0.0, None) for v in videos]
    if of == QUESTIONS:
        questions = [data.questions[i] for i in rows.tolist()]
        return [
            Behind(
                VideoId(data.videos[q.video].id), data.videos[q.video].name, q.text, 0, 0.0, None
            )
            for q in questions
        ]
    tool = Tool(of)
    columns = data.columns[tool]
    sources = []
    for i in rows.tolist():
        fact, video = columns.facts[i], data.videos[int(columns.video[i])]
        seconds = fact.start / (video.frame_rate or 30.0)
        sources.append(
            Behind(VideoId(video.id), video.name, fact.label, fact.start, seconds, tool, fact.id)
        )
    return sources


def _cell(row: Behind, column: int) -> str:
    if column < 2:
        return (row.video, row.text)[column]
    if row.tool is None:
        return ""
    return f"{row.frame:,}" if column == 2 else f"{row.seconds:.2f} s"


def _key(row: Behind, column: int) -> object:
    return (row.video, row.text, row.frame, row.seconds)[column]
