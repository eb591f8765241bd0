"""Choice of dark or light text on a color of the object palette."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtGui import QColor

_DARK: Final = 0xFF14171C
_LIGHT: Final = 0xFFF4F5F7
# Colours darker than this get a light outline: a dark one would swallow them.
_NEEDS_LIGHT: Final = 0.12
_NEEDS_DARK_TEXT: Final = 0.2


def luminance(color: QColor) -> float:
    """Return the relative luminance, 0..1."""
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(color: QColor) -> QColor:
    """Return black or white, whichever is easier to read on a colour."""
    return QColor("#000000") if luminance(color) > _NEEDS_DARK_TEXT else QColor("#ffffff")


@lru_cache(maxsize=64)
def outline_of(rgba: int) -> int:
    """Return the colour (0xAARRGGBB) of the edge on both sides of a line."""
    return _DARK if luminance(QColor.fromRgba(rgba)) > _NEEDS_LIGHT else _LIGHT
