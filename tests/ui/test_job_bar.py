"""The line of background work keeps up without painting itself for every word of it."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from annotator.ui.bars.status_line import JobBar
from annotator.ui.look.theme import ThemeHub


def test_progress_is_shown_ten_times_a_second_and_the_last_of_it_in_the_end(qtbot: QtBot) -> None:
    job = JobBar(ThemeHub("dark"), lambda: None, "Work")
    qtbot.addWidget(job)
    bar, label = job.findChild(QProgressBar), job.findChild(QLabel)
    assert bar is not None
    assert label is not None
    shown: list[int] = []
    bar.valueChanged.connect(shown.append)
    for i in range(1, 201):
        job.show_work(f"frame {i}", i / 200)
    assert shown == [5]
    qtbot.waitUntil(lambda: label.text() == "frame 200", timeout=2000)
    assert shown == [5, 1000]
    job.show_work("other", 0.5)
    job.hide()
    qtbot.waitUntil(lambda: label.text() == "other", timeout=2000)
    assert job.isHidden()
