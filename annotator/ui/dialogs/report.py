"""A list of findings with a way to the place of each: after an export, an import, or adding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Slot
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
from annotator.ui.theme import ThemeHub

_ICONS = {
    Severity.ERROR: ("error", "error"),
    Severity.WARNING: ("warning", "warning"),
}


class ReportDialog(QDialog):
    """Says what was done and lists what a person should look at."""

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
        lead = QLabel(text)
        lead.setWordWrap(True)
        lead.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Findings"))
        self.list.setWordWrap(True)
        self.list.setAlternatingRowColors(True)
        for finding in self._findings:
            name, token = _ICONS.get(finding.severity, ("info", "text_dim"))
            self.list.addItem(QListWidgetItem(hub.theme.icon(name, token=token), str(finding)))
        self.list.itemActivated.connect(self._on_item_activated)
        self.list.setVisible(bool(self._findings))
        hint = QLabel(self.tr("Double-click an entry to go there."))
        hint.setVisible(jump is not None and any(f.track_id for f in self._findings))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(lead)
        layout.addWidget(self.list, 1)
        layout.addWidget(hint)
        layout.addWidget(buttons)
        self.resize(620, 380 if self._findings else 140)

    @Slot(QListWidgetItem)
    def _on_item_activated(self, item: QListWidgetItem) -> None:
        if self._jump is not None:
            self._jump(self._findings[self.list.row(item)])
