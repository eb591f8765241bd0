"""The lead's desk: a window of its own beside the one in which videos are looked at."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from annotator.services.projects import OpenProject
from annotator.ui.desk import Desk
from annotator.ui.lead.answers_page import AnswersPage
from annotator.ui.lead.board_page import BoardPage
from annotator.ui.lead.grading_page import GradingPage
from annotator.ui.lead.numbers_page import NumbersPage
from annotator.ui.lead.people_page import PeoplePage
from annotator.ui.lead.questions_page import QuestionsPage
from annotator.ui.lead.reading import Page
from annotator.ui.lead.spot_page import SpotPage
from annotator.ui.lead.studies_page import StudiesPage
from annotator.ui.panels.banners import Banners
from annotator.ui.panels.overlay import Toast

_SIZE: Final = QSize(1480, 860)


class LeadWindow(QWidget):
    """Board, questions, answers, tests, studies, numbers, spot checks and people of one project.

    ``lookWanted`` asks for a task in the other window; ``closed`` is sent when this one is shut.
    """

    lookWanted = Signal(object)  # TaskId
    closed = Signal()

    def __init__(self, desk: Desk, project: OpenProject) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("{title} – lead's desk").format(title=project.title))
        self.setWindowFlag(Qt.WindowType.Window)
        self.banners = Banners(desk.hub)
        self.board = BoardPage(desk, project)
        self.numbers = NumbersPage(desk, project)
        self.questions = QuestionsPage(desk, project)
        self.answers = AnswersPage(desk, project)
        self.grading = GradingPage(desk, project)
        self.studies = StudiesPage(desk, project)
        self.spots = SpotPage(desk, project)
        self.people = PeoplePage(desk, project)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for page in self.pages:
            self.tabs.addTab(page, page.title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.banners)
        layout.addWidget(self.tabs, 1)
        self.toast = Toast(desk.hub, self.tabs)
        self.board.lookWanted.connect(self.lookWanted)
        self.spots.lookWanted.connect(self.lookWanted)
        self.grading.lookWanted.connect(self.lookWanted)
        self.numbers.findingWanted.connect(self._show_finding)
        desk.said.connect(self.toast.show_message)
        desk.failed.connect(self._on_failed)
        self.resize(_SIZE.boundedTo(self.screen().availableSize()))

    @property
    def pages(self) -> tuple[Page, ...]:
        return (
            self.board,
            self.questions,
            self.answers,
            self.grading,
            self.studies,
            self.numbers,
            self.spots,
            self.people,
        )

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""
        self.tabs.setCurrentWidget(page)
        self.show()
        self.raise_()
        self.activateWindow()

    def leave(self) -> None:
        """Read no more and go: the project is about to be closed."""
        for page in self.pages:
            page.leave()
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    @Slot(object)
    def _show_finding(self, code: str) -> None:
        self.tabs.setCurrentWidget(self.board)
        self.board.show_finding(code)

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        if self.isVisible():
            self.banners.add("error", str(error))
