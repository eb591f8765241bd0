"""The window itself: its first picture, its keys, and closing; `Assembly` fills it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow

from annotator.ui.look.widgets import size_to_screen
from annotator.ui.shell import window_places
from annotator.ui.shell.first_window import Opening
from annotator.ui.shell.staged_start import Staging

if TYPE_CHECKING:
    from annotator.ui.actions.key_router import KeyRouter
    from annotator.ui.actions.keymap import Keymap
    from annotator.ui.canvas.painting.first_picture import FirstPicture
    from annotator.ui.look.theme import ThemeHub
    from annotator.ui.shell.assembly import Assembly, Step
    from annotator.ui.shell.context import Context
    from annotator.ui.state.workspace import Workspace

_SIZE: Final = QSize(1360, 860)
_PATIENCE_MS: Final = 1000


class MainWindow(QMainWindow):
    """One project in one window; closing releases everything.

    With ``remembers_place`` size and panels are restored, and stored for the next time. If the last
    screen content is known, that picture alone is shown at first; ``staging`` builds all parts
    behind it. Meanwhile `FirstKeys` steps through the video; any other key or mouse press waits for
    canvas and project, and hastens them.
    """

    def __init__(self, hub: ThemeHub, *, remembers_place: bool = True) -> None:
        super().__init__()
        self.hub = hub
        self.staging = Staging(self)
        self.opening = Opening(self)
        self._remembers_place = remembers_place
        self._assembly: Assembly | None = None
        self.resize(_SIZE)
        if remembers_place:
            size_to_screen(self, _SIZE)
            window_places.restore_size(self)

    @property
    def assembly(self) -> Assembly:
        """The parts and features of the window, from `begin` on."""
        assert self._assembly is not None
        return self._assembly

    @property
    def has_parts(self) -> bool:
        """Whether there is more than the first picture."""
        return self._router is not None

    @property
    def context(self) -> Context:
        """The parts that are there before all features."""
        return self.assembly.context

    def show_first(self, first: FirstPicture, keymap: Callable[[], Keymap]) -> bool:
        """Show a picture where the canvas will be; False where that is not known from before."""
        if not self._remembers_place:
            return False
        return self.opening.show_first(first, keymap, self.staging.start)

    def begin(self, workspace: Workspace, project: Path | None = None) -> list[Step]:
        """Return the steps to all that is seen at once, in their order; see `Assembly`."""
        from annotator.ui.shell.assembly import Assembly

        places = self._remembers_place
        self._assembly = Assembly(self, self.staging, self.opening, remembers_place=places)
        return self._assembly.begin(workspace, project)

    def event(self, event: QEvent) -> bool:
        # Others come before the window is made and while it ends, too.
        if isinstance(event, QKeyEvent):
            is_asked = event.type() == QEvent.Type.ShortcutOverride
            if is_asked and self._router is not None and self._router.overrides(event):
                event.accept()
                return True
        elif event.type() == QEvent.Type.WindowDeactivate and self._router is not None:
            self._router.forget()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        router = self._router
        if router is None or not router.pressed(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        router = self._router
        if router is not None:
            router.released(event)
        super().keyReleaseEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        is_opening = self.opening.first is not None
        if is_opening and self.windowHandle() is not None:
            self.staging.guard(self.windowHandle(), "plan")
            self.opening.listen(self.windowHandle())
        is_coming = self._assembly is not None and self._assembly.awaits_picture
        # A picture that never comes must not keep the rest of the window away.
        QTimer.singleShot(_PATIENCE_MS if is_coming or is_opening else 0, self.staging.start)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.staging.finish()
        bridge = self.context.workspace.bridge
        if bridge.is_held:
            # An edit is being written: what closing does comes after it.
            event.ignore()
            bridge.post(self.close)
            return
        self.assembly.close()
        super().closeEvent(event)

    @property
    def _router(self) -> KeyRouter | None:
        return self._assembly.router if self._assembly is not None else None
