"""Gestures and the pointer events sent to them, in widget and image pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from PySide6.QtCore import QCoreApplication

from annotator.domain.geometry import Point
from annotator.domain.recipes.recipe import Tool as Drawn
from annotator.ui.actions.tool_rules import only_words
from annotator.ui.canvas.model.board import CanvasBoard

DRAG_PX: Final = 4.0


class PointerPhase(Enum):
    """Kind of pointer event. ``BACK`` undoes the last click."""

    PRESS = "press"
    MOVE = "move"
    RELEASE = "release"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Pointer:
    """One event: logical widget pixels, the image point there, and the keys held."""

    step: PointerPhase
    x: float
    y: float
    point: Point
    shift: bool = False
    ctrl: bool = False
    alt: bool = False

    def distance(self, other: Pointer) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


Gesture: TypeAlias = Generator[None, Pointer, None]
Tool: TypeAlias = Callable[[CanvasBoard, Pointer], Gesture]


def inside(board: CanvasBoard, point: Point) -> Point:
    """Return the nearest place in the picture."""
    width, height = board.size
    return Point(min(max(point.x, 0.0), width), min(max(point.y, 0.0), height))


def refused(board: CanvasBoard, name: str, tool: Drawn) -> Gesture:
    """Say why nothing moves, then wait for the button to come up."""
    text = QCoreApplication.translate("canvas", "“{name}” is locked. Unlock it to edit it.")
    session = board.session
    # What is given in a task cannot be unlocked in it.
    if session is not None and not session.has_tool(tool):
        board.message.emit(only_words(session.tools))
    else:
        board.message.emit(text.format(name=name))
    yield from released()


def released() -> Gesture:
    """Wait for the button to come up."""
    event = yield
    while event.step is not PointerPhase.RELEASE:
        event = yield
