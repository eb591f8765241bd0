"""The videos to add: files, whole folders, and lists of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.dialogs.file_dialogs import ask_file, ask_folder, ask_videos
from annotator.ui.look.widgets import EmptyHint, dropped_files

_PATH = Qt.ItemDataRole.UserRole


class FileList(QListWidget):
    """A list that files are dropped onto, with a hint while it is empty."""

    dropped = Signal(list)

    def __init__(self, hint: str) -> None:
        super().__init__()
        self.hint = EmptyHint(self, hint)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._take(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._take(event)

    def dropEvent(self, event: QDropEvent) -> None:
        files = self._take(event)
        if files:
            self.dropped.emit(files)

    def _take(self, event: QDropEvent) -> list[Path]:
        files = dropped_files(event.mimeData())
        if files:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        else:
            event.ignore()
        return files


class SourcesBox(QWidget):
    """A list of files, folders and file lists; folders are searched when they are added."""

    changed = Signal()

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.list = FileList(self.tr("Drag video files or folders here"))
        self.list.dropped.connect(self.add)
        self.list.setAccessibleName(self.tr("Videos"))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setMinimumHeight(110)
        row = QHBoxLayout()
        for text, tip, handler in (
            (self.tr("Add videos…"), "", self._on_add_clicked),
            (
                self.tr("Add folder…"),
                self.tr("Add all video and audio files of a folder and its subfolders."),
                self._on_folder_clicked,
            ),
            (
                self.tr("Add from list file…"),
                self.tr("Add the files and folders listed in a text file, one per line."),
                self._on_list_clicked,
            ),
            (self.tr("Remove"), "", self._on_remove_clicked),
        ):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.setToolTip(tip)
            button.clicked.connect(handler)
            row.addWidget(button)
        # The last one concerns what is selected.
        button.setEnabled(False)
        self.list.itemSelectionChanged.connect(
            lambda: button.setEnabled(bool(self.list.selectedItems()))
        )
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list, 1)
        layout.addLayout(row)

    def add(self, paths: Sequence[Path]) -> None:
        """List sources, each once."""
        known = set(self.paths())
        for path in dict.fromkeys(p for p in paths if p not in known):
            text = _tr("{path} (all files)").format(path=path) if path.is_dir() else str(path)
            item = QListWidgetItem(text)
            item.setData(_PATH, str(path))
            self.list.addItem(item)
        self.changed.emit()

    def paths(self) -> list[Path]:
        """Return the sources in their order."""
        return [Path(self.list.item(i).data(_PATH)) for i in range(self.list.count())]

    @Slot()
    def _on_add_clicked(self) -> None:
        self.add(ask_videos(self, self.folder))

    @Slot()
    def _on_folder_clicked(self) -> None:
        folder = ask_folder(self, self.tr("Select folder"), beside=self.folder)
        if folder is not None:
            self.add([folder])

    @Slot()
    def _on_list_clicked(self) -> None:
        title, filters = self.tr("Add from list file"), self.tr("Lists (*.txt)")
        path = ask_file(self, title, filters, self.folder)
        if path is not None:
            self.add([path])

    @Slot()
    def _on_remove_clicked(self) -> None:
        for item in self.list.selectedItems():
            self.list.takeItem(self.list.row(item))
        self.changed.emit()


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
