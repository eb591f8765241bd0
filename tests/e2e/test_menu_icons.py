"""Icons are drawn when they are first seen, and again in another theme."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from tests.e2e.conftest import Desktop


def test_a_menu_has_its_icons_when_it_comes_up(desktop: Desktop) -> None:
    window = desktop.window
    table, seen = window.context.table, 0
    for menu in window.menuBar().findChildren(QMenu):
        menu.aboutToShow.emit()
        for action in menu.actions():
            if action.objectName() and table.spec(action.objectName()).icon:
                assert not action.icon().isNull(), action.objectName()
                seen += 1
    assert seen > 20


def test_icons_follow_the_theme(desktop: Desktop) -> None:
    action = desktop.window.context.table.action("edit.undo")
    hub = desktop.window.context.workspace.hub
    hub.choose("light")
    before = action.icon().pixmap(16).toImage()
    hub.choose("dark")
    assert action.icon().pixmap(16).toImage() != before
