"""The first page of a project with people: who am I, then what there is to do for me."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget

from annotator.ui.actions.table import ActionTable
from annotator.ui.state.desk import Desk
from annotator.ui.work.my_work import MyWorkPage
from annotator.ui.work.shared.exchange import SharedWork
from annotator.ui.work.shared.fetching import VideoFetching
from annotator.ui.work.sign_in import SignInPage

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject


class StartPage(QStackedWidget):
    """Shows the one or the other, by whether somebody has signed in."""

    openWanted = Signal(object)  # TaskId
    lookWanted = Signal(object)  # TaskId
    nextWanted = Signal(str, str)  # kind, stage
    chooseWanted = Signal(str, str)
    decideWanted = Signal()

    def __init__(
        self, desk: Desk, table: ActionTable, shared: SharedWork, fetching: VideoFetching
    ) -> None:
        super().__init__()
        self._desk = desk
        self._project: OpenProject | None = None
        self.sign_in = SignInPage(desk)
        self.mine = MyWorkPage(desk, table, shared, fetching)
        self.addWidget(self.sign_in)
        self.addWidget(self.mine)
        self.mine.openWanted.connect(self.openWanted)
        self.mine.list.lookWanted.connect(self.lookWanted)
        self.mine.list.nextWanted.connect(self.nextWanted)
        self.mine.list.chooseWanted.connect(self.chooseWanted)
        self.mine.list.decideWanted.connect(self.decideWanted)
        desk.projectChanged.connect(self.refresh)
        desk.personChanged.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what fits, as it is now."""
        if not self._desk.has_people:
            return
        page = self.sign_in if self._desk.person is None else self.mine
        is_new = page is not self.currentWidget()
        if is_new:
            self.sign_in.expects_other = (
                page is self.sign_in and self._project is self._desk.project
            )
        self._project = self._desk.project
        page.refresh()
        self.setCurrentWidget(page)
        if is_new:
            self.take_focus()

    @Slot()
    def take_focus(self) -> None:
        """Give the keys to what is shown."""
        if self.isVisible():
            (self.sign_in if self.currentWidget() is self.sign_in else self.mine).take_focus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.take_focus()
