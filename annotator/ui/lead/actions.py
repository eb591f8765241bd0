"""The menu Lead: the lead's desk, adding in bulk, and work packages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from annotator.domain.ids import TaskId
from annotator.ui.action_table import ActionTable
from annotator.ui.conditions import is_lead
from annotator.ui.desk import Desk
from annotator.ui.lead.packages import PackageActions

if TYPE_CHECKING:
    from annotator.ui.lead.window import LeadWindow
    from annotator.ui.project_actions import ProjectActions

MENU = "Lead"


class LeadActions(QObject):
    """Handlers of the menu Lead; it is there for the leads of projects that have stages."""

    def __init__(
        self, desk: Desk, table: ActionTable, window: QWidget, projects: ProjectActions
    ) -> None:
        super().__init__(desk)
        self._desk = desk
        self._table = table
        self._parent = window
        self.packages = PackageActions(desk, table, window)
        table.on("lead.add-videos", projects.add_many)
        self.window: LeadWindow | None = None
        for action_id, page in (
            ("lead.board", "board"),
            ("lead.numbers", "numbers"),
            ("lead.spot-checks", "spots"),
            ("lead.people", "people"),
        ):
            table.on(action_id, partial(self._show, page))
        desk.projectLeaving.connect(self._leave)
        for signal in (desk.projectChanged, desk.personChanged, desk.bridge.peopleChanged):
            signal.connect(self._offer)
        self._offer()

    def _show(self, page: str) -> None:
        project = self._desk.project
        if project is None:
            return
        from annotator.ui.lead.window import LeadWindow

        if self.window is None:
            self.window = LeadWindow(self._desk, project)
            self.window.lookWanted.connect(self._look)
        self.window.show_page(getattr(self.window, page))

    @Slot()
    def _offer(self) -> None:
        """Show the menu to leads only; who is none any more leaves the lead's desk."""
        may = is_lead(self._desk)
        self._table.show_menu(MENU, is_shown=may)
        if not may:
            self._leave()

    @Slot()
    def _leave(self) -> None:
        if self.window is not None:
            self.window.leave()
            self.window = None

    @Slot(object)
    def _look(self, task_id: TaskId) -> None:
        """Open a task without taking it; the window with the video comes to the front."""
        if self._desk.open_task(task_id, takes=False):
            self._parent.raise_()
            self._parent.activateWindow()
