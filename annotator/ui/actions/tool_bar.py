"""The tool bar: the tools and edits of the open task, each with its variants in a menu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolBar, QToolButton, QWidget

from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS
from annotator.ui.actions.table import ActionTable

_DRAWN: Final = frozenset((Tool.BOXES, Tool.POINTS))
# Groups of buttons. The first action of a button is the one it runs, the others are in its menu.
_BUTTONS: Final = (
    (
        ("tool.select",),
        ("tool.box", "tool.box-corners", "tool.box-extremes", "tool.box-click"),
        ("tool.point", "point.loop"),
    ),
    (("edit.undo",), ("edit.redo",)),
    (
        ("key.set", "key.delete", "track.occluded", "track.outside", "track.split", "track.join",
         "track.children"),
        ("proposal.run", "proposal.pause", "proposal.doubtful", "proposal.dismiss"),
        ("proposal.accept", "proposal.gallery", "proposal.accept-to-here", "proposal.accept-all"),
    ),
    (("view.fit",),),
)  # fmt: skip
_NEEDED: Final = {
    "tool.box": frozenset((Tool.BOXES,)),
    "tool.point": frozenset((Tool.POINTS,)),
    "key.set": _DRAWN,
    "proposal.run": _DRAWN,
    "proposal.accept": _DRAWN,
}


class ActionToolBar(QToolBar):
    """Stays where it is. Buttons whose tools the task does not have are hidden, not dimmed."""

    def __init__(self, window: QWidget, table: ActionTable) -> None:
        tr = QCoreApplication.translate
        super().__init__(tr("MainWindow", "Tools"), window)
        self.setObjectName("tools")
        self.setMovable(False)
        self._table = table
        self._tools = ALL_TOOLS
        self._places: dict[str, QAction] = {}
        names = {
            "tool.select": tr("MainWindow", "Select"),
            "tool.box": tr("MainWindow", "Box"),
            "tool.point": tr("MainWindow", "Point"),
            "key.set": tr("MainWindow", "Keyframe"),
            "proposal.run": tr("MainWindow", "Track"),
            "proposal.accept": tr("MainWindow", "Accept"),
        }
        for group in _BUTTONS:
            line = self.addSeparator() if self._places else None
            for action_ids in group:
                button = self._button(action_ids, names.get(action_ids[0], ""))
                self._places[action_ids[0]] = self.addWidget(button)
            if line is not None and all(action_ids[0] in _NEEDED for action_ids in group):
                self._places[f"line {group[0][0]}"] = line

    def fit(self, tools: frozenset[Tool]) -> None:
        """Show the buttons that are of use with these tools of a task."""
        if tools == self._tools:
            return
        self._tools = tools
        for name, place in self._places.items():
            needed = _NEEDED.get(name.removeprefix("line "), frozenset())
            place.setVisible(not needed or bool(needed & tools))

    def _button(self, action_ids: Sequence[str], name: str) -> QToolButton:
        action = self._table.action(action_ids[0])
        button = VariantButton(self, self._table, action_ids)
        if name:
            action.setIconText(name)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        return button


class VariantButton(QToolButton):
    """The button of an action, with its variants in a menu.

    It is enabled while any of them is. A click runs the action, or opens the menu where only a
    variant can be run.
    """

    def __init__(self, bar: QToolBar, table: ActionTable, action_ids: Sequence[str]) -> None:
        super().__init__(bar)
        self._table = table
        self._action_ids = action_ids
        self.setObjectName(action_ids[0])
        self.setDefaultAction(table.action(action_ids[0]))
        if len(action_ids) > 1:
            menu = QMenu(self)
            self.setMenu(menu)
            self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
            menu.aboutToShow.connect(self._fill)
            self.clicked.connect(self._open_instead)
            for action_id in action_ids[1:]:
                table.bare(action_id).enabledChanged.connect(self._update)
        self.defaultAction().changed.connect(self._update)
        self._update()

    @Slot()
    def _update(self) -> None:
        # Qt has just given the button the state and the tip of its action.
        actions = [self._table.bare(action_id) for action_id in self._action_ids]
        self.setEnabled(any(action.isEnabled() for action in actions))
        tip, why = actions[0].toolTip(), self._table.obstacle(self._action_ids[0])
        self.setToolTip(tip if why in tip else f"{tip}\n{why}")

    @Slot()
    def _open_instead(self) -> None:
        if not self.defaultAction().isEnabled():
            self.showMenu()

    @Slot()
    def _fill(self) -> None:
        # Only now: drawing the icons of all would delay the window.
        if self.menu().isEmpty():
            self.menu().addActions([self._table.action(name) for name in self._action_ids[1:]])
