"""The numbers: charts and tables that follow the work."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from annotator.services.project.projects import OpenProject
from annotator.services.workflow import people_table
from annotator.ui.lead.statistics.charts import BarChart
from annotator.ui.lead.statistics.figure_table import FigureTable
from annotator.ui.lead.statistics.figures import QUEUE_COLUMNS, Figure, Figures, read_figures
from annotator.ui.lead.words import status_text
from annotator.ui.look.plain import plain
from annotator.ui.state.desk import Desk
from annotator.ui.state.reading import Page

_GAP_PX = 18
_AGAIN_MS = 15_000


class NumbersPage(Page):
    """Throughput, queues, returns, hours, findings; ``findingWanted``: its tasks, on the board."""

    findingWanted = Signal(str)  # code

    def __init__(self, desk: Desk, project: OpenProject) -> None:
        super().__init__(desk, project, self.tr("Statistics"))
        self._codes: tuple[str, ...] = ()
        nothing = self.tr("No data yet")
        self.throughput_chart = BarChart(desk.hub, self.tr("Submissions per day"), nothing)
        self.queue_chart = BarChart(desk.hub, self.tr("Tasks per stage"), nothing)
        self.return_chart = BarChart(desk.hub, self.tr("Sent back, by person"), nothing)
        self.reason_chart = BarChart(desk.hub, self.tr("Sent back, by reason"), nothing)
        self.finding_chart = BarChart(desk.hub, self.tr("Issues by type"), nothing)
        task, stage, person = self.tr("Task type"), self.tr("Stage"), self.tr("Person")
        number = self.tr("Tasks")
        self.throughput = self._table(
            self.tr("Submissions per day"), "throughput", [self.tr("Day"), task, stage, number]
        )
        self.queues = self._table(
            self.tr("Tasks per stage"), "queues", [task, stage, *map(status_text, QUEUE_COLUMNS)]
        )
        self.returns = self._table(
            self.tr("Sent back, by person"),
            "returns",
            [person, self.tr("Reviewed"), self.tr("Sent back"), self.tr("Rate")],
        )
        self.reasons = self._table(
            self.tr("Sent back, by reason"), "reasons", [self.tr("Reason"), self.tr("Sent back")]
        )
        self.hours = self._table(
            self.tr("Annotation time"),
            "hours",
            [
                task,
                stage,
                self.tr("Tasks"),
                self.tr("Items"),
                self.tr("Hours per item"),
                self.tr("People per item"),
                self.tr("Hours"),
            ],
        )
        self.people = FigureTable(
            desk,
            self.tr("Work of each person"),
            f"{project.path.stem} people",
            [
                person,
                self.tr("Hours"),
                self.tr("Submissions"),
                self.tr("Items"),
                self.tr("Items per hour"),
                self.tr("Sent back"),
                self.tr("Gold accuracy"),
            ],
            file_header=people_table.COLUMNS,
        )
        self.people.setToolTip(
            self.tr("The exported table has a row for each day, task and stage.")
        )
        self.forecast = FigureTable(
            desk,
            self.tr("Remaining work"),
            f"{project.path.stem} forecast",
            [
                task,
                stage,
                self.tr("Tasks"),
                self.tr("Minutes per task"),
                self.tr("Hours"),
                self.tr("90 % interval"),
            ],
            file_header=("task_type", "stage", "tasks", "measured", "low", "hours", "high"),
        )
        self.remaining = plain(QLabel())
        self.findings = self._table(
            self.tr("Issues by type"),
            "findings",
            [self.tr("Issue"), self.tr("Issues")],
        )
        self.findings.setToolTip(
            self.tr("Issues in the latest submissions. Double-click a row to show its tasks.")
        )
        # What is handed in is looked over beside the work, and some time after it.
        self._again = QTimer(self)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self.read_soon)
        self._again.start()
        self.findings.table.doubleClicked.connect(self._on_finding_opened)
        self._lay_out()

    def _table(self, title: str, name: str, header: list[str]) -> FigureTable:
        return FigureTable(self._desk, title, f"{self._project.path.stem} {name}", header)

    def _lay_out(self) -> None:
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.setSpacing(_GAP_PX)
        rows.addWidget(self.hours)
        rows.addWidget(self.people)
        rows.addWidget(self.forecast)
        rows.addWidget(self.remaining)
        for chart, table in (
            (self.throughput_chart, self.throughput),
            (self.queue_chart, self.queues),
            (self.return_chart, self.returns),
            (self.reason_chart, self.reasons),
            (self.finding_chart, self.findings),
        ):
            rows.addLayout(_beside(chart, table))
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)

    def leave(self) -> None:
        self._again.stop()
        super().leave()

    def _read(self) -> None:
        project = self._project
        self._latest.ask(lambda _: read_figures(project), self._show)

    def _show(self, found: Figures) -> None:
        self.hours.set_rows(found.hours.rows, found.hours.shown)
        self.people.set_rows(found.people.rows, found.people.shown)
        self.forecast.set_rows(found.forecast.rows, found.forecast.shown)
        self.remaining.setText(found.remaining)
        self.remaining.setVisible(bool(found.remaining))
        for chart, table, figure in (
            (self.throughput_chart, self.throughput, found.throughput),
            (self.queue_chart, self.queues, found.queues),
            (self.return_chart, self.returns, found.returns),
            (self.reason_chart, self.reasons, found.reasons),
            (self.finding_chart, self.findings, found.findings),
        ):
            _fill(chart, table, figure)
        self._codes = found.codes

    @Slot(QModelIndex)
    def _on_finding_opened(self, index: QModelIndex) -> None:
        self.findingWanted.emit(self._codes[index.row()])


def _beside(chart: BarChart, table: FigureTable) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(_GAP_PX)
    row.addWidget(chart, 1, Qt.AlignmentFlag.AlignTop)
    row.addWidget(table, 1, Qt.AlignmentFlag.AlignTop)
    return row


def _fill(chart: BarChart, table: FigureTable, figure: Figure) -> None:
    chart.set_bars(figure.bars, legend=figure.legend, most=figure.most)
    table.set_rows(figure.rows, figure.shown)
