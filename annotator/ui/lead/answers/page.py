"""Answers: what became of the items, how far raters agree, and which open answers are one."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QScrollArea, QTabWidget, QVBoxLayout, QWidget

from annotator.domain.questions.items.item import ItemState
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.answers.agreement_box import AgreementBox
from annotator.ui.lead.answers.benchmark_tables import BenchmarkTables
from annotator.ui.lead.answers.figures import AnswerOverview, read_answers
from annotator.ui.lead.answers.items_box import ItemsBox
from annotator.ui.lead.answers.open_answers_box import OpenAnswersBox
from annotator.ui.lead.answers.words import state_text
from annotator.ui.lead.statistics.figure_table import FigureTable
from annotator.ui.state.desk import Desk
from annotator.ui.state.reading import Page

_GAP_PX: Final = 18


class AnswersPage(Page):
    """Tables of items, reasons and raters that follow the work; agreement when it is wanted; the
    groups of open answers.
    """

    def __init__(self, desk: Desk, project: OpenProject) -> None:
        super().__init__(desk, project, self.tr("Answers"))
        task, person, share = self.tr("Task type"), self.tr("Person"), self.tr("Accuracy")
        low, high = self.tr("CI lower"), self.tr("CI upper")
        self.items = self._table(
            self.tr("Items"), "items", [task, *map(state_text, ItemState), self.tr("all")]
        )
        self.reasons = self._table(
            self.tr("Discard reasons"),
            "discarded",
            [task, self.tr("Reason"), self.tr("Items")],
        )
        self.raters = self._table(
            self.tr("Accuracy by person"),
            "known answers",
            [
                person,
                task,
                self.tr("Purpose"),
                self.tr("Correct"),
                self.tr("Answers"),
                share,
                low,
                high,
                self.tr("Qualification status"),
            ],
            ("method", "level", "digest"),
        )
        self.raters.setToolTip(self.tr("CI lower and CI upper: 95% Wilson confidence interval."))
        self.benchmark = BenchmarkTables(desk, project)
        self.agreement = AgreementBox(desk, project)
        self.open_answers = OpenAnswersBox(desk, project)
        self.single = ItemsBox(desk, project)
        self.parts = QTabWidget()
        self._lay_out()

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
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        self.parts.setDocumentMode(True)
        self.parts.addTab(area, self.tr("Items and people"))
        self.parts.addTab(self.single, self.tr("Item list"))
        self.parts.addTab(self.agreement, self.tr("Inter-rater agreement"))
        self.parts.addTab(self.open_answers, self.tr("Open answers"))
        self.parts.currentChanged.connect(self._read_single)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.parts)

    def leave(self) -> None:
        self.agreement.leave()
        self.open_answers.leave()
        self.single.leave()
        self.benchmark.leave()
        super().leave()

    def _read(self) -> None:
        project = self._project
        self._latest.ask(lambda _: read_answers(project), self._show)
        self.benchmark.read()
        self.open_answers.read()
        self._read_single()

    @Slot()
    def _read_single(self) -> None:
        """Read single items while they are in sight: there may be tens of thousands."""
        if self.parts.currentWidget() is self.single:
            self.single.read()

    def _show(self, found: AnswerOverview) -> None:
        for table, figures in (
            (self.items, found.items),
            (self.reasons, found.reasons),
            (self.raters, found.raters),
        ):
            table.set_rows(figures.rows, figures.shown)
        self.agreement.set_kinds(found.compared)
