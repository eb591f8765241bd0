"""The menus of the right mouse button: on an object, and beside all of them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from annotator.ui.actions.table import ActionTable

_OBJECT_MENU: Final = (
    ("track.rename", "key.set", "key.delete", "track.occluded", "track.outside"),
    ("proposal.accept", "proposal.accept-all", "proposal.dismiss", "proposal.run"),
    ("track.split", "track.join", "track.swap", "track.children"),
    ("track.hide", "track.lock", "track.delete"),
)
_PICTURE_MENU: Final = (
    ("tool.box", "tool.box-corners", "tool.box-extremes", "tool.box-click"),
    ("edit.undo", "edit.redo"),
    ("view.fit", "view.actual", "view.zoom-in", "view.zoom-out"),
)


def context_menu(window: QWidget, table: ActionTable, *, is_on_object: bool) -> QMenu:
    """Return a menu that goes when it is closed."""
    menu = QMenu(window)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for group in _OBJECT_MENU if is_on_object else _PICTURE_MENU:
        menu.addSeparator()
        menu.addActions([table.action(action_id) for action_id in group])
    return menu
