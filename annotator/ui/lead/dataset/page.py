"""Page Data set: statistics, splits, evaluation and releases."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from annotator.domain.annotation.document import Document
from annotator.domain.ids import TaskId, TrackId, VideoId
from annotator.domain.recipes.recipe import Tool
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.dataset.evaluation_view import EvaluationView
from annotator.ui.lead.dataset.issues_view import IssuesView
from annotator.ui.lead.dataset.release_view import ReleaseView
from annotator.ui.lead.dataset.splits_view import DuplicatesView, SplitsView
from annotator.ui.lead.dataset.statistics_view import Behind, StatisticsView
from annotator.ui.lead.lead_texts import TaskLink
from annotator.ui.look.widgets import show_tabs_as_buttons
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.dataset.evaluation_job import Scores

_VIEWS: Final = ("statistics", "issues", "splits", "duplicates", "evaluation", "release")
"""The views in the order of their tabs, by the names of the properties that build them."""

V = TypeVar("V", bound=QWidget)


class DataSetPage(Page):
    """Views on the data set, one beside the other; ``lookWanted`` asks for a place in a video.

    A view is built when it is first asked for: together they take several frames.
    """

    lookWanted = Signal(object)  # Look

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Data set"))
        self.views = QTabWidget()
        show_tabs_as_buttons(self.views)
        for title in (
            self.tr("Statistics"),
            self.tr("Issues"),
            self.tr("Splits"),
            self.tr("Near-duplicates"),
            self.tr("Evaluation"),
            self.tr("Release"),
        ):
            self.views.addTab(QWidget(), title)
        self.views.currentChanged.connect(self.read_soon)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.views)

    @cached_property
    def statistics(self) -> StatisticsView:
        return self._put_up(StatisticsView(self._workspace, self._project), "statistics")

    @cached_property
    def issues(self) -> IssuesView:
        return self._put_up(IssuesView(self._workspace, self._project), "issues")

    @cached_property
    def splits(self) -> SplitsView:
        return self._put_up(SplitsView(self._workspace, self._project), "splits")

    @cached_property
    def duplicates(self) -> DuplicatesView:
        return self._put_up(DuplicatesView(self._workspace, self._project), "duplicates")

    @cached_property
    def evaluation(self) -> EvaluationView:
        view = EvaluationView(self._workspace, self._project)
        view.predictionWanted.connect(self._on_prediction_wanted)
        view.evaluated.connect(self._on_evaluated)
        return self._put_up(view, "evaluation")

    @cached_property
    def release(self) -> ReleaseView:
        return self._put_up(ReleaseView(self._workspace, self._project), "release")

    def leave(self) -> None:
        for name in _VIEWS:
            if name in self.__dict__:
                getattr(self, name).leave()
        super().leave()

    def _put_up(self, view: V, name: str) -> V:
        """Put a view under its tab."""
        if not isinstance(view, SplitsView):
            view.placeWanted.connect(self._on_place_wanted)  # type: ignore[attr-defined]
        at = _VIEWS.index(name)
        current, title, empty = (
            self.views.currentIndex(),
            self.views.tabText(at),
            self.views.widget(at),
        )
        with QSignalBlocker(self.views):
            self.views.removeTab(at)
            self.views.insertTab(at, view, title)
            self.views.setCurrentIndex(current)
        if empty is not None:
            empty.deleteLater()
        return view

    def _read(self) -> None:
        """Read the data of the current view; the other views are read when shown."""
        getattr(self, _VIEWS[self.views.currentIndex()]).read()

    @Slot(object)
    def _on_evaluated(self, scores: Scores) -> None:
        self.issues.set_scores(scores)

    @Slot(object)
    def _on_place_wanted(self, place: Behind) -> None:
        self._look(place, None)

    @Slot(object, str, object)
    def _on_prediction_wanted(self, place: Behind, model: str, document: Document) -> None:
        self._look(place, (model, document))

    def _look(self, place: Behind, prediction: tuple[str, Document] | None) -> None:
        task_id = task_of(self._project, place.video_id, place.tool)
        if task_id is not None:
            track = TrackId(place.mark_id) if place.tool is Tool.BOXES and place.mark_id else None
            self.lookWanted.emit(TaskLink(task_id, None, place.frame, track, prediction))


def task_of(project: OpenProject, video_id: VideoId, tool: Tool | None) -> TaskId | None:
    """Return the task on a video that draws with a tool, else the first; None without any."""
    tasks = [task for task in project.tasks() if task.video_id == video_id]
    for task in tasks:
        task_type = project.work.recipe.task_type(task.kind)
        if tool is not None and task_type is not None and tool in task_type.tools:
            return task.id
    return tasks[0].id if tasks else None
