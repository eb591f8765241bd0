"""What the style of the program draws otherwise than Qt does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QStyle,
    QStyleOptionFrame,
)
from pytestqt.qtbot import QtBot

from annotator.ui.look.style import FlatStyle
from annotator.ui.look.theme import load_theme

Icon = QStyle.StandardPixmap


def test_buttons_of_dialogs_have_no_black_icons(qapp: QApplication) -> None:
    style = FlatStyle(load_theme("light").colors)

    assert style.standardIcon(Icon.SP_DialogCloseButton).isNull()
    assert style.standardIcon(Icon.SP_DialogSaveButton).isNull()
    assert not style.standardIcon(Icon.SP_FileDialogNewFolder).isNull()


def test_a_field_as_wide_as_it_asks_shows_all_of_its_text(qtbot: QtBot) -> None:
    style = FlatStyle(load_theme("light").colors)
    spin = QSpinBox()
    qtbot.addWidget(spin)
    spin.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
    spin.setRange(0, 28_888)
    spin.setStyle(style)
    edit = spin.lineEdit()
    edit.setStyle(style)
    spin.setValue(28_888)
    spin.resize(spin.sizeHint())
    spin.show()
    option = QStyleOptionFrame()
    edit.initStyleOption(option)
    room = style.subElementRect(QStyle.SubElement.SE_LineEditContents, option, edit).width()
    margin = 2 * 2  # Qt's own, on both sides
    assert room - margin >= edit.fontMetrics().horizontalAdvance("28888")


def test_no_width_of_a_list_cuts_the_words_beside_a_check_box(qtbot: QtBot) -> None:
    view = QListWidget()
    qtbot.addWidget(view)
    view.setStyle(FlatStyle(load_theme("light").colors))
    view.setWordWrap(True)
    item = QListWidgetItem("Liquids have tracks too.")
    item.setCheckState(Qt.CheckState.Unchecked)
    view.addItem(item)
    line = view.fontMetrics().height()
    words = view.fontMetrics().horizontalAdvance(item.text())
    view.show()
    for width in range(words, words + 80, 2):
        view.resize(width, 200)
        view.doItemsLayout()
        box = view.style().pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth)
        is_whole = view.viewport().width() - box - 12 >= words
        assert is_whole or view.visualItemRect(item).height() >= 2 * line, width
