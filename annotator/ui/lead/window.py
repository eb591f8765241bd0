"""The lead's dashboard: a window beside the one that shows videos."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from annotator.services.project.projects import OpenProject
from annotator.ui.bars.banners import Banners
from annotator.ui.bars.canvas_messages import Toast
from annotator.ui.bars.status_line import WorkBar
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.lead.answers.page import AnswersPage
    from annotator.ui.lead.answers.questions_page import QuestionsPage
    from annotator.ui.lead.board.page import BoardPage
    from annotator.ui.lead.dataset.page import DataSetPage
    from annotator.ui.lead.people.gold_page import GoldPage
    from annotator.ui.lead.people.grading_page import GradingPage
    from annotator.ui.lead.people.page import PeoplePage
    from annotator.ui.lead.people.spot_checks_page import SpotPage
    from annotator.ui.lead.sharing.hub_collection import Collecting
    from annotator.ui.lead.sharing.page import SharingPage
    from annotator.ui.lead.statistics.page import NumbersPage
    from annotator.ui.lead.studies.page import StudiesPage

_SIZE: Final = QSize(1480, 860)
_FRAME_MS: Final = 16
_PAGES: Final = (
    *("board", "questions", "answers", "grading"),
    *("studies", "numbers", "dataset", "spots", "people"),
)
_GOLD: Final = "gold"
"""Page that only recipes with gold tasks have, before that of the people."""
_SHARING: Final = "sharing"
"""Page that only shared projects have, the last one."""
_PAGE_MODULES: Final = (
    *("board.page", "answers.questions_page", "answers.page", "people.grading_page"),
    *("studies.page", "statistics.page", "dataset.page", "people.spot_checks_page"),
    *("people.page", "people.gold_page"),
)
P = TypeVar("P", bound=Page)


def load_pages() -> None:
    """Import the pages in a job, so that none of them blocks the window later."""
    from annotator.services.dataset import duplicates, issue_queue  # noqa: F401
    from annotator.services.dataset.evaluation import overlay, question_scores  # noqa: F401
    from annotator.services.dataset.releases import verification  # noqa: F401
    from annotator.services.questions import recipe_steps  # noqa: F401

    for name in _PAGE_MODULES:
        import_module(f"annotator.ui.lead.{name}")


class LeadWindow(QWidget):
    """Board, questions, answers, tests, studies, statistics, data set, spot checks, gold, people.

    The board is built at once, the other pages one at a time: together they take longer than a
    frame. A requested page is built first. ``lookWanted`` asks for a task in the main window;
    ``closed`` is sent when this one is closed.
    """

    lookWanted = Signal(object)  # TaskId
    closed = Signal()

    def __init__(self, workspace: Workspace, project: OpenProject, collecting: Collecting) -> None:
        super().__init__()
        self._workspace, self._project, self._collecting = workspace, project, collecting
        self.setWindowTitle(self.tr("{title} – Lead dashboard").format(title=project.title))
        self.setWindowFlag(Qt.WindowType.Window)
        has_gold = any(task_type.gold for task_type in project.work.recipe.task_types)
        self._names = (*_PAGES[:-1], _GOLD, _PAGES[-1]) if has_gold else _PAGES
        if collecting.is_shared:
            self._names = (*self._names, _SHARING)
        self.banners = Banners(workspace.hub)
        self.pages: list[Page] = []
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.work = WorkBar(workspace)
        self.tabs.setCornerWidget(self.work)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.banners)
        layout.addWidget(self.tabs, 1)
        self.toast = Toast(workspace.hub, self.tabs)
        workspace.message.connect(self.toast.show_message)
        workspace.failed.connect(self._on_failed)
        self.resize(_SIZE.boundedTo(self.screen().availableSize()))
        self._soon = QTimer(self)
        self._soon.timeout.connect(self._build_next)
        self._build_next()
        self._soon.start(_FRAME_MS)

    @property
    def board(self) -> BoardPage:
        from annotator.ui.lead.board.page import BoardPage

        return self._page(BoardPage)

    @property
    def questions(self) -> QuestionsPage:
        from annotator.ui.lead.answers.questions_page import QuestionsPage

        return self._page(QuestionsPage)

    @property
    def answers(self) -> AnswersPage:
        from annotator.ui.lead.answers.page import AnswersPage

        return self._page(AnswersPage)

    @property
    def grading(self) -> GradingPage:
        from annotator.ui.lead.people.grading_page import GradingPage

        return self._page(GradingPage)

    @property
    def studies(self) -> StudiesPage:
        from annotator.ui.lead.studies.page import StudiesPage

        return self._page(StudiesPage)

    @property
    def numbers(self) -> NumbersPage:
        from annotator.ui.lead.statistics.page import NumbersPage

        return self._page(NumbersPage)

    @property
    def dataset(self) -> DataSetPage:
        from annotator.ui.lead.dataset.page import DataSetPage

        return self._page(DataSetPage)

    @property
    def spots(self) -> SpotPage:
        from annotator.ui.lead.people.spot_checks_page import SpotPage

        return self._page(SpotPage)

    @property
    def gold(self) -> GoldPage:
        from annotator.ui.lead.people.gold_page import GoldPage

        return self._page(GoldPage)

    @property
    def people(self) -> PeoplePage:
        from annotator.ui.lead.people.page import PeoplePage

        return self._page(PeoplePage)

    @property
    def sharing(self) -> SharingPage:
        """The live board; it is added to the pages when the project has just been shared."""
        from annotator.ui.lead.sharing.page import SharingPage

        if _SHARING not in self._names:
            self._names = (*self._names, _SHARING)
        return self._page(SharingPage)

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""
        self.tabs.setCurrentWidget(page)
        self.show()
        self.raise_()
        self.activateWindow()

    def leave(self) -> None:
        """Read no more and go: the project is about to be closed."""
        self._soon.stop()
        for page in self.pages:
            page.leave()
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def _page(self, kind: type[P]) -> P:
        """Return a page, which is built if that has not been done yet."""
        while True:
            for page in self.pages:
                if isinstance(page, kind):
                    return page
            self._build_next()

    @Slot()
    def _build_next(self) -> None:
        """Build the next page, in the order of the tabs."""
        page = self._new_page(self._names[len(self.pages)])
        self.pages.append(page)
        self.tabs.addTab(page, page.title)
        if len(self.pages) == len(self._names):
            self._soon.stop()

    def _new_page(self, name: str) -> Page:
        """Build a page; its module is loaded then, not before."""
        workspace, project = self._workspace, self._project
        match name:
            case "board":
                from annotator.ui.lead.board.page import BoardPage

                board = BoardPage(workspace, project)
                board.lookWanted.connect(self.lookWanted)
                return board
            case "questions":
                from annotator.ui.lead.answers.questions_page import QuestionsPage

                return QuestionsPage(workspace, project)
            case "answers":
                from annotator.ui.lead.answers.page import AnswersPage

                return AnswersPage(workspace, project)
            case "grading":
                from annotator.ui.lead.people.grading_page import GradingPage

                grading = GradingPage(workspace, project)
                grading.lookWanted.connect(self.lookWanted)
                return grading
            case "studies":
                from annotator.ui.lead.studies.page import StudiesPage

                return StudiesPage(workspace, project)
            case "numbers":
                from annotator.ui.lead.statistics.page import NumbersPage

                numbers = NumbersPage(workspace, project)
                numbers.findingWanted.connect(self._show_finding)
                return numbers
            case "dataset":
                from annotator.ui.lead.dataset.page import DataSetPage

                data_set = DataSetPage(workspace, project)
                data_set.lookWanted.connect(self.lookWanted)
                return data_set
            case "spots":
                from annotator.ui.lead.people.spot_checks_page import SpotPage

                spots = SpotPage(workspace, project)
                spots.lookWanted.connect(self.lookWanted)
                return spots
            case "gold":
                from annotator.ui.lead.people.gold_page import GoldPage

                gold = GoldPage(workspace, project)
                gold.lookWanted.connect(self.lookWanted)
                return gold
            case "sharing":
                from annotator.ui.lead.sharing.page import SharingPage

                sharing = SharingPage(workspace, project, self._collecting)
                sharing.lookWanted.connect(self.lookWanted)
                return sharing
            case _:
                from annotator.ui.lead.people.page import PeoplePage

                return PeoplePage(workspace, project)

    @Slot(object)
    def _show_finding(self, code: str) -> None:
        self.tabs.setCurrentWidget(self.board)
        self.board.show_finding(code)

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        if self.isVisible():
            self.banners.add("error", str(error))
