"""Offers the rolling backups of a project that is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotator.services.project.backup import Backup


from annotator.ui.look.widgets import plain


class BackupsDialog(QDialog):
    """Lets the person choose a backup to put in the place of a damaged project."""

    def __init__(
        self, path: Path, reason: str, copies: Sequence[Backup], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("The project is damaged"))
        self._copies = list(copies)
        head = self.tr("Cannot open {path}: {reason}").format(path=path, reason=reason)
        if self._copies:
            head += "\n\n" + self.tr(
                "Select a backup to restore. The damaged file is kept in the same folder."
            )
        else:
            head += "\n\n" + self.tr("No backup of this project exists.")
        lead = plain(QLabel(head))
        lead.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Backups"))
        locale = QLocale()
        for copy in self._copies:
            when = copy.at.astimezone().strftime("%d %b %Y, %H:%M:%S")
            self.list.addItem(f"{when}   {locale.formattedDataSize(copy.size_bytes)}")
        self.list.setVisible(bool(self._copies))
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(self._on_item_activated)
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(
            standard.Ok | standard.Cancel if self._copies else standard.Close
        )
        if self._copies:
            buttons.button(standard.Ok).setText(self.tr("Restore backup"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(lead)
        layout.addWidget(self.list)
        layout.addWidget(buttons)
        self.resize(520, 300)

    def chosen(self) -> Path | None:
        """Return the backup chosen."""
        row = self.list.currentRow()
        return self._copies[row].path if 0 <= row < len(self._copies) else None

    @Slot()
    def _on_item_activated(self) -> None:
        self.accept()
