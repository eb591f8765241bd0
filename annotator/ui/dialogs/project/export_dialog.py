"""Export dialog: format, contents, split, frames, videos."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.services.project.projects import OpenProject
from annotator.services.transfer import FORMATS, PERCEPTION_TEST, ExportRequest
from annotator.services.transfer.formats import TAP_VID_CSV, TAP_VID_PICKLE
from annotator.services.transfer.tap_vid import pictures_bytes
from annotator.ui.look.widgets import plain

FULL: Final = "full"
_SPLITS: Final = ("train", "valid", "test")


class ExportDialog(QDialog):
    """Contents of an export file; its place is asked afterwards."""

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export annotations"))
        self.format = _box((kind.title, kind.name) for kind in FORMATS.values() if kind.writes)
        self.contents = _box(self._contents())
        self.task = _box(self._tasks())
        self.split = _box([(self.tr("as set for each video"), None), *((s, s) for s in _SPLITS)])
        self.frames = _box(self._frames())
        self.videos = QListWidget()
        self.videos.setAccessibleName(self.tr("Videos"))
        self._videos = project.videos()
        for video in self._videos:
            item = QListWidgetItem(video.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.videos.addItem(item)
        self.videos.itemChanged.connect(self._check)
        self.contents.currentIndexChanged.connect(self._choose_task)
        for box in (self.format, self.contents, self.task):
            box.currentIndexChanged.connect(self._check)
        form = QFormLayout()
        form.addRow(self.tr("&Format"), self.format)
        form.addRow(self.tr("&Contents"), self.contents)
        form.addRow(self.tr("&Task"), self.task)
        form.addRow(self.tr("&Split"), self.split)
        form.addRow(self.tr("F&rames"), self.frames)
        form.addRow(self.tr("Videos"), self.videos)
        self.about = {key: QLineEdit() for key in ("license", "creator", "url", "citation")}
        for key, title in self._about_titles():
            form.addRow(title, self.about[key])
        self._form = form
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.button(standard.Ok).setText(self.tr("Export…"))
        self.note = plain(QLabel())
        self.note.setWordWrap(True)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self.note)
        layout.addWidget(self._buttons)
        self._check()
        self.resize(460, 420)

    def _contents(self) -> Iterator[tuple[str, str | None]]:
        yield self.tr("all annotations"), FULL
        yield self.tr("public test data, without answers"), "test"
        yield self.tr("submission for one task, in evaluation format"), "submission"
        yield (
            self.tr("submission for one task, multiple choice under its task key"),
            "submission-wrapped",
        )

    def _tasks(self) -> Iterator[tuple[str, str | None]]:
        yield self.tr("all"), None
        yield self.tr("object tracks"), "object_tracking"
        yield self.tr("point tracks"), "point_tracking"
        yield self.tr("actions"), "action_localisation"
        yield self.tr("sounds"), "sound_localisation"
        yield self.tr("multiple-choice questions"), "mc_question"
        yield self.tr("grounded questions"), "grounded_question"

    def _about_titles(self) -> Iterator[tuple[str, str]]:
        yield "license", self.tr("&License")
        yield "creator", self.tr("C&reator")
        yield "url", self.tr("&Web address")
        yield "citation", self.tr("C&itation")

    def _frames(self) -> Iterator[tuple[str, str | None]]:
        yield self.tr("grid frames (one per second)"), "grid"
        yield self.tr("keyframes"), "keys"
        yield self.tr("all frames"), "all"

    def request(self, path: Path) -> ExportRequest:
        """Return the entered export settings."""
        chosen = self._chosen()
        everything = len(chosen) == self.videos.count()
        task = self.task.currentData() if self.task.isEnabled() else None
        return ExportRequest(
            path,
            split=self.split.currentData(),
            videos=() if everything else tuple(chosen),
            frames=self.frames.currentData(),
            format_name=self.format.currentData(),
            variant=self.contents.currentData() if self.contents.isEnabled() else FULL,
            tasks=(task,) if task else (),
            about={k: e.text().strip() for k, e in self.about.items() if e.text().strip()},
        )

    def _chosen(self) -> list[str]:
        items = (self.videos.item(i) for i in range(self.videos.count()))
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    @property
    def n_chosen(self) -> int:
        """How many videos are exported."""
        return len(self._chosen())

    def _choose_task(self) -> None:
        if self._is_submission and self.task.currentData() is None:
            self.task.setCurrentIndex(self.task.findData("mc_question"))

    @property
    def _is_submission(self) -> bool:
        return self.contents.currentData() not in (FULL, "test")

    def _check(self) -> None:
        """Offer only what goes together: a submission is of one task."""
        form = FORMATS[self.format.currentData()]
        has_tasks = form.name == PERCEPTION_TEST
        for box in (self.contents, self.task):
            box.setEnabled(has_tasks)
        self.frames.setEnabled(form.has_frame_choice)
        self.split.setEnabled(has_tasks or form.has_media)
        for line in self.about.values():
            self._form.setRowVisible(line, form.has_card)
        self.note.setText(self._note())
        self.note.setVisible(bool(self.note.text()))
        lacks_task = has_tasks and self._is_submission and self.task.currentData() is None
        self.task.setToolTip(self.tr("Select the task of the submission.") if lacks_task else "")
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(bool(self._chosen()) and not lacks_task)

    def _note(self) -> str:
        """Show the frames and the size of a TAP-Vid file."""
        form = FORMATS[self.format.currentData()]
        if form.name == PERCEPTION_TEST:
            return ""
        if form.name == TAP_VID_CSV:
            return self.tr("TAP-Vid files contain every frame.")
        if form.name != TAP_VID_PICKLE:
            text = self.tr("Contains {what}. The report lists what is not exported.")
            text = text.format(what=", ".join(form.holds))
            if form.has_media:
                text += " " + self.tr("Images or videos are written into a new folder.")
            if form.is_per_video:
                text += " " + self.tr("One file per video, in a folder if there are several.")
            return text
        chosen = set(self._chosen())
        videos = [v for v in self._videos if v.name in chosen]
        total = sum(pictures_bytes(v.width, v.height, v.n_frames) for v in videos)
        size = self.locale().formattedDataSize(total)
        text = self.tr("TAP-Vid files contain every frame. The images require up to {size}.")
        return text.format(size=size)


def _box(rows: Iterable[tuple[str, str | None]]) -> QComboBox:
    """Return a combo box with texts and their values."""
    made = QComboBox()
    for text, data in rows:
        made.addItem(text, data)
    return made
