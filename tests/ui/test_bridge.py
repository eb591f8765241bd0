"""What services post runs on the main thread, in order, and never keeps the window waiting."""

from __future__ import annotations

import threading
from functools import partial

import shiboken6
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from annotator.ui.state.threads import Bridge, send


def test_work_that_goes_on_by_posting_lets_others_in(qtbot: QtBot) -> None:
    bridge, done, seen_at = Bridge(), [], []

    def go_on() -> None:
        done.append(len(done))
        if len(done) < 50:
            bridge.post(go_on)

    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(lambda: seen_at.append(len(done)))
    bridge.post(go_on)
    timer.start(0)
    qtbot.waitUntil(lambda: len(done) == 50 and bool(seen_at))

    assert seen_at[0] < 50


def test_calls_of_all_threads_run_here_in_their_order(qtbot: QtBot) -> None:
    bridge, found = Bridge(), []

    def note(number: int) -> None:
        found.append((number, threading.current_thread() is threading.main_thread()))

    def send() -> None:
        for number in range(20):
            bridge.post(lambda number=number: note(number))  # type: ignore[misc]

    sender = threading.Thread(target=send)
    sender.start()
    sender.join()
    qtbot.waitUntil(lambda: len(found) == 20)

    assert found == [(number, True) for number in range(20)]


def test_what_is_held_waits_and_keeps_its_order(qtbot: QtBot) -> None:
    bridge, found = Bridge(), []
    bridge.hold()
    for number in range(3):
        bridge.post(lambda number=number: found.append(number))  # type: ignore[misc]
    after = []
    QTimer.singleShot(20, lambda: after.append(True))
    qtbot.waitUntil(lambda: bool(after))
    assert found == []

    bridge.release()
    qtbot.waitUntil(lambda: len(found) == 3)

    assert found == [0, 1, 2]


def test_threads_outlive_the_bridge_of_a_lost_display(qtbot: QtBot) -> None:
    """Without a display Qt ends the program, and the decoder may still be at work."""
    bridge, errors = Bridge(), []
    on_ready = partial(send, bridge.pictureReady)
    shiboken6.delete(bridge)

    def decode() -> None:
        try:
            on_ready()
            bridge.post(lambda: None)
        except RuntimeError as error:
            errors.append(error)

    decoder = threading.Thread(target=decode)
    decoder.start()
    decoder.join()
    assert errors == []
