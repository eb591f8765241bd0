"""News of the work on their way to the panels: one at once, those that follow it together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

from annotator.ui.state.bridge import Bridge

if TYPE_CHECKING:
    from annotator.services.workflow.work import WorkChanged

_TOLD_EVERY_MS: Final = 250


class WorkNews(QObject):
    """Sends ``workChanged`` of a bridge; thousands of acts in a row do not make panels read more.

    All on the main thread.
    """

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._bridge = bridge
        self._waits: WorkChanged | None = None
        self._told = QTimer(self)
        self._told.setSingleShot(True)
        self._told.setInterval(_TOLD_EVERY_MS)
        self._told.timeout.connect(self._tell_rest)

    def tell(self, changed: WorkChanged) -> None:
        """Tell of a change: now, or together with others in a moment."""
        if self._told.isActive():
            self._waits = changed if self._waits is None else self._waits | changed
            return
        self._told.start()
        self._bridge.workChanged.emit(changed)

    @Slot()
    def _tell_rest(self) -> None:
        changed, self._waits = self._waits, None
        if changed is not None:
            self.tell(changed)
