"""Widgets in cycles are destroyed on the main thread, whoever allocates meanwhile."""

from __future__ import annotations

import gc
import threading

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from annotator.ui.state.threads import GarbageOnMain


class _Round(QWidget):
    """A widget that holds on to itself, with a timer that only its own thread may stop."""

    def __init__(self, ends: list[str]) -> None:
        super().__init__()
        self.me = self
        self.timer = QTimer(self)
        self.timer.start(1000)
        self.end = _End(ends)


class _End:
    def __init__(self, ends: list[str]) -> None:
        self._ends = ends

    def __del__(self) -> None:
        self._ends.append(threading.current_thread().name)


def test_a_busy_thread_destroys_no_widget(qapp: QApplication) -> None:
    gc.enable()
    root = QObject(qapp)
    GarbageOnMain(root)
    ends: list[str] = []
    for _ in range(20):
        _Round(ends)

    def allocate() -> None:
        kept = []
        for _ in range(200_000):
            kept.append([{}])

    worker = threading.Thread(target=allocate, name="worker")
    worker.start()
    worker.join()
    assert ends == []
    gc.collect()
    assert ends == [threading.main_thread().name] * 20
    root.deleteLater()
