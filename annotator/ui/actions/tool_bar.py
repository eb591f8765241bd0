"""The tools at the top of the window: the actions used most, by what they are about."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

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
    """Return the bar, which stays where it is; the current tool and *Accept* have words."""
    tr = QCoreApplication.translate
    named = {
        "tool.select": tr("MainWindow", "Select"),
        "tool.box": tr("MainWindow", "Box"),
        "tool.point": tr("MainWindow", "Point"),
        "proposal.accept": tr("MainWindow", "Accept"),
    }
    bar = QToolBar(tr("MainWindow", "Tools"), window)
    bar.setObjectName("tools")
    bar.setMovable(False)
    for group in _TOOLS:
        if bar.actions():
            bar.addSeparator()
        for action_id in group:
            action = table.action(action_id)
            bar.addAction(action)
            button = bar.widgetForAction(action)
            if action_id in named and isinstance(button, QToolButton):
                action.setIconText(named[action_id])
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return bar
