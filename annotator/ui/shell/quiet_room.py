"""The window while questions are asked: what nobody needs then is put away, and comes back."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QObject, Slot
from PySide6.QtWidgets import QDockWidget, QToolBar, QWidget

from annotator.ui.shell.context import Context
from annotator.ui.shell.staging import Staging
from annotator.ui.timeline.model.layout import RULER_END_PX

_MENUS: Final = ("Object", "Points", "Segment", "Proposals")
_DOCKS: Final = (
    "objects",
    "points",
    "segments",
    "inspector",
    "labels",
    "findings",
    "changes",
    "comments",
)


class QuietRoom(QObject):
    """Keeps the usual state of a window while it is quiet."""

    def __init__(self, context: Context, staging: Staging) -> None:
        super().__init__(context.frame)
        self._frame = context.frame
        self._middle = context.middle
        self._table = context.table
        self._usual: tuple[QByteArray, list[int]] | None = None
        # Some docks are put up last.
        staging.completed.connect(self._hush)

    @property
    def is_quiet(self) -> bool:
        return self._usual is not None

    def enter(self) -> None:
        """Leave the picture, the tasks, and of the timeline the whole video at a glance.

        Whoever wants the sound below it pulls the timeline open.
        """
        splitter = self._middle.splitter
        if self._usual is None:
            self._usual = self._frame.saveState(), splitter.sizes()
        self._hush()
        self._timeline.setMinimumHeight(RULER_END_PX)
        whole = sum(splitter.sizes())
        splitter.setSizes([max(1, whole - RULER_END_PX), RULER_END_PX, 0])

    def leave(self) -> None:
        """Give the window its usual parts back."""
        if self._usual is None:
            return
        (state, sizes), self._usual = self._usual, None
        self._timeline.setMinimumHeight(0)
        self._frame.restoreState(state)
        self._middle.splitter.setSizes(sizes)
        for name in _MENUS:
            self._table.show_menu(name, is_shown=True)

    @Slot()
    def _hush(self) -> None:
        if self._usual is None:
            return
        for name in _DOCKS:
            dock = self._frame.findChild(QDockWidget, name)
            if dock is not None:
                dock.hide()
        tools = self._frame.findChild(QToolBar, "tools")
        if tools is not None:
            tools.hide()
        for name in _MENUS:
            self._table.show_menu(name, is_shown=False)

    @property
    def _timeline(self) -> QWidget:
        return self._middle.timeline_row
