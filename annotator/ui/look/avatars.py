"""People as their initials on a disc of their color."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap

from annotator.ui.look.theme import Theme, ink_on


def avatar(theme: Theme, person_id: str, name: str, side: int = 20) -> QIcon:
    """Return the icon of a person, ``side`` device-independent pixels wide."""
    screen = QGuiApplication.primaryScreen()
    color = theme.object_color(crc32(person_id.encode()))
    return _disc(initials(name), color.rgb(), side, screen.devicePixelRatio() if screen else 1.0)


def initials(name: str) -> str:
    """Return the first letters of the first and the last word of a name."""
    words = name.split()
    return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()


@lru_cache(maxsize=1024)
def _disc(letters: str, rgb: int, side: int, ratio: float) -> QIcon:
    pixmap = QPixmap(QSize(side, side) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    room = QRectF(0, 0, side, side)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor.fromRgb(rgb))
        painter.drawEllipse(room)
        font = QGuiApplication.font()
        font.setPixelSize(max(8, round(side * (0.55 if len(letters) == 1 else 0.45))))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(ink_on(QColor.fromRgb(rgb)))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, letters)
    icon = QIcon(pixmap)
    # Qt would tint the icon of a selected row out of its color.
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon
