"""What the style of the program draws otherwise than Qt does."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from annotator.ui.style import EdgedStyle


def test_buttons_of_dialogs_have_no_black_icons(qtbot: QtBot) -> None:
    colors = {name: QColor("#ffffff") for name in ("focus", "border", "border_strong")}
    style = EdgedStyle(colors)
    box = QDialogButtonBox()
    box.setStyle(style)
    qtbot.addWidget(box)

    every = QDialogButtonBox.StandardButton
    added = [box.addButton(kind) for kind in (every.Ok, every.Close, every.Save, every.Discard)]

    assert [button.icon().isNull() for button in added] == [True] * 4
