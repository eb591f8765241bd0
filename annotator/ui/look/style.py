"""Flat style on Qt's Fusion: planes instead of frames, light lines, one accent.

Layout, events and the places of parts stay Fusion's; what is listed in the dictionaries of
`FlatStyle` is painted here. Colors are tokens of the theme files, lengths are in device-independent
pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeGuard

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QIcon, QPainter, QPalette, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QProxyStyle,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOption,
    QStyleOptionComplex,
    QTableView,
    QToolBar,
    QToolButton,
    QWidget,
)

from annotator.ui.look.widgets import CELL_PX, column_alignment, item_height

Primitive, Control, Complex = QStyle.PrimitiveElement, QStyle.ControlElement, QStyle.ComplexControl
Part, Metric, Contents = QStyle.SubControl, QStyle.PixelMetric, QStyle.ContentsType

# Qt hands over options of the class that fits the element; type checkers cannot know which.
Option: TypeAlias = Any
Paint: TypeAlias = Callable[[Option, QPainter, QWidget | None], None]
Lines: TypeAlias = tuple[tuple[tuple[float, float], ...], ...]

_STATE = QStyle.StateFlag
_PRESSED: Final = _STATE.State_Sunken | _STATE.State_On
_NO_PEN: Final = QPen(Qt.PenStyle.NoPen)
_RADIUS: Final = 5.0
_SMALL_RADIUS: Final = 3.0
_CONTROL_PX: Final = 28
_HEADER_PX: Final = 28
_TAB_PX: Final = 30
_TOOL_PX: Final = 32
_SCROLL_PX: Final = 12
_LEAST_THUMB_PX: Final = 32
_CHEVRON_PX: Final = 3.5
_ICON_ROOM_PX: Final = 6  # before the icon of a button with a text
_ARROW_PX: Final = 14  # room for the arrow of a button with a menu

_METRICS: Final = {
    Metric.PM_DockWidgetSeparatorExtent: 5,
    Metric.PM_DockWidgetTitleBarButtonMargin: 8,  # 24 px with the icon
    Metric.PM_TitleBarButtonIconSize: 16,
    Metric.PM_FocusFrameHMargin: 5,
    Metric.PM_IndicatorHeight: 16,
    Metric.PM_IndicatorWidth: 16,
    Metric.PM_ExclusiveIndicatorHeight: 16,
    Metric.PM_ExclusiveIndicatorWidth: 16,
    Metric.PM_CheckBoxLabelSpacing: 8,
    Metric.PM_RadioButtonLabelSpacing: 8,
    Metric.PM_MenuButtonIndicator: 20,
    Metric.PM_ScrollBarExtent: _SCROLL_PX,
    Metric.PM_ScrollBarSliderMin: _LEAST_THUMB_PX,
    Metric.PM_SplitterWidth: 5,
    Metric.PM_TabBarTabHSpace: 22,
    Metric.PM_TabBarTabShiftVertical: 0,
    Metric.PM_TabBarTabOverlap: 0,
    Metric.PM_TabBarBaseHeight: 0,
    Metric.PM_TabBarBaseOverlap: 0,
    Metric.PM_ToolBarFrameWidth: 0,
    Metric.PM_ToolBarSeparatorExtent: 11,
}

_ICON_PX: Final = 16
_DOCK_ICONS: Final = {
    QStyle.StandardPixmap.SP_TitleBarCloseButton: (
        ((3.5, 3.5), (12.5, 12.5)),
        ((3.5, 12.5), (12.5, 3.5)),
    ),
    QStyle.StandardPixmap.SP_TitleBarNormalButton: (
        ((2.5, 5.5), (10.5, 5.5), (10.5, 13.5), (2.5, 13.5), (2.5, 5.5)),
        ((5.5, 2.5), (13.5, 2.5), (13.5, 10.5)),
    ),
}
"""Lines of the icons that close and detach a dock."""
_BAR_ICONS: Final = {
    QStyle.StandardPixmap.SP_ToolBarHorizontalExtensionButton: (
        ((3.5, 4.0), (7.5, 8.0), (3.5, 12.0)),
        ((8.5, 4.0), (12.5, 8.0), (8.5, 12.0)),
    ),
    QStyle.StandardPixmap.SP_ToolBarVerticalExtensionButton: (
        ((4.0, 3.5), (8.0, 7.5), (12.0, 3.5)),
        ((4.0, 8.5), (8.0, 12.5), (12.0, 8.5)),
    ),
}
"""Lines of the icon of a bar that has no room for all of its buttons."""

_BUTTON_ICONS = frozenset(
    getattr(QStyle.StandardPixmap, f"SP_Dialog{name}Button")
    for name in (
        "Ok", "Cancel", "Help", "Open", "Save", "Close", "Apply", "Reset", "Discard", "Yes", "No",
        "YesToAll", "NoToAll", "SaveAll", "Abort", "Retry", "Ignore",
    )
)  # fmt: skip


class FlatStyle(QProxyStyle):
    """Paints controls in ``colors``, the tokens of the theme in use.

    A button with the dynamic property ``kind`` = "primary" is filled with the accent, as is the
    default button of a dialog.
    """

    def __init__(self, colors: dict[str, QColor]) -> None:
        super().__init__("Fusion")
        self._colors = colors
        self._brushes = {token: QBrush(color) for token, color in colors.items()}
        self._pens = {token: QPen(color, 1) for token, color in colors.items()}
        self._line_icons: dict[QStyle.StandardPixmap, QIcon] = {}
        self._ring_pen = QPen(colors["focus"], 2)
        self._chevron_pens = {
            token: QPen(colors[token], 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            for token in ("text", "text_dim", "text_disabled")
        }
        self._primitives: dict[QStyle.PrimitiveElement, Paint] = {
            Primitive.PE_Frame: self._frame,
            Primitive.PE_FrameButtonBevel: _nothing,
            Primitive.PE_FrameDefaultButton: _nothing,
            Primitive.PE_FrameFocusRect: self._focus_rect,
            Primitive.PE_FrameGroupBox: self._group,
            Primitive.PE_FrameLineEdit: _nothing,  # painted with its panel
            Primitive.PE_FrameMenu: self._menu_frame,
            Primitive.PE_FrameStatusBarItem: _nothing,
            Primitive.PE_FrameTabBarBase: _nothing,
            Primitive.PE_FrameTabWidget: self._tab_page,
            Primitive.PE_IndicatorArrowDown: self._arrow_down,
            Primitive.PE_IndicatorArrowUp: lambda o, p, _w: self._chevron(p, o.rect, o.state, -1),
            Primitive.PE_IndicatorCheckBox: self._check,
            Primitive.PE_IndicatorItemViewItemCheck: self._check,
            Primitive.PE_IndicatorDockWidgetResizeHandle: self._handle,
            Primitive.PE_IndicatorHeaderArrow: self._sort_arrow,
            Primitive.PE_IndicatorRadioButton: self._radio,
            Primitive.PE_IndicatorToolBarSeparator: self._tool_line,
            Primitive.PE_PanelButtonCommand: self._button,
            Primitive.PE_PanelButtonTool: self._tool,
            Primitive.PE_PanelItemViewItem: self._item,
            Primitive.PE_PanelItemViewRow: self._row,
            Primitive.PE_PanelLineEdit: self._line_edit,
            Primitive.PE_PanelMenu: self._menu_frame,
            Primitive.PE_PanelScrollAreaCorner: self._surface,
        }
        self._controls: dict[QStyle.ControlElement, Paint] = {
            Control.CE_HeaderEmptyArea: self._header,
            Control.CE_HeaderSection: self._header,
            Control.CE_HeaderLabel: self._head,
            Control.CE_ProgressBarContents: self._progress,
            Control.CE_ProgressBarGroove: self._groove,
            Control.CE_PushButtonLabel: self._button_label,
            Control.CE_Splitter: self._handle,
            Control.CE_TabBarTabShape: self._tab,
            Control.CE_ToolBar: self._tool_bar,
            Control.CE_ToolButtonLabel: self._tool_label,
        }
        self._complex: dict[QStyle.ComplexControl, Paint] = {
            Complex.CC_ComboBox: self._combo_box,
            Complex.CC_ScrollBar: self._scroll_bar,
            Complex.CC_Slider: self._slider,
            Complex.CC_SpinBox: self._spin_box,
        }

    # What Qt asks

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        self._paint(self._primitives.get(element), super().drawPrimitive, element, option, painter,
                    widget)  # fmt: skip

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        self._paint(self._controls.get(element), super().drawControl, element, option, painter,
                    widget)  # fmt: skip

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        self._paint(self._complex.get(control), super().drawComplexControl, control, option,
                    painter, widget)  # fmt: skip

    def pixelMetric(self, metric: QStyle.PixelMetric, option: QStyleOption | None = None,
                    widget: QWidget | None = None) -> int:  # fmt: skip
        known = _METRICS.get(metric)
        if metric == Metric.PM_FocusFrameHMargin and isinstance(widget, QTableView):
            known = CELL_PX - 1
        return known if known is not None else super().pixelMetric(metric, option, widget)

    def sizeFromContents(self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize,
                         widget: QWidget | None = None) -> QSize:  # fmt: skip
        content_size = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]
        if kind in (Contents.CT_PushButton, Contents.CT_LineEdit, Contents.CT_ComboBox,
                    Contents.CT_SpinBox):  # fmt: skip
            content_size.setHeight(max(_CONTROL_PX, option.fontMetrics.height() + 10))
            content_size.setWidth(content_size.width() + 8)
        elif kind == Contents.CT_HeaderSection:
            content_size.setHeight(max(_HEADER_PX, option.fontMetrics.height() + 10))
            inset = CELL_PX - self.pixelMetric(Metric.PM_HeaderMargin, option, widget)
            content_size.setWidth(content_size.width() + 2 * inset)
        elif kind == Contents.CT_TabBarTab:
            content_size.setHeight(max(_TAB_PX, option.fontMetrics.height() + 12))
        elif kind == Contents.CT_ToolButton and widget is not None:
            if isinstance(widget.parent(), QToolBar):
                content_size = content_size.expandedTo(QSize(_TOOL_PX, _TOOL_PX))
            elif _is_primary(option, widget):
                content_size = QSize(
                    content_size.width() + 12, max(_CONTROL_PX, content_size.height())
                )
            elif _is_menu_button(widget):
                content_size += QSize(_ARROW_PX, 0)
            elif _has_icon_and_text(widget):
                content_size += QSize(_ICON_ROOM_PX, 0)
        elif kind == Contents.CT_ItemViewItem:
            content_size.setHeight(item_height(content_size.height(), option))
        return content_size

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        part: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:
        if control == Complex.CC_ScrollBar:
            return _scroll_part(option, part)
        rect = self._fusion_part(control, option, part, widget)
        if control == Complex.CC_ComboBox and part == Part.SC_ComboBoxEditField:
            rect.setLeft(rect.left() + 4)
        return rect

    def subElementRect(
        self, element: QStyle.SubElement, option: QStyleOption, widget: QWidget | None = None
    ) -> QRect:
        if element == QStyle.SubElement.SE_ItemViewItemFocusRect:
            return QRect(option.rect)  # with the icon; Qt's begins after it
        rect = super().subElementRect(element, option, widget)  # type: ignore[arg-type]
        if element == QStyle.SubElement.SE_LineEditContents:
            rect.adjust(4, 0, -2, 0)
        return rect

    def standardIcon(
        self,
        icon: QStyle.StandardPixmap,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> QIcon:
        """Leave the buttons of dialogs without icons, and draw those of docks and full bars.

        Fusion's are black in a dark theme too, and those of docks have 10 px.
        """
        if icon in _BUTTON_ICONS:
            return QIcon()
        if icon in _DOCK_ICONS and isinstance(widget, QDockWidget):
            lines, token = _DOCK_ICONS[icon], "text_dim"
        elif icon in _BAR_ICONS:
            lines, token = _BAR_ICONS[icon], "text"
        else:
            return super().standardIcon(icon, option, widget)
        # Docks ask each time they are laid out.
        if icon not in self._line_icons:
            self._line_icons[icon] = self._line_icon(lines, token)
        return self._line_icons[icon]

    def _line_icon(self, lines: Lines, token: str) -> QIcon:
        drawn = QIcon()
        for ratio in (1, 2):
            picture = QPixmap(_ICON_PX * ratio, _ICON_PX * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._chevron_pens[token])
            for line in lines:
                painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in line]))
            painter.end()
            drawn.addPixmap(picture)
        return drawn

    def _paint(
        self,
        paint: Paint | None,
        fusion: Callable[..., None],
        element: object,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None,
    ) -> None:
        if paint is None:
            fusion(element, option, painter, widget)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(option, painter, widget)
        painter.restore()

    def _fusion_part(
        self,
        control: QStyle.ComplexControl,
        option: Option,
        part: QStyle.SubControl,
        widget: QWidget | None,
    ) -> QRect:
        return super().subControlRect(control, option, part, widget)  # type: ignore[arg-type]

    # Shapes

    def _round(
        self,
        painter: QPainter,
        rect: QRect | QRectF,
        fill: str,
        edge: str,
        radius: float = _RADIUS,
    ) -> None:
        """Paint a rounded plane; an empty token leaves fill or edge out."""
        painter.setBrush(self._brushes[fill] if fill else Qt.BrushStyle.NoBrush)
        painter.setPen(self._pens[edge] if edge else _NO_PEN)
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _ring(self, painter: QPainter, rect: QRect | QRectF, radius: float = _RADIUS) -> None:
        """Paint the sign of the focus inside an edge."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._ring_pen)
        painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), radius, radius)

    def _arrow_down(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        rect = option.rect
        if _is_menu_button(widget):
            rect = QRect(widget.width() - _ARROW_PX - 4, 0, _ARROW_PX, widget.height())
        self._chevron(painter, rect, option.state, 1)

    def _chevron(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, way: int) -> None:
        """Paint an arrow head; ``way`` is 1 for down, -1 for up."""
        middle, reach = QRectF(rect).center(), _CHEVRON_PX
        token = "text_dim" if state & _STATE.State_Enabled else "text_disabled"
        painter.setPen(self._chevron_pens[token])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        x, y, half = middle.x(), middle.y(), way * reach / 2
        ends = [QPointF(x - reach, y - half), QPointF(x, y + half), QPointF(x + reach, y - half)]
        painter.drawPolyline(QPolygonF(ends))

    def _edge(self, option: QStyleOption) -> str:
        return "border_strong" if option.state & _STATE.State_Enabled else "border"

    def _surface(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        painter.fillRect(option.rect, self._brushes["surface"])

    # Frames and lines

    def _frame(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        """Lists and scroll areas: a hairline, a ring while they have the focus."""
        if getattr(option, "lineWidth", 1) <= 0:
            return
        token = "focus" if option.state & _STATE.State_HasFocus else "border"
        self._round(painter, option.rect, "", token, _SMALL_RADIUS)

    def _group(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        self._round(painter, option.rect, "", "border")

    def _tab_page(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        line = QRect(option.rect.x(), option.rect.y(), option.rect.width(), 1)
        painter.fillRect(line, self._brushes["border"])

    def _menu_frame(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(option.rect, self._brushes["surface"])
        painter.setPen(self._pens["border_strong"])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1))

    def _focus_rect(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        if option.state & _STATE.State_KeyboardFocusChange:
            self._ring(painter, option.rect, _SMALL_RADIUS)

    def _handle(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        """The line between two docks or panes; it takes the accent under the mouse."""
        rect, is_over = option.rect, bool(option.state & _STATE.State_MouseOver)
        wide, brush = 2 if is_over else 1, self._brushes["accent" if is_over else "border"]
        if rect.width() < rect.height():
            painter.fillRect(QRect(rect.center().x(), rect.y(), wide, rect.height()), brush)
        else:
            painter.fillRect(QRect(rect.x(), rect.center().y(), rect.width(), wide), brush)

    def _tool_bar(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        if widget is None or not isinstance(widget.parent(), QMainWindow):
            return  # inside a page it has the plane of the page
        rect = option.rect
        painter.fillRect(rect, self._brushes["surface"])
        line = QRect(rect.x(), rect.bottom(), rect.width(), 1)
        painter.fillRect(line, self._brushes["border"])

    def _tool_line(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        rect = option.rect
        if option.state & _STATE.State_Horizontal:
            line = QRect(rect.center().x(), rect.y() + 7, 1, rect.height() - 14)
        else:
            line = QRect(rect.x() + 7, rect.center().y(), rect.width() - 14, 1)
        painter.fillRect(line, self._brushes["border"])

    # Buttons

    def _button(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        state, rect = option.state, option.rect
        is_down, is_over = bool(state & _STATE.State_Sunken), bool(state & _STATE.State_MouseOver)
        is_primary = _is_primary(option, widget)
        if not state & _STATE.State_Enabled:
            self._round(painter, rect, "window", "border")
        elif is_primary:
            token = "accent_pressed" if is_down else "accent_hover" if is_over else "accent"
            self._round(painter, rect, token, token)
        elif state & _STATE.State_On:
            self._round(painter, rect, "selection", "accent")
        else:
            fill = "pressed" if is_down else "hover" if is_over else "surface"
            self._round(painter, rect, fill, "border_strong")
        if state & _STATE.State_HasFocus:
            self._ring(painter, rect)
            if is_primary:
                inner = QRectF(rect).adjusted(2, 2, -2, -2)
                self._round(painter, inner, "", "accent_text", _SMALL_RADIUS)

    def _button_label(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        if _is_primary(option, widget) and option.state & _STATE.State_Enabled:
            option.palette.setColor(QPalette.ColorRole.ButtonText, self._colors["accent_text"])
        super().drawControl(Control.CE_PushButtonLabel, option, painter, widget)

    def _tool_label(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        if _is_primary(option, widget) and option.state & _STATE.State_Enabled:
            option.palette.setColor(QPalette.ColorRole.ButtonText, self._colors["accent_text"])
        if _is_menu_button(widget):
            option.rect = option.rect.adjusted(0, 0, -_ARROW_PX, 0)
        elif _has_icon_and_text(widget):
            option.rect = option.rect.adjusted(_ICON_ROOM_PX, 0, 0, 0)
        super().drawControl(Control.CE_ToolButtonLabel, option, painter, widget)

    def _tool(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        state, rect = option.state, option.rect
        is_enabled = bool(state & _STATE.State_Enabled)
        if _is_primary(option, widget):
            self._button(option, painter, widget)
        elif state & _STATE.State_On and is_enabled:
            self._round(painter, rect, "selection", "accent")
        elif state & _STATE.State_Sunken and is_enabled:
            self._round(painter, rect, "pressed", "")
        elif state & _STATE.State_MouseOver and is_enabled:
            self._round(painter, rect, "hover", "")
        elif not state & _STATE.State_AutoRaise:
            self._round(painter, rect, "surface" if is_enabled else "window", self._edge(option))
        if state & _STATE.State_HasFocus:
            self._ring(painter, rect)

    def _check(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        state, side = option.state, min(option.rect.width(), option.rect.height())
        box = QRect(option.rect.x(), option.rect.center().y() - side // 2 + 1, side, side)
        is_enabled = bool(state & _STATE.State_Enabled)
        is_partly = bool(state & _STATE.State_NoChange)
        is_on = bool(state & _STATE.State_On) or is_partly
        if is_on and is_enabled:
            self._round(painter, box, "accent", "accent", _SMALL_RADIUS)
        else:
            is_over = bool(state & _STATE.State_MouseOver) and is_enabled
            fill = "hover" if is_over else "field" if is_enabled else "window"
            self._round(painter, box, fill, self._edge(option), _SMALL_RADIUS)
        if not is_on:
            return
        ink = self._colors["accent_text" if is_enabled else "text_disabled"]
        painter.setPen(QPen(ink, max(1.6, side / 8)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        tick = (
            ((0.28, 0.5), (0.72, 0.5)) if is_partly else ((0.24, 0.53), (0.43, 0.71), (0.77, 0.32))
        )
        places = [QPointF(box.x() + x * side, box.y() + y * side) for x, y in tick]
        painter.drawPolyline(QPolygonF(places))

    def _radio(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        state, side = option.state, min(option.rect.width(), option.rect.height()) - 1
        circle = QRectF(option.rect.x() + 0.5, option.rect.y() + 0.5, side, side)
        is_enabled, is_on = bool(state & _STATE.State_Enabled), bool(state & _STATE.State_On)
        token = "accent" if is_on and is_enabled else self._edge(option)
        painter.setPen(self._pens[token])
        painter.setBrush(self._brushes["accent" if is_on and is_enabled else "field"])
        painter.drawEllipse(circle)
        if is_on:
            painter.setPen(_NO_PEN)
            painter.setBrush(self._brushes["accent_text" if is_enabled else "text_disabled"])
            painter.drawEllipse(circle.center(), side * 0.2, side * 0.2)

    # Fields

    def _field(self, option: Option, painter: QPainter) -> None:
        is_enabled = bool(option.state & _STATE.State_Enabled)
        self._round(painter, option.rect, "field" if is_enabled else "window", self._edge(option))
        if option.state & _STATE.State_HasFocus:
            self._ring(painter, option.rect)

    def _line_edit(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        if getattr(option, "lineWidth", 1) > 0:
            self._field(option, painter)
        else:
            painter.fillRect(option.rect, self._brushes["field"])

    def _combo_box(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        if option.frame:
            self._field(option, painter)
        arrow = self._fusion_part(Complex.CC_ComboBox, option, Part.SC_ComboBoxArrow, widget)
        self._chevron(painter, arrow, option.state, 1)

    def _spin_box(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        if option.frame:
            self._field(option, painter)
        if not option.subControls & Part.SC_SpinBoxUp:
            return
        for part, way in ((Part.SC_SpinBoxUp, -1), (Part.SC_SpinBoxDown, 1)):
            rect = self._fusion_part(Complex.CC_SpinBox, option, part, widget)
            if option.activeSubControls == part and option.state & _STATE.State_Enabled:
                token = "pressed" if option.state & _STATE.State_Sunken else "hover"
                self._round(painter, rect.adjusted(1, 1, -1, -1), token, "", _SMALL_RADIUS)
            self._chevron(painter, rect, option.state, way)

    # Lists, tabs and bars

    def _item(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        state = option.state
        if state & _STATE.State_Selected:
            painter.fillRect(option.rect, self._brushes["selection"])
        elif state & _STATE.State_MouseOver and state & _STATE.State_Enabled:
            painter.fillRect(option.rect, self._brushes["hover"])
        elif option.backgroundBrush.style() != Qt.BrushStyle.NoBrush:
            painter.fillRect(option.rect, option.backgroundBrush)

    def _row(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        """Paint what the cells of a selected row leave: the place of the arrow before them."""
        if option.state & _STATE.State_Selected:
            painter.fillRect(option.rect, self._brushes["selection"])

    def _header(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        rect = option.rect
        painter.fillRect(rect, self._brushes["surface"])
        if getattr(option, "orientation", None) != Qt.Orientation.Vertical:
            # Rows have no lines, so their heads have none either.
            painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, self._brushes["border"])

    def _head(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        if (alignment := column_alignment(widget, option.section)) is not None:
            option.textAlignment = alignment
        if not option.textAlignment & Qt.AlignmentFlag.AlignVertical_Mask:
            option.textAlignment |= Qt.AlignmentFlag.AlignVCenter  # dialogs of files say none
        if isinstance(widget, QWidget) and isinstance(widget.parent(), QTableView):
            inset = CELL_PX - self.pixelMetric(Metric.PM_HeaderMargin, option, widget)
            option.rect = option.rect.adjusted(inset, 0, -inset, 0)
        super().drawControl(Control.CE_HeaderLabel, option, painter, widget)

    def _sort_arrow(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        is_down = option.sortIndicator == option.SortIndicator.SortDown
        self._chevron(painter, option.rect, option.state, 1 if is_down else -1)

    def _tab(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        rect, state = option.rect, option.state
        inner = rect.adjusted(2, 3, -2, -3)
        is_second = widget is not None and widget.property("rank") == "second"
        if state & _STATE.State_Selected and is_second:
            self._round(painter, inner, "selection", "accent")
        elif state & _STATE.State_Selected:
            is_below = option.shape in (option.shape.RoundedSouth, option.shape.TriangularSouth)
            y = rect.top() if is_below else rect.bottom() - 1
            bar = QRectF(rect.x() + 8, y, rect.width() - 16, 2)
            painter.fillRect(bar, self._brushes["accent"])
        elif state & _STATE.State_MouseOver:
            self._round(painter, inner, "hover", "")
        if state & _STATE.State_HasFocus:
            self._ring(painter, inner)

    def _groove(self, option: Option, painter: QPainter, _widget: QWidget | None) -> None:
        self._bar(painter, option.rect, 1.0, "raised")

    def _progress(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        span = option.maximum - option.minimum
        if span <= 0:
            super().drawControl(Control.CE_ProgressBarContents, option, painter, widget)
        elif option.progress > option.minimum:
            self._bar(painter, option.rect, (option.progress - option.minimum) / span, "accent")

    def _bar(self, painter: QPainter, rect: QRect, share: float, token: str) -> None:
        bar = QRectF(rect.x(), rect.center().y() - 2, rect.width() * share, 6)
        painter.setPen(_NO_PEN)
        painter.setBrush(self._brushes[token])
        painter.drawRoundedRect(bar, 3, 3)

    def _scroll_bar(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        holder = widget.parent() if widget is not None else None
        is_page = holder is not None and isinstance(holder.parent(), QScrollArea)
        role = QPalette.ColorRole.Window if is_page else QPalette.ColorRole.Base
        painter.fillRect(option.rect, option.palette.brush(role))
        if option.maximum <= option.minimum:
            return
        thumb = QRectF(_scroll_part(option, Part.SC_ScrollBarSlider))
        is_over = bool(option.state & _STATE.State_MouseOver)
        inset = 2.0 if is_over else 3.5
        if option.orientation == Qt.Orientation.Horizontal:
            thumb.adjust(2, inset, -2, -inset)
        else:
            thumb.adjust(inset, 2, -inset, -2)
        painter.setPen(_NO_PEN)
        painter.setBrush(self._brushes["text_dim" if is_over else "border_strong"])
        radius = min(thumb.width(), thumb.height()) / 2
        painter.drawRoundedRect(thumb, radius, radius)

    def _slider(self, option: Option, painter: QPainter, widget: QWidget | None) -> None:
        kind = Complex.CC_Slider
        groove = QRectF(self._fusion_part(kind, option, Part.SC_SliderGroove, widget))
        knob = QRectF(self._fusion_part(kind, option, Part.SC_SliderHandle, widget)).center()
        is_enabled = bool(option.state & _STATE.State_Enabled)
        accent = self._brushes["accent" if is_enabled else "text_disabled"]
        across = option.orientation == Qt.Orientation.Horizontal
        painter.setPen(_NO_PEN)
        painter.setBrush(self._brushes["border_strong"])
        if across:
            line = QRectF(groove.x(), groove.center().y() - 2, groove.width(), 4)
            filled_part = QRectF(line.x(), line.y(), knob.x() - line.x(), 4)
        else:
            line = QRectF(groove.center().x() - 2, groove.y(), 4, groove.height())
            filled_part = QRectF(line.x(), knob.y(), 4, line.bottom() - knob.y())
        painter.drawRoundedRect(line, 2, 2)
        painter.setBrush(accent)
        painter.drawRoundedRect(filled_part, 2, 2)
        painter.setPen(QPen(self._colors["surface"], 2))
        painter.drawEllipse(knob, 7, 7)
        if option.state & _STATE.State_HasFocus:
            painter.setPen(self._ring_pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(knob, 8, 8)


def _nothing(_option: Option, _painter: QPainter, _widget: QWidget | None) -> None:
    """Leave out what Fusion would draw."""


def _is_primary(option: Option, widget: QWidget | None) -> bool:
    if widget is not None and widget.property("kind") == "primary":
        return True
    return isinstance(widget, QPushButton) and bool(
        option.features & option.ButtonFeature.DefaultButton
    )


def _is_menu_button(widget: QWidget | None) -> TypeGuard[QToolButton]:
    """Whether a widget is a button with a text and a menu that opens at once."""
    return (
        isinstance(widget, QToolButton)
        and widget.popupMode() is QToolButton.ToolButtonPopupMode.InstantPopup
        and widget.menu() is not None
        and widget.icon().isNull()
    )


def _has_icon_and_text(widget: QWidget | None) -> bool:
    """Whether a widget is a framed button with an icon before its text, outside a tool bar."""
    return (
        isinstance(widget, QToolButton)
        and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        and not widget.autoRaise()
        and not widget.icon().isNull()
        and not isinstance(widget.parent(), QToolBar)
    )


def _scroll_part(option: Option, part: QStyle.SubControl) -> QRect:
    """Return where a part of a scroll bar is: it has a groove and a thumb, no arrow buttons."""
    rect, across = option.rect, option.orientation == Qt.Orientation.Horizontal
    length = rect.width() if across else rect.height()
    span = option.maximum - option.minimum
    size = length * option.pageStep // (span + option.pageStep) if span > 0 else length
    size = min(max(_LEAST_THUMB_PX, size), length)
    start = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - size, option.upsideDown
    )
    first, last = {
        Part.SC_ScrollBarGroove: (0, length),
        Part.SC_ScrollBarSlider: (start, start + size),
        Part.SC_ScrollBarSubPage: (0, start),
        Part.SC_ScrollBarAddPage: (start + size, length),
    }.get(part, (0, 0))
    if first == last:
        return QRect()
    if across:
        return QRect(rect.x() + first, rect.y(), last - first, rect.height())
    return QRect(rect.x(), rect.y() + first, rect.width(), last - first)
