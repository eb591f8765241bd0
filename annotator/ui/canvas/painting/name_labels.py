"""Name labels of boxes and points: where they go, and their pictures, drawn once and kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from annotator.ui.canvas.model.point_marks import Dot, DotLook
from annotator.ui.canvas.model.shapes import Shape, ShapeStyle
from annotator.ui.look.theme import Theme, ink_on

_MAX_LABEL_CHARACTERS: Final = 32
_MAX_KEPT: Final = 2048
_PAD_PX: Final = 5.0
_GAP_PX: Final = 4.0
_LOCK_PX: Final = 13.0
_CELL_WIDTH: Final = 8
_CELL_HEIGHT: Final = 4


class LabelRequest(NamedTuple):
    """A label to place at a box: device pixels, full size and width of the short form."""

    x1: int
    y1: int
    x2: int
    y2: int
    width: int
    height: int
    short_width: int


class LabelPlace(NamedTuple):
    """The top-left corner of a label in device pixels, and whether only its short form fits."""

    x: int
    y: int
    is_short: bool


def place_chips(
    slots: Sequence[LabelRequest], width: int, height: int, *, unit: float = 1.0
) -> list[LabelPlace | None]:
    """Give each label a place near its box where no earlier one lies; None where there is none.

    Tried in turn: above the box, below it, inside it, at its right; then the same with the short
    form. ``width`` and ``height`` are the device pixels of the canvas, ``unit`` device pixels per
    logical pixel.
    """
    taken = _OccupiedCells(width, height, unit)
    return [_placed(slot, taken, width, height) for slot in slots]


class _OccupiedCells:
    """Which cells of a coarse grid hold a label already: one integer of bits for each row."""

    def __init__(self, width: int, height: int, unit: float) -> None:
        self._cell_width = max(1, round(_CELL_WIDTH * unit))
        self._cell_height = max(1, round(_CELL_HEIGHT * unit))
        self._rows = [0] * (height // self._cell_height + 3)

    def take(self, x: int, y: int, width: int, height: int) -> bool:
        """Reserve the cells under a rectangle; False if one is taken."""
        first = x // self._cell_width
        mask = ((1 << ((x + width - 1) // self._cell_width - first + 1)) - 1) << first
        top, bottom = y // self._cell_height, (y + height - 1) // self._cell_height
        rows = self._rows
        for row in range(top, bottom + 1):
            if rows[row] & mask:
                return False
        for row in range(top, bottom + 1):
            rows[row] |= mask
        return True


def _has_lock(shape: Shape) -> bool:
    """Return whether a person has locked an object: where all are given, no sign is needed."""
    return shape.locked and not shape.given


def _placed(
    slot: LabelRequest, taken_places: _OccupiedCells, width: int, height: int
) -> LabelPlace | None:
    x1, y1, x2, y2, full, chip_height, short = slot
    bottom = max(0, height - chip_height)
    above, below, inside = (
        _within(y1 - chip_height, bottom),
        _within(y2, bottom),
        _within(y1, bottom),
    )
    for chip_width in (full, short):
        right = max(0, width - chip_width)
        x = _within(x1, right)
        for y in (above, below, inside):
            if taken_places.take(x, y, chip_width, chip_height):
                return LabelPlace(x, y, chip_width != full)
        x = _within(x2, right)
        if taken_places.take(x, inside, chip_width, chip_height):
            return LabelPlace(x, inside, chip_width != full)
    return None


def _within(value: int, last: int) -> int:
    return 0 if value < 0 else (last if value > last else value)


class _Face(NamedTuple):
    """Everything that the picture of a label depends on, apart from theme, font and scale."""

    text: str
    number: int
    color: int
    look: ShapeStyle
    locked: bool
    strong: bool


class ChipPictures:
    """Draws labels into pixmaps of device pixels and keeps them until theme or scale change."""

    def __init__(self, theme: Theme, font: QFont, ratio: float) -> None:
        self._theme = theme
        self._ratio = ratio
        self._font = QFont(font)
        self._font.setPointSizeF(max(6.0, font.pointSizeF() * 0.88))
        self._font.setWeight(QFont.Weight.DemiBold)
        self._metrics = QFontMetricsF(self._font)
        self._digit_width = self._metrics.horizontalAdvance("0")
        self._height = round(self._metrics.height() + 4)
        self._kept: dict[Hashable, QPixmap] = {}

    @property
    def height(self) -> int:
        """The height of every label in device pixels."""
        return round(self._height * self._ratio)

    def name(self, shape: Shape, *, strong: bool = False, short: bool = False) -> QPixmap:
        """Return the label with number and name, or with the number alone."""
        named = f"{shape.label} · {shape.note}" if shape.note else shape.label
        text = "" if short else named
        face = _Face(text, shape.number, shape.color, shape.look, _has_lock(shape), strong)
        kept = self._kept.get(face)
        return kept if kept is not None else self._keep(face, self._render(face))

    def point(self, dot: Dot, *, strong: bool = False, short: bool = False) -> QPixmap:
        """Return the label of a point with number and name, or with the number alone."""
        look = ShapeStyle.PROPOSED if dot.look is DotLook.PROPOSED else ShapeStyle.FIXED
        text = "" if short else dot.label
        face = _Face(text, dot.number, dot.color, look, dot.locked and not short, strong)
        kept = self._kept.get(face)
        return kept if kept is not None else self._keep(face, self._render(face))

    def short_width(self, shape: Shape) -> int:
        """Return the width of a label with the number alone, in device pixels."""
        digits = len(str(shape.number))
        width = digits * self._digit_width + 2 * _PAD_PX + (_LOCK_PX if _has_lock(shape) else 0)
        return round(width * self._ratio)

    def confidence(self, value: float) -> QPixmap:
        """Return the small sign for the confidence of a tracker."""
        percent = round(100 * min(max(value, 0.0), 1.0))
        kept = self._kept.get(percent)
        return kept if kept is not None else self._keep(percent, self._drawn_percent(percent))

    def mark(self, key: Hashable, side: int, draw: Callable[[QPainter], None]) -> QPixmap:
        """Return a mark of ``side`` device pixels each way, as ``draw`` has it."""
        kept = self._kept.get(key)
        if kept is None:
            kept = QPixmap(side, side)
            kept.fill(Qt.GlobalColor.transparent)
            painter = QPainter(kept)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw(painter)
            painter.end()
            self._keep(key, kept)
        return kept

    def _keep(self, key: Hashable, pixmap: QPixmap) -> QPixmap:
        if len(self._kept) >= _MAX_KEPT:
            self._kept.clear()
        self._kept[key] = pixmap
        return pixmap

    def _canvas(self, width: float) -> tuple[QPixmap, QPainter]:
        pixmap = QPixmap(max(1, round(width * self._ratio)), self.height)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.scale(self._ratio, self._ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        return pixmap, painter

    def _render(self, face: _Face) -> QPixmap:
        color = self._theme.object_color(face.color)
        number = str(face.number)
        label = _shortened(face.text)
        pad, gap = _PAD_PX, _GAP_PX
        number_width = self._metrics.horizontalAdvance(number)
        text_width = self._metrics.horizontalAdvance(label) if label else 0.0
        lock_width = _LOCK_PX if face.locked else 0.0
        width = pad + number_width + (gap + text_width if label else 0) + lock_width + pad
        pixmap, painter = self._canvas(width)
        plane, ink = _inks(color, face.look)
        edge = QRectF(0.5, 0.5, width - 1, self._height - 1)
        painter.setPen(_edge_pen(color, face))
        painter.setBrush(plane)
        painter.drawRoundedRect(edge, 4, 4)
        baseline = (self._height + self._metrics.ascent() - self._metrics.descent()) / 2
        faint = QColor(ink)
        faint.setAlphaF(ink.alphaF() * 0.72)
        painter.setPen(faint)
        painter.drawText(QPointF(pad, baseline), number)
        painter.setPen(ink)
        if label:
            painter.drawText(QPointF(pad + number_width + gap, baseline), label)
        if face.locked:
            _draw_lock(painter, QRectF(width - pad - 9, self._height / 2 - 5, 9, 10), ink)
        painter.end()
        return pixmap

    def _drawn_percent(self, percent: int) -> QPixmap:
        text = f"{percent}%"
        width = self._metrics.horizontalAdvance(text) + 10
        pixmap, painter = self._canvas(width)
        is_doubtful = percent < 50
        color = self._theme.color("doubtful" if is_doubtful else "proposed")
        painter.setPen(QPen(color, 1, Qt.PenStyle.DashLine))
        painter.setBrush(self._theme.color("surface"))
        painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, self._height - 1), 4, 4)
        baseline = (self._height + self._metrics.ascent() - self._metrics.descent()) / 2
        painter.setPen(color)
        painter.drawText(QPointF(5, baseline), text)
        painter.end()
        return pixmap


def _inks(color: QColor, look: ShapeStyle) -> tuple[QColor, QColor]:
    """Return plane and text color: full for annotation, dark for proposals, faint for ghosts."""
    if look is ShapeStyle.PROPOSED:
        return QColor(16, 18, 22, 225), QColor("#ffffff")
    if look is ShapeStyle.GHOST:
        return QColor(16, 18, 22, 130), QColor(255, 255, 255, 190)
    return color, ink_on(color)


def _edge_pen(color: QColor, face: _Face) -> QPen:
    if face.look is ShapeStyle.PROPOSED:
        return QPen(color, 1, Qt.PenStyle.DashLine)
    if face.look is ShapeStyle.GHOST:
        faint = QColor(color)
        faint.setAlpha(150)
        return QPen(faint, 1, Qt.PenStyle.DotLine)
    return QPen(QColor("#ffffff"), 1) if face.strong else QPen(QColor(0, 0, 0, 120), 1)


def _draw_lock(painter: QPainter, room: QRectF, ink: QColor) -> None:
    path = QPainterPath()
    path.addRoundedRect(QRectF(room.left(), room.top() + 4.5, room.width(), 5.5), 1.2, 1.2)
    painter.fillPath(path, ink)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1.4))
    shackle = QRectF(room.left() + 2, room.top() + 0.8, room.width() - 4, 7)
    painter.drawArc(shackle, 0, 180 * 16)


def _shortened(label: str) -> str:
    if len(label) <= _MAX_LABEL_CHARACTERS:
        return label
    return label[: _MAX_LABEL_CHARACTERS - 1].rstrip() + "…"
