"""The picture on screen: decoded pixels without a copy, with brightness, contrast and gamma."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from annotator.media.values import Picture
from annotator.ui.canvas.model.picture_viewport import Viewport


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


# From this zoom on single pixels are shown as squares instead of being blended.
_PIXELS_FROM: Final = 3.0


class ShownPicture:
    """One picture with the image that borrows its pixels; the arrays live as long as this."""

    def __init__(self, picture: Picture, tone: Tone | None = None) -> None:
        """``tone`` is how it is shown; as it is where that is None."""
        self.picture = picture
        self._tone = tone or Tone()
        self._pixels: list[NDArray[np.uint8]] = []
        self._image = self._image_of(picture)
        self._detail: tuple[Picture, QImage] | None = None

    @property
    def has_detail(self) -> bool:
        """True where every pixel of the video's picture is at hand."""
        return self._detail is not None or _is_whole(self.picture)

    def add_detail(self, picture: Picture) -> bool:
        """Keep the same frame at its full size for the lens; False where this is another one."""
        if picture.index != self.index or self.has_detail or not _is_whole(picture):
            return False
        self._detail = picture, self._image_of(picture)
        return True

    def with_tone(self, tone: Tone) -> ShownPicture:
        """Return the same picture, shown in another way."""
        shown = ShownPicture(self.picture, tone)
        if self._detail is not None:
            shown.add_detail(self._detail[0])
        return shown

    @property
    def index(self) -> int:
        return self.picture.index

    def small(self, size: QSize) -> QImage:
        """Return a copy that fits into a size; for any thread."""
        keep, smooth = (
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        return self._image.scaled(size, keep, smooth)

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Draw with a painter in device pixels.

        A picture that has the size shown is copied pixel by pixel; another one (just zoomed, or
        zoomed in beyond 1:1) is stretched, and of that only the part in sight.
        """
        x, y = (round(v * viewport.ratio) for v in viewport.origin)
        width, height = viewport.device_size
        if (self._image.width(), self._image.height()) == (width, height):
            painter.drawImage(QPoint(x, y), self._image)
            return
        source = self._visible_part(viewport, x, y, width / self._image.width())
        scale_x, scale_y = width / self._image.width(), height / self._image.height()
        target = QRectF(
            x + source.x() * scale_x,
            y + source.y() * scale_y,
            source.width() * scale_x,
            source.height() * scale_y,
        )
        smooth = 1.0 < scale_x < _PIXELS_FROM
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawImage(target, self._image, QRectF(source))

    def paint_part(self, painter: QPainter, target: QRectF, part: QRectF) -> None:
        """Stretch a part of the picture (image pixels, also beyond its edges) into a rectangle."""
        image = self._detail[1] if self._detail is not None else self._image
        by_x = image.width() / self.picture.source_size[0]
        by_y = image.height() / self.picture.source_size[1]
        source = QRectF(part.x() * by_x, part.y() * by_y, part.width() * by_x, part.height() * by_y)
        visible_part = source.intersected(QRectF(image.rect()))
        if visible_part.isEmpty():
            return
        gain_x, gain_y = target.width() / source.width(), target.height() / source.height()
        room = QRectF(
            target.x() + (visible_part.x() - source.x()) * gain_x,
            target.y() + (visible_part.y() - source.y()) * gain_y,
            visible_part.width() * gain_x,
            visible_part.height() * gain_y,
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
        painter.drawImage(room, image, visible_part)

    def _image_of(self, picture: Picture) -> QImage:
        bgra = self._tone.of(picture.bgra)
        height, width = bgra.shape[:2]
        image = QImage(bgra.data, width, height, bgra.strides[0], QImage.Format.Format_RGB32)
        self._pixels.append(bgra)
        return image

    def _visible_part(self, viewport: Viewport, x: int, y: int, scale: float) -> QRect:
        """Return the part of the image in sight, in image pixels, a little generous."""
        left = math.floor(-x / scale) - 1
        top = math.floor(-y / scale) - 1
        right = math.ceil((viewport.width * viewport.ratio - x) / scale) + 1
        bottom = math.ceil((viewport.height * viewport.ratio - y) / scale) + 1
        return QRect(left, top, right - left, bottom - top).intersected(self._image.rect())


def _is_whole(picture: Picture) -> bool:
    height, width = picture.bgra.shape[:2]
    return (width, height) == tuple(picture.source_size)
