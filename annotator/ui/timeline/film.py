"""The strip of small pictures in the overview: as many as have room, each near its own time."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from annotator.ui.timeline.axis import TimeAxis

if TYPE_CHECKING:
    from annotator.services.thumbnails import Thumb, Thumbnails


class Film:
    """Pictures of the whole video; what has not been decoded yet stays free."""

    def __init__(self, thumbnails: Thumbnails | None = None) -> None:
        self._thumbnails = thumbnails
        self._images: dict[int, QImage] = {}

    @property
    def thumbnails(self) -> Thumbnails | None:
        return self._thumbnails

    @property
    def has_pictures(self) -> bool:
        return self._thumbnails is not None and bool(self._thumbnails.pictures)

    def draw(self, painter: QPainter, room: QRectF, left: float, whole: TimeAxis) -> None:
        """Draw picture beside picture into ``room``; time begins at its pixel ``left``."""
        pictures = self._thumbnails.pictures if self._thumbnails is not None else ()
        if not pictures:
            return
        rows, columns = pictures[0].bgra.shape[:2]
        width = max(4.0, columns / rows * room.height())
        times = [thumb.time_s for thumb in pictures]
        painter.save()
        # Sound may begin before the pictures and end after them.
        x, end = (left + whole.x_of_time(at) for at in (whole.first_s, whole.last_s))
        painter.setClipRect(QRectF(x, room.top(), end - x, room.height()))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        while x < end:
            middle = whole.time_at(x - left + width / 2)
            after = bisect(times, middle)
            near = range(max(0, after - 1), min(after + 1, len(times)))
            best = min(near, key=lambda i: abs(times[i] - middle))
            # A picture from far away would tell of something else: wait for a nearer one.
            if abs(times[best] - middle) * whole.scale <= 1.5 * width:
                cell = QRectF(x, room.top(), width - 1, room.height())
                painter.drawImage(cell, self._image(pictures[best]))
            x += width
        painter.restore()

    def _image(self, thumb: Thumb) -> QImage:
        image = self._images.get(thumb.frame)
        if image is None:
            height, width = thumb.bgra.shape[:2]
            image = QImage(thumb.bgra.data, width, height, width * 4, QImage.Format.Format_RGB32)
            self._images[thumb.frame] = image
        return image
