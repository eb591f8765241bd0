"""Asks which images and clips are written: kinds, frames, videos."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from annotator.services.project.projects import OpenProject
from annotator.services.transfer.media_sets.rendering import RenderWish

_MOST_STEPS = 100_000


class RenderDialog(QDialog):
    """Choices for images and clips; the folder is asked for afterwards."""

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export images and clips"))
        self.kinds = {
            "frames": QCheckBox(self.tr("Images: whole frames")),
            "crops": QCheckBox(self.tr("Images: objects in their boxes")),
            "clips": QCheckBox(self.tr("Videos: each action and sound, with audio")),
            "overlay": QCheckBox(self.tr("Videos: with the annotations drawn in")),
        }
        self.kinds["frames"].setChecked(True)
        self.frames = QComboBox()
        self.frames.addItem(self.tr("grid frames (one per second)"), "grid")
        self.frames.addItem(self.tr("keyframes of objects"), "keys")
        self.frames.addItem(self.tr("every n-th frame"), "step")
        self.step = QSpinBox()
        self.step.setRange(1, _MOST_STEPS)
        self.step.setValue(10)
        self.step.setAccessibleName(self.tr("Step between frames"))
        self.image = QComboBox()
        self.image.addItem(self.tr("PNG (lossless)"), False)
        self.image.addItem(self.tr("JPEG (smaller)"), True)
        self.videos = QListWidget()
        self.videos.setAccessibleName(self.tr("Videos"))
        for video in project.videos():
            item = QListWidgetItem(video.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.videos.addItem(item)
        frames = QHBoxLayout()
        frames.addWidget(self.frames, 1)
        frames.addWidget(self.step)
        form = QFormLayout()
        named = QLabel(self.tr("&Frames"))
        named.setBuddy(self.frames)
        form.addRow(named, frames)
        form.addRow(self.tr("&Images"), self.image)
        form.addRow(self.tr("Videos"), self.videos)
        note = QLabel(self.tr("rendered.csv in the folder lists each file with its frames."))
        note.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.button(standard.Ok).setText(self.tr("Export…"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for box in self.kinds.values():
            layout.addWidget(box)
            box.toggled.connect(self._check)
        layout.addLayout(form)
        layout.addWidget(note)
        layout.addWidget(self.buttons)
        self.frames.currentIndexChanged.connect(self._check)
        self.videos.itemChanged.connect(self._check)
        self.resize(460, 460)
        self._check()

    def wish(self) -> RenderWish:
        """Return the entered settings."""
        chosen = self._chosen()
        frames = self.frames.currentData()
        return RenderWish(
            frozenset(kind for kind, box in self.kinds.items() if box.isChecked()),
            () if len(chosen) == self.videos.count() else tuple(chosen),
            self.step.value() if frames == "step" else 0,
            frames == "keys",
            bool(self.image.currentData()),
        )

    def _chosen(self) -> list[str]:
        items = (self.videos.item(i) for i in range(self.videos.count()))
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    @Slot()
    def _check(self) -> None:
        has_images = self.kinds["frames"].isChecked() or self.kinds["crops"].isChecked()
        self.frames.setEnabled(has_images)
        self.image.setEnabled(has_images)
        self.step.setEnabled(has_images and self.frames.currentData() == "step")
        self.step.setVisible(self.frames.currentData() == "step")
        is_any = any(box.isChecked() for box in self.kinds.values())
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(is_any and bool(self._chosen()))
