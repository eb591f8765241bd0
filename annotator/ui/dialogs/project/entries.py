"""Asks which entry of a file goes to which video, where the names do not tell."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt
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
        told = QLabel(
            self.tr(
                "The project has no videos with these names. Select a video for each entry of "
                "the file. Entries without a video are not imported."
            )
        )
        told.setWordWrap(True)
        self.table = self._new_table()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self.tr("Continue"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(told)
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
