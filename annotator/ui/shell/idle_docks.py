"""Docks that have nothing to show stay away: on pages without a video, and for the open task.

The others get their first heights here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar

from annotator.domain.recipes.recipe import Tool
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.shell.pages import Pages

_TASKS: Final = "tasks"
# A list of few objects needs less than the fields of one, a list of tasks less than text.
_HEIGHTS: Final = (
    (("objects", 260), ("inspector", 380)),
    (("tasks", 250), ("guidelines", 450)),
)
_IN_FRONT: Final = frozenset({"objects", "inspector"})


class IdleDocks(QObject):
    """Hides docks that have nothing to show, and shows them again once they have.

    On pages that are not about a video these are all docks, and the tool bars. A dock that the
    person opens nevertheless stays open.
    """

    broughtBack = Signal()  # after docks are shown again; raise one now

    def __init__(
        self,
        workspace: Workspace,
        pages: Pages,
        window: QMainWindow,
        before: tuple[Iterable[str], Iterable[str]] | None = None,
    ) -> None:
        """``before``: `empty` and `opened` of the last time; None if nobody has sized the docks."""
        super().__init__(window)
        self._workspace = workspace
        self._pages = pages
        self._window = window
        self._hidden: list[QDockWidget] = []
        self._front: list[QDockWidget] = []
        self._bars: list[QToolBar] = []
        empty, opened = before or ((), ())
        self._empty = set(empty)
        self._opened = set(opened)
        self._unsized = [] if before is not None else list(_HEIGHTS)
        self._was_working = False
        pages.currentChanged.connect(self.refresh)
        workspace.projectChanged.connect(self.refresh)
        workspace.stageChanged.connect(self.refresh)
        workspace.edited.connect(self.fit_contents)

    @property
    def opened(self) -> frozenset[str]:
        """Names of docks that the person opened although they were empty."""
        return frozenset(self._opened | (self._empty - self.empty))

    @property
    def empty(self) -> frozenset[str]:
        """Names of docks that are hidden because the open task has nothing for them."""
        docks = self._window.findChildren(QDockWidget)
        shown = {dock.objectName() for dock in docks if not dock.isHidden()}
        return frozenset(self._empty - shown)

    def holds(self, dock: QDockWidget) -> bool:
        """Return whether a dock is hidden only because it would be empty."""
        return dock in self._hidden or dock.objectName() in self._empty

    @Slot()
    def refresh(self) -> None:
        """Hide docks without content; show them again once they have some."""
        if self._pages.is_working:
            self.bring_back()
            self._fit(_CONTENTS)
            if self._unsized and self._workspace.session is not None:
                # Once the docks are in sight.
                QTimer.singleShot(0, self, self._share_the_height)
            return
        for bar in self._window.findChildren(QToolBar):
            if not bar.isHidden():
                self._bars.append(bar)
                bar.hide()
        # In a project with people the start page itself lists the tasks.
        workspace = self._workspace
        is_plain = workspace.project is not None and not workspace.has_people
        lists_tasks = is_plain and _has_tasks(workspace)
        for dock in self._window.findChildren(QDockWidget):
            keeps = lists_tasks and dock.objectName() == _TASKS
            if keeps and self.holds(dock):
                self._hidden = [hidden for hidden in self._hidden if hidden is not dock]
                self._empty.discard(dock.objectName())
                dock.show()
            elif not keeps and not dock.isHidden():
                # What comes up only now was not in front of anybody.
                if self._was_working and not dock.visibleRegion().isEmpty():
                    self._front.append(dock)
                self._hidden.append(dock)
                dock.hide()
        self._was_working = False

    def bring_back(self) -> None:
        """Show the docks that were hidden with the page, with the same ones in front."""
        self._was_working = True
        hidden, front = self._hidden, self._front
        self._hidden, self._front = [], []
        for dock in hidden:
            if dock.toggleViewAction().isVisible():  # else it is not for this project or person
                dock.show()
        # Before the window was ever on the screen nothing was in front.
        to_show = front or [dock for dock in hidden if dock.objectName() in _IN_FRONT]
        for dock in to_show:
            dock.raise_()
        for bar in self._bars:
            bar.show()
        self._bars = []
        if hidden:
            self.broughtBack.emit()

    @Slot()
    def _share_the_height(self) -> None:
        """Give docks that stand above each other their first heights."""
        for pair in tuple(self._unsized):
            docks = [self._window.findChild(QDockWidget, name) for name, _height in pair]
            shown = [dock for dock in docks if dock is not None and not dock.isHidden()]
            if len(shown) == len(pair):
                self._unsized.remove(pair)
                heights = [height for _name, height in pair]
                self._window.resizeDocks(shown, heights, Qt.Orientation.Vertical)

    @Slot()
    def fit_contents(self) -> None:
        """Show or hide the docks whose content an edit changes."""
        if self._pages.is_working:
            self._fit(_CHANGED_BY_EDITS)

    def _fit(self, names: Iterable[str]) -> None:
        """Show docks with content and hide those without."""
        if self._workspace.session is None:
            return
        docks = {dock.objectName(): dock for dock in self._window.findChildren(QDockWidget)}
        changed = [
            docks[name]
            for name in names
            if name in docks
            and not (self._workspace.asks and name not in _LEFT)
            and self._must_change(name, docks[name])
        ]
        if changed:
            front = [dock for dock in docks.values() if not dock.visibleRegion().isEmpty()]
            for dock in changed:
                dock.setVisible(dock.objectName() not in self._empty)
            for dock in front:
                if not dock.isHidden():
                    dock.raise_()

    def _must_change(self, name: str, dock: QDockWidget) -> bool:
        """Return whether a dock is to be shown or hidden now; note what the person did to it."""
        was_empty, is_hidden = name in self._empty, dock.isHidden()
        if _CONTENTS[name](self._workspace):
            self._empty.discard(name)
            return was_empty and is_hidden and dock.toggleViewAction().isVisible()
        if is_hidden:
            self._opened.discard(name)
            return False
        if was_empty:
            self._empty.discard(name)
            self._opened.add(name)
        if name in self._opened:
            return False
        self._empty.add(name)
        return True


def _has_tasks(workspace: Workspace) -> bool:
    """Whether there is more than the open task, whose name is in the tool bar."""
    project = workspace.project
    return project is None or workspace.has_people or project.n_tasks > 1


def _draws(workspace: Workspace, *tools: Tool) -> bool:
    """Whether the recipe asks for annotations of these kinds; a plain project asks for none."""
    session = workspace.session
    return workspace.has_people and session is not None and bool(session.tools & set(tools))


def _has_objects(workspace: Workspace) -> bool:
    session = workspace.session
    if session is None or session.document.tracks or session.document.points:
        return True
    if not workspace.has_people or not session.tools:
        return workspace.has_picture
    return _draws(workspace, Tool.BOXES, Tool.POINTS)


def _has_properties(workspace: Workspace) -> bool:
    """Whether there is anything whose properties could be shown: objects, points or segments."""
    session = workspace.session
    return _has_objects(workspace) or (session is not None and bool(session.document.segments))


def _has_segments(workspace: Workspace) -> bool:
    session = workspace.session
    if session is None or session.document.segments:
        return True
    return _draws(workspace, Tool.ACTIONS, Tool.SOUNDS)


def _has_labels(workspace: Workspace) -> bool:
    return not workspace.has_people or _has_segments(workspace)


def _has_guidelines(workspace: Workspace) -> bool:
    project, task_id = workspace.project, workspace.task_id
    if project is None or task_id is None or not workspace.has_people:
        return True
    return project.work.guideline_of(task_id) is not None


def _has_checklist(workspace: Workspace) -> bool:
    project, task_id = workspace.project, workspace.task_id
    if project is None or task_id is None or not workspace.has_people:
        return True
    return bool(project.work.checklist_of(task_id))


def _has_changes(workspace: Workspace) -> bool:
    role = workspace.task_role
    return workspace.has_before or (role is not None and role.is_judging)


_CONTENTS: Final[Mapping[str, Callable[[Workspace], bool]]] = {
    _TASKS: _has_tasks,
    "guidelines": _has_guidelines,
    "checklist": _has_checklist,
    "objects": _has_objects,
    "inspector": _has_properties,
    "segments": _has_segments,
    "labels": _has_labels,
    "changes": _has_changes,
}
_LEFT: Final = frozenset({_TASKS, "guidelines", "checklist"})
_CHANGED_BY_EDITS: Final = ("objects", "inspector", "segments", "labels", "changes")
