"""A second look at the picture: an earlier state beside the present one, on the same playhead."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui.canvas.model.earlier import Before
from annotator.ui.canvas.model.layers import paint_state
from annotator.ui.canvas.model.viewport import Viewport
from annotator.ui.canvas.painting.boxes import draw_hint
from annotator.ui.canvas.painting.name_labels import ChipPictures
from annotator.ui.canvas.view import CanvasView
from annotator.ui.look.theme import ThemeHub


class SideView(QWidget):
    """Shows the picture of a canvas with the boxes of another state; zoom and place follow."""

    def __init__(self, theme: ThemeHub, canvas: CanvasView) -> None:
        super().__init__()
        self._hub = theme
        self._canvas = canvas
        self._before: Before | None = None
        self._viewport = Viewport()
        self._chips = self._new_chips()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(self.tr("Video canvas, earlier submission"))
        canvas.picturePainted.connect(self.update)
        canvas.zooming.zoomChanged.connect(self.update)
        canvas.board.changed.connect(self.update)
        canvas.board.selection.changed.connect(self.update)
        theme.changed.connect(self._on_theme_changed)

    def show_state(self, before: Before | None) -> None:
        """Show another state, or none."""
        self._before = before
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, 540)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 120)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._chips = self._new_chips()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme, room = QPainter(self), self._hub.theme, QRectF(self.rect())
        painter.fillRect(room, theme.color("canvas"))
        shown, before = self._canvas.shown_picture, self._before
        if shown is not None:
            viewport = self._placed()
            painter.save()
            painter.scale(1 / viewport.ratio, 1 / viewport.ratio)
            shown.paint(painter, viewport)
            if before is not None:
                paint_state(painter, viewport, theme, self._chips, before, self._canvas.board)
            painter.restore()
        if before is not None:
            draw_hint(painter, theme, before.name, 8, room.bottom(), room)
        painter.end()

    def _placed(self) -> Viewport:
        """Return the view of the canvas in this room: fitted like it, or at its zoom and centre."""
        main = self._canvas.board.viewport
        mine = Viewport().with_widget(self.width(), self.height(), self.devicePixelRatioF())
        mine = mine.with_image(main.image_width, main.image_height)
        if main.is_fit:
            return mine.fitted()
        return mine.looking_at(main.zoom, main.center_x, main.center_y)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._chips = self._new_chips()
        self.update()

    def _new_chips(self) -> ChipPictures:
        return ChipPictures(self._hub.theme, self.font(), self.devicePixelRatioF())
