"""A widget that shows a picture through a viewport: zoom, pan, and the size to decode at."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QInputDevice, QNativeGestureEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from annotator.ui.canvas.model.board import Board
from annotator.ui.canvas.model.viewport import Viewport
from annotator.ui.state.selection import Selection

_ZOOM_STEP: Final = 1.25
_WHEEL_NOTCH: Final = 120
_NATIVE_ZOOM: Final = Qt.NativeGestureType.ZoomNativeGesture


class ZoomView(QWidget):
    """Holds the board and moves its viewport; what is painted is left to others."""

    requestPicture = Signal()  # another size is wanted: ask for wanted_size()
    zoomChanged = Signal(float)  # device pixels per image pixel

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = Board(selection, self)
        self._last_view = self.board.viewport
        self._last_wanted = (0, 0)

    def wanted_size(self) -> tuple[int, int]:
        """Return the device pixels of the whole picture at this zoom; (0, 0): its full size."""
        viewport = self.board.viewport
        if not viewport.has_image or viewport.zoom >= 1.0:
            return (0, 0)
        return viewport.device_size

    @property
    def zoom(self) -> float:
        """Device pixels per image pixel."""
        return self.board.viewport.zoom

    def view(self) -> tuple[float, float, float]:
        """Return zoom and the image point at the centre; zoom 0 stands for "fitted"."""
        viewport = self.board.viewport
        zoom = 0.0 if viewport.is_fit else viewport.zoom
        return (zoom, viewport.center_x, viewport.center_y)

    def set_view(self, zoom: float, center_x: float, center_y: float) -> None:
        """Restore what ``view`` gave."""
        viewport = self.board.viewport
        if zoom > 0:
            self._look(viewport.looking_at(zoom, center_x, center_y))
        else:
            self._look(viewport.fitted())

    def zoom_in(self) -> None:
        self._zoom_at(self.zoom * _ZOOM_STEP, self._middle())

    def zoom_out(self) -> None:
        self._zoom_at(self.zoom / _ZOOM_STEP, self._middle())

    def zoom_fit(self) -> None:
        """Show the whole picture, and keep to it when the window changes."""
        self._look(self.board.viewport.fitted())

    def zoom_actual(self) -> None:
        """Show one image pixel on one pixel of the screen."""
        self._zoom_at(1.0, self._middle())

    # Qt's events

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._look(self._sized())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the cursor; with Shift, or by two fingers on a touch pad, move the picture."""
        delta = event.angleDelta()
        is_touch = event.pointingDevice().type() == QInputDevice.DeviceType.TouchPad
        event.accept()
        if self._is_view_locked():
            return
        if is_touch and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            moved = event.pixelDelta() if not event.pixelDelta().isNull() else delta / 4
            self._look(self.board.viewport.panned(moved.x(), moved.y()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._look(self.board.viewport.panned((delta.y() or delta.x()) / 2, 0))
        elif delta.y():
            self._zoom_at(self.zoom * _ZOOM_STEP ** (delta.y() / _WHEEL_NOTCH), event.position())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == _NATIVE_ZOOM:
            self._zoom_at(self.zoom * (1 + event.value()), event.position())
            return True
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._look(self._sized())
        return super().event(event)

    # For those who add to this

    def _is_view_locked(self) -> bool:
        """Tell whether the view must not move now."""
        return False

    def _follow_viewport(self) -> None:
        """Tell of a zoom or a wanted size that has changed."""
        if self.board.viewport == self._last_view:
            return
        zoom_before = self._last_view.zoom
        self._last_view = self.board.viewport
        if self.zoom != zoom_before:
            self.zoomChanged.emit(self.zoom)
        self._ask_for_picture()

    def _ask_for_picture(self) -> None:
        wanted = self.wanted_size()
        if wanted != self._last_wanted:
            self._last_wanted = wanted
            self.requestPicture.emit()

    def _look(self, viewport: Viewport) -> None:
        self.board.set_viewport(viewport)

    def _zoom_at(self, zoom: float, at: QPointF) -> None:
        self._look(self.board.viewport.zoomed(zoom, at.x(), at.y()))

    def _middle(self) -> QPointF:
        return QPointF(self.width() / 2, self.height() / 2)

    def _sized(self) -> Viewport:
        return self.board.viewport.with_widget(
            self.width(), self.height(), self.devicePixelRatioF()
        )
