"""The tables of a benchmark on the page of answers: made for what its recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QTimer, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.services.project.projects import OpenProject
from annotator.services.tables import Cell
from annotator.ui.lead.statistics.figure_table import FigureTable
from annotator.ui.state.desk import Desk
from annotator.ui.state.reading import Latest

if TYPE_CHECKING:
    from annotator.services.questions.benchmark import BenchmarkTable, Column, TableKind


_NOTHING: Final = "–"


def _title(kind: TableKind) -> str:
    """Return the title of a table."""
    return _tr(kind.title)


def _about(kind: TableKind) -> str:
    """Return what is to be known of a table, "" for nothing."""
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
    from annotator.services.questions.benchmark import Proportion

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
    """Shows nothing where the recipe is of no benchmark that has tables of its own."""

    def __init__(self, desk: Desk, project: OpenProject) -> None:
        super().__init__()
        self._desk = desk
        self._project = project
        self._latest = Latest(desk, self.tr("Benchmark tables"), self)
        self.tables: dict[str, FigureTable] = {}
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
        from annotator.services.questions.agreement.figures import benchmark_tables

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
            table = FigureTable(self._desk, _title(kind), file_name, *columns)
            table.setToolTip(_about(kind))
            self._rows.addWidget(table)
            self.tables[kind.name] = table
