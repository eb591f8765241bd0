"""Three sliders for the display of the picture; nothing is saved."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.canvas.painting.shown_picture import Tone
from annotator.ui.look.widgets import plain

_GAMMA_STEPS = 100


class ToneDialog(QDialog):
    """Non-modal tone settings; ``toneChanged`` sends the values."""

    toneChanged = Signal(object)  # Tone

    def __init__(self, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Image adjustments"))
        lead = QLabel(self.tr("Only the display changes. The video file stays as it is."))
        lead.setWordWrap(True)
        self.brightness = _slider(-100, 100, self.tr("Brightness"))
        self.contrast = _slider(-100, 100, self.tr("Contrast"))
        self.gamma = _slider(-_GAMMA_STEPS, _GAMMA_STEPS, self.tr("Gamma"))
        self._words: dict[QSlider, QLabel] = {}
        form = QFormLayout()
        for name, slider in (
            (self.tr("&Brightness"), self.brightness),
            (self.tr("&Contrast"), self.contrast),
            (self.tr("&Gamma"), self.gamma),
        ):
            word = self._words[slider] = plain(QLabel())
            word.setMinimumWidth(44)
            word.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            row = QHBoxLayout()
            row.addWidget(slider, 1)
            row.addWidget(word)
            form.addRow(name, row)
            label = form.labelForField(row)
            if isinstance(label, QLabel):
                label.setBuddy(slider)
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Reset | standard.Close)
        self.reset = buttons.button(standard.Reset)
        self.reset.clicked.connect(self._on_reset_clicked)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(lead)
        layout.addLayout(form)
        layout.addWidget(buttons)
        self._show(tone)
        for slider in self._words:
            slider.valueChanged.connect(self._on_value_changed)
        self.resize(380, self.sizeHint().height())

    def tone(self) -> Tone:
        """Return the values of the sliders."""
        gamma = 5.0 ** (self.gamma.value() / _GAMMA_STEPS)
        return Tone(self.brightness.value(), self.contrast.value(), round(gamma, 2))

    def _show(self, tone: Tone) -> None:
        self.brightness.setValue(tone.brightness)
        self.contrast.setValue(tone.contrast)
        self.gamma.setValue(round(math.log(tone.gamma, 5.0) * _GAMMA_STEPS))
        self._say()

    def _say(self) -> None:
        tone = self.tone()
        self._words[self.brightness].setText(f"{tone.brightness:+d}")
        self._words[self.contrast].setText(f"{tone.contrast:+d}")
        self._words[self.gamma].setText(f"{tone.gamma:.2f}")

    @Slot()
    def _on_value_changed(self) -> None:
        self._say()
        self.toneChanged.emit(self.tone())

    @Slot()
    def _on_reset_clicked(self) -> None:
        self._show(Tone())


def _slider(low: int, high: int, name: str) -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setRange(low, high)
    slider.setAccessibleName(name)
    return slider
