"""A small table of statistics with a title and an export to CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.services.background.jobs import JobToken
from annotator.services.tables import Cell, write_table
from annotator.ui.dialogs.file_dialogs import ask_table
from annotator.ui.lead.statistics.charts import INTERVAL_ROLE, IntervalDelegate
from annotator.ui.look.widgets import calm, fit_columns, plain
from annotator.ui.state.workspace import Workspace


def export_table(
    workspace: Workspace,
    parent: QWidget,
    name: str,
    header: Sequence[str],
    rows: Callable[[], Sequence[Sequence[Cell]]],
) -> None:
    """Ask where to, and write there in the background; ``rows`` is called on the job's thread."""
    path = ask_table(
        parent, (workspace.project.path.parent if workspace.project else Path.home()) / name
    )
    if path is None:
        return

    def work(_: JobToken) -> Path:
        write_table(path, header, rows())
        return path

    def done(written: Path) -> None:
        workspace.message.emit(_tr("Exported {name}").format(name=written.name))

    workspace.start_job(_tr("Export table"), work, done)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)


_MOST_ROWS = 400
_ROWS_IN_SIGHT = 12


class TableWithExport(QWidget):
    """Shows rows of words and numbers; beyond 400 rows the rest is in the file only.

    ``intervals`` are columns that draw an interval beside their text, with the place of value, low
    and high (0..1) in a row for the file. ``further`` are the heads of columns that only the file
    has, after those that are shown; ``file_header`` are those of a file with other columns. It is
    as high as its rows, and as wide as there is room; one that ``is_filling`` takes all the room
    there is and scrolls.
    """

    def __init__(
        self,
        workspace: Workspace,
        title: str,
        file_name: str,
        header: Sequence[str],
        further: Sequence[str] = (),
        *,
        file_header: Sequence[str] = (),
        intervals: Mapping[int, int] = MappingProxyType({}),
        is_filling: bool = False,
    ) -> None:
        super().__init__()
        self._is_filling = is_filling
        self._workspace = workspace
        self._file_name = file_name
        self._header = list(file_header) or [*header, *further]
        self._intervals = intervals
        self._rows: list[tuple[Cell, ...]] = []
        self.heading = plain(QLabel(title))
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.save = QPushButton(self.tr("Export CSV…"))
        self.save.setAccessibleName(self.tr("Export “{title}” as CSV").format(title=title))
        self.save.clicked.connect(self._on_save_clicked)
        self.table = QTableWidget(0, len(header))
        self.table.setAccessibleName(title)
        self.table.setHorizontalHeaderLabels(list(header))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        calm(self.table)
        for column in intervals:
            self.table.setItemDelegateForColumn(column, IntervalDelegate(workspace.hub, self.table))
        self.table.hide()
        self.empty = plain(QLabel(self.tr("No data yet.")))
        self.empty.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        row = QHBoxLayout()
        row.addWidget(self.heading, 1)
        row.addWidget(self.save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.empty)
        layout.addWidget(self.table, 1)

    def set_rows(
        self, rows: Sequence[tuple[Cell, ...]], shown_rows: Sequence[tuple[str, ...]]
    ) -> None:
        """Show ``shown``; ``rows`` are the same for the file, with numbers as numbers."""
        self._rows = list(rows)
        self.table.setRowCount(min(len(shown_rows), _MOST_ROWS))
        columns = zip(*shown_rows, strict=True)
        numbers = {x for x, texts in enumerate(columns) if all(map(_is_number, texts))}
        for y, texts in enumerate(shown_rows[:_MOST_ROWS]):
            for x, text in enumerate(texts):
                item = QTableWidgetItem(text)
                if x in self._intervals:
                    first = self._intervals[x]
                    item.setData(INTERVAL_ROLE, rows[y][first : first + 3])
                elif x and x in numbers:
                    item.setTextAlignment(
                        Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    )
                self.table.setItem(y, x, item)
        self.save.setEnabled(bool(rows))
        fit_columns(self.table)
        self._fit()

    def _fit(self) -> None:
        """Be as high as the rows, up to a number of them; an empty one is replaced by a text."""
        n = min(self.table.rowCount(), _ROWS_IN_SIGHT)
        line = self.table.verticalHeader().defaultSectionSize()
        head = self.table.horizontalHeader().sizeHint().height()
        if not self._is_filling:
            self.table.setFixedHeight(head + n * line + 2 * self.table.frameWidth())
        self.table.setVisible(n > 0)
        self.empty.setVisible(n == 0)

    @Slot()
    def _on_save_clicked(self) -> None:
        rows = list(self._rows)
        export_table(self._workspace, self, self._file_name, self._header, lambda: rows)


def _is_number(text: str) -> bool:
    """Return whether a cell is a number, or the sign of an unknown number."""
    return text in ("", "–") or text.lstrip("-−+").lstrip()[:1].isdigit()
