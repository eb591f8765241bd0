"""Page Answers: outcome of items, agreement, open answers, and benchmark tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QTimer, Slot
from PySide6.QtWidgets import QScrollArea, QTabWidget, QVBoxLayout, QWidget

from annotator.domain.questions.items.item import ItemState
from annotator.services.project.projects import OpenProject
from annotator.services.tables import Cell
from annotator.ui.lead.answers.agreement_box import AgreementBox
from annotator.ui.lead.answers.answer_statistics import AnswerOverview, read_answers
from annotator.ui.lead.answers.items_box import ItemsBox
from annotator.ui.lead.answers.open_answers_box import OpenAnswersBox
from annotator.ui.lead.lead_texts import state_text
from annotator.ui.lead.statistics.table_with_export import TableWithExport
from annotator.ui.look.widgets import show_tabs_as_buttons
from annotator.ui.state.background_reads import Latest, Page
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.questions.benchmark_plugin import BenchmarkTable, Column, TableKind

_NOTHING: Final = "–"


def _title(kind: TableKind) -> str:
    """Return the title of a table."""
    return _tr(kind.title)


def _about(kind: TableKind) -> str:
    """Return the explanation of a table, "" for none."""
    return _tr(kind.about) if kind.about else ""


def _heads(kind: TableKind) -> list[str]:
    """Return the heads of the columns that are shown of a table."""
    return [_tr(column.head) for column in kind.columns if column.head]


def _further(kind: TableKind) -> list[str]:
    """Return the names of the columns that only its file has, after those that are shown."""
    return [column.name for column in kind.columns if not column.head]


def _shown(kind: TableKind, row: Sequence[Cell]) -> tuple[str, ...]:
    """Return a row as it is shown."""
    return tuple(
        _cell(column, cell) for column, cell in zip(kind.columns, row, strict=True) if column.head
    )


def _cell(column: Column, cell: Cell) -> str:
    from annotator.services.questions.benchmark_plugin import Proportion

    if isinstance(cell, str):
        return _tr(column.words[cell]) if cell in column.words else cell or _NOTHING
    if isinstance(cell, Proportion):
        return f"{cell:.1%}"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.1f}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("benchmarks", text)


_GAP_PX: Final = 18
_REST_MS: Final = 15_000
"""Of some ten thousand items they take seconds of work: not again after each change."""


class BenchmarkTables(QWidget):
    """Tables of the recipe's benchmark; empty without such tables."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace = workspace
        self._project = project
        self._latest = Latest(workspace, self.tr("Benchmark tables"), self)
        self.tables: dict[str, TableWithExport] = {}
        self._is_stale = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._on_rested)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(_GAP_PX)
        self.hide()

    def read(self) -> None:
        """Read them again, in a job: now, or when the last time is long enough ago."""
        self._is_stale = self._rest.isActive()
        if not self._is_stale:
            self._ask()

    def _ask(self) -> None:
        from annotator.services.questions.agreement.agreement_files import benchmark_tables

        project = self._project
        self._rest.start()
        self._latest.ask(lambda _: benchmark_tables(project), self._show)

    def leave(self) -> None:
        """Read no more: the project is about to be closed."""
        self._rest.stop()
        self._latest.forget()

    @Slot()
    def _on_rested(self) -> None:
        page = self.parentWidget()
        if self._is_stale and page is not None and page.isVisible():
            self.read()

    def _show(self, found: Sequence[BenchmarkTable]) -> None:
        if list(self.tables) != [each.kind.name for each in found]:
            self._build([each.kind for each in found])
        for each in found:
            shown = [_shown(each.kind, row) for row in each.rows]
            self.tables[each.kind.name].set_rows(each.rows, shown)
        self.setVisible(bool(found))

    def _build(self, kinds: Sequence[TableKind]) -> None:
        for table in self.tables.values():
            self._rows.removeWidget(table)
            table.deleteLater()
        self.tables = {}
        for kind in kinds:
            file_name = f"{self._project.path.stem} {kind.name}"
            columns = _heads(kind), _further(kind)
            table = TableWithExport(self._workspace, _title(kind), file_name, *columns)
            table.setToolTip(_about(kind))
            self._rows.addWidget(table)
            self.tables[kind.name] = table


class AnswersPage(Page):
    """Tables of items, reasons and raters that follow the work; agreement on request; the groups of
    open answers."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Answers"))
        task, person, share = self.tr("Task type"), self.tr("Person"), self.tr("Accuracy")
        head = [person, task, self.tr("Purpose"), self.tr("Correct"), self.tr("Answers"), share]
        status = self.tr("Qualification status")
        states = [state_text(state).capitalize() for state in ItemState]
        head_of_items = [task, *states, self.tr("Total")]
        self.items = self._table(self.tr("Items"), "items", head_of_items)
        self.reasons = self._table(
            self.tr("Discard reasons"),
            "discarded",
            [task, self.tr("Reason"), self.tr("Items")],
        )
        self.raters = TableWithExport(
            workspace,
            self.tr("Accuracy by person"),
            f"{project.path.stem} known answers",
            [*head, status],
            file_header=[
                *head,
                self.tr("CI lower"),
                self.tr("CI upper"),
                status,
                *("method", "level", "digest"),
            ],
            intervals={len(head) - 1: len(head) - 1},
        )
        self.raters.setToolTip(self.tr("Accuracy with its 95% Wilson confidence interval."))
        self.benchmark = BenchmarkTables(workspace, project)
        self.agreement = AgreementBox(workspace, project)
        self.open_answers = OpenAnswersBox(workspace, project)
        self.single = ItemsBox(workspace, project)
        self.parts = QTabWidget()
        self._lay_out()

    def _table(self, title: str, name: str, header: list[str]) -> TableWithExport:
        stem = self._project.path.stem
        return TableWithExport(self._workspace, title, f"{stem} {name}", header)

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
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inner)
        show_tabs_as_buttons(self.parts)
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
        for table, estimates in (
            (self.items, found.items),
            (self.reasons, found.reasons),
            (self.raters, found.raters),
        ):
            table.set_rows(estimates.rows, estimates.shown)
        self.agreement.set_kinds(found.compared)
