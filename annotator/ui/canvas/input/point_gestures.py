"""Gestures on points: place one, move one. With Shift the mouse moves a point eight times finer."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QCoreApplication

from annotator.domain.geometry import Point
from annotator.domain.recipes.recipe import Tool as Drawn
from annotator.ui.canvas.input.pointer import (
    DRAG_PX,
    Gesture,
    Pointer,
    Step,
    inside,
    refused,
    released,
)
from annotator.ui.canvas.model.board import Board, Draft
from annotator.ui.canvas.model.dots import Dot, DotLook, find_dot
from annotator.ui.canvas.model.point_board import dot_meant, put, take_over

_FINE: Final = 1 / 8


def place_point(board: Board, press: Pointer) -> Gesture:
    """Click to place the selected point, or a new one (Alt: always new); drag a point to move it.

    The place is fixed where the button comes up, so it can still be shifted while it is held.
    """
    under = board.dot_at(press.x, press.y)
    # In a loop a click near the point's mark means: here, and on.
    goes_on = board.is_looping and under == find_dot(board.dots, board.selection.primary_point)
    if under is not None and not press.alt and not goes_on:
        yield from move_dot(board, press, under)
        return
    dot = dot_meant(board, press.point, force_new=press.alt)
    if dot is None:
        text = QCoreApplication.translate("canvas", "Select the object that the point belongs to.")
        board.message.emit(text)
        yield from released()
        return
    if dot.locked:
        yield from refused(board, dot.label, Drawn.POINTS)
        return
    if dot.track_id is not None and board.selection.primary != dot.track_id:
        board.selection.set_tracks([dot.track_id])
    place, last, event = inside(board, press.point), press, press
    while event.step is not Step.RELEASE:
        board.set_draft(Draft(dot=replace(dot, xy=place), hint=_place_text(place)))
        event = yield
        if event.step is Step.BACK:
            return
        place, last = _moved(board, place, last, event), event
    put(board, replace(dot, xy=place))


def move_dot(board: Board, press: Pointer, dot: Dot) -> Gesture:
    """Select a point and drag it; a click on a proposal accepts it."""
    board.selection.set_points(dot.track_id, [dot.point_id])
    event, last, place = press, press, dot.xy
    is_moved = False
    while event.step is not Step.RELEASE:
        event = yield
        if event.step is Step.BACK:
            return
        if not is_moved and event.distance(press) < (1.0 if event.shift else DRAG_PX):
            continue
        if dot.locked:
            yield from refused(board, dot.label, Drawn.POINTS)
            return
        is_moved = True
        place, last = _moved(board, place, last, event), event
        board.set_draft(Draft(dot=replace(dot, xy=place), hint=_place_text(place)))
    if is_moved:
        put(board, replace(dot, xy=place))
    elif dot.look is DotLook.PROPOSED and not dot.locked:
        take_over(board, dot)


def _moved(board: Board, place: Point, last: Pointer, event: Pointer) -> Point:
    gain = _FINE if event.shift else 1.0
    dx, dy = event.point.x - last.point.x, event.point.y - last.point.y
    return inside(board, Point(place.x + gain * dx, place.y + gain * dy))


def _place_text(place: Point) -> str:
    return f"{place.x:.2f}, {place.y:.2f}"
