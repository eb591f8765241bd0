"""The menu Lead: the lead dashboard, adding in bulk, and work packages."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from annotator.domain.ids import TaskId
from annotator.domain.recipes.recipe import Recipe
from annotator.services.background.jobs import JobToken
from annotator.services.project.recipes import parse_recipe, read_recipe, write_recipe
from annotator.ui.actions.conditions import is_lead
from annotator.ui.actions.table import ActionTable
from annotator.ui.dialogs.file_dialogs import ask_recipe, ask_recipe_target
from annotator.ui.lead.lead_texts import TaskLink
from annotator.ui.lead.setup.package_actions import PackageActions
from annotator.ui.lead.sharing.hub_collection import Collecting
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject
    from annotator.ui.commands.project_actions import ProjectActions
    from annotator.ui.forms.fields.video_fields import Surroundings
    from annotator.ui.lead.setup.prepare_dialog import Preparing
    from annotator.ui.lead.window import LeadWindow

MENU = "Lead"
_LATER_MS: Final = 700


class LeadActions(QObject):
    """Handlers of the menu Lead; it is there for the leads of projects that have stages."""

    predictionWanted = Signal(str, object)  # title of a model, Document

    def __init__(
        self,
        workspace: Workspace,
        table: ActionTable,
        window: QWidget,
        projects: ProjectActions,
        seek: Callable[[int], object],
        around: Callable[[], Surroundings],
    ) -> None:
        """``seek`` goes to a frame, ``around`` gives what fields of forms are answered with."""
        super().__init__(workspace)
        self._around = around
        self._seek = seek
        self._workspace = workspace
        self._table = table
        self._parent = window
        self.packages = PackageActions(workspace, table, window)
        self.collecting = Collecting(workspace, table, window)
        self.collecting.begun.connect(partial(self._show, "sharing"))
        table.on("lead.add-videos", projects.add_many)
        table.on("lead.recipe", self._change_recipe)
        table.on("lead.save-recipe", self._save_recipe)
        table.on("lead.preview", self._preview)
        table.on("lead.prepare", self._prepare)
        self.window: LeadWindow | None = None
        for action_id, page in (
            ("lead.board", "board"),
            ("lead.questions", "questions"),
            ("lead.answers", "answers"),
            ("lead.qualification", "grading"),
            ("lead.studies", "studies"),
            ("lead.numbers", "numbers"),
            ("lead.dataset", "dataset"),
            ("lead.spot-checks", "spots"),
            ("lead.gold", "gold"),
            ("lead.people", "people"),
        ):
            table.on(action_id, partial(self._show, page))
        workspace.projectLeaving.connect(self._leave)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER_MS)
        self._later.timeout.connect(self._load)
        self._is_loaded = False
        self._preparing: Preparing | None = None
        for signal in (
            workspace.projectChanged,
            workspace.personChanged,
            workspace.bridge.peopleChanged,
        ):
            signal.connect(self._offer)
        self._offer()

    def _show(self, page: str) -> None:
        project = self._workspace.project
        if project is None:
            return
        from annotator.ui.lead.window import LeadWindow

        if self.window is None:
            self.window = LeadWindow(self._workspace, project, self.collecting)
            self.window.lookWanted.connect(self._look)
        self.window.show_page(getattr(self.window, page))

    def _change_recipe(self) -> None:
        """Go by a recipe from a file, after a question; every task is looked at, in a job."""
        project = self._workspace.project
        path = ask_recipe(self._parent, project.path.parent) if project is not None else None
        if project is None or path is None:
            return
        from annotator.ui.lead.setup.team_setup import effects_text

        text = read_recipe(path)
        recipe = parse_recipe(text)
        box = QMessageBox(self._parent)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("Change recipe"))
        question = self.tr("Use the recipe “{title}”, version {n}, from now on?")
        box.setText(question.format(title=recipe.title, n=recipe.version))
        box.setInformativeText(effects_text(project, recipe))
        go = box.addButton(self.tr("Change recipe"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        look = None
        if recipe.asks:
            look = box.addButton(self.tr("Preview questions…"), QMessageBox.ButtonRole.ActionRole)
        box.exec()
        while look is not None and box.clickedButton() is look:
            self._show_preview(recipe, box)
            box.exec()
        is_wanted = box.clickedButton() is go
        box.deleteLater()
        if is_wanted:
            self._use(project, text)

    def _preview(self) -> None:
        """Show the questions of the project's recipe as raters see them."""
        project = self._workspace.project
        if project is not None:
            self._show_preview(project.work.recipe, self._parent)

    def _show_preview(self, recipe: Recipe, parent: QWidget) -> None:
        from annotator.ui.forms.preview import FormPreview

        preview = FormPreview(self._around(), recipe, parent)
        preview.exec()
        preview.deleteLater()

    def _prepare(self) -> None:
        """Have trackers propose in advance."""
        self._prepares().ask()

    def _prepares(self) -> Preparing:
        """Return the preparation of proposals; its modules are imported on first use."""
        if self._preparing is None:
            from annotator.ui.lead.setup.prepare_dialog import Preparing

            self._preparing = Preparing(self._workspace, self._parent)
        return self._preparing

    def _save_recipe(self) -> None:
        """Write the recipe of the project into a file: what a recipe of one's own begins with."""
        project = self._workspace.project
        if project is None:
            return
        proposal = project.path.with_name(f"{project.work.recipe.name}.toml")
        path = ask_recipe_target(self._parent, proposal)
        if path is not None:
            write_recipe(project.work.recipe_text(), path)
            self._workspace.message.emit(self.tr("Saved as {name}").format(name=path.name))

    def _use(self, project: OpenProject, text: str) -> None:
        from annotator.ui.lead.setup.team_setup import changed_text, use_recipe

        def done(recipe: Recipe) -> None:
            was_shown = self.window is not None and self.window.isVisible()
            # Another recipe may have other pages.
            self._leave()
            if was_shown:
                self._show("board")
            self._workspace.message.emit(changed_text(recipe))

        self._workspace.start_job(
            self.tr("Change recipe"), partial(use_recipe, project, text), done
        )

    @Slot()
    def _offer(self) -> None:
        """Show the menu to leads only; close the lead dashboard for other people."""
        may = is_lead(self._workspace)
        self._table.show_menu(MENU, is_shown=may)
        if not may:
            self._leave()
        else:
            self._later.start()

    @Slot()
    def _load(self) -> None:
        """Load the lead dashboard in the background, once the window is idle.

        Then proposals that an earlier window began to prepare are followed.
        """
        if self._workspace.project is None:
            return
        if self._is_loaded:
            self._prepares().look()
            return
        self._is_loaded = True
        load = partial(_load_pages, self._workspace.project)
        self._workspace.jobs.submit(MENU, load, lambda _: self._prepares().look(), is_quiet=True)

    @Slot()
    def _leave(self) -> None:
        self._later.stop()
        if self.window is not None:
            self.window.leave()
            self.window = None

    @Slot(object)
    def _look(self, wanted: TaskId | TaskLink) -> None:
        """Open a task without claiming it, and raise the main window."""
        look = wanted if isinstance(wanted, TaskLink) else TaskLink(wanted)
        shown = partial(self._show_place, look)
        if self._workspace.open_task(look.task_id, shown, takes=False, whose=look.person_id):
            self._parent.raise_()
            self._parent.activateWindow()

    def _show_place(self, look: TaskLink) -> None:
        """Go to the frame of a look, and select its track."""
        if look.track_id is not None:
            self._workspace.selection.set_tracks([look.track_id])
        if look.frame is not None:
            self._seek(min(look.frame, max(0, self._workspace.n_frames - 1)))
        if look.prediction is not None:
            self.predictionWanted.emit(*look.prediction)


def _load_pages(project: OpenProject, token: JobToken) -> None:
    from annotator.services.dataset.statistics import warm_up
    from annotator.ui.lead.window import load_pages

    load_pages()
    importlib.import_module("annotator.ui.lead.setup.prepare_dialog")
    warm_up(project, token)
