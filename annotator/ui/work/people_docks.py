"""The docks of a project with people: a plain project neither builds nor shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QWidget

from annotator.domain.recipes.recipe import Tool
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.people import Role

_WIDTH_PX: Final = 140
CHANGES: Final = "changes"
_LISTS: Final = {
    Tool.BOXES: "objects",
    Tool.POINTS: "objects",
    Tool.ACTIONS: "segments",
    Tool.SOUNDS: "segments",
}


class HiddenDocks(Protocol):
    """Docks that are hidden because they would be empty."""

    def holds(self, dock: QDockWidget, /) -> bool: ...

    def refresh(self) -> None: ...


@dataclass(slots=True)
class _Place:
    """A dock to be, or one that is there."""

    title: str
    area: Qt.DockWidgetArea
    build: Callable[[], QWidget]
    beside: str
    role: Role | None
    is_for_all: bool
    dock: QDockWidget | None = None
    is_wanted: bool = True

    @property
    def is_up(self) -> bool:
        """Whether the person who was last there had it."""
        return self.dock is not None and self.dock.toggleViewAction().isVisible()


class PeopleDocks(QObject):
    """Docks by name; `add` registers one, `build` creates those that the person may see.

    Registered docks are built once the window is complete and a person has signed in.
    """

    def __init__(self, workspace: Workspace, window: QMainWindow) -> None:
        super().__init__(window)
        self._workspace = workspace
        self._window = window
        self._places: dict[str, _Place] = {}
        self._menu: QMenu | None = None
        self._is_ready = False
        self._before: QByteArray | None = None
        self._idle: HiddenDocks | None = None
        workspace.projectChanged.connect(self.refresh)
        workspace.personChanged.connect(self.refresh)
        workspace.stageChanged.connect(self.raise_dock)

    def add(
        self,
        name: str,
        title: str,
        build: Callable[[], QWidget],
        *,
        area: Qt.DockWidgetArea = Qt.DockWidgetArea.RightDockWidgetArea,
        beside: str = "",
        role: Role | None = None,
        is_for_all: bool = False,
    ) -> None:
        """Register a dock. ``build`` creates its content when it is first needed.

        ``beside`` is the name of the dock it shares a place with, as a tab; ``role`` is the
        required role; one that ``is_for_all`` is also there for participants of studies.
        """
        self._places[name] = _Place(title, area, build, beside, role, is_for_all)

    def build(self, menu: QMenu) -> None:
        """Create the docks of the signed-in person; from now on also after another sign-in.

        Each has its switch in the menu.
        """
        self._menu = menu
        self._is_ready = True
        self.refresh()

    def take_idle(self, idle: HiddenDocks) -> None:
        """Leave the docks to this that would be empty."""
        self._idle = idle

    def is_shown(self, name: str) -> bool:
        """Return whether a dock is in sight, not behind another."""
        dock = self._places[name].dock
        return dock is not None and dock.isVisible() and not dock.visibleRegion().isEmpty()

    def show(self, name: str) -> QWidget | None:
        """Raise a dock and return its content; None if the person does not have it."""
        dock = self._places[name].dock
        if dock is None or not self._fits(self._places[name]):
            return None
        dock.show()
        dock.raise_()
        return dock.widget()

    def hide(self, name: str) -> None:
        """Close a dock as its button does."""
        dock = self._places[name].dock
        if dock is not None:
            dock.hide()

    @Slot()
    def refresh(self) -> None:
        """Show the docks that fit the project and the person, and no others."""
        if not self._is_ready:
            return
        if self._before is None and any(p.is_up and not self._fits(p) for p in self._all()):
            self._before = self._window.saveState()
        self._put_in_order()
        if self._before is not None and self._workspace.person is not None:
            # Sizes, and which dock lies in front, as they were when the last person left.
            self._window.restoreState(self._before)
            self._before = None
            for place in self._all():
                if place.dock is not None:
                    place.dock.setVisible(self._fits(place) and place.is_wanted)
        if self._idle is not None:
            self._idle.refresh()
            # A new dock is shown by the window later, although it would be empty.
            QTimer.singleShot(0, self, self._idle.refresh)

    def _put_in_order(self) -> None:
        for name, place in self._places.items():
            fits = self._fits(place)
            if place.dock is None:
                if fits:
                    self._put_up(name, place)
                continue
            action = place.dock.toggleViewAction()
            if place.is_up and not fits:
                place.is_wanted = not self._is_closed(place.dock)
            if action.isVisible() != fits:
                place.dock.setVisible(fits and place.is_wanted)
                action.setVisible(fits)

    @Slot()
    def raise_dock(self) -> None:
        """Show the changes to a reviewer, and the task's guideline to others."""
        task_role, session = self._workspace.task_role, self._workspace.session
        if task_role is None or session is None or CHANGES not in self._places:
            return
        if task_role.is_judging:
            self.show(CHANGES)
        elif self.is_shown(CHANGES):
            names = (name for tool, name in _LISTS.items() if session.has_tool(tool))
            front = self._neighbor(next(names, ""))
            if front is not None:
                front.raise_()

    def _is_closed(self, dock: QDockWidget) -> bool:
        return dock.isHidden() and not (self._idle is not None and self._idle.holds(dock))

    def _all(self) -> list[_Place]:
        return list(self._places.values())

    def _fits(self, place: _Place) -> bool:
        person = self._workspace.person
        return person is not None and (place.is_for_all or person.has(place.role))

    def _put_up(self, name: str, place: _Place) -> None:
        dock = QDockWidget(place.title, self._window)
        dock.setObjectName(name)
        panel = place.build()
        panel.setMinimumWidth(_WIDTH_PX)
        dock.setWidget(panel)
        place.dock = dock
        if not self._window.restoreDockWidget(dock):
            self._window.addDockWidget(place.area, dock)
            neighbor = self._neighbor(place.beside)
            if neighbor is not None:
                self._window.tabifyDockWidget(neighbor, dock)
                neighbor.raise_()
        if self._menu is not None:
            self._menu.addAction(dock.toggleViewAction())

    def _neighbor(self, name: str) -> QDockWidget | None:
        if not name:
            return None
        found = self._window.findChild(QDockWidget, name)
        return found if isinstance(found, QDockWidget) else None
