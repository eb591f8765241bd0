"""A metadata table for the videos: selection, preview, and matching with files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal, Slot
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

from annotator.domain.errors import UserError
from annotator.services.background.jobs import JobToken
from annotator.services.project.bulk_import import media_files
from annotator.services.project.metadata import TablePreview, preview_table
from annotator.ui.dialogs.file_dialogs import ask_file
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

_NAMED = 5


class FactsBox(QWidget):
    """Asks for a CSV or JSON table; ``sources`` returns the videos to add with it."""

    changed = Signal()

    def __init__(
        self, workspace: Workspace, sources: Callable[[], list[Path]], folder: Path
    ) -> None:
        super().__init__()
        self._sources = sources
        self._folder = folder
        self._latest = Latest(workspace, self.tr("Read table"), self)
        self.path: Path | None = None
        hint = QLabel(
            self.tr(
                "Optional: a CSV or JSON table with one row per video. The column “video” contains "
                "the video name. Known columns are script, variation, participant, camera, indoor, "
                "split, and cut_frame. Other columns are kept unchanged."
            )
        )
        hint.setWordWrap(True)
        choose = QPushButton(self.tr("Select table…"))
        choose.setAutoDefault(False)
        choose.clicked.connect(self._on_choose_clicked)
        self.drop = QPushButton(self.tr("Remove table"))
        self.drop.setAutoDefault(False)
        self.drop.clicked.connect(self._on_drop_clicked)
        self.name = plain(QLabel())
        row = QHBoxLayout()
        row.addWidget(choose)
        row.addWidget(self.drop)
        row.addWidget(self.name, 1)
        self.table = QTableWidget()
        self.table.setAccessibleName(self.tr("Table preview"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        lines = self.table.verticalHeader()
        lines.hide()
        lines.setDefaultSectionSize(round(self.table.fontMetrics().height() * 1.5))
        self.table.setTabKeyNavigation(False)
        self.word = plain(QLabel())
        self.word.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(hint)
        layout.addLayout(row)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.word)
        self.show_table(None)

    def show_table(self, path: Path | None) -> None:
        """Preview a table in the background, or none."""
        self.path = path
        self.name.setText(path.name if path is not None else "")
        self.drop.setEnabled(path is not None)
        self.table.setRowCount(0)
        self.table.setColumnCount(0)
        self.word.setText(self.tr("Reading…") if path is not None else "")
        self.changed.emit()
        if path is not None:
            self.look()

    def look(self) -> None:
        """Compare the table with the sources as they are now."""
        path, sources = self.path, self._sources()
        if path is None:
            return

        def work(_: JobToken) -> TablePreview | str:
            try:
                return preview_table(path, media_files(sources))
            except UserError as error:
                return str(error)

        self._latest.ask(work, self._show)

    def forget(self) -> None:
        """Stop waiting for results."""
        self._latest.forget()

    def _show(self, preview: TablePreview | str) -> None:
        if isinstance(preview, str):
            self.path = None
            self.word.setText(preview)
            self.changed.emit()
            return
        columns = [self.tr("video"), *preview.columns]
        self.table.setColumnCount(len(columns))
        self.table.setHorizontalHeaderLabels(columns)
        self.table.setRowCount(len(preview.rows))
        for y, cells in enumerate(preview.rows):
            for x, text in enumerate(cells):
                self.table.setItem(y, x, QTableWidgetItem(text))
        lines = [counted(preview.n_rows, self.tr("1 row."), self.tr("{n:,} rows.")), *preview.notes]
        if preview.rows_without_video:
            names = [name for _, name in preview.rows_without_video]
            row_text = self.tr("{n:,} rows match no file:")
            text = counted(len(names), self.tr("1 row matches no file:"), row_text)
            lines.append(f"{text} {_some(names)}")
        if preview.files_without_row:
            without = list(preview.files_without_row)
            row_text = self.tr("{n:,} files have no row:")
            text = counted(len(without), self.tr("1 file has no row:"), row_text)
            lines.append(f"{text} {_some(without)}")
        self.word.setText("\n".join(lines))

    @Slot()
    def _on_choose_clicked(self) -> None:
        filters = self.tr("Tables (*.csv *.tsv *.json);;All files (*)")
        path = ask_file(self, self.tr("Select table"), filters, self._folder)
        if path is not None:
            self.show_table(path)

    @Slot()
    def _on_drop_clicked(self) -> None:
        self._latest.forget()
        self.show_table(None)


def _some(names: list[str]) -> str:
    more = f" … (+{len(names) - _NAMED:,})" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
