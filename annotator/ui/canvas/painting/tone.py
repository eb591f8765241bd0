"""Brightness, contrast and gamma of the picture on screen; the video stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Tone:
    """How pixel values are shown: ``brightness`` and ``contrast`` -100..100, ``gamma`` 0.2..5."""

    brightness: int = 0
    contrast: int = 0
    gamma: float = 1.0

    @property
    def is_plain(self) -> bool:
        """Whether pixels are shown as they are."""
        return self == Tone()

    @cached_property
    def table(self) -> NDArray[np.uint8]:
        """Displayed value of each of the values 0..255."""
        values = np.arange(256) / 255.0
        values = values ** (1.0 / self.gamma)
        slope = 4.0 ** (self.contrast / 100.0)
        values = (values - 0.5) * slope + 0.5 + self.brightness / 100.0
        return np.asarray(np.clip(np.round(values * 255.0), 0, 255), np.uint8)

    def of(self, bgra: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return pixels [height, width, 4] as they are shown; plain ones are not copied."""
        return bgra if self.is_plain else self.table[bgra]
