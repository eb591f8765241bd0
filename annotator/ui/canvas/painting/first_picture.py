"""The picture that is seen while the window is built behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.media.values import Picture, PictureRequest
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.painting.shown_picture import ShownPicture

if TYPE_CHECKING:
    from annotator.ui.look.theme import ThemeHub
    from annotator.ui.state.stage import PictureSource


class FirstPicture(QWidget):
    """Paints one picture as the canvas will, at the same place; the canvas then takes it over.

    ``ready`` may be sent from any thread, when ``pictures`` has the picture. ``frame`` is the one
    asked for last, which `go` changes.
    """

    ready = Signal()
    settled = Signal()  # the first has been painted, or will not come
    picturePainted = Signal(int)

    def __init__(
        self,
        hub: ThemeHub,
        pictures: PictureSource,
        frame: int,
        n_frames: int,
        view: tuple[float, float, float],
    ) -> None:
        """``frame`` is already requested. ``view`` is zoom (0: fitted) and center."""
        super().__init__()
        self.pictures = pictures
        self.frame = self._begun_at = frame
        self.n_frames = n_frames
        self._hub = hub
        self._view = view
        self._viewport = Viewport()
        self._shown: ShownPicture | None = None
        self._painted: int | None = None
        self.ready.connect(self.show_picture)

    @property
    def picture(self) -> Picture | None:
        return self._shown.picture if self._shown is not None else None

    @property
    def has_moved(self) -> bool:
        """Return whether the person has moved to another frame since."""
        return self.frame != self._begun_at

    def go(self, frame: int) -> None:
        """Ask for another frame, the nearest there is."""
        wanted = min(max(frame, 0), self.n_frames - 1)
        direction = (wanted > self.frame) - (wanted < self.frame)
        self.frame = wanted
        self.pictures.request(PictureRequest(wanted, 0, 0, direction))

    @Slot()
    def show_picture(self) -> None:
        """Take the decoded picture if it is ready; no other replaces it."""
        picture = self.pictures.take()
        if picture is not None and picture.is_exact:
            self._shown = ShownPicture(picture)
            self._viewport = self._placed(self._viewport.with_image(*picture.source_size))
            self.update()
        elif self.pictures.error is not None:
            self.settled.emit()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._viewport = self._placed(self._viewport)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._hub.theme.color("canvas"))
        if self._shown is not None:
            ratio = self._viewport.ratio
            painter.scale(1 / ratio, 1 / ratio)
            self._shown.paint(painter, self._viewport)
        painter.end()
        if self._shown is not None and self._shown.index != self._painted:
            is_first, self._painted = self._painted is None, self._shown.index
            self.picturePainted.emit(self._painted)
            if is_first:
                self.settled.emit()

    def _placed(self, viewport: Viewport) -> Viewport:
        sized = viewport.with_widget(self.width(), self.height(), self.devicePixelRatioF())
        zoom, x, y = self._view
        return sized.looking_at(zoom, x, y) if zoom > 0 else sized.fitted()
