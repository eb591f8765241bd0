"""What the style of the program draws otherwise than Qt does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDockWidget,
    QListWidget,
    QMainWindow,
    QMenu,
    QScrollArea,
    QSpinBox,
    QStyle,
    QStyleOptionFrame,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from annotator.ui.look.style import FlatStyle
from annotator.ui.look.theme import load_theme
from annotator.ui.look.widgets import ChoiceBox, size_to_screen

Icon = QStyle.StandardPixmap


def test_buttons_of_dialogs_have_no_black_icons(qapp: QApplication) -> None:
    style = FlatStyle(load_theme("light").colors)

    assert style.standardIcon(Icon.SP_DialogCloseButton).isNull()
    assert style.standardIcon(Icon.SP_DialogSaveButton).isNull()
    assert not style.standardIcon(Icon.SP_FileDialogNewFolder).isNull()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_arrow_of_a_full_bar_has_the_color_of_text(qapp: QApplication, name: str) -> None:
    theme = load_theme(name)
    arrow = FlatStyle(theme.colors).standardIcon(Icon.SP_ToolBarHorizontalExtensionButton)
    picture = arrow.pixmap(16, 16).toImage()
    pixels = [picture.pixelColor(x, y) for x in range(16) for y in range(16)]
    ink = max(pixels, key=lambda pixel: pixel.alpha())
    assert ink.alpha() > 200
    assert abs(ink.lightness() - theme.color("text").lightness()) < 10


def test_the_focus_of_a_row_has_its_icon_within(qtbot: QtBot) -> None:
    style = FlatStyle(load_theme("light").colors)
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 200, 40)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
    option.decorationSize = QSize(24, 24)

    found = style.subElementRect(QStyle.SubElement.SE_ItemViewItemFocusRect, option)

    assert found == option.rect


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


def test_the_buttons_of_a_dock_are_large_enough_to_hit(qtbot: QtBot) -> None:
    window, dock = QMainWindow(), QDockWidget("Tasks")
    style = FlatStyle(load_theme("light").colors)
    qtbot.addWidget(window)
    for widget in (window, dock, *dock.findChildren(QAbstractButton)):
        widget.setStyle(style)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.show()
    buttons = [b for b in dock.findChildren(QAbstractButton) if b.isVisible()]
    assert len(buttons) == 2
    assert all(min(b.width(), b.height()) >= 24 for b in buttons)


def test_the_arrow_of_a_button_with_a_menu_stands_right_of_its_text(qtbot: QtBot) -> None:
    style = FlatStyle(load_theme("light").colors)
    button = QToolButton()
    qtbot.addWidget(button)
    button.setStyle(style)
    button.setText("Export")
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(QMenu(button))
    button.resize(button.sizeHint())
    arrow = _ink(button, text="")
    word = _ink(button, text="Export") - arrow
    assert arrow
    assert max(x for x, _ in word) + 2 < min(x for x, _ in arrow)
    assert max(x for x, _ in arrow) < button.width() - 4
    rows = [y for _, y in arrow]
    assert abs(min(rows) + max(rows) - button.height() + 1) <= 2


def _ink(button: QToolButton, text: str) -> set[tuple[int, int]]:
    """Return the dark pixels inside the border."""
    size = button.size()
    button.setText(text)
    button.setFixedSize(size)
    image = button.grab().toImage()
    inner = button.rect().adjusted(3, 3, -3, -3)
    return {
        (x, y)
        for x in range(inner.left(), inner.right() + 1)
        for y in range(inner.top(), inner.bottom() + 1)
        if image.pixelColor(x, y).lightness() < 170
    }


def test_the_track_of_a_scroll_bar_has_the_color_of_what_it_scrolls(qtbot: QtBot) -> None:
    theme = load_theme("light")
    style = FlatStyle(theme.colors)
    page, rows = QScrollArea(), QListWidget()
    tall = QWidget()
    tall.setMinimumHeight(2000)
    page.setWidget(tall)
    rows.addItems([f"{n}" for n in range(200)])
    for area, token in ((page, "window"), (rows, "surface")):
        qtbot.addWidget(area)
        area.resize(200, 200)
        bar = area.verticalScrollBar()
        bar.setStyle(style)
        bar.setPalette(theme.palette())
        area.show()
        corner = bar.grab().toImage().pixelColor(1, bar.height() - 2)
        assert corner == theme.color(token)


def test_a_window_without_the_room_for_it_is_maximized(qtbot: QtBot) -> None:
    small, big = QWidget(), QWidget()
    for window in (small, big):
        qtbot.addWidget(window)
    room = big.screen().availableSize()

    size_to_screen(small, QSize(200, 100))
    size_to_screen(big, QSize(300, room.height()))

    assert small.size() == QSize(200, 100)
    assert not small.isMaximized()
    assert big.isMaximized()
    assert big.height() < room.height()


@pytest.mark.parametrize(("kind", "index"), [(QComboBox, 1), (ChoiceBox, 0)])
def test_the_wheel_does_not_change_a_choice_in_a_pane(
    qtbot: QtBot, kind: type[QComboBox], index: int
) -> None:
    box = kind()
    qtbot.addWidget(box)
    box.addItems(["one", "two"])
    box.show()
    middle = QPointF(box.rect().center())
    turned = QWheelEvent(
        middle,
        QPointF(box.mapToGlobal(middle.toPoint())),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, turned)
    assert box.currentIndex() == index
