"""The line of background work keeps up without painting itself for every word of it."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from annotator.domain.ids import TrackId
from annotator.services.assist.proposal_updates import ProposingStatus
from annotator.ui.bars.status_line import JobBar, tracked_share
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


def test_the_bar_moves_on_while_first_proposals_are_replaced_by_better_ones() -> None:
    begun = ProposingStatus(False, TrackId("t"), 10, 40, 0)
    assert tracked_share(begun) == 0.25
    assert tracked_share(ProposingStatus(False, TrackId("t"), 40, 40, 0)) is None
    assert tracked_share(ProposingStatus(False, TrackId("t"), 0, 0, 0)) is None
