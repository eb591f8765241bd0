"""Builds the Qt actions from the table: menus, tool bar, tooltips, keys, enabling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.errors import UserError
from annotator.ui.actions.conditions import FREE, ToolRules
from annotator.ui.actions.keymap import Keymap, shown
from annotator.ui.actions.specs import ActionSpec, condition_text, menu_title, shown_specs
from annotator.ui.look.theme import ThemeHub


class ActionTable(QObject):
    """The actions of one window, by id.

    Handlers take no argument. ``began`` is sent before one is called. A ``UserError`` that it
    raises is sent by ``failed``; "nothing to do" is silent.
    """

    began = Signal(str)
    failed = Signal(str, object)  # the action, UserError
    unknown = Signal(str)  # an action without handler, or empty: a whole menu
    refused = Signal(str)  # why the action of a key cannot be run now

    def __init__(self, window: QWidget, hub: ThemeHub, keymap: Keymap) -> None:
        super().__init__(window)
        self._window = window
        self._hub = hub
        self._keymap = keymap
        self._handlers: dict[str, Callable[[], object]] = {}
        self._substitutes: dict[str, Callable[[], bool]] = {}
        self._before: dict[str, list[Callable[[], bool]]] = {}
        self._dressed: set[str] = set()
        self._reasons: dict[str, str] = {}
        self._menus: dict[str, QMenu] = {}
        self._specs = {spec.id: spec for spec in shown_specs()}
        self._actions = {spec.id: self._new_action(spec) for spec in self._specs.values()}
        self.set_keymap(keymap)
        hub.changed.connect(self._on_theme_changed)

    @property
    def keymap(self) -> Keymap:
        return self._keymap

    def action(self, action_id: str) -> QAction:
        """Return an action to be shown somewhere, with its icon."""
        self._dress(action_id)
        return self._actions[action_id]

    def bare(self, action_id: str) -> QAction:
        """Return an action without an icon, which takes time to draw."""
        return self._actions[action_id]

    def spec(self, action_id: str) -> ActionSpec:
        return self._specs[action_id]

    def on(self, action_id: str, handler: Callable[[], object]) -> None:
        """Set the handler of an action; KeyError for an unknown ID."""
        self._handlers[self._specs[action_id].id] = handler

    def before(self, action_id: str, handler: Callable[[], bool]) -> None:
        """Add a handler that can replace the action by returning True."""
        self._before.setdefault(self._specs[action_id].id, []).append(handler)

    def unhandled(self) -> list[str]:
        """Return the ids of actions that do nothing."""
        return [action_id for action_id in self._specs if action_id not in self._handlers]

    def run(self, action_id: str) -> None:
        """Run the handler of an action, if it is enabled."""
        if self._actions[action_id].isEnabled():
            self._actions[action_id].trigger()

    def on_refused(self, action_id: str, substitute: Callable[[], bool]) -> None:
        """Let something else act with the key of an action that cannot be run; True if it did."""
        self._substitutes[action_id] = substitute

    def refuse(self, action_id: str) -> None:
        """Tell the person why an action whose key was pressed cannot be run now."""
        if (substitute := self._substitutes.get(action_id)) is not None and substitute():
            return
        text = self.obstacle(action_id)
        if text:  # else it works, but not where the keyboard focus is
            self.refused.emit(text)

    def obstacle(self, action_id: str) -> str:
        """Return why an action cannot be run now, as a sentence; empty if it can."""
        if self._actions[action_id].isEnabled():
            return ""
        reason = self._reasons.get(action_id, "")
        if reason:
            return reason
        spec = self._specs[action_id]
        return self.tr("“{name}” is available {when}.").format(
            name=spec.text.rstrip("…"), when=condition_text(spec.when)
        )

    def set_conditions(self, conditions: Mapping[str, bool], rules: ToolRules = FREE) -> None:
        """Enable the actions whose conditions hold and that the task allows."""
        for action_id, spec in self._specs.items():
            holds = spec.when == "always" or conditions.get(spec.when, False)
            reason = rules.reason if holds and rules.forbid(spec.when, spec.tools) else ""
            holds = holds and not reason
            if self._reasons.get(action_id, "") != reason:
                self._reasons[action_id] = reason
                self._actions[action_id].setToolTip(self.tooltip(action_id))
            action = self._actions[action_id]
            if action.isEnabled() != holds:
                action.setEnabled(holds)

    def set_checked(self, action_id: str, is_checked: bool) -> None:
        self._actions[action_id].setChecked(is_checked)

    def set_text(self, action_id: str, text: str) -> None:
        """Set a more specific text, such as "Undo Move box"."""
        action = self._actions[action_id]
        if action.text() != text:
            action.setText(text)
            action.setToolTip(self.tooltip(action_id))

    def set_keymap(self, keymap: Keymap) -> None:
        """Take other keys."""
        self._keymap = keymap
        for action_id, action in self._actions.items():
            action.setShortcuts([QKeySequence(key) for key in keymap.keys(action_id)])
            action.setToolTip(self.tooltip(action_id))

    def tooltip(self, action_id: str) -> str:
        """Return the tip with the key, where the same key does the same, and why it cannot be."""
        spec = self._specs[action_id]
        keys = " / ".join(shown(key) for key in self._keymap.keys(action_id))
        name = self._actions[action_id].text().rstrip("…").replace("&", "")
        head = f"{name} ({keys})" if keys else name
        peers = f"\n{self.tr('Same as in')} {spec.peers}" if spec.peers else ""
        reason = self._reasons.get(action_id, "")
        return f"{head}\n{spec.tip}{peers}" + (f"\n{reason}" if reason else "")

    def bind_canvas(self, widgets: Iterable[QWidget]) -> None:
        """Let the keys of scope "canvas" work in these widgets."""
        scoped = [a for i, a in self._actions.items() if self._specs[i].scope == "canvas"]
        for widget in widgets:
            widget.addActions(scoped)

    def bind(self, action_id: str, widget: QWidget) -> None:
        """Let the keys of one action of scope "canvas" work in another widget, too."""
        widget.addAction(self._actions[action_id])

    def add_menus(self, bar: QMenuBar) -> None:
        """Put up the menus, still empty; one that is opened before `fill` asks for the rest."""
        for name in dict.fromkeys(spec.menu for spec in self._specs.values()):
            menu = self._menus[name] = bar.addMenu(self._menu_title(name))
            menu.setToolTipsVisible(False)
            menu.aboutToShow.connect(partial(self._dress_menu, name))

    def menu(self, name: str) -> QMenu:
        """Return a menu by its name in the table."""
        return self._menus[name]

    def fill(self, extra: Mapping[str, Callable[[QMenu], None]]) -> None:
        """Fill the menus; ``extra`` adds entries that are not in the table, per menu."""
        menus = self._menus
        for spec in self._specs.values():
            menu = menus[spec.menu]
            if spec.section and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(self._actions[spec.id])
        for name, add in extra.items():
            add(menus[name])

    def show_menu(self, name: str, *, is_shown: bool) -> None:
        """Show a menu, or leave it away from where it has no meaning."""
        self._menus[name].menuAction().setVisible(is_shown)

    def _menu_title(self, name: str) -> str:
        # No letter that a key of the table has with Alt, and none twice.
        title = menu_title(name)
        mnemonics = {
            "Playback": "Pla&yback",
            "Points": "Poin&ts",
            "Proposals": "P&roposals",
            "Review": "Revie&w",
        }
        return mnemonics.get(title, f"&{title}")

    def _new_action(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self)
        action.setObjectName(spec.id)
        action.setStatusTip(spec.tip)
        action.setCheckable(spec.checkable)
        action.setAutoRepeat(spec.repeats)
        action.triggered.connect(self._on_action_triggered)
        if spec.scope == "canvas":
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        else:
            self._window.addAction(action)
        return action

    @Slot()
    def _on_action_triggered(self) -> None:
        sender = self.sender()
        if sender.objectName() not in self._handlers:
            self.unknown.emit(sender.objectName())
        handler = self._handlers.get(sender.objectName())
        if handler is None:
            return
        action_id = sender.objectName()
        self.began.emit(action_id)
        try:
            if not any(first() for first in self._before.get(action_id, ())):
                handler()
        except NothingToDoError:
            return
        except UserError as error:
            self.failed.emit(action_id, error)

    def _dress_menu(self, name: str) -> None:
        if self._menus[name].isEmpty():
            self.unknown.emit("")
        for action_id, spec in self._specs.items():
            if spec.menu == name:
                self._dress(action_id)

    def _dress(self, action_id: str) -> None:
        """Set the icon of an action on first use; drawing all would delay the window."""
        spec = self._specs[action_id]
        if spec.icon and action_id not in self._dressed:
            self._dressed.add(action_id)
            icon = self._hub.theme.icon(spec.icon, checkable=spec.checkable)
            self._actions[action_id].setIcon(icon)

    @Slot()
    def _on_theme_changed(self) -> None:
        worn, self._dressed = self._dressed, set()
        for action_id in worn:
            self._dress(action_id)


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
