"""Notices above the picture."""

from __future__ import annotations

from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from annotator.ui.bars.banners import Banners
from annotator.ui.look.theme import ThemeHub


def close(banners: Banners) -> None:
    for button in banners.findChildren(QToolButton):
        button.click()


def test_a_closed_notice_stays_away_until_all_is_new(qtbot: QtBot) -> None:
    banners = Banners(ThemeHub("light"))
    qtbot.addWidget(banners)
    banners.add("info", "There is no sound.")
    close(banners)
    banners.add("info", "There is no sound.")
    assert banners.texts() == []
    banners.clear()
    banners.add("info", "There is no sound.")
    assert banners.texts() == ["There is no sound."]


def test_a_closed_error_is_said_again(qtbot: QtBot) -> None:
    banners = Banners(ThemeHub("light"))
    qtbot.addWidget(banners)
    banners.add("error", "The disk is full.")
    close(banners)
    banners.add("error", "The disk is full.")
    assert banners.texts() == ["The disk is full."]
