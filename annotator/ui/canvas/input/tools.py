"""The active tool of the canvas, its keys, and the gesture that runs with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from annotator.domain.geometry import Box
from annotator.domain.recipes.recipe import Tool as Tools
from annotator.ui.canvas.input import box_geometry
from annotator.ui.canvas.input.gestures import TOOLS, Gesture, Pointer, PointerPhase, Tool
from annotator.ui.canvas.input.point_tools import PointTools
from annotator.ui.canvas.model.frame_annotations import CanvasBoard
from annotator.ui.canvas.model.layers import drawing_for
from annotator.ui.canvas.model.shapes import ShapeStyle, neighbor


class GestureDriver:
    """Holds the running gesture of a board, if there is one.

    However a gesture ends (finished, canceled or by an error), the draft is then removed.
    """

    def __init__(self, board: CanvasBoard) -> None:
        self._board = board
        self._gesture: Gesture | None = None
        self.is_pressed = False

    @property
    def is_active(self) -> bool:
        return self._gesture is not None

    def start(self, tool: Tool, press: Pointer) -> None:
        """Begin a gesture; one that is still running is canceled."""
        self.cancel()
        self.is_pressed = True
        self._gesture = tool(self._board, press)
        self._advance(None)

    def send(self, event: Pointer) -> None:
        """Send the next event to the running gesture."""
        if event.step is PointerPhase.PRESS:
            self.is_pressed = True
        elif event.step is PointerPhase.RELEASE:
            self.is_pressed = False
        self._advance(event)

    def cancel(self) -> bool:
        """Drop the running gesture; False when there was none."""
        if self._gesture is None:
            return False
        self._gesture.close()
        self._end()
        return True

    def _advance(self, event: Pointer | None) -> None:
        if self._gesture is None:
            return
        is_over = True
        try:
            if event is None:
                next(self._gesture)
            else:
                self._gesture.send(event)
            is_over = False
        except StopIteration:
            pass
        finally:
            if is_over:
                self._end()

    def _end(self) -> None:
        self._gesture = None
        self.is_pressed = False
        if self._board.draft is not None:
            self._board.set_draft(None)


class CanvasTools(QObject):
    """Holds the tool and the gesture in progress; boxes and points are moved by keys as well."""

    toolChanged = Signal(str)
    editingStarted = Signal(int)  # a gesture began on this frame: playback should pause there
    changed = Signal()  # cursor and marks that show the tool
    placed = Signal(bool)  # something has been drawn or placed; True: its name may be asked for
    released = Signal()  # a gesture was dropped: a picture that it held may be shown

    def __init__(self, board: CanvasBoard, points: PointTools, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._points = points
        self._tool = "select"
        self._drawing_tool = "box"
        self._is_adjusting = False
        self._driver = GestureDriver(board)
        self._taker: Callable[[Box], object] | None = None
        self._drawn: Box | None = None

    @property
    def tool(self) -> str:
        return self._tool

    def set_tool(self, name: str) -> None:
        """Take a tool of ``gestures.TOOLS``; a gesture in progress is dropped."""
        if name not in TOOLS:
            raise ValueError(f"no such tool: {name}")
        self.drop_gesture()
        self.leave_adjusting()
        self._board.forces_new = False
        if name != "select":
            self._drawing_tool = name
        if name != self._tool:
            self._tool = name
            self.toolChanged.emit(name)
        self.changed.emit()

    def repeat_draw_tool(self) -> None:
        """Take the drawing tool used last, for a new object whatever is selected."""
        self.set_tool(self._drawing_tool)
        self._board.forces_new = True

    def draw_for(self, taker: Callable[[Box], object] | None) -> None:
        """Let the mouse draw a box for a receiver, whatever the tool; None ends it."""
        self._taker = taker
        self.changed.emit()

    def fit_tool(self) -> None:
        """Leave tools that the open task does not allow."""
        session = self._board.session
        if session is None:
            return
        has_points, has_boxes = session.has_tool(Tools.POINTS), session.has_tool(Tools.BOXES)
        if has_points != has_boxes:
            is_pointing = self._drawing_tool == "point"
            if is_pointing != has_points:
                self._drawing_tool = "point" if has_points else "box"
        is_there = has_points if self._tool == "point" else has_boxes
        if self._tool != "select" and not is_there:
            self.set_tool("select")

    def cancel(self) -> bool:
        """Leave whatever is going on: gesture, adjusting, drawing tool. False: nothing was."""
        if self.drop_gesture():
            return True
        if self.leave_adjusting():
            return True
        if self._tool != "select":
            self.set_tool("select")
            return True
        return False

    def next_object(self) -> None:
        self._step_object(1)

    def previous_object(self) -> None:
        self._step_object(-1)

    def nudge(self, dx: float, dy: float, *, resize: bool = False) -> None:
        """Move the selected objects by image pixels, or their right and bottom edges.

        A selected point moves instead, by a tenth where a box would be resized. Quick repetitions
        are one undo step.
        """
        if self._board.selection.primary_point is not None:
            if not self._driver.is_active:
                gain = 0.1 if resize else 1.0
                self._points.nudge_point(dx * gain, dy * gain)
            return
        shape = self._board.shape_of(self._board.selection.primary)
        if shape is None or self._board.index is None or self._driver.is_active:
            return
        if shape.look is ShapeStyle.GHOST:
            self._board.message.emit(
                self.tr("The object is out of view on this frame. Draw or drag its box first.")
            )
            return
        shapes = self._board.moved_with(shape)
        boxes = box_geometry.nudged(
            [s.box for s in shapes], dx, dy, self._board.size, resize=resize
        )
        kind = "resize" if resize else "move"
        merge_key = ",".join(s.track_id for s in shapes)
        placed = list(zip(shapes, boxes, strict=True))
        self._board.place(placed, merge_key=f"{kind}:{merge_key}:{self._board.index}")

    def place_default_box(self) -> None:
        """Draw without a mouse: put a box in the middle of the view, ready for the arrow keys.

        With the point tool it is a point.
        """
        if not self._board.can_edit:
            return
        if self._tool == "point":
            self.editingStarted.emit(self._board.index)
            if self._points.place_at_center():
                self.end(asks_name=False)
                self._is_adjusting = True
            return
        viewport = self._board.viewport
        corners = viewport.to_image(0, 0), viewport.to_image(viewport.width, viewport.height)
        self.editingStarted.emit(self._board.index)
        # A selected object begins where it is shown.
        shape = self._board.shape_of(self._board.owner_of(force_new=False))
        is_shown = shape is not None and shape.is_present
        box = box_geometry.default_box(Box.around(*corners), self._board.size)
        if self._board.add(shape.box if shape is not None and is_shown else box):
            self.end(asks_name=False)
            self.start_adjusting()

    def start_adjusting(self) -> None:
        """Let the arrow keys move the selected point or box, until Enter or Esc."""
        if self._points.selected_dot() is not None:
            self._is_adjusting = True
            self.changed.emit()
            return
        shape = self._board.shape_of(self._board.selection.primary)
        if shape is None or shape.look is ShapeStyle.GHOST:
            self._board.message.emit(self.tr("Select an object on this frame first (Tab)."))
            return
        self._is_adjusting = True
        self.changed.emit()

    @property
    def is_adjusting(self) -> bool:
        """True while the arrow keys move the primary object."""
        return self._is_adjusting

    @property
    def _press_tool(self) -> Tool:
        """Tool that a press of the left button starts."""
        return drawing_for(self._keep_drawn) if self._taker is not None else TOOLS[self._tool]

    def _keep_drawn(self, box: Box) -> None:
        # Delivered after the gesture, because its effects can cancel gestures.
        self._drawn = box

    def _hand_over(self) -> None:
        """Send the drawn box to its receiver, if it still waits."""
        drawn, self._drawn = self._drawn, None
        if drawn is not None and self._taker is not None:
            self._taker(drawn)

    @property
    def is_busy(self) -> bool:
        """True while a gesture is in progress."""
        return self._driver.is_active

    @property
    def is_pressed(self) -> bool:
        """True while a mouse button is down in a gesture."""
        return self._driver.is_pressed

    @property
    def is_drawing(self) -> bool:
        """True while a press draws or places something."""
        return self._tool != "select" or self._taker is not None

    # The mouse

    def press(self, press: Pointer) -> None:
        """Start a gesture with the left button, or continue the running one."""
        self.leave_adjusting()
        if self._driver.is_pressed:
            # The release never came (another window took it): that drag is over.
            self.drop_gesture()
        if self._driver.is_active:
            self._driver.send(press)
        else:
            self.editingStarted.emit(self._board.index)
            self._driver.start(self._press_tool, press)

    def send(self, event: Pointer) -> None:
        """Send the next event to the gesture in progress."""
        self._driver.send(event)

    def end(self, *, asks_name: bool = True) -> None:
        """Finish a drawing or placing gesture."""
        self._hand_over()
        self.placed.emit(asks_name)

    def forget_gesture(self) -> bool:
        """Drop the gesture in progress for another picture; False: there was none."""
        return self._driver.cancel()

    def drop_gesture(self) -> bool:
        """Cancel the running gesture and show pending updates; False without one."""
        was_active = self._driver.cancel()
        if was_active:
            self.released.emit()
        return was_active

    def _step_object(self, step: int) -> None:
        is_pointing = (
            self._tool == "point"
            or self._board.selection.primary_point is not None
            or not self._board.shapes
        )
        if is_pointing and self._points.select_point(step):
            return
        shape = neighbor(self._board.shapes, self._board.selection.primary, step)
        if shape is not None:
            self._board.selection.set_tracks([shape.track_id])

    def leave_adjusting(self) -> bool:
        """Let the arrow keys go; False: they moved nothing."""
        was, self._is_adjusting = self._is_adjusting, False
        if was:
            self.changed.emit()
        return was
