"""What to export: the format, the split, which frames and which videos."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.services.projects import OpenProject
from annotator.services.transfer import FORMATS, ExportRequest

_SPLITS: Final = ("train", "valid", "test")


class ExportDialog(QDialog):
    """Asks what goes into the file; where it goes is asked afterwards."""

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export annotations"))
        self.format = QComboBox()
        for kind in FORMATS.values():
            self.format.addItem(kind.title, kind.name)
        self.split = QComboBox()
        self.split.addItem(self.tr("as each video says"), None)
        for name in _SPLITS:
            self.split.addItem(name, name)
        self.frames = QComboBox()
        for text, name in (
            (self.tr("grid frames (one per second)"), "grid"),
            (self.tr("keyframes"), "keys"),
            (self.tr("all frames"), "all"),
        ):
            self.frames.addItem(text, name)
        self.videos = QListWidget()
        self.videos.setAccessibleName(self.tr("Videos"))
        for video in project.videos():
            item = QListWidgetItem(video.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.videos.addItem(item)
        self.videos.itemChanged.connect(self._check)
        form = QFormLayout()
        form.addRow(self.tr("&Format"), self.format)
        form.addRow(self.tr("&Split"), self.split)
        form.addRow(self.tr("F&rames"), self.frames)
        form.addRow(self.tr("Videos"), self.videos)
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.button(standard.Ok).setText(self.tr("Export…"))
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self._buttons)
        self.resize(460, 360)

    def request(self, path: Path) -> ExportRequest:
        """Return what was asked for."""
        chosen = self._chosen()
        everything = len(chosen) == self.videos.count()
        return ExportRequest(
            path,
            split=self.split.currentData(),
            videos=() if everything else tuple(chosen),
            frames=self.frames.currentData(),
            format_name=self.format.currentData(),
        )

    def _chosen(self) -> list[str]:
        items = (self.videos.item(i) for i in range(self.videos.count()))
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    def _check(self) -> None:
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(bool(self._chosen()))
