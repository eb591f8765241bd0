"""Gold tasks: errors of each person against known results, over weeks; and these results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId, VideoId
from annotator.domain.questions.quality import Gold
from annotator.domain.work.work_statistics import WEEK_MS
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.workflow.gold_tasks import GoldResult, GoldShortage
from annotator.services.workflow.submission_statistics import (
    COLUMNS,
    PersonErrors,
    by_person,
    measure_text,
    score_rows,
)
from annotator.ui.lead.lead_texts import TaskLink, kind_title
from annotator.ui.lead.statistics.charts import Axes, ChartLine, ChartMark, LineChart
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.lead.statistics.table_with_export import export_table
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

_MEASURES: Final = ("iou", "px", "ms", "found")
_FIRST_MEASURE: Final = 4
_GAP_PX: Final = 12
_WIDTH_PX: Final = 300
_WIDTHS: Final = (18, 16, 13, 14, 19, 15, 15, 21)


@dataclass(frozen=True, slots=True)
class _PageData:
    errors: list[PersonErrors]
    known: list[GoldResult]
    shortages: list[GoldShortage]
    names: dict[PersonId, str]
    videos: dict[VideoId, str]


class GoldPage(Page):
    """Tables of people and of known results, and a chart; ``lookWanted`` asks to open a task."""

    lookWanted = Signal(object)  # Look

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Gold tasks"))
        self._found = _PageData([], [], [], {}, {})
        self.warning = plain(QLabel())
        self.warning.setWordWrap(True)
        self.people = RowModel(self._person_columns())
        self.table = RowTable(
            self.people,
            self.tr("Errors by person"),
            _WIDTHS,
            self.tr("Errors appear here after the first gold task is submitted."),
        )
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.selectionModel().selectionChanged.connect(self._show_chart)
        self.measure = QComboBox()
        self.measure.setAccessibleName(self.tr("Measure"))
        for key, title in zip(_MEASURES, self._measure_titles(), strict=True):
            self.measure.addItem(title, key)
        self.measure.currentIndexChanged.connect(self._show_chart)
        self.chart = LineChart(
            workspace.hub, self.tr("Error per week"), self.tr("No gold task submitted yet.")
        )
        self.export = QPushButton(self.tr("Export scores…"))
        self.export.clicked.connect(self._on_export_clicked)
        self.known = RowModel(self._known_columns())
        self.results = RowTable(
            self.known, self.tr("References"), (20, 16, 8), self.tr("No references yet.")
        )
        self.results.doubleClicked.connect(self._on_look_clicked)
        self.results.selectionModel().selectionChanged.connect(self._on_known_chosen)
        self.look = QPushButton(self.tr("Open (read-only)"))
        self.look.clicked.connect(self._on_look_clicked)
        self.remove = QPushButton(self.tr("Do not use"))
        self.remove.setToolTip(
            self.tr("No further gold tasks are made from the selected results. Scores are kept.")
        )
        self.remove.clicked.connect(self._on_remove_clicked)
        self._lay_out()
        self._on_known_chosen()

    def _person_columns(self) -> RowColumns[PersonErrors]:
        heads = [
            self.tr("Person"),
            self.tr("Task type"),
            self.tr("Gold tasks"),
            self.tr("Out of limits"),
            *self._measure_titles(),
        ]
        return RowColumns(heads, self._cell, self._sort_key, range(2, len(heads)))

    def _measure_titles(self) -> list[str]:
        return [
            self.tr("Boxes (IoU)"),
            self.tr("Points (px)"),
            self.tr("Edges (ms)"),
            self.tr("Completeness (F1)"),
        ]

    def _known_columns(self) -> RowColumns[GoldResult]:
        def text(result: GoldResult, column: int) -> str:
            match column:
                case 0:
                    name = self._found.videos.get(result.video_id, "?")
                    return (
                        name
                        if result.is_active
                        else self.tr("{name} – not in use").format(name=name)
                    )
                case 1:
                    return kind_title(self._project.work.recipe, result.kind)
                case _:
                    return str(result.n_given)

        heads = [self.tr("Reference"), self.tr("Task type"), self.tr("Used")]
        return RowColumns(heads, text, lambda k, c: k.n_given if c == 2 else text(k, c), (2,))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(QLabel(self.tr("Measure")))
        head.addWidget(self.measure)
        head.addStretch(1)
        head.addWidget(QLabel(self.tr("In parentheses: change per week")))
        head.addWidget(self.export)
        left_side = QWidget()
        below = QVBoxLayout(left_side)
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self.table, 2)
        below.addLayout(head)
        below.addWidget(self.chart, 3)
        buttons = QHBoxLayout()
        buttons.addWidget(self.look)
        buttons.addWidget(self.remove)
        buttons.addStretch(1)
        hint = QLabel(
            self.tr(
                "Raters get copies of these tasks among their own without any sign. To add "
                "results, select complete tasks on the board and click “Use for gold tasks”."
            )
        )
        hint.setWordWrap(True)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.results, 1)
        column.addLayout(buttons)
        column.addWidget(hint)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setChildrenCollapsible(False)
        halves.addWidget(left_side)
        halves.addWidget(right)
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 1)
        halves.setSizes([_WIDTH_PX * 3, _WIDTH_PX])
        layout = QVBoxLayout(self)
        layout.setSpacing(_GAP_PX)
        layout.addWidget(self.warning)
        layout.addWidget(halves, 1)

    def _read(self) -> None:
        project = self._project

        def work(_: JobToken) -> _PageData:
            gold = project.work.gold
            return _PageData(
                by_person(gold.scores()),
                gold.results(),
                gold.shortages(),
                {person.id: person.name for person in project.work.people.all()},
                {video.id: video.name for video in project.videos()},
            )

        self._latest.ask(work, self._show)

    def _show(self, gold_data: _PageData) -> None:
        self._found = gold_data
        self.people.set_rows(gold_data.errors)
        self.known.set_rows(gold_data.known)
        self.warning.setText(
            "\n".join(
                self.tr(
                    "{title}: {n}. Add at least {wanted} so that all raters can be measured."
                ).format(
                    title=shortage.title,
                    n=counted(
                        shortage.n_known, self.tr("{n} reference"), self.tr("{n} references")
                    ),
                    wanted=shortage.n_needed - shortage.n_known,
                )
                for shortage in gold_data.shortages
            )
        )
        self.warning.setVisible(bool(gold_data.shortages))
        self.export.setEnabled(bool(gold_data.errors))
        self._on_known_chosen()
        self._show_chart()

    def _cell(self, errors: PersonErrors, column: int) -> str:
        match column:
            case 0:
                return self._found.names.get(errors.person_id, "?")
            case 1:
                return kind_title(self._project.work.recipe, errors.kind)
            case 2:
                return str(errors.n)
            case 3:
                return str(errors.n_beyond)
            case _:
                return measure_text(errors, _MEASURES[column - _FIRST_MEASURE])

    def _sort_key(self, errors: PersonErrors, column: int) -> object:
        if column < 2:
            return self._cell(errors, column).casefold()
        if column < _FIRST_MEASURE:
            return (errors.n, errors.n_beyond)[column - 2]
        mean = errors.mean(_MEASURES[column - _FIRST_MEASURE])
        return -1.0 if mean is None else mean

    @Slot()
    def _show_chart(self) -> None:
        """Draw the selected people, or everybody."""
        rows = self.table.selectionModel().selectedRows()
        chosen = [self.people.rows[index.row()] for index in rows] or self.people.rows
        measure = str(self.measure.currentData())
        is_one_kind = len({score.kind for score in chosen}) < 2
        lines: list[ChartLine] = []
        weeks: set[int] = set()
        for errors in chosen:
            week_errors = errors.weekly(measure)
            weeks |= {week.start for week in week_errors}
            marks = tuple(
                ChartMark(
                    week.start / WEEK_MS,
                    week.mean,
                    self._week_text(measure, week.start, week.mean, week.n),
                )
                for week in week_errors
            )
            title = self._cell(errors, 0)
            if not is_one_kind:
                title = f"{title} · {self._cell(errors, 1)}"
            if marks:
                lines.append(ChartLine(title, self.people.rows.index(errors), marks))
        limit = self._limit(chosen[0].kind, measure) if chosen and is_one_kind else None
        self.chart.show_lines(
            lines,
            Axes(
                self.measure.currentText(),
                tuple((week / WEEK_MS, _week_label(week)) for week in sorted(weeks)),
                limit,
                self.tr("limit {value:g}").format(value=limit or 0),
                1.0 if measure in ("iou", "found") else None,
            ),
        )

    def _week_text(self, measure: str, start: int, mean: float, n: int) -> str:
        places = 3 if measure in ("iou", "found") else 1
        return self.tr("week of {day}: {value} ({n})").format(
            day=_week_label(start),
            value=f"{mean:.{places}f}",
            n=counted(n, self.tr("{n} task"), self.tr("{n} tasks")),
        )

    def _limit(self, kind: str, measure: str) -> float | None:
        task_type = self._project.work.recipe.task_type(kind)
        rule: Gold | None = task_type.gold if task_type is not None else None
        if rule is None:
            return None
        limits = {
            "iou": rule.min_iou,
            "px": rule.max_px,
            "ms": rule.max_ms,
            "found": rule.min_found,
        }
        return limits[measure]

    def _chosen_known(self) -> list[GoldResult]:
        return [self.known.rows[i.row()] for i in self.results.selectionModel().selectedRows()]

    @Slot()
    def _on_known_chosen(self) -> None:
        chosen = self._chosen_known()
        self.look.setEnabled(len(chosen) == 1)
        self.remove.setEnabled(any(each.is_active for each in chosen))

    @Slot()
    def _on_look_clicked(self) -> None:
        for known in self._chosen_known()[:1]:
            self.lookWanted.emit(TaskLink(known.task_id))

    @Slot()
    def _on_remove_clicked(self) -> None:
        try:
            self._project.work.gold.remove([each.task_id for each in self._chosen_known()])
        except UserError as error:
            self._workspace.failed.emit(error)

    @Slot()
    def _on_export_clicked(self) -> None:
        project = self._project
        name = f"{project.path.stem} gold scores.csv"
        export_table(
            self._workspace,
            self,
            name,
            COLUMNS,
            lambda: score_rows(project, project.work.gold.scores()),
        )


def _week_label(start: int) -> str:
    return datetime.fromtimestamp(start / 1000, UTC).strftime("%Y-%m-%d")
