"""The lead's dashboard: a window beside the one that shows videos."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from annotator.domain.recipes.recipe import Recipe
from annotator.services.project.projects import OpenProject
from annotator.ui.bars.banners import Banners
from annotator.ui.bars.canvas_messages import Toast
from annotator.ui.bars.status_line import WorkBar
from annotator.ui.look.widgets import size_to_screen
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
_SHARING: Final = "sharing"
_PAGES: Final = {
    "board": ("board.page", "BoardPage"),
    "questions": ("answers.questions_page", "QuestionsPage"),
    "answers": ("answers.page", "AnswersPage"),
    "grading": ("people.grading_page", "GradingPage"),
    "studies": ("studies.page", "StudiesPage"),
    "numbers": ("statistics.page", "NumbersPage"),
    "dataset": ("dataset.page", "DataSetPage"),
    "spots": ("people.spot_checks_page", "SpotPage"),
    "gold": ("people.gold_page", "GoldPage"),
    "people": ("people.page", "PeoplePage"),
    _SHARING: ("sharing.page", "SharingPage"),
}
"""Module and class of each page, in the order of the tabs."""


def load_pages() -> None:
    """Import the pages in a job, so that none of them blocks the window later."""
    from annotator.services.dataset import duplicates, issue_queue  # noqa: F401
    from annotator.services.dataset.evaluation import overlay, question_scores  # noqa: F401
    from annotator.services.dataset.releases import verification  # noqa: F401
    from annotator.services.questions import recipe_steps  # noqa: F401

    for name, (module, _) in _PAGES.items():
        if name != _SHARING:
            import_module(f"annotator.ui.lead.{module}")


def pages_of(recipe: Recipe, *, is_shared: bool) -> list[str]:
    """Return the names of the pages that a project has a use for, in the order of the tabs."""
    uses = {
        **dict.fromkeys(("questions", "answers", "grading", "studies"), recipe.asks),
        "gold": recipe.has_gold,
        _SHARING: is_shared,
    }
    return [name for name in _PAGES if uses.get(name, True)]


class LeadWindow(QWidget):
    """The pages of a project, as tabs; `pages_of` says which its recipe has a use for.

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
        self._names = pages_of(project.work.recipe, is_shared=collecting.is_shared)
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
        size_to_screen(self, _SIZE)
        self._soon = QTimer(self)
        self._soon.timeout.connect(self._build_next)
        self._build_next()
        self._soon.start(_FRAME_MS)

    @property
    def board(self) -> BoardPage:
        return cast("BoardPage", self._page("board"))

    @property
    def questions(self) -> QuestionsPage:
        return cast("QuestionsPage", self._page("questions"))

    @property
    def answers(self) -> AnswersPage:
        return cast("AnswersPage", self._page("answers"))

    @property
    def grading(self) -> GradingPage:
        return cast("GradingPage", self._page("grading"))

    @property
    def studies(self) -> StudiesPage:
        return cast("StudiesPage", self._page("studies"))

    @property
    def numbers(self) -> NumbersPage:
        return cast("NumbersPage", self._page("numbers"))

    @property
    def dataset(self) -> DataSetPage:
        return cast("DataSetPage", self._page("dataset"))

    @property
    def spots(self) -> SpotPage:
        return cast("SpotPage", self._page("spots"))

    @property
    def gold(self) -> GoldPage:
        return cast("GoldPage", self._page("gold"))

    @property
    def people(self) -> PeoplePage:
        return cast("PeoplePage", self._page("people"))

    @property
    def sharing(self) -> SharingPage:
        """The live board; it is added to the pages when the project has just been shared."""
        if _SHARING not in self._names:
            self._names.append(_SHARING)
        return cast("SharingPage", self._page(_SHARING))

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

    def _page(self, name: str) -> Page:
        """Return a page of the recipe, which is built if that has not been done yet."""
        at = self._names.index(name)
        while len(self.pages) <= at:
            self._build_next()
        return self.pages[at]

    @Slot()
    def _build_next(self) -> None:
        """Build the next page, in the order of the tabs; its module is loaded then, not before."""
        module, kind = _PAGES[self._names[len(self.pages)]]
        new_page = getattr(import_module(f"annotator.ui.lead.{module}"), kind)
        given = (self._collecting,) if kind == "SharingPage" else ()
        page: Page = new_page(self._workspace, self._project, *given)
        if hasattr(page, "lookWanted"):
            page.lookWanted.connect(self.lookWanted)
        if hasattr(page, "findingWanted"):
            page.findingWanted.connect(self._show_finding)
        self.pages.append(page)
        self.tabs.addTab(page, page.title)
        if len(self.pages) == len(self._names):
            self._soon.stop()

    @Slot(object)
    def _show_finding(self, code: str) -> None:
        self.tabs.setCurrentWidget(self.board)
        self.board.show_finding(code)

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        if self.isVisible():
            self.banners.add("error", str(error))
