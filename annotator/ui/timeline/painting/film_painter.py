"""The strip of small pictures in the overview: as many as have room, each near its own time."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QFrame, QLabel

from annotator.ui.look.widgets import plain
from annotator.ui.timeline.model.axis import TimeAxis
from annotator.ui.timeline.model.layout import Zone

if TYPE_CHECKING:
    from annotator.services.playback.thumbnails import Thumb, Thumbnails
    from annotator.ui.timeline.timeline_view import TimelineView


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

    def draw(self, painter: QPainter, room: QRectF, left: float, full_view: TimeAxis) -> None:
        """Draw picture beside picture into ``room``; time begins at its pixel ``left``."""
        pictures = self._thumbnails.pictures if self._thumbnails is not None else ()
        if not pictures:
            return
        rows, columns = pictures[0].bgra.shape[:2]
        width = max(4.0, columns / rows * room.height())
        times = [thumb.time_s for thumb in pictures]
        painter.save()
        # Sound may begin before the pictures and end after them.
        x, end = (left + full_view.x_of_time(at) for at in (full_view.first_s, full_view.last_s))
        painter.setClipRect(QRectF(x, room.top(), end - x, room.height()))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        while x < end:
            middle = full_view.time_at(x - left + width / 2)
            after = bisect(times, middle)
            near = range(max(0, after - 1), min(after + 1, len(times)))
            best = min(near, key=lambda i: abs(times[i] - middle))
            # A distant picture would be misleading: wait for a nearer one.
            if abs(times[best] - middle) * full_view.scale <= 1.5 * width:
                cell = QRectF(x, room.top(), width - 1, room.height())
                painter.drawImage(cell, self.image(pictures[best]))
            x += width
        painter.restore()

    def nearest(self, seconds: float) -> Thumb | None:
        """Return the picture nearest to a time, None while there is none."""
        pictures = self._thumbnails.pictures if self._thumbnails is not None else ()
        return min(pictures, key=lambda thumb: abs(thumb.time_s - seconds), default=None)

    def image(self, thumb: Thumb) -> QImage:
        """Return a picture as Qt has it."""
        image = self._images.get(thumb.frame)
        if image is None:
            height, width = thumb.bgra.shape[:2]
            image = QImage(thumb.bgra.data, width, height, width * 4, QImage.Format.Format_RGB32)
            self._images[thumb.frame] = image
        return image


class FilmPreview(QObject):
    """Shows the picture nearest to the mouse while it is over the film strip of a timeline."""

    # A class attribute, because Qt still sends events to a filter after its Python part is gone.
    label: QLabel | None = None

    def __init__(self, view: TimelineView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            self._show(event.position())
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.Hide) and self.label is not None:
            self.label.hide()
        return False

    def _show(self, at: QPointF) -> None:
        view = self._view
        is_over = view.viewport.layout.zone_at(at.x(), at.y()) is Zone.OVERVIEW
        seconds = view.viewport.overview_time(at.x())
        thumb = view.strips.film.nearest(seconds) if is_over else None
        if thumb is None:
            if self.label is not None:
                self.label.hide()
            return
        if self.label is None:
            self.label = plain(QLabel(view.window()))
            self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self.label.setFrameShape(QFrame.Shape.StyledPanel)
            self.label.setAutoFillBackground(True)
        self.label.setPixmap(QPixmap.fromImage(view.strips.film.image(thumb)))
        self.label.adjustSize()
        corner = view.mapTo(view.window(), at.toPoint())
        x = corner.x() - self.label.width() // 2
        x = max(0, min(x, view.window().width() - self.label.width()))
        top = view.mapTo(view.window(), QPoint(0, 0)).y()
        self.label.move(x, top - self.label.height() - 4)
        self.label.show()
        self.label.raise_()
