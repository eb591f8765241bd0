"""The roles of an action or sound as rows: which object fills each, and a list to choose from."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QGridLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.recipes.tools import TOOL_OF
from annotator.ui.look.texts import role_word
from annotator.ui.look.widgets import color_swatch, plain
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.role_assignment import SlotFilling
from annotator.ui.state.workspace import Workspace

_ICON_PX: Final = 14
_LEAST_PX: Final = 120


class RoleRows(QWidget):
    """A row for each role of the selected segment.

    A click on the button lets the role wait for the object that is clicked next; its menu lists all
    objects.
    """

    def __init__(self, workspace: Workspace, slots: SlotFilling) -> None:
        super().__init__()
        self._workspace = workspace
        self._slots = slots
        self.buttons: list[QToolButton] = []
        self._words: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(6)
        self._grid.setColumnStretch(1, 1)

    def show_roles(self, segment: Segment, label: Label | None) -> None:
        """Show which objects fill the roles of a segment."""
        n_roles = self._slots.count(segment)
        while len(self.buttons) < n_roles:
            self._add_row()
        may_edit = self._workspace.may_change(TOOL_OF[segment.lane])
        for i, (word, button) in enumerate(zip(self._words, self.buttons, strict=True)):
            is_shown = i < n_roles
            word.setVisible(is_shown)
            button.setVisible(is_shown)
            if is_shown:
                word.setText(f"{i + 1}  {self._word(segment, label, i)}")
                name = self._object_text(segment, i)
                button.setText(name.replace("&", "&&"))
                button.setToolTip(plain_tip(name))
                button.setIcon(self._icon(segment, i))
                button.setEnabled(may_edit)
                button.setDown(self._slots.armed == i)
                button.setAccessibleName(f"{word.text()}: {name}")
        self.setVisible(n_roles > 0)

    def _add_row(self) -> None:
        row = len(self.buttons)
        word = plain(QLabel())
        button = QToolButton()
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        # A long name is cut, and does not make the inspector wider.
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.setMinimumWidth(_LEAST_PX)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        button.clicked.connect(partial(self._slots.arm, row))
        menu = QMenu(button)
        menu.aboutToShow.connect(partial(self._fill_menu, menu, row))
        button.setMenu(menu)
        self._grid.addWidget(word, row, 0)
        self._grid.addWidget(button, row, 1)
        self._words.append(word)
        self.buttons.append(button)

    def _word(self, segment: Segment, label: Label | None, slot: int) -> str:
        if segment.lane is Lane.SOUND:
            return self.tr("sound source")
        return role_word(label, slot)

    def _object_text(self, segment: Segment, slot: int) -> str:
        session = self._workspace.session
        if self._slots.armed == slot:
            return self.tr("Click an object…")
        if segment.is_open(slot) or session is None:
            return self.tr("Select object")
        track_id = segment.slots[slot]
        if track_id is None:
            return self.tr("Not annotated")
        track = session.document.find_track(track_id)
        return f"{track.info.number} {track.label}" if track is not None else "?"

    def _icon(self, segment: Segment, slot: int) -> QIcon:
        session, theme = self._workspace.session, self._workspace.hub.theme
        if segment.is_open(slot) or session is None:
            return theme.icon("warning", token="warning")
        track_id = segment.slots[slot]
        track = session.document.find_track(track_id) if track_id is not None else None
        if track is None:
            return color_swatch(theme.color("border_strong"))
        return color_swatch(theme.object_color(track.info.color))

    @Slot()
    def _fill_menu(self, menu: QMenu, slot: int) -> None:
        """List the objects of the draft: of a video there may be many, so only now."""
        menu.clear()
        segment, session = self._workspace.segment, self._workspace.session
        if segment is None or session is None:
            return
        theme = self._workspace.hub.theme
        for track in session.document.tracks:
            text = f"{track.info.number} {track.label}".replace("&", "&&")
            action = menu.addAction(color_swatch(theme.object_color(track.info.color)), text)
            action.triggered.connect(partial(self._slots.choose, slot, track.id))
        menu.addSeparator()
        nobody = menu.addAction(self.tr("Not annotated"))
        nobody.triggered.connect(partial(self._slots.choose, slot, None))
        clear = menu.addAction(self.tr("Clear role {n}").format(n=slot + 1))
        clear.triggered.connect(partial(self._slots.clear, slot))
        clear.setEnabled(not segment.is_open(slot))
