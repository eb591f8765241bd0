"""Answers a modal dialog as a person would, while the action that asks is waiting for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog

D = TypeVar("D", bound=QDialog)
_TRY_MS = 20
_PATIENCE = 500


@contextmanager
def answering(kind: type[D], answer: Callable[[D], object]) -> Iterator[list[str]]:
    """Wait for a dialog of a kind while the body runs, and answer it; it must come.

    Gives a list that has the dialog's title once it came. What the answer raises, and a dialog that
    it leaves open, fail the test.
    """
    seen: list[str] = []
    faults: list[BaseException] = []
    timer = QTimer()
    timer.setInterval(_TRY_MS)
    left = [_PATIENCE]

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        left[0] -= 1
        if isinstance(dialog, kind):
            timer.stop()
            seen.append(dialog.windowTitle())
            try:
                answer(dialog)
            except BaseException as error:
                faults.append(error)
            if dialog.isVisible():
                dialog.reject()
        elif not left[0]:
            timer.stop()
            if isinstance(dialog, QDialog):
                dialog.reject()

    timer.timeout.connect(look)
    timer.start()
    try:
        yield seen
    finally:
        timer.stop()
    if faults:
        raise faults[0]
    assert seen, f"no {kind.__name__} came"
