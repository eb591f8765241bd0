"""Evaluation of predictions: models side by side, and their worst results to be opened."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.document import Document
from annotator.services.background.jobs import Job, JobToken
from annotator.services.dataset.evaluation.baselines import BASELINES, PEOPLE
from annotator.services.dataset.evaluation.evaluation import (
    ITEM_METRICS,
    USUAL_COLUMNS,
    MetricResult,
)
from annotator.services.dataset.evaluation.evaluation_tables import side_by_side
from annotator.services.dataset.evaluation.models import named_predictions
from annotator.services.dataset.evaluation.overlay import overlay_of
from annotator.services.dataset.evaluation.reference import Reference, videos_by_name
from annotator.services.dataset.evaluation.video_scores import TOOLS, ItemScore
from annotator.services.dataset.evaluation_job import Scores, evaluate_project, opened_model
from annotator.services.project.metadata import metadata_of
from annotator.services.project.projects import OpenProject
from annotator.ui.dialogs.file_dialogs import ask_files, ask_folder
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.dataset.chart_titles import baseline_title, metric_title
from annotator.ui.lead.dataset.comparison_view import ComparisonView
from annotator.ui.lead.dataset.statistics_view import Behind
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.lead.statistics.table_with_export import TableWithExport
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

_MODEL: Final = Qt.ItemDataRole.UserRole
_MODELS_PX: Final = 300
_MOST_COLUMNS: Final = 20
_MOST_ITEMS: Final = 2000


class EvaluationView(QWidget):
    """Files of results and baselines against the annotations; ``placeWanted`` asks for a `Behind`,
    ``predictionWanted`` for one with the predictions of a model over the annotations.

    The annotations are those that an export has.
    """

    placeWanted = Signal(object)  # Behind
    predictionWanted = Signal(object, str, object)  # Behind, title of the model, Document
    evaluated = Signal(object)  # Scores

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace, self._project = workspace, project
        self._scores: Scores | None = None
        self._paths: dict[str, Path | None] = {}
        self._job: Job[Scores] | None = None
        self.models = QListWidget()
        self.models.setAccessibleName(self.tr("Models"))
        self.models.setSpacing(2)
        for name in BASELINES:
            self._list_model(baseline_title(name), name, is_on=False)
        self.add = QPushButton(self.tr("Add predictions…"))
        self.add.clicked.connect(self._on_add_clicked)
        self.remove = QPushButton(self.tr("Remove predictions"))
        self.remove.setEnabled(False)
        self.remove.clicked.connect(self._on_remove_clicked)
        self.models.currentItemChanged.connect(self._on_model_changed)
        self.go = QPushButton(self.tr("Evaluate"))
        self.go.setProperty("kind", "primary")
        self.go.clicked.connect(self._on_go_clicked)
        self.by = QPushButton(self.tr("Group by"))
        self.by.setToolTip(self.tr("Columns by which results are listed"))
        self.by.setMenu(QMenu(self.by))
        self._columns: dict[str, QAction] = {}
        for name in (*USUAL_COLUMNS, "label"):
            self._offer_column(name, is_on=name != "label")
        self._latest = Latest(workspace, self.tr("Columns"), self)
        self.save = QPushButton(self.tr("Export results…"))
        self.save.setEnabled(False)
        self.save.clicked.connect(self._on_save_clicked)
        self.model = QComboBox()
        self.model.setAccessibleName(self.tr("Model"))
        self.model.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.model.activated.connect(self._show_items)
        self.columns: RowColumns[ItemScore] = RowColumns(
            [
                self.tr("Content"),
                self.tr("Video"),
                self.tr("Task"),
                self.tr("Metric"),
                self.tr("Value"),
            ],
            _cell,
            _key,
            (4,),
        )
        self.rows: RowModel[ItemScore] = RowModel(self.columns)
        self.items = RowTable(
            self.rows,
            self.tr("Worst results first"),
            (40, 24, 20, 24, 10),
            self.tr("The worst results appear here after an evaluation."),
        )
        self.items.doubleClicked.connect(self._on_opened)
        self.empty = QLabel(
            self.tr(
                "Select baselines or add files of predictions, for example results of the "
                "Perception Test challenges, and click Evaluate. The results of all models appear "
                "side by side, with 95% confidence intervals over videos."
            )
        )
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.table: TableWithExport | None = None
        self.results = QTabWidget()
        self.compared = ComparisonView(workspace.hub)
        self.compared.videoChosen.connect(self._on_video_chosen)
        self._lay_out()

    def _lay_out(self) -> None:
        left_side = QWidget()
        column = QVBoxLayout(left_side)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(QLabel(self.tr("Models")))
        column.addWidget(self.models, 1)
        for button in (self.add, self.remove, self.by, self.go, self.save):
            column.addWidget(button)
        left_side.setMaximumWidth(_MODELS_PX)
        self._results = QVBoxLayout()
        self._results.addWidget(self.empty)
        upper = QWidget()
        upper.setLayout(self._results)
        self.results.setDocumentMode(True)
        self.results.addTab(upper, self.tr("Results"))
        self.results.addTab(self.compared, self.tr("Two models"))
        self.results.setTabEnabled(1, False)
        self.model.setEnabled(False)
        lower = QWidget()
        below = QVBoxLayout(lower)
        below.setContentsMargins(0, 0, 0, 0)
        head = QHBoxLayout()
        head.addWidget(QLabel(self.tr("Worst results of")))
        head.addWidget(self.model)
        head.addStretch(1)
        below.addLayout(head)
        below.addWidget(self.items, 1)
        right = QSplitter(Qt.Orientation.Vertical)
        right.addWidget(self.results)
        right.addWidget(lower)
        right.setStretchFactor(0, 3)
        right.setStretchFactor(1, 2)
        splitter = QSplitter()
        splitter.addWidget(left_side)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.addWidget(splitter)

    def leave(self) -> None:
        """Read no more."""
        self._latest.forget()

    def read(self) -> None:
        """Offer the metadata columns of the videos."""
        project = self._project

        def columns(_: JobToken) -> list[str]:
            return list(dict.fromkeys(c for i, _ in project.media.all() for c in metadata_of(i)))

        self._latest.ask(columns, self._offer_columns)

    def _offer_columns(self, names: list[str]) -> None:
        for name in names[:_MOST_COLUMNS]:
            if name not in self._columns:
                self._offer_column(name, is_on=name == "script")

    def _offer_column(self, name: str, *, is_on: bool) -> None:
        menu = self.by.menu()
        self._columns[name] = menu.addAction(name.replace("&", "&&"))
        self._columns[name].setCheckable(True)
        self._columns[name].setChecked(is_on)

    def add_predictions(self, path: Path) -> None:
        """List a file of predictions, checked; one that is listed already is checked again."""
        title = path.stem
        for i in range(self.models.count()):
            item = self.models.item(i)
            if item.data(_MODEL) == path:
                item.setCheckState(Qt.CheckState.Checked)
                return
            if item.text() == title:
                title = f"{path.stem} ({path.parent.name})"
        self._list_model(title, path, is_on=True).setToolTip(plain_tip(str(path)))

    def _list_model(self, title: str, model: str | Path, *, is_on: bool) -> QListWidgetItem:
        item = QListWidgetItem(title)
        item.setData(_MODEL, model)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
        self.models.addItem(item)
        return item

    @Slot()
    def _on_model_changed(self) -> None:
        item = self.models.currentItem()
        self.remove.setEnabled(item is not None and isinstance(item.data(_MODEL), Path))

    @Slot()
    def _on_remove_clicked(self) -> None:
        self.models.takeItem(self.models.currentRow())

    @Slot()
    def _on_add_clicked(self) -> None:
        title, filters = (
            self.tr("Add predictions"),
            self.tr("Predictions (*.json *.jsonl *.csv *.txt *.xml *.eaf *.tsv);;All files (*)"),
        )
        for path in ask_files(self, title, filters, self._project.path.parent):
            self.add_predictions(path)

    def chosen(self) -> list[tuple[Path | None, str]]:
        """Return path (None for a baseline) and name of the models that are checked."""
        items = (self.models.item(i) for i in range(self.models.count()))
        models = [i.data(_MODEL) for i in items if i.checkState() == Qt.CheckState.Checked]
        named = named_predictions(model for model in models if isinstance(model, Path))
        baselines = [(None, model) for model in models if not isinstance(model, Path)]
        return [*baselines, *((path, name) for name, path in named.items())]

    @Slot()
    def _on_go_clicked(self) -> None:
        chosen, project = self.chosen(), self._project
        columns = [name for name, action in self._columns.items() if action.isChecked()]
        if not chosen:
            self._workspace.message.emit(self.tr("Select a model first."))
            return

        def work(token: JobToken) -> Scores:
            return evaluate_project(project, chosen, columns, token)

        def done(scores: Scores) -> None:
            self._paths = {name: path for path, name in chosen}
            self._on_done(scores)

        if self._job is not None:
            # One that still runs would take the place of this one's results when it ends.
            self._job.cancel()
        self._job = self._workspace.start_job(self.tr("Evaluate"), work, done)

    def _on_done(self, scores: Scores) -> None:
        self.save.setEnabled(True)
        self._scores = scores
        self.evaluated.emit(scores)
        names = list(dict.fromkeys(result.model for result in scores.results))
        self._show_results(scores, names)
        self.model.clear()
        for name in names:
            self.model.addItem(baseline_title(name), name)
        self._show_items()
        self.model.setEnabled(bool(names))
        self.compared.set_scores(scores.means)
        self.results.setTabEnabled(1, len(names) > 1)
        if scores.findings:
            text = self.tr(
                "The evaluation is complete. Some predictions were not used as they are."
            )
            title = self.tr("Evaluation")
            ReportDialog(self._workspace.hub, title, text, scores.findings, parent=self).open()

    def _show_results(self, scores: Scores, names: list[str]) -> None:
        if self.table is not None:
            self.table.deleteLater()
        self.empty.hide()
        head = [self.tr("Metric"), *map(baseline_title, names)]
        name = f"{self._project.path.stem} evaluation"
        self.table = TableWithExport(
            self._workspace, self.tr("Results"), name, head, is_filling=True
        )
        rows, shown_rows = [], []
        for title, group, by_model in side_by_side(scores.results):
            task, metric = title.split(" ")
            if metric.startswith("jaccard_"):
                continue
            first = f"    {group}" if group else metric_title(task, metric)
            results = [by_model.get(model) for model in names]
            rows.append((first, *(r.value if r is not None else "" for r in results)))
            shown_rows.append((first, *map(_metric_text, results)))
        self.table.set_rows(rows, shown_rows)
        if not rows:
            self.empty.setText(self.tr("Predictions and annotations have no task in common."))
            self.empty.show()
        self._results.addWidget(self.table)

    @Slot()
    def _show_items(self) -> None:
        if self._scores is not None and self.model.count():
            self.rows.set_rows(self._scores.worst[self.model.currentData()])

    @Slot(QModelIndex)
    def _on_opened(self, index: QModelIndex) -> None:
        self._open(self.model.currentData(), self.rows.rows[index.row()])

    @Slot(str, str, str)
    def _on_video_chosen(self, model: str, task: str, video: str) -> None:
        """Open a video at the worst result of a model."""
        scores = self._scores
        if scores is None:
            return

        def done(found: ItemScore | None) -> None:
            if found is not None:
                self._open(model, found)

        self._workspace.start_job(
            self.tr("Show prediction"), lambda _: scores.worst_of(model, task, video), done
        )

    def _open(self, name: str, item: ItemScore) -> None:
        """Open the place of a score, with the predictions of the model over the annotations."""
        info = videos_by_name(self._project).get(item.video)
        if info is None:
            return
        seconds = item.frame / (info.frame_rate or 30.0)
        tool = TOOLS.get(item.task)
        place = Behind(info.id, info.name, item.label, item.frame, seconds, tool, item.mark_id)
        path = self._paths.get(name)
        if tool is None or item.is_missing or (path is None and name in PEOPLE):
            self.placeWanted.emit(place)
            return
        project = self._project

        def work(token: JobToken) -> Document:
            with closing(opened_model(path, name, Reference(project), token)) as model:
                return overlay_of(project, info, model)

        def done(document: Document) -> None:
            self.predictionWanted.emit(place, baseline_title(name), document)

        self._workspace.start_job(self.tr("Show prediction"), work, done)

    @Slot()
    def _on_save_clicked(self) -> None:
        done = self._scores
        folder = ask_folder(self, self.tr("Export results"), beside=self._project.path.parent)
        if folder is None or done is None:
            return

        def work(_: JobToken) -> int:
            return done.save(folder)

        def show_count(n: int) -> None:
            self._workspace.message.emit(
                counted(n, self.tr("1 table exported"), self.tr("{n} tables exported"))
            )

        self._workspace.start_job(self.tr("Export results"), work, show_count)


def _metric_text(result: MetricResult | None) -> str:
    if result is None or math.isnan(result.value):
        return "–"
    span = result.interval
    return f"{result.value:.3f}" + (f"  ({span[0]:.3f}–{span[1]:.3f})" if span else "")


def _cell(item: ItemScore, column: int) -> str:
    metric = ITEM_METRICS[item.task]
    texts = (
        item.label,
        item.video,
        metric_title(item.task, ""),
        metric_title("", metric),
        "–" if item.is_missing else f"{item.values[metric]:.3f}",
    )
    return texts[column]


def _key(item: ItemScore, column: int) -> object:
    metric = ITEM_METRICS[item.task]
    return (item.label, item.video, item.task, metric, item.values[metric])[column]
