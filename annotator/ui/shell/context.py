"""The context of the features of a window: each gets this instead of the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from annotator.ui.actions.key_router import KeyRouter
    from annotator.ui.actions.table import ActionTable
    from annotator.ui.bars.banners import Banners
    from annotator.ui.canvas.canvas_view import CanvasView
    from annotator.ui.commands.playback_actions import Playback
    from annotator.ui.commands.project_actions import ProjectActions
    from annotator.ui.shell.middle import Middle
    from annotator.ui.shell.side_panels import SidePanels
    from annotator.ui.shell.updates import Updates
    from annotator.ui.shell.view_keeper import ViewKeeper
    from annotator.ui.state.workspace import Workspace
    from annotator.ui.work.people_docks import PeopleDocks
    from annotator.ui.work.task_actions import TaskActions


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of a window that are there before its features.

    ``frame`` is where docks, tool bars and dialogs belong.
    """

    frame: QMainWindow
    workspace: Workspace
    table: ActionTable
    router: KeyRouter
    canvas: CanvasView
    playback: Playback
    projects: ProjectActions
    tasks: TaskActions
    panels: SidePanels
    docks: PeopleDocks
    middle: Middle
    keeper: ViewKeeper
    updates: Updates

    @property
    def banners(self) -> Banners:
        return self.middle.banners


def make_context(workspace: Workspace, frame: QMainWindow) -> Context:
    """Make the parts, still without a place; `Assembly` puts them up."""
    from annotator.ui.actions.key_router import KeyRouter
    from annotator.ui.actions.keymap import Keymap
    from annotator.ui.actions.table import ActionTable
    from annotator.ui.canvas.canvas_view import CanvasView
    from annotator.ui.commands.playback_actions import Playback
    from annotator.ui.commands.project_actions import ProjectActions
    from annotator.ui.shell.middle import Middle
    from annotator.ui.shell.side_panels import SidePanels
    from annotator.ui.shell.updates import Updates
    from annotator.ui.shell.view_keeper import ViewKeeper
    from annotator.ui.work.people_docks import PeopleDocks
    from annotator.ui.work.task_actions import TaskActions

    workspace.setParent(frame)
    keymap = Keymap(workspace.settings.text("keys.preset"), workspace.settings.bindings)
    table = ActionTable(frame, workspace.hub, keymap)
    router = KeyRouter(table, is_by_place=workspace.settings.flag("keys.by_place"))
    canvas = CanvasView(workspace.hub, workspace.selection)
    panels, docks = SidePanels(workspace), PeopleDocks(workspace, frame)
    middle = Middle(workspace, canvas)
    playback = Playback(workspace, canvas, table, router.is_held)
    projects = ProjectActions(workspace, table, frame)
    keeper = ViewKeeper(workspace, canvas, playback)
    projects.opened.connect(keeper.restore)
    tasks = TaskActions(workspace, table, keeper, frame)
    updates = Updates(workspace, table, frame, middle, keeper)
    return Context(
        frame,
        workspace,
        table,
        router,
        canvas,
        playback,
        projects,
        tasks,
        panels,
        docks,
        middle,
        keeper,
        updates,
    )
