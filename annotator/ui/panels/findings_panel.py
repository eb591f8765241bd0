"""The panel Findings: issues of the open draft, and navigation to them.

Peculiarities of the video file come last; they are not counted, since a rater cannot fix them.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.checks import Finding, Severity
from annotator.ui.look.texts import finding_title
from annotator.ui.look.widgets import plain
from annotator.ui.panels.live_findings import LiveFindings
from annotator.ui.state.workspace import Workspace

_ICONS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}
_ORDER: Final = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
_MOST: Final = 500


class FindingsPanel(QWidget):
    """Lists the findings, the most severe first. Activating a finding jumps to it."""

    jumped = Signal(object)  # Finding
    countChanged = Signal(int)

    def __init__(self, workspace: Workspace, findings: LiveFindings) -> None:
        super().__init__()
        self._workspace = workspace
        self._findings = findings
        self._shown: list[Finding] = []
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Issues"))
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.itemClicked.connect(self._on_item_activated)
        self.list.itemActivated.connect(self._on_item_activated)
        self._empty = plain(QLabel())
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setMargin(16)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addLayout(self._pages)
        findings.changed.connect(self.refresh)
        workspace.hub.changed.connect(self._dress)
        workspace.stageChanged.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the latest findings."""
        found = sorted(self._findings.findings, key=lambda f: _ORDER.index(f.severity))[:_MOST]
        found += self._remarks()
        if found != self._shown or not found:
            self._shown = found
            self._dress()
        is_open = self._workspace.session is not None
        self._empty.setText(
            self.tr("No issues found.") if is_open else self.tr("No video is open.")
        )
        self._pages.setCurrentIndex(0 if found else 1)
        self.countChanged.emit(len(self._findings.findings))

    def _remarks(self) -> list[Finding]:
        """Return the findings from reading the file of the open video."""
        project, session = self._workspace.project, self._workspace.session
        if project is None or session is None:
            return []
        video = session.document.video
        texts = project.media.video(video.id).findings
        return [Finding("video", video.name, text, Severity.NOTE) for text in texts]

    @Slot()
    def _dress(self) -> None:
        self.list.clear()
        theme, session = self._workspace.hub.theme, self._workspace.session
        prefix = f"{session.document.video.name}, " if session else ""
        for finding in self._shown:
            name = _ICONS.get(finding.severity, "info")
            token = name if name != "info" else "text_dim"
            where = finding.where.removeprefix(prefix)
            title = finding_title(finding.code)
            head = f"{title} · {where}" if title else where
            item = QListWidgetItem(theme.icon(name, token=token), f"{head}\n{finding.text}")
            self.list.addItem(item)

    @Slot(QListWidgetItem)
    def _on_item_activated(self, item: QListWidgetItem) -> None:
        self.jumped.emit(self._shown[self.list.row(item)])
