"""Making a project: a name, a folder, and the videos to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from annotator.services.projects import with_suffix
from annotator.ui.dialogs.files import ask_folder, ask_videos

_FORBIDDEN = set('/\\:*?"<>|')


@dataclass(frozen=True, slots=True)
class NewProject:
    """What the person asked for."""

    path: Path
    title: str
    videos: tuple[Path, ...]
    grid_step: int | None = None  # frames; None: one second, by each video's rate


class NewProjectDialog(QDialog):
    """Asks for name, folder and videos; says at once what is wrong with them."""

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("New project"))
        self.name = QLineEdit()
        self.name.textChanged.connect(self._check)
        self.folder = QLineEdit(str(folder))
        self.folder.textChanged.connect(self._check)
        browse = QPushButton(self.tr("Browse…"))
        browse.clicked.connect(self._on_browse_clicked)
        place = QHBoxLayout()
        place.addWidget(self.folder, 1)
        place.addWidget(browse)
        self.videos = QListWidget()
        self.videos.setAccessibleName(self.tr("Videos"))
        self.videos.setMinimumHeight(110)
        add = QPushButton(self.tr("Add videos…"))
        add.clicked.connect(self._on_add_clicked)
        remove = QPushButton(self.tr("Remove"))
        remove.clicked.connect(self._on_remove_clicked)
        row = QHBoxLayout()
        row.addWidget(add)
        row.addWidget(remove)
        row.addStretch(1)
        self.grid_step = QSpinBox()
        self.grid_step.setRange(0, 10_000)
        self.grid_step.setSpecialValueText(self.tr("one second"))
        self.grid_step.setSuffix(self.tr(" frames"))
        self.grid_step.setToolTip(
            self.tr("A rater looks at every object on each frame of the grid. It stays as it is.")
        )
        self._word = QLabel()
        self._word.setWordWrap(True)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self.tr("Create"))
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self.tr("&Name"), self.name)
        folder_label = QLabel(self.tr("&Folder"))
        folder_label.setBuddy(self.folder)
        form.addRow(folder_label, place)
        form.addRow(self.tr("Videos"), self.videos)
        form.addRow("", row)
        form.addRow(self.tr("&Grid step"), self.grid_step)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self._word)
        layout.addWidget(self._buttons)
        self.resize(560, 330)
        self._check()

    def add_videos(self, paths: list[Path]) -> None:
        """List videos to begin with, each once."""
        known = set(self._paths())
        self.videos.addItems([str(p) for p in paths if p not in known])

    def result_value(self) -> NewProject:
        """Return what was asked for; meaningful while ``problem`` is empty."""
        title = self.name.text().strip()
        path = with_suffix(Path(self.folder.text().strip()) / title)
        return NewProject(path, title, tuple(self._paths()), self.grid_step.value() or None)

    def problem(self) -> str:
        """Say what is wrong with the entries; empty when nothing is."""
        title = self.name.text().strip()
        if not title:
            return self.tr("Give the project a name.")
        if _FORBIDDEN & set(title):
            return self.tr('A name cannot have any of / \\ : * ? " < > |')
        if not Path(self.folder.text().strip()).is_dir():
            return self.tr("This folder does not exist.")
        if self.result_value().path.exists():
            return self.tr("There is a project of this name in the folder.")
        return ""

    def _paths(self) -> list[Path]:
        return [Path(self.videos.item(i).text()) for i in range(self.videos.count())]

    @Slot()
    def _check(self) -> None:
        problem = self.problem()
        self._word.setText(
            problem or self.tr("Creates {path}").format(path=self.result_value().path)
        )
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)

    @Slot()
    def _on_browse_clicked(self) -> None:
        folder = ask_folder(self, Path(self.folder.text()))
        if folder is not None:
            self.folder.setText(str(folder))

    @Slot()
    def _on_add_clicked(self) -> None:
        self.add_videos(ask_videos(self, Path(self.folder.text())))

    @Slot()
    def _on_remove_clicked(self) -> None:
        for item in self.videos.selectedItems():
            self.videos.takeItem(self.videos.row(item))
