"""Asks for a frame: by its number, or by a time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from annotator.ui.look.texts import time_text
from annotator.ui.look.widgets import plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TIME = re.compile(r"(?:(\d+):)?(\d+):(\d+(?:[.,]\d+)?)|(\d+(?:[.,]\d+)?) ?s")


class GoToDialog(QDialog):
    """Takes a frame number ("120") or a time ("1:02.5", "4.2 s")."""

    frameChosen = Signal(int)

    def __init__(
        self, times: NDArray[np.float64], frame: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Go to frame"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._times = times
        self.field = QLineEdit(str(frame))
        self.field.setAccessibleName(self.tr("Frame or time"))
        self.field.selectAll()
        self.field.textChanged.connect(self._show_meaning)
        self._meaning = plain(QLabel())
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        last = max(0, len(times) - 1)
        text = self.tr("Frame 0 to {last}, or a time such as 1:02.5 or 4.2 s").format(last=last)
        layout.addWidget(plain(QLabel(text)))
        layout.addWidget(self.field)
        layout.addWidget(self._meaning)
        layout.addWidget(self._buttons)
        self._show_meaning()

    def frame(self) -> int | None:
        """Return the entered frame; None if the entry is invalid."""
        text = self.field.text().strip()
        if text.isdecimal():
            frame = int(text)
            return frame if frame < len(self._times) else None
        match = _TIME.fullmatch(text)
        if match is None or len(self._times) == 0:
            return None
        hours, minutes, seconds, alone = (g.replace(",", ".") if g else "0" for g in match.groups())
        wanted = float(hours) * 3600 + float(minutes) * 60 + float(seconds) + float(alone)
        return max(0, int(self._times.searchsorted(wanted + 1e-6, side="right")) - 1)

    def accept(self) -> None:
        frame = self.frame()
        if frame is not None:
            self.frameChosen.emit(frame)
            super().accept()

    @Slot()
    def _show_meaning(self) -> None:
        frame = self.frame()
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(frame is not None)
        if frame is None:
            self._meaning.setText(self.tr("The video has no such frame."))
        else:
            at = time_text(float(self._times[frame]))
            self._meaning.setText(self.tr("Frame {n}, at {time}").format(n=frame, time=at))
