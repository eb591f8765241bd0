"""The numbers: charts and tables that follow the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, QModelIndex, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import PersonId
from annotator.domain.recipes.recipe import Recipe
from annotator.domain.work.records import TaskStatus
from annotator.services.project.projects import OpenProject
from annotator.services.tables import Cell
from annotator.services.workflow import people_table
from annotator.services.workflow.people_table import day_rows, people_work, project_forecast
from annotator.services.workflow.work import WorkStatistics
from annotator.ui.lead import lead_texts
from annotator.ui.lead.lead_texts import status_text
from annotator.ui.lead.statistics.cards import ChartCard, KeyNumber, KeyNumbers, key_numbers
from annotator.ui.lead.statistics.charts import Bar, BarChart
from annotator.ui.lead.statistics.table_with_export import TableWithExport
from annotator.ui.look.texts import finding_title
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

_DAYS: Final = 14
_PEOPLE: Final = 20
QUEUE_PARTS: Final = (TaskStatus.WAITING, TaskStatus.IN_PROGRESS, TaskStatus.COMPLETE)
BAR_PARTS: Final = QUEUE_PARTS[::-1]
QUEUE_COLUMNS: Final = (*QUEUE_PARTS, TaskStatus.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class StatisticsTable:
    """A table, as it is shown and as it is written into a file, and its bars if it has some."""

    rows: Sequence[tuple[Cell, ...]]
    shown: Sequence[tuple[str, ...]]
    bars: Sequence[Bar]
    legend: tuple[str, ...] = ()
    most: float | None = None


@dataclass(frozen=True, slots=True)
class ProjectStatistics:
    """All that the numbers page shows."""

    key_numbers: list[KeyNumber]
    throughput: StatisticsTable
    queues: StatisticsTable
    returns: StatisticsTable
    reasons: StatisticsTable
    hours: StatisticsTable
    people: StatisticsTable
    forecast: StatisticsTable
    remaining: str
    findings: StatisticsTable
    codes: tuple[str, ...]


def read_statistics(project: OpenProject) -> ProjectStatistics:
    """Read the current statistics of a project."""
    recipe = project.work.recipe
    names = {p.id: p.name for p in project.work.people.all()}
    numbers = project.work.statistics()
    forecast, remaining, remaining_hours = _forecast(project)
    return ProjectStatistics(
        key_numbers(numbers, remaining_hours),
        _throughput(recipe, numbers),
        _queues(recipe, numbers),
        _returns(numbers, names),
        _reasons(recipe, numbers),
        _hours(recipe, numbers),
        _people(project),
        forecast,
        remaining,
        _findings(numbers),
        tuple(_common(numbers)),
    )


def _throughput(recipe: Recipe, numbers: WorkStatistics) -> StatisticsTable:
    stages = list(dict.fromkeys(stage for _, stage in _stages(recipe)))
    for day_counts in numbers.throughput.values():
        stages += [stage for _, stage in day_counts if stage not in stages]
    used = {stage for day_counts in numbers.throughput.values() for _, stage in day_counts}
    stages = [stage for stage in stages if stage in used]
    rows: list[tuple[Cell, ...]] = []
    bars: list[Bar] = []
    for day, day_counts in numbers.throughput.items():
        parts = tuple(sum(n for (_, s), n in day_counts.items() if s == stage) for stage in stages)
        bars.append(Bar(day, parts, f"{sum(parts):,}"))
        for (kind, stage), n in sorted(day_counts.items()):
            titles = (
                lead_texts.kind_title(recipe, kind),
                lead_texts.stage_title(recipe, kind, stage),
            )
            rows.append((day, *titles, n))
    legend = tuple(_stage_word(recipe, stage) for stage in stages)
    shown_rows = [(str(day), str(kind), str(stage), f"{n:,}") for day, kind, stage, n in rows]
    shown_rows.reverse()
    rows.reverse()
    return StatisticsTable(rows, shown_rows, bars[-_DAYS:], legend if len(legend) > 1 else ())


def _queues(recipe: Recipe, numbers: WorkStatistics) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = []
    bars: list[Bar] = []
    places = _stages(recipe)
    places += [(k, s) for k, s, _ in numbers.counts if (k, s) not in places]
    for kind, stage in places:
        counts = {st: numbers.counts.get((kind, stage, st), 0) for st in TaskStatus}
        if not sum(counts.values()):
            continue
        title = (
            f"{lead_texts.kind_title(recipe, kind)} · {lead_texts.stage_title(recipe, kind, stage)}"
        )
        counts[TaskStatus.IN_PROGRESS] += counts[TaskStatus.RESOLVING]
        bars.append(
            Bar(
                title,
                tuple(counts[st] for st in BAR_PARTS),
                f"{sum(counts[st] for st in QUEUE_PARTS):,}",
            )
        )
        titles = lead_texts.kind_title(recipe, kind), lead_texts.stage_title(recipe, kind, stage)
        rows.append((*titles, *(counts[st] for st in QUEUE_COLUMNS)))
    shown_rows = [(str(k), str(s), *(f"{n:,}" for n in rest)) for k, s, *rest in rows]
    return StatisticsTable(rows, shown_rows, bars, tuple(map(lead_texts.status_text, BAR_PARTS)))


def _returns(numbers: WorkStatistics, names: Mapping[PersonId, str]) -> StatisticsTable:
    rates = sorted(
        numbers.return_rates.items(),
        key=lambda kind_and_rate: (-kind_and_rate[1].rate, kind_and_rate[0]),
    )
    rows: list[tuple[Cell, ...]] = [
        (names.get(person, "?"), rate.judged, rate.returned, round(rate.rate, 4))
        for person, rate in rates
    ]
    shown_rows = [
        (names.get(person, "?"), f"{rate.judged:,}", f"{rate.returned:,}", f"{rate.rate:.0%}")
        for person, rate in rates
    ]
    bars = [
        Bar(
            names.get(person, "?"),
            (rate.rate,),
            _tr("{rate:.0%} ({n} of {all})").format(
                rate=rate.rate, n=rate.returned, all=rate.judged
            ),
        )
        for person, rate in rates[:_PEOPLE]
    ]
    return StatisticsTable(rows, shown_rows, bars, most=1.0)


def _reasons(recipe: Recipe, numbers: WorkStatistics) -> StatisticsTable:
    found = [(lead_texts.reason_title(recipe, code), n) for code, n in numbers.reasons.items()]
    return StatisticsTable(
        list(found), [(t, f"{n:,}") for t, n in found], [Bar(t, (n,), f"{n:,}") for t, n in found]
    )


def _hours(recipe: Recipe, numbers: WorkStatistics) -> StatisticsTable:
    rows: list[tuple[Cell, ...]] = []
    shown_rows: list[tuple[str, ...]] = []
    places = {place: i for i, place in enumerate(_stages(recipe))}
    for row in sorted(numbers.hours, key=lambda r: places.get((r.kind, r.stage), len(places))):
        titles = (
            lead_texts.kind_title(recipe, row.kind),
            lead_texts.stage_title(recipe, row.kind, row.stage),
        )
        rows.append(
            (
                *titles,
                row.tasks,
                row.items,
                round(row.hours_per_item, 4),
                round(row.people_per_item, 3),
                round(row.total_hours, 3),
            )
        )
        shown_rows.append(
            (
                *titles,
                f"{row.tasks:,}",
                f"{row.items:,}",
                f"{row.hours_per_item:.3f}",
                f"{row.people_per_item:.1f}",
                f"{row.total_hours:,.2f}",
            )
        )
    if len(rows) > 1:
        total = sum(row.total_hours for row in numbers.hours)
        rows.append((_tr("All"), "", "", "", "", "", round(total, 3)))
        shown_rows.append((_tr("All"), "", "", "", "", "", f"{total:,.2f}"))
    return StatisticsTable(rows, shown_rows, [])


def _people(project: OpenProject) -> StatisticsTable:
    found = people_work(project)
    shown = [
        (
            work.name,
            f"{work.total.hours:,.2f}",
            f"{work.total.submissions:,}",
            f"{work.total.items:,}",
            _rate(work.total.items_per_hour),
            f"{work.returned / work.reviewed:.0%}" if work.reviewed else "–",
            f"{work.gold_correct / work.gold:.0%}" if work.gold else "–",
        )
        for work in found
    ]
    return StatisticsTable(day_rows(found), shown, [])


def _rate(value: float | None) -> str:
    return f"{value:,.1f}" if value is not None else "–"


def _forecast(project: OpenProject) -> tuple[StatisticsTable, str, float | None]:
    """Return the remaining work by stage, all of it in words, and its hours if they are known."""
    recipe, forecast = project.work.recipe, project_forecast(project)
    rows: list[tuple[Cell, ...]] = []
    shown_rows: list[tuple[str, ...]] = []
    for stage in forecast.stages:
        titles = (
            lead_texts.kind_title(recipe, stage.kind),
            lead_texts.stage_title(recipe, stage.kind, stage.stage),
        )
        hours, per_task = stage.hours, stage.hours_per_task
        numbers = tuple(round(v, 3) for v in hours) if hours is not None else ("", "", "")
        rows.append((*titles, stage.remaining, stage.measured, *numbers))
        shown_rows.append(
            (
                *titles,
                f"{stage.remaining:,}",
                f"{60 * per_task[1]:.1f}" if per_task is not None else "–",
                f"{hours[1]:,.1f}" if hours is not None else "–",
                f"{hours[0]:,.1f} – {hours[2]:,.1f}" if hours is not None else "–",
            )
        )
    if forecast.days is None or not forecast.hours[1]:
        return StatisticsTable(rows, shown_rows, []), "", None
    text = _tr("{hours:,.1f} hours remain ({low:,.1f} to {high:,.1f}), {days:,.1f} working days.")
    low, middle, high = forecast.hours
    sentence = text.format(hours=middle, low=low, high=high, days=forecast.days[1])
    return StatisticsTable(rows, shown_rows, []), sentence, middle


def _common(numbers: WorkStatistics) -> list[str]:
    """Return the kinds of finding, the most frequent first."""
    return sorted(numbers.findings, key=lambda code: (-numbers.findings[code], code))


def _findings(numbers: WorkStatistics) -> StatisticsTable:
    found = [(finding_title(c) or c, numbers.findings[c]) for c in _common(numbers)]
    return StatisticsTable(
        list(found), [(t, f"{n:,}") for t, n in found], [Bar(t, (n,), f"{n:,}") for t, n in found]
    )


def _stages(recipe: Recipe) -> list[tuple[str, str]]:
    return [(t.kind, s.key) for t in recipe.task_types for s in t.stages]


def _stage_word(recipe: Recipe, stage: str) -> str:
    """Return how a stage is called by the first kind of task that has it."""
    found = (spec for t in recipe.task_types if (spec := t.stage(stage)) is not None)
    return next((spec.title for spec in found), stage)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)


_GAP_PX = 18
_AGAIN_MS = 15_000


class NumbersPage(Page):
    """Throughput, queues, returns, hours, findings; ``findingWanted``: its tasks, on the board."""

    findingWanted = Signal(str)  # code

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Statistics"))
        self._codes: tuple[str, ...] = ()
        self.key_numbers = KeyNumbers(workspace.hub)
        self.throughput_chart = self._chart(self.tr("Submissions per day"))
        self.queue_chart = self._chart(self.tr("Tasks per stage"))
        self.return_chart = self._chart(self.tr("Sent back, by person"))
        self.reason_chart = self._chart(self.tr("Sent back, by reason"))
        self.finding_chart = self._chart(self.tr("Issues by type"))
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
        self.people = TableWithExport(
            workspace,
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
        self.forecast = TableWithExport(
            workspace,
            self.tr("Remaining work"),
            f"{project.path.stem} forecast",
            [
                task,
                stage,
                self.tr("Tasks"),
                self.tr("Minutes per task"),
                self.tr("Hours"),
                self.tr("90% interval"),
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
        # Submissions are analyzed in the background, some time after they arrive.
        self._again = QTimer(self)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self.read_soon)
        self._again.start()
        self.findings.table.doubleClicked.connect(self._on_finding_opened)
        self._lay_out()

    def _chart(self, title: str) -> BarChart:
        return BarChart(self._workspace.hub, title, self.tr("No data yet"), shows_title=False)

    def _charts(self) -> list[tuple[BarChart, TableWithExport]]:
        """Return the charts with the tables behind them, in their order on the page."""
        return [
            (self.throughput_chart, self.throughput),
            (self.queue_chart, self.queues),
            (self.return_chart, self.returns),
            (self.reason_chart, self.reasons),
            (self.finding_chart, self.findings),
        ]

    def _table(self, title: str, name: str, header: list[str]) -> TableWithExport:
        return TableWithExport(self._workspace, title, f"{self._project.path.stem} {name}", header)

    def _lay_out(self) -> None:
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.setSpacing(_GAP_PX)
        rows.addWidget(self.key_numbers)
        self.cards = [
            ChartCard(self._workspace.hub, chart, table) for chart, table in self._charts()
        ]
        grid = QGridLayout()
        grid.setSpacing(12)
        for place, card in enumerate(self.cards):
            grid.addWidget(card, place // 2, place % 2)
        for column in range(2):
            grid.setColumnStretch(column, 1)
        rows.addLayout(grid)
        for widget in (self.hours, self.people, self.forecast, self.remaining):
            rows.addWidget(widget)
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
        self._latest.ask(lambda _: read_statistics(project), self._show)

    def _show(self, found: ProjectStatistics) -> None:
        self.key_numbers.show_numbers(found.key_numbers)
        self.hours.set_rows(found.hours.rows, found.hours.shown)
        self.people.set_rows(found.people.rows, found.people.shown)
        self.forecast.set_rows(found.forecast.rows, found.forecast.shown)
        self.remaining.setText(found.remaining)
        self.remaining.setVisible(bool(found.remaining))
        shown = (found.throughput, found.queues, found.returns, found.reasons, found.findings)
        for (chart, table), statistics in zip(self._charts(), shown, strict=True):
            _fill(chart, table, statistics)
        self._codes = found.codes

    @Slot(QModelIndex)
    def _on_finding_opened(self, index: QModelIndex) -> None:
        self.findingWanted.emit(self._codes[index.row()])


def _fill(chart: BarChart, table: TableWithExport, statistics: StatisticsTable) -> None:
    chart.set_bars(statistics.bars, legend=statistics.legend, most=statistics.most)
    table.set_rows(statistics.rows, statistics.shown)
