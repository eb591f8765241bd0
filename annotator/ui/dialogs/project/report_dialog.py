"""A list of findings with a way to the place of each: after an export, an import, or adding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import UserError
from annotator.services.tables import write_table
from annotator.ui.dialogs.file_dialogs import ask_table
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain, warn

_ICONS = {
    Severity.ERROR: ("error", "error"),
    Severity.WARNING: ("warning", "warning"),
}


class ReportDialog(QDialog):
    """Summary of a finished operation, with its findings."""

    def __init__(
        self,
        hub: ThemeHub,
        title: str,
        text: str,
        findings: Sequence[Finding],
        *,
        jump: Callable[[Finding], None] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._findings = list(findings)
        self._jump = jump
        lead = plain(QLabel(text))
        lead.setWordWrap(True)
        lead.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Issues"))
        self.list.setWordWrap(True)
        self.list.setAlternatingRowColors(True)
        for finding in self._findings:
            name, token = _ICONS.get(finding.severity, ("info", "text_dim"))
            self.list.addItem(QListWidgetItem(hub.theme.icon(name, token=token), str(finding)))
        self.list.itemActivated.connect(self._on_item_activated)
        self.list.setVisible(bool(self._findings))
        hint = QLabel(self.tr("Double-click an issue to go to it."))
        hint.setVisible(jump is not None and any(f.track_id or f.point_id for f in self._findings))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.copy = buttons.addButton(self.tr("Copy"), role)
        self.copy.clicked.connect(self._on_copy_clicked)
        self.save = buttons.addButton(self.tr("Export CSV…"), role)
        self.save.clicked.connect(self._on_save_clicked)
        for button in (self.copy, self.save):
            button.setVisible(bool(self._findings))
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(lead)
        layout.addWidget(self.list, 1)
        layout.addWidget(hint)
        layout.addWidget(buttons)
        self.resize(620, 380 if self._findings else 140)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(map(str, self._findings)))

    @Slot()
    def _on_save_clicked(self) -> None:
        path = ask_table(self, Path.home() / self.windowTitle())
        if path is None:
            return
        header = [self.tr("Location"), self.tr("Issue"), self.tr("Frame")]
        rows = [(f.where, f.text, f.frame if f.frame is not None else "") for f in self._findings]
        try:
            write_table(path, header, rows)
        except UserError as error:
            warn(self, self.windowTitle(), str(error))

    @Slot(QListWidgetItem)
    def _on_item_activated(self, item: QListWidgetItem) -> None:
        if self._jump is not None:
            self._jump(self._findings[self.list.row(item)])
