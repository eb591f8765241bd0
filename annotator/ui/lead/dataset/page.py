"""Page Data set: statistics, splits, evaluation and releases."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QTabWidget, QVBoxLayout

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

_View: Final = (
    StatisticsView | IssuesView | SplitsView | DuplicatesView | EvaluationView | ReleaseView
)


class DataSetPage(Page):
    """Views on the data set, one beside the other; ``lookWanted`` asks for a place in a video."""

    lookWanted = Signal(object)  # Look

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Data set"))
        self.statistics = StatisticsView(workspace, project)
        self.statistics.placeWanted.connect(self._on_place_wanted)
        self.views = QTabWidget()
        show_tabs_as_buttons(self.views)
        self.evaluation = EvaluationView(workspace, project)
        self.evaluation.placeWanted.connect(self._on_place_wanted)
        self.evaluation.predictionWanted.connect(self._on_prediction_wanted)
        self.issues = IssuesView(workspace, project)
        self.issues.placeWanted.connect(self._on_place_wanted)
        self.evaluation.evaluated.connect(self.issues.set_scores)
        self.splits = SplitsView(workspace, project)
        self.duplicates = DuplicatesView(workspace, project)
        self.duplicates.placeWanted.connect(self._on_place_wanted)
        self.release = ReleaseView(workspace, project)
        self.release.placeWanted.connect(self._on_place_wanted)
        self.views.addTab(self.statistics, self.tr("Statistics"))
        self.views.addTab(self.issues, self.tr("Issues"))
        self.views.addTab(self.splits, self.tr("Splits"))
        self.views.addTab(self.duplicates, self.tr("Near-duplicates"))
        self.views.addTab(self.evaluation, self.tr("Evaluation"))
        self.views.addTab(self.release, self.tr("Release"))
        self.views.currentChanged.connect(self.read_soon)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.views)

    def leave(self) -> None:
        self.statistics.leave()
        self.issues.leave()
        self.splits.leave()
        self.duplicates.leave()
        self.evaluation.leave()
        self.release.leave()
        super().leave()

    def _read(self) -> None:
        """Read the data of the current view; the other views are read when shown."""
        view = self.views.currentWidget()
        assert isinstance(view, _View)
        view.read()

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
