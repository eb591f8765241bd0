"""Qt's Fusion style with edges that can be seen: fields, check boxes and the focus ring.

Fusion takes the edges of fields from the window's colour, so that they vanish on dark planes.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QStyleOptionComplex, QWidget

_FRAMES = (
    QStyle.PrimitiveElement.PE_FrameLineEdit,
    QStyle.PrimitiveElement.PE_PanelLineEdit,
    QStyle.PrimitiveElement.PE_Frame,
)
_FIELDS = (QStyle.ComplexControl.CC_SpinBox, QStyle.ComplexControl.CC_ComboBox)
_BUTTON_ICONS = frozenset(
    getattr(QStyle.StandardPixmap, f"SP_Dialog{name}Button")
    for name in (
        "Ok",
        "Cancel",
        "Help",
        "Open",
        "Save",
        "Close",
        "Apply",
        "Reset",
        "Discard",
        "Yes",
        "No",
        "YesToAll",
        "NoToAll",
        "SaveAll",
        "Abort",
        "Retry",
        "Ignore",
    )
)
_DOWN_PX = 2
_STATE_ON = QStyle.StateFlag.State_On
_STATE_FOCUS = QStyle.StateFlag.State_HasFocus
_STATE_ENABLED = QStyle.StateFlag.State_Enabled


class EdgedStyle(QProxyStyle):
    """Draws Fusion, then the edges; ``colors`` are those of the theme in use."""

    def __init__(self, colors: dict[str, QColor]) -> None:
        super().__init__("Fusion")
        self.colors = colors

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if element == QStyle.PrimitiveElement.PE_IndicatorCheckBox:
            self._draw_check(option, painter)
            return
        if element == QStyle.PrimitiveElement.PE_FrameFocusRect:
            self._draw_edge(painter, option.rect, self.colors["focus"])
            return
        super().drawPrimitive(element, option, painter, widget)
        if element == QStyle.PrimitiveElement.PE_IndicatorRadioButton:
            self._draw_ring(painter, option)
        if element == QStyle.PrimitiveElement.PE_PanelButtonCommand and option.state & _STATE_ON:
            # On dark planes Fusion's shade of a button that is down cannot be told.
            self._draw_edge(painter, option.rect, self.colors["accent"], _DOWN_PX)
        if element == QStyle.PrimitiveElement.PE_PanelButtonCommand and option.state & _STATE_FOCUS:
            self._draw_edge(painter, option.rect, self.colors["focus"], _DOWN_PX)
        if element in _FRAMES and getattr(option, "lineWidth", 1) > 0:
            self._draw_edge(painter, option.rect, self._edge(option))

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        super().drawComplexControl(control, option, painter, widget)
        if control in _FIELDS and getattr(option, "frame", True):
            self._draw_edge(painter, option.rect, self._edge(option))

    def standardIcon(
        self,
        icon: QStyle.StandardPixmap,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> QIcon:
        """Leave the buttons of dialogs without icons: Fusion's are black in a dark theme too."""
        if icon in _BUTTON_ICONS:
            return QIcon()
        return super().standardIcon(icon, option, widget)

    def _edge(self, option: QStyleOption) -> QColor:
        if option.state & _STATE_FOCUS:
            return self.colors["focus"]
        return self.colors["border_strong" if option.state & _STATE_ENABLED else "border"]

    def _draw_edge(self, painter: QPainter, rect: QRect, color: QColor, width: float = 1) -> None:
        half = width / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect).adjusted(half, half, -half, -half), 2, 2)
        painter.restore()

    def _draw_ring(self, painter: QPainter, option: QStyleOption) -> None:
        side = min(option.rect.width(), option.rect.height()) - 1
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._edge(option), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QRectF(option.rect.x() + 0.5, option.rect.y() + 0.5, side, side))
        painter.restore()

    def _draw_check(self, option: QStyleOption, painter: QPainter) -> None:
        is_on = bool(option.state & _STATE_ON)
        is_enabled = bool(option.state & _STATE_ENABLED)
        side = min(option.rect.width(), option.rect.height()) - 1
        box = QRectF(option.rect.x() + 0.5, option.rect.y() + 0.5, side, side)
        fill = self.colors["accent" if is_on and is_enabled else "surface"]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._edge(option), 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(box, 2.5, 2.5)
        if is_on:
            ink = self.colors["accent_text" if is_enabled else "text_disabled"]
            painter.setPen(QPen(ink, max(1.6, side / 8)))
            tick = ((0.22, 0.52), (0.42, 0.72), (0.78, 0.30))
            places = [QPointF(box.x() + x * side, box.y() + y * side) for x, y in tick]
            painter.drawPolyline(QPolygonF(places))
        painter.restore()


def color_swatch(color: QColor) -> QIcon:
    """Return a round patch of a color."""
    pixmap = QPixmap(32, 32)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(color)
    painter.setPen(color.darker(130))
    painter.drawEllipse(3, 3, 26, 26)
    painter.end()
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon
