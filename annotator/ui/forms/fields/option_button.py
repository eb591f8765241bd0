"""An option to be picked: its digit, its text in as many lines as it needs, its mark."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QRadioButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from annotator.ui.look.theme import ThemeHub

_PAD: Final = 8
_LEAST_PX: Final = 120
_WRAP: Final = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def text_indent(button: QAbstractButton) -> int:
    """Return where the text of an option begins, in logical pixels from its left edge."""
    metric = QStyle.PixelMetric.PM_IndicatorWidth
    return 2 * _PAD + button.style().pixelMetric(metric, None, button)


class _Face:
    """Measures and paints an option; ``digit`` is the key that picks it, "" for none."""

    def __init__(
        self, button: QAbstractButton, hub: ThemeHub, text: str, help_text: str, digit: str
    ) -> None:
        self.button = button
        self.hub = hub
        self.text = text
        self.help = help_text
        self.digit = digit

    @property
    def cap(self) -> int:
        """The width of the key cap, which is square for a single sign."""
        metrics = self.button.fontMetrics()
        if len(self.digit) > 1:
            return metrics.horizontalAdvance(self.digit) + 8
        return metrics.height() + 4 if self.digit else 0

    @property
    def _cap_height(self) -> int:
        return self.button.fontMetrics().height() + 4 if self.digit else 0

    @property
    def mark(self) -> int:
        metric = QStyle.PixelMetric.PM_IndicatorWidth
        return self.button.style().pixelMetric(metric, None, self.button)

    def text_width(self, width: int) -> int:
        taken = 2 * _PAD + self.mark + _PAD + (self.cap + _PAD if self.digit else 0)
        return max(40, width - taken)

    def text_height(self, text: str, width: int) -> int:
        metrics = self.button.fontMetrics()
        return metrics.boundingRect(QRect(0, 0, width, 1 << 20), _WRAP, text).height()

    def height(self, width: int) -> int:
        room = self.text_width(width)
        height = self.text_height(self.text, room)
        if self.help:
            height += 2 + self.text_height(self.help, room)
        return max(height, self.mark, self._cap_height) + 2 * _PAD - 4

    def hint(self) -> QSize:
        metrics = self.button.fontMetrics()
        widest = max(metrics.horizontalAdvance(t) for t in (self.text, self.help or " "))
        chrome = 2 * _PAD + self.mark + _PAD + (self.cap + _PAD if self.digit else 0)
        width = min(widest, metrics.averageCharWidth() * 60) + chrome + 2
        return QSize(width, self.height(width))

    def least(self) -> QSize:
        width = min(_LEAST_PX, self.hint().width())
        return QSize(width, self.height(width))

    def paint(self, element: QStyle.PrimitiveElement) -> None:
        button, theme = self.button, self.hub.theme
        painter = QPainter(button)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_on, is_enabled = button.isChecked(), button.isEnabled()
        plane = "selection" if is_on else "hover" if button.underMouse() else "surface"
        quiet = "border_strong" if button.underMouse() else "border"
        edge = "focus" if button.hasFocus() else "accent" if is_on else quiet
        painter.setBrush(theme.color(plane if is_enabled else "raised"))
        wide = 2 if button.hasFocus() or is_on else 1
        painter.setPen(QPen(theme.color(edge if is_enabled else "border"), wide))
        inner = QRectF(button.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        painter.drawRoundedRect(inner, 4, 4)
        self._paint_mark(painter, element)
        ink = "selection_text" if is_on else "text"
        painter.setPen(theme.color(ink if is_enabled else "text_disabled"))
        left = _PAD + self.mark + _PAD
        room = self.text_width(button.width())
        high = self.text_height(self.text, room)
        top = _PAD - 2
        if not self.help:
            top = max(top, (button.height() - high) // 2)
        painter.drawText(QRect(left, top, room, high), _WRAP, self.text)
        if self.help:
            if not is_on:
                painter.setPen(theme.color("text_dim" if is_enabled else "text_disabled"))
            below = QRect(left, top + high + 2, room, button.height())
            painter.drawText(below, _WRAP, self.help)
        if self.digit:
            self._paint_cap(painter)
        painter.end()

    def _paint_mark(self, painter: QPainter, element: QStyle.PrimitiveElement) -> None:
        button = self.button
        option = QStyleOptionButton()
        option.initFrom(button)
        state = QStyle.StateFlag
        option.state = option.state & ~state.State_HasFocus
        option.state |= state.State_On if button.isChecked() else state.State_Off
        middle = _PAD + max(self._cap_height, button.fontMetrics().height()) // 2
        top = button.height() // 2 if not self.help else middle
        option.rect = QRect(QPoint(_PAD, top - self.mark // 2), QSize(self.mark, self.mark))
        button.style().drawPrimitive(element, option, painter, button)

    def _paint_cap(self, painter: QPainter) -> None:
        button, theme = self.button, self.hub.theme
        wide, high = self.cap, self._cap_height
        rect = QRectF(button.width() - _PAD - wide, (button.height() - high) / 2, wide, high)
        painter.setPen(QPen(theme.color("border"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.setPen(theme.color("text" if button.isEnabled() else "text_disabled"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.digit)


def _dress(button: QAbstractButton, face: _Face) -> None:
    policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    button.setSizePolicy(policy)
    # A click keeps the focus, so that Space still plays.
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAttribute(Qt.WidgetAttribute.WA_Hover)
    button.setAccessibleName(face.text)
    button.setAccessibleDescription(face.help)
    button.setCheckable(True)


def _is_own_key(button: QAbstractButton, event: QEvent) -> bool:
    """Return whether a key is the button's although an action has it: Space, while it has focus."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return button.hasFocus() and event.key() == Qt.Key.Key_Space and not event.modifiers()


class OneOption(QRadioButton):
    """One of several options of which one can be picked."""

    def __init__(
        self,
        hub: ThemeHub,
        text: str,
        help_text: str = "",
        digit: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.face = _Face(self, hub, text, help_text, digit)
        # Who groups it takes care that one is picked: an answer can be taken back altogether.
        self.setAutoExclusive(False)
        _dress(self, self.face)
        hub.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return self.face.hint()

    def minimumSizeHint(self) -> QSize:
        return self.face.least()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.face.height(width)

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def event(self, event: QEvent) -> bool:
        if _is_own_key(self, event):
            event.accept()
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.face.paint(QStyle.PrimitiveElement.PE_IndicatorRadioButton)


class ManyOption(QCheckBox):
    """One of several options of which any number can be ticked."""

    def __init__(
        self,
        hub: ThemeHub,
        text: str,
        help_text: str = "",
        digit: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.face = _Face(self, hub, text, help_text, digit)
        _dress(self, self.face)
        hub.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return self.face.hint()

    def minimumSizeHint(self) -> QSize:
        return self.face.least()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.face.height(width)

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def event(self, event: QEvent) -> bool:
        if _is_own_key(self, event):
            event.accept()
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.face.paint(QStyle.PrimitiveElement.PE_IndicatorCheckBox)
