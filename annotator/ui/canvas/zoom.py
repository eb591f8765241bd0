"""The viewport of the canvas: zoom, pan, and the size to decode at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QInputDevice, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from annotator.ui.canvas.model.frame_annotations import CanvasBoard
from annotator.ui.canvas.model.picture_viewport import Viewport

_ZOOM_STEP: Final = 1.25
_WHEEL_NOTCH: Final = 120
_NATIVE_ZOOM: Final = Qt.NativeGestureType.ZoomNativeGesture


class Zooming(QObject):
    """Moves the viewport of a board by keys, wheel and touch pad."""

    requestPicture = Signal()  # the target size has changed: see target_size()
    zoomChanged = Signal(float)  # device pixels per image pixel

    def __init__(self, board: CanvasBoard, widget: QWidget, is_locked: Callable[[], bool]) -> None:
        """``is_locked`` returns whether the view must not move now."""
        super().__init__(widget)
        self._board = board
        self._widget = widget
        self._is_locked = is_locked
        self._last_view = board.viewport
        self._last_wanted = (0, 0)

    def target_size(self) -> tuple[int, int]:
        """Return the device pixels of the whole picture at this zoom; (0, 0): its full size."""
        viewport = self._board.viewport
        if not viewport.has_image or viewport.zoom >= 1.0:
            return (0, 0)
        return viewport.device_size

    @property
    def zoom(self) -> float:
        """Device pixels per image pixel."""
        return self._board.viewport.zoom

    def view(self) -> tuple[float, float, float]:
        """Return zoom and image center; zoom 0 means "fitted"."""
        viewport = self._board.viewport
        zoom = 0.0 if viewport.is_fit else viewport.zoom
        return (zoom, viewport.center_x, viewport.center_y)

    def set_view(self, zoom: float, center_x: float, center_y: float) -> None:
        """Restore a result of ``view``."""
        viewport = self._board.viewport
        if zoom > 0:
            self.look(viewport.looking_at(zoom, center_x, center_y))
        else:
            self.look(viewport.fitted())

    def zoom_in(self) -> None:
        self._zoom_at(self.zoom * _ZOOM_STEP, self.middle())

    def zoom_out(self) -> None:
        self._zoom_at(self.zoom / _ZOOM_STEP, self.middle())

    def zoom_fit(self) -> None:
        """Show the whole picture, and keep to it when the window changes."""
        self.look(self._board.viewport.fitted())

    def zoom_actual(self) -> None:
        """Show one image pixel on one pixel of the screen."""
        self._zoom_at(1.0, self.middle())

    # Events of the widget

    def resized(self) -> None:
        """Follow the size of the widget, or the scale of its screen."""
        self.look(self.sized())

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom at the cursor; with Shift, or by two fingers on a touch pad, move the picture."""
        delta = event.angleDelta()
        is_touch = event.pointingDevice().type() == QInputDevice.DeviceType.TouchPad
        event.accept()
        if self._is_locked():
            return
        if is_touch and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            moved = event.pixelDelta() if not event.pixelDelta().isNull() else delta / 4
            self.look(self._board.viewport.panned(moved.x(), moved.y()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.look(self._board.viewport.panned((delta.y() or delta.x()) / 2, 0))
        elif delta.y():
            self._zoom_at(self.zoom * _ZOOM_STEP ** (delta.y() / _WHEEL_NOTCH), event.position())

    def pinch(self, event: QNativeGestureEvent) -> bool:
        """Zoom by two fingers; False: the gesture is another one."""
        if event.gestureType() != _NATIVE_ZOOM:
            return False
        self._zoom_at(self.zoom * (1 + event.value()), event.position())
        return True

    # For the widget and its other parts

    def follow(self) -> None:
        """Send changes of the zoom or of the target size."""
        if self._board.viewport == self._last_view:
            return
        zoom_before = self._last_view.zoom
        self._last_view = self._board.viewport
        if self.zoom != zoom_before:
            self.zoomChanged.emit(self.zoom)
        self.ask_for_picture()

    def ask_for_picture(self) -> None:
        """Request a picture of the present target size, if it has changed."""
        wanted = self.target_size()
        if wanted != self._last_wanted:
            self._last_wanted = wanted
            self.requestPicture.emit()

    def look(self, viewport: Viewport) -> None:
        """Show another part of the picture."""
        self._board.set_viewport(viewport)

    def _zoom_at(self, zoom: float, at: QPointF) -> None:
        self.look(self._board.viewport.zoomed(zoom, at.x(), at.y()))

    def middle(self) -> QPointF:
        """Return the middle of the widget."""
        return QPointF(self._widget.width() / 2, self._widget.height() / 2)

    def sized(self) -> Viewport:
        """Return the viewport at the size of the widget."""
        return self._board.viewport.with_widget(
            self._widget.width(), self._widget.height(), self._widget.devicePixelRatioF()
        )
