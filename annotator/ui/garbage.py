"""Collects garbage on the main thread, and only there.

Python looks for unreachable cycles in whichever thread happens to allocate. A widget in such a
cycle would be destroyed by the thread that writes to disk or decodes, which Qt does not survive.
"""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

_LOOK_MS: Final = 1_000
_NEW_OBJECTS: Final = 20_000
_YOUNG_PER_FULL: Final = 50


class GarbageOnMain(QObject):
    """Takes over from Python's own collector for as long as the application lives.

    Looks once a second; young objects are collected when enough of them have come, all of them
    after every fiftieth time.
    """

    def __init__(self, application: QObject) -> None:
        super().__init__(application)
        self._young = 0
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._timer.start()

    @Slot()
    def _on_timer_timeout(self) -> None:
        if gc.get_count()[0] < _NEW_OBJECTS:
            return
        self._young += 1
        if self._young % _YOUNG_PER_FULL:
            gc.collect(1)
        else:
            gc.collect()
