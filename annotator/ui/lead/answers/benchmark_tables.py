"""The tables of a benchmark on the page of answers: made for what its recipe asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.services.project.projects import OpenProject
from annotator.ui.lead.answers import benchmark_words as words
from annotator.ui.lead.statistics.figure_table import FigureTable
from annotator.ui.state.desk import Desk
from annotator.ui.state.reading import Latest

if TYPE_CHECKING:
    from annotator.services.questions.benchmark import BenchmarkTable, TableKind

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
        from annotator.services.questions.agreement.benchmark_tables import benchmark_tables

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
            shown = [words.shown(each.kind, row) for row in each.rows]
            self.tables[each.kind.name].set_rows(each.rows, shown)
        self.setVisible(bool(found))

    def _build(self, kinds: Sequence[TableKind]) -> None:
        for table in self.tables.values():
            self._rows.removeWidget(table)
            table.deleteLater()
        self.tables = {}
        for kind in kinds:
            file_name = f"{self._project.path.stem} {kind.name}"
            heads, further = words.heads(kind), words.further(kind)
            table = FigureTable(self._desk, words.title(kind), file_name, heads, further)
            table.setToolTip(words.about(kind))
            self._rows.addWidget(table)
            self.tables[kind.name] = table
