"""Questions before an import: meaning of columns, and videos of entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QStringListModel, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.look.widgets import plain

_MOST_SHOWN: Final = 40


class ColumnsDialog(QDialog):
    """The columns of a table with their first values, and the field that each holds.

    ``guessed`` are the columns of fields that are understood by name. A field is in one column.
    """

    def __init__(
        self,
        names: Sequence[str],
        rows: Sequence[Sequence[str]],
        fields: Sequence[str],
        guessed: Mapping[str, str],
        reason: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Columns of the table"))
        self._names = list(names)
        hint = QLabel(
            self.tr(
                "Select what each column contains. Boxes need frame, x1, y1 and x2, y2 or width, "
                "height; points need frame, x and y; actions and sounds need a start and an end in "
                "seconds or frames."
            )
        )
        hint.setWordWrap(True)
        self.reason = plain(QLabel(reason))
        self.reason.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setWordWrap(True)
        self.reason.setVisible(bool(reason))
        self.table = QTableWidget(len(self._names), 3)
        self.table.setHorizontalHeaderLabels(
            [self.tr("Column"), self.tr("Contains"), self.tr("First values")]
        )
        self.table.setAccessibleName(self.tr("Columns of the table"))
        self.table.verticalHeader().hide()
        self.table.setTabKeyNavigation(False)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        by_column = {column: field for field, column in guessed.items()}
        for i, name in enumerate(self._names):
            box = QComboBox()
            box.setAccessibleName(self.tr("Content of column {name}").format(name=name))
            box.addItem(self.tr("(not imported)"), "")
            for field in fields:
                box.addItem(field, field)
            box.setCurrentIndex(max(0, box.findData(by_column.get(name, ""))))
            box.currentIndexChanged.connect(self._check)
            values = " · ".join(row[i][:_MOST_SHOWN] for row in rows if i < len(row))
            for at, text in ((0, name[:_MOST_SHOWN]), (2, values)):
                item = QTableWidgetItem(text)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled)
                self.table.setItem(i, at, item)
            self.table.setCellWidget(i, 1, box)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self.tr("Continue"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(hint)
        layout.addWidget(self.reason)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.buttons)
        self.resize(640, 460)
        self._check()

    def box(self, row: int) -> QComboBox:
        """Return the field that chooses the content of a column."""
        found = self.table.cellWidget(row, 1)
        assert isinstance(found, QComboBox)
        return found

    def chosen(self) -> dict[str, str]:
        """Return the column of each field."""
        pairs = ((str(self.box(i).currentData()), name) for i, name in enumerate(self._names))
        return {field: name for field, name in pairs if field}

    @Slot()
    def _check(self) -> None:
        """Nothing can be imported without a column, or with two for one field."""
        found = [str(self.box(i).currentData()) for i in range(len(self._names))]
        taken = [field for field in found if field]
        is_clear = bool(taken) and len(set(taken)) == len(taken)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_clear)


class EntriesDialog(QDialog):
    """One row for each entry, with the video it goes to or none.

    Where there are as many videos as entries they are offered in their order.
    """

    def __init__(
        self, entries: Sequence[str], videos: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import"))
        self._entries = list(entries)
        self._videos = list(videos)
        hint = QLabel(
            self.tr(
                "The project has no videos with these names. Select a video for each entry of "
                "the file. Entries without a video are not imported."
            )
        )
        hint.setWordWrap(True)
        self.table = self._new_table()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self.tr("Continue"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(hint)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.buttons)
        self.resize(520, 380)

    def box(self, row: int) -> QComboBox:
        """Return the field that chooses the video of a row."""
        found = self.table.cellWidget(row, 1)
        assert isinstance(found, QComboBox)
        return found

    def chosen(self) -> dict[str, str]:
        """Return the videos by entry, of those that have one."""
        rows = enumerate(self._entries)
        return {
            entry: self._videos[at - 1]
            for i, entry in rows
            if (at := self.box(i).currentIndex()) > 0
        }

    def _new_table(self) -> QTableWidget:
        table = QTableWidget(len(self._entries), 2)
        table.setHorizontalHeaderLabels([self.tr("Entry"), self.tr("Video")])
        table.setAccessibleName(self.tr("Entries in the file"))
        table.verticalHeader().hide()
        table.setTabKeyNavigation(False)
        header = table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        # One list for all rows: a project may have thousands of videos.
        names = QStringListModel([self.tr("(do not import)"), *self._videos], self)
        in_order = len(self._entries) == len(self._videos)
        for row, entry in enumerate(self._entries):
            item = QTableWidgetItem(entry)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            table.setItem(row, 0, item)
            box = QComboBox()
            box.setModel(names)
            box.setAccessibleName(self.tr("Video for entry {name}").format(name=entry))
            box.setCurrentIndex(row + 1 if in_order else 0)
            table.setCellWidget(row, 1, box)
        return table
