"""A canvas on a draft, and hands that know image pixels."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from annotator.domain.geometry import Point
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import Selection
from tests.ui.drafts import HEIGHT, WIDTH, Draft, picture

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier


class Hands:
    """A view on a draft, and the mouse over it; all places are image pixels."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.session = draft.session
        self.selection = Selection()
        self.view = CanvasView(ThemeHub("dark"), self.selection)
        self.view.resize(WIDTH + 20, HEIGHT + 20)
        self.view.set_session(self.session)
        self.view.show()

    def show(self, frame: int) -> None:
        self.view.show_picture(picture(frame))
        QTest.qWait(0)

    def at(self, x: float, y: float) -> QPoint:
        """Return the widget point nearest to an image point."""
        wx, wy = self.view.board.viewport.to_widget(Point(x, y))
        return QPoint(round(wx), round(wy))

    def press(self, x: float, y: float, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mousePress(self.view, LEFT, keys, self.at(x, y))

    def move(self, x: float, y: float) -> None:
        QTest.mouseMove(self.view, self.at(x, y))

    def release(self, x: float, y: float, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseRelease(self.view, LEFT, keys, self.at(x, y))

    def click(self, x: float, y: float, keys: Qt.KeyboardModifier = NONE) -> None:
        self.press(x, y, keys)
        self.release(x, y, keys)

    def drag(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        keys: Qt.KeyboardModifier = NONE,
    ) -> None:
        self.press(*start, keys)
        self.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        self.move(*end)
        self.release(*end, keys)
