"""The tools at the top of the window: the actions used most, by what they are about."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QToolBar, QWidget

from annotator.ui.actions.table import ActionTable

_TOOLS: Final = (
    ("tool.select", "tool.box", "tool.point", "point.loop", "point.centre"),
    ("edit.undo", "edit.redo"),
    ("key.set", "key.delete", "track.occluded", "track.outside"),
    ("track.split", "track.join", "track.children"),
    ("proposal.run", "proposal.accept", "proposal.accept-to-here", "proposal.accept-all"),
    ("proposal.dismiss", "proposal.doubtful"),
    ("view.fit",),
)


def tool_bar(window: QWidget, table: ActionTable) -> QToolBar:
    """Return the bar, which stays where it is."""
    bar = QToolBar(QCoreApplication.translate("MainWindow", "Tools"), window)
    bar.setObjectName("tools")
    bar.setMovable(False)
    for group in _TOOLS:
        if bar.actions():
            bar.addSeparator()
        for action_id in group:
            bar.addAction(table.action(action_id))
    return bar
