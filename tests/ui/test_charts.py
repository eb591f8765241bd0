"""Charts: lengths stand for values, and everything is said in words as well."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from annotator.ui.lead.statistics.charts import Bar, BarChart, part_color
from annotator.ui.look.theme import ThemeHub


@pytest.fixture(params=["light", "dark", "high-contrast"])
def hub(request: pytest.FixtureRequest, qapp: object) -> ThemeHub:
    hub = ThemeHub(request.param)
    hub.apply()
    return hub


def _lengths(chart: BarChart, color: QColor) -> list[int]:
    """Return for each run of rows that show a color how many pixels it is wide."""
    image = chart.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    found, widest = [], 0
    for y in range(image.height()):
        width = sum(image.pixelColor(x, y) == color for x in range(image.width()))
        if width > 3:
            widest = max(widest, width)
        elif widest:
            found.append(widest)
            widest = 0
    return found


def test_a_bar_twice_the_value_is_twice_as_long(qtbot: QtBot, hub: ThemeHub) -> None:
    chart = BarChart(hub, "Done per day", "No data yet")
    qtbot.addWidget(chart)
    chart.resize(400, chart.sizeHint().height())
    chart.set_bars([Bar("Mon", (10,), "10"), Bar("Tue", (20,), "20")])
    chart.resize(400, chart.sizeHint().height())
    short, long = _lengths(chart, part_color(hub.theme, 0))
    assert long == pytest.approx(2 * short, abs=3)


def test_a_share_is_drawn_against_the_whole(qtbot: QtBot, hub: ThemeHub) -> None:
    chart = BarChart(hub, "Returned", "No data yet")
    qtbot.addWidget(chart)
    chart.set_bars([Bar("A", (0.25,), "25 %")], most=1.0)
    chart.resize(400, chart.sizeHint().height())
    (quarter,) = _lengths(chart, part_color(hub.theme, 0))
    chart.set_bars([Bar("A", (1.0,), "25 %")], most=1.0)
    (whole,) = _lengths(chart, part_color(hub.theme, 0))
    assert whole == pytest.approx(4 * quarter, abs=6)


def test_the_words_are_there_for_who_cannot_see_it(qtbot: QtBot, hub: ThemeHub) -> None:
    chart = BarChart(hub, "Queue", "No tasks")
    qtbot.addWidget(chart)
    assert chart.accessibleName() == "Queue"
    assert chart.accessibleDescription() == "No tasks"
    chart.set_bars([Bar("Check", (3, 4), "7")], legend=("waiting", "taken"))
    assert chart.accessibleDescription() == "Check 7"


def test_a_long_title_leaves_room_for_the_bars(qtbot: QtBot, hub: ThemeHub) -> None:
    chart = BarChart(hub, "Queue", "No tasks")
    qtbot.addWidget(chart)
    chart.set_bars([Bar("a very long reason " * 20, (5,), "5")])
    chart.resize(300, chart.sizeHint().height())
    (length,) = _lengths(chart, part_color(hub.theme, 0))
    assert length > 90
