"""Zoom and pan of the image as plain values, without Qt.

Zoom counts device pixels per image pixel, so 1.0 shows every pixel of the video as one pixel of
the screen whatever the screen's scale. Widget coordinates are Qt's logical pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from annotator.domain.geometry import Box, Point

MAX_ZOOM: Final = 40.0
_FIT_MARGIN_PX: Final = 10
# How much of the picture must stay in sight when it is dragged away.
_LEAST_IN_SIGHT_PX: Final = 48


@dataclass(frozen=True, slots=True)
class Viewport:
    """The view of a picture of ``image_width`` x ``image_height`` pixels in a widget.

    ``width`` and ``height`` are the widget's logical pixels, ``ratio`` the device pixels for each
    of them. ``center_x`` and ``center_y`` are the image point at the widget's center. While
    ``is_fit`` the whole picture is shown, whatever happens to the widget's size.
    """

    image_width: int = 0
    image_height: int = 0
    width: int = 1
    height: int = 1
    ratio: float = 1.0
    zoom: float = 1.0
    center_x: float = 0.0
    center_y: float = 0.0
    is_fit: bool = True

    @property
    def has_image(self) -> bool:
        return self.image_width > 0 and self.image_height > 0

    @property
    def scale(self) -> float:
        """Logical pixels per image pixel."""
        return self.zoom / self.ratio

    @property
    def fit_zoom(self) -> float:
        """The zoom that shows the whole picture with a small margin."""
        if not self.has_image:
            return 1.0
        free_width = max(16, self.width - 2 * _FIT_MARGIN_PX) * self.ratio
        free_height = max(16, self.height - 2 * _FIT_MARGIN_PX) * self.ratio
        return min(free_width / self.image_width, free_height / self.image_height, MAX_ZOOM)

    @property
    def min_zoom(self) -> float:
        return min(self.fit_zoom, 1.0) / 2

    @property
    def origin(self) -> tuple[float, float]:
        """The widget point of the image's top-left corner, on a whole device pixel."""
        x = self.width * self.ratio / 2 - self.center_x * self.zoom
        y = self.height * self.ratio / 2 - self.center_y * self.zoom
        return (round(x) / self.ratio, round(y) / self.ratio)

    @property
    def device_size(self) -> tuple[int, int]:
        """The size of the whole picture on the screen, in device pixels."""
        return (
            max(1, round(self.image_width * self.zoom)),
            max(1, round(self.image_height * self.zoom)),
        )

    def to_widget(self, point: Point) -> tuple[float, float]:
        x, y = self.origin
        return (x + point.x * self.scale, y + point.y * self.scale)

    def to_image(self, x: float, y: float) -> Point:
        left, top = self.origin
        return Point((x - left) / self.scale, (y - top) / self.scale)

    def box_to_widget(self, box: Box) -> Box:
        """Return a box in logical pixels of the widget."""
        x, y = self.origin
        s = self.scale
        return Box(x + box.x1 * s, y + box.y1 * s, x + box.x2 * s, y + box.y2 * s)

    def with_image(self, width: int, height: int) -> Viewport:
        """Show a picture of another size: fitted. The same size keeps the view."""
        if (width, height) == (self.image_width, self.image_height):
            return self
        return replace(self, image_width=width, image_height=height).fitted()

    def with_widget(self, width: int, height: int, ratio: float) -> Viewport:
        """Give the picture another room; a fitted one stays fitted, others keep their center."""
        other = replace(self, width=max(1, width), height=max(1, height), ratio=ratio)
        return other.fitted() if self.is_fit else other._bounded()

    def fitted(self) -> Viewport:
        center = (self.image_width / 2, self.image_height / 2)
        return replace(
            self, zoom=self.fit_zoom, center_x=center[0], center_y=center[1], is_fit=True
        )

    def zoomed(self, zoom: float, x: float, y: float) -> Viewport:
        """Return the view at another zoom in which the image point under (x, y) stays there."""
        anchor = self.to_image(x, y)
        zoom = min(max(zoom, self.min_zoom), MAX_ZOOM)
        center_x = anchor.x - (x - self.width / 2) * self.ratio / zoom
        center_y = anchor.y - (y - self.height / 2) * self.ratio / zoom
        return replace(
            self, zoom=zoom, center_x=center_x, center_y=center_y, is_fit=False
        )._bounded()

    def panned(self, dx: float, dy: float) -> Viewport:
        """Return the view with the picture dragged by logical pixels."""
        return replace(
            self,
            center_x=self.center_x - dx / self.scale,
            center_y=self.center_y - dy / self.scale,
            is_fit=False,
        )._bounded()

    def looking_at(self, zoom: float, center_x: float, center_y: float) -> Viewport:
        """Return the view that was saved: zoom and the image point at the center."""
        zoom = min(max(zoom, self.min_zoom), MAX_ZOOM)
        return replace(
            self, zoom=zoom, center_x=center_x, center_y=center_y, is_fit=False
        )._bounded()

    def _bounded(self) -> Viewport:
        """Keep a strip of the picture in sight."""
        reach_x = max(0.0, self.width / 2 - _LEAST_IN_SIGHT_PX) / self.scale
        reach_y = max(0.0, self.height / 2 - _LEAST_IN_SIGHT_PX) / self.scale
        return replace(
            self,
            center_x=min(max(self.center_x, -reach_x), self.image_width + reach_x),
            center_y=min(max(self.center_y, -reach_y), self.image_height + reach_y),
        )
