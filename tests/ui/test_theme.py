"""Themes as painted: what a person reads has contrast, icons follow, and the hub tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QLabel, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from annotator import app
from annotator.services.settings import Settings
from annotator.ui.look.theme import ThemeHub, load_theme, theme_names


def _luminance(color: QColor) -> float:
    parts = [color.redF(), color.greenF(), color.blueF()]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(first: QColor, second: QColor) -> float:
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _painted_contrast(widget: QWidget) -> float:
    """Return the contrast between a widget's plane and the color farthest from it."""
    image: QImage = widget.grab().toImage()
    plane = image.pixelColor(QPoint(3, image.height() // 2))
    colors = {
        image.pixel(x, y) for x in range(4, image.width() - 4) for y in range(4, image.height() - 4)
    }
    return max(_contrast(plane, QColor.fromRgb(c)) for c in colors)


@pytest.fixture
def hub(qapp: QApplication) -> ThemeHub:
    return ThemeHub("light")


@pytest.mark.parametrize("name", theme_names())
def test_painted_text_can_be_read(qtbot: QtBot, hub: ThemeHub, name: str) -> None:
    hub.choose(name)
    label, button, rows = QLabel("Occluded"), QPushButton("Accept all"), QListWidget()
    rows.addItem("kettle")
    rows.setCurrentRow(0)
    for widget in (label, button, rows):
        qtbot.addWidget(widget)
        widget.resize(160, 40)
        widget.show()
        assert _painted_contrast(widget) >= 4.5, type(widget).__name__
    assert QApplication.palette().window().color() == load_theme(name).color("window")


@pytest.mark.parametrize("name", theme_names())
def test_window_paints_its_hints_and_badges_in_every_theme(
    qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    settings = Settings(tmp_path / "settings.toml")
    settings.set("appearance.theme", name)
    window = app.make_window(settings)
    qtbot.addWidget(window)
    window.show()
    window.context.banners.add("warning", "This project is read-only here")
    window.context.middle.toast.show_message("There are no proposals to accept there")
    for widget in (
        window.context.banners,
        window.context.middle.toast,
        window.assembly.pages.currentWidget(),
    ):
        assert _painted_contrast(widget) >= 4.5, type(widget).__name__
    window.close()


def test_icons_take_the_colors_of_the_theme(hub: ThemeHub) -> None:
    for name in theme_names():
        hub.choose(name)
        image = hub.theme.icon("pause").pixmap(32, 32).toImage()
        ink = {
            QColor.fromRgb(image.pixel(x, y)).name()
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() == 255
        }
        assert hub.theme.color("text").name() in ink


def test_hub_tells_of_another_theme(qtbot: QtBot, hub: ThemeHub) -> None:
    with qtbot.waitSignal(hub.changed):
        hub.choose("dark")
    assert hub.theme.is_dark
    hub.choose("system")
    assert hub.chosen_name == "system"
    assert hub.theme.name in ("light", "dark")


def test_object_colors_start_again_where_they_end(hub: ThemeHub) -> None:
    n = len(hub.theme.object_colors)
    assert hub.theme.object_color(n + 2) == hub.theme.object_color(2)
