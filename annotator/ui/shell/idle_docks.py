"""Docks and tools about a video are hidden while no video is open: they would be empty."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar

from annotator.ui.shell.pages import Pages
from annotator.ui.state.desk import Desk

_OF_PROJECT: Final = frozenset({"tasks"})
_IN_FRONT: Final = frozenset({"objects", "inspector"})


class IdleDocks(QObject):
    """Hides docks and tool bars on pages that are not about a video, and shows them again."""

    broughtBack = Signal()  # after docks are shown again; raise one now

    def __init__(self, desk: Desk, pages: Pages, window: QMainWindow) -> None:
        super().__init__(window)
        self._desk = desk
        self._pages = pages
        self._window = window
        self._hidden: list[QDockWidget] = []
        self._front: list[QDockWidget] = []
        self._bars: list[QToolBar] = []
        self._was_working = False
        pages.currentChanged.connect(self.refresh)
        desk.projectChanged.connect(self.refresh)

    def holds(self, dock: QDockWidget) -> bool:
        """Tell whether a dock is hidden only because it would be empty."""
        return dock in self._hidden

    @Slot()
    def refresh(self) -> None:
        """Hide what has nothing to show; show it again once there is something."""
        if self._pages.is_working:
            self.bring_back()
            return
        for bar in self._window.findChildren(QToolBar):
            if not bar.isHidden():
                self._bars.append(bar)
                bar.hide()
        # In a project with people the start page itself lists the tasks.
        lists_tasks = self._desk.project is not None and not self._desk.has_people
        for dock in self._window.findChildren(QDockWidget):
            keeps = lists_tasks and dock.objectName() in _OF_PROJECT
            if keeps and dock in self._hidden:
                self._hidden.remove(dock)
                dock.show()
            elif not keeps and not dock.isHidden():
                # What comes up only now was not in front of anybody.
                if self._was_working and not dock.visibleRegion().isEmpty():
                    self._front.append(dock)
                self._hidden.append(dock)
                dock.hide()
        self._was_working = False

    def bring_back(self) -> None:
        """Show the docks that were hidden, those in front that were in front."""
        self._was_working = True
        hidden, front = self._hidden, self._front
        self._hidden, self._front = [], []
        for dock in hidden:
            if dock.toggleViewAction().isVisible():  # else it is not for this project or person
                dock.show()
        # Before the window was ever on the screen nothing was in front.
        found = front or [dock for dock in hidden if dock.objectName() in _IN_FRONT]
        for dock in found:
            dock.raise_()
        for bar in self._bars:
            bar.show()
        self._bars = []
        if hidden:
            self.broughtBack.emit()
