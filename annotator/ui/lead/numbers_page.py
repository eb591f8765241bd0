"""The numbers: charts and tables that follow the work."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from annotator.services.projects import OpenProject
from annotator.ui.desk import Desk
from annotator.ui.lead.charts import Bar, BarChart
from annotator.ui.lead.figure_table import FigureTable
from annotator.ui.lead.figures import QUEUE_COLUMNS, Figure, Figures, read_figures
from annotator.ui.lead.findings import FindingCounts, count_findings
from annotator.ui.lead.reading import Page
from annotator.ui.lead.words import status_text
from annotator.ui.words import finding_title

_GAP_PX = 18


class NumbersPage(Page):
    """Throughput, queues, returns, hours, findings; ``tasksWanted`` asks for some on the board."""

    tasksWanted = Signal(object)  # frozenset[TaskId]

    def __init__(self, desk: Desk, project: OpenProject) -> None:
        super().__init__(desk, project, self.tr("Numbers"))
        self._found: FindingCounts | None = None
        self._codes: list[str] = []
        nothing = self.tr("Nothing yet")
        self.throughput_chart = BarChart(desk.hub, self.tr("Handed in per day"), nothing)
        self.queue_chart = BarChart(desk.hub, self.tr("Tasks per stage"), nothing)
        self.return_chart = BarChart(desk.hub, self.tr("Sent back, by person"), nothing)
        self.reason_chart = BarChart(desk.hub, self.tr("Sent back, by reason"), nothing)
        self.finding_chart = BarChart(
            desk.hub, self.tr("Findings by kind"), self.tr("Not counted yet")
        )
        task, stage, person = self.tr("Task"), self.tr("Stage"), self.tr("Person")
        number = self.tr("Tasks")
        self.throughput = self._table(
            self.tr("Handed in per day"), "throughput", [self.tr("Day"), task, stage, number]
        )
        self.queues = self._table(
            self.tr("Tasks per stage"), "queues", [task, stage, *map(status_text, QUEUE_COLUMNS)]
        )
        self.returns = self._table(
            self.tr("Sent back, by person"),
            "returns",
            [person, self.tr("Judged"), self.tr("Sent back"), self.tr("Rate")],
        )
        self.reasons = self._table(
            self.tr("Sent back, by reason"), "reasons", [self.tr("Reason"), self.tr("Sent back")]
        )
        self.hours = self._table(
            self.tr("Human hours"),
            "hours",
            [
                task,
                stage,
                self.tr("Items"),
                self.tr("Hours per item"),
                self.tr("People per item"),
                self.tr("Hours"),
            ],
        )
        self.findings = self._table(
            self.tr("Findings by kind"),
            "findings",
            [self.tr("Finding"), self.tr("Findings"), number],
        )
        self.count = QPushButton(self.tr("Count the findings"))
        self.count.setToolTip(self.tr("Reads every draft; takes a while in a large project"))
        self.count.clicked.connect(self._on_count_clicked)
        self.note = QLabel()
        self.findings.table.doubleClicked.connect(self._on_finding_opened)
        self._lay_out()

    def _table(self, title: str, name: str, header: list[str]) -> FigureTable:
        return FigureTable(self._desk, title, f"{self._project.path.stem} {name}", header)

    def _lay_out(self) -> None:
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.setSpacing(_GAP_PX)
        rows.addWidget(self.hours)
        for chart, table in (
            (self.throughput_chart, self.throughput),
            (self.queue_chart, self.queues),
            (self.return_chart, self.returns),
            (self.reason_chart, self.reasons),
        ):
            rows.addLayout(_beside(chart, table))
        rows.addLayout(_beside(self.finding_chart, self.findings))
        counting = QHBoxLayout()
        counting.addWidget(self.count)
        counting.addWidget(self.note, 1)
        rows.addLayout(counting)
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)

    def _read(self) -> None:
        project = self._project
        self._latest.ask(lambda _: read_figures(project), self._show)

    def _show(self, found: Figures) -> None:
        self.hours.set_rows(found.hours.rows, found.hours.shown)
        for chart, table, figure in (
            (self.throughput_chart, self.throughput, found.throughput),
            (self.queue_chart, self.queues, found.queues),
            (self.return_chart, self.returns, found.returns),
            (self.reason_chart, self.reasons, found.reasons),
        ):
            _fill(chart, table, figure)

    @Slot()
    def _on_count_clicked(self) -> None:
        project = self._project
        self._desk.start_job(
            self.tr("Count the findings"),
            lambda token: count_findings(project, token),
            self._show_findings,
        )

    def _show_findings(self, found: FindingCounts) -> None:
        self._found = found
        self._codes = [code for code, _ in found.findings.most_common()]
        titles = [finding_title(code) or code for code in self._codes]
        counts = [(found.findings[code], len(found.tasks[code])) for code in self._codes]
        both = list(zip(titles, counts, strict=True))
        figure = Figure(
            [(title, n, tasks) for title, (n, tasks) in both],
            [(title, f"{n:,}", f"{tasks:,}") for title, (n, tasks) in both],
            [Bar(title, (n,), f"{n:,}") for title, (n, _) in both],
        )
        _fill(self.finding_chart, self.findings, figure)
        text = self.tr("Counted in {n:,} drafts. Double-click a row to see its tasks.")
        self.note.setText(text.format(n=found.n_drafts))

    @Slot(QModelIndex)
    def _on_finding_opened(self, index: QModelIndex) -> None:
        if self._found is not None:
            self.tasksWanted.emit(frozenset(self._found.tasks[self._codes[index.row()]]))


def _beside(chart: BarChart, table: FigureTable) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(_GAP_PX)
    row.addWidget(chart, 1, Qt.AlignmentFlag.AlignTop)
    row.addWidget(table, 1, Qt.AlignmentFlag.AlignTop)
    return row


def _fill(chart: BarChart, table: FigureTable, figure: Figure) -> None:
    chart.set_bars(figure.bars, legend=figure.legend, most=figure.most)
    table.set_rows(figure.rows, figure.shown)
