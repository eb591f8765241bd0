"""One tile of a gallery: part of a frame with a box or a point, which can be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.domain.geometry import Box, Point
from annotator.domain.proposals.gallery import area_around
from annotator.services.playback.thumbnails import Thumb
from annotator.ui.canvas.model.point_marks import Dot
from annotator.ui.canvas.painting.point_painter import draw_crosshair, draw_dot
from annotator.ui.canvas.painting.strokes import OUTDATED_INK
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import draw_focus_corners

_CAPTION_PX: Final = 22
_LEAST: Final = QSize(168, 130)
_DRAG_PX: Final = 4.0
_ZOOM: Final = 1.25
_SEEN_SHARE: Final = 0.98
_SHADE: Final = QColor(0, 0, 0, 170)
_DOT_PX: Final = 5.0
_CROSSHAIR_PX: Final = 14.0
_STEPS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class TileKind(Enum):
    """Meaning of the box or the point on a tile."""

    KEYFRAME = auto()
    PROPOSAL = auto()
    OUTDATED = auto()
    INTERPOLATED = auto()
    UNSEEN = auto()  # accepted in a range, and shown to nobody
    CHECKED = auto()  # between keyframes, in a gap that is checked


_STYLES: Final = {
    TileKind.KEYFRAME: Qt.PenStyle.SolidLine,
    TileKind.PROPOSAL: Qt.PenStyle.DashLine,
    TileKind.OUTDATED: Qt.PenStyle.DashLine,
    TileKind.INTERPOLATED: Qt.PenStyle.DotLine,
    TileKind.UNSEEN: Qt.PenStyle.DashLine,
    TileKind.CHECKED: Qt.PenStyle.SolidLine,
}


@dataclass(frozen=True, slots=True)
class TileContent:
    """An object or a point on one frame; without ``box`` and ``dot`` it is out of view.

    ``near`` is the box to show the surroundings of, ``caption`` follows the frame number below the
    picture, ``notice`` is a line over it.
    """

    box: Box | None
    near: Box | None
    kind: TileKind
    is_occluded: bool
    caption: str
    notice: str = ""
    dot: Dot | None = None


class FrameTile(QWidget):
    """Shows an object or a point on one frame; a drag draws its box, a click places the point.

    The tile under the cursor takes the focus, so that keys act on what one looks at.
    """

    drawn = Signal(int, object)  # frame, Box or Point in image pixels
    opened = Signal(int)  # frame
    stepped = Signal(int, int, int)  # frame, columns, rows

    def __init__(
        self,
        hub: ThemeHub,
        frame: int,
        size: tuple[int, int],
        color: int,
        *,
        takes_points: bool = False,
    ) -> None:
        """``size`` is that of the video in image pixels, ``color`` the number of the object's."""
        super().__init__()
        self.frame = frame
        self._takes_points = takes_points
        self._hub = hub
        self._size = size
        self._color = color
        self._content = TileContent(None, None, TileKind.INTERPOLATED, False, "")
        self._still: Thumb | None = None
        self._cut: tuple[Box, QSize, QImage] | None = None
        self._area: Box | None = None
        self._zoom = 1.0
        self._start: QPointF | None = None
        self._end: QPointF | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setMinimumSize(_LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def content(self) -> TileContent:
        return self._content

    @property
    def still(self) -> Thumb | None:
        """The picture of the frame, once it was read."""
        return self._still

    def set_still(self, still: Thumb) -> None:
        self._still, self._cut = still, None
        self.update()

    def set_content(self, content: TileContent) -> None:
        """Show the object; the part of the frame changes only if the box would not be seen.

        It never changes under a box that is being drawn.
        """
        self._content = content
        area, box = self._area, content.near
        is_drawing = self._start is not None
        if area is not None and box is not None and not is_drawing:
            least = _SEEN_SHARE * min(box.area, area.area)
            if area.intersection(box) < least:
                self._area = None
        self.setAccessibleName(content.caption)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, 210)

    # Places

    def _picture(self) -> QRectF:
        return QRectF(0, 0, self.width(), max(1, self.height() - _CAPTION_PX))

    def _shown_area(self) -> Box:
        """Return the part of the frame on the tile, in image pixels."""
        if self._area is None:
            picture = self._picture()
            area = area_around(self._content.near, self._size, picture.width() / picture.height())
            half_x, half_y = area.width / 2 * self._zoom, area.height / 2 * self._zoom
            middle = area.center
            self._area = Box(
                middle.x - half_x, middle.y - half_y, middle.x + half_x, middle.y + half_y
            )
        return self._area

    def _to_screen(self, box: Box) -> QRectF:
        area, picture = self._shown_area(), self._picture()
        scale = picture.width() / area.width
        return QRectF(
            (box.x1 - area.x1) * scale,
            (box.y1 - area.y1) * scale,
            box.width * scale,
            box.height * scale,
        )

    def _to_image(self, place: QPointF) -> Point:
        area, picture = self._shown_area(), self._picture()
        scale = area.width / picture.width()
        return Point(area.x1 + place.x() * scale, area.y1 + place.y() * scale)

    # Events

    def resizeEvent(self, _event: object) -> None:
        self._area = None

    def enterEvent(self, event: QEnterEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().enterEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._start = self._end = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._start is not None:
            self._end = event.position()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        start, end = self._start, event.position()
        self._start = self._end = None
        self.update()
        if start is None:
            return
        if self._takes_points:
            if self._picture().contains(end):
                self._place_point(self._to_image(end))
            return
        moved = end - start
        if min(abs(moved.x()), abs(moved.y())) >= _DRAG_PX:
            box = Box.around(self._to_image(start), self._to_image(end)).clipped(*self._size)
            if box.is_valid:
                self.drawn.emit(self.frame, box)

    def _place_point(self, place: Point) -> None:
        width, height = self._size
        if 0 <= place.x <= width and 0 <= place.y <= height:
            self.drawn.emit(self.frame, place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._takes_points:
            self.mousePressEvent(event)
        elif event.button() is Qt.MouseButton.LeftButton:
            self.opened.emit(self.frame)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Show more or less of the surroundings."""
        turned = event.angleDelta().y()
        if turned and self._start is None:
            factor = 1 / _ZOOM if turned > 0 else _ZOOM
            self._zoom = min(8.0, max(0.25, self._zoom * factor))
            self._area = None
            self.update()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key is Qt.Key.Key_Escape and self._start is not None:
            self._start = self._end = None
            self.update()
        elif key is Qt.Key.Key_Space:
            self.opened.emit(self.frame)
        elif key in _STEPS and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.stepped.emit(self.frame, *_STEPS[key])
        else:
            super().keyPressEvent(event)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, content = self._hub.theme, self._content
        picture = self._picture()
        painter = QPainter(self)
        painter.fillRect(picture, theme.color("canvas"))
        painter.save()
        painter.setClipRect(picture)
        if self._still is not None:
            part = self._shown_area().clipped(*self._size)
            if part.is_valid:
                painter.drawImage(self._to_screen(part), self._scaled(self._still, part))
        if content.box is not None:
            self._draw_box(painter, self._to_screen(content.box))
        if content.dot is not None:
            self._draw_point(painter, content.dot)
        if self._start is not None and self._end is not None:
            if self._takes_points:
                draw_crosshair(painter, self._end, _CROSSHAIR_PX)
            else:
                new_box = QRectF(self._start, self._end).normalized()
                self._draw_frame(painter, new_box, Qt.PenStyle.SolidLine)
        if content.notice:
            self._draw_notice(painter, picture)
        painter.restore()
        caption = QRectF(0, picture.bottom(), self.width(), _CAPTION_PX)
        plane = "selection" if self.hasFocus() else "raised"
        ink = "selection_text" if self.hasFocus() else "text"
        painter.fillRect(caption, theme.color(plane))
        painter.setPen(theme.color(ink))
        line = caption.adjusted(8, 0, -8, 0)
        text = painter.fontMetrics().elidedText(
            content.caption, Qt.TextElideMode.ElideRight, int(line.width())
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        if self.hasFocus():
            draw_focus_corners(painter, QRectF(self.rect()), theme.color("focus"))

    def _scaled(self, still: Thumb, area: Box) -> QImage:
        """Return a part of the frame in device pixels of its place on the tile."""
        size = (self._to_screen(area).size() * self.devicePixelRatioF()).toSize()
        if self._cut is None or self._cut[:2] != (area, size):
            height, width = still.bgra.shape[:2]
            stored = QImage.Format.Format_RGB32
            image = QImage(still.bgra.data, width, height, width * 4, stored)
            factor = width / self._size[0]
            corner = QPointF(area.x1, area.y1) * factor
            part = QRectF(corner, QSizeF(area.width, area.height) * factor).toAlignedRect()
            ways = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            self._cut = area, size, image.copy(part & image.rect()).scaled(size, *ways)
        return self._cut[2]

    def _draw_box(self, painter: QPainter, rect: QRectF) -> None:
        content = self._content
        style = _STYLES[content.kind]
        if content.is_occluded and content.kind is not TileKind.KEYFRAME:
            style = Qt.PenStyle.DashDotLine
        self._draw_frame(painter, rect, style)

    def _draw_point(self, painter: QPainter, dot: Dot) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = Box(dot.xy.x, dot.xy.y, dot.xy.x, dot.xy.y)
        painter.translate(self._to_screen(place).topLeft())
        draw_dot(painter, self._hub.theme, dot, _DOT_PX)
        painter.restore()

    def _draw_frame(self, painter: QPainter, rect: QRectF, style: Qt.PenStyle) -> None:
        """Draw a frame of two pixels on a dark one that sets it off from any picture."""
        is_outdated = self._content.kind is TileKind.OUTDATED
        color = QColor(OUTDATED_INK) if is_outdated else self._hub.theme.object_color(self._color)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(_SHADE, 4), QPen(color, 2, style)):
            painter.setPen(pen)
            painter.drawRect(rect)

    def _draw_notice(self, painter: QPainter, picture: QRectF) -> None:
        metrics = painter.fontMetrics()
        band = QRectF(picture.left(), picture.top(), picture.width(), metrics.height() + 8)
        painter.fillRect(band, _SHADE)
        painter.setPen(Qt.GlobalColor.white)
        painter.drawText(band, Qt.AlignmentFlag.AlignCenter, self._content.notice)
