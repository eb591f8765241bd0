"""Reports activity to the work, so that time is counted and a task stays claimed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QWindow
from shiboken6 import isValid

from annotator.ui.state.workspace import Workspace

_TICK_MS: Final = 1000
_WARN_MS: Final = 600_000
_INPUT: Final = frozenset(
    (
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TabletPress,
        QEvent.Type.TabletMove,
    )
)


class SignsOfLife(QObject):
    """Checks once a second whether there was input, playback or another frame.

    Runs only while a signed-in person has an assigned task. ``secondsCounted`` carries the active
    time; ``leaseEnding`` the time when an idle task returns to the queue (clock time in
    milliseconds), 0 when that is not near.
    """

    secondsCounted = Signal(float)
    leaseEnding = Signal(object)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._window: QWindow | None = None
        self._has_input = False
        self._frame = -1
        self._warned: int = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.look)
        workspace.stageChanged.connect(self.follow)
        workspace.personChanged.connect(self.follow)
        workspace.bridge.workChanged.connect(self._on_work_changed)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(self._on_focus_window_changed)
            self._on_focus_window_changed(app.focusWindow())
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Count for the task that is open now, if it is in the person's hands."""
        project, task_role = self._workspace.project, self._workspace.task_role
        if project is None or not self._workspace.has_people:
            self._timer.stop()
            return
        is_held = task_role is not None and task_role.held is not None
        project.work.enter(self._workspace.task_id if is_held else None)
        if is_held:
            self._frame = self._workspace.frame
            self._timer.start()
            self._tell()
        else:
            self._timer.stop()
            self._warn(0)

    @Slot()
    def look(self) -> None:
        """Report the activity since the last look to the work."""
        project, stage = self._workspace.project, self._workspace.stage
        if project is None or stage is None:
            return
        is_in_front = self._window is not None
        state = stage.player.state
        is_alive = self._has_input or state.is_playing or state.frame != self._frame
        self._has_input, self._frame = False, state.frame
        if not is_in_front:
            project.work.poke(is_background=True)
        elif is_alive:
            project.work.poke()
        self._tell()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self._has_input = True
        return False

    def _tell(self) -> None:
        project, task_id, task_role = (
            self._workspace.project,
            self._workspace.task_id,
            self._workspace.task_role,
        )
        if project is None or task_id is None or task_role is None or task_role.held is None:
            return
        self.secondsCounted.emit(project.work.active_seconds(task_id))
        until = task_role.held.lease_until
        is_near = until is not None and until - project.work.transactions.now() < _WARN_MS
        self._warn(until if is_near and until is not None else 0)

    def _warn(self, until: int) -> None:
        if until != self._warned:
            self._warned = until
            self.leaseEnding.emit(until)

    @Slot(object)
    def _on_work_changed(self, _: object) -> None:
        task_role, project = self._workspace.task_role, self._workspace.project
        is_held = task_role is not None and task_role.held is not None
        if is_held != self._timer.isActive() and project is not None:
            self.follow()

    @Slot(object)
    def _on_focus_window_changed(self, window: QWindow | None) -> None:
        """Look at the keys and the mouse where they arrive: in the window that is in front."""
        # The window of a dialog is gone when another one comes to the front.
        if self._window is not None and isValid(self._window):
            self._window.removeEventFilter(self)
        self._window = window
        if window is not None:
            window.installEventFilter(self)
