"""Answers: what became of the items, how far raters agree, and who knew what is known."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.domain.questions.item import ItemState
from annotator.services.jobs import Job, JobStatus
from annotator.services.projects import OpenProject
from annotator.ui.desk import Desk
from annotator.ui.lead.answer_figures import Agreed, Answers, read_answers, work_out
from annotator.ui.lead.answer_words import state_text
from annotator.ui.lead.benchmark_tables import BenchmarkTables
from annotator.ui.lead.figure_table import FigureTable
from annotator.ui.lead.reading import Page

_GAP_PX: Final = 18
_STEPS: Final = 1000
_FURTHER: Final = ("reason", "votes", "parameters", "version", "digest", "id")


class AnswersPage(Page):
    """Tables of items, reasons and raters that follow the work, and agreement when it is wanted."""

    def __init__(self, desk: Desk, project: OpenProject) -> None:
        super().__init__(desk, project, self.tr("Answers"))
        self._job: Job[Agreed] | None = None
        self.kind = QComboBox()
        self.kind.setAccessibleName(self.tr("Task"))
        self.kind.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.start = QPushButton(self.tr("Work out agreement"))
        self.start.clicked.connect(self._on_start_clicked)
        self.progress = QProgressBar()
        self.progress.setRange(0, _STEPS)
        self.progress.setAccessibleName(self.tr("Work out agreement"))
        self.stop = QPushButton(self.tr("Cancel"))
        self.stop.clicked.connect(self._on_stop_clicked)
        self.told = QLabel()
        self.told.setWordWrap(True)
        task, person, share = self.tr("Task"), self.tr("Person"), self.tr("Share")
        low, high = self.tr("From"), self.tr("To")
        self.items = self._table(
            self.tr("Items"), "items", [task, *map(state_text, ItemState), self.tr("all")]
        )
        self.reasons = self._table(
            self.tr("Why items were discarded"),
            "discarded",
            [task, self.tr("Reason"), self.tr("Items")],
        )
        self.raters = self._table(
            self.tr("Known answers, by person"),
            "known answers",
            [
                person,
                task,
                self.tr("Purpose"),
                self.tr("Right"),
                self.tr("Answers"),
                share,
                low,
                high,
                self.tr("Standing"),
            ],
        )
        self.raters.setToolTip(self.tr("From and to: the interval of 95 %, by Wilson's method."))
        self.agreement = self._table(
            self.tr("Agreement"),
            "agreement",
            [
                self.tr("Asked"),
                self.tr("Of"),
                self.tr("Method"),
                self.tr("Value"),
                low,
                high,
                self.tr("Items"),
                self.tr("Raters"),
            ],
            _FURTHER,
        )
        self.agreement.setToolTip(
            self.tr("Of decided tasks. From and to: the interval of 95 %, by bootstrap over items.")
        )
        self.benchmark = BenchmarkTables(desk, project)
        desk.bridge.jobChanged.connect(self._on_job_changed)
        self._lay_out()
        self._set_busy(is_busy=False)
        self._enable(n=0)

    def _table(
        self, title: str, name: str, header: list[str], further: tuple[str, ...] = ()
    ) -> FigureTable:
        stem = self._project.path.stem
        return FigureTable(self._desk, title, f"{stem} {name}", header, further)

    def _lay_out(self) -> None:
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.setSpacing(_GAP_PX)
        for table in (self.items, self.reasons, self.raters):
            table.set_rows([], [])
            rows.addWidget(table)
        rows.addWidget(self.benchmark)
        bar = QHBoxLayout()
        bar.addWidget(self.kind)
        bar.addWidget(self.start)
        bar.addWidget(self.progress, 1)
        bar.addWidget(self.stop)
        bar.addWidget(self.told, 1)
        rows.addLayout(bar)
        self.agreement.set_rows([], [])
        rows.addWidget(self.agreement)
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)

    def leave(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self.benchmark.leave()
        self._desk.bridge.jobChanged.disconnect(self._on_job_changed)
        super().leave()

    def _read(self) -> None:
        project = self._project
        self._latest.ask(lambda _: read_answers(project), self._show)
        self.benchmark.read()

    def _show(self, found: Answers) -> None:
        for table, figures in (
            (self.items, found.items),
            (self.reasons, found.reasons),
            (self.raters, found.raters),
        ):
            table.set_rows(figures.rows, figures.shown)
        known = [self.kind.itemData(i) for i in range(self.kind.count())]
        if known != [kind for kind, _ in found.kinds]:
            self.kind.clear()
            for kind, title in found.kinds:
                self.kind.addItem(title, kind)
        self._enable(len(found.kinds))

    def _enable(self, n: int) -> None:
        """Offer what there is to be worked out: with nothing asked there is nothing."""
        self.kind.setEnabled(n > 0)
        self.start.setEnabled(n > 0)

    @Slot()
    def _on_start_clicked(self) -> None:
        project, kind, title = self._project, self.kind.currentData(), self.kind.currentText()

        def done(found: Agreed) -> None:
            self._set_busy(is_busy=False)
            self.agreement.set_rows(found.agreement.rows, found.agreement.shown)
            self.told.setText(self._summary(title, found))

        self.told.setText("")
        self.progress.setValue(0)
        self._set_busy(is_busy=True)
        self._job = self._desk.jobs.submit(
            self.start.text(),
            lambda token: work_out(project, kind, token),
            done,
            failed=self._on_failed,
        )

    def _summary(self, title: str, found: Agreed) -> str:
        if found.seconds is None:
            return self.tr("{task}: nothing is decided yet").format(task=title)
        text = self.tr("{task}: an answer took {seconds:.1f} s in the median")
        return text.format(task=title, seconds=found.seconds)

    @Slot()
    def _on_stop_clicked(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._set_busy(is_busy=False)

    def _on_failed(self, error: UserError) -> None:
        self._set_busy(is_busy=False)
        self._desk.failed.emit(error)

    @Slot(object)
    def _on_job_changed(self, status: JobStatus) -> None:
        if self._job is not None and status.id == self._job.status.id and status.fraction:
            self.progress.setValue(round(status.fraction * _STEPS))

    def _set_busy(self, *, is_busy: bool) -> None:
        self.progress.setVisible(is_busy)
        self.stop.setVisible(is_busy)
        self.start.setVisible(not is_busy)
        self.told.setVisible(not is_busy)
