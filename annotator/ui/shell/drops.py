"""Files dropped onto the window: projects are opened, videos added, annotations imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

_PROJECTS: Final = frozenset({".annot", ".work", ".annot-invite"})
_ANNOTATIONS: Final = frozenset({".json", ".pkl", ".pickle", ".csv"})


class Drops(QObject):
    """Tells of the files that are dropped onto a window, sorted by what is done with them."""

    def __init__(
        self,
        window: QWidget,
        *,
        open_project: Callable[[Path], object],
        add_videos: Callable[[list[Path]], object],
        import_file: Callable[[Path], object],
    ) -> None:
        super().__init__(window)
        self._open_project = open_project
        self._add_videos = add_videos
        self._import_file = import_file
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        dropped = dropped_files(event.mimeData())
        if not dropped:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() == QEvent.Type.Drop:
            # The program that the files come from waits until this returns.
            QTimer.singleShot(0, partial(self.take, dropped))
        return True

    def take(self, dropped: Sequence[Path]) -> None:
        """Do what the files are for: one project is opened, all videos are added."""
        projects = [p for p in dropped if p.suffix.lower() in _PROJECTS]
        annotations = [p for p in dropped if p.suffix.lower() in _ANNOTATIONS]
        videos = [p for p in dropped if p not in projects and p not in annotations]
        if projects:
            self._open_project(projects[0])
        if videos:
            self._add_videos(videos)
        for path in annotations:
            self._import_file(path)


def dropped_files(data: QMimeData) -> list[Path]:
    """Return the files and folders of this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
